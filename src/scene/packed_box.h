/* Boxes as trees keep them: min and negated max, six floats, so that one comparison tests, and one minimum
 * grows, all sides. The empty box is all +infinity. */
#ifndef BW_SCENE_PACKED_BOX_H
#define BW_SCENE_PACKED_BOX_H

#include <boxwood/math.h>
#include <stdbool.h>

static inline void bw_packed_of(const bw_box *box, float out[6])
{
    for (int i = 0; i < 3; i++) {
        out[i] = box->min[i];
        out[i + 3] = -box->max[i];
    }
}

static inline bw_box bw_packed_box(const float packed[6])
{
    return (bw_box){{packed[0], packed[1], packed[2]}, {-packed[3], -packed[4], -packed[5]}};
}

static inline void bw_packed_clear(float box[6])
{
    for (int i = 0; i < 6; i++)
        box[i] = __builtin_inff();
}

static inline void bw_packed_grow(float box[6], const float more[6])
{
    for (int i = 0; i < 6; i++)
        box[i] = more[i] < box[i] ? more[i] : box[i];
}

static inline bool bw_packed_holds(const float outer[6], const float inner[6])
{
    for (int i = 0; i < 6; i++)
        if (!(outer[i] <= inner[i]))
            return false;
    return true;
}

/* The query that a box is for others, which meet it where all their sides are at most these: its max, and its
 * negated min. The last two, which SIMD reads and drops, stay as they are. */
static inline void bw_packed_query(const float box[6], float query[8])
{
    for (int i = 0; i < 6; i++)
        query[i] = -box[(i + 3) % 6];
}

static inline bool bw_packed_overlap(const float a[6], const float b[6])
{
    for (int i = 0; i < 3; i++)
        if (!(a[i] <= -b[i + 3] && b[i] <= -a[i + 3]))
            return false;
    return true;
}

#endif
