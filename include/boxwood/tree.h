/* Boxwood: bounding volume trees over the triangles or points of a mesh.
 *
 * A tree keeps no pointer to the mesh it was built from: give the mesh again to refit and to queries. The
 * mesh may have moved or deformed in between only if the tree was refitted to it.
 */
#ifndef BOXWOOD_TREE_H
#define BOXWOOD_TREE_H

#include <boxwood/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bw_tree bw_tree;

typedef enum bw_builder {
    BW_BUILDER_DEFAULT = 0, /* what measures best: for axis-aligned boxes BW_BUILDER_QUALITY */
    /* van den Bergen 1997: halve the box across its longest axis, one primitive per leaf */
    BW_BUILDER_MIDPOINT BW_EXPERIMENTAL = 1,
    BW_BUILDER_FAST = 2, /* along a space-filling curve: nodes and leaves of eight, built in the least time */
    BW_BUILDER_QUALITY = 3 /* surface-area heuristic: nodes and leaves of eight, for the fastest queries */
} bw_builder;

/* What bounds the primitives below a node. Axis-aligned boxes are the default, and the only ones with several
 * builders; the others hold one primitive per leaf, for research and for meshes on which they win
 * (docs/lab/volumes.md). Two bodies collide only if their trees have the same volumes. */
typedef enum bw_volume {
    BW_VOLUME_AABB = 0,
    BW_VOLUME_OBB BW_EXPERIMENTAL = 1,    /* along the principal axes (Gottschalk 1996); a refit rebuilds */
    BW_VOLUME_KDOP14 BW_EXPERIMENTAL = 2, /* slabs along the axes and the cube's corners (Klosowski 1998) */
    BW_VOLUME_KDOP18 BW_EXPERIMENTAL = 3, /* along the axes and the cube's edges */
    BW_VOLUME_KDOP26 BW_EXPERIMENTAL = 4  /* along all 13 */
} bw_volume;

/* All zero is the default. */
typedef struct bw_tree_desc {
    uint32_t size;      /* zero, or as BW_SIZED sets it */
    bw_builder builder; /* AABB: any; k-DOPs: DEFAULT or MIDPOINT; OBB: DEFAULT; else BW_ERROR_UNSUPPORTED */
    bw_volume volume;
    /* FAST and QUALITY: keep no copy of the coordinates. Takes a third of the memory and refits in the least
     * time; queries read the mesh instead, which is slower while the mesh is rigid. */
    bool compact;
    /* The mesh will deform and the tree follow it by bw_tree_update: chooses the form that is the fastest to
     * refit and query in turn, which is the compact one (docs/decisions/0009-say-that-it-deforms.md). Others
     * than FAST and QUALITY have one form and take no notice. */
    bool deforms;
    /* Primitives with these defects (bits of BW_DEFECT_BIT) are left out of the tree and listed by
     * bw_tree_quarantine; a fatal defect that is not in the set makes bw_tree_create fail. 0: none left out.
     */
    uint32_t quarantine;
    const bw_allocator *allocator; /* NULL: the heap; copied, need not outlive the call */
    const bw_tasks *tasks;         /* NULL: serial; used during the call only */
    /* FAST and QUALITY: asked some thousand times for each million primitives by QUALITY, between a few steps by
     * FAST; a build that it ends gives BW_ERROR_STOPPED and no tree */
    bw_progress progress;
} bw_tree_desc;

/* Builds a tree. desc may be NULL (the default).
 * On a defect that is not quarantined: its bw_defect_result, and the fault names the first primitive at
 * fault, its vertex, axis and value (bw_mesh_validate counts them all). BW_ERROR_EMPTY when no primitive is
 * left, BW_ERROR_SIZE beyond 2^30 primitives. */
BW_API bw_result bw_tree_create(const bw_tree_desc *desc, const bw_mesh *mesh, bw_tree **out,
                                bw_fault *fault);
/* NULL is allowed. */
BW_API void bw_tree_destroy(bw_tree *tree);

/* Primitives that only their owner knows: anything with a box. */
typedef struct bw_primitives {
    uint32_t count;
    /* Writes the box of a primitive: finite, min <= max, within BW_COORDINATE_MAX. Asked for when the tree is
     * built and refitted and, by queries, for the primitives of the leaves they visit; it must give the same
     * box until the tree is refitted. Queries from several threads call it from each. */
    void (*box)(void *user, uint32_t primitive, bw_box *out);
    void *user;
} bw_primitives;

/* Builds a tree over such primitives, with BW_BUILDER_FAST or BW_BUILDER_QUALITY (others:
 * BW_ERROR_UNSUPPORTED). For bw_collide_user; bw_body.mesh stays NULL. A box that is not finite, empty or out
 * of range: BW_ERROR_NOT_FINITE, BW_ERROR_ARGUMENT or BW_ERROR_RANGE, and the fault's element is the first
 * such primitive. */
BW_API bw_result bw_tree_create_user(const bw_tree_desc *desc, const bw_primitives *primitives, bw_tree **out,
                                     bw_fault *fault);
/* Asks for all boxes again and fits the tree to them. On failure it is as it was. BW_ERROR_MISMATCH: a tree
 * of a mesh. */
BW_API bw_result bw_tree_refit_user(bw_tree *tree, bw_fault *fault);

/* What an update did. */
typedef enum bw_update_action {
    BW_UPDATE_DID_REFIT = 0,       /* the boxes were fitted, the tree's shape kept */
    BW_UPDATE_DID_RESTRUCTURE = 1, /* and the worst subtrees were rebuilt */
    BW_UPDATE_DID_REBUILD = 2      /* the whole tree was rebuilt: always so for BW_VOLUME_OBB */
} bw_update_action;

typedef struct bw_update_report {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    bw_update_action action;
    const char *reason; /* why, in a few words; never NULL on success */
    double quality; /* SAH cost over that of the tree when it was built: 1 as good as new; 0: not computed */
    uint32_t boxes; /* boxes computed */
    uint32_t changed; /* of these, boxes that differ from before; counted where bw_update_desc asks for it */
} bw_update_report;

/* Vertices first .. first + count - 1. */
typedef struct bw_vertex_range {
    uint32_t first, count;
} bw_vertex_range;

/* How to follow a mesh that has moved or deformed. */
typedef enum bw_update_policy {
    BW_UPDATE_REFIT = 0,  /* fit the boxes, keep the tree's shape */
    BW_UPDATE_AUTO = 1,   /* fit the boxes, and rebuild subtrees or all where the tree has degraded */
    BW_UPDATE_REBUILD = 2 /* rebuild the whole tree */
} bw_update_policy;

/* All zero: fit every box. */
typedef struct bw_update_desc {
    uint32_t size; /* zero, or as BW_SIZED sets it */
    bw_update_policy policy;
    /* FAST and QUALITY: only these vertices have moved since the last update. They may overlap and come in
     * any order. NULL: any vertex may have moved */
    const bw_vertex_range *ranges;
    uint32_t range_count;
    bool count_changed;    /* fill bw_update_report.changed, at a small cost */
    const bw_tasks *tasks; /* NULL: serial; used during the call only */
    /* As in bw_tree_desc. REBUILD: an update that it ends gives BW_ERROR_STOPPED. AUTO: boxes are fitted all the
     * same, what it ends is not rebuilt */
    bw_progress progress;
} bw_update_desc;

/* Fits the boxes to the mesh's present positions, bottom-up; a tree of oriented boxes is rebuilt instead.
 * desc may be NULL (the default), and so may report. The mesh must have the primitive, vertex and index
 * counts of the one the tree was built from (BW_ERROR_MISMATCH); its scalar type and stride may differ, its
 * indices must not. If a coordinate of a primitive in the tree is not finite or out of range the tree stays
 * as it was and the fault names the vertex; so it stays on BW_ERROR_MEMORY (possible when rebuilding, and at
 * the first update by ranges). BW_ERROR_INDEX: a range beyond the mesh; BW_ERROR_UNSUPPORTED: ranges on a
 * tree of one primitive per leaf. */
BW_API bw_result bw_tree_update(bw_tree *tree, const bw_mesh *mesh, const bw_update_desc *desc,
                                bw_update_report *report, bw_fault *fault);

/* Makes the tree ready for many queries for distances (bw_distance, bw_within, bw_nearest,
 * bw_nearest_many; trees of FAST and QUALITY over a mesh, others give BW_ERROR_UNSUPPORTED): tight bounds
 * of small parts of the surface, beside the boxes. Answers are the same with and without, only faster with:
 * about twice for points and for bodies of many triangles. It takes about a quarter of the time of a build
 * and 4 bytes per triangle; any update, insertion or removal drops them, and they are not saved: call it
 * again where it pays. mesh: as the tree knows it (BW_ERROR_MISMATCH). tasks may be NULL. On failure,
 * BW_ERROR_MEMORY included, the tree is as it was. */
BW_API bw_result bw_tree_prepare_distances(bw_tree *tree, const bw_mesh *mesh, const bw_tasks *tasks,
                                           bw_fault *fault);

/* Takes primitives of the mesh into the tree, or out of it, at run time (trees of FAST and QUALITY; others
 * give BW_ERROR_UNSUPPORTED). Boxes stay tight, and where many have come and gone subtrees are rebuilt.
 * - insert: the mesh may have more vertices and primitives than the one the tree knows, never fewer
 *   (BW_ERROR_MISMATCH); those it knows have not moved. The list holds no primitive twice, none that is in
 *   the tree and none in quarantine (BW_ERROR_ARGUMENT), none beyond the mesh (BW_ERROR_INDEX), and none
 *   with a fatal defect (its bw_defect_result). Primitives that are not inserted are not in the tree.
 * - remove: all must be in the tree, none twice (BW_ERROR_ARGUMENT). A tree may become empty; nothing
 *   collides with it.
 *
 * On failure, BW_ERROR_MEMORY included, the tree is as it was. */
BW_API bw_result bw_tree_insert(bw_tree *tree, const bw_mesh *mesh, const uint32_t *primitives,
                                uint32_t count, bw_fault *fault);
BW_API bw_result bw_tree_remove(bw_tree *tree, const bw_mesh *mesh, const uint32_t *primitives,
                                uint32_t count, bw_fault *fault);

/* Makes a second layout of the tree (FAST and QUALITY; others give BW_ERROR_UNSUPPORTED) from which rays are
 * cast faster: worth it from about as many rays as there are primitives. Takes some 46 bytes and 30 ns per
 * triangle, on the calling thread where tasks is NULL. Every change of the tree (bw_tree_update,
 * bw_tree_insert, bw_tree_remove) drops it, and rays are cast without it until it is made again; saving does
 * not keep it. It changes no answer, but for which contact BW_RAY_ANY finds. On BW_ERROR_MEMORY the tree is
 * as it was. */
BW_API bw_result bw_tree_prepare_rays(bw_tree *tree, const bw_mesh *mesh, const bw_tasks *tasks,
                                      bw_fault *fault);

/* Proves the structure's invariants: every primitive that is not quarantined in exactly one leaf, children
 * after their parent, every box the smallest float box of its children or of its primitive (oriented boxes:
 * containing all primitives below and touching them). Returns NULL if all hold, otherwise a sentence about
 * the first that does not. mesh may be NULL: boxes are then checked against each other only. */
BW_API const char *bw_tree_check(const bw_tree *tree, const bw_mesh *mesh);

typedef struct bw_tree_stats {
    uint32_t size;       /* zero, or as BW_SIZED sets it */
    uint32_t primitives; /* in the tree */
    uint32_t quarantined;
    uint32_t nodes, leaves;
    uint32_t depth; /* edges from the root to the deepest leaf */
    double mean_leaf_depth;
    double sah_cost; /* sum of node areas over the root's: expected nodes met by a random line */
    size_t bytes;    /* all memory held */
} bw_tree_stats;

/* Writes the sizes and the cost of a tree. */
BW_API void bw_tree_get_stats(const bw_tree *tree, bw_tree_stats *out);
/* The box of everything in the tree; of an empty one the empty box, whose min is above its max (infinities).
 */
BW_API bw_box bw_tree_bounds(const bw_tree *tree);
/* The primitives left out, ascending. *count receives how many; NULL is returned when there are none. */
BW_API const uint32_t *bw_tree_quarantine(const bw_tree *tree, uint32_t *count);

/* Visits every node, parents before children, with its depth and, for leaves, the primitives (NULL and 0 for
 * inner nodes). The visitor returns false to stop. For pictures, statistics and tests. */
typedef bool bw_tree_visitor(void *user, const bw_box *box, uint32_t depth, const uint32_t *primitives,
                             uint32_t count);
BW_API bw_result bw_tree_visit(const bw_tree *tree, bw_tree_visitor *visitor, void *user, bw_fault *fault);

/* Trees as bytes, of a versioned format that is the same on every machine: equal trees give equal bytes.
 * size: what bw_tree_save writes; 0 for trees that cannot be saved: those of one primitive per leaf, of user
 * primitives, and empty ones. save: buffer holds exactly that many bytes (BW_ERROR_ARGUMENT);
 * BW_ERROR_UNSUPPORTED for a tree that cannot be saved. load: bytes of any origin may be given. Not only a
 * checksum but every index, count and box is checked: BW_ERROR_FORMAT for what is not a saved tree or is
 * damaged, BW_ERROR_VERSION for another version of the format. allocator may be NULL. The mesh is not part of
 * it: give the one the tree was saved with to queries. */
BW_API size_t bw_tree_saved_size(const bw_tree *tree);
BW_API bw_result bw_tree_save(const bw_tree *tree, void *buffer, size_t size, bw_fault *fault);
BW_API bw_result bw_tree_load(const void *bytes, size_t size, const bw_allocator *allocator, bw_tree **out,
                              bw_fault *fault);

#ifdef __cplusplus
}
#endif
#endif
