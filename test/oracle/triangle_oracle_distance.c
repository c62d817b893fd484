/* Distances in rationals. The squared distance of two triangles: zero where they meet, else the least over
 * corner-corner, corner-edge, edge-edge and corner-face pairs whose nearest points lie within the features.
 */
#include "oracle/rational_number.h"
#include "oracle/triangle_oracle.h"

static bool within(bw_q t)
{
    return bw_q_sign(t) >= 0 && bw_q_compare(t, bw_q_of(1)) <= 0;
}

static void keep_least(bw_q *best, bw_qvec p, bw_qvec q)
{
    bw_qvec d = bw_qvec_sub(p, q);
    bw_q d2 = bw_qvec_dot(d, d);
    if (*best == NULL || bw_q_compare(d2, *best) < 0)
        *best = d2;
}

static void corner_edge(bw_q *best, bw_qvec p, bw_qvec a, bw_qvec b)
{
    bw_qvec d = bw_qvec_sub(b, a);
    if (bw_qvec_zero(d))
        return;
    bw_q t = bw_q_div(bw_qvec_dot(bw_qvec_sub(p, a), d), bw_qvec_dot(d, d));
    if (within(t))
        keep_least(best, p, bw_qvec_lerp(a, b, t));
}

static void edge_edge(bw_q *best, bw_qvec a, bw_qvec b, bw_qvec c, bw_qvec d)
{
    bw_qvec u = bw_qvec_sub(b, a), v = bw_qvec_sub(d, c), w = bw_qvec_sub(a, c);
    bw_q uu = bw_qvec_dot(u, u), uv = bw_qvec_dot(u, v), vv = bw_qvec_dot(v, v);
    bw_q uw = bw_qvec_dot(u, w), vw = bw_qvec_dot(v, w);
    bw_q det = bw_q_sub(bw_q_mul(uu, vv), bw_q_mul(uv, uv));
    if (bw_q_sign(det) == 0)
        return;
    bw_q s = bw_q_div(bw_q_sub(bw_q_mul(uv, vw), bw_q_mul(vv, uw)), det);
    bw_q t = bw_q_div(bw_q_sub(bw_q_mul(uu, vw), bw_q_mul(uv, uw)), det);
    if (within(s) && within(t))
        keep_least(best, bw_qvec_lerp(a, b, s), bw_qvec_lerp(c, d, t));
}

static void corner_face(bw_q *best, bw_qvec p, const bw_qvec t[3])
{
    bw_qvec n = bw_qvec_cross(bw_qvec_sub(t[1], t[0]), bw_qvec_sub(t[2], t[0]));
    if (bw_qvec_zero(n))
        return;
    for (int i = 0; i < 3; i++) {
        bw_qvec inward = bw_qvec_cross(n, bw_qvec_sub(t[(i + 1) % 3], t[i]));
        if (bw_q_sign(bw_qvec_dot(inward, bw_qvec_sub(p, t[i]))) < 0)
            return;
    }
    bw_q height = bw_qvec_dot(n, bw_qvec_sub(p, t[0]));
    bw_q d2 = bw_q_div(bw_q_mul(height, height), bw_qvec_dot(n, n));
    if (bw_q_compare(d2, *best) < 0)
        *best = d2;
}

/* Of triangles that do not meet; of the pool that the caller has begun. */
static bw_q least_distance2(const bw_vec3 a[3], const bw_vec3 b[3])
{
    bw_qvec p[3], q[3];
    bw_q best = NULL;
    for (int i = 0; i < 3; i++) {
        p[i] = bw_qvec_of(&a[i]);
        q[i] = bw_qvec_of(&b[i]);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            keep_least(&best, p[i], q[j]);
            corner_edge(&best, p[i], q[j], q[(j + 1) % 3]);
            corner_edge(&best, q[j], p[i], p[(i + 1) % 3]);
            edge_edge(&best, p[i], p[(i + 1) % 3], q[j], q[(j + 1) % 3]);
        }
    for (int i = 0; i < 3; i++) {
        corner_face(&best, p[i], q);
        corner_face(&best, q[i], p);
    }
    return best;
}

double bw_oracle_distance2(const bw_vec3 a[3], const bw_vec3 b[3])
{
    if (bw_oracle_triangle_triangle(a, b) != BW_CONTACT_NONE)
        return 0;
    bw_rational_begin();
    return bw_q_double(least_distance2(a, b));
}

bool bw_oracle_within(const bw_vec3 a[3], const bw_vec3 b[3], double distance)
{
    if (bw_oracle_triangle_triangle(a, b) != BW_CONTACT_NONE)
        return true;
    bw_rational_begin();
    bw_q most = bw_q_of(distance);
    return bw_q_compare(least_distance2(a, b), bw_q_mul(most, most)) <= 0;
}

bool bw_oracle_moving_within(bool edges, const bw_vec3 start[4], const bw_vec3 end[4], double time,
                             double distance)
{
    bw_rational_begin();
    bw_qvec p[4];
    bw_q best = NULL, t = bw_q_of(time), most = bw_q_of(distance);
    for (int i = 0; i < 4; i++)
        p[i] = bw_qvec_lerp(bw_qvec_of(&start[i]), bw_qvec_of(&end[i]), t);
    int first = edges ? 2 : 1; /* corners of the first feature; the others are the second's */
    for (int i = 0; i < first; i++)
        for (int j = first; j < 4; j++) {
            int next = j + 1 < 4 ? j + 1 : first;
            keep_least(&best, p[i], p[j]);
            corner_edge(&best, p[i], p[j], p[next]);
            if (edges)
                corner_edge(&best, p[j], p[0], p[1]);
        }
    if (edges)
        edge_edge(&best, p[0], p[1], p[2], p[3]);
    else
        corner_face(&best, p[0], p + 1);
    return bw_q_compare(best, bw_q_mul(most, most)) <= 0;
}
