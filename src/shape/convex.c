/* Shapes made ready for queries: what is checked, and where their points stand. */
#include "shape/convex.h"

#include "base/fault.h"
#include "geom/box.h"

static const bw_transform identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

/* Products of a rotation's entry and a coordinate, and sums of such, are zero or within the exact range where
 * each factor is zero or at least this large: they are multiples of 2^-53 times its square. */
static const double safe_factor = 0x1p-120;

static bool safe(double x)
{
    return (x == 0) | (fabs(x) >= safe_factor);
}

static bool is_finite_pose(const bw_transform *pose)
{
    /* Differences of a number with itself: zero unless it is not finite. */
    double none = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            none += pose->m[i][j] - pose->m[i][j];
    return none == 0;
}

/* BW_ERROR_ARGUMENT unless finite entries are those of a rotation: how far the products of columns are off, as the root
 * of the sum of squares, is at most 1e-9. Sums without branches: this is done for every shape of every query. */
static bw_result check_rotation(const bw_transform *pose, bool *orthogonal)
{
    const double(*m)[4] = pose->m;
    const double xx = m[0][0] * m[0][0] + m[1][0] * m[1][0] + m[2][0] * m[2][0] - 1;
    const double yy = m[0][1] * m[0][1] + m[1][1] * m[1][1] + m[2][1] * m[2][1] - 1;
    const double zz = m[0][2] * m[0][2] + m[1][2] * m[1][2] + m[2][2] * m[2][2] - 1;
    const double xy = m[0][0] * m[0][1] + m[1][0] * m[1][1] + m[2][0] * m[2][1];
    const double yz = m[0][1] * m[0][2] + m[1][1] * m[1][2] + m[2][1] * m[2][2];
    const double zx = m[0][2] * m[0][0] + m[1][2] * m[1][0] + m[2][2] * m[2][0];
    const double skew2 = ((xx * xx + yy * yy) + (zz * zz + xy * xy)) + (yz * yz + zx * zx);
    const double det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) +
                       m[0][1] * (m[1][2] * m[2][0] - m[1][0] * m[2][2]) +
                       m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    const double still = (m[0][3] - m[0][3]) + (m[1][3] - m[1][3]) + (m[2][3] - m[2][3]);
    *orthogonal = skew2 <= 0x1p-98;
    if (skew2 <= 1e-18 && det > 0 && still == 0)
        return BW_OK;
    return is_finite_pose(pose) ? BW_ERROR_ARGUMENT : BW_ERROR_NOT_FINITE;
}

static bw_result check_length(double x)
{
    if (!isfinite(x))
        return BW_ERROR_NOT_FINITE;
    return x < 0                                                  ? BW_ERROR_ARGUMENT
           : x > BW_COORDINATE_MAX || (x > 0 && x < BW_EXACT_MIN) ? BW_ERROR_RANGE
                                                                  : BW_OK;
}

static bw_result check_shape(const bw_shape *s)
{
    bw_result result = check_length(s->radius);
    const double lengths[3] = {s->half.x, s->half.y, s->half.z};
    for (int i = s->kind == BW_SHAPE_BOX ? 0 : s->kind == BW_SHAPE_CAPSULE ? 2 : 3; i < 3; i++)
        if (result == BW_OK)
            result = check_length(lengths[i]);
    if (result != BW_OK)
        return result;
    if (s->kind == BW_SHAPE_HULL)
        return s->hull == NULL ? BW_ERROR_ARGUMENT : BW_OK;
    return (unsigned)s->kind > BW_SHAPE_HULL ? BW_ERROR_ARGUMENT : BW_OK;
}

static bw_vec3 column(const bw_transform *t, int j)
{
    return (bw_vec3){t->m[0][j], t->m[1][j], t->m[2][j]};
}

/* Whether every point is within the range: looked at one by one only where factors are tiny. */
static bool in_range(const bw_convex *c)
{
    bool all_safe = safe(c->half.x) && safe(c->half.y) && safe(c->half.z) &&
                    (c->hull == NULL || c->hull->least >= safe_factor);
    /* A sphere is mapped by the last column alone, a segment and a half-space by the last two. */
    const int first = c->core == BW_CORE_POINT                                      ? 3
                      : c->core == BW_CORE_SEGMENT || c->core == BW_CORE_HALF_SPACE ? 2
                                                                                    : 0;
    for (int j = first; j < 4; j++)
        all_safe &= safe(c->pose->m[0][j]) & safe(c->pose->m[1][j]) & safe(c->pose->m[2][j]);
    if (!(c->size + c->radius <= BW_COORDINATE_MAX))
        return false;
    for (uint32_t i = 0; !all_safe && i < c->count; i++) {
        const bw_vec3 p = bw_convex_point(c, i);
        if (!bw_exact_range(&p, 1))
            return false;
    }
    return all_safe || c->count > 0 || (bw_exact_range(&c->at, 1) && bw_exact_range(c->edge, 1));
}

bw_result bw_convex_place(const bw_shape *shape, const bw_transform *pose, bw_convex *out)
{
    static const uint32_t counts[] = {1, 2, 8, 0, 0};
    if (shape == NULL)
        return BW_ERROR_ARGUMENT;
    bool orthogonal = true;
    bw_result result = check_shape(shape);
    if (result == BW_OK && pose != NULL)
        result = check_rotation(pose, &orthogonal);
    if (result != BW_OK)
        return result;
    bw_convex *c = out;
    const bw_vec3 zero = {0, 0, 0};
    c->core = (bw_core)shape->kind;
    c->count = counts[shape->kind];
    c->radius = shape->radius;
    c->pose = pose == NULL ? &identity : pose;
    c->orthogonal = orthogonal;
    c->half = c->edge[0] = c->edge[1] = c->edge[2] = zero;
    c->hull = NULL;
    c->corners = NULL;
    c->reach = 0;
    c->at = column(c->pose, 3);
    switch (c->core) {
    case BW_CORE_SEGMENT:
        c->half.z = shape->half.z;
        c->edge[0] = bw_vec3_scale(column(c->pose, 2), c->half.z);
        c->reach = c->half.z;
        break;
    case BW_CORE_BOX:
        c->half = shape->half;
        c->edge[0] = bw_vec3_scale(column(c->pose, 0), c->half.x);
        c->edge[1] = bw_vec3_scale(column(c->pose, 1), c->half.y);
        c->edge[2] = bw_vec3_scale(column(c->pose, 2), c->half.z);
        c->reach = bw_vec3_length(c->half);
        break;
    case BW_CORE_HALF_SPACE:
        c->edge[0] = column(c->pose, 2);
        break;
    case BW_CORE_HULL:
        c->hull = shape->hull;
        c->count = c->hull->vertex_count;
        for (int i = 0; i < 3; i++)
            c->edge[i] = column(c->pose, i);
        c->reach = c->hull->reach;
        break;
    default:
        break;
    }
    c->reach *= 1 + 1e-8; /* the rotation is one to 1e-9 */
    c->size = bw_larger(fabs(c->at.x), bw_larger(fabs(c->at.y), fabs(c->at.z))) + c->reach;
    return in_range(c) ? BW_OK : BW_ERROR_RANGE;
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

bw_vec3 bw_convex_offset(const bw_convex *c, uint32_t i)
{
    const bw_vec3 *e = c->edge;
    switch (c->core) {
    case BW_CORE_SEGMENT:
        return i != 0 ? e[0] : bw_vec3_minus(e[0]);
    case BW_CORE_BOX: {
        const double x = (i & 1) != 0 ? 1 : -1, y = (i & 2) != 0 ? 1 : -1, z = (i & 4) != 0 ? 1 : -1;
        return (bw_vec3){x * e[0].x + y * e[1].x + z * e[2].x, x * e[0].y + y * e[1].y + z * e[2].y,
                         x * e[0].z + y * e[1].z + z * e[2].z};
    }
    case BW_CORE_HULL: {
        const bw_vec3 v = c->hull->vertices[i];
        return (bw_vec3){e[0].x * v.x + e[1].x * v.y + e[2].x * v.z,
                         e[0].y * v.x + e[1].y * v.y + e[2].y * v.z,
                         e[0].z * v.x + e[1].z * v.y + e[2].z * v.z};
    }
    case BW_CORE_TRIANGLE:
        return i == 0 ? (bw_vec3){0, 0, 0} : e[i - 1];
    default:
        return (bw_vec3){0, 0, 0};
    }
}

bw_result bw_shape_check(const bw_placed_shape *shape, bw_fault *fault)
{
    bw_convex c;
    if (shape == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    const bw_result result = bw_convex_place(shape->shape, shape->pose, &c);
    return result == BW_OK ? bw_fail(fault, result) : bw_fail_at(fault, result, 0);
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
        return bw_fail_at(fault, result, 0);
    *out = bw_convex_box(&c);
    return bw_fail(fault, BW_OK);
}
