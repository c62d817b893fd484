/* Whether a polygon is certainly near, over lanes of doubles: see geom/ccd/near_template.h, which stands
 * before. */

/* The polygon is for certain no farther than the distance: one of its sides is, or the line through the
 * origin along its rounded normal certainly passes through it, and no corner is farther along that line. */
LANES_FN mask certainly_near(const vec *corner, int n, lanes distance)
{
    vec normal = normal_of(corner, n);
    lanes zero = l_set(0), best2 = l_set(LANES_HUGE), size = zero, along = zero, inner = l_set(LANES_HUGE);
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
    return l_greater(distance, far);
}
