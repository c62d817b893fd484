/* When to rebuild: the ski-rental policy. At every update, queries are taken to lose in proportion to how far
 * the tree's cost has grown; once the sum of these losses reaches the price of mending it, it is mended.
 * Whatever the motion, this costs at most about twice what the best choice in hindsight would have. Only the
 * tree decides, never a clock: equal input gives equal trees. */
#include "base/array.h"
#include "tree/rebuild/rebuild.h"

#include <math.h>

enum { SMALLEST = 16 }; /* primitives: below this no part is worth it */

static const double default_query = 8, default_quality_build = 80, default_fast_build = 20;

/* Degraded parts are looked for each time the losses have grown by this part of the price of rebuilding
 * everything.
 */
static const double look = 1.0 / 8;

/* A part is degraded when the areas below it have grown by so much against its own, and sound below this. */
static const double degraded = 1.25, sound = 1.08;

typedef struct survey {
    const bw_wide *wide;
    const float *costs;
    bw_array nodes;   /* the degraded parts, as uint32_t */
    uint32_t largest; /* a part with more primitives is not one */
    uint32_t chosen;  /* primitives in degraded parts */
    double saved;     /* in areas, over the root's */
    double unit;      /* one over the root's area */
    bool edited;      /* look at edits, not at costs */
    bool out_of_memory;
} survey;

static double area_of(const bw_box *box)
{
    double x = (double)box->max[0] - (double)box->min[0], y = (double)box->max[1] - (double)box->min[1];
    double z = (double)box->max[2] - (double)box->min[2];
    return (x + y) * z + x * y;
}

/* What the areas below a node have grown by. */
static double growth_of(const survey *s, uint32_t node)
{
    bw_box box = bw_wide_node_box(&s->wide->nodes[node]);
    double excess = (double)s->costs[node] - (double)s->wide->nodes[node].built_cost;
    return excess * area_of(&box) * s->unit;
}

static void choose(survey *s, uint32_t node, uint32_t count)
{
    uint32_t *slot = bw_array_push(&s->nodes);
    if (slot == NULL) {
        s->out_of_memory = true;
        return;
    }
    *slot = node;
    s->chosen += count;
    s->saved += growth_of(s, node);
}

static bool is_degraded(const survey *s, uint32_t node, uint32_t count)
{
    const bw_wide_node *n = &s->wide->nodes[node];
    return s->edited ? n->edits > count / 4 : (double)s->costs[node] > degraded * (double)n->built_cost;
}

static bool is_sound(const survey *s, uint32_t node)
{
    const bw_wide_node *n = &s->wide->nodes[node];
    return s->edited ? n->edits == 0 : (double)s->costs[node] <= sound * (double)n->built_cost;
}

/* Whether most of what has degraded below a node lies below some of its children: then they are the parts to
 * mend. */
static bool lies_deeper(const survey *s, uint32_t node)
{
    const bw_wide_node *n = &s->wide->nodes[node];
    double below = 0;
    uint32_t edits = 0, parts = 0;
    for (uint32_t lane = 0; lane < n->count; lane++) {
        uint32_t child = n->child[lane];
        if ((child & BW_WIDE_LEAF) != 0 || is_sound(s, child))
            continue;
        below += growth_of(s, child);
        edits += s->wide->nodes[child].edits;
        parts++;
    }
    bool most = s->edited ? edits >= n->edits / 4 * 3 : below >= 0.75 * growth_of(s, node);
    return most && 2 * parts <= n->count;
}

/* The degraded parts, found from the root down, without recursion; a sound part is not looked into. */
static void find_degraded(survey *s)
{
    const bw_wide *wide = s->wide;
    uint32_t index = 0, lane = 0;
    for (;;) {
        const bw_wide_node *node = &wide->nodes[index];
        if (lane == node->count) {
            if (node->parent == BW_NONE)
                return;
            lane = node->parent_lane + 1;
            index = node->parent;
            continue;
        }
        uint32_t child = node->child[lane];
        if ((child & BW_WIDE_LEAF) != 0 || is_sound(s, child)) {
            lane++;
            continue;
        }
        uint32_t count = bw_wide_count_below(wide, child);
        if (count >= SMALLEST && count <= s->largest && is_degraded(s, child, count) &&
            !lies_deeper(s, child)) {
            choose(s, child, count);
            lane++;
        } else if (count < SMALLEST) {
            lane++;
        } else {
            index = child;
            lane = 0;
        }
    }
}

/* Heap sort: the nodes of an edited tree are not met in ascending order. */
static void sort_nodes(uint32_t *nodes, uint32_t count)
{
    for (uint32_t end = count, start = count / 2; end > 1;) {
        if (start > 0) {
            start--;
        } else {
            end--;
            uint32_t other = nodes[end];
            nodes[end] = nodes[0];
            nodes[0] = other;
        }
        uint32_t at = start, value = nodes[at];
        for (uint32_t child = 2 * at + 1; child < end; child = 2 * at + 1) {
            child += child + 1 < end && nodes[child] < nodes[child + 1];
            if (value >= nodes[child])
                break;
            nodes[at] = nodes[child];
            at = child;
        }
        nodes[at] = value;
    }
}

static void set(bw_update_report *report, bw_update_action action, const char *reason)
{
    report->action = action;
    report->reason = reason;
}

static void mend_parts(bw_wide *wide, const bw_mesh *mesh, survey *s, const bw_wide_desc *desc,
                       bw_update_report *report)
{
    uint32_t count = (uint32_t)s->nodes.count, *nodes = (uint32_t *)(void *)s->nodes.items;
    sort_nodes(nodes, count);
    const bw_result result =
        bw_wide_rebuild_parts(wide, mesh, nodes, count, s->edited ? NULL : s->costs, desc);
    if (result != BW_OK) {
        set(report, BW_UPDATE_DID_REFIT,
            result == BW_ERROR_STOPPED
                ? "parts of the tree have degraded, but progress ended their rebuild"
                : "parts of the tree have degraded, but memory to rebuild them is short");
        return;
    }
    set(report, BW_UPDATE_DID_RESTRUCTURE,
        s->edited ? "many primitives came and went in parts of the tree"
                  : "parts of the tree had degraded enough to pay for a rebuild");
    bw_wide_mark_cost(wide);
}

static void mend_all(bw_wide *wide, const bw_mesh *mesh, bool edited, const bw_wide_desc *desc,
                     bw_update_report *report)
{
    const bw_result result = bw_wide_rebuild(wide, mesh, desc);
    if (result != BW_OK)
        set(report, BW_UPDATE_DID_REFIT,
            result == BW_ERROR_STOPPED ? "the tree has degraded, but progress ended its rebuild"
                                       : "the tree has degraded, but memory to rebuild it is short");
    else
        set(report, BW_UPDATE_DID_REBUILD,
            edited ? "many primitives came and went all over the tree"
                   : "the whole tree had degraded enough to pay for a rebuild");
}

/* Looks for degraded parts; mends them or everything if that is paid for. */
static void look_and_mend(bw_wide *wide, const bw_mesh *mesh, double cost, double price, bool edited,
                          const bw_wide_desc *desc, bw_update_report *report)
{
    const bw_allocator allocator = wide->allocator;
    const uint32_t nodes = wide->node_count;
    float *costs = bw_allocate(&allocator, nodes, sizeof *costs);
    if (costs == NULL) {
        set(report, BW_UPDATE_DID_REFIT, "memory to look for degraded parts is short");
        return;
    }
    bw_wide_node_costs(wide, costs);
    double area = area_of(&wide->bounds);
    survey s = {.wide = wide,
                .costs = costs,
                .nodes = bw_array_of(sizeof(uint32_t), &allocator),
                .largest = wide->primitive_count / 2,
                .unit = area > 0 ? 1 / area : 0,
                .edited = edited};
    find_degraded(&s);
    double lost = cost - wide->built_cost;
    bool enough = edited ? s.chosen > 0 : s.saved >= 0.5 * lost; /* mends most of the damage */
    double part = (double)s.chosen / (double)wide->primitive_count;
    if (s.out_of_memory)
        set(report, BW_UPDATE_DID_REFIT, "memory to list degraded parts is short");
    else if (part <= 0.5 && s.chosen > 0 && enough && (edited || wide->excess >= part * price))
        mend_parts(wide, mesh, &s, desc, report);
    else if (edited ? part > 0.5 : wide->excess >= price)
        mend_all(wide, mesh, edited, desc, report);
    bw_array_release(&s.nodes);
    bw_release(&allocator, costs, nodes, sizeof *costs);
}

bool bw_wide_mend_edits(bw_wide *wide, const bw_mesh *mesh, const bw_wide_desc *desc,
                        bw_update_report *report)
{
    if (wide->node_count == 0 || wide->edits <= wide->primitive_count / 8 + 64)
        return false;
    set(report, BW_UPDATE_DID_REFIT, "primitives came and went, but no part of the tree has changed much");
    look_and_mend(wide, mesh, 0, 0, true, desc, report);
    if (!wide->preorder)
        bw_wide_relayout(wide, NULL, 0); /* gives holes back; if memory is short they stay */
    wide->edits = 0;
    bw_wide_mark_cost(wide);
    return true;
}

void bw_wide_maintain(bw_wide *wide, const bw_mesh *mesh, const bw_wide_policy *policy,
                      const bw_wide_desc *desc, bw_update_report *report)
{
    set(report, BW_UPDATE_DID_REFIT, "the tree is as good as when it was built");
    report->quality = 1;
    if (bw_wide_mend_edits(wide, mesh, desc, report) || wide->node_count == 0)
        return;
    double cost = bw_wide_cost(wide);
    if (cost > wide->built_cost) {
        double query = policy == NULL || policy->query == 0 ? default_query : policy->query;
        double price = policy != NULL ? policy->build : 0;
        if (price == 0)
            price = desc->builder == BW_WIDE_FAST ? default_fast_build : default_quality_build;
        double before = wide->excess;
        wide->excess += query * (cost / wide->built_cost - 1);
        set(report, BW_UPDATE_DID_REFIT, "a rebuild has not paid for itself yet");
        if (floor(before / (look * price)) != floor(wide->excess / (look * price)))
            look_and_mend(wide, mesh, cost, price, false, desc, report);
        if (report->action != BW_UPDATE_DID_REFIT)
            cost = bw_wide_cost(wide);
    }
    report->quality = cost / wide->built_cost;
}
