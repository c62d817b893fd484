/* What clash, track and view found, in one model that every writer reads: text, tables, pictures and pages.
 *
 * Meshes are borrowed: their arrays must live as long as the report. Everything else (names, notes, findings,
 * segments, layers) is copied. Memory comes from tool_alloc: it is there, or the program ends and says so. */
#ifndef TOOL_REPORT_REPORT_H
#define TOOL_REPORT_REPORT_H

#include "io/model.h"

/* A mesh, once, however many parts show it. */
typedef struct report_mesh {
    /* Borrowed; triangles, or points where it has no indices. Without positions: only counts, the rest is in the report's source,
     * and without triangles it is points. */
    bw_mesh view;
    /* Where its vertices are over time; linear in between. Frame f is at frames[f] + first_vertex vertices,
     * in numbers of `scalar`. None: it stands still. Borrowed. */
    uint32_t frame_count;
    bw_scalar scalar;
    uint32_t first_vertex;
    const double *times; /* ascending; one that stands twice: before and after a jump */
    const void *const *frames;
} report_mesh;

/* A mesh that stands somewhere. */
typedef struct report_part {
    char *name; /* full path; as the file has it: writers escape it */
    char *file;
    uint32_t mesh;
    bool posed;
    bw_transform pose; /* posed */
    bool boxed;        /* low and high are known: the mesh need not be read for them */
    bw_vec3 low, high;
} report_part;

/* Where meshes come from that are not in memory: a part store. One is held at a time. */
typedef struct report_source {
    void *user;
    bool (*hold)(void *user, uint32_t mesh, bw_mesh *out, fault *why);
    void (*release)(void *user);
    bool failed; /* a mesh could not be read: whatever was written is not whole */
    fault why;
} report_source;

typedef enum report_kind {
    REPORT_HARD = 0,      /* they cross */
    REPORT_CLEARANCE = 1, /* apart, and nearer than is wished */
    REPORT_CONTAINED = 2, /* they do not meet: one is inside the other */
    REPORT_TOUCHING = 3,  /* they meet and none cross, or not deeper than the tolerance */
    REPORT_KINDS = 4
} report_kind;

/* A piece of the curve in which two surfaces meet; of points both ends are the same. */
typedef struct report_segment {
    bw_vec3 ends[2];
} report_segment;

/* A triangle as boxwood export and its file number it. */
typedef struct report_triangle {
    uint64_t index;
    uint32_t face, line; /* face BW_NONE: a point; line 0: the file has none */
} report_triangle;

/* Two triangles that meet or are near. */
typedef struct report_pair {
    report_triangle a, b;
    double distance;             /* 0: they meet */
    bw_triangle_contact contact; /* where they meet */
} report_pair;

/* Of a finding over time. */
typedef struct report_moment {
    double time, depth;                  /* depth: NaN where it is not known */
    size_t first_segment, segment_count; /* of the finding's segments: where the surfaces meet then */
} report_moment;

/* Two parts that clash. Of what is not known: see each field. */
typedef struct report_finding {
    uint32_t a, b; /* parts; the same: a part meets itself */
    report_kind kind;
    bool b_inside;                   /* REPORT_CONTAINED: b is in a, not a in b */
    double depth_lower, depth_upper; /* how far b must move to come out; upper is infinite where not known */
    double pierce;                   /* how far triangles reach through each other at most; 0: not known */
    bw_vec3 direction;               /* unit: b moved that way by depth_upper is out; zero: not known */
    double distance;                 /* REPORT_CLEARANCE: of the surfaces */
    bw_vec3 nearest[2];              /* REPORT_CLEARANCE: where they are that near, on a and on b */
    double volume, volume_error;     /* of the overlap; the error is infinite where it is not known */
    bw_vec3 place;                   /* where to look */
    bw_vec3 low, high;               /* box of what meets; low above high: not known */
    uint64_t pair_count;             /* of triangles that meet */
    uint32_t region_count;
    char *detail_a, *detail_b; /* of a and b: bones, materials; NULL: not known */
    bool cut;                  /* interrupted: there may be more pairs */
    report_pair *pairs;        /* those that are listed, of pair_count */
    size_t listed_count, listed_capacity;
    report_segment *segments;
    size_t segment_count, segment_capacity;
    /* over time */
    bool timed;
    double from, to;
    double deepest;         /* the time at which it is deepest */
    bool at_begin, at_end;  /* already in the first frame, still in the last */
    report_moment *moments; /* ascending in time; may be none */
    size_t moment_count, moment_capacity;
} report_finding;

/* Findings that are too many for memory: one after the other in their order, as often as it is started, with the names of
 * parts. For text, tables and JSON; what shows geometry needs all of them at hand. */
typedef struct report_stream {
    void *user;
    bool (*start)(void *user, fault *why);
    /* Valid until the next call. NULL: that was the last, or *failed. */
    const report_finding *(*next)(void *user, bool *failed, fault *why);
    void (*part)(void *user, uint32_t part, const char **name, const char **file);
    uint64_t kinds[REPORT_KINDS];
    bool failed; /* one could not be read: whatever was written is not whole */
    fault why;
} report_stream;

/* Things to show beside the parts. */
typedef enum report_layer_role {
    REPORT_TREE = 0,    /* boxes of one level of a tree */
    REPORT_DEFECTS = 1, /* degenerate and doubled triangles, vertices that nobody uses */
    REPORT_OPEN_EDGES = 2,
    REPORT_NONMANIFOLD_EDGES = 3,
    REPORT_SELF_CONTACTS = 4,
    REPORT_LAYER_ROLES = 5
} report_layer_role;

typedef enum report_shape { REPORT_POINTS = 0, REPORT_LINES = 1, REPORT_BOXES = 2 } report_shape;

typedef struct report_layer {
    report_layer_role role;
    report_shape shape;
    uint32_t level; /* REPORT_TREE: the root is at 0 */
    uint64_t count; /* of what it shows: boxes, edges, triangles, contacts; more than are drawn, perhaps */
    char *name;
    bw_vec3 *points; /* one for each point, two for each line (ends) or box (lowest and highest corner) */
    size_t point_count, point_capacity;
} report_layer;

typedef struct report_file {
    char *path;
    char *error; /* why it was skipped; NULL: it was not */
    uint32_t part_count;
} report_file;

/* A number that tells how the work went: "candidates", "read_seconds". */
typedef struct report_count {
    const char *key; /* not copied */
    double value;
} report_count;

typedef struct report {
    char *title;
    char *command; /* the command that made it: "clash", "track", "view" */
    double unit;   /* metres to one unit of the coordinates; 0: nobody says */
    model_up up;
    double tolerance;                      /* findings no deeper do not count; 0: none was wished */
    double clearance;                      /* negative: none was wished */
    double begin, end;                     /* of the film; equal: nothing moves */
    bool measured;                         /* depths and volumes were looked for */
    uint64_t looked_at, candidates;        /* pairs of parts; fewer looked at: it was interrupted */
    uint64_t left_by_tolerance;            /* clashes that are too shallow to count, or that a rule allows */
    uint64_t left_by_rules;                /* pairs of parts that the rules leave out */
    uint64_t primitive_count, quarantined; /* triangles and points of all parts; left out for defects */
    uint32_t skipped_files, skipped_parts;
    report_file *files;
    size_t file_count, file_capacity;
    report_count *counts;
    size_t count_count, count_capacity;
    char **notes; /* sentences: what was left out, rounded, tessellated */
    size_t note_count, note_capacity;
    report_mesh *meshes;
    size_t mesh_count, mesh_capacity;
    report_source *source; /* of meshes without positions; NULL: there are none such. Borrowed */
    report_part *parts;
    size_t part_count, part_capacity;
    report_finding *findings; /* in the order of adding, or of report_sort */
    size_t finding_count, finding_capacity;
    report_stream *stream; /* NULL: findings and parts are here; otherwise only their counts. Borrowed */
    report_layer *layers;
    size_t layer_count, layer_capacity;
} report;

/* Must be given to report_free. */
report report_start(const char *command, const char *title);
void report_free(report *report);

void report_note(report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));
void report_add_file(report *report, const char *path, const char *error, uint32_t part_count);
void report_add_count(report *report, const char *key, double value);
void report_add_pair(report_finding *finding, const report_pair *pair);
/* Each returns the number of what was added. */
uint32_t report_add_mesh(report *report, const report_mesh *mesh);
uint32_t report_add_part(report *report, const char *name, const char *file, uint32_t mesh,
                         const bw_transform *pose);
/* A finding in which nothing is known but the parts and the kind. It and what is added to it may be filled in
 * until the next is added. */
report_finding *report_add_finding(report *report, uint32_t a, uint32_t b, report_kind kind);
/* The same, not added to any report. */
report_finding report_new_finding(uint32_t a, uint32_t b, report_kind kind);
void report_finding_free(report_finding *finding);
void report_add_segment(report_finding *finding, bw_vec3 from, bw_vec3 to);
/* Segments that are added until the next moment belong to it. */
void report_add_moment(report_finding *finding, double time, double depth);
uint32_t report_add_layer(report *report, report_layer_role role, report_shape shape, uint32_t level,
                          const char *name);
void report_add_point(report *report, uint32_t layer, bw_vec3 point);

/* The worst first: hard and contained, then touching, then clearance; in each the deeper, of clearances the
 * nearer, then what has farther to come out, then by volume, those that are not known last, then in the order of adding. */
void report_sort(report *report);
/* What that compares. */
typedef struct report_key {
    int32_t rank;
    uint32_t a, b; /* parts: not compared by report_sort */
    uint32_t reserved;
    double depth, upper, volume;
} report_key;
report_key report_key_of(const report_finding *finding);
/* Below zero: the first is worse. */
int report_key_compare(const report_key *a, const report_key *b);

/* The findings one after the other, wherever they are; NULL after the last. */
typedef struct report_cursor {
    const report *report;
    size_t at;
} report_cursor;
report_cursor report_each(const report *report);
const report_finding *report_next(report_cursor *cursor);
void report_count_kinds(const report *report, uint64_t kinds[REPORT_KINDS]);
const char *report_part_name(const report *report, uint32_t part);
const char *report_part_file(const report *report, uint32_t part);
/* The depth that is shown and sorted by: how deep a point of one is inside the other, which is the lower bound;
 * where no point is (neither is closed), how far triangles pierce each other, or the upper bound where that is
 * less. Of clearances, the distance with a minus. */
double report_depth(const report_finding *finding);

/* Where the part stands, for parts of a source. */
void report_set_box(report *report, uint32_t part, const bw_box *box);
/* Triangles, or points where there are none. */
uint32_t report_primitives(const report_mesh *mesh);
/* The mesh with its positions, until it is released; where it cannot be read it is empty, and the source says so. */
report_mesh report_hold(const report *report, uint32_t mesh);
void report_release(const report *report, const report_mesh *held);

/* Where a vertex of a part is at a time. */
bw_vec3 report_vertex(const report *report, uint32_t part, uint32_t vertex, double time);
/* The frame at or before a time, and how far it is from there to the next, from 0 to 1. At a jump: after it. */
uint32_t report_frame_at(const report_mesh *mesh, double time, double *beyond);
/* Box of what a part covers over the whole film; false: it has no finite vertex. */
bool report_part_box(const report *report, uint32_t part, bw_vec3 *low, bw_vec3 *high);
bool report_box(const report *report, bw_vec3 *low, bw_vec3 *high);

extern const char *const report_kind_names[REPORT_KINDS]; /* "hard", "clearance", "contained", "touching" */

#endif
