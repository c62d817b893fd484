/* Embree 3's rtcCollide: pairs of overlapping boxes of two user geometries, each pair then decided by our
 * exact triangle test. It knows no poses, so a rigid motion moves the second mesh's vertices and refits its
 * boxes; and it cannot stop early, so "any" searches on but tests no more triangles. */
#include "peers/embree_common.h"
#include "peers/registry.h"

namespace
{

struct collision {
    const embree_model *a, *b;
    bool any;
    uint64_t hits;
};

void corners(const embree_model *m, uint32_t t, bw_vec3 out[3])
{
    if (m->moved.empty()) {
        m->mesh.corners(t, out);
        return;
    }
    for (size_t k = 0; k < 3; k++)
        out[k] = m->moved[m->mesh.indices[3 * size_t(t) + k]];
}

void on_pairs(void *user, RTCCollision *pairs, unsigned count)
{
    collision *c = static_cast<collision *>(user);
    if (c->any && c->hits > 0)
        return;
    for (unsigned i = 0; i < count; i++) {
        bw_vec3 a[3], b[3];
        corners(c->a, pairs[i].primID0, a);
        corners(c->b, pairs[i].primID1, b);
        if (bw_triangle_triangle(a, b) == BW_CONTACT_NONE)
            continue;
        c->hits++;
        if (c->any)
            return;
    }
}

uint64_t collide(void *first, void *second, const bw_transform *pose, bool any)
{
    embree_model *a = static_cast<embree_model *>(first), *b = static_cast<embree_model *>(second);
    if (pose != nullptr) {
        b->moved.resize(b->mesh.vertex_count);
        for (uint32_t v = 0; v < b->mesh.vertex_count; v++)
            b->moved[v] = bw_transform_point(pose, b->mesh.vertex(v));
        b->commit();
    }
    collision c = {a, b, any, 0};
    rtcCollide(a->scene, b->scene, on_pairs, &c);
    return c.hits;
}

uint64_t any(void *a, void *b, const bw_transform *pose)
{
    return collide(a, b, pose, true);
}

uint64_t all(void *a, void *b, const bw_transform *pose)
{
    return collide(a, b, pose, false);
}

/* rtcCollide of a scene with itself gives each pair in both orders, and each triangle with itself. Triangles
 * that share a vertex are left out: to tell whether they meet beyond it would take a test of its own. */
void on_own_pairs(void *user, RTCCollision *pairs, unsigned count)
{
    collision *c = static_cast<collision *>(user);
    for (unsigned i = 0; i < count; i++) {
        const uint32_t s = pairs[i].primID0, t = pairs[i].primID1;
        if (s >= t || share_vertex(c->a->mesh.indices.data(), s, t))
            continue;
        bw_vec3 a[3], b[3];
        corners(c->a, s, a);
        corners(c->a, t, b);
        c->hits += bw_triangle_triangle(a, b) != BW_CONTACT_NONE;
    }
}

uint64_t self(void *model)
{
    embree_model *m = static_cast<embree_model *>(model);
    collision c = {m, m, false, 0};
    rtcCollide(m->scene, m->scene, on_own_pairs, &c);
    return c.hits;
}

bw_peer make()
{
    bw_peer p = {};
    p.name = "embree-collide";
    p.exact = true;
    p.create = [](const bw_mesh *mesh) -> void * {
        return new embree_model(mesh, true, RTC_BUILD_QUALITY_REFIT);
    };
    p.destroy = [](void *model) { delete static_cast<embree_model *>(model); };
    p.build = [](void *model) { static_cast<embree_model *>(model)->build(); };
    p.unbuild = [](void *model) { static_cast<embree_model *>(model)->unbuild(); };
    p.move = [](void *model, const float *positions) {
        static_cast<embree_model *>(model)->mesh.move(positions);
    };
    p.refit = [](void *model) { static_cast<embree_model *>(model)->commit(); };
    p.any = any;
    p.all = all;
    p.self = self;
    return p;
}

} // namespace

const bw_peer peer_embree_collide = make();
