/* What the files on Embree share: the device, and models of one geometry in one scene. */
#ifndef BENCH_PEERS_EMBREE_COMMON_H
#define BENCH_PEERS_EMBREE_COMMON_H

#include <embree3/rtcore.h>

#include "peers/model.h"

/* One device for the program, held to one thread: comparisons are per core. */
RTCDevice embree_device();
/* The same, held to AVX2 where the processor has more. */
RTCDevice embree_device_avx2();

struct embree_model {
    mesh_copy mesh;
    bool user;               /* boxes from a callback instead of triangles */
    RTCBuildQuality quality; /* LOW, MEDIUM or REFIT */
    RTCDevice device;
    RTCScene scene = nullptr;
    RTCGeometry geometry = nullptr;
    /* The positions that a pose gave, for collisions of user geometry; empty: those of the mesh. */
    std::vector<bw_vec3> moved;

    embree_model(const bw_mesh *from, bool user_, RTCBuildQuality quality_,
                 RTCDevice device_ = embree_device())
        : mesh(from), user(user_), quality(quality_), device(device_)
    {
    }
    ~embree_model();

    void build();
    void unbuild();
    void commit();
};

#endif
