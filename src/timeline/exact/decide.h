/* Whether two triangles meet, from the signs of volumes, areas and differences of their corners alone: at a
 * time at which coordinates are no doubles, but roots of polynomials, signs are all there is.
 *
 * Corners are numbered. Two triangles that share nothing: 0 to 2 and 3 to 5. That share a vertex: 0 is the
 * vertex, 1 and 2 are the others of the first triangle, 3 and 4 of the second. That share an edge: 0 and 1
 * are its ends, 2 is the third corner of the first triangle, 3 of the second. */
#ifndef BW_TIMELINE_EXACT_DECIDE_H
#define BW_TIMELINE_EXACT_DECIDE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum bw_pair_kind { BW_PAIR_APART = 0, BW_PAIR_VERTEX = 1, BW_PAIR_EDGE = 2 } bw_pair_kind;

enum { BW_PAIR_CORNERS = 6, BW_PAIR_VOLUMES = 15 };

/* Which volumes decide: of the corners p, q, r, s the determinant of q - p, r - p, s - p. */
typedef struct bw_pair_volumes {
    int corners, volumes;
    uint8_t volume[BW_PAIR_VOLUMES][4];
} bw_pair_volumes;

extern const bw_pair_volumes bw_pair_volumes_of[3]; /* by kind */

/* The sign of something is -1, 0, 1, or not known. */
enum { BW_SIGN_OPEN = 2 };

typedef enum bw_verdict { BW_VERDICT_APART, BW_VERDICT_CONTACT, BW_VERDICT_OPEN } bw_verdict;

/* Where signs come from. All are certain. */
typedef struct bw_sign_source {
    int (*volume)(void *context, int i);                       /* of the table above */
    int (*area)(void *context, int p, int q, int r, int axis); /* (q - p) x (r - p) along an axis */
    int (*order)(void *context, int p, int q, int axis);       /* q - p along an axis */
    void *context;
} bw_sign_source;

bool bw_decide(bw_pair_kind kind, const bw_sign_source *signs);

/* Triangles that share nothing: in contact if they have a point in common (decide_triangles.c). */
bool bw_decide_triangles(const bw_sign_source *signs);
/* That share a vertex or an edge: if they have a point in common beyond it, as bw_contact_beyond_shared of
 * collide/self/shared_features.h has it (decide_neighbours.c). */
bool bw_decide_vertex(const bw_sign_source *signs);
bool bw_decide_edge(const bw_sign_source *signs);

/* Parts of bw_decide_vertex, for signs of which some may be open. By the volumes; OPEN: some are open, or all
 * are zero. */
bw_verdict bw_decide_cones(const int volumes[4]);
/* Cones that have area seen along an axis, by the signs of their own areas and of u_i x v_j: apart, or in
 * contact, if they lie in one plane; where they do not, apart is apart all the same. */
bw_verdict bw_decide_flat_cones(int own_u, int own_v, int cross[2][2]);

#endif
