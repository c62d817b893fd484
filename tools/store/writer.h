/* Writes a store from front to back. What it holds in memory is in proportion to the parts, not to their triangles. */
#ifndef TOOL_STORE_WRITER_H
#define TOOL_STORE_WRITER_H

#include "store/encode.h"

#include <stdio.h>

typedef struct store_array {
    unsigned char *bytes;
    size_t size, capacity;
} store_array;

typedef struct store_writer {
    char *path, *unfinished; /* what is written until it is whole is called PATH.unfinished */
    FILE *out;
    uint64_t offset;
    store_array tables[STORE_TABLES];
    uint32_t counts[STORE_TABLES];
    uint64_t primitives, left_out;
    bool failed;
} store_writer;

/* Every writer that was opened must be given to store_writer_close. */
bool store_writer_open(store_writer *out, const char *path, fault *why);
/* The parts that follow are this file's. */
bool store_writer_file(store_writer *w, const char *path, fault *why);
/* *mesh receives the number that parts know it by. */
bool store_writer_mesh(store_writer *w, const store_block *block, uint32_t *mesh, fault *why);

typedef struct store_new_part {
    uint32_t mesh;
    uint64_t first_triangle;
    const char *name;
    const bw_transform *pose; /* NULL: none */
    bw_box box;
} store_new_part;

bool store_writer_part(store_writer *w, const store_new_part *part, fault *why);
/* Where whole: writes the tables and gives the file its name, replacing what had it. Otherwise, or where that fails, nothing
 * is left but what was there before. up: a model_up. */
bool store_writer_close(store_writer *w, bool whole, double unit, uint32_t up, fault *why);

#endif
