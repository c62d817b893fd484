/* Polygons that touch themselves, cut corner by corner. */
#ifndef TOOL_IO_POLYGON_EARS_H
#define TOOL_IO_POLYGON_EARS_H

#include "io/polygon/plane.h"

/* True: every triangle turns the way the polygon does, or has no area, and no corner is inside one: polygons
 * whose edges meet but do not cross (holes joined by a bridge, spikes, corners in one place) are tiled.
 * False: there is no such cut. */
bool ears_cut(plane_polygon *polygon);

#endif
