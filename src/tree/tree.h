/* What a bw_tree is made of: the tree of one of the layouts, and what it remembers of its mesh. */
#ifndef BW_TREE_TREE_H
#define BW_TREE_TREE_H

#include "mesh/view.h"
#include "tree/wide/wide.h"

#ifndef BW_RESEARCH
#    error "BW_RESEARCH is 1 or 0, the same for every file: whether the paper structures are built"
#endif
#if BW_RESEARCH
#    include "tree/reference/kdop/kdop.h"
#    include "tree/reference/obb/obb.h"
#endif

enum { BW_MAX_PRIMITIVES = 1 << 30 }; /* so that 2 n - 1 nodes and their links fit 31 bits */

struct bw_tree {
    bw_allocator allocator;
    uint32_t mesh_primitives, mesh_vertices; /* of the mesh it was built from, to recognise it */
    bool points;                             /* a point cloud */
    uint32_t primitives;                     /* in the tree */
    uint32_t *quarantine;                    /* ascending */
    uint32_t quarantined;
    bw_primitives owner; /* of user primitives; box is NULL for a mesh's tree */
    bw_volume volume;
    bw_builder builder;
    bool compact;
    bool edited; /* primitives were inserted or removed: the mesh may have some that are neither in the tree
                    nor in quarantine */
    uint64_t serial;  /* no other tree has or had this number (base/serial.h) */
    uint64_t changes; /* updates, insertions and removals so far: what was computed from the tree is its own
                         while this number is the same */
    uint64_t edits;   /* of these, insertions and removals */
    bool kinetic;     /* follows a motion: stands still only where its course says so */
    bool ordered;     /* hits come in ascending order (collide/hit_order.h) */
    const struct bw_tree_kind *kind; /* which of these it is; see tree/kind.h */
    union {
        bw_wide wide;
#if BW_RESEARCH
        bw_obb obb;
        bw_kdop kdop;
#endif
    };
};

/* BW_ERROR_MISMATCH for a mesh that cannot be the tree's, BW_ERROR_ARGUMENT for one that cannot be read.
 * Where the tree's boxes are written when first looked at (tree/wide/deferred.h), accepts writes them all;
 * accepts_lazily is for queries that ask for each. */
static inline bw_result bw_tree_accepts_lazily(const bw_tree *tree, const bw_mesh *mesh)
{
    if (tree->owner.box != NULL)
        return BW_ERROR_MISMATCH;
    const bw_result result = bw_mesh_view_check(mesh);
    if (result != BW_OK)
        return result;
    const bool same = (mesh->indices == NULL) == tree->points && mesh->vertex_count == tree->mesh_vertices &&
                      bw_mesh_view_primitives(mesh) == tree->mesh_primitives;
    return same ? BW_OK : BW_ERROR_MISMATCH;
}
bw_result bw_tree_accepts(const bw_tree *tree, const bw_mesh *mesh);

bool bw_tree_desc_valid(const bw_tree_desc *desc);

#endif
