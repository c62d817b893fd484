/* The parts of bw_wide_check. */
#ifndef BW_TREE_WIDE_CHECK_H
#define BW_TREE_WIDE_CHECK_H

#include "tree/wide/wide.h"

/* What bw_wide_check returns where it could not look: this very pointer. */
extern const char bw_wide_check_no_memory[];

/* Box, vertex list and corners of one leaf; mesh may be NULL. The structure must be sound. */
const char *bw_wide_check_leaf(const bw_wide *wide, uint32_t leaf, const bw_mesh *mesh);
/* The maps that are made when first needed, where they exist. */
const char *bw_wide_check_maps(const bw_wide *wide, const bw_mesh *mesh);

#endif
