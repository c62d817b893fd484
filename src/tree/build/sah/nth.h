/* The k lowest of some keys. */
#ifndef BW_TREE_BUILD_SAH_NTH_H
#define BW_TREE_BUILD_SAH_NTH_H

#include <stdint.h>

/* Rearranges the keys, all different, so that the `lowest` lowest come first. At most 64 passes over what is
 * left, whatever the keys: the pivot halves the range of values. */
void bw_select_nth(uint64_t *keys, uint32_t count, uint32_t lowest);

#endif
