/* The table of kinetic methods. */
#include "kinetic/kind.h"

#include "kinetic/queue/queue.h"
#include "tree/refit/refit.h"

static const bw_heap *queue_heap(const bw_kinetic *k)
{
    return &k->queue.heap;
}

static const bw_kinetic_kind queue = {.own_reading = true,
                                      .tight_start = true,
                                      .create = bw_queue_create,
                                      .release = bw_queue_release,
                                      .bytes = bw_queue_bytes,
                                      .heap = queue_heap,
                                      .start = bw_queue_start,
                                      .advance = bw_queue_advance,
                                      .replan = bw_queue_replan,
                                      .fit = bw_queue_fit,
                                      .fit_node = bw_queue_fit_node,
                                      .check = bw_queue_check,
                                      .reserve = bw_queue_reserve,
                                      .insert = bw_queue_insert,
                                      .remove = bw_queue_remove};

#if BW_RESEARCH
static const bw_heap *boxtree_heap(const bw_kinetic *k)
{
    return &k->boxtree.heap;
}

static const bw_kinetic_kind boxtree = {.own_reading = true,
                                        .create = bw_boxtree_create,
                                        .release = bw_boxtree_release,
                                        .bytes = bw_boxtree_bytes,
                                        .heap = boxtree_heap,
                                        .start = bw_boxtree_start,
                                        .advance = bw_boxtree_advance,
                                        .replan = bw_boxtree_replan,
                                        .fit = bw_boxtree_fit,
                                        .check = bw_boxtree_check};
#    define BOXTREE &boxtree
#else
#    define BOXTREE NULL
#endif

#define LINES                                                                                                \
    .create = bw_segment_create, .release = bw_segment_release, .bytes = bw_segment_bytes,                   \
    .start = bw_segment_start, .advance = bw_segment_advance, .fit = bw_segment_fit,                         \
    .fit_node = bw_segment_fit_node, .check = bw_segment_check

static const bw_kinetic_kind compiled = {.tight_start = true, LINES}, interpolated = {LINES};

static bw_result refit_fit(bw_kinetic *k)
{
    return bw_wide_refit(&k->tree->wide, &k->mesh, &(bw_wide_refit_desc){0}, NULL);
}

static const bw_kinetic_kind refit = {.tight_start = true, .fit = refit_fit};

const bw_kinetic_kind *const bw_kinetic_kinds[] = {
    [BW_KINETIC_QUEUE] = &queue, [BW_KINETIC_COMPILED] = &compiled, [BW_KINETIC_INTERPOLATED] = &interpolated,
    [BW_KINETIC_REFIT] = &refit, [BW_KINETIC_BOXTREE] = BOXTREE,    [BW_KINETIC_AUTO] = NULL};
