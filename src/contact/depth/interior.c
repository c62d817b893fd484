/* Points inside both bodies, and how deep they are. */
#include "contact/depth/interior.h"

#include "contact/inside/winding.h"
#include "contact/unit.h"

bw_result bw_interior_prepare(const bw_body *body, const bw_allocator *allocator, bw_interior_side *out)
{
    out->body = body;
    out->allocator = allocator;
    return bw_metric_prepare(body, &out->metric);
}

bw_result bw_interior_inside(const bw_interior_side *side, bw_vec3 point, bool *inside)
{
    int32_t winding = 0;
    bool on_surface = false;
    const bw_result result =
        bw_winding_of_point(&side->metric, point, side->allocator, &winding, &on_surface);
    *inside = !on_surface && (winding & 1) != 0;
    return result;
}

double bw_interior_certain(bw_vec3 point, double distance)
{
    const double size = fmax(fabs(point.x), fmax(fabs(point.y), fabs(point.z)));
    return distance * (1.0 - 0x1p-38) - 0x1p-38 * size;
}

/* A point inside both bodies. */
typedef struct deep {
    bw_vec3 point;
    double lower; /* not above zero: not inside both */
    bw_vec3 exit; /* as b is moved */
} deep;

static bw_result measure(const bw_interior_side sides[2], bw_vec3 point, double known, deep *out)
{
    *out = (deep){.point = point};
    if (!bw_exact_range(&point, 1))
        return BW_OK;
    bw_nearest_hit hits[2];
    bw_result result = BW_OK;
    for (int i = 0; i < 2 && result == BW_OK; i++) {
        const bw_nearest_desc desc = {.allocator = sides[i].allocator};
        result = bw_nearest(sides[i].body, &point, &desc, &hits[i], NULL, NULL);
    }
    if (result != BW_OK)
        return result;
    const int far = hits[1].distance > hits[0].distance;
    const double lower = bw_interior_certain(point, hits[far].distance);
    bool inside = lower > known && hits[1 - far].distance > 0.0;
    for (int i = 0; i < 2 && result == BW_OK && inside; i++)
        result = bw_interior_inside(&sides[i], point, &inside);
    if (result == BW_OK && inside) {
        /* Inside a, b has to take the point to a's surface; inside b, b's surface has to come to it. */
        const bw_vec3 way = bw_vec3_sub(hits[far].point, point);
        out->lower = lower;
        out->exit = far == 0 ? way : bw_vec3_scale(way, -1.0);
    }
    return result;
}

static void take(bw_depth_bound *bound, const deep *found)
{
    if (found->lower > bound->lower)
        *bound = (bw_depth_bound){found->lower, found->exit, found->point};
}

enum { CLIMBS = 48, WAYS = 14, SEEDS = 32, HALVINGS = 8 };

/* A pattern search: away from the surface and in all kinds of directions, by steps that shrink where none
 * leads deeper. Directions are others each time, for along a ridge only few lead up. */
static bw_result climb(const bw_interior_side sides[2], double step, bw_depth_bound *bound)
{
    for (int i = 0; i < CLIMBS && bound->lower > 0.0; i++) {
        const bw_vec3 away = bw_unit(bound->exit), start = bound->point;
        const double before = bound->lower;
        for (uint32_t k = 0; k < WAYS; k++) {
            const bw_vec3 way = k < 2 ? away : bw_unit(bw_winding_direction((WAYS * (uint32_t)i + k) / 2));
            deep next;
            const bw_result result =
                measure(sides, bw_vec3_add(start, bw_vec3_scale(way, k % 2 == 0 ? step : -step)),
                        bound->lower, &next);
            if (result != BW_OK)
                return result;
            take(bound, &next);
        }
        step *= bound->lower > before ? 1.0 : 0.5;
    }
    return BW_OK;
}

/* Beneath a contact: behind the faces of a and, less the normal, of b. */
static bw_result try_beneath(const bw_interior_side sides[2], const bw_contact *contact, double size,
                             bw_depth_bound *bound)
{
    bw_result result = BW_OK;
    for (int i = 0; i < 2 * HALVINGS && result == BW_OK; i++) {
        const double way = ldexp(i % 2 == 0 ? -size : size, -1 - i / 2);
        deep found;
        result = measure(sides, bw_vec3_add(contact->point, bw_vec3_scale(contact->normal, way)),
                         bound->lower, &found);
        take(bound, &found);
    }
    return result;
}

/* The body's box in the world. */
typedef struct extent {
    double low[3], high[3];
} extent;

static double longest_side(const extent *e)
{
    return fmax(e->high[0] - e->low[0], fmax(e->high[1] - e->low[1], e->high[2] - e->low[2]));
}

/* Points spread over what the boxes have in common. */
static bw_result try_common(const bw_interior_side sides[2], const extent *a, const extent *b,
                            bw_depth_bound *bound)
{
    bw_result result = BW_OK;
    for (uint32_t i = 0; i < 2 * SEEDS && result == BW_OK; i++) {
        const bw_vec3 way = i == 0 ? (bw_vec3){0.0, 0.0, 0.0} : bw_winding_direction(i);
        double p[3];
        for (int k = 0; k < 3; k++) {
            const double low = fmax(a->low[k], b->low[k]), high = fmin(a->high[k], b->high[k]);
            p[k] = 0.5 * (low + high) + 0.5 * (high - low) * bw_vec3_at(&way, k);
        }
        deep found;
        result = measure(sides, (bw_vec3){p[0], p[1], p[2]}, bound->lower, &found);
        take(bound, &found);
    }
    return result;
}

bw_result bw_interior_bound(const bw_contact_query *query, bw_overlaps *overlaps)
{
    bw_interior_side sides[2];
    bw_result result = bw_interior_prepare(query->frame.a, &query->allocator, &sides[0]);
    if (result == BW_OK)
        result = bw_interior_prepare(query->frame.b, &query->allocator, &sides[1]);
    if (result != BW_OK)
        return result;
    extent a, b;
    bw_metric_bounds(&sides[0].metric, a.low, a.high);
    bw_metric_bounds(&sides[1].metric, b.low, b.high);
    const double size = fmin(longest_side(&a), longest_side(&b));
    result = try_common(sides, &a, &b, &overlaps->bodies);
    const uint32_t stride = query->contact_count / SEEDS + 1;
    for (uint32_t i = 0; result == BW_OK && i < query->contact_count; i += stride)
        result = try_beneath(sides, &query->contacts[i], size, &overlaps->bodies);
    for (uint32_t r = 0; result == BW_OK && r < query->region_count && r < SEEDS; r++) {
        deep found;
        result = measure(sides, query->regions[r].point, overlaps->bodies.lower, &found);
        take(&overlaps->bodies, &found);
    }
    if (result == BW_OK)
        result = climb(sides, 0.25 * size, &overlaps->bodies);
    return result;
}
