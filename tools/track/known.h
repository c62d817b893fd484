/* What shards have measured, so that it is not measured again: the depth of two parts at a time depends on nothing else. */
#ifndef TOOL_TRACK_KNOWN_H
#define TOOL_TRACK_KNOWN_H

#include "track/track.h"

typedef struct track_measured {
    uint32_t part_a, part_b;
    bool close; /* as the deepest moment is, not as every frame */
    track_moment moment;
    char *details[2]; /* with close */
} track_measured;

struct track_known {
    track_measured *list;
    size_t count, capacity;
};

/* Takes over what the entry leads to. */
void track_known_add(track_known *known, const track_measured *entry);
/* After the last is added. */
void track_known_sort(track_known *known);
/* NULL: it is not known. */
const track_measured *track_known_find(const track_known *known, uint32_t part_a, uint32_t part_b,
                                       double time, bool close);
/* The moment with segments of its own, or without. */
track_moment track_known_moment(const track_measured *entry, bool curves);
void track_known_free(track_known *known);

#endif
