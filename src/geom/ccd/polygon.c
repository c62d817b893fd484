/* The polygon of differences (geom/ccd/ccd.h), rounded, and directions that separate it from the origin. */
#include "geom/ccd/ccd.h"

/* Corners around the polygon: face corner minus vertex. */
const bw_ccd_kind bw_ccd_vertex_face_kind = {3, {{1, 0}, {2, 0}, {3, 0}}, {{2, 1}, {3, 2}, {1, 3}}};
/* b0 - a0, b1 - a0, b1 - a1, b0 - a1: a parallelogram. */
const bw_ccd_kind bw_ccd_edge_edge_kind = {
    4, {{2, 0}, {3, 0}, {3, 1}, {2, 1}}, {{3, 2}, {0, 1}, {2, 3}, {1, 0}}};

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

void bw_ccd_polygon_make(const bw_ccd_kind *kind, const bw_vec3 start[4], const bw_vec3 end[4],
                         bw_ccd_polygon *out)
{
    out->corners = kind->corners;
    for (int k = 0; k < 3; k++)
        out->corner_max[k] = out->edge_max[k] = 0;
    for (int i = 0; i < kind->corners; i++)
        for (int time = 0; time < 2; time++) {
            const bw_vec3 *p = time == 0 ? start : end;
            bw_ccd_corner c = kind->corner[i], e = kind->edge[i];
            double *corner = out->corner[time][i], *edge = out->edge[time][i];
            corner[0] = p[c.first].x - p[c.second].x;
            corner[1] = p[c.first].y - p[c.second].y;
            corner[2] = p[c.first].z - p[c.second].z;
            edge[0] = p[e.first].x - p[e.second].x;
            edge[1] = p[e.first].y - p[e.second].y;
            edge[2] = p[e.first].z - p[e.second].z;
            for (int k = 0; k < 3; k++) {
                out->corner_max[k] = larger(out->corner_max[k], fabs(corner[k]));
                out->edge_max[k] = larger(out->edge_max[k], fabs(edge[k]));
            }
        }
}

/* Whether a direction proves that the polygon keeps away from the origin from time t0 to t1: every corner on
 * its positive side at both ends. */
static bool separates(const bw_ccd_polygon *polygon, const double direction[3], double t0, double t1)
{
    double scale = fabs(direction[0]) * polygon->corner_max[0] + fabs(direction[1]) * polygon->corner_max[1] +
                   fabs(direction[2]) * polygon->corner_max[2];
    double needed = 16 * BW_ROUNDOFF * scale;
    /* Far from where products could lose bits to underflow, or overflow. */
    if (!(scale >= 0x1p-800 && scale <= 0x1p1000))
        return false;
    for (int i = 0; i < polygon->corners; i++) {
        double along[2];
        for (int time = 0; time < 2; time++) {
            const double *c = polygon->corner[time][i];
            along[time] = direction[0] * c[0] + direction[1] * c[1] + direction[2] * c[2];
        }
        if (!(along[0] * (1 - t0) + along[1] * t0 > needed && along[0] * (1 - t1) + along[1] * t1 > needed))
            return false;
    }
    return true;
}

static void lerp(const bw_ccd_polygon *polygon, double t, int corner, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = polygon->corner[0][corner][k] * (1 - t) + polygon->corner[1][corner][k] * t;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static bool separates_signed(const bw_ccd_polygon *polygon, double direction[3], double t0, double t1,
                             const double towards[3])
{
    if (dot(direction, towards) < 0)
        for (int k = 0; k < 3; k++)
            direction[k] = -direction[k];
    return separates(polygon, direction, t0, t1);
}

bool bw_ccd_separated(const bw_ccd_polygon *polygon, double t0, double t1)
{
    int n = polygon->corners;
    double middle = 0.5 * (t0 + t1), corner[BW_CCD_MAX_CORNERS][3], edge[3], last[3], normal[3], direction[3];
    for (int i = 0; i < n; i++)
        lerp(polygon, middle, i, corner[i]);
    for (int k = 0; k < 3; k++) {
        edge[k] = corner[1][k] - corner[0][k];
        last[k] = corner[n - 1][k] - corner[0][k];
    }
    cross(edge, last, normal);
    for (int k = 0; k < 3; k++)
        direction[k] = normal[k];
    if (separates_signed(polygon, direction, t0, t1, corner[0]))
        return true;
    /* A point in the plane of a convex polygon and outside it is so across one of its edges. */
    for (int i = 0; i < n; i++) {
        const double *a = corner[i], *b = corner[(i + 1) % n];
        for (int k = 0; k < 3; k++)
            edge[k] = b[k] - a[k];
        cross(normal, edge, direction);
        if (separates(polygon, direction, t0, t1))
            return true;
    }
    /* A segment, or nearly: across it in the direction of the origin, and along it. */
    int longest = 0;
    double length2 = 0;
    for (int i = 1; i < n; i++) {
        for (int k = 0; k < 3; k++)
            edge[k] = corner[i][k] - corner[0][k];
        if (dot(edge, edge) > length2) {
            length2 = dot(edge, edge);
            longest = i;
        }
    }
    for (int k = 0; k < 3; k++)
        edge[k] = corner[longest][k] - corner[0][k];
    double along = length2 > 0 ? dot(edge, corner[0]) / length2 : 0;
    for (int k = 0; k < 3; k++)
        direction[k] = corner[0][k] - along * edge[k];
    if (separates(polygon, direction, t0, t1))
        return true;
    if (length2 > 0 && separates_signed(polygon, edge, t0, t1, corner[0]))
        return true;
    /* The origin beyond a corner, however thin the polygon. */
    int nearest = 0;
    for (int i = 1; i < n; i++)
        if (dot(corner[i], corner[i]) < dot(corner[nearest], corner[nearest]))
            nearest = i;
    return separates(polygon, corner[nearest], t0, t1);
}
