/* Boxwood: the contacts of whole meshes during a step of time.
 *
 * Deforming meshes: every vertex moves on a straight line from one position to another, as in a step of a
 * simulator; bw_swept_self and bw_swept_pair find every vertex that meets a face and every edge that meets an
 * edge, with the time of the first contact, by the exact tests of boxwood/ccd.h: none is missed.
 * Rigid bodies: bw_swept_rigid finds when two bodies that move and turn first touch.
 */
#ifndef BOXWOOD_SWEPT_H
#define BOXWOOD_SWEPT_H

#include <boxwood/ccd.h>
#include <boxwood/collide.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A mesh with its step: a copy of both positions, its edges, and a tree over the swept triangles. */
typedef struct bw_swept bw_swept;

/* All zero is the default. */
typedef struct bw_swept_desc {
    uint32_t size;                 /* zero, or as BW_SIZED sets it */
    const bw_allocator *allocator; /* NULL: the heap; copied */
    const bw_tasks *tasks;         /* NULL: serial; used during the call only */
} bw_swept_desc;

/* Makes a step ready. The two meshes have the same triangles (only those of start are read; other counts:
 * BW_ERROR_MISMATCH; a point cloud: BW_ERROR_ARGUMENT). Every coordinate, also of vertices that no triangle
 * names, must be finite and zero or within [BW_EXACT_MIN, BW_COORDINATE_MAX]: otherwise BW_ERROR_NOT_FINITE
 * or BW_ERROR_RANGE, and the fault names the vertex; BW_ERROR_INDEX: its element is the triangle.
 * BW_ERROR_EMPTY: no triangle. desc may be NULL. */
BW_API bw_result bw_swept_create(const bw_swept_desc *desc, const bw_mesh *start, const bw_mesh *end,
                                 bw_swept **out, bw_fault *fault);
/* The next step of the same mesh: new positions, the same triangles (which are not read again). The tree is
 * kept and refitted in the memory of the last step, until a degraded tree has cost queries what a rebuild
 * takes; then it is rebuilt. Contacts and their order do not depend on it.
 * On failure the step is as it was. */
BW_API bw_result bw_swept_update(bw_swept *sweep, const bw_mesh *start, const bw_mesh *end,
                                 const bw_tasks *tasks, bw_fault *fault);
/* NULL is allowed. */
BW_API void bw_swept_destroy(bw_swept *sweep);
/* NULL if the invariants hold, otherwise a sentence about the first that does not: every triangle in one
 * leaf, every edge and every vertex of a triangle in exactly one, every box around what it holds. */
BW_API const char *bw_swept_check(const bw_swept *sweep);
/* Edges are numbered in the order of bw_adjacency: by (low, high). */
BW_API uint32_t bw_swept_edge_count(const bw_swept *sweep);

/* A vertex and a face, or two edges. */
typedef struct bw_swept_contact {
    /* BW_CCD_VERTEX_FACE: vertex a, face b; BW_CCD_FACE_VERTEX (pairs only): face a, vertex b;
     * BW_CCD_EDGE_EDGE: edges a and b; for one mesh a < b then */
    bw_ccd_feature feature;
    uint32_t a, b;        /* of the first and of the second mesh */
    uint32_t vertices[4]; /* vertex, face corners; or the ends of a's edge, of b's */
    bw_ccd_result first;  /* when */
} bw_swept_contact;

/* A pair of features whose swept boxes, with a separation grown by half of it, meet. */
typedef struct bw_swept_candidate {
    bw_ccd_feature feature; /* as in bw_swept_contact */
    uint32_t a, b;
} bw_swept_candidate;

typedef enum bw_swept_mode {
    BW_SWEPT_ALL = 0,       /* every contact */
    BW_SWEPT_COUNT = 1,     /* their number, and the earliest */
    BW_SWEPT_CANDIDATES = 2 /* only count, or list, the candidates */
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

/* All zero: count candidates and contacts, find the earliest. */
typedef struct bw_swept_query {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    bw_swept_mode mode;
    double tolerance, separation; /* as in bw_ccd_desc */
    bw_swept_contact *contacts;   /* up to contact_capacity, by feature, then a, then b; may be NULL */
    uint64_t contact_capacity;    /* contacts that fit */
    bw_swept_fn *on_contact;      /* called for each, in the same order, by the calling thread; may be NULL */
    void *user;                   /* given to on_contact */
    const bw_tasks *tasks;        /* NULL: serial. Contacts and their order are the same for any number */
    const bw_allocator *allocator; /* for what the search needs; NULL: the heap */
    bw_swept_cache *cache;         /* candidates of steps before, used and kept; NULL: none */
    /* Mode CANDIDATES only: up to candidate_capacity, each once, in an order that is the same for any
     * number of threads; may be NULL */
    bw_swept_candidate *candidates;
    uint64_t candidate_capacity; /* candidates that fit */
} bw_swept_query;

typedef struct bw_swept_report {
    uint32_t size;          /* zero, or as BW_SIZED sets it */
    bw_status status;       /* DONE, STOPPED or FULL */
    uint64_t contact_count; /* found: the sum of the next two; fewer than these after STOPPED */
    uint64_t vertex_face_count, edge_edge_count;
    uint64_t close_count; /* of these, BW_CCD_CLOSE */
    /* Of equal times the first found. Without a contact, and for CANDIDATES: its feature is BW_CCD_NOTHING,
     * its answer BW_CCD_APART, its times are 1, so that a step may always go on to earliest.first.time */
    bw_swept_contact earliest;
    uint64_t vertex_face_candidates,
        edge_edge_candidates; /* pairs whose boxes meet, shared vertices left out */
    uint64_t tested;          /* of the candidates, those that the vectorised filter did not prove apart */
    uint64_t exact;           /* of these, decided by exact integers */
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
