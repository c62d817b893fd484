/* Two shapes: how they meet, the contact and the distance.
 *
 * The pair is brought into one order, by kind and then by place, so that exchanging the shapes exchanges the
 * answer to the last bit. */
#include "shape/pair.h"

#include "base/fault.h"
#include "base/sized.h"
#include "shape/decide.h"
#include "shape/manifold.h"
#include "shape/round.h"

#include <stdatomic.h>

static int compare(double a, double b)
{
    return a < b ? -1 : a > b;
}

static int compare_vec(bw_vec3 a, bw_vec3 b)
{
    const int x = compare(a.x, b.x), y = compare(a.y, b.y);
    return x != 0 ? x : y != 0 ? y : compare(a.z, b.z);
}

/* Whether b comes first, of cores of one kind in places of the same x. */
static bool is_behind(const bw_convex *a, const bw_convex *b)
{
    int order = compare_vec(a->at, b->at);
    for (int i = 0; order == 0 && i < 3; i++)
        order = compare_vec(a->edge[i], b->edge[i]);
    if (order == 0)
        order = compare(a->radius, b->radius);
    if (order == 0 && a->hull != NULL && a->hull != b->hull) {
        order = compare(a->hull->vertex_count, b->hull->vertex_count);
        for (uint32_t i = 0; order == 0 && i < a->hull->vertex_count; i++)
            order = compare_vec(a->hull->vertices[i], b->hull->vertices[i]);
    }
    return order > 0;
}

/* Whether b comes first. */
static inline bool out_of_order(const bw_convex *a, const bw_convex *b)
{
    return a->core != b->core ? a->core > b->core : a->at.x != b->at.x ? a->at.x > b->at.x : is_behind(a, b);
}

/* Whether spheres around the cores are farther apart than the limit. */
static bool far_apart(const bw_convex *a, const bw_convex *b, double limit, double margin)
{
    if (a->core == BW_CORE_HALF_SPACE || b->core == BW_CORE_HALF_SPACE)
        return false;
    const bw_vec3 d = bw_vec3_sub(b->at, a->at);
    const double reach = (a->reach + b->reach + limit) * (1 + 0x1p-48) + 2 * margin;
    return bw_vec3_dot(d, d) > reach * reach;
}

/* Whether balls inside of the cores, with the radii, have a point in common for certain: then so do the shapes. *common, which
 * may be NULL, receives one, relative to a.at. */
static bool deep(const bw_convex *a, const bw_convex *b, double margin, bw_vec3 *common)
{
    bw_vec3 ca, cb;
    const double ra = bw_convex_inner(a, &ca), rb = bw_convex_inner(b, &cb), reach = ra + rb - 4 * margin;
    const bw_vec3 d = bw_vec3_sub(bw_vec3_add(bw_vec3_sub(b->at, a->at), cb), ca);
    const double d2 = bw_vec3_dot(d, d);
    if (!(reach > 0 && d2 < reach * reach) || a->core == BW_CORE_HALF_SPACE ||
        b->core == BW_CORE_HALF_SPACE || !(a->size + b->size > 0x1p-150))
        return false;
    if (common != NULL) /* as far from a surface on both ways */
        *common = bw_vec3_along(ca, d, ra / (ra + rb));
    return true;
}

static double clamped(double x, double most)
{
    return x > most ? most : x < -most ? -most : x;
}

/* Whether the point of box a that is nearest to the middle of box b, relative to a.at, is inside of b for certain. */
static bool box_reaches(const bw_convex *a, const bw_convex *b, bw_vec3 to_b, double margin, bw_vec3 *point)
{
    const double(*m)[4] = a->pose->m, (*n)[4] = b->pose->m;
    const double x = clamped((to_b.x * m[0][0] + to_b.y * m[1][0]) + to_b.z * m[2][0], a->half.x),
                 y = clamped((to_b.x * m[0][1] + to_b.y * m[1][1]) + to_b.z * m[2][1], a->half.y),
                 z = clamped((to_b.x * m[0][2] + to_b.y * m[1][2]) + to_b.z * m[2][2], a->half.z);
    *point = (bw_vec3){(m[0][0] * x + m[0][1] * y) + m[0][2] * z, (m[1][0] * x + m[1][1] * y) + m[1][2] * z,
                       (m[2][0] * x + m[2][1] * y) + m[2][2] * z};
    const bw_vec3 q = bw_vec3_sub(*point, to_b);
    return (fabs((q.x * n[0][0] + q.y * n[1][0]) + q.z * n[2][0]) < b->half.x - 4 * margin) &
           (fabs((q.x * n[0][1] + q.y * n[1][1]) + q.z * n[2][1]) < b->half.y - 4 * margin) &
           (fabs((q.x * n[0][2] + q.y * n[1][2]) + q.z * n[2][2]) < b->half.z - 4 * margin);
}

/* Whether two boxes have a point in common that is quickly found; *common receives it, relative to a.at. */
static bool boxes_share(const bw_convex *a, const bw_convex *b, double margin, bw_vec3 *common)
{
    if (a->core != BW_CORE_BOX || b->core != BW_CORE_BOX || !a->orthogonal || !b->orthogonal ||
        !(a->size + b->size > 0x1p-150))
        return false;
    const bw_vec3 to_b = bw_vec3_sub(b->at, a->at);
    if (box_reaches(a, b, to_b, margin, common))
        return true;
    if (!box_reaches(b, a, bw_vec3_minus(to_b), margin, common))
        return false;
    *common = bw_vec3_add(*common, to_b);
    return true;
}

/* Whether the axis of the cache still shows them apart. */
static bool axis_separates(const bw_convex *a, const bw_convex *b, double limit, double margin, bw_vec3 n)
{
    uint32_t index;
    const double length2 = bw_vec3_dot(n, n);
    if (!(length2 > 0.5 && length2 < 2) || a->core == BW_CORE_HALF_SPACE || b->core == BW_CORE_HALF_SPACE)
        return false;
    const bw_vec3 on_a = bw_convex_support(a, n, &index),
                  on_b = bw_convex_support(b, bw_vec3_minus(n), &index);
    const double gap = bw_vec3_dot(n, bw_vec3_sub(bw_vec3_add(on_b, bw_vec3_sub(b->at, a->at)), on_a));
    return gap > (limit + 2 * margin) * sqrt(length2) * (1 + 0x1p-40);
}

/* Exact: by the bounds where these are clear of the radii, else by integers; so for shapes that are so small
 * that products might underflow. */
static bw_contact_kind kind_of(const bw_convex *a, const bw_convex *b, const bw_gap *gap)
{
    const double radius = a->radius + b->radius, margin = 2 * bw_convex_margin(a, b);
    if (gap->lower - margin > radius)
        return BW_CONTACT_NONE;
    if (gap->upper + margin < radius && a->size + b->size > 0x1p-150)
        return BW_CONTACT_CROSSING;
    return bw_shape_decide(a, b, NULL);
}

bw_contact_kind bw_pair_overlap(const bw_convex *a, const bw_convex *b)
{
    const double radius = a->radius + b->radius;
    bw_contact_kind kind;
    if (a->core > b->core)
        return bw_pair_overlap(b, a);
    if (bw_round_overlap(a, b, &kind))
        return kind;
    const double margin = bw_convex_margin(a, b);
    if (far_apart(a, b, radius, margin))
        return BW_CONTACT_NONE;
    if (deep(a, b, margin, NULL))
        return BW_CONTACT_CROSSING;
    const bw_gap_query query = {.limit = radius, .kind_only = true};
    bw_gap gap;
    bw_gap_between(a, b, &query, &gap);
    return kind_of(a, b, &gap);
}

static void exchange_cache(bw_shape_cache *cache)
{
    if (cache == NULL)
        return;
    for (int i = 0; i < 4; i++) {
        const uint32_t kept = cache->a[i];
        cache->a[i] = cache->b[i];
        cache->b[i] = kept;
    }
    cache->axis = bw_vec3_minus(cache->axis);
}

static void no_contact(bw_shape_contact *out)
{
    out->kind = BW_CONTACT_NONE;
    out->normal = (bw_vec3){0, 0, 0};
    out->depth = out->depth_lower = -(double)INFINITY;
    out->point_count = 0;
}

/* Whether shapes that do not meet are farther apart than the separation. Where sizes are so unequal that the bounds
 * leave it open, by their distance. */
static bool beyond(const bw_convex *a, const bw_convex *b, const bw_gap *gap, double separation)
{
    const double limit = a->radius + b->radius + separation, margin = bw_convex_margin(a, b);
    if (gap->lower - margin > limit)
        return true;
    if (gap->upper <= limit)
        return false;
    bw_shape_nearest nearest;
    bw_pair_distance(a, b, NULL, &nearest);
    return nearest.distance > separation;
}

/* How deep they cross, or how far apart they are. */
static void put_depth(const bw_convex *a, const bw_convex *b, bw_contact_kind kind, const bw_gap *gap,
                      bw_shape_contact *out)
{
    const double radius = a->radius + b->radius, margin = bw_convex_margin(a, b);
    out->kind = kind;
    out->normal = gap->normal;
    out->depth = radius - gap->lower + 2 * margin;
    out->depth_lower = radius - gap->upper - 2 * margin;
    if (kind != BW_CONTACT_NONE) {
        out->depth = bw_larger(out->depth, 0);
        out->depth_lower = bw_larger(out->depth_lower, 0);
    } else {
        out->depth = -bw_larger(-out->depth, 0); /* they are apart, however wide the bounds */
    }
}

static void contact_in_order(const bw_convex *a, const bw_convex *b, double separation, int most,
                             bw_shape_cache *cache, bw_shape_contact *out)
{
    const double radius = a->radius + b->radius, limit = radius + separation, margin = bw_convex_margin(a, b);
    bw_gap gap;
    if (far_apart(a, b, limit, margin) ||
        (cache != NULL && axis_separates(a, b, limit, margin, cache->axis))) {
        no_contact(out);
        return;
    }
    bw_gap_query query = {.limit = limit, .cache = cache};
    bw_gap_between(a, b, &query, &gap);
    if (cache != NULL)
        cache->axis = gap.normal;
    const bw_contact_kind kind = kind_of(a, b, &gap);
    if (kind == BW_CONTACT_NONE && (separation == 0 || beyond(a, b, &gap, separation))) {
        no_contact(out);
        return;
    }
    put_depth(a, b, kind, &gap, out);
    if (bw_manifold(a, b, &gap, separation, most, out))
        return;
    query.fine = true; /* seldom: no face gave a point */
    bw_gap_between(a, b, &query, &gap);
    put_depth(a, b, kind, &gap, out);
    bw_manifold(a, b, &gap, separation, most, out);
}

static void exchange_contact(bw_shape_contact *c)
{
    c->normal = bw_vec3_minus(c->normal);
    for (uint32_t i = 0; i < c->point_count; i++) {
        const bw_vec3 kept = c->points[i].point_a;
        c->points[i].point_a = c->points[i].point_b;
        c->points[i].point_b = kept;
        c->points[i].feature ^= 0x80000000u;
    }
}

void bw_pair_contact(const bw_convex *a, const bw_convex *b, double separation, int most,
                     bw_shape_cache *cache, bw_shape_contact *out)
{
    const bool exchanged = out_of_order(a, b);
    if (bw_round_contact(exchanged ? b : a, exchanged ? a : b, exchanged, separation, out))
        return;
    if (!exchanged) {
        contact_in_order(a, b, separation, most, cache, out);
        return;
    }
    exchange_cache(cache);
    contact_in_order(b, a, separation, most, cache, out);
    exchange_cache(cache);
    exchange_contact(out);
}

/* Points of cores that are as near as any may be beside each other by the root of what that is rounded to: of no account until radii
 * take most of the distance away. Then the point on the larger radius, which bends that little, goes opposite to the other. */
static void set_opposite(double radius_a, double radius_b, bw_shape_nearest *out)
{
    if (!(radius_a + radius_b > out->distance))
        return;
    const bw_vec3 beside = bw_vec3_sub(bw_vec3_along(out->point_a, out->normal, out->distance), out->point_b);
    if (radius_a >= radius_b)
        out->point_a = bw_vec3_sub(out->point_a, beside);
    else
        out->point_b = bw_vec3_add(out->point_b, beside);
}

static bool distance_in_order(const bw_convex *a, const bw_convex *b, double limit, bw_shape_cache *cache,
                              bw_shape_nearest *out)
{
    const double radius = a->radius + b->radius, margin = bw_convex_margin(a, b);
    const bw_gap_query query = {
        .limit = limit + radius, .cache = cache, .kind_only = true, .common_point = true};
    bw_gap gap;
    if (far_apart(a, b, limit + radius, margin))
        return false;
    bw_vec3 common;
    if (deep(a, b, margin, &common) || boxes_share(a, b, margin, &common)) {
        *out =
            (bw_shape_nearest){.point_a = bw_vec3_add(a->at, common), .point_b = bw_vec3_add(a->at, common)};
        return true;
    }
    bw_gap_between(a, b, &query, &gap);
    if (gap.lower - 2 * margin > limit + radius)
        return false;
    const bw_contact_kind kind = kind_of(a, b, &gap);
    *out = (bw_shape_nearest){0};
    if (kind != BW_CONTACT_NONE) { /* between the two, where neither radius is exceeded */
        const double along = bw_larger(0, bw_lesser(a->radius, gap.lower - b->radius));
        out->point_a = out->point_b =
            bw_vec3_add(a->at, bw_vec3_along(gap.on_a, gap.normal, gap.lower > 0 ? along : 0));
        return true;
    }
    out->distance = bw_larger((gap.estimate > 0 ? gap.estimate : gap.upper) - radius, 0x1p-8 * margin);
    out->normal = gap.normal;
    out->point_a = bw_vec3_add(a->at, bw_vec3_along(gap.on_a, gap.normal, a->radius));
    out->point_b = bw_vec3_add(a->at, bw_vec3_along(gap.on_b, gap.normal, -b->radius));
    set_opposite(a->radius, b->radius, out);
    return out->distance <= limit;
}

bool bw_pair_distance_within(const bw_convex *a, const bw_convex *b, double limit, bw_shape_cache *cache,
                             bw_shape_nearest *out)
{
    if (!out_of_order(a, b))
        return distance_in_order(a, b, limit, cache, out);
    exchange_cache(cache);
    const bool within = distance_in_order(b, a, limit, cache, out);
    exchange_cache(cache);
    if (within) {
        const bw_vec3 kept = out->point_a;
        out->point_a = out->point_b;
        out->point_b = kept;
        out->normal = bw_vec3_minus(out->normal);
    }
    return within;
}

void bw_pair_distance(const bw_convex *a, const bw_convex *b, bw_shape_cache *cache, bw_shape_nearest *out)
{
    const bool exchanged = out_of_order(a, b);
    if (!bw_round_distance(exchanged ? b : a, exchanged ? a : b, exchanged, out))
        bw_pair_distance_within(a, b, (double)INFINITY, cache, out);
}

bw_result bw_pair_place(const bw_placed_shape *a, const bw_placed_shape *b, bw_convex *out_a,
                        bw_convex *out_b, bw_fault *fault)
{
    if (a == NULL || b == NULL)
        return bw_fail_at(fault, BW_ERROR_ARGUMENT, a == NULL ? 0 : 1);
    bw_result result = bw_convex_place(a->shape, a->pose, out_a);
    if (result != BW_OK)
        return bw_convex_fail(a->shape, a->pose, result, 0, fault);
    result = bw_convex_place(b->shape, b->pose, out_b);
    if (result != BW_OK)
        return bw_convex_fail(b->shape, b->pose, result, 1, fault);
    return fault == NULL ? BW_OK : bw_fail(fault, BW_OK);
}

bw_result bw_pair_overlap_of(const bw_placed_shape *a, const bw_placed_shape *b, bw_contact_kind *kind,
                             bw_fault *fault)
{
    bw_convex ca, cb;
    if (kind == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    const bw_result result = bw_pair_place(a, b, &ca, &cb, fault);
    if (result == BW_OK)
        *kind = bw_pair_overlap(&ca, &cb);
    return result;
}

static inline bool is_in_range(const bw_shape_desc *desc)
{
    return desc->separation >= 0 && desc->separation <= BW_COORDINATE_MAX &&
           desc->max_points <= BW_PAIR_POINTS;
}

static bw_result check_desc(const bw_shape_desc *desc)
{
    if (desc == NULL)
        return BW_OK;
    const bw_result result = bw_desc_check(desc);
    return result == BW_OK && !is_in_range(desc) ? BW_ERROR_ARGUMENT : result;
}

bw_result bw_pair_contact_of(const bw_placed_shape *a, const bw_placed_shape *b, const bw_shape_desc *desc,
                             bw_shape_contact *out, bw_fault *fault)
{
    bw_convex ca, cb;
    bw_result result = out == NULL ? BW_ERROR_ARGUMENT : check_desc(desc);
    if (result != BW_OK)
        return bw_fail(fault, result);
    result = bw_pair_place(a, b, &ca, &cb, fault);
    if (result == BW_OK)
        bw_pair_contact(&ca, &cb, desc == NULL ? 0 : desc->separation,
                        desc == NULL || desc->max_points == 0 ? BW_PAIR_POINTS : (int)desc->max_points,
                        desc == NULL ? NULL : desc->cache, out);
    return result;
}

bw_result bw_pair_distance_of(const bw_placed_shape *a, const bw_placed_shape *b, const bw_shape_desc *desc,
                              bw_shape_nearest *out, bw_fault *fault)
{
    bw_convex ca, cb;
    bw_result result = out == NULL ? BW_ERROR_ARGUMENT : check_desc(desc);
    if (result != BW_OK)
        return bw_fail(fault, result);
    result = bw_pair_place(a, b, &ca, &cb, fault);
    if (result == BW_OK)
        bw_pair_distance(&ca, &cb, desc == NULL ? NULL : desc->cache, out);
    return result;
}

/* ---- The public functions. A closed form takes some 20 ns, so nothing is called but for the last: then nothing needs to be saved. ---- */

/* The kernels of the best level, known after the first query that they might answer. */
static _Atomic(const bw_round_kernels *) best_kernels;

static inline const bw_round_kernels *known_kernels(void)
{
    return atomic_load_explicit(&best_kernels, memory_order_relaxed);
}

static void learn_kernels(void)
{
    atomic_store_explicit(&best_kernels, bw_round_kernels_for(bw_simd_level(BW_SIMD_AUTO)),
                          memory_order_relaxed);
}

/* Whether both have a pose, and kinds of which tables know. */
static inline bool may_be_round(const bw_placed_shape *a, const bw_placed_shape *b)
{
    return a != NULL && b != NULL && a->shape != NULL && b->shape != NULL && a->pose != NULL &&
           b->pose != NULL && (unsigned)a->shape->kind <= BW_SHAPE_BOX &&
           (unsigned)b->shape->kind <= BW_SHAPE_BOX;
}

static inline bool is_sound(const bw_shape_desc *desc)
{
    return desc == NULL || ((desc->size == 0 || desc->size == sizeof *desc) && is_in_range(desc));
}

static bw_result overlap_first(const bw_placed_shape *a, const bw_placed_shape *b, bw_contact_kind *kind,
                               bw_fault *fault)
{
    learn_kernels();
    return bw_pair_overlap_of(a, b, kind, fault);
}

static bw_result contact_first(const bw_placed_shape *a, const bw_placed_shape *b, const bw_shape_desc *desc,
                               bw_shape_contact *out, bw_fault *fault)
{
    learn_kernels();
    return bw_pair_contact_of(a, b, desc, out, fault);
}

static bw_result distance_first(const bw_placed_shape *a, const bw_placed_shape *b, const bw_shape_desc *desc,
                                bw_shape_nearest *out, bw_fault *fault)
{
    learn_kernels();
    return bw_pair_distance_of(a, b, desc, out, fault);
}

bw_result bw_shape_overlap(const bw_placed_shape *a, const bw_placed_shape *b, bw_contact_kind *kind,
                           bw_fault *fault)
{
    const bw_round_kernels *kernels = known_kernels();
    if (kernels == NULL)
        return overlap_first(a, b, kind, fault);
    if (kind == NULL || !may_be_round(a, b))
        return bw_pair_overlap_of(a, b, kind, fault);
    bw_round_overlap_fn *fn = kernels->overlap[a->shape->kind][b->shape->kind];
    if (fn == NULL)
        return bw_pair_overlap_of(a, b, kind, fault);
    return a->shape->kind > b->shape->kind ? fn(b, a, kind, fault) : fn(a, b, kind, fault);
}

bw_result bw_shape_contact_pair(const bw_placed_shape *a, const bw_placed_shape *b, const bw_shape_desc *desc,
                                bw_shape_contact *out, bw_fault *fault)
{
    const bw_round_kernels *kernels = known_kernels();
    if (kernels == NULL)
        return contact_first(a, b, desc, out, fault);
    if (out == NULL || !is_sound(desc) || !may_be_round(a, b))
        return bw_pair_contact_of(a, b, desc, out, fault);
    bw_round_contact_fn *fn = kernels->contact[a->shape->kind][b->shape->kind];
    if (fn == NULL)
        return bw_pair_contact_of(a, b, desc, out, fault);
    return a->shape->kind > b->shape->kind ? fn(b, a, desc, out, fault, true)
                                           : fn(a, b, desc, out, fault, false);
}

bw_result bw_shape_distance(const bw_placed_shape *a, const bw_placed_shape *b, const bw_shape_desc *desc,
                            bw_shape_nearest *out, bw_fault *fault)
{
    const bw_round_kernels *kernels = known_kernels();
    if (kernels == NULL)
        return distance_first(a, b, desc, out, fault);
    if (out == NULL || !is_sound(desc) || !may_be_round(a, b))
        return bw_pair_distance_of(a, b, desc, out, fault);
    bw_round_distance_fn *fn = kernels->distance[a->shape->kind][b->shape->kind];
    if (fn == NULL)
        return bw_pair_distance_of(a, b, desc, out, fault);
    return a->shape->kind > b->shape->kind ? fn(b, a, desc, out, fault, true)
                                           : fn(a, b, desc, out, fault, false);
}
