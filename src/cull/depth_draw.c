/* Drawing occluder triangles, conservatively.
 *
 * A pixel is covered where its centre is inside by more than rounding can err, so nothing that is seen at a
 * centre beside the triangle is hidden. Edges and depth are set up in double, row by row; the rows
 * themselves, where the time goes, are filled in float, eight pixels at a time. 1 / depth is linear over the
 * picture; the floats of a row err by a few 2^-24 of its nearest value and the doubles by less than 2^-32 of
 * the triangle's, and all are lowered (moved away from the eye) by 2^-19 of the one and 2^-32 of the other.
 */
#include "base/fault.h"
#include "base/sized.h"
#include "cull/depth.h"
#include "mesh/view.h"

#include <math.h>

typedef struct corner {
    double x, y, d; /* pixels, and 1 / depth */
} corner;

/* row[i] = max(row[i], start + step * i), which compilers turn into vectors of the level they may use. */
static inline __attribute__((always_inline)) void fill(float *row, int32_t count, float start, float step)
{
    for (int32_t i = 0; i < count; i++) {
        const float d = start + step * (float)i;
        row[i] = row[i] > d ? row[i] : d;
    }
}

#if BW_SIMD_X86
__attribute__((target("avx2"))) static void fill_avx2(float *row, int32_t count, float start, float step)
{
    fill(row, count, start, step);
}
#endif

static bool draw_triangle(bw_depth *depth, corner a, corner b, corner c)
{
    double area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    /* Slivers have no centre to cover and no slope to trust. */
    if (!(fabs(area) > 1e-3))
        return false;
    double low_y = fmin(a.y, fmin(b.y, c.y)), high_y = fmax(a.y, fmax(b.y, c.y));
    double low_x = fmin(a.x, fmin(b.x, c.x)), high_x = fmax(a.x, fmax(b.x, c.x));
    if (!(high_y > 0.5 && low_y < depth->height - 0.5 && high_x > 0.5 && low_x < depth->width - 0.5))
        return false;
    double slope_x = ((b.d - a.d) * (c.y - a.y) - (c.d - a.d) * (b.y - a.y)) / area;
    double slope_y = ((c.d - a.d) * (b.x - a.x) - (b.d - a.d) * (c.x - a.x)) / area;
    double nearest = fmax(a.d, fmax(b.d, c.d)), farthest = fmin(a.d, fmin(b.d, c.d));
    const corner *p[3] = {&a, &b, &c};
    /* How far inside a centre must be, and whether the slopes are worth their digits: both by the size of the
     * numbers that cancelled. */
    double extent = fmax(high_x - low_x, high_y - low_y);
    double size = extent + fmax(fmax(fabs(low_x), fabs(high_x)), fmax(fabs(low_y), fabs(high_y)));
    double margin = 1e-6 + 1e-14 * size;
    bool flat = 1e-15 * extent * size > 1e-10 * fabs(area);
    uint32_t y0 = low_y < 0.5 ? 0 : (uint32_t)ceil(low_y - 0.5);
    uint32_t y1 = high_y > depth->height - 0.5 ? depth->height : (uint32_t)floor(high_y - 0.5) + 1;
    uint32_t box[4] = {depth->width, depth->height, 0, 0};
    for (uint32_t y = y0; y < y1; y++) {
        double cy = y + 0.5, left = 0, right = depth->width;
        bool empty = false;
        for (int e = 0; e < 3; e++) {
            const corner *from = p[e], *to = p[(e + 1) % 3];
            /* Inside where (to - from) x (point - from) has the sign of the area. */
            double dx = to->x - from->x, dy = to->y - from->y;
            if (area < 0) {
                dx = -dx;
                dy = -dy;
            }
            double along = dx * (cy - from->y) - margin * sqrt(dx * dx + dy * dy);
            if (dy == 0) {
                empty |= !(along >= 0);
                continue;
            }
            double at = from->x + along / dy;
            if (dy > 0)
                right = at < right ? at : right;
            else
                left = at > left ? at : left;
        }
        if (empty || !(left <= right))
            continue;
        double first = ceil(left - 0.5), last = floor(right - 0.5);
        first = first < 0 ? 0 : first;
        last = last > depth->width - 1 ? depth->width - 1 : last;
        if (first > last)
            continue;
        uint32_t x0 = (uint32_t)first, count = (uint32_t)last - x0 + 1;
        double start = a.d + slope_x * (x0 + 0.5 - a.x) + slope_y * (cy - a.y);
        double end = start + slope_x * (count - 1);
        /* A slope that rounding spoilt would leave the triangle's own range: then the whole row is as far as
         * its farthest. */
        double slack = 1e-9 * nearest;
        bool sound = !flat && fmin(start, end) >= farthest - slack && fmax(start, end) <= nearest + slack;
        double lower = 0x1p-19 * (sound ? fmax(start, end) : farthest) + 0x1p-32 * nearest;
        float from = (float)((sound ? start : farthest) - lower), step = sound ? (float)slope_x : 0.0f;
        float *row = depth->level[0] + (size_t)y * depth->width + x0;
#if BW_SIMD_X86
        if (depth->simd >= BW_SIMD_AVX2)
            fill_avx2(row, (int32_t)count, from, step);
        else
#endif
            fill(row, (int32_t)count, from, step);
        box[0] = x0 < box[0] ? x0 : box[0];
        box[1] = y < box[1] ? y : box[1];
        box[2] = x0 + count > box[2] ? x0 + count : box[2];
        box[3] = y + 1;
    }
    if (box[0] >= box[2])
        return false;
    uint32_t *dirty = depth->dirty;
    if (dirty[0] >= dirty[2]) {
        dirty[0] = box[0];
        dirty[1] = box[1];
        dirty[2] = box[2];
        dirty[3] = box[3];
    } else {
        dirty[0] = box[0] < dirty[0] ? box[0] : dirty[0];
        dirty[1] = box[1] < dirty[1] ? box[1] : dirty[1];
        dirty[2] = box[2] > dirty[2] ? box[2] : dirty[2];
        dirty[3] = box[3] > dirty[3] ? box[3] : dirty[3];
    }
    return true;
}

static corner project(const bw_depth *depth, const double seen[3])
{
    double d = 1 / seen[2];
    return (corner){0.5 * depth->width * (1 + seen[0] * d / depth->camera.tan_x),
                    0.5 * depth->height * (1 - seen[1] * d / depth->camera.tan_y), d};
}

/* Cuts a triangle at the near plane and draws what is beyond. */
static bool draw_seen(bw_depth *depth, double seen[3][3])
{
    corner out[4];
    uint32_t count = 0;
    for (int i = 0; i < 3; i++) {
        const double *a = seen[i], *b = seen[(i + 1) % 3];
        double da = a[2] - depth->camera.nearest, db = b[2] - depth->camera.nearest;
        if (da >= 0)
            out[count++] = project(depth, a);
        if ((da < 0) == (db < 0))
            continue;
        double t = da / (da - db), cut[3];
        for (int k = 0; k < 3; k++)
            cut[k] = a[k] + t * (b[k] - a[k]);
        cut[2] = depth->camera.nearest;
        out[count++] = project(depth, cut);
    }
    bool any = false;
    for (uint32_t i = 2; i < count; i++)
        any |= draw_triangle(depth, out[0], out[i - 1], out[i]);
    return any;
}

/* Whether a pose turns counter-clockwise into clockwise. */
static bool mirrors(const bw_transform *pose)
{
    const double(*m)[4] = pose->m;
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
               m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
               m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]) <
           0;
}

/* where receives the triangle, the vertex and its coordinate. */
static bw_result check_mesh(const bw_mesh *mesh, bw_fault *where)
{
    if (bw_mesh_view_check(mesh) != BW_OK || (mesh->indices == NULL && mesh->vertex_count != 0))
        return BW_ERROR_ARGUMENT;
    for (uint32_t i = 0; i < bw_mesh_view_primitives(mesh); i++)
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t v = bw_mesh_view_index(mesh, i, k);
            where->element = i;
            where->vertex = v;
            if (v >= mesh->vertex_count)
                return BW_ERROR_INDEX;
            bw_vec3 p = bw_mesh_view_vertex(mesh, v);
            const double at[3] = {p.x, p.y, p.z};
            for (uint32_t axis = 0; axis < 3; axis++) {
                where->axis = axis;
                where->value = at[axis];
                if (!isfinite(at[axis]))
                    return BW_ERROR_NOT_FINITE;
            }
            where->axis = BW_NONE;
        }
    return BW_OK;
}

bw_result bw_depth_draw(bw_depth *depth, const bw_occluder *occluder, uint32_t *drawn_count, bw_fault *fault)
{
    if (depth == NULL || occluder == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_fault where = BW_FAULT_NOWHERE;
    bw_result result = bw_desc_check(occluder);
    if (result == BW_OK)
        result = check_mesh(occluder->mesh, &where);
    if (result != BW_OK)
        return bw_fail_with(fault, result, &where);
    const bw_mesh *mesh = occluder->mesh;
    bool mirrored = occluder->pose != NULL && mirrors(occluder->pose);
    uint32_t count = 0;
    for (uint32_t i = 0; i < bw_mesh_view_primitives(mesh); i++) {
        double seen[3][3], deepest = -1;
        for (uint32_t k = 0; k < 3; k++) {
            bw_vec3 point = bw_mesh_view_vertex(mesh, bw_mesh_view_index(mesh, i, k));
            if (occluder->pose != NULL)
                point = bw_transform_point(occluder->pose, point);
            bw_camera_see(&depth->camera, (const double[3]){point.x, point.y, point.z}, seen[k]);
            deepest = seen[k][2] > deepest ? seen[k][2] : deepest;
        }
        if (!(deepest > depth->camera.nearest) || !isfinite(deepest))
            continue;
        if (occluder->closed) {
            /* The side of the eye: the sign of the volume that eye and triangle span. */
            const double *a = seen[0], *b = seen[1], *c = seen[2];
            double volume = a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
                            a[2] * (b[0] * c[1] - b[1] * c[0]);
            /* Right, up and forward are a left-handed frame. */
            if (mirrored ? volume > 0 : volume < 0)
                continue;
        }
        count += draw_seen(depth, seen);
    }
    if (drawn_count != NULL)
        *drawn_count = count;
    return bw_fail(fault, BW_OK);
}
