/* The first time at which a moving polygon (geom/ccd/ccd.h) comes within a distance of the origin.
 *
 * Along a fixed direction the corners move linearly: where all are farther than the distance, the time at
 * which the first of them is not any more is the root of a line, and until then the polygon keeps away. So
 * the direction towards the nearest point is followed as far as it proves, then the next one: conservative
 * advancement with the exact bound of a direction instead of a bound on speeds. Sliding along at a constant
 * distance is proven in one step.
 */
#include "geom/ccd/filter.h"
#include "geom/ccd/lanes_one.h"

/* Up to which time (2: for ever) a direction proves that all corners are farther than the distance, from
 * `low` on; low itself where it proves nothing. */
static double proven_until(const bw_ccd_polygon *p, const vec *g, double low, double distance)
{
    double scale = 0, length = sqrt(v_dot(g, g)), until = 2;
    for (int k = 0; k < 3; k++)
        scale += fabs(g->c[k]) * p->corner_max[k];
    if (!(length >= 0x1p-400 && scale >= 0x1p-800 && scale <= 0x1p1000))
        return low;
    double needed = BW_CCD_AWAY_ERROR * scale + distance * length * (1 + BW_CCD_AWAY_ERROR);
    for (int i = 0; i < p->corners; i++) {
        const double *a = p->corner[0][i], *b = p->corner[1][i];
        double start = g->c[0] * a[0] + g->c[1] * a[1] + g->c[2] * a[2];
        double end = g->c[0] * b[0] + g->c[1] * b[1] + g->c[2] * b[2];
        double here = start * (1 - low) + end * low;
        if (!(here > needed))
            return low;
        double here_until = end < start ? low + (here - needed) / (start - end) : 2;
        until = here_until < until ? here_until : until;
    }
    return until;
}

static void corners_at(const bw_ccd_polygon *p, double t, vec out[BW_CCD_MAX_CORNERS])
{
    for (int i = 0; i < p->corners; i++)
        for (int k = 0; k < 3; k++)
            out[i].c[k] = p->corner[0][i][k] * (1 - t) + p->corner[1][i][k] * t;
}

/* As far as the direction to the nearest point at a time proves. */
static double follow(const bw_ccd_polygon *p, const vec *corner, double low, double distance)
{
    vec g = towards_nearest(corner, p->corners);
    double size = fabs(g.c[0]) + fabs(g.c[1]) + fabs(g.c[2]);
    if (!(size >= 0x1p-1000 && size <= 0x1p1000))
        return low;
    for (int k = 0; k < 3; k++)
        g.c[k] /= size;
    return proven_until(p, &g, low, distance);
}

/* A time after another, by less than the tolerance however the sum is rounded. */
static double bracket_end(double low, double tolerance)
{
    double end = low + 0.75 * tolerance;
    return end < 1 ? end : 1;
}

bw_ccd_result bw_ccd_advance(const bw_ccd_kind *kind, const bw_vec3 start[4], const bw_vec3 end[4],
                             double separation, double tolerance, double latest)
{
    enum { MOST = 600 };
    bw_ccd_polygon polygon;
    bw_ccd_polygon_make(kind, start, end, &polygon);
    vec corner[BW_CCD_MAX_CORNERS];
    double low = 0, step = 1; /* until low it keeps away; how far a direction may reach next */
    for (int steps = 0; steps < MOST; steps++) {
        double after = bracket_end(low, tolerance);
        corners_at(&polygon, after, corner);
        if (certainly_near(corner, polygon.corners, separation))
            return (bw_ccd_result){BW_CCD_CONTACT, false, low, after};
        double until = follow(&polygon, corner, low, separation);
        if (until < low + step) {
            /* The nearest point moves too much: the one in the middle of what is tried next. */
            double from = until, middle = from + 0.5 * step < 1 ? from + 0.5 * step : 1;
            corners_at(&polygon, middle, corner);
            until = follow(&polygon, corner, from, separation);
            if (until == low && step <= tolerance)
                break;
            step *= until - from < step ? 0.5 : 2;
            step = step > tolerance ? step : tolerance;
        }
        if (until >= 1 || until > latest)
            return bw_ccd_never(false);
        low = until;
    }
    return (bw_ccd_result){BW_CCD_CLOSE, false, low, bracket_end(low, tolerance)};
}

bw_ccd_result bw_ccd_decide_near(const bw_ccd_kind *kind, const bw_vec3 start[4], const bw_vec3 end[4],
                                 double separation, double tolerance)
{
    bool edges = kind == &bw_ccd_edge_edge_kind, near;
    const bw_ccd_separation near_by = {.all = separation};
    bw_ccd_path paths[4];
    bw_ccd_four query;
    uint32_t which;
    for (int i = 0; i < 4; i++) {
        paths[i] = (bw_ccd_path){{start[i].x, start[i].y, start[i].z, 0, end[i].x, end[i].y, end[i].z, 0}};
        query.p[i] = &paths[i];
    }
    if (bw_ccd_filter(edges, &query, 1, &near_by, BW_SIMD_128, &which) == 0)
        return bw_ccd_never(false);
    bw_ccd_near_start(edges, &query, &which, 1, &near_by, BW_SIMD_128, &near);
    return near ? (bw_ccd_result){BW_CCD_CONTACT, false, 0, 0}
                : bw_ccd_advance(kind, start, end, separation, tolerance, 1);
}
