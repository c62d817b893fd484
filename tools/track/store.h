/* A part store that stands still while other files move: its meshes stay on disk, and only parts that something comes near in a
 * piece of time are read, through a cache of bounded size. */
#ifndef TOOL_TRACK_STORE_H
#define TOOL_TRACK_STORE_H

#include "report/report.h"
#include "track/track.h"

/* The part's mesh where it stands in the common space. */
typedef struct track_placed {
    double *positions;
    uint32_t *indices;
    bw_mesh mesh;
} track_placed;

/* Parts that are near, as one mesh, in their order. */
typedef struct track_near {
    track_placed all;
    uint32_t *parts, *first; /* of track.parts; the first triangle of each in the mesh */
    uint32_t count;
} track_near;

/* Fills in the model of an object without any geometry. */
bool track_store_open(const char *file, size_t memory, track_object *out, fault *why);
/* Brings it into the common space; NULL: it is there. */
void track_store_map(track_store *store, const bw_transform *map);
void track_store_close(track_store *store);

uint32_t track_store_part_count(const track_store *store);
/* Part `part` of them: no indices, no frames. */
track_part track_store_part(const track_store *store, uint32_t object, uint32_t part);
/* A sum that tells one store, put somewhere, from another. */
uint64_t track_store_sum(const track_store *store, uint64_t *bytes);

/* Any thread. part: of the store's. */
bool track_store_place(track_store *store, uint32_t part, track_placed *out, fault *why);
void track_placed_free(track_placed *placed);
/* A motion of rest over the whole time, as that of any file that stands still. two: room for it. */
bw_motion track_placed_motion(const track *t, const track_placed *placed, const track_piece *piece,
                              track_rest *two);
/* What others come near in the piece; may be nothing. */
bool track_store_near(const track *t, uint32_t object, const track_piece *piece, track_near *out, fault *why);
void track_near_free(track_near *near);

/* One thread: the face and the line of a triangle, and the meshes for a report. What cannot be read is remembered. */
report_triangle track_store_triangle(track_store *store, uint32_t part, uint32_t triangle);
report_source *track_store_source(const track *t);
void track_store_box(const track_store *store, uint32_t part, bw_box *out);
/* Why reading has failed; NULL: it has not. */
const char *track_store_failed(const track *t);

#endif
