/* The mean and covariance of the surface below every node of a wide tree, bottom up. */
#include "anytime/moments/moments.h"

#include "anytime/moments/sums.h"
#include "collide/pair/leaf_cache.h"

#include <boxwood/anytime.h>
#include <math.h>
#include <string.h>

/* A part of the trace that is added to each eigenvalue: flat parts have one that is zero. */
static const double thickness = 1e-4;

/* The triangles of a leaf, relative to its origin. A triangle's weight is its area, and a hair more, so that
 * slivers and points count where there is nothing else. Sums run over slots in order. */
static void sum_leaf(const bw_wide_corners *c, uint32_t count, double unit, bw_surface_sum *out)
{
    float scale = (float)(1.0 / unit), weight[BW_WIDTH], moment[9][BW_WIDTH], normal[3][BW_WIDTH];
    for (int s = 0; s < BW_WIDTH; s++) {
        float p[3][3], m[3], d1[3], d2[3];
        for (int k = 0; k < 3; k++) {
            for (int v = 0; v < 3; v++)
                p[v][k] = c->coordinate[v][k][s] * scale;
            m[k] = (p[0][k] + p[1][k] + p[2][k]) * (1.0f / 3.0f);
            d1[k] = p[1][k] - p[0][k];
            d2[k] = p[2][k] - p[0][k];
        }
        float nx = d1[1] * d2[2] - d1[2] * d2[1], ny = d1[2] * d2[0] - d1[0] * d2[2],
              nz = d1[0] * d2[1] - d1[1] * d2[0];
        float long2 =
            d1[0] * d1[0] + d1[1] * d1[1] + d1[2] * d1[2] + d2[0] * d2[0] + d2[1] * d2[1] + d2[2] * d2[2];
        float w = 0.5f * sqrtf(nx * nx + ny * ny + nz * nz) + 1e-6f * long2 + 1e-18f;
        w = (uint32_t)s < count ? w : 0.0f;
        weight[s] = w;
        normal[0][s] = (uint32_t)s < count ? nx : 0.0f;
        normal[1][s] = (uint32_t)s < count ? ny : 0.0f;
        normal[2][s] = (uint32_t)s < count ? nz : 0.0f;
        for (int k = 0; k < 3; k++)
            moment[k][s] = w * m[k];
        /* E[x x^T] over a triangle: of its middle, and a twelfth of its corners about that. */
        static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
        for (int q = 0; q < 6; q++) {
            int i = row[q], j = column[q];
            float about = 0.0f;
            for (int v = 0; v < 3; v++)
                about += (p[v][i] - m[i]) * (p[v][j] - m[j]);
            moment[3 + q][s] = w * (m[i] * m[j] + about * (1.0f / 12.0f));
        }
    }
    double total = 0.0, sums[9] = {0}, normals[3] = {0};
    for (int s = 0; s < BW_WIDTH; s++) {
        total += (double)weight[s];
        for (int q = 0; q < 9; q++)
            sums[q] += (double)moment[q][s];
        for (int k = 0; k < 3; k++)
            normals[k] += 0.5 * (double)normal[k][s];
    }
    bw_surface_sum_from(out, total, sums, normals);
}

static void leaf_statistics(const bw_wide *tree, const bw_mesh *mesh, const bw_moments *moments,
                            uint32_t leaf, bw_surface_sum *out)
{
    bw_wide_corners gathered;
    const bw_wide_corners *corners = &gathered;
    if (tree->corners != NULL)
        corners = &tree->corners[leaf];
    else
        bw_wide_leaf_gather(tree, mesh, leaf, &gathered);
    sum_leaf(corners, tree->leaves[leaf].count, moments->unit, out);
    for (int k = 0; k < 3; k++)
        out->mean[k] += ((double)corners->origin[k] - moments->origin[k]) / moments->unit;
}

static uint32_t level_of(double trace, double whole)
{
    uint32_t level = 0;
    for (; level < BW_MOMENT_LEVELS - 1 && 2.0 * trace <= whole; level++)
        trace *= 2.0;
    return level;
}

/* A disc has an area of 6.3 traces, a strip of one to four 2.8. */
static uint32_t sparseness(const bw_surface_sum *sum)
{
    double density = sum->weight / (bw_surface_trace(sum) + 1e-30);
    return density >= 5.0 ? 0u : density >= 2.5 ? 1u : density >= 1.2 ? 2u : 3u;
}

static void set_lane(bw_moment_node *node, bw_moment_normals *normals, uint32_t lane,
                     const bw_surface_sum *sum)
{
    double trace = bw_surface_trace(sum), floor = thickness * trace + 1e-12;
    for (int k = 0; k < 3; k++) {
        node->mean[k][lane] = (float)sum->mean[k];
        normals->normal[k][lane] = (float)(sum->normal[k] / sum->weight);
    }
    node->code[lane] = BW_MOMENT_SPARSE * sparseness(sum);
    for (int q = 0; q < 6; q++)
        node->spread[q][lane] = (float)(sum->scatter[q] / sum->weight + (q < 3 ? floor : 0.0));
}

/* Children stand after their parents: from the last node to the first, all that is below is known. */
static void fill(bw_moments *m, const bw_wide *tree, const bw_mesh *mesh, bw_surface_sum *sums)
{
    for (uint32_t n = tree->node_count; n-- > 0;) {
        const bw_wide_node *node = &tree->nodes[n];
        memset(&m->nodes[n], 0, sizeof m->nodes[n]);
        memset(&m->normals[n], 0, sizeof m->normals[n]);
        sums[n] = (bw_surface_sum){0};
        for (uint32_t lane = 0; lane < node->count; lane++) {
            bw_surface_sum of_leaf;
            const bw_surface_sum *child = &of_leaf;
            if ((node->child[lane] & BW_WIDE_LEAF) != 0)
                leaf_statistics(tree, mesh, m, node->child[lane] & ~BW_WIDE_LEAF, &of_leaf);
            else
                child = &sums[node->child[lane]];
            set_lane(&m->nodes[n], &m->normals[n], lane, child);
            bw_surface_sum_add(&sums[n], child);
        }
    }
    bw_moment_normals unused;
    set_lane(&m->whole, &unused, 0, &sums[0]);
    m->density = sums[0].weight / (bw_surface_trace(&sums[0]) + 1e-30);
}

static void set_levels(bw_moments *m, const bw_wide *tree, double whole)
{
    double large = 0.0, rods = 0.0;
    for (uint32_t n = 0; n < tree->node_count; n++)
        for (uint32_t lane = 0; lane < tree->nodes[n].count; lane++) {
            const bw_moment_node *node = &m->nodes[n];
            double trace =
                (double)node->spread[0][lane] + (double)node->spread[1][lane] + (double)node->spread[2][lane];
            uint32_t level = level_of(trace, whole);
            if (level >= 2 && level <= 4) {
                large += trace;
                rods += node->code[lane] >= 2 * BW_MOMENT_SPARSE ? trace : 0.0;
            }
            m->nodes[n].code[lane] += level;
        }
    m->rods = large > 0.0 ? rods / large : 0.0;
}

/* A power of two near the size of the box, so that dividing by it rounds nothing. */
static double unit_of(const bw_box *box)
{
    double size = 0.0;
    for (int k = 0; k < 3; k++)
        size = fmax(size, (double)box->max[k] - (double)box->min[k]);
    int exponent = 0;
    if (size > 0.0)
        (void)frexp(size, &exponent);
    return ldexp(1.0, exponent < -120 ? -120 : exponent);
}

bw_result bw_moments_make(const bw_wide *tree, const bw_mesh *mesh, const bw_allocator *allocator,
                          bw_moments *out)
{
    bw_moments m = {.count = tree->node_count, .unit = 1.0};
    if (m.count == 0) {
        *out = m;
        return BW_OK;
    }
    m.nodes = bw_allocate(allocator, m.count, sizeof *m.nodes);
    m.normals = bw_allocate(allocator, m.count, sizeof *m.normals);
    bw_surface_sum *sums = bw_allocate(allocator, m.count, sizeof *sums);
    bool fine = m.nodes != NULL && m.normals != NULL && sums != NULL;
    if (fine) {
        for (int k = 0; k < 3; k++)
            m.origin[k] = 0.5 * ((double)tree->bounds.min[k] + (double)tree->bounds.max[k]);
        m.unit = unit_of(&tree->bounds);
        fill(&m, tree, mesh, sums);
        set_levels(&m, tree, bw_surface_trace(&sums[0]));
        *out = m;
    } else {
        bw_moments_release(allocator, &m);
    }
    bw_release(allocator, sums, tree->node_count, sizeof *sums);
    return fine ? BW_OK : BW_ERROR_MEMORY;
}

void bw_moments_release(const bw_allocator *allocator, bw_moments *m)
{
    bw_release(allocator, m->nodes, m->count, sizeof *m->nodes);
    bw_release(allocator, m->normals, m->count, sizeof *m->normals);
    *m = (bw_moments){0};
}
