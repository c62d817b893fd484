/* Bullet's GImpact: its quantised box tree over a mesh part and pairs of boxes by find_collision (which
 * cannot stop early), without the collision world around them. The pairs are decided by our exact triangle
 * test: its own, which clips one triangle by the other's prism, takes about as long and calls 2.5 times as
 * many pairs a contact. The margin is zero. */
#include <BulletCollision/CollisionShapes/btTriangleIndexVertexArray.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>

#include <memory>

#include "peers/model.h"
#include "peers/registry.h"

namespace
{

struct model {
    mesh_copy mesh;
    btTriangleIndexVertexArray array;
    btGImpactMeshShapePart part;
    std::unique_ptr<btGImpactQuantizedBvh> tree;
    btPairSet pairs;

    explicit model(const bw_mesh *from)
        : mesh(from),
          array(int(mesh.triangle_count), reinterpret_cast<int *>(mesh.indices.data()), 3 * int(sizeof(int)),
                int(mesh.vertex_count), mesh.positions.data(), 3 * int(sizeof(float))),
          part(&array, 0)
    {
        part.setMargin(0.0f);
        part.lockChildShapes();
    }
    ~model()
    {
        part.unlockChildShapes();
    }
};

model *of(void *opaque)
{
    return static_cast<model *>(opaque);
}

btTransform to_bullet(const bw_transform *pose)
{
    const bw_transform t = pose_or_identity(pose);
    const auto at = [&t](int i, int k) { return btScalar(t.m[i][k]); };
    return btTransform(
        btMatrix3x3(at(0, 0), at(0, 1), at(0, 2), at(1, 0), at(1, 1), at(1, 2), at(2, 0), at(2, 1), at(2, 2)),
        btVector3(at(0, 3), at(1, 3), at(2, 3)));
}

uint64_t collide(void *first, void *second, const bw_transform *pose, bool any)
{
    model *a = of(first), *b = of(second);
    const btTransform here = btTransform::getIdentity(), there = to_bullet(pose);
    a->pairs.resize(0);
    btGImpactQuantizedBvh::find_collision(a->tree.get(), here, b->tree.get(), there, a->pairs);
    uint64_t hits = 0;
    for (int i = 0; i < a->pairs.size() && !(any && hits > 0); i++) {
        bw_vec3 s[3], t[3];
        a->mesh.corners(uint32_t(a->pairs[i].m_index1), s);
        b->mesh.corners(uint32_t(a->pairs[i].m_index2), t);
        for (bw_vec3 &corner : t)
            corner = pose != nullptr ? bw_transform_point(pose, corner) : corner;
        hits += bw_triangle_triangle(s, t) != BW_CONTACT_NONE;
    }
    return hits;
}

bw_peer make()
{
    bw_peer p = {};
    p.name = "bullet-gimpact";
    p.create = [](const bw_mesh *mesh) -> void * { return new model(mesh); };
    p.destroy = [](void *m) { delete of(m); };
    p.build = [](void *m) {
        of(m)->tree.reset(new btGImpactQuantizedBvh(of(m)->part.getTrimeshPrimitiveManager()));
        of(m)->tree->buildSet();
    };
    p.unbuild = [](void *m) { of(m)->tree.reset(); };
    p.move = [](void *m, const float *positions) { of(m)->mesh.move(positions); };
    p.refit = [](void *m) { of(m)->tree->update(); };
    p.any = [](void *a, void *b, const bw_transform *pose) { return collide(a, b, pose, true); };
    p.all = [](void *a, void *b, const bw_transform *pose) { return collide(a, b, pose, false); };
    return p;
}

} // namespace

const bw_peer peer_bullet_gimpact = make();
