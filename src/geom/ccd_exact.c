/* The first contact of a moving polygon with the origin (geom/ccd.h) in exact integers.
 *
 * All coordinates are integers on the lattice of their lowest bit. Polynomials are kept in Bernstein form
 * with integer coefficients (scaled by 3 for cubics, 2 for quadratics); halving an interval needs additions
 * and shifts only. By Descartes' rule of signs the number of sign changes of the coefficients bounds the
 * roots within an interval, and one change is one root; halving goes on to single cells of the time grid.
 *
 * A candidate time is a point of the grid, or "somewhere inside a cell". A sign there is known when it is the
 * sign at the point, or of all coefficients over the cell; otherwise it is unknown, and whatever hangs on it
 * is taken for a contact.
 */
#include "geom/ccd.h"
#include "geom/integer.h"

typedef struct polynomial {
    int degree; /* 1 to 3 */
    bw_integer c[4];
} polynomial;

typedef bw_integer vector[3];

typedef struct exact_polygon {
    int corners;
    vector corner[2][BW_CCD_MAX_CORNERS];
} exact_polygon;

typedef struct candidate {
    uint64_t low; /* on the grid */
    bool cell;    /* within (low, low + 1) rather than at low */
    bool cluster; /* several roots may be there */
} candidate;

/* ---- Making polynomials ---- */

/* a * b - c * d */
static void minor(bw_integer *out, const bw_integer *a, const bw_integer *b, const bw_integer *c,
                  const bw_integer *d)
{
    bw_integer ab, cd;
    bw_integer_multiply(&ab, a, b);
    bw_integer_multiply(&cd, c, d);
    bw_integer_subtract(out, &ab, &cd);
}

/* Component k of u x v. */
static void cross(bw_integer *out, vector u, vector v, int k)
{
    int i = (k + 1) % 3, j = (k + 2) % 3;
    minor(out, &u[i], &v[j], &u[j], &v[i]);
}

/* Component k of u(t) x v(t), times 2. */
static void moving_cross(polynomial *out, vector u[2], vector v[2], int k)
{
    bw_integer more;
    out->degree = 2;
    cross(&out->c[0], u[0], v[0], k);
    bw_integer_shift(&out->c[0], &out->c[0], 1);
    cross(&out->c[1], u[0], v[1], k);
    cross(&more, u[1], v[0], k);
    bw_integer_add(&out->c[1], &out->c[1], &more);
    cross(&out->c[2], u[1], v[1], k);
    bw_integer_shift(&out->c[2], &out->c[2], 1);
}

static void times_three(bw_integer *a)
{
    bw_integer twice;
    bw_integer_shift(&twice, a, 1);
    bw_integer_add(a, a, &twice);
}

/* d(t) . (u(t) x v(t)), times 6. */
static void moving_volume(polynomial *out, vector d[2], vector u[2], vector v[2])
{
    out->degree = 3;
    for (int i = 0; i < 4; i++)
        out->c[i].sign = out->c[i].count = 0;
    for (int k = 0; k < 3; k++) {
        polynomial area;
        bw_integer term;
        moving_cross(&area, u, v, k);
        for (int i = 0; i < 3; i++) {
            /* In Bernstein form of degree 2 + 1: coefficient i of the one meets 0 and 1 of the other with
             * the weights 2 choose i over 3 choose (i + j). */
            for (int j = 0; j < 2; j++) {
                bw_integer_multiply(&term, &area.c[i], &d[j][k]);
                if (i == 1)
                    bw_integer_shift(&term, &term, 1);
                if (i + j == 0 || i + j == 3)
                    times_three(&term);
                bw_integer_add(&out->c[i + j], &out->c[i + j], &term);
            }
        }
    }
}

static void coordinate(polynomial *out, vector u[2], int k)
{
    out->degree = 1;
    bw_integer_copy(&out->c[0], &u[0][k]);
    bw_integer_copy(&out->c[1], &u[1][k]);
}

static bool is_zero(const polynomial *p)
{
    for (int i = 0; i <= p->degree; i++)
        if (p->c[i].sign != 0)
            return false;
    return true;
}

/* ---- Polynomials over parts of [0, 1] ---- */

static int variations(const polynomial *p)
{
    int count = 0, last = 0;
    for (int i = 0; i <= p->degree; i++)
        if (p->c[i].sign != 0) {
            count += last != 0 && last != p->c[i].sign;
            last = p->c[i].sign;
        }
    return count;
}

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

static int sign_at(const polynomial *p, uint64_t at)
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
static void restrict_to(polynomial *out, const polynomial *p, uint64_t low, uint64_t high)
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
static void halve(polynomial *p, polynomial *left, polynomial *right)
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

static void copy_polynomial(polynomial *out, const polynomial *p)
{
    out->degree = p->degree;
    for (int i = 0; i <= p->degree; i++)
        bw_integer_copy(&out->c[i], &p->c[i]);
}

/* About where in [0, 1] the one root of coefficients with one change of sign is, in floating point: only a
 * guess. */
static double guess_root(const polynomial *p)
{
    int bits = 0;
    double c[4], low = 0, high = 1, t = 0.5;
    for (int i = 0; i <= p->degree; i++)
        bits = p->c[i].count * BW_LIMB_BITS > bits ? p->c[i].count * BW_LIMB_BITS : bits;
    for (int i = 0; i <= p->degree; i++)
        c[i] = bw_integer_leading(&p->c[i], bits);
    bool falling = c[0] > 0 || (c[0] == 0 && c[1] > 0);
    for (int step = 0; step < 40; step++) {
        /* The last two points of de Casteljau's triangle: the value between them, the slope of their line. */
        double d[4] = {0}, slope = 0;
        for (int i = 0; i <= p->degree; i++)
            d[i] = c[i];
        for (int count = p->degree; count > 0; count--) {
            slope = d[1] - d[0];
            for (int i = 0; i < count; i++)
                d[i] += t * (d[i + 1] - d[i]);
        }
        if ((d[0] > 0) == falling)
            low = t;
        else
            high = t;
        slope *= p->degree;
        double next = t - d[0] / slope;
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        double move = fabs(next - t);
        t = next;
        if (move < 0x1p-53)
            break;
    }
    return t;
}

/* Narrows [*low, *high], over which `now` are the coefficients, with one change of sign and so one root,
 * around a guess, if that is right; now is left alone. */
static void close_in(const polynomial *p, const polynomial *now, uint64_t *low, uint64_t *high)
{
    int last = 0;
    for (int i = 0; i <= now->degree; i++)
        last = now->c[i].sign != 0 ? now->c[i].sign : last;
    uint64_t length = *high - *low, guess = *low + (uint64_t)(guess_root(now) * (double)length);
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

typedef bool visit_fn(void *context, const candidate *where);

/* Visits the roots in (0, 1] in ascending order, until a visit returns true. The polynomial is not zero. */
static bool visit_roots(const polynomial *p, visit_fn *visit, void *context)
{
    /* What waits holds a root or a sign change, and all together have at most `degree` of these. */
    struct piece {
        uint64_t low, high;
        bool root_at_low;
    } waiting[5] = {{0, BW_CCD_GRID, false}};
    int count = 1;
    polynomial now, left, right;
    while (count > 0) {
        struct piece piece = waiting[--count];
        if (piece.root_at_low && visit(context, &(candidate){piece.low, false, false}))
            return true;
        if (piece.low == piece.high)
            continue;
        restrict_to(&now, p, piece.low, piece.high);
        for (bool guessed = false;;) {
            int changes = variations(&now);
            if (changes == 1 && !guessed && piece.high - piece.low > 64) {
                guessed = true;
                uint64_t length = piece.high - piece.low;
                close_in(p, &now, &piece.low, &piece.high);
                if (piece.high - piece.low < length) {
                    restrict_to(&now, p, piece.low, piece.high);
                    continue;
                }
            }
            if (changes == 0)
                break;
            if (piece.high - piece.low == 1) {
                if (visit(context, &(candidate){piece.low, true, changes > 1}))
                    return true;
                break;
            }
            uint64_t middle = piece.low + (piece.high - piece.low) / 2;
            halve(&now, &left, &right);
            bool root = right.c[0].sign == 0;
            int left_changes = variations(&left), right_changes = variations(&right);
            if (left_changes > 0) {
                if (root || right_changes > 0)
                    waiting[count++] = (struct piece){middle, right_changes > 0 ? piece.high : middle, root};
                copy_polynomial(&now, &left);
                piece.high = middle;
            } else {
                if (root && visit(context, &(candidate){middle, false, false}))
                    return true;
                copy_polynomial(&now, &right);
                piece.low = middle;
            }
        }
    }
    if (p->c[p->degree].sign == 0)
        return visit(context, &(candidate){BW_CCD_GRID, false, false});
    return false;
}

/* ---- Is the origin inside at a candidate time? ---- */

enum { UNKNOWN = 2 };

/* -1, 0, 1, or UNKNOWN. */
static int sign_near(const polynomial *p, const candidate *where)
{
    int first = p->c[0].sign;
    bool same = first != 0;
    for (int i = 1; i <= p->degree; i++)
        same &= p->c[i].sign == first;
    if (same)
        return first;
    if (!where->cell)
        return sign_at(p, where->low);
    polynomial part;
    restrict_to(&part, p, where->low, where->low + 1);
    int positive = 0, negative = 0;
    for (int i = 0; i <= part.degree; i++) {
        positive += part.c[i].sign > 0;
        negative += part.c[i].sign < 0;
    }
    /* Not all zero and of one sign: that sign in the open cell. */
    return positive > 0 && negative > 0 ? UNKNOWN : positive > 0 ? 1 : negative > 0 ? -1 : 0;
}

typedef struct search {
    exact_polygon *polygon;
    int zero_i, zero_j, zero_k; /* the area whose root the candidates are: it is zero there; -1: another */
    bool found;
    bool certain;
    candidate where;
} search;

/* Component k of twice the area of the triangle (origin, corner i, corner j). */
static int area_sign(search *s, int i, int j, int k, const candidate *where)
{
    if (i == s->zero_i && j == s->zero_j && k == s->zero_k)
        return 0;
    polynomial area;
    vector u[2], v[2];
    for (int end = 0; end < 2; end++)
        for (int axis = 0; axis < 3; axis++) {
            bw_integer_copy(&u[end][axis], &s->polygon->corner[end][i][axis]);
            bw_integer_copy(&v[end][axis], &s->polygon->corner[end][j][axis]);
        }
    moving_cross(&area, u, v, k);
    return sign_near(&area, where);
}

/* The two edges at corner 0, moving. */
static void corner_edges(search *s, vector first[2], vector last[2])
{
    int n = s->polygon->corners;
    for (int end = 0; end < 2; end++)
        for (int axis = 0; axis < 3; axis++) {
            bw_integer *corner = &s->polygon->corner[end][0][axis];
            bw_integer_subtract(&first[end][axis], &s->polygon->corner[end][1][axis], corner);
            bw_integer_subtract(&last[end][axis], &s->polygon->corner[end][n - 1][axis], corner);
        }
}

/* All corners strictly on one side along an axis. */
static bool axis_separates(search *s, const candidate *where)
{
    for (int k = 0; k < 3; k++) {
        int positive = 0, negative = 0;
        for (int i = 0; i < s->polygon->corners; i++) {
            vector u[2];
            polynomial line;
            for (int end = 0; end < 2; end++)
                bw_integer_copy(&u[end][k], &s->polygon->corner[end][i][k]);
            coordinate(&line, u, k);
            int sign = sign_near(&line, where);
            positive += sign == 1;
            negative += sign == -1;
        }
        if (positive == s->polygon->corners || negative == s->polygon->corners)
            return true;
    }
    return false;
}

/* A polygon that is a segment or a point contains the origin only if it is on one line with all corners. */
static bool off_the_line(search *s, const candidate *where, bool *unknown)
{
    for (int i = 0; i < s->polygon->corners; i++)
        for (int j = i + 1; j < s->polygon->corners; j++)
            for (int k = 0; k < 3; k++) {
                int sign = area_sign(s, i, j, k, where);
                if (sign == UNKNOWN)
                    *unknown = true;
                else if (sign != 0)
                    return true;
            }
    return false;
}

/* A visit: remembers the first candidate at which the origin is in the polygon or cannot be told from it. */
static bool contains_origin(void *context, const candidate *where)
{
    search *s = context;
    if (axis_separates(s, where))
        return false;
    int n = s->polygon->corners;
    vector first[2], last[2];
    corner_edges(s, first, last);
    bool flat = true, certain = false, unknown = false;
    for (int k = 0; k < 3 && !certain; k++) {
        polynomial area;
        moving_cross(&area, first, last, k);
        int own = sign_near(&area, where);
        if (own == 0)
            continue;
        flat = false;
        /* Whatever the polygon's own sign: with parts of both signs the origin is outside. */
        int positive = 0, negative = 0, unsure = 0;
        for (int i = 0; i < n; i++) {
            int sign = area_sign(s, i, (i + 1) % n, k, where);
            positive += sign == 1;
            negative += sign == -1;
            unsure += sign == UNKNOWN;
        }
        if ((positive > 0 && negative > 0) || (own == 1 && negative > 0) || (own == -1 && positive > 0))
            return false;
        certain = own != UNKNOWN && unsure == 0;
    }
    if (flat) {
        if (off_the_line(s, where, &unknown))
            return false;
        certain = !unknown && !where->cell;
    }
    s->found = true;
    s->certain = certain && !where->cluster;
    s->where = *where;
    return true;
}

/* Looks at the roots of one polynomial and keeps the earliest contact. */
static void earliest(search *s, const polynomial *p)
{
    search attempt = *s;
    attempt.found = false;
    if (!visit_roots(p, contains_origin, &attempt))
        return;
    uint64_t now = 2 * attempt.where.low + attempt.where.cell, best = 2 * s->where.low + s->where.cell;
    /* A contact that is certain is said to be so, where both are one. */
    if (!s->found || now < best || (now == best && attempt.certain))
        *s = attempt;
}

static void line_roots(search *s, int corner)
{
    for (int k = 0; k < 3; k++) {
        polynomial line;
        line.degree = 1;
        for (int end = 0; end < 2; end++)
            bw_integer_copy(&line.c[end], &s->polygon->corner[end][corner][k]);
        if (!is_zero(&line))
            earliest(s, &line);
    }
}

static void corner_pair(search *s, int i, int j, int k, polynomial *out)
{
    vector u[2], v[2];
    for (int end = 0; end < 2; end++)
        for (int axis = 0; axis < 3; axis++) {
            bw_integer_copy(&u[end][axis], &s->polygon->corner[end][i][axis]);
            bw_integer_copy(&v[end][axis], &s->polygon->corner[end][j][axis]);
        }
    moving_cross(out, u, v, k);
}

/* The origin is always in the polygon's plane. It enters through the boundary, so the first contact is a root
 * of an edge's area, or, where such an area is always zero, of a coordinate of that edge's ends. */
static void always_coplanar(search *s, vector first[2], vector last[2])
{
    int n = s->polygon->corners;
    polynomial p;
    for (int k = 0; k < 3; k++) {
        moving_cross(&p, first, last, k);
        if (is_zero(&p))
            continue;
        for (int i = 0; i < n; i++) {
            corner_pair(s, i, (i + 1) % n, k, &p);
            if (!is_zero(&p)) {
                s->zero_i = i;
                s->zero_j = (i + 1) % n;
                s->zero_k = k;
                earliest(s, &p);
                s->zero_i = -1;
            } else {
                line_roots(s, i);
                line_roots(s, (i + 1) % n);
            }
        }
        return;
    }
    /* Always a segment or a point: in contact only while on one line with the origin. */
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            for (int k = 0; k < 3; k++) {
                corner_pair(s, i, j, k, &p);
                if (!is_zero(&p)) {
                    earliest(s, &p);
                    return;
                }
            }
    for (int i = 0; i < n; i++)
        line_roots(s, i);
}

/* ---- From doubles to the lattice ---- */

/* x = result * 2^*exponent with an odd result, or 0. */
static int64_t odd_mantissa(double x, int *exponent)
{
    if (x == 0)
        return 0;
    int64_t mantissa = (int64_t)(frexp(x, exponent) * 0x1p53);
    *exponent -= 53;
    while ((mantissa & 1) == 0) {
        mantissa /= 2;
        (*exponent)++;
    }
    return mantissa;
}

static void to_lattice(const bw_ccd_kind *kind, const bw_vec3 start[4], const bw_vec3 end[4],
                       exact_polygon *out)
{
    int64_t mantissa[24];
    int exponent[24] = {0}, lowest = 1 << 20;
    for (int i = 0; i < 24; i++) {
        const bw_vec3 *p = i < 12 ? &start[i / 3] : &end[(i - 12) / 3];
        mantissa[i] = odd_mantissa(i % 3 == 0 ? p->x : i % 3 == 1 ? p->y : p->z, &exponent[i]);
        if (mantissa[i] != 0 && exponent[i] < lowest)
            lowest = exponent[i];
    }
    out->corners = kind->corners;
    for (int i = 0; i < kind->corners; i++)
        for (int time = 0; time < 2; time++)
            for (int k = 0; k < 3; k++) {
                int a = 12 * time + 3 * kind->corner[i].first + k;
                int b = 12 * time + 3 * kind->corner[i].second + k;
                bw_integer first, second;
                bw_integer_set(&first, mantissa[a], mantissa[a] == 0 ? 0 : exponent[a] - lowest);
                bw_integer_set(&second, mantissa[b], mantissa[b] == 0 ? 0 : exponent[b] - lowest);
                bw_integer_subtract(&out->corner[time][i][k], &first, &second);
            }
}

bw_ccd_result bw_ccd_decide_exact(const bw_ccd_kind *kind, const bw_vec3 start[4], const bw_vec3 end[4])
{
    exact_polygon polygon;
    to_lattice(kind, start, end, &polygon);
    search s = {.polygon = &polygon, .zero_i = -1, .found = false};
    vector first[2], last[2], corner[2];
    polynomial volume;
    corner_edges(&s, first, last);
    for (int time = 0; time < 2; time++)
        for (int k = 0; k < 3; k++)
            bw_integer_copy(&corner[time][k], &polygon.corner[time][0][k]);
    moving_volume(&volume, corner, first, last);
    /* In the plane at time 0 already, and inside? */
    bool now = volume.c[0].sign == 0 && contains_origin(&s, &(candidate){0, false, false});
    if (!now && is_zero(&volume))
        always_coplanar(&s, first, last);
    else if (!now)
        visit_roots(&volume, contains_origin, &s);
    if (!s.found)
        return bw_ccd_never(true);
    const double unit = 1.0 / (double)BW_CCD_GRID;
    return (bw_ccd_result){s.certain ? BW_CCD_CONTACT : BW_CCD_CLOSE, true, (double)s.where.low * unit,
                           (double)(s.where.low + s.where.cell) * unit};
}
