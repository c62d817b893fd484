/* Sums over surfaces: weight, mean, scatter and normals of triangles, and of two sums together. */
#include "anytime/moments/sums.h"

#include <math.h>

static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};

void bw_surface_sum_from(bw_surface_sum *out, double weight, const double sums[9], const double normal[3])
{
    out->weight = weight;
    for (int k = 0; k < 3; k++) {
        out->mean[k] = sums[k] / weight;
        out->normal[k] = normal[k];
    }
    for (int q = 0; q < 6; q++) {
        double s = sums[3 + q] - sums[row[q]] * out->mean[column[q]];
        out->scatter[q] = q < 3 && s < 0.0 ? 0.0 : s;
    }
}

/* Scatters add, and so does that of the two means. */
void bw_surface_sum_add(bw_surface_sum *sum, const bw_surface_sum *other)
{
    if (sum->weight == 0.0) {
        *sum = *other;
        return;
    }
    double total = sum->weight + other->weight, share = other->weight / total, d[3];
    for (int k = 0; k < 3; k++)
        d[k] = other->mean[k] - sum->mean[k];
    for (int q = 0; q < 6; q++)
        sum->scatter[q] += other->scatter[q] + sum->weight * share * d[row[q]] * d[column[q]];
    for (int k = 0; k < 3; k++) {
        sum->mean[k] += share * d[k];
        sum->normal[k] += other->normal[k];
    }
    sum->weight = total;
}

void bw_surface_sum_triangle(bw_surface_sum *out, const bw_vec3 corner[3])
{
    double p[3][3], d1[3], d2[3], long2 = 0.0;
    for (int v = 0; v < 3; v++) {
        p[v][0] = corner[v].x;
        p[v][1] = corner[v].y;
        p[v][2] = corner[v].z;
    }
    for (int k = 0; k < 3; k++) {
        d1[k] = p[1][k] - p[0][k];
        d2[k] = p[2][k] - p[0][k];
        out->mean[k] = (p[0][k] + p[1][k] + p[2][k]) / 3.0;
        long2 += d1[k] * d1[k] + d2[k] * d2[k];
    }
    double area2 = 0.0;
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        out->normal[k] = 0.5 * (d1[i] * d2[j] - d1[j] * d2[i]);
        area2 += out->normal[k] * out->normal[k];
    }
    out->weight = sqrt(area2) + 1e-6 * long2 + 1e-18;
    for (int q = 0; q < 6; q++) {
        double about = 0.0;
        for (int v = 0; v < 3; v++)
            about += (p[v][row[q]] - out->mean[row[q]]) * (p[v][column[q]] - out->mean[column[q]]);
        out->scatter[q] = out->weight * about / 12.0;
    }
}

double bw_surface_trace(const bw_surface_sum *sum)
{
    return (sum->scatter[0] + sum->scatter[1] + sum->scatter[2]) / sum->weight;
}
