/* The k lowest of some keys. */
#include "tree/build/sah/nth.h"

#include "base/radix_sort.h"

enum { FEW = 24 };

void bw_select_nth(uint64_t *keys, uint32_t count, uint32_t lowest)
{
    while (lowest != 0 && lowest < count) {
        if (count <= FEW) {
            bw_insertion_sort(keys, count);
            return;
        }
        uint64_t low = keys[0], high = keys[0];
        for (uint32_t i = 1; i < count; i++) {
            low = keys[i] < low ? keys[i] : low;
            high = keys[i] > high ? keys[i] : high;
        }
        uint64_t pivot = low + (high - low) / 2; /* at least one key on each side */
        uint32_t below = 0;
        for (uint32_t i = 0; i < count; i++) {
            uint64_t key = keys[i];
            keys[i] = keys[below];
            keys[below] = key;
            below += key <= pivot;
        }
        if (lowest <= below) {
            count = below;
        } else {
            keys += below;
            count -= below;
            lowest -= below;
        }
    }
}
