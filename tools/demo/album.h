/* What boxwood demo --out leaves: a page and a picture for each act, and an index.html that shows them. */
#ifndef TOOL_DEMO_ALBUM_H
#define TOOL_DEMO_ALBUM_H

#include "report/report.h"
#include "stage.h"

/* A frame of an act: where both meshes are, and where they meet. */
typedef struct album_frame {
    double time;
    double *positions[2];
    uint64_t pairs;
    report_segment *segments;
    size_t segment_count;
} album_frame;

typedef struct album {
    const char *folder; /* NULL: nothing is kept */
    /* the present act */
    const char *title, *text, *name_a, *name_b;
    album_frame *frames;
    size_t frame_count, frame_capacity;
    /* acts that are written */
    struct album_act {
        char *title, *text, *file;
        uint64_t most_pairs;
    } * acts;
    size_t act_count, act_capacity;
} album;

/* Makes the folder. */
bool album_start(album *album, const char *folder, fault *why);
/* The stage with the hits of a query with that pose (NULL: none). */
void album_add(album *album, const stage *stage, uint64_t hit_count, const bw_transform *pose, double time);
/* Writes page and picture of the act whose frames were added, and forgets them. */
bool album_end_act(album *album, const stage *stage, fault *why);
/* Writes index.html. */
bool album_finish(album *album, fault *why);
void album_free(album *album);

#endif
