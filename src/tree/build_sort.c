#include "tree/build_sort.h"

#include "base/tasks.h"

#include <string.h>

/* Many keys go by their highest digit first: what follows sorts a bucket after the other, each within the
 * caches. Few keys are within them anyway and go from the lowest digit up, in fewer passes. */
enum { BLOCK = 1 << 15, MAX_DIGIT = 12, MANY = 1 << 16, MAX_THIRD = 11, FEW = 24 };

/* How the bits are shared out. */
typedef struct digits {
    unsigned passes, size; /* of one digit; the highest may have fewer bits */
    bool high_first;
} digits;

static digits digits_for(uint32_t count, unsigned bits)
{
    if (count > MANY && bits > 16)
        return (digits){3, (bits + 2) / 3, true};
    const unsigned passes = (bits + MAX_DIGIT - 1) / MAX_DIGIT;
    return (digits){passes, passes == 0 ? 0 : (bits + passes - 1) / passes, false};
}

unsigned bw_radix_passes(uint32_t count, unsigned bits)
{
    return digits_for(count, bits).passes;
}

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

/* One stable pass over all keys. */
static void run_pass(sort_pass *pass, uint32_t blocks, const bw_tasks *tasks)
{
    bw_parallel(tasks, count_blocks, pass, blocks, 1);
    place_blocks(pass, blocks);
    bw_parallel(tasks, scatter_blocks, pass, blocks, 1);
}

/* The buckets of the highest digit, to be sorted by two lower ones each. */
typedef struct bucket_sort {
    uint64_t *keys, *scratch; /* the keys stand, and stay, in keys */
    const uint32_t *ends;     /* of each bucket */
    unsigned shift, digit;
} bucket_sort;

static void sort_bucket(const bucket_sort *sort, uint32_t first, uint32_t last)
{
    uint32_t at[2][1 << MAX_THIRD];
    const unsigned low = sort->shift, high = sort->shift + sort->digit;
    const uint32_t buckets = 1u << sort->digit, mask = buckets - 1;
    for (int d = 0; d < 2; d++)
        memset(at[d], 0, buckets * sizeof *at[d]);
    for (uint32_t i = first; i < last; i++) {
        at[0][(uint32_t)(sort->keys[i] >> low) & mask]++;
        at[1][(uint32_t)(sort->keys[i] >> high) & mask]++;
    }
    uint32_t sums[2] = {first, first};
    for (uint32_t bucket = 0; bucket < buckets; bucket++)
        for (int d = 0; d < 2; d++) {
            uint32_t here = at[d][bucket];
            at[d][bucket] = sums[d];
            sums[d] += here;
        }
    for (uint32_t i = first; i < last; i++) {
        uint64_t key = sort->keys[i];
        sort->scratch[at[0][(uint32_t)(key >> low) & mask]++] = key;
    }
    for (uint32_t i = first; i < last; i++) {
        uint64_t key = sort->scratch[i];
        sort->keys[at[1][(uint32_t)(key >> high) & mask]++] = key;
    }
}

/* By some bits only, so that the sort is stable. */
static void sort_few(const bucket_sort *sort, uint32_t first, uint32_t last)
{
    const uint64_t mask = (((uint64_t)1 << 2 * sort->digit) - 1) << sort->shift;
    for (uint32_t i = first + 1; i < last; i++) {
        uint64_t key = sort->keys[i];
        uint32_t at = i;
        for (; at > first && (sort->keys[at - 1] & mask) > (key & mask); at--)
            sort->keys[at] = sort->keys[at - 1];
        sort->keys[at] = key;
    }
}

static void sort_buckets(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const bucket_sort *sort = context;
    for (uint32_t bucket = begin; bucket < end; bucket++) {
        uint32_t first = bucket == 0 ? 0 : sort->ends[bucket - 1], last = sort->ends[bucket];
        if (last - first > FEW)
            sort_bucket(sort, first, last);
        else
            sort_few(sort, first, last);
    }
}

uint64_t *bw_radix_sort(uint64_t *keys, uint64_t *scratch, uint32_t count, unsigned first_bit, unsigned bits,
                        const bw_allocator *allocator, const bw_tasks *tasks)
{
    const digits d = digits_for(count, bits);
    if (d.passes == 0)
        return keys;
    uint32_t blocks = count / BLOCK + (count % BLOCK != 0);
    uint32_t *counts = bw_allocate(allocator, (size_t)blocks << d.size, sizeof *counts);
    if (counts == NULL)
        return NULL;
    uint64_t *from = keys, *to = scratch;
    if (d.high_first) {
        sort_pass pass = {from, to, count, first_bit + 2 * d.size, d.size, counts};
        run_pass(&pass, blocks, tasks);
        /* The last block's places are by now where its buckets end, and so does everybody's. */
        bucket_sort sort = {to, from, counts + ((size_t)(blocks - 1) << d.size), first_bit, d.size};
        bw_parallel(tasks, sort_buckets, &sort, 1u << d.size, 4);
        from = to;
    } else {
        for (unsigned i = 0; i < d.passes; i++) {
            sort_pass pass = {from, to, count, first_bit + i * d.size, d.size, counts};
            run_pass(&pass, blocks, tasks);
            uint64_t *other = from;
            from = to;
            to = other;
        }
    }
    bw_release(allocator, counts, (size_t)blocks << d.size, sizeof *counts);
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
