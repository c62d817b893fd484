/* Random meshes with known defects, and a plain second opinion on them. */
#ifndef BW_TEST_MESH_DAMAGED_H
#define BW_TEST_MESH_DAMAGED_H

#include <boxwood/mesh.h>

#include "scenes/random.h"

enum { DAMAGED_VERTICES = 60, DAMAGED_TRIANGLES = 80, DAMAGED_STRIDE = 5 };

typedef struct damaged {
    float f32[DAMAGED_VERTICES * DAMAGED_STRIDE];
    double f64[DAMAGED_VERTICES * DAMAGED_STRIDE];
    uint32_t indices[3 * DAMAGED_TRIANGLES];
    bw_mesh mesh;
} damaged;

/* Small integers as coordinates, so that areas are often zero; some replaced by values outside the
 * range, some indices outside theirs. Any scalar, stride, count; triangles or points. */
void damaged_make(damaged *d, bws_random *random);

/* What bw_mesh_validate must find; `areas` false: without zero areas and unused vertices, as bw_mesh_scan. */
void damaged_expect(const bw_mesh *mesh, bool areas, bw_mesh_report *report);
/* The defect of one primitive by itself. */
bw_defect damaged_defect(const bw_mesh *mesh, uint32_t primitive, bool areas);

#endif
