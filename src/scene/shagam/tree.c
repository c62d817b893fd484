/* Memory of the trees after Shagam: nodes, slots and items. */
#include "scene/shagam/shagam.h"

#include <math.h>
#include <string.h>

enum { ITEM = 6 * sizeof(float) + sizeof(bw_id) };

bw_classic_tree bw_classic_empty(bw_nesting nesting, bool leafy, uint32_t threshold)
{
    static const uint8_t ways[] = {2, 3, 8, 27};
    uint32_t n = ways[nesting - BW_NESTING_KD];
    return (bw_classic_tree){.nodes = bw_slab_empty(sizeof(bw_classic_node), 8),
                             .blocks = bw_slab_empty(n * (uint32_t)sizeof(uint32_t), 8),
                             .ways = n,
                             .leafy = leafy,
                             .threshold = threshold,
                             .root = BW_CLASSIC_NONE};
}

static void release_items(bw_classic_tree *tree, const bw_allocator *allocator, bw_classic_node *node)
{
    bw_release(allocator, node->boxes, node->capacity, ITEM);
    tree->item_bytes -= (size_t)node->capacity * ITEM;
    node->boxes = NULL;
    node->ids = NULL;
    node->capacity = 0;
}

void bw_classic_release(bw_classic_tree *tree, const bw_allocator *allocator)
{
    for (uint32_t i = 0; i < tree->nodes.end; i++)
        if (bw_classic_at(tree, i)->parent != BW_CLASSIC_FREE)
            release_items(tree, allocator, bw_classic_at(tree, i));
    bw_slab_release(&tree->nodes, allocator);
    bw_slab_release(&tree->blocks, allocator);
    bw_release(allocator, tree->slots, tree->slot_capacity, sizeof *tree->slots);
    tree->slots = NULL;
    tree->slot_capacity = 0;
    tree->root = BW_CLASSIC_NONE;
    tree->objects = 0;
}

size_t bw_classic_bytes(const bw_classic_tree *tree)
{
    return bw_slab_bytes(&tree->nodes) + bw_slab_bytes(&tree->blocks) + tree->item_bytes +
           tree->slot_capacity * sizeof *tree->slots;
}

bool bw_classic_reserve_slots(bw_classic_context *context)
{
    bw_classic_tree *tree = context->tree;
    uint32_t wanted = context->table->entries.end;
    if (wanted <= tree->slot_capacity)
        return true;
    uint32_t capacity = tree->slot_capacity + tree->slot_capacity / 2;
    capacity = capacity < wanted ? wanted : capacity;
    uint32_t *slots = bw_allocate(context->allocator, capacity, sizeof *slots);
    if (slots == NULL)
        return false;
    if (tree->slot_capacity != 0)
        memcpy(slots, tree->slots, tree->slot_capacity * sizeof *slots);
    bw_release(context->allocator, tree->slots, tree->slot_capacity, sizeof *slots);
    tree->slots = slots;
    tree->slot_capacity = capacity;
    return true;
}

bool bw_classic_reserve_items(bw_classic_context *context, bw_classic_node *node, uint32_t count)
{
    if (count <= node->capacity)
        return true;
    uint32_t capacity = node->capacity + node->capacity / 2;
    capacity = ((capacity < count ? count : capacity) + 3u) & ~3u;
    char *items = bw_allocate(context->allocator, capacity, ITEM);
    if (items == NULL)
        return false;
    float(*boxes)[6] = (float(*)[6])(void *)items;
    bw_id *ids = (bw_id *)(void *)(items + (size_t)capacity * sizeof *boxes);
    if (node->count != 0) {
        memcpy(boxes, node->boxes, node->count * sizeof *boxes);
        memcpy(ids, node->ids, node->count * sizeof *ids);
    }
    release_items(context->tree, context->allocator, node);
    node->boxes = boxes;
    node->ids = ids;
    node->capacity = capacity;
    context->tree->item_bytes += (size_t)capacity * ITEM;
    return true;
}

void bw_classic_append(bw_classic_context *context, uint32_t index, const float box[6], bw_id id)
{
    bw_classic_node *node = bw_classic_at(context->tree, index);
    memcpy(node->boxes[node->count], box, sizeof node->boxes[0]);
    node->ids[node->count] = id;
    bw_table_entry(context->table, bw_id_index(id))->place = index;
    context->tree->slots[bw_id_index(id)] = node->count++;
}

uint32_t bw_classic_take_node(bw_classic_tree *tree, uint32_t parent)
{
    uint32_t index = bw_slab_take(&tree->nodes);
    bw_classic_node *node = bw_classic_at(tree, index);
    *node = (bw_classic_node){.parent = parent, .block = BW_CLASSIC_NONE};
    for (int i = 0; i < 6; i++)
        node->box[i] = INFINITY;
    return index;
}

void bw_classic_give_node(bw_classic_context *context, uint32_t index)
{
    bw_classic_node *node = bw_classic_at(context->tree, index);
    release_items(context->tree, context->allocator, node);
    bw_slab_give(&context->tree->nodes, index);
    bw_classic_at(context->tree, index)->parent = BW_CLASSIC_FREE;
}

uint32_t bw_classic_take_block(bw_classic_tree *tree)
{
    uint32_t block = bw_slab_take(&tree->blocks);
    for (uint32_t c = 0; c < tree->ways; c++)
        bw_classic_children(tree, block)[c] = BW_CLASSIC_NONE;
    return block;
}

void bw_classic_mark_work(bw_classic_tree *tree, uint32_t index)
{
    for (uint32_t up = bw_classic_at(tree, index)->parent; up != BW_CLASSIC_NONE;
         up = bw_classic_at(tree, up)->parent) {
        if (bw_classic_at(tree, up)->work_below)
            return;
        bw_classic_at(tree, up)->work_below = true;
    }
}
