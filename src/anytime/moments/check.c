/* Checks the moments of a tree against fresh sums over its triangles. */
#include "anytime/moments/moments.h"

#include "anytime/moments/sums.h"
#include "mesh/view.h"

#include <boxwood/anytime.h>
#include <math.h>

/* The triangles below a child, one by one. */
static void add_below(const bw_moments *m, const bw_wide *tree, const bw_mesh *mesh, uint32_t child,
                      bw_surface_sum *sum)
{
    if ((child & BW_WIDE_LEAF) == 0) {
        const bw_wide_node *node = &tree->nodes[child];
        for (uint32_t lane = 0; lane < node->count; lane++)
            add_below(m, tree, mesh, node->child[lane], sum);
        return;
    }
    uint32_t leaf = child & ~BW_WIDE_LEAF;
    for (uint32_t slot = 0; slot < tree->leaves[leaf].count; slot++) {
        bw_vec3 corners[3];
        bw_surface_sum one;
        bw_mesh_view_corners(mesh, tree->primitives[(size_t)leaf * BW_WIDTH + slot], corners);
        for (int v = 0; v < 3; v++)
            corners[v] =
                (bw_vec3){(corners[v].x - m->origin[0]) / m->unit, (corners[v].y - m->origin[1]) / m->unit,
                          (corners[v].z - m->origin[2]) / m->unit};
        bw_surface_sum_triangle(&one, corners);
        bw_surface_sum_add(sum, &one);
    }
}

/* Floats hold what was summed, and weights of slivers are small differences: equal to a part in ten thousand
 * of the child's own size. */
static const char *check_lane(const bw_moment_node *node, uint32_t lane, const bw_surface_sum *sum)
{
    double trace = bw_surface_trace(sum), size = sqrt(trace) + 1e-6;
    for (int k = 0; k < 3; k++)
        if (!(fabs((double)node->mean[k][lane] - sum->mean[k]) <= 1e-3 * size))
            return "a mean is not that of the surface";
    for (int q = 0; q < 6; q++) {
        double exact = sum->scatter[q] / sum->weight;
        if (!(fabs((double)node->spread[q][lane] - exact) <= 2e-3 * (trace + 1e-12) + 1e-6 * size))
            return "a covariance is not that of the surface";
    }
    if (node->code[lane] >= 4 * BW_MOMENT_SPARSE || node->code[lane] % BW_MOMENT_SPARSE >= BW_MOMENT_LEVELS)
        return "a code is out of range";
    return NULL;
}

const char *bw_moments_check(const bw_moments *m, const bw_wide *tree, const bw_mesh *mesh,
                             const bw_allocator *allocator)
{
    (void)allocator;
    if (m->count != tree->node_count)
        return "there are not as many statistics as nodes";
    for (uint32_t n = 0; n < m->count; n++)
        for (uint32_t lane = 0; lane < tree->nodes[n].count; lane++) {
            bw_surface_sum sum = {0};
            add_below(m, tree, mesh, tree->nodes[n].child[lane], &sum);
            const char *wrong = check_lane(&m->nodes[n], lane, &sum);
            if (wrong != NULL)
                return wrong;
        }
    if (m->count == 0)
        return NULL;
    bw_surface_sum whole = {0};
    add_below(m, tree, mesh, 0, &whole);
    double density = whole.weight / (bw_surface_trace(&whole) + 1e-30);
    if (!(fabs(m->density - density) <= 2e-3 * density) || !(m->rods >= 0.0 && m->rods <= 1.0))
        return "the density of the whole is not that of the surface";
    return check_lane(&m->whole, 0, &whole);
}
