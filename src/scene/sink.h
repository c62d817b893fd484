/* Where the objects of a query go: counted, copied into the caller's buffer as far as it reaches, and handed
 * on. */
#ifndef BW_SCENE_SINK_H
#define BW_SCENE_SINK_H

#include <boxwood/scene.h>
#include <string.h>

typedef struct bw_object_sink {
    bw_scene_output to;
    bw_scene_report report;
    bool stopped;
} bw_object_sink;

static inline bw_object_sink bw_object_sink_to(const bw_scene_output *output)
{
    bw_object_sink sink = {0};
    if (output != NULL)
        sink.to = *output;
    if (sink.to.ids == NULL)
        sink.to.id_capacity = 0;
    return sink;
}

/* Objects of one path. False: stop. */
static inline bool bw_object_sink_put(bw_object_sink *sink, const bw_id *ids, size_t count, uint32_t path)
{
    if (count == 0)
        return true;
    uint64_t found = sink->report.found_count;
    if (found < sink->to.id_capacity) {
        size_t room = sink->to.id_capacity - found < count ? (size_t)(sink->to.id_capacity - found) : count;
        memcpy(sink->to.ids + found, ids, room * sizeof *ids);
        for (size_t i = 0; sink->to.id_paths != NULL && i < room; i++)
            sink->to.id_paths[found + i] = path;
    }
    sink->report.found_count += count;
    if (sink->to.on_objects != NULL && !sink->to.on_objects(sink->to.user, ids, count, path)) {
        sink->stopped = true;
        return false;
    }
    return true;
}

static inline bw_scene_report bw_object_sink_report(const bw_object_sink *sink)
{
    bw_scene_report report = sink->report;
    report.status = sink->stopped                                                       ? BW_STOPPED
                    : sink->to.ids != NULL && report.found_count > sink->to.id_capacity ? BW_FULL
                                                                                        : BW_DONE;
    return report;
}

#endif
