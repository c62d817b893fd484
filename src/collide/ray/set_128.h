/* Making a ray ready with vectors of 128 bits: for bodies without a pose and rays that start near them, as
 * set_avx2.h does. Included by leaf_template.h only. Functions of their own, since eight traversals would each
 * have a copy, and modules for the web are downloaded. */
#ifndef BW_COLLIDE_RAY_SET_128_H
#define BW_COLLIDE_RAY_SET_128_H

#include "base/simd/f64x4.h"

/* Lanes that are too small for the exact range. */
RAY_FN m2 ray_small(d2 a)
{
    return (d2_abs(a) < d2_all(BW_EXACT_MIN)) & (a != d2_all(0.0));
}

/* The points that answers are exact for. */
typedef struct ray_line {
    const bw_vec3 *from, *through;
} ray_line;

RAY_FN void ray_line_of(const bw_ray_state *s, ray_line *line)
{
    line->from = s->origin;
    line->through = s->through;
}

RAY_FN bw_vec3 ray_line_through(const ray_line *line)
{
    return *line->through;
}

/* False where the ray is for bw_ray_ready_set. r->inverse, near and far are in b, too. A ray with a direction
 * gets its second point, but boxes take the direction itself, which is that to the second point over the unit
 * but for rounding. */
static __attribute__((noinline)) bool ray_set_near(bw_ray_state *s, const bw_ray_target *t, bw_ray_ready *r,
                                                   ray_boxes *b, ray_line *line)
{
    const bw_ray *given = s->given;
    const d4 origin = d4_load3(&s->origin->x), direction = d4_load3(&s->through->x);
    d4 along = direction, to = direction;
    double unit = 1.0;
    float far = INFINITY; /* what |origin| is below */
    if (given != NULL) {
        unit = bw_ray_power(bw_ray_stretch(given));
        to = d4_add(origin, d4_mul(d4_all(unit), along));
        far = (float)BW_RAY_FAR;
    } else
        along = d4_sub(to, origin);
    const v4 most = v4_all(BW_RAY_INVERSE_MAX), o = d4_floats(origin), d = d4_floats(along);
    const v4 inverse = v4_max(v4_min(1.0f / d, most), -most), size_o = v4_abs(o), size_d = v4_abs(d);
    /* The largest of both: |o| in the first lane, |d| in the second. */
    const v4 xy = V4_SHUFFLE(size_o, size_d, 0, 4, 1, 5), z = V4_SHUFFLE(size_o, size_d, 2, 6, 2, 6);
    const v4 largest = v4_max(v4_max(xy, z), V4_SHUFFLE(xy, xy, 2, 3, 2, 3));
    const i4 fit =
        (size_d <= v4_all(BW_RAY_STEP_MAX)) & (o >= v4_load(t->place->low)) & (o <= v4_load(t->place->high));
    const m2 small = ray_small(origin.xy) | ray_small(origin.zw) | ray_small(to.xy) | ray_small(to.zw);
    const float step = largest[1], size = largest[0];
    if ((i4_bits(fit) & 7) != 7 || m2_bits(small) != 0 || !(step >= BW_RAY_STEP_MIN) || !(size < far))
        return false;
    r->unit = unit;
    if (given != NULL) {
        s->second = (bw_vec3){d2_low(to.xy), d2_high(to.xy), d2_low(to.zw)};
        s->unit = unit;
        s->through = &s->second;
        s->given = NULL;
        if (given->t_max > 0.0)
            s->best.t = given->t_max / unit;
    }
    const float reach = size + t->place->reach;
    const v4 away = (v4)((i4)v4_all(reach * BW_RAY_MARGIN) ^ ((i4)inverse & INT32_MIN));
    const v4 near = (o + away) * inverse, beyond = (o - away) * inverse;
    for (int k = 0; k < 3; k++) {
        r->inverse[k] = inverse[k];
        r->near[k] = near[k];
        r->far[k] = beyond[k];
    }
    ray_boxes_set(r, b);
    r->octant = i4_bits((i4)inverse) & 7;
    r->axis = (uint32_t)__builtin_ctz(i4_bits(size_d == v4_all(step)) | 4);
    r->start = 0.0;
    r->around = BW_RAY_AROUND * reach;
    r->line = -reach; /* ray_aim is still to come */
    ray_line_of(s, line);
    return true;
}

/* The part for triangles, once a box is met. */
static __attribute__((noinline)) void ray_aim(const bw_ray_target *t, const ray_line *line, bw_ray_ready *r)
{
    const uint32_t axis = r->axis, x = axis == 2 ? 0 : axis + 1, y = axis == 0 ? 2 : axis - 1;
    const float reach = -r->line;
    const double *o = &line->from->x, *p = &line->through->x;
    const d2 origin = d2_of(o[x], o[y]);
    const d2 slope = (d2_of(p[x], p[y]) - origin) / d2_all(p[axis] - o[axis]),
             offset = origin - slope * d2_all(o[axis]);
    const v4 both = d4_floats((d4){slope, offset}), sizes = v4_abs(both);
    v4_store(r->slope, both); /* offset is next to it */
    const float far = sizes[2] > sizes[3] ? sizes[2] : sizes[3];
    const float error = BW_RAY_ERROR * (t->roundings * t->place->reach + 2.0f * far) + BW_RAY_DOUBLE * reach;
    r->line = BW_RAY_LINE * error;
    r->square = BW_RAY_SQUARE * error * error;
}

#endif
