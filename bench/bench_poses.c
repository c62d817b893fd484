/* Two meshes of 20k triangles in many poses: one call for all beside one call for each. What a batch costs beside
 * its queries is the difference. */
#include "benches.h"
#include "inputs.h"

#include <stdlib.h>

typedef struct poses_input {
    bws_mesh a, b;
    bw_mesh view_a, view_b;
    bw_tree *tree_a, *tree_b;
    input_poses poses;
    bw_body_pair *pairs;
    bw_collide_answer *answers;
    bw_collide_mode mode;
} poses_input;

static void require(bw_result result)
{
    bench_require(result == BW_OK, bw_result_string(result));
}

static uint64_t run_singles(void *self)
{
    const poses_input *in = self;
    const bw_body a = {in->tree_a, &in->view_a, NULL};
    uint64_t sum = 0;
    for (uint32_t i = 0; i < in->poses.count; i++) {
        const bw_body b = {in->tree_b, &in->view_b, &in->poses.poses[i]};
        bw_collide_report report = {0};
        require(bw_collide(&a, &b, &(bw_collide_desc){.mode = in->mode}, &report, NULL));
        sum += report.hit_count;
    }
    return sum;
}

/* With the filling of the list of pairs. */
static uint64_t run_many(void *self)
{
    const poses_input *in = self;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < in->poses.count; i++)
        in->pairs[i] =
            (bw_body_pair){{in->tree_a, &in->view_a, NULL}, {in->tree_b, &in->view_b, &in->poses.poses[i]}};
    require(bw_collide_many(in->pairs, in->poses.count, &(bw_collide_many_desc){.mode = in->mode},
                            in->answers, NULL, NULL));
    for (uint32_t i = 0; i < in->poses.count; i++)
        sum += in->answers[i].hit_count;
    return sum;
}

static void run_case(bench *b, const char *name, uint32_t size, bw_collide_mode mode, double near, double far)
{
    const uint32_t count = bench_quick(b) ? 20 : 400;
    bench_case *c =
        bench_case_begin(b, bench_format("%s-%s", name, bench_size_label(size).text).text, size, count);
    if (c == NULL)
        return;
    poses_input in = {.a = input_bumpy(size, 1), .b = input_bumpy(size, 2), .mode = mode};
    in.view_a = bws_view(&in.a);
    in.view_b = bws_view(&in.b);
    require(bw_tree_create(NULL, &in.view_a, &in.tree_a, NULL));
    require(bw_tree_create(NULL, &in.view_b, &in.tree_b, NULL));
    in.poses = input_poses_between(count, near, far, 3);
    in.pairs = bench_alloc(count, sizeof *in.pairs);
    in.answers = bench_alloc(count, sizeof *in.answers);
    if (bench_case_wants(c, "boxwood-singles"))
        bench_case_add(
            c, (bench_impl){.name = "boxwood-singles", .self = &in, .run = run_singles, .exact = true});
    if (bench_case_wants(c, "boxwood"))
        bench_case_add(
            c,
            (bench_impl){
                .name = "boxwood", .self = &in, .run = run_many, .exact = true, .over = "boxwood-singles"});
    bench_case_measure(c);
    bench_case_end(c);
    bw_tree_destroy(in.tree_a);
    bw_tree_destroy(in.tree_b);
    bws_mesh_free(&in.a);
    bws_mesh_free(&in.b);
    free(in.poses.poses);
    free(in.pairs);
    free(in.answers);
}

void bench_poses(bench *b)
{
    const uint32_t size = bench_quick(b) ? 2000 : 20000;
    run_case(b, "any", size, BW_COLLIDE_ANY, 1.15, 2.74);
    run_case(b, "apart", size, BW_COLLIDE_ANY, 2.3, 3.5);
    run_case(b, "count", size, BW_COLLIDE_COUNT, 1.15, 2.74);
}
