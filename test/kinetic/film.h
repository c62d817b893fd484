/* Meshes in motion for the tests: keyframes, velocities or plans of every style that has broken something. */
#ifndef BW_TEST_KINETIC_FILM_H
#define BW_TEST_KINETIC_FILM_H

#include <boxwood/kinetic.h>

#include "scenes/scenes.h"

/* The methods that are built are those from BW_KINETIC_QUEUE to this one, and BW_KINETIC_AUTO. */
#define FILM_LAST_METHOD (BW_RESEARCH ? BW_KINETIC_BOXTREE : BW_KINETIC_REFIT)
#define FILM_EACH_METHOD(m)                                                                                  \
    for (int m = BW_KINETIC_QUEUE; m <= BW_KINETIC_AUTO;                                                     \
         m = m == (int)FILM_LAST_METHOD ? (int)BW_KINETIC_AUTO : m + 1)

typedef enum film_style {
    FILM_SMOOTH = 0, /* every vertex its own way */
    FILM_TIES = 1,   /* small integers: equal coordinates, equal plans, crossings at equal times */
    FILM_CLOSE = 2,  /* differences of a few bits */
    FILM_WAVE = 3,   /* a mesh that waves as a whole */
    FILM_STYLES = 4
} film_style;

typedef struct film_desc {
    bw_motion_kind kind;
    bw_scalar scalar;
    film_style style;
    bool points;        /* a cloud; else triangles with shared vertices */
    bool soup;          /* triangles with three vertices each, of their own */
    uint32_t size;      /* about so many vertices; at least 4 */
    uint32_t frames;    /* KEYFRAMES */
    double begin, span; /* of time */
    uint32_t degree;    /* PLANS */
} film_desc;

typedef struct film {
    bws_mesh mesh;
    double *times;
    void **frames; /* KEYFRAMES: all; VELOCITY: positions and velocities */
    uint32_t frame_count;
    bw_plan *plans;
    bw_motion motion;
} film;

void film_make(const film_desc *desc, bws_random *random, film *out);
void film_free(film *f);
film_desc film_any(bws_random *random);
bw_plan film_plan(film_style style, uint32_t degree, double origin, bws_random *random);
/* Ends the test unless every vertex of every primitive is in all boxes above it. */
void film_prove_contained(const bw_body *body);
/* Ends the test unless the tree is valid at its time: by its own check, by brute force that every box holds
 * all below it, where its boxes are tight by the check of ordinary trees that they are, and by positions that
 * are the motion's (unless plans were changed). */
void film_prove(const film *f, bw_kinetic *k, bool replanned);

/* A time from now on: at the next event, just before or after it, at a keyframe, in a moment, anywhere. */
double film_time(const film *f, const bw_kinetic *k, bws_random *random);

#endif
