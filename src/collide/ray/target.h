/* What rays are cast at: a body, seen from the rays, once per call.
 *
 * Rays are traced in the tree's own coordinates. Where the body has a pose, a ray is mapped into them by an
 * approximate inverse, and `slack` and `growth` bound how far from each other the mapped ray and the mapped
 * triangles, seen from there, may be by that (docs/lab/rays.md). */
#ifndef BW_COLLIDE_RAY_TARGET_H
#define BW_COLLIDE_RAY_TARGET_H

#include "base/simd/level.h"
#include "collide/distance/metric.h"
#include "tree/kind.h"
#include "tree/wide/ray_layout.h"

typedef struct bw_ray_target {
    bw_metric_side side;
    const struct bw_ray_layout *layout; /* NULL: the tree has none, or one too deep for BW_RAY_DEPTH */
    bool ordinary; /* the tree's coordinates are neither too large nor too small, and the pose can be inverted
                    */
    bool floats;   /* the corners of the layout are those of the triangles, to the last bit */
    float roundings; /* u times the reach, so many times, bounds what a leaf's corners are off; see ready.h */
    const bw_ray_place *place; /* the layout's, or own_place */
    bw_ray_place own_place;
    /* With a pose only: x -> turn (x - shift) takes the common frame to the tree's. */
    double turn[3][3], shift[3];
    double slack, growth; /* of lengths in the tree: slack + growth * the size of a ray's coordinates */
} bw_ray_target;

/* Of a side that was prepared (collide/distance/metric.h); level: one that the processor has. It stays where
 * it is. */
void bw_ray_target_of_side(const bw_metric_side *side, bw_simd level, bw_ray_target *out);
/* Of a body, which is checked as bw_metric_prepare_lazily does. */
bw_result bw_ray_target_of_body(const bw_body *body, bw_simd level, bw_ray_target *out);

/* Takes a layout, which outlives the target, for that of a tree that has none. */
void bw_ray_target_take(bw_ray_target *target, const struct bw_ray_layout *layout, bw_simd level);

/* The same as bw_ray_target_of_body; inline for bodies without a pose, where a call takes a tenth of the time
 * otherwise. */
static inline bw_result bw_ray_target_set(const bw_body *body, bw_simd level, bw_ray_target *out)
{
    const bw_tree *tree = body->tree;
    if (body->pose != NULL || tree->kind != &bw_kind_wide || tree->wide.node_count == 0)
        return bw_ray_target_of_body(body, level, out);
    const struct bw_ray_layout *layout = tree->wide.rays;
    out->side.tree = &tree->wide;
    out->side.mesh = body->mesh;
    out->side.owner = NULL;
    out->side.map = NULL;
    out->side.check = false;
    if (layout != NULL && layout->depth <= BW_RAY_DEPTH) {
        out->layout = layout;
        out->place = &layout->place;
        out->floats = layout->floats && body->mesh->scalar == BW_F32;
    } else {
        out->layout = NULL;
        out->place = &out->own_place;
        out->floats = false;
        bw_ray_place_set(&tree->wide.bounds, &out->own_place);
    }
    out->ordinary = out->place->reach >= BW_RAY_TREE_MIN && out->place->reach <= BW_RAY_TREE_MAX;
    out->roundings = out->floats && level >= BW_SIMD_AVX2 ? 1.0f : 4.0f;
    return bw_tree_accepts_lazily(tree, body->mesh);
}

#endif
