/* The table of kinetic methods. */
#include "kinetic/kind.h"

#include "kinetic/queue/queue.h"
#include "tree/refit/refit.h"

static void swap_trees(bw_kinetic *k, bw_wide *fresh)
{
    bw_wide old = k->tree->wide;
    k->tree->wide = *fresh;
    *fresh = old;
}

/* ---- QUEUE ---- */

static const bw_heap *queue_heap(const bw_kinetic *k)
{
    return &k->queue.heap;
}

static bw_result queue_start(bw_kinetic *k, double time, bw_kinetic_report *report)
{
    (void)report;
    k->now = time;
    bw_queue_start(k);
    return BW_OK;
}

static bw_result queue_advance(bw_kinetic *k, double time, bw_kinetic_report *report)
{
    bw_queue_advance(k, time, report);
    return BW_OK;
}

static bw_result queue_fit(bw_kinetic *k)
{
    bw_queue_fit(k);
    return BW_OK;
}

static bw_result queue_reserve(bw_kinetic *k, uint32_t nodes, uint32_t edits)
{
    (void)edits;
    return bw_queue_reserve(k, nodes);
}

static bool queue_exchange(bw_kinetic *k, bw_wide *fresh)
{
    if (bw_queue_reserve(k, fresh->node_count) != BW_OK)
        return false;
    swap_trees(k, fresh);
    bw_queue_clear(k);
    bw_queue_start(k);
    return true;
}

static const bw_kinetic_kind queue = {.own_reading = true,
                                      .tight_start = true,
                                      .create = bw_queue_create,
                                      .release = bw_queue_release,
                                      .bytes = bw_queue_bytes,
                                      .heap = queue_heap,
                                      .start = queue_start,
                                      .advance = queue_advance,
                                      .replan = bw_queue_replan,
                                      .fit = queue_fit,
                                      .fit_node = bw_queue_fit_node,
                                      .check = bw_queue_check,
                                      .reserve = queue_reserve,
                                      .insert = bw_queue_insert,
                                      .remove = bw_queue_remove,
                                      .exchange = queue_exchange};

/* ---- BOXTREE ---- */

static const bw_heap *boxtree_heap(const bw_kinetic *k)
{
    return &k->boxtree.heap;
}

static bw_result boxtree_start(bw_kinetic *k, double time, bw_kinetic_report *report)
{
    (void)report;
    k->now = time;
    bw_boxtree_start(k);
    return BW_OK;
}

static bw_result boxtree_advance(bw_kinetic *k, double time, bw_kinetic_report *report)
{
    bw_boxtree_advance(k, time, report);
    return BW_OK;
}

static bw_result boxtree_fit(bw_kinetic *k)
{
    bw_boxtree_fit(k);
    return BW_OK;
}

static bw_result boxtree_reserve(bw_kinetic *k, uint32_t nodes, uint32_t edits)
{
    (void)nodes;
    return bw_boxtree_reserve(k, edits > 0 ? edits : 1);
}

static bool boxtree_exchange(bw_kinetic *k, bw_wide *fresh)
{
    bw_boxtree kept = k->boxtree;
    swap_trees(k, fresh);
    if (bw_boxtree_create(k) != BW_OK) {
        bw_boxtree_release(k);
        swap_trees(k, fresh);
        k->boxtree = kept;
        return false;
    }
    bw_boxtree_start(k);
    bw_boxtree made = k->boxtree;
    k->boxtree = kept;
    bw_boxtree_release(k);
    k->boxtree = made;
    return true;
}

static const bw_kinetic_kind boxtree = {.own_reading = true,
                                        .create = bw_boxtree_create,
                                        .release = bw_boxtree_release,
                                        .bytes = bw_boxtree_bytes,
                                        .heap = boxtree_heap,
                                        .start = boxtree_start,
                                        .advance = boxtree_advance,
                                        .replan = bw_boxtree_replan,
                                        .fit = boxtree_fit,
                                        .check = bw_boxtree_check,
                                        .reserve = boxtree_reserve,
                                        .insert = bw_boxtree_insert,
                                        .remove = bw_boxtree_remove,
                                        .exchange = boxtree_exchange};

/* ---- COMPILED and INTERPOLATED ---- */

static bw_result lines_advance(bw_kinetic *k, double time, bw_kinetic_report *report)
{
    return bw_segment_advance(k, time, &report->updates, &report->segments);
}

static bw_result lines_start(bw_kinetic *k, double time, bw_kinetic_report *report)
{
    k->lines.segment = BW_NONE;
    return lines_advance(k, time, report);
}

static bw_result lines_fit(bw_kinetic *k)
{
    bw_segment_fit(k, k->now);
    return BW_OK;
}

static void lines_fit_node(bw_kinetic *k, uint32_t node)
{
    bw_segment_fit_node(k, node, k->now);
}

static bw_result lines_reserve(bw_kinetic *k, uint32_t nodes, uint32_t edits)
{
    (void)edits;
    return bw_segment_reserve(k, nodes);
}

static bool lines_exchange(bw_kinetic *k, bw_wide *fresh)
{
    if (bw_segment_reserve(k, fresh->node_count) != BW_OK)
        return false;
    swap_trees(k, fresh);
    k->lines.segment = BW_NONE;
    return true;
}

#define LINES                                                                                                \
    .create = bw_segment_create, .release = bw_segment_release, .bytes = bw_segment_bytes,                   \
    .start = lines_start, .advance = lines_advance, .fit = lines_fit, .fit_node = lines_fit_node,            \
    .check = bw_segment_check, .reserve = lines_reserve, .insert = bw_segment_insert,                        \
    .remove = bw_segment_remove, .exchange = lines_exchange, .edited = bw_segment_settle

static const bw_kinetic_kind compiled = {.tight_start = true, LINES}, interpolated = {LINES};

/* ---- REFIT ---- */

static bw_result refit_nothing(bw_kinetic *k)
{
    (void)k;
    return BW_OK;
}

static void refit_release(bw_kinetic *k)
{
    (void)k;
}

static size_t refit_bytes(const bw_kinetic *k)
{
    (void)k;
    return 0;
}

static bw_result refit_go(bw_kinetic *k, double time, bw_kinetic_report *report)
{
    (void)k, (void)time, (void)report;
    return BW_OK;
}

static bw_result refit_fit(bw_kinetic *k)
{
    return bw_wide_refit(&k->tree->wide, &k->mesh, &(bw_wide_refit_desc){0}, NULL);
}

static const char *refit_check(const bw_kinetic *k)
{
    (void)k;
    return NULL;
}

static bw_result refit_reserve(bw_kinetic *k, uint32_t nodes, uint32_t edits)
{
    (void)k, (void)nodes, (void)edits;
    return BW_OK;
}

static void refit_insert(bw_kinetic *k, const bw_wide_editor *editor, uint32_t primitive)
{
    (void)k;
    bw_wide_insert_one(editor, primitive);
}

static void refit_remove(bw_kinetic *k, const bw_wide_editor *editor, uint32_t primitive)
{
    (void)k;
    bw_wide_remove_one(editor, primitive);
}

static bool refit_exchange(bw_kinetic *k, bw_wide *fresh)
{
    swap_trees(k, fresh);
    return true;
}

static const bw_kinetic_kind refit = {.tight_start = true,
                                      .create = refit_nothing,
                                      .release = refit_release,
                                      .bytes = refit_bytes,
                                      .start = refit_go,
                                      .advance = refit_go,
                                      .fit = refit_fit,
                                      .check = refit_check,
                                      .reserve = refit_reserve,
                                      .insert = refit_insert,
                                      .remove = refit_remove,
                                      .exchange = refit_exchange};

const bw_kinetic_kind *const bw_kinetic_kinds[] = {
    [BW_KINETIC_QUEUE] = &queue, [BW_KINETIC_COMPILED] = &compiled, [BW_KINETIC_INTERPOLATED] = &interpolated,
    [BW_KINETIC_REFIT] = &refit, [BW_KINETIC_BOXTREE] = &boxtree,   [BW_KINETIC_AUTO] = NULL};
