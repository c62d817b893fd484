/* The oriented box of a set of primitives (Gottschalk, Lin, Manocha 1996, section 4): its axes are the
 * eigenvectors of the covariance of the triangles' surface, so that the density of the tessellation does not
 * turn the box, and its extents those of the corners. Rounding may turn the axes a little; nothing depends on
 * that, as the extents are taken along the floats that are stored, and raised by more than their error. */
#include "tree/obb.h"

#include "geom/box.h"
#include "geom/vec.h"
#include "mesh/view.h"

typedef struct moments {
    double weight;
    double first[3], second[6]; /* xx, yy, zz, xy, yz, zx */
} moments;

/* Coordinates relative to the middle of the set and of size one: no square overflows, vanishes or cancels. */
typedef struct unit {
    double middle[3], factor;
} unit;

static void to_unit(const unit *u, const bw_vec3 *p, double out[3])
{
    out[0] = (p->x - u->middle[0]) * u->factor;
    out[1] = (p->y - u->middle[1]) * u->factor;
    out[2] = (p->z - u->middle[2]) * u->factor;
}

static void add_moments(moments *m, const double p[3], double weight)
{
    for (int k = 0; k < 3; k++) {
        m->first[k] += weight * p[k];
        m->second[k] += weight * p[k] * p[k];
        m->second[3 + k] += weight * p[k] * p[(k + 1) % 3];
    }
    m->weight += weight;
}

static double twice_area(double p[3][3])
{
    double a[3], b[3], square = 0.0;
    for (int k = 0; k < 3; k++) {
        a[k] = p[1][k] - p[0][k];
        b[k] = p[2][k] - p[0][k];
    }
    for (int k = 0; k < 3; k++) {
        double c = a[k] * b[(k + 1) % 3] - a[(k + 1) % 3] * b[k];
        square += c * c;
    }
    return sqrt(square);
}

/* A triangle's second moment over its area: (9 centroid centroid^T + sum of its corners' p p^T) / 12. */
static moments moments_of(const bw_mesh *mesh, const uint32_t *primitives, uint32_t count, const unit *u,
                          bool by_area)
{
    moments m = {0};
    for (uint32_t i = 0; i < count; i++) {
        bw_vec3 corners[3];
        double p[3][3], centroid[3];
        bw_view_corners(mesh, primitives[i], corners);
        for (int c = 0; c < 3; c++)
            to_unit(u, &corners[c], p[c]);
        double weight = by_area ? twice_area(p) / 12 : 1.0;
        for (int c = 0; c < 3; c++)
            add_moments(&m, p[c], weight);
        if (!by_area)
            continue;
        for (int k = 0; k < 3; k++)
            centroid[k] = (p[0][k] + p[1][k] + p[2][k]) / 3;
        add_moments(&m, centroid, 9 * weight);
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
        if (!(off > 0x1p-50 * (fabs(a[0][0]) + fabs(a[1][1]) + fabs(a[2][2]))))
            break;
        rotate(a, v, 0, 1);
        rotate(a, v, 1, 2);
        rotate(a, v, 0, 2);
    }
}

static void set_axes(bw_obb_node *box, const moments *m)
{
    double covariance[3][3], v[3][3], mean[3];
    for (int k = 0; k < 3; k++)
        mean[k] = m->first[k] / m->weight;
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3;
        covariance[k][k] = m->second[k] / m->weight - mean[k] * mean[k];
        covariance[k][next] = covariance[next][k] = m->second[3 + k] / m->weight - mean[k] * mean[next];
    }
    principal_axes(covariance, v);
    for (int i = 0; i < 3; i++) {
        double length = sqrt(v[i][0] * v[i][0] + v[i][1] * v[i][1] + v[i][2] * v[i][2]);
        for (int k = 0; k < 3; k++)
            box->axis[i][k] = (float)(v[i][k] / length);
    }
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

/* The inverse's entries are below 1.001 and good to 16 u (u = 2^-53), a difference of coordinates to u of its
 * size: in all y is off by less than 32 u (|p| + |c|), half of the slack. */
double bw_obb_coordinates(const bw_obb_frame *frame, const bw_vec3 *p, double y[3])
{
    double d[3] = {p->x - frame->centre[0], p->y - frame->centre[1], p->z - frame->centre[2]};
    for (int i = 0; i < 3; i++) {
        const double *row = frame->inverse[i];
        y[i] = row[0] * d[0] + row[1] * d[1] + row[2] * d[2];
    }
    double size = fabs(p->x) + fabs(p->y) + fabs(p->z);
    for (int k = 0; k < 3; k++)
        size += fabs(frame->centre[k]);
    return 0x1p-47 * size;
}

/* Extents along the axes, about a centre that is rounded to floats. */
static void set_extents(bw_obb_node *box, const bw_mesh *mesh, const uint32_t *primitives, uint32_t count,
                        const double middle[3])
{
    bw_obb_frame frame = bw_obb_frame_of(box);
    double low[3], high[3], slack = 0.0;
    for (int k = 0; k < 3; k++) {
        frame.centre[k] = middle[k];
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (uint32_t i = 0; i < count; i++) {
        bw_vec3 corners[3];
        bw_view_corners(mesh, primitives[i], corners);
        for (int c = 0; c < 3; c++) {
            double y[3], s = bw_obb_coordinates(&frame, &corners[c], y);
            slack = s > slack ? s : slack;
            for (int k = 0; k < 3; k++) {
                low[k] = y[k] < low[k] ? y[k] : low[k];
                high[k] = y[k] > high[k] ? y[k] : high[k];
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        double centre = middle[k];
        for (int i = 0; i < 3; i++)
            centre += 0.5 * (low[i] + high[i]) * (double)box->axis[i][k];
        box->centre[k] = (float)centre;
    }
    bw_vec3 centre = {(double)box->centre[0], (double)box->centre[1], (double)box->centre[2]};
    double shift[3], s = bw_obb_coordinates(&frame, &centre, shift);
    /* Both slacks, and once more what bw_obb_coordinates will ask for about the final centre. */
    slack = 3 * (slack + s);
    for (int k = 0; k < 3; k++) {
        double up = high[k] - shift[k], down = shift[k] - low[k];
        box->half[k] = bw_float_up((up > down ? up : down) + slack);
    }
}

void bw_obb_fit_primitives(const bw_mesh *mesh, const uint32_t *primitives, uint32_t count, bw_obb_fit *out)
{
    bw_vec3 corners[3], low, high, sum = {0, 0, 0};
    bw_view_corners(mesh, primitives[0], corners);
    low = high = corners[0];
    for (uint32_t i = 0; i < count; i++) {
        bw_view_corners(mesh, primitives[i], corners);
        for (int c = 0; c < 3; c++) {
            const bw_vec3 *p = &corners[c];
            low.x = p->x < low.x ? p->x : low.x;
            low.y = p->y < low.y ? p->y : low.y;
            low.z = p->z < low.z ? p->z : low.z;
            high.x = p->x > high.x ? p->x : high.x;
            high.y = p->y > high.y ? p->y : high.y;
            high.z = p->z > high.z ? p->z : high.z;
            sum = bw_vec3_add(sum, *p);
        }
    }
    double size = fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
    int exponent = 0;
    frexp(size, &exponent);
    unit u = {{0.5 * (low.x + high.x), 0.5 * (low.y + high.y), 0.5 * (low.z + high.z)},
              ldexp(1.0, -exponent)};
    moments m = moments_of(mesh, primitives, count, &u, mesh->indices != NULL);
    if (!(m.weight > 0.0))
        m = moments_of(mesh, primitives, count, &u, false);
    set_axes(&out->box, &m);
    set_extents(&out->box, mesh, primitives, count, u.middle);
    out->mean = bw_vec3_scale(sum, 1.0 / (3.0 * count));
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
