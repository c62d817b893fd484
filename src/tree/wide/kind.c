/* Wide trees (tree/wide/wide.h) behind the public functions. */
#include "tree/kind.h"

#include "base/stack.h"
#include "tree/build/build.h"
#include "tree/rebuild/rebuild.h"
#include "tree/refit/check.h"
#include "tree/refit/refit.h"
#include "tree/wide/deferred.h"
#include "tree/wide/leaf_corners.h"
#include "tree/wide/lens.h"
#include "tree/wide/ray_layout.h"

static bw_result build(bw_tree *tree, const bw_mesh *mesh, const bw_tasks *tasks, bw_cancel *cancel)
{
    const bw_wide_desc desc = bw_tree_wide_desc(tree, tasks, cancel);
    const bw_wide_form form = tree->compact ? BW_WIDE_VERTICES : BW_WIDE_CORNERS;
    uint32_t *ids = NULL;
    if (tree->quarantined > 0) {
        ids = bw_allocate(&tree->allocator, tree->primitives, sizeof *ids);
        if (ids == NULL)
            return BW_ERROR_MEMORY;
        bw_tree_list_primitives(tree, ids);
    }
    bw_result result = bw_wide_build_mesh(&desc, mesh, ids, tree->primitives, form, &tree->wide);
    bw_release(&tree->allocator, ids, tree->primitives, sizeof *ids);
    if (result != BW_OK)
        return result;
    result = bw_wide_fit_obbs(&tree->wide, tasks);
    if (result != BW_OK)
        bw_wide_release(&tree->wide);
    return result;
}

static void release(bw_tree *tree)
{
    bw_wide_release(&tree->wide);
}

/* Whether all ranges lie within the mesh. */
static bool are_ranges(const bw_update_desc *desc, const bw_mesh *mesh)
{
    for (uint32_t i = 0; i < desc->range_count; i++)
        if (desc->ranges[i].count > mesh->vertex_count ||
            desc->ranges[i].first > mesh->vertex_count - desc->ranges[i].count)
            return false;
    return true;
}

/* Nothing is fitted first: the old tree stays as it is until the new one stands. */
static bw_result rebuild(bw_tree *tree, const bw_mesh *mesh, const bw_update_desc *desc,
                         bw_update_report *report, bw_fault *where)
{
    if (!are_ranges(desc, mesh))
        return BW_ERROR_INDEX;
    bw_wide *wide = &tree->wide;
    bw_cancel cancel;
    bw_wide_desc build_desc = bw_tree_wide_desc(tree, desc->tasks, bw_cancel_init(&cancel, desc->progress));
    bw_result result = BW_OK;
    if (!bw_positions_sound(mesh, 0, mesh->vertex_count, desc->tasks, BW_SIMD_AUTO))
        result = bw_wide_find_unsound(wide, mesh, where);
    if (result == BW_OK)
        result = bw_wide_rebuild(wide, mesh, &build_desc);
    if (result != BW_OK)
        return result;
    report->action = BW_UPDATE_DID_REBUILD;
    report->quality = 1.0;
    report->boxes = wide->node_count + wide->leaf_count;
    report->changed = desc->count_changed ? report->boxes : 0; /* none of them stood before */
    return BW_OK;
}

static bw_result update(bw_tree *tree, const bw_mesh *mesh, const bw_update_desc *desc,
                        bw_update_report *report, bw_fault *where)
{
    if (desc->policy == BW_UPDATE_REBUILD)
        return rebuild(tree, mesh, desc, report, where);
    bw_wide_refit_desc refit = {.tasks = desc->tasks, .count_changed = desc->count_changed, .where = where};
    bw_result result = desc->ranges != NULL ? bw_wide_refit_ranges(&tree->wide, mesh, desc->ranges,
                                                                   desc->range_count, &refit, report)
                                            : bw_wide_refit(&tree->wide, mesh, &refit, report);
    if (result != BW_OK || desc->policy == BW_UPDATE_REFIT)
        return result;
    bw_cancel cancel;
    bw_wide_desc build_desc = bw_tree_wide_desc(tree, desc->tasks, bw_cancel_init(&cancel, desc->progress));
    bw_wide_maintain(&tree->wide, mesh, &(bw_wide_policy){0}, &build_desc, report);
    return BW_OK;
}

static const char *check(const bw_tree *tree, const bw_mesh *mesh)
{
    bw_wide_complete(&tree->wide);
    if (tree->wide.primitive_count != tree->primitives)
        return "the number of primitives in leaves is not the tree's";
    const char *wrong = bw_wide_check(&tree->wide, mesh, tree->mesh_primitives);
    if (wrong == NULL)
        wrong = bw_ray_layout_check(&tree->wide, mesh);
    return wrong != NULL || mesh == NULL ? wrong : bw_wide_check_lenses(&tree->wide, mesh);
}

static void stats(const bw_tree *tree, bw_tree_stats *out)
{
    size_t shell = out->bytes;
    bw_wide_complete(&tree->wide);
    bw_wide_stats(&tree->wide, out);
    out->bytes += shell;
}

static bw_box bounds(const bw_tree *tree)
{
    return tree->wide.bounds;
}

typedef struct visit_item {
    uint32_t child, depth;
    bw_box box;
} visit_item;

static bw_result visit(const bw_tree *tree, bw_tree_visitor *visitor, void *user)
{
    const bw_wide *wide = &tree->wide;
    visit_item first[64];
    bw_stack stack = bw_stack_over(first, sizeof first, sizeof *first, &tree->allocator);
    if (wide->node_count > 0) /* removals may have left nothing */
        *(visit_item *)bw_stack_push(&stack) = (visit_item){0, 0, wide->bounds};
    bw_result result = BW_OK;
    visit_item *top;
    while ((top = bw_stack_pop(&stack)) != NULL) {
        visit_item v = *top;
        bool is_leaf = (v.child & BW_WIDE_LEAF) != 0;
        uint32_t leaf = v.child & ~BW_WIDE_LEAF;
        if (!visitor(user, &v.box, v.depth, is_leaf ? &wide->primitives[(size_t)leaf * BW_WIDTH] : NULL,
                     is_leaf ? wide->leaves[leaf].count : 0))
            break;
        if (is_leaf)
            continue;
        const bw_wide_node *node = &wide->nodes[v.child];
        bw_wide_need_node(wide, v.child);
        if (!bw_stack_grow(&stack, node->count)) {
            result = BW_ERROR_MEMORY;
            break;
        }
        for (uint32_t lane = node->count; lane-- > 0;)
            *(visit_item *)bw_stack_push(&stack) =
                (visit_item){node->child[lane], v.depth + 1, bw_wide_lane_box(node, lane)};
    }
    bw_stack_release(&stack);
    return result;
}

const bw_tree_kind bw_kind_wide = {build, release, true, update, check, stats, bounds, visit};
