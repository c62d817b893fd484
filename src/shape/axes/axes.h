/* How deep two solids of few vertices cross: the least distance of a facet of their difference. */
#ifndef BW_SHAPE_AXES_H
#define BW_SHAPE_AXES_H

#include "base/simd/level.h"
#include "shape/gjk.h"

/* As bw_epa_contact, of boxes and hulls that have a Gauss map. False, too, where there are more facets than there is room for, where the
 * sizes are too different, or edges all but parallel. The search has vertices of the facet afterwards, for bw_gjk_keep. */
bool bw_axes_contact(bw_gjk *g, double limit, bw_gap *out);
bool bw_axes_contact_128(bw_gjk *g, double limit, bw_gap *out);
bool bw_axes_contact_avx2(bw_gjk *g, double limit, bw_gap *out);

/* A facet of the difference that may be the nearest. */
typedef struct bw_facet {
    double least;  /* its depth is no less, if it is one */
    uint8_t kind;  /* a bw_facet_kind */
    uint16_t i, j; /* numbers of the face, of which j is the one in the search, or of the edges */
} bw_facet;

typedef enum bw_facet_kind { BW_FACET_A = 0, BW_FACET_B = 1, BW_FACET_EDGES = 2 } bw_facet_kind;

enum { BW_FACETS = 64 };

/* The nearest facet so far. */
typedef struct bw_axes_answer {
    bw_vec3 normal; /* from a to b */
    double depth, error;
    double proven; /* the least of all depths, less their errors */
    double loss;   /* of what is proven; infinite: nothing is */
    const bw_facet *of;
    uint32_t a, b;           /* vertices of it */
    uint32_t face_a, face_b; /* 1 and the numbers of faces; 0: not known */
} bw_axes_answer;

/* How far the vertices of a core must reach to be, but for roundings, as deep below a face as the deepest. */
typedef struct bw_axes_level {
    const bw_convex *core;
    bw_vec3 direction;
    double least;
} bw_axes_level;

/* Takes a face into account. */
bw_axes_level bw_axes_take_face(const bw_gjk *g, const bw_facet *c, bw_axes_answer *best);
bool bw_axes_reaches(const bw_axes_level *level, uint32_t vertex);
/* Takes pairs of edges into account; all other facets are known not to be less deep. As bw_axes_contact. */
bool bw_axes_prove(bw_gjk *g, const bw_facet *facets, int count, bw_axes_answer *best, double limit,
                   bw_gap *out);

/* The edges of a box, by rows as those of bw_hull_map of few points. */
enum { BW_BOX_EDGES = 12, BW_BOX_EDGE_ROWS = 32 };
extern const uint8_t bw_box_edges[4 * BW_BOX_EDGE_ROWS];

#endif
