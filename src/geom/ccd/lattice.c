/* Moving points as integers on a lattice of their lowest bit, and the polynomials of them that decide. */
#include "geom/ccd/lattice.h"

#include <limits.h>

#if BW_NARROW_BITS > 0
/* ---- Narrow ---- */

static inline bw_narrow2 narrow_cross(const bw_narrow u[3], const bw_narrow v[3], int k)
{
    int i = (k + 1) % 3, j = (k + 2) % 3;
    return bw_narrow2_subtract(bw_narrow_product(u[i], v[j]), bw_narrow_product(u[j], v[i]));
}

static void narrow_moving_cross(bw_polynomial *out, const bw_lattice_path *u, const bw_lattice_path *v, int k)
{
    bw_narrow2 start = narrow_cross(u->n[0], v->n[0], k), end = narrow_cross(u->n[1], v->n[1], k);
    bw_narrow2 middle = bw_narrow2_add(narrow_cross(u->n[0], v->n[1], k), narrow_cross(u->n[1], v->n[0], k));
    start = bw_narrow2_add(start, start);
    end = bw_narrow2_add(end, end);
    bw_integer_from_parts(&out->c[0], start.part, 2);
    bw_integer_from_parts(&out->c[1], middle.part, 2);
    bw_integer_from_parts(&out->c[2], end.part, 2);
}

typedef struct narrow_vectors {
    bw_narrow d[3], u[3], v[3];
} narrow_vectors;

static bw_narrow3 determinant(const narrow_vectors *a)
{
    return bw_narrow3_add(bw_narrow3_add(bw_narrow2_times(narrow_cross(a->u, a->v, 0), a->d[0]),
                                         bw_narrow2_times(narrow_cross(a->u, a->v, 1), a->d[1])),
                          bw_narrow2_times(narrow_cross(a->u, a->v, 2), a->d[2]));
}

/* Vectors at the times 0, 1, -1 and, over the time, at infinity: f(t) = f(0) + a t + b t^2 + f(inf) t^3 with
 *   2 a = f(1) - f(-1) - 2 f(inf), 2 b = f(1) + f(-1) - 2 f(0),
 * and six times the coefficients of Bernstein form are 6 f(0), 6 f(0) + 2 a, 6 f(0) + 4 a + 2 b, 6 f(1). */
static void narrow_volume(bw_polynomial *out, const bw_lattice_path *d, const bw_lattice_path *u,
                          const bw_lattice_path *v)
{
    narrow_vectors at[4];
    for (int k = 0; k < 3; k++) {
        const bw_narrow c[3][2] = {
            {d->n[0][k], d->n[1][k]}, {u->n[0][k], u->n[1][k]}, {v->n[0][k], v->n[1][k]}};
        at[0].d[k] = c[0][0];
        at[0].u[k] = c[1][0];
        at[0].v[k] = c[2][0];
        at[1].d[k] = c[0][1];
        at[1].u[k] = c[1][1];
        at[1].v[k] = c[2][1];
        at[2].d[k] = 2 * c[0][0] - c[0][1];
        at[2].u[k] = 2 * c[1][0] - c[1][1];
        at[2].v[k] = 2 * c[2][0] - c[2][1];
        at[3].d[k] = c[0][1] - c[0][0];
        at[3].u[k] = c[1][1] - c[1][0];
        at[3].v[k] = c[2][1] - c[2][0];
    }
    bw_narrow3 f0 = determinant(&at[0]), f1 = determinant(&at[1]), before = determinant(&at[2]),
               top = determinant(&at[3]);
    bw_narrow3 f0_twice = bw_narrow3_add(f0, f0), f1_twice = bw_narrow3_add(f1, f1),
               top_twice = bw_narrow3_add(top, top);
    bw_narrow3 a_twice = bw_narrow3_add(f1, bw_narrow3_negative(bw_narrow3_add(before, top_twice)));
    bw_narrow3 b_twice = bw_narrow3_add(bw_narrow3_add(f1, before), bw_narrow3_negative(f0_twice));
    bw_narrow3 c[4];
    c[0] = bw_narrow3_add(bw_narrow3_add(f0_twice, f0_twice), f0_twice);
    c[1] = bw_narrow3_add(c[0], a_twice);
    c[2] = bw_narrow3_add(bw_narrow3_add(c[1], a_twice), b_twice);
    c[3] = bw_narrow3_add(bw_narrow3_add(f1_twice, f1_twice), f1_twice);
    for (int i = 0; i < 4; i++)
        bw_integer_from_parts(&out->c[i], c[i].part, 3);
}
#endif

/* ---- Of any width ---- */

/* Component k of u x v. */
static void wide_cross(bw_integer *out, const bw_integer u[3], const bw_integer v[3], int k)
{
    int i = (k + 1) % 3, j = (k + 2) % 3;
    bw_integer ab, cd;
    bw_integer_multiply(&ab, &u[i], &v[j]);
    bw_integer_multiply(&cd, &u[j], &v[i]);
    bw_integer_subtract(out, &ab, &cd);
}

static void times_three(bw_integer *a)
{
    bw_integer twice;
    bw_integer_shift(&twice, a, 1);
    bw_integer_add(a, a, &twice);
}

/* ---- Polynomials ---- */

void bw_lattice_coordinate(bw_polynomial *out, const bw_lattice_path *u, int k)
{
    out->degree = 1;
    for (int time = 0; time < 2; time++) {
#if BW_NARROW_BITS > 0
        if (u->narrow) {
            bw_narrow_part part = (bw_narrow_part)u->n[time][k];
            bw_integer_from_parts(&out->c[time], &part, 1);
            continue;
        }
#endif
        bw_integer_copy(&out->c[time], &u->w[time][k]);
    }
}

void bw_lattice_cross(bw_polynomial *out, const bw_lattice_path *u, const bw_lattice_path *v, int k)
{
    out->degree = 2;
#if BW_NARROW_BITS > 0
    if (u->narrow) {
        narrow_moving_cross(out, u, v, k);
        return;
    }
#endif
    bw_integer more;
    wide_cross(&out->c[0], u->w[0], v->w[0], k);
    bw_integer_shift(&out->c[0], &out->c[0], 1);
    wide_cross(&out->c[1], u->w[0], v->w[1], k);
    wide_cross(&more, u->w[1], v->w[0], k);
    bw_integer_add(&out->c[1], &out->c[1], &more);
    wide_cross(&out->c[2], u->w[1], v->w[1], k);
    bw_integer_shift(&out->c[2], &out->c[2], 1);
}

void bw_lattice_volume(bw_polynomial *out, const bw_lattice_path *d, const bw_lattice_path *u,
                       const bw_lattice_path *v)
{
    out->degree = 3;
#if BW_NARROW_BITS > 0
    if (d->narrow) {
        narrow_volume(out, d, u, v);
        return;
    }
#endif
    for (int i = 0; i < 4; i++)
        out->c[i].sign = out->c[i].count = 0;
    for (int k = 0; k < 3; k++) {
        bw_polynomial area;
        bw_integer term;
        bw_lattice_cross(&area, u, v, k);
        for (int i = 0; i < 3; i++) {
            /* In Bernstein form of degree 2 + 1: coefficient i of the one meets 0 and 1 of the other with
             * the weights 2 choose i over 3 choose (i + j). */
            for (int j = 0; j < 2; j++) {
                bw_integer_multiply(&term, &area.c[i], &d->w[j][k]);
                if (i == 1)
                    bw_integer_shift(&term, &term, 1);
                if (i + j == 0 || i + j == 3)
                    times_three(&term);
                bw_integer_add(&out->c[i + j], &out->c[i + j], &term);
            }
        }
    }
}

/* ---- From doubles to the lattice ---- */

/* A coordinate of one of the points at one of the ends of time. */
typedef struct lattice_number {
    int64_t mantissa;
    int exponent; /* above the lattice's; 0 for zero */
} lattice_number;

static void difference(bw_lattice_path *out, int time, int k, lattice_number a, lattice_number b)
{
    if (out->narrow) {
        out->n[time][k] = (bw_narrow)a.mantissa * ((bw_narrow)1 << a.exponent) -
                          (bw_narrow)b.mantissa * ((bw_narrow)1 << b.exponent);
        return;
    }
    bw_integer first, second;
    bw_integer_set(&first, a.mantissa, a.exponent);
    bw_integer_set(&second, b.mantissa, b.exponent);
    bw_integer_subtract(&out->w[time][k], &first, &second);
}

void bw_lattice_polygon_make(const bw_ccd_kind *kind, const bw_vec3 start[4], const bw_vec3 end[4],
                             bw_lattice_polygon *out)
{
    lattice_number number[2][4][3];
    int lowest = INT_MAX, highest = INT_MIN, n = kind->corners;
    for (int time = 0; time < 2; time++)
        for (int i = 0; i < 4; i++) {
            const bw_vec3 *p = &(time == 0 ? start : end)[i];
            const double x[3] = {p->x, p->y, p->z};
            for (int k = 0; k < 3; k++) {
                lattice_number *number_at = &number[time][i][k];
                number_at->mantissa = bw_odd_mantissa(x[k], &number_at->exponent);
                if (number_at->mantissa != 0) {
                    lowest = number_at->exponent < lowest ? number_at->exponent : lowest;
                    highest = number_at->exponent > highest ? number_at->exponent : highest;
                }
            }
        }
    for (int i = 0; i < 24; i++) {
        lattice_number *number_at = &number[0][0][0] + i;
        number_at->exponent = number_at->mantissa == 0 ? 0 : number_at->exponent - lowest;
    }
    /* A mantissa takes 53 bits at most. */
    bool narrow = BW_NARROW_BITS > 0 && (lowest == INT_MAX || highest - lowest + 53 <= BW_NARROW_BITS);
    out->corners = n;
    out->first.narrow = out->last.narrow = narrow;
    bw_ccd_corner first = kind->edge[0], last = kind->edge[n - 1];
    for (int time = 0; time < 2; time++)
        for (int k = 0; k < 3; k++) {
            for (int i = 0; i < n; i++) {
                bw_ccd_corner c = kind->corner[i];
                out->corner[i].narrow = narrow;
                difference(&out->corner[i], time, k, number[time][c.first][k], number[time][c.second][k]);
            }
            difference(&out->first, time, k, number[time][first.first][k], number[time][first.second][k]);
            /* Towards the last corner. */
            difference(&out->last, time, k, number[time][last.second][k], number[time][last.first][k]);
        }
}
