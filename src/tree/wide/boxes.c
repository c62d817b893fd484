/* The boxes of a mesh's primitives. */
#include "base/simd/f64x4.h"
#include "base/tasks.h"
#include "geom/box.h"
#include "mesh/view.h"
#include "tree/wide/leaf_corners.h"

enum { GRAIN = 4096 };

typedef struct job {
    const bw_mesh *mesh;
    const uint32_t *ids;
    bw_box *out;
} job;

static bw_box box_of_point(const bw_mesh *mesh, uint32_t primitive)
{
    const bw_vec3 point = bw_mesh_view_vertex(mesh, primitive);
    bw_box box = bw_box_of_points(&point, 1);
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] += 0.0f;
        box.max[axis] += 0.0f;
    }
    return box;
}

/* Triangles of floats. */
static void boxes_f32(const job *work, uint32_t begin, uint32_t end)
{
    const char *positions = work->mesh->positions;
    const size_t stride = bw_mesh_view_stride(work->mesh);
    for (uint32_t i = begin; i < end; i++) {
        uint32_t primitive = work->ids == NULL ? i : work->ids[i];
        const uint32_t *corner = work->mesh->indices + 3 * (size_t)primitive;
        const v4 a = v4_load3(positions + corner[0] * stride), b = v4_load3(positions + corner[1] * stride),
                 c = v4_load3(positions + corner[2] * stride);
        v4_store_box(&work->out[i], v4_min(v4_min(a, b), c) + 0.0f, v4_max(v4_max(a, b), c) + 0.0f);
    }
}

/* Of doubles: rounded outward. */
static void boxes_f64(const job *work, uint32_t begin, uint32_t end)
{
    for (uint32_t i = begin; i < end; i++) {
        uint32_t primitive = work->ids == NULL ? i : work->ids[i];
        const uint32_t *corner = work->mesh->indices + 3 * (size_t)primitive;
        const d4 a = d4_load3(bw_mesh_view_f64(work->mesh, corner[0])),
                 b = d4_load3(bw_mesh_view_f64(work->mesh, corner[1])),
                 c = d4_load3(bw_mesh_view_f64(work->mesh, corner[2]));
        v4_store_box(&work->out[i], d4_floats_down(d4_min(d4_min(a, b), c)) + 0.0f,
                     d4_floats_up(d4_max(d4_max(a, b), c)) + 0.0f);
    }
}

static void boxes_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const job *work = context;
    if (work->mesh->indices != NULL) {
        (work->mesh->scalar == BW_F64 ? boxes_f64 : boxes_f32)(work, begin, end);
        return;
    }
    for (uint32_t i = begin; i < end; i++)
        work->out[i] = box_of_point(work->mesh, work->ids == NULL ? i : work->ids[i]);
}

void bw_wide_boxes(const bw_mesh *mesh, const uint32_t *ids, uint32_t count, bw_box *out,
                   const bw_tasks *tasks)
{
    job work = {mesh, ids, out};
    bw_parallel(tasks, boxes_range, &work, count, GRAIN);
}
