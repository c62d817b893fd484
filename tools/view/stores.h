/* Part stores in a page: their meshes are read one by one, when they are drawn. */
#ifndef TOOL_VIEW_STORES_H
#define TOOL_VIEW_STORES_H

#include "assembly_source.h"

typedef struct view_store {
    assembly assembly;   /* its store is NULL: that file is none */
    uint32_t first_mesh; /* of the report */
    assembly_source source;
} view_store;

typedef struct view_stores {
    view_store *list; /* one for each file */
    int count;
    report_source source;
} view_stores;

void view_stores_start(view_stores *stores, int files);
/* Opens a file that store_is; of the model only what units are decided by. */
bool view_stores_open(view_stores *stores, int file, const char *path, model *out, fault *why);
bool view_stores_has(const view_stores *stores, int file);
/* Adds its meshes and parts, mapped by the transform if that is not NULL. The stores must outlive the report. */
void view_stores_fill(view_stores *stores, int file, const bw_transform *map, report *report);
void view_stores_free(view_stores *stores);

#endif
