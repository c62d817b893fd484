/* The pair traversal of two wide trees: eight children against eight at a time, a list of pairs of leaves
 * that waits while its memory is fetched, and batches of eight pairs of triangles. */
#include "collide/wide_query.h"

#include "base/stack.h"
#include "collide/sat.h"
#include "collide/wide_kernels.h"
#include "collide/wide_leaf.h"
#include "geom/triangle.h"

#if defined(__GNUC__)
#    define PREFETCH(p) __builtin_prefetch(p)
#else
#    define PREFETCH(p) ((void)(p))
#endif

/* Children of a node of each tree that are still to be compared. */
typedef struct item {
    uint32_t a, b;        /* nodes */
    uint32_t lanes, rows; /* which children of a, of b */
} item;

typedef struct leaf_item {
    uint32_t a, b;
} leaf_item;

enum { STACK_BYTES = 4096, LEAVES_WAITING = 64 };

typedef struct query {
    const bw_wide *a, *b;
    const bw_wide_kernels *kernels;
    bw_wide_frame frame;
    const bw_sat *sat; /* NULL: the six axes of the kernels suffice */
    const bw_pose *pose;
    const bw_mesh *mesh_a, *mesh_b;
    bw_sink *sink;
    bw_stack stack;
    leaf_item waiting[LEAVES_WAITING];
    uint32_t waiting_count, wait_limit;
    bw_wide_mapped mapped;
    bw_wide_batch batch;
    bw_wide_leaf_cache leaves_a, leaves_b;
    bw_result result;
} query;

/* One pair that floats could not decide. False to stop. */
static bool resolve_exactly(query *q, uint32_t a, uint32_t b)
{
    bw_vec3 corners_a[3], corners_b[3];
    bw_mesh_corners(q->mesh_a, a, corners_a);
    if (!bw_pose_corners(q->pose, q->mesh_b, b, corners_b)) {
        q->result = BW_ERROR_RANGE;
        return false;
    }
    q->sink->report.exact_tests++;
    bw_contact kind = bw_triangle_triangle(corners_a, corners_b);
    return kind == BW_CONTACT_NONE || bw_sink_hit(q->sink, a, b, kind);
}

static bool flush_batch(query *q)
{
    bw_wide_batch *batch = &q->batch;
    bw_wide_verdict verdict = q->kernels->triangles(batch);
    uint32_t left = ((1u << batch->count) - 1) & ~verdict.apart;
    q->sink->report.primitive_tests += batch->count;
    batch->count = 0;
    for (; left != 0; left &= left - 1) {
        uint32_t i = bw_wide_lowest(left);
        uint32_t a = batch->primitive_a[i], b = batch->primitive_b[i];
        bool go_on = (verdict.crossing >> i & 1) != 0 ? bw_sink_hit(q->sink, a, b, BW_CONTACT_CROSSING)
                                                      : resolve_exactly(q, a, b);
        if (!go_on)
            return false;
    }
    return true;
}

static void append(bw_wide_batch *batch, const bw_wide_ready *a, uint32_t j, const bw_wide_ready *b,
                   uint32_t i, const bw_wide_gap *gap)
{
    uint32_t n = batch->count++;
    for (int corner = 0; corner < 3; corner++)
        for (int axis = 0; axis < 3; axis++) {
            batch->a[corner][axis][n] = a->corner[corner][axis][j];
            batch->b[corner][axis][n] = b->corner[corner][axis][i] + gap->offset[axis];
        }
    batch->extent_a[n] = a->extent[j];
    batch->extent_b[n] = b->extent[i];
    batch->delta[n] = gap->delta;
}

static bool compare_leaves(query *q, uint32_t leaf_a, uint32_t leaf_b)
{
    const bw_wide_ready *a = bw_wide_leaf_ready(&q->leaves_a, leaf_a),
                        *b = bw_wide_leaf_ready(&q->leaves_b, leaf_b);
    bw_wide_gap gap;
    uint64_t mask = q->kernels->leaf_pair(&q->frame, a, b, &gap);
    q->sink->report.box_tests += (uint64_t)a->count * b->count;
    for (; mask != 0; mask &= mask - 1) {
        uint32_t bit = bw_wide_lowest(mask), i = bit >> 3, j = bit & 7;
        uint32_t n = q->batch.count;
        q->batch.primitive_a[n] = q->a->primitives[leaf_a * (size_t)BW_WIDTH + j];
        q->batch.primitive_b[n] = q->b->primitives[leaf_b * (size_t)BW_WIDTH + i];
        append(&q->batch, a, j, b, i, &gap);
        if (n + 1 == BW_WIDTH && !flush_batch(q))
            return false;
    }
    return true;
}

static bool compare_waiting(query *q)
{
    uint32_t count = q->waiting_count;
    q->waiting_count = 0;
    for (uint32_t k = 0; k < count; k++)
        if (!compare_leaves(q, q->waiting[k].a, q->waiting[k].b))
            return false;
    return true;
}

static void prefetch_leaf(const bw_wide *tree, uint32_t leaf)
{
    if (tree->corners != NULL) {
        const char *p = (const char *)&tree->corners[leaf];
        for (size_t k = 0; k < sizeof *tree->corners; k += 64)
            PREFETCH(p + k);
    }
    PREFETCH(tree->primitives + (size_t)leaf * BW_WIDTH);
}

static bool push(query *q, uint32_t a, uint32_t lanes, uint32_t b, uint32_t rows)
{
    item *slot = bw_stack_push(&q->stack);
    if (slot == NULL) {
        q->result = BW_ERROR_MEMORY;
        return false;
    }
    const char *node_a = (const char *)&q->a->nodes[a], *node_b = (const char *)&q->b->nodes[b];
    for (size_t k = 0; k < sizeof(bw_wide_node); k += 64) {
        PREFETCH(node_a + k);
        PREFETCH(node_b + k);
    }
    *slot = (item){a, b, lanes, rows};
    return true;
}

static float lane_size(const float (*min)[BW_WIDTH], const float (*max)[BW_WIDTH], uint32_t lane)
{
    return (max[0][lane] - min[0][lane]) + (max[1][lane] - min[1][lane]) + (max[2][lane] - min[2][lane]);
}

/* The children that are leaves. */
static uint32_t leaf_lanes(const bw_wide_node *node)
{
    uint32_t lanes = 0;
    for (uint32_t j = 0; j < BW_WIDTH; j++)
        lanes |= node->child[j] >> 31 << j;
    return lanes;
}

static bool take_leaves(query *q, const bw_wide_node *a, const bw_wide_node *b, uint64_t mask)
{
    uint32_t seen = 0;
    for (; mask != 0;) {
        uint32_t i = bw_wide_lowest(mask) >> 3, lanes = (uint32_t)(mask >> 8 * i) & 0xFFu;
        mask &= ~((uint64_t)0xFF << 8 * i);
        uint32_t leaf_b = b->child[i] & ~BW_WIDE_LEAF;
        prefetch_leaf(q->b, leaf_b);
        for (; lanes != 0; lanes &= lanes - 1) {
            uint32_t j = bw_wide_lowest(lanes), leaf_a = a->child[j] & ~BW_WIDE_LEAF;
            if ((seen >> j & 1) == 0)
                prefetch_leaf(q->a, leaf_a);
            seen |= 1u << j;
            q->waiting[q->waiting_count++] = (leaf_item){leaf_a, leaf_b};
            if (q->waiting_count == q->wait_limit && !compare_waiting(q))
                return false;
        }
    }
    return true;
}

/* Takes up the pairs of children that may meet, in the order of the bits: leaves wait, nodes go to the stack.
 */
static bool take_children(query *q, const item *it, const bw_wide_node *a, const bw_wide_node *b,
                          uint64_t mask)
{
    uint64_t leaves = mask & bw_wide_spread(leaf_lanes(a), leaf_lanes(b));
    if (leaves != 0 && !take_leaves(q, a, b, leaves))
        return false;
    mask &= ~leaves;
    size_t base = q->stack.count;
    for (; mask != 0;) {
        uint32_t i = bw_wide_lowest(mask) >> 3, lanes = (uint32_t)(mask >> 8 * i) & 0xFFu, wide_lanes = 0;
        mask &= ~((uint64_t)0xFF << 8 * i);
        uint32_t child_b = b->child[i];
        float size_b = lane_size(q->mapped.b_in_a.min, q->mapped.b_in_a.max, i);
        for (; lanes != 0; lanes &= lanes - 1) {
            uint32_t j = bw_wide_lowest(lanes), child_a = a->child[j];
            bool go_on = true;
            if ((child_a & BW_WIDE_LEAF) != 0) {
                wide_lanes |= 1u << j;
            } else if ((child_b & BW_WIDE_LEAF) != 0) {
                go_on = push(q, child_a, 0xFFu, it->b, 1u << i);
            } else {
                float size_a = lane_size(a->min, a->max, j);
                if (size_b > 4.0f * size_a)
                    wide_lanes |= 1u << j;
                else if (size_a > 4.0f * size_b)
                    go_on = push(q, child_a, 0xFFu, it->b, 1u << i);
                else
                    go_on = push(q, child_a, 0xFFu, child_b, 0xFFu);
            }
            if (!go_on)
                return false;
        }
        if (wide_lanes != 0 && !push(q, it->a, wide_lanes, child_b, 0xFFu))
            return false;
    }
    /* The first child pair comes off the stack first. */
    item *items = (item *)(void *)q->stack.items;
    for (size_t low = base, high = q->stack.count; low + 1 < high; low++) {
        item swap = items[low];
        items[low] = items[--high];
        items[high] = swap;
    }
    return true;
}

/* The nine pairs of edges, where they are asked for: one pair of boxes at a time. */
static uint64_t separate_by_edges(const query *q, const bw_wide_node *a, const bw_wide_node *b, uint64_t mask)
{
    uint64_t kept = 0;
    for (; mask != 0; mask &= mask - 1) {
        uint32_t bit = bw_wide_lowest(mask);
        bw_box box_a = bw_wide_lane_box(a, bit & 7), box_b = bw_wide_lane_box(b, bit >> 3);
        if (bw_sat_separates(q->sat, box_a.min, box_a.max, box_b.min, box_b.max) < 0)
            kept |= mask & -mask;
    }
    return kept;
}

static bool visit(query *q, const item *it)
{
    const bw_wide_node *a = &q->a->nodes[it->a], *b = &q->b->nodes[it->b];
    uint32_t lanes = it->lanes & ((1u << a->count) - 1), rows = it->rows & ((1u << b->count) - 1);
    uint64_t mask = q->kernels->box_pair(&q->frame, a, lanes, b, rows, &q->mapped);
    if (q->sat != NULL)
        mask = separate_by_edges(q, a, b, mask);
    q->sink->report.nodes_visited++;
    q->sink->report.box_tests += (uint64_t)(bw_wide_bits(lanes) * bw_wide_bits(rows));
    return take_children(q, it, a, b, mask);
}

static bool traverse(query *q)
{
    item *it;
    while ((it = bw_stack_pop(&q->stack)) != NULL) {
        item copy = *it;
        if (!visit(q, &copy))
            return false;
    }
    return compare_waiting(q) && (q->batch.count == 0 || flush_batch(q));
}

bw_result bw_wide_pair(const bw_wide_side *a, const bw_wide_side *b, const bw_pose *pose,
                       const bw_wide_options *options, bw_sink *sink)
{
    if (a->tree->node_count == 0 || b->tree->node_count == 0)
        return BW_OK;
    char room[STACK_BYTES];
    bw_allocator allocator = bw_allocator_or_heap(sink->desc->allocator);
    bw_sat sat;
    query q;
    q.a = a->tree;
    q.b = b->tree;
    q.mesh_a = a->mesh;
    q.mesh_b = b->mesh;
    q.kernels = bw_wide_kernels_for(bw_simd_level(options->simd));
    q.pose = pose;
    q.sink = sink;
    q.sat = NULL;
    if (sink->desc->box_test == BW_BOX_TEST_SAT && !pose->identity) {
        bw_sat_prepare(&sat, &pose->map, &a->tree->bounds, &b->tree->bounds, BW_BOX_TEST_SAT);
        q.sat = &sat;
    }
    q.stack = bw_stack_over(room, sizeof room, sizeof(item), &allocator);
    q.waiting_count = 0;
    q.wait_limit = sink->desc->mode == BW_COLLIDE_ANY ? 8 : LEAVES_WAITING;
    q.mapped.a = q.mapped.b = NULL;
    q.batch.count = 0;
    q.result = BW_OK;
    bw_wide_leaf_cache_init(&q.leaves_a, a->tree, a->mesh, q.kernels, NULL);
    bw_wide_leaf_cache_init(&q.leaves_b, b->tree, b->mesh, q.kernels, &q.frame);
    bw_wide_frame_prepare(&q.frame, pose, &a->tree->bounds, &b->tree->bounds);
    if (push(&q, 0, 0xFFu, 0, 0xFFu))
        traverse(&q);
    bw_stack_release(&q.stack);
    return q.result;
}
