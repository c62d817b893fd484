/* How much of a triangle is in front of some planes.
 *
 * A point of the triangle has barycentric coordinates x >= 0, and a plane's function there is r.x with its
 * values r at the three corners. So the question is whether the inequalities r.x >= 0 of all planes and of
 * the three coordinates have a common solution that is not zero. If they do, there is one where two of them
 * hold with equality, x = r_i x r_j or its opposite, and all others are determinants of three rows. These
 * are tried: in floating point with bounds of the errors, and where that leaves any doubt in integers. Values
 * take up to 731 bits on their common lattice, so determinants 2196. */
#include "geom/exact/half_spaces.h"

#include "geom/exact/expansion.h"
#include "geom/polynomial/integer.h"
#include "geom/vec.h"

enum { ROWS = BW_REGION_PLANES_MAX + 3, UNSURE = 2 };

/* The planes that cut the triangle, and after them the three coordinates. */
typedef struct row_set {
    const bw_vec3 *t;
    const bw_plane *plane[BW_REGION_PLANES_MAX];
    double value[ROWS][3], error[ROWS][3];
    bw_integer *integer; /* three per row; NULL: floating point */
    int cutting;         /* planes */
} row_set;

/* ---- values at corners ---- */

static double plane_value(const bw_plane *plane, const bw_vec3 *p, double *error)
{
    const double x = (double)plane->n[0] * p->x, y = (double)plane->n[1] * p->y,
                 z = (double)plane->n[2] * p->z, d = (double)plane->d;
    /* Three products and three sums are rounded, each by at most 2^-53 of a sum of these. */
    *error = 5 * BW_ROUNDOFF * (((fabs(x) + fabs(y)) + fabs(z)) + fabs(d));
    return ((x + y) + z) + d;
}

/* The plane's function at a corner times 2^-exponent. */
static void exact_value(const bw_plane *plane, const bw_vec3 *p, int exponent, bw_integer *out)
{
    bw_integer product;
    for (int k = 0; k < 4; k++) {
        int at_n, at_p = 0;
        int64_t n = bw_odd_mantissa((double)(k < 3 ? plane->n[k] : plane->d), &at_n), x = 1;
        if (k < 3)
            x = bw_odd_mantissa(bw_vec3_at(p, k), &at_p);
        bw_integer a, b;
        bw_integer_set(&a, n, 0);
        bw_integer_set(&b, x, n != 0 && x != 0 ? at_n + at_p - exponent : 0);
        bw_integer_multiply(&product, &a, &b);
        if (k == 0)
            bw_integer_copy(out, &product);
        else
            bw_integer_add(out, out, &product);
    }
}

/* The smallest exponent of a term of the plane's function at a corner. */
static int least_exponent(const bw_plane *plane, const bw_vec3 *p, int least)
{
    int at_n, at_p = 0;
    for (int k = 0; k < 4; k++)
        if (bw_odd_mantissa((double)(k < 3 ? plane->n[k] : plane->d), &at_n) != 0 &&
            (k == 3 || bw_odd_mantissa(bw_vec3_at(p, k), &at_p) != 0)) {
            const int sum = k == 3 ? at_n : at_n + at_p;
            least = sum < least ? sum : least;
        }
    return least;
}

static int plane_sign(const bw_plane *plane, const bw_vec3 *p, double value, double error, bool *exact)
{
    if (fabs(value) > error)
        return value > 0 ? 1 : -1;
    if (error == 0) /* every term is zero: none underflows */
        return 0;
    bw_integer sum;
    *exact = true;
    exact_value(plane, p, least_exponent(plane, p, INT32_MAX), &sum);
    return sum.sign;
}

/* ---- determinants of three rows ---- */

static int float_sign(const row_set *s, int i, int j, int h)
{
    const double *a = s->value[i], *b = s->value[j], *c = s->value[h];
    double det = 0, size = 0, larger = 0;
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        det += a[k] * (b[l] * c[m] - b[m] * c[l]);
        size += fabs(a[k]) * (fabs(b[l] * c[m]) + fabs(b[m] * c[l]));
        larger +=
            (fabs(a[k]) + s->error[i][k]) * ((fabs(b[l]) + s->error[j][l]) * (fabs(c[m]) + s->error[h][m]) +
                                             (fabs(b[m]) + s->error[j][m]) * (fabs(c[l]) + s->error[h][l]));
    }
    const double bound = (larger - size) + 32 * BW_ROUNDOFF * larger;
    if (!(fabs(det) > bound && larger > 0x1p-900)) /* a NaN of infinities, too */
        return UNSURE;
    return det > 0 ? 1 : -1;
}

static int integer_sign(const row_set *s, int i, int j, int h)
{
    const bw_integer *a = &s->integer[3 * i], *b = &s->integer[3 * j], *c = &s->integer[3 * h];
    bw_integer left, right, det = {0};
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        bw_integer_multiply(&left, &b[l], &c[m]);
        bw_integer_multiply(&right, &b[m], &c[l]);
        bw_integer_subtract(&left, &left, &right);
        bw_integer_multiply(&right, &a[k], &left);
        bw_integer_add(&det, &det, &right);
    }
    return det.sign;
}

/* Whether the solution where rows i and j are zero, on the side `sign`, satisfies the others: 1, 0, UNSURE.
 */
static int solves(const row_set *s, int i, int j, int sign)
{
    bool unsure = false, positive = false;
    for (int h = 0; h < s->cutting + 3; h++) {
        if (h == i || h == j)
            continue;
        const int side = s->integer != NULL ? integer_sign(s, i, j, h) : float_sign(s, i, j, h);
        unsure |= side == UNSURE;
        if (side != UNSURE && side * sign < 0)
            return 0;
        positive |= side != UNSURE && side != 0 && h >= s->cutting; /* a coordinate: not all are zero */
    }
    return unsure ? UNSURE : positive;
}

/* Whether any of them does: 1, 0, UNSURE. */
static int solvable(const row_set *s)
{
    bool unsure = false;
    for (int i = 0; i < s->cutting; i++)
        for (int j = i + 1; j < s->cutting + 3; j++)
            for (int sign = -1; sign <= 1; sign += 2) {
                const int answer = solves(s, i, j, sign);
                if (answer == 1)
                    return 1;
                unsure |= answer == UNSURE;
            }
    return unsure ? UNSURE : 0;
}

static bool solvable_exactly(row_set *s)
{
    bw_integer integers[3 * ROWS];
    s->integer = integers;
    for (int i = 0; i < s->cutting; i++) {
        int least = INT32_MAX;
        for (int k = 0; k < 3; k++)
            least = least_exponent(s->plane[i], &s->t[k], least);
        for (int k = 0; k < 3; k++)
            exact_value(s->plane[i], &s->t[k], least, &integers[3 * i + k]);
    }
    for (int i = 0; i < 9; i++)
        bw_integer_set(&integers[3 * s->cutting + i], i % 4 == 0, 0);
    return solvable(s) == 1;
}

bw_overlap bw_triangle_half_spaces(const bw_vec3 t[3], const bw_plane *planes, uint32_t mask, bool *exact)
{
    row_set s;
    s.t = t;
    s.integer = NULL;
    s.cutting = 0;
    bool inside[3] = {true, true, true}; /* corners */
    for (uint32_t p = 0; mask != 0; p++, mask >>= 1) {
        if ((mask & 1) == 0)
            continue;
        int behind = 0;
        double *value = s.value[s.cutting], *error = s.error[s.cutting];
        for (int k = 0; k < 3; k++) {
            value[k] = plane_value(&planes[p], &t[k], &error[k]);
            if (plane_sign(&planes[p], &t[k], value[k], error[k], exact) < 0) {
                inside[k] = false;
                behind++;
            }
        }
        if (behind == 3)
            return BW_OVERLAP_NONE;
        if (behind > 0)
            s.plane[s.cutting++] = &planes[p];
    }
    if (s.cutting == 0)
        return BW_OVERLAP_ALL;
    if (inside[0] || inside[1] || inside[2])
        return BW_OVERLAP_PART;
    for (int i = 0; i < 9; i++) {
        s.value[s.cutting + i / 3][i % 3] = i % 4 == 0;
        s.error[s.cutting + i / 3][i % 3] = 0;
    }
    int answer = solvable(&s);
    if (answer == UNSURE) {
        *exact = true;
        answer = solvable_exactly(&s);
    }
    return answer == 1 ? BW_OVERLAP_PART : BW_OVERLAP_NONE;
}
