/* A stable radix sort of 64-bit keys with 32-bit values. */
#include "base/radix_sort.h"

#include <string.h>

enum { FEW = 48, DIGITS = 8, BINS = 256 };

static void insertion_sort(uint64_t *keys, uint32_t *values, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint64_t key = keys[i];
        uint32_t value = values[i], at = i;
        for (; at > 0 && keys[at - 1] > key; at--) {
            keys[at] = keys[at - 1];
            values[at] = values[at - 1];
        }
        keys[at] = key;
        values[at] = value;
    }
}

void bw_sort_u64(uint64_t *keys, uint32_t *values, uint64_t *key_scratch, uint32_t *value_scratch,
                 uint32_t count)
{
    if (count <= FEW) {
        insertion_sort(keys, values, count);
        return;
    }
    uint64_t differ = 0;
    bool sorted = true;
    for (uint32_t i = 1; i < count; i++) {
        differ |= keys[i] ^ keys[0];
        sorted &= keys[i - 1] <= keys[i];
    }
    if (sorted)
        return;

    int shift[DIGITS], digits = 0;
    for (int s = 0; s < 64; s += 8)
        if ((differ >> s & (BINS - 1)) != 0)
            shift[digits++] = s;
    uint32_t start[DIGITS][BINS] = {{0}};
    for (uint32_t i = 0; i < count; i++)
        for (int d = 0; d < digits; d++)
            start[d][keys[i] >> shift[d] & (BINS - 1)]++;

    uint64_t *from = keys, *to = key_scratch;
    uint32_t *from_value = values, *to_value = value_scratch;
    for (int d = 0; d < digits; d++) {
        uint32_t sum = 0;
        for (int b = 0; b < BINS; b++) {
            uint32_t here = start[d][b];
            start[d][b] = sum;
            sum += here;
        }
        for (uint32_t i = 0; i < count; i++) {
            uint32_t at = start[d][from[i] >> shift[d] & (BINS - 1)]++;
            to[at] = from[i];
            to_value[at] = from_value[i];
        }
        uint64_t *other = from;
        from = to;
        to = other;
        uint32_t *other_value = from_value;
        from_value = to_value;
        to_value = other_value;
    }
    if (from != keys) {
        memcpy(keys, from, count * sizeof *keys);
        memcpy(values, from_value, count * sizeof *values);
    }
}
