/* A build without the other libraries. */
#include "peers/peers.h"
#include "peers/scene_peers.h"
#include "peers/shape_peers.h"
#include "peers/world_peers.h"

const bw_peer *const bw_peers[] = {NULL};
const bw_scene_peer *const bw_scene_peers[] = {NULL};
const bw_shape_peer *const bw_shape_peers[] = {NULL};
const bw_world_peer *const bw_world_peers[] = {NULL};
