/* How deep two cores cross. */
#ifndef BW_SHAPE_EPA_H
#define BW_SHAPE_EPA_H

#include "shape/gjk.h"

/* From a search that ended inside, or too near for a distance: bounds and a direction, always. kind_only: the
 * bounds need not be near each other where the depth is certainly beyond the margin. The search has the vertices of the
 * nearest face afterwards, for bw_gjk_keep. */
void bw_epa_gap(bw_gjk *g, bool kind_only, bw_gap *out);

#endif
