/* A polygon and a distance, over lanes (geom/ccd_lanes_template.h): the direction to its point nearest to the
 * origin, whether it keeps away along a direction, and whether it is certainly near. The margins are derived
 * in docs/ideas/continuous.md. */

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
    lanes t = l_div(l_sub(l_set(0), v_dot(a, &d)), l_max(v_dot(&d, &d), l_set(0x1p-1000)));
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
    lanes zero = l_set(0), best2 = l_set(0x1p1000);
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
    lanes along = v_dot(&normal, &corner[0]);
    for (int k = 0; k < 3; k++)
        best.c[k] = l_choose(inside, l_mul(along, normal.c[k]), best.c[k]);
    return best;
}

/* All corners farther than the distance along a direction at two times: then, moving linearly, they are
 * between them too. size: the largest magnitudes of corners along each axis. */
LANES_FN mask keeps_away(const vec *g, const vec *from, const vec *to, int n, const lanes size[3],
                         double distance)
{
    lanes scale = l_set(0);
    for (int k = 0; k < 3; k++)
        scale = l_add(scale, l_mul(l_abs(g->c[k]), size[k]));
    lanes length = l_sqrt(v_dot(g, g)), least = v_dot(g, &from[0]);
    lanes needed = l_add(l_mul(scale, l_set(BW_CCD_AWAY_ERROR)),
                         l_mul(l_mul(l_set(distance), length), l_set(1 + BW_CCD_AWAY_ERROR)));
    for (int i = 0; i < n; i++) {
        least = l_min(least, v_dot(g, &from[i]));
        least = l_min(least, v_dot(g, &to[i]));
    }
    /* Far from where products could lose bits to underflow, or overflow. */
    mask sound = m_and(m_and(l_greater(scale, l_set(0x1p-800)), l_greater(l_set(0x1p1000), scale)),
                       l_greater(length, l_set(0x1p-400)));
    return m_and(sound, l_greater(least, needed));
}

/* The polygon is for certain no farther than the distance: one of its sides is, or the line through the
 * origin along its rounded normal certainly passes through it, and no corner is farther along that line. */
LANES_FN mask certainly_near(const vec *corner, int n, double distance)
{
    vec normal = normal_of(corner, n);
    lanes zero = l_set(0), best2 = l_set(0x1p1000), size = zero, along = zero, inner = l_set(0x1p1000);
    for (int i = 0; i < n; i++) {
        const vec *a = &corner[i], *b = &corner[i + 1 == n ? 0 : i + 1];
        vec point = nearest_on_segment(a, b), area = v_cross(a, b);
        best2 = l_min(best2, v_dot(&point, &point));
        inner = l_min(inner, v_dot(&normal, &area));
        along = l_max(along, l_abs(v_dot(&normal, a)));
        for (int k = 0; k < 3; k++)
            size = l_max(size, l_abs(a->c[k]));
    }
    lanes sum = l_add(l_add(l_abs(normal.c[0]), l_abs(normal.c[1])), l_abs(normal.c[2]));
    lanes length = l_sqrt(v_dot(&normal, &normal));
    mask sound = m_and(l_greater(length, l_set(0x1p-300)), l_greater(l_set(0x1p200), size));
    mask inside =
        m_and(sound, l_greater(inner, l_mul(l_mul(l_set(BW_CCD_NEAR_ERROR), sum), l_mul(size, size))));
    lanes plane = l_div(along, l_max(length, l_set(0x1p-300)));
    lanes far = l_sqrt(best2);
    far = l_choose(inside, l_min(far, plane), far);
    far = l_add(far, l_mul(size, l_set(BW_CCD_NEAR_ERROR)));
    return l_greater(l_set(distance), far);
}
