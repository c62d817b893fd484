/* What boxwood scene measures: a scene of a crowd, small queries and moves, and what a camera sees. */
#ifndef TOOL_SURVEY_H
#define TOOL_SURVEY_H

#include "crowd.h"

typedef struct survey_wish {
    bw_nesting nesting;
    bool leafy;
    uint64_t seed;
    bool camera, occlusion;
    bw_view view; /* camera */
} survey_wish;

/* Of an object, as the camera has it; later ones are part of earlier ones. */
typedef enum survey_fate {
    FATE_OUTSIDE = 0,   /* in no node that the view meets */
    FATE_CANDIDATE = 1, /* tested, and outside: with those below, the paper's working set */
    FATE_HIDDEN = 2,    /* in view, but behind others */
    FATE_VISIBLE = 3,
    FATE_COUNT = 4
} survey_fate;

typedef struct survey {
    survey_wish wish;
    const crowd *crowd;
    bw_scene *scene;
    bw_cull *cull; /* occlusion */
    bw_id *ids;
    bw_box bounds;
    bw_scene_stats stats;
    double build_seconds;
    uint32_t queries;
    double query_seconds, found, tested, nodes; /* of one, on average */
    uint32_t moves;
    double move_seconds; /* of one object, in batches */
    uint64_t pairs;
    double pair_seconds;
    /* the camera */
    bw_plane planes[6];
    uint32_t plane_count;
    bw_scene_report seen;
    double view_seconds;
    bw_cull_report frames[2]; /* the first frame, and the same again with what that saw */
    double frame_seconds[2];
    uint8_t *fates;
    uint64_t fate_counts[FATE_COUNT];
} survey;

/* Every survey must be given to survey_free, also where this fails. */
bool survey_run(survey *out, crowd *crowd, const survey_wish *wish, fault *why);
void survey_free(survey *survey);

void survey_print_text(const survey *survey);
void survey_print_json(const survey *survey);
/* Everything from above, with z up x to the right and y up on the page (units_to_z_up): objects by their
 * fate, with nodes also the nodes that the view meets. */
bool survey_write_svg(const survey *survey, const char *file, bool nodes, fault *why);
/* The depth buffer of the last frame, near bright, far dark, nothing black. Without SURVEY_PNG always a fault
 * that says so, whatever the survey. */
bool survey_write_png(const survey *survey, const char *file, fault *why);

#ifdef BOXWOOD_PNG
enum { SURVEY_PNG = true };
#else
enum { SURVEY_PNG = false };
#endif

extern const char *const nesting_names[];
enum { NESTING_COUNT = 7 };

#endif
