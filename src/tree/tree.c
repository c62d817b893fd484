/* The public face of the trees: what is common to all layouts. */
#include "tree/tree.h"

#include "mesh/defect.h"
#include "mesh/view.h"
#include "tree/volume.h"

enum { MAX_PRIMITIVES = 1 << 30 }; /* so that 2 n - 1 nodes and their links fit 31 bits */

static bool is_desc(const bw_tree_desc *desc)
{
    return (unsigned)desc->builder <= BW_BUILDER_MIDPOINT && (unsigned)desc->volume <= BW_VOLUME_KDOP26 &&
           (desc->quarantine & ~BW_DEFECTS_ALL) == 0 &&
           (desc->tasks == NULL || (desc->tasks->parallel_for != NULL && desc->tasks->worker_count >= 1 &&
                                    desc->tasks->worker_count <= BW_MAX_WORKERS));
}

static bool is_built(bw_volume volume, bw_builder builder)
{
    return volume == BW_VOLUME_AABB || builder == BW_BUILDER_DEFAULT ||
           (volume != BW_VOLUME_OBB && builder == BW_BUILDER_MIDPOINT);
}

/* Boxes and numbers of the primitives that are not in quarantine. */
static void list_primitives(const bw_mesh *mesh, const uint32_t *quarantine, uint32_t quarantined,
                            bw_box *boxes, uint32_t *primitives)
{
    uint32_t kept = 0, skipped = 0;
    for (uint32_t i = 0; i < bw_view_primitives(mesh); i++) {
        if (skipped < quarantined && quarantine[skipped] == i) {
            skipped++;
            continue;
        }
        bw_vec3 corners[3];
        bw_view_corners(mesh, i, corners);
        boxes[kept] = bw_box_of_points(corners, 3);
        primitives[kept++] = i;
    }
}

static bw_result build_binary(bw_tree *tree, const bw_mesh *mesh)
{
    const bw_allocator *allocator = &tree->allocator;
    uint32_t count = tree->primitives;
    bw_result result = BW_ERROR_MEMORY;
    bw_box *boxes = bw_allocate(allocator, count, sizeof *boxes);
    uint32_t *primitives = bw_allocate(allocator, count, sizeof *primitives);
    if (boxes != NULL && primitives != NULL) {
        list_primitives(mesh, tree->quarantine, tree->quarantined, boxes, primitives);
        result = tree->volume == BW_VOLUME_AABB
                     ? bw_binary_build_midpoint(allocator, boxes, primitives, count, &tree->binary)
                     : bw_volume_build(tree, mesh, boxes, primitives);
    }
    bw_release(allocator, boxes, count, sizeof *boxes);
    bw_release(allocator, primitives, count, sizeof *primitives);
    return result;
}

bw_result bw_tree_create(const bw_tree_desc *desc, const bw_mesh *mesh, bw_mesh_report *report, bw_tree **out)
{
    static const bw_tree_desc defaults = {0};
    if (desc == NULL)
        desc = &defaults;
    if (mesh == NULL || out == NULL || !is_desc(desc))
        return BW_ERROR_ARGUMENT;
    if (!is_built(desc->volume, desc->builder))
        return BW_ERROR_UNSUPPORTED;
    bw_result result = bw_mesh_view_check(mesh);
    if (result != BW_OK)
        return result;
    if (bw_view_primitives(mesh) > MAX_PRIMITIVES)
        return BW_ERROR_SIZE;
    bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    bw_mesh_scan_result scan = {0};
    result = bw_mesh_scan(mesh, desc->quarantine, &allocator, &scan);
    if (report != NULL && result != BW_ERROR_MEMORY)
        *report = scan.report;
    if (result != BW_OK)
        return result;
    uint32_t kept = bw_view_primitives(mesh) - scan.quarantined;
    bw_tree *tree = kept == 0 ? NULL : bw_allocate_zero(&allocator, 1, sizeof *tree);
    if (tree == NULL) {
        bw_release(&allocator, scan.quarantine, scan.quarantined, sizeof *scan.quarantine);
        return kept == 0 ? BW_ERROR_EMPTY : BW_ERROR_MEMORY;
    }
    *tree = (bw_tree){.allocator = allocator,
                      .mesh_primitives = bw_view_primitives(mesh),
                      .mesh_vertices = mesh->vertex_count,
                      .points = mesh->indices == NULL,
                      .primitives = kept,
                      .quarantine = scan.quarantine,
                      .quarantined = scan.quarantined,
                      .volume = desc->volume};
    result = build_binary(tree, mesh);
    if (result != BW_OK) {
        bw_tree_destroy(tree);
        return result;
    }
    *out = tree;
    return BW_OK;
}

void bw_tree_destroy(bw_tree *tree)
{
    if (tree == NULL)
        return;
    bw_allocator allocator = tree->allocator;
    bw_binary_release(&allocator, &tree->binary);
    bw_volume_release(tree);
    bw_release(&allocator, tree->quarantine, tree->quarantined, sizeof *tree->quarantine);
    bw_release(&allocator, tree, 1, sizeof *tree);
}

bw_result bw_tree_accepts(const bw_tree *tree, const bw_mesh *mesh)
{
    bw_result result = bw_mesh_view_check(mesh);
    if (result != BW_OK)
        return result;
    bool same = (mesh->indices == NULL) == tree->points && mesh->vertex_count == tree->mesh_vertices &&
                bw_view_primitives(mesh) == tree->mesh_primitives;
    return same ? BW_OK : BW_ERROR_MISMATCH;
}

/* The first primitive of the tree (by number) that cannot be bounded any more. A mesh without any bad vertex,
 * the common case, is recognised in one pass over the vertices. */
static bw_result find_defect(const bw_tree *tree, const bw_mesh *mesh, bw_refit_report *report)
{
    if (bw_mesh_coordinates_sound(mesh) && bw_mesh_indices_sound(mesh))
        return BW_OK;
    uint32_t skipped = 0;
    for (uint32_t i = 0; i < tree->mesh_primitives; i++) {
        if (skipped < tree->quarantined && tree->quarantine[skipped] == i) {
            skipped++;
            continue;
        }
        bw_defect_place place;
        bw_defect defect = bw_mesh_defect_of(mesh, i, BW_DEFECTS_FATAL, &place);
        if (defect != BW_DEFECT_NONE) {
            if (report != NULL)
                *report = (bw_refit_report){
                    .defect = defect, .primitive = i, .vertex = place.vertex, .value = place.value};
            return bw_defect_result(defect);
        }
    }
    return BW_OK;
}

bw_result bw_tree_refit(bw_tree *tree, const bw_mesh *mesh, bw_refit_report *report)
{
    if (tree == NULL || mesh == NULL)
        return BW_ERROR_ARGUMENT;
    bw_result result = bw_tree_accepts(tree, mesh);
    if (result == BW_OK)
        result = find_defect(tree, mesh, report);
    if (result != BW_OK)
        return result;
    bw_refit_report done = {0};
    if (tree->volume == BW_VOLUME_AABB)
        bw_binary_refit(&tree->binary, mesh, &done);
    else
        result = bw_volume_refit(tree, mesh, &done);
    if (result != BW_OK)
        return result;
    if (report != NULL)
        *report = done;
    return BW_OK;
}

const char *bw_tree_check(const bw_tree *tree, const bw_mesh *mesh)
{
    if (tree == NULL)
        return "there is no tree";
    if (mesh != NULL && bw_tree_accepts(tree, mesh) != BW_OK)
        return "the mesh is not the tree's";
    if (tree->primitives + tree->quarantined != tree->mesh_primitives)
        return "the numbers of primitives do not add up";
    for (uint32_t i = 0; i < tree->quarantined; i++)
        if (tree->quarantine[i] >= tree->mesh_primitives ||
            (i > 0 && tree->quarantine[i] <= tree->quarantine[i - 1]))
            return "the quarantine is not in ascending order";
    if (tree->volume != BW_VOLUME_AABB)
        return bw_volume_check(tree, mesh);
    return bw_binary_check(&tree->binary, mesh, &tree->allocator, tree->mesh_primitives, tree->quarantine,
                           tree->quarantined);
}

void bw_tree_get_stats(const bw_tree *tree, bw_tree_stats *out)
{
    *out = (bw_tree_stats){.primitives = tree->primitives,
                           .quarantined = tree->quarantined,
                           .bytes = sizeof *tree + tree->quarantined * sizeof *tree->quarantine};
    if (tree->volume == BW_VOLUME_AABB)
        bw_binary_stats(&tree->binary, out);
    else
        bw_volume_stats(tree, out);
}

bw_box bw_tree_bounds(const bw_tree *tree)
{
    return tree->volume == BW_VOLUME_AABB ? bw_binary_box(&tree->binary.nodes[0]) : bw_volume_bounds(tree);
}

const uint32_t *bw_tree_quarantine(const bw_tree *tree, uint32_t *count)
{
    *count = tree->quarantined;
    return tree->quarantine;
}

bw_result bw_tree_visit(const bw_tree *tree, bw_tree_visitor *visitor, void *user)
{
    if (tree == NULL || visitor == NULL)
        return BW_ERROR_ARGUMENT;
    if (tree->volume != BW_VOLUME_AABB)
        return bw_volume_visit(tree, visitor, user);
    return bw_binary_visit(&tree->binary, &tree->allocator, visitor, user);
}
