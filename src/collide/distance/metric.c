/* Bodies made ready for distances and rays, and the boxes of their children and primitives in the common
 * frame. */
#include "collide/distance/metric.h"

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

void bw_metric_bounds(const bw_metric_side *side, double low[3], double high[3])
{
    bw_metric_boxes boxes = {.count = 0};
    if (side->tree->node_count > 0)
        bw_metric_children(side, 0, &boxes);
    for (int k = 0; k < 3; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
        for (uint32_t i = 0; i < boxes.count; i++) {
            const double from = (double)boxes.min[k][i], to = (double)boxes.max[k][i];
            low[k] = from < low[k] ? from : low[k];
            high[k] = to > high[k] ? to : high[k];
        }
    }
}
