/* Triangles of one mesh that share a vertex or an edge, between two times (collide/span/neighbours.h). */
#include "collide/span/neighbours.h"

#include "geom/vec.h"

#include <math.h>

/* A triangle with a vertex twice shares it in ways that the tests below do not expect. */
static bool proper(const uint32_t v[3])
{
    return v[0] != v[1] && v[1] != v[2] && v[2] != v[0];
}

int bw_span_share(uint32_t a[3], uint32_t b[3])
{
    int shared = 0;
    if (!proper(a) || !proper(b))
        return -1;
    for (int i = 0; i < 3; i++)
        for (int j = shared; j < 3; j++)
            if (i >= shared && a[i] == b[j]) {
                uint32_t v = a[i];
                a[i] = a[shared];
                a[shared] = v;
                b[j] = b[shared];
                b[shared] = v;
                shared++;
            }
    return shared;
}

/* Half-way, from corner 0 towards the other two, four times as long as to the middle between them. */
static bw_vec3 outward(const bw_vec3 ends[2][3])
{
    bw_vec3 sum = {0, 0, 0};
    for (int end = 0; end < 2; end++)
        for (int i = 1; i < 3; i++)
            sum = bw_vec3_add(sum, bw_vec3_sub(ends[end][i], ends[end][0]));
    return sum;
}

/* The corners that are not shared stand strictly on different sides of a plane through the shared one, at
 * both ends: then they do in between, and nothing but that corner is common. */
static bool separates(const bw_vec3 a[2][3], const bw_vec3 b[2][3], double slack, bw_vec3 n)
{
    double margin = 2 * slack * (fabs(n.x) + fabs(n.y) + fabs(n.z)), least = INFINITY, most = -INFINITY;
    for (int end = 0; end < 2; end++)
        for (int i = 1; i < 3; i++) {
            double x = bw_vec3_dot(n, bw_vec3_sub(a[end][i], a[end][0]));
            double y = bw_vec3_dot(n, bw_vec3_sub(b[end][i], b[end][0]));
            most = fmax(most, x);
            least = fmin(least, y);
        }
    return most < -margin && least > margin;
}

bool bw_span_corner_apart(const bw_vec3 a[2][3], const bw_vec3 b[2][3], double slack)
{
    bw_vec3 out_a = outward(a), out_b = outward(b);
    double la = sqrt(bw_vec3_dot(out_a, out_a)), lb = sqrt(bw_vec3_dot(out_b, out_b));
    bw_vec3 n = bw_vec3_sub(bw_vec3_scale(out_b, la), bw_vec3_scale(out_a, lb)); /* across the middle */
    return separates(a, b, slack, n);
}

/* Sums of products of linear functions of time, as Bernstein coefficients: those of a quartic. excess: how
 * much more the products of magnitudes could be if every factor were off by slack. */
typedef struct quartic {
    double sum[5], excess[5], slack;
} quartic;

static void add_product(quartic *to, const double p[2], const double q[2], const double r[2],
                        const double s[2], double sign)
{
    static const double choose[5] = {1, 4, 6, 4, 1};
    for (int i = 0; i < 16; i++) {
        double x[4] = {p[i & 1], q[i >> 1 & 1], r[i >> 2 & 1], s[i >> 3 & 1]}, size = 1, most = 1;
        int degree = (i & 1) + (i >> 1 & 1) + (i >> 2 & 1) + (i >> 3 & 1);
        for (int k = 0; k < 4; k++) {
            size *= fabs(x[k]);
            most *= fabs(x[k]) + to->slack;
        }
        to->sum[degree] += sign * (x[0] * x[1] * x[2] * x[3]) / choose[degree];
        to->excess[degree] += (most - size + 0x1p-40 * most) / choose[degree];
    }
}

/* Two triangles on an edge fold onto each other only where their heights over it point the same way. Their
 * product, (a . b)(e . e) - (a . e)(b . e), is a quartic in time: negative coefficients prove that they never
 * do. */
bool bw_span_edge_apart(const bw_vec3 a[2][3], const bw_vec3 b[2][3], double slack)
{
    double e[3][2], x[3][2], y[3][2];
    quartic heights = {.slack = slack};
    for (int end = 0; end < 2; end++) {
        bw_vec3 edge = bw_vec3_sub(a[end][1], a[end][0]), apex_a = bw_vec3_sub(a[end][2], a[end][0]);
        bw_vec3 apex_b = bw_vec3_sub(b[end][2], b[end][0]);
        for (int k = 0; k < 3; k++) {
            e[k][end] = bw_vec3_at(&edge, k);
            x[k][end] = bw_vec3_at(&apex_a, k);
            y[k][end] = bw_vec3_at(&apex_b, k);
        }
    }
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++) {
            add_product(&heights, x[j], y[j], e[k], e[k], 1);
            add_product(&heights, x[j], e[j], y[k], e[k], -1);
        }
    for (int i = 0; i < 5; i++)
        if (!(heights.sum[i] < -heights.excess[i]))
            return false;
    return true;
}
