/* Deciding pairs of triangles whose corners are at hand, eight at a time in floats where that is certain,
 * exactly elsewhere: the lower half of a query on wide trees, without trees. */
#ifndef BW_INCREMENTAL_JUDGE_H
#define BW_INCREMENTAL_JUDGE_H

#include "collide/hit_sink.h"
#include "collide/pair/kernels.h"

typedef struct bw_judge {
    bw_hit_sink *sink;
    const bw_wide_kernels *kernels;
    bw_simd simd;            /* a level, not AUTO */
    const uint32_t *indices; /* of the one mesh, for self-contacts; NULL: two meshes, or points */
    bw_wide_batch batch;
    bw_vec3 a[BW_BATCH_ROW][3], b[BW_BATCH_ROW][3];
} bw_judge;

void bw_judge_init(bw_judge *judge, bw_hit_sink *sink, const uint32_t *indices);
/* Takes a pair up, and decides when enough have come. False when the query is to stop. */
bool bw_judge_pair(bw_judge *judge, uint32_t primitive_a, const bw_vec3 a[3], uint32_t primitive_b,
                   const bw_vec3 b[3]);
/* Decides all that wait. */
bool bw_judge_finish(bw_judge *judge);

#endif
