/* The radix sort: passes over digits that all kinds of it share, and the order in which these are taken. */
#include "base/radix_sort.h"

#include "base/tasks.h"

#include <stdatomic.h>
#include <string.h>

/* Neighbours in a mesh are neighbours in space: many keys in a row have the same digit. Those are dealt with
 * at once, where one by one each would wait for the counter that the one before has changed. */
enum { RUN = 16 };

static inline bool is_run(const uint64_t *keys, unsigned shift, uint32_t mask)
{
    uint64_t differ = 0;
    for (uint32_t i = 1; i < RUN; i++)
        differ |= keys[i] ^ keys[0];
    return ((uint32_t)(differ >> shift) & mask) == 0;
}

static void count_keys(const uint64_t *keys, uint32_t count, unsigned shift, uint32_t mask, uint32_t *counts)
{
    uint32_t i = 0;
    for (; i + RUN <= count; i += RUN) {
        if (is_run(keys + i, shift, mask)) {
            counts[(uint32_t)(keys[i] >> shift) & mask] += RUN;
            continue;
        }
        for (uint32_t k = i; k < i + RUN; k++)
            counts[(uint32_t)(keys[k] >> shift) & mask]++;
    }
    for (; i < count; i++)
        counts[(uint32_t)(keys[i] >> shift) & mask]++;
}

/* Counts of buckets become the places where these begin. */
static void begin_buckets(uint32_t *counts, uint32_t buckets)
{
    uint32_t sum = 0;
    for (uint32_t bucket = 0; bucket < buckets; bucket++) {
        const uint32_t here = counts[bucket];
        counts[bucket] = sum;
        sum += here;
    }
}

/* at: where the next key of each bucket goes. values: that go with the keys, or NULL. */
static inline void scatter_each(const uint64_t *keys, const uint32_t *values, uint32_t begin, uint32_t end,
                                unsigned shift, uint32_t mask, uint32_t *at, uint64_t *to,
                                uint32_t *to_values)
{
    for (uint32_t i = begin; i < end; i++) {
        const uint32_t place = at[(uint32_t)(keys[i] >> shift) & mask]++;
        to[place] = keys[i];
        if (values != NULL)
            to_values[place] = values[i];
    }
}

static void scatter_keys(const uint64_t *keys, uint32_t count, unsigned shift, uint32_t mask, uint32_t *at,
                         uint64_t *to)
{
    uint32_t i = 0;
    for (; i + RUN <= count; i += RUN) {
        if (is_run(keys + i, shift, mask)) {
            uint32_t *place = &at[(uint32_t)(keys[i] >> shift) & mask];
            memcpy(to + *place, keys + i, RUN * sizeof *keys);
            *place += RUN;
            continue;
        }
        scatter_each(keys, NULL, i, i + RUN, shift, mask, at, to, NULL);
    }
    scatter_each(keys, NULL, i, count, shift, mask, at, to, NULL);
}

/* By some of their bits, so that it is stable. Quadratic. */
static inline void insert_few(uint64_t *keys, uint32_t *values, uint32_t count, uint64_t mask)
{
    for (uint32_t i = 1; i < count; i++) {
        const uint64_t key = keys[i];
        const uint32_t value = values != NULL ? values[i] : 0;
        uint32_t at = i;
        for (; at > 0 && (keys[at - 1] & mask) > (key & mask); at--) {
            keys[at] = keys[at - 1];
            if (values != NULL)
                values[at] = values[at - 1];
        }
        keys[at] = key;
        if (values != NULL)
            values[at] = value;
    }
}

void bw_insertion_sort(uint64_t *keys, uint32_t count)
{
    insert_few(keys, NULL, count, UINT64_MAX);
}

/* ---- keys with values ---- */

enum { FEW_PAIRS = 48, BYTE = 256 };

void bw_sort_u64(uint64_t *keys, uint32_t *values, uint64_t *key_scratch, uint32_t *value_scratch,
                 uint32_t count)
{
    if (count <= FEW_PAIRS) {
        insert_few(keys, values, count, UINT64_MAX);
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
    unsigned shift[8], digits = 0;
    for (unsigned s = 0; s < 64; s += 8)
        if ((differ >> s & (BYTE - 1)) != 0)
            shift[digits++] = s;
    uint32_t at[8][BYTE] = {{0}};
    for (uint32_t i = 0; i < count; i++)
        for (unsigned d = 0; d < digits; d++)
            at[d][keys[i] >> shift[d] & (BYTE - 1)]++;

    uint64_t *from = keys, *to = key_scratch;
    uint32_t *from_values = values, *to_values = value_scratch;
    for (unsigned d = 0; d < digits; d++) {
        begin_buckets(at[d], BYTE);
        scatter_each(from, from_values, 0, count, shift[d], BYTE - 1, at[d], to, to_values);
        uint64_t *other = from;
        from = to;
        to = other;
        uint32_t *other_values = from_values;
        from_values = to_values;
        to_values = other_values;
    }
    if (from != keys) {
        memcpy(keys, from, count * sizeof *keys);
        memcpy(values, from_values, count * sizeof *values);
    }
}

/* ---- keys alone, with tasks ---- */

/* Many keys go by their highest digit first: what follows sorts a bucket after the other, each within the
 * caches. Few keys are within them anyway and go from the lowest digit up, in fewer passes. */
enum { BLOCK = BW_RADIX_BLOCK, MAX_DIGIT = 12, MANY = 1 << 16, MAX_THIRD = 11, FEW = 24 };

static uint32_t blocks_of(const bw_radix *r)
{
    return r->count / BLOCK + (r->count % BLOCK != 0);
}

bool bw_radix_begin(bw_radix *r, uint32_t count, unsigned first_bit, unsigned bits,
                    const bw_allocator *allocator)
{
    const bool high_first = count > MANY && bits > 16;
    const unsigned passes = high_first ? 3 : (bits + MAX_DIGIT - 1) / MAX_DIGIT;
    *r = (bw_radix){count, first_bit, passes, (bits + passes - 1) / passes, high_first, NULL};
    r->counts = bw_allocate(allocator, (size_t)blocks_of(r) << r->digit, sizeof *r->counts);
    return r->counts != NULL;
}

void bw_radix_end(bw_radix *r, const bw_allocator *allocator)
{
    bw_release(allocator, r->counts, (size_t)blocks_of(r) << r->digit, sizeof *r->counts);
    r->counts = NULL;
}

typedef struct sort_pass {
    const uint64_t *from;
    uint64_t *to;
    uint32_t count;
    unsigned shift, digit;
    uint32_t *counts;
} sort_pass;

static sort_pass first_pass(const bw_radix *r, const uint64_t *from, uint64_t *to)
{
    const unsigned shift = r->first_bit + (r->high_first ? 2 * r->digit : 0);
    return (sort_pass){from, to, r->count, shift, r->digit, r->counts};
}

static uint32_t block_size(uint32_t count, uint32_t block)
{
    const uint32_t left = count - block * BLOCK;
    return left < BLOCK ? left : BLOCK;
}

/* keys: those of the block. */
static void count_block(const sort_pass *pass, uint32_t block, const uint64_t *keys)
{
    const uint32_t buckets = 1u << pass->digit;
    uint32_t *counts = pass->counts + (size_t)block * buckets;
    memset(counts, 0, buckets * sizeof *counts);
    count_keys(keys, block_size(pass->count, block), pass->shift, buckets - 1, counts);
}

static void count_blocks(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const sort_pass *pass = context;
    for (uint32_t block = begin; block < end; block++)
        count_block(pass, block, pass->from + (size_t)block * BLOCK);
}

void bw_radix_count(const bw_radix *r, uint32_t block, const uint64_t *keys)
{
    const sort_pass pass = first_pass(r, NULL, NULL);
    count_block(&pass, block, keys);
}

static void scatter_blocks(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const sort_pass *pass = context;
    const uint32_t buckets = 1u << pass->digit;
    for (uint32_t block = begin; block < end; block++)
        scatter_keys(pass->from + (size_t)block * BLOCK, block_size(pass->count, block), pass->shift,
                     buckets - 1, pass->counts + (size_t)block * buckets, pass->to);
}

/* Turns the counts into the places where each block's keys of each bucket begin. */
static void place_blocks(const sort_pass *pass, uint32_t blocks)
{
    const uint32_t buckets = 1u << pass->digit;
    uint32_t next[1 << MAX_DIGIT];
    memset(next, 0, buckets * sizeof *next);
    for (uint32_t block = 0; block < blocks; block++)
        for (uint32_t bucket = 0; bucket < buckets; bucket++)
            next[bucket] += pass->counts[(size_t)block * buckets + bucket];
    begin_buckets(next, buckets);
    for (uint32_t block = 0; block < blocks; block++)
        for (uint32_t bucket = 0; bucket < buckets; bucket++) {
            uint32_t *count = &pass->counts[(size_t)block * buckets + bucket];
            const uint32_t here = *count;
            *count = next[bucket];
            next[bucket] += here;
        }
}

/* The buckets of the highest digit, to be sorted by two lower ones each. */
typedef struct bucket_sort {
    uint64_t *keys, *scratch; /* the keys stand, and stay, in keys */
    const uint32_t *ends;     /* of each bucket */
    /* A worker's room in scratch, for the largest bucket: what it writes there again and again stays in its
     * cache. 0 where scratch has no room for all workers': then it is the bucket's own place. */
    uint32_t room;
    unsigned shift, digit;
    uint32_t most;
    atomic_bool repeats; /* perhaps */
} bucket_sort;

/* By the lower digit into scratch, by the higher one back. The first half and the second take turns, each
 * with places of its own: so a key need not wait for the place that the one before it has moved. */
static void sort_bucket(const bucket_sort *sort, uint64_t *keys, uint32_t count, uint64_t *scratch)
{
    uint32_t low[2][1 << MAX_THIRD], high[1 << MAX_THIRD];
    const unsigned low_shift = sort->shift, high_shift = sort->shift + sort->digit;
    const uint32_t buckets = 1u << sort->digit, mask = buckets - 1, half = count / 2;
    memset(low[0], 0, buckets * sizeof *low[0]);
    memset(low[1], 0, buckets * sizeof *low[1]);
    memset(high, 0, buckets * sizeof *high);
    for (uint32_t i = 0; i < half; i++) {
        low[0][(uint32_t)(keys[i] >> low_shift) & mask]++;
        low[1][(uint32_t)(keys[half + i] >> low_shift) & mask]++;
        high[(uint32_t)(keys[i] >> high_shift) & mask]++;
        high[(uint32_t)(keys[half + i] >> high_shift) & mask]++;
    }
    if (count % 2 != 0) {
        low[1][(uint32_t)(keys[count - 1] >> low_shift) & mask]++;
        high[(uint32_t)(keys[count - 1] >> high_shift) & mask]++;
    }
    for (uint32_t bucket = 0, low_sum = 0, high_sum = 0; bucket < buckets; bucket++) {
        const uint32_t first = low[0][bucket], second = low[1][bucket], here = high[bucket];
        low[0][bucket] = low_sum;
        low[1][bucket] = low_sum + first;
        high[bucket] = high_sum;
        low_sum += first + second;
        high_sum += here;
    }
    for (uint32_t i = 0; i < half; i++) {
        const uint64_t a = keys[i], b = keys[half + i];
        scratch[low[0][(uint32_t)(a >> low_shift) & mask]++] = a;
        scratch[low[1][(uint32_t)(b >> low_shift) & mask]++] = b;
    }
    if (count % 2 != 0)
        scratch[low[1][(uint32_t)(keys[count - 1] >> low_shift) & mask]] = keys[count - 1];
    for (uint32_t i = 0; i < count; i++)
        keys[high[(uint32_t)(scratch[i] >> high_shift) & mask]++] = scratch[i];
}

/* More than `most` equal ones in a row fill two neighbours of any places that are half as far apart: few have
 * to be looked at. */
static bool may_repeat(const bucket_sort *sort, uint32_t first, uint32_t last)
{
    const uint32_t step = (sort->most + 1) / 2;
    uint32_t found = 0;
    for (uint32_t i = first; i + step < last; i += step)
        found += (sort->keys[i] ^ sort->keys[i + step]) >> sort->shift == 0;
    return found != 0;
}

static void sort_buckets(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    bucket_sort *sort = context;
    bool repeats = false;
    for (uint32_t bucket = begin; bucket < end; bucket++) {
        uint32_t first = bucket == 0 ? 0 : sort->ends[bucket - 1], last = sort->ends[bucket];
        if (last - first > FEW)
            sort_bucket(sort, sort->keys + first, last - first,
                        sort->scratch + (sort->room > 0 ? (size_t)sort->room * worker : first));
        else
            insert_few(sort->keys + first, NULL, last - first,
                       (((uint64_t)1 << 2 * sort->digit) - 1) << sort->shift);
        repeats |= may_repeat(sort, first, last);
    }
    if (repeats)
        atomic_store_explicit(&sort->repeats, true, memory_order_relaxed);
}

static uint32_t room_for(const uint32_t *ends, uint32_t buckets, const bw_tasks *tasks)
{
    uint32_t largest = 0;
    for (uint32_t bucket = 0; bucket < buckets; bucket++) {
        const uint32_t size = ends[bucket] - (bucket == 0 ? 0 : ends[bucket - 1]);
        largest = size > largest ? size : largest;
    }
    return (uint64_t)largest * bw_workers(tasks) <= ends[buckets - 1] ? largest : 0;
}

/* Stable passes over all keys, from the lowest digit up; the first one's are counted. */
static uint64_t *run_low_first(const bw_radix *r, uint64_t *keys, uint64_t *scratch, const bw_tasks *tasks)
{
    uint64_t *from = keys, *to = scratch;
    for (unsigned i = 0; i < r->passes; i++) {
        sort_pass pass = {from, to, r->count, r->first_bit + i * r->digit, r->digit, r->counts};
        if (i > 0)
            bw_parallel(tasks, count_blocks, &pass, blocks_of(r), 1);
        place_blocks(&pass, blocks_of(r));
        bw_parallel(tasks, scatter_blocks, &pass, blocks_of(r), 1);
        uint64_t *other = from;
        from = to;
        to = other;
    }
    return from;
}

uint64_t *bw_radix_run(const bw_radix *r, uint64_t *keys, uint64_t *scratch, uint32_t most, bool *repeats,
                       const bw_tasks *tasks)
{
    *repeats = true;
    if (!r->high_first)
        return run_low_first(r, keys, scratch, tasks);
    sort_pass pass = first_pass(r, keys, scratch);
    place_blocks(&pass, blocks_of(r));
    bw_parallel(tasks, scatter_blocks, &pass, blocks_of(r), 1);
    /* The last block's places are by now where its buckets end, and so does everybody's. */
    const uint32_t *ends = r->counts + ((size_t)(blocks_of(r) - 1) << r->digit);
    bucket_sort sort = {.keys = scratch,
                        .scratch = keys,
                        .ends = ends,
                        .room = room_for(ends, 1u << r->digit, tasks),
                        .shift = r->first_bit,
                        .digit = r->digit,
                        .most = most};
    bw_parallel(tasks, sort_buckets, &sort, 1u << r->digit, 4);
    *repeats = sort.repeats;
    return scratch;
}

uint64_t *bw_radix_sort(uint64_t *keys, uint64_t *scratch, uint32_t count, unsigned first_bit, unsigned bits,
                        const bw_allocator *allocator, const bw_tasks *tasks)
{
    bw_radix r;
    if (!bw_radix_begin(&r, count, first_bit, bits, allocator))
        return NULL;
    sort_pass pass = first_pass(&r, keys, scratch);
    bw_parallel(tasks, count_blocks, &pass, blocks_of(&r), 1);
    bool repeats;
    uint64_t *result = bw_radix_run(&r, keys, scratch, count, &repeats, tasks);
    bw_radix_end(&r, allocator);
    return result;
}
