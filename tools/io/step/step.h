/* STEP, IGES and BREP files through OpenCASCADE, an optional part of the build (BOXWOOD_STEP): the assembly tree with its names,
 * a shape that stands in many places once, millimetres. Curved surfaces become triangles, which a note says. */
#ifndef TOOL_IO_STEP_STEP_H
#define TOOL_IO_STEP_STEP_H

#include "io/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* In a process of its own, as what assimp reads. */
bool read_step(const char *file, model *out, fault *why);

/* What the C++ file hands over, shape by shape; model.c makes a model of it. */
typedef struct step_build step_build;
void step_vertex(step_build *build, double x, double y, double z);
void step_triangle(step_build *build, uint32_t a, uint32_t b, uint32_t c); /* of the shape's vertices */
/* Begins a shape; those of before stay. */
void step_shape(step_build *build, const char *name);
/* Puts a shape, counted from 0, somewhere. */
void step_place(step_build *build, uint32_t shape, const char *name, const double pose[12]);
/* How far triangles may be from the surfaces (millimetres, degrees), and what was wrong in the file. */
void step_accuracy(step_build *build, double length, double angle);
void step_note(step_build *build, const char *text);

/* Reads a file into build; false with a sentence in text. Throws nothing. */
bool step_read_occt(const char *file, step_build *build, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
