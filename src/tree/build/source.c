/* Where a build reads its boxes: from an array, or from a mesh batch by batch. */
#include "tree/build/source.h"

#include "base/tasks.h"
#include "mesh/view.h"
#include "tree/wide/leaf_corners.h"
#include "tree/wide/rows.h"

#include <math.h>

#if BW_SIMD_X86
#    include <immintrin.h>
#endif

/* Of one element. Zeros of a mesh's boxes are never -0. */
static bw_box box_of(const bw_box_source *source, uint32_t element)
{
    if (source->boxes != NULL)
        return source->boxes[element];
    const uint32_t primitive = bw_source_primitive(source, element);
    bw_box box;
    bw_wide_boxes(source->mesh, &primitive, 1, &box, NULL);
    return box;
}

/* The boxes of the elements first .. first + count - 1, count at most a batch: the array's own, or made in
 * room.
 */
static const bw_box *boxes_of(const bw_box_source *source, uint32_t first, uint32_t count,
                              bw_box room[BW_SOURCE_BATCH])
{
    if (source->boxes != NULL)
        return source->boxes + first;
    uint32_t ids[BW_SOURCE_BATCH], i = 0;
    do /* at least one */
        ids[i] = bw_source_primitive(source, first + i);
    while (++i < count);
    bw_wide_boxes(source->mesh, ids, count, room, NULL);
    return room;
}

void bw_source_boxes_of(const bw_box_source *source, const uint32_t *elements, uint32_t count, bw_box *out)
{
    uint32_t ids[BW_SOURCE_BATCH];
    for (uint32_t i = 0; i < count; i++) {
        if (source->boxes != NULL)
            out[i] = source->boxes[elements[i]];
        ids[i] = bw_source_primitive(source, elements[i]);
    }
    if (source->boxes == NULL)
        bw_wide_boxes(source->mesh, ids, count, out, NULL);
}

static inline void set_centre(bw_centres *out, uint32_t i, const bw_box *box)
{
    for (int axis = 0; axis < 3; axis++)
        out->at[axis][i] = box->min[axis] + box->max[axis];
}

static void repeat_first(bw_centres *out, uint32_t count)
{
    for (int axis = 0; axis < 3; axis++)
        for (uint32_t i = count; i < BW_SOURCE_BATCH; i++)
            out->at[axis][i] = out->at[axis][0];
}

void bw_source_centres(const bw_box_source *source, uint32_t first, uint32_t count, bw_centres *out)
{
    if (source->boxes == NULL && bw_rows_fit(source->mesh)) {
        bw_row_kernels_for(source->simd)->centres(source, first, count, out);
        repeat_first(out, count);
        return;
    }
    bw_box room[BW_SOURCE_BATCH];
    const bw_box *boxes = boxes_of(source, first, count, room);
    for (uint32_t i = 0; i < count; i++)
        set_centre(out, i, &boxes[i]);
    repeat_first(out, count);
}

void bw_source_centres_of(const bw_box_source *source, const uint32_t *elements, uint32_t count,
                          bw_centres *out)
{
    for (uint32_t i = 0; i < count; i++) {
        const bw_box box = box_of(source, elements[i]);
        set_centre(out, i, &box);
    }
    repeat_first(out, count);
}

/* Positions, cut into so many stretches of whole vertices. */
enum { STRETCHES = 64, STRETCH_LEAST = 4096 };

typedef struct vertex_bounds {
    const bw_mesh *mesh;
    uint32_t stretches;
    float low[STRETCHES][3], high[STRETCHES][3];
} vertex_bounds;

/* The bounds of x, y, z, x, ... What is not a number is left out; doubles are rounded to the nearest
 * floats. */
#define BOUND(name, scalar)                                                                                  \
    static void name(const scalar *at, size_t count, float low[3], float high[3])                            \
    {                                                                                                        \
        enum { ROW = 24 }; /* whole vertices, and whole registers */                                         \
        scalar lows[ROW], highs[ROW];                                                                        \
        for (uint32_t k = 0; k < ROW; k++) {                                                                 \
            lows[k] = (scalar)INFINITY;                                                                      \
            highs[k] = -(scalar)INFINITY;                                                                    \
        }                                                                                                    \
        size_t i = 0;                                                                                        \
        for (; i + ROW <= count; i += ROW)                                                                   \
            for (uint32_t k = 0; k < ROW; k++) {                                                             \
                lows[k] = at[i + k] < lows[k] ? at[i + k] : lows[k];                                         \
                highs[k] = at[i + k] > highs[k] ? at[i + k] : highs[k];                                      \
            }                                                                                                \
        for (uint32_t k = 0; i + k < count; k++) {                                                           \
            lows[k] = at[i + k] < lows[k] ? at[i + k] : lows[k];                                             \
            highs[k] = at[i + k] > highs[k] ? at[i + k] : highs[k];                                          \
        }                                                                                                    \
        for (uint32_t axis = 0; axis < 3; axis++) {                                                          \
            low[axis] = INFINITY;                                                                            \
            high[axis] = -INFINITY;                                                                          \
            for (uint32_t k = axis; k < ROW; k += 3) {                                                       \
                low[axis] = fminf(low[axis], (float)lows[k]);                                                \
                high[axis] = fmaxf(high[axis], (float)highs[k]);                                             \
            }                                                                                                \
        }                                                                                                    \
    }

BOUND(bound_floats, float)
BOUND(bound_doubles, double)

static void bound_stretch(vertex_bounds *b, uint32_t stretch)
{
    const uint64_t vertices = b->mesh->vertex_count;
    const uint32_t first = (uint32_t)(vertices * stretch / b->stretches),
                   last = (uint32_t)(vertices * (stretch + 1) / b->stretches);
    const size_t count = 3 * (size_t)(last - first);
    if (b->mesh->scalar == BW_F64)
        bound_doubles(bw_mesh_view_f64(b->mesh, first), count, b->low[stretch], b->high[stretch]);
    else
        bound_floats(bw_mesh_view_f32(b->mesh, first), count, b->low[stretch], b->high[stretch]);
}

static void bound_stretches(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    for (uint32_t stretch = begin; stretch < end; stretch++)
        bound_stretch(context, stretch);
}

bool bw_source_vertex_bounds(const bw_box_source *source, const bw_tasks *tasks, float low[3], float high[3])
{
    const bw_mesh *mesh = source->mesh;
    if (mesh == NULL || source->ids != NULL || mesh->indices == NULL ||
        bw_mesh_view_stride(mesh) != 3 * bw_mesh_view_scalar_size(mesh) || mesh->vertex_count > source->count)
        return false;
    vertex_bounds b = {.mesh = mesh};
    b.stretches = mesh->vertex_count / STRETCH_LEAST + 1;
    b.stretches = b.stretches < STRETCHES ? b.stretches : STRETCHES;
    bw_parallel(tasks, bound_stretches, &b, b.stretches, 4);
    bool good = true;
    for (uint32_t axis = 0; axis < 3; axis++) {
        low[axis] = b.low[0][axis];
        high[axis] = b.high[0][axis];
        for (uint32_t i = 1; i < b.stretches; i++) {
            low[axis] = fminf(low[axis], b.low[i][axis]);
            high[axis] = fmaxf(high[axis], b.high[i][axis]);
        }
        low[axis] *= 2;
        high[axis] *= 2;
        /* Vertices that no triangle has may lie anywhere. */
        good &= low[axis] >= -2 * (float)BW_COORDINATE_MAX && high[axis] <= 2 * (float)BW_COORDINATE_MAX;
    }
    return good;
}
