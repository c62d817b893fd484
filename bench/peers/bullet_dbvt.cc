/* Bullet's dynamic tree, btDbvt, without the broadphase around it: exact boxes, no margins, no look-ahead;
 * queries keep their stack between calls. */
#include <BulletCollision/BroadphaseCollision/btDbvt.h>

#include <cstdint>
#include <vector>

#include "peers/scene_registry.h"

namespace
{

struct scene {
    btDbvt tree;
    std::vector<btDbvtNode *> leaves;
    btAlignedObjectArray<const btDbvtNode *> stack;
};

scene *of(void *opaque)
{
    return static_cast<scene *>(opaque);
}

btDbvtVolume volume(const bw_box &box)
{
    return btDbvtVolume::FromMM(btVector3(box.min[0], box.min[1], box.min[2]),
                                btVector3(box.max[0], box.max[1], box.max[2]));
}

void *name_of(uint32_t id)
{
    return reinterpret_cast<void *>(uintptr_t(id));
}

uint32_t id_of(const btDbvtNode *leaf)
{
    return uint32_t(reinterpret_cast<uintptr_t>(leaf->data));
}

struct collector : btDbvt::ICollide {
    uint32_t *ids;
    uint64_t capacity, count = 0;
    collector(uint32_t *ids_, uint64_t capacity_) : ids(ids_), capacity(ids_ != nullptr ? capacity_ : 0)
    {
    }
    void Process(const btDbvtNode *leaf) override
    {
        if (count < capacity)
            ids[count] = id_of(leaf);
        count++;
    }
};

struct pair_collector : btDbvt::ICollide {
    uint32_t (*ids)[2];
    uint64_t capacity, count = 0;
    pair_collector(uint32_t (*ids_)[2], uint64_t capacity_)
        : ids(ids_), capacity(ids_ != nullptr ? capacity_ : 0)
    {
    }
    void Process(const btDbvtNode *a, const btDbvtNode *b) override
    {
        if (a == b)
            return;
        if (count < capacity) {
            ids[count][0] = id_of(a);
            ids[count][1] = id_of(b);
        }
        count++;
    }
};

void *create(const bw_box *boxes, uint32_t count)
{
    scene *s = new scene;
    s->leaves.resize(count);
    for (uint32_t i = 0; i < count; i++)
        s->leaves[i] = s->tree.insert(volume(boxes[i]), name_of(i));
    return s;
}

uint64_t query(void *opaque, const bw_box *box, uint32_t *ids, uint64_t capacity)
{
    scene *s = of(opaque);
    collector found(ids, capacity);
    s->tree.collideTVNoStackAlloc(s->tree.m_root, volume(*box), s->stack, found);
    return found.count;
}

uint64_t frustum(void *opaque, const bw_peer_plane *planes, uint32_t plane_count, uint32_t *ids,
                 uint64_t capacity)
{
    std::vector<btVector3> normals(plane_count);
    std::vector<btScalar> offsets(plane_count);
    for (uint32_t i = 0; i < plane_count; i++) {
        normals[i] = btVector3(planes[i].normal[0], planes[i].normal[1], planes[i].normal[2]);
        offsets[i] = planes[i].offset;
    }
    collector found(ids, capacity);
    btDbvt::collideKDOP(of(opaque)->tree.m_root, normals.data(), offsets.data(), int(plane_count), found);
    return found.count;
}

uint64_t ray(void *opaque, const bw_vec3 *from, const bw_vec3 *to, uint32_t *ids, uint64_t capacity)
{
    collector found(ids, capacity);
    btDbvt::rayTest(of(opaque)->tree.m_root, btVector3(float(from->x), float(from->y), float(from->z)),
                    btVector3(float(to->x), float(to->y), float(to->z)), found);
    return found.count;
}

uint64_t pairs(void *opaque, uint32_t (*ids)[2], uint64_t capacity)
{
    scene *s = of(opaque);
    pair_collector found(ids, capacity);
    s->tree.collideTT(s->tree.m_root, s->tree.m_root, found);
    return found.count;
}

bw_scene_peer make()
{
    bw_scene_peer p = {};
    p.name = "bullet-dbvt";
    p.create = create;
    p.destroy = [](void *s) { delete of(s); };
    p.optimize = [](void *s) { of(s)->tree.optimizeTopDown(); };
    p.move = [](void *s, uint32_t id, const bw_box *box) {
        btDbvtVolume v = volume(*box);
        of(s)->tree.update(of(s)->leaves[id], v);
    };
    p.remove = [](void *s, uint32_t id) { of(s)->tree.remove(of(s)->leaves[id]); };
    p.insert = [](void *s, uint32_t id, const bw_box *box) {
        of(s)->leaves[id] = of(s)->tree.insert(volume(*box), name_of(id));
    };
    p.query = query;
    p.frustum = frustum;
    p.ray = ray;
    p.pairs = pairs;
    return p;
}

} // namespace

const bw_scene_peer scene_peer_bullet_dbvt = make();
