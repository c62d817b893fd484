#include "quality.h"
#include "runner.h"

static double area(const bw_box *box)
{
    const double x = (double)box->max[0] - (double)box->min[0], y = (double)box->max[1] - (double)box->min[1],
                 z = (double)box->max[2] - (double)box->min[2];
    return x * y + y * z + z * x;
}

static bool add(void *user, const bw_box *box, uint32_t depth, const uint32_t *primitives, uint32_t count)
{
    (void)depth;
    bench_quality *sum = user;
    if (primitives == NULL)
        sum->inner += area(box);
    else
        sum->leaves += area(box) * count;
    return true;
}

bench_quality bench_tree_quality(const bw_tree *tree)
{
    bench_quality sum = {0.0, 0.0};
    bench_require(bw_tree_visit(tree, add, &sum) == BW_OK, "cannot visit the tree");
    const bw_box bounds = bw_tree_bounds(tree);
    const double root = area(&bounds);
    sum.inner /= root;
    sum.leaves /= root;
    return sum;
}
