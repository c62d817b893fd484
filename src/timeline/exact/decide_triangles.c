/* Triangles that share nothing.
 *
 * They have a point in common exactly if an edge of one meets the other. Let an edge have an end that is not
 * in the plane of the other triangle: it meets that where its ends are not on one side, and where its line
 * does not pass the triangle, which the volumes of the edge with the triangle's edges tell. An edge that lies
 * in the plane need not be looked at, if the triangles are not in one plane: its ends belong to edges that
 * leave the plane, and where another edge of the other crosses it that one leaves this one's plane. All
 * volumes zero: all corners lie in one plane, and edges are compared there. Triangles without area are
 * segments and points, of which the same holds. */
#include "timeline/exact/decide.h"

/* Volumes 0 to 2: of the second triangle with a corner of the first; 3 to 5 the other way round; 6 + 3 i + j:
 * of edge i of the first and j of the second. */
const bw_pair_volumes bw_pair_volumes_of[3] = {
    [BW_PAIR_APART] = {6,
                       15,
                       {{3, 4, 5, 0},
                        {3, 4, 5, 1},
                        {3, 4, 5, 2},
                        {0, 1, 2, 3},
                        {0, 1, 2, 4},
                        {0, 1, 2, 5},
                        {0, 1, 3, 4},
                        {0, 1, 4, 5},
                        {0, 1, 5, 3},
                        {1, 2, 3, 4},
                        {1, 2, 4, 5},
                        {1, 2, 5, 3},
                        {2, 0, 3, 4},
                        {2, 0, 4, 5},
                        {2, 0, 5, 3}}},
    [BW_PAIR_VERTEX] = {5, 4, {{0, 1, 2, 3}, {0, 1, 2, 4}, {0, 3, 4, 1}, {0, 3, 4, 2}}},
    [BW_PAIR_EDGE] = {4, 1, {{0, 1, 2, 3}}},
};

/* Edge `edge` of triangle 0 or 1 and the other triangle. */
static bool edge_meets(const bw_sign_source *s, const int corner[2][3], int triangle, int edge)
{
    int first = corner[triangle][edge], last = corner[triangle][(edge + 1) % 3];
    if (first * last > 0 || (first == 0 && last == 0))
        return false;
    bool above = false, below = false;
    for (int i = 0; i < 3; i++) {
        int sign = s->volume(s->context, triangle == 0 ? 6 + 3 * edge + i : 6 + 3 * i + edge);
        above = above || sign > 0;
        below = below || sign < 0;
    }
    return !(above && below);
}

/* ---- in one plane ---- */

static int area(const bw_sign_source *s, int p, int q, int r, int axis)
{
    return s->area(s->context, p, q, r, axis);
}

static int order(const bw_sign_source *s, int p, int q, int axis)
{
    return s->order(s->context, p, q, axis);
}

/* Along an axis neither of p, q is between or beside those of r, s. */
static bool ranges_apart(const bw_sign_source *g, int p, int q, int r, int s, int axis)
{
    int a = order(g, p, r, axis), b = order(g, p, s, axis), c = order(g, q, r, axis),
        d = order(g, q, s, axis);
    return (a > 0 && b > 0 && c > 0 && d > 0) || (a < 0 && b < 0 && c < 0 && d < 0);
}

static bool segments_meet(const bw_sign_source *g, int p, int q, int r, int s, int axis)
{
    int a = area(g, p, q, r, axis), b = area(g, p, q, s, axis);
    if (a * b > 0)
        return false;
    int c = area(g, r, s, p, axis), d = area(g, r, s, q, axis);
    if (c * d > 0)
        return false;
    if (a != 0 || b != 0 || c != 0 || d != 0)
        return true;
    return !ranges_apart(g, p, q, r, s, (axis + 1) % 3) && !ranges_apart(g, p, q, r, s, (axis + 2) % 3);
}

static bool in_triangle(const bw_sign_source *g, int x, int first, int axis)
{
    int own = area(g, first, first + 1, first + 2, axis);
    for (int i = 0; i < 3 && own != 0; i++)
        if (area(g, first + i, first + (i + 1) % 3, x, axis) == -own)
            return false;
    return own != 0;
}

static bool meet_in_plane(const bw_sign_source *g, int axis)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (segments_meet(g, i, (i + 1) % 3, 3 + j, 3 + (j + 1) % 3, axis))
                return true;
    return in_triangle(g, 0, 3, axis) || in_triangle(g, 3, 0, axis);
}

/* All corners are on one line, or at one place. */
static bool meet_on_line(const bw_sign_source *g)
{
    for (int axis = 0; axis < 3; axis++) {
        bool before = true, after = true;
        for (int i = 0; i < 3; i++)
            for (int j = 3; j < 6; j++) {
                int sign = order(g, i, j, axis);
                before = before && sign > 0;
                after = after && sign < 0;
            }
        if (before || after)
            return false;
    }
    return true;
}

static bool coplanar(const bw_sign_source *g)
{
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < 6; i++)
            for (int j = i + 1; j < 6; j++)
                for (int k = j + 1; k < 6; k++)
                    if (area(g, i, j, k, axis) != 0)
                        return meet_in_plane(g, axis);
    return meet_on_line(g);
}

bool bw_decide_triangles(const bw_sign_source *s)
{
    int corner[2][3];
    bool zero = true;
    for (int t = 0; t < 2; t++) {
        for (int i = 0; i < 3; i++) {
            corner[t][i] = s->volume(s->context, 3 * t + i);
            zero = zero && corner[t][i] == 0;
        }
        if (corner[t][0] != 0 && corner[t][0] == corner[t][1] && corner[t][0] == corner[t][2])
            return false;
    }
    for (int t = 0; t < 2; t++)
        for (int edge = 0; edge < 3; edge++)
            if (edge_meets(s, (const int(*)[3])corner, t, edge))
                return true;
    for (int i = 6; i < BW_PAIR_VOLUMES && zero; i++)
        zero = s->volume(s->context, i) == 0;
    return zero && coplanar(s);
}

bool bw_decide(bw_pair_kind kind, const bw_sign_source *signs)
{
    return kind == BW_PAIR_APART    ? bw_decide_triangles(signs)
           : kind == BW_PAIR_VERTEX ? bw_decide_vertex(signs)
                                    : bw_decide_edge(signs);
}
