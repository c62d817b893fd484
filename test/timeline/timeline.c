/* The contact timeline beside brute force: every pair of triangles at many times, exactly, and the continuous
 * test of triangles for what happens in between. Coordinates are small integers and times have few bits, so
 * that every sampled position is exact. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <boxwood/ccd.h>

#include "collide/self/shared_features.h"
#include "oracle/failing_allocator.h"
#include "oracle/random.h"
#include <boxwood/timeline.h>

enum { VERTICES = 9, TRIANGLES = 5, FRAMES = 3, SAMPLES = 256, OBJECTS = 2 };

typedef struct object {
    double frames[FRAMES][3 * VERTICES], times[FRAMES];
    const void *frame[FRAMES];
    uint32_t indices[3 * TRIANGLES];
    bw_plan plans[VERTICES];
    bw_motion motion;
    bw_mesh mesh;
} object;

typedef struct world {
    object objects[OBJECTS];
    bw_moving moving[OBJECTS];
    bool curved;
} world;

static void make(bws_random *r, world *w, int64_t size, bool proper)
{
    w->curved = false;
    for (int o = 0; o < OBJECTS; o++) {
        object *x = &w->objects[o];
        bool still = bws_random_below(r, 6) == 0;
        for (int k = 0; k < FRAMES; k++) {
            x->times[k] = k;
            for (int i = 0; i < 3 * VERTICES; i++)
                x->frames[k][i] = (double)bws_random_int(r, -size, size);
            x->frame[k] = still ? x->frames[0] : x->frames[k];
        }
        for (int i = 0; i < 3 * TRIANGLES; i++) {
            const uint32_t *first = &x->indices[i / 3 * 3];
            do
                x->indices[i] = (uint32_t)bws_random_below(r, VERTICES);
            while (proper &&
                   ((i % 3 > 0 && first[0] == x->indices[i]) || (i % 3 > 1 && first[1] == x->indices[i])));
        }
        x->motion = (bw_motion){.vertex_count = VERTICES,
                                .scalar = BW_F64,
                                .frame_count = FRAMES,
                                .times = x->times,
                                .frames = x->frame};
        x->mesh = (bw_mesh){
            .scalar = BW_F64, .vertex_count = VERTICES, .indices = x->indices, .triangle_count = TRIANGLES};
        w->moving[o] = (bw_moving){&x->mesh, &x->motion};
    }
}

/* Plans of every degree instead, for one of the objects or both. Positions at the times sampled are exact. */
static void bend(bws_random *r, world *w, int64_t size)
{
    static const double origins[] = {0, 0, 0.5, -3, 64};
    w->curved = true;
    for (int o = 0; o < OBJECTS; o++) {
        object *x = &w->objects[o];
        if (o > 0 && bws_random_below(r, 3) == 0)
            continue;
        uint64_t degree = bws_random_below(r, 4);
        double origin = origins[bws_random_below(r, 5)];
        for (int v = 0; v < VERTICES; v++) {
            x->plans[v].origin = origin;
            for (uint64_t k = 0; k < 4; k++) {
                int64_t most = k > degree ? 0 : size;
                x->plans[v].c[k] =
                    (bw_vec3){(double)bws_random_int(r, -most, most), (double)bws_random_int(r, -most, most),
                              (double)bws_random_int(r, -most, most)};
            }
        }
        x->motion = (bw_motion){.kind = BW_MOTION_PLANS,
                                .vertex_count = VERTICES,
                                .scalar = BW_F64,
                                .plans = x->plans,
                                .end = FRAMES - 1};
    }
}

typedef struct interval {
    uint32_t object_a, object_b, a, b;
    double from, to;
    bool closed;
} interval;

typedef struct record {
    interval intervals[8192];
    uint32_t count;
    double last;
    uint32_t limit; /* events before it stops */
} record;

static bool note(void *user, const bw_timeline_event *e)
{
    record *r = user;
    assert_true(e->time >= r->last);
    r->last = e->time;
    if (e->begins) {
        assert_true(r->count < sizeof r->intervals / sizeof *r->intervals);
        r->intervals[r->count++] =
            (interval){e->object_a, e->object_b, e->triangle_a, e->triangle_b, e->time, e->time, false};
        return r->limit == 0 || --r->limit > 0;
    }
    for (uint32_t i = 0; i < r->count; i++) {
        interval *x = &r->intervals[i];
        if (!x->closed && x->object_a == e->object_a && x->object_b == e->object_b && x->a == e->triangle_a &&
            x->b == e->triangle_b) {
            x->to = e->time;
            x->closed = true;
            return true;
        }
    }
    fail_msg("an end without a beginning");
    return false;
}

static void corners(const object *x, uint32_t triangle, double t, bw_vec3 out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = bw_motion_position(&x->motion, x->indices[3 * triangle + (uint32_t)k], t);
}

static bool meets(const world *w, uint32_t oa, uint32_t ob, uint32_t a, uint32_t b, double t)
{
    bw_vec3 p[3], q[3];
    corners(&w->objects[oa], a, t, p);
    corners(&w->objects[ob], b, t, q);
    bool exact;
    if (oa == ob)
        return bw_contact_beyond_shared(p, w->objects[oa].indices + 3 * a, q, w->objects[ob].indices + 3 * b,
                                        &exact) != BW_CONTACT_NONE;
    return bw_triangle_triangle(p, q) != BW_CONTACT_NONE;
}

/* Whether the continuous test finds a contact within a part of a piece. */
static bool meets_within(const world *w, const interval *x, double from, double to)
{
    bw_vec3 p[2][3], q[2][3];
    corners(&w->objects[x->object_a], x->a, from, p[0]);
    corners(&w->objects[x->object_a], x->a, to, p[1]);
    corners(&w->objects[x->object_b], x->b, from, q[0]);
    corners(&w->objects[x->object_b], x->b, to, q[1]);
    bw_ccd_triangle_result result;
    bw_ccd_desc desc = {.separation = 1e-8};
    assert_int_equal(bw_ccd_triangle_triangle(p[0], p[1], q[0], q[1], &desc, &result), BW_OK);
    return result.first.answer != BW_CCD_APART;
}

/* Triangles of the same vertices count as crossing except at the moments at which they have no area. */
static bool same_vertices(const world *w, uint32_t o, uint32_t a, uint32_t b)
{
    const uint32_t *p = w->objects[o].indices + 3 * a, *q = w->objects[o].indices + 3 * b;
    bool same = true;
    for (int i = 0; i < 3; i++)
        same = same && (p[i] == q[0] || p[i] == q[1] || p[i] == q[2]) &&
               (q[i] == p[0] || q[i] == p[1] || q[i] == p[2]);
    return same;
}

static void compare_pair(const world *w, const record *r, uint32_t oa, uint32_t ob, uint32_t a, uint32_t b)
{
    const double slip = w->curved ? 4e-3 : 2e-4; /* grazing contacts are as uncertain as that */
    bool same = oa == ob && same_vertices(w, oa, a, b);
    for (int i = 0; i <= SAMPLES * (FRAMES - 1); i++) {
        double t = (double)i / SAMPLES;
        bool inside = false, deep = false;
        for (uint32_t k = 0; k < r->count; k++) {
            const interval *x = &r->intervals[k];
            if (x->object_a != oa || x->object_b != ob || x->a != a || x->b != b)
                continue;
            inside = inside || (t >= x->from && t <= x->to);
            deep = deep || (t > x->from + slip && t < x->to - slip);
        }
        bool contact = meets(w, oa, ob, a, b, t);
        if (contact && !inside)
            fail_msg("objects %u %u, triangles %u (%u %u %u) %u (%u %u %u): the contact at %.17g is missed",
                     oa, ob, a, w->objects[oa].indices[3 * a], w->objects[oa].indices[3 * a + 1],
                     w->objects[oa].indices[3 * a + 2], b, w->objects[ob].indices[3 * b],
                     w->objects[ob].indices[3 * b + 1], w->objects[ob].indices[3 * b + 2], t);
        /* What neighbours share may be all that is left for a moment, between two contacts. */
        bool hole = oa == ob && i > 0 && i < SAMPLES * (FRAMES - 1) &&
                    meets(w, oa, ob, a, b, t - 0.25 / SAMPLES) && meets(w, oa, ob, a, b, t + 0.25 / SAMPLES);
        if (!contact && deep && !same && !hole)
            fail_msg("objects %u %u, triangles %u %u: no contact at %.17g", oa, ob, a, b, t);
    }
    for (uint32_t k = 0; k < r->count && oa != ob; k++) {
        const interval *x = &r->intervals[k];
        if (x->object_a != oa || x->object_b != ob || x->a != a || x->b != b)
            continue;
        if (w->curved) {
            bw_vec3 p[3], q[3];
            corners(&w->objects[oa], a, 0.5 * (x->from + x->to), p);
            corners(&w->objects[ob], b, 0.5 * (x->from + x->to), q);
            if (!(bw_triangle_distance2(p, q, NULL, NULL) <= 1e-6) && x->to - x->from > 1e-3)
                fail_msg("triangles %u %u: [%.17g, %.17g] is invented", a, b, x->from, x->to);
            continue;
        }
        double piece = fmin(floor(0.5 * (x->from + x->to)), FRAMES - 2);
        double from = fmax(x->from - 1e-6, piece), to = fmin(x->to + 1e-6, piece + 1);
        if (!meets_within(w, x, from, to))
            fail_msg("triangles %u %u: [%.17g, %.17g] is invented", a, b, x->from, x->to);
    }
    /* The first contact of each piece that begins apart is the continuous test's. */
    for (uint32_t piece = 0; piece + 1 < FRAMES && oa != ob && !w->curved; piece++) {
        interval x = {.object_a = oa, .object_b = ob, .a = a, .b = b};
        bw_vec3 p[2][3], q[2][3];
        for (int end = 0; end < 2; end++) {
            corners(&w->objects[oa], a, piece + (double)end, p[end]);
            corners(&w->objects[ob], b, piece + (double)end, q[end]);
        }
        bw_ccd_triangle_result result;
        assert_int_equal(bw_ccd_triangle_triangle(p[0], p[1], q[0], q[1], NULL, &result), BW_OK);
        double first = INFINITY;
        for (uint32_t k = 0; k < r->count; k++) {
            const interval *y = &r->intervals[k];
            if (y->object_a == x.object_a && y->object_b == x.object_b && y->a == a && y->b == b &&
                y->to >= piece && y->from <= piece + 1.0)
                first = fmin(first, fmax(y->from - piece, 0));
        }
        if (result.first.answer == BW_CCD_CONTACT) {
            if (!(first <= result.first.time_after && first >= result.first.time - slip))
                fail_msg("triangles %u %u: first contact %.17g, not in [%.17g, %.17g]", a, b, first,
                         result.first.time, result.first.time_after);
        } else if (result.first.answer == BW_CCD_APART && first <= 1)
            assert_true(meets_within(w, &x, piece, piece + 1.0)); /* as near as can be told */
    }
}

static void all_contacts(bws_random *r, void *user)
{
    enum { PAIRS, SELF, CURVED, CURVED_SELF };
    int what = *(int *)user;
    bool self = what == SELF || what == CURVED_SELF;
    static const int64_t sizes[] = {1, 2, 4, 50, 1000};
    world w;
    static record rec;
    int64_t size = sizes[bws_random_below(r, 5)];
    make(r, &w, size, self && bws_random_bool(r));
    if (what >= CURVED)
        bend(r, &w, size);
    rec = (record){.last = -INFINITY};
    bw_timeline_desc desc = {.self = self, .on_event = note, .user = &rec};
    bw_timeline_report report = {0};
    assert_int_equal(bw_contact_timeline(w.moving, OBJECTS, &desc, &report, NULL), BW_OK);
    assert_int_equal(report.contact_count, rec.count);
    for (uint32_t i = 0; i < rec.count; i++)
        assert_true(rec.intervals[i].closed && rec.intervals[i].to >= rec.intervals[i].from);
    for (uint32_t oa = 0; oa < OBJECTS; oa++)
        for (uint32_t ob = self ? oa : oa + 1; ob < OBJECTS; ob++)
            for (uint32_t a = 0; a < TRIANGLES; a++)
                for (uint32_t b = oa == ob ? a + 1 : 0; b < TRIANGLES; b++)
                    compare_pair(&w, &rec, oa, ob, a, b);

    /* Coarser: the union, and the first. */
    static record coarse;
    coarse = (record){.last = -INFINITY};
    bw_timeline_desc objects = {.mode = BW_TIMELINE_OBJECTS, .self = self, .on_event = note, .user = &coarse};
    bw_timeline_report whole = {0}, first = {0};
    assert_int_equal(bw_contact_timeline(w.moving, OBJECTS, &objects, &whole, NULL), BW_OK);
    assert_int_equal(whole.contact_count, coarse.count);
    assert_true(whole.first == report.first);
    for (uint32_t i = 0; i < rec.count; i++) {
        bool held = false;
        for (uint32_t k = 0; k < coarse.count; k++)
            held = held || (coarse.intervals[k].object_a == rec.intervals[i].object_a &&
                            coarse.intervals[k].object_b == rec.intervals[i].object_b &&
                            coarse.intervals[k].from <= rec.intervals[i].from &&
                            coarse.intervals[k].to >= rec.intervals[i].to);
        assert_true(held);
    }
    coarse = (record){.last = -INFINITY};
    objects.mode = BW_TIMELINE_FIRST;
    assert_int_equal(bw_contact_timeline(w.moving, OBJECTS, &objects, &first, NULL), BW_OK);
    assert_true(first.first == report.first);
    assert_int_equal(first.status, rec.count > 0 ? BW_FOUND : BW_DONE);
    assert_int_equal(coarse.count, rec.count > 0 ? 1 : 0);
    if (rec.count > 3) {
        coarse = (record){.last = -INFINITY, .limit = 2};
        objects.mode = BW_TIMELINE_TRIANGLES;
        assert_int_equal(bw_contact_timeline(w.moving, OBJECTS, &objects, &first, NULL), BW_OK);
        assert_int_equal(first.status, BW_STOPPED);
        assert_int_equal(coarse.count, 2);
    }
}

static void test_pairs(void **state)
{
    (void)state;
    BW_EACH_SEED(60, all_contacts, &(int){0});
}

static void test_self(void **state)
{
    (void)state;
    BW_EACH_SEED(30, all_contacts, &(int){1});
}

static void test_curved(void **state)
{
    (void)state;
    BW_EACH_SEED(40, all_contacts, &(int){2});
}

static void test_curved_self(void **state)
{
    (void)state;
    BW_EACH_SEED(20, all_contacts, &(int){3});
}

/* A corner that falls on a resting triangle and slides on it, one that bounces, one that passes the tip. */
static void test_touching(void **state)
{
    (void)state;
    double floor_at[9] = {-8, -8, 0, 8, -8, 0, 0, 8, 0}, times[4] = {0, 1, 2, 3};
    double tip[4][9] = {{0, 0, 1, 1, 0, 4, -1, 0, 4},
                        {0, 0, 0, 1, 0, 3, -1, 0, 3},
                        {1, 0, 0, 2, 0, 3, 0, 0, 3},
                        {1, 0, 2, 2, 0, 5, 0, 0, 5}};
    uint32_t triangle[3] = {0, 1, 2};
    const void *still[4] = {floor_at, floor_at, floor_at, floor_at},
               *moving[4] = {tip[0], tip[1], tip[2], tip[3]};
    bw_mesh mesh = {.scalar = BW_F64, .vertex_count = 3, .indices = triangle, .triangle_count = 1};
    bw_motion rest = {.scalar = BW_F64, .vertex_count = 3, .frame_count = 4, .times = times, .frames = still};
    bw_motion slide = rest;
    slide.frames = moving;
    bw_moving both[2] = {{&mesh, &rest}, {&mesh, &slide}};
    static record rec;
    rec = (record){.last = -INFINITY};
    bw_timeline_desc desc = {.on_event = note, .user = &rec};
    bw_timeline_report report = {0};
    assert_int_equal(bw_contact_timeline(both, 2, &desc, &report, NULL), BW_OK);
    assert_int_equal(rec.count, 1);
    assert_true(fabs(rec.intervals[0].from - 1) < 1e-9 && fabs(rec.intervals[0].to - 2) < 1e-9);
    tip[2][2] = 3; /* up again at once */
    rec = (record){.last = -INFINITY};
    assert_int_equal(bw_contact_timeline(both, 2, &desc, &report, NULL), BW_OK);
    assert_int_equal(rec.count, 1);
    assert_true(rec.intervals[0].from <= 1 && rec.intervals[0].to >= 1 &&
                rec.intervals[0].to - rec.intervals[0].from < 1e-9);
    desc.from = 1.5; /* after it */
    desc.to = 2.5;
    rec = (record){.last = -INFINITY};
    assert_int_equal(bw_contact_timeline(both, 2, &desc, &report, NULL), BW_OK);
    assert_int_equal(rec.count, 0);
    assert_true(report.first == INFINITY);
}

/* A stone is thrown over a wall: up at 4 with gravity 2, it is at height 3 at times 1 and 3, and touches a
 * ceiling at height 4 at time 2, for an instant. */
static void test_thrown(void **state)
{
    (void)state;
    double wall[9] = {-8, -8, 3, 8, -8, 3, 0, 8, 3}, times[2] = {0, 4};
    const void *still[2] = {wall, wall};
    uint32_t triangle[3] = {0, 1, 2};
    bw_plan stone[3];
    for (int v = 0; v < 3; v++)
        stone[v] = (bw_plan){.c = {{v == 0   ? 0
                                    : v == 1 ? 1
                                             : -1,
                                    0, v == 0 ? 0 : -1},
                                   {0, 0.125, 4},
                                   {0, 0, -1}}};
    bw_mesh mesh = {.scalar = BW_F64, .vertex_count = 3, .indices = triangle, .triangle_count = 1};
    bw_motion rest = {.scalar = BW_F64, .vertex_count = 3, .frame_count = 2, .times = times, .frames = still};
    bw_motion thrown = {
        .kind = BW_MOTION_PLANS, .scalar = BW_F64, .vertex_count = 3, .plans = stone, .begin = 0, .end = 4};
    bw_moving both[2] = {{&mesh, &rest}, {&mesh, &thrown}};
    static record rec;
    rec = (record){.last = -INFINITY};
    bw_timeline_desc desc = {.on_event = note, .user = &rec};
    bw_timeline_report report = {0};
    assert_int_equal(bw_contact_timeline(both, 2, &desc, &report, NULL), BW_OK);
    assert_int_equal(rec.count, 1); /* its base is at the wall when its top turns: never through */
    assert_true(rec.intervals[0].from <= 1 && rec.intervals[0].from > 1 - 1e-9);
    assert_true(rec.intervals[0].to >= 3 && rec.intervals[0].to < 3 + 1e-9);
    for (int k = 2; k < 9; k += 3)
        wall[k] = 4;
    rec = (record){.last = -INFINITY};
    assert_int_equal(bw_contact_timeline(both, 2, &desc, &report, NULL), BW_OK);
    assert_int_equal(rec.count, 1);
    assert_true(rec.intervals[0].from <= 2 && rec.intervals[0].to >= 2 &&
                rec.intervals[0].to - rec.intervals[0].from < 1e-4);
}

static void test_arguments(void **state)
{
    (void)state;
    world w;
    bws_random r = bws_random_seeded(4);
    make(&r, &w, 4, true);
    bw_timeline_report report = {0}, before = {0};
    memset(&report, 0x44, sizeof report);
    report.size = 0;
    before = report;
    bw_fault fault;
    assert_int_equal(bw_contact_timeline(NULL, 2, NULL, &report, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_contact_timeline(w.moving, 1, NULL, &report, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_contact_timeline(w.moving, 2, NULL, NULL, NULL), BW_ERROR_ARGUMENT);
    bw_timeline_desc desc = {.mode = (bw_timeline_mode)3};
    assert_int_equal(bw_contact_timeline(w.moving, 2, &desc, &report, NULL), BW_ERROR_ARGUMENT);
    desc = (bw_timeline_desc){.from = 1, .to = 0};
    assert_int_equal(bw_contact_timeline(w.moving, 2, &desc, &report, NULL), BW_ERROR_ARGUMENT);
    desc = (bw_timeline_desc){.from = 7, .to = 8};
    assert_int_equal(bw_contact_timeline(w.moving, 2, &desc, &report, NULL), BW_ERROR_ARGUMENT);
    desc = (bw_timeline_desc){.builder = BW_BUILDER_MIDPOINT};
    assert_int_equal(bw_contact_timeline(w.moving, 2, &desc, &report, NULL), BW_ERROR_UNSUPPORTED);
    w.objects[1].mesh.indices = (uint32_t[3 * TRIANGLES]){VERTICES};
    assert_int_equal(bw_contact_timeline(w.moving, 2, NULL, &report, &fault), BW_ERROR_INDEX);
    assert_int_equal(fault.element, 1);
    w.objects[1].mesh.triangle_count = 0;
    assert_int_equal(bw_contact_timeline(w.moving, 2, NULL, &report, &fault), BW_ERROR_EMPTY);
    w.objects[0].mesh.vertex_count--;
    assert_int_equal(bw_contact_timeline(w.moving, 2, NULL, &report, &fault), BW_ERROR_MISMATCH);
    assert_int_equal(fault.element, 0);
    w.objects[0].frames[0][4] = NAN;
    assert_int_equal(bw_contact_timeline(w.moving, 2, NULL, &report, &fault), BW_ERROR_NOT_FINITE);
    w.moving[1].mesh = NULL;
    w.objects[0].frames[0][4] = 0;
    w.objects[0].mesh.vertex_count++;
    assert_int_equal(bw_contact_timeline(w.moving, 2, NULL, &report, &fault), BW_ERROR_ARGUMENT);
    assert_int_equal(fault.element, 1);
    assert_memory_equal(&report, &before, sizeof report);
}

static bw_result use(bw_failing_allocator *memory, uint64_t n, void *user)
{
    world *w = user;
    bw_timeline_desc desc = {.allocator = &memory->hook, .self = true};
    bw_timeline_report report = {.spans = 99};
    bw_failing_allocator_fail(memory, n);
    bw_result result = bw_contact_timeline(w->moving, OBJECTS, &desc, &report, NULL);
    bw_failing_allocator_fail_none(memory);
    assert_int_equal(report.spans, result == BW_OK ? 2 : 99);
    return result;
}

static void test_memory(void **state)
{
    (void)state;
    world w;
    bws_random r = bws_random_seeded(8);
    make(&r, &w, 4, true);
    bw_each_allocation_failure(use, &w, 12);
}

typedef struct told {
    bw_timeline_event events[4096];
    uint32_t count;
    uint32_t left; /* how many times it goes on */
} told;

static bool take_down(void *user, const bw_timeline_event *event)
{
    told *t = user;
    assert_true(t->count < sizeof t->events / sizeof *t->events);
    t->events[t->count++] = *event;
    return true;
}

static bool count_down(void *user)
{
    told *t = user;
    return t->left-- > 0;
}

/* Ended at the n-th time it asks: what was told is the beginning of all. */
static void test_ended(void **state)
{
    (void)state;
    static told all, some;
    world w;
    bws_random r = bws_random_seeded(11);
    make(&r, &w, 3, true);
    bw_timeline_report report = {0};
    bw_timeline_desc desc = {.self = true, .on_event = take_down, .user = &all};
    assert_int_equal(bw_contact_timeline(w.moving, OBJECTS, &desc, &report, NULL), BW_OK);
    assert_true(all.count > 4);
    desc.user = desc.progress.user = &some;
    desc.progress.go_on = count_down;
    report.status = BW_STOPPED;
    for (uint32_t n = 0; report.status == BW_STOPPED; n += 1 + n / 16) {
        assert_true(n < 10000);
        some = (told){.left = n};
        assert_int_equal(bw_contact_timeline(w.moving, OBJECTS, &desc, &report, NULL), BW_OK);
        assert_true(some.count <= all.count && (n > 0 || some.count == 0));
        for (uint32_t i = 0; i < some.count; i++) {
            const bw_timeline_event *x = &some.events[i], *y = &all.events[i];
            assert_true(x->time == y->time && x->begins == y->begins && x->object_a == y->object_a &&
                        x->object_b == y->object_b && x->triangle_a == y->triangle_a &&
                        x->triangle_b == y->triangle_b);
        }
    }
    assert_int_equal(report.status, BW_DONE);
    assert_int_equal(some.count, all.count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),     cmocka_unit_test(test_self),        cmocka_unit_test(test_touching),
        cmocka_unit_test(test_curved),    cmocka_unit_test(test_curved_self), cmocka_unit_test(test_thrown),
        cmocka_unit_test(test_arguments), cmocka_unit_test(test_memory),      cmocka_unit_test(test_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
