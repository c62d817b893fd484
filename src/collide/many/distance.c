/* bw_distance_many: distances of many pairs of bodies, or the least of each group of them: the bound is common
 * to the group, and what the clearance of a body tells, where one has it, goes first. */
#include "base/fault.h"
#include "base/radix_sort.h"
#include "base/sized.h"
#include "base/tasks.h"
#include "collide/clearance/bodies.h"
#include "collide/many/groups.h"

#include <math.h>
#include <string.h>

typedef struct batch {
    bw_groups base; /* first, so that a pointer to it is one to the whole */
    const bw_distance_many_desc *desc;
    bw_distance_answer *answers;
} batch;

/* Bounds are not negative, so that their bits are in the order of their values. */
static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double value_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Sorts places by their lower bounds, equal ones as they come: few by insertion. */
static void sort_places(bw_group_room *room, uint32_t count)
{
    if (count > 64) {
        bw_sort_u64(room->keys, room->order, room->keys + count, room->order + count, count);
        return;
    }
    for (uint32_t i = 1; i < count; i++) {
        const uint64_t key = room->keys[i];
        const uint32_t place = room->order[i];
        uint32_t at = i;
        for (; at > 0 && room->keys[at - 1] > key; at--) {
            room->keys[at] = room->keys[at - 1];
            room->order[at] = room->order[at - 1];
        }
        room->keys[at] = key;
        room->order[at] = place;
    }
}

/* In which order to look at the pairs of a group, and the least upper bound of their distances. */
static double plan_group(const bw_groups *g, uint32_t group, bw_group_room *room)
{
    double limit = INFINITY;
    for (uint32_t k = 0; k < g->group_size; k++) {
        const bw_body_pair *pair = &g->pairs[group * g->group_size + k];
        bw_clearance_bounds bounds = {0.0, INFINITY};
        if (g->group_size > 1 && pair->a.tree != NULL && pair->b.tree != NULL)
            bounds = bw_clearance_between(BW_SIMD_AUTO, &pair->a, &pair->b);
        room->keys[k] = bits_of(bounds.low);
        room->order[k] = k;
        limit = bounds.high < limit ? bounds.high : limit;
    }
    sort_places(room, g->group_size);
    return limit * (1.0 + 0x1p-30);
}

/* Whether a pair is nearer than what is known, or as near and before it. */
static bool is_better(const bw_distance_report *report, uint32_t pair, const bw_distance_answer *best)
{
    if (report->status == BW_LIMIT)
        return false;
    return best->pair == BW_NONE || report->distance < best->distance ||
           (report->distance == best->distance && pair < best->pair);
}

static void answer(const bw_groups *g, uint32_t group, bw_group_room *room)
{
    const batch *b = (const batch *)g;
    bw_distance_answer out = {
        .status = BW_LIMIT, .distance = INFINITY, .pair = BW_NONE, .a = BW_NONE, .b = BW_NONE};
    const double planned = plan_group(g, group, room), most = b->desc->max_distance;
    double limit = most > 0.0 && most < planned ? most : planned;
    for (uint32_t k = 0; k < g->group_size && !(value_of(room->keys[k]) > limit); k++) {
        const uint32_t place = room->order[k], pair = group * g->group_size + place;
        const bw_distance_desc desc = {.max_distance = limit < INFINITY ? limit : 0.0,
                                       .stop_below = b->desc->stop_below,
                                       .allocator = b->desc->allocator,
                                       .witness = g->coherent ? &room->witnesses[place] : NULL};
        bw_distance_report report = {0};
        out.result = bw_distance(&g->pairs[pair].a, &g->pairs[pair].b, &desc, &report, NULL);
        if (out.result != BW_OK) {
            out = (bw_distance_answer){.result = out.result,
                                       .status = BW_LIMIT,
                                       .distance = INFINITY,
                                       .pair = pair,
                                       .a = BW_NONE,
                                       .b = BW_NONE};
            break;
        }
        if (!is_better(&report, pair, &out))
            continue;
        out = (bw_distance_answer){BW_OK,    report.status, report.distance, pair,
                                   report.a, report.b,      report.point_a,  report.point_b};
        limit = report.distance;
        if (report.status == BW_FOUND || report.distance == 0.0)
            break;
    }
    b->answers[group] = out;
}

static void skip(const bw_groups *g, uint32_t group)
{
    ((const batch *)g)->answers[group] = (bw_distance_answer){
        .status = BW_STOPPED, .distance = INFINITY, .pair = BW_NONE, .a = BW_NONE, .b = BW_NONE};
}

static bw_distance_many_report sum_up(const bw_distance_answer *answers, uint32_t count)
{
    bw_distance_many_report sum = {.status = BW_DONE};
    for (uint32_t i = 0; i < count; i++) {
        sum.failed_count += answers[i].result != BW_OK;
        sum.status = answers[i].status == BW_STOPPED ? BW_STOPPED : sum.status;
    }
    return sum;
}

static bool is_distance(double d)
{
    return d >= 0.0;
}

bw_result bw_distance_many(const bw_body_pair *pairs, uint32_t pair_count, const bw_distance_many_desc *desc,
                           bw_distance_answer *answers, bw_distance_many_report *report, bw_fault *fault)
{
    static const bw_distance_many_desc defaults = {0};
    if (desc == NULL)
        desc = &defaults;
    if (bw_sizes_check(desc, report) != BW_OK)
        return bw_fail(fault, bw_sizes_check(desc, report));
    if ((pair_count > 0 && answers == NULL) || !is_distance(desc->max_distance) ||
        !is_distance(desc->stop_below))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    batch b = {.base = {.answer = answer, .skip = skip}, .desc = desc, .answers = answers};
    const bw_result result = BW_GROUPS_RUN(&b.base, pairs, pair_count, desc);
    if (result == BW_OK && report != NULL)
        bw_report_set(report, sum_up(answers, b.base.group_count));
    return bw_fail(fault, result);
}
