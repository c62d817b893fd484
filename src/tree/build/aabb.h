/* Unions of boxes in registers, for the builders: (low, negative high), so that a union is a minimum. */
#ifndef BW_TREE_BUILD_AABB_H
#define BW_TREE_BUILD_AABB_H

#include "base/simd/f32x4.h"
#include "tree/build/sah/partition.h"

typedef struct bw_aabb {
    v4 low, negative_high; /* the fourth lanes mean nothing */
} bw_aabb;

static inline bw_aabb bw_aabb_empty(void)
{
    return (bw_aabb){v4_all(BW_WIDE_EMPTY), v4_all(BW_WIDE_EMPTY)};
}

static inline bw_aabb bw_aabb_load(const float *from)
{
    return (bw_aabb){v4_load(from), v4_load(from + 4)};
}

/* One kind of zero on each side, so that unions have one result. */
static inline bw_aabb bw_aabb_of_box(const bw_box *box)
{
    const v4 low = v4_load(box->min), rest = v4_load(box->min + 2); /* x y z X, z X Y Z */
    return (bw_aabb){low + 0.0f, -(V4_SHUFFLE(rest, rest, 1, 2, 3, 0) + 0.0f)};
}

static inline void bw_aabb_store(const bw_aabb *u, float *to)
{
    v4_store(to, u->low);
    v4_store(to + 4, u->negative_high);
}

static inline void bw_aabb_add(bw_aabb *u, const bw_aabb *other)
{
    u->low = v4_min(other->low, u->low);
    u->negative_high = v4_min(other->negative_high, u->negative_high);
}

/* Half the surface: x y + y z + z x, added in this order. */
static inline float bw_aabb_area(const bw_aabb *u, float inverse_unit)
{
    const v4 sides = (0.0f - (u->low + u->negative_high)) * inverse_unit;
    const v4 products = sides * V4_SHUFFLE(sides, sides, 1, 2, 0, 3);
    return products[0] + products[1] + products[2];
}

static inline bw_box bw_aabb_box(const bw_aabb *u)
{
    bw_box box;
    v4_store_box(&box, u->low, 0.0f - u->negative_high);
    return box;
}

#endif
