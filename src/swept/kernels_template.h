/* The inner loops of the broad phase (swept.h), for one level of wide_lanes.h. The includer defines
 * WIDE_LEVEL and KERNELS, the name of the table. Boxes are only compared, so that every level finds the same
 * pairs; the order in which they come out is that of the loops, which are the same at every level. */
#include "swept/swept.h"

#include "collide/lane_lists.h"
#include "collide/wide_kernels.h"
#include "collide/wide_lanes.h"

/* Bits of the lanes of eight boxes that meet a box. */
LANES_TARGET static uint32_t meet(const float min[3], const float max[3], const float (*eight_min)[BW_WIDTH],
                                  const float (*eight_max)[BW_WIDTH])
{
    m8 missed = m8_of(0);
    for (int k = 0; k < 3; k++)
        missed = m8_or(missed, m8_or(v8_greater(v8_all(min[k]), v8_load(eight_max[k])),
                                     v8_greater(v8_load(eight_min[k]), v8_all(max[k]))));
    return ~m8_bits(missed) & 0xFFu;
}

/* Eight boxes, grown, that others are compared with one after the other. */
typedef struct grown {
    v8 min[3], max[3];
} grown;

LANES_FN grown grow_boxes(const float (*min)[BW_WIDTH], const float (*max)[BW_WIDTH], float by)
{
    grown out;
    for (int k = 0; k < 3; k++) {
        out.min[k] = v8_sub(v8_load(min[k]), v8_all(by));
        out.max[k] = v8_add(v8_load(max[k]), v8_all(by));
    }
    return out;
}

/* Which of them one box of eight does not meet. */
LANES_FN m8 misses(const grown *eight, const float (*min)[BW_WIDTH], const float (*max)[BW_WIDTH],
                   uint32_t row)
{
    m8 missed = v8_greater(v8_all(min[0][row]), eight->max[0]);
    missed = m8_or(missed, v8_greater(eight->min[0], v8_all(max[0][row])));
    for (int k = 1; k < 3; k++)
        missed = m8_or(missed, m8_or(v8_greater(v8_all(min[k][row]), eight->max[k]),
                                     v8_greater(eight->min[k], v8_all(max[k][row]))));
    return missed;
}

LANES_TARGET static void meet_rows(const float (*min)[BW_WIDTH], const float (*max)[BW_WIDTH],
                                   uint32_t chosen, float by, const float (*eight_min)[BW_WIDTH],
                                   const float (*eight_max)[BW_WIDTH], uint8_t rows[BW_WIDTH])
{
    grown eight = grow_boxes(eight_min, eight_max, by);
    for (; chosen != 0; chosen &= chosen - 1) {
        uint32_t row = bw_wide_lowest(chosen);
        rows[row] = (uint8_t)~m8_bits(misses(&eight, min, max, row));
    }
}

/* ---- Pairs of leaves ---- */

enum { MOST_GROUPS = 3 }; /* of one kind in a leaf: eight triangles bring up to 24 edges, or vertices */

/* The features of one kind of a leaf. */
typedef struct side {
    const bw_swept_group *groups;
    uint32_t group_count;
    uint32_t lanes[MOST_GROUPS]; /* those that reach into the other leaf */
    uint32_t chosen;             /* how many they are */
} side;

LANES_FN uint32_t lane_count(uint32_t bits)
{
#if defined(__GNUC__)
    return (uint32_t)__builtin_popcount(bits);
#else
    uint32_t count = 0;
    for (; bits != 0; bits &= bits - 1)
        count++;
    return count;
#endif
}

LANES_FN side choose(bw_swept_walk *walk, const bw_swept_group *groups, uint32_t count, const bw_box *common)
{
    side s = {groups, BW_SWEPT_EIGHTS(count), {0}, 0};
    for (uint32_t i = 0; i < s.group_count; i++) {
        s.lanes[i] = meet(common->min, common->max, groups[i].min, groups[i].max);
        s.chosen += lane_count(s.lanes[i]);
    }
    walk->box_tests += count;
    return s;
}

/* Writes up to eight pairs, of one feature and the lanes of others. */
LANES_FN void append(bw_swept_pairs *pairs, uint32_t own, const uint32_t *others, uint32_t bits, bool ordered,
                     bool swapped)
{
    uint32_t *first = (swapped ? pairs->b : pairs->a) + pairs->count,
             *second = (swapped ? pairs->a : pairs->b) + pairs->count;
#if WIDE_LEVEL == 3
    /* All eight, of which the first ones count: whether there are any cannot be foretold. */
    __m256i x = _mm256_set1_epi32((int)own), y = _mm256_loadu_si256((const __m256i *)(const void *)others);
    y = _mm256_permutevar8x32_epi32(y, pick8_of(lane_lists[bits]));
    _mm256_storeu_si256((__m256i *)(void *)first, ordered ? _mm256_min_epu32(x, y) : x);
    _mm256_storeu_si256((__m256i *)(void *)second, ordered ? _mm256_max_epu32(x, y) : y);
    pairs->count += lane_count(bits);
#else
    for (uint32_t i = 0; bits != 0; bits &= bits - 1, i++) {
        uint32_t other = others[bw_wide_lowest(bits)];
        bool turn = ordered && other < own;
        first[i] = turn ? other : own;
        second[i] = turn ? own : other;
        pairs->count++;
    }
#endif
}

/* Two sides: every pair of features whose boxes meet. edges: of edges, otherwise vertices and faces; one: of
 * one mesh, where features that share a vertex are left out; within: of one leaf with itself; swapped: the
 * second feature is of the first mesh. */
LANES_FN void pair_sides(bw_swept_walk *walk, bw_ccd_feature feature, bool edges, bool one, bool within,
                         const side *x, const side *y, bool swapped)
{
    bw_swept_pairs *pairs = bw_swept_batch(walk, feature);
    for (uint32_t i = 0; i < x->group_count; i++) {
        const bw_swept_group *f = &x->groups[i];
        if (x->lanes[i] == 0)
            continue;
        for (uint32_t j = within && edges ? i : 0; j < y->group_count; j++) {
            const bw_swept_group *g = &y->groups[j];
            if (y->lanes[j] == 0)
                continue;
            grown eight = grow_boxes(g->min, g->max, walk->grow);
            walk->box_tests += (uint64_t)lane_count(x->lanes[i]) * lane_count(y->lanes[j]);
            for (uint32_t rest = x->lanes[i]; rest != 0; rest &= rest - 1) {
                uint32_t row = bw_wide_lowest(rest);
                m8 no = misses(&eight, f->min, f->max, row);
                if (one) {
                    uint32_t v = f->vertex[0][row];
                    no = m8_or(no, m8_or(lanes_equal_to(g->vertex[0], v), lanes_equal_to(g->vertex[1], v)));
                    if (edges)
                        v = f->vertex[1][row];
                    no = m8_or(no, lanes_equal_to(g->vertex[edges ? 0 : 2], v));
                    if (edges)
                        no = m8_or(no, lanes_equal_to(g->vertex[1], v));
                }
                uint32_t bits = ~m8_bits(no) & 0xFFu;
                if (within && edges && i == j)
                    bits &= ~((2u << row) - 1);
                append(pairs, f->id[row], g->id, bits, one && edges, swapped);
                if (pairs->count > BW_SWEPT_BATCH - BW_WIDTH)
                    walk->flush(walk, feature);
            }
        }
    }
}

/* Vertices of one leaf and the faces of another. */
LANES_FN void vertices_and_faces(bw_swept_walk *walk, bw_ccd_feature feature, bool one, const bw_swept *s,
                                 uint32_t leaf, const bw_swept *t, uint32_t other, const bw_box *common)
{
    side x = choose(walk, bw_swept_vertices(s, leaf), s->leaves[leaf].vertex_count, common);
    if (x.chosen == 0)
        return;
    side y = choose(walk, bw_swept_faces(t, other), t->leaves[other].face_count, common);
    pair_sides(walk, feature, false, one, false, &x, &y, feature == BW_CCD_FACE_VERTEX);
}

LANES_FN void pair_leaves(bw_swept_walk *walk, bool one, uint32_t a, uint32_t b)
{
    const bw_swept *s = walk->a, *t = walk->b;
    bool within = one && a == b;
    /* What is of both leaves: of a feature that meets another some part is in here. */
    bw_box common = bw_swept_leaf_box(s, a), other = bw_swept_leaf_box(t, b);
    for (int k = 0; k < 3; k++) {
        common.min[k] = (common.min[k] > other.min[k] ? common.min[k] : other.min[k]) - walk->grow;
        common.max[k] = (common.max[k] < other.max[k] ? common.max[k] : other.max[k]) + walk->grow;
    }
    vertices_and_faces(walk, BW_CCD_VERTEX_FACE, one, s, a, t, b, &common);
    /* In one mesh a vertex of b is a vertex like any other; between two, the face stands first. */
    if (!within)
        vertices_and_faces(walk, one ? BW_CCD_VERTEX_FACE : BW_CCD_FACE_VERTEX, one, t, b, s, a, &common);
    side x = choose(walk, bw_swept_edges(s, a), s->leaves[a].edge_count, &common);
    if (x.chosen == 0)
        return;
    if (within) {
        pair_sides(walk, BW_CCD_EDGE_EDGE, true, one, true, &x, &x, false);
        return;
    }
    side y = choose(walk, bw_swept_edges(t, b), t->leaves[b].edge_count, &common);
    bool swapped = y.chosen < x.chosen; /* the fewer one by one */
    if (one)
        pair_sides(walk, BW_CCD_EDGE_EDGE, true, true, false, swapped ? &y : &x, swapped ? &x : &y, false);
    else
        pair_sides(walk, BW_CCD_EDGE_EDGE, true, false, false, swapped ? &y : &x, swapped ? &x : &y, swapped);
}

LANES_TARGET static void leaves_meet(bw_swept_walk *walk, uint32_t a, uint32_t b)
{
    if (walk->a == walk->b)
        pair_leaves(walk, true, a, b);
    else
        pair_leaves(walk, false, a, b);
}

const bw_swept_kernels KERNELS = {meet, meet_rows, leaves_meet};
