/* boxwood track --self on public animations: every contact that is reported is one by exact algebra at some
 * time of it, and every contact at a keyframe is reported. BOXWOOD_DATA names the folder with gltf/; without
 * it the test is skipped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oracle/moving_oracle.h"
#include "track/track.h"

#include <boxwood/collide.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SKIPPED = 77 };

typedef struct interval {
    uint32_t a, b;
    double from, to;
} interval;

typedef struct record {
    interval *intervals;
    size_t count, capacity;
} record;

static bool note(void *user, const bw_timeline_event *e)
{
    record *rec = user;
    if (e->begins) {
        rec->intervals = tool_grow(rec->intervals, rec->count, &rec->capacity, sizeof *rec->intervals);
        rec->intervals[rec->count++] = (interval){e->triangle_a, e->triangle_b, e->time, INFINITY};
        return true;
    }
    for (size_t i = rec->count; i-- > 0;)
        if (rec->intervals[i].a == e->triangle_a && rec->intervals[i].b == e->triangle_b) {
            rec->intervals[i].to = e->time;
            return true;
        }
    return false;
}

static bw_vec3 vertex_at(const bw_motion *motion, uint32_t frame, uint32_t v)
{
    if (motion->scalar == BW_F64) {
        const double *p = (const double *)motion->frames[frame] + 3 * (size_t)v;
        return (bw_vec3){p[0], p[1], p[2]};
    }
    const float *p = (const float *)motion->frames[frame] + 3 * (size_t)v;
    return (bw_vec3){(double)p[0], (double)p[1], (double)p[2]};
}

/* The oracle's pair between two keyframes. */
static void load_pair(const bw_mesh *mesh, const bw_motion *motion, uint32_t segment, const interval *x,
                      bw_moving_pair *out)
{
    const uint32_t *index_a = mesh->indices + 3 * (size_t)x->a, *index_b = mesh->indices + 3 * (size_t)x->b;
    bw_vec3 a[2][3], b[2][3];
    for (uint32_t end = 0; end < 2; end++)
        for (int i = 0; i < 3; i++) {
            a[end][i] = vertex_at(motion, segment + end, index_a[i]);
            b[end][i] = vertex_at(motion, segment + end, index_b[i]);
        }
    bw_oracle_moving_pair((const bw_vec3(*)[3])a, index_a, (const bw_vec3(*)[3])b, index_b, out);
}

typedef struct question {
    const bw_moving_pair *pair;
    double from, to; /* parts of the segment */
} question;

static bool contact_at_root(void *context, bw_real *root)
{
    const question *q = context;
    for (int i = 0; i < 60; i++)
        bw_real_shrink(root);
    double at = mpq_get_d(root->high);
    return at >= q->from && at <= q->to && bw_oracle_moving_contact(q->pair, root);
}

/* In the middle of a part of the time, or at some root of a volume within. */
static bool in_contact(const bw_moving_pair *pair, double from, double to)
{
    bw_real x;
    bw_real_init(&x);
    mpq_set_d(x.low, from + 0.5 * (to - from));
    bool contact = bw_oracle_moving_contact(pair, &x);
    bw_real_clear(&x);
    question q = {pair, from - 1e-12, to + 1e-12}; /* seconds are rounded */
    for (int set = 0; set < 64 && !contact; set++) {
        int corner[4], count = 0;
        for (int i = 0; i < 6; i++)
            if ((set >> i & 1) != 0 && count++ < 4)
                corner[count - 1] = i;
        if (count != 4)
            continue;
        const bw_alg *v = bw_oracle_moving_volume(pair, corner[0], corner[1], corner[2], corner[3]);
        contact = v->degree > 0 && bw_alg_roots(v, contact_at_root, &q);
    }
    return contact;
}

static void confirm(const bw_mesh *mesh, const bw_motion *motion, const record *rec)
{
    for (size_t i = 0; i < rec->count; i++) {
        const interval *x = &rec->intervals[i];
        bool found = false;
        for (uint32_t k = 0; k + 1 < motion->frame_count && !found; k++) {
            double begin = motion->times[k], end = motion->times[k + 1];
            if (x->from > end || x->to < begin)
                continue;
            bw_moving_pair pair;
            load_pair(mesh, motion, k, x, &pair);
            double from = fmax((x->from - begin) / (end - begin), 0);
            double to = fmin((x->to - begin) / (end - begin), 1);
            found = in_contact(&pair, from, to);
        }
        if (!found)
            fail_msg("triangles %" PRIu32 " and %" PRIu32 ": nothing meets from %.17g to %.17g", x->a, x->b,
                     x->from, x->to);
    }
}

/* What bw_collide_self finds at a keyframe. */
static uint64_t keyframe_hits(const bw_mesh *given, const bw_motion *motion, uint32_t k, const record *rec)
{
    bw_mesh mesh = *given;
    mesh.scalar = motion->scalar;
    mesh.positions = motion->frames[k];
    bw_tree *tree;
    assert_int_equal(bw_tree_create(NULL, &mesh, &tree, NULL), BW_OK);
    bw_body body = {tree, &mesh, NULL};
    bw_collide_report answer = {0};
    assert_int_equal(bw_collide_self(&body, &(bw_collide_desc){.mode = BW_COLLIDE_ALL}, &answer, NULL),
                     BW_OK);
    bw_hit *hits = tool_alloc(answer.hit_count + 1, sizeof *hits);
    bw_collide_desc desc = {.mode = BW_COLLIDE_ALL, .hits = hits, .hit_capacity = answer.hit_count + 1};
    assert_int_equal(bw_collide_self(&body, &desc, &answer, NULL), BW_OK);
    for (uint64_t i = 0; i < answer.hit_count; i++) {
        uint32_t a = hits[i].a < hits[i].b ? hits[i].a : hits[i].b, b = hits[i].a + hits[i].b - a;
        bool covered = false;
        for (size_t n = 0; n < rec->count && !covered; n++) {
            const interval *x = &rec->intervals[n];
            covered = x->a == a && x->b == b && motion->times[k] >= x->from && motion->times[k] <= x->to;
        }
        if (!covered)
            fail_msg("triangles %" PRIu32 " and %" PRIu32 " meet at %.17g", a, b, motion->times[k]);
    }
    free(hits);
    bw_tree_destroy(tree);
    return answer.hit_count;
}

static void check_file(const char *name, bool none)
{
    char file[4096];
    snprintf(file, sizeof file, "%s/gltf/%s.glb", getenv("BOXWOOD_DATA"), name);
    fault why;
    track t = {.self = true, .fps = 24};
    animation_desc desc = {.clip = NULL};
    if (!track_open(&t, file, &desc, 0, &why) || !track_hold(&t, 0, NULL, &why) || !track_align(&t, &why))
        fail_msg("%s", why.text);
    uint64_t contacts = 0, hits = 0;
    for (uint32_t i = 0; i < t.piece_count; i++) {
        track_rest two;
        bw_motion motion = track_motion(&t.objects[0], &t.pieces[i], &two);
        bw_moving moving = {&t.objects[0].mesh, &motion};
        record rec = {NULL, 0, 0};
        bw_timeline_desc wanted = {.self = true, .on_event = note, .user = &rec};
        bw_timeline_report answer = {0};
        assert_int_equal(bw_contact_timeline(&moving, 1, &wanted, &answer, NULL), BW_OK);
        confirm(moving.mesh, &motion, &rec);
        for (uint32_t k = 0; k < motion.frame_count; k++)
            hits += keyframe_hits(moving.mesh, &motion, k, &rec);
        contacts += rec.count;
        free(rec.intervals);
    }
    printf("%s: %" PRIu64 " contacts, all confirmed; %" PRIu64 " at keyframes, all among them\n", name,
           contacts, hits);
    assert_int_equal(contacts == 0, none);
    track_free(&t);
}

static void test_rigged_figure(void **state)
{
    (void)state;
    check_file("RiggedFigure", true);
}

static void test_cesium_man(void **state)
{
    (void)state;
    check_file("CesiumMan", false);
}

static void test_fox(void **state)
{
    (void)state;
    check_file("Fox", false);
}

int main(void)
{
    if (getenv("BOXWOOD_DATA") == NULL) {
        puts("skipped: BOXWOOD_DATA does not name the public data");
        return SKIPPED;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rigged_figure),
        cmocka_unit_test(test_cesium_man),
        cmocka_unit_test(test_fox),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
