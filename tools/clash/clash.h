/* What boxwood clash looks for and what it finds. Its stages, each a file:
 *   parts       assembly.h: files become meshes with trees, and parts that stand somewhere
 *   candidates  candidates.c: pairs of parts whose boxes meet and which the rules let count
 *   decide      decide.c: one pair of parts, exactly: do they cross, touch, is one inside, are they near
 *   measure     measure.c: of those that do, depth, volume, regions, place
 *   search      search.c: decides and measures all candidates, in parallel
 *   report      fill.c: what was found as a report, which tools/report/ writes */
#ifndef TOOL_CLASH_CLASH_H
#define TOOL_CLASH_CLASH_H

#include "assembly.h"
#include "report/report.h"
#include "rules.h"

#include <boxwood/contact.h>

typedef struct clash_wish {
    double clearance; /* parts of at most that distance too; negative: no */
    double tolerance; /* what is no deeper does not count; 0: everything counts */
    bool contain;     /* parts wholly inside another too */
    bool all;         /* list every pair of triangles, not just one */
    uint64_t limit;   /* pairs of triangles to keep of each clash */
    bool quarantine;
    bool measure;       /* depth, volume, regions and places */
    bool curves;        /* with measure: keep where the surfaces meet */
    const rules *rules; /* resolved for the parts; NULL: none */
} clash_wish;

typedef enum clash_kind {
    CLASH_NONE = 0,
    CLASH_CROSSING = 1, /* at least two triangles cross */
    CLASH_TOUCHING = 2, /* triangles meet, and none cross */
    CLASH_A_INSIDE = 3, /* no triangles meet: a lies inside b */
    CLASH_B_INSIDE = 4,
    CLASH_NEAR = 5, /* apart, but within the distance */
    CLASH_KINDS = 6
} clash_kind;

/* Two triangles (or points) that meet or are near. */
typedef struct clash_pair {
    uint32_t a, b; /* primitives of the parts' meshes */
    bw_contact_kind kind;
    double distance;
} clash_pair;

typedef struct clash {
    uint32_t a, b; /* parts, a < b */
    clash_kind kind;
    bool near_known;          /* distance and points are known */
    double distance;          /* of the surfaces */
    bw_vec3 point_a, point_b; /* where they are nearest */
    uint64_t pairs; /* contacts with clash_wish.all or measured (with clearance: pairs within the distance) */
    uint64_t touching; /* of the contacts */
    clash_pair *kept;  /* all up to the limit, or the one that shows the kind */
    size_t kept_count, kept_capacity;
    bool shown;       /* there is a pair that shows a place, whatever the limit */
    clash_pair first; /* that */
    /* Of stores, whose meshes are not at hand later: the pairs of kept as they are told, and after them the one
     * that shows a place. NULL: to be looked up. */
    report_pair *told;
    bool cut; /* somebody asked to stop: there may be more pairs, and a touching may be a crossing */
    /* measured */
    bool measured;
    double depth_lower, depth_upper; /* of bw_contacts_report */
    double pierce;                   /* the largest bw_contact.depth */
    bw_vec3 translation;             /* with b moved by this they are apart */
    double volume, volume_error;
    bw_vec3 place, low, high; /* the middle of the deepest region; box of all contacts */
    uint64_t regions;
    report_segment *segments; /* with curves */
    size_t segment_count;
} clash;

typedef struct clash_counts {
    uint64_t candidates; /* pairs of parts whose boxes meet and that count */
    uint64_t finished;   /* of these, looked at to the end */
    uint64_t aside;      /* pairs that the rules leave out, whatever they do */
    uint64_t shallow;    /* clashes that are no deeper than the tolerance, or than a rule allows */
    uint64_t nodes_visited, box_tests, primitive_tests;
    double read_seconds, build_seconds, broad_seconds, exact_seconds;
} clash_counts;

typedef struct clash_result {
    clash *list; /* by a, then b */
    size_t count, capacity;
    uint64_t kinds[CLASH_KINDS];
    clash_counts counts;
} clash_result;

/* stream.h: where findings go that may be too many for memory. */
typedef struct clash_stream clash_stream;

/* The candidates. */
typedef struct clash_candidates {
    uint64_t *list; /* part a in the high half, part b > a in the low */
    size_t count, capacity;
    uint64_t aside; /* left out by the rules */
} clash_candidates;

/* Those of one share of so many; all of them: 0 of 1. In any order. */
bool clash_find_candidates(const assembly *assembly, const clash_wish *wish, uint32_t share, uint32_t shares,
                           const bw_tasks *tasks, clash_candidates *out, fault *why);
/* Orders the candidates of a store so that a mesh is read but once, or seldom again; NULL: no memory. Returns their costs
 * (cluster_order), to be freed. */
uint32_t *clash_order(const assembly *assembly, clash_candidates *candidates);
/* Tells the cache of a store how often each mesh will be used when these candidates of the list are decided. */
void clash_expect(const assembly *assembly, const uint64_t *pairs, size_t count);

/* Finds all clashes among the parts, which must be built (and closed where contain is wished). The result
 * must be given to clash_result_free. With a stream, of a store, clashes go there and not into the list. */
bool clash_search(const assembly *assembly, const clash_wish *wish, const bw_tasks *tasks,
                  clash_stream *stream, clash_result *out, fault *why);
/* By a, then b. */
void clash_result_sort(clash_result *result);
void clash_result_free(clash_result *result);

/* Decides one pair of parts after the other. Each thread has one. */
typedef struct clash_worker {
    const assembly *assembly;
    const clash_wish *wish;
    const bw_tasks *tasks; /* for a single pair of parts; NULL: serial */
    uint32_t number;       /* of its thread */
    assembly_held held[2]; /* the meshes of a and b while they are decided */
    fault *why;            /* a mesh could not be read; NULL: none has failed */
    /* A part of a mesh that stands in several places, put where it stands: the last that was needed. */
    uint32_t placed; /* BW_NONE: none */
    double *positions;
    size_t capacity;
    bw_mesh view;
    bw_tree *tree;
    bw_contact *contacts; /* room for measure */
    bw_contact_region *regions;
    uint64_t contact_capacity; /* of both */
    clash_counts counts;
} clash_worker;

void clash_worker_free(clash_worker *worker);
/* Fills out, whose kind is CLASH_NONE where the two parts do not clash; give it to clash_free either way.
 * BW_ERROR_FORMAT and worker->why: a mesh could not be read. */
bw_result clash_decide(clash_worker *worker, uint32_t a, uint32_t b, clash *out);
void clash_free(clash *clash);

/* Two parts as the library is asked about them: the first stands at its final coordinates. */
typedef struct clash_bodies {
    bw_body first, second;
    bool swapped; /* the first is part b */
} clash_bodies;

/* Measures a clash that was decided. What is no deeper than `tolerance` becomes CLASH_NONE. */
bw_result clash_measure(clash_worker *worker, const clash_bodies *bodies, double tolerance, clash *out);

/* The report of all parts and what was found, the worst first; of the assembly it borrows the meshes. What
 * clashes point to is given back on the way: there may be millions. With a stream, findings and names are left to that, and only the
 * counts of the result are told. */
report clash_report(const assembly *assembly, const clash_wish *wish, clash_result *result,
                    report_stream *stream);
report_kind clash_report_kind(clash_kind kind);
/* One of them, to be given to report_finding_free. */
report_finding clash_finding(const assembly *assembly, const clash *clash);

#endif
