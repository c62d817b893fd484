/* The fast layout: nodes of eight child boxes as structure of arrays, leaves of up to eight primitives.
 *
 * Why: measured on rigid and deforming meshes, an 8-wide tree with leaves of eight visits far fewer nodes than a
 * binary one and turns every box test into a lane of a register. Leaves keep their own copy of the corners where
 * the mesh is rigid (no gather while querying), and only the list of their vertices where it deforms (a refit then
 * reads each vertex about once a leaf and writes each box once).
 */
#ifndef BW_TREE_WIDE_H
#define BW_TREE_WIDE_H

#include <boxwood/tree.h>

enum { BW_WIDTH = 8 };

#define BW_WIDE_LEAF 0x80000000u /* set in a child reference that names a leaf */

/* 256 bytes, aligned to 64. Lanes 0..count-1 are in use; the boxes of the others are empty (min > max), but tests
 * must mask them by count all the same: arithmetic on an empty box proves nothing. */
typedef struct bw_wide_node {
    float min[3][BW_WIDTH];
    float max[3][BW_WIDTH];
    uint32_t child[BW_WIDTH]; /* node index, or BW_WIDE_LEAF | leaf index; BW_NONE in unused lanes */
    uint32_t count;           /* 1..8 */
    uint32_t parent;          /* node index; BW_NONE at the root */
    uint32_t parent_lane;
    uint32_t reserved[5];
} bw_wide_node;

typedef struct bw_wide_leaf {
    uint32_t parent;  /* node index */
    uint8_t lane;     /* in the parent */
    uint8_t count;    /* primitives, 1..8 */
    uint16_t reserved;
} bw_wide_leaf;

/* The corners of a leaf's primitives, relative to an origin near them and rounded to float (each coordinate is off by
 * at most half an ulp of its relative value, since the difference is taken in double). A point's corners coincide. Unused slots repeat slot 0. */
typedef struct bw_wide_corners {
    float coordinate[3][3][BW_WIDTH]; /* [corner][axis][slot] */
    float origin[3];
    float magnitude; /* the largest |relative coordinate| of the leaf */
    float reserved[4];
} bw_wide_corners;

typedef struct bw_wide {
    bw_wide_node *nodes; /* nodes[0] is the root; children after their parent */
    uint32_t node_count, node_capacity;
    bw_wide_leaf *leaves; /* in the order in which a depth-first walk meets them */
    uint32_t *primitives; /* BW_WIDTH slots a leaf; BW_NONE in unused slots */
    uint32_t leaf_count, leaf_capacity;
    bw_wide_corners *corners; /* one a leaf, or NULL in the compact form */
    uint32_t *vertex_first;   /* leaf_count + 1 offsets into vertices (the vertices of each leaf, each once) */
    uint32_t *vertices;
    bw_box bounds;
} bw_wide;

#endif
