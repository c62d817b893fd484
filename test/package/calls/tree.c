/* mesh.h and tree.h. */
#include "calls.h"

#include <stdlib.h>

void call_mesh(void)
{
    bw_vec3 corners[3];
    bw_mesh_report report = BW_SIZED(bw_mesh_report);
    bw_adjacency *adjacency = NULL;
    CHECK(bw_mesh_primitive_count(&calls_mesh) == 4);
    CHECK(bw_mesh_vertex(&calls_aside, 1).x == 1.25);
    bw_mesh_corners(&calls_mesh, 0, corners);
    CHECK(corners[1].y == 1);
    CHECK(bw_mesh_validate(&calls_mesh, NULL, &report, NULL) == BW_OK && report.defective == 0);
    CHECK(bw_defect_result(BW_DEFECT_NAN) == BW_ERROR_NOT_FINITE);
    CHECK(bw_adjacency_create(&calls_mesh, NULL, &adjacency, NULL) == BW_OK);
    CHECK(adjacency != NULL && adjacency->edge_count == 6 && adjacency->closed);
    bw_adjacency_destroy(adjacency);
}

static bool count_nodes(void *user, const bw_box *box, uint32_t depth, const uint32_t *primitives,
                        uint32_t count)
{
    (void)box;
    (void)depth;
    (void)primitives;
    *(uint32_t *)user += count;
    return true;
}

static void save_and_load(const bw_tree *tree)
{
    size_t size = bw_tree_saved_size(tree);
    void *bytes = malloc(size);
    bw_tree *again = NULL;
    CHECK(bytes != NULL && size > 0);
    CHECK(bw_tree_save(tree, bytes, size, NULL) == BW_OK);
    CHECK(bw_tree_load(bytes, size, NULL, &again, NULL) == BW_OK);
    CHECK(bw_tree_check(again, &calls_mesh) == NULL);
    bw_tree_destroy(again);
    free(bytes);
}

static void box_of(void *user, uint32_t primitive, bw_box *out)
{
    (void)user;
    for (int k = 0; k < 3; k++) {
        out->min[k] = (float)primitive;
        out->max[k] = (float)primitive + 0.5f;
    }
}

static void call_user(void)
{
    bw_primitives primitives = {3, box_of, NULL};
    bw_tree *tree = NULL;
    bw_fault fault;
    CHECK(bw_tree_create_user(NULL, &primitives, &tree, &fault) == BW_OK);
    CHECK(bw_tree_refit_user(tree, &fault) == BW_OK);
    CHECK(bw_tree_bounds(tree).max[0] == 2.5f);
    bw_tree_destroy(tree);
}

void call_tree(void)
{
    bw_tree_desc desc = BW_SIZED(bw_tree_desc);
    bw_update_report updated = BW_SIZED(bw_update_report);
    bw_tree_stats stats = BW_SIZED(bw_tree_stats);
    bw_tree *tree = NULL;
    bw_fault fault;
    uint32_t count = 0;
    const uint32_t last = 3;
    desc.tasks = &calls_tasks;
    CHECK(bw_tree_create(&desc, &calls_mesh, &tree, &fault) == BW_OK);
    CHECK(bw_tree_update(tree, &calls_mesh, NULL, &updated, NULL) == BW_OK && updated.boxes > 0);
    CHECK(bw_tree_prepare_distances(tree, &calls_mesh, NULL, NULL) == BW_OK);
    CHECK(bw_tree_prepare_rays(tree, &calls_mesh, NULL, NULL) == BW_OK);
    CHECK(bw_tree_remove(tree, &calls_mesh, &last, 1, NULL) == BW_OK);
    CHECK(bw_tree_insert(tree, &calls_mesh, &last, 1, NULL) == BW_OK);
    CHECK(bw_tree_check(tree, &calls_mesh) == NULL);
    bw_tree_get_stats(tree, &stats);
    CHECK(stats.primitives == 4);
    CHECK(bw_tree_bounds(tree).max[1] == 1);
    CHECK(bw_tree_quarantine(tree, &count) == NULL && count == 0);
    CHECK(bw_tree_visit(tree, count_nodes, &count, NULL) == BW_OK && count == 4);
    save_and_load(tree);
    bw_tree_destroy(tree);
    call_user();
}
