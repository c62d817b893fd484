/* Accessors: arrays of numbers of every component type, normalised or not, strided, sparse or all zeros. */
#ifndef TOOL_IO_GLTF_ACCESSOR_H
#define TOOL_IO_GLTF_ACCESSOR_H

#include "io/gltf/document.h"

typedef enum component {
    COMPONENT_BYTE = 5120,
    COMPONENT_UBYTE = 5121,
    COMPONENT_SHORT = 5122,
    COMPONENT_USHORT = 5123,
    COMPONENT_UINT = 5125,
    COMPONENT_FLOAT = 5126
} component;

typedef struct accessor {
    uint32_t index, count;
    component component;
    unsigned rows, columns; /* 1 column: a scalar or vector */
    bool normalized;
    uint32_t view; /* BW_NONE: zeros */
    uint64_t offset;
} accessor;

/* What may stand in a component, as bits. */
enum {
    TAKES_FLOAT = 1,
    TAKES_NORMALIZED_8_16 = 2, /* unsigned */
    TAKES_SIGNED_NORMALIZED_8_16 = 4,
    TAKES_PLAIN_8_16 = 8, /* not normalised: signed and unsigned */
    TAKES_INDICES = 16,   /* unsigned of any width */
    TAKES_ANY_8_16 = TAKES_NORMALIZED_8_16 | TAKES_SIGNED_NORMALIZED_8_16 | TAKES_PLAIN_8_16,
    TAKES_ANY = 31
};

/* The accessor that an index at `at` names. rows, columns and takes are what its elements may be; rows 0:
 * anything. */
bool accessor_open(gltf *g, const path *at, unsigned rows, unsigned columns, unsigned takes, accessor *out);
/* All its numbers, columns of matrices one after the other, normalised where it says so. They live until the
 * meshes are read (or g->blocks are given back). */
bool accessor_read(gltf *g, const accessor *a, const double **out);
size_t accessor_width(const accessor *a);
/* "VEC3 of normalised short", for faults. */
const char *accessor_kind(const accessor *a, char text[64]);
/* A number as the specification's table of normalised integers has it. */
double accessor_normalize(component c, double value);

#endif
