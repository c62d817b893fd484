/* A scene: ids and users in one table, objects in one of the two trees. */
#ifndef BW_SCENE_SCENE_H
#define BW_SCENE_SCENE_H

#include "scene/modern/modern.h"
#include "scene/shagam/shagam.h"

typedef struct bw_tracker bw_tracker;
typedef struct bw_family bw_family;

struct bw_scene {
    bw_allocator allocator;
    bw_tasks tasks;
    bool has_tasks;
    bw_simd simd;
    bw_nesting asked, used; /* used is never AUTO */
    bool leafy;
    uint32_t threshold;
    const char *reason;
    uint32_t chosen_at; /* AUTO: objects when it chose last */
    bw_table table;
    bw_anchor_tree anchor;   /* used == MODERN */
    bw_classic_tree classic; /* otherwise */
    bw_tracker *tracker;     /* scene/tracker.c; NULL: not asked for */
    bw_family *family;       /* nested.c; NULL: neither holds a scene nor is held */
};

/* The public creation with a level of instructions, for tests. */
bw_result bw_stage_create_at(const bw_scene_desc *desc, bw_simd simd, bw_scene **out);

static inline bool bw_stage_is_anchor(const bw_scene *scene)
{
    return scene->used == BW_NESTING_MODERN;
}

static inline bw_anchor_context bw_stage_anchor(bw_scene *scene)
{
    return (bw_anchor_context){&scene->anchor, &scene->table, &scene->allocator,
                               scene->has_tasks ? &scene->tasks : NULL, scene->simd};
}

static inline bw_classic_context bw_stage_classic(bw_scene *scene)
{
    return (bw_classic_context){&scene->classic, &scene->table, &scene->allocator};
}

static inline uint32_t bw_stage_objects(const bw_scene *scene)
{
    return bw_stage_is_anchor(scene) ? scene->anchor.objects : scene->classic.objects;
}

/* The packed box of a live object. */
const float *bw_stage_object_box(const bw_scene *scene, uint32_t index);
/* A box around everything, packed; all +infinity when empty. */
const float *bw_stage_bounds(const bw_scene *scene);

/* Puts all objects into a tree of another kind. False: no memory, nothing changed. */
bool bw_stage_convert(bw_scene *scene, bw_nesting nesting, bool leafy);
/* auto.c: lets AUTO choose for boxes that are about to be all there are, or (NULL) for the objects in the
 * scene. */
void bw_stage_choose(bw_scene *scene, const bw_box *boxes, uint32_t count, bw_nesting *nesting, bool *leafy);

/* Changes below the public functions, which validated all arguments: they keep pairs and instances up to
 * date. */
bw_result bw_stage_insert(bw_scene *scene, const bw_box *box, uint64_t user, bw_id *out);
void bw_stage_move(bw_scene *scene, bw_id id, const bw_box *box);
void bw_stage_remove(bw_scene *scene, bw_id id);

/* ---- walking either tree: expand.c ---- */

typedef uint32_t bw_stage_ref; /* a bw_anchor_ref, or 1 + a classic node; 0: nothing */

typedef struct bw_stage_expansion {
    uint32_t children;
    bw_stage_ref child[27];
    float box[27][6];
    uint32_t objects; /* of the node itself */
    const float (*boxes)[6];
    const bw_id *ids;
} bw_stage_expansion;

bw_stage_ref bw_stage_root(const bw_scene *scene);
void bw_stage_expand(const bw_scene *scene, bw_stage_ref ref, bw_stage_expansion *out);
/* A number for a node, below bw_stage_node_limit: for memories of views. */
uint32_t bw_stage_node_number(const bw_scene *scene, bw_stage_ref ref);
uint32_t bw_stage_node_limit(const bw_scene *scene);

#endif
