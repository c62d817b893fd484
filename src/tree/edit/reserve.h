/* Room for edits, had before the first change, so that an edit cannot fail half way. */
#ifndef BW_TREE_EDIT_RESERVE_H
#define BW_TREE_EDIT_RESERVE_H

#include "tree/wide/wide.h"

/* A bit that no slot has, to mark entries of the map of slots with for a while. BW_NONE has it. */
#define BW_SLOT_MARK 0x80000000u

/* Makes room for so many more nodes, leaves and entries of vertex lists, and a map of slots for
 * primitive_count primitives (BW_ERROR_MISMATCH if the tree holds others). BW_ERROR_MEMORY, BW_ERROR_SIZE:
 * the tree is as it was (its arrays may have room to spare). */
bw_result bw_wide_make_room(bw_wide *wide, uint32_t nodes, uint32_t leaves, uint64_t vertices,
                            uint32_t primitive_count);

#endif
