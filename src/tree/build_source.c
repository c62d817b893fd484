#include "tree/build_source.h"

#include "mesh/view.h"
#include "tree/wide_fill.h"
#include "tree/wide_load.h"

#if BW_SIMD_X86
#    include <immintrin.h>
#endif

bw_box bw_source_box(const bw_box_source *source, uint32_t element)
{
    if (source->boxes != NULL)
        return source->boxes[element];
    const uint32_t primitive = bw_source_primitive(source, element);
    bw_box box;
    bw_wide_boxes(source->mesh, &primitive, 1, &box, NULL, source->simd);
    return box;
}

const bw_box *bw_source_boxes(const bw_box_source *source, uint32_t first, uint32_t count,
                              bw_box room[BW_SOURCE_BATCH])
{
    if (source->boxes != NULL)
        return source->boxes + first;
    uint32_t ids[BW_SOURCE_BATCH];
    for (uint32_t i = 0; i < count; i++)
        ids[i] = bw_source_primitive(source, first + i);
    bw_wide_boxes(source->mesh, ids, count, room, NULL, source->simd);
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
        bw_wide_boxes(source->mesh, ids, count, out, NULL, source->simd);
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

#if BW_SIMD_X86
/* Triangles of floats, eight at a time. */
__attribute__((target("avx2"))) static void centres_f32_avx2(const bw_box_source *source, uint32_t first,
                                                             uint32_t count, bw_centres *out)
{
    const bw_mesh *mesh = source->mesh;
    const size_t stride = bw_view_stride(mesh);
    for (uint32_t begin = 0; begin < count; begin += 8) {
        const uint32_t *corners[8];
        for (uint32_t i = 0; i < 8; i++) {
            const uint32_t element = first + (begin + i < count ? begin + i : 0);
            corners[i] = mesh->indices + 3 * (size_t)bw_source_primitive(source, element);
        }
        __m256 low[3], high[3];
        bw_load_rows_avx2(mesh->positions, stride, corners, 0, low);
        for (int axis = 0; axis < 3; axis++)
            high[axis] = low[axis];
        for (uint32_t corner = 1; corner < 3; corner++) {
            __m256 rows[3];
            bw_load_rows_avx2(mesh->positions, stride, corners, corner, rows);
            for (int axis = 0; axis < 3; axis++) {
                low[axis] = _mm256_min_ps(low[axis], rows[axis]);
                high[axis] = _mm256_max_ps(high[axis], rows[axis]);
            }
        }
        for (int axis = 0; axis < 3; axis++)
            _mm256_store_ps(&out->at[axis][begin], _mm256_add_ps(low[axis], high[axis]));
    }
}
#endif

void bw_source_centres(const bw_box_source *source, uint32_t first, uint32_t count, bw_centres *out)
{
#if BW_SIMD_X86
    if (source->boxes == NULL && source->simd >= BW_SIMD_AVX2 && source->mesh->scalar == BW_F32 &&
        source->mesh->indices != NULL) {
        centres_f32_avx2(source, first, count, out);
        repeat_first(out, count);
        return;
    }
#endif
    bw_box room[BW_SOURCE_BATCH];
    const bw_box *boxes = bw_source_boxes(source, first, count, room);
    for (uint32_t i = 0; i < count; i++)
        set_centre(out, i, &boxes[i]);
    repeat_first(out, count);
}

void bw_source_centres_of(const bw_box_source *source, const uint32_t *elements, uint32_t count,
                          bw_centres *out)
{
    for (uint32_t i = 0; i < count; i++) {
        const bw_box box = bw_source_box(source, elements[i]);
        set_centre(out, i, &box);
    }
    repeat_first(out, count);
}

bool bw_source_vertex_bounds(const bw_box_source *source, float low[3], float high[3])
{
    enum { ROW = 24 }; /* floats: whole vertices, and whole registers */
    const bw_mesh *mesh = source->mesh;
    if (mesh == NULL || source->ids != NULL || mesh->indices == NULL || mesh->scalar != BW_F32 ||
        bw_view_stride(mesh) != 3 * sizeof(float) || mesh->vertex_count > source->count)
        return false;
    const float *at = mesh->positions;
    const size_t count = 3 * (size_t)mesh->vertex_count;
    float lows[ROW], highs[ROW];
    for (uint32_t k = 0; k < ROW; k++)
        lows[k] = highs[k] = at[k % 3];
    size_t i = 0;
    for (; i + ROW <= count; i += ROW)
        for (uint32_t k = 0; k < ROW; k++) {
            lows[k] = at[i + k] < lows[k] ? at[i + k] : lows[k];
            highs[k] = at[i + k] > highs[k] ? at[i + k] : highs[k];
        }
    for (uint32_t k = 0; i + k < count; k++) {
        lows[k] = at[i + k] < lows[k] ? at[i + k] : lows[k];
        highs[k] = at[i + k] > highs[k] ? at[i + k] : highs[k];
    }
    bool good = true;
    for (uint32_t axis = 0; axis < 3; axis++) {
        low[axis] = lows[axis];
        high[axis] = highs[axis];
        for (uint32_t k = axis; k < ROW; k += 3) {
            low[axis] = lows[k] < low[axis] ? lows[k] : low[axis];
            high[axis] = highs[k] > high[axis] ? highs[k] : high[axis];
        }
        low[axis] *= 2;
        high[axis] *= 2;
        /* A vertex that no triangle has may be anything, NaN too: then the bounds bound nothing. */
        good &= low[axis] >= -2 * (float)BW_COORDINATE_MAX && high[axis] <= 2 * (float)BW_COORDINATE_MAX;
    }
    return good;
}
