/* One object a world peer, each in its own file. */
#ifndef BENCH_PEERS_WORLD_REGISTRY_H
#define BENCH_PEERS_WORLD_REGISTRY_H

#include "peers/world_peers.h"

extern const bw_world_peer world_peer_bullet;
extern const bw_world_peer world_peer_ode;

#endif
