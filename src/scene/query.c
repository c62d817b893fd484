/* Region queries of scenes, one or many. */
#include "base/stack.h"
#include "scene/scene.h"

typedef struct step {
    bw_stage_ref ref;
    uint32_t planes; /* PLANES: those that still cut; 0: all below is visible */
} step;

/* Planes of a mask that cut a box, with the one that turned it away last time first. */
static uint32_t cut_with_memory(const bw_zone *test, const float box[6], uint32_t planes, uint32_t number,
                                bool *outside)
{
    bw_plane_memory *memory = test->memory;
    uint8_t *last = memory != NULL && number < memory->capacity ? &memory->planes[number] : NULL;
    if (last != NULL && *last != 0 && (planes >> (*last - 1) & 1u) != 0 &&
        bw_zone_plane_far(&test->planes[*last - 1], box) < 0) {
        *outside = true;
        return 0;
    }
    uint32_t cut = 0;
    for (*outside = false; planes != 0; planes &= planes - 1) {
        uint32_t p = (uint32_t)__builtin_ctz(planes);
        if (bw_zone_plane_far(&test->planes[p], box) < 0) {
            if (last != NULL)
                *last = (uint8_t)(p + 1);
            *outside = true;
            return 0;
        }
        if (bw_zone_plane_near(&test->planes[p], box) < 0)
            cut |= 1u << p;
    }
    return cut;
}

static void test_objects(const bw_scene *scene, const bw_zone *test, uint32_t planes,
                         const bw_stage_expansion *x, bw_object_sink *sink)
{
    if (test->kind == BW_REGION_PLANES && planes == 0) {
        sink->report.untested += x->objects;
        bw_object_sink_put(sink, x->ids, x->objects);
        return;
    }
    sink->report.tested += x->objects;
    for (uint32_t begin = 0; begin < x->objects && !sink->stopped; begin += 32) {
        uint32_t count = x->objects - begin < 32 ? x->objects - begin : 32, n = 0;
        bw_id found[32];
        if (test->kind == BW_REGION_BOX) {
            uint32_t mask = bw_stage_boxes_meet(scene->simd, x->boxes + begin, count, test->query);
            for (; mask != 0; mask &= mask - 1)
                found[n++] = x->ids[begin + (uint32_t)__builtin_ctz(mask)];
        } else {
            for (uint32_t i = begin; i < begin + count; i++)
                if (bw_zone_meets(test, x->boxes[i]))
                    found[n++] = x->ids[i];
        }
        bw_object_sink_put(sink, found, n);
    }
}

/* Any region in either tree. */
static bw_result walk(const bw_scene *scene, const bw_zone *test, bw_object_sink *sink)
{
    step first[256];
    bw_stack stack = bw_stack_over(first, sizeof first, sizeof *first, &scene->allocator);
    bool planes = test->kind == BW_REGION_PLANES, outside = false;
    uint32_t all = test->plane_count == 32 ? UINT32_MAX : (1u << (test->plane_count & 31u)) - 1u;
    if (planes && test->memory != NULL)
        bw_zone_memory_reserve(test->memory, bw_stage_node_limit(scene));
    bw_stage_ref root = bw_stage_root(scene);
    uint32_t cut = 0;
    if (root != 0) {
        if (planes)
            cut = bw_zone_planes_cut(test, bw_stage_bounds(scene), all, &outside);
        else
            outside = !bw_zone_meets(test, bw_stage_bounds(scene));
        if (!outside)
            *(step *)bw_stack_push(&stack) = (step){root, cut};
    }
    bw_result result = BW_OK;
    bw_stage_expansion x;
    while (stack.count != 0 && result == BW_OK && !sink->stopped) {
        step at = *(step *)bw_stack_pop(&stack);
        bw_stage_expand(scene, at.ref, &x);
        sink->report.nodes++;
        if (x.objects != 0)
            test_objects(scene, test, at.planes, &x, sink);
        for (uint32_t c = x.children; c-- > 0 && result == BW_OK;) {
            cut = 0;
            if (!planes)
                outside = !bw_zone_meets(test, x.box[c]);
            else if (at.planes == 0)
                outside = false;
            else
                cut = cut_with_memory(test, x.box[c], at.planes, bw_stage_node_number(scene, x.child[c]),
                                      &outside);
            if (outside)
                continue;
            step *top = bw_stack_push(&stack);
            if (top == NULL)
                result = BW_ERROR_MEMORY;
            else
                *top = (step){x.child[c], cut};
        }
    }
    bw_stack_release(&stack);
    return result;
}

static bw_result run(const bw_scene *scene, const bw_region *region, bw_object_sink *sink)
{
    bw_zone test = {0};
    bw_result result = bw_zone_prepare(region, &test);
    if (result != BW_OK)
        return result;
    if (bw_stage_is_anchor(scene) && test.kind == BW_REGION_BOX)
        return bw_anchor_query_box(&scene->anchor, scene->simd, &scene->allocator, &test, sink);
    if (bw_stage_is_anchor(scene) && test.kind == BW_REGION_PLANES)
        return bw_anchor_query_planes(&scene->anchor, scene->simd, &scene->allocator, &test, sink);
    return walk(scene, &test, sink);
}

bw_result bw_scene_query(const bw_scene *scene, const bw_region *region, const bw_scene_output *output,
                         bw_scene_report *report)
{
    if (scene == NULL || region == NULL)
        return BW_ERROR_ARGUMENT;
    bw_object_sink sink = bw_object_sink_to(output);
    bw_result result = run(scene, region, &sink);
    if (result == BW_OK && report != NULL)
        *report = bw_object_sink_report(&sink);
    return result;
}

/* ---- many ---- */

typedef struct batch {
    const bw_scene *scene;
    const bw_region *regions;
    const bw_scene_output *outputs;
    bw_scene_report *reports; /* our own until all succeed */
    bw_result *results;       /* by worker: the failure with the smallest index */
    uint32_t *failed_at;
} batch;

static void run_some(void *user, uint32_t begin, uint32_t end, uint32_t worker)
{
    batch *b = user;
    for (uint32_t i = begin; i < end; i++) {
        bw_object_sink sink = bw_object_sink_to(b->outputs == NULL ? NULL : &b->outputs[i]);
        bw_result result = run(b->scene, &b->regions[i], &sink);
        b->reports[i] = bw_object_sink_report(&sink);
        if (result != BW_OK && i < b->failed_at[worker]) {
            b->results[worker] = result;
            b->failed_at[worker] = i;
        }
    }
}

bw_result bw_scene_query_many(const bw_scene *scene, const bw_region *regions, uint32_t count,
                              const bw_scene_output *outputs, bw_scene_report *reports)
{
    if (scene == NULL || (count != 0 && regions == NULL))
        return BW_ERROR_ARGUMENT;
    if (count == 0)
        return BW_OK;
    bw_result results[BW_MAX_WORKERS];
    uint32_t failed_at[BW_MAX_WORKERS];
    uint32_t workers = scene->has_tasks ? scene->tasks.worker_count : 1;
    for (uint32_t w = 0; w < workers; w++) {
        results[w] = BW_OK;
        failed_at[w] = UINT32_MAX;
    }
    batch b = {scene, regions, outputs, NULL, results, failed_at};
    b.reports = bw_allocate(&scene->allocator, count, sizeof *b.reports);
    if (b.reports == NULL)
        return BW_ERROR_MEMORY;
    if (scene->has_tasks)
        scene->tasks.parallel_for(scene->tasks.user, run_some, &b, count, 8);
    else
        run_some(&b, 0, count, 0);
    uint32_t worst = 0;
    for (uint32_t w = 1; w < workers; w++)
        worst = failed_at[w] < failed_at[worst] ? w : worst;
    if (results[worst] == BW_OK && reports != NULL)
        memcpy(reports, b.reports, count * sizeof *reports);
    bw_release(&scene->allocator, b.reports, count, sizeof *b.reports);
    return results[worst];
}
