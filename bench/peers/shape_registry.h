/* One object a shape peer, each in its own file. */
#ifndef BENCH_PEERS_SHAPE_REGISTRY_H
#define BENCH_PEERS_SHAPE_REGISTRY_H

#include "peers/shape_peers.h"

extern const bw_shape_peer shape_peer_fcl, shape_peer_fcl_indep;
extern const bw_shape_peer shape_peer_coal; /* with BENCH_COAL */

#endif
