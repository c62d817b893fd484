/* Boxwood: regions of space, of which scenes find the objects (scene.h: bw_scene_query) and bodies the
 * triangles (collide.h: bw_collide_region). */
#ifndef BOXWOOD_REGION_H
#define BOXWOOD_REGION_H

#include <boxwood/math.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The side n.p + d >= 0. */
typedef struct bw_plane {
    float n[3];
    float d;
} bw_plane;

/* What is of a region: with a scene, of the boxes of its objects; with a body, of its triangles. */
typedef enum bw_region_kind {
    /* What overlaps a box. */
    BW_REGION_BOX = 0,
    /* What is at a distance from a point of at most the radius. */
    BW_REGION_SPHERE = 1,
    /* What a ray meets. Scenes only: bw_raycast casts at bodies. */
    BW_REGION_RAY = 2,
    /* What has a point in front of all planes at once: a frustum, a convex polyhedron, or, of one plane, a
     * half-space. Of scenes, boxes that lie behind none of the planes: the usual frustum test, which keeps a
     * few boxes near edges that do not meet the volume itself. */
    BW_REGION_PLANES = 3,
    /* What is at a distance from a segment of at most the radius. Of scenes, boxes that the segment meets
     * when they are grown by the radius on all sides: a few near edges and corners are farther away. */
    BW_REGION_CAPSULE = 4
} bw_region_kind;

#define BW_REGION_PLANES_MAX 32u

/* See scene.h. */
typedef struct bw_view_cache bw_view_cache;

/* Closed: what only touches its surface is of it, too. */
typedef struct bw_region {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    bw_region_kind kind;
    /* BOX; an inverted one is BW_ERROR_ARGUMENT. A side may be infinite. */
    bw_box box;
    /* SPHERE; CAPSULE: one end of the segment. */
    bw_vec3 centre;
    /* SPHERE, CAPSULE; not negative. */
    double radius;
    /* RAY; answered in double, for a ray of bw_ray_between with the difference of its points. */
    bw_ray ray;
    /* PLANES: at most BW_REGION_PLANES_MAX; none means all of space. */
    const bw_plane *planes;
    uint32_t plane_count;
    /* PLANES of scenes; may be NULL. */
    bw_view_cache *cache;
    /* CAPSULE: the other end of the segment. */
    bw_vec3 end;
    /* Where the region stands; NULL: as it is. Any affine map that has an inverse: of a box it makes an
     * oriented one or a parallelepiped, of a sphere an ellipsoid. Bodies only: with a scene
     * BW_ERROR_UNSUPPORTED. */
    const bw_transform *pose;
} bw_region;

#ifdef __cplusplus
}
#endif
#endif
