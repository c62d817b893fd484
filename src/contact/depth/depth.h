/* Depths and translations of regions and bodies. */
#ifndef BW_CONTACT_DEPTH_DEPTH_H
#define BW_CONTACT_DEPTH_DEPTH_H

#include "contact/query.h"

/* After the immersion: bounds the depth of every region and of the bodies from below; and from above, by
 * translations that were tried, where depth is wanted or where the tolerance has nothing else to go by. Both
 * trees have primitives. */
bw_result bw_depths_find(bw_contact_query *query);

#endif
