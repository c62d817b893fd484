#include "wide_reference.h"

#include "geom/box.h"
#include "tree/build/collapse.h"

#include <math.h>
#include <stdlib.h>

typedef struct item {
    float centre[3];
    uint32_t id;
} item;

typedef struct reference {
    const bw_box *boxes;
    item *items;
    float *above;
    bw_split_node *nodes;
    uint32_t *order;
    uint32_t node_count;
    float inverse_unit;
    wide_reference_price price;
} reference;

#define COMPARE(axis)                                                                                        \
    static int compare_##axis(const void *a, const void *b)                                                  \
    {                                                                                                        \
        const item *x = a, *y = b;                                                                           \
        if (x->centre[axis] != y->centre[axis])                                                              \
            return x->centre[axis] < y->centre[axis] ? -1 : 1;                                               \
        return x->id < y->id ? -1 : 1;                                                                       \
    }
COMPARE(0)
COMPARE(1)
COMPARE(2)
static int (*const compare[3])(const void *, const void *) = {compare_0, compare_1, compare_2};

static float price_of(const reference *r, uint32_t n)
{
    return r->price == WIDE_REFERENCE_COUNT ? (float)n : (float)((n + BW_WIDTH - 1) / BW_WIDTH);
}

static uint32_t best_cut(reference *r, uint32_t begin, uint32_t count, int *best_axis)
{
    float best = INFINITY;
    uint32_t left = count / 2;
    *best_axis = 0;
    for (int axis = 0; axis < 3; axis++) {
        item *items = r->items + begin;
        qsort(items, count, sizeof *items, compare[axis]);
        bw_box run = bw_box_empty();
        for (uint32_t i = count - 1; i > 0; i--) {
            run = bw_box_union(&run, &r->boxes[items[i].id]);
            r->above[i] = bw_box_half_area(&run, r->inverse_unit);
        }
        run = bw_box_empty();
        for (uint32_t i = 1; i < count; i++) {
            run = bw_box_union(&run, &r->boxes[items[i - 1].id]);
            float cost = bw_box_half_area(&run, r->inverse_unit) * price_of(r, i) +
                         r->above[i] * price_of(r, count - i);
            if (cost < best) {
                best = cost;
                *best_axis = axis;
                left = i;
            }
        }
    }
    return left;
}

static void build(reference *r, uint32_t begin, uint32_t count)
{
    uint32_t index = r->node_count++;
    bw_split_node *node = &r->nodes[index];
    if (count <= BW_WIDTH) {
        node->box = bw_box_empty();
        for (uint32_t i = 0; i < count; i++) {
            node->box = bw_box_union(&node->box, &r->boxes[r->items[begin + i].id]);
            r->order[begin + i] = r->items[begin + i].id;
        }
        node->first = begin;
        node->count = count;
        bw_split_node_close(node, r->inverse_unit, 0);
        return;
    }
    int axis;
    uint32_t left = best_cut(r, begin, count, &axis);
    qsort(r->items + begin, count, sizeof *r->items, compare[axis]);
    node->count = 0;
    build(r, begin, left);
    node->right = r->node_count;
    build(r, begin + left, count - left);
    bw_split_node_join(r->nodes, index, r->inverse_unit, 0, BW_SIMD_128);
}

void wide_reference_build(const bw_box *boxes, uint32_t count, wide_reference_price price, bw_wide *out)
{
    reference r = {.boxes = boxes, .price = price};
    r.items = malloc(count * sizeof *r.items);
    r.above = malloc(count * sizeof *r.above);
    r.nodes = malloc(2 * (size_t)count * sizeof *r.nodes);
    r.order = malloc(count * sizeof *r.order);
    if (r.items == NULL || r.above == NULL || r.nodes == NULL || r.order == NULL)
        abort();
    bw_box all = bw_box_empty();
    for (uint32_t i = 0; i < count; i++) {
        r.items[i].id = i;
        for (int axis = 0; axis < 3; axis++)
            r.items[i].centre[axis] = boxes[i].min[axis] + boxes[i].max[axis];
        all = bw_box_union(&all, &boxes[i]);
    }
    r.inverse_unit = bw_box_inverse_unit(&all);
    build(&r, 0, count);
    if (bw_wide_collapse(r.nodes, r.order, count, 0, NULL, NULL, out) != BW_OK)
        abort();
    free(r.items);
    free(r.above);
    free(r.nodes);
    free(r.order);
}
