/* Whether the coordinates of a refit are sound, checked before anything is written. */
#include "tree/refit/check.h"

#include "base/simd/f32x4.h"
#include "base/tasks.h"
#include "mesh/defect.h"
#include "mesh/view.h"

#include <math.h>
#include <string.h>

#if BW_SIMD_X86
#    include <immintrin.h>
#endif

enum { GRAIN = 1 << 15 };

/* The bits of a float's magnitude ascend with it; infinities and NaNs are above all. No float is too small.
 */
#define FLOAT_LIMIT 0x71800000 /* 2^100 */

static bool floats_sound_few(const float *at, size_t count)
{
    bool bad = false;
    for (size_t i = 0; i < count; i++) {
        int32_t bits;
        memcpy(&bits, &at[i], sizeof bits);
        bad |= (bits & 0x7fffffff) > FLOAT_LIMIT;
    }
    return !bad;
}

static bool floats_sound_128(const float *at, size_t count)
{
    i4 bad = {0};
    size_t i = 0;
    for (; i + 4 <= count; i += 4)
        bad |= ((i4)v4_load(at + i) & INT32_MAX) > FLOAT_LIMIT;
    return i4_bits(bad) == 0 && floats_sound_few(at + i, count - i);
}

#if BW_SIMD_X86
__attribute__((target("avx2"))) static bool floats_sound_avx2(const float *at, size_t count)
{
    const __m256i mask = _mm256_set1_epi32(0x7fffffff);
    __m256i largest = _mm256_setzero_si256(), other = largest;
    size_t i = 0;
    for (; i + 16 <= count; i += 16) {
        __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)(at + i));
        __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(at + i + 8));
        largest = _mm256_max_epi32(largest, _mm256_and_si256(a, mask));
        other = _mm256_max_epi32(other, _mm256_and_si256(b, mask));
    }
    largest = _mm256_cmpgt_epi32(_mm256_max_epi32(largest, other), _mm256_set1_epi32(FLOAT_LIMIT));
    return _mm256_movemask_epi8(largest) == 0 && floats_sound_few(at + i, count - i);
}
#endif

static bool floats_sound(const float *at, size_t count, bw_simd simd)
{
#if BW_SIMD_X86
    if (simd >= BW_SIMD_AVX2)
        return floats_sound_avx2(at, count);
#endif
    (void)simd;
    return floats_sound_128(at, count);
}

static inline bool double_sound(double x)
{
    double magnitude = fabs(x);
    return x == 0 || (magnitude >= BW_EXACT_MIN && magnitude <= BW_COORDINATE_MAX);
}

static bool doubles_sound(const double *at, size_t count)
{
    bool bad = false;
    for (size_t i = 0; i < count; i++)
        bad |= !double_sound(at[i]);
    return !bad;
}

typedef struct job {
    const bw_mesh *mesh;
    uint32_t first;
    bw_simd simd;
    bool bad[BW_MAX_WORKERS];
} job;

static bool range_sound(const bw_mesh *mesh, uint32_t first, uint32_t count, bw_simd simd)
{
    const bool tight = bw_mesh_view_stride(mesh) == 3 * bw_mesh_view_scalar_size(mesh);
    if (mesh->scalar == BW_F64) {
        if (tight)
            return doubles_sound(bw_mesh_view_f64(mesh, first), 3 * (size_t)count);
        bool good = true;
        for (uint32_t v = first; v < first + count; v++)
            good &= doubles_sound(bw_mesh_view_f64(mesh, v), 3);
        return good;
    }
    if (tight)
        return floats_sound(bw_mesh_view_f32(mesh, first), 3 * (size_t)count, simd);
    bool good = true;
    for (uint32_t v = first; v < first + count; v++)
        good &= floats_sound_few(bw_mesh_view_f32(mesh, v), 3);
    return good;
}

static void check_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    job *work = context;
    if (!range_sound(work->mesh, work->first + begin, end - begin, work->simd))
        work->bad[worker] = true;
}

bool bw_positions_sound(const bw_mesh *mesh, uint32_t first, uint32_t count, const bw_tasks *tasks,
                        bw_simd simd)
{
    if (bw_workers(tasks) <= 1 || count <= GRAIN)
        return range_sound(mesh, first, count, bw_simd_level(simd));
    job work = {.mesh = mesh, .first = first, .simd = bw_simd_level(simd)};
    bw_parallel(tasks, check_range, &work, count, GRAIN);
    bool bad = false;
    for (uint32_t worker = 0; worker < bw_workers(tasks); worker++)
        bad |= work.bad[worker];
    return !bad;
}

bw_result bw_wide_find_unsound(const bw_wide *wide, const bw_mesh *mesh, bw_fault *where)
{
    uint32_t first = BW_NONE;
    bw_defect found = BW_DEFECT_NONE;
    bw_defect_place there = {0};
    for (size_t slot = 0; slot < (size_t)wide->leaf_count * BW_WIDTH; slot++) {
        uint32_t primitive = wide->primitives[slot];
        if (primitive == BW_NONE || primitive >= first)
            continue;
        bw_defect_place place;
        bw_defect defect = bw_mesh_defect_of(mesh, primitive, BW_DEFECTS_FATAL, &place);
        if (defect != BW_DEFECT_NONE) {
            first = primitive;
            found = defect;
            there = place;
        }
    }
    if (found != BW_DEFECT_NONE && where != NULL)
        *where = bw_defect_fault(found, first, &there);
    return bw_defect_result(found);
}
