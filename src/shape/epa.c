/* The expanding polytope, registers of two doubles, and the choice of the level. */
#define WIDE_LEVEL 2
#define EPA_GAP bw_epa_gap_128
#define EPA_CONTACT bw_epa_contact_128
#include "shape/epa_template.h"

bool bw_epa_contact(bw_gjk *g, double limit, bw_gap *out)
{
    return BW_SIMD_PICK(bw_simd_level(BW_SIMD_AUTO), bw_epa_contact)(g, limit, out);
}

void bw_epa_gap(bw_gjk *g, bool kind_only, bw_gap *out)
{
    BW_SIMD_PICK(bw_simd_level(BW_SIMD_AUTO), bw_epa_gap)(g, kind_only, out);
}
