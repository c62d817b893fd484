#include "incremental/roots.h"

#include <assert.h>
#include <math.h>

double bw_poly_at(const bw_poly *p, double t)
{
    double x = p->c[p->degree];
    for (uint32_t k = p->degree; k-- > 0;)
        x = p->c[k] + t * x;
    return x;
}

static bw_poly derivative(const bw_poly *p)
{
    bw_poly d = {.degree = p->degree - 1};
    for (uint32_t k = 0; k < p->degree; k++)
        d.c[k] = (k + 1) * p->c[k + 1];
    return d;
}

static double bisect(const bw_poly *p, double low, double high)
{
    bool rising = bw_poly_at(p, high) > 0;
    for (int i = 0; i < 64; i++) {
        double middle = 0.5 * (low + high);
        if (!(middle > low && middle < high))
            break;
        if ((bw_poly_at(p, middle) > 0) == rising)
            high = middle;
        else
            low = middle;
    }
    return 0.5 * (low + high);
}

/* Where a root may be: between places that follow each other p has one at most. Every derivative has its
 * roots among the places of the next, from the one that is a line down, and all of them stay places, so that
 * a pair of roots of a derivative that rounding hides hides nothing. */
enum { PLACES = 2 + BW_DEGREE * (BW_DEGREE + 1) / 2 };

typedef struct places {
    double at[PLACES];
    uint32_t count;
} places;

static void insert(places *p, double at)
{
    uint32_t i = p->count++;
    assert(p->count <= PLACES);
    for (; i > 0 && p->at[i - 1] > at; i--)
        p->at[i] = p->at[i - 1];
    p->at[i] = at;
}

/* c[2] t^2 + c[1] t + c[0] within the ends of the places; a hair short of a root is one. */
static uint32_t quadratic(const bw_poly *p, const places *among, double out[BW_DEGREE])
{
    double a = p->c[2], b = 0.5 * p->c[1], c = p->c[0], d = b * b - a * c;
    if (d < 0 && d > -0x1p-40 * (b * b + fabs(a * c)))
        d = 0;
    if (d < 0)
        return 0;
    double q = -(b + copysign(sqrt(d), b)), root[2] = {q / a, q != 0 ? c / q : q / a};
    uint32_t count = 0;
    for (int i = 0; i < 2; i++)
        if (root[i] > among->at[0] && root[i] < among->at[among->count - 1])
            out[count++] = root[i];
    return count;
}

/* The roots of p between places. */
static uint32_t crossings(const bw_poly *p, const places *among, double out[BW_DEGREE])
{
    uint32_t count = 0;
    if (p->degree == 2)
        return quadratic(p, among, out);
    double x = bw_poly_at(p, among->at[0]);
    for (uint32_t i = 1; i < among->count && count < p->degree; i++) {
        double y = bw_poly_at(p, among->at[i]);
        if ((x > 0 && y < 0) || (x < 0 && y > 0))
            out[count++] = bisect(p, among->at[i - 1], among->at[i]);
        else if (y == 0 && i + 1 < among->count)
            out[count++] = among->at[i];
        x = y;
    }
    return count;
}

bool bw_poly_roots(const bw_poly *given, double from, double to, double out[BW_ROOTS], uint32_t *count)
{
    bw_poly ladder[BW_DEGREE + 1]; /* p and its derivatives */
    double found[BW_DEGREE];
    uint32_t turns = 0, rungs = 0;
    ladder[0] = *given;
    while (ladder[0].degree > 0 && ladder[0].c[ladder[0].degree] == 0)
        ladder[0].degree--;
    places among = {{from, to}, from < to ? 2 : 1};
    for (; ladder[rungs].degree > 1; rungs++)
        ladder[rungs + 1] = derivative(&ladder[rungs]);
    for (uint32_t k = rungs + 1; k-- > 1;) {
        turns = crossings(&ladder[k], &among, found);
        for (uint32_t i = 0; i < turns; i++)
            insert(&among, found[i]);
    }
    const bw_poly *p = &ladder[0];
    bool all = true;
    for (uint32_t i = 0; i < among.count && all; i++)
        all = fabs(bw_poly_at(p, among.at[i])) <= given->error;
    *count = 0;
    if (all)
        return false;
    for (uint32_t i = 0; i < turns; i++) /* of p itself: the last rung */
        if (fabs(bw_poly_at(p, found[i])) <= given->error)
            out[(*count)++] = found[i];
    *count += crossings(p, &among, out + *count);
    return true;
}

/* By the slope, or, where that vanishes, by what bends it away. */
double bw_poly_reach(const bw_poly *p, double t)
{
    double far = INFINITY, factorial = 1;
    bw_poly d = *p;
    for (uint32_t k = 1; k <= p->degree; k++) {
        d = derivative(&d);
        factorial *= k;
        double x = fabs(bw_poly_at(&d, t));
        if (x > 0)
            far = fmin(far, k == 1 ? p->error / x : pow(factorial * p->error / x, 1.0 / k));
    }
    return (far < 0x1p-8 ? 2 * far : 0x1p-8) + 0x1p-48;
}
