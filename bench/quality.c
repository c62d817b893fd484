#include "quality.h"

static double area(const bw_box *box)
{
    const double x = (double)box->max[0] - (double)box->min[0], y = (double)box->max[1] - (double)box->min[1],
                 z = (double)box->max[2] - (double)box->min[2];
    return x * y + y * z + z * x;
}

static bool add(void *user, const bw_box *box, uint32_t depth, const uint32_t *primitives, uint32_t count)
{
    (void)depth;
    bw_peer_sah *sum = user;
    if (primitives == NULL) {
        sum->inner += area(box);
    } else {
        sum->primitives += area(box) * count;
        sum->blocks += area(box) * ((count + 7) / 8);
    }
    return true;
}

bw_peer_sah bench_tree_quality(const bw_tree *tree)
{
    bw_peer_sah sum = {0.0, 0.0, 0.0};
    bench_require(bw_tree_visit(tree, add, &sum, NULL) == BW_OK, "cannot visit the tree");
    const bw_box bounds = bw_tree_bounds(tree);
    const double root = area(&bounds);
    return (bw_peer_sah){sum.inner / root, sum.primitives / root, sum.blocks / root};
}

void bench_print_quality(bench_case *c, const char *impl, const bw_peer_sah *sah)
{
    bench_case_metric(c, impl, "sah", sah->inner + sah->blocks, "areas");
    bench_case_metric(c, impl, "sah-inner", sah->inner, "areas");
    bench_case_metric(c, impl, "sah-primitives", sah->primitives, "areas");
}
