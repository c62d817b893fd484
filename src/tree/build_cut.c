/* Where to cut: the surface-area heuristic over the bins. */
#include "tree/build_bins.h"

#include <math.h>

float bw_split_blocks(uint32_t n)
{
    uint64_t sum = 0, blocks = n;
    do {
        blocks = (blocks + BW_WIDTH - 1) / BW_WIDTH;
        sum += blocks;
    } while (blocks > 1);
    return (float)sum;
}

typedef float union8[8]; /* (low, -, negative high, -) */

static inline void unite(union8 a, const union8 b)
{
    for (int i = 0; i < 8; i++)
        a[i] = b[i] < a[i] ? b[i] : a[i];
}

static inline float area_of(const union8 u, float inverse_unit)
{
    float x = -(u[0] + u[4]) * inverse_unit, y = -(u[1] + u[5]) * inverse_unit,
          z = -(u[2] + u[6]) * inverse_unit;
    return (x + y) * z + x * y;
}

/* Running unions along one axis: below[i] of the bins before i, above[i] of i and those after. */
typedef struct sweep {
    const bw_bin_axis *bins;
    union8 below[BW_BINS + 1], above[BW_BINS + 1];
    float area_below[BW_BINS + 1], area_above[BW_BINS + 1];
    uint32_t before[BW_BINS + 1]; /* references in the bins before */
} sweep;

static const union8 nothing = {BW_WIDE_EMPTY, BW_WIDE_EMPTY, BW_WIDE_EMPTY, BW_WIDE_EMPTY,
                               BW_WIDE_EMPTY, BW_WIDE_EMPTY, BW_WIDE_EMPTY, BW_WIDE_EMPTY};

static void copy8(union8 to, const union8 from)
{
    for (int i = 0; i < 8; i++)
        to[i] = from[i];
}

static void run_sweep(sweep *s, const bw_bin_axis *axis, uint32_t bins, float inverse_unit)
{
    s->bins = axis;
    union8 run;
    copy8(run, nothing);
    copy8(s->below[0], run);
    s->before[0] = 0;
    s->area_below[0] = 0;
    for (uint32_t i = 0; i < bins; i++) {
        unite(run, axis->box[i]);
        copy8(s->below[i + 1], run);
        s->before[i + 1] = s->before[i] + axis->count[i];
        s->area_below[i + 1] = area_of(run, inverse_unit);
    }
    copy8(run, nothing);
    copy8(s->above[bins], run);
    s->area_above[bins] = 0;
    for (uint32_t i = bins; i-- > 0;) {
        unite(run, axis->box[i]);
        copy8(s->above[i], run);
        s->area_above[i] = area_of(run, inverse_unit);
    }
}

typedef struct search {
    sweep axis[3];
    const bw_bins *bins;
    float inverse_unit;
    uint32_t total, leaves;
    bool whole; /* the bins hold all references, not a sample: counts are exact, and fill is worth thinking of
                 */
    bw_cut best;
} search;

/* The price of a side that fills so many leaves and nodes. */
static inline float price(const search *s, uint32_t n)
{
    return s->whole ? bw_split_blocks(n) : (float)n;
}

static inline bool affordable(const search *s, uint32_t left)
{
    uint32_t right = s->total - left;
    return !s->whole || (left + BW_WIDTH - 1) / BW_WIDTH + (right + BW_WIDTH - 1) / BW_WIDTH <= s->leaves;
}

/* The areas on both sides of a cut after `left` references, which lie in or at the end of bin `bin`. Within
 * the bin the references are taken to be spread evenly. */
static float cost_within(const search *s, int axis, uint32_t bin, uint32_t left)
{
    const sweep *w = &s->axis[axis];
    uint32_t inside = left - w->before[bin], held = w->before[bin + 1] - w->before[bin];
    float area_left, area_right;
    if (inside == held) {
        area_left = w->area_below[bin + 1];
        area_right = w->area_above[bin + 1];
    } else {
        const float *box = w->bins->box[bin];
        float low = box[axis], high = -box[4 + axis], extent = high - low;
        float width = 0.5f / s->bins->scale[axis]; /* scale measures twice the centre */
        width = width < extent ? width : extent;
        float part = (float)inside / (float)held;
        union8 l, r;
        copy8(l, box);
        l[4 + axis] = -(high - (1 - part) * width);
        unite(l, w->below[bin]);
        copy8(r, box);
        r[axis] = low + part * width;
        unite(r, w->above[bin + 1]);
        area_left = area_of(l, s->inverse_unit);
        area_right = area_of(r, s->inverse_unit);
    }
    return area_left * price(s, left) + area_right * price(s, s->total - left);
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

static bw_box box_of(const union8 u)
{
    return (bw_box){{u[0], u[1], u[2]}, {-u[4], -u[5], -u[6]}};
}

bw_cut bw_bins_cut(const bw_bins *b, uint32_t leaves, bool whole, float inverse_unit)
{
    search s = {.bins = b, .inverse_unit = inverse_unit, .total = b->total, .leaves = leaves, .whole = whole};
    s.best = (bw_cut){.axis = -1, .cost = INFINITY};
    uint32_t unit = BW_WIDTH; /* the largest full subtree below the total */
    while (unit <= (s.total - 1) / BW_WIDTH)
        unit *= BW_WIDTH;
    for (int axis = 0; axis < 3; axis++) {
        run_sweep(&s.axis[axis], &b->axis[axis], b->bins, inverse_unit);
        search_axis(&s, axis, unit);
    }
    if (s.best.axis >= 0) {
        const sweep *w = &s.axis[s.best.axis];
        s.best.left_hint = box_of(w->below[s.best.bin + 1]);
        bool apart = s.best.left == w->before[s.best.bin + 1];
        s.best.right_hint = box_of(w->above[s.best.bin + (apart ? 1 : 0)]);
    }
    return s.best;
}
