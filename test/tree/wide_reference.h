/* A slow builder to measure the quality builder by: full sweeps on all three axes at every node. */
#ifndef BW_TEST_WIDE_REFERENCE_H
#define BW_TEST_WIDE_REFERENCE_H

#include "tree/build/build.h"

typedef enum wide_reference_price {
    WIDE_REFERENCE_COUNT, /* area times primitives: the usual heuristic */
    WIDE_REFERENCE_LEAVES /* area times leaves of eight */
} wide_reference_price;

/* Aborts where memory runs out. The same collapse into wide nodes as the builder's. */
void wide_reference_build(const bw_box *boxes, uint32_t count, wide_reference_price price, bw_wide *out);

#endif
