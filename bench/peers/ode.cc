/* ODE's triangle meshes (OPCODE inside): dCollide, with the contacts' refinement switched off where only
 * "any" is asked for. One call gives at most 65,535 contacts, several for some pairs; pairs are counted by
 * the triangles named in them. */
#include <ode/ode.h>

#include <algorithm>
#include <cmath>
#include <cstdarg>

#include "peers/model.h"
#include "peers/registry.h"

namespace
{

constexpr int MAX_CONTACTS = 0xffff;

/* It tells at every call that its table of contacts has overflowed. */
void be_quiet(int, const char *, va_list)
{
}

void start()
{
    static const bool started =
        dInitODE2(0) != 0 && dAllocateODEDataForThread(unsigned(dAllocateMaskAll)) != 0;
    (void)started;
    dSetMessageHandler(be_quiet);
}

struct model {
    mesh_copy mesh;
    dTriMeshDataID data = nullptr;
    dGeomID geom = nullptr;
    std::vector<dContactGeom> contacts;
    std::vector<uint64_t> pairs;

    explicit model(const bw_mesh *from) : mesh(from)
    {
        start();
    }
    ~model()
    {
        unbuild();
    }
    void build()
    {
        unbuild();
        data = dGeomTriMeshDataCreate();
        dGeomTriMeshDataBuildSingle(data, mesh.positions.data(), 3 * int(sizeof(float)),
                                    int(mesh.vertex_count), mesh.indices.data(), 3 * int(mesh.triangle_count),
                                    3 * int(sizeof(uint32_t)));
        geom = dCreateTriMesh(nullptr, data, nullptr, nullptr, nullptr);
    }
    void unbuild()
    {
        if (geom != nullptr)
            dGeomDestroy(geom);
        if (data != nullptr)
            dGeomTriMeshDataDestroy(data);
        geom = nullptr;
        data = nullptr;
    }
};

model *of(void *opaque)
{
    return static_cast<model *>(opaque);
}

void place(model *m, const bw_transform *pose)
{
    const bw_transform t = pose_or_identity(pose);
    dMatrix3 rotation = {t.m[0][0], t.m[0][1], t.m[0][2], 0,         t.m[1][0], t.m[1][1],
                         t.m[1][2], 0,         t.m[2][0], t.m[2][1], t.m[2][2], 0};
    dGeomSetRotation(m->geom, rotation);
    dGeomSetPosition(m->geom, t.m[0][3], t.m[1][3], t.m[2][3]);
}

uint64_t any(void *a, void *b, const bw_transform *pose)
{
    dContactGeom contact;
    place(of(b), pose);
    return dCollide(of(a)->geom, of(b)->geom, int(1u | CONTACTS_UNIMPORTANT), &contact, sizeof contact) > 0;
}

uint64_t all(void *first, void *second, const bw_transform *pose)
{
    model *a = of(first);
    a->contacts.resize(MAX_CONTACTS);
    place(of(second), pose);
    const int count =
        dCollide(a->geom, of(second)->geom, MAX_CONTACTS, a->contacts.data(), sizeof(dContactGeom));
    a->pairs.clear();
    for (int i = 0; i < count; i++)
        a->pairs.push_back(uint64_t(uint32_t(a->contacts[size_t(i)].side1)) << 32 |
                           uint32_t(a->contacts[size_t(i)].side2));
    std::sort(a->pairs.begin(), a->pairs.end());
    return uint64_t(std::unique(a->pairs.begin(), a->pairs.end()) - a->pairs.begin());
}

double ray(void *opaque, const bw_peer_ray *r)
{
    static const dGeomID line = (start(), dCreateRay(nullptr, 1e4));
    dContactGeom contact;
    dGeomRaySet(line, r->origin.x, r->origin.y, r->origin.z, r->direction.x, r->direction.y, r->direction.z);
    dGeomRaySetClosestHit(line, 1);
    return dCollide(of(opaque)->geom, line, 1, &contact, sizeof contact) > 0 ? contact.depth : INFINITY;
}

bw_peer make()
{
    bw_peer p = {};
    p.name = "ode";
    p.create = [](const bw_mesh *mesh) -> void * { return new model(mesh); };
    p.destroy = [](void *m) { delete of(m); };
    p.build = [](void *m) { of(m)->build(); };
    p.unbuild = [](void *m) { of(m)->unbuild(); };
    p.move = [](void *m, const float *positions) { of(m)->mesh.move(positions); };
    p.refit = [](void *m) { dGeomTriMeshDataUpdate(of(m)->data); };
    p.any = any;
    p.all = all;
    p.ray = ray;
    return p;
}

} // namespace

const bw_peer peer_ode = make();
