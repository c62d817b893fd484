/* The vertex of a hull that is farthest in a direction, four at a time, in the words of base/simd/f64x4.h. The
 * includer defines SCAN, the name of the function, and SCAN_TARGET. Every lane keeps its first largest value, so
 * the first of all is among them: the same as one after the other. */
#include "base/simd/f64x4.h"
#include "shape/hull/hull.h"

/* Four products. */
D4_FN d4 along(const double *x, const double *y, const double *z, uint32_t i, const d4 direction[3])
{
    return d4_add(d4_add(d4_mul(d4_load(x + i), direction[0]), d4_mul(d4_load(y + i), direction[1])),
                  d4_mul(d4_load(z + i), direction[2]));
}

SCAN_TARGET uint32_t SCAN(const double *xyz, uint32_t padded, bw_vec3 direction)
{
    const d4 d[3] = {d4_all(direction.x), d4_all(direction.y), d4_all(direction.z)}, eight = d4_all(8.0);
    const double *x = xyz, *y = xyz + padded, *z = y + padded;
    static const double numbers[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    /* Two fours at a time, so that neither waits for the other; the second is the first again where there is one
     * only. */
    const bool single = padded < 8;
    d4 number[2] = {d4_load(numbers), d4_load(numbers + (single ? 0 : 4))};
    d4 best_number[2] = {number[0], number[1]};
    d4 best[2] = {along(x, y, z, 0, d), along(x, y, z, single ? 0 : 4, d)};
    for (uint32_t i = 8; i < padded; i += 8) {
        const uint32_t second =
            i + 4 < padded ? i + 4 : i; /* counted as i + 4, it never wins against i itself */
        const d4 value[2] = {along(x, y, z, i, d), along(x, y, z, second, d)};
        for (int k = 0; k < 2; k++) {
            const m4 better = d4_greater(value[k], best[k]);
            number[k] = d4_add(number[k], eight);
            best[k] = d4_choose(better, value[k], best[k]);
            best_number[k] = d4_choose(better, number[k], best_number[k]);
        }
    }
    /* The largest of all lanes, and of those that have it the least number. */
    d4 most = d4_max(best[0], best[1]);
    most = d4_max(most, d4_rotate(most));
    most = d4_max(most, d4_rotate(d4_rotate(most)));
    const d4 beyond = d4_all((double)padded);
    d4 first = d4_min(d4_choose(d4_equal(best[0], most), best_number[0], beyond),
                      d4_choose(d4_equal(best[1], most), best_number[1], beyond));
    first = d4_min(first, d4_rotate(first));
    first = d4_min(first, d4_rotate(d4_rotate(first)));
    double numbers_of[4];
    d4_store(numbers_of, first);
    return (uint32_t)numbers_of[0];
}
