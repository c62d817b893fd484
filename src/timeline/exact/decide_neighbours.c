/* Triangles of one mesh that share a vertex or an edge.
 *
 * A shared vertex: seen from it the triangles are the cones of their other corners, u1, u2 and v1, v2. They
 * meet beyond it exactly if the cones have a ray in common: along a common ray both have points, and a common
 * point lies on one. With
 *   s0 = |u1 u2 v1|, s1 = |u1 u2 v2|, s2 = |v1 v2 u1|, s3 = |v1 v2 u2|
 * the line that both planes have in common is d = s1 v1 - s0 v2 = s2 u2 - s3 u1, so d lies in both cones
 * where s0 <= 0 <= s1 and s3 <= 0 <= s2, and -d where all signs are turned. Are s0 = s1 = 0 but not
 * s2 = s3 = 0, then u1 and u2 are parallel and leave the plane of v1, v2: no contact; likewise the other way
 * round. All four zero: the vectors lie in one plane, and the cones are compared there.
 *
 * A shared edge: the triangles meet beyond it exactly if they lie in one plane and on the same side of it.
 *
 * Triangles without area are decided as the sets of points that they are. */
#include "timeline/exact/decide.h"

static bool may_be(int sign, int wanted)
{
    return sign == wanted || sign == 0 || sign == BW_SIGN_OPEN;
}

bw_verdict bw_decide_cones(const int s[4])
{
    bool along = may_be(s[0], -1) && may_be(s[1], 1) && may_be(s[2], 1) && may_be(s[3], -1);
    bool against = may_be(s[0], 1) && may_be(s[1], -1) && may_be(s[2], -1) && may_be(s[3], 1);
    if (!along && !against)
        return BW_VERDICT_APART;
    for (int i = 0; i < 4; i++)
        if (s[i] == BW_SIGN_OPEN)
            return BW_VERDICT_OPEN;
    bool u_in_plane = s[2] == 0 && s[3] == 0, v_in_plane = s[0] == 0 && s[1] == 0;
    if (u_in_plane && v_in_plane)
        return BW_VERDICT_OPEN;
    return u_in_plane || v_in_plane ? BW_VERDICT_APART : BW_VERDICT_CONTACT;
}

static int turned(int sign)
{
    return sign == BW_SIGN_OPEN ? sign : -sign;
}

/* x in the cone of w1, w2, which has the area `own`: from the signs of w1 x x and x x w2. */
static bw_verdict in_flat_cone(int own, int first, int second)
{
    if (first == -own || second == -own)
        return BW_VERDICT_APART;
    if (first == BW_SIGN_OPEN || second == BW_SIGN_OPEN)
        return BW_VERDICT_OPEN;
    return first == 0 && second == 0 ? BW_VERDICT_APART : BW_VERDICT_CONTACT; /* both zero: x is */
}

bw_verdict bw_decide_flat_cones(int own_u, int own_v, int cross[2][2])
{
    bw_verdict verdict = BW_VERDICT_APART;
    for (int i = 0; i < 2; i++) {
        bw_verdict v = in_flat_cone(own_u, cross[0][i], turned(cross[1][i]));
        bw_verdict u = in_flat_cone(own_v, turned(cross[i][0]), cross[i][1]);
        if (v == BW_VERDICT_CONTACT || u == BW_VERDICT_CONTACT)
            return BW_VERDICT_CONTACT;
        if (v == BW_VERDICT_OPEN || u == BW_VERDICT_OPEN)
            verdict = BW_VERDICT_OPEN;
    }
    return verdict;
}

/* Vectors from the shared vertex are named by where they end. */
static int area(const bw_sign_source *s, int i, int j, int axis)
{
    return s->area(s->context, 0, i, j, axis);
}

static int coordinate(const bw_sign_source *s, int i, int axis)
{
    return s->order(s->context, 0, i, axis);
}

/* Two vectors that are parallel, or zero. */
static bool same_direction(const bw_sign_source *s, int i, int j)
{
    for (int axis = 0; axis < 3; axis++) {
        int product = coordinate(s, i, axis) * coordinate(s, j, axis);
        if (product != 0)
            return product > 0;
    }
    return false;
}

/* All vectors lie in one plane, which is not seen edge-on along the axis. A cone is a sector, a line, a ray
 * or nothing; if two of them have a ray in common, one of their ends is such a ray. */
static bool in_cone(const bw_sign_source *s, int x, int w1, int w2, int axis)
{
    int own = area(s, w1, w2, axis);
    if (own != 0)
        return in_flat_cone(own, area(s, w1, x, axis), area(s, x, w2, axis)) == BW_VERDICT_CONTACT;
    return (area(s, w1, x, axis) == 0 && same_direction(s, w1, x)) ||
           (area(s, w2, x, axis) == 0 && same_direction(s, w2, x));
}

static bool cones_in_plane(const bw_sign_source *s)
{
    for (int axis = 0; axis < 3; axis++)
        for (int i = 1; i <= 4; i++)
            for (int j = i + 1; j <= 4; j++)
                if (area(s, i, j, axis) != 0)
                    return in_cone(s, 1, 3, 4, axis) || in_cone(s, 2, 3, 4, axis) ||
                           in_cone(s, 3, 1, 2, axis) || in_cone(s, 4, 1, 2, axis);
    /* All on one line. */
    return same_direction(s, 1, 3) || same_direction(s, 1, 4) || same_direction(s, 2, 3) ||
           same_direction(s, 2, 4);
}

bool bw_decide_vertex(const bw_sign_source *s)
{
    int volumes[4];
    for (int i = 0; i < 4; i++)
        volumes[i] = s->volume(s->context, i);
    bw_verdict verdict = bw_decide_cones(volumes);
    return verdict == BW_VERDICT_OPEN ? cones_in_plane(s) : verdict == BW_VERDICT_CONTACT;
}

/* All on one line: whether both third corners are beyond the same end of the edge. */
static bool beyond_one_end(const bw_sign_source *s, int axis, int edge)
{
    return (coordinate(s, 2, axis) == -edge && coordinate(s, 3, axis) == -edge) ||
           (s->order(s->context, 1, 2, axis) == edge && s->order(s->context, 1, 3, axis) == edge);
}

bool bw_decide_edge(const bw_sign_source *s)
{
    if (s->volume(s->context, 0) != 0)
        return false;
    for (int axis = 0; axis < 3; axis++) {
        int u = area(s, 1, 2, axis), v = area(s, 1, 3, axis);
        if (u != 0 || v != 0)
            return u == v; /* both are normals of one plane: where one has a part along the axis both have */
    }
    for (int axis = 0; axis < 3; axis++) {
        int edge = coordinate(s, 1, axis);
        if (edge != 0)
            return beyond_one_end(s, axis, edge);
    }
    /* The edge has no length: a shared vertex of two segments. */
    for (int axis = 0; axis < 3; axis++)
        if (area(s, 2, 3, axis) != 0)
            return false;
    return same_direction(s, 2, 3);
}
