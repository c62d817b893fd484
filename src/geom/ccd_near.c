/* The first time at which a moving polygon (geom/ccd.h) comes within a distance of the origin.
 *
 * A direction along which all corners are farther than the distance at both ends of an interval proves the
 * whole interval, because corners move linearly. The direction towards the nearest point at the middle of an
 * interval is the best guess; as the interval shrinks the direction turns by less and the proof succeeds for
 * all but contacts. So intervals are halved, the earlier half first, down to the tolerance. Sliding along at
 * a constant distance is proven in one step, which steps of conservative advancement never do.
 */
#include "geom/ccd.h"
#include "geom/polynomial.h"

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Nearest point to the origin of the segment from a to b. */
static void nearest_on_segment(const double a[3], const double b[3], double out[3])
{
    double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    double length2 = dot(d, d), t = length2 > 0 ? -dot(a, d) / length2 : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    for (int k = 0; k < 3; k++)
        out[k] = a[k] + t * d[k];
}

/* About the nearest point to the origin of the polygon at a time: a point of it, up to rounding. */
static void nearest(const bw_ccd_polygon *p, double t, double out[3])
{
    int n = p->corners;
    double corner[BW_CCD_MAX_CORNERS][3], edge[2][3], normal[3];
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            corner[i][k] = p->corner[0][i][k] * (1 - t) + p->corner[1][i][k] * t;
    for (int k = 0; k < 3; k++) {
        edge[0][k] = corner[1][k] - corner[0][k];
        edge[1][k] = corner[n - 1][k] - corner[0][k];
    }
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        normal[k] = edge[0][i] * edge[1][j] - edge[0][j] * edge[1][i];
    }
    double length2 = dot(normal, normal);
    bool inside = length2 > 0;
    double best2 = INFINITY;
    for (int i = 0; i < n; i++) {
        const double *a = corner[i], *b = corner[(i + 1) % n];
        double point[3];
        nearest_on_segment(a, b, point);
        double d2 = dot(point, point);
        if (d2 < best2) {
            best2 = d2;
            for (int k = 0; k < 3; k++)
                out[k] = point[k];
        }
        double side = 0;
        for (int k = 0; k < 3; k++) {
            int c = (k + 1) % 3, d = (k + 2) % 3;
            side += normal[k] * (a[c] * b[d] - a[d] * b[c]);
        }
        inside &= side >= 0;
    }
    if (!inside)
        return;
    double along = dot(normal, corner[0]) / length2;
    if (along * along * length2 < best2)
        for (int k = 0; k < 3; k++)
            out[k] = along * normal[k];
}

/* The distance at a time is for certain at most that given. The nearest point found belongs to the polygon up
 * to rounding, whatever its rank. */
static bool certainly_near(const bw_ccd_polygon *p, double t, double separation)
{
    double point[3];
    nearest(p, t, point);
    double size = p->corner_max[0] + p->corner_max[1] + p->corner_max[2];
    return sqrt(dot(point, point)) + 0x1p-40 * size <= separation;
}

bw_ccd_result bw_ccd_decide_near(const bw_ccd_kind *kind, const bw_vec3 start[4], const bw_vec3 end[4],
                                 double separation, double tolerance)
{
    enum { DEPTH = 52, MOST = 600 };
    bw_ccd_polygon polygon;
    bw_ccd_polygon_make(kind, start, end, &polygon);
    /* Of the halves of [0, 1], each a multiple of its length: where we are, and how long a step may be. */
    uint64_t at = 0, length = BW_CCD_GRID;
    const double unit = 1.0 / (double)BW_CCD_GRID;
    bool exhausted = false;
    for (int steps = 0; at < BW_CCD_GRID; steps++) {
        double low = (double)at * unit, high = (double)(at + length) * unit, point[3];
        nearest(&polygon, 0.5 * (low + high), point);
        double size = fabs(point[0]) + fabs(point[1]) + fabs(point[2]);
        if (size >= 0x1p-300 && size <= 0x1p304) {
            for (int k = 0; k < 3; k++)
                point[k] /= size;
            if (bw_ccd_separates(&polygon, point, low, high, separation)) {
                at += length;
                /* As far again as the place in the binary grid allows. */
                while (at < BW_CCD_GRID && (at & (2 * length - 1)) == 0 && 2 * length <= BW_CCD_GRID - at)
                    length *= 2;
                continue;
            }
        }
        exhausted = steps >= MOST;
        if (exhausted || high - low <= tolerance || length == 1) {
            bool sure =
                certainly_near(&polygon, low, separation) || certainly_near(&polygon, high, separation);
            return (bw_ccd_result){sure && !exhausted ? BW_CCD_CONTACT : BW_CCD_CLOSE, false, low, high};
        }
        length /= 2;
    }
    return bw_ccd_never(false);
}
