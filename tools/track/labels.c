/* Which bones and materials are in contact: the labels of triangles, counted. */
#include "track/track.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LABELS = 3 }; /* that are told */

void track_add_label(const track *t, uint32_t part, uint32_t triangle, track_labels *l)
{
    const model *m = &t->objects[t->parts[part].object].model;
    if (!m->labels || m->labels[triangle] == BW_NONE)
        return;
    l->list = tool_grow(l->list, l->count, &l->capacity, sizeof *l->list);
    l->list[l->count++] = m->labels[triangle];
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static char *append(char *words, const char *more)
{
    size_t length = words ? strlen(words) : 0, added = strlen(more);
    words = tool_resize(words, length + added + 1, 1);
    memcpy(words + length, more, added + 1);
    return words;
}

char *track_tell_labels(const track *t, uint32_t part, track_labels *l)
{
    char *const *names = t->objects[t->parts[part].object].model.label_names;
    char *words = NULL;
    size_t counts[MOST_LABELS] = {0}, kinds = 0;
    uint32_t best[MOST_LABELS] = {0};
    if (l->count > 0)
        qsort(l->list, l->count, sizeof *l->list, by_number);
    for (size_t i = 0, end; i < l->count; i = end, kinds++) {
        for (end = i; end < l->count && l->list[end] == l->list[i];)
            end++;
        size_t k = MOST_LABELS;
        for (; k > 0 && end - i > counts[k - 1]; k--)
            if (k < MOST_LABELS) {
                counts[k] = counts[k - 1];
                best[k] = best[k - 1];
            }
        if (k < MOST_LABELS) {
            counts[k] = end - i;
            best[k] = l->list[i];
        }
    }
    for (size_t k = 0; k < MOST_LABELS && k < kinds; k++)
        words = append(k > 0 ? append(words, "; ") : words, names[best[k]]);
    if (kinds > MOST_LABELS)
        words = append(words, "; ...");
    free(l->list);
    *l = (track_labels){.list = NULL};
    return words;
}
