/* The subtrees of the quality builder: each is loaded into room of its own, small enough for the cache of a
 * core, and built there by one task. Where a subtree and its primitives stand depends on the top alone, so
 * threads change nothing. */
#include "base/tasks.h"
#include "geom/box.h"
#include "tree/build/aabb.h"
#include "tree/build/hilbert.h"
#include "tree/build/sah/top.h"
#include "tree/wide/prefetch.h"

#include <stdatomic.h>

enum { NO_ROOM = UINT16_MAX };

/* ---- references ---- */

/* The curve visits triangles in an order of its own: what lies ahead on it is fetched early, first the
 * indices, then the positions that they name. */
enum { AHEAD = 64, NEAR_AHEAD = 32, STEP = 16 };

static void fetch_ahead(const bw_box_source *source, const uint32_t *elements, uint32_t at, uint32_t count)
{
    if (at + AHEAD + STEP > count)
        return;
    for (uint32_t i = at; i < at + STEP; i++) {
        bw_fetch_indices(source->mesh, bw_source_primitive(source, elements[i + AHEAD]));
        bw_fetch_positions(source->mesh, bw_source_primitive(source, elements[i + NEAR_AHEAD]));
    }
}

/* Makes the references of the elements listed; returns their union. */
static bw_aabb load_refs(const bw_box_source *source, const uint32_t *elements, uint32_t count, bw_ref *refs)
{
    const bool far = bw_fetches_ahead(source->mesh);
    bw_aabb all = bw_aabb_empty();
    for (uint32_t at = 0; at < count; at += STEP) {
        const uint32_t here = count - at < STEP ? count - at : STEP;
        bw_box boxes[STEP];
        if (far)
            fetch_ahead(source, elements, at, count);
        bw_source_boxes_of(source, elements + at, here, boxes);
        for (uint32_t i = 0; i < here; i++) {
            const bw_aabb box = bw_aabb_of_box(&boxes[i]);
            bw_aabb_add(&all, &box);
            bw_aabb_store(&box, refs[at + i].low);
            refs[at + i].tagged_id = bw_source_primitive(source, elements[at + i]) + BW_REF_TAG;
            refs[at + i].zero = 0;
        }
    }
    return all;
}

/* ---- subtrees ---- */

/* What building a subtree takes beside its result. */
typedef struct room {
    bw_ref *refs[2];
    uint32_t *bins, *words;
} room;

static size_t whole_lines(uint32_t count)
{
    return ((size_t)count + 15) / 16 * 16;
}

static size_t room_bytes(uint32_t count)
{
    return whole_lines(count) * (2 * sizeof(bw_ref) + sizeof(uint32_t));
}

static room room_at(void *block, uint32_t count)
{
    bw_ref *refs = block;
    return (room){
        {refs, refs + whole_lines(count)}, (uint32_t *)(void *)(refs + 2 * whole_lines(count)), NULL};
}

typedef struct building {
    bw_top *top;
    uint32_t *order;
    uint32_t stubborn; /* subtrees that stand before the others, and are built already */
    char *rooms;       /* each for as many references as the largest of the others has */
    uint32_t largest;
    atomic_uint taken;                /* rooms */
    uint16_t room_of[BW_MAX_WORKERS]; /* each entry is its worker's */
} building;

static inline bw_top_range *subtree_at(const building *b, size_t i)
{
    return bw_array_at(&b->top->subtrees, i);
}

/* The elements of a subtree: those of its clusters, or all. */
static void list_elements(const bw_top *top, const bw_top_range *subtree, uint32_t *elements)
{
    if (top->keys == NULL) {
        for (uint32_t i = 0; i < subtree->count; i++)
            elements[i] = i;
        return;
    }
    for (uint32_t i = 0; i < subtree->clusters.end - subtree->clusters.begin; i++) {
        const bw_cluster *c = bw_top_cluster(top, subtree, i);
        const uint64_t *keys = top->keys + (c->tagged_begin - BW_REF_TAG);
        const uint32_t count = c->tagged_count - BW_REF_TAG;
        for (uint32_t k = 0; k < count; k++)
            elements[k] = BW_HILBERT_INDEX(keys[k]);
        elements += count;
    }
}

/* Loads a subtree's references; what is to be built of them, and where. */
static bw_range load_subtree(const building *b, bw_top_range *subtree, const room *r, bw_split_job *job)
{
    const bw_top *top = b->top;
    list_elements(top, subtree, r->bins); /* which are not in use yet */
    const bw_aabb all = load_refs(top->source, r->bins, subtree->count, r->refs[0]);
    const bw_box box = bw_aabb_box(&all);
    subtree->inverse_unit = bw_box_inverse_unit(&box);
    *job = (bw_split_job){.refs = {r->refs[0], r->refs[1]},
                          .bins = r->bins,
                          .order = b->order,
                          .base = subtree->first,
                          .nodes = top->nodes,
                          .inverse_unit = subtree->inverse_unit,
                          .simd = top->source->simd,
                          .words = r->words};
    const bw_range *from = &subtree->clusters;
    return (bw_range){
        .end = subtree->count, .node = from->node, .leaves = from->leaves, .depth = from->depth, .hint = box};
}

static void build_subtrees(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    building *b = context;
    if (b->room_of[worker] == NO_ROOM)
        b->room_of[worker] = (uint16_t)atomic_fetch_add_explicit(&b->taken, 1, memory_order_relaxed);
    const room r = room_at(b->rooms + b->room_of[worker] * room_bytes(b->largest), b->largest);
    for (uint32_t i = begin; i < end && bw_cancel_go_on(b->top->cancel); i++) {
        bw_split_job job;
        const bw_range range = load_subtree(b, subtree_at(b, b->stubborn + i), &r, &job);
        bw_split_subtree(&job, &range);
    }
}

/* Side by side. */
static bool build_ordinary(building *b)
{
    const uint32_t count = (uint32_t)b->top->subtrees.count - b->stubborn,
                   workers = bw_workers(b->top->tasks);
    const uint32_t rooms = count < workers ? count : workers;
    if (count == 0)
        return true;
    for (uint32_t i = 0; i < workers; i++)
        b->room_of[i] = NO_ROOM;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t size = subtree_at(b, b->stubborn + i)->count;
        b->largest = size > b->largest ? size : b->largest;
    }
    b->rooms = bw_allocate(b->top->allocator, rooms, room_bytes(b->largest));
    if (b->rooms == NULL)
        return false;
    bw_parallel(b->top->tasks, build_subtrees, b, count, 1);
    bw_release(b->top->allocator, b->rooms, rooms, room_bytes(b->largest));
    return bw_cancel_go_on(b->top->cancel);
}

/* One that the top could not divide any further: with all tasks. */
static bool build_stubborn(const building *b, bw_top_range *subtree)
{
    const bw_allocator *allocator = b->top->allocator;
    const size_t words = bw_split_words(subtree->count);
    void *block = bw_allocate(allocator, room_bytes(subtree->count), 1);
    uint32_t *counts = bw_allocate(allocator, words, sizeof *counts);
    bool good = block != NULL && counts != NULL;
    if (good) {
        room r = room_at(block, subtree->count);
        r.words = counts;
        bw_split_job job;
        const bw_range range = load_subtree(b, subtree, &r, &job);
        job.tasks = b->top->tasks;
        good = bw_split_large(&job, allocator, &range);
    }
    bw_release(allocator, counts, words, sizeof *counts);
    bw_release(allocator, block, room_bytes(subtree->count), 1);
    return good;
}

/* Puts those of more than `least` primitives before the others, from `front` on; returns where they end. */
static uint32_t bring_forward(bw_array *subtrees, uint32_t front, uint32_t least)
{
    for (uint32_t i = front; i < subtrees->count; i++) {
        bw_top_range *range = bw_array_at(subtrees, i), *to = bw_array_at(subtrees, front);
        if (range->count <= least)
            continue;
        const bw_top_range moved = *range;
        *range = *to;
        *to = moved;
        front++;
    }
    return front;
}

/* The larger ones first, so that no thread is left with a large one when the others are done. */
static bool build_all(building *b)
{
    uint32_t front = b->stubborn = bring_forward(&b->top->subtrees, 0, BW_REF_LARGE);
    for (uint32_t least = BW_TOP_LARGE; least >= BW_TOP_LARGE / 4; least -= BW_TOP_LARGE / 4)
        front = bring_forward(&b->top->subtrees, front, least);
    for (uint32_t i = 0; i < b->stubborn; i++)
        if (!bw_cancel_go_on(b->top->cancel) || !build_stubborn(b, subtree_at(b, i)))
            return false;
    return build_ordinary(b);
}

/* The boxes and costs above the subtrees. Each of these has its own unit of areas: what its root costs is
 * turned into the unit of the whole first. */
static void join_top(const building *b)
{
    const bw_top *top = b->top;
    bw_box all = bw_box_empty();
    for (size_t i = 0; i < top->subtrees.count; i++)
        all = bw_box_union(&all, &top->nodes[subtree_at(b, i)->clusters.node].box);
    const float inverse_unit = bw_box_inverse_unit(&all);
    for (size_t i = 0; i < top->subtrees.count; i++) {
        const float ratio = inverse_unit / subtree_at(b, i)->inverse_unit;
        bw_split_node *root = &top->nodes[subtree_at(b, i)->clusters.node];
        for (uint32_t k = 0; k < BW_WIDTH; k++)
            root->cost[k] *= ratio * ratio;
    }
    for (size_t i = top->divided.count; i-- > 0;) { /* children stand after their parents */
        const bw_top_range *range = bw_array_at(&top->divided, i);
        bw_split_node_join(top->nodes, range->clusters.node, inverse_unit, 0, top->source->simd);
    }
}

bool bw_top_build(bw_top *top, uint32_t *order)
{
    building b = {.top = top};
    b.order = order;
    if (!build_all(&b))
        return false;
    join_top(&b);
    return true;
}
