/* Checksums: four lanes of multiply and rotate, so that words do not wait for one another. Each step is a bijection of the
 * word and of the lane, so no change of a single word is lost. */
#include "store/sum.h"

#include <string.h>

static const uint64_t prime = 0x9e3779b185ebca87u;

static uint64_t step(uint64_t lane, uint64_t word)
{
    uint64_t x = (lane ^ word) * prime;
    return x << 31 | x >> 33;
}

store_summer store_summer_start(void)
{
    return (store_summer){.lanes = {1, 2, 3, 5}};
}

void store_summer_add(store_summer *s, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    uint64_t l0 = s->lanes[0], l1 = s->lanes[1], l2 = s->lanes[2], l3 = s->lanes[3], w[4];
    s->size += size;
    for (; size >= sizeof w; size -= sizeof w, at += sizeof w) {
        memcpy(w, at, sizeof w);
        l0 = step(l0, w[0]);
        l1 = step(l1, w[1]);
        l2 = step(l2, w[2]);
        l3 = step(l3, w[3]);
    }
    if (size > 0) {
        memset(w, 0, sizeof w);
        memcpy(w, at, size);
        l0 = step(l0, w[0]);
        l1 = step(l1, w[1]);
        l2 = step(l2, w[2]);
        l3 = step(l3, w[3]);
    }
    s->lanes[0] = l0;
    s->lanes[1] = l1;
    s->lanes[2] = l2;
    s->lanes[3] = l3;
}

uint64_t store_summer_end(const store_summer *s)
{
    uint64_t sum = s->size;
    for (int i = 0; i < 4; i++) {
        sum = step(sum, s->lanes[i]);
        sum ^= sum >> 29;
    }
    return sum;
}

uint64_t store_sum(const void *bytes, size_t size)
{
    store_summer s = store_summer_start();
    store_summer_add(&s, bytes, size);
    return store_summer_end(&s);
}
