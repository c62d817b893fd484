/* Best-first search for rays and for nearest objects: a heap of nodes by a lower bound of what they hold. */
#include "scene/search/nearest.h"
#include "base/best_first.h"
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
    const bw_region_test *ray; /* NULL: the distance from a box */
    double low[3], high[3];
    const bw_scene_search *how;
    double limit; /* beyond which nothing is wanted */
    uint32_t wanted;
    bool any;      /* the first hit will do */
    bw_stack heap; /* of waiting */
    bw_stack hits; /* of bw_scene_hit, the best so far, in order */
    bool failed;
} search;

/* The values of objects are rounded, and so are those of boxes: by how much less than a box's value one may be. */
static const double SHARE = 1e-11;

static double box_distance2(const search *s, const float box[6])
{
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double below = (double)box[i] - s->high[i], above = s->low[i] + (double)box[i + 3];
        double gap = below > above ? below : above;
        gap = gap > 0 ? gap : 0;
        sum += gap * gap;
    }
    return sum;
}

/* Where the ray enters a box, or its squared distance; below 0: the ray does not meet it. */
static double measure(const search *s, const float box[6])
{
    return s->ray != NULL ? bw_region_ray_enters(s->ray, box) : box_distance2(s, box);
}

/* The value beyond which nothing is wanted any more. */
static double limit_of(const search *s)
{
    const bw_scene_hit *hits = (const bw_scene_hit *)(void *)s->hits.items;
    return s->hits.count == s->wanted ? hits[s->wanted - 1].value : s->limit;
}

/* Whether what is in a box with this value may still be wanted. */
static bool may_count(const search *s, double bound)
{
    double limit = limit_of(s);
    return bound >= 0 && !(bound > (s->how->value_of == NULL ? limit : limit + SHARE * limit));
}

static inline bool nearer(const waiting *a, const waiting *b)
{
    return a->bound < b->bound;
}

BW_BEST_FIRST(waiting, waiting, nearer)

static void push(search *s, bw_traversal_node node, const float box[6])
{
    double bound = measure(s, box);
    if (!may_count(s, bound))
        return;
    if (bw_stack_push(&s->heap) == NULL) {
        s->failed = true;
        return;
    }
    waiting_put((waiting *)(void *)s->heap.items, s->heap.count, (waiting){bound, node});
}

static waiting pop(bw_stack *heap)
{
    waiting *items = (waiting *)(void *)heap->items;
    waiting top = items[0], last = items[--heap->count];
    waiting_replace(items, heap->count, last);
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
                if (!may_count(s, value))
                    continue;
                if (s->how->value_of != NULL)
                    value = s->how->value_of(s->how->user, run.ids[i], node.path, value, limit_of(s));
                if (!(value >= 0 && value <= limit_of(s)))
                    continue;
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

static bw_result run(search *s, const bw_scene *scene, bw_scene_hit *out, uint32_t *count)
{
    if (!bw_traverse_begin(&s->traversal, scene, s->how->paths))
        return BW_ERROR_MEMORY;
    waiting first[256];
    bw_scene_hit few[16];
    s->heap = bw_stack_over(first, sizeof first, sizeof *first, &scene->allocator);
    s->hits = bw_stack_over(few, sizeof few, sizeof *few, &scene->allocator);
    bw_traversal_node root = bw_traverse_root(&s->traversal);
    if (root.ref != 0 && s->wanted != 0)
        push(s, root, bw_traverse_bounds(&s->traversal));
    while (s->heap.count != 0 && !s->failed && !(s->how->any && s->hits.count != 0)) {
        waiting at = pop(&s->heap);
        if (!may_count(s, at.bound))
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

bw_result bw_scene_search_first(const bw_scene *scene, const bw_ray *ray, const double around[6],
                                const bw_scene_search *desc, bw_scene_hit *hits, uint32_t hit_capacity,
                                uint32_t *hit_count)
{
    bw_result result = bw_desc_check(desc);
    if (result != BW_OK)
        return result;
    if (desc != NULL && !(desc->max_value >= 0))
        return BW_ERROR_ARGUMENT;
    bw_scene_search how = {0};
    if (desc != NULL)
        how = *desc;
    search s = {.how = &how, .wanted = hit_capacity, .limit = how.max_value > 0 ? how.max_value : INFINITY};
    bw_region_test test = {0};
    if (ray != NULL) {
        result = bw_region_test_ray(ray, &test);
        if (result != BW_OK)
            return result;
        /* Two roundings each of entry and exit, and one of a direction between two points: 16 of them are enough. */
        test.slack = how.value_of != NULL ? 16 * 0x1p-53 : 0;
        s.ray = &test;
    }
    for (int i = 0; ray == NULL && i < 3; i++) {
        s.low[i] = around[i];
        s.high[i] = around[i + 3];
    }
    return run(&s, scene, hits, hit_count);
}

bw_result bw_scene_cast(const bw_scene *scene, const bw_ray *ray, const bw_scene_search *desc,
                        bw_scene_hit *out, bw_fault *fault)
{
    if (scene == NULL || ray == NULL || out == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_scene_hit hit = {0};
    uint32_t count;
    bw_result result = bw_scene_search_first(scene, ray, NULL, desc, &hit, 1, &count);
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
    const double around[6] = {point.x, point.y, point.z, point.x, point.y, point.z};
    return bw_fail(fault, bw_scene_search_first(scene, NULL, around, desc, hits, hit_capacity, hit_count));
}
