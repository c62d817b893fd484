/* The filters of geom/ccd/filter.h over lanes (geom/ccd/lanes_template.h): four queries at a time, one lane
 * of base/simd/f64x4.h each. */
#include "base/simd/f64x4.h"
#include "geom/ccd/ccd.h"
#include "geom/ccd/double_limits.h"
#include "geom/ccd/filter.h"

#define LANES_FN D4_FN
#define LANES 4
typedef d4 lanes;
typedef m4 mask;
#define l_set d4_all
#define l_add d4_add
#define l_sub d4_sub
#define l_mul d4_mul
#define l_div d4_div
#define l_max d4_max
#define l_min d4_min
#define l_abs d4_abs
#define l_sqrt d4_sqrt
#define l_greater d4_greater
#define l_choose d4_choose
#define m_and m4_and
#define m_or m4_or
#define m_bits m4_bits
#define m_not(a) m4_without(l_greater(l_set(1), l_set(0)), a)

#include "geom/ccd/lanes_template.h"
#include "geom/ccd/near_template.h"

#include "geom/ccd/close_template.h"

LANES_FN void load_vertex(const bw_ccd_four *queries, int i, vec *start, vec *end)
{
    const double *a = queries[0].p[i]->at, *b = queries[1].p[i]->at, *c = queries[2].p[i]->at,
                 *d = queries[3].p[i]->at;
    d4_columns(d4_load(a), d4_load(b), d4_load(c), d4_load(d), start->c);
    d4_columns(d4_load(a + 4), d4_load(b + 4), d4_load(c + 4), d4_load(d + 4), end->c);
}

/* All corners of a triangle strictly on the positive side of a direction at both ends. */
LANES_FN mask separated_by(const vec *direction, vec corner[2][4], const lanes corner_max[3])
{
    lanes needed = l_set(0);
    for (int k = 0; k < 3; k++)
        needed = l_add(needed, l_mul(l_abs(direction->c[k]), corner_max[k]));
    lanes scale = needed;
    needed = l_mul(needed, l_set(16 * BW_ROUNDOFF));
    mask all = m_and(l_greater(scale, l_set(0x1p-800)), l_greater(l_set(0x1p1000), scale));
    for (int time = 0; time < 2; time++)
        for (int i = 0; i < 3; i++)
            all = m_and(all, l_greater(v_dot(direction, &corner[time][i]), needed));
    return all;
}

/* The lanes of the queries that are certainly apart. */
LANES_FN uint32_t certainly_apart(bool edges, const bw_ccd_four *queries)
{
    vec p[2][4];
    for (int i = 0; i < 4; i++)
        load_vertex(queries, i, &p[0][i], &p[1][i]);
    vec corner[2][4], u[2], v[2];
    int corners = edges ? 4 : 3;
    for (int time = 0; time < 2; time++) {
        const vec *q = p[time];
        corners_of(edges, q, corner[time]);
        u[time] = v_sub(&q[edges ? 3 : 2], &q[edges ? 2 : 1]);
        v[time] = v_sub(&q[1], &q[edges ? 0 : 3]);
    }
    lanes corner_max[3], edge_max[3];
    mask apart = l_greater(l_set(0), l_set(0));
    for (int k = 0; k < 3; k++) {
        /* A difference of doubles has the sign of the true one: no margin is needed along the axes. */
        lanes most = corner[0][0].c[k], least = most;
        lanes largest = l_max(l_abs(u[0].c[k]), l_abs(u[1].c[k]));
        largest = l_max(largest, l_max(l_abs(v[0].c[k]), l_abs(v[1].c[k])));
        for (int time = 0; time < 2; time++)
            for (int i = 0; i < corners; i++) {
                most = l_max(most, corner[time][i].c[k]);
                least = l_min(least, corner[time][i].c[k]);
            }
        apart = m_or(apart, m_or(l_greater(least, l_set(0)), l_greater(l_set(0), most)));
        corner_max[k] = l_max(l_abs(most), l_abs(least));
        edge_max[k] = largest;
    }
    uint32_t done = m_bits(apart);
    if (done == (1u << LANES) - 1)
        return done;
    vec n0 = v_cross(&u[0], &v[0]), n1 = v_cross(&u[0], &v[1]), more = v_cross(&u[1], &v[0]),
        n2 = v_cross(&u[1], &v[1]);
    for (int k = 0; k < 3; k++)
        n1.c[k] = l_add(n1.c[k], more.c[k]);
    const vec *d0 = &corner[0][0], *d1 = &corner[1][0];
    lanes b[4] = {l_mul(l_set(3), v_dot(d0, &n0)), l_add(v_dot(d0, &n1), v_dot(d1, &n0)),
                  l_add(v_dot(d0, &n2), v_dot(d1, &n1)), l_mul(l_set(3), v_dot(d1, &n2))};
    lanes bound = l_add(l_add(l_mul(l_mul(corner_max[0], edge_max[1]), edge_max[2]),
                              l_mul(l_mul(edge_max[0], corner_max[1]), edge_max[2])),
                        l_mul(l_mul(edge_max[0], edge_max[1]), corner_max[2]));
    lanes error = l_mul(bound, l_set(BW_CCD_VOLUME_ERROR)), minus = l_sub(l_set(0), error);
    mask above = m_and(m_and(l_greater(b[0], error), l_greater(b[1], error)),
                       m_and(l_greater(b[2], error), l_greater(b[3], error)));
    mask below = m_and(m_and(l_greater(minus, b[0]), l_greater(minus, b[1])),
                       m_and(l_greater(minus, b[2]), l_greater(minus, b[3])));
    apart = m_or(apart, m_and(m_or(above, below), l_greater(bound, l_set(BW_CCD_VOLUME_MIN))));
    done = m_bits(apart);
    if (edges || done == (1u << LANES) - 1)
        return done;
    /* The triangle's normal at half time, and across its edges: n1 and both ends' add up to four times it.
     * For edges this decides too few to pay. */
    vec normal;
    for (int k = 0; k < 3; k++)
        normal.c[k] = l_add(l_add(n0.c[k], n1.c[k]), n2.c[k]);
    for (int i = 0; i < 3; i++) {
        vec along;
        const vec *from = &corner[0][i], *to = &corner[0][(i + 1) % 3];
        const vec *from_end = &corner[1][i], *to_end = &corner[1][(i + 1) % 3];
        for (int k = 0; k < 3; k++)
            along.c[k] = l_add(l_sub(to->c[k], from->c[k]), l_sub(to_end->c[k], from_end->c[k]));
        vec direction = v_cross(&normal, &along);
        apart = m_or(apart, separated_by(&direction, corner, corner_max));
        for (int k = 0; k < 3; k++)
            direction.c[k] = l_sub(l_set(0), direction.c[k]);
        apart = m_or(apart, separated_by(&direction, corner, corner_max));
    }
    return m_bits(apart);
}

/* The lanes of the queries that certainly keep farther away than the separation. */
LANES_FN uint32_t certainly_far(bool edges, const bw_ccd_four *queries, lanes separation)
{
    vec p[2][4];
    for (int i = 0; i < 4; i++)
        load_vertex(queries, i, &p[0][i], &p[1][i]);
    return keeps_far(edges, p, separation, l_mul(separation, l_set(1 + 0x1p-50)), 0, true);
}

/* The lanes of the queries that are certainly within the separation at time 0. */
LANES_FN uint32_t near_at_start(bool edges, const bw_ccd_four *queries, lanes separation)
{
    vec p[4], end[4], corner[4];
    for (int i = 0; i < 4; i++)
        load_vertex(queries, i, &p[i], &end[i]);
    corners_of(edges, p, corner);
    return m_bits(certainly_near(corner, edges ? 4 : 3, separation));
}

/* Queries for all lanes: `here` of them, filled up with copies of the first. */
LANES_FN const bw_ccd_four *fill_lanes(const bw_ccd_four *queries, const uint32_t *which, uint32_t here,
                                       bw_ccd_four chosen[LANES])
{
    if (which == NULL && here >= LANES)
        return queries;
    for (uint32_t i = 0; i < LANES; i++) {
        uint32_t j = i < here ? i : 0;
        chosen[i] = queries[which == NULL ? j : which[j]];
    }
    return chosen;
}

/* The separations of so many queries, in lanes filled up as by fill_lanes. */
LANES_FN lanes separations_of(const bw_ccd_separation *separation, uint32_t first, const uint32_t *which,
                              uint32_t here)
{
    double each[LANES];
    if (separation->each == NULL)
        return l_set(separation->all);
    for (uint32_t i = 0; i < LANES; i++) {
        uint32_t j = first + (i < here ? i : 0);
        each[i] = separation->each[which == NULL ? j : which[j]];
    }
    return d4_load(each);
}

/* Those that may be in contact. */
LANES_FN uint32_t filter(bool edges, const bw_ccd_four *queries, uint32_t count,
                         const bw_ccd_separation *separation, uint32_t *out)
{
    uint32_t kept = 0;
    bw_ccd_four chosen[LANES];
    for (uint32_t first = 0; first < count; first += LANES) {
        uint32_t here = count - first < LANES ? count - first : LANES;
        const bw_ccd_four *now = fill_lanes(queries + first, NULL, here, chosen);
        uint32_t apart = bw_ccd_separates(separation)
                             ? certainly_far(edges, now, separations_of(separation, first, NULL, here))
                             : certainly_apart(edges, now);
        for (uint32_t i = 0; i < here; i++) {
            out[kept] = first + i;
            kept += (apart >> i & 1) == 0;
        }
    }
    return kept;
}

/* Of the queries listed, which are near at time 0. */
LANES_FN void filter_start(bool edges, const bw_ccd_four *queries, const uint32_t *which, uint32_t count,
                           const bw_ccd_separation *separation, bool *out)
{
    bw_ccd_four chosen[LANES];
    for (uint32_t first = 0; first < count; first += LANES) {
        uint32_t here = count - first < LANES ? count - first : LANES;
        const bw_ccd_four *now = fill_lanes(queries, which + first, here, chosen);
        uint32_t near = near_at_start(edges, now, separations_of(separation, first, which, here));
        for (uint32_t i = 0; i < here; i++)
            out[first + i] = (near >> i & 1) != 0;
    }
}
