/* Only the vertices that moved: their leaves, and upward only while boxes change. */
#include "mesh/view.h"
#include "tree/refit/check.h"
#include "tree/refit/refit.h"
#include "tree/wide/bounds_up.h"
#include "tree/wide/leaf_corners.h"
#include "tree/wide/leaf_vertices.h"

static inline size_t words_for(uint32_t bits)
{
    return (size_t)bits / 64 + 1;
}

/* The vertices of a leaf, each once: its list, or one made in room. */
static uint32_t vertices_of(const bw_wide *wide, uint32_t leaf, const bw_mesh *mesh,
                            uint32_t room[3 * BW_WIDTH], const uint32_t **list)
{
    if (wide->vertices != NULL) {
        *list = wide->vertices + wide->vertex_first[leaf];
        return wide->leaves[leaf].vertex_count;
    }
    *list = room;
    return bw_wide_list_vertices(wide, leaf, mesh, room);
}

/* A counting sort of all (vertex, leaf) by vertex: wide->map_first, map_leaf, and marks. */
static bw_result make_map(bw_wide *wide, const bw_mesh *mesh)
{
    const bw_allocator *allocator = &wide->allocator;
    const uint32_t vertices = mesh->vertex_count;
    const size_t words = words_for(wide->leaf_count) + words_for(wide->node_count);
    uint32_t *first = bw_allocate_zero(allocator, (size_t)vertices + 1, sizeof *first);
    if (first == NULL)
        return BW_ERROR_MEMORY;
    uint32_t room[3 * BW_WIDTH], uses = 0;
    const uint32_t *list;
    for (uint32_t leaf = 0; leaf < wide->leaf_count; leaf++) {
        uint32_t count = vertices_of(wide, leaf, mesh, room, &list);
        for (uint32_t i = 0; i < count; i++)
            first[list[i]]++;
        uses += count;
    }
    uint32_t *leaves = bw_allocate(allocator, uses, sizeof *leaves);
    uint64_t *marks = bw_allocate_zero(allocator, words, sizeof *marks);
    if (leaves == NULL || marks == NULL) {
        bw_release(allocator, first, (size_t)vertices + 1, sizeof *first);
        bw_release(allocator, leaves, uses, sizeof *leaves);
        bw_release(allocator, marks, words, sizeof *marks);
        return BW_ERROR_MEMORY;
    }
    for (uint32_t v = 1; v <= vertices; v++)
        first[v] += first[v - 1];
    for (uint32_t leaf = wide->leaf_count; leaf-- > 0;) {
        uint32_t count = vertices_of(wide, leaf, mesh, room, &list);
        for (uint32_t i = 0; i < count; i++)
            leaves[--first[list[i]]] = leaf;
    }
    wide->map_first = first;
    wide->map_leaf = leaves;
    wide->map_marks = marks;
    wide->map_vertices = vertices;
    wide->map_uses = uses;
    wide->map_words = (uint32_t)words;
    return BW_OK;
}

static inline void mark(uint64_t *marks, uint32_t i)
{
    marks[i / 64] |= 1ull << (i % 64);
}

static void mark_leaves(const bw_wide *wide, const bw_vertex_range *range)
{
    for (uint32_t use = wide->map_first[range->first]; use < wide->map_first[range->first + range->count];
         use++)
        mark(wide->map_marks, wide->map_leaf[use]);
}

/* The highest bit, taken out. */
static inline uint32_t take_highest(uint64_t *word)
{
#if defined(__GNUC__)
    uint32_t bit = 63u - (uint32_t)__builtin_clzll(*word);
#else
    uint32_t bit = 63;
    while ((*word >> bit & 1) == 0)
        bit--;
#endif
    *word &= ~(1ull << bit);
    return bit;
}

static inline bool replace_box(bw_wide_node *node, uint32_t lane, const bw_box *box)
{
    bw_box old = bw_wide_lane_box(node, lane);
    if (bw_wide_same_box(&old, box))
        return false;
    bw_wide_set_lane(node, lane, box);
    return true;
}

/* Fits the leaves marked and marks the nodes above those that changed. */
static uint32_t fit_marked_leaves(bw_wide_refit_job *job, uint64_t *node_marks)
{
    bw_wide *wide = job->wide;
    uint32_t boxes = 0;
    for (size_t word = 0; word < words_for(wide->leaf_count); word++)
        while (wide->map_marks[word] != 0) {
            uint32_t leaf = (uint32_t)word * 64 + take_highest(&wide->map_marks[word]);
            bw_box box;
            bw_wide_refit_leaf(job, leaf, &box);
            boxes++;
            if (replace_box(&wide->nodes[wide->leaves[leaf].parent], wide->leaves[leaf].lane, &box)) {
                job->changed[0]++;
                mark(node_marks, wide->leaves[leaf].parent);
            }
        }
    return boxes;
}

/* Parents stand before their children: from the highest mark down, each node is met after all beneath it. */
static uint32_t fit_marked_nodes(bw_wide_refit_job *job, uint64_t *node_marks)
{
    bw_wide *wide = job->wide;
    uint32_t boxes = 0;
    for (size_t word = words_for(wide->node_count); word-- > 0;)
        while (node_marks[word] != 0) {
            const bw_wide_node *node = &wide->nodes[word * 64 + take_highest(&node_marks[word])];
            const bw_box box = bw_wide_reduce(node);
            boxes++;
            if (node->parent == BW_NONE) {
                job->changed[0] += !bw_wide_same_box(&wide->bounds, &box);
                wide->bounds = box;
            } else if (replace_box(&wide->nodes[node->parent], node->parent_lane, &box)) {
                job->changed[0]++;
                mark(node_marks, node->parent);
            }
        }
    return boxes;
}

bw_result bw_wide_refit_ranges(bw_wide *wide, const bw_mesh *mesh, const bw_vertex_range *ranges,
                               uint32_t range_count, const bw_wide_refit_desc *desc, bw_update_report *report)
{
    uint64_t moved = 0;
    for (uint32_t i = 0; i < range_count; i++) {
        if (ranges[i].count > mesh->vertex_count || ranges[i].first > mesh->vertex_count - ranges[i].count)
            return BW_ERROR_INDEX;
        moved += ranges[i].count;
    }
    if (wide->node_count == 0 || moved == 0)
        return BW_OK;
    if (moved > mesh->vertex_count / 2) /* as good as all */
        return bw_wide_refit(wide, mesh, desc, report);
    bw_wide_refit_job job = bw_wide_refit_begin(wide, mesh, desc);
    bool sound = true;
    for (uint32_t i = 0; i < range_count && sound; i++)
        sound = bw_positions_sound(mesh, ranges[i].first, ranges[i].count, job.tasks, job.simd);
    bw_result result = sound ? BW_OK : bw_wide_find_unsound(wide, mesh, desc == NULL ? NULL : desc->where);
    if (result == BW_OK && wide->map_first == NULL)
        result = make_map(wide, mesh);
    if (result != BW_OK)
        return result;
    bw_wide_drop_obbs(wide);
    for (uint32_t i = 0; i < range_count; i++)
        mark_leaves(wide, &ranges[i]);
    uint64_t *node_marks = wide->map_marks + words_for(wide->leaf_count);
    uint32_t boxes = fit_marked_leaves(&job, node_marks);
    boxes += fit_marked_nodes(&job, node_marks);
    bw_wide_refit_end(&job, boxes, report);
    return BW_OK;
}
