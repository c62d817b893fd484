/* The pass over a segment: kinetic/lines.h says what it finds. */
#include "kinetic/kinetic.h"

#include "geom/box.h"

#include "tree/wide_load.h"

#include <assert.h>
#include <math.h>

#if BW_SIMD_X86
#    include <immintrin.h>
#endif

/* The extents of one box, upward: minima stand negated, so that all six are maxima. Two more lanes fill a
 * register. */
enum { SIDES = 8 };

typedef struct reach {
    float from[SIDES], to[SIDES],
        end[SIDES]; /* the winner at the start, its value at the end, the end of all */
} reach;

static void reach_begin(reach *r)
{
    for (int i = 0; i < SIDES; i++)
        r->from[i] = r->to[i] = r->end[i] = -BW_WIDE_EMPTY;
}

/* Takes in a line for each extent: the higher start wins, of equals the higher end. */
static inline void reach_add(reach *r, const float from[SIDES], const float to[SIDES])
{
    for (int i = 0; i < SIDES; i++) {
        bool better = (from[i] > r->from[i]) | ((from[i] == r->from[i]) & (to[i] > r->to[i]));
        r->to[i] = better ? to[i] : r->to[i];
        r->from[i] = better ? from[i] : r->from[i];
        r->end[i] = to[i] > r->end[i] ? to[i] : r->end[i];
    }
}

/* Three coordinates at both ends, both ways round; doubles outward. */
static inline void vertex_lines(const bw_motion *m, uint32_t segment, uint32_t v, float from[SIDES],
                                float to[SIDES])
{
    size_t offset = v * bw_motion_stride(m);
    const char *p = (const char *)m->frames[segment] + offset,
               *q = (const char *)m->frames[segment + 1] + offset;
    for (int axis = 0; axis < 3; axis++) {
        if (m->scalar == BW_F32) {
            float a = ((const float *)(const void *)p)[axis], b = ((const float *)(const void *)q)[axis];
            from[axis] = -a;
            from[4 + axis] = a;
            to[axis] = -b;
            to[4 + axis] = b;
        } else {
            double a = ((const double *)(const void *)p)[axis], b = ((const double *)(const void *)q)[axis];
            from[axis] = bw_float_up(-a);
            from[4 + axis] = bw_float_up(a);
            to[axis] = bw_float_up(-b);
            to[4 + axis] = bw_float_up(b);
        }
    }
    from[3] = from[7] = to[3] = to[7] = 0;
}

typedef struct line {
    float from, to;
} line;

static line upward(line l, uint32_t extent)
{
    return extent < BW_LINE_COUNT / 2 ? (line){-l.from, -l.to} : l;
}

/* All lines below a lane for one extent, upward. */
static bool gather(const bw_kinetic *k, uint32_t segment, uint32_t child, uint32_t extent, bw_array *out)
{
    const bw_wide *wide = &k->tree->wide;
    uint32_t axis = extent / BW_WIDTH % 3, row = extent / BW_WIDTH * BW_WIDTH;
    out->count = 0;
    if (child & BW_WIDE_LEAF) {
        uint32_t leaf = child & ~BW_WIDE_LEAF, count = wide->leaves[leaf].vertex_count;
        line *to = bw_array_extend(out, count);
        const bw_motion *m = &k->flight.motion; /* of floats: see bw_kinetic_create */
        size_t stride = bw_motion_stride(m), offset = axis * sizeof(float);
        const char *start = (const char *)m->frames[segment] + offset;
        const char *end = (const char *)m->frames[segment + 1] + offset;
        const uint32_t *vertex = wide->vertices + wide->vertex_first[leaf];
        float sign = extent < BW_LINE_COUNT / 2 ? -1.0f : 1.0f;
        for (uint32_t i = 0; to != NULL && i < count; i++)
            to[i] = (line){sign * *(const float *)(const void *)(start + vertex[i] * stride),
                           sign * *(const float *)(const void *)(end + vertex[i] * stride)};
        return to != NULL;
    }
    const bw_lines *lines = &k->lines;
    uint32_t count = wide->nodes[child].count;
    line *to = bw_array_extend(out, count);
    if (to == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++)
        to[i] = upward((line){lines->nodes[child].from[row + i], lines->nodes[child].to[row + i]}, extent);
    for (size_t i = lines->first[child]; i < lines->first[child - 1]; i++) {
        const bw_line_event *e = bw_array_at(&lines->raw, i);
        uint32_t inside = e->id % BW_LINE_COUNT;
        if (inside < row || inside >= row + BW_WIDTH)
            continue;
        to = bw_array_push(out);
        if (to == NULL)
            return false;
        *to = upward((line){e->from, e->to}, extent);
    }
    return true;
}

/* The upper envelope of the lines from the winner at the start on, up to the one that wins at the end: from
 * each line to the one that crosses it first, of equals the steepest. The value at the end grows with each,
 * so it ends. */
static bool envelope(bw_kinetic *k, uint32_t id, line present, float end, const bw_array *all)
{
    double s = 0;
    const line *lines = bw_array_at(all, 0);
    while (present.to < end) {
        /* The first crossing as a fraction, behind / (behind + ahead), so that all but one need no division:
         * products of two differences of floats, rounded to double, order them well enough. */
        double first_behind = 1, first_sum = 0;
        line best = present;
        for (size_t i = 0; i < all->count; i++) {
            if (!(lines[i].to > present.to))
                continue;
            double behind = (double)present.from - (double)lines[i].from;
            behind = behind > 0 ? behind : 0;
            double sum = behind + ((double)lines[i].to - (double)present.to);
            double left = behind * first_sum, right = first_behind * sum;
            if (left < right || (left == right && lines[i].to > best.to)) {
                first_behind = behind;
                first_sum = sum;
                best = lines[i];
            }
        }
        assert(best.to > present.to);
        double cross = first_behind / first_sum;
        s = cross > s ? cross : s;
        present = best;
        line out = upward(best, id % BW_LINE_COUNT);
        bw_line_event *e = bw_array_push(&k->lines.raw);
        if (e == NULL)
            return false;
        *e = (bw_line_event){(uint64_t)(s * 0x1p40), id, out.from, out.to};
    }
    return true;
}

/* Maxima of magnitudes as maxima of both signs: no calls, and the compiler can see what it is. */
static void measure(bw_line_node *n)
{
    for (uint32_t axis = 0; axis < 3; axis++) {
        const float *row[] = {n->from + axis * BW_WIDTH, n->from + (axis + 3) * BW_WIDTH,
                              n->end + axis * BW_WIDTH, n->end + (axis + 3) * BW_WIDTH};
        float size = 0;
        for (uint32_t side = 0; side < 4; side++)
            for (uint32_t lane = 0; lane < BW_WIDTH; lane++) {
                float m = fabsf(row[side][lane]);
                size = m > size && m < BW_WIDE_EMPTY ? m : size; /* unused lanes do not count */
            }
        n->size[axis] = size;
    }
}

/* Finds the events of the extents of a lane that have any. */
static bool find_events(bw_kinetic *k, uint32_t segment, uint32_t node, uint32_t lane, const reach *r,
                        bw_array *scratch)
{
    for (uint32_t side = 0; side < 6; side++) {
        uint32_t i = side < 3 ? side : side + 1, extent = side * BW_WIDTH + lane;
        if (r->to[i] == r->end[i])
            continue;
        uint32_t id = node * BW_LINE_COUNT + extent, child = k->tree->wide.nodes[node].child[lane];
        uint32_t *eventful = bw_array_push(&k->lines.eventful);
        if (eventful == NULL || !gather(k, segment, child, extent, scratch) ||
            !envelope(k, id, (line){r->from[i], r->to[i]}, r->end[i], scratch))
            return false;
        *eventful = id;
    }
    return true;
}

static void store_lane(bw_line_node *out, uint32_t lane, const reach *r)
{
    for (uint32_t side = 0; side < 3; side++) {
        uint32_t low = side * BW_WIDTH + lane, high = low + 3 * BW_WIDTH;
        out->from[low] = -r->from[side];
        out->to[low] = -r->to[side];
        out->end[low] = -r->end[side];
        out->from[high] = r->from[side + 4];
        out->to[high] = r->to[side + 4];
        out->end[high] = r->end[side + 4];
    }
}

static bool has_events(const reach *r)
{
    int any = 0;
    for (int i = 0; i < SIDES; i++)
        any |= r->to[i] != r->end[i];
    return any != 0;
}

#if BW_SIMD_X86

/* The six extents of a vertex in one register, upward. */
__attribute__((target("avx2"))) static inline __m256 both_ways(const char *at)
{
    const __m256 flip =
        _mm256_castsi256_ps(_mm256_setr_epi32(INT32_MIN, INT32_MIN, INT32_MIN, 0, 0, 0, 0, 0));
    __m128 p = bw_load3_sse(at);
    return _mm256_xor_ps(_mm256_set_m128(p, p), flip);
}

/* reach_add over the vertices of a leaf. The same bits. */
__attribute__((target("avx2"))) static void reach_of_leaf_avx2(const char *start, const char *end,
                                                               size_t stride, const uint32_t *vertex,
                                                               uint32_t count, reach *r)
{
    __m256 from = _mm256_loadu_ps(r->from), to = _mm256_loadu_ps(r->to), last = _mm256_loadu_ps(r->end);
    for (uint32_t i = 0; i < count; i++) {
        __m256 a = both_ways(start + vertex[i] * stride), b = both_ways(end + vertex[i] * stride);
        __m256 higher = _mm256_cmp_ps(a, from, _CMP_GT_OQ), same = _mm256_cmp_ps(a, from, _CMP_EQ_OQ);
        to = _mm256_blendv_ps(to, _mm256_max_ps(b, to), same); /* of equals the higher end, */
        to = _mm256_blendv_ps(to, b, higher);                  /* else that of the higher start */
        from = _mm256_blendv_ps(from, a, higher);
        last = _mm256_max_ps(b, last);
    }
    _mm256_storeu_ps(r->from, from);
    _mm256_storeu_ps(r->to, to);
    _mm256_storeu_ps(r->end, last);
}

/* The same without events: the extents at both ends are all that is asked for. */
__attribute__((target("avx2"))) static void ends_of_leaf_avx2(const char *start, const char *end,
                                                              size_t stride, const uint32_t *vertex,
                                                              uint32_t count, reach *r)
{
    __m256 from = _mm256_loadu_ps(r->from), last = _mm256_loadu_ps(r->end);
    for (uint32_t i = 0; i < count; i++) {
        from = _mm256_max_ps(both_ways(start + vertex[i] * stride), from);
        last = _mm256_max_ps(both_ways(end + vertex[i] * stride), last);
    }
    _mm256_storeu_ps(r->from, from);
    _mm256_storeu_ps(r->to, last);
    _mm256_storeu_ps(r->end, last);
}

#endif

static void reach_of_leaf(const bw_kinetic *k, uint32_t segment, uint32_t leaf, reach *r)
{
    const bw_wide *wide = &k->tree->wide;
    const bw_motion *m = &k->flight.motion;
    const uint32_t *vertex = wide->vertices + wide->vertex_first[leaf];
#if BW_SIMD_X86
    if (k->simd >= BW_SIMD_AVX2 && m->scalar == BW_F32) {
        (k->method == BW_KINETIC_COMPILED ? reach_of_leaf_avx2 : ends_of_leaf_avx2)(
            m->frames[segment], m->frames[segment + 1], bw_motion_stride(m), vertex,
            wide->leaves[leaf].vertex_count, r);
        return;
    }
#endif
    float from[SIDES], to[SIDES];
    for (uint32_t i = 0; i < wide->leaves[leaf].vertex_count; i++) {
        vertex_lines(m, segment, vertex[i], from, to);
        reach_add(r, from, to);
    }
}

static void reach_of_node(const bw_kinetic *k, uint32_t node, reach *r)
{
    const bw_line_node *n = &k->lines.nodes[node];
    for (uint32_t lane = 0; lane < k->tree->wide.nodes[node].count; lane++)
        for (uint32_t side = 0; side < 6; side++) {
            uint32_t i = side < 3 ? side : side + 1, extent = side * BW_WIDTH + lane;
            float sign = side < 3 ? -1.0f : 1.0f;
            float from = sign * n->from[extent], to = sign * n->to[extent], end = sign * n->end[extent];
            bool better = from > r->from[i] || (from == r->from[i] && to > r->to[i]);
            r->to[i] = better ? to : r->to[i];
            r->from[i] = better ? from : r->from[i];
            r->end[i] = end > r->end[i] ? end : r->end[i];
        }
}

bw_result bw_lines_compile(bw_kinetic *k, uint32_t segment)
{
    bw_lines *lines = &k->lines;
    const bw_wide *wide = &k->tree->wide;
    lines->raw.count = lines->eventful.count = 0;
    bw_array scratch = bw_array_of(sizeof(line), &k->allocator);
    bool good = true;
    for (uint32_t n = wide->node_count; n-- > 0 && good;) {
        const bw_wide_node *node = &wide->nodes[n];
        lines->first[n] = (uint32_t)lines->raw.count;
        for (uint32_t lane = 0; lane < BW_WIDTH && good; lane++) {
            reach r;
            reach_begin(&r);
            if (lane < node->count) {
                if (node->child[lane] & BW_WIDE_LEAF)
                    reach_of_leaf(k, segment, node->child[lane] & ~BW_WIDE_LEAF, &r);
                else
                    reach_of_node(k, node->child[lane], &r);
            }
            store_lane(&lines->nodes[n], lane, &r);
            if (k->method == BW_KINETIC_COMPILED && has_events(&r))
                good = find_events(k, segment, n, lane, &r, &scratch);
        }
        if (k->method == BW_KINETIC_COMPILED)
            measure(&lines->nodes[n]);
        good = good && lines->raw.count < BW_NONE / 2;
    }
    bw_array_release(&scratch);
    return good ? BW_OK : BW_ERROR_MEMORY;
}
