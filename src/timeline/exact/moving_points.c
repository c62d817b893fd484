/* Positions as multiples of one power of two.
 *
 * On straight lines: within the exact range, 653 bits. On curves: numbers of a plan that are more than
 * 2^-CURVE_BITS below the largest are cut off there, as are times more than 2^-TIME_BITS below the largest:
 * c[3] u^3 then takes no more than CURVE_BITS + 3 (TIME_BITS + 1) bits and a few, 1,110 in all. */
#include "timeline/exact/moving_points.h"

#include "geom/vec.h"

#include <limits.h>

enum { CURVE_BITS = 480, TIME_BITS = 200 };

/* What to multiply coefficients by instead of dividing them by the binomial coefficients of the degree. */
static int whole(int degree, int k)
{
    static const int two[] = {2, 1, 2}, three[] = {3, 1, 1, 3}, six[] = {60, 10, 4, 3, 4, 10, 60},
                     nine[] = {252, 28, 7, 3, 2, 2, 3, 7, 28, 252};
    return degree == 2 ? two[k] : degree == 3 ? three[k] : degree == 6 ? six[k] : nine[k];
}

static void scale(bw_integer *a, int by)
{
    bw_integer factor, product;
    bw_integer_set(&factor, by, 0);
    bw_integer_multiply(&product, a, &factor);
    bw_integer_copy(a, &product);
}

/* ---- numbers ---- */

typedef struct number {
    int64_t mantissa;
    int exponent;
} number;

static number number_of(double x)
{
    number out = {0, 0};
    if (fabs(x) >= 0x1p-1000)
        out.mantissa = bw_odd_mantissa(x, &out.exponent);
    return out;
}

typedef struct range {
    int lowest, highest;
} range;

static void widen(range *r, number x, int shift)
{
    if (x.mantissa == 0)
        return;
    int top = x.exponent + shift + 53;
    r->lowest = x.exponent + shift < r->lowest ? x.exponent + shift : r->lowest;
    r->highest = top > r->highest ? top : r->highest;
}

/* The exponent of the lattice: the lowest, unless that is too far below the highest. */
static int lattice(range r, int bits)
{
    return r.lowest == INT_MAX ? 0 : r.highest - r.lowest > bits ? r.highest - bits : r.lowest;
}

/* x 2^shift on the lattice; what is below it is cut off. */
static void place(bw_integer *out, number x, int shift, int lowest)
{
    int above = x.exponent + shift - lowest;
    for (; above < 0 && x.mantissa != 0; above++)
        x.mantissa /= 2;
    bw_integer_set(out, x.mantissa, above < 0 ? 0 : above);
}

/* c[0] + c[1] u + c[2] u^2 + c[3] u^3 with u = start + s step, as a polynomial in s, times binomial
 * coefficients: of the powers of s a, it is a0, 3 a0 + a1, 3 a0 + 2 a1 + a2, a0 + a1 + a2 + a3. */
static void expand(const bw_integer c[4], const bw_integer *start, const bw_integer *step, bw_big_point *out,
                   int k)
{
    static const int binomial[4][4] = {{1, 1, 1, 1}, {0, 1, 2, 3}, {0, 0, 1, 3}, {0, 0, 0, 1}};
    bw_integer power[4], a, term, product;
    for (int i = 0; i < 4; i++) { /* a_i = step^i sum over j of binomial(j, i) c_j start^(j - i) */
        a.sign = a.count = 0;
        for (int j = i; j < 4; j++) {
            bw_integer_copy(&term, &c[j]);
            scale(&term, binomial[i][j]);
            for (int m = 0; m < j - i; m++) {
                bw_integer_multiply(&product, &term, start);
                bw_integer_copy(&term, &product);
            }
            bw_integer_add(&a, &a, &term);
        }
        for (int m = 0; m < i; m++) {
            bw_integer_multiply(&product, &a, step);
            bw_integer_copy(&a, &product);
        }
        bw_integer_copy(&power[i], &a);
    }
    static const int weight[4][4] = {{1, 0, 0, 0}, {3, 1, 0, 0}, {3, 2, 1, 0}, {1, 1, 1, 1}};
    for (int i = 0; i < 4; i++) {
        bw_integer *to = &out->c[i][k];
        to->sign = to->count = 0;
        for (int j = 0; j < 4; j++) {
            bw_integer_copy(&term, &power[j]);
            scale(&term, weight[i][j]);
            bw_integer_add(to, to, &term);
        }
    }
}

/* ---- where a corner is ---- */

/* Of a straight line its ends, of a curve its plan. */
typedef struct corner {
    const bw_vec3 *ends[2];
    const bw_plan *plan; /* NULL: straight */
} corner;

static corner corner_of(const bw_moving_triangles *pair, int i)
{
    corner c = {{NULL, NULL}, NULL};
    const bw_plan *const *plans = i < 3 ? pair->plans_a : pair->plans_b;
    const bw_vec3(*ends)[3] = i < 3 ? pair->a : pair->b;
    c.plan = plans != NULL ? plans[i % 3] : NULL;
    c.ends[0] = &ends[0][i % 3];
    c.ends[1] = &ends[1][i % 3];
    return c;
}

static void widen_corner(range *r, const corner *c, int tick)
{
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 4 && c->plan != NULL; j++)
            widen(r, number_of(bw_vec3_at(&c->plan->c[j], k)), j * tick);
        for (int end = 0; end < 2 && c->plan == NULL; end++)
            widen(r, number_of(bw_vec3_at(c->ends[end], k)), 0);
    }
}

static void load_line(const corner *c, int lowest, int degree, bw_big_point *out)
{
    for (int k = 0; k < 3; k++) {
        bw_integer first, last;
        place(&first, number_of(bw_vec3_at(c->ends[0], k)), 0, lowest);
        place(&last, number_of(bw_vec3_at(c->ends[1], k)), 0, lowest);
        bw_integer_copy(&out->c[0][k], &first);
        bw_integer_copy(&out->c[degree][k], &last);
        if (degree == 1)
            continue;
        /* In degree three: a, 2 a + b, a + 2 b, b. */
        bw_integer_add(&out->c[1][k], &first, &last);
        bw_integer_add(&out->c[2][k], &out->c[1][k], &last);
        bw_integer_add(&out->c[1][k], &out->c[1][k], &first);
    }
}

/* The times begin, end and origins on a lattice of their own. */
typedef struct timebase {
    int tick;
    bw_integer begin, step;
} timebase;

static void set_timebase(const bw_moving_triangles *pair, const corner *corners, int count, timebase *out)
{
    range r = {INT_MAX, INT_MIN};
    number begin = number_of(pair->begin), end = number_of(pair->end);
    widen(&r, begin, 0);
    widen(&r, end, 0);
    for (int i = 0; i < count; i++)
        if (corners[i].plan != NULL)
            widen(&r, number_of(corners[i].plan->origin), 0);
    out->tick = lattice(r, TIME_BITS);
    place(&out->begin, begin, 0, out->tick);
    place(&out->step, end, 0, out->tick);
    bw_integer_subtract(&out->step, &out->step, &out->begin);
}

static void load_curve(const corner *c, int lowest, const timebase *base, bw_big_point *out)
{
    bw_integer start, coefficient[4];
    place(&start, number_of(c->plan->origin), 0, base->tick);
    bw_integer_subtract(&start, &base->begin, &start);
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 4; j++)
            place(&coefficient[j], number_of(bw_vec3_at(&c->plan->c[j], k)), j * base->tick, lowest);
        expand(coefficient, &start, &base->step, out, k);
    }
}

void bw_big_points_load(const bw_moving_triangles *pair, const uint8_t *corners, int count,
                        bw_big_points *out)
{
    corner at[BW_PAIR_CORNERS];
    bool curved = false;
    for (int i = 0; i < count; i++) {
        at[i] = corner_of(pair, corners[i]);
        curved = curved || at[i].plan != NULL;
    }
    timebase base = {.tick = 0};
    if (curved)
        set_timebase(pair, at, count, &base);
    range r = {INT_MAX, INT_MIN};
    for (int i = 0; i < count; i++)
        widen_corner(&r, &at[i], base.tick);
    const int lowest = lattice(r, curved ? CURVE_BITS : INT_MAX);
    out->degree = curved ? 3 : 1;
    out->count = count;
    for (int i = 0; i < count; i++) {
        if (at[i].plan != NULL)
            load_curve(&at[i], lowest, &base, &out->point[i]);
        else
            load_line(&at[i], lowest, out->degree, &out->point[i]);
    }
}

/* ---- polynomials ---- */

static void subtract(const bw_big_points *points, int from, int to, bw_big_point *out)
{
    for (int i = 0; i <= points->degree; i++)
        for (int k = 0; k < 3; k++)
            bw_integer_subtract(&out->c[i][k], &points->point[to].c[i][k], &points->point[from].c[i][k]);
}

/* Out with the binomial coefficients. */
static void finish(bw_big_polynomial *p)
{
    for (int i = 0; i <= p->degree && p->degree > 1; i++)
        scale(&p->c[i], whole(p->degree, i));
    bw_big_round(p);
}

void bw_big_order(bw_big_points *points, int p, int q, int axis, bw_big_polynomial *out)
{
    out->degree = points->degree;
    for (int i = 0; i <= out->degree; i++)
        bw_integer_subtract(&out->c[i], &points->point[q].c[i][axis], &points->point[p].c[i][axis]);
    finish(out);
}

static void clear(bw_big_polynomial *p, int degree)
{
    p->degree = degree;
    for (int i = 0; i <= degree; i++)
        p->c[i].sign = p->c[i].count = 0;
}

/* points->u x points->v. */
static void cross(const bw_big_points *points, int axis, bw_big_polynomial *out)
{
    const int x = (axis + 1) % 3, y = (axis + 2) % 3;
    const bw_big_point *u = &points->u, *v = &points->v;
    clear(out, 2 * points->degree);
    bw_integer product;
    for (int i = 0; i <= points->degree; i++)
        for (int j = 0; j <= points->degree; j++) {
            bw_integer_multiply(&product, &u->c[i][x], &v->c[j][y]);
            bw_integer_add(&out->c[i + j], &out->c[i + j], &product);
            bw_integer_multiply(&product, &u->c[i][y], &v->c[j][x]);
            bw_integer_subtract(&out->c[i + j], &out->c[i + j], &product);
        }
}

void bw_big_area(bw_big_points *points, int p, int q, int r, int axis, bw_big_polynomial *out)
{
    subtract(points, p, q, &points->u);
    subtract(points, p, r, &points->v);
    cross(points, axis, out);
    finish(out);
}

void bw_big_volume(bw_big_points *points, const uint8_t corners[4], bw_big_polynomial *out)
{
    bw_big_polynomial *area = &points->area;
    subtract(points, corners[0], corners[1], &points->u);
    subtract(points, corners[0], corners[2], &points->v);
    subtract(points, corners[0], corners[3], &points->w);
    clear(out, 3 * points->degree);
    bw_integer product;
    for (int k = 0; k < 3; k++) {
        cross(points, k, area);
        for (int i = 0; i <= points->degree; i++)
            for (int j = 0; j <= area->degree; j++) {
                bw_integer_multiply(&product, &points->w.c[i][k], &area->c[j]);
                bw_integer_add(&out->c[i + j], &out->c[i + j], &product);
            }
    }
    finish(out);
}
