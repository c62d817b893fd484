/* From distances in the grid of one body to those of two in the world. */
#include "collide/clearance/bodies.h"

#include "collide/pair/kernels.h"
#include "collide/separation/separation.h"
#include "tree/kind.h"

#include <math.h>

typedef struct bodies {
    bw_relative_pose pose;
    bw_separation separation;
    bw_clearance_view view;
} bodies;

static bool has_grid(const bw_body *body)
{
    return body->tree->kind == &bw_kind_wide && body->tree->wide.clearance != NULL;
}

static bool look(bodies *p, bw_simd level, const bw_body *a, const bw_body *b, double distance)
{
    if ((!has_grid(a) && !has_grid(b)) || a->tree->kind != b->tree->kind || a->tree->primitives == 0 ||
        b->tree->primitives == 0 || bw_relative_pose_between(a, b, &p->pose) != BW_OK ||
        bw_separation_prepare(&p->separation, distance, a, b, &p->pose) != BW_OK)
        return false;
    p->pose.separation = &p->separation;
    return bw_clearance_view_init(&p->view, &a->tree->wide, &b->tree->wide, &p->pose,
                                  bw_wide_kernels_for(bw_simd_level(level)));
}

bool bw_clearance_beyond(bw_simd level, const bw_body *a, const bw_body *b, double distance)
{
    bodies p;
    return look(&p, level, a, b, distance) && bw_clearance_near(&p.view, p.view.reach) == 0;
}

bw_clearance_bounds bw_clearance_between(bw_simd level, const bw_body *a, const bw_body *b)
{
    bodies p;
    if (!look(&p, level, a, b, 0.0))
        return (bw_clearance_bounds){0.0, INFINITY};
    const bw_clearance_bounds in_a = bw_clearance_distance(&p.view);
    const double low = in_a.low / p.separation.stretch * (1.0 - 0x1p-40) - p.separation.error;
    return (bw_clearance_bounds){low > 0.0 ? low : 0.0,
                                 in_a.high * p.separation.norm * (1.0 + 0x1p-40) + p.separation.error};
}
