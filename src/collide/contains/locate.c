/* Locates points by parity, or by the winding number. */
#include "collide/contains/locate.h"

#include "collide/contains/surface.h"
#include "collide/ray/cast.h"
#include "geom/exact/predicates.h"
#include "geom/simplex.h"
#include "geom/vec.h"
#include "mesh/view.h"

#include <math.h>

/* Of numbers: without the questions about others that fmax asks. */
static double larger(double a, double b)
{
    return a > b ? a : b;
}

void bw_locator_set(bw_locator *l, const bw_metric_side *side, const bw_array *boundary)
{
    l->side = side;
    l->open = boundary != NULL;
    l->boundary = boundary != NULL ? (const bw_boundary_edge *)(const void *)boundary->items : NULL;
    l->boundary_count = boundary != NULL ? boundary->count : 0;
    l->level = bw_simd_level(BW_SIMD_AUTO);
    bw_ray_target_of_side(side, l->level, &l->target);
    if (side->map != NULL)
        bw_metric_bounds(side, l->low, l->high);
    l->reach = 0;
    for (int k = 0; k < 3 && side->tree->node_count > 0; k++) {
        if (side->map == NULL) {
            l->low[k] = (double)side->tree->bounds.min[k];
            l->high[k] = (double)side->tree->bounds.max[k];
        }
        l->reach = larger(l->reach, larger(fabs(l->low[k]), fabs(l->high[k])));
    }
    l->hand = bw_pose_hand(side->map);
}

/* ---- crossings ---- */

typedef struct crossings {
    const bw_vec3 *point;
    int64_t sum; /* 1 for each that leaves, -1 for each that enters */
    bool odd, unclear, on;
} crossings;

static bool is_on(const bw_vec3 *point, const bw_vec3 corners[3])
{
    bw_simplex simplex;
    bool exact = false;
    bw_simplex_of_triangle(corners, &simplex, &exact);
    return bw_point_contact(point, &simplex, &exact) != BW_CONTACT_NONE;
}

/* Only a clean crossing of a triangle with area counts. An edge, a corner or a plane along the ray says
 * nothing, unless the point is there: a ray meets every triangle that its origin is on, and never cleanly. */
static bool count_crossing(void *user, const bw_ray_hit *hit, const bw_vec3 corners[3])
{
    crossings *c = user;
    const int sign =
        hit->kind == BW_CONTACT_CROSSING ? bw_orient3d(&corners[0], &corners[1], &corners[2], c->point) : 0;
    c->odd ^= sign != 0;
    c->sum += sign;
    if (sign == 0) {
        c->unclear = true;
        c->on = is_on(c->point, corners);
    }
    return !c->on;
}

/* Between -1 and 1, another one for each attempt and place. */
static double scatter(uint32_t attempt, uint32_t place)
{
    uint32_t x = (3 * attempt + place) * 2654435769u + 12345u;
    x = (x ^ x >> 15) * 2246822519u;
    x ^= x >> 13;
    return (double)x * 0x1p-31 - 1.0;
}

/* The first attempts go out on the shortest way, nearly along an axis but in a direction that no regular mesh
 * has edges along; later ones go anywhere. */
static bw_vec3 direction(const bw_locator *l, const bw_vec3 *point, uint32_t attempt)
{
    double d[3], best = INFINITY;
    int axis = 0;
    bool up = true;
    for (int k = 0; k < 3; k++) {
        const double x = bw_vec3_at(point, k), to_high = l->high[k] - x, to_low = x - l->low[k];
        const double least = to_high < to_low ? to_high : to_low;
        if (least < best) {
            best = least;
            axis = k;
            up = to_high <= to_low;
        }
        d[k] = 0.125 * scatter(attempt, (uint32_t)k);
    }
    if (attempt < 8)
        d[axis] = up ? 1.0 : -1.0;
    return (bw_vec3){d[0], d[1], d[2]};
}

/* ---- winding ---- */

static double clamp_sign(double magnitude, int sign)
{
    return sign == 0 ? 0.0 : sign > 0 ? fabs(magnitude) : -fabs(magnitude);
}

/* To length 1. */
static bw_vec3 normalised(bw_vec3 v)
{
    return bw_vec3_scale(v, 1.0 / sqrt(bw_vec3_dot(v, v)));
}

/* Half the area of the spherical triangle from a to b to the direction opposite to the ray (A. van Oosterom,
 * J. Strackee, The solid angle of a plane triangle, 1983). Where the ray passes close by the edge it is all
 * but a hemisphere, on one side or the other: the sign is exact, as the crossings are. */
static double half_swept(const bw_vec3 *point, const bw_vec3 *through, bw_vec3 back, const bw_vec3 *a,
                         const bw_vec3 *b)
{
    const int sign = -bw_orient3d(a, b, through, point);
    if (sign == 0)
        return 0.0; /* a ray that met the edge would have been unclear */
    const bw_vec3 u = normalised(bw_vec3_sub(*a, *point)), v = normalised(bw_vec3_sub(*b, *point));
    const double det = bw_vec3_dot(bw_vec3_cross(u, v), back);
    return atan2(clamp_sign(det, sign),
                 1.0 + bw_vec3_dot(u, v) + bw_vec3_dot(v, back) + bw_vec3_dot(back, u));
}

/* False where a mapped vertex leaves the exact range. */
static bool add_swept(const bw_locator *l, const bw_vec3 *point, const bw_vec3 *through, double *winding)
{
    static const double over_two_pi = 0.15915494309189533577;
    const bw_vec3 back = normalised(bw_vec3_sub(*point, *through));
    double sum = 0;
    for (size_t i = 0; i < l->boundary_count; i++) {
        const bw_boundary_edge *edge = &l->boundary[i];
        bw_vec3 ends[2] = {bw_mesh_view_vertex(l->side->mesh, edge->from),
                           bw_mesh_view_vertex(l->side->mesh, edge->to)};
        for (int k = 0; k < 2 && l->side->map != NULL; k++)
            ends[k] = bw_transform_point(l->side->map, ends[k]);
        if (l->side->check && !bw_exact_range(ends, 2))
            return false;
        sum += edge->weight * half_swept(point, through, back, &ends[0], &ends[1]);
    }
    *winding += sum * over_two_pi;
    return true;
}

/* ---- points ---- */

static bool outside_bounds(const bw_locator *l, const bw_vec3 *point)
{
    bool outside = false;
    for (int k = 0; k < 3; k++) {
        const double x = bw_vec3_at(point, k);
        outside |= x < l->low[k] || x > l->high[k];
    }
    return outside;
}

/* The answer of a clear ray. */
static bw_result conclude(const bw_locator *l, const bw_vec3 *point, const bw_vec3 *through,
                          const crossings *c, bw_location *out)
{
    *out = (bw_location){.side = c->on    ? BW_SIDE_ON
                                 : c->odd ? BW_SIDE_INSIDE
                                          : BW_SIDE_OUTSIDE,
                         .certain = c->on || !l->open};
    if (out->certain)
        return BW_OK;
    double winding = (double)c->sum;
    if (!add_swept(l, point, through, &winding))
        return BW_ERROR_RANGE;
    out->winding = l->hand * winding;
    out->side = out->winding > 0.5 ? BW_SIDE_INSIDE : BW_SIDE_OUTSIDE;
    return BW_OK;
}

/* Rays through edges and corners are tried again in another direction. Directions are dense, edges are few:
 * an endless row of unclear rays does not happen, but a mesh of coordinates at both ends of the range might
 * make many. */
enum { ATTEMPTS = 256 };

bw_result bw_locate(const bw_locator *l, const bw_vec3 *point, const bw_allocator *allocator,
                    bw_location *out)
{
    *out = (bw_location){.side = BW_SIDE_OUTSIDE, .certain = !l->open};
    if (l->side->tree->node_count == 0 || (!l->open && outside_bounds(l, point)))
        return BW_OK;
    /* So far is a ray's second point that rounding leaves the directions as different as they are. */
    double reach = larger(l->reach, larger(fabs(point->x), larger(fabs(point->y), fabs(point->z))));
    if (reach == 0)
        reach = 1;
    for (uint32_t attempt = 0; attempt < ATTEMPTS; attempt++) {
        const bw_vec3 through = bw_vec3_add(*point, bw_vec3_scale(direction(l, point, attempt), reach));
        if (!bw_exact_range(&through, 1))
            continue; /* what cancels may leave too little */
        crossings c = {.point = point};
        const bw_result result =
            bw_ray_contacts(&l->target, l->level, point, &through, allocator, count_crossing, &c);
        if (result != BW_OK)
            return result;
        if (c.on || !c.unclear)
            return conclude(l, point, &through, &c, out);
    }
    return BW_ERROR_UNSUPPORTED;
}
