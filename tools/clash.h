/* What boxwood clash looks for and what it finds. */
#ifndef TOOL_CLASH_H
#define TOOL_CLASH_H

#include "assembly.h"

#include <boxwood/collide.h>

typedef struct clash_wish {
    double within;  /* parts of at most that distance too; negative: no */
    bool contain;   /* parts wholly inside another too */
    bool all;       /* every pair of triangles, not just one */
    uint64_t limit; /* pairs of triangles to keep of each clash */
    bool quarantine;
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
    bool measured;            /* distance and points are known */
    double distance;          /* of the surfaces */
    bw_vec3 point_a, point_b; /* where they are nearest */
    uint64_t pairs;           /* contacts with clash_wish.all (with within: pairs within the distance) */
    uint64_t touching;        /* of the contacts */
    clash_pair *kept;         /* all up to the limit, or the one that shows the kind */
    size_t kept_count, kept_capacity;
    bool cut; /* somebody asked to stop: there may be more pairs, and a touching may be a crossing */
} clash;

typedef struct clash_counts {
    uint64_t candidates; /* pairs of parts whose boxes meet */
    uint64_t finished;   /* of these, looked at to the end */
    uint64_t nodes_visited, box_tests, primitive_tests;
    double read_seconds, build_seconds, broad_seconds, exact_seconds;
} clash_counts;

typedef struct clash_result {
    clash *list; /* by a, then b */
    size_t count, capacity;
    uint64_t kinds[CLASH_KINDS];
    clash_counts counts;
} clash_result;

/* Finds all clashes among the parts, which must be built (and closed where contain is wished). The result
 * must be given to clash_result_free. */
bool clash_search(const assembly *assembly, const clash_wish *wish, const bw_tasks *tasks, clash_result *out,
                  fault *why);
void clash_result_free(clash_result *result);

/* Looks at one pair of parts after the other. Each thread has one. */
typedef struct clash_eye {
    const assembly *assembly;
    const clash_wish *wish;
    const bw_tasks *tasks; /* for a single pair of parts; NULL: serial */
    /* A part of a mesh that stands in several places, put where it stands: the last that was needed. */
    uint32_t placed; /* BW_NONE: none */
    double *positions;
    size_t capacity;
    bw_mesh view;
    bw_tree *tree;
    clash_counts counts;
} clash_eye;

void clash_eye_free(clash_eye *eye);
/* Fills out, whose kind is CLASH_NONE where the two parts do not clash; kept must be freed either way. */
bw_result clash_look(clash_eye *eye, uint32_t a, uint32_t b, clash *out);

void clash_print_text(const assembly *assembly, const clash_wish *wish, const clash_result *result,
                      bool counts);
void clash_print_json(const assembly *assembly, const clash_wish *wish, const clash_result *result,
                      bool counts);

#endif
