/* The traversal of a budgeted query on moments: eight children with eight, the likeliest pair first. */
#ifndef BW_ANYTIME_QUERY_QUERY_H
#define BW_ANYTIME_QUERY_QUERY_H

#include "anytime/anytime.h"
#include "anytime/model/model.h"
#include "anytime/moments/kernels.h"
#include "anytime/query/deadline.h"
#include "collide/pair/traverse.h"

/* The children of two nodes that are still to be looked into, two by two: bit 8 i + j is child i of b and
 * child j of a.
 *
 * A walk is a stack of these. Below are those whose pairs were weighed: of all their pairs the likeliest is
 * taken next, wherever it stands. Once enough were weighed what is taken is walked through plainly, the
 * nearest pair first, depth first, before the next of them: estimates tell much where the parts are large,
 * and below that a step without them is a quarter cheaper. The hazard of the pair that was taken is then
 * shared by all that is left of it. */
typedef struct bw_anytime_frame {
    uint64_t left;    /* pairs: if plain bits 8 i + j, else bits by their number in the list */
    uint32_t a, b;    /* nodes */
    uint32_t next;    /* the pair that is taken next, while there is one: as in left */
    float next_value; /* its hazard; if plain, that of each pair */
    uint32_t count;   /* of the list; 0: plain */
    bw_moment_list list;
} bw_anytime_frame;

/* A part of a body is a child of a node. */
typedef struct bw_anytime_pair {
    uint32_t node_a, node_b;
    uint16_t lane_a, lane_b;
    float hazard;
} bw_anytime_pair;

enum {
    BW_ANYTIME_REMEMBERED = 8,
    BW_ANYTIME_STACK = 32,
    BW_ANYTIME_WEIGHED = 16 /* frames, where a query only has a budget */
};

/* What a walk knows at any time; a query that is resumed goes on from it. */
typedef struct bw_anytime_progress {
    double evidence; /* sum of the hazards of all that is not decided */
    bool started;    /* the roots were compared */
    uint64_t steps, pairs;
    uint32_t weighed; /* frames */
    uint32_t counted, pruned, remembered;
    bw_anytime_pair pair[BW_ANYTIME_REMEMBERED]; /* the first that counted */
} bw_anytime_progress;

/* When to end. */
typedef struct bw_anytime_limits {
    float count_at, prune_at; /* hazards; count_at infinite: none counts */
    uint32_t k_min;
    const float *sure;     /* by stage: evidence that is enough; NULL: none is */
    uint32_t most_weighed; /* frames, at least 1: beyond these the walk is plain. UINT32_MAX where pairs count
                              or are pruned: those are weighed */
    uint64_t max_steps;    /* UINT64_MAX: any number */
    bw_deadline watch;
    bool (*go_on)(void *user);
    void *user;
} bw_anytime_limits;

typedef struct bw_anytime_traversal {
    const bw_moments *a, *b;
    const bw_moment_kernels *kernels;
    const bw_anytime_model *model;
    bw_moment_map map;
    uint32_t mapped_node; /* of b, whose parts are mapped; BW_NONE: none */
    bw_anytime_limits limits;
    bw_anytime_progress progress;
    bw_stack *stack; /* of bw_anytime_frame */
    bw_moment_mapped mapped;
    /* Told of every pair whose probability is estimated, for training; NULL: nobody. */
    void (*on_pair)(void *user, const bw_anytime_pair *pair, uint32_t kind, float distance);
    void *on_pair_user;
    bw_hit hit; /* the proven contact */
    bw_collide_desc desc;
    bw_hit_sink sink;
    bw_wide_plan plan;
    double gap;           /* of the frame, see collide/pair/error_bounds.h */
    bool triangles_ready; /* the frame's second half: made when the first two leaves are compared */
    bw_wide_side side_a, side_b;
    bw_traversal wide;
} bw_anytime_traversal;

/* simd: AUTO but in tests. both: boxes are compared along the axes of both bodies, which is sharper; where
 * unlikely pairs are pruned anyway it does not pay. The bodies' trees are wide and not empty. */
void bw_anytime_traversal_init(bw_anytime_traversal *walk, const bw_anytime_body *a, const bw_anytime_body *b,
                               const bw_relative_pose *pose, const bw_moment_map *map,
                               const bw_anytime_model *model, const bw_allocator *allocator, bw_simd simd,
                               bool both);
/* The stack is to be used, with what it holds; empty: the walk starts at the roots. */
void bw_anytime_traversal_start(bw_anytime_traversal *walk, bw_stack *stack);
/* Goes on until an end, which it returns in *status; fails with BW_ERROR_MEMORY or BW_ERROR_RANGE. */
bw_result bw_anytime_traversal_run(bw_anytime_traversal *walk, bw_anytime_reason *status);
/* The hazard of one pair at the present pose, 0 where its boxes are apart. */
float bw_anytime_traversal_hazard(bw_anytime_traversal *walk, const bw_anytime_pair *pair);
/* Whether the triangles of two leaves meet; walk->hit says which. One step. *whole is false where the time
 * was over before all were compared, and none of those that were meet. */
bw_result bw_anytime_traversal_leaves(bw_anytime_traversal *walk, uint32_t leaf_a, uint32_t leaf_b,
                                      bool *meet, bool *whole);
void bw_anytime_traversal_release(bw_anytime_traversal *walk);

/* Takes the next pair of a frame, which has one. */
bw_anytime_pair bw_anytime_frame_take(const bw_moment_kernels *kernels, bw_anytime_frame *frame);

/* From the units of b's statistics to those of a's. */
void bw_moment_map_prepare(bw_moment_map *map, const bw_relative_pose *pose, const bw_moments *a,
                           const bw_moments *b);

/* The hazard of two bodies as wholes: whether they meet, from no more than how far apart and how large they
 * are. 0 where their sizes are too unlike for that. */
float bw_anytime_whole_body(const bw_moments *a, const bw_moments *b, const bw_moment_map *map,
                            const bw_anytime_model *model);
/* What it is made of, for training; false: 0. */
bool bw_anytime_whole_body_of(const bw_moments *a, const bw_moments *b, const bw_moment_map *map,
                              float *distance);

#endif
