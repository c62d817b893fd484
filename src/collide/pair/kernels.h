/* The inner loops of queries on wide trees: eight boxes or eight triangles at a time, at three levels of one
 * source.
 *
 * Boxes are compared in float with margins that cover every rounding (collide/pair/error_bounds.h), so a
 * kernel never calls apart what meets. Triangles are compared in float too, with proven bounds
 * (docs/lab/wide-queries.md): a kernel says "crossing" or "apart" only where that is certain for the exact
 * coordinates, and leaves the rest to the exact test. */
#ifndef BW_COLLIDE_PAIR_KERNELS_H
#define BW_COLLIDE_PAIR_KERNELS_H

#include "base/simd/level.h"
#include "collide/clearance/clearance.h"
#include "collide/pair/error_bounds.h"
#include "collide/pair/leaf_obbs.h"
#include "tree/wide/wide.h"

/* The index of the lowest bit that is set; some must be. */
static inline uint32_t bw_wide_lowest(uint64_t bits)
{
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctzll(bits);
#else
    uint32_t n = 0;
    for (; (bits & 1) == 0; bits >>= 1)
        n++;
    return n;
#endif
}

/* The same for the highest. */
static inline uint32_t bw_wide_highest(uint64_t bits)
{
#if defined(__GNUC__)
    return 63u - (uint32_t)__builtin_clzll(bits);
#else
    uint32_t n = 0;
    for (; (bits >>= 1) != 0;)
        n++;
    return n;
#endif
}

/* Eight rows of lanes; the rows that are not in the set are empty. */
static inline uint64_t bw_wide_spread(uint32_t lanes, uint32_t rows)
{
    uint64_t each = 0x0101010101010101u, one = (uint64_t)rows * each & 0x8040201008040201u;
    return ((one + 0x7F7F7F7F7F7F7F7Fu) >> 7 & each) * lanes;
}

/* Of eight rows of lanes: the lanes that some row has, and the rows that are not empty. */
static inline uint32_t bw_wide_lanes(uint64_t pairs)
{
    pairs |= pairs >> 32;
    pairs |= pairs >> 16;
    return (uint32_t)(pairs | pairs >> 8) & 0xFFu;
}
static inline uint32_t bw_wide_rows(uint64_t pairs)
{
    const uint64_t low = 0x7F7F7F7F7F7F7F7Fu;
    const uint64_t some = (((pairs & low) + low) | pairs) >> 7 & 0x0101010101010101u;
    return (uint32_t)(some * 0x0102040810204080u >> 56);
}

/* How many of the lowest eight bits are set. */
static inline uint32_t bw_wide_bits(uint32_t eight)
{
    uint64_t quarter = (eight & 0xFFu) * (uint64_t)0x0002000400080010u & 0x1111111111111111u;
    return (uint32_t)(quarter * 0x1111111111111111u >> 60);
}

/* How many bits are set. */
static inline uint32_t bw_wide_count(uint64_t bits)
{
#if defined(__GNUC__)
    return (uint32_t)__builtin_popcountll(bits);
#else
    uint32_t n = 0;
    for (; bits != 0; bits &= bits - 1)
        n++;
    return n;
#endif
}

/* Pairs of children that may meet. */
typedef struct bw_wide_meeting {
    uint64_t leaves, others; /* both children are leaves; at least one is a node */
} bw_wide_meeting;

/* The boxes of the last node of each tree, in the other's frame. */
typedef struct bw_wide_mapped {
    const bw_wide_node *a, *b; /* NULL: none yet */
    bw_eight_boxes a_in_b, b_in_a;
} bw_wide_mapped;

/* A leaf made ready for comparison: its corners in the frame of the first body, relative to its own origin,
 * the boxes of its triangles, and the slab between two planes across its mean normal, which is thin where a
 * mesh is smooth. */
typedef struct bw_wide_ready {
    const float (*corner)[3][BW_WIDTH]; /* [corner][axis][slot] */
    const uint32_t *primitives;         /* by slot */
    uint32_t count;
    float error; /* the leaf's share of the distance from float to exact coordinates, see
                    collide/pair/error_bounds.h */
    double origin[3];
    bw_eight_boxes boxes;
    float extent[BW_WIDTH]; /* the longest side of each triangle's box */
    float normal[3], low, high;
    float weight;                       /* |normal| in the sum norm */
    float separation, separation_along; /* of the query, and the same times the length of the normal */
    union {
        float mapped[3][3][BW_WIDTH]; /* corners of the second body */
        /* Leaves of a mesh that is compared with itself, which have no slab. By corner and slot: the
         * vertices, and the same with BW_FAN_UNSURE where the fan of the vertex is not certified
         * (collide/self/fans.h). The box of all triangles. */
        struct {
            uint32_t vertex[3][BW_WIDTH], key[3][BW_WIDTH];
            float min[3], max[3];
        };
    };
    bool has_long_edges;
    float long_edges[3]; /* their direction, once something needed it */
} bw_wide_ready;

/* How two leaves that are ready stand to each other. */
typedef struct bw_wide_gap {
    float offset[3]; /* from the first origin to the second */
    float delta;     /* with it no corner is farther than this from the exact one, in any coordinate */
} bw_wide_gap;

/* Pairs of triangles that may meet, each with its own origin. They are tested eight at a time, but only when
 * many wait: a register that is loaded from what several stores have just written has to wait for them all.
 */
enum { BW_BATCH_ROW = 64 };
typedef struct bw_wide_batch {
    float a[3][3][BW_BATCH_ROW], b[3][3][BW_BATCH_ROW]; /* [corner][axis][lane] */
    float extent_a[BW_BATCH_ROW], extent_b[BW_BATCH_ROW], delta[BW_BATCH_ROW];
    uint32_t primitive_a[BW_BATCH_ROW], primitive_b[BW_BATCH_ROW];
    uint32_t count;
    float separation; /* no two triangles are farther apart along any axis than their extents and this */
} bw_wide_batch;

/* The vertices, by index, of eight pairs of triangles of one mesh. */
typedef struct bw_wide_vertices {
    uint32_t a[3][BW_WIDTH], b[3][BW_WIDTH]; /* [corner][lane] */
} bw_wide_vertices;

/* Two leaves that are ready, children of two nodes, and their triangles that may meet. */
typedef struct bw_wide_close {
    uint64_t triangles; /* bit 8 i + j for slot i of b and slot j of a */
    uint32_t pair;      /* 8 i + j for child i of b and child j of a */
    bw_wide_gap gap;
} bw_wide_close;

/* Bits 8 i + j of pairs with j < i, and with j = i. */
#define BW_WIDE_BELOW 0x7F3F1F0F07030100u
#define BW_WIDE_SELF 0x8040201008040201u

/* What is certain; a lane in neither set is unsure. */
typedef struct bw_wide_verdict {
    uint32_t crossing, apart;
} bw_wide_verdict;

/* Of pairs that do not meet, what is certain; a lane in neither set is unsure. */
typedef struct bw_wide_nearness {
    uint32_t near, far;
} bw_wide_nearness;

#define BW_WIDE_WORST 0x1p100f /* a value that nothing is above */

/* Of pairs of children, the one that most likely meets: the distance of the middles over the sizes, squared,
 * and the same of the runner-up (infinite if there is none). */
typedef struct bw_wide_best_pair {
    uint32_t pair; /* bit */
    float value, next;
} bw_wide_best_pair;

typedef struct bw_wide_kernels {
    /* The pose of two trees with these bounds, in their own frames, made ready: for boxes, along the second
     * body's axes too where both is set, and for triangles. The first returns the gap that the other wants to
     * know. */
    double (*box_bounds)(bw_error_bounds *frame, const bw_relative_pose *pose, const bw_box *bounds_a,
                         const bw_box *bounds_b, bool both);
    void (*triangle_bounds)(bw_error_bounds *frame, const bw_relative_pose *pose, const bw_box *bounds_a,
                            const bw_box *bounds_b, double gap);
    /* Which children of two nodes may meet, leaves with leaves apart from the rest: bit 8 i + j for child i
     * of b (in rows) and child j of a (in lanes). The first body's axes decide first, then, where the frame
     * has them, the second's. */
    bw_wide_meeting (*box_pair)(const bw_error_bounds *frame, const bw_wide_node *a, uint32_t lanes,
                                const bw_wide_node *b, uint32_t rows, bw_wide_mapped *mapped);
    /* Computes mapped->b_in_a where it is not that of the node. */
    void (*map)(const bw_error_bounds *frame, const bw_wide_node *b, bw_wide_mapped *mapped);
    /* pairs: at least one. b_in_a: the boxes of b's node, as map and box_pair leave them. */
    bw_wide_best_pair (*best_pair)(const bw_wide_node *a, const bw_eight_boxes *b_in_a, uint64_t pairs);
    /* The children of a node of the view's other body, in its grid; lanes past its count mean nothing. */
    void (*clearance)(const bw_clearance_view *view, const bw_wide_node *node, bw_clearance_eight *out);
    /* The oriented boxes of the leaves below a node of the second body, in the first body's frame. */
    void (*obb_map)(const bw_leaf_obb_frame *frame, const bw_leaf_obbs *b, bw_leaf_obb_mapped *out);
    /* Of pairs of leaves below two nodes, bit 8 i + j for child i of b and child j of a, those that their
     * oriented boxes do not prove apart. */
    uint64_t (*obb_pairs)(const bw_leaf_obb_frame *frame, const bw_leaf_obbs *a, const bw_leaf_obb_mapped *b,
                          uint64_t mask);
    /* Which of eight boxes, in the first body's frame, the slab of a leaf of either body keeps out. */
    uint32_t (*slab_boxes)(const bw_wide_ready *leaf, const float (*min)[BW_WIDTH],
                           const float (*max)[BW_WIDTH]);
    /* Makes a leaf of the first or the second body ready. The corners must outlive the result. */
    void (*prepare_leaf)(const bw_error_bounds *frame, bool second, const bw_wide_corners *corners,
                         const uint32_t *primitives, uint32_t count, bw_wide_ready *out);
    /* Which triangles of two leaves may meet by their slabs and boxes and, where many are left, across their
     * long edges, which are found when first needed: bit 8 i + j for slot i of b and slot j of a. */
    uint64_t (*leaf_pair)(bw_wide_ready *a, bw_wide_ready *b, bw_wide_gap *gap);
    /* The same for pairs of leaves, bit 8 i + j for b[i] and a[j]: those of which something is left, in the
     * order of the bits. Returns how many these are. */
    uint32_t (*leaf_pairs)(bw_wide_ready *a, bw_wide_ready *b, uint64_t pairs, bw_wide_close *out);
    /* The same for two leaves of one mesh, which have vertices and keys, by boxes; pairs around a vertex
     * whose fan is certified are left out. */
    uint64_t (*own_pair)(const bw_wide_ready *a, const bw_wide_ready *b, bw_wide_gap *gap);
    /* The same for pairs of leaves, as leaf_pairs. */
    uint32_t (*own_pairs)(const bw_wide_ready *a, const bw_wide_ready *b, uint64_t pairs, bw_wide_close *out);
    /* Makes a leaf ready for it, but for vertices and keys. The corners must outlive the result. */
    void (*own_leaf)(const bw_error_bounds *frame, const bw_wide_corners *corners, const uint32_t *primitives,
                     uint32_t count, bw_wide_ready *out);
    /* What eight triangles, whose origin is 0, say of the fans at their corners: words to be added up by
     * bw_fan_add. */
    void (*fan_words)(const bw_wide_corners *corners, uint32_t words[3][BW_WIDTH]);
    /* Adds the lowest up to eight pairs of the mask that leaf_pair gave to a batch with room for eight, with
     * their primitives. Returns the rest of the mask. */
    uint64_t (*append)(const bw_wide_ready *a, const bw_wide_ready *b, const bw_wide_gap *gap, uint64_t mask,
                       bw_wide_batch *batch);
    /* The pairs first .. first + 7 of a batch; bits past its count mean nothing. */
    bw_wide_verdict (*triangles)(const bw_wide_batch *batch, uint32_t first);
    /* Of the pairs first .. first + 7 that certainly do not meet, those that are certainly nearer than near,
     * and those that are certainly farther apart than the separation of the batch. */
    bw_wide_nearness (*within)(const bw_wide_batch *batch, uint32_t first, float near);
    /* As triangles, of one mesh: what they share by index does not count. Crossing means beyond that. */
    bw_wide_verdict (*neighbours)(const bw_wide_batch *batch, uint32_t first,
                                  const bw_wide_vertices *vertices);
    /* Drops the pairs before first, a multiple of eight that leaves fewer than eight. */
    void (*shift)(bw_wide_batch *batch, uint32_t first);
} bw_wide_kernels;

/* For boxes and triangles. */
static inline void bw_error_bounds_prepare(bw_error_bounds *frame, const bw_wide_kernels *kernels,
                                           const bw_relative_pose *pose, const bw_box *bounds_a,
                                           const bw_box *bounds_b)
{
    const double gap = kernels->box_bounds(frame, pose, bounds_a, bounds_b, true);
    kernels->triangle_bounds(frame, pose, bounds_a, bounds_b, gap);
}

/* level as bw_simd_level gives it. */
const bw_wide_kernels *bw_wide_kernels_for(bw_simd level);

extern const bw_wide_kernels bw_wide_kernels_128, bw_wide_kernels_avx2;

#endif
