/* boxwood track: files in motion, who touches whom from when to when, and what a check of single frames would
 * have missed. */
#ifndef TOOL_TRACK_H
#define TOOL_TRACK_H

#include "io/animation.h"

#include <boxwood/incremental.h>

/* A file that moves or stands, over the whole time of all. */
typedef struct track_object {
    model model;
    bw_mesh mesh;
    uint32_t frame_count;
    double *times;
    const void **frames; /* the first and the last may stand twice: it rests before and after its film */
    double *posed;       /* frames mapped by a pose; NULL: none */
    bool moves;
    uint32_t welded; /* with --self: vertices that are always where another is, taken as that */
    bw_motion motion;
} track_object;

/* Two objects, or two triangles of them, in contact. */
typedef struct track_contact {
    uint32_t object_a, object_b, triangle_a, triangle_b; /* triangles: the first to touch */
    double from, to;
    bool cut_start, cut_end; /* in contact before the film, still in contact at its end */
    uint64_t most;           /* pairs of triangles at once */
} track_contact;

enum { TRACK_RATES = 3, TRACK_DEEPEST = 3 };
extern const int track_rates[TRACK_RATES]; /* frames a second */

/* A frame and how deep two objects are in each other there. */
typedef struct track_frame {
    double time, depth;
    bool solid; /* how far a vertex is inside the closed surface of the other; otherwise how far two triangles
                   pierce each other */
    uint64_t pairs;
    uint32_t object_a, object_b;
} track_frame;

typedef struct track {
    track_object *objects;
    uint32_t count;
    double begin, end; /* of the film */
    bool self, first_only;
    double fps; /* of the frames looked at for depth */
    track_contact *contacts;
    size_t contact_count, contact_capacity;
    uint64_t triangle_contacts, instants;
    uint64_t missed[TRACK_RATES], missed_triangles[TRACK_RATES]; /* contacts between two frames */
    track_frame deepest[TRACK_DEEPEST];
    uint32_t deepest_count;
    bw_timeline_report report;
    double seconds;
} track;

bool track_open(track *t, const char *file, const animation_desc *desc, const bw_transform *pose, fault *why);
/* Lets every object stand before and after its film, so that all have the same time. */
bool track_align(track *t, fault *why);
/* Whether contacts can be looked for: not where too many triangles are shrunk into one point. */
bool track_not_shrunk(const track *t, fault *why);
bool track_search(track *t, fault *why);
bool track_deepest(track *t, fault *why);
void track_free(track *t);

void track_text(const track *t);
void track_json(const track *t);
void track_csv(const track *t);
bool track_svg(const track *t, const char *file, fault *why);

#endif
