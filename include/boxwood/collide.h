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
    bw_contact_kind kind; /* touching or crossing; or near, in queries with a separation */
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
 * bw_kinetic_query_body and bw_kinetic_body, following keyframes or curves; the other may stand still) and
 * their relative pose, if there is one, stays as it is; whether a surface is closed, the boundary of one that is not, and the fans around the
 * vertices of a mesh.
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
    /* Pairs that do not meet but are no farther apart than this are hits too, of the kind BW_CONTACT_NEAR; 0:
     * contacts only. On trees of FAST and QUALITY, else BW_ERROR_UNSUPPORTED; box_test and axis_exits are not
     * looked at then, and a cache remembers nothing of it. */
    double separation;
    /* bw_collide_self: pairs of triangles that are connected by at most so many rings of vertices are left
     * out, whether near or in contact: those that share a vertex by 1, those of which both share one with a
     * third by 2, and so on. 0: pairs that share a vertex count where they meet beyond what they share, never
     * as near. Two and more need the mesh's adjacency, which each query makes (bw_adjacency_create). */
    uint32_t rings;
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
    uint64_t near_count; /* of the hits, those that do not meet: with a separation only */
} bw_collide_report;

/* Finds the contacts of two bodies, exactly: no pair is missed and none is invented, touching included.
 *
 * The answer is exact for these coordinates: those of a as given, and those of b mapped by the relative pose
 * inverse(a.pose) * b.pose (b.pose itself where a.pose is NULL) as bw_transform_point maps. If both poses are
 * NULL no coordinate is touched.
 *
 * With a separation d the hits are these and, besides, the pairs that do not meet and whose distance is at
 * most d: computed in double, from the corners as each body's pose maps them into the world, to a relative
 * 1e-12 of these coordinates, by the function bw_triangle_distance2 whatever filters go before.
 *
 * The order of the hits is the same for equal input, for any number of threads, with and without a cache; of
 * bodies of bw_kinetic_body and bw_kinetic_query_body it is ascending by a, then b. Quarantined primitives
 * take no part. Trees and meshes are only read; boxes and positions of a kinetic body that are still to be
 * written are written by the query that first looks at them (bw_kinetic_query_body).
 * BW_ERROR_UNSUPPORTED: the trees have different volumes (bw_tree_desc.volume). BW_ERROR_SINGULAR: a.pose has
 * no inverse (with a separation: none that is good to 0.001). BW_ERROR_RANGE: a mapped coordinate of b leaves the exact range. On failure hits may hold a
 * part of the answer, the report is untouched. */
BW_API bw_result bw_collide(const bw_body *a, const bw_body *b, const bw_collide_desc *desc,
                            bw_collide_report *report, bw_fault *fault);

/* Makes a body that others move around, an environment, ready for very many queries: a grid of `cells` cells
 * (0: 16 per leaf, from 4096 to 2^18) over the tree's bounds with the distance from the surface at each. A
 * body that is far from it, all of it or in parts, is then known to be so by a look at a few cells: by
 * bw_collide, with a separation too, and by bw_distance with a max_distance, and their batches. Answers are
 * the same with and without, but for which contact mode ANY finds. It takes 4 bytes and about a
 * microsecond per cell. Trees of FAST and QUALITY over a mesh, others give BW_ERROR_UNSUPPORTED; any update,
 * insertion or removal drops it, and it is not saved. mesh: as the tree knows it (BW_ERROR_MISMATCH). tasks
 * may be NULL. On failure, BW_ERROR_MEMORY included, the tree is as it was. Writes the tree. */
BW_API bw_result bw_tree_prepare_clearance(bw_tree *tree, const bw_mesh *mesh, uint32_t cells,
                                           const bw_tasks *tasks, bw_fault *fault);

/* Two bodies of a batch: many poses of one pair are many of these that differ in a pose, many bodies against
 * one are many with the same b. */
typedef struct bw_body_pair {
    bw_body a, b;
} bw_body_pair;

/* All zero: is there any contact, pair by pair? */
typedef struct bw_collide_many_desc {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    /* So many pairs in a row are a group with one answer, such as the links of an arm in one configuration; 0:
     * 1. The number of pairs is a multiple of it. */
    uint32_t group_size;
    bw_collide_mode mode; /* ANY: of a group, the first contact found. COUNT: all of them. No other */
    double separation;    /* as in bw_collide_desc */
    /* Groups follow each other as steps of a motion do: each pair looks first where the one at its place in
     * the group before was in contact (bw_witness). */
    bool coherent;
    const bw_tasks *tasks; /* NULL: serial. The answers are the same for any number of threads */
    const bw_allocator *allocator;
    bw_progress progress; /* asked between groups; those that are left when it ends the batch are STOPPED */
} bw_collide_many_desc;

/* Of a group. */
typedef struct bw_collide_answer {
    bw_result result;   /* of the first pair that failed, which ends its group; BW_OK: none did */
    bw_status status;   /* BW_DONE, BW_FOUND, BW_STOPPED */
    uint32_t pair;      /* the one in contact (COUNT: the first), or that failed; BW_NONE: none */
    bw_hit hit;         /* ANY: its contact; BW_NONE twice where there is none */
    uint64_t hit_count; /* ANY: 0 or 1 */
} bw_collide_answer;

typedef struct bw_collide_many_report {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    bw_status status;
    uint64_t hit_count;    /* groups in contact */
    uint64_t failed_count; /* groups with a pair that failed */
} bw_collide_many_report;

/* The contacts of many pairs of bodies: each answer, one per group, is what bw_collide gives pair by pair. In
 * groups by mode ANY pairs are looked at in an order that follows what was found before, so that which pair
 * and contact of a group is told is not always the first; it is the same for any number of threads. A pair
 * that fails (a pose without inverse, bodies that do not fit) fails alone, with its group: the call succeeds.
 * desc and report may be NULL. Takes about 20 ns per pair beside the query itself. BW_ERROR_ARGUMENT,
 * BW_ERROR_MEMORY: nothing is written. */
BW_API bw_result bw_collide_many(const bw_body_pair *pairs, uint32_t pair_count,
                                 const bw_collide_many_desc *desc, bw_collide_answer *answers,
                                 bw_collide_many_report *report, bw_fault *fault);

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
 * three vertices cross if they have area. With a separation, pairs that share no vertex and are no farther
 * apart are hits too; desc->rings leaves out more of what is near along the surface. The pose is of no matter and is not looked at; nor is
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

/* All zero: the distance of each pair. */
typedef struct bw_distance_many_desc {
    uint32_t size;       /* zero, or as BW_SIZED sets it */
    uint32_t group_size; /* as in bw_collide_many_desc; of a group, the least distance is the answer */
    double max_distance; /* as in bw_distance_desc */
    double stop_below;   /* as there, for the group */
    bool coherent;       /* as in bw_collide_many_desc: witnesses go from group to group */
    const bw_tasks *tasks;
    const bw_allocator *allocator;
    bw_progress progress;
} bw_distance_many_desc;

/* Of a group: as bw_distance_report. */
typedef struct bw_distance_answer {
    bw_result result; /* of the first pair that failed, which ends its group; BW_OK: none did */
    bw_status status;
    double distance; /* the least; infinite where there is none within max_distance */
    uint32_t pair;   /* the one, of several as near the first; or that failed; BW_NONE: none */
    uint32_t a, b;
    bw_vec3 point_a, point_b;
} bw_distance_answer;

typedef struct bw_distance_many_report {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    bw_status status;
    uint64_t failed_count;
} bw_distance_many_report;

/* The distances of many pairs of bodies, or the least of each group of them: what bw_distance gives pair by
 * pair, but that a pair of a group is looked at only as far as it can be the nearest. Where a body has a
 * clearance (bw_tree_prepare_clearance), pairs that it tells to be far are not looked at, and near ones come
 * first; a pair that would fail and is not looked at does not fail its group. desc and report may be NULL.
 * Errors as bw_collide_many. */
BW_API bw_result bw_distance_many(const bw_body_pair *pairs, uint32_t pair_count,
                                  const bw_distance_many_desc *desc, bw_distance_answer *answers,
                                  bw_distance_many_report *report, bw_fault *fault);

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
