/* Every operation of base/simd/f32x8.h, level by level. */
#ifndef BW_TEST_BASE_SIMD_LEVELS_H
#define BW_TEST_BASE_SIMD_LEVELS_H

#include <stdint.h>

enum {
    SIMD_ADD,
    SIMD_SUB,
    SIMD_MUL,
    SIMD_DIV,
    SIMD_SQRT,
    SIMD_MIN,
    SIMD_MAX,
    SIMD_ABS,
    SIMD_CHOOSE,
    SIMD_CHOOSE_GREATER,
    SIMD_NUMBER,
    SIMD_PICK,
    SIMD_PICK_WORDS,
    SIMD_FIRST,
    SIMD_SUM,
    SIMD_LOWEST,
    SIMD_HIGHEST,
    SIMD_GREATER,
    SIMD_FLOATS_EQUAL,
    SIMD_OR,
    SIMD_AND,
    SIMD_XOR,
    SIMD_WITHOUT,
    SIMD_SIGNS,
    SIMD_EQUAL,
    SIMD_EQUAL_TO,
    SIMD_LEAST_LANE,
    SIMD_MARK,
    SIMD_TRANSPOSE,
    SIMD_OPERATIONS = SIMD_TRANSPOSE + 8
};

typedef void simd_level(const float a[8], const float b[8], uint32_t number,
                        uint32_t out[SIMD_OPERATIONS][8]);
simd_level simd_128, simd_avx2;

/* The nearest floats of the first three and of 0, and of all four the floats not above and not below. */
typedef void simd_round(const double a[4], float nearest[4], float down[4], float up[4]);
simd_round simd_128_round, simd_avx2_round;

#endif
