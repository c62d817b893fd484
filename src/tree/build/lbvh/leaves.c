/* The leaves of the fast builder: eight consecutive primitives of the order each, read in that order, with
 * all that is to be kept of them on the way. */
#include "base/simd/f32x4.h"
#include "geom/box.h"
#include "tree/build/hilbert.h"
#include "tree/build/lbvh/lbvh.h"
#include "tree/refit/leaf.h"
#include "tree/wide/leaf_vertices.h"
#include "tree/wide/prefetch.h"

#include <string.h>

/* From the array of boxes. */
static bw_box leaf_box(const bw_box_source *source, const uint64_t *keys, uint32_t count)
{
    /* Lanes 0..2 of the first half of a box are its min, lanes 1..3 of the second its max. */
    const float *at = source->boxes[BW_HILBERT_INDEX(keys[0])].min;
    v4 low = v4_load(at), high = v4_load(at + 2);
    for (uint32_t i = 1; i < count; i++) {
        at = source->boxes[BW_HILBERT_INDEX(keys[i])].min;
        low = v4_min(v4_load(at), low);
        high = v4_max(v4_load(at + 2), high);
    }
    bw_box box;
    v4_store_box(&box, low + 0.0f, V4_SHUFFLE(high, high, 1, 2, 3, 3) + 0.0f); /* no -0 */
    return box;
}

/* The curve visits triangles in an order of its own: what lies ahead on it is fetched early, first the
 * indices, then the positions that they name. */
enum { AHEAD = 6 * BW_WIDTH, NEAR_AHEAD = 3 * BW_WIDTH };

static void fetch_ahead(const bw_lbvh_job *work, uint32_t at)
{
    const bw_box_source *source = work->source;
    const bw_mesh *mesh = source->mesh;
    if (at + AHEAD + BW_WIDTH > source->count)
        return;
    for (uint32_t i = at; i < at + BW_WIDTH; i++) {
        bw_fetch_indices(mesh, bw_source_primitive(source, BW_HILBERT_INDEX(work->keys[i + AHEAD])));
        bw_fetch_positions(mesh, bw_source_primitive(source, BW_HILBERT_INDEX(work->keys[i + NEAR_AHEAD])));
    }
}

/* A part under way. */
typedef struct filling {
    bw_lbvh_job *work;
    bw_leaf_source positions; /* of the compact form */
    const uint8_t *shape;     /* of the next node */
    uint32_t node, leaf;      /* the next ones */
    uint32_t at;              /* in the order */
    bool far;                 /* triangles are fetched ahead */
    bool past_cache;          /* corners are written: there are too many to stay there */
    uint32_t *lists;          /* of the compact form: the part's, */
    uint32_t listed, room;    /* so far, and at most */
    bw_box box;
    double group_area;
} filling;

static bw_box list_vertices(filling *f)
{
    bw_lbvh_job *work = f->work;
    uint32_t lost[BW_WIDE_LIST], *list = f->lists + f->listed;
    const uint32_t room = f->room - f->listed;
    if (room < BW_WIDE_LIST)
        list = lost;
    const uint32_t count =
        bw_wide_list_leaf(&work->wide, f->leaf, work->source->mesh, work->source->simd, list);
    if (count <= room && list == lost)
        memcpy(f->lists + f->listed, lost, count * sizeof *lost);
    if (count > room)
        atomic_store_explicit(&work->overflow, true, memory_order_relaxed);
    work->wide.leaves[f->leaf].vertex_count = (uint16_t)count;
    work->vertex_first[f->leaf] = f->listed;
    f->listed += count <= room ? count : 0;
    bw_box box;
    f->positions.box(&f->positions, list, count, &box);
    return box;
}

static bw_box box_of_triangles(const bw_box_source *source, const uint32_t *slots, uint32_t count)
{
    bw_box boxes[BW_WIDTH], all;
    bw_wide_boxes(source->mesh, slots, count, boxes, NULL);
    all = boxes[0];
    for (uint32_t i = 1; i < count; i++)
        all = bw_box_union(&all, &boxes[i]);
    return all;
}

/* Fills the slots of a leaf, and its corners or its list where the tree has them; returns its box. */
static bw_box make_leaf(filling *f, uint32_t count)
{
    bw_lbvh_job *work = f->work;
    bw_wide *wide = &work->wide;
    const uint64_t *keys = work->keys + f->at;
    uint32_t *slots = &wide->primitives[(size_t)f->leaf * BW_WIDTH];
    for (uint32_t i = 0; i < BW_WIDTH; i++)
        slots[i] = i < count ? bw_source_primitive(work->source, BW_HILBERT_INDEX(keys[i])) : BW_NONE;
    wide->leaves[f->leaf] = (bw_wide_leaf){.count = (uint8_t)count};
    if (work->source->boxes != NULL)
        return leaf_box(work->source, keys, count);
    if (wide->corners != NULL)
        return f->past_cache ? bw_wide_renew_corners(wide, f->leaf, work->source->mesh, work->source->simd)
                             : bw_wide_fit_corners(wide, f->leaf, work->source->mesh, work->source->simd);
    return work->rows != NULL ? list_vertices(f) : box_of_triangles(work->source, slots, count);
}

static double half_area(const bw_box *box)
{
    double side[3];
    for (int axis = 0; axis < 3; axis++)
        side[axis] = (double)box->max[axis] - (double)box->min[axis];
    return (side[0] + side[1]) * side[2] + side[0] * side[1];
}

static void make_group(filling *f, bw_split_node *group, uint32_t size)
{
    group->first = f->at;
    group->count = size;
    group->right = f->leaf;
    group->box = bw_box_empty();
    while (size > 0) {
        const uint32_t count = size < BW_WIDTH ? size : BW_WIDTH;
        if (f->far)
            fetch_ahead(f->work, f->at);
        bw_box box = make_leaf(f, count);
        f->work->leaf_boxes[f->leaf++] = box;
        group->box = bw_box_union(&group->box, &box);
        f->at += count;
        size -= count;
    }
    f->box = bw_box_union(&f->box, &group->box);
    f->group_area += half_area(&group->box);
}

static void make_nodes(filling *f)
{
    bw_split_node *node = &f->work->nodes[f->node++];
    const uint32_t size = *f->shape++;
    if (size != 0) {
        make_group(f, node, size);
        return;
    }
    node->count = 0;
    make_nodes(f);
    node->right = f->node;
    make_nodes(f);
}

void bw_lbvh_make_leaves(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    bw_lbvh_job *work = context;
    filling f = {.work = work, .far = bw_fetches_ahead(work->source->mesh)};
    f.past_cache = work->wide.corners != NULL && work->wide.leaf_count > BW_WIDE_MANY_LEAVES;
    if (work->rows != NULL)
        f.positions = bw_leaf_source_of(work->source->mesh, work->source->simd);
    for (uint32_t i = begin; i < end; i++) {
        bw_lbvh_part *part = bw_lbvh_part_at(work, i);
        if (work->rows != NULL) {
            f.lists = work->rows + 2 * (size_t)part->begin;
            f.room = 2 * (part->end - part->begin);
            f.listed = 0;
            work->blocks[i] = (bw_vertex_block){f.lists, part->leaf, part->leaf + part->leaf_count, 0, 0};
        }
        if (part->end == 0)
            continue;
        f.shape = work->shape + BW_LBVH_SHAPE(part->begin);
        f.node = part->node;
        f.leaf = part->leaf;
        f.at = part->begin;
        f.box = bw_box_empty();
        f.group_area = 0;
        make_nodes(&f);
        part->box = f.box;
        part->group_area = f.group_area;
        if (work->rows != NULL)
            work->blocks[i].used = f.listed;
    }
    if (f.past_cache)
        bw_wide_renewed_corners(work->source->simd);
}
