/* The walk over pairs of nodes of swept trees, down to pairs of features whose boxes meet. */
#include "swept/swept.h"

#include "base/stack.h"
#include "collide/wide_kernels.h"

static const bw_swept_kernels *kernels_of(bw_simd simd)
{
#if BW_SIMD_X86
    if (simd == BW_SIMD_AVX2)
        return &bw_swept_kernels_avx2;
#endif
    (void)simd;
    return &bw_swept_kernels_scalar;
}

static inline uint32_t lanes(uint32_t count)
{
    return (1u << count) - 1;
}

static bool is_leaf(uint32_t reference)
{
    return (reference & BW_WIDE_LEAF) != 0;
}

uint32_t bw_swept_split(bw_swept_walk *walk, bw_swept_item item, bw_swept_item out[BW_WIDTH * BW_WIDTH])
{
    const bw_swept_kernels *kernels = kernels_of(walk->simd);
    uint32_t count = 0;
    if (is_leaf(item.a) && is_leaf(item.b)) {
        out[count++] = item;
        return count;
    }
    if (is_leaf(item.a) || is_leaf(item.b)) {
        /* A leaf against the children of a node: by the box in the leaf's own parent. */
        const bw_wide *of_leaf = is_leaf(item.a) ? &walk->a->tree : &walk->b->tree;
        const bw_wide *of_node = is_leaf(item.a) ? &walk->b->tree : &walk->a->tree;
        const bw_wide_leaf *leaf = &of_leaf->leaves[(is_leaf(item.a) ? item.a : item.b) & ~BW_WIDE_LEAF];
        const bw_wide_node *node = &of_node->nodes[is_leaf(item.a) ? item.b : item.a];
        bw_box box = bw_wide_lane_box(&of_leaf->nodes[leaf->parent], leaf->lane);
        for (int k = 0; k < 3; k++) {
            box.min[k] -= walk->grow;
            box.max[k] += walk->grow;
        }
        uint32_t bits = kernels->meet(box.min, box.max, node->min, node->max) & lanes(node->count);
        walk->box_tests += node->count;
        for (; bits != 0; bits &= bits - 1) {
            uint32_t child = node->child[bw_wide_lowest(bits)];
            out[count++] = is_leaf(item.a) ? (bw_swept_item){item.a, child} : (bw_swept_item){child, item.b};
        }
        return count;
    }
    const bw_wide_node *a = &walk->a->tree.nodes[item.a], *b = &walk->b->tree.nodes[item.b];
    uint8_t rows[BW_WIDTH];
    kernels->meet_rows(a->min, a->max, lanes(a->count), walk->grow, b->min, b->max, rows);
    walk->box_tests += (uint64_t)a->count * b->count;
    bool same = walk->a == walk->b && item.a == item.b;
    for (uint32_t i = 0; i < a->count; i++) {
        uint32_t bits = rows[i] & lanes(b->count);
        if (same) /* each pair once, and each child with itself */
            bits &= ~lanes(i);
        for (; bits != 0; bits &= bits - 1)
            out[count++] = (bw_swept_item){a->child[i], b->child[bw_wide_lowest(bits)]};
    }
    return count;
}

static bool shares_vertex_face(const bw_swept *s, uint32_t vertex, uint32_t face)
{
    const uint32_t *f = s->faces[face];
    return f[0] == vertex || f[1] == vertex || f[2] == vertex;
}

static bool shares_edge_edge(const bw_swept *s, uint32_t a, uint32_t b)
{
    const uint32_t *e = s->edges[a], *f = s->edges[b];
    return e[0] == f[0] || e[0] == f[1] || e[1] == f[0] || e[1] == f[1];
}

static void add(bw_swept_walk *walk, bw_swept_pairs *pairs, bw_ccd_feature feature, uint32_t a, uint32_t b)
{
    pairs->a[pairs->count] = a;
    pairs->b[pairs->count++] = b;
    if (pairs->count == BW_SWEPT_BATCH)
        walk->flush(walk, feature);
}

/* The groups first[0 .. first_count - 1], of a leaf, against those of another whose box is given. */
static void groups_meet(bw_swept_walk *walk, bw_ccd_feature feature, const bw_swept_group *first,
                        uint32_t first_count, const bw_swept_group *second, uint32_t second_count,
                        const bw_box *second_box, bool one_leaf)
{
    const bw_swept_kernels *kernels = kernels_of(walk->simd);
    bool self = walk->a == walk->b;
    bw_swept_pairs *pairs = feature == BW_CCD_EDGE_EDGE     ? &walk->edge_edge
                            : feature == BW_CCD_VERTEX_FACE ? &walk->vertex_face
                                                            : &walk->face_vertex;
    bw_box box = *second_box;
    for (int k = 0; k < 3; k++) {
        box.min[k] -= walk->grow;
        box.max[k] += walk->grow;
    }
    for (uint32_t i = 0; i < first_count; i++) {
        uint32_t chosen = kernels->meet(box.min, box.max, first[i].min, first[i].max) & lanes(first[i].count);
        walk->box_tests += first[i].count;
        if (chosen == 0)
            continue;
        for (uint32_t j = one_leaf && feature == BW_CCD_EDGE_EDGE ? i : 0; j < second_count; j++) {
            uint8_t rows[BW_WIDTH];
            kernels->meet_rows(first[i].min, first[i].max, chosen, walk->grow, second[j].min, second[j].max,
                               rows);
            walk->box_tests += (uint64_t)second[j].count;
            for (uint32_t rest = chosen; rest != 0; rest &= rest - 1) {
                uint32_t row = bw_wide_lowest(rest), x = first[i].id[row];
                uint32_t bits = rows[row] & lanes(second[j].count);
                if (one_leaf && feature == BW_CCD_EDGE_EDGE && i == j)
                    bits &= ~lanes(row + 1);
                for (; bits != 0; bits &= bits - 1) {
                    uint32_t y = second[j].id[bw_wide_lowest(bits)];
                    if (self && feature == BW_CCD_EDGE_EDGE) {
                        if (!shares_edge_edge(walk->a, x, y))
                            add(walk, pairs, feature, x < y ? x : y, x < y ? y : x);
                    } else if (self) {
                        if (!shares_vertex_face(walk->a, x, y))
                            add(walk, pairs, feature, x, y);
                    } else {
                        add(walk, pairs, feature, x, y);
                    }
                }
            }
        }
    }
}

static bw_box leaf_box(const bw_swept *s, uint32_t leaf)
{
    const bw_wide_leaf *l = &s->tree.leaves[leaf];
    return bw_wide_lane_box(&s->tree.nodes[l->parent], l->lane);
}

static void leaves_meet(bw_swept_walk *walk, uint32_t a, uint32_t b)
{
    const bw_swept *x = walk->a, *y = walk->b;
    bool one = x == y && a == b;
    const bw_swept_leaf *la = &x->leaves[a], *lb = &y->leaves[b];
    bw_box box_a = leaf_box(x, a), box_b = leaf_box(y, b);
    groups_meet(walk, BW_CCD_VERTEX_FACE, bw_swept_vertices(x, a), la->vertex_groups, bw_swept_faces(y, b), 1,
                &box_b, one);
    /* In one mesh a vertex of b is a vertex like any other; between two, the face stands first. */
    if (x == y && !one) {
        groups_meet(walk, BW_CCD_VERTEX_FACE, bw_swept_vertices(x, b), lb->vertex_groups,
                    bw_swept_faces(x, a), 1, &box_a, false);
    } else if (x != y) {
        groups_meet(walk, BW_CCD_FACE_VERTEX, bw_swept_faces(x, a), 1, bw_swept_vertices(y, b),
                    lb->vertex_groups, &box_b, false);
    }
    groups_meet(walk, BW_CCD_EDGE_EDGE, bw_swept_edges(x, a), la->edge_groups, bw_swept_edges(y, b),
                lb->edge_groups, &box_b, one);
}

bool bw_swept_walk_from(bw_swept_walk *walk, bw_swept_item item)
{
    bw_swept_item room[512], below[BW_WIDTH * BW_WIDTH];
    bw_stack stack = bw_stack_over(room, sizeof room, sizeof *room, walk->allocator);
    *(bw_swept_item *)bw_stack_push(&stack) = item;
    bool good = true;
    const bw_swept_item *top;
    while (good && !walk->stop && (top = bw_stack_pop(&stack)) != NULL) {
        bw_swept_item now = *top;
        if (is_leaf(now.a) && is_leaf(now.b)) {
            leaves_meet(walk, now.a & ~BW_WIDE_LEAF, now.b & ~BW_WIDE_LEAF);
            continue;
        }
        uint32_t count = bw_swept_split(walk, now, below);
        good = count == 0 || stack.capacity - stack.count >= count || bw_stack_grow(&stack, count);
        for (uint32_t i = count; good && i-- > 0;)
            *(bw_swept_item *)bw_stack_push(&stack) = below[i];
    }
    bw_stack_release(&stack);
    return good;
}
