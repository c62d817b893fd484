/* Overlaps and distances of a shape: the scene finds bodies by their boxes, and what is in them decides. */
#include "world/query.h"

#include "base/fault.h"
#include "base/sized.h"
#include "scene/search/nearest.h"
#include "world/filters.h"

#include <math.h>
#include <stdlib.h>

static bw_result touches_member(const bw_world *world, const bw_placed_shape *shape, const bw_member *m,
                                bool *touches, bw_fault *fault)
{
    if (m->is_shape) {
        const bw_placed_shape other = bw_member_shape(m);
        bw_contact_kind kind;
        const bw_result result = bw_shape_overlap(shape, &other, &kind, fault);
        *touches = result == BW_OK && kind != BW_CONTACT_NONE;
        return result;
    }
    const bw_body body = bw_member_body(m);
    const bw_shape_collide_desc desc = {.mode = BW_COLLIDE_ANY, .allocator = &world->allocator};
    bw_shape_collide_report report = {0};
    const bw_result result = bw_shape_collide_body(shape, &body, &desc, &report, fault);
    *touches = result == BW_OK && report.hit_count != 0;
    return result;
}

static int by_id(const void *x, const void *y)
{
    const bw_id a = *(const bw_id *)x, b = *(const bw_id *)y;
    return (a > b) - (a < b);
}

bw_result bw_world_in_box(const bw_world *world, const bw_box *box, bw_stack *ids)
{
    const bw_region region = {.kind = BW_REGION_BOX, .box = *box};
    bw_scene_report report = {0};
    bw_scene_output output = {.ids = (bw_id *)(void *)ids->items, .id_capacity = ids->capacity};
    bw_result result = bw_scene_query(world->scene, &region, &output, &report, NULL);
    if (result == BW_OK && report.found_count > ids->capacity) {
        if (!bw_stack_grow(ids, report.found_count))
            return BW_ERROR_MEMORY;
        output.ids = (bw_id *)(void *)ids->items;
        output.id_capacity = ids->capacity;
        result = bw_scene_query(world->scene, &region, &output, &report, NULL);
    }
    ids->count = result == BW_OK ? report.found_count : 0;
    if (ids->count != 0)
        qsort(ids->items, ids->count, sizeof(bw_id), by_id);
    return result;
}

bw_box bw_box_clipped(bw_box box)
{
    for (int i = 0; i < 3; i++) {
        box.min[i] = fminf(fmaxf(box.min[i], -BW_SCENE_COORDINATE_MAX), BW_SCENE_COORDINATE_MAX);
        box.max[i] = fminf(fmaxf(box.max[i], -BW_SCENE_COORDINATE_MAX), BW_SCENE_COORDINATE_MAX);
    }
    return box;
}

bw_result bw_world_overlap(const bw_world *world, const bw_placed_shape *shape, const bw_world_filter *filter,
                           bw_id *ids, uint32_t id_capacity, uint32_t *id_count, bw_fault *fault)
{
    if (world == NULL || shape == NULL || id_count == NULL || (id_capacity != 0 && ids == NULL))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_box box;
    bw_result result = bw_desc_check(filter);
    if (result != BW_OK)
        return bw_fail(fault, result);
    result = bw_shape_bounds(shape, &box, fault);
    if (result != BW_OK)
        return result;
    box = bw_box_clipped(box);
    bw_id few[256];
    bw_stack found = bw_stack_over(few, sizeof few, sizeof *few, &world->allocator);
    result = bw_fail(fault, bw_world_in_box(world, &box, &found));
    uint32_t count = 0;
    for (size_t i = 0; i < found.count && result == BW_OK; i++) {
        const bw_id id = ((const bw_id *)(void *)found.items)[i];
        const bw_member *m = bw_member_at(world, bw_place_of(id));
        bool touches = false;
        if (bw_filter_passes(filter, m))
            result = touches_member(world, shape, m, &touches, fault);
        if (touches && count < id_capacity)
            ids[count] = id;
        count += touches;
    }
    bw_stack_release(&found);
    if (result == BW_OK)
        *id_count = count;
    return result;
}

/* ---- distances ---- */

typedef struct measuring {
    const bw_world *world;
    const bw_world_filter *filter;
    const bw_placed_shape *shape;
    bw_world_distance_report best;
    bw_result result;
} measuring;

static bw_result distance_to(const measuring *d, const bw_member *m, double limit, bw_shape_nearest *out,
                             uint32_t *primitive)
{
    *primitive = BW_NONE;
    if (m->is_shape) {
        const bw_placed_shape other = bw_member_shape(m);
        return bw_shape_distance(d->shape, &other, NULL, out, NULL);
    }
    const bw_body body = bw_member_body(m);
    const bw_shape_distance_desc desc = {.max_distance = limit < INFINITY ? limit : 0,
                                         .allocator = &d->world->allocator};
    bw_shape_distance_report report = {0};
    const bw_result result = bw_shape_distance_body(d->shape, &body, &desc, &report, NULL);
    if (result == BW_OK) {
        *out = report.nearest;
        *primitive = report.primitive;
    }
    return result;
}

static double value_near(void *user, bw_id id, uint32_t path, double bound, double limit)
{
    measuring *d = user;
    (void)path;
    (void)bound;
    const bw_member *m = bw_member_at(d->world, bw_place_of(id));
    if (d->result != BW_OK || !bw_filter_passes(d->filter, m))
        return -1;
    bw_shape_nearest nearest;
    uint32_t primitive;
    /* A little beyond the limit, so that its root, rounded, does not leave out what is at it. */
    d->result = distance_to(d, m, sqrt(limit) * (1 + 1e-15), &nearest, &primitive);
    if (d->result != BW_OK || !(nearest.distance * nearest.distance <= limit))
        return -1;
    const bw_world_distance_report *best = &d->best;
    if (nearest.distance < best->distance || (nearest.distance == best->distance && id < best->id))
        d->best = (bw_world_distance_report){.distance = nearest.distance,
                                             .id = id,
                                             .primitive = primitive,
                                             .point = nearest.point_b,
                                             .point_shape = nearest.point_a};
    return nearest.distance * nearest.distance;
}

bw_result bw_world_distance(const bw_world *world, const bw_placed_shape *shape, double max_distance,
                            const bw_world_filter *filter, bw_world_distance_report *report, bw_fault *fault)
{
    if (world == NULL || shape == NULL || report == NULL || !(max_distance >= 0))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_result result = bw_sizes_check(filter, report);
    if (result != BW_OK)
        return bw_fail(fault, result);
    bw_box box;
    result = bw_shape_bounds(shape, &box, fault);
    if (result != BW_OK)
        return result;
    measuring d = {.world = world,
                   .filter = filter,
                   .shape = shape,
                   .best = {.distance = INFINITY, .primitive = BW_NONE}};
    const bw_scene_search how = {
        .value_of = value_near, .user = &d, .max_value = max_distance * max_distance};
    double around[6];
    for (int i = 0; i < 3; i++) {
        around[i] = (double)box.min[i];
        around[i + 3] = (double)box.max[i];
    }
    bw_scene_hit hit;
    uint32_t count;
    result = bw_scene_search_first(world->scene, NULL, around, &how, &hit, 1, &count);
    result = d.result != BW_OK ? d.result : result;
    if (result == BW_OK)
        bw_report_set(report, d.best);
    return bw_fail(fault, result);
}
