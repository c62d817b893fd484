/* Boxwood: trees over meshes that move by known flight plans, after
 *   G. Zachmann, R. Weller, "Kinetic Bounding Volume Hierarchies for Collision Detection of Deformable
 *   Objects", 2006.
 *
 * A kinetic tree knows when its boxes will change hands: every box is realised by six vertices, and between
 * two events these stay the same, however many frames are drawn. Its boxes at a time are the tight boxes of
 * the positions at that time (bw_motion_position), bit for bit what bw_tree_update would find, except for
 * BW_KINETIC_INTERPOLATED, BW_KINETIC_BOXTREE and, with keyframes of BW_F64, BW_KINETIC_COMPILED, whose boxes
 * contain those.
 */
#ifndef BOXWOOD_KINETIC_H
#define BOXWOOD_KINETIC_H

#include <boxwood/collide.h>
#include <boxwood/motion.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bw_kinetic bw_kinetic;

typedef enum bw_kinetic_method {
    BW_KINETIC_DEFAULT = 0, /* now BW_KINETIC_QUEUE: tight boxes for any motion */
    /* The paper's: certificates in a queue. Any motion; the plan of any vertex may change at any time. */
    BW_KINETIC_QUEUE = 1,
    /* Keyframes only: one pass over the tree a segment finds all its events, in order of time; a step then
     * replays a few bytes an event. Boxes are tight for BW_F32; for BW_F64 they contain the tight ones and
     * are larger by a few units in the last place of a float. */
    BW_KINETIC_COMPILED = 2,
    /* The boxes of both ends of a segment, blended. No events; boxes may be too large. Segments are those
     * between keyframes, or pieces of time in which velocities and plans bend by little; plans of single
     * vertices cannot change. */
    BW_KINETIC_INTERPOLATED = 3,
    /* Fits all boxes to the positions whenever they are asked for: what the others are measured against. */
    BW_KINETIC_REFIT = 4,
    /* The paper's other tree: two planes a node instead of six extents, so that there are fewer events, each
     * costlier. Any motion, and plans may change. Boxes are what the planes above imply: they contain the
     * tight ones, and grow loose where the mesh deforms much. */
    BW_KINETIC_BOXTREE BW_EXPERIMENTAL = 5,
    /* Chooses among the others, and chooses again while running, by the estimated cost of a step and its
     * queries; bw_kinetic_get_choice tells. Boxes contain the tight ones. Plans may change. */
    BW_KINETIC_AUTO = 6
} bw_kinetic_method;

/* All zero is the default. */
typedef struct bw_kinetic_desc {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    bw_kinetic_method method;
    bw_builder builder;            /* DEFAULT, FAST or QUALITY (BW_ERROR_UNSUPPORTED otherwise) */
    double time;                   /* where to begin; clamped to the span of the motion */
    const bw_allocator *allocator; /* NULL: the heap; copied */
    const bw_tasks *tasks;         /* NULL: serial; used to build the tree */
} bw_kinetic_desc;

/* Builds a tree for the positions at desc->time (desc may be NULL). Of mesh only vertex_count, indices and
 * triangle_count are read; vertex_count must be the motion's (BW_ERROR_MISMATCH). What mesh and motion point
 * to must stay, unchanged, as long as the kinetic tree lives. BW_ERROR_INDEX, BW_ERROR_EMPTY, BW_ERROR_SIZE
 * for bad meshes; what bw_motion_validate returns for bad motions; BW_ERROR_UNSUPPORTED for a method that
 * the motion cannot have, BW_ERROR_NOT_BUILT for one that this build was made without. */
BW_API bw_result bw_kinetic_create(const bw_kinetic_desc *desc, const bw_mesh *mesh, const bw_motion *motion,
                                   bw_kinetic **out, bw_fault *fault);
/* NULL is allowed. */
BW_API void bw_kinetic_destroy(bw_kinetic *kinetic);

/* What one step did. */
typedef struct bw_kinetic_report {
    uint32_t size;        /* zero, or as BW_SIZED sets it */
    uint64_t events;      /* at which an extent was handed from one vertex to another: leaf and tree events */
    uint64_t leaf_events; /* of these, in leaves */
    uint64_t updates; /* extents or planes handed on, those further up included; COMPILED counts only these */
    uint64_t checks;  /* queue entries looked at that turned out not to be events */
    uint64_t compared; /* candidates for an extent that were looked at for all this: what events cost */
    uint32_t segments; /* COMPILED, INTERPOLATED: keyframe segments prepared */
    bool restarted;    /* the time was before the present one: everything was set up again */
} bw_kinetic_report;

/* Goes to a time within the motion's span (BW_ERROR_ARGUMENT otherwise). Events on the way are processed in
 * order, equal times in a fixed order. Going back in time costs as much as a new start. report may be NULL.
 * BW_ERROR_MEMORY: COMPILED only; the tree stays at its time. */
BW_API bw_result bw_kinetic_advance(bw_kinetic *kinetic, double time, bw_kinetic_report *report,
                                    bw_fault *fault);
/* The time that it stands at. */
BW_API double bw_kinetic_time(const bw_kinetic *kinetic);

/* Gives a vertex another plan from now on, or many vertices at once (a vertex named twice gets the last).
 * The position may jump. QUEUE, BOXTREE and REFIT only (BW_ERROR_UNSUPPORTED). BW_ERROR_INDEX;
 * BW_ERROR_NOT_FINITE and BW_ERROR_RANGE for a plan that bw_motion_validate would refuse between now and the
 * end of the span. The first change needs memory for the plans of all vertices (BW_ERROR_MEMORY). After it
 * there is no way back in time: bw_kinetic_advance returns BW_ERROR_UNSUPPORTED. */
BW_API bw_result bw_kinetic_set_plan(bw_kinetic *kinetic, uint32_t vertex, const bw_plan *plan,
                                     bw_fault *fault);
BW_API bw_result bw_kinetic_set_plans(bw_kinetic *kinetic, const uint32_t *vertices, const bw_plan *plans,
                                      uint32_t count, bw_fault *fault);

/* Takes primitives in at the present time. mesh and motion (NULL: unchanged) may have grown: they have the
 * vertices and triangles known so far, as they were, first, and may have more of both; from now on they are
 * what must stay. A primitive of the mesh that is not inserted is not in the tree, a vertex that no primitive
 * in it uses has no part in anything: so vertices enter by growing the motion, and leave with their last
 * triangle. The new vertices follow the motion until bw_kinetic_set_plan says otherwise.
 *
 * Any method. QUEUE decides again what an edit touches; COMPILED, INTERPOLATED and BOXTREE are made again
 * for the edited tree, once, when the time or the boxes are next asked for (one or two passes over the tree;
 * a BOXTREE takes longer).
 *
 * BW_ERROR_MISMATCH for a mesh or motion that cannot be the grown one (another kind, scalar, span or times;
 * fewer vertices or primitives; counts that disagree); what bw_motion_validate returns for new vertices;
 * BW_ERROR_INDEX for a primitive beyond the mesh or a vertex beyond the motion; BW_ERROR_ARGUMENT for one
 * that is in the tree already or named twice. On failure, BW_ERROR_MEMORY included, nothing has changed. The
 * first edit after a step costs as much as bw_kinetic_body; after as many edits as half the primitives the
 * tree is rebuilt. */
BW_API bw_result bw_kinetic_insert(bw_kinetic *kinetic, const bw_mesh *mesh, const bw_motion *motion,
                                   const uint32_t *primitives, uint32_t count, bw_fault *fault);
/* Takes primitives out. All must be in the tree, none may come twice (BW_ERROR_ARGUMENT); else as above. The
 * tree may become empty. */
BW_API bw_result bw_kinetic_remove(bw_kinetic *kinetic, const uint32_t *primitives, uint32_t count,
                                   bw_fault *fault);

/* The positions and the tree at the present time, for everything that takes a body. Both belong to the
 * kinetic tree and are good until it is advanced, changed or destroyed. Boxes and positions are written by
 * the first call after a step, and queries write nothing.
 *
 * Hits of such bodies come in ascending order of a, then b, whatever the method. Where the same bodies are
 * asked about again and again between two keyframes, a bw_pair_cache makes that several times as fast. */
BW_API bw_result bw_kinetic_body(bw_kinetic *kinetic, bw_body *out, bw_fault *fault);
/* The same as a cache that queries fill, which is the fastest way to ask few questions about a large mesh: boxes
 * and positions are written where a query looks, each once, so mesh->positions is not for reading. Several
 * threads may query at once: they write the same, whoever comes first. Queries count what they look at, too, from
 * which BW_KINETIC_AUTO learns. */
BW_API bw_result bw_kinetic_query_body(bw_kinetic *kinetic, bw_body *out, bw_fault *fault);

/* The sums of all reports since creation. */
BW_API void bw_kinetic_get_total(const bw_kinetic *kinetic, bw_kinetic_report *out);

/* The size, and what is pending. */
typedef struct bw_kinetic_stats {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    bw_kinetic_method method;
    uint32_t pending; /* QUEUE, BOXTREE: certificates that will fail */
    uint32_t boxes;   /* with six extents each, the root's included */
    size_t bytes;     /* all memory held: tree, positions and what the method needs */
    size_t extra;     /* of these, what the method needs */
    /* QUEUE, BOXTREE: a time before which nothing happens; INFINITY where nothing ever does */
    double next_event;
} bw_kinetic_stats;

/* Writes the statistics of the present time. */
BW_API void bw_kinetic_get_stats(const bw_kinetic *kinetic, bw_kinetic_stats *out);

/* What BW_KINETIC_AUTO does now, and why. */
typedef struct bw_kinetic_choice {
    uint32_t size;            /* zero, or as BW_SIZED sets it */
    bw_kinetic_method method; /* COMPILED may be for a part of the tree: compiled_share */
    double compiled_share;    /* the part that is COMPILED, 0 to 1; the rest is INTERPOLATED */
    const char *reason;       /* a sentence; "asked for" where the descriptor named the method */
    /* The estimated cost of a step by each method when last compared, queries included, in nanoseconds of
     * the machine that the prices were measured on; 0: not considered. */
    double refit, interpolated, compiled, queue;
    uint32_t switches; /* changes of method since creation */
    /* The same for INTERPOLATED where queries are answered from their caches (bw_pair_cache). */
    double remembered;
} bw_kinetic_choice;

/* Writes the choice that stands now. */
BW_API void bw_kinetic_get_choice(const bw_kinetic *kinetic, bw_kinetic_choice *out);

/* Proves that the tree is valid at the present time: every extent is realised by the farthest of all vertices
 * below it, every certificate lies in the future and holds until its time. NULL if so, otherwise a sentence
 * about the first fault. It uses the tree's own scratch memory: not by several threads at once. */
BW_API const char *bw_kinetic_check(const bw_kinetic *kinetic);

#ifdef __cplusplus
}
#endif
#endif
