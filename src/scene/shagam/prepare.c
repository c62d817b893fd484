/* Splitting nodes and determining boxes (sections 2.1.1, 2.1.5 and 2.1.6 of the paper), where work was
 * marked. */
#include "base/stack.h"
#include "scene/shagam/shagam.h"

#include <math.h>
#include <string.h>

static bool meets(const float a[6], const float region[6])
{
    if (region == NULL)
        return true;
    for (int i = 0; i < 3; i++)
        if (!(a[i] <= -region[i + 3] && region[i] <= -a[i + 3]))
            return false;
    return true;
}

/* The box of a node from its objects and children; its split point moves along (fragmentation avoidance). */
static void recalculate(bw_classic_tree *tree, bw_classic_node *node)
{
    float box[6];
    for (int i = 0; i < 6; i++)
        box[i] = INFINITY;
    for (uint32_t k = 0; k < node->count; k++)
        for (int i = 0; i < 6; i++)
            box[i] = node->boxes[k][i] < box[i] ? node->boxes[k][i] : box[i];
    if (node->block != BW_CLASSIC_NONE) {
        const uint32_t *children = bw_classic_children(tree, node->block);
        for (uint32_t c = 0; c < tree->ways; c++)
            if (children[c] != BW_CLASSIC_NONE)
                for (int i = 0; i < 6; i++) {
                    float side = bw_classic_at(tree, children[c])->box[i];
                    box[i] = side < box[i] ? side : box[i];
                }
    }
    memcpy(node->box, box, sizeof box);
    bw_classic_split_point(tree, node, node->split);
    node->stale = false;
}

/* Splits a leaf. False: no memory, nothing changed. */
static bool split(bw_classic_context *context, uint32_t index)
{
    bw_classic_tree *tree = context->tree;
    if (!bw_slab_reserve(&tree->nodes, context->allocator, tree->ways) ||
        !bw_slab_reserve(&tree->blocks, context->allocator, 1))
        return false;
    bw_classic_node *node = bw_classic_at(tree, index);
    bw_classic_split_point(tree, node, node->split);
    node->axis = 0;
    for (uint8_t a = 1; a < 3; a++)
        if (node->box[a] + node->box[a + 3] < node->box[node->axis] + node->box[node->axis + 3])
            node->axis = a;
    node->is_split = true;
    uint32_t sizes[28] = {0}; /* the last: objects that stay */
    for (uint32_t i = 0; i < node->count; i++) {
        int child = bw_classic_which(tree, node, node->boxes[i]);
        sizes[child < 0 ? 27 : child]++;
    }
    for (uint32_t c = 0; c < tree->ways; c++)
        if (sizes[c] == node->count) {
            tree->splits++;
            return true; /* all in one child, and so they would be there again: keep them, marked as split */
        }
    if (sizes[27] == node->count) {
        tree->splits++;
        return true;
    }
    bw_classic_node fresh[27];
    uint32_t used = 0;
    memset(fresh, 0, sizeof fresh);
    for (; used < tree->ways; used++)
        if (sizes[used] != 0 && !bw_classic_reserve_items(context, &fresh[used], sizes[used]))
            break;
    if (used < tree->ways) {
        for (uint32_t c = 0; c < used; c++) {
            bw_release(context->allocator, fresh[c].boxes, fresh[c].capacity,
                       sizeof *node->boxes + sizeof *node->ids);
            tree->item_bytes -= (size_t)fresh[c].capacity * (sizeof *node->boxes + sizeof *node->ids);
        }
        node->is_split = false;
        return false;
    }
    node->block = bw_classic_take_block(tree);
    uint32_t kept = 0, all = node->count;
    node->count = 0;
    for (uint32_t i = 0; i < all; i++) {
        int which = bw_classic_which(tree, node, node->boxes[i]);
        float box[6];
        memcpy(box, node->boxes[i], sizeof box);
        bw_id id = node->ids[i];
        if (which < 0) {
            memmove(node->boxes[kept], box, sizeof box);
            node->ids[kept] = id;
            tree->slots[bw_id_index(id)] = kept++;
            continue;
        }
        uint32_t *child = &bw_classic_children(tree, node->block)[which];
        if (*child == BW_CLASSIC_NONE) {
            *child = bw_classic_take_node(tree, index);
            bw_classic_node *c = bw_classic_at(tree, *child);
            c->boxes = fresh[which].boxes;
            c->ids = fresh[which].ids;
            c->capacity = fresh[which].capacity;
        }
        bw_classic_append(context, *child, box, id);
    }
    node->count = kept;
    for (uint32_t c = 0; c < tree->ways; c++) {
        uint32_t child = bw_classic_children(tree, node->block)[c];
        if (child != BW_CLASSIC_NONE)
            recalculate(tree, bw_classic_at(tree, child));
    }
    /* What stays needs less room; the old arrays serve if no smaller ones can be had. */
    bw_classic_node smaller = {.parent = node->parent};
    if (kept == 0 || bw_classic_reserve_items(context, &smaller, kept)) {
        if (kept != 0) {
            memcpy(smaller.boxes, node->boxes, kept * sizeof *node->boxes);
            memcpy(smaller.ids, node->ids, kept * sizeof *node->ids);
        }
        bw_release(context->allocator, node->boxes, node->capacity, sizeof *node->boxes + sizeof *node->ids);
        tree->item_bytes -= (size_t)node->capacity * (sizeof *node->boxes + sizeof *node->ids);
        node->boxes = smaller.boxes;
        node->ids = smaller.ids;
        node->capacity = smaller.capacity;
    }
    tree->splits++;
    return true;
}

static bool overfull(const bw_classic_tree *tree, const bw_classic_node *node)
{
    return !node->is_split && node->count >= tree->threshold;
}

bool bw_classic_prepare(bw_classic_context *context, const float region[6], bool splits,
                        bw_prepare_report *report)
{
    bw_classic_tree *tree = context->tree;
    if (tree->root == BW_CLASSIC_NONE)
        return true;
    uint32_t first[512];
    bw_stack list = bw_stack_over(first, sizeof first, sizeof *first, context->allocator);
    *(uint32_t *)bw_stack_push(&list) = tree->root;
    bool ok = true;
    /* Parents before children: new children of a split are seen too. */
    for (size_t head = 0; head < list.count && ok; head++) {
        uint32_t index = ((const uint32_t *)(const void *)list.items)[head];
        bw_classic_node *node = bw_classic_at(tree, index);
        bool fresh = false;
        if (!meets(node->box, region))
            continue;
        if (splits && overfull(tree, node)) {
            if (node->stale) {
                recalculate(tree, node);
                report->recalculated++;
            }
            ok = split(context, index);
            fresh = ok;
            report->splits += ok;
            node = bw_classic_at(tree, index);
        }
        if ((!fresh && !node->work_below) || node->block == BW_CLASSIC_NONE)
            continue;
        const uint32_t *children = bw_classic_children(tree, node->block);
        for (uint32_t c = 0; c < tree->ways && ok; c++) {
            if (children[c] == BW_CLASSIC_NONE)
                continue;
            const bw_classic_node *child = bw_classic_at(tree, children[c]);
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
        bw_classic_node *node = bw_classic_at(tree, ((const uint32_t *)(const void *)list.items)[k]);
        if (node->stale && meets(node->box, region)) {
            recalculate(tree, node);
            report->recalculated++;
        }
        node->work_below = false;
        if (node->block != BW_CLASSIC_NONE) {
            const uint32_t *children = bw_classic_children(tree, node->block);
            for (uint32_t c = 0; c < tree->ways; c++)
                if (children[c] != BW_CLASSIC_NONE) {
                    const bw_classic_node *child = bw_classic_at(tree, children[c]);
                    node->work_below |= child->stale || child->work_below || overfull(tree, child);
                }
        }
        report->pending += node->stale || overfull(tree, node) || node->work_below;
    }
    bw_stack_release(&list);
    return ok;
}
