/* Making a ray ready, one coordinate after another: for every level, and for rays that start far away or are
 * mapped. */
#include "collide/ray/ready.h"

#include "geom/vec.h"

/* Where the ray, which may be off by the slack, enters the bounds, a little before; 0 from within. Infinite,
 * or far too large, where it runs beside them. */
static double entry_of(const bw_box *box, const double origin[3], const double direction[3], double slack)
{
    double entry = 0.0;
    for (int k = 0; k < 3; k++) {
        const double low = (double)box->min[k], high = (double)box->max[k], inverse = 1.0 / direction[k];
        const double apart = 0x1p-10 * (high - low) + 2.0 * slack;
        double near = (low - apart - origin[k]) * inverse, far = (high + apart - origin[k]) * inverse;
        near = near < far ? near : far;
        entry = near > entry ? near : entry; /* a NaN says nothing */
    }
    return entry * (1.0 - 0x1p-40);
}

/* The ray in the tree's coordinates; *slack: how far off it may be. */
static bool place(const bw_ray_target *t, const bw_vec3 *from, const bw_vec3 *through, double origin[3],
                  double direction[3], double *slack)
{
    const double o[3] = {from->x, from->y, from->z}, p[3] = {through->x, through->y, through->z};
    double size = 0.0;
    bool fits = true;
    for (int k = 0; k < 3; k++) {
        origin[k] = o[k];
        direction[k] = p[k] - o[k];
        size = fabs(o[k]) > size ? fabs(o[k]) : size; /* a NaN shows in the direction */
        size = fabs(p[k]) > size ? fabs(p[k]) : size;
        fits &= (o[k] == 0.0 || fabs(o[k]) >= BW_EXACT_MIN) && (p[k] == 0.0 || fabs(p[k]) >= BW_EXACT_MIN);
    }
    *slack = 0.0;
    if (t->side.map == NULL)
        return fits && size <= BW_EXACT_MAX;
    const bw_vec3 along = {direction[0], direction[1], direction[2]};
    const bw_vec3 from_shift = {o[0] - t->shift[0], o[1] - t->shift[1], o[2] - t->shift[2]};
    for (int i = 0; i < 3; i++) {
        const bw_vec3 row = {t->turn[i][0], t->turn[i][1], t->turn[i][2]};
        origin[i] = bw_vec3_dot(row, from_shift);
        direction[i] = bw_vec3_dot(row, along);
    }
    *slack = t->slack + t->growth * size;
    return fits && size <= BW_EXACT_MAX;
}

static void set_boxes(const double origin[3], const double direction[3], float margin, bw_ray_ready *out)
{
    out->octant = 0;
    for (int k = 0; k < 3; k++) {
        const float o = (float)origin[k];
        float inverse = 1.0f / (float)direction[k];
        inverse = inverse < BW_RAY_INVERSE_MAX ? inverse : BW_RAY_INVERSE_MAX;
        inverse = inverse > -BW_RAY_INVERSE_MAX ? inverse : -BW_RAY_INVERSE_MAX;
        const bool back = inverse < 0.0f;
        const float away = back ? -margin : margin;
        out->inverse[k] = inverse;
        out->near[k] = (o + away) * inverse;
        out->far[k] = (o - away) * inverse;
        out->octant |= (uint32_t)back << k;
    }
}

bool bw_ray_ready_set(const bw_ray_target *t, const bw_vec3 *from, const bw_vec3 *through, bw_ray_ready *out)
{
    double origin[3], direction[3], slack;
    if (!place(t, from, through, origin, direction, &slack))
        return false;
    float step = 0.0f, size = 0.0f;
    bool fits = true, away = false;
    out->axis = 0;
    for (int k = 0; k < 3; k++) {
        const float d = fabsf((float)direction[k]), o = (float)origin[k];
        fits &= d <= BW_RAY_STEP_MAX && fabsf(o) <= BW_RAY_REACH_MAX; /* false for a NaN */
        away |= !(o >= t->place->low[k] && o <= t->place->high[k]);
        out->axis = d > step ? (uint32_t)k : out->axis;
        step = d > step ? d : step;
        size = fabsf(o) > size ? fabsf(o) : size;
    }
    if (!fits || !(step >= BW_RAY_STEP_MIN))
        return false;
    out->start = 0.0;
    out->unit = 1.0;
    if (away) {
        const double entry = entry_of(&t->side.tree->bounds, origin, direction, slack);
        if (entry < 0x1p60) { /* else along an axis along which it hardly moves: the boxes will tell */
            out->start = entry;
            slack += 0x1p-48 * ((double)size + entry * (double)step);
            size = 0.0f;
            for (int k = 0; k < 3; k++) {
                origin[k] += entry * direction[k];
                const float o = fabsf((float)origin[k]);
                size = o > size ? o : size;
            }
        }
    }
    const float reach = size + t->place->reach, off = (float)slack * 1.001f;
    if (!(reach <= BW_RAY_REACH_MAX && slack <= 0x1p20))
        return false;
    set_boxes(origin, direction, reach * BW_RAY_MARGIN + off, out);
    float offset = 0.0f;
    for (int i = 0; i < 2; i++) {
        const uint32_t k = (out->axis + (uint32_t)i + 1) % 3;
        const double slope = direction[k] / direction[out->axis];
        out->slope[i] = (float)slope;
        out->offset[i] = (float)(origin[k] - slope * origin[out->axis]);
        offset = fabsf(out->offset[i]) > offset ? fabsf(out->offset[i]) : offset;
    }
    const float error =
        BW_RAY_ERROR * (t->roundings * t->place->reach + 2.0f * offset) + BW_RAY_DOUBLE * reach + 2.0f * off;
    out->line = BW_RAY_LINE * error;
    out->square = BW_RAY_SQUARE * error * error;
    out->around = BW_RAY_AROUND * reach + 4.0f * off;
    return true;
}
