/* Polygons into triangles. */
#ifndef TOOL_IO_TRIANGULATE_H
#define TOOL_IO_TRIANGULATE_H

#include <boxwood/math.h>

/* Cuts a polygon of count >= 3 corners into count - 2 triangles, written as places in `corners` (three per
 * triangle), in O(count log count) where no corner touches another part of it. Seen along its normal
 * (Newell's) every triangle turns the way the polygon does; where the polygon touches itself or has no area,
 * some may have no area. Returns false if its edges cross: it is then a fan from its first corner. */
bool triangulate(const bw_vec3 *corners, uint32_t count, uint32_t (*triangles)[3]);

#endif
