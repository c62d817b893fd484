/* Moves. A batch goes in two phases: first every object that stays in its leaf's cell gets its box, with the
 * memory ahead being fetched meanwhile; then the boxes above are brought up to date once, and the few objects
 * that leave their cells are reinserted, in the order given. */
#include "base/simd/f32x4.h"
#include "scene/modern/modern.h"

#include <assert.h>
#include <string.h>

enum { AHEAD = 12, GROUP = 16, ON_STACK = 1024, PARTS = 64, PARALLEL_FROM = 4096 };
#define MOVING 0x80000000u /* in a place: the object waits for the second phase */

/* A box in two registers: min x, y, z, negated max x; negated max y, z, and two zeros. */
typedef struct packed_box {
    v4 low, high;
} packed_box;

static inline packed_box pack(const bw_box *box)
{
    const float *sides = (const float *)(const void *)box;
    const i4 first = (i4)v4_load(sides), last = (i4)v4_load(sides + 2);
    const i4 high = V4_SHUFFLE(last ^ INT32_MIN, (i4){0}, 2, 3, 4, 5);
    return (packed_box){(v4)(first ^ (i4){0, 0, 0, INT32_MIN}), (v4)high};
}

/* The negated max where the min was, and the reverse. */
static inline packed_box turned(packed_box b)
{
    return (packed_box){V4_SHUFFLE(b.low, b.high, 3, 4, 5, 0), V4_SHUFFLE(b.low, b.high, 1, 2, 6, 7)};
}

/* Of six sides, one bit each. */
static inline uint32_t six_bits(i4 low, i4 high)
{
    return i4_bits(low) | (i4_bits(high) & 3u) << 4;
}

static inline packed_box load_six(const float *sides)
{
    return (packed_box){v4_load(sides), v4_load(sides + 4)};
}

static inline void store_six(float *sides, packed_box b)
{
    v4_store(sides, b.low);
    memcpy(sides + 4, &b.high, 2 * sizeof *sides);
}

enum { LEAVES = 1, DIRTY = 2 };

/* Gives an object its new box where its centre stays in the leaf's cell; otherwise says that it leaves.
 * DIRTY: the leaf's box grew or is to be recomputed, or the leaf is degraded. */
static inline uint32_t leaf_update(bw_modern_leaf *leaf, uint32_t slot, const bw_box *box)
{
    float *own = (float *)(void *)leaf, *old_sides = (float *)(void *)leaf->boxes + (size_t)6 * slot;
    const packed_box now = pack(box), other = turned(now), bounds = load_six(own), cell = load_six(own + 6),
                     old = load_six(old_sides);
    if (six_bits(now.low - other.low < cell.low, now.high - other.high < cell.high) != 0)
        return LEAVES;
    const uint32_t flush = six_bits((old.low <= bounds.low) & (now.low > bounds.low),
                                    (old.high <= bounds.high) & (now.high > bounds.high));
    const uint32_t grows = six_bits(now.low < bounds.low, now.high < bounds.high);
    store_six(old_sides, now);
    if (grows != 0)
        store_six(own, (packed_box){v4_min(now.low, bounds.low), v4_min(now.high, bounds.high)});
    leaf->shrinks += flush != 0;
    leaf->changes += 2;
    return grows != 0 || leaf->shrinks >= BW_MODERN_SHRINKS || bw_modern_degraded(leaf) ? DIRTY : 0;
}

/* Whether a box may be an object's. */
static inline bool box_valid(const bw_box *box)
{
    const packed_box b = pack(box), other = turned(b);
    const v4 least = v4_all(-BW_SCENE_COORDINATE_MAX), zero = v4_all(0);
    return six_bits((b.low + other.low <= zero) & (b.low >= least),
                    (b.high + other.high <= zero) & (b.high >= least)) == 63;
}

/* Moves the objects order[0..count-1] of a batch (NULL: 0..count-1), as far as they stay in their leaves.
 * deferred[i] becomes 1 where one does not, and its place gets MOVING; dirty receives leaves whose box must
 * go up. Touches only the leaves of these objects. */
static uint32_t update_boxes(const bw_modern_tree *tree, const bw_id *ids, const bw_box *boxes,
                             const uint32_t *order, uint32_t count, uint8_t *deferred, uint32_t *dirty)
{
    uint32_t dirty_count = 0;
    for (uint32_t k = 0; k < count; k++) {
        if (k + AHEAD < count) {
            uint32_t next = order == NULL ? k + AHEAD : order[k + AHEAD];
            uint32_t place = bw_table_entry(tree->base.table, bw_id_index(ids[next]))->location & ~MOVING;
            const bw_modern_leaf *leaf = bw_modern_leaf_at(tree, place >> 5);
            __builtin_prefetch(leaf, 1);
            __builtin_prefetch(leaf->boxes[place & 31u], 1);
            __builtin_prefetch(&leaf->boxes[place & 31u][5], 1);
        }
        uint32_t i = order == NULL ? k : order[k];
        bw_entry *entry = bw_table_entry(tree->base.table, bw_id_index(ids[i]));
        if ((entry->location & MOVING) != 0) {
            deferred[i] = 1; /* given twice: the later box must come last */
            continue;
        }
        uint32_t index = entry->location >> 5;
        bw_modern_leaf *leaf = bw_modern_leaf_at(tree, index);
        uint32_t what = leaf_update(leaf, entry->location & 31u, &boxes[i]);
        if (what == LEAVES) {
            entry->location |= MOVING;
            deferred[i] = 1;
        } else if (what == DIRTY && (leaf->changes & 1u) == 0) {
            leaf->changes |= 1u;
            dirty[dirty_count++] = index;
            if (leaf->parent != BW_MODERN_NO_PARENT) {
                const char *node = (const char *)bw_modern_node_at(tree, leaf->parent >> 3);
                __builtin_prefetch(node, 1);
                __builtin_prefetch(node + 64, 1);
                __builtin_prefetch(node + 128, 1);
            }
        }
    }
    return dirty_count;
}

/* Brings boxes up to date from the dirty leaves upward. The list is overwritten by nodes to be rebuilt, whose
 * number is returned. */
static uint32_t flush(bw_modern_tree *tree, uint32_t *dirty, uint32_t count)
{
    uint32_t due = 0;
    for (uint32_t k = 0; k < count; k++) {
        if (k + AHEAD / 2 < count) {
            const bw_modern_leaf *next = bw_modern_leaf_at(tree, dirty[k + AHEAD / 2]);
            if (next->shrinks >= BW_MODERN_SHRINKS)
                for (uint32_t i = 0; i < next->count; i += 2)
                    __builtin_prefetch(next->boxes[i]);
        }
        bw_modern_leaf *leaf = bw_modern_leaf_at(tree, dirty[k]);
        leaf->changes &= ~1u;
        if (leaf->shrinks >= BW_MODERN_SHRINKS) {
            leaf->shrinks = 0;
            bw_modern_leaf_box(leaf, leaf->box);
        }
        bw_modern_raise(tree, leaf->parent, leaf->box);
        if (bw_modern_degraded(leaf)) {
            leaf->changes = 0;
            uint32_t node = bw_modern_charge(tree, leaf->parent, 1);
            if (node != BW_MODERN_FREE)
                dirty[due++] = node;
        }
    }
    return due;
}

/* The first of the batch that is not valid, or count. */
uint32_t bw_modern_validate(const bw_scene_tree *tree, const bw_id *ids, const bw_box *boxes, uint32_t count)
{
    const bw_table *table = tree->table;
    for (uint32_t i = 0; i < count; i++) {
        if (i + 2 * AHEAD < count && bw_id_index(ids[i + 2 * AHEAD]) < table->entries.end)
            __builtin_prefetch(bw_table_entry(table, bw_id_index(ids[i + 2 * AHEAD])));
        if (!box_valid(&boxes[i]) || bw_table_find(table, ids[i]) == NULL)
            return i;
    }
    return count;
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
