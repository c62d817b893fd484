/* Poses drawn at random: see anytime/train/draw.c and bw_anytime_poses. */
#ifndef BW_ANYTIME_TRAIN_DRAW_H
#define BW_ANYTIME_TRAIN_DRAW_H

#include "anytime/train/random.h"

#include <boxwood/anytime_train.h>

typedef struct bw_draw {
    bw_body a, b;                  /* not empty; their poses are not looked at */
    const bw_allocator *allocator; /* NULL: the heap */
    double middle_a[3], middle_b[3], size;
    bw_random random;
} bw_draw;

void bw_draw_init(bw_draw *draw, const bw_body *a, const bw_body *b, const bw_allocator *allocator,
                  uint64_t seed);
/* The next pose of b in the frame of a. BW_ERROR_EMPTY where none is found. */
bw_result bw_draw_next(bw_draw *draw, bw_anytime_poses kind, bw_transform *out);
/* Several near contact along one line, which are as far apart as they can be: most of what a pose costs is to
 * find the first contact, here to four thousandths of the size. */
bw_result bw_draw_line(bw_draw *draw, bw_transform *out, uint32_t count);

#endif
