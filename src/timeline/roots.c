/* Roots of polynomials in time, with bounds on their error. */
#include "timeline/roots.h"

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

/* The roots of p between the ends of the places; values up to noise count as zero, and places that follow
 * each other with such values as one root, whether p changes its sign there or only touches zero. */
static uint32_t crossings(const bw_poly *p, double noise, const places *among, double out[BW_DEGREE])
{
    uint32_t count = 0, zeros = 0;
    double before = 0, sure = 0; /* the last value that is not zero, and where */
    double first = 0, final = 0; /* of the zeros since */
    for (uint32_t i = 0; i < among->count && count < BW_DEGREE; i++) {
        double x = bw_poly_at(p, among->at[i]);
        bool zero = fabs(x) <= noise, last = i + 1 == among->count;
        if (zero && !last) {
            final = among->at[i];
            first = zeros == 0 ? final : first;
            zeros += i > 0; /* an end is not between them */
            continue;
        }
        if (zeros > 0)
            out[count++] = 0.5 * (first + final);
        else if (zero)
            break;
        else if (x > 0 ? before < 0 : before > 0)
            out[count++] = bisect(p, sure, among->at[i]);
        zeros = 0;
        before = zero ? before : x;
        sure = zero ? sure : among->at[i];
    }
    return count;
}

/* Bernstein coefficients over [from, to] of one sign, by more than twice the error: p has it throughout. They
 * are sums of at most 20 rounded terms, of which all together are no larger than what error is a part of. */
static bool keeps_sign(const bw_poly *p, double from, double to)
{
    double c[BW_DEGREE + 1], scale = 1, limit = 2 * p->error;
    uint32_t n = p->degree;
    for (uint32_t k = 0; k <= n; k++)
        c[k] = p->c[k];
    for (uint32_t i = 0; i < n && from != 0; i++) /* t = from + s */
        for (uint32_t k = n; k-- > i;)
            c[k] += from * c[k + 1];
    for (uint32_t k = 0; k <= n; k++) { /* s = (to - from) x; and over the binomial of n and k */
        c[k] *= scale;
        scale *= (to - from) * (k + 1) / (double)(n - k > 0 ? n - k : 1);
    }
    for (uint32_t i = 0; i < n; i++) /* sums with binomials, as in Pascal's triangle */
        for (uint32_t k = n; k > i; k--)
            c[k] += c[k - 1];
    bool above = true, below = true;
    for (uint32_t k = 0; k <= n; k++) {
        above = above && c[k] > limit;
        below = below && c[k] < -limit;
    }
    return above || below;
}

bool bw_poly_roots(const bw_poly *given, double from, double to, double out[BW_ROOTS], uint32_t *count)
{
    bw_poly ladder[BW_DEGREE + 1]; /* p and its derivatives */
    double found[BW_DEGREE];
    uint32_t rungs = 0;
    *count = 0;
    if (keeps_sign(given, from, to))
        return true;
    ladder[0] = *given;
    while (ladder[0].degree > 0 && ladder[0].c[ladder[0].degree] == 0)
        ladder[0].degree--;
    places among = {{from, to}, from < to ? 2 : 1};
    for (; ladder[rungs].degree > 1; rungs++)
        ladder[rungs + 1] = derivative(&ladder[rungs]);
    for (uint32_t k = rungs + 1; k-- > 1;) {
        const bw_poly *p = &ladder[k];
        double size = 0;
        for (uint32_t i = 0; i <= p->degree; i++)
            size += fabs(p->c[i]);
        uint32_t turns =
            p->degree == 2 ? quadratic(p, &among, found) : crossings(p, 0x1p-48 * size, &among, found);
        for (uint32_t i = 0; i < turns; i++)
            insert(&among, found[i]);
    }
    bool all = true;
    for (uint32_t i = 0; i < among.count && all; i++)
        all = fabs(bw_poly_at(&ladder[0], among.at[i])) <= given->error;
    if (all)
        return false;
    *count = crossings(&ladder[0], given->error, &among, out);
    return true;
}

/* By the slope, or, where that vanishes, by what bends it away. Beside a root of several folds, where p is as
 * good as zero, the lesser derivatives make it seem less far by as many times. */
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
    far *= p->degree > 2 ? p->degree : 2;
    return (far < 0x1p-4 ? far : 0x1p-4) + 0x1p-48;
}
