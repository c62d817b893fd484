/* Boxes and triangles against regions of space. */
#include "collide/region/solid.h"

#include "collide/distance/nearest.h"
#include "geom/exact/within.h"
#include "geom/vec.h"

#include <math.h>

static bw_result set_round(const bw_region *region, bw_solid *out)
{
    const bw_vec3 extent = {region->radius, 0, 0};
    out->round = true;
    out->segment[0] = region->centre;
    out->segment[1] = region->kind == BW_REGION_SPHERE ? region->centre : region->end;
    out->radius = region->radius;
    if (region->radius < 0)
        return BW_ERROR_ARGUMENT;
    const bw_vec3 *numbers[3] = {&out->segment[0], &out->segment[1], &extent};
    bw_result result = BW_OK;
    for (int i = 0; i < 3 && result == BW_OK; i++)
        result = bw_nearest_check_point(numbers[i]);
    return result;
}

/* A side at infinity bounds nothing. */
static bw_result set_box(const bw_region *region, bw_solid *out)
{
    for (uint32_t k = 0; k < 3; k++) {
        const float low = region->box.min[k], high = region->box.max[k];
        if (isnan(low) || isnan(high))
            return BW_ERROR_NOT_FINITE;
        if (low > high)
            return BW_ERROR_ARGUMENT;
        out->box[k] = (bw_plane){{0, 0, 0}, -low};
        out->box[k + 3] = (bw_plane){{0, 0, 0}, high};
        out->box[k].n[k] = 1;
        out->box[k + 3].n[k] = -1;
        out->all |= (uint32_t)(isfinite(low) != 0) << k | (uint32_t)(isfinite(high) != 0) << (k + 3);
        if (low == INFINITY || high == -INFINITY)
            return BW_ERROR_ARGUMENT; /* nowhere */
    }
    out->planes = out->box;
    return BW_OK;
}

static bw_result set_planes(const bw_region *region, bw_solid *out)
{
    if (region->plane_count > BW_REGION_PLANES_MAX || (region->plane_count > 0 && region->planes == NULL))
        return BW_ERROR_ARGUMENT;
    for (uint32_t i = 0; i < region->plane_count; i++) {
        const bw_plane *plane = &region->planes[i];
        if (!isfinite(plane->n[0]) || !isfinite(plane->n[1]) || !isfinite(plane->n[2]) || !isfinite(plane->d))
            return BW_ERROR_NOT_FINITE;
    }
    out->planes = region->planes;
    out->all = (uint32_t)((UINT64_C(1) << region->plane_count) - 1);
    return BW_OK;
}

bw_result bw_solid_set(const bw_region *region, bw_solid *out)
{
    *out = (bw_solid){.round = false};
    switch (region->kind) {
    case BW_REGION_BOX:
        return set_box(region, out);
    case BW_REGION_SPHERE:
    case BW_REGION_CAPSULE:
        return set_round(region, out);
    case BW_REGION_PLANES:
        return set_planes(region, out);
    case BW_REGION_RAY:
        return BW_ERROR_UNSUPPORTED;
    }
    return BW_ERROR_ARGUMENT;
}

/* ---- boxes ---- */

/* A plane at the corner farthest along its normal, and at the opposite one; each is off by less than *error.
 */
static void plane_at_box(const bw_plane *plane, const double low[3], const double high[3], double *far,
                         double *near, double *error)
{
    double size = fabs((double)plane->d);
    *far = *near = (double)plane->d;
    for (int k = 0; k < 3; k++) {
        const double n = (double)plane->n[k], at_low = n * low[k], at_high = n * high[k];
        *far += n > 0 ? at_high : at_low;
        *near += n > 0 ? at_low : at_high;
        size += fmax(fabs(at_low), fabs(at_high));
    }
    *error = 0x1p-48 * size;
}

static bw_overlap box_planes(const bw_solid *solid, const double low[3], const double high[3], uint32_t *mask)
{
    uint32_t cut = 0;
    for (uint32_t p = 0; *mask >> p != 0 && p < BW_REGION_PLANES_MAX; p++) {
        double far, near, error;
        if ((*mask >> p & 1) == 0)
            continue;
        plane_at_box(&solid->planes[p], low, high, &far, &near, &error);
        if (far < -error)
            return BW_OVERLAP_NONE;
        if (!(near >= error))
            cut |= 1u << p;
    }
    *mask = cut;
    return cut == 0 ? BW_OVERLAP_ALL : BW_OVERLAP_PART;
}

/* The distance of a point from a segment, to about 2^-40 of the coordinates. */
static double segment_distance(const bw_vec3 s[2], bw_vec3 p)
{
    const bw_vec3 e = bw_vec3_sub(s[1], s[0]), w = bw_vec3_sub(p, s[0]);
    const double length2 = bw_vec3_dot(e, e), along = bw_vec3_dot(w, e);
    const double t = length2 > 0 ? fmin(fmax(along / length2, 0), 1) : 0;
    const bw_vec3 d = bw_vec3_sub(w, bw_vec3_scale(e, t));
    return sqrt(bw_vec3_dot(d, d));
}

/* By the box around the segment, and by the ball around the box. */
static bw_overlap box_round(const bw_solid *v, const double low[3], const double high[3])
{
    double gap2 = 0, far2 = 0, half2 = 0, size = v->radius;
    bw_vec3 middle;
    double *m[3] = {&middle.x, &middle.y, &middle.z};
    for (int k = 0; k < 3; k++) {
        const double a = bw_vec3_at(&v->segment[0], k), b = bw_vec3_at(&v->segment[1], k);
        const double gap = fmax(fmax(low[k] - fmax(a, b), fmin(a, b) - high[k]), 0);
        const double far = fmax(fmax(a, b) - low[k], high[k] - fmin(a, b)), half = 0.5 * (high[k] - low[k]);
        gap2 += gap * gap;
        far2 += far * far;
        half2 += half * half;
        *m[k] = 0.5 * (low[k] + high[k]);
        size = fmax(size, fmax(fmax(fabs(a), fabs(b)), fmax(fabs(low[k]), fabs(high[k]))));
    }
    const double r = v->radius, error = 0x1p-38 * size;
    if (sqrt(gap2) > r + error)
        return BW_OVERLAP_NONE;
    if (sqrt(far2) < r - error)
        return BW_OVERLAP_ALL;
    const double half = sqrt(half2), d = segment_distance(v->segment, middle);
    if (d > r + half + error)
        return BW_OVERLAP_NONE;
    return d + half < r - error ? BW_OVERLAP_ALL : BW_OVERLAP_PART;
}

bw_overlap bw_solid_box(const bw_solid *solid, const bw_metric_boxes *boxes, uint32_t lane, uint32_t *mask)
{
    double low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = (double)boxes->min[k][lane];
        high[k] = (double)boxes->max[k][lane];
    }
    return solid->round ? box_round(solid, low, high) : box_planes(solid, low, high, mask);
}

/* ---- triangles ---- */

/* A solid is convex: it holds a triangle where it holds its corners. */
static bw_overlap triangle_round(const bw_solid *v, const bw_vec3 corners[3], bool *exact)
{
    bool inside[3];
    for (int k = 0; k < 3; k++)
        inside[k] = bw_point_within(&corners[k], v->segment, v->radius, exact);
    if (inside[0] && inside[1] && inside[2])
        return BW_OVERLAP_ALL;
    if (inside[0] || inside[1] || inside[2])
        return BW_OVERLAP_PART;
    const bw_vec3 segment[3] = {v->segment[0], v->segment[1], v->segment[1]};
    return bw_triangles_within(segment, corners, v->radius, exact) ? BW_OVERLAP_PART : BW_OVERLAP_NONE;
}

bw_overlap bw_solid_triangle(const bw_solid *solid, const bw_vec3 corners[3], uint32_t mask, bool *exact)
{
    return solid->round ? triangle_round(solid, corners, exact)
                        : bw_triangle_half_spaces(corners, solid->planes, mask, exact);
}
