/* A glTF scene as it is gathered, and its JSON. */
#ifndef TOOL_REPORT_GLB_JSON_H
#define TOOL_REPORT_GLB_JSON_H

#include "report/geometry.h"
#include "report/pack.h"

/* Modes of primitives. */
enum { GLB_POINTS = 0, GLB_LINES = 1, GLB_TRIANGLES = 4 };
/* Materials: the palette, then these. */
enum { GLB_GREY = REPORT_COLOURS, GLB_CONTACT = REPORT_COLOURS + 1, GLB_MATERIALS = REPORT_COLOURS + 2 };

typedef struct glb_accessor {
    bool indices;
    size_t offset, count;
    float low[3], high[3];
} glb_accessor;

typedef struct glb_mesh {
    uint32_t positions, indices; /* accessors; BW_NONE: none */
    int mode, material;
} glb_mesh;

typedef struct glb_node {
    const char *name; /* NULL: a finding's */
    uint32_t mesh;    /* BW_NONE: nothing to draw */
    bool matrix;
    double m[3][3]; /* matrix */
    bw_vec3 at;
    size_t finding; /* name == NULL */
} glb_node;

/* All that is written. */
typedef struct glb_scene {
    const report *report;
    pack positions, indices;
    glb_accessor *accessors;
    glb_mesh *meshes;
    glb_node *nodes;
    size_t accessor_count, accessor_capacity, mesh_count, mesh_capacity, node_count, node_capacity;
} glb_scene;

void glb_json_write(const glb_scene *scene, FILE *out);

#endif
