/* What is known of a point on a surface: where on its triangle it is, and which way is out. */
#include "collide/contains/surface.h"

#include "base/fault.h"
#include "collide/distance/nearest.h"
#include "geom/exact/predicates.h"
#include "geom/simplex.h"
#include "geom/vec.h"
#include "mesh/view.h"
#include "tree/wide/deferred.h"

#include <math.h>

double bw_pose_hand(const bw_transform *map)
{
    if (map == NULL)
        return 1;
    const double(*m)[4] = map->m;
    const double det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) +
                       m[0][1] * (m[1][2] * m[2][0] - m[1][0] * m[2][2]) +
                       m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    return det < 0 ? -1 : 1;
}

/* Twice the area of a triangle along each axis: accurate for slivers, and zero exactly without area. */
static bw_vec3 area_vector(const bw_vec3 *a, const bw_vec3 *b, const bw_vec3 *c)
{
    return (bw_vec3){bw_orient2d_value(a, b, c, 0), bw_orient2d_value(a, b, c, 1),
                     bw_orient2d_value(a, b, c, 2)};
}

static double largest_of(const bw_vec3 *v)
{
    return fmax(fabs(v->x), fmax(fabs(v->y), fabs(v->z)));
}

/* To the given length; zero stays. */
static bw_vec3 with_length(bw_vec3 v, double length)
{
    const double largest = largest_of(&v);
    if (largest == 0)
        return (bw_vec3){0, 0, 0};
    v = (bw_vec3){v.x / largest, v.y / largest, v.z / largest}; /* no square under- or overflows */
    return bw_vec3_scale(v, length / sqrt(bw_vec3_dot(v, v)));
}

static double length_of(bw_vec3 v)
{
    const double largest = largest_of(&v);
    if (largest == 0)
        return 0;
    v = (bw_vec3){v.x / largest, v.y / largest, v.z / largest};
    return largest * sqrt(bw_vec3_dot(v, v));
}

/* Along the longest edge of a primitive without area. */
static void segment_weights(const bw_vec3 c[3], const bw_vec3 *p, double weights[3])
{
    int from = 0;
    double longest = -1;
    for (int i = 0; i < 3; i++) {
        const double length = length_of(bw_vec3_sub(c[bw_next3(i)], c[i]));
        if (length > longest) {
            longest = length;
            from = i;
        }
    }
    const int to = bw_next3(from);
    const double rest = length_of(bw_vec3_sub(c[to], *p)), along = length_of(bw_vec3_sub(*p, c[from]));
    weights[0] = weights[1] = weights[2] = 0;
    weights[to] = along + rest > 0 ? along / (along + rest) : 0;
    weights[from] = 1 - weights[to];
}

/* Opposite to each corner the share of the area, along the axis where there is most of it. */
static void face_weights(const bw_vec3 c[3], const bw_vec3 *normal, const bw_vec3 *p, double weights[3])
{
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(bw_vec3_at(normal, k)) > fabs(bw_vec3_at(normal, axis)))
            axis = k;
    const double whole = bw_vec3_at(normal, axis);
    for (int i = 0; i < 3; i++) {
        const int j = bw_next3(i), k = bw_next3(j);
        weights[i] = fmax(bw_orient2d_value(&c[j], &c[k], p, axis) / whole, 0);
    }
}

/* Weights that leave the point within `blur` of an edge are zero, and the rest makes up one. */
static void settle(const bw_vec3 c[3], double area, double blur, bw_surface_point *out)
{
    double sum = 0;
    int zeros = 0;
    bool zero[3];
    for (int i = 0; i < 3; i++) {
        const int j = bw_next3(i), k = bw_next3(j);
        const double base = length_of(bw_vec3_sub(c[k], c[j]));
        /* The height over an edge, or, without area, the way along the longest one. */
        const double height =
            area > 0 ? area / base
                     : fmax(length_of(bw_vec3_sub(c[j], c[i])), length_of(bw_vec3_sub(c[k], c[i])));
        zero[i] = !(out->weights[i] * height > blur);
    }
    if (zero[0] && zero[1] && zero[2]) { /* smaller than the blur: where most of the weight is */
        int most = out->weights[1] > out->weights[0] ? 1 : 0;
        zero[out->weights[2] > out->weights[most] ? 2 : most] = false;
    }
    for (int i = 0; i < 3; i++) {
        out->weights[i] = zero[i] ? 0 : out->weights[i];
        sum += out->weights[i];
        zeros += zero[i];
    }
    for (int i = 0; i < 3; i++)
        out->weights[i] /= sum;
    out->feature = zeros == 0 ? BW_FEATURE_FACE : zeros == 1 ? BW_FEATURE_EDGE : BW_FEATURE_VERTEX;
    for (uint32_t i = 0; i < 3; i++)
        if ((zeros == 1 && zero[i]) || (zeros == 2 && !zero[i]))
            out->corner = zeros == 1 ? (i + 1) % 3 : i;
}

bw_result bw_surface_find(const bw_metric_side *side, double hand, uint32_t primitive, const bw_vec3 *point,
                          bw_surface_point *out)
{
    bw_surface_point found = {.primitive = primitive};
    bw_vec3 c[3];
    if (primitive == BW_NONE) {
        *out = found;
        return BW_OK;
    }
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t vertex = bw_mesh_view_index(side->mesh, primitive, k);
        if (vertex >= side->mesh->vertex_count)
            return BW_ERROR_INDEX; /* a primitive that the tree has put into quarantine */
        bw_wide_need_vertex(side->tree, vertex);
    }
    bw_metric_corners(side, primitive, c);
    for (int k = 0; k < 3; k++)
        if (bw_nearest_check_point(&c[k]) != BW_OK)
            return bw_nearest_check_point(&c[k]);
    bw_point_triangle_distance2(point, c, &found.point);
    const bw_vec3 area = area_vector(&c[0], &c[1], &c[2]);
    const double largest =
        fmax(largest_of(&found.point), fmax(largest_of(&c[0]), fmax(largest_of(&c[1]), largest_of(&c[2]))));
    found.normal = with_length(area, hand);
    if (largest_of(&area) > 0)
        face_weights(c, &area, &found.point, found.weights);
    else
        segment_weights(c, &found.point, found.weights);
    settle(c, length_of(area), 0x1p-44 * largest, &found);
    *out = found;
    return BW_OK;
}

bw_result bw_surface_at_many(const bw_body *body, const uint32_t *primitives, const bw_vec3 *points,
                             uint32_t point_count, bw_surface_point *out, bw_fault *fault)
{
    if (body == NULL || body->tree == NULL || body->mesh == NULL ||
        (point_count > 0 && (primitives == NULL || points == NULL || out == NULL)))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_metric_side side;
    bw_result result = bw_metric_prepare_lazily(body, &side);
    if (result != BW_OK)
        return bw_fail(fault, result);
    const double hand = bw_pose_hand(side.map);
    const uint32_t count = bw_mesh_view_primitives(body->mesh);
    for (uint32_t i = 0; i < point_count; i++) {
        if (primitives[i] != BW_NONE && primitives[i] >= count)
            result = BW_ERROR_INDEX;
        else if (primitives[i] != BW_NONE)
            result = bw_nearest_check_point(&points[i]);
        if (result == BW_OK)
            result = bw_surface_find(&side, hand, primitives[i], &points[i], &out[i]);
        if (result != BW_OK)
            return bw_fail_at(fault, result, i);
    }
    return bw_fail(fault, BW_OK);
}

bw_result bw_surface_at(const bw_body *body, uint32_t primitive, const bw_vec3 *point, bw_surface_point *out,
                        bw_fault *fault)
{
    bw_result result = bw_surface_at_many(body, &primitive, point, 1, out, fault);
    if (fault != NULL && result != BW_OK)
        fault->element = result == BW_ERROR_INDEX ? primitive : BW_NONE;
    return result;
}
