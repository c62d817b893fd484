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
    bw_pair_path paths[PAIR_SINK_RUN];
} bw_pair_sink;

static inline void bw_pair_sink_begin(bw_pair_sink *sink, const bw_pair_output *output)
{
    sink->to = output == NULL ? (bw_pair_output){0} : *output;
    sink->report = (bw_pair_report){0};
    sink->stopped = false;
    sink->waiting = 0;
    if (sink->to.pairs == NULL)
        sink->to.pair_capacity = 0;
}

static inline void bw_pair_sink_flush(bw_pair_sink *sink)
{
    if (sink->waiting != 0 && !sink->stopped &&
        !sink->to.on_pairs(sink->to.user, sink->run, sink->to.paths == NULL ? NULL : sink->paths,
                           sink->waiting))
        sink->stopped = true;
    sink->waiting = 0;
}

static inline bw_pair bw_pair_of(bw_id a, bw_id b)
{
    return a < b ? (bw_pair){a, b} : (bw_pair){b, a};
}

static inline void bw_pair_sink_put(bw_pair_sink *sink, bw_pair pair, bw_pair_path path)
{
    if (sink->stopped)
        return;
    uint64_t at = sink->report.found_count++;
    if (at < sink->to.pair_capacity) {
        sink->to.pairs[at] = pair;
        if (sink->to.pair_paths != NULL)
            sink->to.pair_paths[at] = path;
    }
    if (sink->to.on_pairs == NULL)
        return;
    sink->run[sink->waiting] = pair;
    sink->paths[sink->waiting++] = path;
    if (sink->waiting == PAIR_SINK_RUN)
        bw_pair_sink_flush(sink);
}

static inline bw_pair_report bw_pair_sink_report(const bw_pair_sink *sink)
{
    bw_pair_report report = sink->report;
    bool full = sink->to.pairs != NULL && report.found_count > sink->to.pair_capacity;
    report.status = sink->stopped ? BW_STOPPED : full ? BW_FULL : BW_DONE;
    return report;
}

#endif
