/* All overlapping pairs: one walk down the tree that carries, for the subtree at hand, the list of later
 * subtrees that meet it. At a leaf that is the list of its neighbours; its objects are laid out by column
 * once and tested eight at a time. A part of scene/modern/kernels_template.h. */
#include <math.h>
#include <string.h>

/* The objects of a leaf by column; +infinity beyond the last. */
typedef struct columns {
    float at[6][32];
} columns;

static bw_modern_candidate *candidate_at(const bw_modern_joiner *j, size_t index)
{
    return (bw_modern_candidate *)(void *)j->candidates.items + index;
}

static bool add(bw_modern_joiner *j, bw_node_ref ref, const float box[6])
{
    bw_modern_candidate *top = bw_stack_push(&j->candidates);
    if (top == NULL)
        return false;
    top->ref = ref;
    memcpy(top->box, box, sizeof top->box);
    return true;
}

static bool add_child(bw_modern_joiner *j, const bw_modern_node *node, uint32_t slot)
{
    float box[6];
    for (int i = 0; i < 6; i++)
        box[i] = node->box[i][slot];
    return add(j, node->child[slot], box);
}

static inline void put(bw_modern_joiner *j, bw_id a, bw_id b)
{
    if (j->pairs == NULL) {
        bw_pair_sink_put(j->sink, bw_pair_of(a, b), (bw_pair_path){0});
        return;
    }
    bw_pair *pair = bw_stack_push(j->pairs);
    if (pair == NULL)
        j->failed = true;
    else
        *pair = bw_pair_of(a, b);
}

static void transpose(const bw_modern_leaf *leaf, uint32_t count, columns *out)
{
    const uint32_t rounded = (count + 7) & ~7u;
    for (uint32_t k = 0; k < rounded; k++)
        for (int i = 0; i < 6; i++)
            out->at[i][k] = k < count ? leaf->boxes[k][i] : INFINITY;
}

LANES_FN uint32_t columns_meet(const columns *c, uint32_t count, const float query[8])
{
    v8 q[6];
    for (int i = 0; i < 6; i++)
        q[i] = v8_all(query[i]);
    uint32_t mask = 0;
    for (uint32_t k = 0; k < count; k += 8) {
        m8 outside = v8_greater(v8_load(&c->at[0][k]), q[0]);
        for (int i = 1; i < 6; i++)
            outside = m8_or(outside, v8_greater(v8_load(&c->at[i][k]), q[i]));
        mask |= (~m8_bits(outside) & 255u) << k;
    }
    return mask;
}

/* One leaf against itself and all leaves that may meet it and come after it. */
LANES_TARGET static void join_leaf(bw_modern_joiner *j, bw_node_ref ref, const float box[6], size_t begin)
{
    const bw_modern_leaf *leaf = bw_modern_leaf_at(j->tree, bw_modern_leaf_of(ref));
    uint32_t count = bw_modern_count_of(ref);
    columns c;
    transpose(leaf, count, &c);
    float query[8] = {0};
    for (uint32_t k = 0; k + 1 < count; k++) {
        bw_packed_query(leaf->boxes[k], query);
        uint32_t mask = columns_meet(&c, count, query) & ~((2u << k) - 1u);
        j->tested += count - 1 - k;
        for (; mask != 0; mask &= mask - 1)
            put(j, leaf->ids[k], leaf->ids[__builtin_ctz(mask)]);
    }
    float around[8] = {0};
    bw_packed_query(box, around);
    for (size_t at = begin; at < j->candidates.count && !j->sink->stopped; at++) {
        const bw_modern_candidate *other = candidate_at(j, at);
        const bw_modern_leaf *theirs = bw_modern_leaf_at(j->tree, bw_modern_leaf_of(other->ref));
        uint32_t mask = boxes_meet(theirs->boxes, bw_modern_count_of(other->ref), around);
        for (; mask != 0; mask &= mask - 1) {
            uint32_t k = (uint32_t)__builtin_ctz(mask);
            bw_packed_query(theirs->boxes[k], query);
            uint32_t hits = columns_meet(&c, count, query);
            j->tested += count;
            for (; hits != 0; hits &= hits - 1)
                put(j, theirs->ids[k], leaf->ids[__builtin_ctz(hits)]);
        }
    }
}

/* Adds what of a candidate meets the query to the list, one level down; false: no memory. */
LANES_TARGET static bool narrow(bw_modern_joiner *j, size_t from, const float query[8])
{
    bw_modern_candidate c = *candidate_at(j, from);
    if (bw_modern_is_leaf(c.ref)) {
        for (int i = 0; i < 6; i++)
            if (!(c.box[i] <= query[i]))
                return true;
        return add(j, c.ref, c.box);
    }
    const bw_modern_node *node = bw_modern_node_at(j->tree, bw_modern_node_of(c.ref));
    for (uint32_t mask = node_meets(node, query); mask != 0; mask &= mask - 1)
        if (!add_child(j, node, (uint32_t)__builtin_ctz(mask)))
            return false;
    return true;
}

/* Keeps a subtree and the candidates from begin on for a thread. */
static bool keep_part(const bw_modern_joiner *j, bw_node_ref ref, const float box[6], size_t begin)
{
    bw_modern_part *part = bw_stack_push(j->parts);
    if (part == NULL)
        return false;
    part->top.ref = ref;
    memcpy(part->top.box, box, sizeof part->top.box);
    part->begin = (uint32_t)j->own->count;
    part->count = (uint32_t)(j->candidates.count - begin);
    for (size_t at = begin; at < j->candidates.count; at++) {
        bw_modern_candidate *to = bw_stack_push(j->own);
        if (to == NULL)
            return false;
        *to = *candidate_at(j, at);
    }
    return true;
}

/* Each leaf gets the list of its neighbours at once. */
LANES_TARGET static bool join(bw_modern_joiner *j, bw_node_ref ref, const float box[6], size_t begin,
                              int levels)
{
    float query[8] = {0};
    size_t end = j->candidates.count;
    if (j->parts != NULL && (levels == 0 || bw_modern_is_leaf(ref)))
        return keep_part(j, ref, box, begin);
    if (bw_modern_is_leaf(ref)) {
        bw_packed_query(box, query);
        size_t from = begin, leaves = end;
        /* Down to the leaves; those that are leaves already move along. */
        for (bool more = true; more;) {
            more = false;
            size_t stop = j->candidates.count;
            for (size_t at = from; at < stop; at++) {
                more |= !bw_modern_is_leaf(candidate_at(j, at)->ref);
                if (!narrow(j, at, query))
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
        join_leaf(j, ref, box, leaves);
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
        uint32_t siblings = node_meets(node, query) & ~((2u << slot) - 1u);
        for (; siblings != 0; siblings &= siblings - 1)
            if (!add_child(j, node, (uint32_t)__builtin_ctz(siblings)))
                return false;
        for (size_t at = begin; at < end; at++)
            if (!narrow(j, at, query))
                return false;
        if (!join(j, node->child[slot], own, end, levels - 1))
            return false;
        j->candidates.count = end;
    }
    return true;
}
