/* Rays: the scene finds bodies by their boxes, nearest first, and what is in them decides. */
#include "base/fault.h"
#include "base/sized.h"
#include "base/tasks.h"
#include "geom/vec.h"
#include "scene/search/nearest.h"
#include "world/filters.h"

#include <boxwood/nearest.h>
#include <math.h>
#include <string.h>

typedef struct casting {
    const bw_world *world;
    const bw_world_filter *filter;
    const bw_ray *ray;
    bw_result result;
} casting;

/* Where the ray meets a body up to limit, and its primitive; negative: nowhere. */
static double cast_at(casting *c, const bw_member *m, double limit, uint32_t *primitive)
{
    bw_ray ray = *c->ray;
    if (m->is_shape) {
        const bw_placed_shape placed = bw_member_shape(m);
        bw_shape_ray_hit hit;
        c->result = bw_shape_raycast(&placed, &ray, &hit, NULL);
        *primitive = BW_NONE;
        return c->result == BW_OK && hit.hit ? hit.t : -1;
    }
    if (limit > 0 && limit < INFINITY)
        ray.t_max = limit;
    const bw_body body = bw_member_body(m);
    const bw_raycast_desc desc = {.allocator = &c->world->allocator};
    bw_ray_hit hit;
    c->result = bw_raycast(&body, &ray, &desc, &hit, NULL, NULL);
    *primitive = hit.primitive;
    return c->result == BW_OK && hit.primitive != BW_NONE ? hit.t : -1;
}

static double value_along(void *user, bw_id id, uint32_t path, double bound, double limit)
{
    casting *c = user;
    (void)path;
    (void)bound;
    const bw_member *m = bw_member_at(c->world, bw_place_of(id));
    uint32_t primitive;
    if (c->result != BW_OK || !bw_filter_passes(c->filter, m))
        return -1;
    return cast_at(c, m, limit, &primitive);
}

/* The way of a ray of length one t. */
static bw_vec3 direction_of(const bw_ray *ray)
{
    return ray->between ? bw_vec3_sub(ray->direction, ray->origin) : ray->direction;
}

static bw_result describe(casting *c, const bw_scene_hit *hit, bw_world_ray_hit *out)
{
    const bw_member *m = bw_member_at(c->world, bw_place_of(hit->id));
    *out = (bw_world_ray_hit){.id = hit->id, .primitive = BW_NONE, .t = hit->value};
    if (m->is_shape) {
        const bw_placed_shape placed = bw_member_shape(m);
        bw_shape_ray_hit at;
        c->result = bw_shape_raycast(&placed, c->ray, &at, NULL);
        out->point = at.point;
        out->normal = at.normal;
        return c->result;
    }
    cast_at(c, m, INFINITY, &out->primitive);
    if (c->result != BW_OK)
        return c->result;
    const bw_vec3 way = direction_of(c->ray),
                  at = bw_vec3_add(c->ray->origin, bw_vec3_scale(way, hit->value));
    const bw_body body = bw_member_body(m);
    bw_surface_point place;
    c->result = bw_surface_at(&body, out->primitive, &at, &place, NULL);
    out->point = place.point;
    out->normal = bw_vec3_dot(place.normal, way) > 0 ? bw_vec3_scale(place.normal, -1) : place.normal;
    memcpy(out->weights, place.weights, sizeof out->weights);
    return c->result;
}

static bw_result cast_one(const bw_world *world, const bw_ray *ray, const bw_world_filter *filter,
                          bw_world_ray_hit *hits, uint32_t capacity, uint32_t *count)
{
    casting c = {.world = world, .filter = filter, .ray = ray};
    const bw_scene_search desc = {.value_of = value_along, .user = &c};
    bw_scene_hit few[16], *found = few;
    if (capacity > 16 && (found = bw_allocate(&world->allocator, capacity, sizeof *found)) == NULL)
        return BW_ERROR_MEMORY;
    uint32_t n = 0;
    bw_result result = bw_scene_search_first(world->scene, ray, NULL, &desc, found, capacity, &n);
    result = c.result != BW_OK ? c.result : result;
    for (uint32_t i = 0; i < n && result == BW_OK; i++)
        result = describe(&c, &found[i], &hits[i]);
    if (result == BW_OK)
        *count = n;
    if (capacity > 16)
        bw_release(&world->allocator, found, capacity, sizeof *found);
    return result;
}

bw_result bw_world_raycast(const bw_world *world, const bw_ray *ray, const bw_world_filter *filter,
                           bw_world_ray_hit *hits, uint32_t hit_capacity, uint32_t *hit_count,
                           bw_fault *fault)
{
    if (world == NULL || ray == NULL || hit_count == NULL || (hit_capacity != 0 && hits == NULL))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    const bw_result result = bw_desc_check(filter);
    if (result != BW_OK)
        return bw_fail(fault, result);
    return bw_fail(fault, cast_one(world, ray, filter, hits, hit_capacity, hit_count));
}

typedef struct rays {
    const bw_world *world;
    const bw_ray *rays;
    const bw_world_filter *filter;
    bw_world_ray_hit *hits;
    bw_result *results; /* by ray */
} rays;

static void cast_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    rays *r = context;
    (void)worker;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t count = 0;
        bw_world_ray_hit hit = {.primitive = BW_NONE, .t = INFINITY};
        r->results[i] = cast_one(r->world, &r->rays[i], r->filter, &hit, 1, &count);
        if (r->results[i] == BW_OK)
            r->hits[i] = hit;
    }
}

bw_result bw_world_raycast_many(const bw_world *world, const bw_ray *given, uint32_t ray_count,
                                const bw_world_filter *filter, bw_world_ray_hit *hits, bw_fault *fault)
{
    if (world == NULL || (ray_count != 0 && (given == NULL || hits == NULL)))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_result result = bw_desc_check(filter);
    if (result != BW_OK || ray_count == 0)
        return bw_fail(fault, result);
    rays r = {world, given, filter, hits, bw_allocate(&world->allocator, ray_count, sizeof *r.results)};
    if (r.results == NULL)
        return bw_fail(fault, BW_ERROR_MEMORY);
    bw_parallel(bw_world_tasks(world), cast_range, &r, ray_count, 64);
    uint32_t first = 0;
    while (first < ray_count && r.results[first] == BW_OK)
        first++;
    result = first < ray_count ? r.results[first] : BW_OK;
    bw_release(&world->allocator, r.results, ray_count, sizeof *r.results);
    return result == BW_OK ? bw_fail(fault, BW_OK) : bw_fail_at(fault, result, first);
}
