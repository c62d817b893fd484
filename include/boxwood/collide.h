/* Boxwood: which primitives of two meshes meet. */
#ifndef BOXWOOD_COLLIDE_H
#define BOXWOOD_COLLIDE_H

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
    uint32_t a, b;   /* primitives of the first and second body */
    bw_contact kind; /* touching or crossing */
} bw_hit;

typedef enum bw_collide_mode {
    BW_COLLIDE_ANY = 0,  /* is there a contact? Stops at the first */
    BW_COLLIDE_ALL = 1,  /* every contact, to the buffer and the callback */
    BW_COLLIDE_COUNT = 2 /* the number of contacts only */
} bw_collide_mode;

/* Which axes may separate two boxes (van den Bergen 1997). */
typedef enum bw_box_test {
    BW_BOX_TEST_DEFAULT = 0, /* what measures best: now BW_BOX_TEST_SAT_LITE */
    BW_BOX_TEST_SAT = 1,     /* all 15: six faces, nine pairs of edges */
    BW_BOX_TEST_SAT_LITE = 2 /* the six face directions */
} bw_box_test;

/* Where a test of two volumes ended, counted by bw_collide_desc.axis_exits: the number of the axis that
 * proved them apart, or BW_AXIS_OVERLAP. AABB and OBB trees number van den Bergen's 15 axes: 0 to 2 the faces
 * of a's box, 3 to 5 those of b's, 6 + 3 i + j edge i of a's with edge j of b's. k-DOP trees number a's k/2
 * directions (first the axes, then cube corners, then cube edges) and after them, in the full test, b's. */
#define BW_AXIS_EXITS 27 /* entries of axis_exits */
#define BW_AXIS_OVERLAP 26

typedef enum bw_collide_status {
    BW_COLLIDE_COMPLETE = 0, /* the answer is whole */
    BW_COLLIDE_FOUND = 1,    /* mode ANY ended at its first contact */
    BW_COLLIDE_STOPPED = 2,  /* the callback asked to stop */
    BW_COLLIDE_BUFFER_FULL =
        3 /* the search is whole and hits counts all, but the buffer holds the first capacity only */
} bw_collide_status;

/* Returns false to stop. */
typedef bool bw_hit_fn(void *user, const bw_hit *hit);

/* All zero: is there any contact? */
typedef struct bw_collide_desc {
    bw_collide_mode mode;
    bw_box_test box_test;
    bw_hit *hits;         /* ANY: one hit; ALL: up to capacity; may be NULL */
    uint64_t capacity;    /* hits that fit */
    bw_hit_fn *on_hit;    /* called for each hit, in the same order; may be NULL */
    void *user;           /* given to on_hit */
    uint64_t *axis_exits; /* BW_AXIS_EXITS counts that this query adds to; NULL: none are kept */
    const bw_allocator
        *allocator; /* for the traversal stack when it outgrows its first 4 KB; NULL: the heap */
} bw_collide_desc;

typedef struct bw_collide_report {
    bw_collide_status status;
    uint64_t hits;          /* contacts found */
    uint64_t touching;      /* of these, touching only */
    uint64_t nodes_visited; /* pairs of nodes taken up */
    uint64_t box_tests;
    uint64_t primitive_tests;
    uint64_t exact_tests; /* primitive tests that the floating-point filter could not decide */
} bw_collide_report;

/* Finds the contacts of two bodies, exactly: no pair is missed and none is invented, touching included.
 *
 * The answer is exact for these coordinates: those of a as given, and those of b mapped by the relative pose
 * inverse(a.pose) * b.pose (b.pose itself where a.pose is NULL) as bw_transform_point maps. If both poses are
 * NULL no coordinate is touched.
 *
 * The order of the hits is the same for equal input. Quarantined primitives take no part.
 * BW_ERROR_UNSUPPORTED: the trees have different volumes (bw_tree_desc.volume). BW_ERROR_SINGULAR: a.pose has
 * no inverse. BW_ERROR_RANGE: a mapped coordinate of b leaves the exact range. On failure hits may hold a
 * part of the answer, the report is untouched. */
BW_API bw_result bw_collide(const bw_body *a, const bw_body *b, const bw_collide_desc *desc,
                            bw_collide_report *report);

#ifdef __cplusplus
}
#endif
#endif
