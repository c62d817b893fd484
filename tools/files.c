/* Folders and lists of files become files. */
#define _POSIX_C_SOURCE 200809L
#include "files.h"

#include "io/readers.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void add(files *f, const char *name)
{
    f->args.names = tool_grow(f->args.names, (size_t)f->args.count, &f->capacity, sizeof *f->args.names);
    f->args.names[f->args.count++] = name;
}

static const char *own(files *f, char *name)
{
    f->own = tool_grow(f->own, f->own_count, &f->own_capacity, sizeof *f->own);
    return f->own[f->own_count++] = name;
}

static bool is_folder(const char *name)
{
    struct stat status;
    return stat(name, &status) == 0 && S_ISDIR(status.st_mode);
}

static int visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* By bytes, whatever the locale. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

enum { DEEPEST = 64 }; /* folders in folders: links may run in a circle */

static bool add_folder(files *f, const char *folder, int depth, fault *why)
{
    if (depth == DEEPEST)
        return fault_set(why, "%s: folders in folders, more than %d of them", folder, DEEPEST);
    struct dirent **entries;
    int count = scandir(folder, &entries, visible, by_name);
    if (count < 0)
        return fault_set(why, "%s: %s", folder, strerror(errno));
    bool fine = true;
    for (int i = 0; i < count; i++) {
        size_t size = strlen(folder) + strlen(entries[i]->d_name) + 2;
        char *name = tool_alloc(size, 1);
        snprintf(name, size, "%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/",
                 entries[i]->d_name);
        own(f, name);
        if (fine && is_folder(name))
            fine = add_folder(f, name, depth + 1, why);
        else if (fine && format_is_read(name))
            add(f, name);
        free(entries[i]);
    }
    free(entries);
    return fine;
}

static bool add_any(files *f, const char *name, fault *why)
{
    if (*name == 0 || !is_folder(name)) {
        add(f, name);
        return true;
    }
    int before = f->args.count;
    return add_folder(f, name, 0, why) &&
           (f->args.count > before || fault_set(why,
                                                "%s: no file in this folder has a name of a format that "
                                                "is read here",
                                                name));
}

static bool add_list(files *f, const char *list, fault *why)
{
    text t;
    if (!text_open(strcmp(list, "-") == 0 ? "/dev/stdin" : list, &t, why))
        return fault_set(why, "--files-from %s: %s", list, strerror(errno));
    bool fine = true;
    int before = f->args.count;
    for (const char *at = t.data; at < t.end && fine;) {
        const char *newline = memchr(at, '\n', (size_t)(t.end - at)), *end = newline ? newline : t.end;
        size_t length = (size_t)(end - at) - (end > at && end[-1] == '\r');
        if (memchr(at, 0, length)) {
            fine = fault_set(why, "--files-from %s: a zero byte: not a list of names", list);
        } else if (length > 0) {
            char *name = tool_alloc(length + 1, 1);
            memcpy(name, at, length);
            name[length] = 0;
            fine = add_any(f, own(f, name), why);
        }
        at = newline ? newline + 1 : t.end;
    }
    text_close(&t);
    return fine && (f->args.count > before || fault_set(why, "--files-from %s: names no file", list));
}

bool files_expand(const args *given, files *out, fault *why)
{
    *out = (files){.args = *given};
    out->args.names = NULL;
    out->args.count = 0;
    for (int i = 0; i < given->count; i++)
        if (!add_any(out, given->names[i], why))
            return false;
    const char *list;
    for (int i = 0; (list = args_each(given, "files-from", i)); i++)
        if (!add_list(out, list, why))
            return false;
    return out->args.count > 0 ||
           fault_set(why, "no files: usage: boxwood %s %s", given->command->name, given->command->usage);
}

void files_free(files *f)
{
    for (size_t i = 0; i < f->own_count; i++)
        free(f->own[i]);
    free(f->own);
    free(f->args.names);
}

int files_run(const args *given, int (*run)(const args *given))
{
    fault why;
    files all;
    int result = files_expand(given, &all, &why) ? run(&all.args) : complain("%s", why.text);
    files_free(&all);
    return result;
}
