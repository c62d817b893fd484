/* The peers that were built in, in the order in which they are measured. */
#include "peers/registry.h"
#include "peers/scene_registry.h"
#include "peers/shape_registry.h"
#include "peers/world_registry.h"

const bw_peer *const bw_peers[] = {
    &peer_embree_low,
    &peer_embree_medium,
    &peer_embree_medium_avx2,
    &peer_embree_user_low,
    &peer_embree_user_medium,
    &peer_embree_refit,
    &peer_embree_collide,
    &peer_fcl_aabb,
    &peer_fcl_obbrss,
    &peer_bullet_gimpact,
    &peer_ode,
    &peer_cgal,
    nullptr,
};

const bw_scene_peer *const bw_scene_peers[] = {&scene_peer_bullet_dbvt, &scene_peer_embree_collide, nullptr};

const bw_shape_peer *const bw_shape_peers[] = {
    &shape_peer_fcl,
    &shape_peer_fcl_indep,
#ifdef BENCH_COAL
    &shape_peer_coal,
#endif
    nullptr,
};
const bw_world_peer *const bw_world_peers[] = {&world_peer_bullet, &world_peer_ode, nullptr};
