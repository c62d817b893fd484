/* What a bw_anytime is made of. */
#ifndef BW_ANYTIME_ANYTIME_H
#define BW_ANYTIME_ANYTIME_H

#include "anytime/moments/moments.h"
#include "anytime/paper/paper.h"
#include "tree/tree.h"

#include <boxwood/anytime_train.h>

/* A setting of the grid in anytime/train/trial.h. */
typedef struct bw_choice {
    bool exact; /* none: the exact query */
    uint8_t sure, prune;
} bw_choice;

struct bw_anytime {
    bw_allocator allocator;
    bw_anytime_desc desc; /* with defaults filled in; its allocator is not used */
    const bw_tree *tree;
    uint64_t changes;    /* of the tree when the statistics were made */
    bw_tree *own;        /* MOMENTS: a wide tree of the same primitives, where the tree is not wide */
    const bw_wide *wide; /* MOMENTS: the tree's, or the own one */
    bw_moments moments;  /* of MOMENTS */
    bw_paper paper;      /* of PAPER */
    bool tried;          /* MOMENTS: how the body does with itself, see anytime/train/self_calibration.h */
    bw_choice choice[2][BW_ANYTIME_SETTINGS]; /* then: by poses and wanted error */
};

#endif
