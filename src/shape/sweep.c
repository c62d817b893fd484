/* When a shape and another, or a body, that move and turn first come near: conservative advancement, as in
 * swept/rigid.c.
 *
 * Within a time dt nothing comes nearer than by dt (|relative translation| + |angle| reach of each), reach being
 * the largest distance of a point from the centre of its turn. A half-space has no reach of its own: seen from
 * it, the other's points move, and these are no farther from its centre than the sum of all ways. */
#include "base/fault.h"
#include "base/sized.h"
#include "shape/body.h"
#include "shape/pair.h"

static const bw_rigid_motion at_rest = {.start = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}}};

/* One of the two. */
typedef struct mover {
    const bw_shape *shape; /* NULL: the body */
    const bw_body *body;
    const bw_rigid_motion *motion;
    double reach, radius; /* of points from the centre of the turn; of a core's points */
    double size;          /* of coordinates, at any time */
    bool plane;
} mover;

/* The farthest corner of the box of a body's tree from the centre. */
static double body_reach(const bw_body *body, const bw_rigid_motion *motion)
{
    const bw_box box = bw_tree_bounds(body->tree);
    double reach = 0;
    for (int i = 0; i < 8 && box.min[0] <= box.max[0]; i++) {
        const bw_vec3 corner = {(double)((i & 1) != 0 ? box.max[0] : box.min[0]),
                                (double)((i & 2) != 0 ? box.max[1] : box.min[1]),
                                (double)((i & 4) != 0 ? box.max[2] : box.min[2])};
        reach = bw_larger(
            reach, bw_vec3_length(bw_vec3_sub(bw_transform_point(&motion->start, corner), motion->centre)));
    }
    return reach;
}

static bw_result prepare(mover *m)
{
    bw_transform pose;
    const bw_rigid_motion *motion = m->motion;
    bw_result result = bw_rigid_motion_pose(motion, 0, &pose);
    if (result != BW_OK)
        return result;
    if (m->shape != NULL) {
        bw_convex c;
        result = bw_convex_place(m->shape, &motion->start, &c);
        if (result != BW_OK)
            return result;
        m->plane = c.core == BW_CORE_HALF_SPACE;
        m->reach = bw_vec3_length(bw_vec3_sub(c.at, motion->centre)) + c.reach;
        m->radius = c.radius + c.reach;
    } else {
        m->reach = m->radius = body_reach(m->body, motion);
    }
    m->reach *= 1 + 0x1p-40;
    m->size = m->reach + bw_vec3_length(motion->centre) + bw_vec3_length(motion->translation) +
              (m->shape != NULL ? m->shape->radius : 0);
    return m->size <= BW_COORDINATE_MAX ? BW_OK : BW_ERROR_RANGE;
}

/* Tells what prepare() refused: a shape or its start, where these are at fault. */
static bw_result cannot(const mover *m, bw_result result, uint32_t element, bw_fault *fault)
{
    bw_convex c;
    return m->shape != NULL && bw_convex_place(m->shape, &m->motion->start, &c) == result
               ? bw_convex_fail(m->shape, &m->motion->start, result, element, fault)
               : bw_fail_at(fault, result, element);
}

/* How fast two points can come nearer. */
static double speed_of(const mover *a, const mover *b)
{
    const double ways = bw_vec3_length(a->motion->translation) + bw_vec3_length(b->motion->translation) +
                        bw_vec3_length(bw_vec3_sub(a->motion->centre, b->motion->centre));
    const double reach_a = a->plane ? ways + b->reach : a->reach,
                 reach_b = b->plane ? ways + a->reach : b->reach;
    const double shift = bw_vec3_length(bw_vec3_sub(a->motion->translation, b->motion->translation));
    return (shift + fabs(a->motion->angle) * reach_a + fabs(b->motion->angle) * reach_b) * (1 + 0x1p-40);
}

typedef struct sweep {
    mover a, b; /* a is a shape */
    bw_metric_side side;
    const bw_shape_sweep_desc *desc;
    bw_shape_cache cache;
} sweep;

static bw_result distance_at(sweep *s, double time, bw_shape_nearest *nearest, uint32_t *primitive)
{
    bw_transform pose_a, pose_b;
    bw_convex a, b;
    bw_result result = bw_rigid_motion_pose(s->a.motion, time, &pose_a);
    if (result == BW_OK)
        result = bw_rigid_motion_pose(s->b.motion, time, &pose_b);
    if (result == BW_OK)
        result = bw_convex_place(s->a.shape, &pose_a, &a);
    if (result != BW_OK)
        return result;
    if (s->b.shape != NULL) {
        result = bw_convex_place(s->b.shape, &pose_b, &b);
        if (result == BW_OK)
            bw_pair_distance(&a, &b, &s->cache, nearest);
        return result;
    }
    bw_shape_distance_report report;
    const bw_body body = {s->b.body->tree, s->b.body->mesh, &pose_b};
    result = bw_body_prepare(&body, &s->side);
    if (result == BW_OK)
        result = bw_body_distance(&a, &s->side, (double)INFINITY, s->desc->allocator, &report);
    if (result == BW_OK) {
        *nearest = report.nearest;
        *primitive = report.primitive;
    }
    return result;
}

static bw_result run(sweep *s, bw_shape_sweep_report *out)
{
    const double speed = speed_of(&s->a, &s->b), margin = 1e-11 * (s->a.size + s->b.size);
    double tolerance =
        s->desc->tolerance > 0 ? s->desc->tolerance : 1e-6 * bw_larger(s->a.radius, s->b.radius);
    tolerance = bw_larger(tolerance, 2 * margin); /* no finer than distances are known */
    const uint32_t max_steps = s->desc->max_steps == 0 ? 1000 : s->desc->max_steps;
    *out = (bw_shape_sweep_report){.status = BW_DONE, .primitive = BW_NONE};
    for (double time = 0;;) {
        bw_shape_nearest nearest;
        const bw_result result = distance_at(s, time, &nearest, &out->primitive);
        if (result != BW_OK)
            return result;
        out->time = time;
        out->distance = nearest.distance;
        out->point_a = nearest.point_a;
        out->point_b = nearest.point_b;
        out->normal = nearest.normal;
        out->steps++;
        if (nearest.distance <= tolerance)
            out->status = BW_FOUND;
        if (nearest.distance <= tolerance || time == 1)
            return BW_OK;
        if (out->steps == max_steps) {
            out->status = BW_LIMIT;
            return BW_OK;
        }
        /* Half the tolerance before a touch is soon enough, and keeps steps from dwindling. */
        const double safe = nearest.distance - bw_larger(margin, 0.5 * tolerance);
        const double next = speed > 0 ? time + safe / speed : 1;
        time = next > time && next < 1 ? next : 1;
    }
}

static bw_result start(sweep *s, bw_shape_sweep_report *report, bw_fault *fault)
{
    bw_shape_sweep_report out;
    bw_result result = prepare(&s->a);
    if (result != BW_OK)
        return cannot(&s->a, result, 0, fault);
    result = prepare(&s->b);
    if (result != BW_OK)
        return cannot(&s->b, result, 1, fault);
    if (s->a.plane && s->b.plane && (s->a.motion->angle != 0 || s->b.motion->angle != 0))
        return bw_fail(fault, BW_ERROR_UNSUPPORTED);
    result = run(s, &out);
    if (result != BW_OK)
        return bw_fail(fault, result);
    bw_report_set(report, out);
    return bw_fail(fault, BW_OK);
}

static const bw_shape_sweep_desc defaults = {0};

static bw_result check(const bw_shape_sweep_desc *desc, const bw_shape_sweep_report *report)
{
    if (bw_sizes_check(desc, report) != BW_OK)
        return bw_sizes_check(desc, report);
    return report == NULL || !(desc->tolerance >= 0) ? BW_ERROR_ARGUMENT : BW_OK;
}

bw_result bw_shape_sweep(const bw_shape *a, const bw_rigid_motion *a_motion, const bw_shape *b,
                         const bw_rigid_motion *b_motion, const bw_shape_sweep_desc *desc,
                         bw_shape_sweep_report *report, bw_fault *fault)
{
    desc = desc == NULL ? &defaults : desc;
    const bw_result result = check(desc, report);
    if (result != BW_OK)
        return bw_fail(fault, result);
    if (a == NULL || b == NULL)
        return bw_fail_at(fault, BW_ERROR_ARGUMENT, a == NULL ? 0 : 1);
    sweep s = {.a = {.shape = a, .motion = a_motion == NULL ? &at_rest : a_motion},
               .b = {.shape = b, .motion = b_motion == NULL ? &at_rest : b_motion},
               .desc = desc};
    return start(&s, report, fault);
}

bw_result bw_shape_sweep_body(const bw_shape *shape, const bw_rigid_motion *shape_motion, const bw_body *body,
                              const bw_rigid_motion *body_motion, const bw_shape_sweep_desc *desc,
                              bw_shape_sweep_report *report, bw_fault *fault)
{
    desc = desc == NULL ? &defaults : desc;
    bw_result result = check(desc, report);
    if (result != BW_OK)
        return bw_fail(fault, result);
    if (shape == NULL)
        return bw_fail_at(fault, BW_ERROR_ARGUMENT, 0);
    sweep s = {.a = {.shape = shape, .motion = shape_motion == NULL ? &at_rest : shape_motion},
               .b = {.body = body, .motion = body_motion == NULL ? &at_rest : body_motion},
               .desc = desc};
    result = bw_body_prepare(body, &s.side);
    return result == BW_OK ? start(&s, report, fault) : bw_fail_at(fault, result, 1);
}
