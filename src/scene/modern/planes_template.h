/* Culling against convex sets of planes, with plane masks (Assarsson and Moller 2000): a plane that a node
 * lies wholly inside is not tested again below it, and a node inside all planes gives out its objects without
 * any test. A part of scene/modern/kernels_template.h. */

typedef struct entry {
    bw_node_ref ref;
    uint32_t planes;
} entry;

static void fetch_node(const bw_modern_tree *tree, entry e)
{
    BW_ONLY_PREFETCHES;
    const char *node = (const char *)bw_modern_node_at(tree, bw_modern_node_of(e.ref));
    __builtin_prefetch(node + 192);
    if (e.planes == 0)
        return;
    __builtin_prefetch(node);
    __builtin_prefetch(node + 64);
    __builtin_prefetch(node + 128);
}

static void fetch_leaf(const bw_modern_tree *tree, entry e)
{
    BW_ONLY_PREFETCHES;
    const bw_modern_leaf *leaf = bw_modern_leaf_at(tree, bw_modern_leaf_of(e.ref));
    uint32_t count = bw_modern_count_of(e.ref);
    const char *line = (const char *)leaf->ids, *end = (const char *)(leaf->ids + count);
    for (; line < end; line += 64)
        __builtin_prefetch(line);
    if (e.planes == 0)
        return;
    line = (const char *)leaf->boxes, end = (const char *)leaf->boxes[count];
    for (; line < end; line += 64)
        __builtin_prefetch(line);
}

/* ((n0 x + n1 y) + n2 z) + d for the eight children, at the far or near corner. The negated max of a box is used
 * as it is: -n times it is n times the max, bit by bit. */
LANES_FN v8 at_corner(const bw_modern_node *node, const bw_region_test *test, uint32_t p, bool far)
{
    v8 sum = v8_all(0);
    for (int a = 0; a < 3; a++) {
        const float n = test->planes[p].n[a];
        const bool low = (n < 0) == far;
        const v8 term = v8_mul(v8_all(low ? n : -n), v8_load(node->box[low ? a : a + 3]));
        sum = a == 0 ? term : v8_add(sum, term);
    }
    return v8_add(sum, v8_all(test->planes[p].d));
}

/* Children of a node that no plane turns away, with the planes that cut each. */
LANES_TARGET static uint32_t children_cut(const bw_modern_node *node, const bw_region_test *test,
                                          uint32_t planes, uint8_t *last, uint32_t cut[BW_MODERN_CHILDREN])
{
    const v8 zero = v8_all(0);
    m8 outside = lanes_equal_to(node->child, 0);
    if (last != NULL && *last != 0 && (planes >> (*last - 1) & 1u) != 0) {
        /* Coherence: the plane that turned all of it away last time goes first. */
        outside = m8_or(outside, v8_greater(zero, at_corner(node, test, *last - 1u, true)));
        if (m8_bits(outside) == 255)
            return 0;
    }
    memset(cut, 0, BW_MODERN_CHILDREN * sizeof *cut);
    for (uint32_t rest = planes; rest != 0; rest &= rest - 1) {
        const uint32_t p = (uint32_t)__builtin_ctz(rest);
        outside = m8_or(outside, v8_greater(zero, at_corner(node, test, p, true)));
        if (m8_bits(outside) == 255) {
            if (last != NULL)
                *last = (uint8_t)(p + 1);
            return 0;
        }
        lanes_mark(cut, v8_greater(zero, at_corner(node, test, p, false)), 1u << p);
    }
    return ~m8_bits(outside) & 255u;
}

/* One side of the boxes of eight objects, which lie six floats apart. */
LANES_FN v8 eight_apart(const float *p)
{
#if WIDE_LEVEL == 3
    return _mm256_i32gather_ps(p, _mm256_setr_epi32(0, 6, 12, 18, 24, 30, 36, 42), 4);
#else
    return v8_join((v4){p[0], p[6], p[12], p[18]}, (v4){p[24], p[30], p[36], p[42]});
#endif
}

/* Of a leaf's objects, those that none of the planes turns away. Reads beyond the objects, up to the ids. */
LANES_FN uint32_t objects_inside(const bw_modern_leaf *leaf, uint32_t count, const bw_region_test *test,
                                 uint32_t planes)
{
    uint32_t outside = 0;
    for (; planes != 0; planes &= planes - 1) {
        const uint32_t p = (uint32_t)__builtin_ctz(planes);
        uint32_t row[3];
        v8 n[3];
        for (uint32_t a = 0; a < 3; a++) {
            const bool low = test->planes[p].n[a] < 0;
            row[a] = low ? a : a + 3;
            n[a] = v8_all(low ? test->planes[p].n[a] : -test->planes[p].n[a]);
        }
        for (uint32_t k = 0; k < count; k += 8) {
            const float *box = leaf->boxes[k];
            const v8 x = v8_mul(n[0], eight_apart(box + row[0])), y = v8_mul(n[1], eight_apart(box + row[1])),
                     z = v8_mul(n[2], eight_apart(box + row[2]));
            const v8 far = v8_add(v8_add(v8_add(x, y), z), v8_all(test->planes[p].d));
            outside |= m8_bits(v8_greater(v8_all(0), far)) << k;
        }
    }
    return ~outside & ((1u << count) - 1u);
}

/* The objects of leaves that were collected; their memory is on the way. False: stop. */
LANES_TARGET static bool cull_leaves(const bw_modern_tree *tree, const entry *leaves, uint32_t count,
                                     const bw_region_test *test, bw_object_sink *sink)
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
            for (uint32_t mask = objects_inside(leaf, objects, test, leaves[k].planes); mask != 0;
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
LANES_TARGET static bw_result cull(const bw_modern_tree *tree, const bw_region_test *test,
                                   bw_view_cache *cache, bw_object_sink *sink)
{
    entry first[512];
    bw_stack queue = bw_stack_over(first, sizeof first, sizeof *first, tree->base.allocator);
    entry leaves[LEAVES_AT_ONCE];
    uint32_t leaf_count = 0;
    bw_result result = BW_OK;
    if (tree->root != 0) {
        bool outside;
        entry root = {tree->root,
                      bw_region_planes_cut(test, tree->bounds, bw_region_all_planes(test), &outside)};
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
            alive = children_cut(node, test, at.planes, last, cut);
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
                if (!cull_leaves(tree, leaves, leaf_count, test, sink))
                    goto end;
                leaf_count = 0;
            }
        }
    }
    cull_leaves(tree, leaves, leaf_count, test, sink);
end:
    bw_stack_release(&queue);
    return result;
}
