/* A store as a model, for the commands that take files as a whole. */
#ifndef TOOL_STORE_TO_MODEL_H
#define TOOL_STORE_TO_MODEL_H

#include "io/model.h"
#include "store/store.h"

#include <boxwood/math.h>

/* All parts, or those whose boxes meet `near` (NULL: all): meshes once, with the places where they stand. */
bool store_to_model(const char *path, const bw_box *near, model *out, fault *why);

/* What the part is called in such a model, to be freed: of a store of several files the name begins with that of its file. */
char *store_part_path(const store *s, uint32_t part);

#endif
