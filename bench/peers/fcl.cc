/* FCL: trees of axis-aligned boxes, and of oriented boxes with swept spheres (OBBRSS), in double as packaged.
 * No contact points are asked for. Results and requests are kept between calls.
 *
 * fcl::collide() on AABB trees copies both models, moves their vertices and builds anew at every call; the
 * traversal below it, on a copy of ours that is moved and refitted bottom-up, is the cheaper way to the same
 * answer. */
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/detail/traversal/collision/mesh_collision_traversal_node.h>
#include <fcl/narrowphase/detail/traversal/collision_node.h>
#include <fcl/narrowphase/distance.h>

#include <limits>
#include <memory>

#include "peers/model.h"
#include "peers/registry.h"

namespace
{

using fcl::AABBd;
using fcl::OBBRSSd;

fcl::Transform3d to_fcl(const bw_transform *pose)
{
    fcl::Transform3d out = fcl::Transform3d::Identity();
    if (pose != nullptr)
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++)
                out.linear()(i, k) = pose->m[i][k];
            out.translation()(i) = pose->m[i][3];
        }
    return out;
}

template <typename BV> struct model {
    mesh_copy mesh;
    std::vector<fcl::Vector3d> points;
    std::vector<fcl::Triangle> triangles;
    std::unique_ptr<fcl::BVHModel<BV>> tree;
    std::unique_ptr<fcl::BVHModel<BV>> moved; /* AABB: the tree in another pose */
    fcl::CollisionResultd result;

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
            const bw_vec3 p = mesh.vertex(v);
            points[v] = fcl::Vector3d(p.x, p.y, p.z);
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

fcl::CollisionRequestd request_for(size_t contacts)
{
    fcl::CollisionRequestd request;
    request.num_max_contacts = contacts;
    request.enable_contact = false;
    return request;
}

uint64_t collide(model<OBBRSSd> *a, model<OBBRSSd> *b, const bw_transform *pose, size_t contacts)
{
    a->result.clear();
    fcl::collide(a->tree.get(), fcl::Transform3d::Identity(), b->tree.get(), to_fcl(pose),
                 request_for(contacts), a->result);
    return a->result.numContacts();
}

uint64_t collide(model<AABBd> *a, model<AABBd> *b, const bw_transform *pose, size_t contacts)
{
    fcl::BVHModel<AABBd> *second = b->tree.get();
    if (pose != nullptr) {
        if (b->moved == nullptr)
            b->moved.reset(new fcl::BVHModel<AABBd>(*b->tree));
        second = b->moved.get();
        const fcl::Transform3d map = to_fcl(pose);
        second->beginReplaceModel();
        for (const fcl::Vector3d &p : b->points)
            second->replaceVertex(map * p);
        second->endReplaceModel(true, true);
    }
    fcl::Transform3d here = fcl::Transform3d::Identity(), there = here;
    fcl::detail::MeshCollisionTraversalNode<AABBd> node;
    a->result.clear();
    fcl::detail::initialize(node, *a->tree, here, *second, there, request_for(contacts), a->result);
    fcl::detail::collide(&node);
    return a->result.numContacts();
}

/* Pairs of one mesh, without those that share a vertex: its triangle test calls them all hits. */
struct self_node : fcl::detail::MeshCollisionTraversalNode<AABBd> {
    const uint32_t *indices = nullptr;

    void leafTesting(int b1, int b2) const override
    {
        const int s = model1->getBV(b1).primitiveId(), t = model2->getBV(b2).primitiveId();
        if (!share_vertex(indices, uint32_t(s), uint32_t(t)))
            fcl::detail::MeshCollisionTraversalNode<AABBd>::leafTesting(b1, b2);
    }
};

uint64_t self(void *opaque)
{
    model<AABBd> *m = static_cast<model<AABBd> *>(opaque);
    fcl::Transform3d here = fcl::Transform3d::Identity(), there = here;
    self_node node;
    node.indices = m->mesh.indices.data();
    m->result.clear();
    fcl::detail::initialize(static_cast<fcl::detail::MeshCollisionTraversalNode<AABBd> &>(node), *m->tree,
                            here, *m->tree, there, request_for(std::numeric_limits<size_t>::max()),
                            m->result);
    fcl::detail::selfCollide(&node);
    return m->result.numContacts();
}

double distance(void *a, void *b, const bw_transform *pose)
{
    fcl::DistanceRequestd request;
    request.enable_signed_distance = false;
    request.enable_nearest_points = false;
    fcl::DistanceResultd result;
    return fcl::distance(static_cast<model<OBBRSSd> *>(a)->tree.get(), fcl::Transform3d::Identity(),
                         static_cast<model<OBBRSSd> *>(b)->tree.get(), to_fcl(pose), request, result);
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
    bw_peer p = peer<AABBd>("fcl-aabb");
    p.self = self;
    return p;
}

bw_peer obbrss()
{
    bw_peer p = peer<OBBRSSd>("fcl-obbrss");
    p.distance = distance;
    return p;
}

} // namespace

const bw_peer peer_fcl_aabb = aabb();
const bw_peer peer_fcl_obbrss = obbrss();
