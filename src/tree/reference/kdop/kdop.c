/* Directions, supports and refit of k-DOP trees (see tree/reference/kdop/kdop.h). */
#include "tree/reference/kdop/kdop.h"

#include "mesh/view.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Axes, corners, edges: all 26, and the first are the sets for k = 6 and k = 14. */
static const bw_kdop_direction all[26] = {
    {{1, 0, 0}},    {{-1, 0, 0}},  {{0, 1, 0}},   {{0, -1, 0}}, {{0, 0, 1}},   {{0, 0, -1}},  {{1, 1, 1}},
    {{-1, -1, -1}}, {{1, 1, -1}},  {{-1, -1, 1}}, {{1, -1, 1}}, {{-1, 1, -1}}, {{1, -1, -1}}, {{-1, 1, 1}},
    {{1, 1, 0}},    {{-1, -1, 0}}, {{1, -1, 0}},  {{-1, 1, 0}}, {{1, 0, 1}},   {{-1, 0, -1}}, {{1, 0, -1}},
    {{-1, 0, 1}},   {{0, 1, 1}},   {{0, -1, -1}}, {{0, 1, -1}}, {{0, -1, 1}}};

static const bw_kdop_direction axes_and_edges[18] = {
    {{1, 0, 0}},  {{-1, 0, 0}},  {{0, 1, 0}},  {{0, -1, 0}},  {{0, 0, 1}},  {{0, 0, -1}},
    {{1, 1, 0}},  {{-1, -1, 0}}, {{1, -1, 0}}, {{-1, 1, 0}},  {{1, 0, 1}},  {{-1, 0, -1}},
    {{1, 0, -1}}, {{-1, 0, 1}},  {{0, 1, 1}},  {{0, -1, -1}}, {{0, 1, -1}}, {{0, -1, 1}}};

/* By 9 (x + 1) + 3 (y + 1) + z + 1: the place in `all`; 26 for the zero vector. */
static const uint8_t place[27] = {7, 15, 9, 19, 1,  21, 11, 17, 13, 23, 3, 25, 5, 26,
                                  4, 24, 2, 22, 12, 16, 10, 20, 0,  18, 8, 14, 6};

const bw_kdop_direction *bw_kdop_directions(uint32_t k)
{
    assert(k == 6 || k == 14 || k == 18 || k == 26);
    return k == 18 ? axes_and_edges : all;
}

uint32_t bw_kdop_find(uint32_t k, int x, int y, int z)
{
    uint32_t i = place[9 * (x + 1) + 3 * (y + 1) + z + 1];
    if (k == 18 && i >= 6)
        return i < 14 ? k : i < 26 ? i - 8 : k;
    return i < k ? i : k;
}

/* p along the directions of the set, as sums of at most three terms. */
static inline void project(uint32_t k, const bw_vec3 *p, double out[BW_KDOP_MAX / 2])
{
    double xy = p->x + p->y, x_y = p->x - p->y;
    out[0] = p->x;
    out[1] = p->y;
    out[2] = p->z;
    if (k == 14 || k == 26) {
        out[3] = xy + p->z;
        out[4] = xy - p->z;
        out[5] = x_y + p->z;
        out[6] = x_y - p->z;
    }
    if (k >= 18) {
        double *edge = out + (k == 18 ? 3 : 7);
        edge[0] = xy;
        edge[1] = x_y;
        edge[2] = p->x + p->z;
        edge[3] = p->x - p->z;
        edge[4] = p->y + p->z;
        edge[5] = p->y - p->z;
    }
}

/* bw_float_up for finite x well inside a float's range, without a branch. */
static inline float round_up(double x)
{
    float f = (float)x;
    int32_t bits, below = (double)f < x;
    memcpy(&bits, &f, sizeof bits);
    bits += bits < 0 ? -below : below; /* the bits of negative floats descend with their values */
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* A sum of three terms has been rounded twice, each time by at most 2^-53 of the sizes together; the slack is
 * twice that. */
static inline __attribute__((always_inline)) void supports(uint32_t k, const bw_mesh *mesh,
                                                           uint32_t primitive, float *support)
{
    bw_vec3 corners[3];
    double at[3][BW_KDOP_MAX / 2], slack = 0.0;
    bw_mesh_view_corners(mesh, primitive, corners);
    for (int c = 0; c < 3; c++) {
        const bw_vec3 *p = &corners[c];
        project(k, p, at[c]);
        double s = 0x1p-51 * (fabs(p->x) + fabs(p->y) + fabs(p->z));
        slack = s > slack ? s : slack;
    }
    for (uint32_t i = 0; i < k / 2; i++) {
        double low = at[0][i] < at[1][i] ? at[0][i] : at[1][i];
        double high = at[0][i] > at[1][i] ? at[0][i] : at[1][i];
        low = at[2][i] < low ? at[2][i] : low;
        high = at[2][i] > high ? at[2][i] : high;
        double more = i < 3 ? 0.0 : slack; /* along the axes nothing was added, nothing rounded */
        support[2 * i] = round_up(high + more);
        support[2 * i + 1] = round_up(more - low);
    }
}

void bw_kdop_of_primitive(uint32_t k, const bw_mesh *mesh, uint32_t primitive, float *support)
{
    supports(k, mesh, primitive, support);
}

/* k is a constant where this is called. Returns how many nodes changed. */
static inline __attribute__((always_inline)) uint32_t refit(bw_kdop *tree, const bw_mesh *mesh,
                                                            const uint32_t k)
{
    uint32_t changed = 0;
    float support[BW_KDOP_MAX];
    for (uint32_t i = tree->count; i-- > 0;) {
        bw_kdop_node *node = bw_kdop_at(tree, i);
        if (node->leaf) {
            supports(k, mesh, node->link, support);
        } else {
            const float *left = bw_kdop_at(tree, node->link)->support;
            const float *right = bw_kdop_at(tree, node->link + 1)->support;
            for (uint32_t j = 0; j < k; j++)
                support[j] = left[j] > right[j] ? left[j] : right[j];
        }
        bool differs = false;
        for (uint32_t j = 0; j < k; j++) {
            differs |= node->support[j] != support[j];
            node->support[j] = support[j];
        }
        changed += differs;
    }
    return changed;
}

void bw_kdop_refit(bw_kdop *tree, const bw_mesh *mesh, bw_update_report *report)
{
    report->boxes += tree->count;
    report->changed += tree->k == 6    ? refit(tree, mesh, 6)
                       : tree->k == 14 ? refit(tree, mesh, 14)
                       : tree->k == 18 ? refit(tree, mesh, 18)
                                       : refit(tree, mesh, 26);
}
