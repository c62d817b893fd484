/* Boxwood: what a camera sees of a scene: a software depth buffer and occlusion culling with it.
 *
 * Culling is conservative: at the buffer's resolution, an object that is in front of everything else at the
 * centre of any pixel is never left out. How much is left out depends on the occluders that are given.
 */
#ifndef BOXWOOD_CULL_H
#define BOXWOOD_CULL_H

#include <boxwood/mesh.h>
#include <boxwood/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A perspective camera. */
typedef struct bw_view {
    bw_vec3 eye;
    bw_vec3 forward, up;  /* any length but zero; not parallel */
    double fov_y;         /* the full vertical angle in radians; 0: 1 */
    double aspect;        /* width over height; 0: 1 */
    double near_distance; /* 0: 0.1 */
    double far_distance;  /* 0: no end */
} bw_view;

/* The planes of a view: left, right, bottom, top, near and, if there is one, far. *plane_count receives 5 or
 * 6.
 * BW_ERROR_ARGUMENT: the directions do not span a view, or a number is out of its domain.
 * BW_ERROR_RANGE: a coordinate of the eye, the near distance or the aspect is beyond
 * BW_SCENE_COORDINATE_MAX; a far distance beyond four times that is no end. */
BW_API bw_result bw_view_planes(const bw_view *view, bw_plane planes[6], uint32_t *plane_count,
                                bw_fault *fault);
/* Where a point appears in a picture of that size, in pixels from the top left, and its depth along forward.
 * False for a point not beyond the near distance, with the outputs untouched. */
BW_API bool bw_view_project(const bw_view *view, uint32_t width, uint32_t height, bw_vec3 point, double *x,
                            double *y, double *depth);

/* ---- the depth buffer ---- */

/* Triangles that hide what is behind them. They must lie inside what they stand for. */
typedef struct bw_occluder {
    uint32_t size;            /* zero, or as BW_SIZED sets it */
    const bw_mesh *mesh;      /* of triangles */
    const bw_transform *pose; /* NULL: identity */
    bool closed; /* a closed surface, counter-clockwise seen from outside: back faces need not be drawn */
} bw_occluder;

typedef struct bw_depth bw_depth;

#define BW_DEPTH_SIZE_MAX 16384u

/* width and height: 1 to BW_DEPTH_SIZE_MAX. */
BW_API bw_result bw_depth_create(const bw_allocator *allocator, uint32_t width, uint32_t height,
                                 bw_depth **out, bw_fault *fault);
BW_API void bw_depth_destroy(bw_depth *depth);
/* Empties the buffer and takes a view. */
BW_API bw_result bw_depth_begin(bw_depth *depth, const bw_view *view, bw_fault *fault);
/* Draws triangles: a pixel counts as covered where its centre is, and its depth is never nearer than the
 * triangle's. BW_ERROR_INDEX, BW_ERROR_NOT_FINITE, BW_ERROR_ARGUMENT (no mesh of triangles): nothing was
 * drawn. *drawn_count (may be NULL) receives the triangles that reached the buffer. */
BW_API bw_result bw_depth_draw(bw_depth *depth, const bw_occluder *occluder, uint32_t *drawn_count,
                               bw_fault *fault);
/* Whether everything of a box is hidden behind what was drawn: every pixel that its outline touches has a
 * nearer depth. Brings the pyramid up to date first, so it is not const. */
BW_API bool bw_depth_hides(bw_depth *depth, const bw_box *box);
/* The buffer: width * height values of 1 / depth along forward, row by row from the top left; 0 where nothing
 * was drawn. */
BW_API const float *bw_depth_values(const bw_depth *depth, uint32_t *width, uint32_t *height);
/* A level of the pyramid: each value is the least (farthest) of a square of 2^level pixels. NULL beyond the
 * top. */
BW_API const float *bw_depth_level(bw_depth *depth, uint32_t level, uint32_t *width, uint32_t *height);

/* ---- culling frame by frame ---- */

typedef struct bw_scene_object {
    const bw_scene *scene; /* that holds it */
    bw_id id;
    uint64_t user; /* that it was inserted with */
    uint32_t path; /* of the frame's bw_scene_paths */
} bw_scene_object;

/* Fills in the occluder of an object, in the coordinates of the scene that holds it; false: it has none. What
 * it points to must stay until the next call. */
typedef bool bw_occluder_fn(void *user, const bw_scene_object *object, bw_occluder *out);

typedef struct bw_cull bw_cull;

typedef struct bw_cull_desc {
    uint32_t size;               /* zero, or as BW_SIZED sets it */
    uint32_t width, height;      /* of the depth buffer; 0: 512 and 256 */
    bw_occluder_fn *occluder_of; /* NULL: nothing hides anything: frustum culling only */
    void *user;
    double occluder_pixels; /* that the box of an object must cover for it to be drawn as an occluder; 0: 64
                             */
    const bw_allocator *allocator; /* NULL: the heap; copied */
} bw_cull_desc;

/* desc may be NULL (the default). */
BW_API bw_result bw_cull_create(const bw_cull_desc *desc, bw_cull **out, bw_fault *fault);
BW_API void bw_cull_destroy(bw_cull *cull);

typedef struct bw_cull_report {
    uint32_t size;                      /* zero, or as BW_SIZED sets it */
    bw_status status;                   /* BW_DONE, BW_STOPPED or BW_FULL */
    uint64_t visible_count;             /* objects given out */
    uint64_t node_count;                /* visited */
    uint64_t hidden_node_count;         /* turned away by the depth buffer, with all below them */
    uint64_t tested_count;              /* objects tested */
    uint64_t hidden_object_count;       /* turned away one by one */
    uint64_t occluder_count;            /* objects drawn into the buffer */
    uint64_t last_frame_occluder_count; /* of these, before the traversal, since the last frame saw them */
    uint64_t triangle_count;            /* drawn */
} bw_cull_report;

/* The objects of a scene that a view may see. First the occluders among what was visible in the last frame
 * are drawn, then the tree is traversed front to back; what passes the buffer is drawn into it at once, so
 * that a sudden turn costs no frame in which all is visible; at the end what passed is tested once more
 * against the full buffer. Where the output has paths it goes through instances, otherwise an instance counts
 * as one object. One cull serves one camera; the scene may change, or be another, between frames. */
BW_API bw_result bw_cull_frame(bw_cull *cull, const bw_scene *scene, const bw_view *view,
                               const bw_scene_output *output, bw_cull_report *report, bw_fault *fault);
/* Forgets the last frame. */
BW_API void bw_cull_reset(bw_cull *cull);
/* The buffer as the last frame left it. */
BW_API bw_depth *bw_cull_depth(bw_cull *cull);

#ifdef __cplusplus
}
#endif
#endif
