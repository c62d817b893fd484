/* Best-first search for the objects that a ray meets first, or that are nearest to a box. */
#ifndef BW_SCENE_NEAREST_H
#define BW_SCENE_NEAREST_H

#include <boxwood/scene.h>

/* The hit_capacity first objects along the ray or, where ray is NULL, nearest to the box around (min x, y,
 * z, max x, y, z; by the square of the distance), in order: equals by id, then path. desc may be NULL. */
bw_result bw_scene_search_first(const bw_scene *scene, const bw_ray *ray, const double around[6],
                                const bw_scene_search *desc, bw_scene_hit *hits, uint32_t hit_capacity,
                                uint32_t *hit_count);

#endif
