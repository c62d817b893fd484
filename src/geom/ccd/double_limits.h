/* The numbers of geom/ccd/near_template.h for doubles. */
#ifndef BW_GEOM_CCD_DOUBLE_LIMITS_H
#define BW_GEOM_CCD_DOUBLE_LIMITS_H

#define LANES_TINY 0x1p-1000
#define LANES_HUGE 0x1p1000
#define LANES_AWAY BW_CCD_AWAY_ERROR
#define LANES_SCALE_MIN 0x1p-800
#define LANES_LENGTH_MIN 0x1p-400

#endif
