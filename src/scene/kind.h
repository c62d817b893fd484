/* The trees over a scene's objects, and what their kinds do differently behind the public functions: the
 * modern tree (src/scene/modern) and the dynamic AABB tree of Shagam's paper (src/scene/shagam). */
#ifndef BW_SCENE_KIND_H
#define BW_SCENE_KIND_H

#include "base/simd/level.h"
#include "scene/packed_box.h"
#include "scene/pair_sink.h"
#include "scene/region_test.h"
#include "scene/sink.h"
#include "scene/table.h"

#ifndef BW_RESEARCH
#    error "BW_RESEARCH says whether the paper's trees are built: 1 or 0"
#endif

typedef struct bw_scene_kind bw_scene_kind;

/* What every tree begins with. The table, allocator and tasks are the scene's. */
typedef struct bw_scene_tree {
    const bw_scene_kind *kind;
    bw_table *table;
    const bw_allocator *allocator;
    const bw_tasks *tasks; /* NULL: serial */
    bw_simd simd;
    uint32_t objects;
    uint64_t splits, merges, reinserted, rebuilt; /* since the tree was made */
} bw_scene_tree;

typedef uint32_t bw_node_ref; /* names a node of one tree; 0: none */

enum { BW_NODE_WAYS = 27 }; /* most children of a node */

typedef struct bw_node_contents {
    uint32_t children;
    bw_node_ref child[BW_NODE_WAYS];
    float box[BW_NODE_WAYS][6];
    uint32_t objects; /* of the node itself */
    const float (*boxes)[6];
    const bw_id *ids;
} bw_node_contents;

/* Boxes are packed (scene/packed_box.h) unless they are a bw_box. false: no memory, and nothing changed. */
struct bw_scene_kind {
    size_t size; /* of the kind's tree */
    void (*init)(bw_scene_tree *tree, bw_nesting nesting, bool leafy, uint32_t threshold);
    /* Gives all memory back but the tree itself, and forgets all objects; the counts stay. */
    void (*clear)(bw_scene_tree *tree);
    /* Into a tree without objects; locations go to the table once nothing can fail any more. */
    bool (*build)(bw_scene_tree *tree, const bw_box *boxes, bw_id_list ids, uint32_t count);
    bool (*insert)(bw_scene_tree *tree, const float box[6], bw_id id);
    void (*remove)(bw_scene_tree *tree, uint32_t object);
    void (*move)(bw_scene_tree *tree, bw_id id, const bw_box *box);
    bool (*move_many)(bw_scene_tree *tree, const bw_id *ids, const bw_box *boxes, uint32_t count);
    /* After removals: gives memory back, in time proportional to what was removed. */
    void (*compact)(bw_scene_tree *tree);
    /* Does what was put off, where it meets the region (NULL: everywhere). false: memory ran out; what was
     * done stays. */
    bool (*prepare)(bw_scene_tree *tree, const float region[6], bw_prepare_report *report);
    bw_result (*query)(const bw_scene_tree *tree, const bw_region_test *test, bw_object_sink *sink);
    /* All pairs of objects; NULL: scene/pairs.c finds them through expand. */
    bw_result (*pairs)(const bw_scene_tree *tree, bw_pair_sink *sink);
    bw_node_ref (*root)(const bw_scene_tree *tree);
    /* A box around everything; empty without objects. */
    const float *(*bounds)(const bw_scene_tree *tree);
    void (*expand)(const bw_scene_tree *tree, bw_node_ref ref, bw_node_contents *out);
    /* A number for a node, below node_limit: for plane memories. */
    uint32_t (*node_number)(const bw_scene_tree *tree, bw_node_ref ref);
    uint32_t (*node_limit)(const bw_scene_tree *tree);
    const float *(*object_box)(const bw_scene_tree *tree, uint32_t object);
    /* Fills in nodes, leaves, depth and largest_leaf, and adds to bytes. */
    void (*stats)(const bw_scene_tree *tree, bw_scene_stats *out);
    const char *(*check)(const bw_scene_tree *tree);
};

extern const bw_scene_kind bw_kind_modern;
#if BW_RESEARCH
extern const bw_scene_kind bw_kind_shagam;
#endif

#endif
