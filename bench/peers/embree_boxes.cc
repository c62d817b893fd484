/* Embree 3 over boxes: user geometry in a static scene of the default quality, all pairs by rtcCollide of the
 * scene with itself. It reports each pair in both orders and each box with itself, and what it reports are
 * the boxes that overlap: nothing more is tested. */
#include "peers/embree_common.h"
#include "peers/scene_registry.h"

namespace
{

struct scene {
    std::vector<bw_box> boxes;
    RTCScene handle;
};

struct sink {
    const bw_box *boxes;
    uint32_t (*ids)[2];
    uint64_t capacity, count;
};

void bounds(const RTCBoundsFunctionArguments *args)
{
    const bw_box &b = static_cast<const scene *>(args->geometryUserPtr)->boxes[args->primID];
    *args->bounds_o = {b.min[0], b.min[1], b.min[2], 0.0f, b.max[0], b.max[1], b.max[2], 0.0f};
}

void on_pairs(void *user, RTCCollision *pairs, unsigned count)
{
    sink *s = static_cast<sink *>(user);
    for (unsigned i = 0; i < count; i++) {
        const uint32_t a = pairs[i].primID0, b = pairs[i].primID1;
        /* Its leaves hold several boxes and report all of them. */
        if (a >= b || !bw_box_overlaps(&s->boxes[a], &s->boxes[b]))
            continue;
        if (s->count < s->capacity) {
            s->ids[s->count][0] = a;
            s->ids[s->count][1] = b;
        }
        s->count++;
    }
}

void *create(const bw_box *boxes, uint32_t count)
{
    scene *s = new scene{std::vector<bw_box>(boxes, boxes + count), rtcNewScene(embree_device())};
    RTCGeometry geometry = rtcNewGeometry(embree_device(), RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryUserPrimitiveCount(geometry, count);
    rtcSetGeometryUserData(geometry, s);
    rtcSetGeometryBoundsFunction(geometry, bounds, nullptr);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(s->handle, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(s->handle);
    return s;
}

uint64_t pairs(void *opaque, uint32_t (*ids)[2], uint64_t capacity)
{
    scene *s = static_cast<scene *>(opaque);
    sink out = {s->boxes.data(), ids, ids != nullptr ? capacity : 0, 0};
    rtcCollide(s->handle, s->handle, on_pairs, &out);
    return out.count;
}

bw_scene_peer make()
{
    bw_scene_peer p = {};
    p.name = "embree-collide";
    p.create = create;
    p.destroy = [](void *opaque) {
        scene *s = static_cast<scene *>(opaque);
        rtcReleaseScene(s->handle);
        delete s;
    };
    p.pairs = pairs;
    return p;
}

} // namespace

const bw_scene_peer scene_peer_embree_collide = make();
