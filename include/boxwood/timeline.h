/* Boxwood: which parts of two moving meshes are near each other, kept while time goes on, after
 *   G. Zachmann, R. Weller, "Kinetic Bounding Volume Hierarchies for Collision Detection of Deformable
 *   Objects", 2006, sections 7 and 8,
 * and who touches whom from when to when.
 */
#ifndef BOXWOOD_TIMELINE_H
#define BOXWOOD_TIMELINE_H

#include <boxwood/kinetic.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A mesh and how it moves. Of the mesh only vertex_count, indices and triangle_count are read. What they
 * point to must stay, unchanged, as long as what is made of them. A body that stands still is a motion of
 * keyframes that are all the same array: it costs nothing in time. */
typedef struct bw_moving {
    const bw_mesh *mesh;
    const bw_motion *motion;
} bw_moving;

/* ---- The separation list ---- */

typedef struct bw_separation bw_separation;

typedef enum bw_separation_method {
    /* Kinetic trees of BW_KINETIC_AUTO, without a queue, and a bw_pair_cache between them: lists the pairs of
     * a span, as COMPILED, where by what it has seen that pays for the steps in time that are made; otherwise
     * traverses, with boxes blended from those at both ends of a span where two or more steps fall into it */
    BW_SEPARATION_AUTO = 0,
    /* The paper's: where the traversal of two kinetic trees stops, kept by events. Any motion; plans may
     * change at any time; the list is what a fresh traversal gives at every time, and its changes do not
     * depend on how often anybody looks. */
    BW_SEPARATION_EVENTS = 1,
    /* One traversal with moving boxes for all the time between two keyframes, or a piece of time in which
     * curves bend little, finds which triangles can meet, and when; a step in time then looks only at those
     * of its time. */
    BW_SEPARATION_COMPILED = 2,
    /* Fits the trees and traverses them whenever asked: what the others are measured against. */
    BW_SEPARATION_TRAVERSE = 3
} bw_separation_method;

/* All zero is the default. */
typedef struct bw_separation_desc {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    bw_separation_method method;
    bw_builder builder;            /* DEFAULT, FAST or QUALITY (BW_ERROR_UNSUPPORTED otherwise) */
    double time;                   /* where to begin; clamped to the time that both motions have */
    const bw_allocator *allocator; /* NULL: the heap; copied */
    const bw_tasks *tasks;         /* NULL: serial; used to build the trees, and by TRAVERSE in queries */
} bw_separation_desc;

/* Two meshes, or one with itself (b NULL). The time is what the spans of both motions have in common
 * (BW_ERROR_ARGUMENT: nothing). Errors are those of bw_kinetic_create. desc may be NULL. */
BW_API bw_result bw_separation_create(const bw_separation_desc *desc, const bw_moving *a, const bw_moving *b,
                                      bw_separation **out, bw_fault *fault);
/* NULL is allowed. */
BW_API void bw_separation_destroy(bw_separation *separation);

/* What one step did. */
typedef struct bw_separation_report {
    uint32_t size;     /* zero, or as BW_SIZED sets it */
    uint64_t events;   /* EVENTS: changes of the list: the sum of the next three */
    uint64_t overlaps; /* boxes of a pair that came to overlap: its children were taken up, or its leaves */
    uint64_t parents;  /* pairs that came apart: all below them were given up at once */
    uint64_t leaves;   /* pairs of leaves that came apart */
    uint64_t box_changes; /* EVENTS: extents of boxes in the list that changed hands or plans */
    uint64_t checks;      /* EVENTS: entries of the queue looked at that turned out not to be events */
    uint64_t tree_events; /* EVENTS: of both kinetic trees */
    uint32_t compiled;    /* COMPILED: spans of time prepared; AUTO: by queries since the step before */
    bool traversed;       /* all but EVENTS: no pairs are listed for the time, a query traverses */
    bool restarted;       /* the time was before the present one: everything was set up again */
} bw_separation_report;

/* Goes to a time within the common span (BW_ERROR_ARGUMENT otherwise). Going back costs as much as a new
 * start, and is BW_ERROR_UNSUPPORTED once a plan was changed. report may be NULL. BW_ERROR_MEMORY, EVENTS
 * only: the time is reached all the same, but the list is lost; the next call that needs it makes it again.
 * Other methods need no memory to go on: what cannot be listed is traversed. */
BW_API bw_result bw_separation_advance(bw_separation *separation, double time, bw_separation_report *report,
                                       bw_fault *fault);
/* The time that it stands at. */
BW_API double bw_separation_time(const bw_separation *separation);

/* Gives vertices of mesh 0 (a) or 1 (b) other plans from now on: bw_kinetic_set_plans, and the list follows.
 * EVENTS only (BW_ERROR_UNSUPPORTED). */
BW_API bw_result bw_separation_set_plans(bw_separation *separation, uint32_t side, const uint32_t *vertices,
                                         const bw_plan *plans, uint32_t count, bw_fault *fault);

/* The contacts at the present time, exactly: those of bw_collide or bw_collide_self for the positions that
 * bw_motion_position gives, in ascending order of a, then b, by every method. Of desc (may be NULL) mode,
 * hits, hit_capacity, on_hit, user, tasks and allocator are looked at. */
BW_API bw_result bw_separation_collide(bw_separation *separation, const bw_collide_desc *desc,
                                       bw_collide_report *report, bw_fault *fault);

/* The sums of all reports since creation. */
BW_API void bw_separation_get_total(const bw_separation *separation, bw_separation_report *out);

typedef struct bw_separation_stats {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    bw_separation_method method;
    uint64_t inner_apart;    /* EVENTS: the list now: pairs apart of which one is no leaf, */
    uint64_t leaves_apart;   /* pairs of leaves apart, */
    uint64_t leaves_meeting; /* and overlapping; COMPILED: pairs of triangles to look at now */
    uint64_t pending;  /* EVENTS: certificates that will fail; COMPILED: pairs of triangles of the span */
    double next_event; /* EVENTS: a time before which nothing happens; INFINITY: nothing ever does */
    size_t bytes;      /* all memory held */
} bw_separation_stats;

/* Writes the statistics of the present time. */
BW_API void bw_separation_get_stats(const bw_separation *separation, bw_separation_stats *out);

/* An entry of the list: the boxes of a node or leaf of each tree, and the primitives where both are leaves.
 */
typedef struct bw_separation_entry {
    bool meeting; /* false: apart */
    bool leaves;  /* both are leaves */
    bw_box a, b;
    const uint32_t *primitives_a, *primitives_b; /* of leaves; NULL otherwise */
    uint32_t count_a, count_b;
} bw_separation_entry;

/* Visits the list of EVENTS, and for TRAVERSE what a fresh traversal stops at, in the same order if the lists
 * are the same (BW_ERROR_UNSUPPORTED for other methods). The visitor returns false to stop. */
typedef bool bw_separation_visitor(void *user, const bw_separation_entry *entry);
BW_API bw_result bw_separation_visit(bw_separation *separation, bw_separation_visitor *visitor, void *user,
                                     bw_fault *fault);

/* Proves at the present time that the list is valid (the paper's Definition 2): every pair above it overlaps,
 * every pair in it is apart or a pair of leaves, and is marked as what it is; every certificate lies in the
 * future. NULL if so, otherwise a sentence about the first fault. */
BW_API const char *bw_separation_check(bw_separation *separation);

/* ---- The contact timeline ---- */

typedef enum bw_timeline_mode {
    BW_TIMELINE_TRIANGLES = 0, /* every pair of triangles */
    BW_TIMELINE_OBJECTS = 1,   /* every pair of objects: in contact while any of their triangles are */
    BW_TIMELINE_FIRST = 2      /* the first contact of all, and no more */
} bw_timeline_mode;

/* A contact begins or ends. */
typedef struct bw_timeline_event {
    double time;
    bool begins;
    bool cut; /* it is in contact when the time looked at begins, or still is when it ends */
    uint32_t object_a, object_b;     /* a < b; equal: an object with itself */
    uint32_t triangle_a, triangle_b; /* BW_NONE for OBJECTS; of one object a < b */
} bw_timeline_event;

/* Returns false to stop. */
typedef bool bw_timeline_fn(void *user, const bw_timeline_event *event);

/* All zero: every pair of triangles of different objects, over all the time that the motions have in common.
 */
typedef struct bw_timeline_desc {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    bw_timeline_mode mode;
    bool self;       /* contacts of an object with itself, too: what neighbours share does not count */
    double from, to; /* the time to look at; equal: all of it. Clamped to the common span */
    bw_timeline_fn *on_event; /* may be NULL */
    void *user;
    bw_builder builder;            /* DEFAULT, FAST or QUALITY (BW_ERROR_UNSUPPORTED otherwise) */
    const bw_allocator *allocator; /* NULL: the heap */
    const bw_tasks *tasks;         /* NULL: serial; used to build the trees */
    bw_progress progress;          /* a timeline that it ends has the status BW_STOPPED */
} bw_timeline_desc;

typedef struct bw_timeline_report {
    uint32_t size;          /* zero, or as BW_SIZED sets it */
    bw_status status;       /* FOUND: FIRST found one; STOPPED: by on_event or progress */
    uint64_t contact_count; /* that began, the instants among them included */
    uint64_t instant_count; /* pairs of triangles that touched for an instant only */
    double first;           /* when the first began; INFINITY: none did */
    uint64_t spans;         /* pieces of time in which everything moves straight, or nearly so for plans */
    uint64_t candidates;    /* pairs of triangles looked at closely, in all pieces */
} bw_timeline_report;

/* Who touches whom, from when to when: events in order of time, of equal times beginnings first. Between two
 * keyframes every vertex is taken to move exactly on its straight line, by a plan exactly on its curve.
 *
 * No contact is missed and none is invented, touching and instants included, however short: whether triangles
 * touch at an instant is decided in integers. Two triangles of one mesh that share a vertex or an edge by
 * index are in contact only where they meet beyond it, at every time as bw_collide_self decides for the
 * positions of that time. A contact is a closed span of time; if triangles part for an instant only, it goes
 * on.
 *
 * Times are roots of polynomials of degree three (for plans nine), rounded outward: a beginning is not late,
 * an end not early, by 2^-52 of the time between two keyframes where integers decided, else by the root's own
 * error, usually less than 2^-44 (2^-40 of a piece for plans); where triangles meet at a grazing angle that
 * grows to about the root of that.
 *
 * Positions at both ends of a piece are what bw_motion_sample gives: where the keyframes of two objects are
 * not at the same times, or from and to lie between keyframes, they are rounded to the motion's scalar.
 * Numbers of plans more than 2^-480 below the largest, and times more than 2^-200, are cut off there. Which
 * triangles are looked at is found from positions in doubles: a plan whose origin is so far away in time that
 * its terms lose more than 2^-20 of a position where they cancel is as uncertain as that.
 *
 * At least one object (with self) or two; any motions. Errors of meshes and motions as for bw_kinetic_create;
 * the fault's element is the object at fault. desc may be NULL. On failure report is untouched; events
 * may have been told. */
BW_API bw_result bw_contact_timeline(const bw_moving *objects, uint32_t count, const bw_timeline_desc *desc,
                                     bw_timeline_report *report, bw_fault *fault);

#ifdef __cplusplus
}
#endif
#endif
