/* The last levels of the quality builder: a few references, sorted once along each axis, cut by full sweeps.
 */
#include "tree/build_split.h"

#include <math.h>
#include <string.h>

enum { FEW = BW_REF_FEW };

typedef struct few {
    _Alignas(32) bw_ref refs[FEW];
    uint8_t order[3][FEW]; /* places in refs, ascending along each axis within every range that is still
                              together */
    const bw_split_job *job;
    uint32_t begin; /* of the references in the arrays */
} few;

static inline void unite(float a[8], const bw_ref *ref)
{
    for (int i = 0; i < 3; i++) {
        a[i] = ref->low[i] < a[i] ? ref->low[i] : a[i];
        a[4 + i] = ref->negative_high[i] < a[4 + i] ? ref->negative_high[i] : a[4 + i];
    }
}

static inline void empty(float a[8])
{
    for (int i = 0; i < 8; i++)
        a[i] = BW_WIDE_EMPTY;
}

static inline float area_of(const float u[8], float inverse_unit)
{
    float x = -(u[0] + u[4]) * inverse_unit, y = -(u[1] + u[5]) * inverse_unit,
          z = -(u[2] + u[6]) * inverse_unit;
    return (x + y) * z + x * y;
}

/* Sorts by counting, for each, those before it: quadratic, but without a branch. */
static void sort_axis(few *f, uint32_t count, int axis)
{
    int32_t keys[FEW];
    for (uint32_t i = 0; i < count; i++) {
        float centre = f->refs[i].low[axis] - f->refs[i].negative_high[axis] + 0.0f;
        int32_t bits;
        memcpy(&bits, &centre, sizeof bits);
        bits ^= bits < 0 ? 0x7fffffff : 0;                       /* ascends as the floats do */
        keys[i] = (int32_t)(((uint32_t)bits & ~(FEW - 1u)) | i); /* all differ */
    }
    for (uint32_t i = count; i < FEW; i++)
        keys[i] = INT32_MAX;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t before = 0;
        for (uint32_t k = 0; k < FEW; k++)
            before += keys[k] < keys[i];
        f->order[axis][before] = (uint8_t)i;
    }
}

typedef struct few_cut {
    float cost;
    int axis;
    uint32_t left;
} few_cut;

static uint32_t leaves_of(uint32_t n)
{
    return (n + BW_WIDTH - 1) / BW_WIDTH;
}

static void sweep_axis(const few *f, int axis, uint32_t first, uint32_t count, uint32_t leaves, few_cut *best)
{
    const uint8_t *order = f->order[axis] + first;
    const float inverse_unit = f->job->inverse_unit;
    float above[FEW], run[8];
    empty(run);
    for (uint32_t i = count - 1; i > 0; i--) {
        unite(run, &f->refs[order[i]]);
        above[i] = area_of(run, inverse_unit);
    }
    empty(run);
    for (uint32_t i = 1; i < count; i++) {
        unite(run, &f->refs[order[i - 1]]);
        uint32_t need_left = leaves_of(i), need_right = leaves_of(count - i);
        if (need_left + need_right > leaves)
            continue;
        float cost = area_of(run, inverse_unit) * (float)need_left + above[i] * (float)need_right;
        if (cost < best->cost)
            *best = (few_cut){cost, axis, i};
    }
}

/* Keeps the order of the three lists on both sides. */
static void divide_lists(few *f, const few_cut *cut, uint32_t first, uint32_t count)
{
    bool left[FEW] = {false};
    for (uint32_t i = 0; i < cut->left; i++)
        left[f->order[cut->axis][first + i]] = true;
    for (int axis = 0; axis < 3; axis++) {
        if (axis == cut->axis)
            continue;
        uint8_t right[FEW], *order = f->order[axis] + first;
        uint32_t at = 0, rest = 0;
        for (uint32_t i = 0; i < count; i++) {
            uint8_t which = order[i];
            order[at] = which;
            right[rest] = which;
            at += left[which];
            rest += !left[which];
        }
        memcpy(order + at, right, rest);
    }
}

static void close_leaf(const few *f, uint32_t node, uint32_t first, uint32_t count)
{
    const bw_split_job *job = f->job;
    float run[8];
    empty(run);
    for (uint32_t i = 0; i < count; i++) {
        const bw_ref *ref = &f->refs[f->order[0][first + i]];
        unite(run, ref);
        job->order[f->begin + first + i] = ref->id;
    }
    bw_split_node *leaf = &job->nodes[node];
    leaf->box = (bw_box){{run[0], run[1], run[2]}, {-run[4] + 0.0f, -run[5] + 0.0f, -run[6] + 0.0f}};
    leaf->first = f->begin + first;
    leaf->count = count;
    bw_split_node_close(leaf);
}

/* Whether references that fit into one leaf are better off in two, where there is one to spare: they must be
 * far apart, since a leaf that is not full is a waste. */
static bool better_apart(const few *f, uint32_t first, uint32_t count, const few_cut *cut)
{
    float run[8];
    empty(run);
    for (uint32_t i = 0; i < count; i++)
        unite(run, &f->refs[f->order[0][first + i]]);
    return cut->cost < 0.7f * area_of(run, f->job->inverse_unit);
}

static void build(few *f, uint32_t node, uint32_t first, uint32_t count, uint32_t leaves)
{
    few_cut cut = {INFINITY, 0, BW_WIDTH};
    if (leaves > 1)
        for (int axis = 0; axis < 3; axis++)
            sweep_axis(f, axis, first, count, leaves, &cut);
    if (leaves == 1 || (count <= BW_WIDTH && !better_apart(f, first, count, &cut))) {
        close_leaf(f, node, first, count);
        return;
    }
    divide_lists(f, &cut, first, count);
    uint32_t left_leaves = bw_split_leaves_left(leaves, cut.left, count - cut.left);
    bw_split_node *n = &f->job->nodes[node];
    n->count = 0;
    n->right = node + 2 * left_leaves;
    build(f, node + 1, first, cut.left, left_leaves);
    build(f, n->right, first + cut.left, count - cut.left, leaves - left_leaves);
    bw_split_node_join(f->job->nodes, node, f->job->inverse_unit);
}

void bw_split_few(const bw_split_job *job, const bw_range *range)
{
    few f;
    f.job = job;
    f.begin = range->begin;
    uint32_t count = range->end - range->begin;
    memcpy(f.refs, job->refs[range->buffer] + range->begin, count * sizeof *f.refs);
    for (int axis = 0; axis < 3; axis++)
        sort_axis(&f, count, axis);
    build(&f, range->node, 0, count, range->leaves);
}
