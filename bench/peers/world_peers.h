/* Other libraries' worlds of many bodies, collision only, behind one interface in C: what the bench world-step compares with. */
#ifndef BENCH_WORLD_PEERS_H
#define BENCH_WORLD_PEERS_H

#include <boxwood/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bw_peer_kind {
    BW_PEER_SPHERE,
    BW_PEER_CAPSULE,
    BW_PEER_BOX,
    BW_PEER_HULL,
    BW_PEER_MESH
} bw_peer_kind;

typedef struct bw_peer_body {
    bw_peer_kind kind;
    double radius;       /* sphere, capsule */
    bw_vec3 half;        /* box; capsule: z */
    const bw_mesh *mesh; /* mesh; hull: its surface */
    uint32_t model;      /* bodies with the same number have the same mesh, or hull */
} bw_peer_body;

typedef struct bw_world_peer {
    const char *name;
    bool hulls; /* knows convex hulls against everything else */
    void *(*create)(const bw_peer_body *bodies, uint32_t count);
    void (*destroy)(void *world);
    void (*move)(void *world, const bw_transform *poses); /* of all bodies */
    /* All contacts; returns how many pairs of bodies have any. */
    uint64_t (*step)(void *world);
} bw_world_peer;

/* Ends with NULL; holds nothing else in a build without peers. */
extern const bw_world_peer *const bw_world_peers[];

#ifdef __cplusplus
}
#endif
#endif
