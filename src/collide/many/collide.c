/* bw_collide_many: contacts of many pairs of bodies, or of groups of them. */
#include "base/fault.h"
#include "base/sized.h"
#include "base/tasks.h"
#include "collide/many/groups.h"

#include <string.h>

typedef struct batch {
    bw_groups base; /* first, so that a pointer to it is one to the whole */
    const bw_collide_many_desc *desc;
    bw_collide_answer *answers;
} batch;

/* A place moves to the front: it will be the first to be looked at. */
static void move_to_front(uint32_t *order, uint32_t at)
{
    const uint32_t moved = order[at];
    memmove(order + 1, order, at * sizeof *order);
    order[0] = moved;
}

/* False when the group is answered. */
static bool ask_pair(const batch *b, uint32_t pair, bw_witness *witness, bw_collide_answer *out)
{
    bw_hit hit;
    const bw_collide_desc desc = {.mode = b->desc->mode,
                                  .hits = b->desc->mode == BW_COLLIDE_ANY ? &hit : NULL,
                                  .hit_capacity = b->desc->mode == BW_COLLIDE_ANY,
                                  .witness = b->base.coherent ? witness : NULL,
                                  .allocator = b->desc->allocator,
                                  .separation = b->desc->separation};
    bw_collide_report report = {0};
    const bw_result result = bw_collide(&b->base.pairs[pair].a, &b->base.pairs[pair].b, &desc, &report, NULL);
    if (result != BW_OK) {
        *out =
            (bw_collide_answer){.result = result, .pair = pair, .hit = {BW_NONE, BW_NONE, BW_CONTACT_NONE}};
        return false;
    }
    out->hit_count += report.hit_count;
    if (report.hit_count > 0 && out->pair == BW_NONE)
        out->pair = pair;
    if (report.status != BW_FOUND)
        return true;
    out->status = BW_FOUND;
    out->hit = hit;
    return false;
}

static void answer(const bw_groups *g, uint32_t group, bw_group_room *room)
{
    const batch *b = (const batch *)g;
    const bool any = b->desc->mode == BW_COLLIDE_ANY;
    bw_collide_answer out = {.pair = BW_NONE, .hit = {BW_NONE, BW_NONE, BW_CONTACT_NONE}};
    for (uint32_t k = 0; k < g->group_size; k++) {
        const uint32_t place = any ? room->order[k] : k;
        if (ask_pair(b, group * g->group_size + place, &room->witnesses[place], &out))
            continue;
        if (out.result == BW_OK)
            move_to_front(room->order, k);
        break;
    }
    b->answers[group] = out;
}

static void skip(const bw_groups *g, uint32_t group)
{
    ((const batch *)g)->answers[group] = (bw_collide_answer){
        .status = BW_STOPPED, .pair = BW_NONE, .hit = {BW_NONE, BW_NONE, BW_CONTACT_NONE}};
}

static bw_collide_many_report sum_up(const bw_collide_answer *answers, uint32_t count)
{
    bw_collide_many_report sum = {.status = BW_DONE};
    for (uint32_t i = 0; i < count; i++) {
        sum.hit_count += answers[i].hit_count > 0;
        sum.failed_count += answers[i].result != BW_OK;
        sum.status = answers[i].status == BW_STOPPED ? BW_STOPPED : sum.status;
    }
    return sum;
}

bw_result bw_collide_many(const bw_body_pair *pairs, uint32_t pair_count, const bw_collide_many_desc *desc,
                          bw_collide_answer *answers, bw_collide_many_report *report, bw_fault *fault)
{
    static const bw_collide_many_desc defaults = {0};
    if (desc == NULL)
        desc = &defaults;
    if (bw_sizes_check(desc, report) != BW_OK)
        return bw_fail(fault, bw_sizes_check(desc, report));
    if ((pair_count > 0 && answers == NULL) ||
        (desc->mode != BW_COLLIDE_ANY && desc->mode != BW_COLLIDE_COUNT) || !(desc->separation >= 0.0))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    batch b = {.base = {.answer = answer, .skip = skip}, .desc = desc, .answers = answers};
    const bw_result result = BW_GROUPS_RUN(&b.base, pairs, pair_count, desc);
    if (result == BW_OK && report != NULL)
        bw_report_set(report, sum_up(answers, b.base.group_count));
    return bw_fail(fault, result);
}
