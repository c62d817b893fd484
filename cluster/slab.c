/* Shares of the search for pairs of boxes that meet: slabs of a grid along the longest side of what boxes begin in. */
#include "order.h"

enum { CELLS = 4096 };

static uint32_t cell_of(const cluster_slab *s, float at)
{
    const double cell = ((double)at - s->low) * s->scale;
    return cell > 0 ? cell < CELLS - 1 ? (uint32_t)cell : CELLS - 1 : 0;
}

cluster_slab cluster_slab_of(const bw_box *boxes, size_t box_count, uint32_t share, uint32_t shares)
{
    cluster_slab s = {.end = CELLS};
    double longest = 0;
    for (int k = 0; k < 3; k++) {
        double low = 0, high = 0;
        for (size_t i = 0; i < box_count; i++) {
            const double at = (double)boxes[i].min[k];
            low = i == 0 || at < low ? at : low;
            high = i == 0 || at > high ? at : high;
        }
        if (high - low > longest) {
            longest = high - low;
            s.axis = k;
            s.low = low;
            s.scale = CELLS / longest;
        }
    }
    /* Cells that begin with a share of the boxes before them begin a slab; the first slab begins at the first cell. */
    uint32_t counts[CELLS] = {0};
    uint64_t until = 0;
    bool begun = share == 0;
    for (size_t i = 0; i < box_count; i++)
        counts[cell_of(&s, boxes[i].min[s.axis])]++;
    for (uint32_t cell = 0; cell < CELLS; cell++) {
        const uint64_t slab = box_count > 0 ? until * shares / box_count : 0;
        if (!begun && slab >= share) {
            s.first = cell;
            begun = true;
        }
        if (slab > share) {
            s.end = cell;
            break;
        }
        until += counts[cell];
    }
    if (!begun)
        s.first = s.end = CELLS;
    return s;
}

bool cluster_slab_touches(const cluster_slab *s, const bw_box *box)
{
    return cell_of(s, box->min[s->axis]) < s->end && cell_of(s, box->max[s->axis]) >= s->first;
}

bool cluster_slab_owns(const cluster_slab *s, const bw_box *a, const bw_box *b)
{
    const float begin = a->min[s->axis] > b->min[s->axis] ? a->min[s->axis] : b->min[s->axis];
    const uint32_t cell = cell_of(s, begin);
    return cell >= s->first && cell < s->end;
}
