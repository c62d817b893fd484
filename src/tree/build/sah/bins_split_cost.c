/* Where to cut: the surface-area heuristic over the bins. */
#include "tree/build/aabb.h"
#include "tree/build/sah/bins.h"

#include <math.h>

/* The nodes and leaves of eight that n references need at least. */
static float blocks_for(uint32_t n)
{
    uint64_t sum = 0, blocks = n;
    do {
        blocks = (blocks + BW_WIDTH - 1) / BW_WIDTH;
        sum += blocks;
    } while (blocks > 1);
    return (float)sum;
}

/* Running unions along one axis: below[i] of the bins before i, above[i] of i and those after. */
typedef struct sweep {
    const bw_bin_axis *bins;
    bw_aabb below[BW_BINS + 1], above[BW_BINS + 1];
    float area_below[BW_BINS + 1], area_above[BW_BINS + 1];
    uint32_t before[BW_BINS + 1]; /* references in the bins before */
} sweep;

static void run_sweep(sweep *s, const bw_bin_axis *axis, uint32_t bins, float inverse_unit)
{
    s->bins = axis;
    bw_aabb run = bw_aabb_empty();
    s->below[0] = run;
    s->before[0] = 0;
    s->area_below[0] = 0;
    for (uint32_t i = 0; i < bins; i++) {
        bw_aabb bin = bw_aabb_load(axis->box[i]);
        bw_aabb_add(&run, &bin);
        s->below[i + 1] = run;
        s->before[i + 1] = s->before[i] + axis->count[i];
        s->area_below[i + 1] = bw_aabb_area(&run, inverse_unit);
    }
    run = bw_aabb_empty();
    s->above[bins] = run;
    s->area_above[bins] = 0;
    for (uint32_t i = bins; i-- > 0;) {
        bw_aabb bin = bw_aabb_load(axis->box[i]);
        bw_aabb_add(&run, &bin);
        s->above[i] = run;
        s->area_above[i] = bw_aabb_area(&run, inverse_unit);
    }
}

typedef struct search {
    sweep axis[3];
    const bw_bins *bins;
    float inverse_unit;
    uint32_t total, leaves;
    bool whole; /* the bins hold all references, not a sample: counts are exact, and fill is worth thinking of
                 */
    bw_best_split best;
} search;

/* The price of a side that fills so many leaves and nodes. */
static inline float price(const search *s, uint32_t n)
{
    return s->whole ? blocks_for(n) : (float)n;
}

static inline bool affordable(const search *s, uint32_t left)
{
    uint32_t right = s->total - left;
    return !s->whole || (left + BW_WIDTH - 1) / BW_WIDTH + (right + BW_WIDTH - 1) / BW_WIDTH <= s->leaves;
}

/* The cost of a cut after `left` references, which lies in bin `bin` or at its end. Within the bin the
 * references are taken to be spread evenly. */
static float cost_within(const search *s, int axis, uint32_t bin, uint32_t left)
{
    const sweep *w = &s->axis[axis];
    uint32_t inside = left - w->before[bin], held = w->before[bin + 1] - w->before[bin];
    float price_left = price(s, left), price_right = price(s, s->total - left);
    if (inside == held)
        return w->area_below[bin + 1] * price_left + w->area_above[bin + 1] * price_right;
    if (w->area_below[bin] * price_left + w->area_above[bin + 1] * price_right >= s->best.cost)
        return INFINITY; /* even without the references of this bin */
    const int along = s->bins->which[axis];
    _Alignas(16) float box[8];
    for (int i = 0; i < 8; i++)
        box[i] = w->bins->box[bin][i];
    float low = box[along], high = -box[4 + along], extent = high - low;
    float width = 0.5f / s->bins->scale[axis]; /* scale measures twice the centre */
    width = width < extent ? width : extent;
    float part = (float)inside / (float)held;
    box[4 + along] = -(high - (1 - part) * width);
    bw_aabb l = bw_aabb_load(box);
    bw_aabb_add(&l, &w->below[bin]);
    box[4 + along] = -high;
    box[along] = low + part * width;
    bw_aabb r = bw_aabb_load(box);
    bw_aabb_add(&r, &w->above[bin + 1]);
    return bw_aabb_area(&l, s->inverse_unit) * price_left + bw_aabb_area(&r, s->inverse_unit) * price_right;
}

static void consider(search *s, int axis, uint32_t bin, uint32_t left)
{
    if (left == 0 || left >= s->total || !affordable(s, left))
        return;
    while (s->axis[axis].before[bin] >= left)
        bin--;
    while (s->axis[axis].before[bin + 1] < left)
        bin++;
    float cost = cost_within(s, axis, bin, left);
    if (cost < s->best.cost) {
        s->best.cost = cost;
        s->best.axis = axis;
        s->best.bin = bin;
        s->best.left = left;
    }
}

/* The multiples of unit next to `left`, counted from the left and from the right end. */
static void consider_near(search *s, int axis, uint32_t bin, uint32_t left, uint32_t unit)
{
    uint32_t rest = s->total % unit, down = left - left % unit;
    consider(s, axis, bin, down);
    consider(s, axis, bin, down + unit);
    if (rest != 0) {
        down = left < rest ? 0 : left - (left - rest) % unit;
        consider(s, axis, bin, down);
        consider(s, axis, bin, down + unit);
    }
}

/* The boundary between bins with the smallest area times references. */
static uint32_t best_boundary(const sweep *w, uint32_t bins, uint32_t total)
{
    float best = INFINITY;
    uint32_t at = 0;
    for (uint32_t i = 1; i < bins; i++) {
        uint32_t left = w->before[i];
        float cost = w->area_below[i] * (float)left + w->area_above[i] * (float)(total - left);
        bool better = left != 0 && left != total && cost < best;
        best = better ? cost : best;
        at = better ? i : at;
    }
    return at;
}

static void search_axis(search *s, int axis, uint32_t unit)
{
    const sweep *w = &s->axis[axis];
    uint32_t boundary = best_boundary(w, s->bins->bins, s->total);
    if (boundary == 0)
        return;
    consider(s, axis, boundary - 1, w->before[boundary]);
    if (!s->whole)
        return;
    consider_near(s, axis, boundary - 1, w->before[boundary], unit / BW_WIDTH);
    uint32_t rest = s->total % unit;
    for (uint32_t left = unit; left < s->total; left += unit)
        consider(s, axis, boundary - 1, left);
    if (rest != 0)
        for (uint32_t left = rest; left < s->total; left += unit)
            consider(s, axis, boundary - 1, left);
}

bw_best_split bw_bins_best_split(const bw_bins *b, uint32_t leaves, bool whole, float inverse_unit)
{
    search s;
    s.bins = b;
    s.inverse_unit = inverse_unit;
    s.total = b->total;
    s.leaves = leaves;
    s.whole = whole;
    s.best = (bw_best_split){.axis = -1, .cost = INFINITY};
    uint32_t unit = BW_WIDTH; /* the largest full subtree below the total */
    while (unit <= (s.total - 1) / BW_WIDTH)
        unit *= BW_WIDTH;
    for (int axis = 0; axis < (int)b->axes; axis++) {
        run_sweep(&s.axis[axis], &b->axis[axis], b->bins, inverse_unit);
        search_axis(&s, axis, unit);
    }
    if (s.best.axis >= 0) {
        uint32_t held = b->axis[s.best.axis].count[s.best.bin];
        float best = s.best.cost;
        s.best.cost = INFINITY;
        s.best.loose = cost_within(&s, s.best.axis, s.best.bin, s.best.left - held / 2) < 1.02f * best;
        s.best.cost = best;
        const sweep *w = &s.axis[s.best.axis];
        s.best.left_hint = bw_aabb_box(&w->below[s.best.bin + 1]);
        bool apart = s.best.left == w->before[s.best.bin + 1];
        s.best.right_hint = bw_aabb_box(&w->above[s.best.bin + (apart ? 1 : 0)]);
    }
    return s.best;
}
