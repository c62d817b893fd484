/* What the queries of one pair of bodies remember: kept by the caller, filled and used by its queries. */
#include "collide/span/pair_cache.h"
#include "base/fault.h"

#include "base/radix_sort.h"
#include "collide/contains/boundary.h"
#include "collide/contains/closed.h"
#include "collide/hit_order.h"
#include "collide/pair/narrow_phase.h"
#include "collide/self/shared_features.h"
#include "collide/span/prices.h"
#include "geom/exact/triangle.h"
#include "mesh/view.h"

#include <math.h>

enum { MOST_LOSSES = 10 };

/* ---- the object ---- */

void bw_pair_cache_init(bw_pair_cache *cache, const bw_allocator *allocator)
{
    *cache = (bw_pair_cache){.allocator = *allocator};
    cache->list.pairs = bw_array_of(sizeof(bw_span_pair), &cache->allocator);
    cache->list.keys = bw_array_of(sizeof(uint64_t), &cache->allocator);
    cache->list.places = bw_array_of(sizeof(uint32_t), &cache->allocator);
    cache->fans.allocator = &cache->allocator;
    cache->boundary = bw_array_of(sizeof(bw_boundary_edge), &cache->allocator);
}

void bw_pair_cache_release(bw_pair_cache *cache)
{
    bw_array_release(&cache->list.pairs);
    bw_array_release(&cache->list.keys);
    bw_array_release(&cache->list.places);
    bw_array_release(&cache->boundary);
    bw_fan_store_release(&cache->fans);
}

size_t bw_pair_cache_bytes(const bw_pair_cache *cache)
{
    const bw_array *arrays[] = {&cache->list.pairs, &cache->list.keys, &cache->list.places, &cache->boundary};
    size_t bytes = cache->fans.room * (sizeof *cache->fans.kinds + sizeof *cache->fans.keys);
    for (int i = 0; i < 4; i++)
        bytes += arrays[i]->capacity * arrays[i]->element;
    return bytes;
}

bw_result bw_pair_cache_create(const bw_allocator *allocator, bw_pair_cache **out, bw_fault *fault)
{
    if (out == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_allocator hook = bw_allocator_or_heap(allocator);
    bw_pair_cache *cache = bw_allocate(&hook, 1, sizeof *cache);
    if (cache == NULL)
        return bw_fail(fault, BW_ERROR_MEMORY);
    bw_pair_cache_init(cache, &hook);
    *out = cache;
    return bw_fail(fault, BW_OK);
}

void bw_pair_cache_destroy(bw_pair_cache *cache)
{
    if (cache == NULL)
        return;
    bw_pair_cache_release(cache);
    bw_allocator allocator = cache->allocator;
    bw_release(&allocator, cache, 1, sizeof *cache);
}

void bw_pair_cache_reset(bw_pair_cache *cache)
{
    bool eager = cache->eager;
    bw_allocator allocator = cache->allocator;
    bw_pair_cache_release(cache);
    bw_pair_cache_init(cache, &allocator);
    cache->eager = eager;
}

/* ---- surfaces and fans ---- */

static bool same(bw_tree_state a, bw_tree_state b)
{
    return a.serial == b.serial && a.number == b.number;
}

bool bw_pair_cache_closed(bw_pair_cache *cache, int place, const bw_body *body)
{
    bw_tree_state now = {body->tree->serial, body->tree->changes};
    if (!same(cache->surfaces[place].of, now)) {
        cache->surfaces[place].of = now;
        cache->surfaces[place].closed = bw_body_closed(body);
    }
    return cache->surfaces[place].closed;
}

bw_result bw_pair_cache_boundary(bw_pair_cache *cache, const bw_body *body, const bw_array **out)
{
    bw_tree_state now = {body->tree->serial, body->tree->changes};
    if (!same(cache->boundary_of, now)) {
        bw_array_release(&cache->boundary);
        cache->boundary_of = (bw_tree_state){0, 0};
        bw_result result = bw_boundary_find(body, &cache->allocator, &cache->boundary);
        if (result != BW_OK)
            return result;
        cache->boundary_of = now;
    }
    *out = &cache->boundary;
    return BW_OK;
}

bw_fan_store *bw_pair_cache_fans(bw_pair_cache *cache, const bw_body *body)
{
    bw_tree_state now = {body->tree->serial, body->tree->edits};
    cache->fans.known = cache->fans.known && same(cache->fans_of, now);
    cache->fans_of = now;
    return &cache->fans;
}

/* ---- two bodies ---- */

typedef struct couple {
    bw_span_side a, b;
    bw_tree_state state_a, state_b;
    bool self;
    const bw_relative_pose *pose; /* of b; NULL: none */
    double now, until;            /* of both */
} couple;

/* False: it moves, and nothing is known of where to. */
static bool side_of(const bw_body *body, bw_span_side *out, bw_tree_state *state)
{
    const struct bw_wide_deferred *lazy = body->tree->wide.lazy;
    *out = (bw_span_side){.tree = &body->tree->wide, .mesh = body->mesh, .part = 1};
    *state = (bw_tree_state){body->tree->serial, body->tree->changes};
    if (lazy == NULL)
        return !body->tree->kinetic;
    out->course = &lazy->course;
    state->number = lazy->course.edition;
    return lazy->course.known;
}

/* False: nothing can be remembered of these two. */
static bool couple_of(const bw_cache_query *query, couple *out)
{
    *out = (couple){.self = query->a == query->b,
                    .pose = query->pose == NULL || query->pose->identity ? NULL : query->pose};
    if (!side_of(query->a, &out->a, &out->state_a) || !side_of(query->b, &out->b, &out->state_b) ||
        out->a.tree->node_count == 0 || out->b.tree->node_count == 0)
        return false;
    const bw_wide_course *a = out->a.course, *b = out->b.course;
    if ((a == NULL && b == NULL) || (a != NULL && b != NULL && a->now != b->now))
        return false;
    out->now = a != NULL ? a->now : b->now;
    out->until = fmin(a != NULL ? a->until : INFINITY, b != NULL ? b->until : INFINITY);
    return true;
}

static bool same_pose(const bw_pair_list *l, const couple *c)
{
    bool same = l->posed == (c->pose != NULL);
    for (int i = 0; i < 3 && same && l->posed; i++)
        for (int j = 0; j < 4; j++)
            same = same && l->map.m[i][j] == c->pose->map.m[i][j];
    return same;
}

static void keep_pose(bw_pair_list *l, const couple *c)
{
    l->posed = c->pose != NULL;
    if (l->posed)
        l->map = c->pose->map;
}

/* Whether the list is of these two as they are. */
static bool is_of(const bw_pair_list *l, const couple *c)
{
    return same_pose(l, c) && same(l->a, c->state_a) && same(l->b, c->state_b) &&
           l->still_a == (c->a.course == NULL) && l->still_b == (c->b.course == NULL);
}

static bool holds(const bw_pair_list *l, const couple *c)
{
    return l->ready && is_of(l, c) && l->from <= c->now && c->now <= l->until;
}

/* Other bodies than before: what was learnt of costs means nothing for them. */
static void meet(bw_pair_list *l, const couple *c)
{
    if (l->a.serial == c->state_a.serial && l->b.serial == c->state_b.serial)
        return;
    *l = (bw_pair_list){.a = {.serial = c->state_a.serial},
                        .b = {.serial = c->state_b.serial},
                        .last = NAN,
                        .pairs = l->pairs,
                        .keys = l->keys,
                        .places = l->places,
                        .fillings = l->fillings};
}

static void keep_pace(bw_pair_list *l, double now)
{
    if (now > l->last)
        l->pace = now - l->last;
    l->last = now;
}

/* Queries that a list filled now may serve: one a frame. */
static double queries_to_come(const bw_pair_list *l, const couple *c)
{
    return l->pace > 0 && c->until > c->now ? floor((c->until - c->now) / l->pace * (1 + 0x1p-40)) + 1 : 0;
}

/* How many it must serve to be worth it. */
static double break_even(const bw_pair_list *l)
{
    double fill = l->fill > 0 ? l->fill : BW_GUESS_SPAN * l->query;
    double answer = l->fill > 0 ? l->answer : BW_GUESS_ANSWER * l->query;
    return answer < l->query ? fill / (l->query - answer) : INFINITY;
}

/* The present one, if there is any, is given up: whether it has paid decides when the next is tried. */
static void give_up(bw_pair_list *l)
{
    if (!l->ready)
        return;
    l->ready = false;
    bool paid = l->served >= break_even(l);
    l->losses = paid ? 0 : l->losses < MOST_LOSSES ? l->losses + 1 : MOST_LOSSES;
    l->wait = paid ? 0 : 1u << l->losses;
}

/* Tells the owners of both trees what a query of the two cost. */
static void tell_price(const couple *c, double price)
{
    const bw_span_side *sides[2] = {&c->a, &c->b};
    for (int i = 0; i < (c->self ? 1 : 2); i++)
        if (sides[i]->course != NULL && sides[i]->tree->lazy->counts)
            atomic_fetch_add_explicit(&sides[i]->tree->lazy->cached, (uint64_t)price, memory_order_relaxed);
}

static bool sort_pairs(bw_pair_list *l)
{
    size_t count = l->pairs.count;
    l->keys.count = l->places.count = 0;
    if (count == 0)
        return true;
    uint64_t *keys = bw_array_extend(&l->keys, 2 * count);
    uint32_t *places = bw_array_extend(&l->places, 2 * count);
    /* Room for the pairs twice: they are put in order from the second half. */
    if (keys == NULL || places == NULL || count >= BW_NONE || bw_array_extend(&l->pairs, count) == NULL)
        return false;
    bw_span_pair *pairs = bw_array_at(&l->pairs, 0), *copy = pairs + count;
    for (uint32_t i = 0; i < count; i++) {
        copy[i] = pairs[i];
        keys[i] = (uint64_t)pairs[i].a << 32 | pairs[i].b;
        places[i] = i;
    }
    bw_sort_u64(keys, places, keys + count, places + count, (uint32_t)count);
    for (uint32_t i = 0; i < count; i++)
        pairs[i] = copy[places[i]];
    l->pairs.count = count;
    return true;
}

static bool fill(bw_pair_cache *cache, couple *c)
{
    bw_pair_list *l = &cache->list;
    bw_span_side *sides[2] = {&c->a, &c->b};
    for (int i = 0; i < 2; i++)
        if (sides[i]->course != NULL)
            sides[i]->part = bw_span_part(sides[i]->course, c->until);
    size_t most = 2 * ((size_t)c->a.tree->primitive_count + c->b.tree->primitive_count) + 256;
    bw_span_desc desc = {.a = c->a,
                         .b = c->b,
                         .self = c->self,
                         .pose = c->pose,
                         .simd = bw_simd_level(BW_SIMD_AUTO),
                         .allocator = &cache->allocator,
                         .pairs = &l->pairs,
                         .most = cache->eager ? SIZE_MAX : most};
    bw_span_counts counts;
    bool good = bw_span_find(&desc, &counts) == BW_OK && !counts.full && sort_pairs(l);
    double price = counts.nodes * BW_PRICE_SPAN_NODES + counts.leaves * BW_PRICE_SPAN_LEAVES +
                   counts.candidates * BW_PRICE_SPAN_TRIANGLES;
    l->ready = good;
    if (good) {
        /* A traversal is taken to have become dearer or cheaper as the engine has. */
        l->query *= l->fill > 0 ? price / l->fill : 1;
        l->fill = price;
        l->answer = l->answer > 0 ? l->answer : BW_GUESS_ANSWER * l->query;
        l->a = c->state_a;
        l->b = c->state_b;
        l->still_a = c->a.course == NULL;
        l->still_b = c->b.course == NULL;
        keep_pose(l, c);
        l->from = c->now;
        l->until = c->until;
        l->served = 0;
        l->fillings++;
    } else {
        l->losses += l->losses < MOST_LOSSES;
        l->wait = 1u << l->losses;
    }
    tell_price(c, price);
    return good;
}

bool bw_pair_cache_prepare(bw_pair_cache *cache, const bw_cache_query *query, bool asked)
{
    bw_pair_list *l = &cache->list;
    couple c;
    if (!couple_of(query, &c))
        return false;
    meet(l, &c);
    keep_pace(l, c.now);
    if (!same_pose(l, &c)) { /* a list for it may be filled when it comes again */
        give_up(l);
        keep_pose(l, &c);
        if (!cache->eager)
            return false;
    }
    if (holds(l, &c))
        return true;
    if (cache->eager)
        return !asked && c.now < c.until && fill(cache, &c);
    give_up(l);
    if (l->wait > 0) {
        l->wait--;
        return false;
    }
    return !asked && l->query > 0 && queries_to_come(l, &c) >= 1.1 * break_even(l) && fill(cache, &c);
}

bool bw_pair_cache_holds(const bw_pair_cache *cache, const bw_cache_query *query)
{
    couple c;
    return couple_of(query, &c) && holds(&cache->list, &c);
}

/* ---- answering ---- */

static inline double lower(double x, double y)
{
    return x < y ? x : y;
}

static inline double upper(double x, double y)
{
    return x > y ? x : y;
}

/* Puts a pair into the batch, relative to a corner of its own, if its boxes meet. */
static void offer(bw_traversal *w, uint32_t primitive_a, uint32_t primitive_b)
{
    bw_vec3 a[3], b[3];
    bw_mesh_view_corners(w->mesh_a, primitive_a, a);
    (void)bw_relative_pose_corners(w->pose, w->mesh_b, primitive_b,
                                   b); /* the exact test looks at the range */
    double reach = 0, side_a = 0, side_b = 0, from_a[3][3], from_b[3][3];
    const double o[3] = {a[0].x, a[0].y, a[0].z};
    for (int k = 0; k < 3; k++) {
        const double pa[3] = {a[k].x, a[k].y, a[k].z}, pb[3] = {b[k].x, b[k].y, b[k].z};
        for (int axis = 0; axis < 3; axis++) {
            from_a[axis][k] = pa[axis] - o[axis];
            from_b[axis][k] = pb[axis] - o[axis];
        }
    }
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
    const bw_span_kernels *kernels;
    bool vectors, narrow; /* AVX2 may be used; positions are floats, of no pose */
    uint32_t a[BW_WIDTH], b[BW_WIDTH], count;
} offers;

/* Positions may be still to be written. */
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
    w->sink->report.box_tests += count;
    need_corners(w->a, w->mesh_a, o->a, count);
    need_corners(w->b, w->mesh_b, o->b, count);
    if (count > 0 && o->narrow) {
        bw_wide_corners a = {.origin = {0, 0, 0}}, b = {.origin = {0, 0, 0}};
        bw_wide_corners_gather(w->mesh_a, o->a, count, o->vectors, &a);
        bw_wide_corners_gather(w->mesh_b, o->b, count, o->vectors, &b);
        o->kernels->offer(&a, &b, o->a, o->b, count, &w->batch);
    } else
        for (uint32_t i = 0; i < count; i++)
            offer(w, o->a[i], o->b[i]);
    return w->batch.count <= BW_BATCH_ROW - BW_WIDTH || bw_wide_decide_full(w);
}

/* The part of the list's span that the present is. */
static float part_of(const bw_pair_list *l, double now)
{
    return l->until > l->from ? (float)((now - l->from) / (l->until - l->from)) : 0.0f;
}

static bool counts(const bw_span_pair *pair, float at)
{
    return at >= pair->from && at <= pair->to;
}

/* From the list, which holds. */
static bw_result answer(bw_pair_cache *cache, const bw_cache_query *query, bw_hit_sink *sink)
{
    bw_pair_list *l = &cache->list;
    couple c;
    (void)couple_of(query, &c); /* it is: the list holds */
    const bw_relative_pose still = {true, false, bw_transform_identity(), NULL};
    const bw_wide_side a = {c.a.tree, c.a.mesh}, b = {c.b.tree, c.b.mesh};
    bw_wide_plan plan = {.a = &a, .b = &b, .pose = c.pose != NULL ? c.pose : &still, .self = c.self};
    bw_simd level = bw_simd_level(BW_SIMD_AUTO);
    plan.kernels = bw_wide_kernels_for(level);
    plan.allocator = bw_allocator_or_heap(sink->desc->allocator);
    bw_traversal walk;
    bw_traversal_init(&walk, &plan, sink);
    float at = part_of(l, c.now);
    offers o = {.walk = &walk,
                .kernels = bw_span_kernels_for(level),
                .vectors = level >= BW_SIMD_AVX2,
                .narrow = a.mesh->scalar == BW_F32 && b.mesh->scalar == BW_F32 && c.pose == NULL};
    uint32_t active = 0, i = 0;
    const bw_span_pair *pairs = l->pairs.count == 0 ? NULL : bw_array_at(&l->pairs, 0);
    bool go_on = true;
    for (; i < l->pairs.count && go_on; i++) {
        if (!counts(&pairs[i], at))
            continue;
        active++;
        o.a[o.count] = pairs[i].a;
        o.b[o.count++] = pairs[i].b;
        if (o.count == BW_WIDTH)
            go_on = bw_hit_sink_wanted(sink) && make_offers(&o);
    }
    go_on = go_on && make_offers(&o) && bw_wide_decide_all(&walk);
    bw_traversal_release(&walk);
    double price = i * BW_PRICE_LISTED + active * BW_PRICE_ACTIVE + 1;
    l->served++;
    if (go_on) { /* all of it */
        l->answer += 0.25 * (price - l->answer);
        l->active = active;
    }
    tell_price(&c, price);
    return walk.result;
}

/* Which contact a search for any finds is told by the traversal alone. The list tells whether there is none.
 */
static bool none(bw_pair_cache *cache, const bw_cache_query *query, bw_hit_sink *sink, bw_result *result)
{
    const bw_collide_desc any = {.mode = BW_COLLIDE_ANY, .allocator = sink->desc->allocator};
    bw_hit_sink probe = {.desc = &any, .cancel = sink->cancel};
    *result = answer(cache, query, &probe);
    if (*result == BW_OK && probe.report.status == BW_FOUND)
        return false;
    sink->report = probe.report;
    return true;
}

bw_result bw_pair_cache_query(bw_pair_cache *cache, const bw_cache_query *query, bw_traverse_fn *traverse,
                              bw_hit_sink *sink)
{
    const bw_collide_desc *desc = sink->desc;
    bool any = desc->mode == BW_COLLIDE_ANY;
    bw_result result;
    if (desc->witness != NULL) /* which goes before a cache */
        return bw_traverse_in_order(query, traverse, sink);
    if (bw_pair_cache_prepare(cache, query, sink->cancel != NULL)) {
        if (!any)
            return answer(cache, query, sink);
        if (none(cache, query, sink, &result))
            return result;
    }
    result = bw_traverse_in_order(query, traverse, sink);
    couple c;
    if (result == BW_OK && sink->report.status != BW_FOUND && couple_of(query, &c))
        cache->list.query = (double)sink->report.nodes_visited * BW_PRICE_NODE_PAIR +
                            (double)sink->report.primitive_tests * BW_PRICE_TRIANGLES + 1;
    return result;
}

/* ---- the proof ---- */

static bool listed(const bw_pair_list *l, float at, uint32_t a, uint32_t b)
{
    for (size_t i = 0; i < l->pairs.count; i++) {
        const bw_span_pair *pair = bw_array_at(&l->pairs, i);
        if (pair->a == a && pair->b == b)
            return counts(pair, at);
    }
    return false;
}

const char *bw_pair_cache_check(const bw_pair_cache *cache, const bw_cache_query *query)
{
    const bw_pair_list *l = &cache->list;
    couple c;
    if (!couple_of(query, &c) || !holds(l, &c))
        return NULL;
    for (size_t i = 1; i < l->pairs.count; i++) {
        const bw_span_pair *pair = bw_array_at(&l->pairs, i), *last = pair - 1;
        if (last->a > pair->a || (last->a == pair->a && last->b >= pair->b))
            return "the pairs are not in ascending order";
    }
    const bw_mesh *a = c.a.mesh, *b = c.b.mesh;
    for (uint32_t i = 0; i < bw_mesh_view_primitives(a); i++)
        for (uint32_t j = c.self ? i + 1 : 0; j < bw_mesh_view_primitives(b); j++) {
            bw_vec3 p[3], q[3];
            bool exact;
            need_corners(c.a.tree, a, &i, 1);
            need_corners(c.b.tree, b, &j, 1);
            bw_mesh_view_corners(a, i, p);
            if (c.pose == NULL)
                bw_mesh_view_corners(b, j, q);
            else if (!bw_relative_pose_corners(c.pose, b, j, q))
                continue; /* out of range: nobody decides it */
            bw_contact_kind kind = c.self && a->indices != NULL
                                       ? bw_contact_beyond_shared(p, a->indices + 3 * (size_t)i, q,
                                                                  a->indices + 3 * (size_t)j, &exact)
                                       : bw_triangle_triangle(p, q);
            if (kind != BW_CONTACT_NONE && !listed(l, part_of(l, c.now), i, j))
                return "a pair of triangles that meets is not looked at";
        }
    return NULL;
}
