/* Eight floats one after the other. Included by base/simd/f32x8.h only. */
#ifndef BW_BASE_SIMD_F32X8_SCALAR_H
#define BW_BASE_SIMD_F32X8_SCALAR_H

#include <math.h>
#include <string.h>

typedef struct v8 {
    float lane[8];
} v8;
typedef struct m8 {
    uint32_t bits;
} m8;

#define LANES_EACH(expression)                                                                               \
    v8 r;                                                                                                    \
    for (int i = 0; i < 8; i++)                                                                              \
        r.lane[i] = (expression);                                                                            \
    return r
LANES_FN v8 v8_load(const float *p)
{
    LANES_EACH(p[i]);
}
LANES_FN void v8_store(float *p, v8 a)
{
    for (int i = 0; i < 8; i++)
        p[i] = a.lane[i];
}
LANES_FN v8 v8_all(float a)
{
    LANES_EACH(a);
}
LANES_FN v8 v8_add(v8 a, v8 b)
{
    LANES_EACH(a.lane[i] + b.lane[i]);
}
LANES_FN v8 v8_sub(v8 a, v8 b)
{
    LANES_EACH(a.lane[i] - b.lane[i]);
}
LANES_FN v8 v8_mul(v8 a, v8 b)
{
    LANES_EACH(a.lane[i] * b.lane[i]);
}
LANES_FN v8 v8_div(v8 a, v8 b)
{
    LANES_EACH(a.lane[i] / b.lane[i]);
}
LANES_FN v8 v8_sqrt(v8 a)
{
    LANES_EACH(sqrtf(a.lane[i]));
}
LANES_FN v8 v8_min(v8 a, v8 b)
{
    LANES_EACH(a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i]);
}
LANES_FN v8 v8_max(v8 a, v8 b)
{
    LANES_EACH(a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i]);
}
/* The two halves first, then pairs: the order of the others. */
#define LANES_FOLD(combine)                                                                                  \
    float s[4];                                                                                              \
    for (int i = 0; i < 4; i++)                                                                              \
        s[i] = combine(a.lane[i], a.lane[i + 4]);                                                            \
    s[0] = combine(s[0], s[2]);                                                                              \
    s[1] = combine(s[1], s[3]);                                                                              \
    return combine(s[0], s[1])
#define LANES_PLUS(x, y) ((x) + (y))
#define LANES_LESS(x, y) ((x) < (y) ? (x) : (y))
#define LANES_MORE(x, y) ((x) > (y) ? (x) : (y))
LANES_FN v8 v8_abs(v8 a)
{
    LANES_EACH(fabsf(a.lane[i]));
}
LANES_FN float v8_first(v8 a)
{
    return a.lane[0];
}
LANES_FN float v8_sum(v8 a)
{
    LANES_FOLD(LANES_PLUS);
}
LANES_FN float v8_lowest(v8 a)
{
    LANES_FOLD(LANES_LESS);
}
LANES_FN float v8_highest(v8 a)
{
    LANES_FOLD(LANES_MORE);
}
LANES_FN m8 v8_greater(v8 a, v8 b)
{
    m8 r = {0};
    for (int i = 0; i < 8; i++)
        r.bits |= (uint32_t)(a.lane[i] > b.lane[i]) << i;
    return r;
}
LANES_FN m8 v8_equal(v8 a, v8 b)
{
    m8 r = {0};
    for (int i = 0; i < 8; i++)
        r.bits |= (uint32_t)(a.lane[i] == b.lane[i]) << i;
    return r;
}
LANES_FN v8 v8_choose(m8 m, v8 yes, v8 no)
{
    LANES_EACH((m.bits >> i & 1) != 0 ? yes.lane[i] : no.lane[i]);
}
LANES_FN m8 m8_or(m8 a, m8 b)
{
    return (m8){a.bits | b.bits};
}
LANES_FN m8 m8_and(m8 a, m8 b)
{
    return (m8){a.bits & b.bits};
}
LANES_FN m8 m8_xor(m8 a, m8 b)
{
    return (m8){a.bits ^ b.bits};
}
LANES_FN m8 m8_without(m8 a, m8 b)
{
    return (m8){a.bits & ~b.bits};
}
LANES_FN uint32_t m8_bits(m8 a)
{
    return a.bits;
}
/* Of two: those of a, then those of b. */
LANES_FN uint32_t m8_bits_of_two(m8 a, m8 b)
{
    return m8_bits(a) | m8_bits(b) << 8;
}

LANES_FN v8 v8_pick(const float *p, pick8 pick)
{
    LANES_EACH(p[LANES_INDEX(pick, i)]);
}
/* Replaces the lowest three bits of each lane. */
LANES_FN v8 v8_number(v8 a, uint32_t number)
{
    uint32_t bits[8];
    memcpy(bits, a.lane, sizeof bits);
    for (int i = 0; i < 8; i++)
        bits[i] = (bits[i] & ~7u) | number;
    memcpy(a.lane, bits, sizeof bits);
    return a;
}
/* The lanes of a set of bits. */
LANES_FN m8 m8_of(uint32_t bits)
{
    return (m8){bits & 0xFFu};
}
/* The lanes whose highest bit is set. */
LANES_FN uint32_t lanes_signs(const uint32_t *words)
{
    uint32_t bits = 0;
    for (int i = 0; i < 8; i++)
        bits |= words[i] >> 31 << i;
    return bits;
}
LANES_FN m8 lanes_equal(const uint32_t *a, const uint32_t *b)
{
    m8 r = {0};
    for (int i = 0; i < 8; i++)
        r.bits |= (uint32_t)(a[i] == b[i]) << i;
    return r;
}
/* Sets bits in the words of the lanes of a set. */
LANES_FN void lanes_mark(uint32_t *words, m8 set, uint32_t bits)
{
    for (int i = 0; i < 8; i++)
        words[i] |= (set.bits >> i & 1u) != 0 ? bits : 0;
}
LANES_FN m8 lanes_equal_to(const uint32_t *a, uint32_t b)
{
    m8 r = {0};
    for (int i = 0; i < 8; i++)
        r.bits |= (uint32_t)(a[i] == b) << i;
    return r;
}
/* Rows become columns. */
LANES_FN void v8_transpose(v8 r[8])
{
    v8 in[8];
    memcpy(in, r, sizeof in);
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 8; k++)
            r[k].lane[i] = in[i].lane[k];
}

#endif
