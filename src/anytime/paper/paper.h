/* The estimator of Klein and Zachmann, "Time-Critical Collision Detection Using an Average-Case Approach",
 * VRST 2003, as published. Numbers of equations and sections are the paper's. */
#ifndef BW_ANYTIME_PAPER_PAPER_H
#define BW_ANYTIME_PAPER_PAPER_H

#include "base/array.h"

#include <boxwood/anytime.h>

enum {
    BW_PAPER_SIDE = 8,    /* cells along each side of a bounding volume (section 4.2.2) */
    BW_PAPER_CELLS = 512, /* in all */
    BW_PAPER_REGIONS = 8, /* of the first level (section 3.4.3), 2 x 2 x 2 */
    BW_PAPER_FILLED = 10, /* x of Eq. 8 goes up to this (section 3.5.2) */
    BW_PAPER_OCTREE_DEPTH = 8
};

/* Nodes in preorder: the children of node i begin at i + 1 and follow each other by their ends. */
typedef struct bw_paper_node {
    bw_box box; /* never flat: the thinnest side is a thousandth of the longest at least */
    float volume;
    uint32_t end; /* one past its subtree; i + 1: a leaf */
    uint16_t depth;
    uint16_t cells;                   /* possible collision cells (definition 2) */
    uint8_t region[BW_PAPER_REGIONS]; /* of these in each region, at most 64 */
} bw_paper_node;

typedef struct bw_paper {
    bw_paper_node *nodes;
    uint32_t count, depth;
} bw_paper;

/* ---- structure ---- */

bw_result bw_paper_make(const bw_anytime_desc *desc, const bw_tree *tree, const bw_mesh *mesh,
                        const bw_allocator *allocator, bw_paper *out);
void bw_paper_release(const bw_allocator *allocator, bw_paper *paper);
/* NULL if a fresh count gives the same and every structure holds, otherwise a sentence. */
const char *bw_paper_check(const bw_paper *paper, const bw_anytime_desc *desc, const bw_tree *tree,
                           const bw_mesh *mesh, const bw_allocator *allocator);
/* Possible collision cells a node, and the share of inner nodes without any. */
void bw_paper_cell_stats(const bw_paper *paper, double *mean, double *without);

/* ---- cells ---- */

/* The largest rectangle in a cuboid (figure 4: a^2 sqrt(2) in a cube). */
double bw_paper_max_area(const double side[3]);
/* Adds the area of a triangle in each cell of a box to area[x + 8 y + 64 z]. */
void bw_paper_clip(const bw_box *box, const bw_vec3 corner[3], double area[BW_PAPER_CELLS]);
/* Definition 2 over all cells, in all and by region. */
void bw_paper_count(const double area[BW_PAPER_CELLS], double least, bw_paper_node *node);

/* ---- probabilities ---- */

/* Eq. 6: of u bins, v with a blue and w with a red ball, at least x have both; v, w <= u <= 512. For x = 1 ..
 * BW_PAPER_FILLED, into out[x - 1]. From logarithms of factorials: off by less than 1e-11. (The paper keeps
 * ten tables of some hundred megabytes before they are thinned; this takes 4 KB.) */
void bw_paper_filled(uint32_t u, uint32_t v, uint32_t w, double out[BW_PAPER_FILLED]);
extern const double bw_paper_log_factorial[BW_PAPER_CELLS + 1];
/* Eq. 8. */
double bw_paper_collision(uint32_t s, uint32_t s_a, uint32_t s_b, double lower_bound);

/* ---- volumes (section 3.6) ---- */

/* max(V1, V2, V3) for two boxes of sides a >= b >= c whose middles are d apart. */
double bw_paper_volume_equal(const double side[3], double d);
/* Two balls. */
double bw_paper_volume_balls(double r, double s, double d);

/* ---- one pair ---- */

typedef struct bw_paper_parameters {
    uint32_t s, s_a, s_b;
} bw_paper_parameters;
/* Sections 3.4.1 to 3.4.3, for two nodes whose boxes meet; map: from b's frame to a's. */
bw_paper_parameters bw_paper_parameters_of(const bw_paper *a, uint32_t node_a, const bw_paper *b,
                                           uint32_t node_b, const bw_transform *map);
/* Eq. 5: cells of a leaf that is `ratio` times as large as the volume whose cells count. */
double bw_paper_refined(double cells, double ratio);
/* computeProb of figure 5. */
double bw_paper_probability(const bw_paper *a, uint32_t node_a, const bw_paper *b, uint32_t node_b,
                            const bw_transform *map);

#endif
