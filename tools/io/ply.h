/* The head of a PLY file, as its two halves of the reader share it. */
#ifndef TOOL_IO_PLY_H
#define TOOL_IO_PLY_H

#include "io/build.h"
#include "io/text.h"

typedef enum ply_type {
    PLY_NONE,
    PLY_I8,
    PLY_U8,
    PLY_I16,
    PLY_U16,
    PLY_I32,
    PLY_U32,
    PLY_F32,
    PLY_F64
} ply_type;
typedef enum ply_role { PLY_OTHER, PLY_X, PLY_Y, PLY_Z, PLY_CORNERS } ply_role;

typedef struct ply_property {
    ply_type count; /* PLY_NONE: not a list */
    ply_type type;
    ply_role role;
} ply_property;

enum { PLY_VERTEX = 1, PLY_FACE = 2, PLY_STRIP = 3 };

typedef struct ply_element {
    char name[32];
    int kind; /* 0: skipped */
    uint64_t count;
    ply_property *properties;
    size_t property_count, property_capacity;
} ply_element;

typedef struct ply {
    text *t;
    fault *why;
    build build;
    bool binary, big;
    ply_element *elements;
    size_t element_count, element_capacity;
    double *list; /* the list just read */
    size_t list_count, list_capacity;
} ply;

/* Reads the head: afterwards the text stands at the first byte of data. */
bool ply_read_head(ply *ply);

#endif
