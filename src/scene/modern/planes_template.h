/* A template of scene/modern/planes.c, compiled for each level. KERNEL and TARGET are defined around it. */

/* The objects of leaves that were collected; their memory is on the way. False: stop. */
TARGET static bool KERNEL(cull_leaves)(const bw_modern_tree *tree, const entry *leaves, uint32_t count,
                                       const plane_set *set, bw_object_sink *sink)
{
    for (uint32_t k = 0; k < count; k++) {
        const bw_modern_leaf *leaf = bw_modern_leaf_at(tree, bw_modern_leaf_of(leaves[k].ref));
        uint32_t objects = bw_modern_count_of(leaves[k].ref);
        bw_id found[BW_MODERN_LEAF_CAPACITY];
        const bw_id *ids = leaf->ids;
        size_t n = objects;
        if (leaves[k].planes != 0) {
            ids = found;
            n = 0;
            sink->report.tested_count += objects;
            for (uint32_t mask = KERNEL(objects_inside)(leaf, objects, set, leaves[k].planes); mask != 0;
                 mask &= mask - 1)
                found[n++] = leaf->ids[__builtin_ctz(mask)];
        } else {
            sink->report.untested_count += objects;
        }
        if (!bw_object_sink_put(sink, ids, n, 0))
            return false;
    }
    return true;
}

/* Breadth first; an entry is a child and the planes that still cut it. None left: all of it is visible, and
 * only its ids are read. */
TARGET static bw_result KERNEL(cull)(const bw_modern_tree *tree, const plane_set *set, bw_view_cache *cache,
                                     bw_object_sink *sink)
{
    entry first[512];
    bw_stack queue = bw_stack_over(first, sizeof first, sizeof *first, tree->base.allocator);
    entry leaves[LEAVES_AT_ONCE];
    uint32_t leaf_count = 0;
    bw_result result = BW_OK;
    if (tree->root != 0) {
        bool outside;
        entry root = {tree->root, bw_region_planes_cut(set->test, tree->bounds,
                                                       bw_region_all_planes(set->test), &outside)};
        if (!outside && bw_modern_is_leaf(tree->root))
            leaves[leaf_count++] = root;
        else if (!outside)
            *(entry *)bw_stack_push(&queue) = root;
    }
    for (size_t head = 0; head < queue.count; head++) {
        entry at = ((const entry *)(const void *)queue.items)[head];
        const bw_modern_node *node = bw_modern_node_at(tree, bw_modern_node_of(at.ref));
        sink->report.node_count++;
        uint32_t cut[BW_MODERN_CHILDREN];
        uint32_t alive = 0;
        if (at.planes == 0) {
            for (uint32_t slot = 0; slot < BW_MODERN_CHILDREN; slot++) {
                cut[slot] = 0;
                alive |= (uint32_t)(node->child[slot] != 0) << slot;
            }
        } else {
            uint32_t index = bw_modern_node_of(at.ref);
            uint8_t *last = cache != NULL && index < cache->capacity ? &cache->planes[index] : NULL;
            alive = KERNEL(children_cut)(node, set, at.planes, last, cut);
        }
        if (queue.count + BW_MODERN_CHILDREN > queue.capacity && !bw_stack_grow(&queue, BW_MODERN_CHILDREN)) {
            result = BW_ERROR_MEMORY;
            goto end;
        }
        for (; alive != 0; alive &= alive - 1) {
            uint32_t slot = (uint32_t)__builtin_ctz(alive);
            entry child = {node->child[slot], cut[slot]};
            if (!bw_modern_is_leaf(child.ref)) {
                fetch_node(tree, child);
                *(entry *)bw_stack_push(&queue) = child;
                continue;
            }
            fetch_leaf(tree, child);
            leaves[leaf_count++] = child;
            if (leaf_count == LEAVES_AT_ONCE) {
                if (!KERNEL(cull_leaves)(tree, leaves, leaf_count, set, sink))
                    goto end;
                leaf_count = 0;
            }
        }
    }
    KERNEL(cull_leaves)(tree, leaves, leaf_count, set, sink);
end:
    bw_stack_release(&queue);
    return result;
}
