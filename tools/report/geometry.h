/* A mesh of a report as pictures want it: only vertices that are used, as floats about a centre in double, so
 * that a part of a millimetre stays sharp a thousand kilometres from the origin. */
#ifndef TOOL_REPORT_GEOMETRY_H
#define TOOL_REPORT_GEOMETRY_H

#include "report/report.h"

typedef struct report_geometry {
    bw_vec3 centre;
    float *positions; /* x, y, z about the centre */
    float low[3], high[3];
    uint32_t vertex_count;
    uint32_t *indices; /* three per triangle; NULL: points */
    uint32_t triangle_count;
    uint32_t *sources; /* of each vertex: which of the mesh it is */
    uint32_t dropped;  /* triangles that name no vertex or one that is not finite; or such points */
} report_geometry;

/* The mesh at a time. Where it stands still, vertices at one place are one. Must be given to
 * report_geometry_free. */
report_geometry report_geometry_of(const report *report, uint32_t mesh, double time);
void report_geometry_free(report_geometry *geometry);
/* The positions of the same vertices in one of the mesh's frames, about the same centre. */
void report_geometry_frame(const report *report, uint32_t mesh, const report_geometry *geometry,
                           uint32_t frame, float *out);

/* A colour for each part, from 0: the two parts of a finding have different ones as long as a few colours
 * suffice. -1: in no finding. colours: room for part_count. */
enum { REPORT_COLOURS = 6 };
void report_colour_parts(const report *report, int8_t *colours);
/* Red, green and blue from 0 to 1, as screens show them. */
extern const float report_palette[REPORT_COLOURS][3];

#endif
