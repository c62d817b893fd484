/* What the examples share: the end at a fault, and two small meshes. */
#ifndef EXAMPLES_COMMON_H
#define EXAMPLES_COMMON_H

#include <boxwood/boxwood.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Goes on after a success; after a failure it says what failed and where, and ends the program. */
static inline void must(bw_result result, const bw_fault *fault)
{
    if (result != BW_OK) {
        char text[200];
        bw_fault_describe(fault, text, sizeof text);
        fprintf(stderr, "%s\n", text);
        exit(1);
    }
}

enum {
    CELLS = 32, /* along each side of a sheet, and of the sheet that is folded into a ball */
    VERTICES = (CELLS + 1) * (CELLS + 1),
    TRIANGLES = 2 * CELLS * CELLS
};

/* A mesh with its own memory. The view `mesh` points into it, so a shape is filled where it stays. */
typedef struct shape {
    float xyz[VERTICES][3];
    uint32_t indices[TRIANGLES][3];
    bw_mesh mesh;
} shape;

/* A flat square sheet around the origin, in the plane z = 0, with corners at +-half. */
static inline void make_sheet(shape *s, double half)
{
    for (uint32_t v = 0; v < VERTICES; v++) {
        s->xyz[v][0] = (float)(half * (2.0 * (v % (CELLS + 1)) / CELLS - 1));
        s->xyz[v][1] = (float)(half * (2.0 * (v / (CELLS + 1)) / CELLS - 1));
        s->xyz[v][2] = 0;
    }
    for (uint32_t cell = 0; cell < CELLS * CELLS; cell++) {
        uint32_t v = cell / CELLS * (CELLS + 1) + cell % CELLS, *t = s->indices[2 * cell];
        t[0] = v, t[1] = v + 1, t[2] = v + CELLS + 2;
        t[3] = v, t[4] = v + CELLS + 2, t[5] = v + CELLS + 1;
    }
    s->mesh = (bw_mesh){
        .positions = s->xyz, .vertex_count = VERTICES, .indices = s->indices[0], .triangle_count = TRIANGLES};
}

/* A closed ball around the origin: the sheet folded into an octahedron, and blown up. */
static inline void make_ball(shape *s, double radius)
{
    make_sheet(s, 1);
    for (uint32_t v = 0; v < VERTICES; v++) {
        double x = s->xyz[v][0], y = s->xyz[v][1], z = 1 - fabs(x) - fabs(y);
        if (z < 0) {
            double fold = 1 - fabs(y);
            y = copysign(1 - fabs(x), y);
            x = copysign(fold, x);
        }
        double scale = radius / sqrt(x * x + y * y + z * z);
        s->xyz[v][0] = (float)(x * scale), s->xyz[v][1] = (float)(y * scale),
        s->xyz[v][2] = (float)(z * scale);
    }
}

#endif
