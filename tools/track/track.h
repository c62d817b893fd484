/* boxwood track: files in motion, who touches whom from when to when, and what a check of single frames would have
 * missed. Its stages: job.c reads the options, open.c reads films and puts them on one clock, parts.c names what can meet,
 * search.c finds what happens in pieces of time side by side, stitch.c makes contacts of that, measure.c how deep they are frame
 * by frame, labels.c which bones and materials meet, fill.c makes a report. shard.c does some of the pieces for a process of its
 * own, and puts together what such processes have found. */
#ifndef TOOL_TRACK_TRACK_H
#define TOOL_TRACK_TRACK_H

#include "io/film.h"
#include "report/report.h"
#include "rules.h"

#include <boxwood/motion.h>
#include <boxwood/timeline.h>

/* A part store that is read part by part (track/store.h). */
typedef struct track_store track_store;

/* A file that moves or stands, over the whole time of all. */
typedef struct track_object {
    model model;        /* of a store without geometry */
    track_store *store; /* NULL: it is in memory */
    stream stream;      /* until its film is held */
    bw_mesh mesh;
    uint32_t frame_count;
    double *times;       /* ascending; one that stands twice: before and after a jump */
    const void **frames; /* the first and the last may stand twice: it rests before and after its film */
    bw_scalar scalar;    /* of the frames */
    bool moves;
    uint32_t welded; /* with --self: vertices that are always where another is, taken as that */
    uint32_t first_part, part_count; /* of track.parts */
} track_object;

/* A part of a file: its triangles, and the vertices between the first and the last that they name. */
typedef struct track_part {
    uint32_t object;
    const char *name; /* of the model; may be empty */
    uint32_t first_triangle;
    uint32_t first_vertex;
    uint32_t *indices;   /* from first_vertex on */
    const void **frames; /* those of the object, from first_vertex on */
    bw_mesh mesh;        /* no positions */
} track_part;

/* What takes part in the search: whole files, or with --parts their parts. */
typedef struct track_mover {
    uint32_t object, part; /* part BW_NONE: all of it */
} track_mover;

/* A time in which nothing jumps, from one jump to the next. */
typedef struct track_piece {
    double from, to;
    bool instant; /* of no length: what is after a jump at the very end */
} track_piece;

/* What happens in a piece. */
typedef struct track_events {
    bw_timeline_event *list; /* between parts, by the triangles of their files */
    size_t count, capacity;
    uint64_t aside, instants;
} track_events;

/* How deep two parts are in each other at a time. */
typedef struct track_moment {
    double time;
    double lower, upper,
        pierce; /* as bw_contacts_report and the largest bw_contact.depth say; upper may be infinite */
    double volume, volume_error;
    uint64_t pairs;
    uint32_t regions;
    bw_vec3 translation, place, low, high;
    bool crossing;            /* some pair of triangles crosses, or they are deeper than nothing */
    report_segment *segments; /* with curves */
    size_t segment_count;
} track_moment;

/* Two parts in contact. */
typedef struct track_contact {
    uint32_t part_a, part_b, triangle_a, triangle_b; /* triangles: the first to touch, of their files */
    double from, to;
    bool cut_start, cut_end; /* in contact before the film, still in contact at its end */
    uint64_t most;           /* pairs of triangles at once */
    track_moment *moments;   /* frame by frame; in the middle where no frame falls into it */
    uint32_t moment_count;
    uint32_t deepest; /* of the moments; measured closely */
    char *details[2]; /* of a and b: the labels of the triangles that meet then; NULL: none is known */
} track_contact;

/* What shards have measured already: known.c. */
typedef struct track_known track_known;

enum { TRACK_RATES = 3 };
extern const int track_rates[TRACK_RATES]; /* frames a second */

typedef struct track {
    track_object *objects;
    uint32_t count;
    track_part *parts; /* of all objects, one after the other */
    uint32_t part_count;
    double begin, end;   /* of the film */
    track_piece *pieces; /* one after the other */
    uint32_t piece_count;
    double *cuts; /* further times between two pieces; for tests */
    uint32_t cut_count;
    double unit; /* metres to a unit of the common space; 0: nobody says */
    model_up up;
    bool self, by_parts, first_only;
    bool measured, curves;
    double tolerance;         /* what is never deeper does not count */
    const rules *rules;       /* resolved for the parts; NULL: none */
    const track_known *known; /* NULL: nothing is measured yet */
    double fps;               /* of the frames looked at for depth */
    track_contact *contacts;
    size_t contact_count, contact_capacity;
    uint64_t shallow; /* contacts that the tolerance or a rule leaves out */
    uint64_t aside;   /* events of pairs that the rules leave out */
    uint64_t triangle_contacts, instants;
    uint64_t missed[TRACK_RATES], missed_triangles[TRACK_RATES]; /* contacts between two frames */
    double seconds;
} track;

/* memory: for what is kept of a part store that is read part by part; 0: it is read whole. */
bool track_open(track *t, const char *file, const animation_desc *desc, size_t memory, fault *why);
/* Reads the film of an object, mapped by the pose if that is not NULL. */
bool track_hold(track *t, uint32_t object, const bw_transform *pose, fault *why);
/* Lets every object stand before and after its film, so that all have the same time; then there are parts. */
bool track_align(track *t, fault *why);
void track_make_parts(track *t);
void track_free_parts(track *t);
/* The part that a triangle of an object is of. */
uint32_t track_part_of(const track *t, uint32_t object, uint32_t triangle);

/* The motion of an object during a piece: a view of its frames. An instant is stretched to a second of rest.
 * two: room for what that needs, as long as the view lives. */
typedef struct track_rest {
    double times[2];
    const void *frames[2];
} track_rest;
bw_motion track_motion(const track_object *object, const track_piece *piece, track_rest *two);
/* The same of one part. */
bw_motion track_part_motion(const track *t, const track_part *part, const track_piece *piece,
                            track_rest *two);
/* Whether contacts can be looked for: not where too many triangles are shrunk into one point. */
bool track_not_shrunk(const track *t, fault *why);
/* Both the same for any number of threads. */
bool track_search(track *t, const bw_tasks *tasks, fault *why);
bool track_measure(track *t, const bw_tasks *tasks, fault *why);

/* What can meet; to be freed. 0: nothing can. */
uint32_t track_movers(const track *t, track_mover **out);
/* What happens in one piece; the list is to be freed. */
bool track_find_events(const track *t, const track_mover *movers, uint32_t mover_count, uint32_t piece,
                       track_events *out, fault *why);

/* Contacts from the events of one piece after the other. */
typedef struct track_stitch track_stitch;
track_stitch *track_stitch_start(track *t);
/* The next piece. first, last: nothing is known of what was before it, of what comes after it. False: the events are none of
 * such a piece. */
bool track_stitch_piece(track_stitch *stitch, const track_piece *piece, bool first, bool last,
                        const track_events *events);
void track_stitch_end(track_stitch *stitch);

/* The piece that a time belongs to; a border belongs to what follows. */
uint32_t track_piece_at(const track *t, double time);
/* The depth that moments are compared by. */
double track_depth(const track_moment *moment);
/* From when to when frames fall into a contact, by their numbers; none: last below first. */
void track_frames_of(const track *t, double from, double to, double *first, double *last);
/* Measures a moment, whose time is set, as every frame is. */
bw_result track_measure_frame(const track *t, const track_contact *contact, track_moment *moment);
/* The deepest of the contact's moments, found and measured closely; its labels, too. */
bw_result track_measure_closely(const track *t, track_contact *contact);
/* Whether that measures anything: of a part with itself only labels would be missing. */
bool track_has_close(const track *t, const track_contact *contact);
void track_contact_free(track_contact *contact);

void track_free(track *t);

/* The labels of triangles in contact. */
typedef struct track_labels {
    uint32_t *list;
    size_t count, capacity;
} track_labels;

/* Takes that of a triangle of the part's file, if it has one. */
void track_add_label(const track *t, uint32_t part, uint32_t triangle, track_labels *labels);
/* "Hand; Arm, material Skin": each once, the most frequent first, of equally many by name; after three "; ...". NULL: there
 * are none. The labels are empty afterwards. free() gives the words back. */
char *track_tell_labels(const track *t, uint32_t part, track_labels *labels);

report track_report(const track *t);
bool track_svg(const track *t, const char *file, fault *why);

#endif
