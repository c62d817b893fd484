/* A polygon and a distance, over lanes (geom/ccd/lanes_template.h): the direction to its point nearest to the
 * origin, whether it keeps away along a direction, and whether it is certainly near. The margins are derived
 * in docs/lab/continuous.md. The includer also defines numbers of the lanes' kind:
 *   LANES_TINY, LANES_HUGE: below and above all squares of lengths that count;
 *   LANES_AWAY: how far values along a direction may be off, over |direction| times the largest corner;
 *   LANES_SCALE_MIN, LANES_LENGTH_MIN: the least of these products, and of the length of a direction, with
 *   which nothing is lost to underflow. */

LANES_FN vec v_middle(const vec *a, const vec *b)
{
    vec out;
    for (int k = 0; k < 3; k++)
        out.c[k] = l_mul(l_set(0.5), l_add(a->c[k], b->c[k]));
    return out;
}

/* The point of a segment nearest to the origin, up to rounding. */
LANES_FN vec nearest_on_segment(const vec *a, const vec *b)
{
    vec d = v_sub(b, a), point;
    lanes t = l_div(l_sub(l_set(0), v_dot(a, &d)), l_max(v_dot(&d, &d), l_set(LANES_TINY)));
    t = l_min(l_max(t, l_set(0)), l_set(1));
    for (int k = 0; k < 3; k++)
        point.c[k] = l_add(a->c[k], l_mul(t, d.c[k]));
    return point;
}

/* The normal of the polygon, of any length. */
LANES_FN vec normal_of(const vec *corner, int n)
{
    vec first = v_sub(&corner[1], &corner[0]), last = v_sub(&corner[n - 1], &corner[0]);
    return v_cross(&first, &last);
}

/* About the direction from the origin to the nearest point of a polygon: a guess, which needs no bound. */
LANES_FN vec towards_nearest(const vec *corner, int n)
{
    vec normal = normal_of(corner, n), best = corner[0];
    lanes zero = l_set(0), best2 = l_set(LANES_HUGE);
    mask inside = l_greater(v_dot(&normal, &normal), zero);
    for (int i = 0; i < n; i++) {
        const vec *a = &corner[i], *b = &corner[i + 1 == n ? 0 : i + 1];
        vec point = nearest_on_segment(a, b), area = v_cross(a, b);
        lanes far2 = v_dot(&point, &point);
        mask nearer = l_greater(best2, far2);
        best2 = l_min(best2, far2);
        for (int k = 0; k < 3; k++)
            best.c[k] = l_choose(nearer, point.c[k], best.c[k]);
        inside = m_and(inside, m_not(l_greater(zero, v_dot(&normal, &area))));
    }
    mask behind = l_greater(zero, v_dot(&normal, &corner[0]));
    for (int k = 0; k < 3; k++)
        best.c[k] = l_choose(inside, l_choose(behind, l_sub(zero, normal.c[k]), normal.c[k]), best.c[k]);
    return best;
}

/* All corners farther than the distance along a direction at two times: then, moving linearly, they are
 * between them too. size: the largest magnitudes of corners along each axis; slack: how far their coordinates
 * are off, beyond rounding. */
LANES_FN mask keeps_away(const vec *g, const vec *from, const vec *to, int n, const lanes size[3],
                         lanes distance, double slack)
{
    lanes scale = l_set(0);
    for (int k = 0; k < 3; k++)
        scale = l_add(scale, l_mul(l_abs(g->c[k]), size[k]));
    lanes length = l_sqrt(v_dot(g, g)), least = v_dot(g, &from[0]);
    lanes needed =
        l_add(l_mul(scale, l_set(LANES_AWAY)), l_mul(l_mul(distance, length), l_set(1 + LANES_AWAY)));
    if (slack > 0)
        needed =
            l_add(needed, l_mul(l_add(l_add(l_abs(g->c[0]), l_abs(g->c[1])), l_abs(g->c[2])), l_set(slack)));
    for (int i = 0; i < n; i++) {
        least = l_min(least, v_dot(g, &from[i]));
        least = l_min(least, v_dot(g, &to[i]));
    }
    /* Far from where products could lose bits to underflow, or overflow. */
    mask sound = m_and(m_and(l_greater(scale, l_set(LANES_SCALE_MIN)), l_greater(l_set(LANES_HUGE), scale)),
                       l_greater(length, l_set(LANES_LENGTH_MIN)));
    return m_and(sound, l_greater(least, needed));
}

/* The polygon's corners from the four points at one time. */
LANES_FN void corners_of(bool edges, const vec q[4], vec corner[4])
{
    corner[0] = v_sub(&q[edges ? 2 : 1], &q[0]);
    corner[1] = v_sub(&q[edges ? 3 : 2], &q[0]);
    corner[2] = v_sub(&q[3], &q[edges ? 1 : 0]);
    if (edges)
        corner[3] = v_sub(&q[2], &q[1]);
}

/* Certainly farther away than the distance, at all times: along an axis (beyond: what makes a coordinate
 * certainly farther), along the direction to the nearest point at half time, or along one such direction for
 * each half of the time, where halves are wanted. p: the four points at both ends of time. */
LANES_FN uint32_t keeps_far(bool edges, const vec p[2][4], lanes distance, lanes beyond, double slack,
                            bool with_halves)
{
    vec corner[2][4], middle[4];
    int corners = edges ? 4 : 3;
    for (int time = 0; time < 2; time++)
        corners_of(edges, p[time], corner[time]);
    lanes size[3], below = l_sub(l_set(0), beyond);
    mask far = l_greater(l_set(0), l_set(0));
    for (int k = 0; k < 3; k++) {
        lanes most = corner[0][0].c[k], least = most;
        for (int time = 0; time < 2; time++)
            for (int i = 0; i < corners; i++) {
                most = l_max(most, corner[time][i].c[k]);
                least = l_min(least, corner[time][i].c[k]);
            }
        far = m_or(far, m_or(l_greater(least, beyond), l_greater(below, most)));
        size[k] = l_max(l_abs(most), l_abs(least));
    }
    if (m_bits(far) == (1u << LANES) - 1)
        return m_bits(far);
    for (int i = 0; i < corners; i++)
        middle[i] = v_middle(&corner[0][i], &corner[1][i]);
    vec g = towards_nearest(middle, corners);
    far = m_or(far, keeps_away(&g, corner[0], corner[1], corners, size, distance, slack));
    if (!with_halves || m_bits(far) == (1u << LANES) - 1)
        return m_bits(far);
    mask halves[2];
    for (int half = 0; half < 2; half++) {
        vec quarter[4];
        for (int i = 0; i < corners; i++)
            quarter[i] = v_middle(&corner[half][i], &middle[i]);
        g = towards_nearest(quarter, corners);
        halves[half] = keeps_away(&g, corner[half], middle, corners, size, distance, slack);
    }
    return m_bits(m_or(far, m_and(halves[0], halves[1])));
}
