#include "wide_solid.h"

#include "tree/build/build.h"
#include "tree/wide/leaf_corners.h"
#include "tree/wide/leaf_vertices.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void wide_solid_build(wide_solid *solid, const bw_mesh *mesh, bool compact)
{
    uint32_t count = bw_mesh_primitive_count(mesh);
    bw_box *boxes = malloc((count + 1) * sizeof *boxes);
    assert_non_null(boxes);
    memset(solid, 0, sizeof *solid);
    solid->mesh = *mesh;
    bw_wide_boxes(mesh, NULL, count, boxes, NULL);
    assert_int_equal(
        bw_wide_build(&(bw_wide_desc){.builder = BW_WIDE_FAST}, boxes, NULL, count, &solid->tree), BW_OK);
    if (!compact)
        assert_int_equal(bw_wide_fill_corners(&solid->tree, mesh, NULL, BW_SIMD_AUTO), BW_OK);
    else
        assert_int_equal(bw_wide_fill_vertices(&solid->tree, mesh, NULL), BW_OK);
    free(boxes);
}

wide_solid wide_solid_of_scene(const bws_scene *scene, uint32_t size, bw_scalar scalar, bool compact)
{
    wide_solid solid;
    bws_mesh owned;
    assert_int_equal(scene->make(size, scalar, &owned), BW_OK);
    bw_mesh mesh = bws_view(&owned);
    wide_solid_build(&solid, &mesh, compact);
    solid.owned = owned;
    return solid;
}

void wide_solid_free(wide_solid *solid)
{
    bw_wide_release(&solid->tree);
    bws_mesh_free(&solid->owned);
}

bw_relative_pose wide_pose(const bw_transform *relative)
{
    if (relative == NULL)
        return (bw_relative_pose){true, false, bw_transform_identity(), NULL};
    return (bw_relative_pose){false, true, *relative, NULL};
}

static void assert_same_report(const bw_collide_report *got, const bw_collide_report *expected)
{
    assert_int_equal(got->status, expected->status);
    assert_int_equal(got->hit_count, expected->hit_count);
    assert_int_equal(got->touching_count, expected->touching_count);
    assert_int_equal(got->nodes_visited, expected->nodes_visited);
    assert_int_equal(got->box_tests, expected->box_tests);
    assert_int_equal(got->primitive_tests, expected->primitive_tests);
    assert_int_equal(got->exact_tests, expected->exact_tests);
}

/* The self query where no second side is given. */
static bw_result ask(const bw_wide_side *a, const bw_wide_side *b, const bw_relative_pose *pose,
                     const bw_wide_options *options, bw_hit_sink *sink)
{
    return b->tree == NULL ? bw_wide_self(a, options, sink) : bw_wide_pair(a, b, pose, options, sink);
}

wide_answer wide_answer_of(const wide_solid *a, const wide_solid *b, const bw_transform *relative,
                           bw_box_test test, const bw_wide_options *options)
{
    bw_wide_side side_a = {&a->tree, &a->mesh}, side_b = {NULL, NULL};
    if (b != NULL)
        side_b = (bw_wide_side){&b->tree, &b->mesh};
    bw_relative_pose pose = wide_pose(relative);
    bw_collide_desc desc = {.mode = BW_COLLIDE_COUNT, .box_test = test};
    bw_hit_sink sink = {.desc = &desc};
    assert_int_equal(ask(&side_a, &side_b, &pose, options, &sink), BW_OK);
    wide_answer answer = {malloc((size_t)(sink.report.hit_count + 1) * sizeof *answer.hits), sink.report};
    assert_non_null(answer.hits);
    desc.mode = BW_COLLIDE_ALL;
    desc.hits = answer.hits;
    desc.hit_capacity = sink.report.hit_count;
    bw_hit_sink again = {.desc = &desc};
    assert_int_equal(ask(&side_a, &side_b, &pose, options, &again), BW_OK);
    assert_same_report(&again.report, &sink.report);
    return answer;
}

void wide_answer_free(wide_answer *answer)
{
    free(answer->hits);
    answer->hits = NULL;
}

void wide_assert_same(const wide_answer *got, const wide_answer *expected)
{
    assert_same_report(&got->report, &expected->report);
    for (uint64_t i = 0; i < got->report.hit_count; i++) {
        assert_int_equal(got->hits[i].a, expected->hits[i].a);
        assert_int_equal(got->hits[i].b, expected->hits[i].b);
        assert_int_equal(got->hits[i].kind, expected->hits[i].kind);
    }
}

void wide_assert_truth(const wide_solid *a, const wide_solid *b, const bw_transform *relative)
{
    bw_hit_list truth = bw_brute_force(&a->mesh, &b->mesh, relative, 0);
    for (int test = BW_BOX_TEST_SAT; test <= BW_BOX_TEST_SAT_LITE; test++) {
        wide_answer answer =
            wide_answer_of(a, b, relative, (bw_box_test)test, &(bw_wide_options){.simd = BW_SIMD_128});
        for (int level = BW_SIMD_128; level <= BW_SIMD_AVX2; level++) {
            wide_answer other =
                wide_answer_of(a, b, relative, (bw_box_test)test, &(bw_wide_options){.simd = (bw_simd)level});
            wide_assert_same(&other, &answer);
            wide_answer_free(&other);
        }
        uint64_t touching = 0;
        assert_int_equal(answer.report.hit_count, truth.count);
        bw_hits_sort(answer.hits, truth.count);
        for (size_t i = 0; i < truth.count; i++) {
            assert_int_equal(answer.hits[i].a, truth.hits[i].a);
            assert_int_equal(answer.hits[i].b, truth.hits[i].b);
            assert_int_equal(answer.hits[i].kind, truth.hits[i].kind);
            touching += truth.hits[i].kind == BW_CONTACT_TOUCHING;
        }
        assert_int_equal(answer.report.touching_count, touching);
        wide_answer_free(&answer);
    }
    bw_hit_list_free(&truth);
}
