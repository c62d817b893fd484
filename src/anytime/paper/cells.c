/* Definitions 1 and 2: how much surface lies in each cell of a bounding volume. */
#include "anytime/paper/paper.h"

#include <math.h>

typedef struct polygon {
    double p[12][3];
    int count;
} polygon;

double bw_paper_max_area(const double side[3])
{
    double longest = fmax(side[0], fmax(side[1], side[2]));
    double squares = side[0] * side[0] + side[1] * side[1] + side[2] * side[2];
    return longest * sqrt(squares - longest * longest);
}

/* The part of a convex polygon on one side of a plane across an axis. */
static void cut(const polygon *in, int axis, double at, double sign, polygon *out)
{
    out->count = 0;
    for (int i = 0; i < in->count; i++) {
        const double *p = in->p[i], *q = in->p[(i + 1) % in->count];
        double dp = sign * (p[axis] - at), dq = sign * (q[axis] - at);
        if (dp >= 0.0) {
            for (int k = 0; k < 3; k++)
                out->p[out->count][k] = p[k];
            out->count++;
        }
        if ((dp > 0.0 && dq < 0.0) || (dp < 0.0 && dq > 0.0)) {
            double t = dp / (dp - dq);
            for (int k = 0; k < 3; k++)
                out->p[out->count][k] = k == axis ? at : p[k] + t * (q[k] - p[k]);
            out->count++;
        }
    }
}

static double area_of(const polygon *g)
{
    double n[3] = {0.0, 0.0, 0.0};
    for (int i = 1; i + 1 < g->count; i++)
        for (int k = 0; k < 3; k++) {
            int x = (k + 1) % 3, y = (k + 2) % 3;
            n[k] += (g->p[i][x] - g->p[0][x]) * (g->p[i + 1][y] - g->p[0][y]) -
                    (g->p[i][y] - g->p[0][y]) * (g->p[i + 1][x] - g->p[0][x]);
        }
    return 0.5 * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

/* Slices along x, those along y, those along z: three levels deep. */
static void slice(const bw_box *box, const polygon *g, int axis, uint32_t cell, double area[BW_PAPER_CELLS])
{
    if (axis == 3) {
        area[cell] += area_of(g);
        return;
    }
    double low = (double)box->min[axis], step = ((double)box->max[axis] - low) / BW_PAPER_SIDE;
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < g->count; i++) {
        least = fmin(least, g->p[i][axis]);
        most = fmax(most, g->p[i][axis]);
    }
    uint32_t weight = axis == 0 ? 1u : axis == 1 ? 8u : 64u;
    for (int k = 0; k < BW_PAPER_SIDE; k++) {
        double from = low + k * step, to = k == BW_PAPER_SIDE - 1 ? (double)box->max[axis] : from + step;
        if (most < from || least > to || (least == to && least < most))
            continue;
        if (least == most && least == to && k < BW_PAPER_SIDE - 1)
            continue; /* a polygon in the wall between two cells: the upper one's */
        polygon part, kept;
        cut(g, axis, from, 1.0, &part);
        cut(&part, axis, to, -1.0, &kept);
        if (kept.count >= 3)
            slice(box, &kept, axis + 1, cell + weight * (uint32_t)k, area);
    }
}

void bw_paper_clip(const bw_box *box, const bw_vec3 corner[3], double area[BW_PAPER_CELLS])
{
    polygon g = {.count = 3};
    for (int i = 0; i < 3; i++) {
        g.p[i][0] = corner[i].x;
        g.p[i][1] = corner[i].y;
        g.p[i][2] = corner[i].z;
    }
    slice(box, &g, 0, 0, area);
}

void bw_paper_count(const double area[BW_PAPER_CELLS], double least, bw_paper_node *node)
{
    node->cells = 0;
    for (int r = 0; r < BW_PAPER_REGIONS; r++)
        node->region[r] = 0;
    for (uint32_t cell = 0; cell < BW_PAPER_CELLS; cell++) {
        bool possible = area[cell] > 0.0 && area[cell] >= least;
        uint32_t x = cell & 7u, y = cell >> 3 & 7u, z = cell >> 6;
        node->cells = (uint16_t)(node->cells + possible);
        node->region[(x >> 2) | (y >> 2) << 1 | (z >> 2) << 2] += possible;
    }
}
