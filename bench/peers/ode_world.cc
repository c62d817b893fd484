/* ODE's spaces and colliders: a hash space finds pairs of boxes, dCollide gives up to eight contacts of two shapes and all of
 * two meshes. No solver. It has no collider of convex hulls and capsules, so worlds with hulls are left out. */
#include <ode/ode.h>

#include <cmath>
#include <map>
#include <memory>
#include <vector>

#include "peers/model.h"
#include "peers/world_registry.h"

namespace
{

struct model {
    mesh_copy mesh;
    dTriMeshDataID data;
    explicit model(const bw_mesh *from) : mesh(from), data(dGeomTriMeshDataCreate())
    {
        dGeomTriMeshDataBuildSingle(data, mesh.positions.data(), 3 * int(sizeof(float)),
                                    int(mesh.vertex_count), mesh.indices.data(), 3 * int(mesh.triangle_count),
                                    3 * int(sizeof(uint32_t)));
    }
    ~model()
    {
        dGeomTriMeshDataDestroy(data);
    }
};

void be_quiet(int, const char *, va_list)
{
}

struct world {
    dSpaceID space;
    std::map<uint32_t, std::unique_ptr<model>> models;
    std::vector<dGeomID> geoms;
    std::vector<dContactGeom> contacts{4096};
    uint64_t pairs = 0;
    world()
    {
        static const bool started =
            dInitODE2(0) != 0 && dAllocateODEDataForThread(unsigned(dAllocateMaskAll)) != 0;
        (void)started;
        dSetMessageHandler(be_quiet);
        space = dHashSpaceCreate(nullptr);
        dHashSpaceSetLevels(space, -2, 4);
    }
    ~world()
    {
        dSpaceDestroy(space); /* and the bodies in it */
    }
};

world *of(void *opaque)
{
    return static_cast<world *>(opaque);
}

void *create(const bw_peer_body *bodies, uint32_t count)
{
    auto *w = new world;
    for (uint32_t i = 0; i < count; i++) {
        const bw_peer_body &b = bodies[i];
        if (b.kind == BW_PEER_SPHERE)
            w->geoms.push_back(dCreateSphere(w->space, dReal(b.radius)));
        else if (b.kind == BW_PEER_CAPSULE)
            w->geoms.push_back(dCreateCapsule(w->space, dReal(b.radius), dReal(2 * b.half.z)));
        else if (b.kind == BW_PEER_BOX)
            w->geoms.push_back(
                dCreateBox(w->space, dReal(2 * b.half.x), dReal(2 * b.half.y), dReal(2 * b.half.z)));
        else {
            std::unique_ptr<model> &m = w->models[b.model];
            if (!m)
                m = std::make_unique<model>(b.mesh);
            w->geoms.push_back(dCreateTriMesh(w->space, m->data, nullptr, nullptr, nullptr));
        }
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
    for (size_t i = 0; i < w->geoms.size(); i++) {
        const auto &m = poses[i].m;
        dMatrix3 rotation = {dReal(m[0][0]), dReal(m[0][1]), dReal(m[0][2]), 0,
                             dReal(m[1][0]), dReal(m[1][1]), dReal(m[1][2]), 0,
                             dReal(m[2][0]), dReal(m[2][1]), dReal(m[2][2]), 0};
        dGeomSetRotation(w->geoms[i], rotation);
        dGeomSetPosition(w->geoms[i], dReal(m[0][3]), dReal(m[1][3]), dReal(m[2][3]));
    }
}

void near_callback(void *data, dGeomID a, dGeomID b)
{
    world *w = static_cast<world *>(data);
    const bool meshes = dGeomGetClass(a) == dTriMeshClass;
    const int most = meshes ? int(w->contacts.size()) : 8;
    w->pairs += dCollide(a, b, most, w->contacts.data(), int(sizeof(dContactGeom))) > 0;
}

uint64_t step(void *opaque)
{
    world *w = of(opaque);
    w->pairs = 0;
    dSpaceCollide(w->space, w, near_callback);
    return w->pairs;
}

} // namespace

const bw_world_peer world_peer_ode = {"ode-world", false, create, destroy, move, step};
