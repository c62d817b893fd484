/* Paths of nodes as names of parts, made unique by a hash table of all names. */
#include "io/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *names_join(const char *above, const char *name, uint32_t index)
{
    char number[32];
    if (!name || !*name) {
        snprintf(number, sizeof number, "node %" PRIu32, index);
        name = number;
    }
    const char *head = above ? above : "";
    size_t length = strlen(head) + strlen(name) + 2;
    char *path = tool_alloc(length, 1);
    snprintf(path, length, "%s%s%s", head, *head ? "/" : "", name);
    if (strlen(path) <= NAMES_LONGEST)
        return path;
    const char *end = path + strlen(path) - (NAMES_LONGEST - 4), *slash = strchr(end, '/');
    if (slash)
        end = slash + 1;
    while (((unsigned char)*end & 0xC0) == 0x80) /* not within a character of UTF-8 */
        end++;
    char *cut = tool_alloc(NAMES_LONGEST + 1, 1);
    snprintf(cut, NAMES_LONGEST + 1, ".../%s", end);
    free(path);
    return cut;
}

typedef struct entry {
    const char *name; /* NULL: empty */
    uint32_t next;    /* the number that the next part of this name tries */
} entry;

typedef struct table {
    entry *entries;
    size_t mask;
} table;

/* The entry of a name, or the empty one where it belongs. */
static entry *find(const table *t, const char *name)
{
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    for (const char *c = name; *c; c++)
        hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
    size_t at = (size_t)(hash ^ hash >> 32) & t->mask;
    while (t->entries[at].name && strcmp(t->entries[at].name, name) != 0)
        at = (at + 1) & t->mask;
    return &t->entries[at];
}

static void rename_part(const table *t, char **name)
{
    entry *first = find(t, *name);
    size_t size = strlen(*name) + 16;
    char *other = tool_alloc(size, 1);
    entry *own;
    do {
        snprintf(other, size, "%s (%" PRIu32 ")", *name, first->next++);
        own = find(t, other);
    } while (own->name);
    *own = (entry){other, 2};
    /* The old name stands in the table only as the part's that came first. */
    free(*name);
    *name = other;
}

void names_unique(model *m)
{
    uint32_t count = m->places ? m->place_count : m->part_count;
    char ***names = tool_alloc(count, sizeof *names);
    bool *taken = tool_alloc(count, sizeof *taken);
    table t = {NULL, 15};
    while (t.mask < 4 * (size_t)count)
        t.mask = 2 * t.mask + 1;
    t.entries = tool_alloc(t.mask + 1, sizeof *t.entries);
    for (size_t i = 0; i <= t.mask; i++)
        t.entries[i] = (entry){NULL, 2};
    for (uint32_t i = 0; i < count; i++) {
        names[i] = m->places ? &m->places[i].name : &m->parts[i].name;
        if (!*names[i] || !**names[i]) {
            char number[32];
            snprintf(number, sizeof number, "part %" PRIu32, i);
            free(*names[i]);
            *names[i] = tool_copy(number);
        }
        entry *e = find(&t, *names[i]);
        taken[i] = e->name != NULL;
        e->name = taken[i] ? e->name : *names[i];
    }
    for (uint32_t i = 0; i < count; i++)
        if (taken[i])
            rename_part(&t, names[i]);
    free(t.entries);
    free(taken);
    free(names);
}
