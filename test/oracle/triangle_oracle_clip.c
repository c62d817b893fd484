/* A triangle (segment, point) as the set of points that satisfy linear equations and inequalities, and other
 * sets clipped by them, in rationals. */
#include "oracle/rational_number.h"
#include "oracle/triangle_oracle.h"

#include <stdlib.h>

typedef struct constraint {
    bw_qvec normal;
    bw_qvec point;
    bool equality; /* normal . (x - point) = 0, else >= 0 */
} constraint;

typedef struct constraints {
    int count;
    constraint list[8];
} constraints;

static void require(constraints *c, bw_qvec normal, bw_qvec point, bool equality)
{
    c->list[c->count++] = (constraint){normal, point, equality};
}

static bw_qvec unit(int axis)
{
    return (bw_qvec){{bw_q_of(axis == 0), bw_q_of(axis == 1), bw_q_of(axis == 2)}};
}

static constraints constraints_of(const bw_vec3 t[3])
{
    constraints c = {.count = 0};
    bw_qvec v[3] = {bw_qvec_of(&t[0]), bw_qvec_of(&t[1]), bw_qvec_of(&t[2])};
    bw_qvec n = bw_qvec_cross(bw_qvec_sub(v[1], v[0]), bw_qvec_sub(v[2], v[0]));
    if (!bw_qvec_zero(n)) {
        require(&c, n, v[0], true);
        for (int i = 0; i < 3; i++)
            require(&c, bw_qvec_cross(n, bw_qvec_sub(v[(i + 1) % 3], v[i])), v[i], false);
        return c;
    }
    /* The longest side is the segment. */
    int longest = 0;
    bw_q length2[3];
    for (int i = 0; i < 3; i++) {
        bw_qvec d = bw_qvec_sub(v[(i + 1) % 3], v[i]);
        length2[i] = bw_qvec_dot(d, d);
        longest = bw_q_compare(length2[i], length2[longest]) > 0 ? i : longest;
    }
    bw_qvec p = v[longest], q = v[(longest + 1) % 3], d = bw_qvec_sub(q, p);
    for (int axis = 0; axis < 3; axis++) /* (x - p) x d = 0, or x = p for a point */
        require(&c, bw_qvec_zero(d) ? unit(axis) : bw_qvec_cross(unit(axis), d), p, true);
    if (!bw_qvec_zero(d)) {
        require(&c, d, p, false);
        require(&c, bw_qvec_sub(p, q), q, false);
    }
    return c;
}

static bw_q value_at(const constraint *c, bw_qvec x)
{
    return bw_qvec_dot(c->normal, bw_qvec_sub(x, c->point));
}

typedef struct polygon {
    int count;
    bw_qvec v[32];
} polygon;

/* Sutherland and Hodgman: keeps sign * value >= 0. */
static void clip(polygon *p, const constraint *c, int sign)
{
    polygon out = {.count = 0};
    for (int i = 0; i < p->count; i++) {
        bw_qvec x = p->v[i], y = p->v[(i + 1) % p->count];
        bw_q at_x = value_at(c, x), at_y = value_at(c, y);
        if (sign * bw_q_sign(at_x) >= 0)
            out.v[out.count++] = x;
        if (bw_q_sign(at_x) * bw_q_sign(at_y) < 0)
            out.v[out.count++] = bw_qvec_lerp(x, y, bw_q_div(at_x, bw_q_sub(at_x, at_y)));
    }
    *p = out;
}

/* Drops corners that repeat another or lie between two others. */
static void prune(polygon *p)
{
    for (int i = 0; i < p->count; i++) {
        bool redundant = false;
        for (int j = 0; j < p->count && !redundant; j++)
            for (int k = 0; k < p->count && !redundant; k++) {
                if (j == i || k == i)
                    continue;
                bw_qvec to_j = bw_qvec_sub(p->v[j], p->v[i]), to_k = bw_qvec_sub(p->v[k], p->v[i]);
                redundant = bw_qvec_zero(to_j) || (bw_qvec_zero(bw_qvec_cross(to_j, to_k)) &&
                                                   bw_q_sign(bw_qvec_dot(to_j, to_k)) < 0);
            }
        if (redundant) {
            for (int j = i + 1; j < p->count; j++)
                p->v[j - 1] = p->v[j];
            p->count--;
            i = -1;
        }
    }
}

bw_oracle_polygon bw_oracle_intersection(const bw_vec3 a[3], const bw_vec3 b[3])
{
    bw_rational_begin();
    polygon p = {3, {bw_qvec_of(&a[0]), bw_qvec_of(&a[1]), bw_qvec_of(&a[2])}};
    constraints c = constraints_of(b);
    for (int i = 0; i < c.count; i++) {
        clip(&p, &c.list[i], 1);
        if (c.list[i].equality)
            clip(&p, &c.list[i], -1);
        prune(&p);
    }
    bw_oracle_polygon out = {.count = p.count};
    if (p.count > 6)
        abort();
    for (int i = 0; i < p.count; i++)
        out.points[i] = bw_qvec_double(p.v[i]);
    return out;
}

bool bw_oracle_ray_parameter(const bw_vec3 *origin, const bw_vec3 *through, const bw_vec3 t[3], double *out)
{
    bw_rational_begin();
    bw_qvec o = bw_qvec_of(origin), d = bw_qvec_sub(bw_qvec_of(through), o);
    constraints c = constraints_of(t);
    bw_q low = bw_q_of(0), high = NULL;
    for (int i = 0; i < c.count; i++) {
        bw_q at = value_at(&c.list[i], o), slope = bw_qvec_dot(c.list[i].normal, d);
        for (int sign = 1; sign >= (c.list[i].equality ? -1 : 1); sign -= 2) { /* sign (at + t slope) >= 0 */
            if (bw_q_sign(slope) == 0) {
                if (sign * bw_q_sign(at) < 0)
                    return false;
                continue;
            }
            bw_q bound = bw_q_div(bw_q_sub(bw_q_of(0), at), slope);
            if (sign * bw_q_sign(slope) > 0)
                low = bw_q_compare(bound, low) > 0 ? bound : low;
            else
                high = high == NULL || bw_q_compare(bound, high) < 0 ? bound : high;
        }
    }
    if (high != NULL && bw_q_compare(low, high) > 0)
        return false;
    *out = bw_q_double(low);
    return true;
}
