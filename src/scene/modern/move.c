/* Moves. A batch goes in two phases: first every object that stays in its leaf's cell gets its box, with the
 * memory ahead being fetched meanwhile; then the boxes above are brought up to date once, and the few objects
 * that leave their cells are placed anew, in the order given. */
#include "scene/modern/kernels.h"

#include <assert.h>
#include <string.h>

enum { AHEAD = 12, GROUP = 16, ON_STACK = 1024, PARTS = 64, PARALLEL_FROM = 4096 };
#define MOVING 0x80000000u /* in a place: the object waits for the second phase */

#define TARGET
#define KERNEL(name) name##_scalar
#include "scene/modern/move_template.h"
#undef KERNEL
#undef TARGET
#if BW_SIMD_X86
#    define TARGET BW_AVX2
#    define KERNEL(name) name##_avx2
#    include "scene/modern/move_template.h"
#    undef KERNEL
#    undef TARGET
#endif

static uint32_t settle(const bw_anchor_context *context, const bw_id *ids, const bw_box *boxes,
                       const uint32_t *order, uint32_t count, uint8_t *deferred, uint32_t *dirty)
{
#if BW_SIMD_X86
    if (context->simd == BW_SIMD_AVX2)
        return settle_avx2(context, ids, boxes, order, count, deferred, dirty);
#endif
    return settle_scalar(context, ids, boxes, order, count, deferred, dirty);
}

static uint32_t flush(const bw_anchor_context *context, uint32_t *dirty, uint32_t count)
{
#if BW_SIMD_X86
    if (context->simd == BW_SIMD_AVX2)
        return flush_avx2(context->tree, dirty, count);
#endif
    return flush_scalar(context->tree, dirty, count);
}

uint32_t bw_anchor_validate(const bw_anchor_context *context, const bw_id *ids, const bw_box *boxes,
                            uint32_t count)
{
#if BW_SIMD_X86
    if (context->simd == BW_SIMD_AVX2)
        return validate_avx2(context->table, ids, boxes, count);
#endif
    return validate_scalar(context->table, ids, boxes, count);
}

/* The object leaves its cell. */
static void migrate(bw_anchor_context *context, bw_id id, const bw_box *box)
{
    bw_anchor_tree *tree = context->tree;
    uint32_t where = bw_table_entry(context->table, bw_id_index(id))->place;
    float packed[6];
    bw_anchor_pack(box, packed);
    /* The most that one insertion takes: a node, and a leaf for every other slot of a hashed one. */
    if (bw_anchor_reserve(tree, context->allocator, 1, BW_ANCHOR_CHILDREN - 1)) {
        bw_anchor_remove(context, where);
        bool inserted = bw_anchor_insert(context, packed, id);
        assert(inserted);
        (void)inserted;
        tree->reinserted++;
        return;
    }
    bw_anchor_leaf *leaf = bw_anchor_leaf_at(tree, where >> 5);
    memcpy(leaf->boxes[where & 31u], packed, sizeof packed);
    bw_anchor_box_grow(leaf->box, packed);
    bw_anchor_raise(tree, leaf->parent, leaf->box);
}

/* Walks some objects down together, so that the memory they need is fetched for all at once. */
static void warm(const bw_anchor_context *context, const bw_id *ids, const bw_box *boxes,
                 const uint32_t *which, uint32_t count)
{
    const bw_anchor_tree *tree = context->tree;
    bw_anchor_ref at[GROUP];
    float centre[GROUP][3];
    for (uint32_t k = 0; k < count; k++) {
        float packed[6];
        bw_anchor_pack(&boxes[which[k]], packed);
        bw_anchor_centre(packed, centre[k]);
        at[k] = tree->root;
    }
    for (bool more = true; more;) {
        more = false;
        for (uint32_t k = 0; k < count; k++) {
            if (at[k] == 0 || bw_anchor_is_leaf(at[k]))
                continue;
            const bw_anchor_node *node = bw_anchor_node_at(tree, bw_anchor_node_of(at[k]));
            at[k] = node->child[bw_anchor_route(node, centre[k], bw_id_index(ids[which[k]]))];
            if (at[k] != 0 && bw_anchor_is_leaf(at[k])) {
                const bw_anchor_leaf *leaf = bw_anchor_leaf_at(tree, bw_anchor_leaf_of(at[k]));
                __builtin_prefetch(leaf, 1);
                __builtin_prefetch(leaf->boxes[bw_anchor_count_of(at[k])], 1);
                __builtin_prefetch(&leaf->ids[bw_anchor_count_of(at[k])], 1);
            } else if (at[k] != 0) {
                __builtin_prefetch(bw_anchor_node_at(tree, bw_anchor_node_of(at[k]))->child, 1);
                more = true;
            }
        }
    }
    for (uint32_t k = 0; k < count; k++) {
        uint32_t place = bw_table_entry(context->table, bw_id_index(ids[which[k]]))->place & ~MOVING;
        const bw_anchor_leaf *leaf = bw_anchor_leaf_at(tree, place >> 5);
        uint32_t last = (leaf->count - 1) % BW_ANCHOR_LEAF_CAPACITY;
        __builtin_prefetch(leaf->boxes[last]);
        __builtin_prefetch(&leaf->ids[last]);
    }
}

static void migrate_deferred(bw_anchor_context *context, const bw_id *ids, const bw_box *boxes,
                             const uint8_t *deferred, uint32_t count)
{
    uint32_t which[GROUP];
    for (uint32_t i = 0; i < count;) {
        uint32_t waiting = 0;
        for (; i < count && waiting < GROUP; i++)
            if (deferred[i] != 0)
                which[waiting++] = i;
        warm(context, ids, boxes, which, waiting);
        for (uint32_t k = 0; k < waiting; k++) {
            bw_table_entry(context->table, bw_id_index(ids[which[k]]))->place &= ~MOVING;
            migrate(context, ids[which[k]], &boxes[which[k]]);
        }
    }
}

/* ---- in parallel: each leaf, and so each object, belongs to one part; parts do not depend on the number of
 * workers ---- */

typedef struct parts {
    const bw_anchor_context *context;
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
            __builtin_prefetch(bw_table_entry(p->context->table, bw_id_index(p->ids[i + 2 * AHEAD])));
        uint32_t leaf = bw_table_entry(p->context->table, bw_id_index(p->ids[i]))->place >> 5;
        p->part_of[i] = (uint8_t)((leaf * 2654435769u) >> 26);
    }
}

static void settle_part(void *user, uint32_t begin, uint32_t end, uint32_t worker)
{
    parts *p = user;
    (void)worker;
    for (uint32_t part = begin; part < end; part++) {
        uint32_t from = p->begin[part];
        p->dirty_count[part] = settle(p->context, p->ids, p->boxes, p->order + from,
                                      p->begin[part + 1] - from, p->deferred, p->dirty + from);
    }
}

/* Returns the nodes to be renewed, at the front of p->dirty. */
static uint32_t settle_parallel(const bw_anchor_context *context, parts *p, uint32_t count)
{
    const bw_tasks *tasks = context->tasks;
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
    tasks->parallel_for(tasks->user, settle_part, p, PARTS, 1);
    uint32_t due = 0;
    for (uint32_t part = 0; part < PARTS; part++) {
        uint32_t *list = p->dirty + p->begin[part], more = flush(context, list, p->dirty_count[part]);
        memmove(p->dirty + due, list, more * sizeof *list);
        due += more;
    }
    return due;
}

bool bw_anchor_move_many(bw_anchor_context *context, const bw_id *ids, const bw_box *boxes, uint32_t count)
{
    bool parallel = context->tasks != NULL && context->tasks->worker_count > 1 && count >= PARALLEL_FROM;
    uint8_t stack_deferred[ON_STACK];
    uint32_t stack_dirty[ON_STACK];
    size_t bytes = (parallel ? 10u : 5u) * (size_t)count;
    uint8_t *scratch = NULL;
    if (count > ON_STACK && (scratch = bw_allocate(context->allocator, bytes, 1)) == NULL)
        return false;
    uint32_t *dirty = scratch == NULL ? stack_dirty : (uint32_t *)(void *)scratch;
    uint8_t *deferred = scratch == NULL ? stack_deferred : scratch + (parallel ? 8u : 4u) * (size_t)count;
    uint32_t due;
    memset(deferred, 0, count);
    if (parallel) {
        parts p = {context, ids, boxes, deferred + count, deferred, dirty + count, dirty, {0}, {0}};
        due = settle_parallel(context, &p, count);
    } else {
        due = flush(context, dirty, settle(context, ids, boxes, NULL, count, deferred, dirty));
    }
    bw_anchor_renew(context, dirty, due);
    migrate_deferred(context, ids, boxes, deferred, count);
    bw_release(context->allocator, scratch, bytes, 1);
    return true;
}

void bw_anchor_move(bw_anchor_context *context, bw_id id, const bw_box *box)
{
    uint8_t deferred = 0;
    uint32_t dirty;
    bw_anchor_renew(context, &dirty,
                    flush(context, &dirty, settle(context, &id, box, NULL, 1, &deferred, &dirty)));
    if (deferred != 0) {
        bw_table_entry(context->table, bw_id_index(id))->place &= ~MOVING;
        migrate(context, id, box);
    }
}
