/* How far along a step everything may move before any contact: the earliest of all couples, each of which is
 * searched no farther than the earliest of those before it. */
#include "base/fault.h"
#include "base/sized.h"
#include "swept/search/narrow_phase.h"

#include "base/tasks.h"

#include <math.h>

static bool good_desc(const bw_swept_safe_desc *desc)
{
    return desc->separation >= 0 && desc->separation <= BW_COORDINATE_MAX && desc->keep >= 0 &&
           desc->keep < 1 && bw_tasks_check(desc->tasks) == BW_OK &&
           (desc->tolerance == 0 || (desc->tolerance >= 0x1p-50 && desc->tolerance <= 1));
}

/* One couple; the earliest so far, and what it cost, in the report. */
static bw_result search_couple(const bw_swept *a, const bw_swept *b, const bw_swept_safe_desc *desc,
                               uint32_t couple, bw_swept_safe_report *report)
{
    bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    const bw_swept_query query = {.mode = BW_SWEPT_EARLIEST,
                                  .tolerance = desc->tolerance,
                                  .separation = desc->separation,
                                  .can_collide = desc->can_collide,
                                  .user = desc->user,
                                  .tasks = desc->tasks,
                                  .progress = desc->progress};
    bw_swept_search s = {.a = a,
                         .b = b,
                         .query = &query,
                         .allocator = &allocator,
                         .take = bw_swept_take_contacts,
                         .element = sizeof(bw_swept_contact),
                         .grow = bw_swept_growth(a, b, desc->separation),
                         .to = 1,
                         .keep = desc->keep > 0 ? desc->keep : 0.5,
                         .latest = report->earliest.first.time};
    bw_result result = bw_swept_search_run(&s);
    const bw_swept_contact *found = &s.report.earliest, *best = &report->earliest;
    if (found->feature != BW_CCD_NOTHING &&
        (best->feature == BW_CCD_NOTHING || found->first.time < best->first.time)) {
        report->earliest = *found;
        report->couple = couple;
    }
    report->candidate_count += s.report.candidate_count;
    report->tested += s.report.tested;
    report->near_count += s.near_count;
    if (s.stopped)
        report->status = BW_STOPPED;
    bw_swept_search_release(&s);
    return result;
}

bw_result bw_swept_safe_step(const bw_swept_couple *couples, uint32_t couple_count,
                             const bw_swept_safe_desc *desc, bw_swept_safe_report *report, bw_fault *fault)
{
    static const bw_swept_safe_desc defaults = {0};
    if (desc == NULL)
        desc = &defaults;
    bw_result result = bw_sizes_check(desc, report);
    if (result != BW_OK)
        return bw_fail(fault, result);
    if (report == NULL || (couples == NULL && couple_count > 0) || !good_desc(desc))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    for (uint32_t i = 0; i < couple_count; i++)
        if (couples[i].a == NULL)
            return bw_fail_at(fault, BW_ERROR_ARGUMENT, i);
    bw_swept_safe_report found = {.earliest.first = {.time = 1, .time_after = 1}, .couple = BW_NONE};
    for (uint32_t i = 0; i < couple_count && found.status != BW_STOPPED; i++) {
        const bw_swept *a = couples[i].a, *b = couples[i].b == NULL ? a : couples[i].b;
        result = search_couple(a, b, desc, i, &found);
        if (result != BW_OK)
            return bw_fail(fault, result);
    }
    if (found.status == BW_STOPPED)
        found = (bw_swept_safe_report){.status = BW_STOPPED, .couple = BW_NONE};
    /* The first contact may be at the very time that is told: before it there is none. */
    const double time = found.earliest.first.time;
    found.step = found.status == BW_STOPPED                 ? 0
                 : found.earliest.feature == BW_CCD_NOTHING ? 1
                 : time > 0                                 ? nextafter(time, 0)
                                                            : 0;
    bw_report_set(report, found);
    return bw_fail(fault, BW_OK);
}
