/* When two rigid bodies that move and turn first touch: conservative advancement.
 *   B. Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems", thesis, Berkeley 1996, section 2.3.
 *
 * Within a time dt no point of one body comes nearer to any point of the other than by
 *   dt (|relative translation| + |angle a| reach a + |angle b| reach b),
 * reach being the largest distance of a vertex from the centre of the turn. A distance D therefore leaves
 * D / speed of time in which nothing can happen. The margin below covers the rounding of poses and distances.
 */
#include "base/fault.h"
#include "base/sized.h"
#include "geom/vec.h"
#include "mesh/view.h"
#include "tree/tree.h"

#include <boxwood/swept.h>
#include <math.h>

static bool is_finite_vec(bw_vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static bw_result check_motion(const bw_rigid_motion *m)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            if (!isfinite(m->start.m[i][j]))
                return BW_ERROR_NOT_FINITE;
    if (!is_finite_vec(m->centre) || !is_finite_vec(m->axis) || !isfinite(m->angle) ||
        !is_finite_vec(m->translation))
        return BW_ERROR_NOT_FINITE;
    double length2 = bw_vec3_dot(m->axis, m->axis);
    return m->angle == 0 || (length2 > 0 && isfinite(length2)) ? BW_OK : BW_ERROR_ARGUMENT;
}

static bw_transform pose_at(const bw_rigid_motion *m, double time)
{
    bw_transform pose = m->start;
    if (m->angle != 0) {
        bw_vec3 one = {1, 1, 1}, zero = {0, 0, 0};
        bw_transform turn = bw_transform_compose(zero, m->axis, time * m->angle, one), about = turn;
        bw_vec3 moved = bw_transform_point(&turn, m->centre);
        about.m[0][3] = m->centre.x - moved.x;
        about.m[1][3] = m->centre.y - moved.y;
        about.m[2][3] = m->centre.z - moved.z;
        pose = bw_transform_multiply(&about, &m->start);
    }
    pose.m[0][3] += time * m->translation.x;
    pose.m[1][3] += time * m->translation.y;
    pose.m[2][3] += time * m->translation.z;
    return pose;
}

bw_result bw_rigid_motion_pose(const bw_rigid_motion *motion, double time, bw_transform *out)
{
    if (motion == NULL || out == NULL || !(time >= 0 && time <= 1))
        return BW_ERROR_ARGUMENT;
    bw_result result = check_motion(motion);
    if (result == BW_OK)
        *out = pose_at(motion, time);
    return result;
}

/* The axis of a rotation, not unit, from the largest of three candidates: the columns of R + R^T - (trace -
 * 1) I are all multiples of it, which also serves half turns, where R - R^T is nothing. */
static bw_vec3 axis_of(double r[3][3])
{
    double trace = r[0][0] + r[1][1] + r[2][2];
    bw_vec3 best = {0, 0, 0}, odd = {r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]};
    if (trace > -0.5)
        return odd;
    for (int j = 0; j < 3; j++) {
        double c[3];
        for (int i = 0; i < 3; i++)
            c[i] = r[i][j] + r[j][i] - (i == j ? trace - 1 : 0);
        bw_vec3 v = {c[0], c[1], c[2]};
        if (bw_vec3_dot(v, v) > bw_vec3_dot(best, best))
            best = v;
    }
    /* It points the way of the odd part. */
    return bw_vec3_dot(best, odd) < 0 ? bw_vec3_scale(best, -1) : best;
}

bw_result bw_rigid_motion_between(const bw_transform *start, const bw_transform *end, bw_vec3 centre,
                                  bw_rigid_motion *out)
{
    if (start == NULL || end == NULL || out == NULL)
        return BW_ERROR_ARGUMENT;
    if (!is_finite_vec(centre))
        return BW_ERROR_NOT_FINITE;
    bw_transform back;
    bw_result result = bw_transform_invert(start, &back);
    if (result != BW_OK)
        return result;
    bw_transform turn = bw_transform_multiply(end, &back);
    double r[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            if (!isfinite(turn.m[i][j]))
                return BW_ERROR_NOT_FINITE;
            if (j < 3)
                r[i][j] = turn.m[i][j];
        }
    /* A rotation: rows of length 1 at right angles, right-handed. */
    const double slack = 1e-9;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double product = r[i][0] * r[j][0] + r[i][1] * r[j][1] + r[i][2] * r[j][2];
            if (!(fabs(product - (i == j)) <= slack))
                return BW_ERROR_ARGUMENT;
        }
    bw_vec3 rows[3] = {{r[0][0], r[0][1], r[0][2]}, {r[1][0], r[1][1], r[1][2]}, {r[2][0], r[2][1], r[2][2]}};
    if (bw_vec3_dot(bw_vec3_cross(rows[0], rows[1]), rows[2]) < 0)
        return BW_ERROR_ARGUMENT;
    bw_vec3 axis = axis_of(r);
    bw_vec3 odd = {r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]};
    double angle = atan2(sqrt(bw_vec3_dot(odd, odd)), r[0][0] + r[1][1] + r[2][2] - 1);
    bool turns = angle != 0 && bw_vec3_dot(axis, axis) > 0;
    bw_vec3 moved = bw_transform_point(&turn, centre);
    *out = (bw_rigid_motion){.start = *start,
                             .centre = centre,
                             .axis = turns ? axis : (bw_vec3){0, 0, 0},
                             .angle = turns ? angle : 0,
                             .translation = bw_vec3_sub(moved, centre)};
    return BW_OK;
}

typedef struct extent {
    double reach; /* of a vertex from the centre of the turn */
    double size;  /* the largest coordinate at any time */
} extent;

static extent extent_of(const bw_body *body, const bw_rigid_motion *motion)
{
    extent e = {0, 0};
    const bw_mesh *mesh = body->mesh;
    double centre = fmax(fmax(fabs(motion->centre.x), fabs(motion->centre.y)), fabs(motion->centre.z));
    double shift =
        fmax(fmax(fabs(motion->translation.x), fabs(motion->translation.y)), fabs(motion->translation.z));
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        bw_vec3 p =
            bw_vec3_sub(bw_transform_point(&motion->start, bw_mesh_view_vertex(mesh, v)), motion->centre);
        e.reach = fmax(e.reach, sqrt(bw_vec3_dot(p, p))); /* fmax drops the NaN of a quarantined vertex */
    }
    e.reach *= 1 + 0x1p-40;
    e.size = e.reach + centre + shift;
    return e;
}

bw_result bw_swept_rigid(const bw_body *a, const bw_rigid_motion *a_motion, const bw_body *b,
                         const bw_rigid_motion *b_motion, const bw_swept_rigid_desc *desc,
                         bw_swept_rigid_report *report, bw_fault *fault)
{
    static const bw_swept_rigid_desc defaults = {0};
    if (desc == NULL)
        desc = &defaults;
    if (bw_sizes_check(desc, report) != BW_OK)
        return bw_fail(fault, bw_sizes_check(desc, report));
    if (a == NULL || b == NULL || a_motion == NULL || b_motion == NULL || report == NULL || a->tree == NULL ||
        b->tree == NULL || a->mesh == NULL || b->mesh == NULL || !(desc->tolerance >= 0) ||
        bw_tree_accepts(a->tree, a->mesh) == BW_ERROR_ARGUMENT ||
        bw_tree_accepts(b->tree, b->mesh) == BW_ERROR_ARGUMENT)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_result result = check_motion(a_motion);
    if (result == BW_OK)
        result = check_motion(b_motion);
    if (result != BW_OK)
        return bw_fail(fault, result);
    extent ea = extent_of(a, a_motion), eb = extent_of(b, b_motion);
    double size = fmax(ea.size, eb.size), margin = 1e-11 * size;
    double tolerance = desc->tolerance > 0 ? desc->tolerance : 1e-6 * fmax(ea.reach, eb.reach);
    if (tolerance < 2 * margin) /* finer than distances are known */
        tolerance = 2 * margin;
    bw_vec3 shift = bw_vec3_sub(a_motion->translation, b_motion->translation);
    double speed =
        sqrt(bw_vec3_dot(shift, shift)) + fabs(a_motion->angle) * ea.reach + fabs(b_motion->angle) * eb.reach;
    speed *= 1 + 0x1p-40;
    uint32_t max_steps = desc->max_steps == 0 ? 1000 : desc->max_steps;
    bw_swept_rigid_report out = {.status = BW_DONE};
    for (double time = 0;;) {
        bw_transform pose_a = pose_at(a_motion, time), pose_b = pose_at(b_motion, time);
        bw_body now_a = {a->tree, a->mesh, &pose_a}, now_b = {b->tree, b->mesh, &pose_b};
        bw_distance_desc distance_desc = {.allocator = desc->allocator};
        bw_distance_report distance = {0};
        result = bw_distance(&now_a, &now_b, &distance_desc, &distance, NULL);
        if (result != BW_OK)
            return bw_fail(fault, result);
        out.time = time;
        out.distance = distance.distance;
        out.a = distance.a;
        out.b = distance.b;
        out.point_a = distance.point_a;
        out.point_b = distance.point_b;
        out.steps++;
        if (distance.distance <= tolerance) {
            out.status = BW_FOUND;
            break;
        }
        if (time == 1)
            break;
        if (out.steps == max_steps) {
            out.status = BW_LIMIT;
            break;
        }
        /* Half the tolerance before a touch is soon enough, and keeps steps from dwindling. */
        double safe = distance.distance - fmax(margin, 0.5 * tolerance);
        double next = speed > 0 ? time + safe / speed : 1;
        time = next > time && next < 1 ? next : 1;
    }
    bw_report_set(report, out);
    return bw_fail(fault, BW_OK);
}
