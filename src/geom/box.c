/* Boxes of floats around points, rounded outward. */
#include "geom/box.h"

bw_box bw_box_of_points(const bw_vec3 *points, size_t count)
{
    if (count == 0)
        return bw_box_empty();
    bw_vec3 low = points[0], high = points[0];
    for (size_t i = 1; i < count; i++) {
        const bw_vec3 *p = &points[i];
        low.x = p->x < low.x ? p->x : low.x;
        low.y = p->y < low.y ? p->y : low.y;
        low.z = p->z < low.z ? p->z : low.z;
        high.x = p->x > high.x ? p->x : high.x;
        high.y = p->y > high.y ? p->y : high.y;
        high.z = p->z > high.z ? p->z : high.z;
    }
    return (bw_box){{bw_float_down(low.x), bw_float_down(low.y), bw_float_down(low.z)},
                    {bw_float_up(high.x), bw_float_up(high.y), bw_float_up(high.z)}};
}

bool bw_box_overlaps(const bw_box *a, const bw_box *b)
{
    /* An empty box has a min above its max and so overlaps nothing, not even one that spans that gap. */
    for (int i = 0; i < 3; i++) {
        float low = a->min[i] > b->min[i] ? a->min[i] : b->min[i];
        float high = a->max[i] < b->max[i] ? a->max[i] : b->max[i];
        if (!(low <= high))
            return false;
    }
    return true;
}
