/* The farthest of up to 32 vertices of a hull, kept in registers; in the words of base/simd/f32x8.h, whose level the includer
 * defines. shape/hull/scan_template.h says why it is the same as by doubles. */
#ifndef BW_SHAPE_HULL_SCAN_FEW_H
#define BW_SHAPE_HULL_SCAN_FEW_H

#include "base/simd/f32x8.h"
#include "shape/hull/hull.h"

enum { SCAN_FEW = 32 };

/* The best of those that floats leave. */
LANES_FN uint32_t best_of_bits(const bw_hull_rows *rows, uint32_t bits, bw_vec3 direction)
{
    uint32_t best = (uint32_t)__builtin_ctz(bits);
    for (bits &= bits - 1; bits != 0; bits &= bits - 1) {
        const uint32_t other = (uint32_t)__builtin_ctz(bits);
        best = bw_hull_along(rows, other, direction) > bw_hull_along(rows, best, direction) ? other : best;
    }
    return best;
}

/* d: the direction in floats, of a size within the range; doubt: 2^-20 of the sum of its coordinates, or more, and above 0. */
LANES_FN uint32_t scan_few(const bw_hull_rows *rows, v4 d, float doubt, bw_vec3 direction)
{
    const uint32_t padded = rows->padded, second = padded - 16;
    const uint32_t at[4] = {0, 8, second, second + 8};
    const v8 dx = v8_all(d[0]), dy = v8_all(d[1]), dz = v8_all(d[2]);
    const float *x = rows->floats, *y = x + padded, *z = y + padded;
    v8 value[4];
    if (second == 0) {
        for (int k = 0; k < 2; k++)
            value[k] = v8_add(v8_add(v8_mul(v8_load(x + at[k]), dx), v8_mul(v8_load(y + at[k]), dy)),
                              v8_mul(v8_load(z + at[k]), dz));
        const v8 above = v8_all(v8_highest(v8_max(value[0], value[1])) - doubt);
        return best_of_bits(rows, m8_bits_of_two(v8_greater(value[0], above), v8_greater(value[1], above)),
                            direction);
    }
    for (int k = 0; k < 4; k++)
        value[k] = v8_add(v8_add(v8_mul(v8_load(x + at[k]), dx), v8_mul(v8_load(y + at[k]), dy)),
                          v8_mul(v8_load(z + at[k]), dz));
    const v8 most = v8_max(v8_max(value[0], value[1]), v8_max(value[2], value[3]));
    const v8 least = v8_all(v8_highest(most) - doubt);
    const uint32_t bits = m8_bits_of_two(v8_greater(value[0], least), v8_greater(value[1], least)) |
                          m8_bits_of_two(v8_greater(value[2], least), v8_greater(value[3], least)) << second;
    return best_of_bits(rows, bits, direction);
}

#endif
