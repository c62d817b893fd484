/* Boxwood: a world of bodies that move, its contacts from step to step, and questions about it.
 *
 * A world holds bodies: meshes with their trees, shapes, kinetic bodies, each with a pose. bw_world_step finds
 * which of them are in contact, where and how deep, and what has begun and ended since the last step;
 * bw_world_advance finds when bodies that move first touch; rays, sweeps, overlaps and distances go down to the
 * triangle. It moves nothing by itself: forces and solvers are the caller's.
 *
 * Everything is deterministic: equal histories give equal contacts, in the same order and with the same ids, for any
 * number of threads. Queries are const: any number of threads may ask at once while nobody changes the world.
 */
#ifndef BOXWOOD_WORLD_H
#define BOXWOOD_WORLD_H

#include <boxwood/kinetic.h>
#include <boxwood/scene.h>
#include <boxwood/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bw_world bw_world;

/* All zero is the default. */
typedef struct bw_world_desc {
    uint32_t size;     /* zero, or as BW_SIZED sets it */
    double separation; /* bodies within this distance are in contact, too, of the kind BW_CONTACT_NEAR */
    const bw_allocator *allocator; /* NULL: the heap; copied */
    /* NULL: serial; copied. Used by bw_world_step, bw_world_advance and the calls for many */
    const bw_tasks *tasks;
} bw_world_desc;

/* desc may be NULL. BW_ERROR_ARGUMENT: a separation that is negative or not a number. */
BW_API bw_result bw_world_create(const bw_world_desc *desc, bw_world **out, bw_fault *fault);
/* The bodies' trees, meshes, hulls and kinetic bodies are the caller's and stay. NULL is allowed. */
BW_API void bw_world_destroy(bw_world *world);

/* ---- bodies ---- */

/* A body, to be inserted, or as it is. One of tree (with its mesh), shape and kinetic is set. All are kept by
 * pointer but for the shape, which is copied without its hull: they must outlive the body. */
typedef struct bw_world_body {
    uint32_t size;       /* zero, or as BW_SIZED sets it */
    const bw_tree *tree; /* of BW_BUILDER_FAST or BW_BUILDER_QUALITY, over triangles */
    const bw_mesh *mesh;
    const bw_shape *shape;
    bw_kinetic *kinetic; /* the caller advances it, and says so by bw_world_changed */
    const bw_transform
        *pose;       /* NULL: identity; copied. Meshes: any affine map; shapes: as in bw_placed_shape */
    bool fixed;      /* two fixed bodies are never compared, nor are two half-spaces */
    uint32_t layers; /* bits: the layers that it belongs to; 0: the first */
    uint32_t mask;   /* bits: the layers that it meets; 0: all */
    uint32_t group;  /* bodies of one group other than 0 do not meet: links of one arm, parts of one car */
    uint64_t user;
} bw_world_body;

/* Names a body by an id that is never used again (bw_id). Errors are those of the shape's bounds, of the pose and of
 * the scene (coordinates up to BW_SCENE_COORDINATE_MAX). BW_ERROR_ARGUMENT: not exactly one of tree, shape and
 * kinetic. */
BW_API bw_result bw_world_insert(bw_world *world, const bw_world_body *body, bw_id *out, bw_fault *fault);
/* All or, on failure, none; the fault's element is the index of the body at fault. All bodies have the size of the
 * first. */
BW_API bw_result bw_world_insert_many(bw_world *world, const bw_world_body *bodies, uint32_t body_count,
                                      bw_id *out, bw_fault *fault);
/* Its contacts end in the next step. BW_ERROR_STALE: it was removed before; BW_ERROR_ARGUMENT: no id of this world. */
BW_API bw_result bw_world_remove(bw_world *world, bw_id id, bw_fault *fault);
/* Gives a body another pose (NULL: identity), from the next step or query on. */
BW_API bw_result bw_world_move(bw_world *world, bw_id id, const bw_transform *pose, bw_fault *fault);
/* All or, on failure, none. Each id once (BW_ERROR_ARGUMENT). */
BW_API bw_result bw_world_move_many(bw_world *world, const bw_id *ids, const bw_transform *poses,
                                    uint32_t count, bw_fault *fault);
/* The body's mesh was deformed and its tree updated, or its kinetic body advanced. */
BW_API bw_result bw_world_changed(bw_world *world, bw_id id, bw_fault *fault);
/* Layers, mask and group as in bw_world_body. */
BW_API bw_result bw_world_set_filter(bw_world *world, bw_id id, uint32_t layers, uint32_t mask,
                                     uint32_t group, bw_fault *fault);
/* Two bodies that may touch, so that their contacts are of no interest (`allowed`), or that are looked at again. */
BW_API bw_result bw_world_allow(bw_world *world, bw_id a, bw_id b, bool allowed, bw_fault *fault);
/* The body as it is; its shape and pose point into the world and are good until the world is changed. */
BW_API bw_result bw_world_get(const bw_world *world, bw_id id, bw_world_body *out, bw_fault *fault);
BW_API uint32_t bw_world_body_count(const bw_world *world);

/* ---- contacts ---- */

typedef enum bw_event {
    BW_EVENT_BEGIN = 0,   /* was not there in the step before */
    BW_EVENT_PERSIST = 1, /* was there */
    BW_EVENT_END = 2      /* was there, and is no more */
} bw_event;

/* One contact: of two triangles, of a shape and a triangle, or one point of two shapes. */
typedef struct bw_world_contact {
    uint64_t id;                       /* stays as long as the contact persists, and is never used again */
    bw_id a, b;                        /* ascending by their low 32 bits */
    uint32_t primitive_a, primitive_b; /* BW_NONE for a shape */
    uint32_t feature;                  /* which point of two shapes; 0 otherwise */
    bw_contact_kind kind;
    bw_event event;
    bw_vec3 point;  /* in the middle of the contact */
    bw_vec3 normal; /* unit, from a to b; zero where the nearest points of two triangles round to one */
    /* How far b must move along the normal so that these two no longer cross, or, below zero, how far they are apart.
     * Of two triangles: the smaller of the depths by which each reaches through the other's plane. */
    double depth;
} bw_world_contact;

/* Two bodies in contact: contacts first .. first + count - 1. */
typedef struct bw_world_pair {
    bw_id a, b;
    bw_event event; /* END: no contact is left, count is 0 */
    uint32_t first, count;
} bw_world_pair;

/* All zero is the default. */
typedef struct bw_world_step_desc {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    /* Whether two bodies whose boxes meet are looked at, after layers, masks, groups and allowed pairs; called by the
     * calling thread in the order of the pairs. NULL: all are */
    bool (*may_meet)(void *user, bw_id a, bw_id b);
    void *user;
    bool pairs_only; /* which bodies meet, by any contact of theirs: contacts are not listed */
    /* Asked after may_meet has seen all pairs, and between pairs; a step that it ends gives BW_ERROR_STOPPED, and
     * the contacts are those of the step before */
    bw_progress progress;
} bw_world_step_desc;

/* What a step found. The arrays are the world's, and good until it is stepped, changed or destroyed. */
typedef struct bw_world_step_report {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    /* That are there: by bodies a, then b, then primitives and feature */
    const bw_world_contact *contacts;
    uint64_t contact_count;
    uint64_t began_count; /* of these */
    /* Those of the step before that are not there any more, as they were last; their bodies may have been removed */
    const bw_world_contact *ended;
    uint64_t ended_count;
    const bw_world_pair *pairs; /* bodies in contact, or that were in the step before: by a, then b */
    uint32_t pair_count;
    uint32_t candidate_count; /* pairs of bodies whose boxes meet and that the filters let through */
} bw_world_step_report;

/* Finds all contacts of the bodies as they stand. desc and report may be NULL. Writes the world. On failure (memory,
 * or an error of the query of a pair: the fault's element is the low 32 bits of its first body's id) the contacts
 * are those of the step before. */
BW_API bw_result bw_world_step(bw_world *world, const bw_world_step_desc *desc, bw_world_step_report *report,
                               bw_fault *fault);

/* ---- motion ---- */

/* All zero is the default. */
typedef struct bw_world_advance_desc {
    uint32_t size;    /* zero, or as BW_SIZED sets it */
    double tolerance; /* bodies this near are in contact; 0: a millionth of their size */
    bool (*may_meet)(void *user, bw_id a, bw_id b); /* as in bw_world_step_desc */
    void *user;
    bool stay;            /* find the time, but leave the bodies where they are */
    bw_progress progress; /* as in bw_world_step_desc; the bodies are where they were */
} bw_world_advance_desc;

/* The first contact of two moving bodies. */
typedef struct bw_world_impact {
    double time; /* 0 to 1: never later than the contact; 1 where there is none */
    bw_id a, b;  /* 0: none; of equal times the first by a, then b */
    uint32_t primitive_a, primitive_b;
    bw_vec3 point, normal; /* at that time; the normal from a to b */
} bw_world_impact;

typedef struct bw_world_advance_report {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    bw_status
        status; /* BW_DONE: no contact. BW_FOUND: one. BW_LIMIT: steps of a pair ran out, at a safe time */
    bw_world_impact first;
    uint32_t candidate_count; /* pairs whose swept boxes meet */
} bw_world_advance_report;

/* Moves bodies (each id once) steadily to their poses, the others rest, and stops all at the time of the first
 * contact: ids[i] is then on its way from where it was to poses[i], by bw_rigid_motion_between. Pairs that are
 * within the tolerance at the beginning give time 0, unless the filters take them out. Writes the world. */
BW_API bw_result bw_world_advance(bw_world *world, const bw_id *ids, const bw_transform *poses,
                                  uint32_t count, const bw_world_advance_desc *desc,
                                  bw_world_advance_report *report, bw_fault *fault);

/* ---- questions ---- */

/* Which bodies a question is about. All zero: all. */
typedef struct bw_world_filter {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    uint32_t mask; /* layers; 0: all */
    bw_id except;  /* this body is left out; 0: none is */
    bool (*may_meet)(void *user, bw_id id);
    void *user;
} bw_world_filter;

typedef struct bw_world_ray_hit {
    bw_id id;              /* 0: none */
    uint32_t primitive;    /* BW_NONE for a shape */
    double t;              /* multiples of the ray's direction */
    bw_vec3 point, normal; /* the normal faces the ray's origin */
    double weights[3];     /* of a triangle: barycentric coordinates, in the order of its corners */
} bw_world_ray_hit;

/* The first hits along a ray, nearest first, at most one per body: hit_capacity of them or as many as there are; of
 * equal t the lower id. Triangles as by bw_raycast. */
BW_API bw_result bw_world_raycast(const bw_world *world, const bw_ray *ray, const bw_world_filter *filter,
                                  bw_world_ray_hit *hits, uint32_t hit_capacity, uint32_t *hit_count,
                                  bw_fault *fault);
/* One hit for each of many rays, in parallel. */
BW_API bw_result bw_world_raycast_many(const bw_world *world, const bw_ray *rays, uint32_t ray_count,
                                       const bw_world_filter *filter, bw_world_ray_hit *hits,
                                       bw_fault *fault);

/* The first body that a shape meets on its way. Of bodies in contact with it at the beginning (time 0) the first by
 * id. shape->pose is not looked at: the motion says where it is. */
BW_API bw_result bw_world_sweep(const bw_world *world, const bw_shape *shape, const bw_rigid_motion *motion,
                                const bw_world_filter *filter, bw_world_impact *out, bw_fault *fault);

/* The bodies that a shape touches, in ascending order of their ids: up to id_capacity; *id_count: all. */
BW_API bw_result bw_world_overlap(const bw_world *world, const bw_placed_shape *shape,
                                  const bw_world_filter *filter, bw_id *ids, uint32_t id_capacity,
                                  uint32_t *id_count, bw_fault *fault);

typedef struct bw_world_distance_report {
    uint32_t size;   /* zero, or as BW_SIZED sets it */
    double distance; /* 0: in contact; infinite: no body within max_distance */
    bw_id id;        /* of the nearest body, of equals the lowest; 0: none */
    uint32_t primitive;
    bw_vec3 point, point_shape; /* on it, and on the shape */
} bw_world_distance_report;

/* The body nearest to a shape. max_distance: nothing farther is wanted; 0: no limit. */
BW_API bw_result bw_world_distance(const bw_world *world, const bw_placed_shape *shape, double max_distance,
                                   const bw_world_filter *filter, bw_world_distance_report *report,
                                   bw_fault *fault);

/* NULL if the invariants hold, otherwise a sentence about the first that does not: every body in the scene, its box
 * inside the one there, every pair of boxes that meet in the list of pairs. */
BW_API const char *bw_world_check(const bw_world *world);

#ifdef __cplusplus
}
#endif
#endif
