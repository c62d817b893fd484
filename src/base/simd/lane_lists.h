/* The set lanes of eight, listed: to move them to the front by one permutation (base/simd/f32x8.h, pick8_of).
 */
#ifndef BW_BASE_SIMD_LANE_LISTS_H
#define BW_BASE_SIMD_LANE_LISTS_H

#include <stdint.h>

/* By set of lanes: those in it, one a byte, from the first on, and then one that is not. */
#define LESS(rest) ((uint64_t)(rest) & ((uint64_t)(rest)-1))
#define LANE(rest, set) ((uint64_t)__builtin_ctzll((rest) != 0 ? (uint64_t)(rest) : ~(uint64_t)(set)))
#define LANES2(rest, set, at) (LANE(rest, set) << (at) | LANE(LESS(rest), set) << ((at) + 8))
#define LANES4(rest, set, at) (LANES2(rest, set, at) | LANES2(LESS(LESS(rest)), set, (at) + 16))
#define LANES8(set) (LANES4(set, set, 0) | LANES4(LESS(LESS(LESS(LESS(set)))), set, 32))
#define SETS4(set) LANES8(set), LANES8((set) + 1), LANES8((set) + 2), LANES8((set) + 3)
#define SETS16(set) SETS4(set), SETS4((set) + 4), SETS4((set) + 8), SETS4((set) + 12)
#define SETS64(set) SETS16(set), SETS16((set) + 16), SETS16((set) + 32), SETS16((set) + 48)
static const uint64_t lane_lists[256] = {SETS64(0), SETS64(64), SETS64(128), SETS64(192)};

#undef LESS
#undef LANE
#undef LANES2
#undef LANES4
#undef LANES8
#undef SETS4
#undef SETS16
#undef SETS64

#endif
