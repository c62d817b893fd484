/* A body in the grid of another: its boxes from the root down, as long as that can tell more. */
#include "collide/clearance/clearance.h"

#include "collide/pair/kernels.h"
#include "collide/separation/separation.h"
#include "geom/box.h"
#include "tree/wide/deferred.h"

#include <float.h>
#include <math.h>

/* Nodes that are looked at below one child of the root before it counts as near. */
enum { NODES = 8 };

/* The lanes of a node's children that may be nearer than the reach. */
static uint32_t near_lanes(const bw_clearance_view *view, uint32_t index, float reach,
                           bw_clearance_eight *eight)
{
    const bw_wide_node *node = &view->other->nodes[index];
    uint32_t near = 0;
    bw_wide_need_node(view->other, index);
    view->kernels->clearance(view, node, eight);
    for (uint32_t lane = 0; lane < node->count; lane++)
        near |= (uint32_t) !(eight->low[lane] > reach) << lane;
    return near;
}

/* Whether all below a child that is too large to tell is farther away than the reach: by its own children, as
 * long as these are larger than what the grid resolves. */
static bool parts_are_free(const bw_clearance_view *view, uint32_t ref, float reach)
{
    uint32_t stack[NODES * BW_WIDTH], count = 0, visited = 0;
    bw_clearance_eight eight;
    if ((ref & BW_WIDE_LEAF) != 0)
        return false;
    stack[count++] = ref;
    while (count > 0) {
        const uint32_t index = stack[--count];
        if (visited++ == NODES)
            return false;
        for (uint32_t near = near_lanes(view, index, reach, &eight); near != 0; near &= near - 1) {
            const uint32_t lane = bw_wide_lowest(near), child = view->other->nodes[index].child[lane];
            if ((child & BW_WIDE_LEAF) != 0 || eight.radius[lane] < 1.0f)
                return false;
            stack[count++] = child;
        }
    }
    return true;
}

uint32_t bw_clearance_near(const bw_clearance_view *view, float reach)
{
    bw_clearance_eight eight;
    const bw_wide_node *root = &view->other->nodes[0];
    uint32_t near = near_lanes(view, 0, reach, &eight), left = near;
    for (; left != 0; left &= left - 1) {
        const uint32_t lane = bw_wide_lowest(left);
        if (eight.radius[lane] > 1.0f && parts_are_free(view, root->child[lane], reach))
            near &= ~(1u << lane);
    }
    return near;
}

bw_clearance_bounds bw_clearance_distance(const bw_clearance_view *view)
{
    bw_clearance_eight eight;
    float low = INFINITY, high = INFINITY;
    bw_wide_need_node(view->other, 0);
    view->kernels->clearance(view, &view->other->nodes[0], &eight);
    for (uint32_t lane = 0; lane < view->other->nodes[0].count; lane++) {
        low = eight.low[lane] < low ? eight.low[lane] : low;
        high = eight.high[lane] < high ? eight.high[lane] : high;
    }
    return (bw_clearance_bounds){low > 0.0f ? (double)low * view->low : 0.0, (double)high * view->high};
}

/* Takes the map over in cells. False where floats do not do. */
static bool set_map(bw_clearance_view *view, const bw_transform *map, double lost)
{
    const double inverse = 1.0 / view->grid->cell;
    double size = 0.0, linear[3][3];
    for (int i = 0; i < 3; i++) {
        double row = fabs(map->m[i][3]) + fabs(view->grid->min[i]);
        for (int j = 0; j < 3; j++) {
            const bw_box *box = &view->other->bounds;
            linear[i][j] = map->m[i][j] * inverse;
            row += fabs(map->m[i][j]) * fmax(fabs((double)box->min[j]), fabs((double)box->max[j]));
            view->m[i][j] = (float)linear[i][j];
        }
        size += row * inverse;
        view->t[i] = (float)((map->m[i][3] - view->grid->min[i]) * inverse);
    }
    const double stretch = bw_linear_norm(linear) * (1.0 + 2.0 * lost);
    /* The map takes about ten roundings of 2^-24 of the size, what follows about as many of what is smaller;
     * doubles on the way are far below. */
    view->slack = bw_float_up((0x1p-20 + 4.0 * lost) * size);
    view->stretch = bw_float_up(stretch * (1.0 + 0x1p-20));
    return size < 0x1p20 && stretch < 0x1p60 && stretch > 0x1p-60;
}

bool bw_clearance_view_init(bw_clearance_view *view, const bw_wide *a, const bw_wide *b,
                            const bw_relative_pose *pose, const struct bw_wide_kernels *kernels)
{
    if (a->clearance == NULL && b->clearance == NULL)
        return false;
    view->of_a = a->clearance != NULL && (b->clearance == NULL || a->leaf_count >= b->leaf_count);
    view->grid = view->of_a ? a->clearance : b->clearance;
    view->other = view->of_a ? b : a;
    view->kernels = kernels;
    const double far = pose->separation != NULL ? pose->separation->far : 0.0;
    double lost = 0.0, shrink = 1.0, grow = 1.0;
    bw_transform map = pose->map;
    if (!view->of_a && !pose->identity) {
        double linear[3][3], inverse[3][3];
        if (bw_transform_invert(&pose->map, &map) != BW_OK)
            return false;
        bw_linear_part(&pose->map, linear);
        bw_linear_part(&map, inverse);
        lost = bw_inverse_error(inverse, linear);
        shrink = bw_linear_norm(inverse) * (1.0 + 2.0 * lost);
        grow = bw_linear_norm(linear);
        if (!(lost < 0x1p-20))
            return false;
    }
    if (!set_map(view, &map, lost))
        return false;
    view->low = view->grid->cell / shrink * (1.0 - 0x1p-20);
    view->high = view->grid->cell * grow * (1.0 + 0x1p-20);
    const double reach = far * shrink / view->grid->cell * (1.0 + 0x1p-20);
    view->reach = reach < (double)FLT_MAX ? bw_float_up(reach) : INFINITY;
    return view->reach < INFINITY;
}
