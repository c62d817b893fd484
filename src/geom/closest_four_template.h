/* geom/closest.c for a point and four triangles, one in each lane, operation by operation. The includer defines CLOSEST_FOUR, the
 * name of the function, and the level of base/simd/f64x4.h.
 *
 * Which side of an edge the point projects to is decided exactly there. Here it is known where a rounded determinant is
 * farther from zero than 64 roundings of the sum of its terms: edges, products, differences and sums are seven. */
#include "base/simd/f64x4.h"
#include "geom/closest_four.h"
#include "geom/cross.h"
#include "geom/power.h"

#include <math.h>

/* A point in each lane. */
typedef struct four {
    d4 x, y, z;
} four;

D4_FN four four_sub(four a, four b)
{
    return (four){d4_sub(a.x, b.x), d4_sub(a.y, b.y), d4_sub(a.z, b.z)};
}

D4_FN four four_add(four a, four b)
{
    return (four){d4_add(a.x, b.x), d4_add(a.y, b.y), d4_add(a.z, b.z)};
}

D4_FN four four_scale(four a, d4 s)
{
    return (four){d4_mul(a.x, s), d4_mul(a.y, s), d4_mul(a.z, s)};
}

D4_FN d4 four_dot(four a, four b)
{
    return d4_add(d4_add(d4_mul(a.x, b.x), d4_mul(a.y, b.y)), d4_mul(a.z, b.z));
}

D4_FN four four_cross(four a, four b)
{
    return (four){d4_sub(d4_mul(a.y, b.z), d4_mul(a.z, b.y)), d4_sub(d4_mul(a.z, b.x), d4_mul(a.x, b.z)),
                  d4_sub(d4_mul(a.x, b.y), d4_mul(a.y, b.x))};
}

D4_FN four four_choose(m4 m, four yes, four no)
{
    return (four){d4_choose(m, yes.x, no.x), d4_choose(m, yes.y, no.y), d4_choose(m, yes.z, no.z)};
}

D4_FN d4 four_largest(four a)
{
    return d4_max(d4_abs(a.x), d4_max(d4_abs(a.y), d4_abs(a.z)));
}

/* The frame of each: the power of two above the largest coordinate, and its inverse. */
D4_FN void frames_of(const four v[3], d4 *unit, d4 *inverse)
{
    double size[4], up[4], down[4];
    d4_store(size, d4_max(d4_max(four_largest(v[2]), four_largest(v[1])), four_largest(v[0])));
    for (int i = 0; i < 4; i++)
        bw_power_above(size[i], &up[i], &down[i]);
    *unit = d4_load(up);
    *inverse = d4_load(down);
}

typedef struct four_nearest {
    d4 distance2;
    four point;
} four_nearest;

/* The nearest points of the edges to the origin. */
D4_FN four_nearest nearest_of_edges(const four v[3], const four edge[3])
{
    const d4 zero = d4_all(0), one = d4_all(1);
    const four origin = {zero, zero, zero};
    four_nearest best = {d4_all((double)INFINITY), origin};
    for (int i = 0; i < 3; i++) {
        const d4 length2 = four_dot(edge[i], edge[i]);
        d4 at = d4_div(four_dot(four_sub(origin, v[i]), edge[i]), length2);
        at = d4_choose(d4_greater(at, zero), d4_choose(d4_greater(one, at), at, one), zero);
        at = d4_choose(d4_greater(length2, zero), at, zero);
        const four on = four_add(v[i], four_scale(edge[i], at)), d = four_sub(origin, on);
        const d4 distance2 = four_dot(d, d);
        const m4 nearer = d4_greater(best.distance2, distance2);
        best.distance2 = d4_choose(nearer, distance2, best.distance2);
        best.point = four_choose(nearer, on, best.point);
    }
    return best;
}

/* Whether the line along n through the origin certainly meets the triangle; *misses: certainly not. */
D4_FN m4 meets_inside(const four v[3], const four edge[3], four n, m4 *misses)
{
    const d4 zero = d4_all(0);
    const four origin = {zero, zero, zero}, size = {d4_abs(n.x), d4_abs(n.y), d4_abs(n.z)};
    m4 inside = d4_equal(zero, zero), outside = d4_greater(zero, zero);
    for (int i = 0; i < 3; i++) {
        const four e = edge[i], t = four_sub(origin, v[i]);
        const four first = {d4_mul(e.y, t.z), d4_mul(e.z, t.x), d4_mul(e.x, t.y)},
                   second = {d4_mul(e.z, t.y), d4_mul(e.x, t.z), d4_mul(e.y, t.x)};
        const four all = {d4_add(d4_abs(first.x), d4_abs(second.x)),
                          d4_add(d4_abs(first.y), d4_abs(second.y)),
                          d4_add(d4_abs(first.z), d4_abs(second.z))};
        const d4 det = four_dot(n, four_sub(first, second)),
                 limit = d4_add(d4_mul(d4_all(64 * BW_ROUNDOFF), four_dot(size, all)), d4_all(0x1p-900));
        inside = m4_and(inside, d4_greater(det, limit));
        outside = m4_or(outside, d4_greater(d4_sub(zero, limit), det));
    }
    *misses = outside;
    return inside;
}

D4_TARGET uint32_t CLOSEST_FOUR(const bw_vec3 *point, double corner[3][3][4], double distance2[4],
                                double nearest[3][4])
{
    const d4 zero = d4_all(0);
    const four origin = {zero, zero, zero}, p = {d4_all(point->x), d4_all(point->y), d4_all(point->z)};
    four v[3], edge[3];
    d4 unit, inverse;
    for (int i = 0; i < 3; i++)
        v[i] = four_sub((four){d4_load(corner[i][0]), d4_load(corner[i][1]), d4_load(corner[i][2])}, p);
    frames_of(v, &unit, &inverse);
    for (int i = 0; i < 3; i++)
        v[i] = four_scale(v[i], inverse);
    for (int i = 0; i < 3; i++)
        edge[i] = four_sub(v[i == 2 ? 0 : i + 1], v[i]);
    four_nearest best = nearest_of_edges(v, edge);

    /* bw_good_cross of those that are no slivers, its direction, and the point of the plane. */
    const four last = four_sub(v[2], v[0]);
    four n = four_cross(edge[0], last);
    const d4 largest = four_largest(n);
    const m4 plain = d4_greater(
        four_dot(n, n), d4_mul(d4_all(0x1p-20), d4_mul(four_dot(edge[0], edge[0]), four_dot(last, last))));
    n = (four){d4_div(n.x, largest), d4_div(n.y, largest), d4_div(n.z, largest)};
    const d4 height = d4_div(four_dot(four_sub(origin, v[0]), n), four_dot(n, n));
    const four on = four_sub(origin, four_scale(n, height)), d = four_sub(origin, on);
    const d4 straight2 = four_dot(d, d);
    const m4 below = d4_greater(best.distance2, straight2);
    m4 misses;
    const m4 meets = meets_inside(v, edge, n, &misses), takes = m4_and(meets, below);
    const m4 known = m4_without(m4_and(plain, d4_greater(largest, d4_all(0x1p-900))),
                                m4_without(below, m4_or(meets, misses)));
    best.point = four_choose(takes, on, best.point);

    const four gap = four_scale(four_sub(origin, best.point), unit);
    const d4 square = four_dot(gap, gap), least = d4_mul(d4_all(0x1p-60), unit);
    d4_store(distance2, d4_choose(d4_greater(square, zero), square, d4_mul(least, least)));
    const four out = four_add(four_scale(best.point, unit), p);
    d4_store(nearest[0], out.x);
    d4_store(nearest[1], out.y);
    d4_store(nearest[2], out.z);
    return m4_bits(known);
}
