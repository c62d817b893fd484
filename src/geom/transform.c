/* Affine maps. The inverse is computed from minors and a determinant that are exact for the equilibrated
 * matrix, so it is accurate in every entry, however ill-conditioned the map is. */
#include "geom/exact/predicates.h"
#include "geom/sine.h"
#include "geom/vec.h"

bw_transform bw_transform_identity(void)
{
    return (bw_transform){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
}

bw_transform bw_transform_multiply(const bw_transform *a, const bw_transform *b)
{
    bw_transform out;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            double sum = (a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j]) + a->m[i][2] * b->m[2][j];
            out.m[i][j] = j == 3 ? sum + a->m[i][3] : sum;
        }
    return out;
}

bw_vec3 bw_transform_point(const bw_transform *t, bw_vec3 p)
{
    const double(*m)[4] = t->m;
    return (bw_vec3){((m[0][0] * p.x + m[0][1] * p.y) + m[0][2] * p.z) + m[0][3],
                     ((m[1][0] * p.x + m[1][1] * p.y) + m[1][2] * p.z) + m[1][3],
                     ((m[2][0] * p.x + m[2][1] * p.y) + m[2][2] * p.z) + m[2][3]};
}

/* The exponent e with 2^(e-1) <= x < 2^e; 0 for 0. */
static int exponent_of(double x)
{
    int e = 0;
    frexp(x, &e);
    return e;
}

/* Scales rows, then columns, by powers of two so that the largest entry of each is in [1/2, 1): linear entry
 * [i][j] of t is out[i].hi[j] * 2^(rows[i] + columns[j]). False if a row or column is zero. */
static bool equilibrate(const bw_transform *t, bw_difference out[3], int rows[3], int columns[3])
{
    double scaled[3][3];
    for (int i = 0; i < 3; i++) {
        double largest = fmax(fabs(t->m[i][0]), fmax(fabs(t->m[i][1]), fabs(t->m[i][2])));
        if (largest == 0)
            return false;
        rows[i] = exponent_of(largest);
        for (int j = 0; j < 3; j++)
            scaled[i][j] = ldexp(t->m[i][j], -rows[i]);
    }
    for (int j = 0; j < 3; j++) {
        double largest = fmax(fabs(scaled[0][j]), fmax(fabs(scaled[1][j]), fabs(scaled[2][j])));
        if (largest == 0)
            return false;
        columns[j] = exponent_of(largest);
        for (int i = 0; i < 3; i++) {
            out[i].hi[j] = ldexp(scaled[i][j], -columns[j]);
            out[i].lo[j] = 0;
        }
    }
    return true;
}

bw_result bw_transform_invert(const bw_transform *t, bw_transform *out)
{
    if (t == NULL || out == NULL)
        return BW_ERROR_ARGUMENT;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            if (!isfinite(t->m[i][j]))
                return BW_ERROR_NOT_FINITE;
    bw_difference row[3];
    int rows[3], columns[3];
    if (!equilibrate(t, row, rows, columns))
        return BW_ERROR_SINGULAR;
    double det = bw_det3(&row[0], &row[1], &row[2], BW_ACCURATE);
    if (det == 0)
        return BW_ERROR_SINGULAR;
    bw_transform inverse;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            /* Entry (i, j) of the inverse: component i of the cross product of the two rows after row j. */
            double cofactor = bw_det2(&row[(j + 1) % 3], &row[(j + 2) % 3], i, BW_ACCURATE);
            inverse.m[i][j] = ldexp(cofactor / det, -columns[i] - rows[j]);
        }
        const double *m = inverse.m[i];
        inverse.m[i][3] = -((m[0] * t->m[0][3] + m[1] * t->m[1][3]) + m[2] * t->m[2][3]);
        for (int j = 0; j < 4; j++)
            if (!isfinite(inverse.m[i][j]))
                return BW_ERROR_SINGULAR; /* no double holds it */
    }
    *out = inverse;
    return BW_OK;
}

/* How far columns are from those of a rotation: the largest error of their products; infinite of a mirror image. */
static double skew_of(const bw_vec3 c[3])
{
    double worst = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++)
            worst = fmax(worst, fabs(bw_vec3_dot(c[i], c[j]) - (i == j ? 1 : 0)));
    return bw_vec3_dot(bw_vec3_cross(c[0], c[1]), c[2]) > 0 ? worst : (double)INFINITY;
}

/* N. J. Higham, "Computing the Polar Decomposition, with Applications", SIAM Journal on Scientific and Statistical Computing 7
 * (1986): the mean of a matrix and its inverse transposed, whose error is about half the square of that before. */
bw_result bw_transform_rigid(const bw_transform *t, bw_transform *out)
{
    if (t == NULL || out == NULL)
        return BW_ERROR_ARGUMENT;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            if (!isfinite(t->m[i][j]))
                return BW_ERROR_NOT_FINITE;
    bw_vec3 c[3];
    for (int j = 0; j < 3; j++)
        c[j] = (bw_vec3){t->m[0][j], t->m[1][j], t->m[2][j]};
    if (!(skew_of(c) <= 0.02)) /* lengths of 1 to 0.01 */
        return BW_ERROR_ARGUMENT;
    for (int step = 0; step < 4; step++) {
        const bw_vec3 n[3] = {bw_vec3_cross(c[1], c[2]), bw_vec3_cross(c[2], c[0]),
                              bw_vec3_cross(c[0], c[1])};
        const double det = bw_vec3_dot(n[0], c[0]);
        for (int j = 0; j < 3; j++)
            c[j] = bw_vec3_scale(bw_vec3_add(c[j], bw_vec3_scale(n[j], 1 / det)), 0.5);
    }
    bw_transform rigid;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            rigid.m[i][j] = bw_vec3_at(&c[j], i);
        rigid.m[i][3] = t->m[i][3];
    }
    *out = rigid;
    return BW_OK;
}

bw_transform bw_transform_compose(bw_vec3 translation, bw_vec3 axis, double angle, bw_vec3 scale)
{
    /* Rodrigues: R = c I + s [k] + (1 - c) k k^T, with 1 - c as 2 sin^2(angle/2) to keep small angles
     * accurate. */
    double largest = fmax(fabs(axis.x), fmax(fabs(axis.y), fabs(axis.z)));
    bw_vec3 k = {0, 0, 0};
    double s = bw_sine(angle), half = bw_sine(0.5 * angle), v = 2 * half * half;
    if (largest > 0) {
        k = (bw_vec3){axis.x / largest, axis.y / largest, axis.z / largest};
        k = bw_vec3_scale(k, 1 / sqrt(bw_vec3_dot(k, k)));
    } else {
        v = 0; /* no axis, no rotation */
    }
    double c = 1 - v;
    return (bw_transform){{{(c + v * k.x * k.x) * scale.x, (v * k.x * k.y - s * k.z) * scale.y,
                            (v * k.x * k.z + s * k.y) * scale.z, translation.x},
                           {(v * k.x * k.y + s * k.z) * scale.x, (c + v * k.y * k.y) * scale.y,
                            (v * k.y * k.z - s * k.x) * scale.z, translation.y},
                           {(v * k.x * k.z - s * k.y) * scale.x, (v * k.y * k.z + s * k.x) * scale.y,
                            (c + v * k.z * k.z) * scale.z, translation.z}}};
}
