/* Halving sets of centres: bounds, quantiles and partitions. */
#include "scene/modern/split.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SAMPLE = 1024, SAMPLED_ABOVE = 2048 };

/* A key in one register: the item is whatever float its bits are. */
static inline v4 load_key(const bw_centre_key *key)
{
    v4 out;
    memcpy(&out, key, sizeof out);
    return out;
}

static inline void store_key(bw_centre_key *key, v4 value)
{
    memcpy(key, &value, sizeof value);
}

bw_centre_range bw_centre_range_of(const bw_centre_key *keys, uint32_t count)
{
    enum { CHAINS = 4 }; /* a minimum takes as long as four of them side by side */
    v4 low[CHAINS], high[CHAINS];
    for (int c = 0; c < CHAINS; c++) {
        low[c] = v4_all(INFINITY);
        high[c] = v4_all(-INFINITY);
    }
    uint32_t i = 0;
    for (; i + CHAINS <= count; i += CHAINS)
        for (int c = 0; c < CHAINS; c++) {
            const v4 at = load_key(&keys[i + (uint32_t)c]);
            low[c] = v4_min(at, low[c]);
            high[c] = v4_max(at, high[c]);
        }
    for (; i < count; i++) {
        const v4 at = load_key(&keys[i]);
        low[0] = v4_min(at, low[0]);
        high[0] = v4_max(at, high[0]);
    }
    const v4 l = v4_min(v4_min(low[0], low[1]), v4_min(low[2], low[3])),
             h = v4_max(v4_max(high[0], high[1]), v4_max(high[2], high[3]));
    bw_centre_range range;
    v4_store_box(&range, l, h);
    return range;
}

int bw_centre_widest(const bw_centre_range *range)
{
    int best = 0;
    for (int a = 1; a < 3; a++)
        best = range->high[a] - range->low[a] > range->high[best] - range->low[best] ? a : best;
    return best;
}

/* The k-th smallest (Hoare); permutes the values. */
static float select_few(float *values, uint32_t count, uint32_t k)
{
    uint32_t low = 0, high = count - 1;
    while (low < high) {
        float a = values[low], b = values[(low + high) / 2], c = values[high];
        float pivot = a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
        uint32_t i = low, j = high;
        for (;;) {
            while (values[i] < pivot)
                i++;
            while (values[j] > pivot)
                j--;
            if (i >= j)
                break;
            float swap = values[i];
            values[i++] = values[j];
            values[j--] = swap;
        }
        if (k <= j)
            high = j;
        else
            low = j + 1;
    }
    return values[k];
}

/* The k-th smallest of at most SAMPLED_ABOVE values from low to high, low < high: counted in bins first, of
 * which one is left to look into. Without a branch that depends on a value. Permutes the values. */
static float select_kth(float *values, uint32_t count, uint32_t k, float low, float high)
{
    enum { BINS = 128 };
    const uint32_t bins = count < 128 ? 32 : BINS;
    const float scale = (float)bins / (high - low);
    if (count < 16 || !(scale < FLT_MAX))
        return select_few(values, count, k);
    int32_t bin[SAMPLED_ABOVE];
    uint16_t in[BINS + 1] = {0};
    for (uint32_t i = 0; i < count; i++)
        bin[i] = (int32_t)((values[i] - low) * scale); /* at most bins + 2 ^ -16, and in their order */
    for (uint32_t i = 0; i < count; i++)
        in[bin[i]]++;
    int32_t of = 0;
    uint32_t before = 0;
    while (before + in[of] <= k)
        before += in[of++];
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        values[found] = values[i];
        found += bin[i] == of;
    }
    return select_few(values, found, k - before);
}

float bw_centre_plane(const bw_centre_key *keys, uint32_t count, int axis, uint32_t wanted,
                      const bw_centre_range *range)
{
    float values[SAMPLED_ABOVE];
    float plane;
    const float low = range->low[axis], high = range->high[axis];
    if (count > SAMPLED_ABOVE) {
        uint64_t at = 0, step = ((uint64_t)count << 16) / SAMPLE;
        for (uint32_t i = 0; i < SAMPLE; i++, at += step)
            values[i] = keys[at >> 16].centre[axis];
        plane = select_kth(values, SAMPLE, (uint32_t)((uint64_t)SAMPLE * wanted / count), low, high);
    } else {
        for (uint32_t i = 0; i < count; i++)
            values[i] = keys[i].centre[axis];
        plane = select_kth(values, count, wanted, low, high);
    }
    if (plane > low)
        return plane;
    /* At least half lie at the very bottom: the next value separates them. */
    plane = high;
    for (uint32_t i = 0; i < count; i++) {
        const float c = keys[i].centre[axis];
        plane = c > low && c < plane ? c : plane;
    }
    return plane;
}

uint32_t bw_centre_partition(bw_centre_key *keys, uint32_t count, int axis, float plane)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++) {
        const float at = keys[i].centre[axis];
        const v4 one = load_key(&keys[i]), other = load_key(&keys[left]);
        store_key(&keys[i], other);
        store_key(&keys[left], one);
        left += at < plane;
    }
    return left;
}
