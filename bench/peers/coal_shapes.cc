/* Coal's shapes, in double: what FCL's shapes became at INRIA, with its own GJK and EPA. Results are kept between calls. Contacts: one,
 * with its normal and depth. */
#include <coal/collision.h>
#include <coal/distance.h>
#include <coal/shape/convex.h>
#include <coal/shape/geometric_shapes.h>

#include <memory>
#include <vector>

#include "peers/shape_registry.h"

namespace
{

using geometry = std::shared_ptr<coal::CollisionGeometry>;

geometry convex_of(const bw_hull *hull)
{
    const bw_mesh mesh = bw_hull_mesh(hull);
    auto points = std::make_shared<std::vector<coal::Vec3s>>();
    auto triangles = std::make_shared<std::vector<coal::Triangle>>();
    for (uint32_t i = 0; i < mesh.vertex_count; i++) {
        const bw_vec3 p = bw_mesh_vertex(&mesh, i);
        points->push_back(coal::Vec3s(p.x, p.y, p.z));
    }
    for (uint32_t t = 0; t < mesh.triangle_count; t++) {
        const uint32_t *v = &mesh.indices[3 * t];
        triangles->push_back(coal::Triangle(v[0], v[1], v[2]));
    }
    return std::make_shared<coal::Convex<coal::Triangle>>(points, mesh.vertex_count, triangles,
                                                          mesh.triangle_count);
}

void *create(const bw_shape *s)
{
    switch (s->kind) {
    case BW_SHAPE_SPHERE:
        return new geometry(std::make_shared<coal::Sphere>(s->radius));
    case BW_SHAPE_CAPSULE:
        return new geometry(std::make_shared<coal::Capsule>(s->radius, 2 * s->half.z));
    case BW_SHAPE_BOX:
        return new geometry(std::make_shared<coal::Box>(2 * s->half.x, 2 * s->half.y, 2 * s->half.z));
    case BW_SHAPE_HULL:
        return new geometry(convex_of(s->hull));
    default:
        return nullptr;
    }
}

coal::Transform3s to_coal(const bw_transform &pose)
{
    coal::Matrix3s rotation;
    coal::Vec3s translation;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            rotation(i, k) = pose.m[i][k];
        translation(i) = pose.m[i][3];
    }
    return coal::Transform3s(rotation, translation);
}

uint64_t run(void *a, const bw_transform *poses_a, void *b, const bw_transform *poses_b, uint32_t count,
             bw_shape_peer_query query)
{
    const coal::CollisionGeometry *ga = static_cast<geometry *>(a)->get(),
                                  *gb = static_cast<geometry *>(b)->get();
    coal::CollisionRequest collide(query == BW_PEER_CONTACT ? coal::CONTACT : coal::NO_REQUEST, 1);
    coal::DistanceRequest distance(true, false); /* nearest points, and no depth of what crosses */
    coal::CollisionResult contacts;
    coal::DistanceResult nearest;
    uint64_t meet = 0;
    for (uint32_t i = 0; i < count; i++) {
        const coal::Transform3s ta = to_coal(poses_a[i]), tb = to_coal(poses_b[i]);
        if (query == BW_PEER_DISTANCE) {
            nearest.clear();
            meet += coal::distance(ga, ta, gb, tb, distance, nearest) <= 0;
        } else {
            contacts.clear();
            meet += coal::collide(ga, ta, gb, tb, collide, contacts) > 0;
        }
    }
    return meet;
}

bw_shape_peer peer()
{
    bw_shape_peer p = {};
    p.name = "coal";
    p.create = create;
    p.destroy = [](void *shape) { delete static_cast<geometry *>(shape); };
    p.run = run;
    return p;
}

} // namespace

const bw_shape_peer shape_peer_coal = peer();
