/* Boxwood: models for queries within a budget, made for bodies and poses of one's own. Experimental: what a
 * model is made of may change from version to version. */
#ifndef BOXWOOD_ANYTIME_TRAIN_H
#define BOXWOOD_ANYTIME_TRAIN_H

#include <boxwood/anytime.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The model: from what is known of two nodes to a probability. Plain data; copy it as you like. ---- */

enum {
    BW_ANYTIME_CLASSES = 32, /* of pairs of nodes: four densities of the surface, of eight sizes each */
    BW_ANYTIME_KNOTS = 32, /* of each curve over the distance of means, in steps of 0.2 standard deviations */
    BW_ANYTIME_ENDS = 24,  /* states that a query ends in, see bw_anytime_model.end */
    BW_ANYTIME_LEVELS = 32, /* classes of evidence, each a factor of about sqrt(2) */
    BW_ANYTIME_STAGES =
        8, /* of a query: the bodies as wholes, then 1, 2, 3-4, 5-8, 9-16, 17-32, more steps */
    BW_ANYTIME_SETTINGS = 8 /* when to stop, by wanted error */
};

typedef struct bw_anytime_setting {
    float error;                   /* share of wrong answers over the training poses that it promises */
    float sure[BW_ANYTIME_STAGES]; /* "collision" where the evidence reaches this, by stage */
    float prune;                   /* pairs of a lower hazard are not looked into */
} bw_anytime_setting;

struct bw_anytime_model {
    /* -log(1 - p) of a pair of nodes of a class, p the probability that their surfaces meet; falls along a
     * row. */
    float hazard[BW_ANYTIME_CLASSES][BW_ANYTIME_KNOTS];
    float whole[BW_ANYTIME_KNOTS]; /* the same of two whole bodies */
    /* Probability of a collision, by the sum of the hazards of all pairs that are not decided. Row 0: nothing
     * is left but what was pruned; 1 to 4: so many pairs counted (4: or more); 5 to 15: the budget ended
     * after 1, 2, 3-4, 5-8, ... steps; 16 and up: the evidence was enough, by stage. Rises along a row. */
    float end[BW_ANYTIME_ENDS][BW_ANYTIME_LEVELS];
    bw_anytime_setting setting[BW_ANYTIME_SETTINGS]; /* error falls; error 0: unused */
};

/* When to stop, by wanted error, for two bodies. Plain data. */
struct bw_anytime_settings {
    bw_anytime_poses poses;
    bw_anytime_setting setting[BW_ANYTIME_SETTINGS]; /* error falls; error 0: unused */
};

/* Tries two bodies with each other at so many poses (0: 1024; half as many near contact), all rules at once
 * beside the exact query, and keeps for each wanted error the fastest that holds; none where the exact query
 * is as fast, or nothing holds: then queries with these settings are exact. A body was tried so with itself
 * when its statistics were made (bw_anytime_desc.tries): for two that are not one this is faster and surer
 * than what queries do without. 5 to 30 ms. The poses of the bodies are not looked at. allocator may be NULL.
 * MOMENTS only (BW_ERROR_UNSUPPORTED); BW_ERROR_MISMATCH as for bw_anytime_query. On failure *out is as it
 * was.
 */
BW_API bw_result bw_anytime_try(const bw_anytime_body *a, const bw_anytime_body *b, bw_anytime_poses poses,
                                uint32_t tries, const bw_allocator *allocator, bw_anytime_settings *out,
                                bw_fault *fault);

/* ---- Training ---- */

/* Two bodies and where b stands relative to a. poses of a and b in the bodies are not looked at. */
typedef struct bw_anytime_example {
    bw_anytime_body a, b;
    const bw_transform *poses;
    uint32_t pose_count;
    uint32_t group; /* examples of one group are alike, and are held out together; 0: alone */
} bw_anytime_example;

/* Poses of b in the coordinates of a as the enum says, the same for the same seed. BW_ERROR_EMPTY where none is
 * found (an empty tree, or bodies that never meet). */
BW_API bw_result bw_anytime_draw_poses(const bw_anytime_body *a, const bw_anytime_body *b,
                                       bw_anytime_poses kind, uint64_t seed, bw_transform *out,
                                       uint32_t count, bw_fault *fault);

typedef struct bw_anytime_train_desc {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    /* What the examples leave open is taken from this model: classes that no pose has shown. NULL: the
     * built-in one for SPREAD and bodies like those of the first example. */
    const bw_anytime_model *prior;
    double prior_weight; /* observations that it counts for in each class; 0: 20 */
    /* How far below a wanted error the settings for it stay: the share of it that errors may reach on average
     * over the examples (0: 0.35), and for any of them (0: 1, and a standard deviation of the count).
     * Where there are several, each is held out by turns with those of its group, and errors are those of a
     * model that knows only the others. */
    double mean_share, worst_share;
    const bw_allocator *allocator; /* NULL: the heap */
} bw_anytime_train_desc;

/* A model for the bodies and the poses of the examples: a few thousand poses are enough. The same for the
 * same input. desc may be NULL. MOMENTS only. Takes some hundred exact queries a pose. */
BW_API bw_result bw_anytime_train(const bw_anytime_example *examples, uint32_t count,
                                  const bw_anytime_train_desc *desc, bw_anytime_model *out, bw_fault *fault);

#ifdef __cplusplus
}
#endif
#endif
