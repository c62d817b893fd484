#include "collide/ray.h"

#include "collide/ray_kernels.h"
#include "geom/box.h"
#include "geom/triangle.h"
#include "geom/vec.h"

#include <math.h>
#include <string.h>

typedef struct ray_walk {
    bw_ray_state state; /* first, so that a pointer to it is one to the whole */
    bw_ray_query *query;
    double unit;  /* of t, in T */
    double entry; /* what was taken off T */
    double error; /* of a point of the ray near the tree, computed in double */
    bw_result result;
} ray_walk;

/* Contacts have a t that is good to a relative 2^-46, and those beyond the limit may be dropped. */
static void take_limit(ray_walk *w)
{
    double end = w->query->limit * w->unit;
    if (!(end < INFINITY)) {
        w->state.end = INFINITY;
        w->state.limit = INFINITY;
        return;
    }
    w->state.end = end - w->entry + 0x1p-40 * (end + w->entry);
    double above = w->state.end + 0x1p-23 * fabs(w->state.end) + 0x1p-140;
    w->state.limit = above < 0x1p127 ? (float)above : INFINITY;
}

static bool decide(bw_ray_state *state, uint32_t primitive, bool crossed)
{
    ray_walk *w = (ray_walk *)state;
    bw_ray_query *q = w->query;
    bw_vec3 corners[3];
    if (!bw_metric_corners(state->side, primitive, corners)) {
        w->result = BW_ERROR_RANGE;
        return false;
    }
    bw_ray_hit hit = {.primitive = primitive, .kind = BW_CONTACT_CROSSING};
    if (crossed)
        hit.t = bw_ray_crossing(&q->origin, &q->through, corners);
    else
        hit.kind = bw_ray_triangle(&q->origin, &q->through, corners, &hit.t);
    if (hit.kind == BW_CONTACT_NONE || hit.t > q->limit)
        return true;
    double before = q->limit;
    bool go_on = q->visit(q, &hit, corners);
    if (q->limit != before)
        take_limit(w);
    return go_on;
}

/* The coordinates of the ray in which the tree's boxes stand, the box around all, and how far the computed
 * origin may be from where it is. */
static void place_ray(ray_walk *w, const bw_metric_side *side, double origin[3], double d[3], double low[3],
                      double high[3])
{
    const bw_ray_query *q = w->query;
    bw_ray_state *s = &w->state;
    bw_vec3 along = bw_vec3_sub(q->through, q->origin);
    const double from[3] = {q->origin.x, q->origin.y, q->origin.z}, step[3] = {along.x, along.y, along.z};
    const bw_box *box = &side->tree->bounds;
    w->error = 0.0;
    s->near = NULL;
    for (int k = 0; k < 3; k++) {
        origin[k] = from[k];
        d[k] = step[k];
        low[k] = (double)box->min[k];
        high[k] = (double)box->max[k];
    }
    if (side->map == NULL)
        return;
    bw_near_frame frame;
    bw_near_frame_set(&frame, side, NULL, from);
    bw_near_frame_align(&frame, side);
    bw_near_map_set(&s->map, &frame, side);
    bw_near_frame_point(&frame, from, origin);
    s->near = bw_near_kernels_for(bw_simd_level(q->level));
    for (int i = 0; i < 3; i++) {
        double extent = 0.0;
        d[i] = 0.0;
        for (int k = 0; k < 3; k++) {
            d[i] += frame.scale * frame.axis[i][k] * step[k];
            extent += fabs((double)s->map.m[i][k]) * ((double)box->max[k] - (double)box->min[k]);
            w->error += 0x1p-48 * frame.scale * (fabs(from[k]) + fabs(frame.origin[k]));
        }
        low[i] = (double)s->map.low[i] - extent; /* twice what is needed */
        high[i] = (double)s->map.high[i] + extent;
    }
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* The power of two with which x is in [1, 2), for x > 0. */
static double power_of_two(double x)
{
    int exponent;
    if (!(x >= 0x1p-1000)) { /* so small that the quick way does not do */
        frexp(x, &exponent);
        return ldexp(1.0, exponent - 1);
    }
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= (uint64_t)0x7FF << 52;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Along an axis along which the ray moves by less than this it is taken not to move at all. */
#define STILL 0x1p-60

/* Where the ray enters the box around all, a little before. Infinite where it runs beside it: along an axis
 * along which it does not move, or so little that it has left the box along another by then. (The directions
 * of rays are as good as random: no branch here depends on them.) */
double bw_ray_entry(const double origin[3], const double inverse[3], const double low[3],
                    const double high[3])
{
    double entry = 0.0;
    for (int k = 0; k < 3; k++) {
        double apart = 0x1p-10 * (high[k] - low[k]);
        double near = (low[k] - apart - origin[k]) * inverse[k],
               far = (high[k] + apart - origin[k]) * inverse[k];
        near = near < far ? near : far;
        entry = near > entry ? near : entry; /* a NaN says nothing */
    }
    return entry * (1.0 - 0x1p-40);
}

static float clamp_to_float(double x)
{
    x = x < 0x1p127 ? x : 0x1p127;
    return (float)(x > -0x1p127 ? x : -0x1p127);
}

static void set_axis(ray_walk *w, int k, double inverse, double spread)
{
    bw_ray_state *s = &w->state;
    double at = s->origin[k], error = w->error + 0x1p-23 * fabs(at) + 0x1p-140; /* rounding to float, too */
    if (fabs(s->direction[k]) < STILL) {
        error += 4.0 * STILL * spread;
        inverse = INFINITY;
    }
    uint32_t back = inverse < 0.0, min = (uint32_t)k * BW_WIDTH;
    error = copysign(error, inverse);
    s->first[k] = min + back * 3 * BW_WIDTH;
    s->last[k] = min + (1 - back) * 3 * BW_WIDTH;
    s->origin_first[k] = clamp_to_float(at + error);
    s->origin_last[k] = clamp_to_float(at - error);
    s->inverse[k] = (float)inverse;
}

static void set_triangle_axes(bw_ray_state *s, const double inverse[3])
{
    const double *d = s->direction;
    double x = fabs(d[0]), y = fabs(d[1]), z = fabs(d[2]);
    int axis = y > x;
    axis = z > (y > x ? y : x) ? 2 : axis;
    s->axis = axis;
    s->is_point = d[axis] == 0.0;
    s->side_axis[0] = axis == 2 ? 0 : axis + 1;
    s->side_axis[1] = axis == 0 ? 2 : axis - 1;
    s->slope[0] = (float)(d[s->side_axis[0]] * inverse[axis]);
    s->slope[1] = (float)(d[s->side_axis[1]] * inverse[axis]);
    s->speed = (float)inverse[axis];
    s->inverse2 = 1.0 / (x * x + y * y + z * z);
}

/* At the ends of the range, where floats and margins underflow or overflow. */
static bool is_extreme(const bw_ray_query *q, double reach, double spread)
{
    const double given[6] = {q->origin.x, q->origin.y, q->origin.z, q->through.x, q->through.y, q->through.z};
    bool small = false;
    for (int i = 0; i < 6; i++)
        small |= given[i] != 0.0 && fabs(given[i]) < 0x1p-100;
    return small || !(reach < 0x1p101) || !(spread > 0x1p-80);
}

/* Every box is met, every triangle is for the exact test. */
static void take_everything(bw_ray_state *s)
{
    s->is_point = true;
    for (int k = 0; k < 3; k++) {
        s->first[k] = (uint32_t)k * BW_WIDTH;
        s->last[k] = (uint32_t)(k + 3) * BW_WIDTH;
        s->origin_first[k] = 0x1p127f;
        s->origin_last[k] = -0x1p127f;
        s->inverse[k] = INFINITY;
    }
}

static void prepare(ray_walk *w, const bw_metric_side *side)
{
    bw_ray_state *s = &w->state;
    double low[3], high[3], inverse[3], reach = 0.0, spread = 0.0;
    s->side = side;
    place_ray(w, side, s->origin, s->direction, low, high);
    double size = larger(fabs(s->direction[0]), larger(fabs(s->direction[1]), fabs(s->direction[2])));
    w->unit = size > 0.0 ? power_of_two(size) : 1.0;
    double unit_inverse = 1.0 / w->unit;
    for (int k = 0; k < 3; k++) {
        s->direction[k] *= unit_inverse;
        inverse[k] = 1.0 / s->direction[k];
    }
    w->entry = bw_ray_entry(s->origin, inverse, low, high);
    if (!(w->entry < 0x1p900)) /* along an axis along which it hardly moves: the boxes will tell */
        w->entry = 0.0;
    for (int k = 0; k < 3; k++) {
        double from = fabs(s->origin[k]), near, far;
        s->origin[k] += w->entry * s->direction[k];
        near = fabs(low[k] - s->origin[k]);
        far = fabs(high[k] - s->origin[k]);
        reach = larger(reach, from);
        reach = larger(reach, larger(fabs(low[k]), fabs(high[k])));
        spread = larger(spread, larger(near, far));
    }
    w->error += 0x1p-48 * reach;
    s->point_error = w->error < 0x1p100 ? (float)(w->error * (1.0 + 0x1p-20) + 0x1p-140) : INFINITY;
    s->start = -w->entry;
    for (int k = 0; k < 3; k++)
        set_axis(w, k, inverse[k], spread);
    set_triangle_axes(s, inverse);
    if (is_extreme(w->query, reach, spread))
        take_everything(s);
}

static bw_ray_descent *descent_at(bw_simd level)
{
#if BW_SIMD_X86
    if (level == BW_SIMD_AVX2)
        return bw_ray_descent_avx2;
    if (level == BW_SIMD_SSE)
        return bw_ray_descent_sse;
#endif
    (void)level;
    return bw_ray_descent_scalar;
}

bw_result bw_ray_walk(const bw_metric_side *side, const bw_allocator *allocator, bw_ray_query *q)
{
    if (side->tree->node_count == 0)
        return BW_OK;
    uint64_t room[128];
    ray_walk w;
    w.query = q;
    w.result = BW_OK;
    w.state.failed = false;
    w.state.decide = decide;
    w.state.nodes_visited = w.state.box_tests = w.state.primitive_tests = 0;
    w.state.stack = bw_stack_over(room, sizeof room, sizeof *room, allocator);
    prepare(&w, side);
    take_limit(&w);
    descent_at(bw_simd_level(q->level))(&w.state);
    bw_stack_release(&w.state.stack);
    q->nodes_visited += w.state.nodes_visited;
    q->box_tests += w.state.box_tests;
    q->primitive_tests += w.state.primitive_tests;
    return w.state.failed ? BW_ERROR_MEMORY : w.result;
}
