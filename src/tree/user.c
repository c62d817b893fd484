/* Trees over primitives that only their owner knows: a callback gives the box of each. */
#include "base/fault.h"
#include "base/serial.h"
#include "base/sized.h"
#include "geom/box.h"
#include "tree/kind.h"

#include <math.h>

/* Asks for all boxes; on a bad one its code, and its number in *bad. */
static bw_result ask_boxes(const bw_primitives *primitives, bw_box *boxes, uint32_t *bad)
{
    for (uint32_t i = 0; i < primitives->count; i++) {
        bw_box *box = &boxes[i];
        primitives->box(primitives->user, i, box);
        bw_result result = BW_OK;
        for (int k = 0; k < 3; k++) {
            double low = (double)box->min[k], high = (double)box->max[k];
            if (!isfinite(low) || !isfinite(high))
                result = BW_ERROR_NOT_FINITE;
            else if (result == BW_OK && low > high)
                result = BW_ERROR_ARGUMENT;
            else if (result == BW_OK && (low < -BW_COORDINATE_MAX || high > BW_COORDINATE_MAX))
                result = BW_ERROR_RANGE;
            /* Builders count on zeros of one kind, so that equal boxes have equal bits. */
            box->min[k] += 0.0f;
            box->max[k] += 0.0f;
        }
        if (result != BW_OK) {
            *bad = i;
            return result;
        }
    }
    return BW_OK;
}

static bool are_primitives(const bw_primitives *primitives)
{
    return primitives != NULL && primitives->box != NULL;
}

bw_result bw_tree_create_user(const bw_tree_desc *desc, const bw_primitives *primitives, bw_tree **out,
                              bw_fault *fault)
{
    static const bw_tree_desc defaults = {0};
    if (desc == NULL)
        desc = &defaults;
    if (bw_desc_check(desc) != BW_OK)
        return bw_fail(fault, bw_desc_check(desc));
    if (!are_primitives(primitives) || out == NULL || !bw_tree_desc_valid(desc) || desc->quarantine != 0)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    if (desc->builder == BW_BUILDER_MIDPOINT || desc->volume != BW_VOLUME_AABB)
        return bw_fail(fault, BW_ERROR_UNSUPPORTED);
    if (primitives->count == 0)
        return bw_fail(fault, BW_ERROR_EMPTY);
    if (primitives->count > BW_MAX_PRIMITIVES)
        return bw_fail(fault, BW_ERROR_SIZE);
    bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    bw_tree *tree = bw_allocate_zero(&allocator, 1, sizeof *tree);
    bw_box *boxes = bw_allocate(&allocator, primitives->count, sizeof *boxes);
    uint32_t bad = BW_NONE;
    bw_result result = tree == NULL || boxes == NULL ? BW_ERROR_MEMORY : ask_boxes(primitives, boxes, &bad);
    if (result == BW_OK) {
        *tree = (bw_tree){.allocator = allocator,
                          .serial = bw_serial_next(),
                          .mesh_primitives = primitives->count,
                          .primitives = primitives->count,
                          .owner = *primitives,
                          .builder = desc->builder,
                          .kind = &bw_kind_wide};
        bw_cancel cancel;
        bw_wide_desc wide = bw_tree_wide_desc(tree, desc->tasks, bw_cancel_init(&cancel, desc->progress));
        result = bw_wide_build(&wide, boxes, NULL, primitives->count, &tree->wide);
    }
    bw_release(&allocator, boxes, primitives->count, sizeof *boxes);
    if (result != BW_OK) {
        bw_release(&allocator, tree, 1, sizeof *tree);
        return bw_fail_at(fault, result, bad);
    }
    *out = tree;
    return bw_fail(fault, BW_OK);
}

bw_result bw_tree_refit_user(bw_tree *tree, bw_fault *fault)
{
    if (tree == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    if (tree->owner.box == NULL)
        return bw_fail(fault, BW_ERROR_MISMATCH);
    bw_wide *wide = &tree->wide;
    bw_box *boxes = bw_allocate(&tree->allocator, tree->primitives, sizeof *boxes);
    if (boxes == NULL)
        return bw_fail(fault, BW_ERROR_MEMORY);
    uint32_t bad = BW_NONE;
    bw_result result = ask_boxes(&tree->owner, boxes, &bad);
    for (uint32_t leaf = 0; result == BW_OK && leaf < wide->leaf_count; leaf++) {
        const uint32_t *primitives = &wide->primitives[(size_t)leaf * BW_WIDTH];
        bw_box box = boxes[primitives[0]];
        for (uint32_t i = 1; i < wide->leaves[leaf].count; i++)
            box = bw_box_union(&box, &boxes[primitives[i]]);
        bw_wide_set_lane(&wide->nodes[wide->leaves[leaf].parent], wide->leaves[leaf].lane, &box);
    }
    if (result == BW_OK)
        bw_wide_bounds_up(wide, NULL);
    bw_release(&tree->allocator, boxes, tree->primitives, sizeof *boxes);
    return bw_fail_at(fault, result, bad);
}
