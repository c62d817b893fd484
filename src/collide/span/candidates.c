/* Which pairs of triangles of two moving bodies can meet until the next keyframe, and when. */
#include "collide/span/candidates.h"

#include "base/stack.h"
#include "collide/pair/leaf_cache.h"
#include "collide/pair/traverse.h"

enum { LEAVES = 16 }; /* of each tree, in about 20 KB of stack */

/* Leaves of one tree made ready, in a small cache, and the boxes at the end of the last node. */
typedef struct side {
    const bw_ahead_side *of;
    uint32_t node;
    bw_eight_boxes end_boxes;
    uint32_t leaf[LEAVES];
    bw_ahead_leaf ready[LEAVES];
} side;

typedef struct walk {
    const bw_ahead_desc *desc;
    const bw_wide_kernels *kernels;
    bool vectors;
    float slack;
    bw_stack stack;
    bw_ahead_batch batch;
    bw_ahead_result *out;
    side a, b;
    bw_wide_item room[BW_WIDE_STACK];
} walk;

/* What is left of the way to the end: positions and boxes between those of now and the end. */
static void shorten(const float *now, float *end, size_t count, float part)
{
    for (size_t i = 0; i < count; i++)
        end[i] = (1.0f - part) * now[i] + part * end[i];
}

static void end_boxes_of(const bw_ahead_side *of, uint32_t n, bw_eight_boxes *out)
{
    const bw_wide_node *node = &of->tree->nodes[n];
    if (of->course == NULL) {
        for (int axis = 0; axis < 3; axis++)
            for (int lane = 0; lane < BW_WIDTH; lane++) {
                out->min[axis][lane] = node->min[axis][lane];
                out->max[axis][lane] = node->max[axis][lane];
            }
        return;
    }
    of->course->end_boxes(of->tree->lazy->user, n, out);
    if (of->part < 1.0f) {
        shorten(node->min[0], out->min[0], 3 * (size_t)BW_WIDTH, of->part);
        shorten(node->max[0], out->max[0], 3 * (size_t)BW_WIDTH, of->part);
    }
}

static const bw_eight_boxes *need_boxes(side *s, uint32_t node)
{
    bw_wide_need_node(s->of->tree, node);
    if (s->node != node)
        end_boxes_of(s->of, node, &s->end_boxes);
    s->node = node;
    return &s->end_boxes;
}

static const bw_ahead_leaf *need_leaf(walk *w, side *s, uint32_t leaf)
{
    const bw_wide *tree = s->of->tree;
    uint32_t slot = leaf % LEAVES;
    bw_ahead_leaf *ready = &s->ready[slot];
    if (s->leaf[slot] == leaf)
        return ready;
    s->leaf[slot] = leaf;
    ready->primitives = tree->primitives + (size_t)leaf * BW_WIDTH;
    ready->count = tree->leaves[leaf].count;
    if (tree->corners != NULL)
        ready->at[0] = tree->corners[leaf];
    else {
        const bw_wide_leaf *l = &tree->leaves[leaf];
        const bw_wide_node *parent = &tree->nodes[l->parent];
        for (int axis = 0; axis < 3; axis++)
            ready->at[0].origin[axis] = 0.5f * parent->min[axis][l->lane] + 0.5f * parent->max[axis][l->lane];
        bw_wide_need_leaf(tree, leaf);
        bw_wide_corners_gather(s->of->mesh, ready->primitives, ready->count, w->vectors, &ready->at[0]);
    }
    if (s->of->course == NULL)
        ready->at[1] = ready->at[0];
    else {
        for (int axis = 0; axis < 3; axis++)
            ready->at[1].origin[axis] = ready->at[0].origin[axis];
        bw_wide_corners_gather(s->of->end, ready->primitives, ready->count, w->vectors, &ready->at[1]);
        if (s->of->part < 1.0f) /* the magnitude may be too large by it, which harms nothing */
            shorten(ready->at[0].coordinate[0][0], ready->at[1].coordinate[0][0], 9 * (size_t)BW_WIDTH,
                    s->of->part);
    }
    w->kernels->ahead_prepare(ready);
    return ready;
}

/* Up to eight pairs of the batch. */
static bool keep_eight(walk *w, uint32_t first, uint32_t count)
{
    float from[BW_WIDTH], to[BW_WIDTH];
    uint32_t kept = w->kernels->ahead_trim(&w->batch, first, from, to) & ((1u << count) - 1);
    for (; kept != 0; kept &= kept - 1) {
        uint32_t i = bw_wide_lowest(kept);
        if (w->out->count == w->desc->capacity) {
            w->out->full = true;
            return false;
        }
        w->desc->pairs[w->out->count++] =
            (bw_ahead_pair){w->batch.primitive_a[first + i], w->batch.primitive_b[first + i], from[i], to[i]};
    }
    return true;
}

static bool keep_all(walk *w)
{
    uint32_t count = w->batch.count;
    w->batch.count = 0;
    for (uint32_t first = 0; first < count; first += BW_WIDTH)
        if (!keep_eight(w, first, count - first < BW_WIDTH ? count - first : BW_WIDTH))
            return false;
    return true;
}

static bool compare_leaves(walk *w, bw_wide_leaf_pair pair)
{
    const bw_ahead_leaf *a = need_leaf(w, &w->a, pair.a), *b = need_leaf(w, &w->b, pair.b);
    bw_wide_gap gap;
    uint64_t mask = w->kernels->ahead_leaves(a, b, w->slack, &gap);
    w->out->leaves++;
    while (mask != 0) {
        uint32_t before = w->batch.count;
        mask = w->kernels->ahead_append(a, b, &gap, mask, &w->batch);
        w->out->candidates += w->batch.count - before;
        if (w->batch.count > BW_BATCH_ROW - BW_WIDTH && !keep_all(w))
            return false;
    }
    return true;
}

static bw_wide_item *push(walk *w)
{
    return bw_stack_push(&w->stack);
}

static float lane_size(const bw_wide_node *node, uint32_t lane)
{
    float size = 0;
    for (int axis = 0; axis < 3; axis++)
        size += node->max[axis][lane] - node->min[axis][lane];
    return size;
}

/* Of two nodes both are opened, or the larger alone where it is much larger, as in any traversal. */
static bw_wide_item open_pair(const bw_wide_node *a, const bw_wide_node *b, const bw_wide_item *item,
                              uint32_t pair)
{
    uint32_t i = pair >> 3, j = pair & 7;
    bool open_a = (a->child[j] & BW_WIDE_LEAF) == 0, open_b = (b->child[i] & BW_WIDE_LEAF) == 0;
    if (open_a && open_b) {
        float size_a = lane_size(a, j), size_b = lane_size(b, i);
        open_a = !(size_b > 4.0f * size_a);
        open_b = !(size_a > 4.0f * size_b);
    }
    return (bw_wide_item){open_a ? a->child[j] : item->a, open_b ? b->child[i] : item->b,
                          open_a ? 0xFFu : 1u << j, open_b ? 0xFFu : 1u << i};
}

/* False: the list is full, or memory has run out, with *result set. */
static bool visit(walk *w, const bw_wide_item *item, bw_result *result)
{
    const bw_wide_node *a = &w->a.of->tree->nodes[item->a], *b = &w->b.of->tree->nodes[item->b];
    const bw_eight_boxes *end_a = need_boxes(&w->a, item->a), *end_b = need_boxes(&w->b, item->b);
    uint32_t lanes = item->lanes & ((1u << a->count) - 1), rows = item->rows & ((1u << b->count) - 1);
    bw_wide_meeting meeting = w->kernels->ahead_boxes(a, end_a, lanes, b, end_b, rows, w->slack);
    w->out->nodes++;
    for (uint64_t left = meeting.leaves; left != 0; left &= left - 1)
        if (!compare_leaves(w, bw_wide_leaves_at(a, b, bw_wide_lowest(left))))
            return false;
    while (meeting.others != 0) {
        uint32_t pair = bw_wide_highest(meeting.others);
        meeting.others ^= (uint64_t)1 << pair;
        bw_wide_item *slot = push(w);
        if (slot == NULL) {
            *result = BW_ERROR_MEMORY;
            return false;
        }
        *slot = open_pair(a, b, item, pair);
    }
    return true;
}

static float largest(const bw_eight_boxes *boxes, uint32_t count, float size)
{
    for (int axis = 0; axis < 3; axis++)
        for (uint32_t lane = 0; lane < count; lane++) {
            float low = boxes->min[axis][lane] < 0 ? -boxes->min[axis][lane] : boxes->min[axis][lane];
            float high = boxes->max[axis][lane] < 0 ? -boxes->max[axis][lane] : boxes->max[axis][lane];
            size = low > size ? low : size;
            size = high > size ? high : size;
        }
    return size;
}

/* Positions at any time are rounded, as are those at both ends, and the way from one to the other is computed
 * in floats: all of it a few units in the last place of the largest coordinate. */
static float slack_of(walk *w)
{
    float size = 0;
    side *sides[2] = {&w->a, &w->b};
    for (int i = 0; i < 2; i++) {
        const bw_wide_node *root = &sides[i]->of->tree->nodes[0];
        size = largest(need_boxes(sides[i], 0), root->count, size);
        bw_eight_boxes now;
        for (int axis = 0; axis < 3; axis++)
            for (int lane = 0; lane < BW_WIDTH; lane++) {
                now.min[axis][lane] = root->min[axis][lane];
                now.max[axis][lane] = root->max[axis][lane];
            }
        size = largest(&now, root->count, size);
    }
    return 0x1p-20f * size + 0x1p-120f;
}

static void side_init(side *s, const bw_ahead_side *of)
{
    s->of = of;
    s->node = BW_NONE;
    for (int i = 0; i < LEAVES; i++)
        s->leaf[i] = BW_NONE;
}

bw_result bw_ahead_run(const bw_ahead_desc *desc, bw_ahead_result *out)
{
    walk w;
    w.desc = desc;
    w.kernels = bw_wide_kernels_for(desc->simd);
    w.vectors = desc->simd == BW_SIMD_AVX2;
    w.stack = bw_stack_over(w.room, sizeof w.room, sizeof *w.room, desc->allocator);
    w.batch.count = 0;
    w.out = out;
    *out = (bw_ahead_result){0};
    side_init(&w.a, &desc->a);
    side_init(&w.b, &desc->b);
    w.slack = slack_of(&w);
    bw_result result = BW_OK;
    bool go_on = true;
    *push(&w) = (bw_wide_item){0, 0, 0xFFu, 0xFFu};
    const bw_wide_item *top;
    while (go_on && (top = bw_stack_pop(&w.stack)) != NULL) {
        bw_wide_item item = *top;
        go_on = visit(&w, &item, &result);
    }
    if (go_on)
        keep_all(&w);
    bw_stack_release(&w.stack);
    return result;
}
