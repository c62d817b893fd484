/* Making a convex hull: which points are its corners, and the tables that queries read. */
#include "shape/hull/hull.h"

#include "base/array.h"
#include "base/fault.h"
#include "base/sized.h"
#include "geom/exact/predicates.h"
#include "geom/simplex.h"
#include "geom/vec.h"

#include <math.h>
#include <stdlib.h>

static bw_result check_points(const bw_vec3 *points, uint32_t count, bw_fault *where)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t axis = 0; axis < 3; axis++) {
            const double x = bw_vec3_at(&points[i], (int)axis), size = fabs(x);
            if (x == 0 || (size >= BW_EXACT_MIN && size <= BW_COORDINATE_MAX))
                continue;
            where->vertex = i;
            where->axis = axis;
            where->value = x;
            where->defect = isnan(x) ? BW_DEFECT_NAN : isinf(x) ? BW_DEFECT_INFINITE : BW_DEFECT_RANGE;
            return isfinite(x) ? BW_ERROR_RANGE : BW_ERROR_NOT_FINITE;
        }
    return BW_OK;
}

/* Points that span what all do, dimension + 1 of them. */
static int find_span(const bw_vec3 *p, uint32_t count, uint32_t span[4])
{
    uint32_t i = 0;
    span[0] = 0;
    while (i < count && bw_vec3_equal(&p[i], &p[0]))
        i++;
    if (i == count)
        return 0;
    span[1] = i;
    while (i < count && bw_collinear(&p[span[0]], &p[span[1]], &p[i]))
        i++;
    if (i == count)
        return 1;
    span[2] = i;
    while (i < count && bw_orient3d(&p[span[0]], &p[span[1]], &p[span[2]], &p[i]) == 0)
        i++;
    if (i == count)
        return 2;
    span[3] = i;
    return 3;
}

static int by_place(const void *a, const void *b)
{
    return bw_lexical_compare(a, b);
}

/* The corners of points in a plane, counter-clockwise along the axis, into out, which has room for 2 * count;
 * how many. Andrew's chains; sorted is written. */
static uint32_t flat_corners(bw_vec3 *sorted, uint32_t count, int axis, bw_vec3 *out)
{
    uint32_t kept = 0;
    qsort(sorted, count, sizeof *sorted, by_place);
    for (int chain = 0; chain < 2; chain++) {
        const uint32_t first = kept;
        for (uint32_t i = 0; i < count; i++) {
            const bw_vec3 *p = &sorted[chain == 0 ? i : count - 1 - i];
            if (kept > first && bw_vec3_equal(&out[kept - 1], p))
                continue;
            while (kept >= first + 2 && bw_orient2d(&out[kept - 2], &out[kept - 1], p, axis) <= 0)
                kept--;
            out[kept++] = *p;
        }
        kept--; /* the last one begins the other chain */
    }
    return kept;
}

static void *take(const bw_hull *h, size_t count, size_t size)
{
    return bw_allocate(&h->allocator, count == 0 ? 1 : count, size);
}

static void give(const bw_hull *h, void *memory, size_t count, size_t size)
{
    bw_release(&h->allocator, memory, count == 0 ? 1 : count, size);
}

/* Vertices and triangles of a solid. */
static bw_result make_solid(bw_hull *h, const bw_vec3 *points, uint32_t count, const uint32_t span[4])
{
    bw_hull_surface surface;
    bw_result result = bw_hull_build(&h->allocator, points, count, span, &surface);
    if (result != BW_OK)
        return result;
    h->vertex_count = surface.corner_count;
    h->triangle_count = surface.triangle_count;
    h->vertices = take(h, h->vertex_count, sizeof *h->vertices);
    h->indices = surface.triangles; /* the hull's from now on */
    for (uint32_t i = 0; h->vertices != NULL && i < h->vertex_count; i++)
        h->vertices[i] = points[surface.corners[i]];
    bw_release(&h->allocator, surface.corners, surface.corner_count, sizeof *surface.corners);
    return h->vertices == NULL ? BW_ERROR_MEMORY : BW_OK;
}

/* Corners of a polygon in order, and the triangles of both its sides. */
static bw_result make_flat(bw_hull *h, const bw_vec3 *points, uint32_t count, const uint32_t span[4])
{
    int sign;
    bool exact;
    const int axis = bw_projection_axis(&points[span[0]], &points[span[1]], &points[span[2]], &sign, &exact);
    bw_vec3 *work = bw_allocate(&h->allocator, 3 * (size_t)count + 1, sizeof *work), *corners;
    if (work == NULL)
        return BW_ERROR_MEMORY;
    corners = work + count;
    for (uint32_t i = 0; i < count; i++)
        work[i] = points[i];
    const uint32_t n = flat_corners(work, count, axis, corners);
    h->vertex_count = n;
    h->triangle_count = 2 * (n - 2);
    h->vertices = take(h, n, sizeof *h->vertices);
    h->indices = take(h, 3 * (size_t)h->triangle_count, sizeof *h->indices);
    for (uint32_t i = 0; h->vertices != NULL && i < n; i++)
        h->vertices[i] = corners[i];
    for (uint32_t i = 0; h->indices != NULL && i + 2 < n; i++) {
        uint32_t *front = &h->indices[3 * i], *back = &h->indices[3 * (i + n - 2)];
        front[0] = back[0] = 0;
        front[1] = back[2] = i + 1;
        front[2] = back[1] = i + 2;
    }
    bw_release(&h->allocator, work, 3 * (size_t)count + 1, sizeof *work);
    return h->vertices == NULL || h->indices == NULL ? BW_ERROR_MEMORY : BW_OK;
}

/* The two ends of points on a line, or the one point. */
static bw_result make_thin(bw_hull *h, const bw_vec3 *points, uint32_t count)
{
    const bw_vec3 *low = points, *high = points;
    for (uint32_t i = 1; i < count; i++) {
        low = bw_lexical_compare(&points[i], low) < 0 ? &points[i] : low;
        high = bw_lexical_compare(&points[i], high) > 0 ? &points[i] : high;
    }
    h->vertex_count = h->dimension == 0 ? 1 : 2;
    h->vertices = take(h, h->vertex_count, sizeof *h->vertices);
    h->indices = take(h, 0, sizeof *h->indices);
    if (h->vertices == NULL || h->indices == NULL)
        return BW_ERROR_MEMORY;
    h->vertices[0] = *low;
    if (h->dimension == 1)
        h->vertices[1] = *high;
    return BW_OK;
}

static const bw_vec3 *vertex_of(const bw_hull *h, uint32_t i)
{
    return &h->vertices[i];
}

static const bw_vec3 *normal_of(const bw_hull *h, uint32_t i)
{
    return &h->faces[i].normal;
}

/* Rows of at least one vector; size: of the largest coordinate. */
static bw_result make_rows(const bw_hull *h, uint32_t count, const bw_vec3 *of(const bw_hull *h, uint32_t i),
                           double size, bw_hull_rows *out)
{
    const double scale = bw_hull_scan_scale(2 * size);
    out->padded = (count + 15) / 16 * 16;
    out->xyz = take(h, 3 * (size_t)out->padded, sizeof *out->xyz);
    out->floats = take(h, 3 * (size_t)out->padded, sizeof *out->floats);
    if (out->xyz == NULL || out->floats == NULL)
        return BW_ERROR_MEMORY;
    for (uint32_t i = 0; i < out->padded; i++)
        for (int axis = 0; axis < 3; axis++) {
            const size_t place = (size_t)axis * out->padded + i;
            out->xyz[place] = bw_vec3_at(of(h, i < count ? i : 0), axis);
            out->floats[place] = (float)(out->xyz[place] * scale);
        }
    return BW_OK;
}

static void give_rows(const bw_hull *h, bw_hull_rows *rows)
{
    give(h, rows->xyz, 3 * (size_t)rows->padded, sizeof *rows->xyz);
    give(h, rows->floats, 3 * (size_t)rows->padded, sizeof *rows->floats);
}

static bw_result make_vertex_rows(bw_hull *h)
{
    double size = 0;
    h->least = (double)INFINITY;
    for (uint32_t i = 0; i < h->vertex_count; i++) {
        const bw_vec3 v = h->vertices[i];
        for (int axis = 0; axis < 3; axis++) {
            const double x = fabs(bw_vec3_at(&v, axis));
            size = fmax(size, x);
            if (x != 0)
                h->least = fmin(h->least, x);
        }
        h->reach = fmax(h->reach, sqrt(bw_vec3_dot(v, v)));
    }
    h->reach *= 1 + 0x1p-50;
    return make_rows(h, h->vertex_count, vertex_of, size, &h->rows);
}

/* A ball inside of a solid: around the middle of its corners, as far as the nearest face. Faces are flat to 1e-9 of the hull's
 * size, so much less is taken. */
static void find_ball(bw_hull *h)
{
    bw_vec3 sum = {0, 0, 0};
    double inner = (double)INFINITY;
    for (uint32_t i = 0; i < h->vertex_count; i++)
        sum = bw_vec3_add(sum, h->vertices[i]);
    h->centre = bw_vec3_scale(sum, 1.0 / h->vertex_count);
    for (uint32_t f = 0; f < h->face_count; f++)
        inner = fmin(inner, h->faces[f].offset - bw_vec3_dot(h->faces[f].normal, h->centre));
    h->inner = h->dimension == 3 ? fmax(0, inner - 1e-7 * h->reach) : 0;
}

static bw_result create(bw_hull *h, const bw_vec3 *points, uint32_t count)
{
    uint32_t span[4];
    bw_vec3 *sound = bw_allocate(&h->allocator, count, sizeof *sound);
    if (sound == NULL)
        return BW_ERROR_MEMORY;
    for (uint32_t i = 0; i < count; i++) /* no zero is negative */
        sound[i] = (bw_vec3){points[i].x + 0.0, points[i].y + 0.0, points[i].z + 0.0};
    h->dimension = find_span(sound, count, span);
    bw_result result = h->dimension == 3   ? make_solid(h, sound, count, span)
                       : h->dimension == 2 ? make_flat(h, sound, count, span)
                                           : make_thin(h, sound, count);
    bw_release(&h->allocator, sound, count, sizeof *sound);
    if (result == BW_OK)
        result = make_vertex_rows(h);
    if (result == BW_OK)
        result = bw_hull_make_faces(h);
    if (result == BW_OK)
        find_ball(h);
    if (result == BW_OK && h->face_count > 0)
        result = make_rows(h, h->face_count, normal_of, 1, &h->normals);
    h->scan = bw_hull_scan_of(bw_simd_level(BW_SIMD_AUTO));
    if (result == BW_OK)
        result = bw_hull_make_map(h);
    return result;
}

bw_result bw_hull_create(const bw_hull_desc *desc, const bw_vec3 *points, uint32_t point_count, bw_hull **out,
                         bw_fault *fault)
{
    if (bw_desc_check(desc) != BW_OK)
        return bw_fail(fault, bw_desc_check(desc));
    if (out == NULL || (points == NULL && point_count > 0))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    if (point_count == 0)
        return bw_fail(fault, BW_ERROR_EMPTY);
    if (point_count > 1u << 30)
        return bw_fail(fault, BW_ERROR_SIZE);
    bw_fault where = BW_FAULT_NOWHERE;
    bw_result result = check_points(points, point_count, &where);
    if (result != BW_OK)
        return bw_fail_with(fault, result, &where);
    const bw_allocator allocator = bw_allocator_or_heap(desc == NULL ? NULL : desc->allocator);
    bw_hull *h = bw_allocate_zero(&allocator, 1, sizeof *h);
    if (h == NULL)
        return bw_fail(fault, BW_ERROR_MEMORY);
    h->allocator = allocator;
    result = create(h, points, point_count);
    if (result != BW_OK)
        bw_hull_destroy(h);
    else
        *out = h;
    return bw_fail(fault, result);
}

void bw_hull_destroy(bw_hull *hull)
{
    if (hull == NULL)
        return;
    const bw_allocator allocator = hull->allocator;
    give(hull, hull->vertices, hull->vertex_count, sizeof *hull->vertices);
    give(hull, hull->indices, 3 * (size_t)hull->triangle_count, sizeof *hull->indices);
    give_rows(hull, &hull->rows);
    give(hull, hull->faces, hull->face_count, sizeof *hull->faces);
    give(hull, hull->loops, hull->loop_count, sizeof *hull->loops);
    give_rows(hull, &hull->normals);
    if (hull->map.normal != NULL)
        bw_release(&allocator, hull->map.normal, hull->map.bytes, 1);
    bw_release(&allocator, hull, 1, sizeof *hull);
}

bw_mesh bw_hull_mesh(const bw_hull *hull)
{
    return (bw_mesh){.positions = hull->vertices,
                     .scalar = BW_F64,
                     .vertex_count = hull->vertex_count,
                     .indices = hull->indices,
                     .triangle_count = hull->triangle_count};
}
