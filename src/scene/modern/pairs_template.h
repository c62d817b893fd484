/* A template of scene/modern/pairs.c, compiled for each level. KERNEL and TARGET are defined around it. */

/* One leaf against itself and all leaves that may meet it and come after it. */
TARGET static void KERNEL(join_leaf)(joiner *j, bw_node_ref ref, const float box[6], size_t begin)
{
    const bw_modern_leaf *leaf = bw_modern_leaf_at(j->tree, bw_modern_leaf_of(ref));
    uint32_t count = bw_modern_count_of(ref);
    columns c;
    KERNEL(transpose)(leaf, count, &c);
    float query[8] = {0};
    for (uint32_t k = 0; k + 1 < count; k++) {
        bw_packed_query(leaf->boxes[k], query);
        uint32_t mask = KERNEL(columns_meet)(&c, count, query) & ~((2u << k) - 1u);
        j->tested += count - 1 - k;
        for (; mask != 0; mask &= mask - 1)
            put(j, leaf->ids[k], leaf->ids[__builtin_ctz(mask)]);
    }
    float around[8] = {0};
    bw_packed_query(box, around);
    for (size_t at = begin; at < j->candidates.count && !j->sink->stopped; at++) {
        const candidate *other = candidate_at(j, at);
        const bw_modern_leaf *theirs = bw_modern_leaf_at(j->tree, bw_modern_leaf_of(other->ref));
        uint32_t mask = KERNEL(boxes_meet)(theirs->boxes, bw_modern_count_of(other->ref), around);
        for (; mask != 0; mask &= mask - 1) {
            uint32_t k = (uint32_t)__builtin_ctz(mask);
            bw_packed_query(theirs->boxes[k], query);
            uint32_t hits = KERNEL(columns_meet)(&c, count, query);
            j->tested += count;
            for (; hits != 0; hits &= hits - 1)
                put(j, theirs->ids[k], leaf->ids[__builtin_ctz(hits)]);
        }
    }
}

/* Adds what of a candidate meets the query to the list, one level down; false: no memory. */
TARGET static bool KERNEL(narrow)(joiner *j, size_t from, const float query[8])
{
    candidate c = *candidate_at(j, from);
    if (bw_modern_is_leaf(c.ref)) {
        for (int i = 0; i < 6; i++)
            if (!(c.box[i] <= query[i]))
                return true;
        return add(j, c.ref, c.box);
    }
    const bw_modern_node *node = bw_modern_node_at(j->tree, bw_modern_node_of(c.ref));
    for (uint32_t mask = KERNEL(node_meets)(node, query); mask != 0; mask &= mask - 1)
        if (!add_child(j, node, (uint32_t)__builtin_ctz(mask)))
            return false;
    return true;
}

/* Everything below ref against itself and the candidates from begin on, which meet its box and come after it.
 * Each leaf so gets the list of its neighbours at once. */
TARGET static bool KERNEL(join)(joiner *j, bw_node_ref ref, const float box[6], size_t begin)
{
    float query[8] = {0};
    size_t end = j->candidates.count;
    if (bw_modern_is_leaf(ref)) {
        bw_packed_query(box, query);
        size_t from = begin, leaves = end;
        /* Down to the leaves; those that are leaves already move along. */
        for (bool more = true; more;) {
            more = false;
            size_t stop = j->candidates.count;
            for (size_t at = from; at < stop; at++) {
                more |= !bw_modern_is_leaf(candidate_at(j, at)->ref);
                if (!KERNEL(narrow)(j, at, query))
                    return false;
            }
            from = leaves = stop;
        }
        for (size_t at = leaves; at < j->candidates.count; at++) {
            const bw_modern_leaf *leaf =
                bw_modern_leaf_at(j->tree, bw_modern_leaf_of(candidate_at(j, at)->ref));
            const char *line = (const char *)leaf->boxes;
            const char *last = (const char *)leaf->boxes[bw_modern_count_of(candidate_at(j, at)->ref)];
            for (; line < last; line += 64)
                __builtin_prefetch(line);
        }
        KERNEL(join_leaf)(j, ref, box, leaves);
        j->candidates.count = end;
        return true;
    }
    const bw_modern_node *node = bw_modern_node_at(j->tree, bw_modern_node_of(ref));
    for (uint32_t slot = 0; slot < BW_MODERN_CHILDREN && !j->sink->stopped; slot++) {
        if (node->child[slot] == 0)
            continue;
        float own[6];
        for (int i = 0; i < 6; i++)
            own[i] = node->box[i][slot];
        bw_packed_query(own, query);
        uint32_t siblings = KERNEL(node_meets)(node, query) & ~((2u << slot) - 1u);
        for (; siblings != 0; siblings &= siblings - 1)
            if (!add_child(j, node, (uint32_t)__builtin_ctz(siblings)))
                return false;
        for (size_t at = begin; at < end; at++)
            if (!KERNEL(narrow)(j, at, query))
                return false;
        if (!KERNEL(join)(j, node->child[slot], own, end))
            return false;
        j->candidates.count = end;
    }
    return true;
}
