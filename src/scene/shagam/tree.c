/* Memory of the trees after Shagam: nodes, slots and items. */
#include "scene/shagam/shagam.h"

#include <math.h>
#include <string.h>

enum { ITEM = 6 * sizeof(float) + sizeof(bw_id) };

void bw_shagam_init(bw_scene_tree *base, bw_nesting nesting, bool leafy, uint32_t threshold)
{
    bw_shagam_tree *tree = (bw_shagam_tree *)base;
    tree->nodes = bw_slab_empty(sizeof(bw_shagam_node), 8);
    for (uint8_t n = 0; n < BW_SHAGAM_NESTINGS; n++)
        tree->blocks[n] =
            bw_slab_empty(bw_shagam_ways(&(bw_shagam_node){.nesting = n}) * (uint32_t)sizeof(uint32_t), 8);
    tree->per_node = nesting == BW_NESTING_PER_NODE;
    tree->nesting = tree->per_node ? 0 : (uint8_t)(nesting - BW_NESTING_KD);
    tree->leafy = leafy;
    tree->threshold = threshold;
    tree->root = BW_SHAGAM_NONE;
}

void bw_shagam_release_items(bw_shagam_tree *tree, bw_shagam_node *node)
{
    bw_release(tree->base.allocator, node->boxes, node->capacity, ITEM);
    tree->item_bytes -= (size_t)node->capacity * ITEM;
    node->boxes = NULL;
    node->ids = NULL;
    node->capacity = 0;
}

void bw_shagam_clear(bw_scene_tree *base)
{
    bw_shagam_tree *tree = (bw_shagam_tree *)base;
    for (uint32_t i = 0; i < tree->nodes.end; i++)
        if (bw_shagam_at(tree, i)->parent != BW_SHAGAM_FREE)
            bw_shagam_release_items(tree, bw_shagam_at(tree, i));
    bw_slab_release(&tree->nodes, base->allocator);
    for (int n = 0; n < BW_SHAGAM_NESTINGS; n++)
        bw_slab_release(&tree->blocks[n], base->allocator);
    bw_release(base->allocator, tree->slots, tree->slot_capacity, sizeof *tree->slots);
    tree->slots = NULL;
    tree->slot_capacity = 0;
    tree->root = BW_SHAGAM_NONE;
    tree->base.objects = 0;
}

size_t bw_shagam_bytes(const bw_shagam_tree *tree)
{
    size_t bytes = sizeof *tree + bw_slab_bytes(&tree->nodes) + tree->item_bytes +
                   tree->slot_capacity * sizeof *tree->slots;
    for (int n = 0; n < BW_SHAGAM_NESTINGS; n++)
        bytes += bw_slab_bytes(&tree->blocks[n]);
    return bytes;
}

bool bw_shagam_reserve_slots(bw_shagam_tree *tree)
{
    uint32_t wanted = tree->base.table->entries.end;
    if (wanted <= tree->slot_capacity)
        return true;
    uint32_t capacity = tree->slot_capacity + tree->slot_capacity / 2;
    capacity = capacity < wanted ? wanted : capacity;
    uint32_t *slots = bw_allocate(tree->base.allocator, capacity, sizeof *slots);
    if (slots == NULL)
        return false;
    if (tree->slot_capacity != 0)
        memcpy(slots, tree->slots, tree->slot_capacity * sizeof *slots);
    bw_release(tree->base.allocator, tree->slots, tree->slot_capacity, sizeof *slots);
    tree->slots = slots;
    tree->slot_capacity = capacity;
    return true;
}

/* Gives a node arrays for that many objects. False: no memory, nothing changed. */
static bool resize_items(bw_shagam_tree *tree, bw_shagam_node *node, uint32_t capacity)
{
    float(*boxes)[6] = NULL;
    bw_id *ids = NULL;
    if (capacity != 0) {
        char *items = bw_allocate(tree->base.allocator, capacity, ITEM);
        if (items == NULL)
            return false;
        boxes = (float(*)[6])(void *)items;
        ids = (bw_id *)(void *)(items + (size_t)capacity * sizeof *boxes);
    }
    if (node->count != 0) {
        memcpy(boxes, node->boxes, node->count * sizeof *boxes);
        memcpy(ids, node->ids, node->count * sizeof *ids);
    }
    bw_shagam_release_items(tree, node);
    node->boxes = boxes;
    node->ids = ids;
    node->capacity = capacity;
    tree->item_bytes += (size_t)capacity * ITEM;
    return true;
}

bool bw_shagam_reserve_items(bw_shagam_tree *tree, bw_shagam_node *node, uint32_t count)
{
    if (count <= node->capacity)
        return true;
    uint32_t capacity = node->capacity + node->capacity / 2;
    return resize_items(tree, node, ((capacity < count ? count : capacity) + 3u) & ~3u);
}

void bw_shagam_shrink_items(bw_shagam_tree *tree, bw_shagam_node *node, uint32_t count)
{
    (void)resize_items(tree, node, (count + 3u) & ~3u);
}

void bw_shagam_hand_items(const bw_shagam_node *from, bw_shagam_node *to)
{
    to->boxes = from->boxes;
    to->ids = from->ids;
    to->capacity = from->capacity;
}

void bw_shagam_append(bw_shagam_tree *tree, uint32_t index, const float box[6], bw_id id)
{
    bw_shagam_node *node = bw_shagam_at(tree, index);
    memcpy(node->boxes[node->count], box, sizeof node->boxes[0]);
    node->ids[node->count] = id;
    bw_table_entry(tree->base.table, bw_id_index(id))->location = index;
    tree->slots[bw_id_index(id)] = node->count++;
}

uint32_t bw_shagam_take_node(bw_shagam_tree *tree, uint32_t parent)
{
    uint32_t index = bw_slab_take(&tree->nodes);
    bw_shagam_node *node = bw_shagam_at(tree, index);
    *node = (bw_shagam_node){
        .parent = parent, .block = BW_SHAGAM_NONE, .nesting = tree->nesting, .leafy = tree->leafy};
    bw_packed_clear(node->box);
    return index;
}

void bw_shagam_give_node(bw_shagam_tree *tree, uint32_t index)
{
    bw_shagam_node *node = bw_shagam_at(tree, index);
    bw_shagam_release_items(tree, node);
    bw_slab_give(&tree->nodes, index);
    bw_shagam_at(tree, index)->parent = BW_SHAGAM_FREE;
}

void bw_shagam_take_block(bw_shagam_tree *tree, bw_shagam_node *node)
{
    node->block = bw_slab_take(&tree->blocks[node->nesting]);
    for (uint32_t c = 0; c < bw_shagam_ways(node); c++)
        bw_shagam_children(tree, node)[c] = BW_SHAGAM_NONE;
}

void bw_shagam_mark_work(bw_shagam_tree *tree, uint32_t index)
{
    for (uint32_t up = bw_shagam_at(tree, index)->parent; up != BW_SHAGAM_NONE;
         up = bw_shagam_at(tree, up)->parent) {
        if (bw_shagam_at(tree, up)->work_below)
            return;
        bw_shagam_at(tree, up)->work_below = true;
    }
}
