/* Solid angles and winding numbers, in long double. */
#ifndef BW_ORACLE_SOLID_ANGLE_H
#define BW_ORACLE_SOLID_ANGLE_H

#include <boxwood/math.h>

/* Of a triangle seen from a point that is not a corner; positive where it turns clockwise seen from there.
 *   A. van Oosterom, J. Strackee, "The solid angle of a plane triangle", 1983. */
long double bw_oracle_solid_angle(const bw_vec3 triangle[3], const bw_vec3 *point);

#endif
