/* Moments that are known, sorted by who and when. */
#include "track/known.h"

#include <stdlib.h>
#include <string.h>

void track_known_add(track_known *k, const track_measured *entry)
{
    k->list = tool_grow(k->list, k->count, &k->capacity, sizeof *k->list);
    k->list[k->count++] = *entry;
}

static int compare(const void *p, const void *q)
{
    const track_measured *x = p, *y = q;
    if (x->part_a != y->part_a)
        return x->part_a < y->part_a ? -1 : 1;
    if (x->part_b != y->part_b)
        return x->part_b < y->part_b ? -1 : 1;
    if (x->close != y->close)
        return x->close ? 1 : -1;
    return (x->moment.time > y->moment.time) - (x->moment.time < y->moment.time);
}

void track_known_sort(track_known *k)
{
    if (k->count > 0)
        qsort(k->list, k->count, sizeof *k->list, compare);
}

const track_measured *track_known_find(const track_known *k, uint32_t part_a, uint32_t part_b, double time,
                                       bool close)
{
    const track_measured wanted = {
        .part_a = part_a, .part_b = part_b, .close = close, .moment = {.time = time}};
    return k && k->count > 0 ? bsearch(&wanted, k->list, k->count, sizeof *k->list, compare) : NULL;
}

track_moment track_known_moment(const track_measured *entry, bool curves)
{
    track_moment m = entry->moment;
    m.segments = NULL;
    if (!curves)
        m.segment_count = 0;
    if (m.segment_count > 0) {
        m.segments = tool_alloc(m.segment_count, sizeof *m.segments);
        memcpy(m.segments, entry->moment.segments, m.segment_count * sizeof *m.segments);
    }
    return m;
}

void track_known_free(track_known *k)
{
    for (size_t i = 0; i < k->count; i++) {
        free(k->list[i].moment.segments);
        free(k->list[i].details[0]);
        free(k->list[i].details[1]);
    }
    free(k->list);
    *k = (track_known){.list = NULL};
}
