/* The table of contents of a page (html.h): everything but the numbers in bulk, and where in the chunks these
 * are. JSON, for page/data.js. */
#ifndef TOOL_REPORT_MANIFEST_H
#define TOOL_REPORT_MANIFEST_H

#include "report/geometry.h"

#include <stdio.h>

/* A place in a chunk. */
typedef struct manifest_spot {
    uint32_t chunk;
    size_t offset;
} manifest_spot;

typedef struct manifest_mesh {
    bool there; /* some part shows it */
    manifest_spot spot;
    uint32_t vertex_count, triangle_count;
    bool points;
    bw_vec3 centre;
    float low[3], high[3]; /* about the centre; of films, over all their frames */
    double step;           /* of films: what positions are multiples of, about the centre */
} manifest_mesh;

/* Frames that stand one after the other in a chunk. */
typedef struct manifest_frames {
    uint32_t mesh, first, count; /* of the frames that are in the page */
    manifest_spot spot;
} manifest_frames;

typedef struct manifest {
    const report *report;
    manifest_mesh *meshes;   /* by mesh */
    bool *boxed;             /* by part */
    manifest_spot *findings; /* of their segments, by finding */
    manifest_spot *layers;   /* by layer */
    bw_vec3 *layer_origins;  /* by layer */
    manifest_frames *frames; /* by mesh, then by first */
    size_t frames_count, frames_capacity;
    uint32_t frame_step;
    char **notes; /* beside those of the report */
    size_t note_count, note_capacity;
} manifest;

/* Which frames of a mesh are in the page: the first, the last, those at jumps and every frame_step-th. */
bool manifest_keeps_frame(const manifest *manifest, const report_mesh *mesh, uint32_t frame);
void manifest_write(const manifest *manifest, FILE *out);

#endif
