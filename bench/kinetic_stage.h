/* Two things that move by keyframes and meet: a dress and the walking body under it, or a cloth that falls on
 * a table, which stands still. What benches of pairs in motion have in common. */
#ifndef BENCH_KINETIC_STAGE_H
#define BENCH_KINETIC_STAGE_H

#include "inputs.h"

typedef struct kinetic_stage {
    bws_film films[2]; /* the second only with the dress */
    bws_mesh table;    /* only with the cloth */
    double table_times[2];
    const void *table_frames[2];
    bw_mesh meshes[2];
    bw_motion motions[2];
    bw_plan *plans[2]; /* only where they move on curves */
    bw_moving moving[2];
    uint32_t movers; /* the first so many of the two move */
    uint32_t frames; /* drawn */
    double end;
} kinetic_stage;

typedef struct kinetic_stage_desc {
    bool dress;         /* else the cloth */
    uint32_t triangles; /* of it, */
    uint32_t other;     /* and of the body or the table; 0: the table's own number */
    uint32_t segments;  /* keyframes but one, */
    uint32_t between;   /* with so many frames each */
    bool curved; /* by plans instead: every vertex on the parabola through its first, middle and last place */
} kinetic_stage_desc;

/* The stage must not move afterwards. */
void kinetic_stage_make(kinetic_stage *stage, const kinetic_stage_desc *desc);
void kinetic_stage_free(kinetic_stage *stage);
/* Of a frame drawn, from 0 on: the first comes one step after the beginning. */
double kinetic_stage_time(const kinetic_stage *stage, uint32_t frame);

#endif
