/* The first contact of a moving polygon with the origin (geom/ccd/ccd.h) in exact integers.
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
#include "geom/ccd/lattice.h"

/* ---- Is the origin inside at a candidate time? ---- */

typedef struct search {
    const bw_lattice_polygon *polygon;
    const bw_ccd_guide *guide;  /* for cells with one root of the cubic; NULL: none */
    int zero_i, zero_j, zero_k; /* the area whose root the candidates are: it is zero there; -1: another */
    bool found;
    bool certain;
    bw_grid_time where;
} search;

/* Component k of twice the area of the triangle (origin, corner i, corner j). */
static int area_sign(search *s, int i, int j, int k, const bw_grid_time *where)
{
    if (i == s->zero_i && j == s->zero_j && k == s->zero_k)
        return 0;
    bw_polynomial area;
    bw_lattice_cross(&area, &s->polygon->corner[i], &s->polygon->corner[j], k);
    return bw_polynomial_sign(&area, where);
}

/* All corners strictly on one side along an axis. */
static bool axis_separates(search *s, const bw_grid_time *where)
{
    for (int k = 0; k < 3; k++) {
        int positive = 0, negative = 0;
        for (int i = 0; i < s->polygon->corners; i++) {
            bw_polynomial line;
            bw_lattice_coordinate(&line, &s->polygon->corner[i], k);
            int sign = bw_polynomial_sign(&line, where);
            positive += sign == 1;
            negative += sign == -1;
        }
        if (positive == s->polygon->corners || negative == s->polygon->corners)
            return true;
    }
    return false;
}

/* A polygon that is a segment or a point contains the origin only if it is on one line with all corners. */
static bool off_the_line(search *s, const bw_grid_time *where, bool *unknown)
{
    for (int i = 0; i < s->polygon->corners; i++)
        for (int j = i + 1; j < s->polygon->corners; j++)
            for (int k = 0; k < 3; k++) {
                int sign = area_sign(s, i, j, k, where);
                if (sign == BW_SIGN_UNKNOWN)
                    *unknown = true;
                else if (sign != 0)
                    return true;
            }
    return false;
}

/* A visit: remembers the first candidate at which the origin is in the polygon or cannot be told from it. */
static bool contains_origin(void *context, const bw_grid_time *where)
{
    search *s = context;
    if (axis_separates(s, where))
        return false;
    int n = s->polygon->corners;
    bool flat = true, certain = false, unknown = false;
    for (int k = 0; k < 3 && !certain; k++) {
        bw_polynomial area;
        bw_lattice_cross(&area, &s->polygon->first, &s->polygon->last, k);
        int own = bw_polynomial_sign(&area, where);
        if (own == 0)
            continue;
        flat = false;
        /* Whatever the polygon's own sign: with parts of both signs the origin is outside. */
        int positive = 0, negative = 0, unsure = 0;
        for (int i = 0; i < n; i++) {
            int sign = area_sign(s, i, (i + 1) % n, k, where);
            positive += sign == 1;
            negative += sign == -1;
            unsure += sign == BW_SIGN_UNKNOWN;
        }
        if ((positive > 0 && negative > 0) || (own == 1 && negative > 0) || (own == -1 && positive > 0))
            return false;
        certain = own != BW_SIGN_UNKNOWN && unsure == 0;
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

/* The same for roots of the cubic. */
static bool contains_origin_there(void *context, const bw_grid_time *where)
{
    search *s = context;
    if (s->guide == NULL || !where->cell || where->cluster)
        return contains_origin(s, where);
    const double unit = 1.0 / (double)BW_CCD_GRID;
    verdict here =
        s->guide->inside(s->guide->context, (double)where->low * unit, (double)(where->low + 1) * unit);
    if (here == UNSURE)
        return contains_origin(s, where);
    s->found = s->certain = here == INSIDE;
    s->where = *where;
    return s->found;
}

/* Looks at the roots of one polynomial and keeps the earliest contact. */
static void earliest(search *s, const bw_polynomial *p)
{
    search attempt = *s;
    attempt.found = false;
    if (!bw_polynomial_visit_roots(p, contains_origin, &attempt))
        return;
    uint64_t now = 2 * attempt.where.low + attempt.where.cell, best = 2 * s->where.low + s->where.cell;
    /* A contact that is certain is said to be so, where both are one. */
    if (!s->found || now < best || (now == best && attempt.certain))
        *s = attempt;
}

static void line_roots(search *s, int corner)
{
    for (int k = 0; k < 3; k++) {
        bw_polynomial line;
        bw_lattice_coordinate(&line, &s->polygon->corner[corner], k);
        if (!bw_polynomial_is_zero(&line))
            earliest(s, &line);
    }
}

static void corner_pair(search *s, int i, int j, int k, bw_polynomial *out)
{
    bw_lattice_cross(out, &s->polygon->corner[i], &s->polygon->corner[j], k);
}

/* The origin is always in the polygon's plane. It enters through the boundary, so the first contact is a root
 * of an edge's area, or, where such an area is always zero, of a coordinate of that edge's ends. */
static void always_coplanar(search *s)
{
    int n = s->polygon->corners;
    bw_polynomial p;
    for (int k = 0; k < 3; k++) {
        bw_lattice_cross(&p, &s->polygon->first, &s->polygon->last, k);
        if (bw_polynomial_is_zero(&p))
            continue;
        for (int i = 0; i < n; i++) {
            corner_pair(s, i, (i + 1) % n, k, &p);
            if (!bw_polynomial_is_zero(&p)) {
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
                if (!bw_polynomial_is_zero(&p)) {
                    earliest(s, &p);
                    return;
                }
            }
    for (int i = 0; i < n; i++)
        line_roots(s, i);
}

bw_ccd_result bw_ccd_decide_exact(const bw_ccd_kind *kind, const bw_vec3 start[4], const bw_vec3 end[4],
                                  const bw_ccd_guide *guide)
{
    bw_lattice_polygon polygon;
    bw_lattice_polygon_make(kind, start, end, &polygon);
    search s = {.polygon = &polygon, .guide = guide, .zero_i = -1, .found = false};
    bw_polynomial volume;
    bw_lattice_volume(&volume, &polygon.corner[0], &polygon.first, &polygon.last);
    /* In the plane at time 0 already, and inside? */
    bool now = volume.c[0].sign == 0 && contains_origin(&s, &(bw_grid_time){0, false, false});
    if (!now && bw_polynomial_is_zero(&volume))
        always_coplanar(&s);
    else if (!now)
        bw_polynomial_visit_roots(&volume, contains_origin_there, &s);
    if (!s.found)
        return bw_ccd_never(true);
    const double unit = 1.0 / (double)BW_CCD_GRID;
    return (bw_ccd_result){s.certain ? BW_CCD_CONTACT : BW_CCD_CLOSE, true, (double)s.where.low * unit,
                           (double)(s.where.low + s.where.cell) * unit};
}
