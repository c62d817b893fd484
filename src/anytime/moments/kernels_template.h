/* The kernels of anytime/moments/kernels.h at one level of base/simd/f32x8.h. The includer defines WIDE_LEVEL
 * and KERNELS, the name of their table. */
#ifndef BW_ANYTIME_MOMENTS_KERNELS_TEMPLATE_H
#define BW_ANYTIME_MOMENTS_KERNELS_TEMPLATE_H

#include "anytime/model/model.h"
#include "anytime/moments/kernels.h"
#include "base/simd/f32x8.h"
#include "collide/pair/kernels.h"

#include <math.h>
#include <string.h>

#if WIDE_LEVEL == 3
/* Two floats at each of four places: in halves, as one load brings both knots about a place. (The gathering
 * instruction takes twice as long for eight of either.) */
LANES_FN __m256 two_pairs(const float *p, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    __m128 low = _mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)(p + a)));
    __m128 high = _mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)(p + c)));
    low = _mm_loadh_pi(low, (const __m64 *)(const void *)(p + b));
    high = _mm_loadh_pi(high, (const __m64 *)(const void *)(p + d));
    return _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
}
#endif

/* Hazards of eight pairs of parts, by their codes, at distances m: along a line between the two knots about
 * it. */
LANES_FN v8 look_up(const float (*hazard)[BW_ANYTIME_KNOTS], const uint32_t *codes_a, pick8 pick_a,
                    const uint32_t *codes_b, pick8 pick_b, v8 m)
{
    v8 x = v8_min(v8_mul(m, v8_all(BW_ANYTIME_KNOTS_A_UNIT)), v8_all((float)(BW_ANYTIME_KNOTS - 1) - 0.001f));
#if WIDE_LEVEL == 3
    const __m256i sum = _mm256_add_epi32(
        _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i *)(const void *)codes_a), pick_a),
        _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i *)(const void *)codes_b), pick_b));
    /* bw_moment_class times the knots of a row, in one */
    const __m256i row = _mm256_or_si256(_mm256_slli_epi32(_mm256_srli_epi32(sum, 6), 8),
                                        _mm256_slli_epi32(_mm256_and_si256(sum, _mm256_set1_epi32(28)), 3));
    const __m256i knot = _mm256_cvttps_epi32(x), at = _mm256_add_epi32(row, knot);
    uint32_t index[BW_WIDTH];
    _mm256_storeu_si256((__m256i *)(void *)index, at);
    const __m256 even = two_pairs(hazard[0], index[0], index[1], index[4], index[5]),
                 odd = two_pairs(hazard[0], index[2], index[3], index[6], index[7]);
    const v8 low = _mm256_shuffle_ps(even, odd, 0x88), high = _mm256_shuffle_ps(even, odd, 0xDD);
    const v8 part = v8_sub(x, _mm256_cvtepi32_ps(knot));
    return v8_add(low, v8_mul(part, v8_sub(high, low)));
#else
    float place[BW_WIDTH], out[BW_WIDTH];
    uint32_t code_a[BW_WIDTH], code_b[BW_WIDTH];
    v8_store(place, x);
    pick8_words(code_a, codes_a, pick_a);
    pick8_words(code_b, codes_b, pick_b);
    for (uint32_t j = 0; j < BW_WIDTH; j++) {
        const float *curve = hazard[bw_moment_class(code_a[j], code_b[j])];
        uint32_t k = (uint32_t)place[j];
        out[j] = curve[k] + (place[j] - (float)k) * (curve[k + 1] - curve[k]);
    }
    return v8_load(out);
#endif
}

LANES_FN v8 times(float a, v8 b)
{
    return v8_mul(v8_all(a), b);
}

LANES_FN v8 row_times(const float m[3], v8 x, v8 y, v8 z)
{
    return v8_add(v8_add(times(m[0], x), times(m[1], y)), times(m[2], z));
}

LANES_TARGET static void map_parts(const bw_moment_map *map, const bw_moment_node *node,
                                   bw_moment_mapped *out)
{
    v8 x = v8_load(node->mean[0]), y = v8_load(node->mean[1]), z = v8_load(node->mean[2]);
    for (int i = 0; i < 3; i++)
        v8_store(out->mean[i], v8_add(row_times(map->m[i], x, y, z), v8_all(map->t[i])));
    /* R S R^T: first the rows of R S. */
    v8 xx = v8_load(node->spread[0]), yy = v8_load(node->spread[1]), zz = v8_load(node->spread[2]);
    v8 xy = v8_load(node->spread[3]), xz = v8_load(node->spread[4]), yz = v8_load(node->spread[5]);
    v8 rs[3][3];
    for (int i = 0; i < 3; i++) {
        rs[i][0] = row_times(map->m[i], xx, xy, xz);
        rs[i][1] = row_times(map->m[i], xy, yy, yz);
        rs[i][2] = row_times(map->m[i], xz, yz, zz);
    }
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int q = 0; q < 6; q++)
        v8_store(out->spread[q], row_times(map->m[column[q]], rs[row[q]][0], rs[row[q]][1], rs[row[q]][2]));
    memcpy(out->code, node->code, sizeof out->code);
}

/* Eight parts each of a and of b. */
typedef struct parts8 {
    v8 x, y, z, xx, yy, zz, xy, xz, yz;
} parts8;

LANES_FN parts8 parts_at(const float (*mean)[BW_WIDTH], const float (*spread)[BW_WIDTH], pick8 pick)
{
    return (parts8){v8_pick(mean[0], pick),   v8_pick(mean[1], pick),   v8_pick(mean[2], pick),
                    v8_pick(spread[0], pick), v8_pick(spread[1], pick), v8_pick(spread[2], pick),
                    v8_pick(spread[3], pick), v8_pick(spread[4], pick), v8_pick(spread[5], pick)};
}

LANES_FN parts8 parts_of(const bw_moment_node *a)
{
    return (parts8){v8_load(a->mean[0]),   v8_load(a->mean[1]),   v8_load(a->mean[2]),
                    v8_load(a->spread[0]), v8_load(a->spread[1]), v8_load(a->spread[2]),
                    v8_load(a->spread[3]), v8_load(a->spread[4]), v8_load(a->spread[5])};
}

LANES_FN parts8 parts_all(const bw_moment_mapped *b, uint32_t i)
{
    return (parts8){v8_all(b->mean[0][i]),   v8_all(b->mean[1][i]),   v8_all(b->mean[2][i]),
                    v8_all(b->spread[0][i]), v8_all(b->spread[1][i]), v8_all(b->spread[2][i]),
                    v8_all(b->spread[3][i]), v8_all(b->spread[4][i]), v8_all(b->spread[5][i])};
}

/* M^2 = t^T adj(S) t / det(S). */
LANES_FN v8 distances_of(const parts8 *a, const parts8 *b)
{
    v8 x = v8_sub(b->x, a->x), y = v8_sub(b->y, a->y), z = v8_sub(b->z, a->z);
    v8 xx = v8_add(a->xx, b->xx), yy = v8_add(a->yy, b->yy), zz = v8_add(a->zz, b->zz);
    v8 xy = v8_add(a->xy, b->xy), xz = v8_add(a->xz, b->xz), yz = v8_add(a->yz, b->yz);
    v8 cxx = v8_sub(v8_mul(yy, zz), v8_mul(yz, yz)), cyy = v8_sub(v8_mul(xx, zz), v8_mul(xz, xz)),
       czz = v8_sub(v8_mul(xx, yy), v8_mul(xy, xy));
    v8 cxy = v8_sub(v8_mul(xz, yz), v8_mul(xy, zz)), cxz = v8_sub(v8_mul(xy, yz), v8_mul(xz, yy)),
       cyz = v8_sub(v8_mul(xy, xz), v8_mul(xx, yz));
    v8 determinant = v8_add(v8_add(v8_mul(xx, cxx), v8_mul(xy, cxy)), v8_mul(xz, cxz));
    v8 straight =
        v8_add(v8_add(v8_mul(v8_mul(x, x), cxx), v8_mul(v8_mul(y, y), cyy)), v8_mul(v8_mul(z, z), czz));
    v8 across =
        v8_add(v8_add(v8_mul(v8_mul(x, y), cxy), v8_mul(v8_mul(x, z), cxz)), v8_mul(v8_mul(y, z), cyz));
    v8 m2 = v8_div(v8_add(straight, v8_add(across, across)), determinant);
    return v8_sqrt(v8_max(m2, v8_all(0.0f)));
}

LANES_TARGET static void distances(const bw_moment_node *a, const bw_moment_mapped *b, uint64_t mask,
                                   float out[BW_WIDTH * BW_WIDTH])
{
    const parts8 parts_a = parts_of(a);
    for (uint32_t i = 0; i < BW_WIDTH; i++)
        if ((mask >> 8 * i & 0xFFu) != 0) {
            const parts8 part_b = parts_all(b, i);
            v8_store(&out[8 * i], distances_of(&parts_a, &part_b));
        }
}

/* The numbers of the lowest eight bits of a mask, in bytes; 63 where there are fewer. */
LANES_FN uint64_t lowest_eight(uint64_t *mask)
{
    uint64_t left = *mask, bytes = 0;
    for (uint32_t k = 0; k < BW_WIDTH; k++) {
        bytes |= (uint64_t)bw_wide_lowest(left | (uint64_t)1 << 63) << 8 * k;
        left &= left - 1;
    }
    *mask = left;
    return bytes;
}

/* The eights of a list from number k on of which some are still there; the others are as if pruned. (Not by
 * writing to the list when one is taken: a register that is loaded from what a smaller store has just written
 * has to wait for it.) */
LANES_FN v8 those_left(const bw_moment_list *list, uint64_t left, uint32_t k)
{
    return v8_choose(m8_of((uint32_t)(left >> k) & 0xFFu), v8_load(&list->hazard[k]), v8_all(-1.0f));
}

/* The first that is still there and as large as the largest. */
LANES_FN uint32_t number_of(const bw_moment_list *list, uint64_t left, float largest)
{
    const v8 value = v8_all(largest);
    for (uint32_t k = 0; k < BW_WIDTH * BW_WIDTH && left >> k != 0; k += BW_WIDTH) {
        uint32_t equals = ~m8_bits(v8_greater(value, those_left(list, left, k))) & 0xFFu;
        if (equals != 0)
            return k + bw_wide_lowest(equals);
    }
    return 0;
}

LANES_TARGET static bw_moment_weights weigh(const bw_moment_node *a, const bw_moment_mapped *b, uint64_t mask,
                                            const bw_moment_scale *scale, bw_moment_list *out)
{
    const uint32_t total = bw_moment_bits(mask);
    bw_moment_weights result = {0, 0, 0.0f, total, 0, 0.0f};
    const v8 zero = v8_all(0.0f), none = v8_all(-1.0f);
    const v8 prune_at = v8_all(scale->prune_at), count_at = v8_all(scale->count_at);
    v8 sum = zero, best = none;
    uint32_t count = 0;
    do {
        const uint64_t each = 0x0707070707070707u;
        const uint32_t left = total - count, bits = left < BW_WIDTH ? (1u << left) - 1 : 0xFFu;
        const uint64_t bytes = lowest_eight(&mask);
        const pick8 pick_a = pick8_of(bytes & each), pick_b = pick8_of(bytes >> 3 & each);
        const parts8 parts_a = parts_at(a->mean, a->spread, pick_a),
                     parts_b = parts_at(b->mean, b->spread, pick_b);
        const v8 hazard =
            look_up(scale->hazard, a->code, pick_a, b->code, pick_b, distances_of(&parts_a, &parts_b));
        const m8 asked = m8_of(bits), kept = m8_without(asked, v8_greater(prune_at, hazard));
        const v8 value = v8_choose(kept, hazard, none);
        sum = v8_add(sum, v8_choose(asked, hazard, zero));
        best = v8_max(best, value);
        v8_store(&out->hazard[count], value);
        for (uint32_t k = 0; k < BW_WIDTH; k++) /* one store */
            out->bit[count + k] = (uint8_t)(bytes >> 8 * k);
        result.kept |= (uint64_t)m8_bits(kept) << count;
        result.counting |= (uint64_t)(bits & ~m8_bits(v8_greater(count_at, hazard))) << count;
        count += BW_WIDTH;
    } while (mask != 0);
    result.sum = v8_sum(sum);
    result.value = v8_highest(best);
    result.likeliest = number_of(out, result.kept, result.value);
    return result;
}

LANES_TARGET static uint32_t likeliest(const bw_moment_list *list, uint64_t left)
{
    v8 best = those_left(list, left, 0);
    for (uint32_t k = BW_WIDTH; k < BW_WIDTH * BW_WIDTH && left >> k != 0; k += BW_WIDTH)
        best = v8_max(best, those_left(list, left, k));
    return number_of(list, left, v8_highest(best));
}

/* Whether all of so many floats, a multiple of eight, are from 0 to most; NaN is not. */
LANES_FN bool all_within(const float *values, uint32_t count, float most)
{
    const v8 low = v8_all(-0x1p-149f), high = v8_all(nextafterf(most, INFINITY));
    m8 fine = m8_of(0xFFu);
    for (uint32_t k = 0; k < count; k += BW_WIDTH) {
        v8 v = v8_load(values + k);
        fine = m8_and(fine, m8_and(v8_greater(v, low), v8_greater(high, v)));
    }
    return m8_bits(fine) == 0xFFu;
}

/* See bw_anytime_model_valid. */
LANES_TARGET static bool sound(const bw_anytime_model *model)
{
    float settings[BW_ANYTIME_SETTINGS * (BW_ANYTIME_STAGES + 2)];
    memcpy(settings, model->setting, sizeof settings);
    m8 rises = m8_of(0), fine = m8_of(0xFFu);
    for (uint32_t c = 0; c < BW_ANYTIME_CLASSES; c++)
        for (uint32_t k = 0; k < BW_ANYTIME_KNOTS - 1; k = k == 16 ? 23 : k + 8)
            rises =
                m8_or(rises, v8_greater(v8_load(&model->hazard[c][k + 1]), v8_load(&model->hazard[c][k])));
    for (uint32_t k = 0; k < sizeof settings / sizeof *settings; k += BW_WIDTH)
        fine = m8_and(fine, v8_greater(v8_load(&settings[k]), v8_all(-0x1p-149f)));
    return m8_bits(rises) == 0 && m8_bits(fine) == 0xFFu &&
           all_within(model->hazard[0], BW_ANYTIME_CLASSES * BW_ANYTIME_KNOTS, 100.0f) &&
           all_within(model->whole, BW_ANYTIME_KNOTS, 100.0f) &&
           all_within(model->end[0], BW_ANYTIME_ENDS * BW_ANYTIME_LEVELS, 1.0f);
}

const bw_moment_kernels KERNELS = {map_parts, distances, weigh, likeliest, sound};

#endif
