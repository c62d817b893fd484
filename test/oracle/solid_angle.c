/* The solid angle of a triangle, by the formula as it is printed. */
#include "oracle/solid_angle.h"

#include <math.h>

long double bw_oracle_solid_angle(const bw_vec3 c[3], const bw_vec3 *p)
{
    long double v[3][3], det = 0, below = 1;
    for (int i = 0; i < 3; i++) {
        v[i][0] = (long double)c[i].x - p->x;
        v[i][1] = (long double)c[i].y - p->y;
        v[i][2] = (long double)c[i].z - p->z;
        const long double length = sqrtl(v[i][0] * v[i][0] + v[i][1] * v[i][1] + v[i][2] * v[i][2]);
        for (int k = 0; k < 3; k++)
            v[i][k] /= length;
    }
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        det += v[0][k] * (v[1][l] * v[2][m] - v[1][m] * v[2][l]);
        below += v[0][k] * v[1][k] + v[1][k] * v[2][k] + v[2][k] * v[0][k];
    }
    return 2 * atan2l(det, below);
}
