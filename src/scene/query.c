/* Region queries of scenes, one or many. */
#include "scene/scene.h"
#include "scene/traverse.h"

static bw_result run(const bw_scene *scene, const bw_region *region, bw_object_sink *sink)
{
    bw_region_test test = {0};
    bw_result result = bw_region_test_prepare(region, &test);
    if (result != BW_OK)
        return result;
    bw_traversal traversal;
    if (!bw_traverse_begin(&traversal, scene, sink->to.paths))
        return BW_ERROR_MEMORY;
    if (traversal.paths != NULL)
        return bw_traverse_region(&traversal, &test, sink);
    return scene->tree->kind->query(scene->tree, &test, sink);
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
