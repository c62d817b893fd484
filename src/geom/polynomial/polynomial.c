/* Signs are told by sums of two doubles where these can tell (geom/exact/twofold.h): the coefficients are
 * exact, so rounded ones are as good as 106 bits allow, however much the points behind them cancel. */
#include "geom/polynomial/polynomial.h"
#include "geom/exact/expansion.h"
#include "geom/exact/twofold.h"
#include "geom/polynomial/bernstein.h"

/* ---- Over parts of [0, 1], exactly ---- */

/* One step of de Casteljau's algorithm at a time of the grid, on the first `count` coefficients: into out,
 * which may be c. */
static void interpolate(bw_integer *out, const bw_integer *c, int count, uint64_t at)
{
    bw_integer before, after, left, right;
    bw_integer_set(&before, (int64_t)(BW_CCD_GRID - at), 0);
    bw_integer_set(&after, (int64_t)at, 0);
    for (int i = 0; i + 1 < count; i++) {
        bw_integer_multiply(&left, &c[i], &before);
        bw_integer_multiply(&right, &c[i + 1], &after);
        bw_integer_add(&out[i], &left, &right);
    }
}

static int sign_at(const bw_polynomial *p, uint64_t at)
{
    if (at == 0)
        return p->c[0].sign;
    if (at == BW_CCD_GRID)
        return p->c[p->degree].sign;
    bw_integer c[3];
    interpolate(c, p->c, p->degree + 1, at);
    for (int count = p->degree; count > 1; count--)
        interpolate(c, c, count, at);
    return c[0].sign;
}

/* Some positive multiple of the coefficients over [low, high]: the polar form with i arguments high, the
 * others low. */
static void restrict_to(bw_polynomial *out, const bw_polynomial *p, uint64_t low, uint64_t high)
{
    int degree = p->degree;
    out->degree = degree;
    if (low == 0 && high == BW_CCD_GRID) {
        for (int i = 0; i <= degree; i++)
            bw_integer_copy(&out->c[i], &p->c[i]);
        return;
    }
    /* row[i] has i arguments high and `step + 1` in all: from row[i] by another low, or row[i - 1] by another
     * high. */
    bw_integer row[4][3];
    interpolate(row[0], p->c, degree + 1, low);
    interpolate(row[1], p->c, degree + 1, high);
    for (int step = 1; step < degree; step++) {
        int count = degree + 1 - step;
        interpolate(row[step + 1], row[step], count, high);
        for (int i = step; i > 0; i--)
            interpolate(row[i], row[i], count, low);
        interpolate(row[0], row[0], count, low);
    }
    for (int i = 0; i <= degree; i++)
        bw_integer_copy(&out->c[i], &row[i][0]);
}

/* The two halves, scaled by 2^degree: columns and diagonal of de Casteljau's triangle. p ends as garbage. */
static void halve(bw_polynomial *p, bw_polynomial *left, bw_polynomial *right)
{
    int degree = p->degree;
    left->degree = right->degree = degree;
    for (int level = 0; level <= degree; level++) {
        bw_integer_shift(&left->c[level], &p->c[0], degree - level);
        bw_integer_shift(&right->c[degree - level], &p->c[degree - level], degree - level);
        for (int i = 0; i < degree - level; i++)
            bw_integer_add(&p->c[i], &p->c[i], &p->c[i + 1]);
    }
}

static void copy_polynomial(bw_polynomial *out, const bw_polynomial *p)
{
    out->degree = p->degree;
    for (int i = 0; i <= p->degree; i++)
        bw_integer_copy(&out->c[i], &p->c[i]);
}

/* ---- In sums of two doubles ---- */

/* The coefficients over some power of two. A value on the grid is off by less than the error: each of at most
 * three levels by 9 u^2 of the largest, the leading limbs by far less. */
typedef struct rounded {
    int degree;
    twofold c[4]; /* the same in both lanes */
    double error;
} rounded;

/* The leading limbs of a number, the highest of them of weight 1. */
static twofold leading(const bw_integer *a, int limbs)
{
    const double half = 1.0 / 4294967296.0;
    double weight = BW_LIMB_BITS == 64 ? 0x1p32 : 1, high = 0, low = 0;
    for (int i = limbs - 1; i >= 0 && i >= limbs - 192 / BW_LIMB_BITS; i--) {
        uint64_t limb = i < a->count ? a->limb[i] : 0;
        for (int part = BW_LIMB_BITS / 32; part-- > 0; weight *= half) {
            double piece = (double)(uint32_t)(limb >> 32 * part) * weight, sum = high + piece;
            low += piece - (sum - high); /* what is larger comes first */
            high = sum;
        }
    }
    d2 sign = d2_all(a->sign);
    return twofold_fast_sum(sign * d2_all(high), sign * d2_all(low));
}

static rounded round_off(const bw_polynomial *p)
{
    rounded out = {.degree = p->degree};
    int limbs = 0;
    double largest = 0;
    for (int i = 0; i <= p->degree; i++)
        limbs = p->c[i].count > limbs ? p->c[i].count : limbs;
    for (int i = 0; i <= p->degree; i++) {
        out.c[i] = leading(&p->c[i], limbs);
        largest = fmax(largest, fabs(d2_low(out.c[i].high)));
    }
    out.error = 256 * BW_ROUNDOFF * BW_ROUNDOFF * largest;
    return out;
}

/* Values and slopes at a time of the grid, which is not the last, and the next. */
typedef struct step {
    double value[2];
    double rise[2]; /* over one cell, if it went on like that, over the degree */
} step;

static step step_at(const rounded *r, uint64_t at)
{
    const double unit = 1.0 / (double)BW_CCD_GRID;
    d2 after = d2_of((double)at * unit, (double)(at + 1) * unit), before = d2_all(1) - after;
    twofold c[4];
    d2 rise = d2_all(0);
    for (int i = 0; i <= r->degree; i++)
        c[i] = r->c[i];
    for (int count = r->degree; count > 0; count--) {
        if (count == 1)
            rise = (c[1].high - c[0].high) * d2_all(unit);
        for (int i = 0; i < count; i++)
            c[i] = twofold_add(twofold_times(c[i], before), twofold_times(c[i + 1], after));
    }
    return (step){{d2_low(c[0].high), d2_high(c[0].high)}, {d2_low(rise), d2_high(rise)}};
}

static int certain_sign(double value, double error)
{
    return value > error ? 1 : value < -error ? -1 : 0;
}

/* Looks for the cell with the one root in (low, high), from a guess: true where the signs at its ends are
 * certain, and other ones. */
static bool find_cell(const rounded *r, uint64_t low, uint64_t high, double guess, uint64_t *out)
{
    uint64_t at = low + (uint64_t)(guess * (double)(high - low));
    for (int round = 0; round < 4; round++) {
        at = at < low ? low : at >= high ? high - 1 : at;
        step here = step_at(r, at);
        int first = certain_sign(here.value[0], r->error), second = certain_sign(here.value[1], r->error);
        if (first * second < 0) {
            *out = at;
            return true;
        }
        double cells = -here.value[0] / (r->degree * here.rise[0]);
        if (first == 0 || second == 0 || !(fabs(cells) < 0x1p40))
            return false;
        at = cells < 0 && (double)at < -cells ? 0 : (uint64_t)((int64_t)at + (int64_t)floor(cells));
    }
    return false;
}

/* Narrows [*low, *high], over which `now` are the coefficients, with one change of sign and so one root,
 * around a guess, if that is right. */
static void close_in(const bw_polynomial *p, const bw_polynomial *now, double at, uint64_t *low,
                     uint64_t *high)
{
    int last = 0;
    for (int i = 0; i <= now->degree; i++)
        last = now->c[i].sign != 0 ? now->c[i].sign : last;
    uint64_t length = *high - *low, guess = *low + (uint64_t)(at * (double)length);
    /* Lengths stay powers of two, so that halves end on the grid. */
    for (uint64_t size = 4; size < length / 4; size *= 256) {
        uint64_t a = guess - *low > size / 2 ? guess - size / 2 : *low;
        a = *high - a < size ? *high - size : a;
        uint64_t b = a + size;
        if ((a == *low || sign_at(p, a) == -last) && (b == *high || sign_at(p, b) == last)) {
            *low = a;
            *high = b;
            return;
        }
    }
}

/* ---- Roots, by what sums of two doubles tell ---- */

/* A part of the time, a power of two long, and the coefficients over it. */
typedef struct stretch {
    uint64_t low, high;
    twofold c[4];
} stretch;

/* The changes of sign, or -1 where a sign is not certain. */
static int certain_changes(const stretch *p, int degree, double error)
{
    int changes = 0, last = certain_sign(d2_low(p->c[0].high), error);
    bool certain = last != 0;
    for (int i = 1; i <= degree; i++) {
        int sign = certain_sign(d2_low(p->c[i].high), error);
        certain &= sign != 0;
        changes += sign != last;
        last = sign;
    }
    return certain ? changes : -1;
}

static void halve_stretch(stretch *p, int degree, stretch *right)
{
    const d2 half = d2_all(0.5);
    right->high = p->high;
    right->low = p->high = p->low + (p->high - p->low) / 2;
    for (int level = 0; level <= degree; level++) {
        right->c[degree - level] = p->c[degree];
        for (int i = degree; i > level; i--) {
            twofold sum = twofold_add(p->c[i - 1], p->c[i]);
            p->c[i] = (twofold){sum.high * half, sum.low * half};
        }
    }
}

/* The cells of all roots, ascending, and how many; -1 where a sign is not certain. */
static int certain_cells(const bw_polynomial *p, uint64_t out[3])
{
    enum { DEEPEST = 20 };
    rounded r = round_off(p);
    stretch waiting[DEEPEST + 2];
    int count = 1, cells = 0;
    waiting[0] = (stretch){0, BW_CCD_GRID, {r.c[0], r.c[1], r.c[2], r.c[3]}};
    r.error *= 4; /* each of sixty levels adds 3 u^2 of the largest */
    while (count > 0) {
        stretch *now = &waiting[count - 1];
        int changes = certain_changes(now, r.degree, r.error);
        if (changes < 0 || count > DEEPEST)
            return -1;
        if (changes > 1) {
            /* The earlier half on top. */
            stretch right;
            halve_stretch(now, r.degree, &right);
            waiting[count] = *now;
            waiting[count - 1] = right;
            count++;
            continue;
        }
        count--;
        if (changes == 1) {
            double c[4];
            for (int i = 0; i <= r.degree; i++)
                c[i] = d2_low(now->c[i].high);
            if (!find_cell(&r, now->low, now->high, bw_bernstein_root(c, r.degree), &out[cells++]))
                return -1;
        }
    }
    return cells;
}

/* ---- Roots, exactly ---- */

bool bw_polynomial_visit_roots(const bw_polynomial *p, bw_root_fn *visit, void *context)
{
    uint64_t cell[3];
    int cells = certain_cells(p, cell);
    if (cells >= 0) {
        for (int i = 0; i < cells; i++)
            if (visit(context, &(bw_grid_time){cell[i], true, false}))
                return true;
        return false;
    }
    /* What waits holds a root or a sign change, and all together have at most `degree` of these. */
    struct piece {
        uint64_t low, high;
        bool root_at_low;
    } waiting[5] = {{0, BW_CCD_GRID, false}};
    int count = 1;
    bw_polynomial now, left, right;
    while (count > 0) {
        struct piece piece = waiting[--count];
        if (piece.root_at_low && visit(context, &(bw_grid_time){piece.low, false, false}))
            return true;
        if (piece.low == piece.high)
            continue;
        restrict_to(&now, p, piece.low, piece.high);
        for (bool guessed = false;;) {
            int changes = bw_integers_changes(now.c, now.degree);
            if (changes == 1 && !guessed && piece.high - piece.low > 64) {
                guessed = true;
                uint64_t length = piece.high - piece.low, found;
                rounded r = round_off(&now), whole = round_off(p);
                double c[4];
                for (int i = 0; i <= r.degree; i++)
                    c[i] = d2_low(r.c[i].high);
                double guess = bw_bernstein_root(c, r.degree);
                if (find_cell(&whole, piece.low, piece.high, guess, &found)) {
                    if (visit(context, &(bw_grid_time){found, true, false}))
                        return true;
                    break;
                }
                close_in(p, &now, guess, &piece.low, &piece.high);
                if (piece.high - piece.low < length) {
                    restrict_to(&now, p, piece.low, piece.high);
                    continue;
                }
            }
            if (changes == 0)
                break;
            if (piece.high - piece.low == 1) {
                if (visit(context, &(bw_grid_time){piece.low, true, changes > 1}))
                    return true;
                break;
            }
            uint64_t middle = piece.low + (piece.high - piece.low) / 2;
            halve(&now, &left, &right);
            bool root = right.c[0].sign == 0;
            int left_changes = bw_integers_changes(left.c, left.degree),
                right_changes = bw_integers_changes(right.c, right.degree);
            if (left_changes > 0) {
                if (root || right_changes > 0)
                    waiting[count++] = (struct piece){middle, right_changes > 0 ? piece.high : middle, root};
                copy_polynomial(&now, &left);
                piece.high = middle;
            } else {
                if (root && visit(context, &(bw_grid_time){middle, false, false}))
                    return true;
                copy_polynomial(&now, &right);
                piece.low = middle;
            }
        }
    }
    if (p->c[p->degree].sign == 0)
        return visit(context, &(bw_grid_time){BW_CCD_GRID, false, false});
    return false;
}

int bw_polynomial_sign(const bw_polynomial *p, const bw_grid_time *where)
{
    int first = p->c[0].sign;
    bool same = first != 0;
    for (int i = 1; i <= p->degree; i++)
        same &= p->c[i].sign == first;
    if (same)
        return first;
    if (where->low < BW_CCD_GRID) {
        rounded r = round_off(p);
        step here = step_at(&r, where->low);
        int sign = certain_sign(here.value[0], r.error);
        /* The coefficients over the cell: the values at its ends, and one step of the slopes into it. */
        if (where->cell && (certain_sign(here.value[1], r.error) != sign ||
                            certain_sign(here.value[0] + here.rise[0], r.error) != sign ||
                            certain_sign(here.value[1] - here.rise[1], r.error) != sign))
            sign = 0;
        if (sign != 0)
            return sign;
    }
    if (!where->cell)
        return sign_at(p, where->low);
    bw_polynomial part;
    restrict_to(&part, p, where->low, where->low + 1);
    int positive = 0, negative = 0;
    for (int i = 0; i <= part.degree; i++) {
        positive += part.c[i].sign > 0;
        negative += part.c[i].sign < 0;
    }
    /* Not all zero and of one sign: that sign in the open cell. */
    return positive > 0 && negative > 0 ? BW_SIGN_UNKNOWN : positive > 0 ? 1 : negative > 0 ? -1 : 0;
}
