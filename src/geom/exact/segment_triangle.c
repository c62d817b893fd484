/* The public test of a segment against a triangle. */
#include "geom/simplex.h"

bw_contact_kind bw_segment_triangle(const bw_vec3 *p, const bw_vec3 *q, const bw_vec3 triangle[3])
{
    bool exact = false;
    /* Both ends strictly on one side of the plane: the common answer, before anything is sorted out. */
    int sign_p = bw_orient3d_counted(&triangle[0], &triangle[1], &triangle[2], p, &exact);
    int sign_q = bw_orient3d_counted(&triangle[0], &triangle[1], &triangle[2], q, &exact);
    if (sign_p * sign_q > 0)
        return BW_CONTACT_NONE;
    bw_simplex segment, shape;
    bw_simplex_of_segment(p, q, &segment);
    bw_simplex_of_triangle(triangle, &shape, &exact);
    return bw_simplex_contact(&shape, &segment, &exact);
}
