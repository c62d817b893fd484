/* Which of many continuous queries are certainly apart, four at a time: the first two stages of
 * geom/ccd/quick.h, and for faces directions across the edges; with a separation axes and the directions to
 * the nearest points. The same answers at every SIMD level, bit by bit. */
#ifndef BW_GEOM_CCD_FILTER_H
#define BW_GEOM_CCD_FILTER_H

#include "base/simd/level.h"

#include <boxwood/ccd.h>

/* A vertex at both ends of its path: x, y, z at time 0, any finite number, x, y, z at time 1, another. */
typedef struct bw_ccd_path {
    double at[8];
} bw_ccd_path;

/* The four vertices of a query, in the order of bw_ccd_vertex_face or bw_ccd_edge_edge. */
typedef struct bw_ccd_four {
    const bw_ccd_path *p[4];
} bw_ccd_four;

/* How near is contact. */
typedef struct bw_ccd_separation {
    double all;         /* for all queries; 0: they touch */
    const double *each; /* for every query its own instead; NULL: `all` */
} bw_ccd_separation;

/* Whether any is above 0. */
static inline bool bw_ccd_separates(const bw_ccd_separation *separation)
{
    return separation->each != NULL || separation->all > 0;
}

/* Writes the indices of the queries that may come within their separation, ascending, to
 * out, which has room for count, and returns how many they are. Coordinates within the exact range. simd is a
 * level, not AUTO. */
uint32_t bw_ccd_filter(bool edges, const bw_ccd_four *queries, uint32_t count,
                       const bw_ccd_separation *separation, bw_simd simd, uint32_t *out);

/* Of the queries listed, which are for certain nearer than their separation at time 0 already. */
void bw_ccd_near_start(bool edges, const bw_ccd_four *queries, const uint32_t *which, uint32_t count,
                       const bw_ccd_separation *separation, bw_simd simd, bool *out);

#if BW_SIMD_X86
uint32_t bw_ccd_filter_avx2(bool edges, const bw_ccd_four *queries, uint32_t count,
                            const bw_ccd_separation *separation, uint32_t *out);
void bw_ccd_near_start_avx2(bool edges, const bw_ccd_four *queries, const uint32_t *which, uint32_t count,
                            const bw_ccd_separation *separation, bool *out);
#endif

#endif
