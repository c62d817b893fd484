/* Boxwood: when do moving points, edges and triangles first touch?
 *
 * Every vertex moves on a straight line from where it stands at time 0 to where it stands at time 1, at
 * constant speed: one step of a simulator. Everything is closed: touching is contact, at times 0 and 1 too,
 * and degenerate edges and faces (points, segments) are answered as what they are.
 *
 * No contact is ever missed. The answer is decided by floating-point filters with proven bounds and, where
 * these cannot tell, by exact integers on a grid of 2^-52 in time: see docs/ideas/continuous.md. Coordinates
 * must be zero or within [BW_EXACT_MIN, BW_EXACT_MAX] in magnitude, else BW_ERROR_RANGE.
 */
#ifndef BOXWOOD_CCD_H
#define BOXWOOD_CCD_H

#include <boxwood/math.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bw_ccd_answer {
    BW_CCD_APART = 0,   /* never in contact: proven */
    BW_CCD_CONTACT = 1, /* in contact at some time within [time, time_after]: proven */
    BW_CCD_CLOSE = 2    /* the finest resolution was reached without telling contact from a near miss; to be
                           taken as contact. Without a separation: 2^-52 in time; with one: the tolerance */
} bw_ccd_answer;

/* All zero is the default. */
typedef struct bw_ccd_desc {
    uint32_t size;     /* zero, or as BW_SIZED sets it */
    double tolerance;  /* how far `time` may lie before the true first contact: 2^-50 to 1; 0: 2^-20 */
    double separation; /* contact is a distance of at most this: at least 0 */
} bw_ccd_desc;

/* The first contact lies within [time, time_after]: `time` is never later than the true one, and it is at
 * most the tolerance earlier (BW_CCD_CLOSE: than the time of the near miss). */
typedef struct bw_ccd_result {
    bw_ccd_answer answer;
    bool exact;              /* the floating-point filters could not decide, exact integers did */
    double time, time_after; /* 1 and 1 when apart */
} bw_ccd_result;

/* A vertex and a face. points: the vertex, then the three corners, at time 0 and at time 1. With a corner
 * given twice it is a vertex and an edge, with one given three times two vertices. desc may be NULL.
 * BW_ERROR_NOT_FINITE and BW_ERROR_RANGE for bad coordinates, BW_ERROR_ARGUMENT for a bad descriptor. */
BW_API bw_result bw_ccd_vertex_face(const bw_vec3 start[4], const bw_vec3 end[4], const bw_ccd_desc *desc,
                                    bw_ccd_result *out);
/* Two edges: the two ends of the first, then those of the second. */
BW_API bw_result bw_ccd_edge_edge(const bw_vec3 start[4], const bw_vec3 end[4], const bw_ccd_desc *desc,
                                  bw_ccd_result *out);

/* Which parts of two bodies meet first. */
typedef enum bw_ccd_feature {
    BW_CCD_NOTHING = 0,     /* apart */
    BW_CCD_START = 1,       /* they meet at time 0 already */
    BW_CCD_VERTEX_FACE = 2, /* corner `a` of the first triangle, and the second */
    BW_CCD_FACE_VERTEX = 3, /* the first triangle, and corner `b` of the second */
    BW_CCD_EDGE_EDGE = 4,   /* edge `a` of the first (from corner a to the next), edge `b` of the second */
    /* In boxwood/swept.h only, where edges and points stand alone and where nearest features are told */
    BW_CCD_VERTEX_EDGE = 5,
    BW_CCD_EDGE_VERTEX = 6,
    BW_CCD_VERTEX_VERTEX = 7
} bw_ccd_feature;

typedef struct bw_ccd_triangle_result {
    /* The earliest of all; of equal ones the first of: vertices of a, vertices of b, edges */
    bw_ccd_result first;
    bw_ccd_feature feature;
    uint32_t a, b; /* corners or edges, 0 to 2; 0 where the feature names none */
} bw_ccd_triangle_result;

/* Two moving triangles: the first contact of the six pairs of a vertex and a face and the nine of edges, or
 * that they meet from the start (with a separation: where a pair is that near at time 0). */
BW_API bw_result bw_ccd_triangle_triangle(const bw_vec3 a_start[3], const bw_vec3 a_end[3],
                                          const bw_vec3 b_start[3], const bw_vec3 b_end[3],
                                          const bw_ccd_desc *desc, bw_ccd_triangle_result *out);

#ifdef __cplusplus
}
#endif
#endif
