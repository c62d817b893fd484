/* FCL: trees of axis-aligned boxes, and of oriented boxes with swept spheres (OBBRSS). In float, compiled
 * here from its headers: 1.5 times as fast as the double that the package's library holds, at the price of a
 * pair or so in 50,000 that its triangle test gets wrong. No contact points are asked for. Results are kept
 * between calls.
 *
 * The calls are the ones that fcl::collide() and fcl::distance() make in turn. For AABB trees the former
 * would copy both models, move their vertices and rebuild every time; a copy of ours that is moved and
 * refitted bottom-up is the cheaper way to the same answer. */

/* Before BVH_model.h, which needs it and does not include it. */
#include <fcl/math/bv/utility.h>

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/detail/traversal/collision/mesh_collision_traversal_node.h>
#include <fcl/narrowphase/detail/traversal/collision_node.h>
#include <fcl/narrowphase/detail/traversal/distance/mesh_distance_traversal_node.h>

#include <limits>
#include <memory>

#include "peers/model.h"
#include "peers/registry.h"

namespace
{

using fcl::AABBf;
using fcl::OBBRSSf;

fcl::Transform3f to_fcl(const bw_transform *pose)
{
    fcl::Transform3f out = fcl::Transform3f::Identity();
    if (pose != nullptr)
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++)
                out.linear()(i, k) = float(pose->m[i][k]);
            out.translation()(i) = float(pose->m[i][3]);
        }
    return out;
}

template <typename BV> struct model {
    mesh_copy mesh;
    std::vector<fcl::Vector3f> points;
    std::vector<fcl::Triangle> triangles;
    std::unique_ptr<fcl::BVHModel<BV>> tree;
    std::unique_ptr<fcl::BVHModel<BV>> moved; /* AABB: the tree in another pose */
    fcl::CollisionResultf result;

    explicit model(const bw_mesh *from) : mesh(from)
    {
        gather();
        triangles.reserve(mesh.triangle_count);
        for (size_t t = 0; t < mesh.triangle_count; t++)
            triangles.emplace_back(mesh.indices[3 * t], mesh.indices[3 * t + 1], mesh.indices[3 * t + 2]);
    }

    void gather()
    {
        points.resize(mesh.vertex_count);
        for (uint32_t v = 0; v < mesh.vertex_count; v++) {
            const float *p = &mesh.positions[3 * size_t(v)];
            points[v] = fcl::Vector3f(p[0], p[1], p[2]);
        }
    }

    void build()
    {
        tree.reset(new fcl::BVHModel<BV>);
        tree->beginModel(int(mesh.triangle_count), int(mesh.vertex_count));
        tree->addSubModel(points, triangles);
        tree->endModel();
    }

    void unbuild()
    {
        tree.reset();
        moved.reset();
    }

    void refit()
    {
        tree->beginReplaceModel();
        tree->replaceSubModel(points);
        tree->endReplaceModel(true, true);
    }
};

fcl::CollisionRequestf request_for(size_t contacts)
{
    fcl::CollisionRequestf request;
    request.num_max_contacts = contacts;
    request.enable_contact = false;
    return request;
}

uint64_t collide(model<OBBRSSf> *a, model<OBBRSSf> *b, const bw_transform *pose, size_t contacts)
{
    fcl::detail::MeshCollisionTraversalNodeOBBRSS<float> node;
    a->result.clear();
    fcl::detail::initialize(node, *a->tree, fcl::Transform3f::Identity(), *b->tree, to_fcl(pose),
                            request_for(contacts), a->result);
    fcl::detail::collide(&node);
    return a->result.numContacts();
}

uint64_t collide(model<AABBf> *a, model<AABBf> *b, const bw_transform *pose, size_t contacts)
{
    fcl::BVHModel<AABBf> *second = b->tree.get();
    if (pose != nullptr) {
        if (b->moved == nullptr)
            b->moved.reset(new fcl::BVHModel<AABBf>(*b->tree));
        second = b->moved.get();
        const fcl::Transform3f map = to_fcl(pose);
        second->beginReplaceModel();
        for (const fcl::Vector3f &p : b->points)
            second->replaceVertex(map * p);
        second->endReplaceModel(true, true);
    }
    fcl::Transform3f here = fcl::Transform3f::Identity(), there = here;
    fcl::detail::MeshCollisionTraversalNode<AABBf> node;
    a->result.clear();
    fcl::detail::initialize(node, *a->tree, here, *second, there, request_for(contacts), a->result);
    fcl::detail::collide(&node);
    return a->result.numContacts();
}

/* Pairs of one mesh, without those that share a vertex: its triangle test calls them all hits. */
struct self_node : fcl::detail::MeshCollisionTraversalNode<AABBf> {
    const uint32_t *indices = nullptr;

    void leafTesting(int b1, int b2) const override
    {
        const int s = model1->getBV(b1).primitiveId(), t = model2->getBV(b2).primitiveId();
        if (!share_vertex(indices, uint32_t(s), uint32_t(t)))
            fcl::detail::MeshCollisionTraversalNode<AABBf>::leafTesting(b1, b2);
    }
};

uint64_t self(void *opaque)
{
    model<AABBf> *m = static_cast<model<AABBf> *>(opaque);
    fcl::Transform3f here = fcl::Transform3f::Identity(), there = here;
    self_node node;
    node.indices = m->mesh.indices.data();
    m->result.clear();
    fcl::detail::initialize(static_cast<fcl::detail::MeshCollisionTraversalNode<AABBf> &>(node), *m->tree,
                            here, *m->tree, there, request_for(std::numeric_limits<size_t>::max()),
                            m->result);
    fcl::detail::selfCollide(&node);
    return m->result.numContacts();
}

double distance(void *a, void *b, const bw_transform *pose)
{
    fcl::DistanceRequestf request;
    request.enable_nearest_points = false;
    fcl::DistanceResultf result;
    fcl::detail::MeshDistanceTraversalNodeOBBRSS<float> node;
    fcl::detail::initialize(node, *static_cast<model<OBBRSSf> *>(a)->tree, fcl::Transform3f::Identity(),
                            *static_cast<model<OBBRSSf> *>(b)->tree, to_fcl(pose), request, result);
    fcl::detail::distance(&node);
    return double(result.min_distance);
}

template <typename BV> bw_peer peer(const char *name)
{
    using M = model<BV>;
    bw_peer p = {};
    p.name = name;
    p.create = [](const bw_mesh *mesh) -> void * { return new M(mesh); };
    p.destroy = [](void *m) { delete static_cast<M *>(m); };
    p.build = [](void *m) { static_cast<M *>(m)->build(); };
    p.unbuild = [](void *m) { static_cast<M *>(m)->unbuild(); };
    p.move = [](void *m, const float *positions) {
        static_cast<M *>(m)->mesh.move(positions);
        static_cast<M *>(m)->gather();
    };
    p.refit = [](void *m) { static_cast<M *>(m)->refit(); };
    p.any = [](void *a, void *b, const bw_transform *pose) -> uint64_t {
        return collide(static_cast<M *>(a), static_cast<M *>(b), pose, 1) > 0;
    };
    p.all = [](void *a, void *b, const bw_transform *pose) -> uint64_t {
        return collide(static_cast<M *>(a), static_cast<M *>(b), pose, std::numeric_limits<size_t>::max());
    };
    return p;
}

bw_peer aabb()
{
    bw_peer p = peer<AABBf>("fcl-aabb");
    p.self = self;
    return p;
}

bw_peer obbrss()
{
    bw_peer p = peer<OBBRSSf>("fcl-obbrss");
    p.distance = distance;
    return p;
}

} // namespace

const bw_peer peer_fcl_aabb = aabb();
const bw_peer peer_fcl_obbrss = obbrss();
