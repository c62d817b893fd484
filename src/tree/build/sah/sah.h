/* The quality builder: binned surface-area heuristic. */
#ifndef BW_TREE_BUILD_SAH_SAH_H
#define BW_TREE_BUILD_SAH_SAH_H

#include "tree/build/build.h"

/* Makes the corners of large trees, whose memory serves it first; nothing else is filled. */
bw_result bw_wide_build_sah(const bw_wide_desc *desc, const bw_box_source *source, bw_wide_form form,
                            bw_wide *out);

#endif
