/* Best-first search for rays and for nearest objects: a heap of nodes by a lower bound of what they hold. */
#include "base/fault.h"
#include "base/sized.h"
#include "base/stack.h"
#include "scene/paths.h"
#include "scene/traverse.h"

#include <math.h>

typedef struct waiting {
    double bound;
    bw_traversal_node node;
} waiting;

typedef struct search {
    bw_traversal traversal;
    const bw_region_test *ray; /* NULL: the distance from a point */
    double point[3];
    uint32_t wanted;
    bool any;      /* the first hit will do */
    bw_stack heap; /* of waiting */
    bw_stack hits; /* of bw_scene_hit, the best so far, in order */
    bool failed;
} search;

/* Where the ray enters a box, or its squared distance; below 0: the ray does not meet it. */
static double measure(const search *s, const float box[6])
{
    return s->ray != NULL ? bw_region_ray_enters(s->ray, box) : bw_region_distance2(s->point, box);
}

static void push(search *s, bw_traversal_node node, const float box[6])
{
    double bound = measure(s, box);
    const bw_scene_hit *hits = (const bw_scene_hit *)(void *)s->hits.items;
    if (bound < 0 || (s->hits.count == s->wanted && bound > hits[s->wanted - 1].value))
        return;
    if (bw_stack_push(&s->heap) == NULL) {
        s->failed = true;
        return;
    }
    waiting *items = (waiting *)(void *)s->heap.items;
    size_t at = s->heap.count - 1;
    for (; at > 0 && items[(at - 1) / 2].bound > bound; at = (at - 1) / 2)
        items[at] = items[(at - 1) / 2];
    items[at] = (waiting){bound, node};
}

static waiting pop(bw_stack *heap)
{
    waiting *items = (waiting *)(void *)heap->items;
    waiting top = items[0], item = items[--heap->count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < heap->count; at = child) {
        child += child + 1 < heap->count && items[child + 1].bound < items[child].bound;
        if (items[child].bound >= item.bound)
            break;
        items[at] = items[child];
    }
    items[at] = item;
    return top;
}

static bool before(const search *s, const bw_scene_hit *a, const bw_scene_hit *b)
{
    if (a->value != b->value)
        return a->value < b->value;
    if (a->id != b->id)
        return a->id < b->id;
    return a->path != b->path && bw_paths_compare(s->traversal.paths, a->path, b->path) < 0;
}

static void keep(search *s, bw_scene_hit hit)
{
    const bw_scene_hit *all = (const bw_scene_hit *)(void *)s->hits.items;
    if (s->hits.count == s->wanted) {
        if (!before(s, &hit, &all[s->wanted - 1]))
            return;
    } else if (bw_stack_push(&s->hits) == NULL) {
        s->failed = true;
        return;
    }
    bw_scene_hit *hits = (bw_scene_hit *)(void *)s->hits.items;
    size_t at = s->hits.count - 1;
    for (; at > 0 && before(s, &hit, &hits[at - 1]); at--)
        hits[at] = hits[at - 1];
    hits[at] = hit;
}

static void visit(search *s, bw_traversal_node node)
{
    bw_node_contents contents;
    bw_traverse_expand(&s->traversal, node, &contents);
    for (uint32_t begin = 0; begin < contents.objects && !s->failed; begin += BW_RUN) {
        bw_object_run run;
        bw_traverse_objects(&s->traversal, node, &contents, begin, &run);
        for (uint32_t i = 0; i < run.count && !s->failed; i++) {
            double value = measure(s, run.boxes[i]);
            if (value < 0)
                continue;
            if ((run.instances >> i & 1u) == 0) {
                keep(s, (bw_scene_hit){run.ids[i], value, node.path});
                continue;
            }
            bw_traversal_node root;
            float box[6];
            if (!bw_traverse_enter(&s->traversal, node, run.ids[i], &root, box))
                s->failed = true;
            else if (root.ref != 0)
                push(s, root, box);
        }
    }
    for (uint32_t c = 0; c < contents.children && !s->failed; c++)
        push(s, (bw_traversal_node){contents.child[c], node.path}, contents.box[c]);
}

static bw_result run(search *s, const bw_scene *scene, const bw_scene_search *desc, bw_scene_hit *out,
                     uint32_t *count)
{
    bw_result result = bw_desc_check(desc);
    if (result != BW_OK)
        return result;
    if (!bw_traverse_begin(&s->traversal, scene, desc == NULL ? NULL : desc->paths))
        return BW_ERROR_MEMORY;
    waiting first[256];
    bw_scene_hit few[16];
    s->heap = bw_stack_over(first, sizeof first, sizeof *first, &scene->allocator);
    s->hits = bw_stack_over(few, sizeof few, sizeof *few, &scene->allocator);
    bw_traversal_node root = bw_traverse_root(&s->traversal);
    if (root.ref != 0 && s->wanted != 0)
        push(s, root, bw_traverse_bounds(&s->traversal));
    while (s->heap.count != 0 && !s->failed && !(s->any && s->hits.count != 0)) {
        waiting at = pop(&s->heap);
        const bw_scene_hit *hits = (const bw_scene_hit *)(void *)s->hits.items;
        if (s->hits.count == s->wanted && at.bound > hits[s->wanted - 1].value)
            break;
        visit(s, at.node);
    }
    if (!s->failed) {
        if (s->hits.count != 0)
            memcpy(out, s->hits.items, s->hits.count * sizeof *out);
        *count = (uint32_t)s->hits.count;
    }
    bw_stack_release(&s->heap);
    bw_stack_release(&s->hits);
    return s->failed ? BW_ERROR_MEMORY : BW_OK;
}

bw_result bw_scene_cast(const bw_scene *scene, const bw_ray *ray, const bw_scene_search *desc,
                        bw_scene_hit *out, bw_fault *fault)
{
    if (scene == NULL || ray == NULL || out == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_region_test test = {0};
    bw_result result = bw_region_test_ray(ray, &test);
    if (result != BW_OK)
        return bw_fail(fault, result);
    search s = {.ray = &test, .wanted = 1, .any = desc != NULL && desc->any};
    bw_scene_hit hit = {0};
    uint32_t count;
    result = run(&s, scene, desc, &hit, &count);
    if (result == BW_OK)
        *out = hit;
    return bw_fail(fault, result);
}

bw_result bw_scene_nearest(const bw_scene *scene, bw_vec3 point, const bw_scene_search *desc,
                           bw_scene_hit *hits, uint32_t hit_capacity, uint32_t *hit_count, bw_fault *fault)
{
    if (scene == NULL || hit_count == NULL || (hit_capacity != 0 && hits == NULL))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    if (!isfinite(point.x) || !isfinite(point.y) || !isfinite(point.z))
        return bw_fail(fault, BW_ERROR_NOT_FINITE);
    search s = {.point = {point.x, point.y, point.z}, .wanted = hit_capacity};
    return bw_fail(fault, run(&s, scene, desc, hits, hit_count));
}
