/* What a tree remembers of its mesh (whether it is closed, how often it changed) is forgotten when primitives
 * come and go, and when they move. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "tree/tree.h"

#include <boxwood/kinetic.h>

enum { TRIANGLES = 4, VERTICES = 3 * TRIANGLES };

/* A tetrahedron of triangles with corners of their own; at the second keyframe one of them has left. */
typedef struct stage {
    float frames[2][VERTICES][3];
    uint32_t indices[VERTICES];
    double times[2];
    const void *frame_list[2];
    bw_mesh mesh;
    bw_motion motion;
    bw_kinetic *kinetic;
} stage;

static void begin(stage *s, bw_kinetic_method method, uint32_t gone)
{
    static const float corner[4][3] = {{-4, -4, -4}, {8, -4, -4}, {-4, 8, -4}, {-4, -4, 8}};
    static const uint32_t face[TRIANGLES][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    memset(s, 0, sizeof *s);
    for (uint32_t i = 0; i < VERTICES; i++) {
        s->indices[i] = i;
        for (int f = 0; f < 2; f++) {
            memcpy(s->frames[f][i], corner[face[i / 3][i % 3]], sizeof s->frames[f][i]);
            if (f == 1 && i / 3 == gone)
                s->frames[f][i][0] += 16.0f;
        }
    }
    s->times[1] = 1.0;
    s->frame_list[0] = s->frames[0];
    s->frame_list[1] = s->frames[1];
    s->mesh = (bw_mesh){.positions = s->frames[0],
                        .vertex_count = VERTICES,
                        .indices = s->indices,
                        .triangle_count = TRIANGLES};
    s->motion = (bw_motion){.kind = BW_MOTION_KEYFRAMES,
                            .vertex_count = VERTICES,
                            .scalar = BW_F32,
                            .frame_count = 2,
                            .times = s->times,
                            .frames = s->frame_list};
    assert_int_equal(
        bw_kinetic_create(&(bw_kinetic_desc){.method = method}, &s->mesh, &s->motion, &s->kinetic, NULL),
        BW_OK);
}

/* Whether a small triangle in the middle is inside, and whether the tree knows that it changed. */
static void assert_inside(stage *s, bool wanted, uint64_t *changes)
{
    static const float positions[9] = {-3, -3, -3, -2, -3, -3, -3, -2, -3};
    static const uint32_t indices[3] = {0, 1, 2};
    const bw_mesh small = {
        .positions = positions, .vertex_count = 3, .indices = indices, .triangle_count = 1};
    bw_tree *tree;
    bw_body around;
    assert_int_equal(bw_tree_create(NULL, &small, &tree, NULL), BW_OK);
    assert_int_equal(bw_kinetic_body(s->kinetic, &around, NULL), BW_OK);
    const bw_body inner = {.tree = tree, .mesh = &small};
    bw_collide_report report = {0};
    assert_int_equal(bw_collide(&inner, &around, &(bw_collide_desc){.containment = true}, &report, NULL),
                     BW_OK);
    assert_int_equal(report.hit_count, 0);
    assert_int_equal(report.containment, wanted ? BW_CONTAINMENT_A_IN_B : BW_CONTAINMENT_NONE);
    assert_true(around.tree->changes > *changes);
    *changes = around.tree->changes;
    bw_tree_destroy(tree);
}

static void test_containment(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < TRIANGLES * BW_KINETIC_AUTO; i++) { /* every face, every method that is built */
        const uint32_t one = i % TRIANGLES;
        if (i / TRIANGLES + BW_KINETIC_QUEUE == BW_KINETIC_BOXTREE && !BW_RESEARCH)
            continue;
        stage s;
        begin(&s, (bw_kinetic_method)(i / TRIANGLES + BW_KINETIC_QUEUE), one);
        bw_body body;
        assert_int_equal(bw_kinetic_body(s.kinetic, &body, NULL), BW_OK);
        uint64_t changes = body.tree->changes;
        assert_int_equal(bw_kinetic_advance(s.kinetic, 1.0, NULL, NULL), BW_OK);
        assert_inside(&s, false, &changes);
        assert_int_equal(bw_kinetic_advance(s.kinetic, 0.0, NULL, NULL), BW_OK);
        assert_inside(&s, true, &changes);
        assert_int_equal(bw_kinetic_remove(s.kinetic, &one, 1, NULL), BW_OK);
        assert_inside(&s, false, &changes);
        assert_int_equal(bw_kinetic_insert(s.kinetic, NULL, NULL, &one, 1, NULL), BW_OK);
        assert_inside(&s, true, &changes);
        assert_int_equal(bw_kinetic_advance(s.kinetic, 0.5, NULL, NULL), BW_OK);
        assert_inside(&s, false, &changes);
        bw_kinetic_destroy(s.kinetic);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_containment)};
    return cmocka_run_group_tests_name("kinetic-containment", tests, NULL, NULL);
}
