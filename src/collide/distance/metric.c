/* Bodies made ready for distances and rays, and the scalar traversal by distance for user primitives. */
#include "collide/distance/metric.h"

#include "base/stack.h"
#include "collide/relative_pose.h"
#include "geom/box.h"
#include "mesh/view.h"
#include "tree/kind.h"
#include "tree/wide/deferred.h"

#include <math.h>
#include <string.h>

bw_result bw_metric_prepare_lazily(const bw_body *body, bw_metric_side *out)
{
    if (body->tree->kind != &bw_kind_wide)
        return BW_ERROR_UNSUPPORTED;
    bool user = body->tree->owner.box != NULL;
    if (!user && body->mesh == NULL)
        return BW_ERROR_ARGUMENT;
    bw_result result = user && body->mesh == NULL ? BW_OK : bw_tree_accepts_lazily(body->tree, body->mesh);
    if (result != BW_OK)
        return result;
    bw_metric_side side = {&body->tree->wide, body->mesh, user ? &body->tree->owner : NULL,
                           body->pose,        false,      {0, 0, 0}};
    if (side.map != NULL) {
        side.check = !user && bw_map_may_underflow(side.map, body->mesh);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 4; j++)
                if (!isfinite(side.map->m[i][j]))
                    return BW_ERROR_NOT_FINITE;
        for (int i = 0; i < 3; i++) {
            double reach = fabs(side.map->m[i][3]);
            for (int j = 0; j < 3; j++)
                reach += fabs(side.map->m[i][j]) *
                         fmax(fabs((double)side.tree->bounds.min[j]), fabs((double)side.tree->bounds.max[j]));
            if (reach > BW_COORDINATE_MAX) /* perhaps infinite, never a NaN */
                return BW_ERROR_RANGE;
            /* A mapped corner takes four roundings, a mapped box about ten, each below 2^-53 of the reach. */
            side.margin[i] = 0x1p-48 * reach;
        }
    }
    *out = side;
    return BW_OK;
}

bw_result bw_metric_prepare(const bw_body *body, bw_metric_side *out)
{
    bw_result result = bw_metric_prepare_lazily(body, out);
    if (result == BW_OK)
        bw_wide_complete(out->tree);
    return result;
}

bool bw_metric_corners(const bw_metric_side *side, uint32_t primitive, bw_vec3 out[3])
{
    bw_mesh_view_corners(side->mesh, primitive, out);
    if (side->map != NULL)
        for (int i = 0; i < 3; i++)
            out[i] = bw_transform_point(side->map, out[i]);
    return !side->check || bw_exact_range(out, 3);
}

/* Replaces a box by the axis-aligned one around its image: its middle mapped, its half extents by absolute
 * values. */
static void map_box(const bw_metric_side *side, uint32_t lane, bw_metric_boxes *out)
{
    double middle[3], half[3];
    for (int k = 0; k < 3; k++) {
        middle[k] = 0.5 * ((double)out->min[k][lane] + (double)out->max[k][lane]);
        half[k] = 0.5 * ((double)out->max[k][lane] - (double)out->min[k][lane]);
    }
    for (int k = 0; k < 3; k++) {
        const double *m = side->map->m[k];
        double centre = m[0] * middle[0] + m[1] * middle[1] + m[2] * middle[2] + m[3];
        double reach = fabs(m[0]) * half[0] + fabs(m[1]) * half[1] + fabs(m[2]) * half[2] + side->margin[k];
        out->min[k][lane] = bw_float_down(centre - reach);
        out->max[k][lane] = bw_float_up(centre + reach);
    }
}

static void set_box(bw_metric_boxes *out, uint32_t lane, const bw_box *box)
{
    for (int k = 0; k < 3; k++) {
        out->min[k][lane] = box->min[k];
        out->max[k][lane] = box->max[k];
    }
}

static void primitive_boxes(const bw_metric_side *side, uint32_t leaf, bw_metric_boxes *out)
{
    *out = (bw_metric_boxes){.count = side->tree->leaves[leaf].count};
    bw_wide_need_leaf(side->tree, leaf);
    for (uint32_t i = 0; i < out->count; i++) {
        bw_box box;
        out->child[i] = side->tree->primitives[(size_t)leaf * BW_WIDTH + i];
        if (side->owner != NULL) {
            side->owner->box(side->owner->user, out->child[i], &box);
            set_box(out, i, &box);
            if (side->map != NULL)
                map_box(side, i, out);
            continue;
        }
        bw_vec3 corners[3];
        bw_metric_corners(side, out->child[i], corners);
        box = bw_box_of_points(corners, 3);
        set_box(out, i, &box);
    }
}

void bw_metric_children(const bw_metric_side *side, uint32_t ref, bw_metric_boxes *out)
{
    if ((ref & BW_WIDE_LEAF) != 0) {
        primitive_boxes(side, ref & ~BW_WIDE_LEAF, out);
        return;
    }
    const bw_wide_node *node = &side->tree->nodes[ref];
    bw_wide_need_node(side->tree, ref);
    out->count = node->count;
    memcpy(out->child, node->child, sizeof out->child);
    memcpy(out->min, node->min, sizeof out->min);
    memcpy(out->max, node->max, sizeof out->max);
    if (side->map != NULL)
        for (uint32_t i = 0; i < node->count; i++)
            map_box(side, i, out);
}

double bw_metric_bound(const bw_metric_boxes *a, uint32_t i, const bw_metric_boxes *b, uint32_t j)
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        double below = (double)a->min[k][i] - (double)b->max[k][j];
        double above = (double)b->min[k][j] - (double)a->max[k][i];
        double gap = below > above ? below : above;
        gap = gap > 0.0 ? gap : 0.0;
        sum += gap * gap;
    }
    /* Fewer than ten roundings; computed distances of primitives are good to a relative 1e-12. */
    return sum * (1.0 - 0x1p-38);
}

typedef struct near_pair {
    double bound;
    uint32_t a, b; /* references */
} near_pair;

/* Ascending by bound; pairs come in a fixed order, so equal bounds do too. */
static void sort_pairs(near_pair *pairs, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        near_pair p = pairs[i];
        uint32_t at = i;
        for (; at > 0 && pairs[at - 1].bound > p.bound; at--)
            pairs[at] = pairs[at - 1];
        pairs[at] = p;
    }
}

/* The pairs of children within the limit, nearest first. */
static uint32_t list_pairs(bw_metric_query *query, const bw_metric_boxes *a, const bw_metric_boxes *b,
                           near_pair out[BW_WIDTH * BW_WIDTH])
{
    uint32_t count = 0;
    for (uint32_t j = 0; j < b->count; j++)
        for (uint32_t i = 0; i < a->count; i++) {
            double bound = bw_metric_bound(a, i, b, j);
            if (bound <= query->limit2)
                out[count++] = (near_pair){bound, a->child[i], b->child[j]};
        }
    query->box_tests += (uint64_t)a->count * b->count;
    sort_pairs(out, count);
    return count;
}

/* A leaf that faces a node is kept whole while the node is unfolded. */
static void leaf_box(const bw_metric_side *side, uint32_t ref, bw_metric_boxes *out)
{
    const bw_wide_leaf *leaf = &side->tree->leaves[ref & ~BW_WIDE_LEAF];
    bw_metric_boxes siblings;
    bw_metric_children(side, leaf->parent, &siblings);
    *out = (bw_metric_boxes){.count = 1, .child = {ref}};
    for (int k = 0; k < 3; k++) {
        out->min[k][0] = siblings.min[k][leaf->lane];
        out->max[k][0] = siblings.max[k][leaf->lane];
    }
}

static void unfold(const bw_metric_side *side, uint32_t ref, bool whole, bw_metric_boxes *out)
{
    if (whole)
        leaf_box(side, ref, out);
    else
        bw_metric_children(side, ref, out);
}

bw_result bw_metric_walk(const bw_metric_side *a, const bw_metric_side *b, const bw_allocator *allocator,
                         bw_metric_query *query)
{
    near_pair first[256], pairs[BW_WIDTH * BW_WIDTH];
    bw_stack stack = bw_stack_over(first, sizeof first, sizeof *first, allocator);
    if (a->tree->node_count > 0 && b->tree->node_count > 0)
        *(near_pair *)bw_stack_push(&stack) = (near_pair){0.0, 0, 0};
    bw_result result = BW_OK;
    near_pair *top;
    while ((top = bw_stack_pop(&stack)) != NULL) {
        near_pair p = *top;
        if (p.bound > query->limit2)
            continue;
        query->nodes_visited++;
        bool leaf_a = (p.a & BW_WIDE_LEAF) != 0, leaf_b = (p.b & BW_WIDE_LEAF) != 0,
             primitives = leaf_a && leaf_b;
        bw_metric_boxes boxes_a, boxes_b;
        unfold(a, p.a, leaf_a && !primitives, &boxes_a);
        unfold(b, p.b, leaf_b && !primitives, &boxes_b);
        uint32_t count = list_pairs(query, &boxes_a, &boxes_b, pairs);
        if (primitives) {
            bool go_on = true;
            for (uint32_t i = 0; i < count && go_on && pairs[i].bound <= query->limit2; i++) {
                query->primitive_tests++;
                go_on = query->visit(query, pairs[i].a, pairs[i].b);
            }
            if (!go_on) {
                result = query->result;
                break;
            }
            continue;
        }
        if (!bw_stack_grow(&stack, count)) {
            result = BW_ERROR_MEMORY;
            break;
        }
        while (count-- > 0)
            *(near_pair *)bw_stack_push(&stack) = pairs[count];
    }
    bw_stack_release(&stack);
    return result;
}
