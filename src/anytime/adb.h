/* What a bw_adb is made of. */
#ifndef BW_ANYTIME_ADB_H
#define BW_ANYTIME_ADB_H

#include "anytime/moments/moments.h"
#include "anytime/paper/paper.h"
#include "tree/tree.h"

#include <boxwood/anytime.h>

/* A setting of the grid in anytime/train/trial.h. */
typedef struct bw_choice {
    bool exact; /* none: the exact query */
    uint8_t sure, prune;
} bw_choice;

struct bw_adb {
    bw_allocator allocator;
    bw_adb_desc desc; /* with defaults filled in; its allocator is not used */
    const bw_tree *tree;
    uint64_t changes;    /* of the tree when the statistics were made */
    bw_tree *own;        /* MOMENTS: a wide tree of the same primitives, where the tree is not wide */
    const bw_wide *wide; /* MOMENTS: the tree's, or the own one */
    bw_moments moments;  /* of MOMENTS */
    bw_paper paper;      /* of PAPER */
    bool tried;          /* MOMENTS: how the body does with itself, see anytime/train/self_calibration.h */
    bw_choice choice[2][BW_ADB_SETTINGS]; /* then: by poses and wanted error */
};

#endif
