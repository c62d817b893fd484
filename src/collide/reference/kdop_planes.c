/* The planes of k-DOPs under a pose. */
#include "collide/reference/kdop_planes.h"

#include <math.h>

static void set_term(bw_kdop_plane *out, uint32_t k, int i, double alpha, const int e[3])
{
    out->alpha[i] = alpha;
    out->index[i] = bw_kdop_find(k, e[0], e[1], e[2]);
}

/* The triangles that the directions, all of length one, span around the sphere (their convex hull) meet at
 * each point of it: the one around w gives the combination of least sum_i alpha_i |e_i|, which is the support
 * of the polytope around the unit ball. By symmetry it is enough to know them for a >= b >= c >= 0, the sizes
 * of w's coordinates in descending order, along x, y, z say: 14: (a - b) x + (b + c)/2 (x + y + z) + (b -
 * c)/2 (x + y - z) 18: (a - b - c) x + b (x + y) + c (x + z), or, where a < b + c, (a + b - c)/2 (x + y) + (a
 * + c - b)/2 (x + z) + (b + c - a)/2 (y + z) 26: (a - b) x + (b - c) (x + y) + c (x + y + z) */
void bw_kdop_combine(uint32_t k, const double w[3], bw_kdop_plane *out)
{
    int order[3] = {0, 1, 2};
    double size[3] = {fabs(w[0]), fabs(w[1]), fabs(w[2])};
    for (int i = 0; i < 2; i++) {
        for (int j = i + 1; j < 3; j++) {
            if (size[order[j]] > size[order[i]]) {
                int swap = order[i];
                order[i] = order[j];
                order[j] = swap;
            }
        }
    }
    double a = size[order[0]], b = size[order[1]], c = size[order[2]];
    /* Which of x, y, z (in descending order) the direction has, and with what sign. */
    int unit[3] = {w[order[0]] < 0 ? -1 : 1, w[order[1]] < 0 ? -1 : 1, w[order[2]] < 0 ? -1 : 1};
    int pattern[3][3];
    double alpha[3];
    static const int axis[3] = {1, 0, 0}, xy[3] = {1, 1, 0}, xz[3] = {1, 0, 1}, yz[3] = {0, 1, 1},
                     corner[3] = {1, 1, 1}, other_corner[3] = {1, 1, -1};
    const int *chosen[3];
    if (k == 14) {
        chosen[0] = axis, chosen[1] = corner, chosen[2] = other_corner;
        alpha[0] = a - b, alpha[1] = 0.5 * (b + c), alpha[2] = 0.5 * (b - c);
    } else if (k == 26) {
        chosen[0] = axis, chosen[1] = xy, chosen[2] = corner;
        alpha[0] = a - b, alpha[1] = b - c, alpha[2] = c;
    } else if (a >= b + c) {
        chosen[0] = axis, chosen[1] = xy, chosen[2] = xz;
        alpha[0] = (a - b) - c, alpha[1] = b, alpha[2] = c;
    } else {
        chosen[0] = xy, chosen[1] = xz, chosen[2] = yz;
        alpha[0] = 0.5 * (a + (b - c)), alpha[1] = 0.5 * (a - (b - c)), alpha[2] = 0.5 * ((b + c) - a);
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            pattern[i][order[j]] = unit[j] * chosen[i][j];
        /* a >= b + c as computed may hold where (a - b) - c rounds below zero. */
        set_term(out, k, i, alpha[i] > 0.0 ? alpha[i] : 0.0, pattern[i]);
    }
}

/* The plane that proves nothing. */
static bw_kdop_plane no_plane(void)
{
    return (bw_kdop_plane){{0, 0, 0}, INFINITY, {0, 0, 0}};
}

static bool all_finite(const bw_kdop_plane *p)
{
    return isfinite(p->alpha[0] + p->alpha[1] + p->alpha[2]) && isfinite(p->offset);
}

static void reach_of(const bw_kdop_node *root, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = fmax(fabs((double)root->support[2 * k]), fabs((double)root->support[2 * k + 1]));
}

/* What the combination makes, and the largest that its terms can be for supports of a body of that reach. */
static double combination(uint32_t k, const bw_kdop_plane *p, const double reach[3], double out[3])
{
    const bw_kdop_direction *directions = bw_kdop_directions(k);
    double terms = 0.0;
    out[0] = out[1] = out[2] = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            int e = directions[p->index[i]].c[j];
            out[j] += e * p->alpha[i];
            terms += e != 0 ? p->alpha[i] * reach[j] : 0.0;
        }
    }
    return terms;
}

typedef struct reaches {
    double a[3], b[3];
    double mapped[3]; /* |M| reach_b + |t|, along each axis of a */
} reaches;

/* The planes of a direction (pair[0]) and its opposite (pair[1]): the combination is the mirror image, the
 * constant part of the offset changes its sign, the margin stays. */
static void set_pair(bw_kdop_plane pair[2], const bw_kdop_plane *combined, double constant, double margin)
{
    pair[0] = pair[1] = *combined;
    pair[0].offset = constant + margin;
    pair[1].offset = margin - constant;
    for (int i = 0; i < 3; i++)
        pair[1].index[i] ^= 1u;
    for (int side = 0; side < 2; side++)
        if (!all_finite(&pair[side]))
            pair[side] = no_plane();
}

/* Rounding. With u = 2^-53: no chain of operations here is longer than ten, and every intermediate is bounded
 * by the sum S of the sizes of all terms, so that 2^-45 S = 256 u S covers the roundings of w, of what the
 * combination makes, of the test's own sum and of the mapped vertices (4 u of their terms). Underflow is
 * covered by 2^-900.
 *
 * d is a direction of a: b must reach below -(d . a), so its support along w = -M^T d counts. */
static void planes_of_a(uint32_t k, const bw_kdop_direction *d, const bw_transform *map, const reaches *r,
                        bw_kdop_plane out[2])
{
    double w[3], made[3], constant = 0.0, terms = 0.0, residual = 0.0;
    for (int j = 0; j < 3; j++) {
        w[j] = -(d->c[0] * map->m[0][j] + d->c[1] * map->m[1][j] + d->c[2] * map->m[2][j]);
        constant -= d->c[j] * map->m[j][3];
        terms += d->c[j] != 0 ? r->a[j] + r->mapped[j] : 0.0;
    }
    bw_kdop_plane p;
    bw_kdop_combine(k, w, &p);
    terms += combination(k, &p, r->b, made);
    for (int j = 0; j < 3; j++)
        residual += fabs(w[j] - made[j]) * r->b[j];
    set_pair(out, &p, constant, residual + 0x1p-45 * terms + 0x1p-900);
}

/* d is a direction of b. With n = M^-T d its points x reach d . x + n . t along n, and a must reach below
 * that: its support along w = -n counts. What M^T n misses of d is charged to the reach of b. */
static void planes_of_b(uint32_t k, const bw_kdop_direction *d, const bw_transform *map,
                        const double inverse[3][3], const reaches *r, bw_kdop_plane out[2])
{
    double w[3], made[3], constant = 0.0, residual = 0.0;
    for (int j = 0; j < 3; j++)
        w[j] = -(d->c[0] * inverse[0][j] + d->c[1] * inverse[1][j] + d->c[2] * inverse[2][j]);
    bw_kdop_plane p;
    bw_kdop_combine(k, w, &p);
    double terms = combination(k, &p, r->a, made);
    for (int j = 0; j < 3; j++) {
        double back = 0.0, size = d->c[j] != 0;
        for (int i = 0; i < 3; i++) {
            back -= map->m[i][j] * made[i];
            size += fabs(map->m[i][j] * made[i]);
        }
        residual += fabs(d->c[j] - back) * r->b[j];
        constant -= made[j] * map->m[j][3];
        /* made is off by 2 u of all alpha together, along any axis. */
        terms += size * r->b[j] + (p.alpha[0] + p.alpha[1] + p.alpha[2]) * r->mapped[j];
    }
    set_pair(out, &p, constant, residual + 0x1p-45 * terms + 0x1p-900);
}

/* The inverse of the map's matrix as well as doubles give it: what it is off by is measured later. */
static void invert(const bw_transform *map, double out[3][3])
{
    double largest = 0.0, m[3][3], determinant = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            largest = fmax(largest, fabs(map->m[i][j]));
    int exponent = 0;
    frexp(largest, &exponent);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            m[i][j] = ldexp(map->m[i][j], -exponent);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            int p = (j + 1) % 3, q = (j + 2) % 3, s = (i + 1) % 3, t = (i + 2) % 3;
            out[i][j] = m[p][s] * m[q][t] - m[p][t] * m[q][s];
        }
    }
    for (int j = 0; j < 3; j++)
        determinant += m[j][0] * out[0][j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i][j] = ldexp(out[i][j] / determinant, -exponent);
}

void bw_kdop_planes_prepare(bw_kdop_planes *planes, uint32_t k, const bw_transform *map,
                            const bw_kdop_node *root_a, const bw_kdop_node *root_b, bw_box_test test)
{
    const bw_kdop_direction *directions = bw_kdop_directions(k);
    reaches r;
    reach_of(root_a, r.a);
    reach_of(root_b, r.b);
    for (int i = 0; i < 3; i++) {
        r.mapped[i] = fabs(map->m[i][3]);
        for (int j = 0; j < 3; j++)
            r.mapped[i] += fabs(map->m[i][j]) * r.b[j];
    }
    planes->k = k;
    planes->both = test == BW_BOX_TEST_SAT;
    for (uint32_t j = 0; j < k; j += 2)
        planes_of_a(k, &directions[j], map, &r, &planes->of_a[j]);
    if (!planes->both)
        return;
    double inverse[3][3];
    invert(map, inverse);
    for (uint32_t j = 0; j < k; j += 2)
        planes_of_b(k, &directions[j], map, inverse, &r, &planes->of_b[j]);
}
