/* ADB-trees (Klein and Zachmann 2003) of a body: create, update, check and destroy. */
#include "anytime/anytime.h"
#include "base/fault.h"
#include "base/sized.h"

#include "anytime/model/model.h"
#include "anytime/train/self_calibration.h"

#include "tree/kind.h"

static bool is_desc(const bw_anytime_desc *desc)
{
    return (unsigned)desc->estimator <= BW_ESTIMATOR_PAPER &&
           (unsigned)desc->hierarchy <= BW_ANYTIME_OCTREE && desc->max_area_factor >= 0.0 &&
           desc->max_area_factor <= 100.0;
}

static bw_result supports(const bw_anytime_desc *desc, const bw_tree *tree)
{
    if (tree->owner.box != NULL)
        return BW_ERROR_UNSUPPORTED;
    if (desc->estimator == BW_ESTIMATOR_MOMENTS)
        return desc->hierarchy == BW_ANYTIME_OF_TREE ? BW_OK : BW_ERROR_UNSUPPORTED;
    if (tree->points)
        return BW_ERROR_UNSUPPORTED;
    return BW_RESEARCH ? BW_OK : BW_ERROR_NOT_BUILT;
}

static void release(bw_anytime *adb)
{
    bw_moments_release(&adb->allocator, &adb->moments);
    if (BW_RESEARCH)
        bw_paper_release(&adb->allocator, &adb->paper);
    bw_tree_destroy(adb->own);
}

/* Takes out of a new wide tree what is in quarantine in the other and not in its own. */
static bw_result leave_out(bw_tree *wide, const bw_tree *tree, const bw_mesh *mesh,
                           const bw_allocator *allocator)
{
    uint32_t *out = bw_allocate(allocator, tree->quarantined, sizeof *out), count = 0, known = 0;
    if (out == NULL && tree->quarantined > 0)
        return BW_ERROR_MEMORY;
    for (uint32_t i = 0; i < tree->quarantined; i++) { /* both lists ascend */
        while (known < wide->quarantined && wide->quarantine[known] < tree->quarantine[i])
            known++;
        if (known == wide->quarantined || wide->quarantine[known] != tree->quarantine[i])
            out[count++] = tree->quarantine[i];
    }
    bw_result result = count > 0 ? bw_tree_remove(wide, mesh, out, count, NULL) : BW_OK;
    bw_release(allocator, out, tree->quarantined, sizeof *out);
    return result != BW_OK || wide->primitives == tree->primitives ? result : BW_ERROR_MISMATCH;
}

/* A wide tree of the primitives of one that is not. */
static bw_result make_wide(const bw_tree *tree, const bw_mesh *mesh, const bw_allocator *allocator,
                           bw_tree **out)
{
    bw_tree *wide = NULL;
    bw_result result = bw_tree_create(&(bw_tree_desc){.quarantine = BW_DEFECTS_FATAL, .allocator = allocator},
                                      mesh, &wide, NULL);
    if (result == BW_OK)
        result = leave_out(wide, tree, mesh, allocator);
    if (result == BW_OK)
        *out = wide;
    else
        bw_tree_destroy(wide);
    return result;
}

/* The statistics of the tree and mesh as they are, into *adb; on failure it is as it was. */
static bw_result make(bw_anytime *adb, const bw_mesh *mesh)
{
    bw_moments moments = {0};
    bw_paper paper = {0};
    bw_tree *own = NULL;
    const bw_wide *wide = NULL;
    bw_result result = BW_OK;
    if (BW_RESEARCH && adb->desc.estimator == BW_ESTIMATOR_PAPER) {
        result = bw_paper_make(&adb->desc, adb->tree, mesh, &adb->allocator, &paper);
    } else {
        bool given = adb->tree->kind == &bw_kind_wide;
        if (!given)
            result = make_wide(adb->tree, mesh, &adb->allocator, &own);
        if (result == BW_OK) {
            wide = given ? &adb->tree->wide : &own->wide;
            result = bw_moments_make(wide, mesh, &adb->allocator, &moments);
        }
        /* Once: it takes longer than all the rest, and tells what kind of body this is. */
        moments.filling = adb->moments.filling;
        moments.solidity = adb->moments.solidity;
        if (result == BW_OK && adb->moments.count == 0 && moments.count > 0) {
            result = bw_moments_try_solidity(&moments, wide, adb->tree, mesh, &adb->allocator);
            if (result != BW_OK)
                bw_moments_release(&adb->allocator, &moments);
        }
    }
    if (result != BW_OK) {
        bw_tree_destroy(own);
        return result;
    }
    release(adb);
    adb->moments = moments;
    adb->paper = paper;
    adb->own = own;
    adb->wide = wide;
    adb->changes = adb->tree->changes;
    return BW_OK;
}

bw_result bw_anytime_create(const bw_anytime_desc *desc, const bw_tree *tree, const bw_mesh *mesh,
                            bw_anytime **out, bw_fault *fault)
{
    static const bw_anytime_desc defaults = {0};
    if (desc == NULL)
        desc = &defaults;
    if (bw_desc_check(desc) != BW_OK)
        return bw_fail(fault, bw_desc_check(desc));
    if (tree == NULL || mesh == NULL || out == NULL || !is_desc(desc))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_result result = supports(desc, tree);
    if (result == BW_OK)
        result = bw_tree_accepts(tree, mesh);
    if (result != BW_OK)
        return bw_fail(fault, result);
    bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    bw_anytime *adb = bw_allocate_zero(&allocator, 1, sizeof *adb);
    if (adb == NULL)
        return bw_fail(fault, BW_ERROR_MEMORY);
    adb->allocator = allocator;
    adb->desc = *desc;
    adb->desc.allocator = NULL;
    adb->desc.max_area_factor = desc->max_area_factor > 0.0 ? desc->max_area_factor : 0.5;
    adb->desc.octree_leaf = desc->octree_leaf > 0 ? desc->octree_leaf : 8;
    adb->tree = tree;
    adb->desc.tries = desc->tries > 0 ? desc->tries : BW_TRIES;
    result = make(adb, mesh);
    if (result == BW_OK && adb->moments.count > 0 && adb->desc.tries != BW_NONE) {
        const bw_anytime_body body = {adb, mesh, NULL};
        for (uint32_t kind = 0; kind < 2 && result == BW_OK; kind++)
            result = bw_self_calibrate(&body, &body, (bw_anytime_poses)kind, adb->desc.tries, &adb->allocator,
                                       adb->choice[kind]);
        adb->tried = true;
        if (result != BW_OK)
            release(adb);
    }
    if (result != BW_OK) {
        bw_release(&allocator, adb, 1, sizeof *adb);
        return bw_fail(fault, result);
    }
    *out = adb;
    return bw_fail(fault, BW_OK);
}

void bw_anytime_destroy(bw_anytime *adb)
{
    if (adb == NULL)
        return;
    bw_allocator allocator = adb->allocator;
    release(adb);
    bw_release(&allocator, adb, 1, sizeof *adb);
}

bw_result bw_anytime_update(bw_anytime *adb, const bw_mesh *mesh, bw_fault *fault)
{
    if (adb == NULL || mesh == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_result result = bw_tree_accepts(adb->tree, mesh);
    return bw_fail(fault, result == BW_OK ? make(adb, mesh) : result);
}

const char *bw_anytime_check(const bw_anytime *adb, const bw_mesh *mesh)
{
    if (adb == NULL || mesh == NULL || bw_tree_accepts(adb->tree, mesh) != BW_OK)
        return "the mesh is not the tree's";
    if (adb->changes != adb->tree->changes)
        return "the tree was changed and the statistics were not";
    if (BW_RESEARCH && adb->desc.estimator == BW_ESTIMATOR_PAPER)
        return bw_paper_check(&adb->paper, &adb->desc, adb->tree, mesh, &adb->allocator);
    return bw_moments_check(&adb->moments, adb->wide, mesh, &adb->allocator);
}

void bw_anytime_get_stats(const bw_anytime *adb, bw_anytime_stats *out)
{
    if (adb == NULL || out == NULL)
        return;
    if (BW_RESEARCH && adb->desc.estimator == BW_ESTIMATOR_PAPER) {
        const bw_anytime_stats paper = {.estimator = BW_ESTIMATOR_PAPER,
                                        .nodes = adb->paper.count,
                                        .depth = adb->paper.depth,
                                        .bytes = sizeof *adb + adb->paper.count * sizeof *adb->paper.nodes};
        bw_report_set(out, paper);
        bw_paper_cell_stats(&adb->paper, &out->cells_possible, &out->nodes_without_cell);
        return;
    }
    bw_tree_stats tree = {0};
    bw_tree_get_stats(adb->own != NULL ? adb->own : adb->tree, &tree);
    const bw_anytime_stats all = {.estimator = adb->desc.estimator,
                                  .nodes = tree.nodes,
                                  .depth = tree.depth,
                                  .density = adb->moments.density,
                                  .rods = adb->moments.rods,
                                  .filling = adb->moments.filling,
                                  .solidity = adb->moments.solidity,
                                  .kind = bw_anytime_kind_of(&adb->moments, &adb->moments),
                                  .bytes = sizeof *adb + (adb->own != NULL ? tree.bytes : 0) +
                                           adb->moments.count *
                                               (sizeof *adb->moments.nodes + sizeof *adb->moments.normals)};
    bw_report_set(out, all);
}
