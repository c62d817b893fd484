/* Points, segments, and points beside boxes: pairs of cores whose nearest points have a closed form. */
#ifndef BW_SHAPE_ROUND_H
#define BW_SHAPE_ROUND_H

#include "shape/convex.h"

/* The nearest points of two cores. */
typedef struct bw_round {
    bw_vec3 on_a, on_b; /* relative to a.at and to b.at */
    bw_vec3 d;          /* from the one to the other */
    double distance2;   /* the square of its length */
    double reached;     /* along d the cores are at least this / |d| apart */
    bool single;        /* no other points are as near */
    bool points; /* the cores are points: d is accurate, and proves its length but for some roundings */
    bool inside; /* a point in a box, but for roundings: d is zero, on_b is the point */
} bw_round;

/* The first of the cores is not above the second. False where there is no closed form: for other cores, and boxes whose
 * pose is no rotation to 2^-49. */
bool bw_round_nearest(const bw_convex *a, const bw_convex *b, bw_round *out);

/* Of a point beside a box: d and its length again, in the box's own axes. Along those between whose faces the point is d is
 * nothing then, as it is not for roundings where the box is long, and it proves more. */
void bw_round_straighten(const bw_convex *a, const bw_convex *b, bw_round *out);

/* Of a point in a box: how deep it is below the nearest face, and the direction from there into the box. */
bw_vec3 bw_round_face(const bw_convex *a, const bw_convex *b, double *depth);

/* The queries of shape/pair.h for such a pair. False where bounds leave the answer open, or it is more than one pair of
 * points: then out is as it was. exchanged: out is to be that of (b, a). No branch depends on how the shapes stand, where
 * that can be: it would be mispredicted. */
bool bw_round_overlap(const bw_convex *a, const bw_convex *b, bw_contact_kind *kind);
bool bw_round_distance(const bw_convex *a, const bw_convex *b, bool exchanged, bw_shape_nearest *out);
bool bw_round_contact(const bw_convex *a, const bw_convex *b, bool exchanged, double separation,
                      bw_shape_contact *out);

/* The public queries by the kinds of both, spheres to boxes; NULL where there is no closed form. No pointer but desc and fault is NULL, the
 * descriptor is sound; all else is checked. The first is not above the second, and was the second where they are swapped. */
typedef bw_result bw_round_overlap_fn(const bw_placed_shape *first, const bw_placed_shape *second,
                                      bw_contact_kind *kind, bw_fault *fault);
typedef bw_result bw_round_contact_fn(const bw_placed_shape *first, const bw_placed_shape *second,
                                      const bw_shape_desc *desc, bw_shape_contact *out, bw_fault *fault,
                                      bool swapped);
typedef bw_result bw_round_distance_fn(const bw_placed_shape *first, const bw_placed_shape *second,
                                       const bw_shape_desc *desc, bw_shape_nearest *out, bw_fault *fault,
                                       bool swapped);

typedef struct bw_round_kernels {
    bw_round_overlap_fn *overlap[3][3];
    bw_round_contact_fn *contact[3][3];
    bw_round_distance_fn *distance[3][3];
} bw_round_kernels;

extern const bw_round_kernels bw_round_kernels_128, bw_round_kernels_avx2;
const bw_round_kernels *bw_round_kernels_for(bw_simd level);

#endif
