/* The whole mesh: leaves from their vertices, nodes from their lanes, chunk by chunk of the node array from
 * its end, so that every box is written once and what a node needs is still in the cache. */
#include "tree/refit/refit.h"

#include "base/tasks.h"
#include "mesh/view.h"
#include "tree/refit/check.h"
#include "tree/wide/bounds_up.h"
#include "tree/wide/leaf_corners.h"

/* The corners of so many leaves are 2.5 MB; and 20 MB, from where on the mesh is not near either. */
enum { MANY_LEAVES = BW_WIDE_MANY_LEAVES, VERY_MANY_LEAVES = 65536 };

/* The vertices of a leaf that keeps neither a list nor corners, the largest last. */
static uint32_t gather_corners(const bw_wide *wide, uint32_t leaf, const bw_mesh *mesh,
                               uint32_t list[3 * BW_WIDTH])
{
    const uint32_t *primitives = &wide->primitives[(size_t)leaf * BW_WIDTH];
    const uint32_t corners = mesh->indices == NULL ? 1 : 3;
    uint32_t count = 0;
    for (uint32_t i = 0; i < wide->leaves[leaf].count; i++)
        for (uint32_t k = 0; k < corners; k++) {
            uint32_t vertex = bw_mesh_view_index(mesh, primitives[i], k);
            uint32_t before = count == 0 ? vertex : list[count - 1];
            list[count == 0 ? 0 : count - 1] = vertex < before ? vertex : before;
            list[count++] = vertex < before ? before : vertex;
        }
    return count;
}

/* A tree with corners reads the mesh by way of its indices, triangle by triangle in the tree's order. Leaves
 * are met from the last to the first, node by node: those that come soon are fetched early, first the
 * indices, then the positions that they name. */
static void fetch_early(const bw_wide_refit_job *job, uint32_t leaf)
{
    enum { FAR_AHEAD = 48, AHEAD = 24 };
    const bw_mesh *mesh = job->mesh;
    if (leaf < FAR_AHEAD || mesh->indices == NULL)
        return;
    const uint32_t *far = &job->wide->primitives[(size_t)(leaf - FAR_AHEAD) * BW_WIDTH];
    const uint32_t *near = &job->wide->primitives[(size_t)(leaf - AHEAD) * BW_WIDTH];
    for (uint32_t i = 0; i < job->wide->leaves[leaf - FAR_AHEAD].count; i++)
        BW_PREFETCH(mesh->indices + 3 * (size_t)far[i]);
    for (uint32_t i = 0; i < job->wide->leaves[leaf - AHEAD].count; i++)
        for (uint32_t k = 0; k < 3; k++)
            BW_PREFETCH(job->source.positions + bw_mesh_view_index(mesh, near[i], k) * job->source.stride);
}

void bw_wide_refit_leaf(bw_wide_refit_job *job, uint32_t leaf, bw_box *box)
{
    bw_wide *wide = job->wide;
    if (wide->corners != NULL && job->past_cache) {
        if (wide->leaf_count > VERY_MANY_LEAVES)
            fetch_early(job, leaf);
        *box = bw_wide_renew_corners(wide, leaf, job->mesh, job->simd);
    } else if (wide->corners != NULL) {
        *box = bw_wide_fit_corners(wide, leaf, job->mesh, job->simd);
    } else if (wide->vertices != NULL) {
        job->source.box(&job->source, wide->vertices + wide->vertex_first[leaf],
                        wide->leaves[leaf].vertex_count, box);
    } else {
        uint32_t list[3 * BW_WIDTH], count = gather_corners(wide, leaf, job->mesh, list);
        job->source.box(&job->source, list, count, box);
    }
}

static inline bool only_leaves(const bw_wide_node *node)
{
    uint32_t all = BW_WIDE_LEAF;
    for (uint32_t lane = 0; lane < BW_WIDTH; lane++) /* BW_NONE has the bit too */
        all &= node->child[lane];
    return all != 0;
}

/* Lanes whose boxes differ; unused ones do not. In a form that compilers vectorise. */
static uint32_t count_changed(const bw_wide_node *a, const bw_wide_node *b)
{
    uint32_t differs[BW_WIDTH] = {0}, changed = 0;
    for (int axis = 0; axis < 3; axis++)
        for (uint32_t lane = 0; lane < BW_WIDTH; lane++) {
            differs[lane] |= a->min[axis][lane] != b->min[axis][lane] ? 1u : 0u;
            differs[lane] |= a->max[axis][lane] != b->max[axis][lane] ? 1u : 0u;
        }
    for (uint32_t lane = 0; lane < BW_WIDTH; lane++)
        changed += differs[lane];
    return changed;
}

/* Fits the lanes that hold leaves; returns how many changed, if that is asked for. Lanes that hold nodes are
 * not even read: another thread may be writing them. */
static inline uint32_t fit_leaves(bw_wide_refit_job *job, bw_wide_node *node)
{
    uint32_t changed = 0;
    if (job->source.fit != NULL && job->wide->vertices != NULL && only_leaves(node)) {
        if (!job->count_changed) {
            job->source.fit(job->source.positions, job->wide, node);
            return 0;
        }
        const bw_wide_node old = *node;
        job->source.fit(job->source.positions, job->wide, node);
        return count_changed(&old, node);
    }
    for (uint32_t lane = 0; lane < node->count; lane++) {
        if ((node->child[lane] & BW_WIDE_LEAF) == 0)
            continue;
        bw_box box;
        bw_wide_refit_leaf(job, node->child[lane] & ~BW_WIDE_LEAF, &box);
        if (job->count_changed) {
            bw_box old = bw_wide_lane_box(node, lane);
            changed += !bw_wide_same_box(&old, &box);
        }
        bw_wide_set_lane(node, lane, &box);
    }
    return changed;
}

/* Hands the union of a node's lanes to its parent; returns whether it changed. */
static inline uint32_t push(bw_wide_refit_job *job, uint32_t index)
{
    bw_wide *wide = job->wide;
    const bw_box box = bw_wide_reduce(&wide->nodes[index]);
    bw_box old;
    const uint32_t parent = wide->nodes[index].parent, lane = wide->nodes[index].parent_lane;
    if (parent == BW_NONE) {
        old = wide->bounds;
        wide->bounds = box;
    } else {
        old = bw_wide_lane_box(&wide->nodes[parent], lane);
        bw_wide_set_lane(&wide->nodes[parent], lane, &box);
    }
    return job->count_changed && !bw_wide_same_box(&old, &box);
}

static void push_top(void *context, uint32_t index)
{
    bw_wide_refit_job *job = context;
    job->changed[0] += push(job, index);
}

static void fit_chunks(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    bw_wide_refit_job *job = context;
    bw_wide *wide = job->wide;
    for (uint32_t chunk = begin; chunk < end; chunk++) {
        uint32_t first, last, changed = 0;
        bw_wide_chunk(wide, chunk, &first, &last);
        for (uint32_t i = last; i-- > first;) {
            changed += fit_leaves(job, &wide->nodes[i]);
            if (wide->preorder && wide->nodes[i].end <= last)
                changed += push(job, i);
        }
        job->changed[worker] += changed;
    }
    if (job->past_cache)
        bw_wide_renewed_corners(job->simd);
}

bw_wide_refit_job bw_wide_refit_begin(bw_wide *wide, const bw_mesh *mesh, const bw_wide_refit_desc *desc)
{
    bw_wide_refit_job job = {.wide = wide, .mesh = mesh};
    if (desc != NULL) {
        job.tasks = desc->tasks;
        job.count_changed = desc->count_changed;
    }
    job.simd = bw_simd_level(desc == NULL ? BW_SIMD_AUTO : desc->simd);
    job.source = bw_leaf_source_of(mesh, job.simd);
    return job;
}

void bw_wide_refit_end(const bw_wide_refit_job *job, uint32_t boxes, bw_update_report *report)
{
    if (report == NULL)
        return;
    report->boxes += boxes;
    for (uint32_t worker = 0; worker < BW_MAX_WORKERS; worker++)
        report->changed += job->changed[worker];
}

bw_result bw_wide_refit(bw_wide *wide, const bw_mesh *mesh, const bw_wide_refit_desc *desc,
                        bw_update_report *report)
{
    if (wide->node_count == 0)
        return BW_OK;
    bw_wide_refit_job job = bw_wide_refit_begin(wide, mesh, desc);
    bool sound = desc != NULL && desc->sound;
    if (!sound && !bw_positions_sound(mesh, 0, mesh->vertex_count, job.tasks, job.simd)) {
        bw_result result = bw_wide_find_unsound(wide, mesh, desc == NULL ? NULL : desc->where);
        if (result != BW_OK)
            return result;
    }
    bw_wide_drop_obbs(wide);
    job.past_cache = wide->leaf_count > MANY_LEAVES;
    bw_parallel(job.tasks, fit_chunks, &job, bw_wide_chunks(wide), 1);
    uint32_t boxes = 0;
    if (wide->preorder) {
        bw_wide_each_top(wide, push_top, &job);
        boxes = wide->node_count + wide->leaf_count;
    } else {
        for (uint32_t i = wide->node_count; i-- > 0;) {
            if (wide->nodes[i].count == 0)
                continue;
            job.changed[0] += push(&job, i);
            boxes += wide->nodes[i].count;
        }
        boxes++; /* the root's */
    }
    bw_wide_refit_end(&job, boxes, report);
    return BW_OK;
}
