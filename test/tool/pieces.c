/* boxwood track over films that jump: contacts against triangles tested at many times one by one; a search
 * divided at any keyframes against the whole one; and films in a file against films in memory. The test is
 * the source of frames. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "body.h"
#include "oracle/random.h"
#include "track/track.h"

#include <boxwood/collide.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <boxwood/pool.h>

static bw_pool *pool[2]; /* of one thread and of three: the same is found */

enum { FRAMES = 9, TRIANGLES = 4, OBJECTS = 2 };

/* A film of loose triangles. */
typedef struct film {
    double times[FRAMES];
    float frames[FRAMES][9 * TRIANGLES];
} film;

static film make_film(bws_random *random, bool jumps)
{
    film f;
    double time = (double)bws_random_below(random, 3);
    for (int k = 0; k < FRAMES; k++) {
        /* A film does not begin with a jump. */
        bool jump = jumps && k > 1 && f.times[k - 1] > f.times[k - 2] && bws_random_below(random, 3) == 0;
        if (k > 0 && !jump)
            time += 1 + (double)bws_random_below(random, 3);
        f.times[k] = time;
        for (int i = 0; i < 3 * TRIANGLES; i++)
            for (int axis = 0; axis < 3; axis++)
                f.frames[k][3 * i + axis] =
                    i % 3 == 0 ? bws_random_float(random, -2, 2)
                               : f.frames[k][3 * (i - i % 3) + axis] + bws_random_float(random, -0.6f, 0.6f);
    }
    return f;
}

static bool next_frame(void *self, const model *m, uint32_t frame, void *out, fault *why)
{
    const film *f = self;
    (void)why;
    memcpy(out, f->frames[frame], 3 * sizeof(float) * m->vertex_count);
    return true;
}

/* In the place of the readers of files. */
bool animation_open(const char *file, const animation_desc *desc, model *out, stream *frames, fault *why)
{
    (void)file;
    (void)desc;
    (void)out;
    (void)frames;
    return fault_set(why, "no files here");
}

static track start(film films[OBJECTS], size_t in_memory, const double *cuts, uint32_t cut_count)
{
    track t = {.fps = 7, .cuts = (double *)(uintptr_t)cuts, .cut_count = cut_count, .count = OBJECTS};
    t.objects = calloc(OBJECTS, sizeof *t.objects);
    fault why;
    for (int i = 0; i < OBJECTS; i++) {
        track_object *o = &t.objects[i];
        o->model =
            (model){.file = tool_copy("film"), .vertex_count = 3 * TRIANGLES, .triangle_count = TRIANGLES};
        o->model.positions = calloc(9 * TRIANGLES, sizeof(double));
        o->model.indices = malloc(3 * TRIANGLES * sizeof(uint32_t));
        for (uint32_t k = 0; k < 3 * TRIANGLES; k++)
            o->model.indices[k] = k;
        stream s = {.frame_count = FRAMES,
                    .jumps = true,
                    .clip = tool_copy(""),
                    .next = next_frame,
                    .self = &films[i]};
        s.times = malloc(sizeof films[i].times);
        memcpy(s.times, films[i].times, sizeof films[i].times);
        assert_true(film_hold(&o->model, &s, NULL, in_memory, &why));
        assert_int_equal(o->model.film.mapped, in_memory == 0);
        o->moves = true;
    }
    assert_true(track_align(&t, &why));
    assert_true(track_not_shrunk(&t, &why));
    const bw_tasks *tasks = bw_pool_tasks(pool[cut_count > 0]);
    assert_true(track_search(&t, tasks, &why));
    assert_true(track_measure(&t, tasks, &why));
    return t;
}

/* Where the corners of a triangle are at a time, read from the film in the plainest way; before: as they were
 * until then. */
static void corners_at(const film *f, double time, bool before, int triangle, bw_vec3 out[3])
{
    int k = 0;
    while (k + 1 < FRAMES && (before ? f->times[k + 1] < time : f->times[k + 1] <= time))
        k++;
    int next = k + 1 < FRAMES ? k + 1 : k;
    double span = f->times[next] - f->times[k], s = span > 0 ? (time - f->times[k]) / span : 0;
    s = s < 0 ? 0 : s > 1 ? 1 : s;
    for (int c = 0; c < 3; c++) {
        double x[3];
        for (int axis = 0; axis < 3; axis++) {
            int i = 9 * triangle + 3 * c + axis;
            x[axis] = (1 - s) * (double)f->frames[k][i] + s * (double)f->frames[next][i];
        }
        out[c] = (bw_vec3){x[0], x[1], x[2]};
    }
}

static bool touch(const film films[OBJECTS], double time, bool before)
{
    bw_vec3 a[3], b[3];
    for (int i = 0; i < TRIANGLES; i++)
        for (int j = 0; j < TRIANGLES; j++) {
            corners_at(&films[0], time, before, i, a);
            corners_at(&films[1], time, before, j, b);
            if (bw_triangle_triangle(a, b) != BW_CONTACT_NONE)
                return true;
        }
    return false;
}

/* Whether a contact holds a time, and by how much it is away from the next beginning or end. */
static bool told(const track *t, double time, double *margin)
{
    bool inside = false;
    *margin = INFINITY;
    for (size_t i = 0; i < t->contact_count; i++) {
        const track_contact *c = &t->contacts[i];
        inside |= time >= c->from && time <= c->to;
        *margin = fmin(*margin, fmin(fabs(time - c->from), fabs(time - c->to)));
    }
    return inside;
}

static void check_times(bws_random *random, void *user)
{
    (void)user;
    film films[OBJECTS] = {make_film(random, true), make_film(random, true)};
    track t = start(films, FILM_IN_MEMORY, NULL, 0);
    for (int i = 0; i < 3000; i++) {
        double margin, time = t.begin + (t.end - t.begin) * bws_random_unit(random);
        bool inside = told(&t, time, &margin);
        if (margin > 1e-6)
            assert_int_equal(inside, touch(films, time, false));
    }
    /* At jumps and ends, both sides; a touch there is a contact that holds the time. */
    for (int o = 0; o < OBJECTS; o++)
        for (int k = 0; k < FRAMES; k++) {
            double time = films[o].times[k], margin;
            bool either = touch(films, time, false) || touch(films, time, true),
                 inside = told(&t, time, &margin);
            if (either || margin > 1e-6)
                assert_int_equal(inside, either);
        }
    for (size_t i = 0; i + 1 < t.contact_count; i++)
        assert_true(t.contacts[i + 1].from > t.contacts[i].to);
    track_free(&t);
}

static void same(const track *a, const track *b)
{
    assert_int_equal(a->contact_count, b->contact_count);
    assert_int_equal(a->triangle_contacts, b->triangle_contacts);
    for (size_t i = 0; i < a->contact_count; i++) {
        const track_contact *p = &a->contacts[i], *q = &b->contacts[i];
        assert_true(p->from == q->from && p->to == q->to);
        assert_true(p->part_a == q->part_a && p->part_b == q->part_b);
        assert_true(p->triangle_a == q->triangle_a && p->triangle_b == q->triangle_b);
        assert_true(p->cut_start == q->cut_start && p->cut_end == q->cut_end && p->most == q->most);
    }
    assert_memory_equal(a->missed, b->missed, sizeof a->missed);
    assert_memory_equal(a->missed_triangles, b->missed_triangles, sizeof a->missed_triangles);
    for (size_t i = 0; i < a->contact_count; i++) {
        const track_contact *p = &a->contacts[i], *q = &b->contacts[i];
        assert_int_equal(p->moment_count, q->moment_count);
        assert_int_equal(p->deepest, q->deepest);
        for (uint32_t k = 0; k < p->moment_count; k++)
            assert_true(
                p->moments[k].time == q->moments[k].time && p->moments[k].pierce == q->moments[k].pierce &&
                p->moments[k].upper == q->moments[k].upper && p->moments[k].pairs == q->moments[k].pairs);
    }
}

static void check_pieces(bws_random *random, void *user)
{
    (void)user;
    film films[OBJECTS] = {make_film(random, bws_random_below(random, 2) == 0), make_film(random, false)};
    double cuts[2 * FRAMES];
    uint32_t count = 0;
    for (int o = 0; o < OBJECTS; o++)
        for (int k = 0; k < FRAMES; k++)
            if (bws_random_below(random, 2) == 0)
                cuts[count++] = films[o].times[k];
    track whole = start(films, FILM_IN_MEMORY, NULL, 0), divided = start(films, 0, cuts, count);
    assert_true(divided.piece_count >= whole.piece_count);
    same(&whole, &divided);
    track_free(&whole);
    track_free(&divided);
}

static void test_times(void **state)
{
    (void)state;
    BW_EACH_SEED(300, check_times, NULL);
}

static void test_pieces(void **state)
{
    (void)state;
    BW_EACH_SEED(500, check_pieces, NULL);
}

int main(void)
{
    if (bw_pool_create(1, &pool[0], NULL) != BW_OK || bw_pool_create(3, &pool[1], NULL) != BW_OK)
        return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_times), cmocka_unit_test(test_pieces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
