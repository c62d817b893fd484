#include "wide_testing.h"

#include "tree/wide/leaf_corners.h"
#include "tree/wide/leaf_vertices.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

bw_box *wide_test_boxes(const bw_mesh *mesh)
{
    uint32_t count = bw_mesh_primitive_count(mesh);
    bw_box *boxes = malloc((count + 1) * sizeof *boxes);
    assert_non_null(boxes);
    bw_wide_boxes(mesh, NULL, count, boxes, NULL);
    return boxes;
}

void wide_test_sound(const bw_wide *wide, const bw_mesh *mesh)
{
    const char *wrong = bw_wide_check(wide, mesh, bw_mesh_primitive_count(mesh));
    if (wrong != NULL)
        fail_msg("%s", wrong);
}

void wide_test_build(const bw_wide_desc *desc, const bw_mesh *mesh, wide_test_form form, bw_wide *out)
{
    bw_box *boxes = wide_test_boxes(mesh);
    assert_int_equal(bw_wide_build(desc, boxes, NULL, bw_mesh_primitive_count(mesh), out), BW_OK);
    free(boxes);
    if (form == WIDE_TEST_RIGID)
        assert_int_equal(bw_wide_fill_corners(out, mesh, desc->tasks, desc->simd), BW_OK);
    if (form == WIDE_TEST_COMPACT)
        assert_int_equal(bw_wide_fill_vertices(out, mesh, desc->tasks), BW_OK);
    wide_test_sound(out, mesh);
}

static void assert_same_array(const void *a, const void *b, size_t count, size_t size)
{
    assert_int_equal(a == NULL, b == NULL);
    if (a != NULL)
        assert_memory_equal(a, b, count * size);
}

void wide_test_same(const bw_wide *a, const bw_wide *b)
{
    assert_int_equal(a->node_count, b->node_count);
    assert_int_equal(a->leaf_count, b->leaf_count);
    assert_int_equal(a->vertex_used, b->vertex_used);
    assert_int_equal(a->primitive_count, b->primitive_count);
    assert_int_equal(a->preorder, b->preorder);
    assert_memory_equal(&a->bounds, &b->bounds, sizeof a->bounds);
    assert_memory_equal(&a->built_cost, &b->built_cost, sizeof a->built_cost);
    assert_same_array(a->nodes, b->nodes, a->node_count, sizeof *a->nodes);
    assert_same_array(a->leaves, b->leaves, a->leaf_count, sizeof *a->leaves);
    assert_same_array(a->primitives, b->primitives, a->leaf_count, BW_WIDTH * sizeof *a->primitives);
    assert_same_array(a->corners, b->corners, a->leaf_count, sizeof *a->corners);
    assert_same_array(a->vertex_first, b->vertex_first, a->leaf_count, sizeof *a->vertex_first);
    assert_same_array(a->vertices, b->vertices, a->vertex_used, sizeof *a->vertices);
}

static void *copy_array(const bw_allocator *allocator, const void *from, size_t used, size_t capacity,
                        size_t size)
{
    if (from == NULL)
        return NULL;
    void *to = bw_allocate(allocator, capacity, size);
    assert_true(to != NULL || capacity == 0);
    memcpy(to, from, used * size);
    return to;
}

bw_wide wide_test_copy(const bw_wide *wide)
{
    bw_wide copy = *wide;
    const bw_allocator *a = &copy.allocator;
    copy.nodes = copy_array(a, wide->nodes, wide->node_count, wide->node_capacity, sizeof *wide->nodes);
    copy.leaves = copy_array(a, wide->leaves, wide->leaf_count, wide->leaf_capacity, sizeof *wide->leaves);
    copy.primitives = copy_array(a, wide->primitives, wide->leaf_count, wide->leaf_capacity,
                                 BW_WIDTH * sizeof *wide->primitives);
    copy.corners = copy_array(a, wide->corners, wide->leaf_count, wide->leaf_capacity, sizeof *wide->corners);
    copy.vertex_first =
        copy_array(a, wide->vertex_first, wide->leaf_count, wide->leaf_capacity, sizeof *wide->vertex_first);
    copy.vertices =
        copy_array(a, wide->vertices, wide->vertex_used, wide->vertex_capacity, sizeof *wide->vertices);
    copy.slot_of = copy.map_first = copy.map_leaf = NULL;
    copy.map_marks = NULL;
    copy.slot_of_count = copy.map_vertices = copy.map_uses = copy.map_words = 0;
    return copy;
}
