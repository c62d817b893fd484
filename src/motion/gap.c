/* The difference of two plans along an axis as a polynomial with an error bound, and when its sign is
 * certain. */
#include "motion/gap.h"

#include <math.h>

/* The plan about another origin; all terms by magnitude where absolute is set. */
static void moved(const bw_curve *curve, double start, bool absolute, double out[4])
{
    double u = start - curve->origin, c[4];
    for (int i = 0; i < 4; i++)
        c[i] = absolute ? fabs(curve->c[i]) : curve->c[i];
    u = absolute ? fabs(u) : u;
    out[0] = c[0] + u * (c[1] + u * (c[2] + u * c[3]));
    out[1] = c[1] + u * (2 * c[2] + u * (3 * c[3]));
    out[2] = c[2] + u * (3 * c[3]);
    out[3] = c[3];
}

void bw_gap_make(const bw_curve *a, const bw_curve *b, double start, double until, bw_gap *out)
{
    double da[4], db[4], ma[4], mb[4];
    moved(a, start, false, da);
    moved(b, start, false, db);
    moved(a, start, true, ma);
    moved(b, start, true, mb);
    double span = until > start ? until - start : 0, power = 1;
    for (int i = 0; i < 4; i++) {
        out->d[i] = (da[i] - db[i]) * power;
        out->e[i] = BW_GAP_ROUNDING * (ma[i] + mb[i]) * power;
        power *= span;
    }
    out->e[0] += BW_GAP_TINY;
    out->start = start;
    out->span = span;
}

int bw_gap_order(const bw_gap *gap)
{
    return gap->d[0] > gap->e[0] ? 1 : gap->d[0] < -gap->e[0] ? -1 : 0;
}

static double at(const double p[4], double x)
{
    return p[0] + x * (p[1] + x * (p[2] + x * p[3]));
}

/* The places in (0, 1) where p may turn, ascending. */
static int turns(const double p[4], double out[2])
{
    double a = 3 * p[3], b = p[2], c = p[1]; /* a x^2 + 2 b x + c */
    double root[2];
    int count = 0, kept = 0;
    double scale = fmax(fabs(a), fmax(fabs(b), fabs(c)));
    if (!(scale > 0))
        return 0;
    a /= scale;
    b /= scale;
    c /= scale;
    double discriminant = b * b - a * c;
    if (discriminant < 0)
        discriminant = 0; /* a place too many does no harm: each piece is asked for its ends */
    double q = -(b + copysign(sqrt(discriminant), b));
    if (a != 0)
        root[count++] = q / a;
    if (q != 0)
        root[count++] = c / q;
    if (count == 2 && root[1] < root[0]) {
        double r = root[0];
        root[0] = root[1];
        root[1] = r;
    }
    for (int i = 0; i < count; i++)
        if (root[i] > 0 && root[i] < 1)
            out[kept++] = root[i];
    return kept;
}

/* Shrinks [*low, *high], at whose ends p is positive on different sides, around the change: bisection with
 * the secant's guess in turn. However soon it ends, the ends keep their signs. */
static void narrow(const double p[4], double *low, double *high)
{
    double at_low = at(p, *low), at_high = at(p, *high);
    bool rising = at_high > 0;
    for (int i = 0; i < 128 && *high - *low > 0x1p-50 * *high; i++) {
        double guess = 0.5 * (*low + *high);
        if (i % 2 == 0) {
            double secant = *low + (*high - *low) * (at_low / (at_low - at_high));
            /* A hair to the longer side, so that the shorter one ends close by. */
            double nudge = 0x1p-51 * *high;
            secant += secant - *low > *high - secant ? -nudge : nudge;
            guess = secant > *low && secant < *high ? secant : guess;
        }
        if (!(guess > *low && guess < *high))
            break;
        double here = at(p, guess);
        if ((here > 0) == rising) {
            *high = guess;
            at_high = here;
        } else {
            *low = guess;
            at_low = here;
        }
    }
}

/* The first change of the truth of p > 0 in (0, 1], between *low and *high; false where there is none. */
static bool first_change(const double p[4], double *low, double *high)
{
    bool positive = p[0] > 0;
    double turn[3], from = 0;
    int count = 0;
    if (p[2] != 0 || p[3] != 0)
        count = turns(p, turn);
    turn[count++] = 1;
    for (int i = 0; i < count; i++) {
        if ((at(p, turn[i]) > 0) != positive) {
            *low = from;
            *high = turn[i];
            narrow(p, low, high);
            return true;
        }
        from = turn[i];
    }
    return false;
}

/* Times on the safe side: the sum and the product are rounded. */
static double time_before(const bw_gap *gap, double x)
{
    double t = nextafter(gap->start + x * (1 - 0x1p-51) * gap->span, -INFINITY);
    return t > gap->start ? t : gap->start;
}

static double time_after(const bw_gap *gap, double x)
{
    return nextafter(gap->start + x * (1 + 0x1p-51) * gap->span, INFINITY);
}

/* sign * d - times * e: positive where the order is certainly sign. */
static void margin(const bw_gap *gap, int sign, double times, double out[4])
{
    for (int i = 0; i < 4; i++)
        out[i] = sign * gap->d[i] - times * gap->e[i];
}

double bw_gap_leave(const bw_gap *gap)
{
    double p[4], low, high;
    margin(gap, bw_gap_order(gap), 1, p);
    return first_change(p, &low, &high) ? time_before(gap, low) : INFINITY;
}

double bw_gap_settle(const bw_gap *gap, int *order)
{
    *order = gap->d[0] > 1.5 * gap->e[0] ? 1 : gap->d[0] < -1.5 * gap->e[0] ? -1 : 0;
    if (*order != 0)
        return gap->start;
    double first = INFINITY;
    for (int sign = -1; sign <= 1; sign += 2) {
        double p[4], low, high;
        margin(gap, sign, 2, p);
        if (!first_change(p, &low, &high))
            continue;
        double t = time_after(gap, high);
        if (t < first && t <= gap->start + gap->span) {
            first = t;
            *order = sign;
        }
    }
    return first;
}
