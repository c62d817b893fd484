/* Where hits go: counters, the caller's buffer, the caller's callback, and the reason to stop. */
#ifndef BW_COLLIDE_HIT_SINK_H
#define BW_COLLIDE_HIT_SINK_H

#include "base/cancel.h"

#include <boxwood/collide.h>

#include <string.h>

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

/* Takes contacts, all of them crossing; false as bw_hit_sink_add. */
static inline bool bw_hit_sink_add_crossing(bw_hit_sink *sink, const bw_hit *hits, uint32_t count)
{
    const bw_collide_desc *desc = sink->desc;
    uint64_t *known = &sink->report.hit_count;
    if (desc->mode == BW_COLLIDE_ALL && desc->on_hit == NULL && *known + count <= desc->hit_capacity) {
        memcpy(desc->hits + *known, hits, count * sizeof *hits);
        *known += count;
        return true;
    }
    for (uint32_t k = 0; k < count; k++)
        if (!bw_hit_sink_add(sink, hits[k].a, hits[k].b, hits[k].kind))
            return false;
    return true;
}

#endif
