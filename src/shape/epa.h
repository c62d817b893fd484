/* How deep two cores cross. */
#ifndef BW_SHAPE_EPA_H
#define BW_SHAPE_EPA_H

#include "base/simd/level.h"
#include "shape/gjk.h"

/* From a search that ended inside, or too near for a distance: bounds and a direction, always. kind_only: the
 * bounds need not be near each other where the depth is certainly beyond the margin. The search has the vertices of the
 * nearest face afterwards, for bw_gjk_keep. */
void bw_epa_gap(bw_gjk *g, bool kind_only, bw_gap *out);
void bw_epa_gap_128(bw_gjk *g, bool kind_only, bw_gap *out);
void bw_epa_gap_avx2(bw_gjk *g, bool kind_only, bw_gap *out);

/* The same, of a search that has begun but not run, of cores that have an inside: from the direction between their middles. True
 * where they are found to cross beyond the margin, or to be farther apart than the limit: then only `lower` and its direction
 * are known. False, and nothing changed, elsewhere. */
bool bw_epa_contact(bw_gjk *g, double limit, bw_gap *out);
bool bw_epa_contact_128(bw_gjk *g, double limit, bw_gap *out);
bool bw_epa_contact_avx2(bw_gjk *g, double limit, bw_gap *out);

#endif
