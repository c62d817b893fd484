/* The order of boxes along the curve: coded, sorted, and where too many share a cell, coded and sorted again.
 */
#include "base/tasks.h"
#include "tree/build_hilbert.h"
#include "tree/build_sort.h"

enum {
    INDEX_BITS = 30,
    GRAIN = 1 << 14, /* boxes a task */
    FINE_BITS = 10,  /* an axis, of the curves within a cell */
    FEW = 48,        /* below this insertion sorts faster */
    RUN = 64         /* centres that may share a cell: a group of leaves holds them all */
};

/* A stretch of the order: the keys to arrange and the room beside them. */
typedef struct stretch {
    const bw_box *boxes;
    uint64_t *keys, *scratch;
    uint32_t count;
    bw_simd simd;
    bool fresh;              /* the keys are not written yet: index i is i */
    bw_centre_bounds *parts; /* one a block of GRAIN boxes */
    bw_hilbert_grid grid;
    uint64_t *coded; /* where the coded keys go */
} stretch;

static inline uint32_t index_at(const stretch *s, uint32_t i)
{
    return s->fresh ? i : BW_HILBERT_INDEX(s->keys[i]);
}

static void bound_blocks(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    stretch *s = context;
    for (uint32_t block = begin; block < end; block++) {
        bw_centre_bounds bounds = bw_no_centres;
        uint32_t first = block * GRAIN;
        uint32_t last = s->count - first < GRAIN ? s->count : first + GRAIN;
        for (uint32_t i = first; i < last; i++)
            bw_centre_bounds_add(&bounds, &s->boxes[index_at(s, i)]);
        s->parts[block] = bounds;
    }
}

static void code_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    stretch *s = context;
    uint32_t indices[BW_HILBERT_BATCH];
    for (uint32_t first = begin; first < end; first += BW_HILBERT_BATCH) {
        uint32_t count = end - first < BW_HILBERT_BATCH ? end - first : BW_HILBERT_BATCH;
        for (uint32_t i = 0; i < count; i++)
            indices[i] = index_at(s, first + i);
        bw_hilbert_code_batch(&s->grid, s->boxes, indices, count, s->simd, s->coded + first);
    }
}

/* The 30 bits of a fine code, in four passes, so that the result stands where the keys were. */
static void sort_few(uint64_t *keys, uint64_t *scratch, uint32_t count)
{
    if (count <= FEW) {
        bw_insertion_sort(keys, count);
        return;
    }
    uint32_t start[4][256] = {{0}};
    for (uint32_t i = 0; i < count; i++)
        for (unsigned d = 0; d < 4; d++)
            start[d][keys[i] >> (INDEX_BITS + 8 * d) & 255]++;
    uint64_t *from = keys, *to = scratch;
    for (unsigned d = 0; d < 4; d++) {
        uint32_t sum = 0;
        for (unsigned b = 0; b < 256; b++) {
            uint32_t here = start[d][b];
            start[d][b] = sum;
            sum += here;
        }
        for (uint32_t i = 0; i < count; i++)
            to[start[d][from[i] >> (INDEX_BITS + 8 * d) & 255]++] = from[i];
        uint64_t *other = from;
        from = to;
        to = other;
    }
}

static inline uint64_t code_of(uint64_t key)
{
    return key >> INDEX_BITS;
}

/* Gives keys the code of their cell again, once they are in the order of a finer curve. */
static void restore(uint64_t *keys, uint32_t count, uint64_t code)
{
    for (uint32_t i = 0; i < count; i++)
        keys[i] = code << INDEX_BITS | BW_HILBERT_INDEX(keys[i]);
}

/* The end of the run of equal codes that begins at i. */
static uint32_t run_end(const uint64_t *keys, uint32_t i, uint32_t count)
{
    uint64_t code = keys[i] >> INDEX_BITS;
    do
        i++;
    while (i < count && keys[i] >> INDEX_BITS == code);
    return i;
}

/* Orders the keys of one cell along a curve of their own, and so on while more than RUN fall together. A
 * cell is at most 2^-9 of the one before, so the recursion is over when the floats' exponents are. */
static void refine(const bw_box *boxes, uint64_t *keys, uint64_t *scratch, uint32_t count, bw_simd simd)
{
    bw_centre_bounds bounds = bw_no_centres;
    for (uint32_t i = 0; i < count; i++)
        bw_centre_bounds_add(&bounds, &boxes[BW_HILBERT_INDEX(keys[i])]);
    bw_hilbert_grid g;
    if (!bw_hilbert_make_grid(&bounds, FINE_BITS, &g))
        return;
    uint32_t indices[BW_HILBERT_BATCH];
    for (uint32_t first = 0; first < count; first += BW_HILBERT_BATCH) {
        uint32_t some = count - first < BW_HILBERT_BATCH ? count - first : BW_HILBERT_BATCH;
        for (uint32_t i = 0; i < some; i++)
            indices[i] = BW_HILBERT_INDEX(keys[first + i]);
        bw_hilbert_code_batch(&g, boxes, indices, some, simd, keys + first);
    }
    sort_few(keys, scratch, count);
    for (uint32_t i = 0, end; i < count; i = end) {
        end = run_end(keys, i, count);
        if (end - i > RUN && end - i < count)
            refine(boxes, keys + i, scratch + i, end - i, simd);
    }
}

typedef struct runs {
    const bw_box *boxes;
    uint64_t *keys, *scratch;
    bw_simd simd;
    uint32_t (*ranges)[2];
} runs;

static void refine_runs(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    runs *r = context;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t first = r->ranges[i][0], last = r->ranges[i][1];
        if (last - first > GRAIN)
            continue;
        uint64_t code = code_of(r->keys[first]);
        refine(r->boxes, r->keys + first, r->scratch + first, last - first, r->simd);
        restore(r->keys + first, last - first, code);
    }
}

static bool order(stretch *s, const bw_allocator *allocator, const bw_tasks *tasks);

/* Runs of equal codes: the small ones side by side, the large ones one after the other, each in parallel. */
static bool order_runs(const stretch *s, const bw_allocator *allocator, const bw_tasks *tasks)
{
    uint32_t count = 0;
    for (uint32_t i = RUN; i < s->count; i++)
        count += s->keys[i - RUN] >> INDEX_BITS == s->keys[i] >> INDEX_BITS;
    if (count == 0)
        return true;
    count = 0;
    for (uint32_t i = 0, end; i < s->count; i = end) {
        end = run_end(s->keys, i, s->count);
        count += end - i > RUN && end - i < s->count;
    }
    if (count == 0)
        return true;
    runs r = {s->boxes, s->keys, s->scratch, s->simd, bw_allocate(allocator, count, sizeof *r.ranges)};
    if (r.ranges == NULL)
        return false;
    uint32_t at = 0;
    for (uint32_t i = 0, end; i < s->count; i = end) {
        end = run_end(s->keys, i, s->count);
        if (end - i > RUN && end - i < s->count) {
            r.ranges[at][0] = i;
            r.ranges[at++][1] = end;
        }
    }
    bw_parallel(tasks, refine_runs, &r, count, 16);
    bool good = true;
    for (uint32_t i = 0; i < count && good; i++) {
        uint32_t first = r.ranges[i][0], last = r.ranges[i][1];
        if (last - first > GRAIN) {
            stretch part = {s->boxes,     s->keys + first, s->scratch + first,
                            last - first, s->simd,         false,
                            NULL,         {{0}, 0, 0},     NULL};
            uint64_t code = code_of(part.keys[0]);
            good = order(&part, allocator, tasks);
            restore(part.keys, part.count, code);
        }
    }
    bw_release(allocator, r.ranges, count, sizeof *r.ranges);
    return good;
}

/* Cells of about one centre each if they lie on a bent surface. */
static unsigned bits_for(uint32_t count)
{
    unsigned bits = 2;
    while (bits < BW_HILBERT_MAX_BITS && 4ull << (2 * bits) < count)
        bits++;
    return bits;
}

/* Arranges s->keys. False for want of memory. */
static bool order(stretch *s, const bw_allocator *allocator, const bw_tasks *tasks)
{
    uint32_t blocks = s->count / GRAIN + (s->count % GRAIN != 0);
    s->parts = bw_allocate(allocator, blocks, sizeof *s->parts);
    if (s->parts == NULL)
        return false;
    bw_parallel(tasks, bound_blocks, s, blocks, 1);
    bw_centre_bounds bounds = s->parts[0];
    for (uint32_t block = 1; block < blocks; block++)
        for (int axis = 0; axis < 3; axis++) {
            bounds.low[axis] = fminf(bounds.low[axis], s->parts[block].low[axis]);
            bounds.high[axis] = fmaxf(bounds.high[axis], s->parts[block].high[axis]);
        }
    bw_release(allocator, s->parts, blocks, sizeof *s->parts);

    if (!bw_hilbert_make_grid(&bounds, bits_for(s->count), &s->grid)) {
        for (uint32_t i = 0; s->fresh && i < s->count; i++)
            s->keys[i] = i;
        return true;
    }
    unsigned passes = bw_radix_passes(3 * s->grid.bits);
    s->coded = passes % 2 == 0 ? s->keys : s->scratch;
    bw_parallel(tasks, code_range, s, s->count, GRAIN);
    if (bw_radix_sort(s->coded, passes % 2 == 0 ? s->scratch : s->keys, s->count, INDEX_BITS,
                      3 * s->grid.bits, allocator, tasks) == NULL)
        return false;
    return order_runs(s, allocator, tasks);
}

bool bw_hilbert_order(const bw_box *boxes, uint32_t count, uint64_t *keys, uint64_t *scratch,
                      const bw_allocator *allocator, const bw_tasks *tasks, bw_simd simd)
{
    stretch s = {.boxes = boxes, .count = count, .simd = bw_simd_level(simd), .fresh = true};
    s.keys = keys;
    s.scratch = scratch;
    return order(&s, allocator, tasks);
}
