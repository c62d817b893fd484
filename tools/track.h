/* boxwood track: files in motion, who touches whom from when to when, and what a check of single frames would
 * have missed. */
#ifndef TOOL_TRACK_H
#define TOOL_TRACK_H

#include "io/film.h"

#include <boxwood/motion.h>
#include <boxwood/timeline.h>

/* A file that moves or stands, over the whole time of all. */
typedef struct track_object {
    model model;
    stream stream; /* until its film is held */
    bw_mesh mesh;
    uint32_t frame_count;
    double *times;       /* ascending; one that stands twice: before and after a jump */
    const void **frames; /* the first and the last may stand twice: it rests before and after its film */
    bw_scalar scalar;    /* of the frames */
    bool moves;
    uint32_t welded; /* with --self: vertices that are always where another is, taken as that */
} track_object;

/* A time in which nothing jumps, from one jump to the next. */
typedef struct track_piece {
    double from, to;
    bool instant; /* of no length: what is after a jump at the very end */
} track_piece;

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
    double begin, end;   /* of the film */
    track_piece *pieces; /* one after the other */
    uint32_t piece_count;
    double *cuts; /* further times between two pieces; for tests */
    uint32_t cut_count;
    double unit; /* metres to a unit of the common space; 0: nobody says */
    model_up up;
    bool self, first_only;
    double fps; /* of the frames looked at for depth */
    track_contact *contacts;
    size_t contact_count, contact_capacity;
    uint64_t triangle_contacts, instants;
    uint64_t missed[TRACK_RATES], missed_triangles[TRACK_RATES]; /* contacts between two frames */
    track_frame deepest[TRACK_DEEPEST];
    uint32_t deepest_count;
    double seconds;
} track;

bool track_open(track *t, const char *file, const animation_desc *desc, fault *why);
/* Reads the film of an object, mapped by the pose if that is not NULL. */
bool track_hold(track *t, uint32_t object, const bw_transform *pose, fault *why);
/* Lets every object stand before and after its film, so that all have the same time. */
bool track_align(track *t, fault *why);
/* The motion of an object during a piece: a view of its frames. An instant is stretched to a second of rest.
 * two: room for what that needs, as long as the view lives. */
typedef struct track_rest {
    double times[2];
    const void *frames[2];
} track_rest;
bw_motion track_motion(const track_object *object, const track_piece *piece, track_rest *two);
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
