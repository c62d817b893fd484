/* Pairs that may meet until the next keyframe, remembered by kinetic bodies for the queries until then. */
#include "collide/span/pair_cache.h"

#include "collide/pair/narrow_phase.h"
#include "mesh/view.h"

#include <math.h>

/* Prices in nanoseconds, measured on one core of an EPYC (Zen 3) with the scenes of kinetic-total; only their
 * ratios matter. */
#define VISIT 125.0    /* a pair of nodes in a traversal with what follows from it, */
#define TEST 20.0      /* and a pair of triangles */
#define NODES 65.0     /* looking ahead: a pair of nodes, */
#define LEAVES 100.0   /* of leaves, */
#define CANDIDATE 50.0 /* of triangles whose boxes meet at some time */
#define SCAN 1.0       /* a pair of a front in a frame, */
#define ACTIVE 50.0    /* and one that may meet then */

/* Where nothing is known yet: looking ahead costs so many traversals, and an answer this part of one. */
#define AHEAD_GUESS 2.2
#define ANSWER_GUESS 0.2

enum { FORGOTTEN = 4 /* frames after which a slot may be another's */, MOST_LOSSES = 10 };

#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
#    define PAUSE() __builtin_ia32_pause()
#else
#    define PAUSE() ((void)0)
#endif

static void lock(bw_fronts *fronts)
{
    while (atomic_exchange_explicit(&fronts->lock, 1, memory_order_acquire) != 0)
        PAUSE();
}

static void unlock(bw_fronts *fronts)
{
    atomic_store_explicit(&fronts->lock, 0, memory_order_release);
}

/* ---- the owner ---- */

void bw_fronts_next(bw_fronts *fronts, double pace)
{
    fronts->frame++;
    fronts->pace = pace;
    fronts->spent = 0;
}

void bw_fronts_reserve(bw_fronts *fronts, const bw_allocator *allocator)
{
    for (int i = 0; i < BW_FRONTS; i++) {
        bw_front *f = &fronts->slots[i];
        if (f->wanted <= f->capacity)
            continue;
        bw_ahead_pair *more = bw_allocate(allocator, f->wanted, sizeof *more);
        if (more == NULL) {
            f->wanted = f->capacity; /* the next traversal may ask again */
            continue;
        }
        bw_release(allocator, f->pairs, f->capacity, sizeof *f->pairs);
        f->pairs = more;
        f->capacity = f->wanted;
        f->ready = false;
    }
}

void bw_fronts_forget(bw_fronts *fronts)
{
    for (int i = 0; i < BW_FRONTS; i++)
        fronts->slots[i].ready = false;
}

void bw_fronts_release(bw_fronts *fronts, const bw_allocator *allocator)
{
    for (int i = 0; i < BW_FRONTS; i++)
        bw_release(allocator, fronts->slots[i].pairs, fronts->slots[i].capacity,
                   sizeof *fronts->slots[i].pairs);
    *fronts = (bw_fronts){.frame = 0};
}

size_t bw_fronts_bytes(const bw_fronts *fronts)
{
    size_t bytes = 0;
    for (int i = 0; i < BW_FRONTS; i++)
        bytes += fronts->slots[i].capacity * sizeof *fronts->slots[i].pairs;
    return bytes;
}

uint32_t bw_fronts_ready(const bw_fronts *fronts, double now)
{
    uint32_t ready = 0;
    for (int i = 0; i < BW_FRONTS; i++) {
        const bw_front *f = &fronts->slots[i];
        ready += f->ready && f->from <= now && now <= f->until;
    }
    return ready;
}

/* ---- two trees ---- */

typedef struct couple {
    bw_ahead_side a, b;
    bw_fronts *fronts, *others; /* the owner's, and those of the other tree, where it has any */
    const bw_wide *partner;
    bool second, still;
    double now, until; /* of both */
} couple;

static bool side_of(const bw_wide_side *given, bw_ahead_side *out)
{
    const struct bw_wide_deferred *lazy = given->tree->lazy;
    *out = (bw_ahead_side){.tree = given->tree, .mesh = given->mesh, .end = given->mesh, .part = 1};
    if (lazy == NULL)
        return true;
    if (!lazy->course.known)
        return false;
    out->course = &lazy->course;
    out->end = &lazy->course.end;
    return true;
}

/* False: nothing can be remembered of these two. */
static bool couple_of(const bw_wide_plan *plan, couple *out)
{
    if (plan->self || !plan->pose->identity || (plan->a->tree->lazy == NULL && plan->b->tree->lazy == NULL) ||
        !side_of(plan->a, &out->a) || !side_of(plan->b, &out->b))
        return false;
    const bw_wide_course *a = out->a.course, *b = out->b.course, *one = a != NULL ? a : b;
    if (a != NULL && b != NULL && a->now != b->now)
        return false;
    out->second = a == NULL || a->fronts == NULL;
    const bw_wide_course *owner = out->second ? b : a, *other = out->second ? a : b;
    if (owner == NULL || owner->fronts == NULL)
        return false;
    out->fronts = owner->fronts;
    out->others = other != NULL ? other->fronts : NULL;
    out->partner = out->second ? out->a.tree : out->b.tree;
    out->still = other == NULL;
    out->now = one->now;
    out->until = other != NULL && other->until < owner->until ? other->until : owner->until;
    return true;
}

/* How much of each course the time until then is. */
static void set_parts(couple *c)
{
    bw_ahead_side *sides[2] = {&c->a, &c->b};
    for (int i = 0; i < 2; i++) {
        const bw_wide_course *course = sides[i]->course;
        if (course != NULL && course->until > c->until)
            sides[i]->part = (float)((c->until - c->now) / (course->until - c->now));
    }
}

/* ---- slots, under the lock ---- */

static bw_front *slot_of(const couple *c)
{
    for (int i = 0; i < BW_FRONTS; i++) {
        bw_front *f = &c->fronts->slots[i];
        if (f->partner == c->partner && f->second == c->second)
            return f;
    }
    return NULL;
}

/* A slot that nobody has asked for in a while. */
static bw_front *new_slot(const couple *c)
{
    for (int i = 0; i < BW_FRONTS; i++) {
        bw_front *f = &c->fronts->slots[i];
        if (f->partner != NULL && (f->building || f->users > 0 || f->frame + FORGOTTEN > c->fronts->frame))
            continue;
        *f = (bw_front){.partner = c->partner,
                        .second = c->second,
                        .frame = c->fronts->frame,
                        .pairs = f->pairs,
                        .capacity = f->capacity,
                        .wanted = f->capacity};
        return f;
    }
    return NULL;
}

static bool rests(const bw_front *f, const bw_wide *partner)
{
    for (int i = 0; i < BW_WIDE_RESTING; i++)
        if (atomic_load_explicit(&partner->resting[i], memory_order_relaxed) == (uintptr_t)f)
            return true;
    return false;
}

/* Where all places are taken, one that rests there is driven out: it will find out. */
static void rest(const bw_front *f, const bw_wide *partner)
{
    bw_wide *tree = (bw_wide *)partner; /* no tree is a constant object, and nothing else is written */
    uintptr_t mark = (uintptr_t)f;
    if (rests(f, partner))
        return;
    for (int i = 0; i < BW_WIDE_RESTING; i++) {
        uintptr_t none = 0;
        if (atomic_compare_exchange_strong_explicit(&tree->resting[i], &none, mark, memory_order_relaxed,
                                                    memory_order_relaxed))
            return;
    }
    atomic_store_explicit(&tree->resting[mark / sizeof *f % BW_WIDE_RESTING], mark, memory_order_relaxed);
}

static bool holds(const bw_front *f, const couple *c)
{
    return f->ready && f->still == c->still && f->from <= c->now && c->now <= f->until && c->now < c->until &&
           rests(f, c->partner);
}

/* Queries that a front filled now may serve: one a frame. */
static double queries_to_come(const couple *c)
{
    double pace = c->fronts->pace;
    return pace > 0 && c->until > c->now ? floor((c->until - c->now) / pace * (1 + 0x1p-40)) + 1 : 0;
}

/* How many it must serve to be worth it. */
static double break_even(const bw_front *f)
{
    double ahead = f->ahead > 0 ? f->ahead : AHEAD_GUESS * f->query;
    double answer = f->ahead > 0 ? f->answer : ANSWER_GUESS * f->query;
    return answer < f->query ? ahead / (f->query - answer) : INFINITY;
}

/* The present one, if there is any, is given up: whether it has paid decides when the next is tried. */
static void judge_last(bw_front *f)
{
    if (!f->ready)
        return;
    f->ready = false;
    bool paid = f->served >= break_even(f);
    f->losses = paid ? 0 : f->losses < MOST_LOSSES ? f->losses + 1 : MOST_LOSSES;
    f->wait = paid ? 0 : 1u << f->losses;
}

typedef enum action { TRAVERSE, USE, FILL } action;

/* asked: the caller wants to be asked whether to go on, which looking ahead does not do. */
static action choose(const couple *c, bool asked, bw_front **out)
{
    bw_front *f = slot_of(c);
    *out = f;
    if (f == NULL || f->building)
        return TRAVERSE;
    f->frame = c->fronts->frame;
    if (holds(f, c)) {
        f->users++;
        f->served++;
        return USE;
    }
    if (f->users > 0)
        return TRAVERSE;
    judge_last(f);
    if (f->wait > 0) {
        f->wait--;
        return TRAVERSE;
    }
    if (asked || f->capacity == 0 || f->query == 0 || queries_to_come(c) < 1.1 * break_even(f))
        return TRAVERSE;
    f->building = true;
    return FILL;
}

/* ---- filling and answering ---- */

/* Both trees are told what a query of the two costs. */
static void spend(const couple *c, double cost)
{
    bw_fronts *both[2] = {c->fronts, c->others};
    for (int i = 0; i < 2; i++) {
        if (both[i] == NULL || (i == 1 && both[1] == both[0]))
            continue;
        lock(both[i]);
        both[i]->spent += cost;
        unlock(both[i]);
    }
}

/* Whether the front may be used now, by the caller too, who is counted. Else it is to be traversed. */
static bool fill(const bw_wide_plan *plan, couple *c, bw_front *f, bw_simd simd)
{
    set_parts(c);
    bw_ahead_desc desc = {.a = c->a,
                          .b = c->b,
                          .simd = simd,
                          .allocator = &plan->allocator,
                          .pairs = f->pairs,
                          .capacity = f->capacity};
    bw_ahead_result ahead;
    bool good = bw_ahead_run(&desc, &ahead) == BW_OK && !ahead.full;
    double cost = ahead.nodes * NODES + ahead.leaves * LEAVES + ahead.candidates * CANDIDATE;
    if (good)
        rest(f, c->partner);
    lock(c->fronts);
    f->building = false;
    f->ready = good;
    if (good) {
        /* A traversal is taken to have become dearer or cheaper as looking ahead has. */
        f->query *= f->ahead > 0 ? cost / f->ahead : 1;
        f->ahead = cost;
        f->answer = f->answer > 0 ? f->answer : ANSWER_GUESS * f->query;
        f->count = ahead.count;
        f->from = c->now;
        f->until = c->until;
        f->still = c->still;
        f->users++;
        f->served = 1;
    } else {
        f->losses += f->losses < MOST_LOSSES;
        f->wait = 1u << f->losses;
        uint64_t most = 2 * ((uint64_t)c->a.tree->primitive_count + c->b.tree->primitive_count);
        uint64_t wanted = 2 * (uint64_t)f->capacity;
        if (ahead.full && wanted <= most + 256)
            f->wanted = (uint32_t)wanted;
    }
    unlock(c->fronts);
    spend(c, cost);
    return good;
}

static inline double lower(double x, double y)
{
    return x < y ? x : y;
}

static inline double upper(double x, double y)
{
    return x > y ? x : y;
}

/* The corners of a primitive, which may be still to be written. */
static void read_corners(const bw_wide *tree, const bw_mesh *mesh, uint32_t primitive, bw_vec3 out[3])
{
    for (uint32_t corner = 0; corner < 3; corner++)
        bw_wide_need_vertex(tree, bw_mesh_view_index(mesh, primitive, corner));
    bw_mesh_view_corners(mesh, primitive, out);
}

/* Puts a pair into the batch, relative to a corner of its own, if its boxes meet. */
static void offer(bw_traversal *w, uint32_t primitive_a, uint32_t primitive_b)
{
    bw_vec3 a[3], b[3];
    read_corners(w->a, w->mesh_a, primitive_a, a);
    read_corners(w->b, w->mesh_b, primitive_b, b);
    double reach = 0, side_a = 0, side_b = 0, from_a[3][3], from_b[3][3];
    const double o[3] = {a[0].x, a[0].y, a[0].z};
    for (int k = 0; k < 3; k++) {
        const double pa[3] = {a[k].x, a[k].y, a[k].z}, pb[3] = {b[k].x, b[k].y, b[k].z};
        for (int axis = 0; axis < 3; axis++) {
            from_a[axis][k] = pa[axis] - o[axis];
            from_b[axis][k] = pb[axis] - o[axis];
        }
    }
    w->sink->report.box_tests++;
    for (int axis = 0; axis < 3; axis++) {
        const double *x = from_a[axis], *y = from_b[axis];
        double min_a = lower(lower(x[0], x[1]), x[2]), max_a = upper(upper(x[0], x[1]), x[2]);
        double min_b = lower(lower(y[0], y[1]), y[2]), max_b = upper(upper(y[0], y[1]), y[2]);
        if (min_a > max_b || min_b > max_a) /* subtraction rounds monotonously */
            return;
        side_a = upper(side_a, max_a - min_a);
        side_b = upper(side_b, max_b - min_b);
        reach = upper(reach, upper(upper(max_a, -min_a), upper(max_b, -min_b)));
    }
    bw_wide_batch *batch = &w->batch;
    uint32_t n = batch->count++;
    for (int k = 0; k < 3; k++)
        for (int axis = 0; axis < 3; axis++) {
            batch->a[k][axis][n] = (float)from_a[axis][k];
            batch->b[k][axis][n] = (float)from_b[axis][k];
        }
    batch->extent_a[n] = (float)(side_a * (1 + 0x1p-20)); /* rounded up */
    batch->extent_b[n] = (float)(side_b * (1 + 0x1p-20));
    /* Half an ulp of the largest float, twice; where squares could overflow nothing is certain. */
    batch->delta[n] = reach < 0x1p36 ? (float)(0x1p-23 * reach) + 0x1p-120f : INFINITY;
    batch->primitive_a[n] = primitive_a;
    batch->primitive_b[n] = primitive_b;
}

/* Pairs that count now, on their way into the batch eight at a time. */
typedef struct offers {
    bw_traversal *walk;
    bool vectors, narrow; /* AVX2 may be used; positions are floats */
    uint32_t a[BW_WIDTH], b[BW_WIDTH], count;
} offers;

static void need_corners(const bw_wide *tree, const bw_mesh *mesh, const uint32_t *primitives, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t corner = 0; corner < 3; corner++)
            bw_wide_need_vertex(tree, bw_mesh_view_index(mesh, primitives[i], corner));
}

/* False when the query ends. */
static bool make_offers(offers *o)
{
    bw_traversal *w = o->walk;
    uint32_t count = o->count;
    o->count = 0;
    if (count > 0 && o->narrow) {
        bw_wide_corners a = {.origin = {0, 0, 0}}, b = {.origin = {0, 0, 0}};
        need_corners(w->a, w->mesh_a, o->a, count);
        need_corners(w->b, w->mesh_b, o->b, count);
        bw_wide_corners_gather(w->mesh_a, o->a, count, o->vectors, &a);
        bw_wide_corners_gather(w->mesh_b, o->b, count, o->vectors, &b);
        w->kernels->ahead_offer(&a, &b, o->a, o->b, count, &w->batch);
        w->sink->report.box_tests += count;
    } else
        for (uint32_t i = 0; i < count; i++)
            offer(w, o->a[i], o->b[i]);
    return w->batch.count <= BW_BATCH_ROW - BW_WIDTH || bw_wide_decide_full(w);
}

static bw_result use(const bw_wide_plan *plan, const couple *c, bw_front *f, bw_hit_sink *sink)
{
    bw_traversal walk;
    bw_traversal_init(&walk, plan, sink);
    float at = (float)((c->now - f->from) / (f->until - f->from));
    offers o = {.walk = &walk,
                .vectors = walk.kernels == bw_wide_kernels_for(BW_SIMD_AVX2),
                .narrow = walk.mesh_a->scalar == BW_F32 && walk.mesh_b->scalar == BW_F32};
    uint32_t active = 0, i = 0;
    bool go_on = true;
    for (; i < f->count && go_on; i++) {
        const bw_ahead_pair *pair = &f->pairs[i];
        if (!(at >= pair->from && at <= pair->to))
            continue;
        active++;
        o.a[o.count] = pair->a;
        o.b[o.count++] = pair->b;
        if (o.count == BW_WIDTH)
            go_on = bw_hit_sink_wanted(sink) && make_offers(&o);
    }
    go_on = go_on && make_offers(&o) && bw_wide_decide_all(&walk);
    bw_traversal_release(&walk);
    double cost = i * SCAN + active * ACTIVE + 1;
    lock(c->fronts);
    f->users--;
    if (go_on) /* all of it */
        f->answer += 0.25 * (cost - f->answer);
    unlock(c->fronts);
    spend(c, cost);
    return walk.result;
}

bool bw_front_answer(const bw_wide_plan *plan, bool asks_witness, bw_simd simd, bw_hit_sink *sink,
                     bw_result *result)
{
    couple c;
    if (asks_witness || sink->desc->axis_exits != NULL || !couple_of(plan, &c))
        return false;
    bw_front *f;
    lock(c.fronts);
    action what = choose(&c, sink->cancel != NULL, &f);
    unlock(c.fronts);
    if (what == FILL)
        what = fill(plan, &c, f, simd) ? USE : TRAVERSE;
    if (what == USE)
        *result = use(plan, &c, f, sink);
    return what == USE;
}

void bw_front_traversed(const bw_wide_plan *plan, const bw_collide_report *report)
{
    couple c;
    if (!couple_of(plan, &c))
        return;
    double cost = (double)report->nodes_visited * VISIT + (double)report->primitive_tests * TEST + 1;
    lock(c.fronts);
    bw_front *f = slot_of(&c);
    if (f == NULL)
        f = new_slot(&c);
    if (f != NULL && !f->building && f->users == 0) {
        f->query = cost;
        uint64_t most = 2 * ((uint64_t)c.a.tree->primitive_count + c.b.tree->primitive_count) + 256;
        uint64_t wanted = 2 * report->primitive_tests + 256;
        if (f->wanted < 256) /* the first time; later only if there turn out to be more */
            f->wanted = (uint32_t)(wanted < most ? wanted : most);
    }
    unlock(c.fronts);
}
