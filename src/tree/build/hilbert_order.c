/* The order of boxes along the curve: coded, sorted, and where too many share a cell, coded and sorted again.
 */
#include "base/radix_sort.h"
#include "base/tasks.h"
#include "tree/build/hilbert.h"

#include <math.h>

enum {
    INDEX_BITS = 30,
    GRAIN = BW_RADIX_BLOCK, /* boxes a task */
    FINE_BITS = 10,         /* an axis, of the curves within a cell */
    FEW = 48,               /* below this insertion sorts faster */
    RUN = 64                /* centres that may share a cell: a group of leaves holds them all */
};

/* A stretch of the order: the keys to arrange and the room beside them. */
typedef struct stretch {
    const bw_box_source *source;
    uint64_t *keys, *scratch;
    uint32_t count;
    bool fresh;              /* the keys are not written yet: index i is i */
    bw_centre_bounds *parts; /* one per block of GRAIN boxes */
    bw_hilbert_grid grid;
    uint64_t *coded; /* where the coded keys go; NULL: nothing is coded */
    bw_radix radix;  /* their sort */
    bw_fresh later[2];
} stretch;

/* The indices and centres of up to a batch of keys from `first` on. */
static void centres_at(const stretch *s, uint32_t first, uint32_t count, uint32_t indices[BW_SOURCE_BATCH],
                       bw_centres *out)
{
    for (uint32_t i = 0; i < count; i++)
        indices[i] = s->fresh ? first + i : BW_HILBERT_INDEX(s->keys[first + i]);
    if (s->fresh)
        bw_source_centres(s->source, first, count, out);
    else
        bw_source_centres_of(s->source, indices, count, out);
}

enum { LANES = 8 };

typedef struct lane_bounds {
    float low[3][LANES], high[3][LANES];
} lane_bounds;

static lane_bounds no_bounds(void)
{
    lane_bounds b;
    for (int axis = 0; axis < 3; axis++)
        for (uint32_t lane = 0; lane < LANES; lane++) {
            b.low[axis][lane] = INFINITY;
            b.high[axis][lane] = -INFINITY;
        }
    return b;
}

/* The rest of a short batch repeats its first. */
static void bound_batch(lane_bounds *b, const bw_centres *c)
{
    for (int axis = 0; axis < 3; axis++)
        for (uint32_t i = 0; i < BW_SOURCE_BATCH; i += LANES)
            for (uint32_t lane = 0; lane < LANES; lane++) {
                float x = c->at[axis][i + lane];
                b->low[axis][lane] = x < b->low[axis][lane] ? x : b->low[axis][lane];
                b->high[axis][lane] = x > b->high[axis][lane] ? x : b->high[axis][lane];
            }
}

static bw_centre_bounds join_lanes(const lane_bounds *b)
{
    bw_centre_bounds bounds;
    for (int axis = 0; axis < 3; axis++) {
        bounds.low[axis] = b->low[axis][0];
        bounds.high[axis] = b->high[axis][0];
        for (uint32_t lane = 1; lane < LANES; lane++) {
            bounds.low[axis] = fminf(bounds.low[axis], b->low[axis][lane]);
            bounds.high[axis] = fmaxf(bounds.high[axis], b->high[axis][lane]);
        }
    }
    return bounds;
}

/* The bounds of the centres first .. last - 1; or their codes on a grid, into `coded`, which may be the keys'
 * own place, and the bounds of some of them. */
static bw_centre_bounds scan(const stretch *s, uint32_t first, uint32_t last, const bw_hilbert_grid *grid,
                             uint64_t *coded)
{
    lane_bounds bounds = no_bounds();
    for (; first < last; first += BW_SOURCE_BATCH) {
        uint32_t count = last - first < BW_SOURCE_BATCH ? last - first : BW_SOURCE_BATCH;
        uint32_t indices[BW_SOURCE_BATCH];
        bw_centres c;
        centres_at(s, first, count, indices, &c);
        if (coded == NULL || first % (8 * BW_SOURCE_BATCH) == 0)
            bound_batch(&bounds, &c);
        if (coded != NULL)
            bw_hilbert_code_batch(grid, &c, indices, count, s->source->simd, coded + first);
    }
    return join_lanes(&bounds);
}

static void scan_blocks(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    stretch *s = context;
    for (uint32_t block = begin; block < end; block++) {
        uint32_t first = block * GRAIN, last = s->count - first < GRAIN ? s->count : first + GRAIN;
        s->parts[block] = scan(s, first, last, &s->grid, s->coded);
        if (s->coded != NULL)
            bw_radix_count(&s->radix, block, s->coded + first); /* while they are in the cache */
    }
}

/* The same of all: some in each block. */
static bw_centre_bounds scan_all(stretch *s, uint64_t *coded, const bw_tasks *tasks)
{
    const uint32_t blocks = s->count / GRAIN + (s->count % GRAIN != 0);
    s->coded = coded;
    bw_parallel_first_touch(tasks, scan_blocks, s, blocks, 1, s->later, 2);
    s->later[0] = s->later[1] = (bw_fresh){NULL, 0};
    bw_centre_bounds bounds = s->parts[0];
    for (uint32_t block = 1; block < blocks; block++)
        for (int axis = 0; axis < 3; axis++) {
            bounds.low[axis] = fminf(bounds.low[axis], s->parts[block].low[axis]);
            bounds.high[axis] = fmaxf(bounds.high[axis], s->parts[block].high[axis]);
        }
    return bounds;
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
static void refine(const bw_box_source *source, uint64_t *keys, uint64_t *scratch, uint32_t count)
{
    const stretch s = {.source = source, .keys = keys, .count = count};
    const bw_centre_bounds bounds = scan(&s, 0, count, NULL, NULL);
    bw_hilbert_grid g;
    if (!bw_hilbert_make_grid(&bounds, FINE_BITS, &g))
        return;
    scan(&s, 0, count, &g, keys);
    sort_few(keys, scratch, count);
    for (uint32_t i = 0, end; i < count; i = end) {
        end = run_end(keys, i, count);
        if (end - i > RUN && end - i < count)
            refine(source, keys + i, scratch + i, end - i);
    }
}

typedef struct runs {
    const bw_box_source *source;
    uint64_t *keys, *scratch;
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
        refine(r->source, r->keys + first, r->scratch + first, last - first);
        restore(r->keys + first, last - first, code);
    }
}

static bool order(stretch *s, const bw_allocator *allocator, const bw_tasks *tasks);

/* Whether a run ends in a block: for each of them one word of the scratch. */
static void look_for_runs(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const stretch *s = context;
    for (uint32_t block = begin; block < end; block++) {
        const uint32_t first = block * GRAIN, last = s->count - first < GRAIN ? s->count : first + GRAIN;
        uint32_t found = 0;
        for (uint32_t i = first < RUN ? RUN : first; i < last; i++)
            found += code_of(s->keys[i - RUN]) == code_of(s->keys[i]);
        s->scratch[block] = found;
    }
}

static bool any_runs(stretch *s, const bw_tasks *tasks)
{
    const uint32_t blocks = s->count / GRAIN + (s->count % GRAIN != 0);
    bw_parallel(tasks, look_for_runs, s, blocks, 1);
    uint64_t found = 0;
    for (uint32_t block = 0; block < blocks; block++)
        found |= s->scratch[block];
    return found != 0;
}

/* Runs of equal codes: the small ones side by side, the large ones one after the other, each in parallel. */
static bool order_runs(stretch *s, const bw_allocator *allocator, const bw_tasks *tasks)
{
    if (!any_runs(s, tasks))
        return true;
    uint32_t count = 0;
    for (uint32_t i = 0, end; i < s->count; i = end) {
        end = run_end(s->keys, i, s->count);
        count += end - i > RUN && end - i < s->count;
    }
    if (count == 0)
        return true;
    runs r = {s->source, s->keys, s->scratch, bw_allocate(allocator, count, sizeof *r.ranges)};
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
            stretch part = {.source = s->source,
                            .keys = s->keys + first,
                            .scratch = s->scratch + first,
                            .count = last - first};
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

static float longest_side(const bw_centre_bounds *bounds)
{
    float longest = 0;
    for (int axis = 0; axis < 3; axis++)
        longest = fmaxf(longest, bounds->high[axis] - bounds->low[axis]);
    return longest;
}

/* Codes all keys into `coded`, on the grid that the centres fill. The vertices of a mesh are fewer than its
 * triangles, so their bounds are tried first: that saves a pass unless vertices that no triangle has lie far
 * away, as some of the centres tell. False where all centres coincide. */
static bool code_all(stretch *s, uint64_t *coded, const bw_tasks *tasks)
{
    const unsigned bits = bits_for(s->count);
    bw_centre_bounds bounds;
    if (s->fresh && bw_source_vertex_bounds(s->source, tasks, bounds.low, bounds.high) &&
        bw_hilbert_make_grid(&bounds, bits, &s->grid)) {
        const float side = longest_side(&bounds);
        bounds = scan_all(s, coded, tasks);
        if (longest_side(&bounds) > 0.75f * side)
            return true;
    } else {
        bounds = scan_all(s, NULL, tasks);
    }
    if (!bw_hilbert_make_grid(&bounds, bits, &s->grid))
        return false;
    scan_all(s, coded, tasks);
    return true;
}

/* Codes and sorts. *repeats: more than RUN may share a cell, see bw_radix_run. */
static void arrange(stretch *s, bool *repeats, const bw_tasks *tasks)
{
    const bool even = s->radix.passes % 2 == 0;
    uint64_t *first = even ? s->keys : s->scratch, *second = even ? s->scratch : s->keys;
    *repeats = false;
    if (s->fresh) {
        const bw_fresh others = bw_fresh_of_others(tasks, first, s->count * sizeof *first);
        bw_first_touch(&others);
        s->later[0] = bw_fresh_of_all(tasks, second, s->count * sizeof *second);
    }
    if (code_all(s, first, tasks))
        bw_radix_run(&s->radix, first, second, RUN, repeats, tasks);
    else
        for (uint32_t i = 0; s->fresh && i < s->count; i++)
            s->keys[i] = i;
}

/* Arranges s->keys. False when memory runs out. */
static bool order(stretch *s, const bw_allocator *allocator, const bw_tasks *tasks)
{
    const uint32_t blocks = s->count / GRAIN + (s->count % GRAIN != 0);
    s->parts = bw_allocate(allocator, blocks, sizeof *s->parts);
    const bool good = s->parts != NULL &&
                      bw_radix_begin(&s->radix, s->count, INDEX_BITS, 3 * bits_for(s->count), allocator);
    bool repeats = false;
    if (good) {
        arrange(s, &repeats, tasks);
        bw_radix_end(&s->radix, allocator);
    }
    bw_release(allocator, s->parts, blocks, sizeof *s->parts);
    return good && (!repeats || order_runs(s, allocator, tasks));
}

bool bw_hilbert_order(const bw_box_source *source, uint64_t *keys, uint64_t *scratch, bw_fresh later,
                      const bw_allocator *allocator, const bw_tasks *tasks)
{
    stretch s = {.source = source, .count = source->count, .fresh = true};
    s.keys = keys;
    s.scratch = scratch;
    s.later[1] = later;
    return order(&s, allocator, tasks);
}
