/* Shapes made ready for queries: what is checked, and where their points stand. */
#include "shape/convex.h"

#include "base/fault.h"
#include "geom/box.h"
#include "shape/place.h"

/* What is seldom run keeps no registers from what is. */
#if defined(__GNUC__)
#    define BW_NOINLINE __attribute__((noinline))
#else
#    define BW_NOINLINE
#endif

static const bw_transform identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

static bool is_finite_pose(const bw_transform *pose)
{
    /* Differences of a number with itself: zero unless it is not finite. */
    double none = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            none += pose->m[i][j] - pose->m[i][j];
    return none == 0;
}

static bool safe(double x)
{
    return (x == 0) | (fabs(x) >= bw_safe_factor);
}

static bool safe_vec(bw_vec3 v)
{
    return safe(v.x) && safe(v.y) && safe(v.z);
}

/* Looks at points one by one only where factors are tiny, other than zero. */
static BW_NOINLINE bool every_point_in_range(const bw_convex *c)
{
    const int first = c->core == BW_CORE_POINT                                      ? 3
                      : c->core == BW_CORE_SEGMENT || c->core == BW_CORE_HALF_SPACE ? 2
                                                                                    : 0;
    bool all = safe_vec(c->half) & (c->hull == NULL || c->hull->least >= bw_safe_factor);
    for (int j = first; j < 4; j++)
        all &= safe_vec(bw_pose_column(c->pose, j));
    for (uint32_t i = 0; !all && i < c->count; i++) {
        const bw_vec3 p = bw_convex_point(c, i);
        if (!bw_exact_range(&p, 1))
            return false;
    }
    return all || c->count > 0 || (bw_exact_range(&c->at, 1) && bw_exact_range(c->edge, 1));
}

/* Why a length cannot be used; BW_OK: it can. */
static bw_result length_fault(double x, bw_fault *where)
{
    if (bw_is_length(x) && x <= BW_COORDINATE_MAX)
        return BW_OK;
    where->value = x;
    where->text = x < 0 ? "a radius or half length of a shape is negative"
                  : !isfinite(x)
                      ? "a radius or half length of a shape is NaN or infinite"
                      : "a radius or half length of a shape is outside the range in which answers are exact";
    return !isfinite(x) ? BW_ERROR_NOT_FINITE : x < 0 ? BW_ERROR_ARGUMENT : BW_ERROR_RANGE;
}

static bw_result pose_fault(const bw_transform *pose, bw_fault *where)
{
    bool orthogonal;
    if (!is_finite_pose(pose)) {
        where->text = "the pose of a shape has a NaN or infinite number";
        return BW_ERROR_NOT_FINITE;
    }
    if (bw_pose_is_rigid(pose, &orthogonal))
        return BW_OK;
    where->text =
        "the pose of a shape is not a rotation and a translation to 1e-9 (bw_transform_rigid makes it one; "
        "scales belong to the shape)";
    return BW_ERROR_ARGUMENT;
}

/* Why a shape or its pose cannot be used. */
static BW_NOINLINE bw_result why_not(const bw_shape *s, const bw_transform *pose, bw_fault *where)
{
    const bool box = s->kind == BW_SHAPE_BOX, half_z = box || s->kind == BW_SHAPE_CAPSULE;
    bw_result result = length_fault(s->radius, where);
    if (result == BW_OK && box)
        result = length_fault(s->half.x, where);
    if (result == BW_OK && box)
        result = length_fault(s->half.y, where);
    if (result == BW_OK && half_z)
        result = length_fault(s->half.z, where);
    if (result == BW_OK)
        result = pose_fault(pose, where);
    if (result == BW_OK)
        where->text = "a shape is placed outside the range in which answers are exact";
    return result == BW_OK ? BW_ERROR_RANGE : result;
}

bw_result bw_convex_fail(const bw_shape *shape, const bw_transform *pose, bw_result result, uint32_t element,
                         bw_fault *fault)
{
    bw_fault where = BW_FAULT_NOWHERE;
    where.element = element;
    if (shape == NULL)
        where.text = "there is no shape";
    else if ((unsigned)shape->kind > BW_SHAPE_HULL)
        where.text = "a shape is of no known kind";
    else if (shape->kind == BW_SHAPE_HULL && shape->hull == NULL)
        where.text = "a shape of the kind BW_SHAPE_HULL has no hull";
    else
        why_not(shape, pose == NULL ? &identity : pose, &where);
    return bw_fail_with(fault, result, &where);
}

bw_result bw_convex_place(const bw_shape *shape, const bw_transform *pose, bw_convex *out)
{
    if (shape == NULL || (unsigned)shape->kind > BW_SHAPE_HULL ||
        (shape->kind == BW_SHAPE_HULL && shape->hull == NULL))
        return BW_ERROR_ARGUMENT;
    pose = pose == NULL ? &identity : pose;
    bool orthogonal;
    if (!bw_pose_is_rigid(pose, &orthogonal) ||
        !bw_convex_fill((bw_core)shape->kind, shape, pose, orthogonal, out))
        return why_not(shape, pose, &(bw_fault){0});
    return bw_convex_is_safe(out) || every_point_in_range(out) ? BW_OK : BW_ERROR_RANGE;
}

void bw_convex_of_triangle(const bw_vec3 corners[3], bw_convex *out)
{
    *out = (bw_convex){.core = BW_CORE_TRIANGLE, .count = 3, .at = corners[0], .corners = corners};
    out->edge[0] = bw_vec3_sub(corners[1], corners[0]);
    out->edge[1] = bw_vec3_sub(corners[2], corners[0]);
    out->reach = bw_larger(bw_vec3_length(out->edge[0]), bw_vec3_length(out->edge[1])) * (1 + 1e-12);
    out->size = bw_larger(fabs(out->at.x), bw_larger(fabs(out->at.y), fabs(out->at.z))) + out->reach;
}

bw_vec3 bw_convex_point(const bw_convex *c, uint32_t i)
{
    switch (c->core) {
    case BW_CORE_SEGMENT:
        return bw_transform_point(c->pose, (bw_vec3){0, 0, i != 0 ? c->half.z : -c->half.z});
    case BW_CORE_BOX:
        return bw_transform_point(c->pose, (bw_vec3){(i & 1) != 0 ? c->half.x : -c->half.x,
                                                     (i & 2) != 0 ? c->half.y : -c->half.y,
                                                     (i & 4) != 0 ? c->half.z : -c->half.z});
    case BW_CORE_HULL:
        return bw_transform_point(c->pose, c->hull->vertices[i]);
    case BW_CORE_TRIANGLE:
        return c->corners[i];
    default:
        return c->at;
    }
}

bw_result bw_shape_check(const bw_placed_shape *shape, bw_fault *fault)
{
    bw_convex c;
    if (shape == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    const bw_result result = bw_convex_place(shape->shape, shape->pose, &c);
    return result == BW_OK ? bw_fail(fault, result)
                           : bw_convex_fail(shape->shape, shape->pose, result, 0, fault);
}

/* Of a half-space: where its normal is exactly along an axis it has an end there. */
static bw_box half_space_box(const bw_convex *c)
{
    const float far = (float)BW_COORDINATE_MAX;
    bw_box box = {{-far, -far, -far}, {far, far, far}};
    const double n[3] = {c->edge[0].x, c->edge[0].y, c->edge[0].z}, at[3] = {c->at.x, c->at.y, c->at.z};
    for (int k = 0; k < 3; k++) {
        if (n[(k + 1) % 3] != 0 || n[(k + 2) % 3] != 0)
            continue;
        const double grown = c->radius + 0x1p-50 * (c->radius + fabs(at[k]));
        if (n[k] > 0)
            box.max[k] = bw_float_up(at[k] + grown);
        else
            box.min[k] = bw_float_down(at[k] - grown);
    }
    return box;
}

bw_box bw_convex_box(const bw_convex *c)
{
    if (c->core == BW_CORE_HALF_SPACE)
        return half_space_box(c);
    double extent[3] = {0, 0, 0}, low[3], high[3];
    if (c->core == BW_CORE_HULL) {
        for (int k = 0; k < 3; k++) {
            const bw_vec3 row = {c->pose->m[k][0], c->pose->m[k][1], c->pose->m[k][2]};
            low[k] = c->pose->m[k][3] +
                     bw_vec3_dot(row, c->hull->vertices[bw_hull_support(c->hull, bw_vec3_minus(row))]);
            high[k] = c->pose->m[k][3] + bw_vec3_dot(row, c->hull->vertices[bw_hull_support(c->hull, row)]);
        }
    } else {
        for (int i = 0; i < 3; i++) {
            extent[0] += fabs(c->edge[i].x);
            extent[1] += fabs(c->edge[i].y);
            extent[2] += fabs(c->edge[i].z);
        }
        const double at[3] = {c->at.x, c->at.y, c->at.z};
        for (int k = 0; k < 3; k++) {
            low[k] = at[k] - extent[k];
            high[k] = at[k] + extent[k];
        }
    }
    const double grown = c->radius + BW_SHAPE_MARGIN * (c->size + c->radius);
    bw_box box;
    for (int k = 0; k < 3; k++) {
        box.min[k] = bw_float_down(low[k] - grown);
        box.max[k] = bw_float_up(high[k] + grown);
    }
    return box;
}

bw_result bw_shape_bounds(const bw_placed_shape *shape, bw_box *out, bw_fault *fault)
{
    bw_convex c;
    if (shape == NULL || out == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    const bw_result result = bw_convex_place(shape->shape, shape->pose, &c);
    if (result != BW_OK)
        return bw_convex_fail(shape->shape, shape->pose, result, 0, fault);
    *out = bw_convex_box(&c);
    return bw_fail(fault, BW_OK);
}
