/* Names of files as they are given: files themselves, folders of them, and lists (--files-from). */
#ifndef TOOL_FILES_H
#define TOOL_FILES_H

#include "options.h"

#define FILES_FROM_OPTION                                                                                    \
    {                                                                                                        \
        "files-from", "LIST", "read further names of files from LIST, one a line; - is the standard input"   \
    }

/* The arguments with all files in the place of folders and lists. A folder stands for the files in it, and in
 * folders in it, whose name ends as those of formats that are read here; in the order of their names; those
 * that begin with a point are left out. Everything else is as in `given`, which must stay. The fault names
 * the folder or list at fault; a folder without such files is one. Give it to files_free either way. */
typedef struct files {
    args args;  /* names and count are these files */
    char **own; /* names that were made here */
    size_t own_count, own_capacity;
    size_t capacity;
} files;

bool files_expand(const args *given, files *out, fault *why);
void files_free(files *files);
/* Runs a command with its files expanded; its exit code, or that of the fault. */
int files_run(const args *given, int (*run)(const args *given));

#endif
