#include "tree/build_hilbert.h"

#include "base/tasks.h"
#include "tree/build_sort.h"

#include <math.h>

enum {
    INDEX_BITS = 30,
    GRAIN = 1 << 14, /* boxes a task */
    FEW = 48,        /* below this insertion sorts faster */
    RUN = 8          /* centres that may share a cell: a leaf holds them all */
};

/* [state][octant x + 2 y + 4 z]: the next state above the three bits of the place within the parent's cube.
 */
static const uint8_t curve[12][8] = {
    {0x08, 0x17, 0x19, 0x26, 0x2b, 0x2c, 0x1a, 0x25}, {0x18, 0x33, 0x3f, 0x34, 0x01, 0x02, 0x46, 0x45},
    {0x4c, 0x27, 0x4b, 0x50, 0x05, 0x06, 0x42, 0x41}, {0x00, 0x09, 0x53, 0x0a, 0x5f, 0x4e, 0x54, 0x4d},
    {0x16, 0x07, 0x15, 0x3c, 0x31, 0x58, 0x32, 0x3b}, {0x3a, 0x55, 0x03, 0x04, 0x39, 0x56, 0x48, 0x37},
    {0x5a, 0x59, 0x2d, 0x2e, 0x0b, 0x20, 0x0c, 0x57}, {0x24, 0x0d, 0x47, 0x0e, 0x23, 0x4a, 0x28, 0x49},
    {0x3e, 0x51, 0x0f, 0x10, 0x3d, 0x52, 0x5c, 0x5b}, {0x5e, 0x5d, 0x29, 0x2a, 0x1f, 0x14, 0x38, 0x13},
    {0x12, 0x1b, 0x11, 0x40, 0x35, 0x1c, 0x36, 0x2f}, {0x44, 0x43, 0x1d, 0x22, 0x4f, 0x30, 0x1e, 0x21},
};

uint64_t bw_hilbert_code(uint32_t x, uint32_t y, uint32_t z, unsigned bits)
{
    uint64_t code = 0;
    uint32_t state = 0;
    for (unsigned bit = bits; bit-- > 0;) {
        uint32_t octant = (x >> bit & 1) | (y >> bit & 1) << 1 | (z >> bit & 1) << 2;
        uint32_t step = curve[state][octant];
        code = code << 3 | (step & 7);
        state = step >> 3;
    }
    return code;
}

/* The cubes of a grid around centres; a centre is min + max, twice the true one. */
typedef struct grid {
    float low[3];
    float scale;
    float top; /* the largest cell number, as a float */
    unsigned bits;
} grid;

typedef struct centre_bounds {
    float low[3], high[3];
} centre_bounds;

static inline void add_centre(centre_bounds *bounds, const bw_box *box)
{
    for (int axis = 0; axis < 3; axis++) {
        float c = box->min[axis] + box->max[axis];
        bounds->low[axis] = c < bounds->low[axis] ? c : bounds->low[axis];
        bounds->high[axis] = c > bounds->high[axis] ? c : bounds->high[axis];
    }
}

static const centre_bounds no_centres = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

/* False where all centres coincide. */
static bool make_grid(const centre_bounds *bounds, unsigned bits, grid *out)
{
    double extent = 0;
    for (int axis = 0; axis < 3; axis++) {
        out->low[axis] = bounds->low[axis];
        extent = fmax(extent, (double)bounds->high[axis] - (double)bounds->low[axis]);
    }
    out->bits = bits;
    out->top = (float)((1u << bits) - 1);
    /* Extents below this need a scale beyond the floats: to be told apart they would have to be denormal. */
    if (!(extent > 0x1p-110))
        return false;
    out->scale = (float)((double)(1u << bits) / extent * (1 - 0x1p-20));
    return true;
}

static inline uint64_t code_of(const grid *g, const bw_box *box)
{
    uint32_t cell[3];
    for (int axis = 0; axis < 3; axis++) {
        float c = (box->min[axis] + box->max[axis] - g->low[axis]) * g->scale;
        c = c < g->top ? c : g->top;
        cell[axis] = (uint32_t)c;
    }
    return bw_hilbert_code(cell[0], cell[1], cell[2], g->bits);
}

/* A stretch of the order: the keys to arrange and the room beside them. */
typedef struct stretch {
    const bw_box *boxes;
    uint64_t *keys, *scratch;
    uint32_t count;
    bool fresh;           /* the keys are not written yet: index i is i */
    centre_bounds *parts; /* one a block of GRAIN boxes */
    grid grid;
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
        centre_bounds bounds = no_centres;
        uint32_t first = block * GRAIN;
        uint32_t last = s->count - first < GRAIN ? s->count : first + GRAIN;
        for (uint32_t i = first; i < last; i++)
            add_centre(&bounds, &s->boxes[index_at(s, i)]);
        s->parts[block] = bounds;
    }
}

static void code_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    stretch *s = context;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t index = index_at(s, i);
        s->coded[i] = code_of(&s->grid, &s->boxes[index]) << INDEX_BITS | index;
    }
}

/* The 30 bits of a code of 10 bits an axis, in four passes, so that the result stands where the keys were. */
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

/* The end of the run of equal codes that begins at i. */
static uint32_t run_end(const uint64_t *keys, uint32_t i, uint32_t count)
{
    uint64_t code = keys[i] >> INDEX_BITS;
    do
        i++;
    while (i < count && keys[i] >> INDEX_BITS == code);
    return i;
}

/* Orders the keys of one cell along a curve of their own, and so on while more than eight fall together. A
 * cell is at most 2^-9 of the one before, so the recursion is over when the floats' exponents are. */
static void refine(const bw_box *boxes, uint64_t *keys, uint64_t *scratch, uint32_t count)
{
    centre_bounds bounds = no_centres;
    for (uint32_t i = 0; i < count; i++)
        add_centre(&bounds, &boxes[BW_HILBERT_INDEX(keys[i])]);
    grid g;
    if (!make_grid(&bounds, 10, &g))
        return;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = BW_HILBERT_INDEX(keys[i]);
        keys[i] = code_of(&g, &boxes[index]) << INDEX_BITS | index;
    }
    sort_few(keys, scratch, count);
    for (uint32_t i = 0, end; i < count; i = end) {
        end = run_end(keys, i, count);
        if (end - i > RUN && end - i < count)
            refine(boxes, keys + i, scratch + i, end - i);
    }
}

typedef struct runs {
    const bw_box *boxes;
    uint64_t *keys, *scratch;
    uint32_t (*ranges)[2];
} runs;

static void refine_runs(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    runs *r = context;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t first = r->ranges[i][0], last = r->ranges[i][1];
        if (last - first <= GRAIN)
            refine(r->boxes, r->keys + first, r->scratch + first, last - first);
    }
}

static bool order(stretch *s, const bw_allocator *allocator, const bw_tasks *tasks);

/* Runs of equal codes: the small ones side by side, the large ones one after the other, each in parallel. */
static bool order_runs(const stretch *s, const bw_allocator *allocator, const bw_tasks *tasks)
{
    uint32_t count = 0;
    for (uint32_t i = 0, end; i < s->count; i = end) {
        end = run_end(s->keys, i, s->count);
        count += end - i > RUN && end - i < s->count;
    }
    if (count == 0)
        return true;
    runs r = {s->boxes, s->keys, s->scratch, bw_allocate(allocator, count, sizeof *r.ranges)};
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
            stretch part = {
                s->boxes, s->keys + first, s->scratch + first, last - first, false, NULL, {{0}, 0, 0, 0},
                NULL};
            good = order(&part, allocator, tasks);
        }
    }
    bw_release(allocator, r.ranges, count, sizeof *r.ranges);
    return good;
}

/* Cells of about one centre each if they lie on a surface. */
static unsigned bits_for(uint32_t count)
{
    unsigned bits = 3;
    while (bits < BW_HILBERT_MAX_BITS && 1ull << (2 * (bits - 1)) < count)
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
    centre_bounds bounds = s->parts[0];
    for (uint32_t block = 1; block < blocks; block++)
        for (int axis = 0; axis < 3; axis++) {
            bounds.low[axis] = fminf(bounds.low[axis], s->parts[block].low[axis]);
            bounds.high[axis] = fmaxf(bounds.high[axis], s->parts[block].high[axis]);
        }
    bw_release(allocator, s->parts, blocks, sizeof *s->parts);

    if (!make_grid(&bounds, bits_for(s->count), &s->grid)) {
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
                      const bw_allocator *allocator, const bw_tasks *tasks)
{
    stretch s = {boxes, keys, scratch, count, true, NULL, {{0}, 0, 0, 0}, NULL};
    return order(&s, allocator, tasks);
}
