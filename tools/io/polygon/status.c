/* Rotations keep the heap of priorities; the order is told by the links alone. */
#include "io/polygon/status.h"

static uint32_t priority(uint32_t it)
{
    it = (it ^ it >> 16) * 0x7feb352dU;
    it = (it ^ it >> 15) * 0x846ca68bU;
    return it ^ it >> 16;
}

static void set_child(status *s, uint32_t parent, uint32_t old, uint32_t it)
{
    if (parent == BW_NONE)
        s->root = it;
    else
        s->all[parent].child[s->all[parent].child[1] == old] = it;
    if (it != BW_NONE)
        s->all[it].above = parent;
}

/* Puts a node in the place of its parent. */
static void rotate_up(status *s, uint32_t it)
{
    interval *all = s->all;
    uint32_t parent = all[it].above;
    int side = all[parent].child[1] == it;
    uint32_t inner = all[it].child[1 - side];
    set_child(s, all[parent].above, parent, it);
    all[it].child[1 - side] = parent;
    all[parent].above = it;
    all[parent].child[side] = inner;
    if (inner != BW_NONE)
        all[inner].above = parent;
}

uint32_t status_insert(status *s, uint32_t below)
{
    interval *all = s->all;
    uint32_t it = s->count++, after = below == BW_NONE ? s->lowest : all[below].neighbour[1];
    all[it] = (interval){.child = {BW_NONE, BW_NONE}, .above = BW_NONE, .neighbour = {below, after}};
    if (below != BW_NONE)
        all[below].neighbour[1] = it;
    else
        s->lowest = it;
    if (after != BW_NONE)
        all[after].neighbour[0] = it;
    /* Of two neighbours in order, one has no child on the other's side. */
    if (below == BW_NONE && after == BW_NONE) {
        s->root = it;
        return it;
    }
    bool right = below != BW_NONE && all[below].child[1] == BW_NONE;
    uint32_t parent = right ? below : after;
    all[parent].child[right] = it;
    all[it].above = parent;
    while (all[it].above != BW_NONE && priority(all[it].above) < priority(it))
        rotate_up(s, it);
    return it;
}

void status_remove(status *s, uint32_t it)
{
    interval *all = s->all;
    for (;;) {
        uint32_t left = all[it].child[0], right = all[it].child[1];
        if (left == BW_NONE || right == BW_NONE) {
            set_child(s, all[it].above, it, left == BW_NONE ? right : left);
            break;
        }
        rotate_up(s, priority(left) > priority(right) ? left : right);
    }
    uint32_t before = all[it].neighbour[0], after = all[it].neighbour[1];
    if (before != BW_NONE)
        all[before].neighbour[1] = after;
    else
        s->lowest = after;
    if (after != BW_NONE)
        all[after].neighbour[0] = before;
}
