/* See ccd_plain_stages.c. */
#define BW_D2_PLAIN
#define bw_ccd_quick bw_ccd_quick_plain

#include "geom/ccd/quick.c"
