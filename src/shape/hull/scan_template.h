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

/* Eight products. */
LANES_FN v8 products(const float *x, uint32_t padded, const v8 d[3])
{
    return v8_add(v8_add(v8_mul(v8_load(x), d[0]), v8_mul(v8_load(x + padded), d[1])),
                  v8_mul(v8_load(x + 2 * (size_t)padded), d[2]));
}

/* The better of two vectors, of which the first has the lower number; BW_NONE: none. */
LANES_FN uint32_t better(const bw_hull_rows *rows, uint32_t first, uint32_t second, bw_vec3 d)
{
    return first == BW_NONE || bw_hull_along(rows, second, d) > bw_hull_along(rows, first, d) ? second
                                                                                              : first;
}

LANES_TARGET uint32_t SCAN(const bw_hull_rows *rows, bw_vec3 direction)
{
    enum { BLOCK = 32, BLOCKS = 16, CHUNK = BLOCK * BLOCKS };
    float largest[8 * BLOCKS]; /* of each block, by eights */
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
        const uint32_t last = count - 16;
        v8 all_most = v8_all(most);
        uint32_t blocks = 0;
        for (uint32_t i = 0; i < count; i += BLOCK, blocks++) {
            const uint32_t k = i < last ? i + 16 : last; /* the same again where there are 16 left */
            const v8 here = v8_max(v8_max(products(x + i, padded, d), products(x + i + 8, padded, d)),
                                   v8_max(products(x + k, padded, d), products(x + k + 8, padded, d)));
            v8_store(largest + 8 * (size_t)blocks, here);
            all_most = v8_max(here, all_most);
        }
        most = v8_highest(all_most);
        const v8 least = v8_all(most - doubt);
        uint32_t near = 0; /* blocks in which there is any: one most often */
        for (uint32_t block = 0; block < blocks; block++)
            near |= (uint32_t)(m8_bits(v8_greater(v8_load(largest + 8 * (size_t)block), least)) != 0)
                    << block;
        for (; near != 0; near &= near - 1) {
            const uint32_t i = BLOCK * (uint32_t)__builtin_ctz(near), k = i < last ? i + 16 : last;
            const float *one = x + i, *two = x + k;
            uint32_t bits = m8_bits_of_two(v8_greater(products(one, padded, d), least),
                                           v8_greater(products(one + 8, padded, d), least)) |
                            m8_bits_of_two(v8_greater(products(two, padded, d), least),
                                           v8_greater(products(two + 8, padded, d), least))
                                << 16;
            for (; bits != 0; bits &= bits - 1) {
                const uint32_t bit = (uint32_t)__builtin_ctz(bits), start = bit < 16 ? i : k - 16;
                best = better(rows, best, first + start + bit, direction);
            }
        }
    }
    return best;
}
