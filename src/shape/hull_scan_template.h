/* The vertex of a hull that is farthest in a direction, four at a time, in the words of base/simd/f64x4.h. The
 * includer defines SCAN, the name of the function, and SCAN_TARGET. Every lane keeps its first largest value, so
 * the first of all is among them: the same as one after the other. */
#include "base/simd/f64x4.h"
#include "shape/hull.h"

SCAN_TARGET uint32_t SCAN(const double *xyz, uint32_t padded, bw_vec3 direction)
{
    const d4 dx = d4_all(direction.x), dy = d4_all(direction.y), dz = d4_all(direction.z), four = d4_all(4.0);
    const double *x = xyz, *y = xyz + padded, *z = y + padded;
    const double numbers[4] = {0, 1, 2, 3};
    d4 number = d4_load(numbers), best_number = number;
    d4 best = d4_add(d4_add(d4_mul(d4_load(x), dx), d4_mul(d4_load(y), dy)), d4_mul(d4_load(z), dz));
    for (uint32_t i = 4; i < padded; i += 4) {
        const d4 value = d4_add(d4_add(d4_mul(d4_load(x + i), dx), d4_mul(d4_load(y + i), dy)),
                                d4_mul(d4_load(z + i), dz));
        const m4 better = d4_greater(value, best);
        number = d4_add(number, four);
        best = d4_choose(better, value, best);
        best_number = d4_choose(better, number, best_number);
    }
    double values[4], where[4];
    d4_store(values, best);
    d4_store(where, best_number);
    int lane = 0;
    for (int i = 1; i < 4; i++)
        if (values[i] > values[lane] || (values[i] == values[lane] && where[i] < where[lane]))
            lane = i;
    return (uint32_t)where[lane];
}
