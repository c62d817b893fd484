/* Vectors over lanes, for the templates of geom/ccd/filter.h. The includer defines LANES_FN (the qualifiers
 * of a function), LANES (queries at a time), the types lanes and mask, and the operations on them: l_add
 * l_sub l_mul l_div l_sqrt l_max l_min l_abs l_set, l_greater (a mask), l_choose(mask, yes, no), m_and m_or
 * m_not m_bits. */

typedef struct vec {
    lanes c[3];
} vec;

LANES_FN vec v_sub(const vec *a, const vec *b)
{
    vec out;
    for (int k = 0; k < 3; k++)
        out.c[k] = l_sub(a->c[k], b->c[k]);
    return out;
}

LANES_FN vec v_cross(const vec *a, const vec *b)
{
    vec out;
    out.c[0] = l_sub(l_mul(a->c[1], b->c[2]), l_mul(a->c[2], b->c[1]));
    out.c[1] = l_sub(l_mul(a->c[2], b->c[0]), l_mul(a->c[0], b->c[2]));
    out.c[2] = l_sub(l_mul(a->c[0], b->c[1]), l_mul(a->c[1], b->c[0]));
    return out;
}

LANES_FN lanes v_dot(const vec *a, const vec *b)
{
    return l_add(l_add(l_mul(a->c[0], b->c[0]), l_mul(a->c[1], b->c[1])), l_mul(a->c[2], b->c[2]));
}
