/* A template of scene/modern/move.c, compiled for each level: the part of a bulk move that touches objects
 * and leaves. KERNEL and TARGET are defined around it. */

/* Moves the objects order[0..count-1] of a batch (NULL: 0..count-1), as far as they stay in their leaves.
 * deferred[i] becomes 1 where one does not, and its place gets MOVING; dirty receives leaves whose box must
 * go up. Touches only the leaves of these objects. */
TARGET static uint32_t KERNEL(update_boxes)(const bw_modern_tree *tree, const bw_id *ids, const bw_box *boxes,
                                            const uint32_t *order, uint32_t count, uint8_t *deferred,
                                            uint32_t *dirty)
{
    uint32_t dirty_count = 0;
    for (uint32_t k = 0; k < count; k++) {
        if (k + AHEAD < count) {
            uint32_t next = order == NULL ? k + AHEAD : order[k + AHEAD];
            uint32_t place = bw_table_entry(tree->base.table, bw_id_index(ids[next]))->location & ~MOVING;
            const bw_modern_leaf *leaf = bw_modern_leaf_at(tree, place >> 5);
            __builtin_prefetch(leaf, 1);
            __builtin_prefetch(leaf->boxes[place & 31u], 1);
            __builtin_prefetch(&leaf->boxes[place & 31u][5], 1);
        }
        uint32_t i = order == NULL ? k : order[k];
        bw_entry *entry = bw_table_entry(tree->base.table, bw_id_index(ids[i]));
        if ((entry->location & MOVING) != 0) {
            deferred[i] = 1; /* given twice: the later box must come last */
            continue;
        }
        uint32_t index = entry->location >> 5;
        bw_modern_leaf *leaf = bw_modern_leaf_at(tree, index);
        uint32_t what = KERNEL(leaf_update)(leaf, entry->location & 31u, &boxes[i]);
        if (what == KERNEL_LEAVES) {
            entry->location |= MOVING;
            deferred[i] = 1;
        } else if (what == KERNEL_DIRTY && (leaf->changes & 1u) == 0) {
            leaf->changes |= 1u;
            dirty[dirty_count++] = index;
            if (leaf->parent != BW_MODERN_NO_PARENT) {
                const char *node = (const char *)bw_modern_node_at(tree, leaf->parent >> 3);
                __builtin_prefetch(node, 1);
                __builtin_prefetch(node + 64, 1);
                __builtin_prefetch(node + 128, 1);
            }
        }
    }
    return dirty_count;
}

/* Brings boxes up to date from the dirty leaves upward. The list is overwritten by nodes to be rebuilt, whose
 * number is returned. */
TARGET static uint32_t KERNEL(flush)(bw_modern_tree *tree, uint32_t *dirty, uint32_t count)
{
    uint32_t due = 0;
    for (uint32_t k = 0; k < count; k++) {
        if (k + AHEAD / 2 < count) {
            const bw_modern_leaf *next = bw_modern_leaf_at(tree, dirty[k + AHEAD / 2]);
            if (next->shrinks >= BW_MODERN_SHRINKS)
                for (uint32_t i = 0; i < next->count; i += 2)
                    __builtin_prefetch(next->boxes[i]);
        }
        bw_modern_leaf *leaf = bw_modern_leaf_at(tree, dirty[k]);
        leaf->changes &= ~1u;
        if (leaf->shrinks >= BW_MODERN_SHRINKS) {
            leaf->shrinks = 0;
            KERNEL(leaf_box)(leaf, leaf->box);
        }
        float now[6];
        memcpy(now, leaf->box, sizeof now);
        uint32_t parent = leaf->parent;
        for (; parent != BW_MODERN_NO_PARENT; parent = tree->links[parent >> 3].parent) {
            bw_modern_node *node = bw_modern_node_at(tree, parent >> 3);
            uint32_t slot = parent & 7u;
            bool same = true;
            for (int i = 0; i < 6; i++) {
                same &= node->box[i][slot] == now[i];
                node->box[i][slot] = now[i];
            }
            if (same)
                break;
            KERNEL(node_box)(node, now);
        }
        if (parent == BW_MODERN_NO_PARENT)
            memcpy(tree->bounds, now, sizeof now);
        if (bw_modern_degraded(leaf)) {
            leaf->changes = 0;
            uint32_t node = bw_modern_charge(tree, leaf->parent, 1);
            if (node != BW_MODERN_FREE)
                dirty[due++] = node;
        }
    }
    return due;
}

/* The first of the batch that is not valid, or count. */
TARGET static uint32_t KERNEL(validate)(const bw_table *table, const bw_id *ids, const bw_box *boxes,
                                        uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (i + 2 * AHEAD < count && bw_id_index(ids[i + 2 * AHEAD]) < table->entries.end)
            __builtin_prefetch(bw_table_entry(table, bw_id_index(ids[i + 2 * AHEAD])));
        if (!KERNEL(box_valid)(&boxes[i]) || bw_table_find(table, ids[i]) == NULL)
            return i;
    }
    return count;
}
