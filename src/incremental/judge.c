/* Deciding pairs of triangles whose corners are at hand: floats first, exactly where they do not suffice. */
#include "incremental/judge.h"

#include "collide/self/shared_features.h"
#include "geom/exact/triangle.h"

#include <math.h>

void bw_judge_init(bw_judge *j, bw_hit_sink *sink, const uint32_t *indices)
{
    j->sink = sink;
    j->simd = bw_simd_level(BW_SIMD_AUTO);
    j->kernels = bw_wide_kernels_for(j->simd);
    j->indices = indices;
    j->batch.count = 0;
}

typedef struct bounds {
    double min[3], max[3];
} bounds;

static inline double lower(double a, double b)
{
    return a < b ? a : b;
}

static inline double upper(double a, double b)
{
    return a > b ? a : b;
}

static bounds bounds_of(const bw_vec3 p[3])
{
    return (bounds){{lower(p[0].x, lower(p[1].x, p[2].x)), lower(p[0].y, lower(p[1].y, p[2].y)),
                     lower(p[0].z, lower(p[1].z, p[2].z))},
                    {upper(p[0].x, upper(p[1].x, p[2].x)), upper(p[0].y, upper(p[1].y, p[2].y)),
                     upper(p[0].z, upper(p[1].z, p[2].z))}};
}

/* The longest side, rounded up. */
static float extent(const bounds *b)
{
    double side = upper(b->max[0] - b->min[0], upper(b->max[1] - b->min[1], b->max[2] - b->min[2]));
    return (float)(side * (1 + 0x1p-20));
}

static bool exactly(bw_judge *j, uint32_t i)
{
    uint32_t a = j->batch.primitive_a[i], b = j->batch.primitive_b[i];
    bool exact = false;
    bw_contact kind = j->indices != NULL
                          ? bw_contact_beyond_shared(j->a[i], j->indices + 3 * (size_t)a, j->b[i],
                                                     j->indices + 3 * (size_t)b, &exact)
                          : bw_triangle_triangle_counted(j->a[i], j->b[i], &exact);
    j->sink->report.exact_tests += exact;
    return kind == BW_CONTACT_NONE || bw_hit_sink_add(j->sink, a, b, kind);
}

static bw_wide_verdict eight(const bw_judge *j, uint32_t first, uint32_t count)
{
    if (j->indices == NULL)
        return j->kernels->triangles(&j->batch, first);
    bw_wide_vertices vertices;
    for (uint32_t i = 0; i < BW_WIDTH; i++) {
        uint32_t lane = first + (i < count ? i : 0);
        for (uint32_t k = 0; k < 3; k++) {
            vertices.a[k][i] = j->indices[3 * (size_t)j->batch.primitive_a[lane] + k];
            vertices.b[k][i] = j->indices[3 * (size_t)j->batch.primitive_b[lane] + k];
        }
    }
    return j->kernels->neighbours(&j->batch, first, &vertices);
}

bool bw_judge_finish(bw_judge *j)
{
    uint32_t total = j->batch.count;
    j->batch.count = 0;
    for (uint32_t first = 0; first < total; first += BW_WIDTH) {
        uint32_t count = total - first < BW_WIDTH ? total - first : BW_WIDTH;
        bw_wide_verdict verdict = eight(j, first, count);
        j->sink->report.primitive_tests += count;
        for (uint32_t i = 0; i < count; i++) {
            if (verdict.apart >> i & 1)
                continue;
            bool go_on = (verdict.crossing >> i & 1) != 0
                             ? bw_hit_sink_add(j->sink, j->batch.primitive_a[first + i],
                                               j->batch.primitive_b[first + i], BW_CONTACT_CROSSING)
                             : exactly(j, first + i);
            if (!go_on)
                return false;
        }
    }
    return true;
}

bool bw_judge_pair(bw_judge *j, uint32_t primitive_a, const bw_vec3 a[3], uint32_t primitive_b,
                   const bw_vec3 b[3])
{
    bounds box_a = bounds_of(a), box_b = bounds_of(b);
    j->sink->report.box_tests++;
    for (int axis = 0; axis < 3; axis++)
        if (box_a.min[axis] > box_b.max[axis] || box_b.min[axis] > box_a.max[axis])
            return true;
    bw_wide_batch *batch = &j->batch;
    uint32_t n = batch->count++;
    double o[3] = {a[0].x, a[0].y, a[0].z}, reach = 0;
    for (int k = 0; k < 3; k++) {
        double pa[3] = {a[k].x, a[k].y, a[k].z}, pb[3] = {b[k].x, b[k].y, b[k].z};
        for (int axis = 0; axis < 3; axis++) {
            double x = pa[axis] - o[axis], y = pb[axis] - o[axis];
            batch->a[k][axis][n] = (float)x;
            batch->b[k][axis][n] = (float)y;
            reach = upper(reach, upper(fabs(x), fabs(y)));
        }
        j->a[n][k] = a[k];
        j->b[n][k] = b[k];
    }
    batch->extent_a[n] = extent(&box_a);
    batch->extent_b[n] = extent(&box_b);
    /* Half an ulp of the largest float, twice; where squares could overflow nothing is certain. */
    batch->delta[n] = reach < 0x1p36 ? (float)(0x1p-23 * reach) + 0x1p-120f : INFINITY;
    batch->primitive_a[n] = primitive_a;
    batch->primitive_b[n] = primitive_b;
    return batch->count < BW_BATCH_ROW || bw_judge_finish(j);
}
