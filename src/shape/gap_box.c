/* Two boxes: the 15 axes that may separate them.
 *   S. Gottschalk, M. C. Lin, D. Manocha, "OBBTree", 1996.
 *
 * The boundary of the differences of two boxes has the normals of their faces and of pairs of edges, so the least
 * depth over these is the depth. Edges that are all but parallel, of sine s, are left out below 2^-26: their
 * facets are narrower than s times an edge, and that much is taken off the lower bound of the depth; above it the
 * rounding of their direction is, 2^-50 / s, where that is beyond the margin. */
#include "shape/gap.h"

typedef struct boxes {
    const bw_convex *a, *b;
    double ha[3], hb[3];
    double c[3][3], q[3][3]; /* products of their axes, and their magnitudes */
    double t[3], s[3];       /* from a to b, along the axes of both */
    bw_vec3 shift;
} boxes;

static bw_vec3 column(const bw_convex *c, int j)
{
    return (bw_vec3){c->pose->m[0][j], c->pose->m[1][j], c->pose->m[2][j]};
}

static void set_up(boxes *x, const bw_convex *a, const bw_convex *b)
{
    x->a = a;
    x->b = b;
    x->ha[0] = a->half.x, x->ha[1] = a->half.y, x->ha[2] = a->half.z;
    x->hb[0] = b->half.x, x->hb[1] = b->half.y, x->hb[2] = b->half.z;
    const double(*m)[4] = a->pose->m, (*n)[4] = b->pose->m;
    const double d[3] = {b->at.x - a->at.x, b->at.y - a->at.y, b->at.z - a->at.z};
    x->shift = (bw_vec3){d[0], d[1], d[2]};
    for (int i = 0; i < 3; i++) {
        x->t[i] = (m[0][i] * d[0] + m[1][i] * d[1]) + m[2][i] * d[2];
        x->s[i] = (n[0][i] * d[0] + n[1][i] * d[1]) + n[2][i] * d[2];
        for (int j = 0; j < 3; j++) {
            x->c[i][j] = (m[0][i] * n[0][j] + m[1][i] * n[1][j]) + m[2][i] * n[2][j];
            x->q[i][j] = fabs(x->c[i][j]);
        }
    }
}

static double along_a(const boxes *x, int i)
{
    return fabs(x->t[i]) -
           (x->ha[i] + ((x->hb[0] * x->q[i][0] + x->hb[1] * x->q[i][1]) + x->hb[2] * x->q[i][2]));
}

static double along_b(const boxes *x, int j)
{
    return fabs(x->s[j]) -
           (x->hb[j] + ((x->ha[0] * x->q[0][j] + x->ha[1] * x->q[1][j]) + x->ha[2] * x->q[2][j]));
}

/* Along the cross product of edge i of a and j of b; *sine2 receives its squared length, *side the sign. */
static double along_edges(const boxes *x, int i, int j, double *sine2)
{
    static const int next[3] = {1, 2, 0}, after[3] = {2, 0, 1};
    const int i1 = next[i], i2 = after[i], j1 = next[j], j2 = after[j];
    const double radius = (x->ha[i1] * x->q[i2][j] + x->ha[i2] * x->q[i1][j]) +
                          (x->hb[j1] * x->q[i][j2] + x->hb[j2] * x->q[i][j1]);
    *sine2 = x->c[i1][j] * x->c[i1][j] + x->c[i2][j] * x->c[i2][j];
    return fabs(x->t[i2] * x->c[i1][j] - x->t[i1] * x->c[i2][j]) - radius;
}

/* Points in the middle of what is farthest along the normal, and of those the nearest on the two edges. */
static void edge_witness(const boxes *x, int i, int j, bw_gap *out)
{
    bw_vec3 p = {0, 0, 0}, q = x->shift;
    for (int k = 0; k < 3; k++) {
        if (k != i)
            p = bw_vec3_along(p, x->a->edge[k], bw_vec3_dot(x->a->edge[k], out->normal) > 0 ? 1 : -1);
        if (k != j)
            q = bw_vec3_along(q, x->b->edge[k], bw_vec3_dot(x->b->edge[k], out->normal) < 0 ? 1 : -1);
    }
    const bw_vec3 u = x->a->edge[i], v = x->b->edge[j], r = bw_vec3_sub(p, q);
    const double uu = bw_vec3_dot(u, u), vv = bw_vec3_dot(v, v), uv = bw_vec3_dot(u, v),
                 ru = bw_vec3_dot(r, u), rv = bw_vec3_dot(r, v), det = uu * vv - uv * uv;
    double s = det > 0 ? (uv * rv - vv * ru) / det : 0, t = det > 0 ? (uu * rv - uv * ru) / det : 0;
    s = s > -1 ? (s < 1 ? s : 1) : -1;
    t = t > -1 ? (t < 1 ? t : 1) : -1;
    out->on_a = bw_vec3_along(p, u, s);
    out->on_b = bw_vec3_along(q, v, t);
    out->witness = out->single = true;
}

/* The normal of an axis: 0 to 2 faces of a, 3 to 5 of b, 6 + 3 i + j edges. From a to b. */
static void set_normal(const boxes *x, int axis, bw_gap *out)
{
    bw_vec3 n;
    if (axis < 3)
        n = bw_vec3_scale(column(x->a, axis), x->t[axis] < 0 ? -1 : 1);
    else if (axis < 6)
        n = bw_vec3_scale(column(x->b, axis - 3), x->s[axis - 3] < 0 ? -1 : 1);
    else {
        n = bw_vec3_cross(column(x->a, (axis - 6) / 3), column(x->b, (axis - 6) % 3));
        n = bw_vec3_scale(n, (bw_vec3_dot(n, x->shift) < 0 ? -1 : 1) / bw_vec3_length(n));
    }
    out->normal = n;
    if (axis >= 6) {
        edge_witness(x, (axis - 6) / 3, (axis - 6) % 3, out);
        return;
    }
    uint32_t index;
    if (axis < 3) { /* a corner of b below a face of a */
        out->on_b = bw_vec3_add(bw_convex_support(x->b, bw_vec3_minus(n), &index), x->shift);
        out->on_a = bw_vec3_along(out->on_b, n, -out->lower);
        out->face_a = 1;
    } else {
        out->on_a = bw_convex_support(x->a, n, &index);
        out->on_b = bw_vec3_along(out->on_a, n, out->lower);
        out->face_b = 1;
    }
    out->witness = out->rough = true;
}

void bw_gap_of_boxes(const bw_convex *a, const bw_convex *b, double limit, bw_gap *out)
{
    boxes x;
    set_up(&x, a, b);
    const double size = a->reach + b->reach, bound = limit + 2 * bw_convex_margin(a, b);
    double best = -(double)INFINITY, slack = 0;
    int axis = 0, edge_axis = -1;
    for (int i = 0; i < 3; i++) {
        const double gap = along_a(&x, i);
        axis = gap > best ? i : axis;
        best = bw_larger(gap, best);
    }
    for (int i = 0; i < 3; i++) {
        const double gap = along_b(&x, i);
        axis = gap > best ? 3 + i : axis;
        best = bw_larger(gap, best);
    }
    /* Edges count where they show more than the faces do, and only then is a root needed: both numbers are negative, or the
     * edges' is positive. */
    double most = best;
    for (int k = 0; !(best > bound) && k < 9; k++) {
        double sine2;
        const double gap = along_edges(&x, k / 3, k % 3, &sine2);
        if (sine2 < 0x1p-52) {
            slack = bw_larger(slack, 2 * sqrt(sine2) * bw_lesser(x.ha[k / 3], x.hb[k % 3]));
            continue;
        }
        if (sine2 < 0x1p-6) /* else the margin covers it */
            slack = bw_larger(slack, 0x1p-50 / sqrt(sine2) * (size + bw_vec3_length(x.shift)));
        if (gap > 0 || (most < 0 && gap * gap < most * most * sine2)) {
            const double scaled = gap / sqrt(sine2);
            if (scaled > most) {
                most = scaled;
                edge_axis = 6 + k;
            }
        }
    }
    *out = (bw_gap){.lower = best, .upper = most < 0 ? most + slack : (double)INFINITY};
    /* Faces have the wider contacts. */
    if (edge_axis >= 0 && most > best + 1e-7 * size) {
        out->lower = most;
        axis = edge_axis;
    }
    if (!(out->lower > bound))
        set_normal(&x, axis, out);
}
