/* FCL's shapes, in double as its library holds them, with both of its solvers: libccd's, the default, and its own
 * ("indep"). Results are kept between calls. Contacts: one with
 * its normal and depth, as it gives for shapes (boxes: up to four). */
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <memory>
#include <vector>

#include "peers/shape_registry.h"

namespace
{

using geometry = std::shared_ptr<fcl::CollisionGeometryd>;

fcl::Vector3d to_fcl(const bw_vec3 &p)
{
    return fcl::Vector3d(p.x, p.y, p.z);
}

geometry convex_of(const bw_hull *hull)
{
    const bw_mesh mesh = bw_hull_mesh(hull);
    auto points = std::make_shared<std::vector<fcl::Vector3d>>();
    auto faces = std::make_shared<std::vector<int>>();
    for (uint32_t i = 0; i < mesh.vertex_count; i++)
        points->push_back(to_fcl(bw_mesh_vertex(&mesh, i)));
    for (uint32_t t = 0; t < mesh.triangle_count; t++) {
        faces->push_back(3);
        for (int k = 0; k < 3; k++)
            faces->push_back(int(mesh.indices[3 * t + uint32_t(k)]));
    }
    return std::make_shared<fcl::Convexd>(points, int(mesh.triangle_count), faces);
}

void *create(const bw_shape *s)
{
    switch (s->kind) {
    case BW_SHAPE_SPHERE:
        return new geometry(std::make_shared<fcl::Sphered>(s->radius));
    case BW_SHAPE_CAPSULE:
        return new geometry(std::make_shared<fcl::Capsuled>(s->radius, 2 * s->half.z));
    case BW_SHAPE_BOX:
        return new geometry(std::make_shared<fcl::Boxd>(2 * s->half.x, 2 * s->half.y, 2 * s->half.z));
    case BW_SHAPE_HULL:
        return new geometry(convex_of(s->hull));
    default:
        return nullptr;
    }
}

fcl::Transform3d to_fcl(const bw_transform &pose)
{
    fcl::Transform3d out = fcl::Transform3d::Identity();
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            out.linear()(i, k) = pose.m[i][k];
        out.translation()(i) = pose.m[i][3];
    }
    return out;
}

template <fcl::GJKSolverType solver>
uint64_t run(void *a, const bw_transform *poses_a, void *b, const bw_transform *poses_b, uint32_t count,
             bw_shape_peer_query query)
{
    const fcl::CollisionGeometryd *ga = static_cast<geometry *>(a)->get(),
                                  *gb = static_cast<geometry *>(b)->get();
    fcl::CollisionRequestd collide(4, query == BW_PEER_CONTACT);
    collide.gjk_solver_type = solver;
    fcl::DistanceRequestd distance(true);
    distance.gjk_solver_type = solver;
    fcl::CollisionResultd contacts;
    fcl::DistanceResultd nearest;
    uint64_t meet = 0;
    for (uint32_t i = 0; i < count; i++) {
        const fcl::Transform3d ta = to_fcl(poses_a[i]), tb = to_fcl(poses_b[i]);
        if (query == BW_PEER_DISTANCE) {
            nearest.clear();
            meet += fcl::distance(ga, ta, gb, tb, distance, nearest) <= 0;
        } else {
            contacts.clear();
            meet += fcl::collide(ga, ta, gb, tb, collide, contacts) > 0;
        }
    }
    return meet;
}

template <fcl::GJKSolverType solver> bw_shape_peer peer(const char *name)
{
    bw_shape_peer p = {};
    p.name = name;
    p.create = create;
    p.destroy = [](void *shape) { delete static_cast<geometry *>(shape); };
    p.run = run<solver>;
    return p;
}

} // namespace

const bw_shape_peer shape_peer_fcl = peer<fcl::GST_LIBCCD>("fcl-libccd");
const bw_shape_peer shape_peer_fcl_indep = peer<fcl::GST_INDEP>("fcl-indep");
