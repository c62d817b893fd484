/* Polygons into triangles. */
#ifndef TOOL_IO_TRIANGULATE_H
#define TOOL_IO_TRIANGULATE_H

#include <boxwood/math.h>

/* Cuts a polygon of count >= 3 corners into count - 2 triangles, written as places in `corners` (three a
 * triangle). Seen along its normal (Newell's) every triangle turns the way the polygon does, or has no area.
 * scratch: room for count elements. Returns false if the polygon is not simple: it is then a fan from its
 * first corner. */
bool triangulate(const bw_vec3 *corners, uint32_t count, uint32_t *scratch, uint32_t (*triangles)[3]);

#endif
