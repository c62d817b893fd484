/* The public face of the trees: what is common to all layouts. */
#include "base/fault.h"
#include "base/sized.h"
#include "tree/kind.h"

#include "base/serial.h"
#include "geom/box.h"
#include "mesh/defect.h"
#include "mesh/view.h"
#include "tree/wide/deferred.h"
#include "tree/wide/lens.h"

static bool are_tasks(const bw_tasks *tasks)
{
    return tasks == NULL ||
           (tasks->parallel_for != NULL && tasks->worker_count >= 1 && tasks->worker_count <= BW_MAX_WORKERS);
}

bool bw_tree_desc_valid(const bw_tree_desc *desc)
{
    return (unsigned)desc->builder <= BW_BUILDER_QUALITY && (unsigned)desc->volume <= BW_VOLUME_KDOP26 &&
           (desc->quarantine & ~BW_DEFECTS_ALL) == 0 && are_tasks(desc->tasks);
}

/* The kind of tree of a descriptor. */
static bw_result kind_of(const bw_tree_desc *desc, const bw_tree_kind **out)
{
    const bool midpoint = desc->builder == BW_BUILDER_MIDPOINT, aabb = desc->volume == BW_VOLUME_AABB;
    if (aabb && !midpoint) {
        *out = &bw_kind_wide;
        return BW_OK;
    }
    if (!aabb && desc->builder != BW_BUILDER_DEFAULT && (!midpoint || desc->volume == BW_VOLUME_OBB))
        return BW_ERROR_UNSUPPORTED;
#if BW_RESEARCH
    *out = desc->volume == BW_VOLUME_OBB ? &bw_kind_obb : &bw_kind_kdop;
    return BW_OK;
#else
    return BW_ERROR_NOT_BUILT;
#endif
}

/* Gives back what all kinds have. */
static void destroy_shell(bw_tree *tree)
{
    bw_allocator allocator = tree->allocator;
    bw_release(&allocator, tree->quarantine, tree->quarantined, sizeof *tree->quarantine);
    bw_release(&allocator, tree, 1, sizeof *tree);
}

bw_result bw_tree_create(const bw_tree_desc *desc, const bw_mesh *mesh, bw_tree **out, bw_fault *fault)
{
    static const bw_tree_desc defaults = {0};
    if (desc == NULL)
        desc = &defaults;
    bw_result result = bw_desc_check(desc);
    if (result == BW_OK && (mesh == NULL || out == NULL || !bw_tree_desc_valid(desc)))
        result = BW_ERROR_ARGUMENT;
    const bw_tree_kind *kind = NULL;
    if (result == BW_OK)
        result = kind_of(desc, &kind);
    if (result == BW_OK)
        result = bw_mesh_view_check(mesh);
    if (result != BW_OK)
        return bw_fail(fault, result);
    if (bw_mesh_view_primitives(mesh) > BW_MAX_PRIMITIVES)
        return bw_fail(fault, BW_ERROR_SIZE);
    bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    bw_mesh_scan_result scan = {0};
    result = bw_mesh_scan(mesh, desc->quarantine, &allocator, desc->tasks, &scan);
    if (result != BW_OK) {
        const bw_mesh_report *r = &scan.report;
        const bw_fault where = bw_defect_fault(
            r->first, r->first_primitive, &(bw_defect_place){r->first_vertex, r->first_axis, r->first_value});
        return result == BW_ERROR_MEMORY ? bw_fail(fault, result) : bw_fail_with(fault, result, &where);
    }
    uint32_t kept = bw_mesh_view_primitives(mesh) - scan.quarantined;
    bw_tree *tree = kept == 0 ? NULL : bw_allocate_zero(&allocator, 1, sizeof *tree);
    if (tree == NULL) {
        bw_release(&allocator, scan.quarantine, scan.quarantined, sizeof *scan.quarantine);
        return bw_fail(fault, kept == 0 ? BW_ERROR_EMPTY : BW_ERROR_MEMORY);
    }
    *tree = (bw_tree){.allocator = allocator,
                      .mesh_primitives = bw_mesh_view_primitives(mesh),
                      .mesh_vertices = mesh->vertex_count,
                      .points = mesh->indices == NULL,
                      .primitives = kept,
                      .quarantine = scan.quarantine,
                      .quarantined = scan.quarantined,
                      .volume = desc->volume,
                      .builder = desc->builder,
                      .compact = desc->compact || desc->deforms,
                      .serial = bw_serial_next(),
                      .kind = kind};
    bw_cancel cancel;
    result = kind->build(tree, mesh, desc->tasks, bw_cancel_init(&cancel, desc->progress));
    if (result != BW_OK) {
        destroy_shell(tree);
        return bw_fail(fault, result);
    }
    *out = tree;
    return bw_fail(fault, BW_OK);
}

void bw_tree_destroy(bw_tree *tree)
{
    if (tree == NULL)
        return;
    tree->kind->release(tree);
    destroy_shell(tree);
}

bw_result bw_tree_accepts(const bw_tree *tree, const bw_mesh *mesh)
{
    bw_result result = bw_tree_accepts_lazily(tree, mesh);
    if (result == BW_OK && tree->kind == &bw_kind_wide)
        bw_wide_complete(&tree->wide);
    return result;
}

/* The first primitive of the tree (by number) that cannot be bounded any more. A mesh without any bad vertex,
 * the common case, is recognised in one pass over the vertices. */
static bw_result find_defect(const bw_tree *tree, const bw_mesh *mesh, bw_fault *where)
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
            *where = bw_defect_fault(defect, i, &place);
            return bw_defect_result(defect);
        }
    }
    return BW_OK;
}

bw_result bw_tree_update(bw_tree *tree, const bw_mesh *mesh, const bw_update_desc *desc,
                         bw_update_report *report, bw_fault *fault)
{
    static const bw_update_desc defaults = {0};
    if (desc == NULL)
        desc = &defaults;
    bw_result result = bw_sizes_check(desc, report);
    if (result == BW_OK && (tree == NULL || mesh == NULL || (unsigned)desc->policy > BW_UPDATE_REBUILD ||
                            !are_tasks(desc->tasks) || (desc->ranges == NULL && desc->range_count > 0)))
        result = BW_ERROR_ARGUMENT;
    if (result == BW_OK && desc->ranges != NULL && tree->kind != &bw_kind_wide)
        result = BW_ERROR_UNSUPPORTED;
    if (result == BW_OK)
        result = bw_tree_accepts(tree, mesh);
    bw_fault where = BW_FAULT_NOWHERE;
    if (result == BW_OK && !tree->kind->update_checks)
        result = find_defect(tree, mesh, &where);
    if (result != BW_OK)
        return bw_fail_with(fault, result, &where);
    bw_update_report done = {.reason = "asked for"};
    const bool rebuild = desc->policy == BW_UPDATE_REBUILD && !tree->kind->update_checks;
    result = rebuild ? bw_tree_rebuild(tree, mesh, desc->tasks, &done)
                     : tree->kind->update(tree, mesh, desc, &done, &where);
    tree->changes += result == BW_OK;
    if (tree->kind == &bw_kind_wide)
        bw_wide_changed(&tree->wide);
    if (report != NULL && result == BW_OK)
        bw_report_set(report, done);
    return bw_fail_with(fault, result, &where);
}

bw_result bw_tree_prepare_distances(bw_tree *tree, const bw_mesh *mesh, const bw_tasks *tasks,
                                    bw_fault *fault)
{
    if (tree == NULL || mesh == NULL || !are_tasks(tasks))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    if (tree->kind != &bw_kind_wide || tree->owner.box != NULL)
        return bw_fail(fault, BW_ERROR_UNSUPPORTED);
    bw_result result = bw_tree_accepts(tree, mesh);
    return bw_fail(fault, result == BW_OK ? bw_wide_make_lenses(&tree->wide, mesh, tasks) : result);
}

const char *bw_tree_check(const bw_tree *tree, const bw_mesh *mesh)
{
    if (tree == NULL)
        return "there is no tree";
    if (mesh != NULL && bw_tree_accepts(tree, mesh) != BW_OK)
        return "the mesh is not the tree's";
    uint64_t known = (uint64_t)tree->primitives + tree->quarantined;
    if (known > tree->mesh_primitives || (known < tree->mesh_primitives && !tree->edited))
        return "the numbers of primitives do not add up";
    for (uint32_t i = 0; i < tree->quarantined; i++)
        if (tree->quarantine[i] >= tree->mesh_primitives ||
            (i > 0 && tree->quarantine[i] <= tree->quarantine[i - 1]))
            return "the quarantine is not in ascending order";
    return tree->kind->check(tree, mesh);
}

void bw_tree_get_stats(const bw_tree *tree, bw_tree_stats *out)
{
    *out = (bw_tree_stats){.primitives = tree->primitives,
                           .quarantined = tree->quarantined,
                           .bytes = sizeof *tree + tree->quarantined * sizeof *tree->quarantine};
    tree->kind->stats(tree, out);
}

bw_box bw_tree_bounds(const bw_tree *tree)
{
    return tree->primitives == 0 ? bw_box_empty() : tree->kind->bounds(tree);
}

const uint32_t *bw_tree_quarantine(const bw_tree *tree, uint32_t *count)
{
    *count = tree->quarantined;
    return tree->quarantine;
}

bw_result bw_tree_visit(const bw_tree *tree, bw_tree_visitor *visitor, void *user, bw_fault *fault)
{
    if (tree == NULL || visitor == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    return bw_fail(fault, tree->kind->visit(tree, visitor, user));
}
