/* The span engine: one traversal with moving boxes, and what directions prove of the triangles left. */
#include "collide/span/candidates.h"

#include "collide/pair/leaf_cache.h"
#include "collide/pair/traverse.h"
#include "collide/span/neighbours.h"
#include "geom/vec.h"
#include "mesh/view.h"

#include <math.h>

enum { LEAVES = 16 }; /* of each tree, in about 20 KB of stack */

/* Leaves of one tree made ready, in a small cache, and the boxes of the last node, now and at the end: all in
 * the frame of a. */
typedef struct side {
    const bw_span_side *of;
    bool posed;
    uint32_t node;
    const float (*min)[BW_WIDTH], (*max)[BW_WIDTH]; /* now: the node's, or those of now_boxes */
    bw_eight_boxes now_boxes, end_boxes;
    uint32_t leaf[LEAVES];
    bw_span_leaf ready[LEAVES];
} side;

typedef struct walk {
    const bw_span_desc *desc;
    const bw_span_kernels *kernels;
    bool vectors;
    bw_error_bounds frame; /* of a pose, if there is one */
    float slack;
    double fine; /* the same, where positions are known better than floats tell */
    bw_result result;
    bw_stack stack;
    bw_span_batch batch;
    bw_span_counts *out;
    side a, b;
    bw_wide_item room[BW_WIDE_STACK];
} walk;

/* What is left of the way to the end: positions and boxes between those of now and the end. */
static void shorten(const float *now, float *end, size_t count, float part)
{
    for (size_t i = 0; i < count; i++)
        end[i] = (1.0f - part) * now[i] + part * end[i];
}

static void end_boxes_of(const bw_span_side *of, uint32_t n, bw_eight_boxes *out)
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
    if (of->part < 1) {
        shorten(node->min[0], out->min[0], 3 * (size_t)BW_WIDTH, (float)of->part);
        shorten(node->max[0], out->max[0], 3 * (size_t)BW_WIDTH, (float)of->part);
    }
}

static void need_boxes(walk *w, side *s, uint32_t node)
{
    const bw_wide_node *n = &s->of->tree->nodes[node];
    bw_wide_need_node(s->of->tree, node);
    if (s->node == node)
        return;
    s->node = node;
    s->min = n->min;
    s->max = n->max;
    end_boxes_of(s->of, node, &s->end_boxes);
    if (s->posed) {
        const bw_eight_boxes end = s->end_boxes;
        w->kernels->map(&w->frame, n, &s->now_boxes);
        w->kernels->map(&w->frame, &end, &s->end_boxes);
        s->min = (const float(*)[BW_WIDTH])s->now_boxes.min;
        s->max = (const float(*)[BW_WIDTH])s->now_boxes.max;
    }
}

/* Takes the corners of a leaf of b into the frame of a, about their own origin there. That is rounded to
 * floats, for which a sixteenth of it counts as reach; corners are off by what is turned, and by five more
 * roundings of what SPAN_ROUNDING has room for. */
static void place_leaf(const walk *w, bw_span_leaf *leaf)
{
    const bw_error_bounds *f = &w->frame;
    float origin[3], far = 0;
    for (int i = 0; i < 3; i++) {
        double x = f->map[i][3];
        for (int j = 0; j < 3; j++)
            x += f->map[i][j] * (double)leaf->at[0].origin[j];
        origin[i] = (float)x;
        far = fmaxf(far, fabsf(origin[i]));
    }
    for (int end = 0; end < 2; end++) {
        bw_wide_corners *at = &leaf->at[end];
        w->kernels->turn(f, at);
        at->magnitude = (1 + 0x1p-20f) * f->reach * at->magnitude + 0x1p-4f * far;
        for (int i = 0; i < 3; i++)
            at->origin[i] = origin[i];
    }
}

static const bw_span_leaf *need_leaf(walk *w, side *s, uint32_t leaf)
{
    const bw_wide *tree = s->of->tree;
    uint32_t slot = leaf % LEAVES;
    bw_span_leaf *ready = &s->ready[slot];
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
        bw_wide_corners_gather(&s->of->course->end, ready->primitives, ready->count, w->vectors,
                               &ready->at[1]);
        if (s->of->part < 1) /* the magnitude may be too large by it, which harms nothing */
            shorten(ready->at[0].coordinate[0][0], ready->at[1].coordinate[0][0], 9 * (size_t)BW_WIDTH,
                    (float)s->of->part);
    }
    if (s->posed)
        place_leaf(w, ready);
    w->kernels->prepare(ready);
    return ready;
}

static void corners_of(const bw_span_side *of, const uint32_t v[3], bw_vec3 out[2][3])
{
    for (int corner = 0; corner < 3; corner++) {
        out[0][corner] = out[1][corner] = bw_mesh_view_vertex(of->mesh, v[corner]);
        if (of->course == NULL)
            continue;
        bw_vec3 end = bw_mesh_view_vertex(&of->course->end, v[corner]);
        out[1][corner] = of->part < 1 ? bw_vec3_add(bw_vec3_scale(out[0][corner], 1 - of->part),
                                                    bw_vec3_scale(end, of->part))
                                      : end;
    }
}

/* Whether two triangles of one mesh that share vertices stay apart beyond these. */
static bool neighbours_apart(const walk *w, uint32_t primitive_a, uint32_t primitive_b)
{
    const bw_span_side *of = &w->desc->a;
    uint32_t v[2][3];
    for (uint32_t corner = 0; corner < 3; corner++) {
        v[0][corner] = bw_mesh_view_index(of->mesh, primitive_a, corner);
        v[1][corner] = bw_mesh_view_index(of->mesh, primitive_b, corner);
    }
    int shared = bw_span_share(v[0], v[1]);
    if (shared != 1 && shared != 2)
        return false;
    bw_vec3 a[2][3], b[2][3];
    corners_of(of, v[0], a);
    corners_of(of, v[1], b);
    const bw_vec3(*p)[3] = (const bw_vec3(*)[3])a, (*q)[3] = (const bw_vec3(*)[3])b;
    return shared == 1 ? bw_span_corner_apart(p, q, w->fine) : bw_span_edge_apart(p, q, w->fine);
}

static bool keep(walk *w, bw_span_pair pair)
{
    if (w->desc->self && w->desc->a.mesh->indices != NULL && neighbours_apart(w, pair.a, pair.b))
        return true;
    if (w->desc->self && pair.a > pair.b)
        pair = (bw_span_pair){pair.b, pair.a, pair.from, pair.to};
    w->out->full = w->desc->pairs->count == w->desc->most;
    bw_span_pair *slot = w->out->full ? NULL : bw_array_push(w->desc->pairs);
    if (slot == NULL) {
        w->result = w->out->full ? BW_OK : BW_ERROR_MEMORY;
        return false;
    }
    *slot = pair;
    return true;
}

/* Up to eight pairs of the batch. */
static bool keep_eight(walk *w, uint32_t first, uint32_t count)
{
    float from[BW_WIDTH], to[BW_WIDTH];
    uint32_t kept = w->kernels->trim(&w->batch, first, from, to) & ((1u << count) - 1);
    for (; kept != 0; kept &= kept - 1) {
        uint32_t i = bw_wide_lowest(kept);
        if (!keep(w, (bw_span_pair){w->batch.primitive_a[first + i], w->batch.primitive_b[first + i], from[i],
                                    to[i]}))
            return false;
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
    const bw_span_leaf *a = need_leaf(w, &w->a, pair.a), *b = need_leaf(w, &w->b, pair.b);
    bw_wide_gap gap;
    uint64_t mask = w->kernels->leaves(a, b, w->slack, &gap);
    w->out->leaves++;
    if (w->desc->self && pair.a == pair.b)
        mask &= BW_WIDE_BELOW; /* each pair once, and none with itself */
    while (mask != 0) {
        uint32_t before = w->batch.count;
        mask = w->kernels->append(a, b, &gap, mask, &w->batch);
        w->out->candidates += w->batch.count - before;
        if (w->batch.count > BW_BATCH_ROW - BW_WIDTH && !keep_all(w))
            return false;
    }
    return true;
}

/* False: there are more than wanted, or memory has run out, with w->result set. */
static bool visit(walk *w, const bw_wide_item *item)
{
    const bw_wide_node *a = &w->a.of->tree->nodes[item->a], *b = &w->b.of->tree->nodes[item->b];
    need_boxes(w, &w->a, item->a);
    need_boxes(w, &w->b, item->b);
    uint32_t lanes = item->lanes & ((1u << a->count) - 1), rows = item->rows & ((1u << b->count) - 1);
    const bw_span_boxes now_b = {w->b.min, w->b.max, &w->b.end_boxes};
    bw_wide_meeting meeting = w->kernels->boxes(a, &w->a.end_boxes, lanes, b, &now_b, rows, w->slack);
    w->out->nodes++;
    if (w->desc->self && item->a == item->b) {
        meeting.leaves &= BW_WIDE_BELOW | BW_WIDE_SELF;
        meeting.others &= BW_WIDE_BELOW | BW_WIDE_SELF;
    }
    for (uint64_t left = meeting.leaves; left != 0; left &= left - 1)
        if (!compare_leaves(w, bw_wide_leaves_at(a, b, bw_wide_lowest(left))))
            return false;
    const bw_wide_visit visited = {w->a.of->tree, w->b.of->tree, w->desc->self, w->a.min,
                                   w->a.max,      w->b.min,      w->b.max};
    if (bw_wide_push_children(&w->stack, &visited, item, meeting.others))
        return true;
    w->result = BW_ERROR_MEMORY;
    return false;
}

static float largest(const float (*min)[BW_WIDTH], const float (*max)[BW_WIDTH], uint32_t count, float size)
{
    for (int axis = 0; axis < 3; axis++)
        for (uint32_t lane = 0; lane < count; lane++) {
            float low = min[axis][lane] < 0 ? -min[axis][lane] : min[axis][lane];
            float high = max[axis][lane] < 0 ? -max[axis][lane] : max[axis][lane];
            size = low > size ? low : size;
            size = high > size ? high : size;
        }
    return size;
}

/* The largest coordinate of a side's boxes, now and at the end. */
static float size_of(walk *w, side *s)
{
    const uint32_t count = s->of->tree->nodes[0].count;
    need_boxes(w, s, 0);
    const float size = largest(s->min, s->max, count, 0);
    return largest((const float(*)[BW_WIDTH])s->end_boxes.min, (const float(*)[BW_WIDTH])s->end_boxes.max,
                   count, size);
}

/* Makes the pose ready for boxes and corners of the whole span; returns how far off b may be by being
 * mapped: its own roundings, which are turned, and those of doubles. */
static double prepare_pose(walk *w, const bw_relative_pose *pose, float size_b, double bend_b)
{
    const bw_box all = {{-size_b, -size_b, -size_b}, {size_b, size_b, size_b}};
    const bw_wide_kernels *kernels = bw_wide_kernels_for(w->desc->simd);
    kernels->box_bounds(&w->frame, pose, &all, &all, false);
    kernels->triangle_bounds(&w->frame, pose, &all, &all, 0);
    double reach = (double)w->frame.reach, shift = 0;
    for (int i = 0; i < 3; i++)
        shift = fmax(shift, fabs(pose->map.m[i][3]));
    w->b.posed = true;
    w->b.node = BW_NONE;
    return reach * (0x1p-20 * (double)size_b + bend_b) + 0x1p-48 * (reach * (double)size_b + shift);
}

/* How far a position may be from where it is taken to be, boxes included. Positions at any time are rounded,
 * as are those at both ends, and the way from one to the other is computed in floats: all of it a few units
 * in the last place of the largest coordinate. */
static void find_slack(walk *w)
{
    double bend[2] = {0, 0}, mapped = 0;
    bool stored = true;
    side *sides[2] = {&w->a, &w->b};
    for (int i = 0; i < 2; i++) {
        const bw_wide_course *course = sides[i]->of->course;
        bend[i] = course == NULL ? 0 : (double)course->bend;
        stored = stored && sides[i]->of->mesh->scalar == BW_F64 && (course == NULL || course->stored);
    }
    const float size_a = size_of(w, &w->a);
    float size_b = size_of(w, &w->b);
    if (w->desc->pose != NULL && !w->desc->pose->identity) {
        mapped = prepare_pose(w, w->desc->pose, size_b, bend[1]);
        size_b = size_of(w, &w->b);
        bend[1] = 0;
    }
    const float size = size_a > size_b ? size_a : size_b;
    w->slack = 0x1p-20f * size + (float)(1.000001 * (bend[0] + bend[1] + mapped)) + 0x1p-120f;
    w->fine = stored ? 0x1p-48 * (double)size + 0x1p-120 : (double)w->slack;
}

static void side_init(side *s, const bw_span_side *of)
{
    s->of = of;
    s->posed = false;
    s->node = BW_NONE;
    for (int i = 0; i < LEAVES; i++)
        s->leaf[i] = BW_NONE;
}

double bw_span_part(const bw_wide_course *course, double until)
{
    return until < course->until ? (until - course->now) / (course->until - course->now) : 1.0;
}

bw_result bw_span_find(const bw_span_desc *desc, bw_span_counts *out)
{
    walk w;
    w.desc = desc;
    w.kernels = bw_span_kernels_for(desc->simd);
    w.vectors = desc->simd >= BW_SIMD_AVX2;
    w.stack = bw_stack_over(w.room, sizeof w.room, sizeof *w.room, desc->allocator);
    w.batch.count = 0;
    w.out = out;
    *out = (bw_span_counts){0};
    side_init(&w.a, &desc->a);
    side_init(&w.b, &desc->b);
    w.result = BW_OK;
    desc->pairs->count = 0;
    find_slack(&w);
    bool go_on = true;
    uint32_t until = 0;
    *(bw_wide_item *)bw_stack_push(&w.stack) = (bw_wide_item){0, 0, 0xFFu, 0xFFu};
    const bw_wide_item *top;
    while (go_on && (top = bw_stack_pop(&w.stack)) != NULL) {
        bw_wide_item item = *top;
        go_on = visit(&w, &item);
        if (desc->cancel != NULL && !bw_cancel_step(desc->cancel, &until)) {
            w.result = BW_ERROR_STOPPED;
            go_on = false;
        }
    }
    if (go_on)
        keep_all(&w);
    bw_stack_release(&w.stack);
    return w.result;
}
