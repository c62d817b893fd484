/* One object a peer, each in its own file. */
#ifndef BENCH_PEERS_REGISTRY_H
#define BENCH_PEERS_REGISTRY_H

#include "peers/peers.h"

extern const bw_peer peer_embree_low, peer_embree_medium; /* triangle geometry: Morton, binned SAH */
extern const bw_peer peer_embree_medium_avx2;             /* the second held to AVX2, for rays */
extern const bw_peer peer_embree_user_low, peer_embree_user_medium; /* the same over boxes of our own */
extern const bw_peer peer_embree_refit;                             /* triangle geometry, refitted */
extern const bw_peer peer_embree_collide;                           /* user geometry, refitted, rtcCollide */
extern const bw_peer peer_fcl_aabb, peer_fcl_obbrss;
extern const bw_peer peer_bullet_gimpact;
extern const bw_peer peer_ode;
extern const bw_peer peer_cgal;

#endif
