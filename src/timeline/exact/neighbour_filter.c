/* Volumes and areas of moving vectors in Bernstein form, with a bound on everything that rounding may do to
 * them: coefficients of one sign beyond the bound have that sign throughout. Where signs are mixed the time
 * is halved, a few times.
 *
 * Bounds. Let U be the largest magnitude of a coordinate of a vector over its coefficients, and e = 2^-53.
 * Coefficients are multiplied by `scale`, so that they are sums of products without fractions. A volume's are
 * sums of terms of which the magnitudes sum up to at most scale * Q, Q = sum of D_k (U_i V_j + U_j V_i). On
 * straight lines a term passes through at most 11 roundings (3 differences, 2 in the cross product, 1 where
 * two are added, 3 in the dot product, 1 where two are added, 1 of the scale); on curves through at most 40
 * (each coefficient of a vector 8, and three of those; 2 and 3 as before; up to 12 terms added; the scale).
 * Halving once passes through one rounding a degree of values of at most scale * Q; up to HALVINGS times.
 * 40 + 9 * 8 = 112 of e; the bound is 256 e, which also covers its own rounding. What a curve's coordinates
 * may be off themselves, `off`, moves a volume by no more than Q of all magnitudes with it less Q without.
 * The same for areas, with q = U_i V_j + U_j V_i. Underflow: products of magnitudes below 2^-1000 count as
 * unknown. */
#include "timeline/exact/neighbour_filter.h"

#include "geom/vec.h"
#include "timeline/exact/decide.h"

#include <math.h>

enum { HALVINGS = 8, CURVE = 3, VOLUME = 3 * CURVE, AREA = 2 * CURVE };

/* What binomial coefficients of a degree have in common, over each. */
static const double whole_2[] = {2, 1, 2}, whole_3[] = {3, 1, 1, 3}, whole_6[] = {60, 10, 4, 3, 4, 10, 60},
                    whole_9[] = {252, 28, 7, 3, 2, 2, 3, 7, 28, 252};

/* A vector over time: times the binomial coefficients of its degree. */
typedef struct vector {
    double c[CURVE + 1][3];
    double most[3], off; /* the largest magnitudes; what is unsure of a coordinate beyond rounding */
} vector;

/* Six quadratics an axis for a vertex, two for an edge. */
typedef struct prover {
    int degree; /* of paths */
    int volumes, areas;
    double volume[4][VOLUME + 1], volume_error[4];
    double area[3][6][AREA + 1], area_error[3][6];
} prover;

/* Corner i of the pair, 0 to 5. */
static const bw_vec3 *end_of(const bw_moving_triangles *pair, int i, int end)
{
    return i < 3 ? &pair->a[end][i] : &pair->b[end][i - 3];
}

static const bw_vec3 *curve_of(const bw_moving_triangles *pair, int i)
{
    return i < 3 ? pair->curves_a[i] : pair->curves_b[i - 3];
}

static vector straight(const bw_moving_triangles *pair, int from, int to)
{
    vector v = {.off = 0};
    for (int end = 0; end < 2; end++) {
        bw_vec3 d = bw_vec3_sub(*end_of(pair, to, end), *end_of(pair, from, end));
        for (int k = 0; k < 3; k++)
            v.c[end][k] = bw_vec3_at(&d, k);
    }
    for (int k = 0; k < 3; k++)
        v.most[k] = fmax(fabs(v.c[0][k]), fabs(v.c[1][k]));
    return v;
}

static vector curved(const bw_moving_triangles *pair, int from, int to)
{
    vector v = {.off = 2 * pair->error};
    for (int k = 0; k < 3; k++) {
        double a[4];
        for (int i = 0; i < 4; i++) {
            a[i] = bw_vec3_at(&curve_of(pair, to)[i], k) - bw_vec3_at(&curve_of(pair, from)[i], k);
            v.most[k] += fabs(a[i]);
        }
        v.c[0][k] = a[0];
        v.c[1][k] = 3 * a[0] + a[1];
        v.c[2][k] = 3 * a[0] + 2 * a[1] + a[2];
        v.c[3][k] = a[0] + a[1] + a[2] + a[3];
    }
    return v;
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static double bound(double all, double less, double scale)
{
    return scale * (256 * 0x1p-53 * all + 1.0001 * (all - less)) + 0x1p-1000;
}

/* The areas of u x v along the three axes, without the scale. */
static void moving_cross(const vector *u, const vector *v, int degree, double out[AREA + 1][3])
{
    for (int i = 0; i <= 2 * degree; i++)
        out[i][0] = out[i][1] = out[i][2] = 0;
    for (int i = 0; i <= degree; i++)
        for (int j = 0; j <= degree; j++) {
            double x[3];
            cross(u->c[i], v->c[j], x);
            for (int k = 0; k < 3; k++)
                out[i + j][k] += x[k];
        }
}

static void put_volume(prover *p, int at, const vector *d, double across[AREA + 1][3], const vector *u,
                       const vector *v)
{
    const int degree = p->degree;
    const double *whole = degree == 1 ? whole_3 : whole_9;
    double sum[VOLUME + 1] = {0}, all = 0, less = 0;
    for (int i = 0; i <= degree; i++)
        for (int j = 0; j <= 2 * degree; j++)
            sum[i + j] += d->c[i][0] * across[j][0] + d->c[i][1] * across[j][1] + d->c[i][2] * across[j][2];
    for (int i = 0; i <= 3 * degree; i++)
        p->volume[at][i] = whole[i] * sum[i];
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        less += d->most[k] * (u->most[i] * v->most[j] + u->most[j] * v->most[i]);
        all += (d->most[k] + d->off) * ((u->most[i] + u->off) * (v->most[j] + v->off) +
                                        (u->most[j] + u->off) * (v->most[i] + v->off));
    }
    p->volume_error[at] = bound(all, less, whole[0]);
}

static void put_areas(prover *p, int at, double across[AREA + 1][3], const vector *u, const vector *v)
{
    const double *whole = p->degree == 1 ? whole_2 : whole_6;
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        for (int m = 0; m <= 2 * p->degree; m++)
            p->area[k][at][m] = whole[m] * across[m][k];
        double less = u->most[i] * v->most[j] + u->most[j] * v->most[i];
        double all =
            (u->most[i] + u->off) * (v->most[j] + v->off) + (u->most[j] + u->off) * (v->most[i] + v->off);
        p->area_error[k][at] = bound(all, less, whole[0]);
    }
}

static int sign_of(const double *c, int degree, double error)
{
    bool above = true, below = true;
    for (int i = 0; i <= degree; i++) {
        above &= c[i] > error;
        below &= c[i] < -error;
    }
    return above ? 1 : below ? -1 : BW_SIGN_OPEN;
}

static bool apart_throughout(const prover *p)
{
    int s[4];
    for (int i = 0; i < p->volumes; i++)
        s[i] = sign_of(p->volume[i], 3 * p->degree, p->volume_error[i]);
    if (p->volumes == 4 ? bw_decide_cones(s) == BW_VERDICT_APART : s[0] != BW_SIGN_OPEN)
        return true;
    for (int k = 0; k < 3; k++) {
        int sign[6];
        for (int i = 0; i < 2; i++)
            sign[i] = sign_of(p->area[k][i], 2 * p->degree, p->area_error[k][i]);
        if (sign[0] == BW_SIGN_OPEN || sign[1] == BW_SIGN_OPEN)
            continue;
        if (p->volumes == 1) {
            if (sign[0] != sign[1])
                return true;
            continue;
        }
        int between[2][2];
        for (int i = 0; i < 4; i++)
            between[i / 2][i % 2] = sign_of(p->area[k][2 + i], 2 * p->degree, p->area_error[k][2 + i]);
        if (bw_decide_flat_cones(sign[0], sign[1], between) == BW_VERDICT_APART)
            return true;
    }
    return false;
}

/* De Casteljau's algorithm: `c` becomes the second half. */
static void halve(double *c, int degree, double *first)
{
    for (int level = 0; level <= degree; level++) {
        first[level] = c[0];
        for (int i = 0; i < degree - level; i++)
            c[i] = 0.5 * (c[i] + c[i + 1]);
    }
}

static bool proven_apart(prover *p, int halvings)
{
    if (apart_throughout(p))
        return true;
    if (halvings == 0)
        return false;
    prover first;
    first.degree = p->degree;
    first.volumes = p->volumes;
    first.areas = p->areas;
    for (int i = 0; i < p->volumes; i++) {
        halve(p->volume[i], 3 * p->degree, first.volume[i]);
        first.volume_error[i] = p->volume_error[i];
    }
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < p->areas; i++) {
            halve(p->area[k][i], 2 * p->degree, first.area[k][i]);
            first.area_error[k][i] = p->area_error[k][i];
        }
    return proven_apart(&first, halvings - 1) && proven_apart(p, halvings - 1);
}

bool bw_neighbours_never_meet(const bw_moving_triangles *pair, bw_pair_kind kind, const uint8_t *corners)
{
    prover p;
    p.degree = pair->curves_a != NULL ? CURVE : 1;
    p.volumes = bw_pair_volumes_of[kind].volumes;
    p.areas = kind == BW_PAIR_VERTEX ? 6 : 2;
    vector v[4];
    for (int i = 1; i < bw_pair_volumes_of[kind].corners; i++)
        v[i - 1] = (p.degree == 1 ? straight : curved)(pair, corners[0], corners[i]);
    double across[2][AREA + 1][3];
    if (kind == BW_PAIR_EDGE) {
        for (int i = 0; i < 2; i++) {
            moving_cross(&v[0], &v[1 + i], p.degree, across[i]);
            put_areas(&p, i, across[i], &v[0], &v[1 + i]);
        }
        put_volume(&p, 0, &v[2], across[0], &v[0], &v[1]);
        return proven_apart(&p, HALVINGS);
    }
    for (int i = 0; i < 2; i++) {
        const vector *x = &v[2 * i], *y = &v[2 * i + 1];
        moving_cross(x, y, p.degree, across[i]);
        put_areas(&p, i, across[i], x, y);
        put_volume(&p, 2 * i, &v[2 - 2 * i], across[i], x, y);
        put_volume(&p, 2 * i + 1, &v[3 - 2 * i], across[i], x, y);
    }
    for (int i = 0; i < 4; i++) {
        moving_cross(&v[i / 2], &v[2 + i % 2], p.degree, across[0]);
        put_areas(&p, 2 + i, across[0], &v[i / 2], &v[2 + i % 2]);
    }
    return proven_apart(&p, HALVINGS);
}
