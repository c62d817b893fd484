/* Meshes that move, with themselves: height fields, which can never meet themselves; a cloth that folds over
 * itself, for which the timeline, bw_swept_self and bw_collide_self must agree; and the built-in films.
 *
 * BOXWOOD_SEED_FACTOR=100 gives height fields of 1,000 to 100,000 triangles a hundred pairs of keyframes
 * each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <boxwood/swept.h>
#include <boxwood/timeline.h>

#include "oracle/random.h"
#include "scenes/scenes.h"

/* ---- a grid of vertices and its films ---- */

typedef struct grid {
    uint32_t n; /* squares a side */
    uint32_t vertex_count, triangle_count;
    uint32_t *indices;
    double **frames, *times;
    uint32_t frame_count;
    bw_mesh mesh;
    bw_motion motion;
} grid;

/* Each square is cut along either diagonal. */
static void grid_make(bws_random *r, uint32_t n, uint32_t frames, grid *g)
{
    *g = (grid){.n = n,
                .vertex_count = (n + 1) * (n + 1),
                .triangle_count = 2 * n * n,
                .frame_count = frames,
                .indices = malloc(sizeof(uint32_t) * 6 * n * n),
                .frames = malloc(sizeof(double *) * frames),
                .times = malloc(sizeof(double) * frames)};
    uint32_t *at = g->indices;
    for (uint32_t i = 0; i < n * n; i++) {
        uint32_t a = i / n * (n + 1) + i % n, b = a + 1, c = a + n + 1, d = c + 1;
        const uint32_t cut[2][6] = {{a, b, d, a, d, c}, {a, b, c, b, d, c}};
        memcpy(at, cut[bws_random_below(r, 2)], sizeof cut[0]);
        at += 6;
    }
    for (uint32_t k = 0; k < frames; k++) {
        g->frames[k] = malloc(3 * sizeof(double) * g->vertex_count);
        g->times[k] = k;
    }
    g->mesh = (bw_mesh){.scalar = BW_F64,
                        .vertex_count = g->vertex_count,
                        .indices = g->indices,
                        .triangle_count = g->triangle_count};
    g->motion = (bw_motion){.vertex_count = g->vertex_count,
                            .scalar = BW_F64,
                            .frame_count = frames,
                            .times = g->times,
                            .frames = (const void *const *)g->frames};
}

static void grid_free(grid *g)
{
    for (uint32_t k = 0; k < g->frame_count; k++)
        free(g->frames[k]);
    free(g->frames);
    free(g->times);
    free(g->indices);
}

static uint64_t factor(void)
{
    const char *text = getenv("BOXWOOD_SEED_FACTOR");
    return text == NULL ? 1 : strtoull(text, NULL, 0);
}

/* ---- height fields ---- */

/* x and y stay, near (5, 5.57) or far away, in steps that doubles do not hit; z is what it likes. Vertices
 * are moved sideways by less than a sixth of a step, so that no triangle turns over. */
static void fill_heights(bws_random *r, grid *g)
{
    double step = bws_random_bool(r) ? 1.0 / 7 : bws_random_double(r, 1e-6, 1e3);
    double x0 = bws_random_bool(r) ? 5 : bws_random_double(r, -1e4, 1e4) * step, y0 = 39 * step;
    double high = bws_random_bool(r) ? 1 : pow(10, bws_random_double(r, -3, 3)) * step;
    double jitter = bws_random_bool(r) ? 0.16 : 0;
    bool floats = bws_random_bool(r);
    for (uint32_t v = 0; v < g->vertex_count; v++) {
        double x = x0 + step * (v % (g->n + 1) + bws_random_double(r, -jitter, jitter));
        double y = y0 + step * (v / (g->n + 1) + bws_random_double(r, -jitter, jitter));
        for (uint32_t k = 0; k < g->frame_count; k++) {
            double *p = g->frames[k] + 3 * (size_t)v;
            p[0] = floats ? (double)(float)x : x;
            p[1] = floats ? (double)(float)y : y;
            p[2] = bws_random_double(r, -high, high);
        }
    }
}

/* Seen from above every triangle turns the same way: it is a height field. */
static void check_field(const grid *g)
{
    for (uint32_t t = 0; t < g->triangle_count; t++) {
        bw_vec3 p[3];
        for (int i = 0; i < 3; i++) {
            const double *x = g->frames[0] + 3 * (size_t)g->indices[3 * (size_t)t + (size_t)i];
            p[i] = (bw_vec3){x[0], x[1], x[2]};
        }
        assert_int_equal(bw_orient2d(&p[0], &p[1], &p[2], 2), 1);
    }
}

static void no_contact(const grid *g)
{
    check_field(g);
    bw_moving moving = {&g->mesh, &g->motion};
    bw_timeline_desc desc = {.self = true};
    bw_timeline_report report = {0};
    assert_int_equal(bw_contact_timeline(&moving, 1, &desc, &report, NULL), BW_OK);
    assert_int_equal(report.contact_count, 0);
    assert_true(report.first == INFINITY);
}

static void height_field(bws_random *r, void *user)
{
    const uint32_t *size = user;
    grid g;
    grid_make(r, size[0], size[1], &g);
    fill_heights(r, &g);
    no_contact(&g);
    grid_free(&g);
}

static void test_height_fields(void **state)
{
    (void)state;
    const uint64_t times = factor();
    uint32_t sizes[3][2] = {{23, 21}, {71, 3}, {224, 2}};
    for (int i = 0; i < 3; i++) {
        uint64_t frames = 1 + (sizes[i][1] - 1) * times;
        sizes[i][1] = frames < 101 ? (uint32_t)frames : 101;
    }
    bws_random r = bws_random_seeded(bw_random_seed_from_env(1));
    for (int i = 0; i < 3; i++)
        height_field(&r, sizes[i]);
    uint32_t small[2] = {8, 12};
    BW_EACH_SEED(20, height_field, small);
}

/* The same on curves: heights are polynomials of degree three. */
static void curved_field(bws_random *r, void *user)
{
    (void)user;
    grid g;
    grid_make(r, 12, 2, &g);
    fill_heights(r, &g);
    bw_plan *plans = malloc(g.vertex_count * sizeof *plans);
    double origin = bws_random_bool(r) ? 0 : bws_random_double(r, -3, 3);
    for (uint32_t v = 0; v < g.vertex_count; v++) {
        const double *p = g.frames[0] + 3 * (size_t)v;
        plans[v] = (bw_plan){.origin = origin, .c = {{p[0], p[1], p[2]}}};
        for (int k = 1; k < 4; k++)
            plans[v].c[k].z = bws_random_double(r, -1, 1) * fabs(g.frames[1][3 * (size_t)v + 2]);
    }
    g.motion = (bw_motion){
        .kind = BW_MOTION_PLANS, .vertex_count = g.vertex_count, .scalar = BW_F64, .plans = plans, .end = 1};
    no_contact(&g);
    free(plans);
    grid_free(&g);
}

static void test_curved_fields(void **state)
{
    (void)state;
    BW_EACH_SEED(10, curved_field, NULL);
}

/* ---- three ways to one answer ---- */

enum { STEPS = 16 };

/* A contact of two triangles. */
typedef struct interval {
    uint32_t a, b;
    double from, to;
    bool at_start;
} interval;

typedef struct record {
    interval *intervals;
    size_t count, capacity;
} record;

static bool note(void *user, const bw_timeline_event *e)
{
    record *rec = user;
    if (e->begins) {
        if (rec->count == rec->capacity) {
            rec->capacity = 2 * rec->capacity + 64;
            rec->intervals = realloc(rec->intervals, rec->capacity * sizeof *rec->intervals);
        }
        rec->intervals[rec->count++] = (interval){e->triangle_a, e->triangle_b, e->time, INFINITY, e->cut};
        return true;
    }
    for (size_t i = rec->count; i-- > 0;)
        if (rec->intervals[i].a == e->triangle_a && rec->intervals[i].b == e->triangle_b) {
            rec->intervals[i].to = e->cut ? INFINITY : e->time;
            return true;
        }
    fail();
    return false;
}

/* Whether a pair is in contact at a time, or nearer than slack to such a time. */
static bool covered(const record *rec, uint32_t a, uint32_t b, double time, double slack)
{
    for (size_t i = 0; i < rec->count; i++) {
        const interval *x = &rec->intervals[i];
        if (x->a == a && x->b == b && time >= x->from - slack && time <= x->to + slack)
            return true;
    }
    return false;
}

typedef struct hits {
    bw_hit *hits;
    uint64_t count;
} hits;

/* bw_collide_self for the positions of a time. */
static hits hits_at(const grid *g, double time)
{
    double *positions = malloc(3 * sizeof(double) * g->vertex_count);
    assert_int_equal(bw_motion_sample(&g->motion, time, positions, NULL), BW_OK);
    bw_mesh mesh = g->mesh;
    mesh.positions = positions;
    bw_tree *tree;
    assert_int_equal(bw_tree_create(NULL, &mesh, &tree, NULL), BW_OK);
    bw_body body = {tree, &mesh, NULL};
    bw_collide_desc desc = {.mode = BW_COLLIDE_ALL};
    bw_collide_report report = {0};
    assert_int_equal(bw_collide_self(&body, &desc, &report, NULL), BW_OK);
    hits h = {malloc((report.hit_count + 1) * sizeof(bw_hit)), report.hit_count};
    desc.hits = h.hits;
    desc.hit_capacity = report.hit_count + 1;
    assert_int_equal(bw_collide_self(&body, &desc, &report, NULL), BW_OK);
    bw_tree_destroy(tree);
    free(positions);
    return h;
}

static bool in_hits(const hits *h, uint32_t a, uint32_t b)
{
    for (uint64_t i = 0; i < h->count; i++)
        if ((h->hits[i].a == a && h->hits[i].b == b) || (h->hits[i].a == b && h->hits[i].b == a))
            return true;
    return false;
}

/* Positions at these times are exact, so both must say the same, up to the rounding of times; and what parts
 * for an instant only goes on in the timeline. */
static void agree_with_collide(const grid *g, const record *rec)
{
    for (uint32_t k = 0; k + 1 < g->frame_count; k++)
        for (int s = 0; s <= STEPS; s++) {
            double time = k + (double)s / STEPS;
            hits h = hits_at(g, time);
            for (uint64_t i = 0; i < h.count; i++) {
                uint32_t a = h.hits[i].a < h.hits[i].b ? h.hits[i].a : h.hits[i].b;
                uint32_t b = h.hits[i].a < h.hits[i].b ? h.hits[i].b : h.hits[i].a;
                if (!covered(rec, a, b, time, 0))
                    fail_msg("triangles %u %u meet at %.17g", a, b, time);
            }
            hits before = hits_at(g, fmax(time - 0x1p-8, 0));
            hits after = hits_at(g, fmin(time + 0x1p-8, g->frame_count - 1.0));
            for (size_t i = 0; i < rec->count; i++) {
                const interval *x = &rec->intervals[i];
                if (time < x->from + 1e-9 || time > x->to - 1e-9 || in_hits(&h, x->a, x->b))
                    continue;
                if (!in_hits(&before, x->a, x->b) || !in_hits(&after, x->a, x->b))
                    fail_msg("triangles %u %u do not meet at %.17g", x->a, x->b, time);
            }
            free(h.hits);
            free(before.hits);
            free(after.hits);
        }
}

typedef struct pair_set {
    uint64_t *keys;
    size_t count, capacity;
} pair_set;

static void add_pair(pair_set *s, uint32_t a, uint32_t b)
{
    if (a == b)
        return;
    if (s->count == s->capacity) {
        s->capacity = 2 * s->capacity + 64;
        s->keys = realloc(s->keys, s->capacity * sizeof *s->keys);
    }
    s->keys[s->count++] = (uint64_t)(a < b ? a : b) << 32 | (a < b ? b : a);
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static bool in_set(const pair_set *s, uint32_t a, uint32_t b)
{
    uint64_t key = (uint64_t)a << 32 | b;
    return s->count > 0 && bsearch(&key, s->keys, s->count, sizeof *s->keys, compare_keys) != NULL;
}

static bool has_vertex(const grid *g, uint32_t triangle, uint32_t v)
{
    const uint32_t *t = g->indices + 3 * (size_t)triangle;
    return t[0] == v || t[1] == v || t[2] == v;
}

/* The pairs of triangles whose features bw_swept_self finds to meet in a step. */
static pair_set swept_pairs(const grid *g, uint32_t step)
{
    bw_mesh start = g->mesh, end = g->mesh;
    start.positions = g->frames[step];
    end.positions = g->frames[step + 1];
    bw_swept *sweep;
    assert_int_equal(bw_swept_create(NULL, &start, &end, &sweep, NULL), BW_OK);
    bw_swept_report report = {0};
    assert_int_equal(bw_swept_self(sweep, NULL, &report, NULL), BW_OK);
    bw_swept_contact *contacts = malloc((report.contact_count + 1) * sizeof *contacts);
    bw_swept_query query = {.contacts = contacts, .contact_capacity = report.contact_count + 1};
    assert_int_equal(bw_swept_self(sweep, &query, &report, NULL), BW_OK);
    pair_set set = {NULL, 0, 0};
    for (uint64_t i = 0; i < report.contact_count; i++) {
        const bw_swept_contact *c = &contacts[i];
        bool face = c->feature == BW_CCD_VERTEX_FACE;
        for (uint32_t t = 0; t < g->triangle_count; t++) {
            if (face && has_vertex(g, t, c->vertices[0]))
                add_pair(&set, t, c->b);
            if (face || !has_vertex(g, t, c->vertices[0]) || !has_vertex(g, t, c->vertices[1]))
                continue;
            for (uint32_t u = 0; u < g->triangle_count; u++)
                if (has_vertex(g, u, c->vertices[2]) && has_vertex(g, u, c->vertices[3]))
                    add_pair(&set, t, u);
        }
    }
    if (set.count > 0)
        qsort(set.keys, set.count, sizeof *set.keys, compare_keys);
    free(contacts);
    bw_swept_destroy(sweep);
    return set;
}

/* Features that meet are of triangles that meet; triangles that begin to meet do so by features. */
static void agree_with_swept(const grid *g, const record *rec)
{
    for (uint32_t step = 0; step + 1 < g->frame_count; step++) {
        pair_set set = swept_pairs(g, step);
        for (size_t i = 0; i < set.count; i++) {
            uint32_t a = (uint32_t)(set.keys[i] >> 32), b = (uint32_t)set.keys[i];
            bool found = false;
            for (size_t k = 0; k < rec->count && !found; k++)
                found = rec->intervals[k].a == a && rec->intervals[k].b == b &&
                        rec->intervals[k].from <= step + 1.0 && rec->intervals[k].to >= step;
            if (!found)
                fail_msg("triangles %u %u: features meet in step %u, but not the triangles", a, b, step);
        }
        for (size_t k = 0; k < rec->count; k++) {
            const interval *x = &rec->intervals[k];
            if (!x->at_start && x->from >= step && x->from < step + 1.0 && !in_set(&set, x->a, x->b))
                fail_msg("triangles %u %u begin to meet at %.17g, but no features", x->a, x->b, x->from);
        }
        free(set.keys);
    }
}

static double on_lattice(double x)
{
    return nearbyint(x * 0x1p20) * 0x1p-20;
}

/* A strip of cloth that is rolled up more and more, and crumpled: its parts fold over their neighbours, and
 * over others. Coordinates are multiples of 2^-20. */
static void folding_cloth(bws_random *r, void *user)
{
    (void)user;
    grid g;
    grid_make(r, 6, 4, &g);
    double noise = bws_random_double(r, 0.02, 0.6), bend = bws_random_double(r, 0, 3);
    for (uint32_t k = 0; k < g.frame_count; k++)
        for (uint32_t v = 0; v < g.vertex_count; v++) {
            double u = v % (g.n + 1), angle = bend * k * u / g.n + bws_random_double(r, -noise, noise);
            double *p = g.frames[k] + 3 * (size_t)v;
            double radius = bend * k > 0.1 ? g.n / (bend * k) : 1e9;
            p[0] = on_lattice((radius < 1e6 ? radius * sin(angle) : u) + bws_random_double(r, -noise, noise));
            p[1] = on_lattice(v / (g.n + 1) + bws_random_double(r, -noise, noise));
            p[2] = on_lattice((radius < 1e6 ? radius * (1 - cos(angle)) : 0) +
                              bws_random_double(r, -noise, noise));
        }
    bw_moving moving = {&g.mesh, &g.motion};
    record rec = {NULL, 0, 0};
    bw_timeline_desc desc = {.self = true, .on_event = note, .user = &rec};
    bw_timeline_report report = {0};
    assert_int_equal(bw_contact_timeline(&moving, 1, &desc, &report, NULL), BW_OK);
    assert_int_equal(report.contact_count, rec.count);
    agree_with_collide(&g, &rec);
    agree_with_swept(&g, &rec);
    free(rec.intervals);
    grid_free(&g);
}

static void test_folding_cloth(void **state)
{
    (void)state;
    BW_EACH_SEED(12, folding_cloth, NULL);
}

/* ---- the built-in films ---- */

static void agree_on_film(bw_result (*make)(const bws_film_desc *desc, bws_film *out))
{
    bws_film film;
    assert_int_equal(make(&(bws_film_desc){.triangles = 1500, .keyframes = 6}, &film), BW_OK);
    bw_mesh mesh = bws_view(&film.mesh);
    bw_motion motion = bws_film_motion(&film);
    bw_moving moving = {&mesh, &motion};
    record rec = {NULL, 0, 0};
    bw_timeline_desc desc = {.self = true, .on_event = note, .user = &rec};
    bw_timeline_report report = {0};
    assert_int_equal(bw_contact_timeline(&moving, 1, &desc, &report, NULL), BW_OK);
    for (uint32_t k = 0; k + 1 < film.frame_count; k++) {
        bw_mesh start = mesh, end = mesh;
        start.positions = film.frames[k];
        end.positions = film.frames[k + 1];
        bw_body body = {NULL, &start, NULL};
        bw_tree *tree;
        assert_int_equal(bw_tree_create(NULL, &start, &tree, NULL), BW_OK);
        body.tree = tree;
        bw_collide_report found = {0};
        assert_int_equal(bw_collide_self(&body, &(bw_collide_desc){.mode = BW_COLLIDE_ALL}, &found, NULL),
                         BW_OK);
        bw_swept *sweep;
        bw_swept_report step = {0};
        assert_int_equal(bw_swept_create(NULL, &start, &end, &sweep, NULL), BW_OK);
        assert_int_equal(bw_swept_self(sweep, NULL, &step, NULL), BW_OK);
        bool meets = false;
        for (size_t i = 0; i < rec.count; i++)
            meets =
                meets || (rec.intervals[i].from <= film.times[k + 1] && rec.intervals[i].to >= film.times[k]);
        assert_int_equal(meets, found.hit_count > 0 || step.contact_count > 0);
        bw_swept_destroy(sweep);
        bw_tree_destroy(tree);
    }
    free(rec.intervals);
    bws_film_free(&film);
}

static void test_films(void **state)
{
    (void)state;
    agree_on_film(bws_tablecloth);
    agree_on_film(bws_dress);
    agree_on_film(bws_dress_body);
    agree_on_film(bws_expanding_film);
}

/* ---- hinges ---- */

static uint64_t hinge(double start, double end, double *first)
{
    /* Two triangles on the edge from (0, 0, 0) to (0, 1, 0); the second's corner is at an angle from the
     * first's plane, and moves on a straight line. */
    double frames[2][12] = {{0, 0, 0, 0, 1, 0, 1, 0.5, 0}, {0, 0, 0, 0, 1, 0, 1, 0.5, 0}};
    const double z[2] = {start, end};
    for (int k = 0; k < 2; k++) {
        frames[k][9] = z[k] > 1 || z[k] < -1 ? -1 : 0.75;
        frames[k][10] = 0.5;
        frames[k][11] = z[k] > 1 ? z[k] - 2 : z[k] < -1 ? z[k] + 2 : z[k];
    }
    const uint32_t indices[6] = {0, 1, 2, 1, 0, 3};
    const double times[2] = {0, 1};
    const void *const at[2] = {frames[0], frames[1]};
    bw_mesh mesh = {.scalar = BW_F64, .vertex_count = 4, .indices = indices, .triangle_count = 2};
    bw_motion motion = {.vertex_count = 4, .scalar = BW_F64, .frame_count = 2, .times = times, .frames = at};
    bw_moving moving = {&mesh, &motion};
    bw_timeline_report report = {0};
    assert_int_equal(bw_contact_timeline(&moving, 1, &(bw_timeline_desc){.self = true}, &report, NULL),
                     BW_OK);
    *first = report.first;
    return report.contact_count;
}

static void test_hinges(void **state)
{
    (void)state;
    double first;
    assert_int_equal(hinge(1.5, -1.5, &first), 0); /* flat for an instant, on the other side of the edge */
    assert_int_equal(hinge(1.5, 2.5, &first), 0);
    assert_int_equal(hinge(0.5, -0.5, &first), 1); /* closes, and goes through */
    assert_true(first == 0.5);
    assert_int_equal(hinge(0.75, -0.25, &first), 1);
    assert_true(first == 0.75);
    assert_int_equal(hinge(0.5, 0.25, &first), 0);
    assert_int_equal(hinge(0.5, 0, &first), 1); /* closes at the end */
    assert_true(first == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hinges),        cmocka_unit_test(test_height_fields),
        cmocka_unit_test(test_curved_fields), cmocka_unit_test(test_folding_cloth),
        cmocka_unit_test(test_films),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
