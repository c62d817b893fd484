/* From lines to boxes at a time: node by node, so that only those need be written that somebody looks at. */
#include "kinetic/kinetic.h"

#include "collide/pair/kernels.h"
#include "geom/box.h"

/* A loop for the compiler to vectorise, here and with the wider registers; the same bits. Lines are upward,
 * boxes are not, and zeros are never -0. */
static inline __attribute__((always_inline)) void blend_any(const float *restrict a, const float *restrict b,
                                                            double s, bw_wide_node *restrict out)
{
    const double r = 1 - s;
    float *restrict low = out->min[0], *restrict high = out->max[0];
    for (int i = 0; i < 3 * BW_WIDTH; i++)
        low[i] = 0.0f - (float)(r * (double)a[i] + s * (double)b[i]);
    for (int i = 0; i < 3 * BW_WIDTH; i++)
        high[i] = (float)(r * (double)a[i + 3 * BW_WIDTH] + s * (double)b[i + 3 * BW_WIDTH]) + 0.0f;
}

static void blend(const float *a, const float *b, double s, bw_wide_node *out)
{
    blend_any(a, b, s, out);
}

#if BW_SIMD_X86
__attribute__((target("avx2"))) static void blend_avx2(const float *a, const float *b, double s,
                                                       bw_wide_node *out)
{
    blend_any(a, b, s, out);
}
#endif

/* Positions of doubles do not round as floats do: outward. */
static void blend_outward(const float *a, const float *b, double s, bw_wide_node *out)
{
    for (uint32_t i = 0; i < 3 * BW_WIDTH; i++) {
        uint32_t axis = i / BW_WIDTH, lane = i % BW_WIDTH, j = i + 3 * BW_WIDTH;
        out->min[axis][lane] = 0.0f - bw_float_up(bw_lerp((double)a[i], (double)b[i], s));
        out->max[axis][lane] = bw_float_up(bw_lerp((double)a[j], (double)b[j], s)) + 0.0f;
    }
}

/* How much the line in use may be short of the farthest vertex, as a part of the coordinates' size: events
 * come up to 2^-40 of the segment too early, where two lines are at most four sizes apart; the roundings of
 * all levels are far below. */
#define SLACK 0x1p-37

static float extent_at(const bw_kinetic *k, uint32_t node, uint32_t extent, double s);

/* The extent of a lane from the lanes or vertices right below it, upward. */
static float from_below(const bw_kinetic *k, uint32_t child, uint32_t extent, double s)
{
    const bw_wide *wide = &k->tree->wide;
    uint32_t row = extent / BW_WIDTH * BW_WIDTH;
    float best = -BW_WIDE_EMPTY;
    if ((child & BW_WIDE_LEAF) == 0) {
        for (uint32_t i = 0; i < wide->nodes[child].count; i++) {
            float x = extent_at(k, child, row + i, s);
            best = x > best ? x : best;
        }
        return best;
    }
    uint32_t leaf = child & ~BW_WIDE_LEAF;
    const bw_frame start = bw_segment_frame(k, false), end = bw_segment_frame(k, true);
    const bw_scalar scalar = k->mesh.scalar;
    const int axis = (int)(extent / BW_WIDTH % 3);
    const double sign = extent < BW_SEGMENT_COUNT / 2 ? -1 : 1;
    const uint32_t *vertex = wide->vertices + wide->vertex_first[leaf];
    for (uint32_t i = 0; i < wide->leaves[leaf].vertex_count; i++) {
        double a = bw_frame_coordinate(start, scalar, vertex[i], axis);
        double out = sign * bw_lerp(a, bw_frame_coordinate(end, scalar, vertex[i], axis), s);
        float x = scalar == BW_F64 ? bw_float_up(out) : (float)out;
        best = x > best ? x : best;
    }
    return best;
}

/* The very value of an extent, upward. Extents of doubles need not be exact: those with events are taken to
 * be as far out as they may be. */
static float extent_at(const bw_kinetic *k, uint32_t node, uint32_t extent, double s)
{
    const bw_segment *lines = &k->lines;
    const bw_segment_node *l = &lines->nodes[node];
    double value = bw_lerp((double)l->at[lines->start][extent], (double)l->at[!lines->start][extent], s);
    bool eventful = k->method == BW_KINETIC_COMPILED && (lines->eventful[node] >> extent & 1) != 0;
    double slack = eventful ? SLACK * (double)lines->size[extent / BW_WIDTH % 3] : 0;
    if (k->flight.motion.scalar == BW_F64)
        return bw_float_up(value + slack);
    if ((float)(value + slack) == (float)value)
        return (float)value;
    return from_below(k, k->tree->wide.nodes[node].child[extent % BW_WIDTH], extent, s);
}

/* Extents for which a line is not enough, of a node in the tree. */
static void settle(bw_kinetic *k, uint32_t n, uint64_t extents, double s)
{
    bw_wide_node *node = &k->tree->wide.nodes[n];
    for (uint64_t left = extents; left != 0; left &= left - 1) {
        uint32_t extent = bw_wide_lowest(left), axis = extent / BW_WIDTH % 3, lane = extent % BW_WIDTH;
        if (lane >= node->count)
            continue;
        float out = extent_at(k, n, extent, s);
        if (extent < BW_SEGMENT_COUNT / 2)
            node->min[axis][lane] = 0.0f - out;
        else
            node->max[axis][lane] = out + 0.0f;
    }
}

/* Around curves. */
static void widen(bw_wide_node *node, float slack)
{
    float *low = node->min[0], *high = node->max[0];
    for (int i = 0; i < 3 * BW_WIDTH; i++) {
        low[i] -= slack;
        high[i] += slack;
    }
}

void bw_segment_fit_node(bw_kinetic *k, uint32_t n)
{
    const bw_segment *lines = &k->lines;
    const float *from = lines->nodes[n].at[lines->start], *to = lines->nodes[n].at[!lines->start];
    double s = bw_segment_fraction(lines, k->now);
    bw_wide_node *out = &k->tree->wide.nodes[n];
    if (k->flight.motion.scalar == BW_F64)
        blend_outward(from, to, s, out);
#if BW_SIMD_X86
    else if (k->simd >= BW_SIMD_AVX2)
        blend_avx2(from, to, s, out);
#endif
    else
        blend(from, to, s, out);
    if (k->method == BW_KINETIC_COMPILED)
        settle(k, n, lines->eventful[n], s);
    if (lines->slack > 0 && s > 0 && s < 1)
        widen(out, lines->slack);
}

bw_result bw_segment_fit(bw_kinetic *k)
{
    bw_wide *wide = &k->tree->wide;
    for (uint32_t n = 0; n < wide->node_count; n++)
        bw_segment_fit_node(k, n);
    if (wide->node_count > 0)
        wide->bounds = bw_wide_node_box(&wide->nodes[0]);
    return BW_OK;
}
