/* The oriented box of a set of primitives (Gottschalk, Lin, Manocha 1996, section 4): its axes are the
 * eigenvectors of the covariance of the triangles' surface, so that the density of the tessellation does not
 * turn the box, and its extents those of the corners. A single triangle has its longest edge and its normal
 * as axes, which gives its smallest box without any equation to solve. Rounding may turn the axes a little;
 * nothing depends on that, as the extents are taken along the floats that are stored, and raised by more than
 * their error. */
#include "tree/reference/obb/obb.h"

#include "geom/box.h"
#include "geom/vec.h"

static void add_products(double sum[6], bw_vec3 p, double weight)
{
    bw_vec3 w = bw_vec3_scale(p, weight);
    sum[0] += w.x * p.x;
    sum[1] += w.y * p.y;
    sum[2] += w.z * p.z;
    sum[3] += w.x * p.y;
    sum[4] += w.y * p.z;
    sum[5] += w.z * p.x;
}

/* A triangle's second moment over its area about its centroid is the sum of p p^T over its corners, over 12.
 */
void bw_obb_item_measure(bw_obb_item *item, double unit, bool point)
{
    bw_vec3 centroid = bw_vec3_scale(bw_obb_item_sum(item), 1.0 / 3), p[3];
    for (int c = 0; c < 3; c++)
        p[c] = bw_vec3_scale(bw_vec3_sub(item->corner[c], centroid), unit);
    bw_vec3 cross = bw_vec3_cross(bw_vec3_sub(p[1], p[0]), bw_vec3_sub(p[2], p[0]));
    item->weight = point ? 1.0 : sqrt(bw_vec3_dot(cross, cross));
    for (int k = 0; k < 6; k++)
        item->spread[k] = 0.0;
    for (int c = 0; c < 3 && !point; c++)
        add_products(item->spread, p[c], item->weight / 12);
}

typedef struct moments {
    double weight;
    bw_vec3 first;
    double second[6]; /* as bw_obb_item.spread */
} moments;

/* Relative to a corner of the set, times unit: squares do not cancel, overflow or vanish. */
static moments moments_by_area(const bw_obb_item *items, uint32_t count, double unit)
{
    moments m = {0};
    for (uint32_t i = 0; i < count; i++) {
        const bw_obb_item *item = &items[i];
        bw_vec3 centroid = bw_vec3_scale(bw_obb_item_sum(item), 1.0 / 3);
        centroid = bw_vec3_scale(bw_vec3_sub(centroid, items[0].corner[0]), unit);
        m.weight += item->weight;
        m.first = bw_vec3_add(m.first, bw_vec3_scale(centroid, item->weight));
        for (int k = 0; k < 6; k++)
            m.second[k] += item->spread[k];
        add_products(m.second, centroid, item->weight);
    }
    return m;
}

/* For triangles without area: each corner counts the same. */
static moments moments_by_corner(const bw_obb_item *items, uint32_t count, double unit)
{
    moments m = {.weight = 3.0 * count};
    for (uint32_t i = 0; i < count; i++) {
        for (int c = 0; c < 3; c++) {
            bw_vec3 p = bw_vec3_scale(bw_vec3_sub(items[i].corner[c], items[0].corner[0]), unit);
            m.first = bw_vec3_add(m.first, p);
            add_products(m.second, p, 1.0);
        }
    }
    return m;
}

/* One rotation of Jacobi's method in the plane of p and q, r the third axis, that makes a[p][q] vanish. */
static void rotate(double a[3][3], double v[3][3], int p, int q)
{
    if (a[p][q] == 0.0)
        return;
    double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    double t = 1 / (fabs(theta) + sqrt(theta * theta + 1));
    t = theta < 0 ? -t : t;
    double c = 1 / sqrt(t * t + 1), s = t * c;
    int r = 3 - p - q;
    a[p][p] -= t * a[p][q];
    a[q][q] += t * a[p][q];
    a[p][q] = a[q][p] = 0.0;
    double rp = a[r][p], rq = a[r][q];
    a[r][p] = a[p][r] = c * rp - s * rq;
    a[r][q] = a[q][r] = s * rp + c * rq;
    for (int k = 0; k < 3; k++) {
        double x = v[p][k], y = v[q][k];
        v[p][k] = c * x - s * y;
        v[q][k] = s * x + c * y;
    }
}

/* Rows of v become the eigenvectors of the symmetric a. Convergence is quadratic: eight sweeps are more than
 * enough, and were they not, the rows would still be orthonormal, which is all that a valid box needs. */
static void principal_axes(double a[3][3], double v[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            v[i][j] = i == j;
    for (int sweep = 0; sweep < 8; sweep++) {
        double off = fabs(a[0][1]) + fabs(a[1][2]) + fabs(a[2][0]);
        if (!(off > 0x1p-30 * (fabs(a[0][0]) + fabs(a[1][1]) + fabs(a[2][2]))))
            break;
        rotate(a, v, 0, 1);
        rotate(a, v, 1, 2);
        rotate(a, v, 0, 2);
    }
}

static void set_axes(bw_obb_node *box, double v[3][3])
{
    for (int i = 0; i < 3; i++) {
        double length = sqrt(v[i][0] * v[i][0] + v[i][1] * v[i][1] + v[i][2] * v[i][2]);
        for (int k = 0; k < 3; k++)
            box->axis[i][k] = (float)(v[i][k] / length);
    }
}

static void axes_of_moments(bw_obb_node *box, const moments *m)
{
    double covariance[3][3], v[3][3];
    double mean[3] = {m->first.x / m->weight, m->first.y / m->weight, m->first.z / m->weight};
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3;
        covariance[k][k] = m->second[k] / m->weight - mean[k] * mean[k];
        covariance[k][next] = covariance[next][k] = m->second[3 + k] / m->weight - mean[k] * mean[next];
    }
    principal_axes(covariance, v);
    set_axes(box, v);
}

/* False where it has no area to speak of. */
static bool axes_of_triangle(bw_obb_node *box, const bw_obb_item *item, double unit)
{
    bw_vec3 edge[3];
    int longest = 0;
    for (int i = 0; i < 3; i++) {
        edge[i] = bw_vec3_scale(bw_vec3_sub(item->corner[(i + 1) % 3], item->corner[i]), unit);
        if (bw_vec3_dot(edge[i], edge[i]) > bw_vec3_dot(edge[longest], edge[longest]))
            longest = i;
    }
    bw_vec3 along = edge[longest], normal = bw_vec3_cross(along, edge[(longest + 1) % 3]);
    double square = bw_vec3_dot(along, along);
    /* Below this the rounding of the cross product could turn the normal towards the edge. */
    if (!(square > 0x1p-200 && bw_vec3_dot(normal, normal) > 0x1p-60 * square * square))
        return false;
    bw_vec3 across = bw_vec3_cross(normal, along);
    double v[3][3] = {
        {along.x, along.y, along.z}, {across.x, across.y, across.z}, {normal.x, normal.y, normal.z}};
    set_axes(box, v);
    return true;
}

bw_obb_frame bw_obb_frame_of(const bw_obb_node *node)
{
    bw_obb_frame frame;
    double determinant = 0.0;
    for (int i = 0; i < 3; i++) {
        const float *a = node->axis[(i + 1) % 3], *b = node->axis[(i + 2) % 3];
        for (int k = 0; k < 3; k++) {
            int l = (k + 1) % 3, m = (k + 2) % 3;
            frame.inverse[i][k] = (double)a[l] * (double)b[m] - (double)a[m] * (double)b[l];
        }
        frame.centre[i] = (double)node->centre[i];
    }
    for (int k = 0; k < 3; k++)
        determinant += frame.inverse[0][k] * (double)node->axis[0][k];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            frame.inverse[i][k] /= determinant;
    return frame;
}

/* Extents along the axes, about a centre that is rounded to floats. */
static void set_extents(bw_obb_node *box, const bw_obb_item *items, uint32_t count, double slack)
{
    bw_obb_frame frame = bw_obb_frame_of(box);
    double low[3], high[3], shift[3];
    for (int k = 0; k < 3; k++) {
        frame.centre[k] = bw_vec3_at(&items[0].corner[0], k);
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (uint32_t i = 0; i < count; i++) {
        for (int c = 0; c < 3; c++) {
            double y[3];
            bw_obb_coordinates(&frame, &items[i].corner[c], y);
            for (int k = 0; k < 3; k++) {
                low[k] = y[k] < low[k] ? y[k] : low[k];
                high[k] = y[k] > high[k] ? y[k] : high[k];
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        double centre = frame.centre[k];
        for (int i = 0; i < 3; i++)
            centre += 0.5 * (low[i] + high[i]) * (double)box->axis[i][k];
        box->centre[k] = (float)centre;
    }
    bw_vec3 centre = {(double)box->centre[0], (double)box->centre[1], (double)box->centre[2]};
    bw_obb_coordinates(&frame, &centre, shift);
    for (int k = 0; k < 3; k++) {
        double up = high[k] - shift[k], down = shift[k] - low[k];
        box->half[k] = bw_float_up((up > down ? up : down) + slack);
    }
}

/* slack: a point and a centre are each within twice the bounds' reach, and an extent takes the coordinates of
 * two points and must satisfy whoever compares it with a third by bw_obb_error: four errors of 2^-47 * 4
 * reach together. */
bw_obb_scale bw_obb_scale_of(const bw_box *bounds)
{
    double size = 0.0, reach = 0.0;
    for (int k = 0; k < 3; k++) {
        size = fmax(size, (double)bounds->max[k] - (double)bounds->min[k]);
        reach += fmax(fabs((double)bounds->min[k]), fabs((double)bounds->max[k]));
    }
    int exponent = 0;
    frexp(size, &exponent);
    return (bw_obb_scale){ldexp(1.0, -exponent), 0x1p-43 * reach};
}

void bw_obb_fit_items(const bw_obb_item *items, uint32_t count, const bw_obb_scale *scale, bw_obb_fit *out)
{
    if (count > 1 || !axes_of_triangle(&out->box, items, scale->unit)) {
        moments m = moments_by_area(items, count, scale->unit);
        if (!(m.weight > 0.0))
            m = moments_by_corner(items, count, scale->unit);
        axes_of_moments(&out->box, &m);
    }
    set_extents(&out->box, items, count, scale->slack);
    bw_vec3 sum = {0, 0, 0};
    for (uint32_t i = 0; i < count; i++)
        sum = bw_vec3_add(sum, bw_obb_item_sum(&items[i]));
    out->mean = bw_vec3_scale(sum, 1.0 / count);
}

bw_box bw_obb_box(const bw_obb_node *node)
{
    bw_box box;
    for (int k = 0; k < 3; k++) {
        double reach = 0.0;
        for (int i = 0; i < 3; i++)
            reach += fabs((double)node->axis[i][k]) * (double)node->half[i];
        double centre = (double)node->centre[k], slack = 0x1p-50 * (reach + fabs(centre));
        box.min[k] = bw_float_down(centre - reach - slack);
        box.max[k] = bw_float_up(centre + reach + slack);
    }
    return box;
}
