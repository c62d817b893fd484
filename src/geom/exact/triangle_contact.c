/* Where two triangles meet. Every corner of the intersection of two convex shapes is one of
 *   a corner of one that lies on the other,
 *   a point where two edges cross, inside both,
 *   a point where an edge of one pierces the inside of the other,
 * and each of these is a corner. So the corners are found, told apart and put in order by exact tests; only
 * their coordinates are rounded, once, from a parameter that is accurate to some ulps.
 */
#include "geom/simplex.h"
#include "geom/vec.h"
#include <assert.h>

/* Numbers of the corners: of a 0..2, of b 3..5 (where it is not one of a), edge i of a with edge j of b 6 + 3
 * i + j, edge i of a through b 15 + i, edge j of b through a 18 + j. */
enum { OF_A = 0, OF_B = 3, CROSSING = 6, PIERCING_A = 15, PIERCING_B = 18, NUMBERS = 21 };

typedef struct meeting {
    const bw_simplex *a, *b;
    bool found[NUMBERS];
    bw_vec3 point[NUMBERS];
    bool exact;
} meeting;

static int edge_count(const bw_simplex *s)
{
    return s->dimension == 2 ? 3 : s->dimension;
}

/* The ends of an edge, ordered. */
static void edge_of(const bw_simplex *s, int i, bw_vec3 ends[2])
{
    const bw_vec3 *p = &s->v[i], *q = &s->v[bw_next3(i)];
    bool ordered = bw_lexical_compare(p, q) < 0;
    ends[0] = ordered ? *p : *q;
    ends[1] = ordered ? *q : *p;
}

static double between(double p, double q, double weight_p, double weight_q)
{
    double x = p * weight_p + q * weight_q;
    double low = p < q ? p : q, high = p < q ? q : p;
    return x < low ? low : x > high ? high : x;
}

/* The point of the segment pq where a function with the values at_p, at_q of opposite sign is zero. */
static bw_vec3 zero_point(const bw_vec3 *p, const bw_vec3 *q, double at_p, double at_q)
{
    double sum = fabs(at_p) + fabs(at_q);
    double weight_p = fabs(at_q) / sum, weight_q = fabs(at_p) / sum;
    return (bw_vec3){between(p->x, q->x, weight_p, weight_q), between(p->y, q->y, weight_p, weight_q),
                     between(p->z, q->z, weight_p, weight_q)};
}

static void add(meeting *m, int number, bw_vec3 point)
{
    m->found[number] = true;
    m->point[number] = point;
}

static void find_corners(meeting *m)
{
    for (int i = 0; i <= m->a->dimension; i++)
        if (bw_point_contact(&m->a->v[i], m->b, &m->exact) != BW_CONTACT_NONE)
            add(m, OF_A + i, m->a->v[i]);
    for (int j = 0; j <= m->b->dimension; j++) {
        bool shared = false; /* and so already added */
        for (int i = 0; i <= m->a->dimension; i++)
            shared = shared || bw_vec3_equal(&m->a->v[i], &m->b->v[j]);
        if (!shared && bw_point_contact(&m->b->v[j], m->a, &m->exact) != BW_CONTACT_NONE)
            add(m, OF_B + j, m->b->v[j]);
    }
}

static void find_crossings(meeting *m)
{
    for (int i = 0; i < edge_count(m->a); i++)
        for (int j = 0; j < edge_count(m->b); j++) {
            bw_vec3 s[2], t[2];
            int axis = -1;
            edge_of(m->a, i, s);
            edge_of(m->b, j, t);
            if (bw_segment_segment_contact(s, t, &axis, &m->exact) != BW_CONTACT_CROSSING || axis < 0)
                continue;
            double at_0 = bw_orient2d_value(&t[0], &t[1], &s[0], axis);
            double at_1 = bw_orient2d_value(&t[0], &t[1], &s[1], axis);
            add(m, CROSSING + 3 * i + j, zero_point(&s[0], &s[1], at_0, at_1));
        }
}

/* Edges of `of` through the inside of `through`, from the number given. */
static void find_piercings(meeting *m, const bw_simplex *of, const bw_simplex *through, int number)
{
    if (through->dimension < 2)
        return;
    const bw_vec3 *v = through->v;
    for (int i = 0; i < edge_count(of); i++) {
        bw_vec3 s[2];
        bool within;
        edge_of(of, i, s);
        bw_contact_kind kind = bw_segment_triangle_contact(&s[0], &s[1], through, &within, &m->exact);
        if (kind != BW_CONTACT_CROSSING || within)
            continue;
        double at_0 = bw_orient3d_value(&v[0], &v[1], &v[2], &s[0]);
        double at_1 = bw_orient3d_value(&v[0], &v[1], &v[2], &s[1]);
        add(m, number + i, zero_point(&s[0], &s[1], at_0, at_1));
    }
}

/* The place of a corner of the intersection along edge i of a triangle, which runs from its corner i: 0 and 4
 * are its ends; 1 and 3 crossings with edges of the other triangle where it comes in and goes out; 2 a corner
 * of the other. -1: not on this edge. All in one plane. */
static int place_on_edge(meeting *m, bool edge_of_a, int i, int number)
{
    const bw_simplex *mine = edge_of_a ? m->a : m->b, *other = edge_of_a ? m->b : m->a;
    const bw_vec3 *p = &mine->v[i], *q = &mine->v[bw_next3(i)];
    if (number >= CROSSING) {
        int of_a = (number - CROSSING) / 3, of_b = (number - CROSSING) % 3;
        if ((edge_of_a ? of_a : of_b) != i)
            return -1;
        int j = edge_of_a ? of_b : of_a;
        const bw_vec3 *r = &other->v[j], *s = &other->v[bw_next3(j)];
        /* Both go counter-clockwise along the axis of a. */
        return bw_orient2d_counted(r, s, p, m->a->axis, &m->exact) < 0 ? 1 : 3;
    }
    const bw_vec3 *c = &m->point[number];
    if (bw_vec3_equal(c, p))
        return 0;
    if (bw_vec3_equal(c, q))
        return 4;
    bw_simplex edge;
    bw_simplex_of_segment(p, q, &edge);
    return bw_point_contact(c, &edge, &m->exact) == BW_CONTACT_CROSSING ? 2 : -1;
}

/* The two corners of the intersection on edge i, in its direction; false if there are not two. */
static bool clip_edge(meeting *m, bool edge_of_a, int i, int out[2])
{
    int place[2], count = 0;
    for (int n = 0; n < PIERCING_A; n++) {
        int at = m->found[n] ? place_on_edge(m, edge_of_a, i, n) : -1;
        if (at < 0)
            continue;
        assert(count < 2);
        place[count] = at;
        out[count++] = n;
    }
    if (count < 2)
        return false;
    const bw_simplex *mine = edge_of_a ? m->a : m->b;
    bool swap = place[0] > place[1];
    if (place[0] == place[1]) { /* two corners of the other triangle: as the edge runs */
        int way = bw_lexical_compare(&mine->v[bw_next3(i)], &mine->v[i]);
        swap = bw_lexical_compare(&m->point[out[1]], &m->point[out[0]]) != way;
    }
    if (swap) {
        int first = out[0];
        out[0] = out[1];
        out[1] = first;
    }
    return true;
}

/* The corners of an area, in order: every side of it is a part of an edge, in the direction of that edge. */
static void collect_in_order(meeting *m, bw_triangle_contact *out)
{
    int next[NUMBERS], first = -1;
    for (int n = 0; n < NUMBERS; n++)
        next[n] = -1;
    for (int i = 0; i < 6; i++) {
        int ends[2];
        if (clip_edge(m, i < 3, i % 3, ends)) {
            next[ends[0]] = ends[1];
            first = ends[0];
        }
    }
    int n = first;
    do {
        assert(n >= 0 && out->point_count < 6);
        out->points[out->point_count++] = m->point[n];
        n = next[n];
    } while (n != first);
}

static void collect(meeting *m, bw_triangle_contact *out)
{
    for (int n = 0; n < NUMBERS; n++)
        if (m->found[n]) {
            assert(out->point_count < 2);
            out->points[out->point_count++] = m->point[n];
        }
}

static bool in_one_plane(const bw_simplex *a, const bw_simplex *b, bool *exact)
{
    if (a->dimension < 2 && b->dimension < 2)
        return a->dimension + b->dimension < 2 ||
               bw_orient3d_counted(&a->v[0], &a->v[1], &b->v[0], &b->v[1], exact) == 0;
    const bw_simplex *plane = a->dimension == 2 ? a : b, *other = a->dimension == 2 ? b : a;
    int signs[3] = {0, 0, 0};
    bw_plane_signs(plane->v, other->v, other->dimension + 1, signs, exact);
    return signs[0] == 0 && signs[1] == 0 && signs[2] == 0;
}

void bw_triangle_triangle_contact(const bw_vec3 a[3], const bw_vec3 b[3], bw_triangle_contact *out)
{
    bw_simplex shape_a, shape_b;
    meeting m = {.a = &shape_a, .b = &shape_b};
    bw_simplex_of_triangle(a, &shape_a, &m.exact);
    bw_simplex_of_triangle(b, &shape_b, &m.exact);
    bw_triangle_contact contact = {.kind = bw_simplex_contact(&shape_a, &shape_b, &m.exact),
                                   .coplanar = in_one_plane(&shape_a, &shape_b, &m.exact)};
    if (contact.kind != BW_CONTACT_NONE) {
        bool area = contact.coplanar && contact.kind == BW_CONTACT_CROSSING && shape_a.dimension == 2 &&
                    shape_b.dimension == 2;
        if (area &&
            bw_orient2d_counted(&shape_b.v[0], &shape_b.v[1], &shape_b.v[2], shape_a.axis, &m.exact) < 0) {
            bw_vec3 swap = shape_b.v[1]; /* counter-clockwise along the axis of a, as a is */
            shape_b.v[1] = shape_b.v[2];
            shape_b.v[2] = swap;
        }
        if (area)
            shape_b.axis = shape_a.axis;
        find_corners(&m);
        find_crossings(&m);
        if (!contact.coplanar) {
            find_piercings(&m, m.a, m.b, PIERCING_A);
            find_piercings(&m, m.b, m.a, PIERCING_B);
        }
        if (area)
            collect_in_order(&m, &contact);
        else
            collect(&m, &contact);
    }
    *out = contact;
}
