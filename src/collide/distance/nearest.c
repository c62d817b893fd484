/* The point of a body nearest to a point. */
#include "collide/distance/nearest.h"

#include "base/fault.h"
#include "base/sized.h"
#include "collide/distance/distance.h"
#include "geom/box.h"
#include "geom/closest.h"
#include "geom/exact/triangle.h"
#include "geom/power.h"
#include "geom/vec.h"
#include "tree/wide/deferred.h"

#include <math.h>

static const bw_nearest_hit nothing = {.primitive = BW_NONE, .distance = (double)INFINITY};

static double largest_of(const double x[3])
{
    return fmax(fabs(x[0]), fmax(fabs(x[1]), fabs(x[2])));
}

/* Whether a map has one scale for all directions: its columns are across each other and equally long. */
static bool is_similar(const bw_transform *map, double *scale2)
{
    double product[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            product[i][j] =
                map->m[0][i] * map->m[0][j] + map->m[1][i] * map->m[1][j] + map->m[2][i] * map->m[2][j];
    *scale2 = (product[0][0] + product[1][1] + product[2][2]) / 3.0;
    bool similar = *scale2 > 0x1p-120 && *scale2 < 0x1p120;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            similar &= fabs(product[i][j] - (i == j ? *scale2 : 0.0)) <= 0x1p-44 * *scale2;
    return similar;
}

void bw_nearest_place_set(bw_nearest_place *place, const bw_metric_side *side)
{
    const bw_box *bounds = &side->tree->bounds;
    *place = (bw_nearest_place){.side = side, .similar = true, .scale = 1.0};
    for (int k = 0; k < 3; k++)
        place->reach = fmax(place->reach, fmax(fabs((double)bounds->min[k]), fabs((double)bounds->max[k])));
    double scale2 = 1.0;
    if (side->map != NULL)
        place->similar = is_similar(side->map, &scale2);
    if (side->map == NULL || !place->similar)
        return;
    place->scale = sqrt(scale2);
    for (int i = 0; i < 3; i++) {
        place->shift[i] = side->map->m[i][3];
        for (int j = 0; j < 3; j++)
            place->inverse[i][j] = side->map->m[j][i] / scale2;
    }
}

/* What is measured in double to be no farther than this is no farther than the limit. */
static void lower_to(bw_nearest_search *q, double distance2)
{
    bw_nearest_lower(
        q, bw_distance_round_up(q->unit * sqrt(distance2) * (1.0 + 0x1p-30) + (double)q->blur + 0x1p-41));
}

/* A primitive that was measured. */
static void take(bw_nearest_search *q, uint32_t primitive, double distance2, bw_vec3 point)
{
    if (distance2 > q->limit2 ||
        (q->best.primitive != BW_NONE && distance2 == q->limit2 && primitive > q->best.primitive))
        return;
    q->limit2 = distance2;
    q->best.primitive = primitive;
    q->best.point = point;
    q->best.distance = sqrt(distance2);
    lower_to(q, distance2);
}

/* apart: it is known that the point is not on the primitive. */
static bw_result measure(bw_nearest_search *q, uint32_t primitive, bool apart)
{
    bw_vec3 corners[3], point;
    if (!bw_metric_corners(q->side, primitive, corners))
        return BW_ERROR_RANGE;
    const double distance2 = apart ? bw_point_triangle_distance2_disjoint(&q->point, corners, &point)
                                   : bw_point_triangle_distance2(&q->point, corners, &point);
    take(q, primitive, distance2, point);
    return BW_OK;
}

/* Up to four primitives on which the point is not. */
static bw_result measure_four(bw_nearest_search *q, const uint32_t *primitives, uint32_t count)
{
    double corner[3][3][4], distance2[4], nearest[3][4];
    for (uint32_t i = 0; i < 4; i++) {
        bw_vec3 corners[3];
        if (!bw_metric_corners(q->side, primitives[i < count ? i : 0], corners))
            return BW_ERROR_RANGE;
        for (int k = 0; k < 3; k++) {
            corner[k][0][i] = corners[k].x;
            corner[k][1][i] = corners[k].y;
            corner[k][2][i] = corners[k].z;
        }
    }
    const uint32_t known = q->closest_four(&q->point, corner, distance2, nearest);
    bw_result result = BW_OK;
    for (uint32_t i = 0; i < count && result == BW_OK; i++)
        if ((known >> i & 1) != 0)
            take(q, primitives[i], distance2[i], (bw_vec3){nearest[0][i], nearest[1][i], nearest[2][i]});
        else
            result = measure(q, primitives[i], true);
    return result;
}

/* Keeps what may be nearest. */
static void drop_far(bw_nearest_search *q)
{
    const float cut = q->limit * q->limit * (1.0f + 0x1p-21f);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < q->count; i++)
        if (!(q->lower[i] > cut)) {
            q->lower[kept] = q->lower[i];
            q->primitive[kept++] = q->primitive[i];
        }
    q->count = kept;
}

static uint32_t least_of(const bw_nearest_search *q)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < q->count; i++)
        best = q->lower[i] < q->lower[best] ? i : best;
    return best;
}

bw_result bw_nearest_measure(bw_nearest_search *q)
{
    bw_result result = BW_OK;
    drop_far(q);
    while (q->count > 0 && result == BW_OK) {
        uint32_t nearest[4], count = 0;
        bool apart =
            true; /* those that most likely drop the others; one alone where the point may be on it */
        while (count < 4 && q->count > 0 && apart) {
            const uint32_t best = least_of(q);
            apart = q->lower[best] > 0.0f;
            nearest[count++] = q->primitive[best];
            q->count--;
            q->lower[best] = q->lower[q->count];
            q->primitive[best] = q->primitive[q->count];
        }
        const float before = q->limit;
        result = count > 1 ? measure_four(q, nearest, count) : measure(q, nearest[0], apart);
        if (q->limit < before)
            drop_far(q);
    }
    return result;
}

bw_result bw_nearest_reserve(bw_nearest_search *q)
{
    drop_far(q);
    return q->count > BW_NEAREST_LIST / 2 ? bw_nearest_measure(q) : BW_OK;
}

/* In coordinates of the body. False where floats would not do. */
static bool begin_in_body(bw_nearest_search *q, const bw_nearest_place *place)
{
    const double p[3] = {q->point.x, q->point.y, q->point.z};
    double blur = 0.0;
    if (!place->similar || !(place->reach > 0x1p-50 && place->reach < 0x1p60))
        return false;
    for (int i = 0; i < 3; i++) {
        q->at[i] = p[i];
        if (place->side->map != NULL)
            q->at[i] = place->inverse[i][0] * (p[0] - place->shift[0]) +
                       place->inverse[i][1] * (p[1] - place->shift[1]) +
                       place->inverse[i][2] * (p[2] - place->shift[2]);
    }
    const double size = fmax(place->reach, largest_of(q->at));
    if (!(size < 0x1p60))
        return false;
    if (place->side->map !=
        NULL) /* at most 2^-44 by the scale, and a few roundings of what the map adds up */
        blur = 0x1p-40 * (size + (largest_of(p) + largest_of(place->shift)) / place->scale);
    if (!(blur < 0x1p60))
        return false;
    double back, scale;
    bw_power_above(size, &back, &scale);
    q->mapped = false;
    q->scale = (float)scale;
    q->back = (float)back;
    q->unit = (double)q->scale / place->scale;
    q->blur = bw_distance_round_up(2.0 * blur * (double)q->scale);
    for (int k = 0; k < 3; k++) {
        q->low[k] = bw_float_down(q->at[k] - blur);
        q->high[k] = bw_float_up(q->at[k] + blur);
        q->centre[k] = (float)q->at[k];
    }
    q->lenses = place->side->tree->lenses;
    q->blur_lens = bw_distance_round_up(32.0 * 0x1p-24 * size + 2.0 * blur);
    return true;
}

/* In a frame along the body's axes, so that for any rotation and scales its boxes are as tight as in the
 * tree. */
static void begin_in_frame(bw_nearest_search *q)
{
    const double p[3] = {q->point.x, q->point.y, q->point.z};
    bw_distance_frame frame;
    bw_distance_frame_set(&frame, q->side, NULL, p);
    bw_distance_frame_align(&frame, q->side);
    bw_distance_map_set(&q->map, &frame, q->side);
    bw_distance_frame_point(&frame, p, q->at);
    double blur = 0.0;
    for (int k = 0; k < 3; k++) {
        double error = (double)q->map.slack + 0x1p-45 * fabs(q->at[k]);
        q->low[k] = bw_float_down(q->at[k] - error);
        q->high[k] = bw_float_up(q->at[k] + error);
        blur = fmax(blur, error);
    }
    q->mapped = true;
    q->scale = q->back = 1.0f;
    q->unit = frame.scale;
    q->blur = bw_distance_round_up(2.0 * blur);
    q->lenses = NULL;
}

static void begin(bw_nearest_search *q, const bw_nearest_place *place, const bw_vec3 *point, double distance)
{
    q->side = place->side;
    q->point = *point;
    q->count = 0;
    q->leaf = BW_NONE;
    q->slot = 0;
    q->limit = q->bound = INFINITY;
    q->limit2 = distance < 0x1p500 ? distance * distance : INFINITY;
    q->best = nothing;
    q->counts = (bw_nearest_report){0};
    if (!begin_in_body(q, place))
        begin_in_frame(q);
    if (q->limit2 < INFINITY)
        lower_to(q, q->limit2);
}

/* The squared distance of two points, no less than it is. */
static double between2(const bw_vec3 *p, const bw_vec3 *q)
{
    const bw_vec3 d = bw_vec3_sub(*p, *q);
    return bw_vec3_dot(d, d) * (1.0 + 0x1p-40);
}

bw_result bw_nearest_find(const bw_nearest_place *place, bw_simd level, const bw_vec3 *point,
                          double max_distance, const bw_vec3 *known, const bw_allocator *allocator,
                          bw_nearest_hit *out, bw_nearest_report *counts)
{
    bw_nearest_search q;
    if (place->side->tree->node_count == 0) {
        *out = nothing;
        return BW_OK;
    }
    begin(&q, place, point, max_distance > 0.0 ? max_distance : INFINITY);
    q.about = false;
    if (known != NULL)
        lower_to(&q, between2(point, known));
    q.closest_four = BW_SIMD_PICK(level, bw_closest_four);
    bw_result result = bw_distance_kernels_for(level)->descend(&q, allocator);
    if (result == BW_OK)
        result = bw_nearest_measure(&q);
    bw_wide_tell_visits(q.side->tree, q.counts.nodes_visited);
    if (result != BW_OK)
        return result;
    *out = q.best;
    counts->hit_count += q.best.primitive != BW_NONE;
    counts->nodes_visited += q.counts.nodes_visited;
    counts->box_tests += q.counts.box_tests;
    counts->primitive_tests += q.counts.primitive_tests;
    return BW_OK;
}

bw_result bw_nearest_find_about(const bw_nearest_place *place, bw_simd level, const bw_vec3 *point,
                                double distance, const bw_allocator *allocator, bw_nearest_about *out)
{
    bw_nearest_search q;
    begin(&q, place, point, distance);
    q.about = true;
    bw_result result = bw_distance_kernels_for(level)->descend(&q, allocator);
    if (result != BW_OK)
        return result;
    *out = (bw_nearest_about){
        .leaf = q.leaf, .nodes_visited = q.counts.nodes_visited, .box_tests = q.counts.box_tests};
    bw_vec3 corners[3];
    if (q.leaf == BW_NONE)
        return BW_OK;
    const bw_wide *tree = q.side->tree;
    if (bw_metric_corners(q.side, tree->primitives[q.leaf * (size_t)BW_WIDTH + q.slot], corners))
        out->distance2 = bw_point_triangle_distance2(point, corners, &out->point);
    else
        out->leaf = BW_NONE;
    return BW_OK;
}

bw_result bw_nearest_check_point(const bw_vec3 *p)
{
    if (!isfinite(p->x) || !isfinite(p->y) || !isfinite(p->z))
        return BW_ERROR_NOT_FINITE;
    const bool good =
        bw_exact_range(p, 1) && fmax(fabs(p->x), fmax(fabs(p->y), fabs(p->z))) <= BW_COORDINATE_MAX;
    return good ? BW_OK : BW_ERROR_RANGE;
}

bw_result bw_nearest_at(bw_simd level, const bw_body *body, const bw_vec3 *point, const bw_nearest_desc *desc,
                        bw_nearest_hit *hit, bw_nearest_report *report)
{
    static const bw_nearest_desc defaults = {0};
    if (desc == NULL)
        desc = &defaults;
    if (body == NULL || body->tree == NULL || body->mesh == NULL || point == NULL || hit == NULL ||
        !(desc->max_distance >= 0.0))
        return BW_ERROR_ARGUMENT;
    bw_metric_side side;
    bw_result result = bw_nearest_check_point(point);
    if (result == BW_OK)
        result = bw_metric_prepare_lazily(body, &side);
    if (result != BW_OK)
        return result;
    bw_nearest_place place;
    bw_nearest_place_set(&place, &side);
    const bw_allocator hook = bw_allocator_or_heap(desc->allocator);
    bw_nearest_report counts = {0};
    result =
        bw_nearest_find(&place, bw_simd_level(level), point, desc->max_distance, NULL, &hook, hit, &counts);
    if (result == BW_OK && report != NULL)
        bw_report_set(report, counts);
    return result;
}

bw_result bw_nearest(const bw_body *body, const bw_vec3 *point, const bw_nearest_desc *desc,
                     bw_nearest_hit *hit, bw_nearest_report *report, bw_fault *fault)
{
    const bw_result sizes = bw_sizes_check(desc, report);
    return bw_fail(fault,
                   sizes != BW_OK ? sizes : bw_nearest_at(BW_SIMD_AUTO, body, point, desc, hit, report));
}
