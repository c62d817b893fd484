/* Bullet's collision world: dynamic trees as broad phase, its convex algorithms, GImpact for meshes. No solver. Contacts are
 * kept over steps as it does by itself. Margins as small as it takes: shapes are then the same as ours. */
#include <btBulletCollisionCommon.h>

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "peers/model.h"
#include "peers/world_registry.h"

namespace
{

struct model {
    mesh_copy mesh;
    std::unique_ptr<btTriangleIndexVertexArray> view;
    std::unique_ptr<btCollisionShape> shape;
    explicit model(const bw_mesh *from) : mesh(from)
    {
    }
};

struct world {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btCollisionWorld collision{&dispatcher, &broadphase, &configuration};
    std::map<uint32_t, std::unique_ptr<model>> models;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btCollisionObject>> objects;
    ~world()
    {
        for (auto &object : objects)
            collision.removeCollisionObject(object.get());
    }
};

world *of(void *opaque)
{
    return static_cast<world *>(opaque);
}

btCollisionShape *model_shape(world *w, const bw_peer_body &body)
{
    std::unique_ptr<model> &m = w->models[body.model];
    if (m)
        return m->shape.get();
    m = std::make_unique<model>(body.mesh);
    if (body.kind == BW_PEER_HULL) {
        auto hull = std::make_unique<btConvexHullShape>(m->mesh.positions.data(), int(m->mesh.vertex_count),
                                                        3 * int(sizeof(float)));
        hull->setMargin(0.001f);
        hull->initializePolyhedralFeatures();
        m->shape = std::move(hull);
    } else {
        m->view = std::make_unique<btTriangleIndexVertexArray>(
            int(m->mesh.triangle_count), reinterpret_cast<int *>(m->mesh.indices.data()),
            3 * int(sizeof(int)), int(m->mesh.vertex_count), m->mesh.positions.data(),
            3 * int(sizeof(float)));
        auto mesh = std::make_unique<btGImpactMeshShape>(m->view.get());
        mesh->setMargin(0);
        mesh->updateBound();
        m->shape = std::move(mesh);
    }
    return m->shape.get();
}

btCollisionShape *shape_of(world *w, const bw_peer_body &body)
{
    if (body.kind == BW_PEER_HULL || body.kind == BW_PEER_MESH)
        return model_shape(w, body);
    if (body.kind == BW_PEER_SPHERE)
        w->shapes.push_back(std::make_unique<btSphereShape>(btScalar(body.radius)));
    else if (body.kind == BW_PEER_CAPSULE)
        w->shapes.push_back(
            std::make_unique<btCapsuleShapeZ>(btScalar(body.radius), btScalar(2 * body.half.z)));
    else
        w->shapes.push_back(std::make_unique<btBoxShape>(
            btVector3(btScalar(body.half.x), btScalar(body.half.y), btScalar(body.half.z))));
    return w->shapes.back().get();
}

void *create(const bw_peer_body *bodies, uint32_t count)
{
    auto *w = new world;
    btGImpactCollisionAlgorithm::registerAlgorithm(&w->dispatcher);
    for (uint32_t i = 0; i < count; i++) {
        w->objects.push_back(std::make_unique<btCollisionObject>());
        w->objects.back()->setCollisionShape(shape_of(w, bodies[i]));
        w->objects.back()->setContactProcessingThreshold(0);
        w->collision.addCollisionObject(w->objects.back().get());
    }
    return w;
}

void destroy(void *opaque)
{
    delete of(opaque);
}

void move(void *opaque, const bw_transform *poses)
{
    world *w = of(opaque);
    for (size_t i = 0; i < w->objects.size(); i++) {
        btMatrix3x3 basis;
        btVector3 origin;
        for (int r = 0; r < 3; r++) {
            for (int c = 0; c < 3; c++)
                basis[r][c] = btScalar(poses[i].m[r][c]);
            origin[r] = btScalar(poses[i].m[r][3]);
        }
        w->objects[i]->setWorldTransform(btTransform(basis, origin));
    }
}

uint64_t step(void *opaque)
{
    world *w = of(opaque);
    w->collision.performDiscreteCollisionDetection();
    uint64_t pairs = 0;
    for (int i = 0; i < w->dispatcher.getNumManifolds(); i++) {
        const btPersistentManifold *manifold = w->dispatcher.getManifoldByIndexInternal(i);
        bool meets = false;
        for (int k = 0; k < manifold->getNumContacts(); k++)
            meets |= manifold->getContactPoint(k).getDistance() <= 0;
        pairs += meets;
    }
    return pairs;
}

} // namespace

const bw_world_peer world_peer_bullet = {"bullet-world", true, create, destroy, move, step};
