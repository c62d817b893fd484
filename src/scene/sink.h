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
        sink.to.capacity = 0;
    return sink;
}

/* False: stop. */
static inline bool bw_object_sink_put(bw_object_sink *sink, const bw_id *ids, size_t count)
{
    if (count == 0)
        return true;
    uint64_t found = sink->report.found;
    if (found < sink->to.capacity) {
        uint64_t room = sink->to.capacity - found;
        memcpy(sink->to.ids + found, ids, (size_t)(room < count ? room : count) * sizeof *ids);
    }
    sink->report.found += count;
    if (sink->to.on_objects != NULL && !sink->to.on_objects(sink->to.user, ids, count)) {
        sink->stopped = true;
        return false;
    }
    return true;
}

static inline bw_scene_report bw_object_sink_report(const bw_object_sink *sink)
{
    bw_scene_report report = sink->report;
    report.status = sink->stopped                                              ? BW_SCENE_STOPPED
                    : sink->to.ids != NULL && report.found > sink->to.capacity ? BW_SCENE_BUFFER_FULL
                                                                               : BW_SCENE_COMPLETE;
    return report;
}

#endif
