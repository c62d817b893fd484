/* See ccd_plain_stages.c. */
#define BW_D2_PLAIN
#define bw_ccd_cubic_twofold bw_ccd_cubic_plain
#define bw_ccd_inside_twofold bw_ccd_inside_plain
#define bw_ccd_areas_twofold bw_ccd_areas_plain

#include "geom/ccd/moving.c"
