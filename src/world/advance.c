/* Bodies that move: the boxes of whole ways go to the scene, and for each pair whose boxes meet conservative
 * advancement finds the time of its first contact; the earliest counts. */
#include "base/cancel.h"
#include "base/fault.h"
#include "base/sized.h"
#include "base/tasks.h"
#include "geom/box.h"
#include "geom/sine.h"
#include "geom/vec.h"
#include "world/bodies.h"
#include "world/broad_pairs.h"
#include "world/filters.h"
#include "world/query.h"

#include <math.h>

/* A box around a body on its way: the boxes at both ends, and how far a turn bulges beyond the straight lines between
 * them. A point at a distance r from the centre of a turn by at most pi stays within r (1 - cos(angle / 2)) of its
 * chord. */
static bw_box way_box(const bw_box *start, const bw_box *end, const bw_rigid_motion *motion)
{
    bw_box both = bw_box_union(start, end);
    if (motion->angle == 0)
        return both;
    double reach2 = 0;
    const double centre[3] = {motion->centre.x, motion->centre.y, motion->centre.z};
    for (int i = 0; i < 3; i++) {
        const double d =
            fmax(fabs((double)start->min[i] - centre[i]), fabs((double)start->max[i] - centre[i]));
        reach2 += d * d;
    }
    const double bulge = sqrt(reach2) * (1 - bw_cosine(0.5 * fmin(fabs(motion->angle), 3.2)));
    /* The share covers the rounding of all this. */
    return bw_box_grown(&both, bulge * (1 + 1e-9) + 1e-12 * sqrt(reach2));
}

static bw_vec3 centre_of(const bw_box *box)
{
    return (bw_vec3){0.5 * ((double)box->min[0] + (double)box->max[0]),
                     0.5 * ((double)box->min[1] + (double)box->max[1]),
                     0.5 * ((double)box->min[2] + (double)box->max[2])};
}

static bw_rigid_motion resting(const bw_member *m)
{
    return (bw_rigid_motion){.start = m->posed ? m->pose : bw_transform_identity()};
}

/* ---- the time of two ---- */

typedef struct moment {
    bw_result result;
    bool limited; /* steps ran out */
    bw_world_impact impact;
} moment;

static void from_shapes(const bw_shape_sweep_report *r, bool swapped, moment *out)
{
    out->limited = r->status == BW_LIMIT;
    out->impact.time = r->status == BW_DONE ? 1 : r->time;
    out->impact.primitive_a = swapped ? r->primitive : BW_NONE;
    out->impact.primitive_b = swapped ? BW_NONE : r->primitive;
    out->impact.point = bw_vec3_scale(bw_vec3_add(r->point_a, r->point_b), 0.5);
    out->impact.normal = bw_vec3_scale(r->normal, swapped ? -1 : 1);
    if (r->status == BW_DONE)
        out->impact.a = out->impact.b = 0;
}

static void from_bodies(const bw_swept_rigid_report *r, moment *out)
{
    out->limited = r->status == BW_LIMIT;
    out->impact.time = r->status == BW_DONE ? 1 : r->time;
    out->impact.primitive_a = r->a;
    out->impact.primitive_b = r->b;
    out->impact.point = bw_vec3_scale(bw_vec3_add(r->point_a, r->point_b), 0.5);
    const bw_vec3 way = bw_vec3_sub(r->point_b, r->point_a);
    const double length = sqrt(bw_vec3_dot(way, way));
    out->impact.normal = length > 0 ? bw_vec3_scale(way, 1 / length) : (bw_vec3){0, 0, 0};
    if (r->status == BW_DONE)
        out->impact.a = out->impact.b = 0;
}

static void time_of(const bw_world *world, const bw_member *a, const bw_rigid_motion *ma, const bw_member *b,
                    const bw_rigid_motion *mb, double tolerance, moment *out)
{
    *out = (moment){.impact = {.time = 1, .a = a->id, .b = b->id}};
    if (!a->is_shape && !b->is_shape) {
        const bw_body ba = bw_member_body(a), bb = bw_member_body(b);
        const bw_swept_rigid_desc desc = {.tolerance = tolerance, .allocator = &world->allocator};
        bw_swept_rigid_report report = {0};
        out->result = bw_swept_rigid(&ba, ma, &bb, mb, &desc, &report, NULL);
        from_bodies(&report, out);
        return;
    }
    const bw_shape_sweep_desc desc = {.tolerance = tolerance, .allocator = &world->allocator};
    bw_shape_sweep_report report = {0};
    if (a->is_shape && b->is_shape) {
        out->result = bw_shape_sweep(&a->shape, ma, &b->shape, mb, &desc, &report, NULL);
    } else {
        const bw_body body = bw_member_body(a->is_shape ? b : a);
        out->result = bw_shape_sweep_body(a->is_shape ? &a->shape : &b->shape, a->is_shape ? ma : mb, &body,
                                          a->is_shape ? mb : ma, &desc, &report, NULL);
    }
    from_shapes(&report, !a->is_shape, out);
}

static bool earlier(const bw_world_impact *x, const bw_world_impact *y)
{
    if (x->a == 0 || y->a == 0)
        return x->a != 0;
    if (x->time != y->time)
        return x->time < y->time;
    const uint64_t kx = (uint64_t)bw_place_of(x->a) << 32 | bw_place_of(x->b);
    const uint64_t ky = (uint64_t)bw_place_of(y->a) << 32 | bw_place_of(y->b);
    return kx < ky;
}

/* ---- all of them ---- */

typedef struct journey {
    bw_world *world;
    const bw_world_advance_desc *desc;
    uint32_t count;           /* bodies that move */
    bw_rigid_motion *motions; /* of these */
    bw_id *ids;               /* of these */
    bw_box *boxes;            /* of their ways */
    uint32_t *motion_of;      /* by place: which, or BW_NONE */
    bw_box *way;              /* by place */
    moment *moments;          /* by active pair */
    size_t places, broad_pairs;
    bw_cancel *cancel;
} journey;

static bw_result plan(journey *j, const bw_id *ids, const bw_transform *poses, bw_fault *fault)
{
    for (uint32_t i = 0; i < j->count; i++) {
        bw_result result;
        const bw_member *m = bw_world_find(j->world, ids[i], &result);
        if (m == NULL)
            return bw_fail_at(fault, result, i);
        if (j->motion_of[bw_place_of(ids[i])] != BW_NONE)
            return bw_fail_at(fault, BW_ERROR_ARGUMENT, i);
        const bw_box box = *bw_box_at(j->world, bw_place_of(ids[i]));
        bw_convex placed;
        bw_box end;
        result = bw_member_measure(j->world, m, &poses[i], &placed, &end, fault);
        const bw_transform start = resting(m).start;
        if (result == BW_OK)
            result =
                bw_fail(fault, bw_rigid_motion_between(&start, &poses[i], centre_of(&box), &j->motions[i]));
        if (result != BW_OK) {
            if (fault != NULL)
                fault->element = i;
            return result;
        }
        j->ids[i] = ids[i];
        j->boxes[i] = way_box(&box, &end, &j->motions[i]);
        j->boxes[i] = bw_box_clipped(bw_box_grown(&j->boxes[i], j->desc->tolerance));
        j->motion_of[bw_place_of(ids[i])] = i;
    }
    return BW_OK;
}

/* The box of each place; those at rest have a margin for contacts at a distance. */
static void spread(journey *j)
{
    for (size_t place = 0; place < j->places; place++) {
        const bw_member *m = bw_member_at(j->world, (uint32_t)place);
        if (m->id != 0)
            j->way[place] = j->motion_of[place] == BW_NONE ? *bw_box_at(j->world, (uint32_t)place)
                                                           : j->boxes[j->motion_of[place]];
    }
}

static void time_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    journey *j = context;
    (void)worker;
    const uint32_t *active = (const uint32_t *)(void *)j->world->active.items;
    for (uint32_t i = begin; i < end; i++) {
        const bw_broad_pair *pair = bw_broad_pair_at(j->world, active[i]);
        const bw_member *m[2] = {bw_member_at(j->world, bw_place_of(pair->a)),
                                 bw_member_at(j->world, bw_place_of(pair->b))};
        bw_rigid_motion motion[2];
        bool any = false;
        for (int k = 0; k < 2; k++) {
            const uint32_t moves = j->motion_of[bw_place_of(m[k]->id)];
            any |= moves != BW_NONE;
            motion[k] = moves == BW_NONE ? resting(m[k]) : j->motions[moves];
        }
        if (!bw_cancel_go_on(j->cancel))
            j->moments[i] = (moment){.result = BW_ERROR_STOPPED};
        else if (any)
            time_of(j->world, m[0], &motion[0], m[1], &motion[1], j->desc->tolerance, &j->moments[i]);
        else
            j->moments[i] = (moment){.impact = {.time = 1}};
    }
}

/* The first contact of all, in the order of the broad pairs; and whether steps ran out before it. */
static bw_result first_of(const journey *j, bw_world_advance_report *out, bw_fault *fault)
{
    *out = (bw_world_advance_report){.first = {.time = 1, .primitive_a = BW_NONE, .primitive_b = BW_NONE},
                                     .candidate_count = (uint32_t)j->broad_pairs};
    bool limited = false;
    const uint32_t *active = (const uint32_t *)(void *)j->world->active.items;
    for (size_t i = 0; i < j->broad_pairs; i++) {
        const moment *m = &j->moments[i];
        if (m->result == BW_ERROR_STOPPED)
            return bw_fail(fault, m->result);
        if (m->result != BW_OK)
            return bw_fail_at(fault, m->result, bw_place_of(bw_broad_pair_at(j->world, active[i])->a));
        if (earlier(&m->impact, &out->first)) {
            out->first = m->impact;
            limited = m->limited;
        }
    }
    out->status = out->first.a == 0 ? BW_DONE : limited ? BW_LIMIT : BW_FOUND;
    return bw_fail(fault, BW_OK);
}

static bw_result move_to(journey *j, double time, const bw_transform *poses, bw_fault *fault)
{
    bw_transform *at = bw_allocate(&j->world->allocator, j->count, sizeof *at);
    bw_result result = at == NULL && j->count != 0 ? bw_fail(fault, BW_ERROR_MEMORY) : BW_OK;
    for (uint32_t i = 0; i < j->count && result == BW_OK; i++) {
        at[i] = poses[i];
        if (time < 1)
            result = bw_fail(fault, bw_rigid_motion_pose(&j->motions[i], time, &at[i]));
    }
    if (result == BW_OK)
        result = bw_world_move_many(j->world, j->ids, at, j->count, fault);
    bw_release(&j->world->allocator, at, j->count, sizeof *at);
    return result;
}

static bw_result travel(journey *j, const bw_id *ids, const bw_transform *poses, bw_world_advance_report *out,
                        bw_fault *fault)
{
    for (size_t place = 0; place < j->places; place++)
        j->motion_of[place] = BW_NONE;
    bw_result result = plan(j, ids, poses, fault);
    if (result != BW_OK)
        return result;
    spread(j);
    /* Rooms around whole ways are rooms as any others: they stay. */
    result = j->count == 0 ? BW_OK : bw_world_place(j->world, j->ids, j->boxes, j->count);
    if (result == BW_OK)
        result = bw_broad_pairs_update(j->world);
    if (result == BW_OK)
        result = bw_broad_pairs_select(j->world, j->way, j->desc->may_meet, j->desc->user);
    if (result == BW_OK && !bw_cancel_go_on(j->cancel))
        result = BW_ERROR_STOPPED;
    if (result != BW_OK)
        return bw_fail(fault, result);
    j->broad_pairs = j->world->active.count;
    j->moments = bw_allocate(&j->world->allocator, j->broad_pairs, sizeof *j->moments);
    if (j->moments == NULL && j->broad_pairs != 0)
        return bw_fail(fault, BW_ERROR_MEMORY);
    bw_parallel(bw_world_tasks(j->world), time_range, j, (uint32_t)j->broad_pairs, 4);
    result = first_of(j, out, fault);
    if (result == BW_OK && !j->desc->stay)
        result = move_to(j, out->first.time, poses, fault);
    return result;
}

bw_result bw_world_advance(bw_world *world, const bw_id *ids, const bw_transform *poses, uint32_t count,
                           const bw_world_advance_desc *desc, bw_world_advance_report *report,
                           bw_fault *fault)
{
    if (world == NULL || (count != 0 && (ids == NULL || poses == NULL)))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_result result = bw_sizes_check(desc, report);
    if (result == BW_OK && desc != NULL && !(desc->tolerance >= 0 && desc->tolerance < INFINITY))
        result = BW_ERROR_ARGUMENT;
    if (result != BW_OK)
        return bw_fail(fault, result);
    const bw_world_advance_desc none = {0};
    const bw_allocator *from = &world->allocator;
    journey j = {
        .world = world, .desc = desc == NULL ? &none : desc, .count = count, .places = world->members.count};
    j.motions = bw_allocate(from, count, sizeof *j.motions);
    j.ids = bw_allocate(from, count, sizeof *j.ids);
    j.boxes = bw_allocate(from, count, sizeof *j.boxes);
    j.motion_of = bw_allocate(from, j.places, sizeof *j.motion_of);
    j.way = bw_allocate(from, j.places, sizeof *j.way);
    bw_cancel cancel;
    j.cancel = bw_cancel_init(&cancel, j.desc->progress);
    bw_world_advance_report found;
    if ((count != 0 && (j.motions == NULL || j.ids == NULL || j.boxes == NULL)) ||
        (j.places != 0 && (j.motion_of == NULL || j.way == NULL)))
        result = bw_fail(fault, BW_ERROR_MEMORY);
    else
        result = travel(&j, ids, poses, &found, fault);
    if (result == BW_OK && report != NULL)
        bw_report_set(report, found);
    bw_release(from, j.motions, count, sizeof *j.motions);
    bw_release(from, j.ids, count, sizeof *j.ids);
    bw_release(from, j.boxes, count, sizeof *j.boxes);
    bw_release(from, j.motion_of, j.places, sizeof *j.motion_of);
    bw_release(from, j.way, j.places, sizeof *j.way);
    bw_release(from, j.moments, j.broad_pairs, sizeof *j.moments);
    return result;
}

/* ---- one shape through the world ---- */

bw_result bw_world_sweep(const bw_world *world, const bw_shape *shape, const bw_rigid_motion *motion,
                         const bw_world_filter *filter, bw_world_impact *out, bw_fault *fault)
{
    if (world == NULL || shape == NULL || motion == NULL || out == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_result result = bw_desc_check(filter);
    bw_transform last;
    if (result == BW_OK)
        result = bw_rigid_motion_pose(motion, 1, &last);
    if (result != BW_OK)
        return bw_fail(fault, result);
    const bw_placed_shape ends[2] = {{shape, &motion->start}, {shape, &last}};
    bw_box boxes[2];
    for (int i = 0; i < 2; i++)
        if ((result = bw_shape_bounds(&ends[i], &boxes[i], fault)) != BW_OK)
            return result;
    bw_box way = way_box(&boxes[0], &boxes[1], motion);
    /* The tolerance of the sweep is a millionth of the sizes of shape and body; rooms cover the latter. */
    double side = 0;
    for (int i = 0; i < 3; i++)
        side = fmax(side, (double)way.max[i] - (double)way.min[i]);
    way = bw_box_clipped(bw_box_grown(&way, 1e-5 * side));
    bw_id few[256];
    bw_stack ids = bw_stack_over(few, sizeof few, sizeof *few, &world->allocator);
    result = bw_fail(fault, bw_world_in_box(world, &way, &ids));
    moment first = {.impact = {.time = 1, .primitive_a = BW_NONE, .primitive_b = BW_NONE}};
    const bw_member moving = {.is_shape = true, .shape = *shape};
    for (size_t i = 0; i < ids.count && result == BW_OK; i++) {
        const bw_member *m = bw_member_at(world, bw_place_of(((const bw_id *)(void *)ids.items)[i]));
        if (!bw_filter_passes(filter, m))
            continue;
        const bw_rigid_motion rest = resting(m);
        moment at;
        time_of(world, &moving, motion, m, &rest, 0, &at);
        result = bw_fail(fault, at.result);
        if (at.impact.b != 0 && (first.impact.b == 0 || at.impact.time < first.impact.time))
            first = at;
    }
    bw_stack_release(&ids);
    if (result == BW_OK)
        *out = first.impact;
    return result;
}
