/* Boxwood: scenes of boxes that come, go and move at any time, and questions about them.
 *
 * A scene holds objects: a box, 64 bits of the caller's, and an id. Nothing is precomputed. Queries are
 * const: any number of threads may ask one scene at once while nobody changes it.
 *
 * Every query answers about the objects' boxes, and answers what a loop over all of them with the same test
 * would: the tree decides the speed only. Boxes are closed, so touching counts. Results come in an order that
 * is the same for equal histories and for any number of threads, but has no meaning.
 *
 * What a tree puts off (Shagam's lazy splits and boxes marked for recalculation) is done by bw_scene_prepare
 * and at the end of bulk calls, never by a query; a scene that was not prepared gives the same answers,
 * slower.
 */
#ifndef BOXWOOD_SCENE_H
#define BOXWOOD_SCENE_H

#include <boxwood/region.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Coordinates are zero or have a magnitude of at most this, so that sums and products of two stay finite. */
#define BW_SCENE_COORDINATE_MAX 0x1p60f /* about 1.15e18 */
/* Objects in one scene. */
#define BW_SCENE_OBJECTS_MAX (1u << 29)

/* Names an object of one scene. Zero is null. An id is never used again after its object is removed (until
 * 2^31 objects have had the same place), so a stale id is an error, not another object. */
typedef uint64_t bw_id;

typedef struct bw_scene bw_scene;

/* How objects are nested. The experimental ones are of Shagam, "Dynamic Spatial Partitioning for Real-Time
 * Visibility Determination"; where they are left out (BOXWOOD_RESEARCH=OFF): BW_ERROR_NOT_BUILT. */
typedef enum bw_nesting {
    /* Chooses from the objects, at bulk inserts and bw_scene_prepare; the stats say what and why. */
    BW_NESTING_AUTO = 0,
    /* Wide nodes, leaf blocks, membership by centre with hysteresis. */
    BW_NESTING_MODERN = 1,
    /* The paper's: two children across the longest axis, by centre. */
    BW_NESTING_KD BW_EXPERIMENTAL = 2,
    /* Three: either side of the split, and across it. */
    BW_NESTING_TERNARY BW_EXPERIMENTAL = 3,
    /* Eight, by centre. */
    BW_NESTING_OCTREE BW_EXPERIMENTAL = 4,
    /* 27: on each axis either side of the split, or across it. */
    BW_NESTING_ICOSEPTREE BW_EXPERIMENTAL = 5,
    /* Whichever of these four, leafy or not, suits what a node holds. */
    BW_NESTING_PER_NODE BW_EXPERIMENTAL = 6
} bw_nesting;

/* All zero is the default. */
typedef struct bw_scene_desc {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    bw_nesting nesting;
    /* The paper's four: false: an object of at least 1/8 of a node's volume stays in it. */
    bool leafy;
    /* Keep what bw_scene_pairs_changed needs: 32 bytes per object and 24 per pair. */
    bool track_pairs;
    /* The paper's trees: objects above which a leaf is split; 0: 96. */
    uint32_t split_threshold;
    /* NULL: the heap; copied. */
    const bw_allocator *allocator;
    /* NULL: serial; copied: used by bulk calls, bw_scene_query_many and bw_scene_pairs. */
    const bw_tasks *tasks;
} bw_scene_desc;

/* desc may be NULL (the default). */
BW_API bw_result bw_scene_create(const bw_scene_desc *desc, bw_scene **out, bw_fault *fault);
/* NULL is allowed. A scene that is placed in another is first taken out of it. */
BW_API void bw_scene_destroy(bw_scene *scene);

/* ---- objects ----
 * A box needs min <= max on every axis (BW_ERROR_ARGUMENT), no NaN or infinity (BW_ERROR_NOT_FINITE) and
 * coordinates in range (BW_ERROR_RANGE); the fault names the axis and the value. An id that was removed gives
 * BW_ERROR_STALE, one that the scene never gave BW_ERROR_ARGUMENT. */

BW_API bw_result bw_scene_insert(bw_scene *scene, const bw_box *box, uint64_t user, bw_id *out,
                                 bw_fault *fault);
/* The memory goes back when enough objects are gone. */
BW_API bw_result bw_scene_remove(bw_scene *scene, bw_id id, bw_fault *fault);
BW_API bw_result bw_scene_move(bw_scene *scene, bw_id id, const bw_box *box, bw_fault *fault);
/* The same by a sphere: the object's box is the smallest of floats around it. */
BW_API bw_result bw_scene_insert_sphere(bw_scene *scene, bw_vec3 centre, double radius, uint64_t user,
                                        bw_id *out, bw_fault *fault);
BW_API bw_result bw_scene_move_sphere(bw_scene *scene, bw_id id, bw_vec3 centre, double radius,
                                      bw_fault *fault);
/* For predictive collision (section 2.2.4 of the paper): the object's box becomes that of the box on its
 * whole way from here to here + displacement, so that a pair of objects that could meet on the way is a pair
 * of boxes now. */
BW_API bw_result bw_scene_move_swept(bw_scene *scene, bw_id id, const bw_box *box, bw_vec3 displacement,
                                     bw_fault *fault);

/* Many at once: all or, on failure, none; the fault's element is the index of the item at fault. users may be
 * NULL (zeros). Far faster than one at a time. */
BW_API bw_result bw_scene_insert_many(bw_scene *scene, const bw_box *boxes, const uint64_t *users,
                                      uint32_t count, bw_id *out, bw_fault *fault);
/* An id given twice takes its last box. */
BW_API bw_result bw_scene_move_many(bw_scene *scene, const bw_id *ids, const bw_box *boxes, uint32_t count,
                                    bw_fault *fault);
/* An id given twice is stale the second time. */
BW_API bw_result bw_scene_remove_many(bw_scene *scene, const bw_id *ids, uint32_t count, bw_fault *fault);

BW_API bool bw_scene_has(const bw_scene *scene, bw_id id);
/* box and user may be NULL. */
BW_API bw_result bw_scene_get(const bw_scene *scene, bw_id id, bw_box *box, uint64_t *user, bw_fault *fault);
BW_API bw_result bw_scene_set_user(bw_scene *scene, bw_id id, uint64_t user, bw_fault *fault);
BW_API uint32_t bw_scene_count(const bw_scene *scene);
/* A box around everything, perhaps larger than the smallest between two calls of bw_scene_prepare. Empty
 * without objects. */
BW_API bw_box bw_scene_bounds(const bw_scene *scene);

typedef struct bw_prepare_report {
    uint32_t size;               /* zero, or as BW_SIZED sets it */
    uint32_t split_count;        /* leaves split */
    uint32_t recalculated_count; /* boxes recomputed */
    uint32_t pending_count;      /* nodes outside the region that still wait */
} bw_prepare_report;

/* Does what was put off, where region meets it (NULL: everywhere). Without a region it also lets
 * BW_NESTING_AUTO choose again, and rebuilds parts of BW_NESTING_MODERN's tree that are too large for moves
 * to take the time (a quarter of a microsecond per object) once each object has moved hundreds of times.
 * report may be NULL. Where an allocation fails the scene answers as before; work done so far stays. */
BW_API bw_result bw_scene_prepare(bw_scene *scene, const bw_box *region, bw_prepare_report *report,
                                  bw_fault *fault);

/* ---- queries ---- */

/* Remembers for one view which plane turned each part of a tree away, so that the next, similar query tests
 * that first. It changes the speed only. One query at a time; any scene. */
BW_API bw_result bw_view_cache_create(const bw_allocator *allocator, bw_view_cache **out);
/* NULL is allowed. */
BW_API void bw_view_cache_destroy(bw_view_cache *cache);
BW_API void bw_view_cache_reset(bw_view_cache *cache);

/* The test of a query for one box: for every object, a query finds it exactly where this is true of its box.
 * The planes' side is evaluated in float as ((n0 x + n1 y) + n2 z) + d at the corner farthest along n; the
 * sphere, the ray and the capsule in double. False for a region that a query would refuse. */
BW_API bool bw_region_meets(const bw_region *region, const bw_box *box);

/* Numbers for paths of instances: see "scenes in scenes" below. */
typedef struct bw_scene_paths bw_scene_paths;

/* Receives some objects of one path, at least one; returns true to go on. */
typedef bool bw_scene_fn(void *user, const bw_id *ids, size_t id_count, uint32_t path);

/* Where objects go. All zero: they are only counted. */
typedef struct bw_scene_output {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    /* May be NULL. */
    bw_id *ids;
    /* The path of each id, as many; may be NULL. */
    uint32_t *id_paths;
    uint64_t id_capacity;
    /* Called with each run of objects; may be NULL. */
    bw_scene_fn *on_objects;
    void *user;
    /* NULL: an instance counts as one object; otherwise it is gone through. */
    bw_scene_paths *paths;
} bw_scene_output;

typedef struct bw_scene_report {
    uint32_t size;    /* zero, or as BW_SIZED sets it */
    bw_status status; /* BW_DONE, BW_STOPPED or BW_FULL */
    uint64_t found_count;
    uint64_t node_count;     /* visited */
    uint64_t tested_count;   /* objects tested one by one: the paper's candidate set */
    uint64_t untested_count; /* objects found without a test, in nodes inside all planes */
} bw_scene_report;

/* output and report may be NULL. BW_ERROR_MEMORY: the list of nodes outgrew its first 4 KB and could not
 * grow. */
BW_API bw_result bw_scene_query(const bw_scene *scene, const bw_region *region, const bw_scene_output *output,
                                bw_scene_report *report, bw_fault *fault);
/* Many queries, in parallel where the scene has a task hook. outputs and reports: one per query, both may be
 * NULL; all elements of an array have the size of its first, and no two outputs may share paths. A callback
 * may be called from several threads, but the calls of one query come from one. On failure the fault's
 * element is the query at fault, outputs may hold a part, and reports is untouched. */
BW_API bw_result bw_scene_query_many(const bw_scene *scene, const bw_region *regions, uint32_t region_count,
                                     const bw_scene_output *outputs, bw_scene_report *reports,
                                     bw_fault *fault);

typedef struct bw_scene_hit {
    bw_id id;      /* 0: nothing */
    double value;  /* a ray: t at which it enters the box (0 inside); nearest: the squared distance */
    uint32_t path; /* 0 without paths */
} bw_scene_hit;

/* The value of an object itself, which its box only bounds: where a ray meets it, or the square of its distance.
 * At least `bound`, the value of its box (but for rounding, a relative 1e-11); negative: none, or none up to `limit`. */
typedef double bw_scene_value_fn(void *user, bw_id id, uint32_t path, double bound, double limit);

/* How bw_scene_cast and bw_scene_nearest search. All zero is the default. */
typedef struct bw_scene_search {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    /* bw_scene_cast: whichever object is found first. */
    bool any;
    /* NULL: an instance counts as one object; otherwise it is gone through. */
    bw_scene_paths *paths;
    /* Called for objects whose boxes could be next, by the calling thread; NULL: boxes are what counts. No object
     * is missed whose box the ray meets, or is within the limit. */
    bw_scene_value_fn *value_of;
    void *user; /* given to value_of */
    /* Nothing beyond this value is wanted; 0: no limit. */
    double max_value;
} bw_scene_search;

/* The object whose box the ray enters first; of equals the one with the smallest id, and of those the one
 * with the shortest path, then the one whose instances have the smallest ids. desc may be NULL. */
BW_API bw_result bw_scene_cast(const bw_scene *scene, const bw_ray *ray, const bw_scene_search *desc,
                               bw_scene_hit *out, bw_fault *fault);
/* The hit_capacity objects nearest to a point, by the distance of their boxes, nearest first, equals as by
 * bw_scene_cast. *hit_count is hit_capacity or the number of objects, if that is smaller. */
BW_API bw_result bw_scene_nearest(const bw_scene *scene, bw_vec3 point, const bw_scene_search *desc,
                                  bw_scene_hit *hits, uint32_t hit_capacity, uint32_t *hit_count,
                                  bw_fault *fault);

/* ---- pairs ---- */

typedef struct bw_pair {
    bw_id a, b; /* a < b; through instances a may be b, under two paths */
} bw_pair;

typedef struct bw_pair_path {
    uint32_t a, b;
} bw_pair_path;

/* Receives some pairs, at least one, with their paths (NULL without bw_pair_output.paths); returns true to go
 * on. */
typedef bool bw_pair_fn(void *user, const bw_pair *pairs, const bw_pair_path *paths, size_t pair_count);

typedef struct bw_pair_output {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    /* May be NULL. */
    bw_pair *pairs;
    /* The paths of each pair, as many; may be NULL. */
    bw_pair_path *pair_paths;
    uint64_t pair_capacity;
    /* May be NULL. */
    bw_pair_fn *on_pairs;
    void *user;
    /* NULL: an instance counts as one object; otherwise it is gone through. */
    bw_scene_paths *paths;
} bw_pair_output;

typedef struct bw_pair_report {
    uint32_t size;    /* zero, or as BW_SIZED sets it */
    bw_status status; /* BW_DONE, BW_STOPPED or BW_FULL */
    uint64_t found_count;
    uint64_t tested_count; /* pairs of objects tested */
} bw_pair_report;

/* Every two objects whose boxes overlap, once. output and report may be NULL. Threads serve the modern tree
 * without paths. */
BW_API bw_result bw_scene_pairs(const bw_scene *scene, const bw_pair_output *output, bw_pair_report *report,
                                bw_fault *fault);
/* The pairs that began and ended to overlap since the last call (the first call: since the scene was empty);
 * a pair ends too where one of its objects was removed. An instance counts as one object, whatever the
 * outputs' paths. Costs in proportion to the objects that changed. Needs track_pairs (BW_ERROR_UNSUPPORTED).
 * Each report may be NULL; the two outputs may be too. On failure nothing counts as reported. */
BW_API bw_result bw_scene_pairs_changed(bw_scene *scene, const bw_pair_output *began,
                                        const bw_pair_output *ended, bw_pair_report *began_report,
                                        bw_pair_report *ended_report, bw_fault *fault);

/* ---- scenes in scenes ---- */

/* Places child in scene under a pose (rotation, any scale; BW_ERROR_NOT_FINITE). The instance is an object of
 * the scene: its box follows the child's bounds whenever the child changes, and bw_scene_remove takes it out.
 * An empty child keeps its instance at the pose's origin. BW_ERROR_CYCLE: child contains scene or is it.
 * Moving an instance by a box gives BW_ERROR_UNSUPPORTED. The two scenes and all that hold them count as one
 * object for writers. */
BW_API bw_result bw_scene_insert_scene(bw_scene *scene, bw_scene *child, const bw_transform *pose,
                                       uint64_t user, bw_id *out, bw_fault *fault);
BW_API bw_result bw_scene_set_pose(bw_scene *scene, bw_id instance, const bw_transform *pose,
                                   bw_fault *fault);
/* The child of an instance and its pose (may be NULL); NULL for other objects. */
BW_API bw_scene *bw_scene_child(const bw_scene *scene, bw_id id, bw_transform *pose);

/* Queries, casts, nearest objects, pairs and bw_cull_frame go through instances of any depth where they are
 * given a bw_scene_paths: they then find objects, never instances, each as if it stood in the outermost scene
 * with the box that bw_box_transformed gives for the composed pose. Without one an instance is an object like
 * any other, with its own box.
 *
 * What they find is named by an id, in the scene that holds it, and a path: a number for the instances on the
 * way. 0 is no instance: the outermost scene itself. A path keeps its number from call to call until a reset,
 * so a bw_scene_paths grows with the paths that were ever met. One call at a time may use it; one serves one
 * outermost scene. It never changes an answer or its order. */
BW_API bw_result bw_scene_paths_create(const bw_allocator *allocator, bw_scene_paths **out);
/* NULL is allowed. */
BW_API void bw_scene_paths_destroy(bw_scene_paths *paths);
/* Forgets all paths. */
BW_API void bw_scene_paths_reset(bw_scene_paths *paths);

typedef struct bw_scene_path {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    uint32_t instance_count;
    const bw_scene *scene;  /* that holds the objects */
    const bw_id *instances; /* outermost first; valid until the next call with the same bw_scene_paths */
    /* From that scene to the outermost: composed outermost first by bw_transform_multiply. */
    bw_transform pose;
} bw_scene_path;

/* What a number stands for, as the last call that met the path found it. */
BW_API bw_result bw_scene_paths_get(bw_scene_paths *paths, uint32_t path, bw_scene_path *out,
                                    bw_fault *fault);

/* A box around the image of a box, rounded outward. */
BW_API bw_box bw_box_transformed(const bw_box *box, const bw_transform *pose);

/* ---- looking inside ---- */

typedef struct bw_scene_stats {
    uint32_t size;      /* zero, or as BW_SIZED sets it */
    bw_nesting nesting; /* in use: never AUTO */
    bool leafy;
    const char *reason; /* why AUTO chose it */
    uint32_t object_count, node_count, leaf_count;
    uint32_t depth;                    /* edges from the root to the deepest node */
    uint32_t largest_leaf_count;       /* most objects in one node */
    uint64_t split_count, merge_count; /* since the tree was made */
    uint64_t reinserted_count;         /* moves that changed an object's node */
    uint64_t rebuilt_count;            /* subtrees rebuilt, bulk builds among them */
    size_t bytes;                      /* all memory held */
} bw_scene_stats;

BW_API void bw_scene_get_stats(const bw_scene *scene, bw_scene_stats *out);

/* Proves the invariants: every object in one node, found by its id; every box holds what is below it; links,
 * counts and pools agree. NULL if all hold, otherwise a sentence about the first that does not. */
BW_API const char *bw_scene_check(const bw_scene *scene);

/* Visits every node, parents before children, with its depth and own objects. The visitor returns true to go
 * on. For pictures and statistics. */
typedef bool bw_scene_visitor(void *user, const bw_box *box, uint32_t depth, const bw_id *ids,
                              uint32_t count);
BW_API bw_result bw_scene_visit(const bw_scene *scene, bw_scene_visitor *visitor, void *user,
                                bw_fault *fault);

#ifdef __cplusplus
}
#endif
#endif
