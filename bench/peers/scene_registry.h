/* One object a scene peer, each in its own file. */
#ifndef BENCH_PEERS_SCENE_REGISTRY_H
#define BENCH_PEERS_SCENE_REGISTRY_H

#include "peers/scene_peers.h"

extern const bw_scene_peer scene_peer_bullet_dbvt;
extern const bw_scene_peer scene_peer_embree_collide;

#endif
