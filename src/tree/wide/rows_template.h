/* The kernels of tree/wide/rows.h at one level of base/simd/f32x8.h. The includer defines WIDE_LEVEL and
 * KERNELS, the name of their table. */
#if WIDE_LEVEL == 3
#    define BW_D4_AVX2
#endif
#include "base/simd/f32x8.h"
#include "base/simd/f64x4.h"
#include "mesh/view.h"
#include "tree/wide/rows.h"

LANES_FN void find_corners(const bw_mesh *mesh, const uint32_t *primitives, uint32_t count,
                           const uint32_t *corners[BW_WIDTH])
{
    for (uint32_t slot = 0; slot < BW_WIDTH; slot++)
        corners[slot] = mesh->indices + 3 * (size_t)primitives[slot < count ? slot : 0];
}

LANES_FN void load_rows(const char *positions, size_t stride, const uint32_t *const corners[BW_WIDTH],
                        uint32_t corner, v8 rows[3])
{
    v4 four[BW_WIDTH];
    for (uint32_t i = 0; i < BW_WIDTH; i++)
        four[i] = v4_load3(positions + corners[i][corner] * stride);
    v8_columns(four, rows);
}

LANES_FN d4 load_double(const char *positions, size_t stride, uint32_t vertex)
{
    return d4_load3((const double *)(const void *)(positions + vertex * stride));
}

/* Of doubles: the nearest floats. */
LANES_FN void load_rounded(const char *positions, size_t stride, const uint32_t *const corners[BW_WIDTH],
                           uint32_t corner, v8 rows[3])
{
    v4 four[BW_WIDTH];
    for (uint32_t i = 0; i < BW_WIDTH; i++)
        four[i] = d4_floats(load_double(positions, stride, corners[i][corner]));
    v8_columns(four, rows);
}

/* Of doubles: their differences from an origin, rounded twice. */
LANES_FN void round_rows(const d4 corners[BW_WIDTH], d4 origin, v8 rows[3])
{
    v4 four[BW_WIDTH];
    for (uint32_t i = 0; i < BW_WIDTH; i++)
        four[i] = d4_floats(d4_sub(corners[i], origin));
    v8_columns(four, rows);
}

/* The corners of eight triangles about the middle of their box, from its low to its high corner. */
LANES_FN v4 fit_floats(const bw_mesh *mesh, const uint32_t *const corners[BW_WIDTH], v8 rows[3][3], v4 *l,
                       v4 *h)
{
    const size_t stride = bw_mesh_view_stride(mesh);
    v8 low[3], high[3]; /* on the way: nine rows are more than 128-bit registers hold */
    for (uint32_t corner = 0; corner < 3; corner++) {
        load_rows(mesh->positions, stride, corners, corner, rows[corner]);
        for (int axis = 0; axis < 3; axis++) {
            const v8 row = rows[corner][axis];
            low[axis] = corner == 0 ? row : v8_min(low[axis], row);
            high[axis] = corner == 0 ? row : v8_max(high[axis], row);
        }
    }
    /* No -0. */
    *l = v4_row_minima(v8_fold_min(low[0]), v8_fold_min(low[1]), v8_fold_min(low[2])) + 0.0f;
    *h = v4_row_maxima(v8_fold_max(high[0]), v8_fold_max(high[1]), v8_fold_max(high[2])) + 0.0f;
    const v4 origin = 0.5f * (*l + *h);
    for (uint32_t corner = 0; corner < 3; corner++)
        for (int axis = 0; axis < 3; axis++)
            rows[corner][axis] = v8_sub(rows[corner][axis], v8_all(origin[axis]));
    return origin;
}

/* The same of doubles; the box is rounded outward. */
LANES_FN v4 fit_doubles(const bw_mesh *mesh, const uint32_t *const corners[BW_WIDTH], v8 rows[3][3], v4 *l,
                        v4 *h)
{
    const size_t stride = bw_mesh_view_stride(mesh);
    d4 points[3][BW_WIDTH];
    d4 low = load_double(mesh->positions, stride, corners[0][0]), high = low;
    for (uint32_t corner = 0; corner < 3; corner++)
        for (uint32_t i = 0; i < BW_WIDTH; i++) {
            points[corner][i] = load_double(mesh->positions, stride, corners[i][corner]);
            low = d4_min(points[corner][i], low);
            high = d4_max(points[corner][i], high);
        }
    *l = d4_floats_down(low) + 0.0f;
    *h = d4_floats_up(high) + 0.0f;
    const v4 origin = 0.5f * (*l + *h);
    for (uint32_t corner = 0; corner < 3; corner++)
        round_rows(points[corner], d4_of_floats(origin), rows[corner]);
    return origin;
}

LANES_FN bw_box fit_any(const bw_mesh *mesh, const uint32_t *primitives, uint32_t count, bool past_cache,
                        bool doubles, bw_wide_corners *out)
{
    const uint32_t *corners[BW_WIDTH];
    find_corners(mesh, primitives, count, corners);
    v8 rows[3][3];
    v4 l, h;
    const v4 origin =
        doubles ? fit_doubles(mesh, corners, rows, &l, &h) : fit_floats(mesh, corners, rows, &l, &h);
    v8 largest = v8_all(0.0f);
    for (uint32_t corner = 0; corner < 3; corner++)
        for (int axis = 0; axis < 3; axis++) {
            const v8 row = rows[corner][axis];
            largest = v8_max(largest, v8_abs(row));
            if (past_cache)
                v8_stream(out->coordinate[corner][axis], row);
            else
                v8_store(out->coordinate[corner][axis], row);
        }
    /* The origin, the magnitude and what is reserved: whole cache lines, since they may go past the cache. */
    float *rest = (float *)(void *)out + offsetof(bw_wide_corners, origin) / sizeof(float);
    v4 end = origin;
    end[3] = v8_highest(largest);
    if (past_cache)
        v8_stream(rest, v8_join(end, v4_all(0.0f)));
    else
        v8_store(rest, v8_join(end, v4_all(0.0f)));
    bw_box box;
    v4_store_box(&box, l, h);
    return box;
}

/* Doubles by themselves: what they take on the stack would slow floats down. */
LANES_TARGET static __attribute__((noinline)) bw_box fit_f64(const bw_mesh *mesh, const uint32_t *primitives,
                                                             uint32_t count, bool past_cache,
                                                             bw_wide_corners *out)
{
    return fit_any(mesh, primitives, count, past_cache, true, out);
}

LANES_TARGET static bw_box fit(const bw_mesh *mesh, const uint32_t *primitives, uint32_t count,
                               bool past_cache, bw_wide_corners *out)
{
    if (mesh->scalar == BW_F64)
        return fit_f64(mesh, primitives, count, past_cache, out);
    return fit_any(mesh, primitives, count, past_cache, false, out);
}

LANES_FN void gather_any(const bw_mesh *mesh, const uint32_t *primitives, uint32_t count, bool doubles,
                         bw_wide_corners *out)
{
    const uint32_t *corners[BW_WIDTH];
    find_corners(mesh, primitives, count, corners);
    const size_t stride = bw_mesh_view_stride(mesh);
    const v4 origin = v4_load3(out->origin);
    v8 largest = v8_all(0.0f);
    for (uint32_t corner = 0; corner < 3; corner++) {
        v8 rows[3];
        if (doubles) {
            d4 points[BW_WIDTH];
            for (uint32_t i = 0; i < BW_WIDTH; i++)
                points[i] = load_double(mesh->positions, stride, corners[i][corner]);
            round_rows(points, d4_of_floats(origin), rows);
        } else {
            load_rows(mesh->positions, stride, corners, corner, rows);
            for (int axis = 0; axis < 3; axis++)
                rows[axis] = v8_sub(rows[axis], v8_all(origin[axis]));
        }
        for (int axis = 0; axis < 3; axis++) {
            v8_store(out->coordinate[corner][axis], rows[axis]);
            largest = v8_max(largest, v8_abs(rows[axis]));
        }
    }
    out->magnitude = v8_highest(largest);
}

LANES_TARGET static __attribute__((noinline)) void gather_f64(const bw_mesh *mesh, const uint32_t *primitives,
                                                              uint32_t count, bw_wide_corners *out)
{
    gather_any(mesh, primitives, count, true, out);
}

LANES_TARGET static void gather(const bw_mesh *mesh, const uint32_t *primitives, uint32_t count,
                                bw_wide_corners *out)
{
    if (mesh->scalar == BW_F64)
        gather_f64(mesh, primitives, count, out);
    else
        gather_any(mesh, primitives, count, false, out);
}

LANES_FN void centres_any(const bw_box_source *source, uint32_t first, uint32_t count, bool doubles,
                          bw_centres *out)
{
    const char *positions = source->mesh->positions;
    const size_t stride = bw_mesh_view_stride(source->mesh);
    const uint32_t *indices = source->mesh->indices, *ids = source->ids;
    for (uint32_t begin = 0; begin < count; begin += BW_WIDTH) {
        const uint32_t *corners[BW_WIDTH];
        for (uint32_t i = 0; i < BW_WIDTH; i++) {
            const uint32_t element = first + (begin + i < count ? begin + i : 0);
            corners[i] = indices + 3 * (size_t)(ids == NULL ? element : ids[element]);
        }
        v8 rows[3][3];
        for (uint32_t corner = 0; corner < 3; corner++)
            if (doubles)
                load_rounded(positions, stride, corners, corner, rows[corner]);
            else
                load_rows(positions, stride, corners, corner, rows[corner]);
        for (int axis = 0; axis < 3; axis++)
            v8_store(&out->at[axis][begin],
                     v8_add(v8_min(v8_min(rows[0][axis], rows[1][axis]), rows[2][axis]),
                            v8_max(v8_max(rows[0][axis], rows[1][axis]), rows[2][axis])));
    }
}

LANES_TARGET static __attribute__((noinline)) void centres_f64(const bw_box_source *source, uint32_t first,
                                                               uint32_t count, bw_centres *out)
{
    centres_any(source, first, count, true, out);
}

LANES_TARGET static void centres(const bw_box_source *source, uint32_t first, uint32_t count, bw_centres *out)
{
    if (source->mesh->scalar == BW_F64)
        centres_f64(source, first, count, out);
    else
        centres_any(source, first, count, false, out);
}

/* Two vertices a step, and all boxes written at once: the same bits as lane by lane. */
LANES_TARGET static void fit_node(const char *positions, const bw_wide *wide, bw_wide_node *node)
{
    const float *at = (const float *)(const void *)positions;
    v4 lows[BW_WIDTH], highs[BW_WIDTH];
    for (uint32_t lane = 0; lane < BW_WIDTH; lane++) {
        lows[lane] = v4_all(BW_WIDE_EMPTY);
        highs[lane] = v4_all(-BW_WIDE_EMPTY);
    }
    for (uint32_t lane = 0; lane < node->count; lane++) {
        const uint32_t leaf = node->child[lane] & ~BW_WIDE_LEAF;
        const uint32_t *list = wide->vertices + wide->vertex_first[leaf];
        const uint32_t others = wide->leaves[leaf].vertex_count - 1u;
        /* Only the last can be the mesh's last vertex, beyond which nothing may be read. */
        const v4 end = v4_load3(at + 3 * (size_t)list[others]);
        v8 low = v8_join(end, end), high = low;
        uint32_t i = 0;
        for (; i + 2 <= others; i += 2) {
            const v8 both = v8_join(v4_load(at + 3 * (size_t)list[i]), v4_load(at + 3 * (size_t)list[i + 1]));
            low = v8_min(both, low);
            high = v8_max(both, high);
        }
        v4 l = v8_fold_min(low), h = v8_fold_max(high);
        if (i < others) {
            const v4 p = v4_load(at + 3 * (size_t)list[i]);
            l = v4_min(p, l);
            h = v4_max(p, h);
        }
        lows[lane] = l + 0.0f;
        highs[lane] = h + 0.0f;
    }
    v8 rows[3];
    v8_columns(lows, rows);
    for (int axis = 0; axis < 3; axis++)
        v8_store(node->min[axis], rows[axis]);
    v8_columns(highs, rows);
    for (int axis = 0; axis < 3; axis++)
        v8_store(node->max[axis], rows[axis]);
}

const bw_row_kernels KERNELS = {fit, gather, centres, fit_node};
