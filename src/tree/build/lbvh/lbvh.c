/* The fast builder: primitives in the order of a Hilbert curve, divided where the curve enters another cube
 * until no more than 64 are together, as in C. Lauterbach et al., "Fast BVH Construction on GPUs",
 * Eurographics 2009; then eight consecutive ones per leaf, so that leaves are full, and the cheapest collapse
 * of what is above.
 *
 * One thread divides down to parts of a few thousand, which are divided further, filled and joined side by
 * side. Where a part's nodes, groups and leaves stand depends on its place in the order alone. */
#include "tree/build/lbvh/lbvh.h"

#include "base/tasks.h"
#include "geom/box.h"
#include "tree/build/first_touch.h"
#include "tree/build/hilbert.h"
#include "tree/wide/leaf_vertices.h"

enum { RANGES = 64, FEW = 1 << 15 }; /* a few are built before another thread has woken up */

/* Where memory is short a node costs, beside its area, this many mean areas of groups: of two ways to
 * collapse that differ by little area, the one with fewer nodes is taken. */
#define NODE_PRICE 2.0

typedef struct joining {
    bw_lbvh_job *work;
    float inverse_unit;
    float each; /* of a node's price, see bw_split_node_join */
} joining;

/* The cheapest collapse is found from below. */
static void join_parts(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const joining *j = context;
    bw_split_node *nodes = j->work->nodes;
    for (uint32_t p = begin; p < end; p++) {
        const bw_lbvh_part *part = bw_lbvh_part_at(j->work, p);
        for (uint32_t i = part->node + part->node_count; part->end != 0 && i-- > part->node;) {
            if (nodes[i].count == 0)
                bw_split_node_join(nodes, i, j->inverse_unit, j->each, j->work->source->simd);
            else
                bw_split_node_close(&nodes[i], j->inverse_unit, j->each);
        }
    }
}

/* The divisions above the parts; *next is the one to join, or a part, and then what follows it in the walk.
 */
static void join_top(const joining *j, uint32_t *next)
{
    const bw_lbvh_part *part = bw_lbvh_part_at(j->work, (*next)++);
    if (part->end != 0)
        return;
    bw_split_node *node = &j->work->nodes[part->node];
    node->count = 0;
    join_top(j, next);
    node->right = bw_lbvh_part_at(j->work, *next)->node;
    join_top(j, next);
    bw_split_node_join(j->work->nodes, part->node, j->inverse_unit, j->each, j->work->source->simd);
}

static void join_all(bw_lbvh_job *work, const bw_tasks *tasks, uint32_t grain)
{
    const uint32_t parts = (uint32_t)work->parts.count;
    bw_box all = bw_box_empty();
    double area = 0;
    uint32_t groups = 0;
    for (uint32_t i = 0; i < parts; i++) {
        const bw_lbvh_part *part = bw_lbvh_part_at(work, i);
        all = bw_box_union(&all, &part->box);
        area += part->group_area;
        groups += part->end != 0 ? (part->node_count + 1) / 2 : 0;
    }
    const float inverse_unit = bw_box_inverse_unit(&all);
    const double unit_area = (double)inverse_unit * (double)inverse_unit;
    joining j = {work, inverse_unit, work->fill ? (float)(NODE_PRICE * area * unit_area / groups) : 0};
    bw_parallel(tasks, join_parts, &j, parts, grain);
    join_top(&j, &(uint32_t){0});
}

/* One block for all that the builder itself needs, 16 bytes per primitive: what is given back and taken again
 * in one piece is the likeliest to be at hand the next time. The codes take all of it; once they are sorted,
 * the second half serves nodes and boxes of leaves, which take 7 bytes per primitive of most meshes. Where it
 * serves the lists of vertices, these have half as much again. */
typedef struct workspace {
    void *block;
    size_t size;
    char *free;
    size_t free_size;
    /* Of a large tree that is to have corners: room for as many leaves as it will have, most likely, so that
     * its pages can be touched in good time. */
    bw_wide_corners *corners;
    uint32_t corner_count;
} workspace;

static size_t whole_lines(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static void *take(workspace *w, size_t count, size_t size)
{
    const size_t bytes = whole_lines(count * size);
    if (bytes > w->free_size)
        return NULL;
    void *taken = w->free;
    w->free += bytes;
    w->free_size -= bytes;
    return taken;
}

static bool make_workspace(workspace *w, const bw_allocator *allocator, bw_lbvh_job *work, bw_wide_form form,
                           uint64_t **keys, uint64_t **scratch)
{
    const size_t count = work->source->count, shape = BW_LBVH_SHAPE(count) + 1;
    w->size = 2 * whole_lines(8 * count) + whole_lines(shape) + (form == BW_WIDE_VERTICES ? 8 * count : 0);
    w->block = bw_allocate(allocator, w->size, 1);
    if (w->block == NULL)
        return false;
    w->free = w->block;
    w->free_size = w->size;
    *keys = take(w, count, sizeof **keys);
    *scratch = take(w, count, sizeof **scratch);
    work->shape = take(w, shape, 1);
    /* Leaves have 7.4 primitives on average over most meshes; where they have less than 7.2 it is in vain. */
    w->corner_count = form == BW_WIDE_CORNERS && count >= FEW ? (uint32_t)(count / 36 * 5) : 0;
    w->corners = bw_allocate(allocator, w->corner_count, sizeof *w->corners);
    return w->corner_count == 0 || w->corners != NULL;
}

static void release_workspace(const workspace *w, const bw_allocator *allocator)
{
    bw_release(allocator, w->corners, w->corner_count, sizeof *w->corners);
    bw_release(allocator, w->block, w->size, 1);
}

/* The corners that others than the first worker will write, of those that there are for sure. */
static bw_fresh later_corners(const workspace *w, const bw_tasks *tasks)
{
    return bw_fresh_of_others(tasks, w->corners, w->corner_count / 16 * 15 * sizeof *w->corners);
}

/* Leaves, as many as there are, with the corners that were made in advance if these are enough. */
static bw_result reserve_leaves(workspace *w, uint32_t count, const bw_allocator *allocator, bw_wide *wide)
{
    const bool enough = w->corners != NULL && w->corner_count >= count;
    const bw_result result = bw_wide_reserve_leaves(allocator, enough ? w->corner_count : count, wide);
    if (result != BW_OK)
        return result;
    wide->leaf_count = count;
    if (enough)
        wide->corners = w->corners;
    else
        bw_release(allocator, w->corners, w->corner_count, sizeof *w->corners);
    w->corners = NULL;
    return BW_OK;
}

/* What is taken from the workspace, if that holds it, and allocated otherwise. */
typedef struct borrowed {
    void *at;
    size_t count, size;
    bool own;
} borrowed;

static borrowed borrow(workspace *w, const bw_allocator *allocator, size_t count, size_t size)
{
    borrowed b = {take(w, count, size), count, size, false};
    if (b.at == NULL)
        b = (borrowed){bw_allocate(allocator, count, size), count, size, true};
    return b;
}

static void give_back(const borrowed *b, const bw_allocator *allocator)
{
    if (b->own)
        bw_release(allocator, b->at, b->count, b->size);
}

/* Leaves, nodes, and what a form keeps beside the boxes. The leaves' places are known. */
static bw_result make_tree(bw_lbvh_job *work, const bw_tasks *tasks, uint32_t grain)
{
    const uint32_t parts = (uint32_t)work->parts.count;
    bw_wide *wide = &work->wide;
    bw_parallel_first_touch(tasks, bw_lbvh_make_leaves, work, parts, grain, NULL, 0);
    join_all(work, tasks, grain);
    bw_result result =
        bw_wide_collapse_groups(work->nodes, work->leaf_boxes, work->source->count, tasks, wide);
    if (result == BW_OK && work->rows != NULL && !work->overflow)
        result = bw_wide_pack_vertices(wide, work->vertex_first, work->blocks, parts, tasks);
    return result;
}

static bool reserve_form(bw_lbvh_job *work, bw_wide_form form, uint64_t *scratch,
                         const bw_allocator *allocator)
{
    bw_wide *wide = &work->wide;
    if (form == BW_WIDE_CORNERS && wide->corners == NULL) {
        wide->corners = bw_allocate(allocator, wide->leaf_capacity, sizeof *wide->corners);
        return wide->corners != NULL;
    }
    if (form == BW_WIDE_VERTICES) {
        work->rows = (uint32_t *)(void *)scratch;
        work->vertex_first = bw_allocate(allocator, wide->leaf_capacity, sizeof *work->vertex_first);
        work->blocks = bw_allocate(allocator, work->parts.count, sizeof *work->blocks);
        return work->vertex_first != NULL && work->blocks != NULL;
    }
    return true;
}

static void release_form(const bw_lbvh_job *work, const bw_allocator *allocator)
{
    bw_release(allocator, work->blocks, work->parts.count, sizeof *work->blocks);
    if (work->wide.vertex_first == NULL)
        bw_release(allocator, work->vertex_first, work->wide.leaf_capacity, sizeof *work->vertex_first);
}

static bw_result build(bw_lbvh_job *work, workspace *space, uint64_t *scratch, const bw_tasks *tasks,
                       bw_wide_form form, const bw_allocator *allocator)
{
    work->fill = form == BW_WIDE_VERTICES && bw_lbvh_shares_little(work);
    if (!bw_lbvh_divide_top(work, 0, work->source->count))
        return BW_ERROR_MEMORY;
    const uint32_t parts = (uint32_t)work->parts.count, grain = parts / RANGES + 1;
    bw_parallel(tasks, bw_lbvh_divide_parts, work, parts, grain);
    bw_wide *wide = &work->wide;
    bw_result result = reserve_leaves(space, bw_lbvh_number_parts(work), allocator, wide);
    if (result != BW_OK)
        return result;
    const borrowed nodes = borrow(space, allocator, work->node_count, sizeof *work->nodes);
    const borrowed boxes = borrow(space, allocator, wide->leaf_count, sizeof *work->leaf_boxes);
    work->nodes = nodes.at;
    work->leaf_boxes = boxes.at;
    result = BW_ERROR_MEMORY;
    if (nodes.at != NULL && boxes.at != NULL && reserve_form(work, form, scratch, allocator))
        result = make_tree(work, tasks, grain);
    release_form(work, allocator);
    give_back(&boxes, allocator);
    give_back(&nodes, allocator);
    if (result != BW_OK)
        bw_wide_release(wide);
    return result;
}

bw_result bw_wide_build_lbvh(const bw_wide_desc *desc, const bw_box_source *source, bw_wide_form form,
                             bw_wide *out)
{
    const bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    const bw_tasks *tasks = source->count < FEW ? NULL : desc->tasks;
    bw_lbvh_job work = {.source = source, .parts = bw_array_of(sizeof(bw_lbvh_part), &allocator)};
    workspace space = {.block = NULL};
    uint64_t *keys, *scratch;
    bw_result result = BW_ERROR_MEMORY;
    if (make_workspace(&space, &allocator, &work, form, &keys, &scratch) &&
        bw_hilbert_order(source, keys, scratch, later_corners(&space, tasks), &allocator, tasks)) {
        work.keys = keys;
        if (form != BW_WIDE_VERTICES) {
            space.free = (char *)scratch;
            space.free_size = whole_lines(source->count * sizeof *scratch);
        }
        result = bw_cancel_go_on(desc->cancel) ? build(&work, &space, scratch, tasks, form, &allocator)
                                               : BW_ERROR_STOPPED;
    }
    bw_array_release(&work.parts);
    release_workspace(&space, &allocator);
    if (result == BW_OK)
        *out = work.wide;
    return result;
}
