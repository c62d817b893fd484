/* Facets of the difference, registers of four floats, and the choice of the level. */
#define WIDE_LEVEL 2
#define AXES_CONTACT bw_axes_contact_128
#include "shape/axes/axes_template.h"

bool bw_axes_contact(bw_gjk *g, double limit, bw_gap *out)
{
    return BW_SIMD_PICK(bw_simd_level(BW_SIMD_AUTO), bw_axes_contact)(g, limit, out);
}
