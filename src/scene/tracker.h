/* What incremental pairs remember between two calls: the pairs that were reported, as lists by object, and
 * the objects that changed since. All functions do nothing in a scene that does not track pairs. */
#ifndef BW_SCENE_TRACKER_H
#define BW_SCENE_TRACKER_H

#include "scene/scene.h"

bool bw_tracker_create(bw_scene *scene);
void bw_tracker_destroy(bw_scene *scene);
/* Room for so many further objects, so that bw_tracker_touch cannot fail. */
bool bw_tracker_reserve(bw_scene *scene, uint32_t more);
/* The object at an index came, went or moved. */
void bw_tracker_touch(bw_scene *scene, uint32_t index);
size_t bw_tracker_bytes(const bw_scene *scene);
const char *bw_tracker_check(const bw_scene *scene);

#endif
