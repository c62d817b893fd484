/* Vertices at one place made one, so that edges join what formats without shared vertices keep apart. */
#ifndef TOOL_WELD_H
#define TOOL_WELD_H

#include <boxwood/mesh.h>

/* Writes to out[v] the first vertex whose three coordinates equal those of v (0 equals -0; NaN equals
 * nothing), and returns how many different ones there are. out: room for mesh->vertex_count. */
uint32_t weld_equal(const bw_mesh *mesh, uint32_t *out);

/* Parts classes of vertices, each named by its first: afterwards two are in one where they were in one both
 * in classes and in other. Returns how many classes there are. */
uint32_t weld_refine(uint32_t *classes, const uint32_t *other, uint32_t count);

/* Whether every edge of the triangles has two of them, vertices at one place taken as one. What cannot be
 * told (an allocation failed) counts as open: nothing is then said to be inside. */
bool weld_closed(const bw_mesh *mesh);

#endif
