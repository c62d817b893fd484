/* Boxwood: the contacts of whole meshes during a step of time.
 *
 * Deforming meshes, ropes, hair and particles: every vertex moves on a straight line from one position to
 * another, as in a step of a simulator. bw_swept_self and bw_swept_pair find every vertex that meets a face
 * and every edge that meets an edge, with the time of the first contact, by the exact tests of boxwood/ccd.h:
 * none is missed. bw_swept_safe_step tells how far all may move before any contact, bw_swept_near which
 * features are near each other at one time.
 * Rigid bodies: bw_swept_rigid finds when two bodies that move and turn first touch.
 */
#ifndef BOXWOOD_SWEPT_H
#define BOXWOOD_SWEPT_H

#include <boxwood/ccd.h>
#include <boxwood/collide.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A mesh with its step: a copy of both positions, its edges, and a tree over what moves. */
typedef struct bw_swept bw_swept;

/* All zero is the default. */
typedef struct bw_swept_desc {
    uint32_t size;                 /* zero, or as BW_SIZED sets it */
    const bw_allocator *allocator; /* NULL: the heap; copied */
    const bw_tasks *tasks;         /* NULL: serial; used during the call only */
    /* Edges that belong to no triangle (ropes, hair), two vertices each; they are numbered after those of the
     * triangles, in the order given */
    const uint32_t *edges;
    uint32_t edge_count;
    /* Whether vertices that no triangle and no edge names are points that collide; those of a mesh without
     * indices always are */
    bool points;
    /* The thickness of each vertex: a radius, zero or within [BW_EXACT_MIN, BW_COORDINATE_MAX]. A feature is
     * as thick as the thickest of its vertices; two features are in contact where they are no farther apart
     * than their thicknesses and the separation of the query together. NULL: none has any */
    const double *thickness;
} bw_swept_desc;

/* Makes a step ready. The two meshes have the same triangles (only those of start are read; other counts:
 * BW_ERROR_MISMATCH). Every coordinate, also of vertices that nothing names, must be finite and zero or
 * within [BW_EXACT_MIN, BW_COORDINATE_MAX]: otherwise BW_ERROR_NOT_FINITE or BW_ERROR_RANGE, and the fault
 * names the vertex; its axis is 3 for a bad thickness. BW_ERROR_INDEX: its element is the triangle, or the
 * triangle count plus the place of the edge. BW_ERROR_EMPTY: no triangle, edge or point. desc may be NULL. */
BW_API bw_result bw_swept_create(const bw_swept_desc *desc, const bw_mesh *start, const bw_mesh *end,
                                 bw_swept **out, bw_fault *fault);
/* The next step of the same mesh: new positions, the same triangles, edges and thicknesses (none of which is
 * read again). The tree is kept and refitted in the memory of the last step, until a degraded tree has cost
 * queries what a rebuild takes; then it is rebuilt. Contacts and their order do not depend on it.
 * On failure the step is as it was. */
BW_API bw_result bw_swept_update(bw_swept *sweep, const bw_mesh *start, const bw_mesh *end,
                                 const bw_tasks *tasks, bw_fault *fault);
/* NULL is allowed. */
BW_API void bw_swept_destroy(bw_swept *sweep);
/* NULL if the invariants hold, otherwise a sentence about the first that does not: every triangle in one
 * leaf, every edge and every vertex that collides in exactly one, every box around what it holds. */
BW_API const char *bw_swept_check(const bw_swept *sweep);
/* Edges of triangles are numbered in the order of bw_adjacency: by (low, high); then come those that were
 * given. */
BW_API uint32_t bw_swept_edge_count(const bw_swept *sweep);

/* Two features. A vertex that no edge names meets edges of no triangle (VERTEX_EDGE), and others like it
 * (VERTEX_VERTEX); all else is met by a vertex and a face, or by two edges. */
typedef struct bw_swept_contact {
    /* BW_CCD_VERTEX_FACE: vertex a, face b; BW_CCD_FACE_VERTEX (pairs only): face a, vertex b;
     * BW_CCD_EDGE_EDGE: edges a and b; for one mesh a < b then; likewise BW_CCD_VERTEX_EDGE,
     * BW_CCD_EDGE_VERTEX (pairs only), BW_CCD_VERTEX_VERTEX */
    bw_ccd_feature feature;
    uint32_t a, b; /* of the first and of the second mesh */
    /* Vertex, face corners; or the ends of a's edge, of b's. Vertex, ends of the edge, the second again; a
     * vertex, the other three times */
    uint32_t vertices[4];
    bw_ccd_result first; /* when */
} bw_swept_contact;

/* A pair of features whose swept boxes, grown by thickness and half the separation, meet. */
typedef struct bw_swept_candidate {
    bw_ccd_feature feature; /* as in bw_swept_contact */
    uint32_t a, b;
} bw_swept_candidate;

/* The vertices of two features, as in bw_swept_contact. b is NULL for a mesh with itself. BW_ERROR_ARGUMENT
 * for a feature that these meshes do not have. Writes nothing else. */
BW_API bw_result bw_swept_candidate_vertices(const bw_swept *a, const bw_swept *b,
                                             const bw_swept_candidate *candidate, uint32_t vertices[4]);

typedef enum bw_swept_mode {
    BW_SWEPT_ALL = 0,        /* every contact */
    BW_SWEPT_COUNT = 1,      /* their number, and the earliest */
    BW_SWEPT_CANDIDATES = 2, /* only count, or list, the candidates */
    /* The earliest of ALL alone, found with less work: what cannot meet earlier than the earliest so far is
     * left out. Where ALL cannot tell its earliest from a near miss (BW_CCD_CLOSE), this may, and then the
     * one that follows is told */
    BW_SWEPT_EARLIEST = 3
} bw_swept_mode;

/* Candidates kept over steps, an object of the caller: pairs of features whose boxes, grown by a margin,
 * meet. As long as no vertex leaves its grown box, queries look at these pairs instead of the tree; where one
 * does, the query that finds it lists them again. It never changes an answer or the order of contacts, only
 * how long it takes, and serves any meshes: it is filled again for others. One query at a time. */
typedef struct bw_swept_cache bw_swept_cache;

/* All zero is the default. */
typedef struct bw_swept_cache_desc {
    uint32_t size;                 /* zero, or as BW_SIZED sets it */
    const bw_allocator *allocator; /* NULL: the heap; copied */
    /* How far a vertex may move until pairs are listed again; 0: some steps like the one at hand, and
     * nothing is kept where that is far beyond the length of edges */
    double margin;
} bw_swept_cache_desc;

/* desc may be NULL. BW_ERROR_ARGUMENT: a margin that is negative, not a number or above BW_COORDINATE_MAX. */
BW_API bw_result bw_swept_cache_create(const bw_swept_cache_desc *desc, bw_swept_cache **out,
                                       bw_fault *fault);
/* Forgets all pairs and gives their memory back. NULL is allowed. */
BW_API void bw_swept_cache_reset(bw_swept_cache *cache);
/* NULL is allowed. */
BW_API void bw_swept_cache_destroy(bw_swept_cache *cache);

/* Returns false to stop. */
typedef bool bw_swept_fn(void *user, const bw_swept_contact *contact);
/* Whether two features, numbered as in bw_swept_contact, may meet at all: false leaves the pair out. Asked of
 * pairs whose boxes meet, once each and in no order, by all threads of the tasks at once: it must answer by
 * its arguments alone. */
typedef bool bw_swept_filter_fn(void *user, const bw_swept_candidate *pair);

/* All zero: count candidates and contacts, find the earliest. */
typedef struct bw_swept_query {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    bw_swept_mode mode;
    double tolerance, separation; /* as in bw_ccd_desc */
    bw_swept_contact *contacts;   /* up to contact_capacity, by feature, then a, then b; may be NULL */
    uint64_t contact_capacity;    /* contacts that fit */
    bw_swept_fn *on_contact;      /* called for each, in the same order, by the calling thread; may be NULL */
    void *user;                   /* given to on_contact and can_collide */
    const bw_tasks *tasks;        /* NULL: serial. Contacts and their order are the same for any number */
    const bw_allocator *allocator; /* for what the search needs; NULL: the heap */
    bw_swept_cache *cache;         /* candidates of steps before, used and kept; NULL: none */
    /* Mode CANDIDATES only: up to candidate_capacity, each once, in an order that is the same for any
     * number of threads; may be NULL */
    bw_swept_candidate *candidates;
    uint64_t candidate_capacity;     /* candidates that fit */
    bw_swept_filter_fn *can_collide; /* NULL: all can */
    /* A query that it ends has the status BW_STOPPED, has told nothing and found nothing, and its earliest
     * time is 0, as nothing is known. What fills a cache is not asked */
    bw_progress progress;
} bw_swept_query;

typedef struct bw_swept_report {
    uint32_t size;    /* zero, or as BW_SIZED sets it */
    bw_status status; /* DONE, STOPPED or FULL */
    /* Found: the sum of the next four; for EARLIEST one, or none */
    uint64_t contact_count;
    uint64_t vertex_face_count, edge_edge_count, vertex_edge_count, vertex_vertex_count;
    uint64_t close_count; /* of these, BW_CCD_CLOSE */
    /* Of equal times the first by feature, a, b. Without a contact, and for CANDIDATES: its feature is
     * BW_CCD_NOTHING, its answer BW_CCD_APART, its times are 1, so that a step may always go on to
     * earliest.first.time */
    bw_swept_contact earliest;
    /* Pairs whose boxes meet, without those that share a vertex or may not collide: the sum of the next four.
     * For EARLIEST those that were looked at */
    uint64_t candidate_count;
    uint64_t vertex_face_candidates, edge_edge_candidates, vertex_edge_candidates, vertex_vertex_candidates;
    uint64_t tested; /* of the candidates, those that the vectorised filter did not prove apart */
    uint64_t exact;  /* of these, decided by exact integers */
    uint64_t box_tests;
    uint64_t kept; /* pairs of the cache that were looked at; 0: the tree was searched */
} bw_swept_report;

/* The contacts of a mesh with itself. Features that share a vertex by index are left out. query may be NULL.
 * BW_ERROR_SIZE: more than 2^32 - 1 contacts to list. Writes the cache only. */
BW_API bw_result bw_swept_self(const bw_swept *sweep, const bw_swept_query *query, bw_swept_report *report,
                               bw_fault *fault);
/* The contacts of two meshes. */
BW_API bw_result bw_swept_pair(const bw_swept *a, const bw_swept *b, const bw_swept_query *query,
                               bw_swept_report *report, bw_fault *fault);

/* ---- Nearest points ---- */

/* The nearest points of two features at one time. */
typedef struct bw_swept_witness {
    double weights[4]; /* of the four vertices: the points are sums of them; each side's add up to 1 */
    bw_vec3 point_a, point_b;
    /* From a towards b, of length 1: where b goes to get away from a. Where they touch it is the normal of
     * the face, or across the edges, on the side from which they came; all zero where nothing tells a side */
    bw_vec3 normal;
    double distance; /* to some ulps of the coordinates */
} bw_swept_witness;

/* The witnesses of contacts at their times (first.time). b is NULL for a mesh with itself. BW_ERROR_ARGUMENT:
 * the fault's element is a contact that these meshes do not have. Writes `out` only. */
BW_API bw_result bw_swept_witnesses(const bw_swept *a, const bw_swept *b, const bw_swept_contact *contacts,
                                    uint64_t contact_count, bw_swept_witness *out, bw_fault *fault);

/* Two features that are near, and the nearest of their kind: their nearest points are inside both. */
typedef struct bw_swept_near_pair {
    bw_ccd_feature feature; /* as in bw_swept_contact */
    uint32_t a, b;
    uint32_t vertices[4];
    /* How many pairs of a vertex and a face, of two edges, or of what stands alone have these nearest points
     */
    uint32_t pair_count;
    bw_swept_witness at;
} bw_swept_near_pair;

/* All zero: count what touches at time 0. */
typedef struct bw_swept_near_query {
    uint32_t size;             /* zero, or as BW_SIZED sets it */
    double distance;           /* near is no farther than this and both thicknesses together, as computed */
    double time;               /* of the step: 0 to 1 */
    bw_swept_near_pair *pairs; /* up to pair_capacity, by feature, then a, then b; may be NULL */
    uint64_t pair_capacity;    /* pairs that fit */
    bw_swept_filter_fn *can_collide; /* asked of vertices and faces, and of edges; NULL: all can */
    void *user;                      /* given to can_collide */
    const bw_tasks *tasks;           /* NULL: serial. Pairs and their order are the same for any number */
    const bw_allocator *allocator;   /* for what the search needs; NULL: the heap */
    bw_swept_cache *cache;           /* candidates of steps before, used and kept; NULL: none */
    bw_progress progress;            /* a query that it ends has the status BW_STOPPED, and no pairs */
} bw_swept_near_query;

typedef struct bw_swept_near_report {
    uint32_t size;       /* zero, or as BW_SIZED sets it */
    bw_status status;    /* DONE, FULL or STOPPED */
    uint64_t pair_count; /* found: the sum of the next four */
    uint64_t vertex_face_count, edge_edge_count, vertex_edge_count, vertex_vertex_count;
    uint64_t candidate_count; /* pairs whose boxes meet */
    double distance;          /* the least; the distance of the query where no pair is found */
} bw_swept_near_report;

/* What of two meshes, or of one with itself (b is NULL), is near at a time: the pairs of bw_swept_pair and
 * bw_swept_self, each told by the features inside which the nearest points are, and each of these once. As
 * the terms of a contact potential. BW_ERROR_SIZE: more than 2^32 - 1 pairs. Writes the cache only. */
BW_API bw_result bw_swept_near(const bw_swept *a, const bw_swept *b, const bw_swept_near_query *query,
                               bw_swept_near_report *report, bw_fault *fault);

/* ---- Safe steps ---- */

/* Two meshes, or one with itself (b is NULL or a). */
typedef struct bw_swept_couple {
    const bw_swept *a, *b;
} bw_swept_couple;

/* All zero: until anything touches. */
typedef struct bw_swept_safe_desc {
    uint32_t size;                /* zero, or as BW_SIZED sets it */
    double tolerance, separation; /* as in bw_ccd_desc */
    /* Features that are no farther apart than the separation at time 0 already may move apart, or nearer
     * until they are at this part of their distance: 0 to below 1; 0: one half */
    double keep;
    bw_swept_filter_fn *can_collide; /* NULL: all can */
    void *user;                      /* given to can_collide */
    const bw_tasks *tasks;           /* NULL: serial. The answer is the same for any number */
    const bw_allocator *allocator;   /* for what the search needs; NULL: the heap */
    bw_progress progress;            /* a search that it ends has the status BW_STOPPED, and a step of 0 */
} bw_swept_safe_desc;

typedef struct bw_swept_safe_report {
    uint32_t size;    /* zero, or as BW_SIZED sets it */
    bw_status status; /* DONE or STOPPED */
    /* At all times of [0, step] no features are in contact, but for such that touch at time 0 where step is
     * 0. Never beyond the first contact, before it by at most the tolerance, 1 where there is none */
    double step;
    bw_swept_contact earliest; /* as in bw_swept_report: what ends the step */
    uint32_t couple;           /* of which couple it is; BW_NONE: nothing does */
    uint64_t candidate_count, tested;
    uint64_t near_count; /* of the tested, those nearer than the separation at time 0 */
} bw_swept_safe_report;

/* How far along the step everything may move. Positions at the step are the caller's to compute: rounding may
 * move them by an ulp, so go a little less far. desc may be NULL. Writes nothing else. */
BW_API bw_result bw_swept_safe_step(const bw_swept_couple *couples, uint32_t couple_count,
                                    const bw_swept_safe_desc *desc, bw_swept_safe_report *report,
                                    bw_fault *fault);

/* ---- Rigid bodies ---- */

/* A pose that changes steadily from time 0 to 1: first `start`, then a turn by time * angle (radians) about
 * `axis` (any length but zero where there is an angle) through `centre`, a point of space at time 0, then a
 * shift by time * translation. All but start zero: at rest. */
typedef struct bw_rigid_motion {
    bw_transform start;
    bw_vec3 centre, axis;
    double angle;
    bw_vec3 translation;
} bw_rigid_motion;

/* The motion from one pose to another: the shortest turn about the given centre, which moves on a straight
 * line. The poses may differ by a rotation and a translation only, to 1e-9 (BW_ERROR_ARGUMENT otherwise);
 * BW_ERROR_SINGULAR: start cannot be inverted. */
BW_API bw_result bw_rigid_motion_between(const bw_transform *start, const bw_transform *end, bw_vec3 centre,
                                         bw_rigid_motion *out);
/* The pose at a time of [0, 1]. */
BW_API bw_result bw_rigid_motion_pose(const bw_rigid_motion *motion, double time, bw_transform *out);

/* All zero is the default. */
typedef struct bw_swept_rigid_desc {
    uint32_t size;      /* zero, or as BW_SIZED sets it */
    double tolerance;   /* bodies this near are in contact; 0: a millionth of their size */
    uint32_t max_steps; /* 0: 1000 */
    const bw_allocator *allocator;
} bw_swept_rigid_desc;

typedef struct bw_swept_rigid_report {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    /* BW_DONE: never within the tolerance. BW_FOUND: within the tolerance at `time`, and farther apart
     * before. BW_LIMIT: apart up to `time`; the steps ran out. */
    bw_status status;
    double time;              /* never later than the first contact; 1 when apart */
    double distance;          /* at that time */
    uint32_t a, b;            /* the primitives */
    bw_vec3 point_a, point_b; /* on them */
    uint32_t steps;           /* distances measured */
} bw_swept_rigid_report;

/* When two rigid bodies first come within the tolerance, by conservative advancement: from the distance at a
 * time and a bound on all speeds follows how long nothing can happen. Trees of BW_BUILDER_FAST and
 * BW_BUILDER_QUALITY over meshes; bw_body.pose is not looked at. desc may be NULL. Results as bw_distance,
 * and BW_ERROR_NOT_FINITE for a bad motion, BW_ERROR_ARGUMENT for an angle without an axis. */
BW_API bw_result bw_swept_rigid(const bw_body *a, const bw_rigid_motion *a_motion, const bw_body *b,
                                const bw_rigid_motion *b_motion, const bw_swept_rigid_desc *desc,
                                bw_swept_rigid_report *report, bw_fault *fault);

#ifdef __cplusplus
}
#endif
#endif
