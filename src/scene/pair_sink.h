/* Where pairs go, as bw_object_sink is for objects. */
#ifndef BW_SCENE_PAIR_SINK_H
#define BW_SCENE_PAIR_SINK_H

#include <boxwood/scene.h>

enum { PAIR_SINK_RUN = 256 };

typedef struct bw_pair_sink {
    bw_pair_output to;
    bw_pair_report report;
    bool stopped;
    uint32_t waiting;
    bw_pair run[PAIR_SINK_RUN]; /* for the callback */
} bw_pair_sink;

static inline bw_pair_sink bw_pair_sink_to(const bw_pair_output *output)
{
    bw_pair_sink sink;
    sink.to = output == NULL ? (bw_pair_output){0} : *output;
    sink.report = (bw_pair_report){0};
    sink.stopped = false;
    sink.waiting = 0;
    if (sink.to.pairs == NULL)
        sink.to.capacity = 0;
    return sink;
}

static inline void bw_pair_sink_flush(bw_pair_sink *sink)
{
    if (sink->waiting != 0 && !sink->stopped && !sink->to.on_pairs(sink->to.user, sink->run, sink->waiting))
        sink->stopped = true;
    sink->waiting = 0;
}

static inline void bw_pair_sink_put(bw_pair_sink *sink, bw_id a, bw_id b)
{
    if (sink->stopped)
        return;
    bw_pair pair = a < b ? (bw_pair){a, b} : (bw_pair){b, a};
    if (sink->report.found < sink->to.capacity)
        sink->to.pairs[sink->report.found] = pair;
    sink->report.found++;
    if (sink->to.on_pairs == NULL)
        return;
    sink->run[sink->waiting++] = pair;
    if (sink->waiting == PAIR_SINK_RUN)
        bw_pair_sink_flush(sink);
}

static inline bw_pair_report bw_pair_sink_report(const bw_pair_sink *sink)
{
    bw_pair_report report = sink->report;
    report.status = sink->stopped                                                ? BW_SCENE_STOPPED
                    : sink->to.pairs != NULL && report.found > sink->to.capacity ? BW_SCENE_BUFFER_FULL
                                                                                 : BW_SCENE_COMPLETE;
    return report;
}

#endif
