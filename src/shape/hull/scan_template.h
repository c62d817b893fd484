/* The vertex of a hull that is farthest in a direction, eight at a time. The includer defines WIDE_LEVEL and SCAN, the name of
 * the function.
 *
 * Floats find the few that can be it, and products in double choose among these: the answer is that of doubles alone. A float
 * product of coordinates that are at most 1 is off by at most 5.1 roundings of 2^-24 of the sum of the direction's coordinates
 * (two of the factors, one of each product, two of the sums), so the farthest is at most 2^-20.6 of that sum below the largest
 * float. Roundings of subnormal floats are far below, because the direction is not small. */
#include "base/simd/f32x8.h"
#include "shape/hull/scan_few.h"

#include <math.h>

/* Eight products, into `values`. */
LANES_FN v8 products(const float *x, uint32_t padded, const v8 d[3], float *values)
{
    const v8 value = v8_add(v8_add(v8_mul(v8_load(x), d[0]), v8_mul(v8_load(x + padded), d[1])),
                            v8_mul(v8_load(x + 2 * (size_t)padded), d[2]));
    v8_store(values, value);
    return value;
}

/* The better of two vectors, of which the first has the lower number; BW_NONE: none. */
LANES_FN uint32_t better(const bw_hull_rows *rows, uint32_t first, uint32_t second, bw_vec3 d)
{
    return first == BW_NONE || bw_hull_along(rows, second, d) > bw_hull_along(rows, first, d) ? second
                                                                                              : first;
}

LANES_TARGET uint32_t SCAN(const bw_hull_rows *rows, bw_vec3 direction)
{
    enum { CHUNK = 512 };
    float values[CHUNK];
    const uint32_t padded = rows->padded;
    const double all = (fabs(direction.x) + fabs(direction.y)) + fabs(direction.z);
    const double scale = all >= 0x1p-60 && all <= 0x1p60 ? 1 : bw_hull_scan_scale(all);
    const v4 f = {(float)(direction.x * scale), (float)(direction.y * scale), (float)(direction.z * scale),
                  0};
    const float doubt = 0x1p-20f * (float)(all * scale);
    if (!(doubt > 0))
        return 0; /* no direction: all are as far */
    if (padded <= SCAN_FEW)
        return scan_few(rows, f, doubt, direction);
    const v8 d[3] = {v8_all(f[0]), v8_all(f[1]), v8_all(f[2])};
    float most = -INFINITY;
    uint32_t best = BW_NONE;
    for (uint32_t first = 0; first < padded; first += CHUNK) {
        const uint32_t count = padded - first < CHUNK ? padded - first : CHUNK;
        const float *x = rows->floats + first;
        v8 even = v8_all(most), odd = even; /* neither waits for the other */
        for (uint32_t i = 0; i < count; i += 16) {
            even = v8_max(products(x + i, padded, d, values + i), even);
            odd = v8_max(products(x + i + 8, padded, d, values + i + 8), odd);
        }
        most = v8_highest(v8_max(even, odd));
        const v8 least = v8_all(most - doubt);
        uint64_t near[CHUNK / 64];
        uint32_t blocks = 0; /* of 64, in which there is any: the loops below run once most often */
        for (uint32_t block = 0; 64 * block < count; block++) {
            const uint32_t end = count - 64 * block < 64 ? count - 64 * block : 64;
            uint64_t bits = 0;
            for (uint32_t i = 0; i < end; i += 16) {
                const float *value = values + 64 * block + i;
                bits |= (uint64_t)m8_bits_of_two(v8_greater(v8_load(value), least),
                                                 v8_greater(v8_load(value + 8), least))
                        << i;
            }
            near[block] = bits;
            blocks |= (uint32_t)(bits != 0) << block;
        }
        for (; blocks != 0; blocks &= blocks - 1) {
            const uint32_t block = (uint32_t)__builtin_ctz(blocks);
            for (uint64_t bits = near[block]; bits != 0; bits &= bits - 1)
                best = better(rows, best, first + 64 * block + (uint32_t)__builtin_ctzll(bits), direction);
        }
    }
    return best;
}
