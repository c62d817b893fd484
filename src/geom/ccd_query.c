/* Vertex against face and edge against edge under linear motion: the floating-point stages, with proven
 * bounds, and the public functions.
 *
 * 1. Along each axis the differences have one sign at both ends, so always: apart. Comparisons, no rounding.
 * 2. The cubic of geom/ccd.h has Bernstein coefficients of one sign beyond their error: never coplanar,
 * apart.
 * 3. The roots of the cubic are isolated by halving; a root that is alone in its part is bracketed to the
 *    tolerance by values of certain sign, and the signs of the areas over the bracket tell inside from
 *    outside.
 * 4. Where any of this is unsure, directions across the polygon's edges may still prove that it keeps away.
 * 5. Exact integers.
 */
#include "geom/ccd.h"

/* Errors, in units of 2^-53 times the sum of products that bounds the terms: derived in the idea page. */
#define VOLUME_VALUE_ERROR (224 * BW_ROUNDOFF)
#define AREA_ERROR (32 * BW_ROUNDOFF)

typedef enum verdict { OUTSIDE, INSIDE, UNSURE } verdict;

static inline void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double below(double a, double b)
{
    return a < b ? a : b;
}

static inline double above(double a, double b)
{
    return a > b ? a : b;
}

/* The four points at both ends, as arrays. */
typedef struct points {
    double at[2][4][3];
} points;

static inline points points_of(const bw_vec3 start[4], const bw_vec3 end[4])
{
    points p;
    for (int i = 0; i < 4; i++) {
        p.at[0][i][0] = start[i].x;
        p.at[0][i][1] = start[i].y;
        p.at[0][i][2] = start[i].z;
        p.at[1][i][0] = end[i].x;
        p.at[1][i][1] = end[i].y;
        p.at[1][i][2] = end[i].z;
    }
    return p;
}

/* Whether the points of one side are below those of the other along an axis, or above, at both ends. */
static inline bool axis_apart(bool edges, const points *p)
{
    bool apart = false;
    for (int k = 0; k < 3; k++) {
        bool under = true, over = true;
        for (int time = 0; time < 2; time++) {
            double a = p->at[time][0][k], b = p->at[time][1][k], c = p->at[time][2][k], d = p->at[time][3][k];
            double low = edges ? below(a, b) : a, high = edges ? above(a, b) : a;
            under &= high < (edges ? below(c, d) : below(below(b, c), d));
            over &= low > (edges ? above(c, d) : above(above(b, c), d));
        }
        apart |= under | over;
    }
    return apart;
}

/* The cubic times 3, in Bernstein form, and in *bound the sum of products that scales the errors. */
static inline void volume(bool edges, const points *p, double b[4], double *bound)
{
    double d[2][3], u[2][3], v[2][3], n0[3], n1[3], n2[3], more[3], corner[3], edge[3];
    for (int time = 0; time < 2; time++)
        for (int k = 0; k < 3; k++) {
            const double(*q)[3] = p->at[time];
            d[time][k] = q[edges ? 2 : 1][k] - q[0][k];
            u[time][k] = edges ? q[3][k] - q[2][k] : q[2][k] - q[1][k];
            v[time][k] = edges ? q[1][k] - q[0][k] : q[1][k] - q[3][k];
        }
    for (int k = 0; k < 3; k++) {
        corner[k] = above(fabs(d[0][k]), fabs(d[1][k]));
        edge[k] = above(above(fabs(u[0][k]), fabs(u[1][k])), above(fabs(v[0][k]), fabs(v[1][k])));
    }
    cross(u[0], v[0], n0);
    cross(u[0], v[1], n1);
    cross(u[1], v[0], more);
    cross(u[1], v[1], n2);
    for (int k = 0; k < 3; k++)
        n1[k] += more[k];
    b[0] = 3 * dot(d[0], n0);
    b[1] = dot(d[0], n1) + dot(d[1], n0);
    b[2] = dot(d[0], n2) + dot(d[1], n1);
    b[3] = 3 * dot(d[1], n2);
    *bound = corner[0] * edge[1] * edge[2] + edge[0] * corner[1] * edge[2] + edge[0] * edge[1] * corner[2];
}

/* The cubic at t, by de Casteljau's algorithm. */
static double value(const double b[4], double t)
{
    double s = 1 - t;
    double c0 = b[0] * s + b[1] * t, c1 = b[1] * s + b[2] * t, c2 = b[2] * s + b[3] * t;
    c0 = c0 * s + c1 * t;
    c1 = c1 * s + c2 * t;
    return c0 * s + c1 * t;
}

/* Is the origin inside the polygon at any time of [low, high], or at all of them, given that it is in the
 * plane then? */
static verdict inclusion(const bw_ccd_polygon *p, double low, double high)
{
    int n = p->corners;
    double t = 0.5 * (low + high), s = 1 - t, half = 0.5 * (high - low);
    double corner[BW_CCD_MAX_CORNERS][3], edge[BW_CCD_MAX_CORNERS][3], normal[3];
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            corner[i][k] = p->corner[0][i][k] * s + p->corner[1][i][k] * t;
            edge[i][k] = p->edge[0][i][k] * s + p->edge[1][i][k] * t;
        }
    cross(edge[n - 1], edge[0], normal);
    int k = fabs(normal[0]) >= fabs(normal[1]) ? (fabs(normal[0]) >= fabs(normal[2]) ? 0 : 2)
                                               : (fabs(normal[1]) >= fabs(normal[2]) ? 1 : 2);
    int i = (k + 1) % 3, j = (k + 2) % 3;
    /* Over a change of time of h a product of two linear functions below their maxima changes by at most
     * 4 h times the product of these. */
    double spread = 4.125 * half + AREA_ERROR;
    double normal_error = spread * 2 * (p->edge_max[i] * p->edge_max[j]);
    double area_error = spread * (p->corner_max[i] * p->edge_max[j] + p->corner_max[j] * p->edge_max[i]);
    bool oriented = fabs(normal[k]) > normal_error, inside = oriented, positive = false, negative = false;
    for (int c = 0; c < n; c++) {
        double area = corner[c][i] * edge[c][j] - corner[c][j] * edge[c][i];
        if (normal[k] < 0)
            area = -area;
        positive |= area > area_error;
        negative |= area < -area_error;
        inside &= area > area_error;
    }
    if (inside)
        return INSIDE;
    /* Parts of both signs are outside whatever the polygon's own. */
    return negative && (oriented || positive) ? OUTSIDE : UNSURE;
}

typedef struct bracket {
    double low, high;
} bracket;

/* The one root in [low, high], where the cubic has the sign `rising` (1: from below to above) for certain at
 * the ends or is known to have by the count of sign changes: to within the tolerance, by values of certain
 * sign. */
static bool bracket_root(const double b[4], double error, double low, double high, double rising,
                         double tolerance, bracket *out)
{
    double a1 = 3 * (b[1] - b[0]), a2 = 3 * (b[2] - 2 * b[1] + b[0]), a3 = (b[3] - b[0]) - 3 * (b[2] - b[1]);
    double x0 = low, x1 = high;
    double f0 = rising * value(b, low), f1 = rising * value(b, high);
    double t = f1 > f0 ? x0 - f0 * (x1 - x0) / (f1 - f0) : 0.5 * (x0 + x1), slope = 0;
    for (int step = 0; step < 60; step++) {
        if (!(t > x0 && t < x1))
            t = 0.5 * (x0 + x1);
        /* In powers of t: a guess needs no bound, the ends of the bracket are certified below. */
        double f = rising * (b[0] + t * (a1 + t * (a2 + t * a3)));
        slope = rising * (a1 + t * (2 * a2 + t * 3 * a3));
        if (f < 0)
            x0 = t;
        else
            x1 = t;
        double next = slope > 0 ? t - f / slope : 0.5 * (x0 + x1);
        /* So near a simple root one more of Newton's steps is the last. */
        if (slope > 0 && fabs(next - t) < 0x1p-24 && next > x0 && next < x1) {
            t = next;
            break;
        }
        if (x1 - x0 < 0x1p-48 || (slope > 0 && fabs(f) < 0.25 * error))
            break;
        /* Newton's steps that hardly shrink the bracket give way to halving. */
        t = step > 6 && (step & 1) != 0 ? 0.5 * (x0 + x1) : next;
    }
    /* As narrow as the error lets it be, so that as little as possible changes within. */
    double reach = slope > 0 ? above(4 * error / slope, 0x1p-44) : 0.125 * tolerance;
    for (; reach <= 0.5 * tolerance; reach *= 8) {
        double l = above(low, t - reach), h = below(high, t + reach);
        bool low_sure = l == low || rising * value(b, l) < -error;
        bool high_sure = h == high || rising * value(b, h) > error;
        if (low_sure && high_sure) {
            *out = (bracket){l, h};
            return true;
        }
    }
    return false;
}

typedef struct part {
    double b[4];
    double low, high;
} part;

/* Looks for the first contact through the roots of the cubic. */
static verdict through_roots(const bw_ccd_polygon *polygon, const double cubic[4], double bound,
                             double tolerance, bracket *out)
{
    enum { DEEPEST = 6 };
    double error = VOLUME_VALUE_ERROR * bound;
    part waiting[DEEPEST + 1] = {{{cubic[0], cubic[1], cubic[2], cubic[3]}, 0, 1}};
    int count = 1;
    while (count > 0) {
        part p = waiting[--count];
        int sign[4];
        for (int i = 0; i < 4; i++)
            sign[i] = p.b[i] > error ? 1 : p.b[i] < -error ? -1 : 0;
        if (sign[0] != 0 && sign[0] == sign[1] && sign[0] == sign[2] && sign[0] == sign[3])
            continue;
        if (sign[0] != 0 && sign[0] == -sign[3] && (sign[1] == sign[0] || sign[2] == sign[3])) {
            bracket root = {0, 0};
            if (!bracket_root(cubic, error, p.low, p.high, (double)sign[3], tolerance, &root))
                return UNSURE;
            verdict here = inclusion(polygon, root.low, root.high);
            if (here == OUTSIDE)
                continue;
            *out = root;
            return here;
        }
        double middle = 0.5 * (p.low + p.high);
        if (p.high - p.low < 1.5 / (1 << DEEPEST)) {
            if (inclusion(polygon, p.low, p.high) == OUTSIDE)
                continue;
            return UNSURE;
        }
        double c01 = 0.5 * (p.b[0] + p.b[1]), c12 = 0.5 * (p.b[1] + p.b[2]), c23 = 0.5 * (p.b[2] + p.b[3]);
        double c012 = 0.5 * (c01 + c12), c123 = 0.5 * (c12 + c23), c = 0.5 * (c012 + c123);
        waiting[count++] = (part){{c, c123, c23, p.b[3]}, middle, p.high};
        waiting[count++] = (part){{p.b[0], c01, c012, c}, p.low, middle};
    }
    return OUTSIDE;
}

/* Whether directions prove it away in each of a few parts of the interval. */
static bool apart_in_parts(const bw_ccd_polygon *polygon, double low, double high, int depth)
{
    if (bw_ccd_apart(polygon, low, high))
        return true;
    double middle = 0.5 * (low + high);
    return depth > 0 && apart_in_parts(polygon, low, middle, depth - 1) &&
           apart_in_parts(polygon, middle, high, depth - 1);
}

/* The later stages, for the few that reach them. */
static bw_ccd_result decide_further(const bw_ccd_kind *kind, const bw_vec3 start[4], const bw_vec3 end[4],
                                    const double cubic[4], double bound, double tolerance)
{
    bw_ccd_polygon polygon;
    bw_ccd_polygon_make(kind, start, end, &polygon);
    if (bound >= BW_CCD_VOLUME_MIN) {
        bracket root = {0, 0};
        verdict answer = through_roots(&polygon, cubic, bound, tolerance, &root);
        if (answer == OUTSIDE)
            return bw_ccd_never(false);
        if (answer == INSIDE)
            return (bw_ccd_result){BW_CCD_CONTACT, false, root.low, root.high};
    }
    if (apart_in_parts(&polygon, 0.0, 1.0, 3))
        return bw_ccd_never(false);
    return bw_ccd_decide_exact(kind, start, end);
}

/* Inlined for either kind, so that indices are constants. */
static inline bw_ccd_result decide(bool edges, const bw_ccd_kind *kind, const bw_vec3 start[4],
                                   const bw_vec3 end[4], double tolerance)
{
    points p = points_of(start, end);
    if (axis_apart(edges, &p))
        return bw_ccd_never(false);
    double b[4], bound;
    volume(edges, &p, b, &bound);
    double error = BW_CCD_VOLUME_ERROR * bound;
    if (bound >= BW_CCD_VOLUME_MIN && ((b[0] > error && b[1] > error && b[2] > error && b[3] > error) ||
                                       (b[0] < -error && b[1] < -error && b[2] < -error && b[3] < -error)))
        return bw_ccd_never(false);
    return decide_further(kind, start, end, b, bound, tolerance);
}

bw_ccd_result bw_ccd_decide(const bw_ccd_kind *kind, const bw_vec3 start[4], const bw_vec3 end[4],
                            double tolerance)
{
    return kind == &bw_ccd_edge_edge_kind ? decide(true, kind, start, end, tolerance)
                                          : decide(false, kind, start, end, tolerance);
}

/* ---- Public functions ---- */

static inline bool sound(const bw_vec3 *p)
{
    double x = fabs(p->x), y = fabs(p->y), z = fabs(p->z);
    return (int)((x <= BW_EXACT_MAX) & (y <= BW_EXACT_MAX) & (z <= BW_EXACT_MAX) &
                 ((x >= BW_EXACT_MIN) | (x == 0)) & ((y >= BW_EXACT_MIN) | (y == 0)) &
                 ((z >= BW_EXACT_MIN) | (z == 0))) != 0;
}

static bw_result check_points(const bw_vec3 start[4], const bw_vec3 end[4])
{
    bool good = true;
    for (int i = 0; i < 4; i++)
        good = sound(&start[i]) && sound(&end[i]) && good;
    if (good)
        return BW_OK;
    for (int i = 0; i < 8; i++) {
        const bw_vec3 *p = i < 4 ? &start[i] : &end[i - 4];
        if (!isfinite(p->x) || !isfinite(p->y) || !isfinite(p->z))
            return BW_ERROR_NOT_FINITE;
    }
    return BW_ERROR_RANGE;
}

static bw_result check(const bw_vec3 start[4], const bw_vec3 end[4], const bw_ccd_desc *desc, const void *out)
{
    if (start == NULL || end == NULL || out == NULL)
        return BW_ERROR_ARGUMENT;
    if (desc != NULL) {
        if (!(desc->separation >= 0 && desc->separation <= BW_EXACT_MAX) ||
            !(desc->tolerance == 0 || (desc->tolerance >= 0x1p-50 && desc->tolerance <= 1)))
            return BW_ERROR_ARGUMENT;
    }
    return check_points(start, end);
}

static bw_result answer(const bw_ccd_kind *kind, const bw_vec3 start[4], const bw_vec3 end[4],
                        const bw_ccd_desc *desc, bw_ccd_result *out)
{
    bw_result result = check(start, end, desc, out);
    if (result != BW_OK)
        return result;
    double tolerance = desc == NULL || desc->tolerance == 0 ? BW_CCD_TOLERANCE : desc->tolerance;
    if (desc != NULL && desc->separation > 0)
        *out = bw_ccd_decide_near(kind, start, end, desc->separation, tolerance);
    else
        *out = bw_ccd_decide(kind, start, end, tolerance);
    return BW_OK;
}

bw_result bw_ccd_vertex_face(const bw_vec3 start[4], const bw_vec3 end[4], const bw_ccd_desc *desc,
                             bw_ccd_result *out)
{
    return answer(&bw_ccd_vertex_face_kind, start, end, desc, out);
}

bw_result bw_ccd_edge_edge(const bw_vec3 start[4], const bw_vec3 end[4], const bw_ccd_desc *desc,
                           bw_ccd_result *out)
{
    return answer(&bw_ccd_edge_edge_kind, start, end, desc, out);
}
