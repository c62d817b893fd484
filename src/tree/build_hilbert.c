#include "tree/build_hilbert.h"

#include "base/tasks.h"
#include "tree/build_sort.h"

#include <math.h>
#include <string.h>

enum {
    INDEX_BITS = 30,
    GRAIN = 1 << 14, /* boxes a task */
    FINE_BITS = 10,  /* an axis, of the curves within a cell */
    FEW = 48,        /* below this insertion sorts faster */
    LANES = 8,
    RUN = 64 /* centres that may share a cell: a group of leaves holds them all */
};

/* Eight cells at once: plain vectors, which compilers turn into whatever the function's target has. */
typedef uint32_t lanes __attribute__((vector_size(32)));
typedef int32_t int_lanes __attribute__((vector_size(32)));
typedef float float_lanes __attribute__((vector_size(32)));
typedef struct cells {
    lanes x[3];
} cells;

/* Skilling's transformation of axes into the transposed Hilbert index. At each level, where a bit is set the
 * lower bits of x are inverted, else those of x and of this axis are exchanged. */
static inline __attribute__((always_inline)) void transpose_index(cells *c, unsigned bits)
{
    for (unsigned level = bits - 1; level != 0; level--) {
        const uint32_t lower = (1u << level) - 1;
        for (int axis = 0; axis < 3; axis++) {
            lanes set = -(c->x[axis] >> level & 1); /* all ones or zero */
            lanes exchange = (c->x[0] ^ c->x[axis]) & ~set & lower;
            c->x[0] ^= exchange | (set & lower);
            c->x[axis] ^= exchange;
        }
    }
    /* The Gray code: y ^= x, z ^= y, and where a bit of z is set, all lower bits are inverted. */
    c->x[1] ^= c->x[0];
    c->x[2] ^= c->x[1];
    lanes flips = c->x[2] >> 1;
    for (unsigned shift = 1; shift < bits; shift *= 2)
        flips ^= flips >> shift;
    for (int axis = 0; axis < 3; axis++)
        c->x[axis] ^= flips;
}

/* Two zero bits before each of ten bits. */
static inline __attribute__((always_inline)) void spread(lanes *x)
{
    *x = (*x | *x << 16) & 0x030000ffu;
    *x = (*x | *x << 8) & 0x0300f00fu;
    *x = (*x | *x << 4) & 0x030c30c3u;
    *x = (*x | *x << 2) & 0x09249249u;
}

/* c->x[0] becomes the place on the curve. */
static inline __attribute__((always_inline)) void place(cells *c, unsigned bits)
{
    transpose_index(c, bits);
    for (int axis = 0; axis < 3; axis++)
        spread(&c->x[axis]);
    c->x[0] = c->x[0] << 2 | c->x[1] << 1 | c->x[2];
}

uint32_t bw_hilbert_code(uint32_t x, uint32_t y, uint32_t z, unsigned bits)
{
    cells c = {{{x}, {y}, {z}}};
    place(&c, bits);
    return c.x[0][0];
}

/* The cubes of a grid around centres; a centre is min + max, twice the true one. */
typedef struct grid {
    float low[3];
    float scale;
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
    /* Extents below this need a scale beyond the floats: to be told apart they would have to be denormal. */
    if (!(extent > 0x1p-110))
        return false;
    /* The margin is wider than the three roundings on the way to a cell's number. */
    out->scale = (float)((double)(1u << bits) / extent * (1 - 0x1p-20));
    return true;
}

enum { BATCH = 64 };

static inline __attribute__((always_inline)) void code_batch_any(const grid *g, const float centre[3][BATCH],
                                                                 uint32_t code[BATCH])
{
    for (uint32_t first = 0; first < BATCH; first += LANES) {
        cells c;
        for (int axis = 0; axis < 3; axis++) {
            float_lanes at;
            memcpy(&at, &centre[axis][first], sizeof at);
            at = (at - g->low[axis]) * g->scale; /* below 2^bits, see make_grid */
            c.x[axis] = (lanes) __builtin_convertvector(at, int_lanes);
        }
        place(&c, g->bits);
        memcpy(code + first, &c.x[0], sizeof c.x[0]);
    }
}

static void code_batch_plain(const grid *g, const float centre[3][BATCH], uint32_t code[BATCH])
{
    code_batch_any(g, centre, code);
}

#if BW_SIMD_X86
__attribute__((target("avx2"))) static void code_batch_avx2(const grid *g, const float centre[3][BATCH],
                                                            uint32_t code[BATCH])
{
    code_batch_any(g, centre, code);
}
#endif

/* The keys of up to BATCH boxes. */
static void code_batch(const grid *g, const bw_box *boxes, const uint32_t *indices, uint32_t count,
                       bw_simd simd, uint64_t *out)
{
    float centre[3][BATCH];
    uint32_t code[BATCH];
    for (uint32_t i = 0; i < count; i++) {
        const bw_box *box = &boxes[indices[i]];
        for (int axis = 0; axis < 3; axis++)
            centre[axis][i] = box->min[axis] + box->max[axis];
    }
    for (uint32_t i = count; i < BATCH; i++)
        for (int axis = 0; axis < 3; axis++)
            centre[axis][i] = g->low[axis];
#if BW_SIMD_X86
    if (simd >= BW_SIMD_AVX2)
        code_batch_avx2(g, centre, code);
    else
#endif
        code_batch_plain(g, centre, code);
    (void)simd;
    for (uint32_t i = 0; i < count; i++)
        out[i] = (uint64_t)code[i] << INDEX_BITS | indices[i];
}

/* A stretch of the order: the keys to arrange and the room beside them. */
typedef struct stretch {
    const bw_box *boxes;
    uint64_t *keys, *scratch;
    uint32_t count;
    bw_simd simd;
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
    uint32_t indices[BATCH];
    for (uint32_t first = begin; first < end; first += BATCH) {
        uint32_t count = end - first < BATCH ? end - first : BATCH;
        for (uint32_t i = 0; i < count; i++)
            indices[i] = index_at(s, first + i);
        code_batch(&s->grid, s->boxes, indices, count, s->simd, s->coded + first);
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
    centre_bounds bounds = no_centres;
    for (uint32_t i = 0; i < count; i++)
        add_centre(&bounds, &boxes[BW_HILBERT_INDEX(keys[i])]);
    grid g;
    if (!make_grid(&bounds, FINE_BITS, &g))
        return;
    uint32_t indices[BATCH];
    for (uint32_t first = 0; first < count; first += BATCH) {
        uint32_t some = count - first < BATCH ? count - first : BATCH;
        for (uint32_t i = 0; i < some; i++)
            indices[i] = BW_HILBERT_INDEX(keys[first + i]);
        code_batch(&g, boxes, indices, some, simd, keys + first);
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
                      const bw_allocator *allocator, const bw_tasks *tasks, bw_simd simd)
{
    stretch s = {boxes, keys, scratch, count, bw_simd_level(simd), true, NULL, {{0}, 0, 0}, NULL};
    return order(&s, allocator, tasks);
}
