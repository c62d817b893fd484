/* The separating axis test of two oriented boxes. */
#include "collide/reference/obb_sat.h"

#include <math.h>

/* How far C / scale may be from orthogonal: A, M / scale and B each have products of columns (or rows) off by
 * BW_OBB_SKEW = 2^-22 at most, which adds up to less than 9 * 2^-22 (1 + 2^-20) in each entry of C^T C /
 * scale^2; a cross product of two columns then differs from the third by less than four times that. */
#define SKEW 0x1p-18

/* margin: with u = 2^-53, the components of d, half_b[j] C_j and the mapped vertices along an axis of a are
 * each off by less than 16 u K, where K = sum_k (reach_a[k] + |t[k]| + sum_l |m[k][l]| reach_b[l]) bounds
 * every term that goes into them; the sums of the test add less than 16 u K. 2^-45 K = 256 u K covers all. */
void bw_obb_sat_prepare(bw_obb_sat *sat, const bw_transform *map, const bw_obb *a, const bw_obb *b,
                        bw_box_test test)
{
    double bound = 0.0, largest = 0.0, square[3][3];
    for (int k = 0; k < 3; k++) {
        sat->t[k] = map->m[k][3];
        bound += a->reach[k] + fabs(sat->t[k]);
        for (int l = 0; l < 3; l++) {
            sat->m[k][l] = map->m[k][l];
            bound += fabs(sat->m[k][l]) * b->reach[l];
            largest = fmax(largest, fabs(sat->m[k][l]));
        }
    }
    sat->margin = 0x1p-45 * bound + 0x1p-900;
    sat->edges = test == BW_BOX_TEST_SAT;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            square[i][j] =
                sat->m[0][i] * sat->m[0][j] + sat->m[1][i] * sat->m[1][j] + sat->m[2][i] * sat->m[2][j];
    double mean = (square[0][0] + square[1][1] + square[2][2]) / 3;
    /* Squares within the range of doubles, with room for further products. */
    sat->similar = mean > 0x1p-400 && mean < 0x1p400;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (!(fabs(square[i][j] - (i == j ? mean : 0.0)) <= 0.5 * BW_OBB_SKEW * mean))
                sat->similar = false;
    sat->scale = sqrt(mean);
    int exponent = 0;
    frexp(largest, &exponent);
    sat->unit = ldexp(1.0, -exponent);
}

typedef struct relative {
    double c[3][3], abs_c[3][3], d[3];
    double half_a[3], half_b[3];
    double margin; /* for |v_1| + |v_2| + |v_3| = 1, with the skew of a */
} relative;

static double magnitude(double x)
{
    return x < 0 ? -x : x;
}

/* The axes of a, row by row of C; what the other axes need stays in *r. */
static inline int faces_of_a(const bw_obb_sat *sat, const bw_obb_node *a, const bw_obb_node *b, relative *r)
{
    double g[3][3], centre[3];
    for (int k = 0; k < 3; k++) {
        const double *m = sat->m[k];
        for (int j = 0; j < 3; j++)
            g[k][j] =
                m[0] * (double)b->axis[j][0] + m[1] * (double)b->axis[j][1] + m[2] * (double)b->axis[j][2];
        centre[k] =
            (m[0] * (double)b->centre[0] + m[1] * (double)b->centre[1] + m[2] * (double)b->centre[2]) +
            (sat->t[k] - (double)a->centre[k]);
        r->half_a[k] = (double)a->half[k];
        r->half_b[k] = (double)b->half[k];
    }
    r->margin = sat->margin + BW_OBB_SKEW * (r->half_a[0] + r->half_a[1] + r->half_a[2]);
    for (int i = 0; i < 3; i++) {
        double x = (double)a->axis[i][0], y = (double)a->axis[i][1], z = (double)a->axis[i][2], reach = 0.0;
        for (int j = 0; j < 3; j++) {
            r->c[i][j] = x * g[0][j] + y * g[1][j] + z * g[2][j];
            r->abs_c[i][j] = magnitude(r->c[i][j]);
            reach += r->abs_c[i][j] * r->half_b[j];
        }
        r->d[i] = x * centre[0] + y * centre[1] + z * centre[2];
        if (magnitude(r->d[i]) > reach + r->half_a[i] + r->margin)
            return i;
    }
    return -1;
}

/* v = C_j for the faces of b, v = e_i x C_j for edges, both of |v_1| + |v_2| + |v_3| below 2 scale. By
 * orthogonality v . C_m is scale^2 or nothing for the former, and the size of scale C_in for the latter. */
static inline int other_axes_similar(const bw_obb_sat *sat, const relative *r)
{
    double s = sat->scale;
    double sum_b = r->half_b[0] + r->half_b[1] + r->half_b[2];
    double margin = 2 * s * r->margin + 4 * SKEW * s * s * sum_b;
    for (int j = 0; j < 3; j++) {
        double distance = r->d[0] * r->c[0][j] + r->d[1] * r->c[1][j] + r->d[2] * r->c[2][j];
        double reach = r->half_a[0] * r->abs_c[0][j] + r->half_a[1] * r->abs_c[1][j] +
                       r->half_a[2] * r->abs_c[2][j] + s * s * r->half_b[j];
        if (magnitude(distance) > reach + margin)
            return 3 + j;
    }
    if (!sat->edges)
        return -1;
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3, l = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            int m = (j + 1) % 3, n = (j + 2) % 3;
            double distance = r->d[l] * r->c[k][j] - r->d[k] * r->c[l][j];
            double reach = r->half_a[k] * r->abs_c[l][j] + r->half_a[l] * r->abs_c[k][j] +
                           s * (r->half_b[m] * r->abs_c[i][n] + r->half_b[n] * r->abs_c[i][m]);
            if (magnitude(distance) > reach + margin)
                return 6 + 3 * i + j;
        }
    }
    return -1;
}

static bool separates(const relative *r, const double v[3])
{
    double size = 0.0, distance = 0.0, reach = 0.0;
    for (int i = 0; i < 3; i++) {
        double of_b = v[0] * r->c[0][i] + v[1] * r->c[1][i] + v[2] * r->c[2][i];
        size += magnitude(v[i]);
        distance += v[i] * r->d[i];
        reach += magnitude(v[i]) * r->half_a[i] + magnitude(of_b) * r->half_b[i];
    }
    return magnitude(distance) > reach + size * r->margin + 0x1p-900;
}

static int other_axes(const bw_obb_sat *sat, const relative *r)
{
    double w[3][3]; /* the columns of C, of size one */
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++)
            w[j][k] = r->c[k][j] * sat->unit;
    for (int j = 0; j < 3; j++) {
        const double *p = w[(j + 1) % 3], *q = w[(j + 2) % 3];
        double v[3] = {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
        if (separates(r, v))
            return 3 + j;
    }
    for (int i = 0; i < 3 && sat->edges; i++) {
        for (int j = 0; j < 3; j++) {
            double v[3] = {0, 0, 0};
            v[(i + 1) % 3] = -w[j][(i + 2) % 3];
            v[(i + 2) % 3] = w[j][(i + 1) % 3];
            if (separates(r, v))
                return 6 + 3 * i + j;
        }
    }
    return -1;
}

int bw_obb_separates(const bw_obb_sat *sat, const bw_obb_node *a, const bw_obb_node *b)
{
    relative r;
    int axis = faces_of_a(sat, a, b, &r);
    if (axis >= 0)
        return axis;
    return sat->similar ? other_axes_similar(sat, &r) : other_axes(sat, &r);
}
