/* Which queries keep far apart, eight at a time in floats: the first of the filters. The lanes of
 * geom/ccd/near_template.h are those of base/simd/f32x8.h. */

#define LANES 8
typedef v8 lanes;
typedef m8 mask;
#define l_set(a) v8_all((float)(a))
#define l_add v8_add
#define l_sub v8_sub
#define l_mul v8_mul
#define l_div v8_div
#define l_sqrt v8_sqrt
#define l_max v8_max
#define l_min v8_min
#define l_abs v8_abs
#define l_greater v8_greater
#define l_choose v8_choose
#define m_and m8_and
#define m_or m8_or
#define m_not(a) m8_without(m8_of(0xFF), a)
#define m_bits m8_bits
#define LANES_TINY 0x1p-100
#define LANES_HUGE 0x1p100
#define LANES_AWAY 0x1p-19 /* 32 roundings */
#define LANES_SCALE_MIN 0x1p-90
#define LANES_LENGTH_MIN 0x1p-50

#include "geom/ccd/lanes_template.h"
#include "geom/ccd/near_template.h"

/* `here` queries, of which the first is number `first`. plain: the whole step, and one distance for all. */
LANES_FN uint32_t far_eight(bool edges, bool plain, const bw_swept_floats *const (*queries)[4],
                            uint32_t first, uint32_t here, const bw_swept_far *far)
{
    vec p[2][4];
    for (int i = 0; i < 4; i++) {
        v8 rows[BW_WIDTH];
        for (uint32_t q = 0; q < BW_WIDTH; q++)
            rows[q] = v8_load(queries[first + (q < here ? q : 0)][i]->at);
        v8_transpose(rows);
        for (int k = 0; k < 3; k++) {
            p[0][i].c[k] = rows[k];
            p[1][i].c[k] = rows[4 + k];
            if (!plain) {
                v8 move = v8_sub(rows[4 + k], rows[k]);
                p[0][i].c[k] = v8_add(rows[k], v8_mul(move, v8_all(far->from)));
                p[1][i].c[k] = v8_add(rows[k], v8_mul(move, v8_all(far->to)));
            }
        }
    }
    lanes distance = v8_all(far->distance), beyond = v8_all(far->beyond);
    if (!plain && far->each != NULL) {
        distance = v8_load(far->each + first);
        beyond = v8_mul(v8_add(distance, v8_all(far->slack)), v8_all(1 + 0x1p-19f));
    }
    return keeps_far(edges, (const vec(*)[4])p, distance, beyond, (double)far->slack, false);
}

LANES_FN uint32_t filter_far(bool edges, bool plain, const bw_swept_floats *const (*queries)[4],
                             uint32_t count, const bw_swept_far *far, uint32_t *out)
{
    uint32_t kept = 0;
    for (uint32_t first = 0; first < count; first += BW_WIDTH) {
        uint32_t here = count - first < BW_WIDTH ? count - first : BW_WIDTH;
        uint32_t rest = ~far_eight(edges, plain, queries, first, here, far) & ((1u << here) - 1);
        for (; rest != 0; rest &= rest - 1)
            out[kept++] = first + bw_wide_lowest(rest);
    }
    return kept;
}

LANES_TARGET static uint32_t not_far(bool edges, const bw_swept_floats *const (*queries)[4], uint32_t count,
                                     const bw_swept_far *far, uint32_t *out)
{
    if (far->from == 0 && far->to == 1 && far->each == NULL)
        return edges ? filter_far(true, true, queries, count, far, out)
                     : filter_far(false, true, queries, count, far, out);
    return edges ? filter_far(true, false, queries, count, far, out)
                 : filter_far(false, false, queries, count, far, out);
}
