/* Splitting nodes and determining boxes (sections 2.1.1, 2.1.5 and 2.1.6 of the paper), where work was
 * marked. */
#include "base/stack.h"
#include "scene/shagam/shagam.h"

#include <math.h>
#include <string.h>

static bool meets(const float box[6], const float region[6])
{
    return region == NULL || bw_packed_overlap(box, region);
}

/* The box of a node from its objects and children; its split point moves along (fragmentation avoidance). */
static void recalculate(bw_shagam_tree *tree, bw_shagam_node *node)
{
    float box[6];
    bw_packed_clear(box);
    for (uint32_t k = 0; k < node->count; k++)
        bw_packed_grow(box, node->boxes[k]);
    if (node->block != BW_SHAGAM_NONE) {
        const uint32_t *children = bw_shagam_children(tree, node);
        for (uint32_t c = 0; c < bw_shagam_ways(node); c++)
            if (children[c] != BW_SHAGAM_NONE)
                bw_packed_grow(box, bw_shagam_at(tree, children[c])->box);
    }
    memcpy(node->box, box, sizeof box);
    bw_shagam_split_point(tree, node, node->split);
    node->stale = false;
}

/* Splits a leaf. False: no memory, nothing changed. */
static bool split(bw_shagam_tree *tree, uint32_t index)
{
    bw_shagam_node *node = bw_shagam_at(tree, index);
    bw_shagam_split_point(tree, node, node->split);
    node->axis = 0;
    for (uint8_t a = 1; a < 3; a++)
        if (node->box[a] + node->box[a + 3] < node->box[node->axis] + node->box[node->axis + 3])
            node->axis = a;
    node->is_split = true;
    if (tree->per_node)
        bw_shagam_choose(tree, node);
    uint32_t ways = bw_shagam_ways(node);
    bool room = bw_slab_reserve(&tree->blocks[node->nesting], tree->base.allocator, 1) &&
                bw_slab_reserve(&tree->nodes, tree->base.allocator, ways);
    node = bw_shagam_at(tree, index); /* it may have moved */
    if (!room) {
        node->is_split = false;
        return false;
    }
    uint32_t sizes[BW_NODE_WAYS + 1] = {0}; /* the last: objects that stay */
    for (uint32_t i = 0; i < node->count; i++) {
        int child = bw_shagam_which(node, node->boxes[i]);
        sizes[child < 0 ? BW_NODE_WAYS : child]++;
    }
    for (uint32_t c = 0; c <= BW_NODE_WAYS; c++)
        if (sizes[c] == node->count) {
            tree->base.splits++;
            return true; /* all in one child, and so they would be there again: keep them, marked as split */
        }
    bw_shagam_node fresh[BW_NODE_WAYS];
    uint32_t used = 0;
    memset(fresh, 0, sizeof fresh);
    for (; used < ways; used++)
        if (sizes[used] != 0 && !bw_shagam_reserve_items(tree, &fresh[used], sizes[used]))
            break;
    if (used < ways) {
        for (uint32_t c = 0; c < used; c++)
            bw_shagam_release_items(tree, &fresh[c]);
        node->is_split = false;
        return false;
    }
    bw_shagam_take_block(tree, node);
    uint32_t kept = 0, all = node->count;
    node->count = 0;
    for (uint32_t i = 0; i < all; i++) {
        int which = bw_shagam_which(node, node->boxes[i]);
        float box[6];
        memcpy(box, node->boxes[i], sizeof box);
        bw_id id = node->ids[i];
        if (which < 0) {
            memmove(node->boxes[kept], box, sizeof box);
            node->ids[kept] = id;
            tree->slots[bw_id_index(id)] = kept++;
            continue;
        }
        uint32_t *child = &bw_shagam_children(tree, node)[which];
        if (*child == BW_SHAGAM_NONE) {
            *child = bw_shagam_take_node(tree, index);
            bw_shagam_hand_items(&fresh[which], bw_shagam_at(tree, *child));
        }
        bw_shagam_append(tree, *child, box, id);
    }
    node->count = kept;
    for (uint32_t c = 0; c < ways; c++) {
        uint32_t child = bw_shagam_children(tree, node)[c];
        if (child != BW_SHAGAM_NONE)
            recalculate(tree, bw_shagam_at(tree, child));
    }
    bw_shagam_shrink_items(tree, node, kept);
    tree->base.splits++;
    return true;
}

static bool overfull(const bw_shagam_tree *tree, const bw_shagam_node *node)
{
    return !node->is_split && node->count >= tree->threshold;
}

bool bw_shagam_prepare(bw_shagam_tree *tree, const float region[6], bool splits, bw_prepare_report *report)
{
    if (tree->root == BW_SHAGAM_NONE)
        return true;
    uint32_t first[512];
    bw_stack list = bw_stack_over(first, sizeof first, sizeof *first, tree->base.allocator);
    *(uint32_t *)bw_stack_push(&list) = tree->root;
    bool ok = true;
    /* Parents before children: new children of a split are seen too. */
    for (size_t head = 0; head < list.count && ok; head++) {
        uint32_t index = ((const uint32_t *)(const void *)list.items)[head];
        bw_shagam_node *node = bw_shagam_at(tree, index);
        bool fresh = false;
        if (!meets(node->box, region))
            continue;
        if (splits && overfull(tree, node)) {
            if (node->stale) {
                recalculate(tree, node);
                report->recalculated_count++;
            }
            ok = split(tree, index);
            fresh = ok;
            report->split_count += ok;
            node = bw_shagam_at(tree, index);
        }
        if ((!fresh && !node->work_below) || node->block == BW_SHAGAM_NONE)
            continue;
        const uint32_t *children = bw_shagam_children(tree, node);
        for (uint32_t c = 0; c < bw_shagam_ways(node) && ok; c++) {
            if (children[c] == BW_SHAGAM_NONE)
                continue;
            const bw_shagam_node *child = bw_shagam_at(tree, children[c]);
            if (!child->stale && !child->work_below && !overfull(tree, child))
                continue;
            uint32_t *top = bw_stack_push(&list);
            ok = top != NULL;
            if (ok)
                *top = children[c];
        }
    }
    /* Children before parents: boxes, and whether anything is left to do below. */
    for (size_t k = list.count; k-- > 0;) {
        bw_shagam_node *node = bw_shagam_at(tree, ((const uint32_t *)(const void *)list.items)[k]);
        if (node->stale && meets(node->box, region)) {
            recalculate(tree, node);
            report->recalculated_count++;
        }
        node->work_below = false;
        if (node->block != BW_SHAGAM_NONE) {
            const uint32_t *children = bw_shagam_children(tree, node);
            for (uint32_t c = 0; c < bw_shagam_ways(node); c++)
                if (children[c] != BW_SHAGAM_NONE) {
                    const bw_shagam_node *child = bw_shagam_at(tree, children[c]);
                    node->work_below |= child->stale || child->work_below || overfull(tree, child);
                }
        }
        report->pending_count += node->stale || overfull(tree, node) || node->work_below;
    }
    bw_stack_release(&list);
    return ok;
}
