/* Best first: a heap of nodes by a lower bound of what they hold, for rays and for nearest objects. */
#include "base/stack.h"
#include "scene/scene.h"

#include <math.h>

typedef struct waiting {
    double bound;
    bw_stage_ref ref;
} waiting;

static bool push(bw_stack *heap, waiting item)
{
    if (bw_stack_push(heap) == NULL)
        return false;
    waiting *items = (waiting *)(void *)heap->items;
    size_t at = heap->count - 1;
    for (; at > 0 && items[(at - 1) / 2].bound > item.bound; at = (at - 1) / 2)
        items[at] = items[(at - 1) / 2];
    items[at] = item;
    return true;
}

static waiting pop(bw_stack *heap)
{
    waiting *items = (waiting *)(void *)heap->items;
    waiting top = items[0], item = items[--heap->count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= heap->count)
            break;
        child += child + 1 < heap->count && items[child + 1].bound < items[child].bound;
        if (items[child].bound >= item.bound)
            break;
        items[at] = items[child];
        at = child;
    }
    items[at] = item;
    return top;
}

static bool before(bw_scene_hit a, bw_scene_hit b)
{
    return a.value < b.value || (a.value == b.value && a.id < b.id);
}

bw_result bw_scene_cast(const bw_scene *scene, const bw_scene_ray *ray, bool any, bw_scene_hit *out)
{
    if (scene == NULL || ray == NULL || out == NULL)
        return BW_ERROR_ARGUMENT;
    bw_zone test = {0};
    bw_result result = bw_zone_prepare_ray(ray, &test);
    if (result != BW_OK)
        return result;
    bw_scene_hit best = {0, INFINITY};
    waiting first[256];
    bw_stack heap = bw_stack_over(first, sizeof first, sizeof *first, &scene->allocator);
    bw_stage_ref root = bw_stage_root(scene);
    double enters = root == 0 ? -1 : bw_zone_ray_enters(&test, bw_stage_bounds(scene));
    if (enters >= 0)
        push(&heap, (waiting){enters, root});
    bw_stage_expansion x;
    while (heap.count != 0 && result == BW_OK) {
        waiting at = pop(&heap);
        if (at.bound > best.value || (any && best.id != 0))
            break;
        bw_stage_expand(scene, at.ref, &x);
        for (uint32_t i = 0; i < x.objects; i++) {
            bw_scene_hit hit = {x.ids[i], bw_zone_ray_enters(&test, x.boxes[i])};
            if (hit.value >= 0 && before(hit, best))
                best = hit;
        }
        for (uint32_t c = 0; c < x.children && result == BW_OK; c++) {
            enters = bw_zone_ray_enters(&test, x.box[c]);
            if (enters >= 0 && enters <= best.value && !push(&heap, (waiting){enters, x.child[c]}))
                result = BW_ERROR_MEMORY;
        }
    }
    bw_stack_release(&heap);
    if (result != BW_OK)
        return result;
    *out = best.id == 0 ? (bw_scene_hit){0, 0} : best;
    return BW_OK;
}

/* Keeps the best k in order. */
static void keep(bw_scene_hit *hits, uint32_t *count, uint32_t k, bw_scene_hit hit)
{
    if (*count == k && !before(hit, hits[k - 1]))
        return;
    uint32_t at = *count < k ? (*count)++ : k - 1;
    for (; at > 0 && before(hit, hits[at - 1]); at--)
        hits[at] = hits[at - 1];
    hits[at] = hit;
}

bw_result bw_scene_nearest(const bw_scene *scene, bw_vec3 point, uint32_t k, bw_scene_hit *out,
                           uint32_t *found)
{
    if (scene == NULL || found == NULL || (k != 0 && out == NULL))
        return BW_ERROR_ARGUMENT;
    const double p[3] = {point.x, point.y, point.z};
    if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]))
        return BW_ERROR_NOT_FINITE;
    uint32_t wanted = k < bw_stage_objects(scene) ? k : bw_stage_objects(scene), count = 0;
    if (wanted == 0) {
        *found = 0;
        return BW_OK;
    }
    bw_scene_hit *hits = bw_allocate(&scene->allocator, wanted, sizeof *hits);
    if (hits == NULL)
        return BW_ERROR_MEMORY;
    waiting first[256];
    bw_stack heap = bw_stack_over(first, sizeof first, sizeof *first, &scene->allocator);
    push(&heap, (waiting){bw_zone_distance2(p, bw_stage_bounds(scene)), bw_stage_root(scene)});
    bw_result result = BW_OK;
    bw_stage_expansion x;
    while (heap.count != 0 && result == BW_OK) {
        waiting at = pop(&heap);
        if (count == wanted && at.bound > hits[wanted - 1].value)
            break;
        bw_stage_expand(scene, at.ref, &x);
        for (uint32_t i = 0; i < x.objects; i++)
            keep(hits, &count, wanted, (bw_scene_hit){x.ids[i], bw_zone_distance2(p, x.boxes[i])});
        for (uint32_t c = 0; c < x.children && result == BW_OK; c++) {
            double bound = bw_zone_distance2(p, x.box[c]);
            if ((count < wanted || bound <= hits[wanted - 1].value) &&
                !push(&heap, (waiting){bound, x.child[c]}))
                result = BW_ERROR_MEMORY;
        }
    }
    bw_stack_release(&heap);
    if (result == BW_OK) {
        memcpy(out, hits, count * sizeof *out);
        *found = count;
    }
    bw_release(&scene->allocator, hits, wanted, sizeof *hits);
    return result;
}
