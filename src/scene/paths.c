/* Paths of instances: each is its last instance and the path above, and so has one number. */
#include "scene/paths.h"

#include "base/fault.h"
#include "base/sized.h"
#include "scene/instances.h"

bw_result bw_scene_paths_create(const bw_allocator *allocator, bw_scene_paths **out)
{
    if (out == NULL)
        return BW_ERROR_ARGUMENT;
    bw_allocator hook = bw_allocator_or_heap(allocator);
    bw_scene_paths *paths = bw_allocate_zero(&hook, 1, sizeof *paths);
    if (paths == NULL)
        return BW_ERROR_MEMORY;
    paths->allocator = hook;
    paths->paths = bw_array_of(sizeof(bw_path), &paths->allocator);
    paths->ids = bw_array_of(sizeof(bw_id), &paths->allocator);
    *out = paths;
    return BW_OK;
}

void bw_scene_paths_destroy(bw_scene_paths *paths)
{
    if (paths == NULL)
        return;
    bw_allocator hook = paths->allocator;
    bw_key_map_release(&paths->index, &hook);
    bw_array_release(&paths->paths);
    bw_array_release(&paths->ids);
    bw_release(&hook, paths, 1, sizeof *paths);
}

void bw_scene_paths_reset(bw_scene_paths *paths)
{
    if (paths == NULL)
        return;
    paths->paths.count = 0;
    bw_key_map_clear(&paths->index);
}

bw_result bw_scene_paths_get(bw_scene_paths *paths, uint32_t path, bw_scene_path *out, bw_fault *fault)
{
    if (paths == NULL || out == NULL || path >= paths->paths.count)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    if (bw_report_check(out) != BW_OK)
        return bw_fail(fault, bw_report_check(out));
    const bw_path *p = bw_path_at(paths, path);
    bw_id *ids = (bw_id *)(void *)paths->ids.items;
    for (const bw_path *up = p; up->depth != 0; up = bw_path_at(paths, up->above))
        ids[up->depth - 1] = up->instance;
    bw_scene_path found = {.instance_count = p->depth, .scene = p->scene, .instances = ids, .pose = p->pose};
    bw_report_set(out, found);
    return bw_fail(fault, BW_OK);
}

bool bw_paths_begin(bw_scene_paths *paths, const bw_scene *scene)
{
    if (paths->paths.count == 0 && bw_array_push(&paths->paths) == NULL)
        return false;
    if (++paths->round == 0) {
        for (uint32_t i = 0; i < paths->paths.count; i++)
            bw_path_at(paths, i)->round = 0;
        paths->round = 1;
    }
    *bw_path_at(paths, 0) = (bw_path){.scene = scene, .pose = bw_transform_identity(), .round = paths->round};
    return true;
}

/* Brings a path up to date whose path above is. False: its instance is gone. */
static bool refresh(bw_scene_paths *paths, bw_path *path)
{
    const bw_path *above = bw_path_at(paths, path->above);
    const bw_instance *instance = bw_instances_find(above->scene, path->instance);
    if (instance == NULL)
        return false;
    path->scene = instance->child;
    path->pose = above->depth == 0 ? instance->pose : bw_transform_multiply(&above->pose, &instance->pose);
    path->depth = above->depth + 1;
    path->round = paths->round;
    return true;
}

uint32_t bw_paths_extend(bw_scene_paths *paths, uint32_t above, bw_id instance)
{
    const uint32_t *known = bw_key_map_find(&paths->index, instance, above);
    uint32_t number;
    if (known != NULL) {
        number = *known;
    } else {
        uint32_t depth = bw_path_at(paths, above)->depth + 1;
        if (paths->paths.count == UINT32_MAX ||
            (depth > paths->ids.capacity && !bw_array_grow(&paths->ids, depth)))
            return 0;
        number = (uint32_t)paths->paths.count;
        bw_path *path = bw_array_push(&paths->paths);
        if (path == NULL)
            return 0;
        *path = (bw_path){.above = above, .instance = instance};
        if (!bw_key_map_add(&paths->index, &paths->allocator, instance, above, number)) {
            paths->paths.count--;
            return 0;
        }
    }
    bw_path *path = bw_path_at(paths, number);
    if (path->round != paths->round)
        refresh(paths, path);
    return number;
}

bool bw_paths_follow(bw_scene_paths *paths, uint32_t number)
{
    if (number >= paths->paths.count)
        return false;
    bw_path *path = bw_path_at(paths, number);
    return path->round == paths->round || (bw_paths_follow(paths, path->above) && refresh(paths, path));
}

int bw_paths_compare(const bw_scene_paths *paths, uint32_t a, uint32_t b)
{
    int order = 0;
    const bw_path *p = bw_path_at(paths, a), *q = bw_path_at(paths, b);
    if (p->depth != q->depth)
        return p->depth < q->depth ? -1 : 1;
    /* The outermost difference counts, and comes last on the way up. */
    for (; p != q; p = bw_path_at(paths, p->above), q = bw_path_at(paths, q->above))
        if (p->instance != q->instance)
            order = p->instance < q->instance ? -1 : 1;
    return order;
}
