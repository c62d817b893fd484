/* Boxwood: which primitives of two meshes meet, how far apart they are, and what rays and regions meet. */
#ifndef BOXWOOD_COLLIDE_H
#define BOXWOOD_COLLIDE_H

#include <boxwood/region.h>
#include <boxwood/tree.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A mesh, its tree, and where it stands. mesh is the one the tree was built from or last refitted to. */
typedef struct bw_body {
    const bw_tree *tree;
    const bw_mesh *mesh;
    const bw_transform *pose; /* NULL: identity. Any affine map, nonuniform scale included */
} bw_body;

typedef struct bw_hit {
    uint32_t a, b;        /* primitives of the first and second body */
    bw_contact_kind kind; /* touching or crossing */
} bw_hit;

typedef enum bw_collide_mode {
    BW_COLLIDE_ANY = 0,  /* is there a contact? Stops at the first */
    BW_COLLIDE_ALL = 1,  /* every contact, to the buffer and the callback */
    BW_COLLIDE_COUNT = 2 /* the number of contacts only */
} bw_collide_mode;

/* Which axes may separate two boxes (van den Bergen 1997). */
typedef enum bw_box_test {
    BW_BOX_TEST_DEFAULT = 0, /* what measures best: now BW_BOX_TEST_SAT_LITE */
    BW_BOX_TEST_SAT = 1,     /* all 15: six faces, nine pairs of edges; k-DOPs: the directions of both */
    BW_BOX_TEST_SAT_LITE = 2 /* the six face directions; k-DOPs: the directions of a */
} bw_box_test;

/* Where a test of two volumes ended, counted by bw_collide_desc.axis_exits: the number of the axis that
 * proved them apart, or BW_AXIS_OVERLAP. AABB and OBB trees number van den Bergen's 15 axes: 0 to 2 the faces
 * of a's box, 3 to 5 those of b's, 6 + 3 i + j edge i of a's with edge j of b's. k-DOP trees number a's k/2
 * directions (first the axes, then cube corners, then cube edges) and after them, in the full test, b's.
 * Trees with several primitives per leaf test eight boxes at once and count nothing here. */
#define BW_AXIS_EXITS 27 /* entries of axis_exits */
#define BW_AXIS_OVERLAP 26

/* Returns false to stop. */
typedef bool bw_hit_fn(void *user, const bw_hit *hit);

/* Where the last query of mode ANY found a contact: the next one on the same two bodies looks there first,
 * which pays for coherent motion. Zero it before the first query; the bodies may move, deform or be rebuilt
 * in between. It changes which contact is found, never whether there is one. */
typedef struct bw_witness {
    bool valid;
    uint32_t leaf_a, leaf_b;
} bw_witness;

/* What the queries of one pair of bodies, or of one body with itself, keep from one to the next: which
 * triangles can meet until the next keyframe, and when, where both bodies move by plans that are known (of
 * bw_kinetic_query_body and bw_kinetic_body, following keyframes or curves; the other may stand still; both
 * without a pose), whether a surface is closed, and the fans around the vertices of a mesh.
 *
 * A cache never changes an answer, or the order of its hits: only what it costs, and the counts of the
 * report (a query answered from it visits no node). One per pair, by one thread at a time; the trees
 * themselves are only read. With other bodies, or after these have changed, it begins again by itself: trees
 * are known by numbers of their own, never by address. It may outlive them. Without memory it keeps less. */
typedef struct bw_pair_cache bw_pair_cache;

/* allocator: NULL: the heap; copied. BW_ERROR_MEMORY. */
BW_API bw_result bw_pair_cache_create(const bw_allocator *allocator, bw_pair_cache **out, bw_fault *fault);
/* NULL is allowed. */
BW_API void bw_pair_cache_destroy(bw_pair_cache *cache);
/* Gives back all it holds, as if new. */
BW_API void bw_pair_cache_reset(bw_pair_cache *cache);

/* All zero: is there any contact? */
typedef struct bw_collide_desc {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    bw_collide_mode mode;
    bw_box_test box_test;
    bw_hit *hits;          /* ANY: one hit; ALL: up to hit_capacity; may be NULL */
    uint64_t hit_capacity; /* hits that fit */
    bw_hit_fn *on_hit;     /* called for each hit, in the same order; may be NULL */
    void *user;            /* given to on_hit */
    /* Where no contact is found, ask also whether one body lies wholly inside the other (ALL, ANY and COUNT;
     * trees of FAST and QUALITY, else BW_ERROR_UNSUPPORTED). Only a closed mesh contains anything: one whose
     * every edge, by the positions of its ends, belongs to an even number of its triangles in the tree.
     * Inside is where a ray crosses these an odd number of times. Such a query looks at all triangles of a
     * body that may contain the other to find out whether it is closed, unless the cache knows. */
    bool containment;
    bw_witness *witness;  /* mode ANY on trees of FAST and QUALITY; NULL: none is kept */
    bw_pair_cache *cache; /* NULL: none is kept */
    /* Modes ALL and COUNT on trees of FAST and QUALITY; NULL: serial. The hits and their order are the same
     * for any number of threads; on_hit is called by the calling thread only */
    const bw_tasks *tasks;
    uint64_t *axis_exits; /* BW_AXIS_EXITS counts that this query adds to; NULL: none are kept */
    /* For the traversal stack when it outgrows its first 4 KB; NULL: the heap */
    const bw_allocator *allocator;
    /* A query that it ends has the status BW_STOPPED; what was found until then has gone to buffer and
     * callback, and is counted. With tasks it is asked from whichever thread is at work, never from two at
     * once. */
    bw_progress progress;
} bw_collide_desc;

typedef enum bw_containment {
    BW_CONTAINMENT_NONE = 0, /* not asked for, in contact, or neither is inside the other */
    BW_CONTAINMENT_A_IN_B = 1,
    BW_CONTAINMENT_B_IN_A = 2
} bw_containment;

typedef struct bw_collide_report {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    bw_status status;
    uint64_t hit_count;      /* contacts found */
    uint64_t touching_count; /* of these, touching only */
    uint64_t nodes_visited;  /* pairs of nodes taken up */
    uint64_t box_tests;
    uint64_t primitive_tests;
    uint64_t exact_tests; /* primitive tests that the floating-point filter could not decide */
    bw_containment containment;
} bw_collide_report;

/* Finds the contacts of two bodies, exactly: no pair is missed and none is invented, touching included.
 *
 * The answer is exact for these coordinates: those of a as given, and those of b mapped by the relative pose
 * inverse(a.pose) * b.pose (b.pose itself where a.pose is NULL) as bw_transform_point maps. If both poses are
 * NULL no coordinate is touched.
 *
 * The order of the hits is the same for equal input, for any number of threads, with and without a cache; of
 * bodies of bw_kinetic_body and bw_kinetic_query_body it is ascending by a, then b. Quarantined primitives
 * take no part. Trees and meshes are only read; boxes and positions of a kinetic body that are still to be
 * written are written by the query that first looks at them (bw_kinetic_query_body).
 * BW_ERROR_UNSUPPORTED: the trees have different volumes (bw_tree_desc.volume). BW_ERROR_SINGULAR: a.pose has
 * no inverse. BW_ERROR_RANGE: a mapped coordinate of b leaves the exact range. On failure hits may hold a
 * part of the answer, the report is untouched. */
BW_API bw_result bw_collide(const bw_body *a, const bw_body *b, const bw_collide_desc *desc,
                            bw_collide_report *report, bw_fault *fault);

/* Whether primitive a of the first body meets primitive b of the second, as only their owner can tell. */
typedef bw_contact_kind bw_user_pair_fn(void *user, uint32_t a, uint32_t b);

/* The contacts of two bodies of bw_tree_create_user (or of one and a mesh's, or of two meshes with a test of
 * one's own): every pair whose boxes meet goes to the test. Poses map boxes as they map meshes; bw_body.mesh
 * is NULL for trees of user primitives. Modes, buffer, callback and report are those of bw_collide; box_test
 * and containment are not looked at. */
BW_API bw_result bw_collide_user(const bw_body *a, const bw_body *b, bw_user_pair_fn *test, void *user,
                                 const bw_collide_desc *desc, bw_collide_report *report, bw_fault *fault);

/* Finds the contacts of a body's primitives with each other, a < b in every hit. Triangles that share
 * vertices by index count only where they meet beyond the shared corner or edge, which is decided exactly:
 * neighbours in a smooth mesh do not, neighbours that fold onto each other do. Two triangles of the same
 * three vertices cross if they have area. The pose is of no matter and is not looked at; nor is
 * desc->box_test, nor containment. Trees of BW_BUILDER_FAST and BW_BUILDER_QUALITY; others give
 * BW_ERROR_UNSUPPORTED. */
BW_API bw_result bw_collide_self(const bw_body *body, const bw_collide_desc *desc, bw_collide_report *report,
                                 bw_fault *fault);

/* A primitive of a body that a region meets. */
typedef struct bw_region_hit {
    uint32_t primitive;
    bool inside; /* all of it is in the region; otherwise it crosses or touches the surface */
} bw_region_hit;
typedef bool bw_region_fn(void *user, const bw_region_hit *hit); /* returns false to stop */

/* All zero: does the region meet anything? */
typedef struct bw_region_desc {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    bw_collide_mode mode;
    bool inside_only;      /* leaves out what is not wholly inside */
    bw_region_hit *hits;   /* ANY: one hit; ALL: up to hit_capacity; may be NULL */
    uint64_t hit_capacity; /* hits that fit */
    bw_region_fn *on_hit;  /* called for each hit, in the same order; may be NULL */
    void *user;
    const bw_allocator *allocator; /* NULL: the heap */
    bw_progress progress;
} bw_region_desc;

typedef struct bw_region_report {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    bw_status status;
    uint64_t hit_count;
    uint64_t inside_count; /* of these, wholly inside */
    uint64_t nodes_visited, box_tests, primitive_tests;
    uint64_t exact_tests; /* primitive tests that the floating-point filter could not decide */
} bw_region_report;

/* The primitives of a body that a region meets, of any kind but RAY (BW_ERROR_UNSUPPORTED), in an order that
 * is the same for equal input. Exact for the region's numbers as given and the corners mapped by body.pose,
 * or, where the region has a pose, by the relative pose inverse(region.pose) * body.pose, as
 * bw_transform_point maps: nothing is missed and nothing invented, touching included. Trees of
 * BW_BUILDER_FAST and BW_BUILDER_QUALITY. BW_ERROR_SINGULAR: region.pose has no inverse. BW_ERROR_RANGE:
 * centre, end, radius or a mapped coordinate is neither zero nor, in magnitude, within [BW_EXACT_MIN,
 * BW_COORDINATE_MAX]. desc may be NULL. On failure hits may hold a part of the answer. */
BW_API bw_result bw_collide_region(const bw_body *body, const bw_region *region, const bw_region_desc *desc,
                                   bw_region_report *report, bw_fault *fault);

/* ---- Distances and rays: on the trees of BW_BUILDER_FAST and BW_BUILDER_QUALITY (others give
 * BW_ERROR_UNSUPPORTED). Everything is measured in world coordinates: each body's pose maps its vertices as
 * bw_transform_point maps, and a coordinate that is needed and is neither zero nor, in magnitude, within
 * [BW_EXACT_MIN, BW_COORDINATE_MAX] is BW_ERROR_RANGE, that of a query's point too. ---- */

/* All zero: the distance, whatever it is. */
typedef struct bw_distance_desc {
    uint32_t size;       /* zero, or as BW_SIZED sets it */
    double max_distance; /* nothing farther apart is wanted; 0: no limit */
    double stop_below;   /* stop at the first pair nearer than this; 0: only at a contact */
    const bw_allocator *allocator;
    /* Where the nearest pair was found, to be looked at first by the next query on the same two bodies; it
     * never changes the distance. NULL: none is kept */
    bw_witness *witness;
    bw_progress progress;
} bw_distance_desc;

typedef struct bw_distance_report {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    /* BW_DONE: the distance of the bodies. BW_FOUND: below stop_below, that of the pair found, an upper
     * bound. BW_LIMIT: no pair within max_distance; infinite. BW_STOPPED: by progress; that of the nearest
     * pair so far (infinite if there is none), an upper bound. */
    bw_status status;
    double distance; /* zero exactly where the bodies meet; else to a relative 1e-12 of the coordinates */
    uint32_t a, b;   /* the primitives; BW_NONE where no pair was found */
    bw_vec3 point_a, point_b; /* on them, in world coordinates */
    uint64_t nodes_visited, box_tests, primitive_tests;
} bw_distance_report;

/* The distance of two bodies and a pair of points that realises it; of several pairs of primitives at the
 * same distance, the first by a, then b (of several that meet, any). desc may be NULL. */
BW_API bw_result bw_distance(const bw_body *a, const bw_body *b, const bw_distance_desc *desc,
                             bw_distance_report *report, bw_fault *fault);

typedef struct bw_near {
    uint32_t a, b; /* primitives */
    double distance;
} bw_near;
typedef bool bw_near_fn(void *user, const bw_near *pair); /* returns false to stop */

typedef struct bw_within_desc {
    uint32_t size;          /* zero, or as BW_SIZED sets it */
    double distance;        /* at least 0; 0: contacts */
    bw_near *pairs;         /* up to pair_capacity; may be NULL */
    uint64_t pair_capacity; /* pairs that fit */
    bw_near_fn *on_pair;    /* called for each pair, in the same order; may be NULL */
    void *user;
    const bw_allocator *allocator;
    bw_progress progress;
} bw_within_desc;

typedef struct bw_within_report {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    bw_status status;
    uint64_t pair_count; /* found */
    uint64_t nodes_visited, box_tests, primitive_tests;
} bw_within_report;

/* Every pair of primitives whose distance is at most desc->distance, in an order that is the same for equal
 * input. */
BW_API bw_result bw_within(const bw_body *a, const bw_body *b, const bw_within_desc *desc,
                           bw_within_report *report, bw_fault *fault);

typedef enum bw_ray_mode {
    BW_RAY_NEAREST = 0, /* the first contact along the ray; of equal ones, the lowest primitive */
    BW_RAY_ANY = 1,     /* some contact */
    BW_RAY_ALL = 2      /* every contact, to the callback, in no order along the ray; bw_raycast only */
} bw_ray_mode;

typedef struct bw_ray_hit {
    uint32_t primitive;   /* BW_NONE: none */
    bw_contact_kind kind; /* touching where the ray only meets an edge or corner, or runs within the plane */
    double t; /* of the first contact: how many times the direction; rounded; infinite without one */
} bw_ray_hit;
typedef bool bw_ray_fn(void *user, const bw_ray_hit *hit); /* returns false to stop */

/* All zero: the first contact. */
typedef struct bw_raycast_desc {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    bw_ray_mode mode;
    bw_ray_fn *on_hit; /* ALL only */
    void *user;
    /* bw_raycast_many; NULL: serial. The hits are the same for any number of threads */
    const bw_tasks *tasks;
    const bw_allocator *allocator; /* NULL: the heap */
} bw_raycast_desc;

typedef struct bw_raycast_report {
    uint32_t size;                       /* zero, or as BW_SIZED sets it */
    uint64_t hit_count;                  /* contacts, or rays that meet something */
    uint64_t nodes_visited;              /* nodes and leaves */
    uint64_t box_tests, primitive_tests; /* eight for each node, or leaf: these are tested at once */
} bw_raycast_report;

/* The contacts of a ray with a body: exact decisions, as bw_ray_triangle gives for the mapped corners, the
 * origin and bw_ray_second_point. A ray through a closed mesh cannot slip between two triangles. desc, report
 * and, for ALL, hit may be NULL. */
BW_API bw_result bw_raycast(const bw_body *body, const bw_ray *ray, const bw_raycast_desc *desc,
                            bw_ray_hit *hit, bw_raycast_report *report, bw_fault *fault);
/* The same for many rays at once, in any order: each gets the hit that bw_raycast finds for it, or, by
 * BW_RAY_ANY, one as good. On a tree that is prepared (bw_tree_prepare_rays) several are in flight at a time,
 * so that none waits for memory: this is faster than one by one, and the larger the mesh the more. For four
 * rays and more per leaf a tree is prepared for the call, with memory of desc->allocator. All rays are
 * checked first (BW_ERROR_ARGUMENT, BW_ERROR_NOT_FINITE, BW_ERROR_RANGE: nothing is written, and the fault's
 * element is the first such ray); where a later failure ends the call (memory, or a mapped coordinate out of
 * range), hits may hold a part of the answer. */
BW_API bw_result bw_raycast_many(const bw_body *body, const bw_ray *rays, uint32_t ray_count,
                                 const bw_raycast_desc *desc, bw_ray_hit *hits, bw_raycast_report *report,
                                 bw_fault *fault);

#ifdef __cplusplus
}
#endif
#endif
