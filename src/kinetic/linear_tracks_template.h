/* Four courses at a time, over the lanes of base/simd/f64x4.h. The includer defines KERNELS, the name of the
 * table. */
#ifndef BW_KINETIC_LINEAR_TRACKS_TEMPLATE_H
#define BW_KINETIC_LINEAR_TRACKS_TEMPLATE_H

#include "base/simd/f64x4.h"
#include "kinetic/linear_tracks.h"

/* See bw_motion_round; a zero may have either sign. */
D4_FN d4 rounded(d4 x, bw_scalar scalar)
{
    return scalar == BW_F32 ? d4_of_floats(d4_floats(x))
                            : d4_unless(d4_greater(d4_all(BW_EXACT_MIN), d4_abs(x)), x);
}

typedef struct four {
    d4 origin, at, slope, x, size;
} four;

D4_FN four four_at(const bw_linear_tracks *c, uint32_t i, double now)
{
    four f = {.origin = d4_load(c->origin + i), .at = d4_load(c->at + i), .slope = d4_load(c->slope + i)};
    d4 way = d4_mul(d4_sub(d4_all(now), f.origin), f.slope);
    f.x = d4_add(f.at, way);
    f.size = d4_add(d4_abs(f.at), d4_abs(way));
    return f;
}

D4_FN four four_placed(const bw_linear_tracks *c, const bw_places *at, uint32_t i)
{
    return (four){d4_load(c->origin + i), d4_load(c->at + i), d4_load(c->slope + i), d4_load(at->x + i),
                  d4_load(at->size + i)};
}

D4_FN four four_of(const bw_linear_track *c)
{
    return (four){d4_all(c->origin), d4_all(c->at), d4_all(c->slope), d4_all(c->x), d4_all(c->size)};
}

D4_FN m4 same(const four *a, const four *b)
{
    return m4_and(m4_and(d4_equal(a->origin, b->origin), d4_equal(a->at, b->at)),
                  d4_equal(a->slope, b->slope));
}

D4_FN d4 doubt(const four *a, const four *b)
{
    return d4_add(d4_mul(d4_all(BW_GAP_ROUNDING), d4_add(a->size, b->size)), d4_all(BW_GAP_TINY));
}

/* How long the first is certainly not overtaken. */
D4_FN d4 lead(const four *first, const four *other)
{
    const d4 none = d4_all(0);
    d4 slopes = d4_add(d4_abs(first->slope), d4_abs(other->slope));
    d4 closing = d4_sub(d4_mul(d4_all(BW_GAP_ROUNDING), slopes), d4_sub(first->slope, other->slope));
    d4 margin = d4_sub(d4_sub(first->x, other->x), doubt(first, other));
    m4 ahead = d4_greater(margin, none), slower = d4_greater(closing, none);
    d4 t = d4_choose(ahead, d4_div(margin, closing), none);
    return d4_choose(m4_or(m4_without(ahead, slower), same(first, other)), d4_all(INFINITY), t);
}

D4_TARGET static uint32_t place(const bw_linear_tracks *c, double now, bw_scalar scalar, bw_places *out)
{
    double where[BW_COURSES];
    d4 most = d4_all(-INFINITY);
    for (uint32_t i = 0; i < c->padded; i += 4) {
        four f = four_at(c, i, now);
        d4_store(out->x + i, f.x);
        d4_store(out->size + i, f.size);
        d4 x = rounded(f.x, scalar);
        d4_store(where + i, x);
        most = d4_max(most, x);
    }
    most = d4_max(most, d4_rotate(most));
    most = d4_max(most, d4_rotate(d4_rotate(most)));
    uint32_t farthest = 0;
    for (uint32_t i = 0; i < c->padded; i += 4)
        farthest |= m4_bits(d4_equal(d4_load(where + i), most)) << i;
    return farthest;
}

D4_TARGET static uint32_t open(const bw_linear_tracks *c, const bw_places *at, const bw_linear_track *first)
{
    uint32_t settled = 0;
    const four mine = four_of(first);
    for (uint32_t i = 0; i < c->padded; i += 4) {
        const four other = four_placed(c, at, i);
        m4 above = d4_greater(d4_sub(mine.x, other.x), d4_mul(d4_all(1.5), doubt(&mine, &other)));
        settled |= m4_bits(m4_or(above, same(&mine, &other))) << i;
    }
    return ~settled & ((1u << c->padded) - 1);
}

D4_TARGET static double closest(const bw_linear_tracks *c, const bw_places *at, const bw_linear_track *first)
{
    const four mine = four_of(first);
    d4 soonest = d4_all(INFINITY);
    for (uint32_t i = 0; i < c->padded; i += 4) {
        const four other = four_placed(c, at, i);
        soonest = d4_min(soonest, lead(&mine, &other));
    }
    soonest = d4_min(soonest, d4_rotate(soonest));
    return d4_first(d4_min(soonest, d4_rotate(d4_rotate(soonest))));
}

D4_TARGET static uint32_t meet(const bw_linear_tracks *first, const bw_linear_tracks *second, double now,
                               bw_scalar scalar, double soonest[BW_BOX_COURSES])
{
    uint32_t farther = 0;
    for (uint32_t i = 0; i < BW_BOX_COURSES; i += 4) {
        const four a = four_at(first, i, now), b = four_at(second, i, now);
        d4_store(soonest + i, lead(&a, &b));
        farther |= m4_bits(d4_greater(rounded(b.x, scalar), rounded(a.x, scalar))) << i;
    }
    return farther;
}

const bw_track_kernels KERNELS = {place, open, closest, meet};

#endif
