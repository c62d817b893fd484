/* The quality builder: a binary tree by the surface-area heuristic, collapsed into nodes of eight. The top of
 * a large tree is divided by clusters (build_top.h); what hangs from it are subtrees, each of which a task
 * loads into room of its own, small enough for the cache of a core, and builds there. Where a subtree and its
 * primitives stand depends on the top alone, so threads change nothing. */
#include "base/tasks.h"
#include "geom/box.h"
#include "mesh/view.h"
#include "tree/build_hilbert.h"
#include "tree/build_top.h"
#include "tree/build_union.h"

#include <stdatomic.h>

enum {
    SPARE = 16, /* one more leaf is allowed for so many */
    NO_ROOM = UINT16_MAX
};

/* ---- references ---- */

/* The curve visits triangles in an order of its own: what lies ahead on it is fetched early, first the
 * indices, then the positions that they name. */
enum { AHEAD = 64, NEAR_AHEAD = 32, STEP = 16 };

static void fetch_ahead(const bw_mesh *mesh, const uint32_t *ids, uint32_t at, uint32_t count)
{
    if (mesh == NULL || mesh->indices == NULL || at + AHEAD + STEP > count)
        return;
    const size_t stride = bw_view_stride(mesh);
    for (uint32_t i = at; i < at + STEP; i++) {
        const uint32_t *near = mesh->indices + 3 * (size_t)ids[i + NEAR_AHEAD];
        BW_PREFETCH(mesh->indices + 3 * (size_t)ids[i + AHEAD]);
        for (uint32_t corner = 0; corner < 3; corner++)
            BW_PREFETCH((const char *)mesh->positions + near[corner] * stride);
    }
}

/* Makes the references of the elements listed; returns their union. */
static bw_union load_refs(const bw_box_source *source, const uint32_t *elements, uint32_t count, bw_ref *refs)
{
    bw_union all = bw_union_empty();
    for (uint32_t at = 0; at < count; at += STEP) {
        const uint32_t here = count - at < STEP ? count - at : STEP;
        bw_box boxes[STEP];
        if (source->ids == NULL)
            fetch_ahead(source->mesh, elements, at, count);
        bw_source_boxes_of(source, elements + at, here, boxes);
        for (uint32_t i = 0; i < here; i++) {
            const bw_union box = bw_union_of_box(&boxes[i]);
            bw_union_add(&all, &box);
            bw_union_store(&box, refs[at + i].low);
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

typedef struct quality {
    bw_top top;
    uint32_t *order;
    uint32_t stubborn; /* subtrees that stand before the others, and are built already */
    char *rooms;       /* each for as many references as the largest of the others has */
    uint32_t largest;
    atomic_uint taken;                /* rooms */
    uint16_t room_of[BW_MAX_WORKERS]; /* each entry is its worker's */
} quality;

static inline bw_top_range *subtree_at(const quality *q, size_t i)
{
    return bw_array_at(&q->top.subtrees, i);
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
static bw_range load_subtree(const quality *q, bw_top_range *subtree, const room *r, bw_split_job *job)
{
    const bw_top *top = &q->top;
    list_elements(top, subtree, r->bins); /* which are not in use yet */
    const bw_union all = load_refs(top->source, r->bins, subtree->count, r->refs[0]);
    const bw_box box = bw_union_box(&all);
    subtree->inverse_unit = bw_box_inverse_unit(&box);
    *job = (bw_split_job){.refs = {r->refs[0], r->refs[1]},
                          .bins = r->bins,
                          .order = q->order,
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
    quality *q = context;
    if (q->room_of[worker] == NO_ROOM)
        q->room_of[worker] = (uint16_t)atomic_fetch_add_explicit(&q->taken, 1, memory_order_relaxed);
    const room r = room_at(q->rooms + q->room_of[worker] * room_bytes(q->largest), q->largest);
    for (uint32_t i = begin; i < end; i++) {
        bw_split_job job;
        const bw_range range = load_subtree(q, subtree_at(q, q->stubborn + i), &r, &job);
        bw_split_subtree(&job, &range);
    }
}

/* Side by side. */
static bool build_ordinary(quality *q)
{
    const uint32_t count = (uint32_t)q->top.subtrees.count - q->stubborn, workers = bw_workers(q->top.tasks);
    const uint32_t rooms = count < workers ? count : workers;
    if (count == 0)
        return true;
    for (uint32_t i = 0; i < workers; i++)
        q->room_of[i] = NO_ROOM;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t size = subtree_at(q, q->stubborn + i)->count;
        q->largest = size > q->largest ? size : q->largest;
    }
    q->rooms = bw_allocate(q->top.allocator, rooms, room_bytes(q->largest));
    if (q->rooms == NULL)
        return false;
    bw_parallel(q->top.tasks, build_subtrees, q, count, 1);
    bw_release(q->top.allocator, q->rooms, rooms, room_bytes(q->largest));
    return true;
}

/* One that the top could not divide any further: with all tasks. */
static bool build_stubborn(const quality *q, bw_top_range *subtree)
{
    const bw_allocator *allocator = q->top.allocator;
    const size_t words = bw_split_words(subtree->count);
    void *block = bw_allocate(allocator, room_bytes(subtree->count), 1);
    room r = room_at(block, subtree->count);
    r.words = bw_allocate(allocator, words, sizeof *r.words);
    bool good = block != NULL && r.words != NULL;
    if (good) {
        bw_split_job job;
        const bw_range range = load_subtree(q, subtree, &r, &job);
        job.tasks = q->top.tasks;
        good = bw_split_large(&job, allocator, &range);
    }
    bw_release(allocator, r.words, words, sizeof *r.words);
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
static bool build_all(quality *q)
{
    uint32_t front = q->stubborn = bring_forward(&q->top.subtrees, 0, BW_REF_LARGE);
    for (uint32_t least = BW_TOP_LARGE; least >= BW_TOP_LARGE / 4; least -= BW_TOP_LARGE / 4)
        front = bring_forward(&q->top.subtrees, front, least);
    for (uint32_t i = 0; i < q->stubborn; i++)
        if (!build_stubborn(q, subtree_at(q, i)))
            return false;
    return build_ordinary(q);
}

/* ---- the whole ---- */

/* The boxes and costs above the subtrees. Each of these has its own unit of areas: what its root costs is
 * turned into the unit of the whole first. */
static void join_top(const quality *q)
{
    const bw_top *top = &q->top;
    bw_box all = bw_box_empty();
    for (size_t i = 0; i < top->subtrees.count; i++)
        all = bw_box_union(&all, &top->nodes[subtree_at(q, i)->clusters.node].box);
    const float inverse_unit = bw_box_inverse_unit(&all);
    for (size_t i = 0; i < top->subtrees.count; i++) {
        const float ratio = inverse_unit / subtree_at(q, i)->inverse_unit;
        bw_split_node *root = &top->nodes[subtree_at(q, i)->clusters.node];
        for (uint32_t k = 0; k < BW_WIDTH; k++)
            root->cost[k] *= ratio * ratio;
    }
    for (size_t i = top->divided.count; i-- > 0;) { /* children stand after their parents */
        const bw_top_range *range = bw_array_at(&top->divided, i);
        bw_split_node_join(top->nodes, range->clusters.node, inverse_unit, 0, top->source->simd);
    }
}

static bool build_binary(quality *q, uint64_t *keys, uint64_t *scratch, uint32_t leaves)
{
    bw_top *top = &q->top;
    bool good;
    if (keys == NULL) { /* no more than one subtree */
        good = bw_top_whole(top, leaves);
    } else {
        good = bw_hilbert_order(top->source, keys, scratch, top->allocator, top->tasks);
        top->keys = keys;
        good = good && bw_top_divide(top, leaves);
    }
    good = good && build_all(q);
    if (good)
        join_top(q);
    bw_top_release(top);
    return good;
}

bw_result bw_wide_build_quality(const bw_wide_desc *desc, const bw_box_source *source, bw_wide *out)
{
    const uint32_t count = source->count;
    const bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    const uint32_t least = (count + BW_WIDTH - 1) / BW_WIDTH, leaves = least + least / SPARE;
    const size_t places = 2 * (size_t)leaves - 1, coded = count > BW_REF_LARGE ? count : 0;
    uint64_t *keys = bw_allocate(&allocator, coded, sizeof *keys);
    /* The order of leaves' primitives is made when the room beside the keys is no longer in use. */
    const size_t beside = coded > 0 ? coded : (count + 1) / 2;
    uint64_t *scratch = bw_allocate(&allocator, beside, sizeof *scratch);
    bw_split_node *nodes = bw_allocate(&allocator, places, sizeof *nodes);
    bw_result result = BW_ERROR_MEMORY;
    if ((keys != NULL || coded == 0) && scratch != NULL && nodes != NULL) {
        quality q = {.top = bw_top_of(source, nodes, desc->tasks, &allocator),
                     .order = (uint32_t *)(void *)scratch};
        if (build_binary(&q, keys, scratch, leaves))
            result = bw_wide_collapse(nodes, q.order, count, &allocator, desc->tasks, out);
    }
    bw_release(&allocator, nodes, places, sizeof *nodes);
    bw_release(&allocator, scratch, beside, sizeof *scratch);
    bw_release(&allocator, keys, coded, sizeof *keys);
    return result;
}
