/* All pairs of objects whose boxes overlap. */
#include "scene/modern/modern.h"

#include "scene/scene.h"

/* The paper's trees: each object asks for its neighbours, and reports those with a larger id. */
typedef struct asker {
    bw_pair_sink *sink;
    bw_id id;
} asker;

static bool report_later(void *user, const bw_id *ids, size_t count)
{
    asker *a = user;
    for (size_t i = 0; i < count; i++)
        if (ids[i] > a->id)
            bw_pair_sink_put(a->sink, a->id, ids[i]);
    return !a->sink->stopped;
}

static bw_result ask_all(const bw_scene *scene, bw_pair_sink *sink)
{
    const bw_classic_tree *tree = &scene->classic;
    for (uint32_t n = 0; n < tree->nodes.end; n++) {
        const bw_classic_node *node = bw_classic_at(tree, n);
        for (uint32_t i = 0; node->parent != BW_CLASSIC_FREE && i < node->count; i++) {
            asker a = {sink, node->ids[i]};
            bw_scene_output output = {.on_objects = report_later, .user = &a};
            bw_scene_report report;
            bw_region region = {.kind = BW_REGION_BOX, .box = bw_anchor_unpack(node->boxes[i])};
            bw_result result = bw_scene_query(scene, &region, &output, &report);
            if (result != BW_OK)
                return result;
            sink->report.tested += report.tested;
            if (sink->stopped)
                return BW_OK;
        }
    }
    return BW_OK;
}

bw_result bw_scene_pairs(const bw_scene *scene, const bw_pair_output *output, bw_pair_report *report)
{
    if (scene == NULL)
        return BW_ERROR_ARGUMENT;
    bw_pair_sink sink = bw_pair_sink_to(output);
    bw_result result = bw_stage_is_anchor(scene)
                           ? bw_anchor_pairs(&scene->anchor, scene->simd, &scene->allocator,
                                             scene->has_tasks ? &scene->tasks : NULL, &sink)
                           : ask_all(scene, &sink);
    if (result != BW_OK)
        return result;
    bw_pair_sink_flush(&sink);
    if (report != NULL)
        *report = bw_pair_sink_report(&sink);
    return BW_OK;
}
