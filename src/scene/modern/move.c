/* Moves. A batch goes in two phases: first every object that stays in its leaf's cell gets its box, with the
 * memory ahead being fetched meanwhile; then the boxes above are brought up to date once, and the few objects
 * that leave their cells are reinserted, in the order given. */
#include "scene/modern/kernels.h"

#include <assert.h>
#include <string.h>

enum { AHEAD = 12, GROUP = 16, ON_STACK = 1024, PARTS = 64, PARALLEL_FROM = 4096 };
#define MOVING 0x80000000u /* in a place: the object waits for the second phase */

#define TEMPLATE "scene/modern/move_template.h"
#include "scene/modern/each_level.h"

static uint32_t update_boxes(const bw_modern_tree *tree, const bw_id *ids, const bw_box *boxes,
                             const uint32_t *order, uint32_t count, uint8_t *deferred, uint32_t *dirty)
{
    return AT_LEVEL(tree->base.simd, update_boxes, tree, ids, boxes, order, count, deferred, dirty);
}

static uint32_t flush(bw_modern_tree *tree, uint32_t *dirty, uint32_t count)
{
    return AT_LEVEL(tree->base.simd, flush, tree, dirty, count);
}

uint32_t bw_modern_validate(const bw_scene_tree *tree, const bw_id *ids, const bw_box *boxes, uint32_t count)
{
    return AT_LEVEL(tree->simd, validate, tree->table, ids, boxes, count);
}

/* The object leaves its cell. */
static void reinsert(bw_modern_tree *tree, bw_id id, const bw_box *box)
{
    uint32_t where = bw_table_entry(tree->base.table, bw_id_index(id))->location;
    float packed[6];
    bw_packed_of(box, packed);
    /* The most that one insertion takes: a node, and a leaf for every other slot of a hashed one. */
    if (bw_modern_reserve(tree, 1, BW_MODERN_CHILDREN - 1)) {
        bw_modern_remove(tree, where);
        bool inserted = bw_modern_insert(&tree->base, packed, id);
        assert(inserted);
        (void)inserted;
        tree->base.reinserted++;
        return;
    }
    bw_modern_leaf *leaf = bw_modern_leaf_at(tree, where >> 5);
    memcpy(leaf->boxes[where & 31u], packed, sizeof packed);
    bw_packed_grow(leaf->box, packed);
    bw_modern_raise(tree, leaf->parent, leaf->box);
}

/* Walks some objects down together, so that the memory they need is fetched for all at once. */
static void prefetch_descents(const bw_modern_tree *tree, const bw_id *ids, const bw_box *boxes,
                              const uint32_t *which, uint32_t count)
{
    bw_node_ref at[GROUP];
    float centre[GROUP][3];
    for (uint32_t k = 0; k < count; k++) {
        float packed[6];
        bw_packed_of(&boxes[which[k]], packed);
        bw_modern_centre(packed, centre[k]);
        at[k] = tree->root;
    }
    for (bool more = true; more;) {
        more = false;
        for (uint32_t k = 0; k < count; k++) {
            if (at[k] == 0 || bw_modern_is_leaf(at[k]))
                continue;
            const bw_modern_node *node = bw_modern_node_at(tree, bw_modern_node_of(at[k]));
            at[k] = node->child[bw_modern_route(node, centre[k], bw_id_index(ids[which[k]]))];
            if (at[k] != 0 && bw_modern_is_leaf(at[k])) {
                const bw_modern_leaf *leaf = bw_modern_leaf_at(tree, bw_modern_leaf_of(at[k]));
                __builtin_prefetch(leaf, 1);
                __builtin_prefetch(leaf->boxes[bw_modern_count_of(at[k])], 1);
                __builtin_prefetch(&leaf->ids[bw_modern_count_of(at[k])], 1);
            } else if (at[k] != 0) {
                __builtin_prefetch(bw_modern_node_at(tree, bw_modern_node_of(at[k]))->child, 1);
                more = true;
            }
        }
    }
    for (uint32_t k = 0; k < count; k++) {
        uint32_t place = bw_table_entry(tree->base.table, bw_id_index(ids[which[k]]))->location & ~MOVING;
        const bw_modern_leaf *leaf = bw_modern_leaf_at(tree, place >> 5);
        uint32_t last = (leaf->count - 1) % BW_MODERN_LEAF_CAPACITY;
        __builtin_prefetch(leaf->boxes[last]);
        __builtin_prefetch(&leaf->ids[last]);
    }
}

static void reinsert_deferred(bw_modern_tree *tree, const bw_id *ids, const bw_box *boxes,
                              const uint8_t *deferred, uint32_t count)
{
    uint32_t which[GROUP];
    for (uint32_t i = 0; i < count;) {
        uint32_t waiting = 0;
        for (; i < count && waiting < GROUP; i++)
            if (deferred[i] != 0)
                which[waiting++] = i;
        prefetch_descents(tree, ids, boxes, which, waiting);
        for (uint32_t k = 0; k < waiting; k++) {
            bw_table_entry(tree->base.table, bw_id_index(ids[which[k]]))->location &= ~MOVING;
            reinsert(tree, ids[which[k]], &boxes[which[k]]);
        }
    }
}

/* ---- in parallel: each leaf, and so each object, belongs to one part; parts do not depend on the number of
 * workers ---- */

typedef struct parts {
    const bw_modern_tree *tree;
    const bw_id *ids;
    const bw_box *boxes;
    uint8_t *part_of, *deferred;
    uint32_t *order, *dirty;
    uint32_t begin[PARTS + 1];
    uint32_t dirty_count[PARTS];
} parts;

static void find_part(void *user, uint32_t begin, uint32_t end, uint32_t worker)
{
    parts *p = user;
    (void)worker;
    for (uint32_t i = begin; i < end; i++) {
        if (i + 2 * AHEAD < end)
            __builtin_prefetch(bw_table_entry(p->tree->base.table, bw_id_index(p->ids[i + 2 * AHEAD])));
        uint32_t leaf = bw_table_entry(p->tree->base.table, bw_id_index(p->ids[i]))->location >> 5;
        p->part_of[i] = (uint8_t)((leaf * 2654435769u) >> 26);
    }
}

static void update_part(void *user, uint32_t begin, uint32_t end, uint32_t worker)
{
    parts *p = user;
    (void)worker;
    for (uint32_t part = begin; part < end; part++) {
        uint32_t from = p->begin[part];
        p->dirty_count[part] = update_boxes(p->tree, p->ids, p->boxes, p->order + from,
                                            p->begin[part + 1] - from, p->deferred, p->dirty + from);
    }
}

/* Returns the nodes to be rebuilt, at the front of p->dirty. */
static uint32_t update_parallel(bw_modern_tree *tree, parts *p, uint32_t count)
{
    const bw_tasks *tasks = tree->base.tasks;
    tasks->parallel_for(tasks->user, find_part, p, count, 1024);
    uint32_t sizes[PARTS] = {0}, sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sizes[p->part_of[i]]++;
    for (uint32_t part = 0; part < PARTS; part++) {
        p->begin[part] = sum;
        sum += sizes[part];
        sizes[part] = p->begin[part];
    }
    p->begin[PARTS] = sum;
    for (uint32_t i = 0; i < count; i++)
        p->order[sizes[p->part_of[i]]++] = i;
    tasks->parallel_for(tasks->user, update_part, p, PARTS, 1);
    uint32_t due = 0;
    for (uint32_t part = 0; part < PARTS; part++) {
        uint32_t *list = p->dirty + p->begin[part], more = flush(tree, list, p->dirty_count[part]);
        memmove(p->dirty + due, list, more * sizeof *list);
        due += more;
    }
    return due;
}

bool bw_modern_move_many(bw_scene_tree *base, const bw_id *ids, const bw_box *boxes, uint32_t count)
{
    bw_modern_tree *tree = (bw_modern_tree *)base;
    bool parallel = tree->base.tasks != NULL && tree->base.tasks->worker_count > 1 && count >= PARALLEL_FROM;
    uint8_t stack_deferred[ON_STACK];
    uint32_t stack_dirty[ON_STACK];
    size_t bytes = (parallel ? 10u : 5u) * (size_t)count;
    uint8_t *scratch = NULL;
    if (count > ON_STACK && (scratch = bw_allocate(tree->base.allocator, bytes, 1)) == NULL)
        return false;
    uint32_t *dirty = scratch == NULL ? stack_dirty : (uint32_t *)(void *)scratch;
    uint8_t *deferred = scratch == NULL ? stack_deferred : scratch + (parallel ? 8u : 4u) * (size_t)count;
    uint32_t due;
    memset(deferred, 0, count);
    if (parallel) {
        parts p = {tree, ids, boxes, deferred + count, deferred, dirty + count, dirty, {0}, {0}};
        due = update_parallel(tree, &p, count);
    } else {
        due = flush(tree, dirty, update_boxes(tree, ids, boxes, NULL, count, deferred, dirty));
    }
    bw_modern_rebuild_due(tree, dirty, due);
    reinsert_deferred(tree, ids, boxes, deferred, count);
    bw_release(tree->base.allocator, scratch, bytes, 1);
    return true;
}

void bw_modern_move(bw_scene_tree *base, bw_id id, const bw_box *box)
{
    bw_modern_tree *tree = (bw_modern_tree *)base;
    uint8_t deferred = 0;
    uint32_t dirty;
    bw_modern_rebuild_due(tree, &dirty,
                          flush(tree, &dirty, update_boxes(tree, &id, box, NULL, 1, &deferred, &dirty)));
    if (deferred != 0) {
        bw_table_entry(tree->base.table, bw_id_index(id))->location &= ~MOVING;
        reinsert(tree, id, box);
    }
}
