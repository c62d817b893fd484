/* From files to a store: some files at a time are read, their meshes encoded in parallel, and written in their order. */
#ifndef TOOL_STORE_PACKING_H
#define TOOL_STORE_PACKING_H

#include "body.h"
#include "store/writer.h"
#include "units.h"

typedef struct packing {
    store_writer *to;
    const char *const *files;
    uint32_t file_count;
    const units *space; /* of all files together */
    bool trees, quarantine, keep_going;
    const bw_tasks *tasks;
    uint32_t skipped_files, skipped_parts;
    uint64_t parts, meshes, primitives;
    double unit; /* of the store */
    model_up up;
} packing;

/* Unit and up axis of each file that states them, so that all can be brought into one space while they pass: formats that
 * state none are not read for it, and a single file is not either, as it stays as it is. */
bool packing_units(const char *const *files, uint32_t count, const unit_wish *wish, bool keep_going,
                   units *out, fault *why);
/* Writes all files. Memory is in proportion to the files that are read at a time (PACKING_BYTES of them, or one that is
 * larger) and to the number of parts. */
bool packing_run(packing *p, fault *why);

#endif
