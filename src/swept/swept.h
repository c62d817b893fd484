/* A mesh with its step, ready for queries.
 *
 * One tree, over the swept primitives: triangles, then edges of no triangle, then points of neither. Every
 * vertex and every edge belongs to one leaf, the first that holds a primitive of it: so no pair is found
 * twice, and one walk over pairs of leaves serves vertices against faces and edges against edges. The boxes
 * of a leaf's features stand in groups of eight.
 *
 * The next step keeps tree and groups and rewrites their boxes, in the same memory, until the tree has
 * degraded: then it is built for the boxes as they are.
 */
#ifndef BW_SWEPT_SWEEP_H
#define BW_SWEPT_SWEEP_H

#include "collide/pair/open.h"
#include "geom/box.h"
#include "geom/ccd/filter.h"

#include <boxwood/swept.h>

/* Eight features: their numbers, vertices and swept boxes, grown by their thickness. Unused lanes are empty
 * (min > max). */
typedef struct bw_swept_group {
    float min[3][BW_WIDTH], max[3][BW_WIDTH];
    uint32_t id[BW_WIDTH];
    uint32_t vertex[3][BW_WIDTH]; /* where there are fewer than three, the first again */
} bw_swept_group;

/* Where a vertex is during the step: x, y and z of the least corner of its box, its thickness, negated, and
 * of the greatest corner, negated, and the same again. So the box of several has the least of each, and is to
 * be grown by their greatest thickness. No number is -0. */
typedef struct bw_swept_bounds {
    float at[8];
} bw_swept_bounds;

/* Its path in floats, each the nearest: x, y, z, 0 at time 0, and at time 1. */
typedef struct bw_swept_floats {
    float at[8];
} bw_swept_floats;

static inline bw_swept_bounds bw_swept_union(const bw_swept_bounds *a, const bw_swept_bounds *b)
{
    bw_swept_bounds out;
    for (int i = 0; i < 8; i++)
        out.at[i] = a->at[i] < b->at[i] ? a->at[i] : b->at[i];
    return out;
}

/* Grown; sums are rounded to the nearest, for which bw_swept_growth makes up. */
static inline bw_box bw_swept_box(const bw_swept_bounds *b)
{
    const float *at = b->at;
    return (bw_box){{at[0] + at[3], at[1] + at[3], at[2] + at[3]},
                    {0 - (at[4] + at[7]), 0 - (at[5] + at[7]), 0 - (at[6] + at[7])}};
}

/* The thickness of a vertex stands in the unused numbers of its path: negated at time 0, as it is at time 1.
 */
static inline double bw_swept_thickness(const bw_ccd_path *path)
{
    return path->at[7];
}

/* The groups that so many features take. */
#define BW_SWEPT_EIGHTS(count) (((uint32_t)(count) + BW_WIDTH - 1) / BW_WIDTH)

/* The features of a leaf, in groups from `first` on: faces (one group), vertices, edges; then once more those
 * edges that belong to no triangle, and those vertices that belong to no edge (one group each, or none). */
typedef struct bw_swept_leaf {
    uint32_t first;
    uint8_t face_count, vertex_count, edge_count, loose_edge_count, point_count;
} bw_swept_leaf;

enum { BW_SWEPT_FEATURES = BW_CCD_VERTEX_VERTEX + 1 };

struct bw_swept {
    bw_allocator allocator;
    uint32_t vertex_count, triangle_count, edge_count;
    uint32_t face_edge_count; /* edges from here on belong to no triangle */
    uint32_t point_count;     /* vertices that collide and belong to no edge */
    bool thick;               /* a vertex has a thickness */
    bw_ccd_path *paths;       /* by vertex */
    bw_ccd_path *spare;      /* where the next step's are written: until it is sound the present one stands */
    bw_swept_bounds *bounds; /* of the paths, by vertex */
    bw_swept_floats *floats; /* likewise */
    uint32_t (*faces)[3];
    uint32_t (*edges)[2]; /* low, high; as given where of no triangle */
    uint32_t *face_edges; /* three a triangle; BW_NONE where there is none */
    uint32_t *points;
    bw_wide tree;
    bw_swept_leaf *leaves; /* by leaf of the tree */
    bw_swept_group *groups;
    uint32_t leaf_count, group_count; /* as allocated */
    double built_cost;                /* bw_wide_cost of the tree as built */
    double excess; /* what queries are taken to have lost to a degraded tree since, in builds */
};

/* What the tree is made of. */
static inline uint32_t bw_swept_primitive_count(const bw_swept *s)
{
    return s->triangle_count + (s->edge_count - s->face_edge_count) + s->point_count;
}

/* The box of a face and of an edge during the step. */
static inline bw_box bw_swept_face_box(const bw_swept *s, uint32_t face)
{
    const uint32_t *v = s->faces[face];
    bw_swept_bounds b = bw_swept_union(&s->bounds[v[0]], &s->bounds[v[1]]);
    b = bw_swept_union(&b, &s->bounds[v[2]]);
    return bw_swept_box(&b);
}
static inline bw_box bw_swept_edge_box(const bw_swept *s, uint32_t edge)
{
    bw_swept_bounds b = bw_swept_union(&s->bounds[s->edges[edge][0]], &s->bounds[s->edges[edge][1]]);
    return bw_swept_box(&b);
}

/* Writes the bounds of the paths, and the paths in floats. */
void bw_swept_bound(bw_swept *s, const bw_tasks *tasks);
/* Writes the boxes of tree and groups for the bounds as they are. */
void bw_swept_refit(bw_swept *s, const bw_tasks *tasks);

/* Groups of a leaf. */
static inline const bw_swept_group *bw_swept_faces(const bw_swept *s, uint32_t leaf)
{
    return &s->groups[s->leaves[leaf].first];
}
static inline const bw_swept_group *bw_swept_vertices(const bw_swept *s, uint32_t leaf)
{
    return &s->groups[s->leaves[leaf].first + 1];
}
static inline const bw_swept_group *bw_swept_edges(const bw_swept *s, uint32_t leaf)
{
    return &s->groups[s->leaves[leaf].first + 1 + BW_SWEPT_EIGHTS(s->leaves[leaf].vertex_count)];
}

static inline const bw_swept_group *bw_swept_loose_edges(const bw_swept *s, uint32_t leaf)
{
    return bw_swept_edges(s, leaf) + BW_SWEPT_EIGHTS(s->leaves[leaf].edge_count);
}
static inline const bw_swept_group *bw_swept_points(const bw_swept *s, uint32_t leaf)
{
    return bw_swept_loose_edges(s, leaf) + BW_SWEPT_EIGHTS(s->leaves[leaf].loose_edge_count);
}

static inline bw_box bw_swept_leaf_box(const bw_swept *s, uint32_t leaf)
{
    const bw_wide_leaf *l = &s->tree.leaves[leaf];
    return bw_wide_lane_box(&s->tree.nodes[l->parent], l->lane);
}

/* Pairs of candidates on their way from the walk to the tests. */
enum { BW_SWEPT_BATCH = 256 };

typedef struct bw_swept_pairs {
    uint32_t count;
    uint32_t a[BW_SWEPT_BATCH], b[BW_SWEPT_BATCH]; /* eight are written at a time */
} bw_swept_pairs;

/* What one worker does at a time: the walk over one part of the pairs of nodes. */
typedef struct bw_swept_traversal {
    const bw_swept *a, *b; /* equal for a mesh against itself */
    float grow;            /* all boxes are grown by this on every side */
    bw_simd simd;
    const bw_allocator *allocator;
    /* Takes a batch: called when there is no room for eight more. */
    void (*flush)(struct bw_swept_traversal *walk, bw_ccd_feature feature);
    bw_swept_pairs batches[BW_SWEPT_FEATURES]; /* by feature */
    uint64_t box_tests;
    bool stop; /* set by flush: give up */
} bw_swept_traversal;

static inline bw_swept_pairs *bw_swept_batch(bw_swept_traversal *walk, bw_ccd_feature feature)
{
    return &walk->batches[feature];
}

/* A part of a walk: pairs of children of two nodes that are to be visited, or were, with leaves left to compare. */
typedef struct bw_swept_item {
    bw_wide_item nodes;
    uint64_t leaves; /* pairs of children that are leaves; 0: not visited yet */
} bw_swept_item;
/* Where every walk begins. */
#define BW_SWEPT_ROOT ((bw_swept_item){{0, 0, 0xFFu, 0xFFu}, 0})

/* Walks from one part. False when memory runs out. The last batches are left for the caller to flush. */
bool bw_swept_traverse_from(bw_swept_traversal *walk, const bw_swept_item *start);
/* The parts one level below, in the order in which the walk takes them; returns how many. Each
 * pair of leaves is one; one is left as it is. */
enum { BW_SWEPT_SPLIT = BW_WIDTH * BW_WIDTH };
uint32_t bw_swept_split(bw_swept_traversal *walk, const bw_swept_item *item,
                        bw_swept_item out[BW_SWEPT_SPLIT]);

/* What is far, for paths in floats: farther than the distance though differences are off by the slack, at
 * all times of a window. */
typedef struct bw_swept_far {
    float distance, beyond, slack; /* beyond: a difference of coordinates that says so */
    float from, to;                /* the window; 0 and 1: the whole step */
    const float *each; /* the distance of each query instead, readable in eights; NULL: one for all */
} bw_swept_far;

/* Of paths whose coordinates are no larger than the extent: each is off by half an ulp, a difference by two
 * halves of the largest. At times between, a position is off by six halves: those of both ends, of their
 * difference, which is twice as large, of its product with the time, and of the sum. */
static inline bw_swept_far bw_swept_far_from(double distance, double extent, double from, double to)
{
    bool whole = from == 0 && to == 1;
    double slack = (whole ? 0x1.2p-23 : 0x1p-20) * extent + 0x1p-140;
    return (bw_swept_far){.distance = bw_float_up(distance),
                          .beyond = bw_float_up((distance + slack) * (1 + 0x1p-20)),
                          .slack = bw_float_up(slack),
                          .from = bw_float_down(from),
                          .to = bw_float_up(to)};
}

/* The inner loops, at three levels with the same pairs in the same order (kernels_template.h). */
typedef struct bw_swept_kernels {
    /* The pairs of children of two nodes that meet, of the lanes chosen; all boxes are grown on every side. */
    bw_wide_meeting (*nodes)(const bw_wide_node *a, uint32_t lanes, const bw_wide_node *b, uint32_t rows,
                             float grow);
    /* The pairs of features of two leaves, into the batches of the walk. */
    void (*leaves)(bw_swept_traversal *walk, uint32_t a, uint32_t b);
    /* Of candidates found before, those whose boxes meet now, into the batches of the walk. */
    void (*again)(bw_swept_traversal *walk, const bw_swept_candidate *list, uint64_t count);
    /* Whether all bounds are within others. */
    bool (*inside)(const bw_swept_bounds *bounds, const bw_swept_bounds *others, uint32_t count);
    /* Writes which queries, each four vertices as in bw_ccd_four, may come within a distance, ascending, and
     * returns how many. */
    uint32_t (*not_far)(bool edges, const bw_swept_floats *const (*queries)[4], uint32_t count,
                        const bw_swept_far *far, uint32_t *out);
    /* The bounds of paths, and the paths in floats. */
    void (*bound)(const bw_ccd_path *paths, uint32_t count, bw_swept_bounds *out, bw_swept_floats *floats);
    /* The boxes of the groups of leaves begin .. end - 1, and of the leaves in their nodes. */
    void (*refit)(bw_swept *s, uint32_t begin, uint32_t end);
} bw_swept_kernels;

extern const bw_swept_kernels bw_swept_kernels_128, bw_swept_kernels_avx2;
/* simd is a level, not AUTO. */
const bw_swept_kernels *bw_swept_kernels_of(bw_simd simd);

#endif
