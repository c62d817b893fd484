/* The passes over the tree, from the last node to the first: kinetic/segment/segment.h says what they find.
 * What follows works on all lanes of a node at once: sides of a lane stand in a register, and rows of a node
 * are their transposition. */
#include "kinetic/kinetic.h"

#include "geom/box.h"

#include "base/simd/f32x4.h"

#if BW_SIMD_X86
#    include <immintrin.h>
#endif

/* Sides by lane. */
typedef struct lanes {
    _Alignas(32) float side[BW_WIDTH][BW_SIDES];
} lanes;

static void vertex_sides(const bw_motion *m, const char *at, float out[BW_SIDES])
{
    for (int axis = 0; axis < 3; axis++)
        if (m->scalar == BW_F32) {
            float x = ((const float *)(const void *)at)[axis];
            out[axis] = -x;
            out[4 + axis] = x;
        } else {
            double x = ((const double *)(const void *)at)[axis];
            out[axis] = bw_float_up(-x);
            out[4 + axis] = bw_float_up(x);
        }
    out[3] = out[7] = 0;
}

static void store_rows(const lanes *l, float row[BW_SEGMENT_COUNT])
{
    for (uint32_t lane = 0; lane < BW_WIDTH; lane++)
        for (uint32_t side = 0; side < BW_SIDES; side++)
            if (side % 4 != 3)
                row[bw_segment_extent(side, lane)] = l->side[lane][side];
}

static void load_rows(const float row[BW_SEGMENT_COUNT], lanes *l)
{
    for (uint32_t lane = 0; lane < BW_WIDTH; lane++)
        for (uint32_t side = 0; side < BW_SIDES; side++)
            l->side[lane][side] = side % 4 != 3 ? row[bw_segment_extent(side, lane)] : 0;
}

static void fill_empty(float side[BW_SIDES])
{
    for (uint32_t i = 0; i < BW_SIDES; i++)
        side[i] = -BW_WIDE_EMPTY;
}

static inline float max_of(float a, float b)
{
    return a > b ? a : b;
}

/* ---- one node of a pass over one keyframe ---- */

static void boxes_scalar(bw_kinetic *k, bw_frame f, uint32_t n, uint32_t row)
{
    const bw_wide *wide = &k->tree->wide;
    const bw_wide_node *node = &wide->nodes[n];
    lanes end;
    float *all = k->lines.reach[n].end;
    fill_empty(all);
    for (uint32_t lane = 0; lane < BW_WIDTH; lane++) {
        float *to = end.side[lane], sides[BW_SIDES];
        fill_empty(to);
        if (lane >= node->count)
            continue;
        uint32_t child = node->child[lane], leaf = child & ~BW_WIDE_LEAF;
        bool is_leaf = (child & BW_WIDE_LEAF) != 0;
        uint32_t count = is_leaf ? wide->leaves[leaf].vertex_count : 1;
        for (uint32_t i = 0; i < count; i++) {
            const float *from = is_leaf ? sides : k->lines.reach[child].end;
            if (is_leaf)
                vertex_sides(&k->flight.motion,
                             f.at + wide->vertices[wide->vertex_first[leaf] + i] * f.stride, sides);
            for (uint32_t side = 0; side < BW_SIDES; side++)
                to[side] = max_of(from[side], to[side]);
        }
        for (uint32_t side = 0; side < BW_SIDES; side++)
            all[side] = max_of(to[side], all[side]);
    }
    store_rows(&end, k->lines.nodes[n].at[row]);
}

/* ---- one node of the pass over a segment: sides[lane] gets the sides with events ---- */

static uint32_t lines_scalar(bw_kinetic *k, bw_frame start, bw_frame end, uint32_t n, uint8_t sides[BW_WIDTH])
{
    const bw_wide *wide = &k->tree->wide;
    const bw_wide_node *node = &wide->nodes[n];
    bw_segment_node *rows = &k->lines.nodes[n];
    bw_segment_reach *reach = &k->lines.reach[n];
    lanes from, to;
    float all[BW_SIDES];
    uint32_t any = 0;
    load_rows(rows->at[k->lines.start], &from);
    fill_empty(all);
    fill_empty(reach->to);
    fill_empty(reach->end);
    for (uint32_t lane = 0; lane < BW_WIDTH; lane++) {
        float last[BW_SIDES];
        sides[lane] = 0;
        fill_empty(to.side[lane]);
        fill_empty(last);
        if (lane >= node->count)
            continue;
        uint32_t child = node->child[lane], leaf = child & ~BW_WIDE_LEAF;
        if (child & BW_WIDE_LEAF) {
            for (uint32_t i = 0; i < wide->leaves[leaf].vertex_count; i++) {
                uint32_t v = wide->vertices[wide->vertex_first[leaf] + i];
                float a[BW_SIDES], b[BW_SIDES];
                vertex_sides(&k->flight.motion, start.at + v * start.stride, a);
                vertex_sides(&k->flight.motion, end.at + v * end.stride, b);
                for (uint32_t side = 0; side < BW_SIDES; side++) {
                    if (a[side] == from.side[lane][side])
                        to.side[lane][side] = max_of(b[side], to.side[lane][side]);
                    last[side] = max_of(b[side], last[side]);
                }
            }
        } else
            for (uint32_t side = 0; side < BW_SIDES; side++) {
                to.side[lane][side] = k->lines.reach[child].to[side];
                last[side] = k->lines.reach[child].end[side];
            }
        for (uint32_t side = 0; side < BW_SIDES; side++) {
            if (side % 4 != 3 && to.side[lane][side] != last[side])
                sides[lane] |= (uint8_t)(1u << side);
            all[side] = max_of(from.side[lane][side], all[side]);
            reach->end[side] = max_of(last[side], reach->end[side]);
        }
        any |= sides[lane];
    }
    for (uint32_t lane = 0; lane < node->count; lane++)
        for (uint32_t side = 0; side < BW_SIDES; side++)
            if (from.side[lane][side] == all[side])
                reach->to[side] = max_of(to.side[lane][side], reach->to[side]);
    store_rows(&to, rows->at[!k->lines.start]);
    return any;
}

#if BW_SIMD_X86

__attribute__((target("avx2"))) static inline void transpose(__m256 r[8])
{
    __m256 a = _mm256_unpacklo_ps(r[0], r[1]), b = _mm256_unpackhi_ps(r[0], r[1]);
    __m256 c = _mm256_unpacklo_ps(r[2], r[3]), d = _mm256_unpackhi_ps(r[2], r[3]);
    __m256 e = _mm256_unpacklo_ps(r[4], r[5]), f = _mm256_unpackhi_ps(r[4], r[5]);
    __m256 g = _mm256_unpacklo_ps(r[6], r[7]), h = _mm256_unpackhi_ps(r[6], r[7]);
    __m256 s0 = _mm256_shuffle_ps(a, c, _MM_SHUFFLE(1, 0, 1, 0)),
           s1 = _mm256_shuffle_ps(a, c, _MM_SHUFFLE(3, 2, 3, 2));
    __m256 s2 = _mm256_shuffle_ps(b, d, _MM_SHUFFLE(1, 0, 1, 0)),
           s3 = _mm256_shuffle_ps(b, d, _MM_SHUFFLE(3, 2, 3, 2));
    __m256 s4 = _mm256_shuffle_ps(e, g, _MM_SHUFFLE(1, 0, 1, 0)),
           s5 = _mm256_shuffle_ps(e, g, _MM_SHUFFLE(3, 2, 3, 2));
    __m256 s6 = _mm256_shuffle_ps(f, h, _MM_SHUFFLE(1, 0, 1, 0)),
           s7 = _mm256_shuffle_ps(f, h, _MM_SHUFFLE(3, 2, 3, 2));
    r[0] = _mm256_permute2f128_ps(s0, s4, 0x20);
    r[1] = _mm256_permute2f128_ps(s1, s5, 0x20);
    r[2] = _mm256_permute2f128_ps(s2, s6, 0x20);
    r[3] = _mm256_permute2f128_ps(s3, s7, 0x20);
    r[4] = _mm256_permute2f128_ps(s0, s4, 0x31);
    r[5] = _mm256_permute2f128_ps(s1, s5, 0x31);
    r[6] = _mm256_permute2f128_ps(s2, s6, 0x31);
    r[7] = _mm256_permute2f128_ps(s3, s7, 0x31);
}

/* The sides of the lanes, which are destroyed, as rows. */
__attribute__((target("avx2"))) static inline void store_rows_avx2(__m256 lane[8],
                                                                   float row[BW_SEGMENT_COUNT])
{
    transpose(lane);
    for (uint32_t side = 0; side < 3; side++) {
        _mm256_store_ps(row + side * BW_WIDTH, lane[side]);
        _mm256_store_ps(row + (side + 3) * BW_WIDTH, lane[side + 4]);
    }
}

__attribute__((target("avx2"))) static inline void load_rows_avx2(const float row[BW_SEGMENT_COUNT],
                                                                  __m256 lane[8])
{
    for (uint32_t side = 0; side < 3; side++) {
        lane[side] = _mm256_load_ps(row + side * BW_WIDTH);
        lane[side + 4] = _mm256_load_ps(row + (side + 3) * BW_WIDTH);
    }
    lane[3] = lane[7] = _mm256_setzero_ps();
    transpose(lane);
}

__attribute__((target("avx2"))) static inline __m256 flip_low(__m256 v)
{
    const __m256 signs =
        _mm256_castsi256_ps(_mm256_setr_epi32(INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN, 0, 0, 0, 0));
    return _mm256_xor_ps(v, signs);
}

/* A vertex twice. The lane beyond it is read too, so another vertex must follow. */
__attribute__((target("avx2"))) static inline __m256 twice(const char *at)
{
    return _mm256_broadcast_ps((const __m128 *)(const void *)at);
}

__attribute__((target("avx2"))) static inline __m256 last_twice(const char *at)
{
    __m128 p = v4_load3(at);
    return _mm256_set_m128(p, p);
}

__attribute__((target("avx2"))) static void boxes_avx2(bw_kinetic *k, bw_frame f, uint32_t n, uint32_t row)
{
    const bw_wide *wide = &k->tree->wide;
    const bw_wide_node *node = &wide->nodes[n];
    __m256 end[BW_WIDTH], all;
    for (uint32_t lane = 0; lane < BW_WIDTH; lane++)
        end[lane] = _mm256_set1_ps(-BW_WIDE_EMPTY);
    for (uint32_t lane = 0; lane < node->count; lane++) {
        uint32_t child = node->child[lane], leaf = child & ~BW_WIDE_LEAF;
        if ((child & BW_WIDE_LEAF) == 0) {
            end[lane] = _mm256_loadu_ps(k->lines.reach[child].end);
            continue;
        }
        const uint32_t *list = wide->vertices + wide->vertex_first[leaf];
        const uint32_t others = wide->leaves[leaf].vertex_count - 1u;
        __m256 low = last_twice(f.at + list[others] * f.stride), high = low;
        uint32_t i = 0;
        for (; i + 2 <= others; i += 2) {
            __m128 p = _mm_loadu_ps((const float *)(const void *)(f.at + list[i] * f.stride));
            __m128 q = _mm_loadu_ps((const float *)(const void *)(f.at + list[i + 1] * f.stride));
            __m256 both = _mm256_set_m128(q, p);
            low = _mm256_min_ps(both, low);
            high = _mm256_max_ps(both, high);
        }
        if (i < others) {
            __m256 p = twice(f.at + list[i] * f.stride);
            low = _mm256_min_ps(p, low);
            high = _mm256_max_ps(p, high);
        }
        __m128 l = _mm_min_ps(_mm256_castps256_ps128(low), _mm256_extractf128_ps(low, 1));
        __m128 h = _mm_max_ps(_mm256_castps256_ps128(high), _mm256_extractf128_ps(high, 1));
        end[lane] = flip_low(_mm256_set_m128(h, l));
    }
    all = end[0];
    for (uint32_t lane = 1; lane < BW_WIDTH; lane++)
        all = _mm256_max_ps(end[lane], all);
    _mm256_storeu_ps(k->lines.reach[n].end, all);
    store_rows_avx2(end, k->lines.nodes[n].at[row]);
}

__attribute__((target("avx2"))) static uint32_t lines_avx2(bw_kinetic *k, bw_frame start, bw_frame end,
                                                           uint32_t n, uint8_t sides[BW_WIDTH])
{
    const bw_wide *wide = &k->tree->wide;
    const bw_wide_node *node = &wide->nodes[n];
    bw_segment_node *rows = &k->lines.nodes[n];
    bw_segment_reach *reach = &k->lines.reach[n];
    const __m256 none = _mm256_set1_ps(-BW_WIDE_EMPTY);
    __m256 from[BW_WIDTH], to[BW_WIDTH], last_of_all = none;
    uint32_t any = 0;
    load_rows_avx2(rows->at[k->lines.start], from);
    for (uint32_t lane = 0; lane < BW_WIDTH; lane++) {
        to[lane] = none;
        sides[lane] = 0;
    }
    for (uint32_t lane = 0; lane < node->count; lane++) {
        uint32_t child = node->child[lane], leaf = child & ~BW_WIDE_LEAF;
        __m256 t, last;
        if (child & BW_WIDE_LEAF) {
            const uint32_t *list = wide->vertices + wide->vertex_first[leaf];
            const uint32_t others = wide->leaves[leaf].vertex_count - 1u;
            const __m256 winner = flip_low(from[lane]);
            __m256 a = last_twice(start.at + list[others] * start.stride);
            last = flip_low(last_twice(end.at + list[others] * end.stride));
            t = _mm256_blendv_ps(none, last, _mm256_cmp_ps(a, winner, _CMP_EQ_OQ));
            for (uint32_t i = 0; i < others; i++) {
                a = twice(start.at + list[i] * start.stride);
                __m256 b = flip_low(twice(end.at + list[i] * end.stride));
                __m256 won = _mm256_blendv_ps(none, b, _mm256_cmp_ps(a, winner, _CMP_EQ_OQ));
                t = _mm256_max_ps(won, t);
                last = _mm256_max_ps(b, last);
            }
        } else {
            t = _mm256_loadu_ps(k->lines.reach[child].to);
            last = _mm256_loadu_ps(k->lines.reach[child].end);
        }
        to[lane] = t;
        last_of_all = _mm256_max_ps(last, last_of_all);
        sides[lane] = (uint8_t)(_mm256_movemask_ps(_mm256_cmp_ps(t, last, _CMP_NEQ_UQ)) & 0x77);
        any |= sides[lane];
    }
    __m256 all = from[0], t = none;
    for (uint32_t lane = 1; lane < BW_WIDTH; lane++)
        all = _mm256_max_ps(from[lane], all);
    for (uint32_t lane = 0; lane < BW_WIDTH; lane++)
        t = _mm256_max_ps(_mm256_blendv_ps(none, to[lane], _mm256_cmp_ps(from[lane], all, _CMP_EQ_OQ)), t);
    _mm256_storeu_ps(reach->to, t);
    _mm256_storeu_ps(reach->end, last_of_all);
    store_rows_avx2(to, rows->at[!k->lines.start]);
    return any;
}

#endif

/* The vertices of a node's leaves, which are read a little later: where they are not in the cache, waiting
 * for them would be most of the work. */
static void fetch(const bw_wide *wide, const bw_segment_node *rows, uint32_t n, bw_frame a, bw_frame b)
{
#if defined(__GNUC__)
    const bw_wide_node *node = &wide->nodes[n];
    for (size_t i = 0; i < sizeof *rows; i += 64)
        __builtin_prefetch((const char *)&rows[n] + i, 1);
    __builtin_prefetch(wide->nodes[n - (n > 2 ? 2 : n)].child);
    for (uint32_t lane = 0; lane < node->count; lane++) {
        uint32_t leaf = node->child[lane] & ~BW_WIDE_LEAF;
        if ((node->child[lane] & BW_WIDE_LEAF) == 0)
            continue;
        const uint32_t *list = wide->vertices + wide->vertex_first[leaf];
        for (uint32_t i = 0; i < wide->leaves[leaf].vertex_count; i += 2) {
            __builtin_prefetch(a.at + list[i] * a.stride);
            if (b.at != a.at)
                __builtin_prefetch(b.at + list[i] * b.stride);
        }
    }
#else
    (void)wide, (void)n, (void)a, (void)b;
#endif
}

enum { AHEAD = 4 }; /* nodes */

void bw_segment_boxes(bw_kinetic *k, bw_frame f, uint32_t row)
{
    void (*boxes)(bw_kinetic *, bw_frame, uint32_t, uint32_t) = boxes_scalar;
#if BW_SIMD_X86
    if (k->simd >= BW_SIMD_AVX2 && k->flight.motion.scalar == BW_F32)
        boxes = boxes_avx2;
#endif
    for (uint32_t n = k->tree->wide.node_count; n-- > 0;) {
        if (n >= AHEAD)
            fetch(&k->tree->wide, k->lines.nodes, n - AHEAD, f, f);
        boxes(k, f, n, row);
    }
}

/* A node without events: every extent goes straight from its start to its end. */
static void blend_node(bw_kinetic *k, bw_frame end, uint32_t n)
{
    bw_segment_reach *reach = &k->lines.reach[n];
#if BW_SIMD_X86
    if (k->simd >= BW_SIMD_AVX2 && k->flight.motion.scalar == BW_F32)
        boxes_avx2(k, end, n, !k->lines.start);
    else
#endif
        boxes_scalar(k, end, n, !k->lines.start);
    for (uint32_t side = 0; side < BW_SIDES; side++)
        reach->to[side] = reach->end[side];
}

bw_result bw_segment_compile(bw_kinetic *k, uint32_t segment)
{
    bw_segment *lines = &k->lines;
    uint32_t (*pass)(bw_kinetic *, bw_frame, bw_frame, uint32_t, uint8_t *) = lines_scalar;
#if BW_SIMD_X86
    if (k->simd >= BW_SIMD_AVX2 && k->flight.motion.scalar == BW_F32)
        pass = lines_avx2;
#endif
    bw_array scratch = bw_array_of(2 * sizeof(float), &k->allocator);
    const bw_motion *m = &k->flight.motion; /* keyframes */
    const size_t stride = bw_motion_stride(m);
    bw_frame start = {m->frames[segment], stride}, end = {m->frames[segment + 1], stride};
    bool good = true;
    lines->raw.count = 0;
    for (uint32_t n = k->tree->wide.node_count; n-- > 0 && good;) {
        uint8_t sides[BW_WIDTH];
        lines->first[n] = (uint32_t)lines->raw.count;
        lines->eventful[n] = 0;
        if (n >= AHEAD)
            fetch(&k->tree->wide, k->lines.nodes, n - AHEAD, start, end);
        if (k->policy.on && !k->policy.range[n / BW_POLICY_RANGE].tight)
            blend_node(k, end, n);
        else if (pass(k, start, end, n, sides) != 0)
            good = bw_segment_find_events(k, segment, n, sides, &scratch) && lines->raw.count < BW_NONE / 2;
    }
    bw_array_release(&scratch);
    return good ? BW_OK : BW_ERROR_MEMORY;
}
