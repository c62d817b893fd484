/* Who shares what; and which stage decides. */
#include "timeline/exact/neighbours.h"

#include "timeline/exact/contact_times.h"
#include "timeline/exact/neighbour_filter.h"

static bool has(const uint32_t *vertices, int count, uint32_t v)
{
    for (int i = 0; i < count; i++)
        if (vertices[i] == v)
            return true;
    return false;
}

/* The corners of one triangle with (or without) a vertex of the other, each vertex once. */
static int gather(const uint32_t own[3], const uint32_t other[3], bool shared, int first, uint8_t out[3])
{
    int count = 0;
    for (int i = 0; i < 3; i++)
        if (!has(own, i, own[i]) && has(other, 3, own[i]) == shared)
            out[count++] = (uint8_t)(first + i);
    return count;
}

uint32_t bw_neighbour_spans(const bw_moving_triangles *pair, bw_contact_span out[BW_SPANS])
{
    uint8_t shared[3], a[3], b[3], corners[BW_PAIR_CORNERS];
    int count = gather(pair->vertices_a, pair->vertices_b, true, 0, shared);
    int own_a = gather(pair->vertices_a, pair->vertices_b, false, 0, a);
    int own_b = gather(pair->vertices_b, pair->vertices_a, false, 3, b);
    if (count == 3) { /* the same triangle twice: in contact whenever it has area */
        out[0] = (bw_contact_span){0, 1, false};
        return bw_exact_has_area(pair) ? 1 : 0;
    }
    if (own_a == 0 || own_b == 0) /* one has nothing beyond what they share */
        return 0;
    /* A triangle of two vertices is the segment between them: its corner counts as both. */
    int at = 0, own = 3 - count;
    for (int i = 0; i < count; i++)
        corners[at++] = shared[i];
    for (int i = 0; i < own; i++)
        corners[at++] = a[i < own_a ? i : 0];
    for (int i = 0; i < own; i++)
        corners[at++] = b[i < own_b ? i : 0];
    bw_pair_kind kind = count == 1 ? BW_PAIR_VERTEX : BW_PAIR_EDGE;
    return bw_neighbours_never_meet(pair, kind, corners) ? 0
                                                         : bw_exact_contact_times(pair, kind, corners, out);
}
