/* Boxwood: do two bodies collide, answered within a budget, with a measure of how far to trust the answer.
 *
 * A bw_anytime holds statistics beside a tree: where, on average, the surface below each node lies (in the
 * spirit of Klein and Zachmann, "Time-Critical Collision Detection Using an Average-Case Approach", VRST
 * 2003). From these a query estimates how likely the surfaces below two nodes meet, looks first where that is
 * likeliest, and may stop early: when the answer is good enough, when the budget is spent, or when the caller
 * says so. Without any limit it goes on until the answer is proven, and then it is the one that bw_collide
 * gives.
 *
 * What confidence means. It is the share of right answers, among answers that ended in a like state, over a
 * set of poses that a model was trained on. It is therefore a statement about poses like those:
 * bw_anytime_poses names the two sets that the built-in models know, and bw_anytime_train
 * (boxwood/anytime_train.h) makes a model for poses, or for bodies, of your own. Where poses are unlike
 * those, confidence is off; what is `proven` is not.
 */
#ifndef BOXWOOD_ANYTIME_H
#define BOXWOOD_ANYTIME_H

#include <boxwood/collide.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bw_anytime bw_anytime;
typedef struct bw_anytime_cache bw_anytime_cache;

typedef enum bw_estimator {
    /* Mean and covariance of the surface below each node, and a calibrated table. On the trees of
     * BW_BUILDER_FAST and BW_BUILDER_QUALITY. For any other tree of a mesh it makes such a tree of the same
     * primitives for itself, and rebuilds it at each bw_anytime_update: that takes memory and time, and
     * queries are as fast. */
    BW_ESTIMATOR_MOMENTS = 0,
    /* The paper's: possible collision cells, on any tree of boxes or on an octree. It never looks at a
     * triangle, so that nothing it calls a collision is proven; it takes no model, state or wanted error. For
     * research (docs/lab/adb-trees.md). */
    BW_ESTIMATOR_PAPER BW_EXPERIMENTAL = 1
} bw_estimator;

typedef enum bw_anytime_hierarchy {
    BW_ANYTIME_OF_TREE = 0,               /* the nodes of the tree given */
    BW_ANYTIME_OCTREE BW_EXPERIMENTAL = 1 /* PAPER: an octree over the same mesh */
} bw_anytime_hierarchy;

/* All zero is the default. */
typedef struct bw_anytime_desc {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    bw_estimator estimator;
    bw_anytime_hierarchy hierarchy;
    /* PAPER: a cell of sides a x b x c counts as a possible collision cell if the surface in it has at least
     * this times the area of the largest rectangle that fits into it. The paper takes 1; then hardly any cell
     * counts, since a plane cuts a cube in 0.67 of its face on average. 0: 0.5. */
    double max_area_factor;
    uint32_t octree_leaf; /* PAPER: primitives at which an octree stops dividing; 0: 8 */
    /* MOMENTS: so many poses of each of bw_anytime_poses, at which a new body is tried with itself beside the
     * exact query. From how it did, and from how bodies of training did, it takes its settings for each
     * wanted error; where none keeps the promise, or none is faster, it takes the exact query. More poses
     * allow bolder settings, and take longer. 0: 1024, and half of that near contact: 8 to 30 ms, mostly.
     * Where queries take very long (256 steps a pose on average) fewer must do, and settings are the more
     * careful. BW_NONE: none; then its settings are those of its kind, which keep the error on average over
     * bodies but not for each. */
    uint32_t tries;
    const bw_allocator *allocator; /* NULL: the heap; copied, need not outlive the call */
} bw_anytime_desc;

/* Statistics for a tree and the mesh it was built from or last refitted to. desc may be NULL. The tree must
 * outlive the result. BW_ERROR_UNSUPPORTED: a tree that the estimator does not take, or one of user
 * primitives; BW_ERROR_MISMATCH: the mesh is not the tree's; BW_ERROR_SIZE: an octree that would take more
 * than 256 entries a primitive, as many triangles lie over each other: a larger octree_leaf helps. */
BW_API bw_result bw_anytime_create(const bw_anytime_desc *desc, const bw_tree *tree, const bw_mesh *mesh,
                                   bw_anytime **out, bw_fault *fault);
/* NULL is allowed. */
BW_API void bw_anytime_destroy(bw_anytime *adb);
/* Makes the statistics those of the tree and the mesh again, after bw_tree_update, bw_tree_insert or
 * bw_tree_remove. Until then queries give BW_ERROR_MISMATCH. On failure all is as it was. */
BW_API bw_result bw_anytime_update(bw_anytime *adb, const bw_mesh *mesh, bw_fault *fault);
/* Computes the statistics in another way and compares. NULL if all hold, otherwise a sentence about the
 * first that does not. */
BW_API const char *bw_anytime_check(const bw_anytime *adb, const bw_mesh *mesh);

/* Bodies that are unlike each other in what their statistics foretell. */
typedef enum bw_anytime_kind {
    BW_ANYTIME_KIND_SHELL = 0, /* about as much surface as an outline has: statues, shells, sheets */
    BW_ANYTIME_KIND_PARTS = 1, /* much surface for their size: plates, pipes, machines */
    BW_ANYTIME_KIND_RODS = 2,  /* thin rods, many of them: they pass each other more often */
    BW_ANYTIME_KIND_LIMBS = 3, /* with gaps and limbs: animals, furniture, knots, tools */
    BW_ANYTIME_KIND_LOOSE = 4  /* mostly gaps: branches, wires */
} bw_anytime_kind;

typedef struct bw_anytime_stats {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    bw_estimator estimator;
    uint32_t nodes;            /* with statistics, leaves included */
    uint32_t depth;            /* edges from the root to the deepest node */
    double cells_possible;     /* PAPER: possible collision cells a node, on average */
    double nodes_without_cell; /* PAPER: the share of inner nodes that have none */
    size_t bytes;              /* all memory held */
    /* MOMENTS: area over the mean square distance of the surface from its middle (a sphere has 12.6), and the
     * share of rods among its larger parts. How often two of the body meet where all but loose ones do, and
     * where solid ones do: by 384 exact queries that bw_anytime_create makes (0.5 to 2 ms, mostly;
     * bw_anytime_update makes none). What two bodies are on average makes their kind; kind: that of two such
     * bodies. */
    double density, rods, filling, solidity;
    bw_anytime_kind kind;
} bw_anytime_stats;
BW_API void bw_anytime_get_stats(const bw_anytime *adb, bw_anytime_stats *out);

/* A body: statistics (with their tree), the mesh, and where it stands, as in bw_body. */
typedef struct bw_anytime_body {
    const bw_anytime *anytime;
    const bw_mesh *mesh;
    const bw_transform *pose; /* NULL: identity */
} bw_anytime_body;

/* Which poses are likely: what the built-in model was trained on. */
typedef enum bw_anytime_poses {
    BW_ANYTIME_POSES_SPREAD = 0, /* any turn, middles 0.2 to 1.05 sizes apart, outer boxes meeting */
    BW_ANYTIME_POSES_CONTACT = 1 /* within 2.5 % of the size of first contact, before it or after */
} bw_anytime_poses;

/* ---- The model: from what is known of two nodes to a probability. boxwood/anytime_train.h shows what it is
 * made of, and makes models for bodies and poses of your own. ---- */

typedef struct bw_anytime_model bw_anytime_model;
typedef struct bw_anytime_settings bw_anytime_settings;

/* The built-in ones, trained on several unlike objects of each kind (./dev calibrate makes them). Never NULL
 * for values of the enums; NULL otherwise. */
BW_API const bw_anytime_model *bw_anytime_model_builtin(bw_anytime_poses poses, bw_anytime_kind kind);

/* ---- Queries ---- */

/* Where two surfaces may meet, in world coordinates. */
typedef struct bw_anytime_region {
    bw_box box;         /* of a's part there */
    bw_vec3 point;      /* likeliest to lie on both surfaces */
    bw_vec3 normal;     /* estimated direction from a to b, of length 1; all zero where nothing points */
    double probability; /* that the two parts meet; 1 for a proven contact */
    bool proven;
    uint32_t a, b; /* the primitives of a proven contact; BW_NONE otherwise */
} bw_anytime_region;

/* All zero: no limit, the proven answer. Any limits may be combined; the first that is met ends the query. */
typedef struct bw_anytime_query_desc {
    uint32_t size;                 /* zero, or as BW_SIZED sets it */
    bw_anytime_poses poses;        /* which built-in model */
    const bw_anytime_model *model; /* NULL: the built-in one for such bodies. MOMENTS only */
    /* Rules for these two bodies and poses, from bw_anytime_try; goes with the built-in models only. NULL:
     * those which the bodies found for themselves; where they are not one, for a fifth of the wanted error.
     * MOMENTS only. */
    const bw_anytime_settings *settings;

    /* Good enough. MOMENTS: the share of wrong answers that may be expected over likely poses, e.g. 0.005; it
     * takes the model's rule of when to stop: once the evidence of all pairs together is enough, or little
     * enough, where the following three look at one pair at a time. Where the model has no rule that promises
     * so few, the answer is proven. 0: these three as given. */
    double wanted_error;
    /* A pair of nodes counts if it collides with this probability or more; 0: none counts (PAPER: 0.5).
     * Larger: fewer false collisions, slower */
    double p_min;
    uint32_t k_min; /* "collision" once so many pairs count; 0: 1. Larger: fewer false collisions, slower */
    /* MOMENTS: pairs less likely than this are not looked into; 0: all are. Larger: faster, more collisions
     * missed */
    double p_prune;

    /* The budget. A step compares the children of two nodes (up to 64 pairs) or the triangles of two leaves.
     * With max_steps 0 and limit_steps set nothing is looked at: "free", confidence 0.5. */
    bool limit_steps, limit_time;
    uint64_t max_steps;
    /* From the call on. The clock is looked at often enough to end near the deadline: before each step when
     * it is close, every few steps before; time is left for the regions. A step in hand is finished. */
    uint64_t max_nanoseconds;
    /* For limit_time: nanoseconds from any origin; NULL: a monotonic clock of the system. */
    uint64_t (*clock)(void *user);
    bool (*go_on)(void *user); /* asked before every step, ends the query by returning false; may be NULL */
    void *user;                /* given to both */

    /* What may be carried from call to call, see bw_anytime_cache_create; NULL: nothing. */
    bw_anytime_cache *cache;
    bool resume;   /* go on where the last query with this cache was ended by its budget */
    bool coherent; /* look first at the pairs that decided the last query with this cache */

    bw_anytime_region *regions; /* where contact is likeliest, likeliest first; may be NULL */
    uint32_t region_capacity;
    const bw_allocator *allocator; /* for the stack when it outgrows its first 4 KB; NULL: the heap */
} bw_anytime_query_desc;

/* Why it ended so. */
typedef enum bw_anytime_reason {
    BW_ANYTIME_PROVEN = 0, /* by a contact of two triangles, or since all pairs of nodes are apart */
    BW_ANYTIME_ENOUGH =
        1, /* k_min pairs counted, or the evidence of all was enough: a collision, most likely */
    BW_ANYTIME_PRUNED = 2, /* nothing is left but unlikely pairs: free, most likely */
    BW_ANYTIME_BUDGET = 3, /* steps or time were spent: what is likelier so far */
    BW_ANYTIME_STOPPED = 4 /* go_on returned false: the same */
} bw_anytime_reason;

typedef struct bw_anytime_answer {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    bool collision;
    bool proven; /* the answer is that of bw_collide */
    /* Probability that it is right, 0.5 to 1; PAPER: 1 - p or p of the likeliest pair, not calibrated */
    double confidence;
    bw_status status; /* DONE: proven, or good enough; LIMIT: the budget; STOPPED: by go_on */
    bw_anytime_reason reason;
    /* Of this call and, where it resumed, those before; 0: the bodies as wholes told enough */
    uint64_t steps;
    uint64_t pairs; /* pairs of nodes whose probability was estimated */
    uint64_t box_tests, primitive_tests;
    uint32_t counted;      /* pairs that reached p_min */
    uint32_t pruned;       /* pairs below p_prune */
    uint32_t region_count; /* regions written */
} bw_anytime_answer;

/* Do two bodies collide? desc may be NULL. Only surfaces meet: a body inside another is free of it. An empty
 * tree is free of everything, proven. Both must have the same estimator (BW_ERROR_UNSUPPORTED).
 * BW_ERROR_MISMATCH: a tree was changed and its statistics were not (bw_anytime_update), or a mesh
 * that is not the tree's, or to resume other bodies or poses than those of the query that was ended.
 * BW_ERROR_NOT_FINITE, BW_ERROR_SINGULAR, BW_ERROR_RANGE: a pose, as for bw_collide. */
BW_API bw_result bw_anytime_query(const bw_anytime_body *a, const bw_anytime_body *b,
                                  const bw_anytime_query_desc *desc, bw_anytime_answer *answer,
                                  bw_fault *fault);

/* Memory for what one stream of queries carries from call to call: the pairs still to be looked at when a
 * budget ended, and the pairs that decided the last answer. One query at a time may use it. */
BW_API bw_result bw_anytime_cache_create(const bw_allocator *allocator, bw_anytime_cache **out,
                                         bw_fault *fault);
BW_API void bw_anytime_cache_destroy(bw_anytime_cache *state); /* NULL is allowed */
/* Whether a query may go on with `resume`. */
BW_API bool bw_anytime_cache_resumable(const bw_anytime_cache *state);

#ifdef __cplusplus
}
#endif
#endif
