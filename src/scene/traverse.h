/* The nodes and objects of a scene and, where paths are recorded, of the scenes in it: one interface for
 * every traversal. All boxes are as seen from the outermost scene: those of nodes and instances with a margin
 * for the rounding of composed poses, those of objects as bw_box_transformed gives them (section 2.2.2 of
 * Shagam's paper takes boxes outward in the same way). */
#ifndef BW_SCENE_TRAVERSE_H
#define BW_SCENE_TRAVERSE_H

#include "scene/kind.h"

typedef struct bw_traversal {
    const bw_scene_tree *tree; /* of the outermost scene */
    bw_scene_paths *paths;     /* NULL: an instance is an object like any other */
} bw_traversal;

typedef struct bw_traversal_node {
    bw_node_ref ref;
    uint32_t path; /* to the scene that it belongs to; 0: the outermost */
} bw_traversal_node;

enum { BW_RUN = 32 };

/* Some objects of a node. */
typedef struct bw_object_run {
    uint32_t count;
    uint32_t instances;      /* one bit each: those to be entered, not objects */
    const float (*boxes)[6]; /* two more floats stand behind them */
    const bw_id *ids;
    float own[BW_RUN + 1][6];
} bw_object_run;

/* Begins at the root of the outermost scene's tree; paths (may be NULL) are used where the scene holds any
 * instance. False: no memory. */
bool bw_traverse_begin(bw_traversal *traversal, const bw_scene *scene, bw_scene_paths *paths);
/* ref is 0 in an empty scene. */
static inline bw_traversal_node bw_traverse_root(const bw_traversal *traversal)
{
    return (bw_traversal_node){traversal->tree->kind->root(traversal->tree), 0};
}
static inline const float *bw_traverse_bounds(const bw_traversal *traversal)
{
    return traversal->tree->kind->bounds(traversal->tree);
}
/* The children of a node, of the same path, and its objects in their own scene, to be taken in runs. */
void bw_traverse_expand(const bw_traversal *traversal, bw_traversal_node node, bw_node_contents *out);
/* The objects from begin on, at most BW_RUN of them. */
void bw_traverse_objects(const bw_traversal *traversal, bw_traversal_node node,
                         const bw_node_contents *contents, uint32_t begin, bw_object_run *out);
/* The root of the scene that an instance of a node's scene stands for, and its box; 0: it is empty. False: no
 * memory. */
bool bw_traverse_enter(const bw_traversal *traversal, bw_traversal_node node, bw_id instance,
                       bw_traversal_node *root, float box[6]);

/* All objects that meet a region, whatever the tree and the region. */
bw_result bw_traverse_region(const bw_traversal *traversal, const bw_region_test *test, bw_object_sink *sink);

#endif
