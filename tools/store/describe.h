/* What boxwood info tells of a store, from its tables alone unless everything is to be read. */
#ifndef TOOL_STORE_DESCRIBE_H
#define TOOL_STORE_DESCRIBE_H

#include "json.h"
#include "store/store.h"

/* Reads and checks every mesh and builds its tree; progress is shown. */
bool store_verify(const store *store, fault *why);
void store_print(const store *store, bool parts, bool verified);
/* Into an object that is open. */
void store_json(const store *store, bool parts, bool verified, json_writer *j);

#endif
