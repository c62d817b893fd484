/* Primitives that come and go. */
#ifndef BW_TREE_EDIT_WIDE_EDIT_H
#define BW_TREE_EDIT_WIDE_EDIT_H

#include "tree/rebuild/rebuild.h"

/* Inserts primitives of the mesh, none of which may be in the tree (nor twice in the list):
 * BW_ERROR_ARGUMENT. An index beyond the mesh's primitives: BW_ERROR_INDEX; a coordinate that cannot be
 * bounded, or a vertex beyond the mesh's: the result of bw_mesh_defect_of. On failure, BW_ERROR_MEMORY
 * included, nothing has changed. An empty tree may grow again. desc (may be NULL) is what parts of the tree
 * are rebuilt with when many primitives have come and gone; its allocator is not used. All boxes are tight
 * afterwards. */
bw_result bw_wide_insert(bw_wide *wide, const bw_mesh *mesh, const uint32_t *primitives, uint32_t count,
                         const bw_wide_desc *desc);

/* Removes primitives, all of which must be in the tree, none twice: BW_ERROR_ARGUMENT. The boxes shrink to
 * what is left; the mesh is the one the tree was last fitted to. */
bw_result bw_wide_remove(bw_wide *wide, const bw_mesh *mesh, const uint32_t *primitives, uint32_t count,
                         const bw_wide_desc *desc);

#endif
