/* Pieces of time in which a motion is as good as straight. */
#include "kinetic/segment/pieces.h"

#include "geom/vec.h"

/* The second derivative is linear, so it is largest at an end. */
static double curvature_of(const bw_motion *motion)
{
    double most = 0;
    for (uint32_t v = 0; v < motion->vertex_count && motion->kind == BW_MOTION_PLANS; v++) {
        const bw_plan *plan = &motion->plans[v];
        for (int axis = 0; axis < 3; axis++) {
            double b = bw_vec3_at(&plan->c[2], axis), c = bw_vec3_at(&plan->c[3], axis);
            most = fmax(most, fabs(b + 3 * c * (motion->begin - plan->origin)));
            most = fmax(most, fabs(b + 3 * c * (motion->end - plan->origin)));
        }
    }
    return most;
}

/* A curve leaves its chord by at most an eighth of the second derivative and the square of the time. */
static double bend_within(const bw_pieces *p, double length)
{
    return p->curvature * length * length / 4;
}

bw_pieces bw_pieces_of(const bw_motion *motion, const bw_wide *tree, uint32_t least)
{
    enum { MOST = 4096 };
    bw_pieces p = {.motion = motion, .curvature = curvature_of(motion)};
    bw_motion_span(motion, &p.begin, &p.end);
    double extent = 0;
    for (int axis = 0; axis < 3; axis++)
        extent = fmax(extent, (double)tree->bounds.max[axis] - (double)tree->bounds.min[axis]);
    double allowed = 0.25 * extent / sqrt(tree->primitive_count + 1.0);
    double bend = bend_within(&p, p.end - p.begin), pieces = bend > 0 ? ceil(sqrt(bend / allowed)) : 1;
    pieces = fmax(pieces, least);
    p.count = pieces < MOST ? (uint32_t)pieces : MOST;
    return p;
}

static double border(const bw_pieces *p, uint32_t k)
{
    return k >= p->count ? p->end : p->begin + (p->end - p->begin) * ((double)k / p->count);
}

bw_piece bw_piece_at(const bw_pieces *p, double time)
{
    if (p->motion->kind == BW_MOTION_KEYFRAMES) {
        uint32_t segment = bw_motion_segment(p->motion, time);
        return (bw_piece){segment, p->motion->times[segment], p->motion->times[segment + 1], 0};
    }
    double part = p->end > p->begin ? floor((time - p->begin) / (p->end - p->begin) * p->count) : 0;
    uint32_t k = part < p->count - 1.0 ? (uint32_t)fmax(part, 0) : p->count - 1;
    while (k > 0 && border(p, k) > time) /* rounded */
        k--;
    while (k + 1 < p->count && border(p, k + 1) <= time)
        k++;
    return (bw_piece){k, border(p, k), border(p, k + 1), bend_within(p, border(p, k + 1) - border(p, k))};
}
