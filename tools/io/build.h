/* How readers fill a model: vertices and faces in the order of the file; polygons are cut into triangles at
 * the end, when every vertex is known. */
#ifndef TOOL_IO_BUILD_H
#define TOOL_IO_BUILD_H

#include "io/model.h"

typedef struct build {
    model model;
    bool lines;             /* the file has lines worth keeping */
    size_t vertex_capacity; /* of positions, in vertices, and of vertex_lines */
    uint32_t *corners;      /* of all faces, one after the other */
    size_t corner_count, corner_capacity;
    size_t closed_corners;        /* of those, corners of whole faces */
    uint32_t *sizes, *face_lines; /* corners and line of each face */
    size_t face_count, face_capacity, face_line_capacity;
    size_t part_capacity, *part_faces; /* first face of each part */
    size_t part_face_capacity;
    uint32_t label;        /* of faces from now on: what build_label returned, or BW_NONE */
    uint32_t *face_labels; /* of each face; only where there are labels */
    size_t label_capacity, face_label_count, face_label_capacity;
} build;

build build_start(const char *file, const char *format, bool lines);
/* Gives back everything; for readers that fail. */
void build_drop(build *build);

/* False: more than 32-bit indices can name. */
bool build_vertex(build *build, bw_vec3 position, uint32_t line);
/* Faces from now on belong to a new part. A part without faces is forgotten. */
void build_part(build *build, const char *name);
/* A name that triangles can have; the same one may be given many times. Returns its number for build.label. */
uint32_t build_label(build *build, const char *name);
/* Corners are added one by one, then closed into a face. An index that names no vertex stays what it is if it
 * is not below the vertex count (UINT32_MAX for negative and larger ones): validation will name it. */
void build_corner(build *build, uint32_t vertex);
/* Faces of one and two corners are counted as lost. */
void build_face(build *build, uint32_t line);
/* Cuts polygons and hands the model over; the build is then empty. A fault where nothing is left to work on.
 */
bool build_finish(build *build, model *out, fault *why);

#endif
