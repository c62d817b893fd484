/* Region queries by a box: a part of scene/modern/kernels_template.h. */

/* Reads the leaves that were collected; their boxes are on the way. False: stop. */
LANES_TARGET static bool scan(const bw_modern_tree *tree, const bw_node_ref *leaves, uint32_t count,
                              const float query[8], bw_object_sink *sink)
{
    uint32_t hits[LEAVES_AT_ONCE];
    for (uint32_t k = 0; k < count; k++) {
        const bw_modern_leaf *leaf = bw_modern_leaf_at(tree, bw_modern_leaf_of(leaves[k]));
        uint32_t objects = bw_modern_count_of(leaves[k]);
        sink->report.tested_count += objects;
        hits[k] = leaf_meets(leaf, objects, query);
        if (hits[k] != 0)
            __builtin_prefetch(&leaf->ids[__builtin_ctz(hits[k])]);
    }
    for (uint32_t k = 0; k < count; k++) {
        const bw_modern_leaf *leaf = bw_modern_leaf_at(tree, bw_modern_leaf_of(leaves[k]));
        bw_id found[BW_MODERN_LEAF_CAPACITY];
        size_t n = 0;
        for (uint32_t mask = hits[k]; mask != 0; mask &= mask - 1)
            found[n++] = leaf->ids[__builtin_ctz(mask)];
        if (!bw_object_sink_put(sink, found, n, 0))
            return false;
    }
    return true;
}

/* Breadth first, so that the memory of a whole level is fetched at once. */
LANES_TARGET static bw_result find_box(const bw_modern_tree *tree, const float query[8], bw_object_sink *sink)
{
    bw_node_ref leaves[LEAVES_AT_ONCE];
    uint32_t leaf_count = 0;
    bw_node_ref first[1024];
    bw_stack queue = bw_stack_over(first, sizeof first, sizeof *first, tree->base.allocator);
    if (tree->root != 0) {
        bool meets = true;
        for (int i = 0; i < 6; i++)
            meets &= tree->bounds[i] <= query[i];
        if (meets && bw_modern_is_leaf(tree->root))
            leaves[leaf_count++] = tree->root;
        else if (meets)
            *(bw_node_ref *)bw_stack_push(&queue) = tree->root;
    }
    bw_result result = BW_OK;
    for (size_t head = 0; head < queue.count; head++) {
        const bw_modern_node *node = bw_modern_node_at(
            tree, bw_modern_node_of(((const bw_node_ref *)(const void *)queue.items)[head]));
        if (queue.count + BW_MODERN_CHILDREN > queue.capacity && !bw_stack_grow(&queue, BW_MODERN_CHILDREN)) {
            result = BW_ERROR_MEMORY;
            goto end;
        }
        bw_node_ref *tail = (bw_node_ref *)(void *)queue.items + queue.count;
        for (uint32_t mask = node_meets(node, query); mask != 0; mask &= mask - 1) {
            bw_node_ref ref = node->child[__builtin_ctz(mask)];
            if (!bw_modern_is_leaf(ref)) {
                const char *child = (const char *)bw_modern_node_at(tree, bw_modern_node_of(ref));
                __builtin_prefetch(child);
                __builtin_prefetch(child + 64);
                __builtin_prefetch(child + 128);
                __builtin_prefetch(child + 192);
                *tail++ = ref;
                queue.count++;
                continue;
            }
            const bw_modern_leaf *leaf = bw_modern_leaf_at(tree, bw_modern_leaf_of(ref));
            /* As many lines as most leaves have; the rest where it is needed. */
            const char *line = (const char *)leaf->boxes;
            for (int i = 0; i < 9; i++)
                __builtin_prefetch(line + 64 * i);
            if (bw_modern_count_of(ref) > 24)
                for (int i = 9; i < 12; i++)
                    __builtin_prefetch(line + 64 * i);
            leaves[leaf_count++] = ref;
            if (leaf_count == LEAVES_AT_ONCE) {
                if (!scan(tree, leaves, leaf_count, query, sink))
                    goto end;
                leaf_count = 0;
            }
        }
    }
    sink->report.node_count += queue.count;
    scan(tree, leaves, leaf_count, query, sink);
end:
    bw_stack_release(&queue);
    return result;
}
