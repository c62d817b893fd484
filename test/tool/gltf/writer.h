/* Writes glTF files for tests: numbers go into accessors of any kind, and the whole out as text or GLB, plain
 * or with its buffer views compressed by meshoptimizer. */
#ifndef TEST_GLTF_WRITER_H
#define TEST_GLTF_WRITER_H

#include "scenes/random.h"

#include <jansson.h>

/* How an accessor is written. */
typedef struct written {
    unsigned width; /* 1 to 4, 16: a matrix */
    int component;  /* 5120 to 5126 */
    bool normalized;
    unsigned gap;    /* bytes after each element; a multiple of 4 gives a byteStride */
    unsigned before; /* bytes before the first */
    int sparse;      /* 0: no; 1: over a view; 2: over zeros */
    int packed;      /* how meshoptimizer may take its view: 0 not, else one of PACK_ */
    int filter;      /* FILTER_ */
} written;

enum { PACK_ATTRIBUTES = 1, PACK_TRIANGLES, PACK_INDICES };
enum { FILTER_NONE, FILTER_OCTAHEDRAL, FILTER_QUATERNION, FILTER_EXPONENTIAL };

typedef struct writer_view {
    uint8_t *bytes; /* as decoders must give them */
    size_t size, stride;
    uint8_t *encoded; /* before the filter; NULL: the same */
    int packed, filter;
    size_t count;
} writer_view;

typedef struct writer {
    json_t *doc;
    writer_view *views;
    size_t view_count;
    bws_random *random;
} writer;

writer writer_start(bws_random *random);
void writer_free(writer *w);
/* Adds an object to one of the lists of the document; returns its index. Takes the reference. */
int writer_add(writer *w, const char *list, json_t *object);
/* count elements; returns the index of the accessor. Numbers are rounded to what the components can hold. */
int writer_accessor(writer *w, const double *numbers, size_t count, written how);
int writer_view_of(writer *w, const void *bytes, size_t size, size_t stride);

typedef enum writer_form { FORM_GLB, FORM_TEXT, FORM_GLB_MESHOPT, FORM_TEXT_MESHOPT } writer_form;
/* The file; free() gives it back. */
uint8_t *writer_file(writer *w, writer_form form, size_t *size);
/* The bytes as base64. */
char *writer_base64(const uint8_t *bytes, size_t size);

#endif
