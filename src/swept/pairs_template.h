/* Which boxes meet, for one level of base/simd/f32x8.h. Boxes are only compared, so that every level finds
 * the same pairs; the order in which they come out is that of the loops, which are the same at every level.
 */

/* Eight boxes, each grown by itself: whether two meet does not depend on which of them stands first, nor on
 * the boxes around them. */
typedef struct grown {
    v8 min[3], max[3];
} grown;

LANES_FN grown grow_boxes(const float (*min)[BW_WIDTH], const float (*max)[BW_WIDTH], bool grows, float by)
{
    grown out;
    for (int k = 0; k < 3; k++) {
        out.min[k] = grows ? v8_sub(v8_load(min[k]), v8_all(by)) : v8_load(min[k]);
        out.max[k] = grows ? v8_add(v8_load(max[k]), v8_all(by)) : v8_load(max[k]);
    }
    return out;
}

/* Which of them a box does not meet. */
LANES_FN m8 missed(const grown *eight, const v8 min[3], const v8 max[3])
{
    m8 apart = m8_or(v8_greater(min[0], eight->max[0]), v8_greater(eight->min[0], max[0]));
    for (int k = 1; k < 3; k++)
        apart = m8_or(apart, m8_or(v8_greater(min[k], eight->max[k]), v8_greater(eight->min[k], max[k])));
    return apart;
}

/* Which of them lane `row` of other eight, grown already, does not meet. */
LANES_FN m8 missed_by_row(const grown *eight, const float (*min)[BW_WIDTH], const float (*max)[BW_WIDTH],
                          uint32_t row)
{
    const v8 low[3] = {v8_all(min[0][row]), v8_all(min[1][row]), v8_all(min[2][row])},
             high[3] = {v8_all(max[0][row]), v8_all(max[1][row]), v8_all(max[2][row])};
    return missed(eight, low, high);
}

/* Which of eight boxes a box that is grown already meets. */
LANES_FN uint32_t meet_grown(const bw_box *box, bool grows, float grow, const float (*eight_min)[BW_WIDTH],
                             const float (*eight_max)[BW_WIDTH])
{
    grown eight = grow_boxes(eight_min, eight_max, grows, grow);
    const v8 low[3] = {v8_all(box->min[0]), v8_all(box->min[1]), v8_all(box->min[2])},
             high[3] = {v8_all(box->max[0]), v8_all(box->max[1]), v8_all(box->max[2])};
    return ~m8_bits(missed(&eight, low, high)) & 0xFFu;
}

LANES_FN bw_box grow_box(const bw_box *box, float by)
{
    return (bw_box){{box->min[0] - by, box->min[1] - by, box->min[2] - by},
                    {box->max[0] + by, box->max[1] + by, box->max[2] + by}};
}

/* Eight boxes in memory, to take them one after the other. */
typedef struct eight {
    float min[3][BW_WIDTH], max[3][BW_WIDTH];
} eight;

typedef struct eight_at {
    const float (*min)[BW_WIDTH], (*max)[BW_WIDTH];
} eight_at;

/* The boxes themselves where they do not grow. */
LANES_FN eight_at grow_rows(eight *room, const float (*min)[BW_WIDTH], const float (*max)[BW_WIDTH],
                            bool grows, float by)
{
    if (!grows)
        return (eight_at){min, max};
    for (int k = 0; k < 3; k++) {
        v8_store(room->min[k], v8_sub(v8_load(min[k]), v8_all(by)));
        v8_store(room->max[k], v8_add(v8_load(max[k]), v8_all(by)));
    }
    return (eight_at){(const float(*)[BW_WIDTH])room->min, (const float(*)[BW_WIDTH])room->max};
}

LANES_FN uint64_t overlaps(const bw_wide_node *a, const bw_wide_node *b, uint32_t rows, bool grows,
                           float grow)
{
    eight room;
    grown others = grow_boxes(a->min, a->max, grows, grow);
    eight_at own = grow_rows(&room, b->min, b->max, grows, grow);
    uint64_t mask = 0;
    for (; rows != 0; rows &= rows - 1) {
        uint32_t row = bw_wide_lowest(rows);
        mask |= (uint64_t)(~m8_bits(missed_by_row(&others, own.min, own.max, row)) & 0xFFu) << 8 * row;
    }
    return mask;
}

LANES_TARGET static bw_wide_meeting nodes_meet(const bw_wide_node *a, uint32_t lanes, const bw_wide_node *b,
                                               uint32_t rows, float grow)
{
    uint64_t mask = grow > 0 ? overlaps(a, b, rows, true, grow) : overlaps(a, b, rows, false, 0);
    mask &= lanes * (uint64_t)0x0101010101010101u;
    const uint64_t leaves = mask & bw_wide_spread(lanes_signs(a->child), lanes_signs(b->child));
    return (bw_wide_meeting){leaves, mask & ~leaves};
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

/* Written where it stays: a copy, of whole registers, would wait for the single words. */
LANES_FN void choose(bw_swept_traversal *walk, bool grows, const bw_swept_group *groups, uint32_t count,
                     const bw_box *common, side *out)
{
    out->groups = groups;
    out->group_count = BW_SWEPT_EIGHTS(count);
    uint32_t chosen = 0;
    for (uint32_t i = 0; i < out->group_count; i++) {
        const uint32_t lanes = meet_grown(common, grows, walk->grow, groups[i].min, groups[i].max);
        out->lanes[i] = lanes;
        chosen += lane_count(lanes);
    }
    out->chosen = chosen;
    walk->box_tests += count;
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

/* Two sides: every pair of features whose boxes meet. one: of one mesh, where features that share a vertex
 * are left out; within: of one leaf with itself; swapped: the second feature is of the first mesh. */
LANES_FN void pair_sides(bw_swept_traversal *walk, bw_ccd_feature feature, bool grows, bool one, bool within,
                         const side *x, const side *y, bool swapped)
{
    bw_swept_pairs *pairs = bw_swept_batch(walk, feature);
    const bool edges = feature == BW_CCD_EDGE_EDGE, alike = edges || feature == BW_CCD_VERTEX_VERTEX;
    for (uint32_t i = 0; i < x->group_count; i++) {
        const bw_swept_group *f = &x->groups[i];
        if (x->lanes[i] == 0)
            continue;
        eight room;
        eight_at own = grow_rows(&room, f->min, f->max, grows, walk->grow);
        for (uint32_t j = within && alike ? i : 0; j < y->group_count; j++) {
            const bw_swept_group *g = &y->groups[j];
            if (y->lanes[j] == 0)
                continue;
            grown others = grow_boxes(g->min, g->max, grows, walk->grow);
            walk->box_tests += (uint64_t)lane_count(x->lanes[i]) * lane_count(y->lanes[j]);
            for (uint32_t rest = x->lanes[i]; rest != 0; rest &= rest - 1) {
                uint32_t row = bw_wide_lowest(rest);
                m8 no = missed_by_row(&others, own.min, own.max, row);
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
                if (within && alike && i == j)
                    bits &= ~((2u << row) - 1);
                append(pairs, f->id[row], g->id, bits, one && alike, swapped);
                if (pairs->count > BW_SWEPT_BATCH - BW_WIDTH)
                    walk->flush(walk, feature);
            }
        }
    }
}

/* Vertices of one leaf and the faces of another. */
LANES_FN void vertices_and_faces(bw_swept_traversal *walk, bw_ccd_feature feature, bool grows, bool one,
                                 const bw_swept *s, uint32_t leaf, const bw_swept *t, uint32_t other,
                                 const bw_box *common)
{
    side x, y;
    choose(walk, grows, bw_swept_vertices(s, leaf), s->leaves[leaf].vertex_count, common, &x);
    if (x.chosen == 0)
        return;
    choose(walk, grows, bw_swept_faces(t, other), t->leaves[other].face_count, common, &y);
    pair_sides(walk, feature, grows, one, false, &x, &y, feature == BW_CCD_FACE_VERTEX);
}

/* Points of one leaf and the edges of another that belong to no triangle. */
LANES_FN void points_and_edges(bw_swept_traversal *walk, bw_ccd_feature feature, bool one, const bw_swept *s,
                               uint32_t leaf, const bw_swept *t, uint32_t other, const bw_box *common)
{
    side x, y;
    if (s->leaves[leaf].point_count == 0 || t->leaves[other].loose_edge_count == 0)
        return;
    choose(walk, true, bw_swept_points(s, leaf), s->leaves[leaf].point_count, common, &x);
    choose(walk, true, bw_swept_loose_edges(t, other), t->leaves[other].loose_edge_count, common, &y);
    pair_sides(walk, feature, true, one, false, &x, &y, feature == BW_CCD_EDGE_VERTEX);
}

/* What stands alone, in both leaves. Apart from the rest, which few have: boxes grow though it be by 0. */
LANES_TARGET static void pair_loose(bw_swept_traversal *walk, uint32_t a, uint32_t b, const bw_box *common)
{
    const bw_swept *s = walk->a, *t = walk->b;
    bool one = s == t, within = one && a == b;
    points_and_edges(walk, BW_CCD_VERTEX_EDGE, one, s, a, t, b, common);
    if (!within)
        points_and_edges(walk, one ? BW_CCD_VERTEX_EDGE : BW_CCD_EDGE_VERTEX, one, t, b, s, a, common);
    if (s->leaves[a].point_count == 0 || t->leaves[b].point_count == 0)
        return;
    side x, y;
    choose(walk, true, bw_swept_points(s, a), s->leaves[a].point_count, common, &x);
    choose(walk, true, bw_swept_points(t, b), t->leaves[b].point_count, common, &y);
    pair_sides(walk, BW_CCD_VERTEX_VERTEX, true, one, within, &x, &y, false);
}

LANES_FN void pair_leaves(bw_swept_traversal *walk, bool grows, bool one, uint32_t a, uint32_t b)
{
    const bw_swept *s = walk->a, *t = walk->b;
    bool within = one && a == b;
    /* What is of both leaves, or between them: a feature that meets one of the other leaf is that near to it.
     */
    bw_box common = bw_swept_leaf_box(s, a), other = bw_swept_leaf_box(t, b);
    for (int k = 0; k < 3; k++) {
        common.min[k] = common.min[k] > other.min[k] ? common.min[k] : other.min[k];
        common.max[k] = common.max[k] < other.max[k] ? common.max[k] : other.max[k];
    }
    common = grow_box(&common, walk->grow);
    vertices_and_faces(walk, BW_CCD_VERTEX_FACE, grows, one, s, a, t, b, &common);
    /* In one mesh a vertex of b is a vertex like any other; between two, the face stands first. */
    if (!within)
        vertices_and_faces(walk, one ? BW_CCD_VERTEX_FACE : BW_CCD_FACE_VERTEX, grows, one, t, b, s, a,
                           &common);
    if (s->point_count + t->point_count > 0)
        pair_loose(walk, a, b, &common);
    side x, y;
    choose(walk, grows, bw_swept_edges(s, a), s->leaves[a].edge_count, &common, &x);
    if (x.chosen == 0)
        return;
    if (within) {
        pair_sides(walk, BW_CCD_EDGE_EDGE, grows, one, true, &x, &x, false);
        return;
    }
    choose(walk, grows, bw_swept_edges(t, b), t->leaves[b].edge_count, &common, &y);
    bool swapped = y.chosen < x.chosen; /* the fewer one by one */
    if (one)
        pair_sides(walk, BW_CCD_EDGE_EDGE, grows, true, false, swapped ? &y : &x, swapped ? &x : &y, false);
    else
        pair_sides(walk, BW_CCD_EDGE_EDGE, grows, false, false, swapped ? &y : &x, swapped ? &x : &y,
                   swapped);
}

LANES_TARGET static void leaves_meet(bw_swept_traversal *walk, uint32_t a, uint32_t b)
{
    bool one = walk->a == walk->b;
#if defined(__wasm__) /* where code is downloaded: one copy, not four */
    pair_leaves(walk, walk->grow > 0, one, a, b);
#else
    if (walk->grow > 0)
        one ? pair_leaves(walk, true, true, a, b) : pair_leaves(walk, true, false, a, b);
    else
        one ? pair_leaves(walk, false, true, a, b) : pair_leaves(walk, false, false, a, b);
#endif
}

/* ---- Candidates found before ---- */

/* Whether two boxes meet, both grown by their thickness, where they have any, and more. */
LANES_FN bool bounds_meet(bool thick, v8 a, v8 b, float grow)
{
#if WIDE_LEVEL == 3
    if (thick) {
        a = _mm256_add_ps(a, _mm256_permute_ps(a, 0xFF));
        b = _mm256_add_ps(b, _mm256_permute_ps(b, 0xFF));
    }
    a = _mm256_sub_ps(a, _mm256_set1_ps(grow));
    b = _mm256_sub_ps(b, _mm256_set1_ps(grow));
    /* Least corners against greatest: the halves of one turned and negated. */
    const __m256 turned = _mm256_xor_ps(_mm256_permute2f128_ps(b, b, 1), _mm256_set1_ps(-0.0f));
    return _mm256_movemask_ps(_mm256_cmp_ps(a, turned, _CMP_GT_OQ)) == 0;
#else
    float x[8], y[8];
    (void)thick; /* zeros are added */
    v8_store(x, a);
    v8_store(y, b);
    bool apart = false;
    for (int k = 0; k < 3; k++)
        apart |= (x[k] + x[3]) - grow > -((y[4 + k] + y[7]) - grow) ||
                 (y[k] + y[3]) - grow > -((x[4 + k] + x[7]) - grow);
    return !apart;
#endif
}

LANES_FN v8 bounds_of(const bw_swept_bounds *bounds, const uint32_t *vertices, int count)
{
    v8 least = v8_load(bounds[vertices[0]].at);
    for (int i = 1; i < count; i++)
        least = v8_min(least, v8_load(bounds[vertices[i]].at));
    return least;
}

/* The boxes of a pair of which one is a point or an edge that stands alone. */
LANES_FN void loose_bounds(const bw_swept *s, const bw_swept *t, const bw_swept_candidate *c, v8 *a, v8 *b)
{
    *a = c->feature == BW_CCD_EDGE_VERTEX ? bounds_of(s->bounds, s->edges[c->a], 2)
                                          : v8_load(s->bounds[c->a].at);
    *b = c->feature == BW_CCD_VERTEX_EDGE ? bounds_of(t->bounds, t->edges[c->b], 2)
                                          : v8_load(t->bounds[c->b].at);
}

LANES_FN void look_again(bw_swept_traversal *walk, bool thick, const bw_swept_candidate *list, uint64_t count)
{
    const bw_swept *s = walk->a, *t = walk->b;
    for (uint64_t i = 0; i < count; i++) {
        const bw_swept_candidate *c = &list[i];
        v8 a, b;
        if (c->feature == BW_CCD_EDGE_EDGE) {
            a = bounds_of(s->bounds, s->edges[c->a], 2);
            b = bounds_of(t->bounds, t->edges[c->b], 2);
        } else if (c->feature == BW_CCD_VERTEX_FACE) {
            a = v8_load(s->bounds[c->a].at);
            b = bounds_of(t->bounds, t->faces[c->b], 3);
        } else if (c->feature == BW_CCD_FACE_VERTEX) {
            a = bounds_of(s->bounds, s->faces[c->a], 3);
            b = v8_load(t->bounds[c->b].at);
        } else {
            loose_bounds(s, t, c, &a, &b);
        }
        bw_swept_pairs *pairs = bw_swept_batch(walk, c->feature);
        pairs->a[pairs->count] = c->a;
        pairs->b[pairs->count] = c->b;
        pairs->count += bounds_meet(thick, a, b, walk->grow);
        if (pairs->count > BW_SWEPT_BATCH - BW_WIDTH)
            walk->flush(walk, c->feature);
    }
    walk->box_tests += count;
}

LANES_TARGET static void again(bw_swept_traversal *walk, const bw_swept_candidate *list, uint64_t count)
{
    if (walk->a->thick || walk->b->thick)
        look_again(walk, true, list, count);
    else
        look_again(walk, false, list, count);
}

LANES_TARGET static bool inside(const bw_swept_bounds *bounds, const bw_swept_bounds *others, uint32_t count)
{
    m8 out = m8_of(0);
    for (uint32_t i = 0; i < count; i++)
        out = m8_or(out, v8_greater(v8_load(others[i].at), v8_load(bounds[i].at)));
    return m8_bits(out) == 0;
}
