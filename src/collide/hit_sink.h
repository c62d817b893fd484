/* Where hits go: counters, the caller's buffer, the caller's callback, and the reason to stop. */
#ifndef BW_COLLIDE_HIT_SINK_H
#define BW_COLLIDE_HIT_SINK_H

#include "base/cancel.h"

#include <boxwood/collide.h>

typedef struct bw_hit_sink {
    const bw_collide_desc *desc;
    bw_collide_report report; /* of the query so far */
    /* Told each pair of primitives that binary trees test, for benches that time those tests alone; NULL:
     * nobody. */
    void (*on_test)(void *user, uint32_t a, uint32_t b);
    void *on_test_user;
    bw_cancel *cancel; /* NULL: nobody wants to be asked */
    uint32_t until_question;
} bw_hit_sink;

/* A step of the query; false when its caller does not want it any more, with the status set. */
static inline bool bw_hit_sink_wanted(bw_hit_sink *sink)
{
    if (sink->cancel == NULL || bw_cancel_step(sink->cancel, &sink->until_question))
        return true;
    sink->report.status = BW_STOPPED;
    return false;
}

/* Takes one contact; false when the query is to stop, with the status set. */
static inline bool bw_hit_sink_add(bw_hit_sink *sink, uint32_t a, uint32_t b, bw_contact_kind kind)
{
    const bw_collide_desc *desc = sink->desc;
    bw_collide_report *report = &sink->report;
    uint64_t index = report->hit_count++;
    report->touching_count += kind == BW_CONTACT_TOUCHING;
    report->near_count += kind == BW_CONTACT_NEAR;
    if (desc->mode == BW_COLLIDE_COUNT)
        return true;
    bw_hit hit = {a, b, kind};
    if (desc->hits != NULL) {
        if (index < desc->hit_capacity)
            desc->hits[index] = hit;
        else
            report->status = BW_FULL;
    }
    if (desc->on_hit != NULL && !desc->on_hit(desc->user, &hit)) {
        report->status = BW_STOPPED;
        return false;
    }
    if (desc->mode == BW_COLLIDE_ANY) {
        report->status = BW_FOUND;
        return false;
    }
    return true;
}

/* Whether contacts can be taken eight at a time: none is called for, and all have room. */
static inline bool bw_hit_sink_takes_eight(const bw_hit_sink *sink)
{
    const bw_collide_desc *desc = sink->desc;
    return desc->mode == BW_COLLIDE_COUNT || (desc->mode == BW_COLLIDE_ALL && desc->on_hit == NULL &&
                                              sink->report.hit_count + 8 <= desc->hit_capacity);
}

/* Then, of eight pairs, those in a set, as crossing: without a branch for each. */
static inline void bw_hit_sink_add_eight(bw_hit_sink *sink, const uint32_t a[8], const uint32_t b[8],
                                         uint32_t set)
{
    uint64_t count = sink->report.hit_count;
    bw_hit spare[8 + 1], *hits = sink->desc->mode == BW_COLLIDE_ALL ? sink->desc->hits + count : spare;
    uint32_t n = 0;
    for (uint32_t k = 0; k < 8; k++) {
        hits[n] = (bw_hit){a[k], b[k], BW_CONTACT_CROSSING};
        n += set >> k & 1;
    }
    sink->report.hit_count = count + n;
}

#endif
