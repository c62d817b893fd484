/* A file as the library takes it: read, placed, a tree built. */
#ifndef TOOL_BODY_H
#define TOOL_BODY_H

#include "io/model.h"
#include "json.h"

#include <boxwood/tree.h>

typedef struct body {
    model model;
    bw_mesh mesh; /* of model */
    bw_tree *tree;
    double build_seconds;
} body;

/* Reads the file and prints its warnings; pose, if not NULL, is applied to the vertices. No tree yet. */
bool body_read(const char *file, const bw_transform *pose, body *out, fault *why);
/* Builds the tree. Where defects are in the way the fault names the first; with quarantine they are left out.
 */
bool body_build(body *body, bool quarantine, fault *why);
void body_free(body *body);

/* Describes the report's first defect: "part.obj:7: triangle 17 (mesh "lid", face 9, line 30): vertex 4: y =
 * nan: NaN coordinate". Returns false, as fault_set does. */
bool body_defect(const body *body, const bw_fault *where, fault *out);
/* Names the first primitive with that very defect in out->first and its fellows; untouched if there is none.
 */
void body_first_defect(const body *body, bw_defect kind, bw_fault *out);
/* "triangle 17 (mesh "lid", face 9, line 7)", or "point 17". */
void body_name(const body *body, uint32_t primitive, char *out, size_t size);
/* The same as the object `key`. */
void body_json(const body *body, uint32_t primitive, json_writer *j, const char *key);
/* "triangles" or "points". */
const char *body_kind(const body *body);

/* Seconds of a clock that only goes forward. */
double seconds_now(void);

#endif
