/* What all peers keep of a mesh, and small conversions. */
#ifndef BENCH_PEERS_MODEL_H
#define BENCH_PEERS_MODEL_H

#include <cstring>
#include <vector>

#include "peers/peers.h"

struct mesh_copy {
    std::vector<float>
        positions; /* with a spare coordinate at the end: Embree reads 16 bytes at each vertex */
    std::vector<uint32_t> indices;
    uint32_t vertex_count, triangle_count;

    explicit mesh_copy(const bw_mesh *mesh)
        : positions(3 * size_t(mesh->vertex_count) + 1),
          indices(mesh->indices, mesh->indices + 3 * size_t(mesh->triangle_count)),
          vertex_count(mesh->vertex_count), triangle_count(mesh->triangle_count)
    {
        move(static_cast<const float *>(mesh->positions));
    }

    void move(const float *from)
    {
        std::memcpy(positions.data(), from, 3 * size_t(vertex_count) * sizeof(float));
    }

    bw_vec3 vertex(uint32_t v) const
    {
        const float *p = &positions[3 * size_t(v)];
        return {double(p[0]), double(p[1]), double(p[2])};
    }

    void corners(uint32_t t, bw_vec3 out[3]) const
    {
        for (size_t k = 0; k < 3; k++)
            out[k] = vertex(indices[3 * size_t(t) + k]);
    }
};

inline bw_transform pose_or_identity(const bw_transform *pose)
{
    return pose != nullptr ? *pose : bw_transform_identity();
}

/* Whether two triangles of one mesh have a vertex in common. */
inline bool share_vertex(const uint32_t *indices, uint32_t s, uint32_t t)
{
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 3; k++)
            if (indices[3 * size_t(s) + i] == indices[3 * size_t(t) + k])
                return true;
    return false;
}

#endif
