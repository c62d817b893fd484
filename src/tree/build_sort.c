#include "tree/build_sort.h"

#include "base/tasks.h"

#include <string.h>

enum { BLOCK = 1 << 15, MAX_DIGIT = 12 };

typedef struct sort_pass {
    const uint64_t *from;
    uint64_t *to;
    uint32_t count;
    unsigned shift, digit;
    uint32_t *counts; /* a row of 1 << digit for each block */
} sort_pass;

static void count_blocks(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const sort_pass *pass = context;
    const uint32_t buckets = 1u << pass->digit, mask = buckets - 1;
    for (uint32_t block = begin; block < end; block++) {
        uint32_t *counts = pass->counts + (size_t)block * buckets;
        memset(counts, 0, buckets * sizeof *counts);
        uint32_t first = block * BLOCK;
        uint32_t last = pass->count - first < BLOCK ? pass->count : first + BLOCK;
        for (uint32_t i = first; i < last; i++)
            counts[(uint32_t)(pass->from[i] >> pass->shift) & mask]++;
    }
}

static void scatter_blocks(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const sort_pass *pass = context;
    const uint32_t buckets = 1u << pass->digit, mask = buckets - 1;
    for (uint32_t block = begin; block < end; block++) {
        uint32_t *at = pass->counts + (size_t)block * buckets;
        uint32_t first = block * BLOCK;
        uint32_t last = pass->count - first < BLOCK ? pass->count : first + BLOCK;
        for (uint32_t i = first; i < last; i++) {
            uint64_t key = pass->from[i];
            pass->to[at[(uint32_t)(key >> pass->shift) & mask]++] = key;
        }
    }
}

/* Turns the counts into the places where each block's keys of each bucket begin. */
static void place_blocks(const sort_pass *pass, uint32_t blocks)
{
    const uint32_t buckets = 1u << pass->digit;
    uint32_t sum = 0;
    for (uint32_t bucket = 0; bucket < buckets; bucket++)
        for (uint32_t block = 0; block < blocks; block++) {
            uint32_t *count = &pass->counts[(size_t)block * buckets + bucket];
            uint32_t here = *count;
            *count = sum;
            sum += here;
        }
}

unsigned bw_radix_passes(unsigned bits)
{
    return (bits + MAX_DIGIT - 1) / MAX_DIGIT;
}

uint64_t *bw_radix_sort(uint64_t *keys, uint64_t *scratch, uint32_t count, unsigned first_bit, unsigned bits,
                        const bw_allocator *allocator, const bw_tasks *tasks)
{
    unsigned passes = bw_radix_passes(bits);
    if (passes == 0)
        return keys;
    unsigned digit = (bits + passes - 1) / passes;
    uint32_t blocks = count / BLOCK + (count % BLOCK != 0);
    uint32_t *counts = bw_allocate(allocator, (size_t)blocks << digit, sizeof *counts);
    if (counts == NULL)
        return NULL;
    uint64_t *from = keys, *to = scratch;
    for (unsigned pass_index = 0; pass_index < passes; pass_index++) {
        sort_pass pass = {from, to, count, first_bit + pass_index * digit, digit, counts};
        bw_parallel(tasks, count_blocks, &pass, blocks, 1);
        place_blocks(&pass, blocks);
        bw_parallel(tasks, scatter_blocks, &pass, blocks, 1);
        uint64_t *other = from;
        from = to;
        to = other;
    }
    bw_release(allocator, counts, (size_t)blocks << digit, sizeof *counts);
    return from;
}

void bw_insertion_sort(uint64_t *keys, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint64_t key = keys[i];
        uint32_t at = i;
        for (; at > 0 && keys[at - 1] > key; at--)
            keys[at] = keys[at - 1];
        keys[at] = key;
    }
}
