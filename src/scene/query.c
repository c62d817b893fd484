/* Region queries of scenes, one or many. */
#include "base/fault.h"
#include "base/sized.h"
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
                         bw_scene_report *report, bw_fault *fault)
{
    if (scene == NULL || region == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_result result = bw_sizes_check(output, report);
    if (result != BW_OK)
        return bw_fail(fault, result);
    bw_object_sink sink = bw_object_sink_to(output);
    result = run(scene, region, &sink);
    if (result == BW_OK && report != NULL)
        bw_report_set(report, bw_object_sink_report(&sink));
    return bw_fail(fault, result);
}

/* ---- many ---- */

/* Arrays of structures that begin with their size: all have that of the first. */
static size_t stride(const void *first, size_t own)
{
    uint32_t size = first == NULL ? 0 : *(const uint32_t *)first;
    return size == 0 ? own : size;
}

typedef struct batch {
    const bw_scene *scene;
    const char *regions, *outputs; /* outputs may be NULL */
    size_t region_stride, output_stride;
    bw_scene_report *reports; /* our own until all succeed */
    bw_result *results;       /* by worker: the failure with the smallest index */
    uint32_t *failed_at;
} batch;

static void run_some(void *user, uint32_t begin, uint32_t end, uint32_t worker)
{
    batch *b = user;
    for (uint32_t i = begin; i < end; i++) {
        const bw_scene_output *output =
            b->outputs == NULL ? NULL : (const void *)(b->outputs + i * b->output_stride);
        bw_object_sink sink = bw_object_sink_to(output);
        bw_result result = bw_desc_check(output);
        if (result == BW_OK)
            result = run(b->scene, (const void *)(b->regions + i * b->region_stride), &sink);
        b->reports[i] = bw_object_sink_report(&sink);
        if (result != BW_OK && i < b->failed_at[worker]) {
            b->results[worker] = result;
            b->failed_at[worker] = i;
        }
    }
}

bw_result bw_scene_query_many(const bw_scene *scene, const bw_region *regions, uint32_t region_count,
                              const bw_scene_output *outputs, bw_scene_report *reports, bw_fault *fault)
{
    if (scene == NULL || (region_count != 0 && regions == NULL))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    if (region_count == 0)
        return bw_fail(fault, BW_OK);
    if (bw_sizes_check(regions, reports) != BW_OK)
        return bw_fail(fault, bw_sizes_check(regions, reports));
    bw_result results[BW_MAX_WORKERS];
    uint32_t failed_at[BW_MAX_WORKERS];
    uint32_t workers = scene->has_tasks ? scene->tasks.worker_count : 1;
    for (uint32_t w = 0; w < workers; w++) {
        results[w] = BW_OK;
        failed_at[w] = UINT32_MAX;
    }
    batch b = {.scene = scene,
               .regions = (const char *)regions,
               .outputs = (const char *)outputs,
               .region_stride = stride(regions, sizeof *regions),
               .output_stride = stride(outputs, sizeof *outputs),
               .results = results,
               .failed_at = failed_at};
    b.reports = bw_allocate(&scene->allocator, region_count, sizeof *b.reports);
    if (b.reports == NULL)
        return bw_fail(fault, BW_ERROR_MEMORY);
    if (scene->has_tasks)
        scene->tasks.parallel_for(scene->tasks.user, run_some, &b, region_count, 8);
    else
        run_some(&b, 0, region_count, 0);
    uint32_t worst = 0;
    for (uint32_t w = 1; w < workers; w++)
        worst = failed_at[w] < failed_at[worst] ? w : worst;
    size_t apart = stride(reports, sizeof *reports);
    for (uint32_t i = 0; results[worst] == BW_OK && reports != NULL && i < region_count; i++) {
        bw_scene_report *report = (bw_scene_report *)(void *)((char *)reports + i * apart);
        bw_report_set(report, b.reports[i]);
    }
    bw_release(&scene->allocator, b.reports, region_count, sizeof *b.reports);
    return results[worst] == BW_OK ? bw_fail(fault, BW_OK)
                                   : bw_fail_at(fault, results[worst], failed_at[worst]);
}
