/* Embree 3: trees over triangles or over boxes of our own; build, refit, rays.
 * The device has one thread. LOW is its Morton builder, MEDIUM its binned SAH, REFIT keeps the topology of
 * the first build; LOW and REFIT need a dynamic scene, in which Embree chooses its builder by geometry. The
 * positions are shared with Embree, not copied. */
#include "peers/embree_common.h"

#include <algorithm>
#include <cmath>

#include "peers/registry.h"

RTCDevice embree_device()
{
    static RTCDevice device = rtcNewDevice("threads=1,set_affinity=0");
    return device;
}

RTCDevice embree_device_avx2()
{
    static RTCDevice device = rtcNewDevice("threads=1,set_affinity=0,isa=avx2");
    return device;
}

static void user_bounds(const RTCBoundsFunctionArguments *args)
{
    const embree_model *m = static_cast<const embree_model *>(args->geometryUserPtr);
    const uint32_t *corner = &m->mesh.indices[3 * size_t(args->primID)];
    RTCBounds *out = args->bounds_o;
    if (m->moved.empty()) {
        const float *a = &m->mesh.positions[3 * size_t(corner[0])],
                    *b = &m->mesh.positions[3 * size_t(corner[1])],
                    *c = &m->mesh.positions[3 * size_t(corner[2])];
        out->lower_x = std::min(a[0], std::min(b[0], c[0]));
        out->lower_y = std::min(a[1], std::min(b[1], c[1]));
        out->lower_z = std::min(a[2], std::min(b[2], c[2]));
        out->upper_x = std::max(a[0], std::max(b[0], c[0]));
        out->upper_y = std::max(a[1], std::max(b[1], c[1]));
        out->upper_z = std::max(a[2], std::max(b[2], c[2]));
        return;
    }
    /* Doubles: rounded to float, then moved outward by more than the rounding. */
    const bw_vec3 &a = m->moved[corner[0]], &b = m->moved[corner[1]], &c = m->moved[corner[2]];
    const auto low = [](double x, double y, double z) {
        const double v = std::min(x, std::min(y, z));
        return float(v - std::fabs(v) * 0x1p-22 - 0x1p-126);
    };
    const auto high = [](double x, double y, double z) {
        const double v = std::max(x, std::max(y, z));
        return float(v + std::fabs(v) * 0x1p-22 + 0x1p-126);
    };
    out->lower_x = low(a.x, b.x, c.x);
    out->lower_y = low(a.y, b.y, c.y);
    out->lower_z = low(a.z, b.z, c.z);
    out->upper_x = high(a.x, b.x, c.x);
    out->upper_y = high(a.y, b.y, c.y);
    out->upper_z = high(a.z, b.z, c.z);
}

embree_model::~embree_model()
{
    unbuild();
}

void embree_model::unbuild()
{
    if (scene != nullptr)
        rtcReleaseScene(scene);
    scene = nullptr;
    geometry = nullptr;
}

void embree_model::build()
{
    unbuild();
    scene = rtcNewScene(device);
    if (quality != RTC_BUILD_QUALITY_MEDIUM)
        rtcSetSceneFlags(scene, RTC_SCENE_FLAG_DYNAMIC);
    rtcSetSceneBuildQuality(scene, quality == RTC_BUILD_QUALITY_REFIT ? RTC_BUILD_QUALITY_LOW : quality);
    geometry = rtcNewGeometry(device, user ? RTC_GEOMETRY_TYPE_USER : RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetGeometryBuildQuality(geometry, quality);
    if (user) {
        rtcSetGeometryUserPrimitiveCount(geometry, mesh.triangle_count);
        rtcSetGeometryUserData(geometry, this);
        rtcSetGeometryBoundsFunction(
            geometry, [](const RTCBoundsFunctionArguments *args) { user_bounds(args); }, nullptr);
    } else {
        rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                   mesh.positions.data(), 0, 3 * sizeof(float), mesh.vertex_count);
        rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, mesh.indices.data(),
                                   0, 3 * sizeof(uint32_t), mesh.triangle_count);
    }
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene);
}

void embree_model::commit()
{
    if (!user)
        rtcUpdateGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0);
    rtcCommitGeometry(geometry);
    rtcCommitScene(scene);
}

namespace
{

template <bool user, RTCBuildQuality quality> void *create(const bw_mesh *mesh)
{
    return new embree_model(mesh, user, quality);
}

void destroy(void *model)
{
    delete static_cast<embree_model *>(model);
}

void build(void *model)
{
    static_cast<embree_model *>(model)->build();
}

void unbuild(void *model)
{
    static_cast<embree_model *>(model)->unbuild();
}

void move(void *model, const float *positions)
{
    static_cast<embree_model *>(model)->mesh.move(positions);
}

void refit(void *model)
{
    static_cast<embree_model *>(model)->commit();
}

double ray(void *model, const bw_peer_ray *r)
{
    RTCRayHit hit = {};
    hit.ray.org_x = float(r->origin.x);
    hit.ray.org_y = float(r->origin.y);
    hit.ray.org_z = float(r->origin.z);
    hit.ray.dir_x = float(r->direction.x);
    hit.ray.dir_y = float(r->direction.y);
    hit.ray.dir_z = float(r->direction.z);
    hit.ray.tfar = INFINITY;
    hit.ray.mask = ~0u;
    hit.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcIntersect1(static_cast<embree_model *>(model)->scene, &context, &hit);
    return hit.hit.geomID == RTC_INVALID_GEOMETRY_ID ? INFINITY : double(hit.ray.tfar);
}

uint64_t occluded(void *model, const bw_peer_ray *r)
{
    RTCRay shadow = {};
    shadow.org_x = float(r->origin.x);
    shadow.org_y = float(r->origin.y);
    shadow.org_z = float(r->origin.z);
    shadow.dir_x = float(r->direction.x);
    shadow.dir_y = float(r->direction.y);
    shadow.dir_z = float(r->direction.z);
    shadow.tfar = INFINITY;
    shadow.mask = ~0u;
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcOccluded1(static_cast<embree_model *>(model)->scene, &context, &shadow);
    return shadow.tfar < 0.0f;
}

/* Streams of 1000, which is what its manual asks for at least some tens of; incoherent, as these are. */
uint64_t rays(void *model, const bw_peer_ray *given, uint32_t count, bool any)
{
    const RTCScene scene = static_cast<embree_model *>(model)->scene;
    static RTCRayHit stream[1000];
    uint64_t found = 0;
    for (uint32_t first = 0; first < count; first += 1000) {
        const uint32_t part = std::min(count - first, 1000u);
        for (uint32_t i = 0; i < part; i++) {
            const bw_peer_ray &r = given[first + i];
            RTCRayHit &hit = stream[i];
            hit.ray.org_x = float(r.origin.x);
            hit.ray.org_y = float(r.origin.y);
            hit.ray.org_z = float(r.origin.z);
            hit.ray.tnear = 0.0f;
            hit.ray.dir_x = float(r.direction.x);
            hit.ray.dir_y = float(r.direction.y);
            hit.ray.dir_z = float(r.direction.z);
            hit.ray.time = 0.0f;
            hit.ray.tfar = INFINITY;
            hit.ray.mask = ~0u;
            hit.ray.id = i;
            hit.ray.flags = 0;
            hit.hit.geomID = RTC_INVALID_GEOMETRY_ID;
        }
        RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        if (any)
            rtcOccluded1M(scene, &context, &stream[0].ray, part, sizeof *stream);
        else
            rtcIntersect1M(scene, &context, stream, part, sizeof *stream);
        for (uint32_t i = 0; i < part; i++)
            found += any ? stream[i].ray.tfar < 0.0f : stream[i].hit.geomID != RTC_INVALID_GEOMETRY_ID;
    }
    return found;
}

/* Embree finds the boxes near a point; the distance to their triangles is ours. */
struct point_search {
    const embree_model *model;
    bw_vec3 point;
    double best2;
};

bool point_visit(RTCPointQueryFunctionArguments *args)
{
    point_search *search = static_cast<point_search *>(args->userPtr);
    bw_vec3 corners[3];
    search->model->mesh.corners(args->primID, corners);
    const double d2 = bw_point_triangle_distance2(&search->point, corners, nullptr);
    if (d2 >= search->best2)
        return false;
    search->best2 = d2;
    args->query->radius = std::nextafter(float(std::sqrt(d2)), INFINITY);
    return true;
}

double nearest(void *model, const bw_vec3 *point)
{
    point_search search = {static_cast<embree_model *>(model), *point, INFINITY};
    RTCPointQuery query = {float(point->x), float(point->y), float(point->z), 0.0f, INFINITY};
    RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    rtcPointQuery(search.model->scene, &query, &context, point_visit, &search);
    return std::sqrt(search.best2);
}

/* ---- the cost of a tree, by the public builder: the scene's own cannot be looked into ---- */

double half_area(const RTCBounds &b)
{
    const double x = double(b.upper_x) - double(b.lower_x), y = double(b.upper_y) - double(b.lower_y),
                 z = double(b.upper_z) - double(b.lower_z);
    return x * y + y * z + z * x;
}

/* A node keeps the areas of its children, which it may learn before the children themselves. */
struct sah_node {
    size_t primitives; /* of a leaf; 0: inner */
    unsigned child_count;
    const sah_node *child[8];
    double child_area[8];
};

void *sah_create(RTCThreadLocalAllocator allocator, unsigned, void *)
{
    return new (rtcThreadLocalAlloc(allocator, sizeof(sah_node), 16)) sah_node{};
}

void sah_children(void *node, void **children, unsigned count, void *)
{
    sah_node *n = static_cast<sah_node *>(node);
    n->child_count = count;
    for (unsigned i = 0; i < count; i++)
        n->child[i] = static_cast<const sah_node *>(children[i]);
}

void sah_bounds(void *node, const RTCBounds **bounds, unsigned count, void *)
{
    for (unsigned i = 0; i < count; i++)
        static_cast<sah_node *>(node)->child_area[i] = half_area(*bounds[i]);
}

void *sah_leaf(RTCThreadLocalAllocator allocator, const RTCBuildPrimitive *, size_t count, void *)
{
    return new (rtcThreadLocalAlloc(allocator, sizeof(sah_node), 16)) sah_node{count, 0, {}, {}};
}

void sah_add(const sah_node *n, double area, bw_peer_sah *sum)
{
    if (n->primitives > 0) {
        sum->primitives += area * double(n->primitives);
        sum->blocks += area * double((n->primitives + 7) / 8);
    } else {
        sum->inner += area;
    }
    for (unsigned i = 0; i < n->child_count; i++)
        sah_add(n->child[i], n->child_area[i], sum);
}

template <RTCBuildQuality quality> void sah(void *model, bw_peer_sah *out)
{
    const mesh_copy &mesh = static_cast<embree_model *>(model)->mesh;
    std::vector<RTCBuildPrimitive> primitives(mesh.triangle_count);
    RTCBounds all = {INFINITY, INFINITY, INFINITY, 0.0f, -INFINITY, -INFINITY, -INFINITY, 0.0f};
    RTCBoundsFunctionArguments args = {};
    args.geometryUserPtr = model;
    for (uint32_t t = 0; t < mesh.triangle_count; t++) {
        RTCBounds b;
        args.primID = t;
        args.bounds_o = &b;
        user_bounds(&args);
        primitives[t] = {b.lower_x, b.lower_y, b.lower_z, 0, b.upper_x, b.upper_y, b.upper_z, t};
        all = {std::min(all.lower_x, b.lower_x), std::min(all.lower_y, b.lower_y),
               std::min(all.lower_z, b.lower_z), 0.0f,
               std::max(all.upper_x, b.upper_x), std::max(all.upper_y, b.upper_y),
               std::max(all.upper_z, b.upper_z), 0.0f};
    }
    RTCBuildArguments build_args = rtcDefaultBuildArguments();
    build_args.buildQuality = quality;
    build_args.maxBranchingFactor = 8;
    build_args.maxDepth = 64;
    build_args.sahBlockSize = 8;
    build_args.minLeafSize = 1;
    build_args.maxLeafSize = 8;
    build_args.bvh = rtcNewBVH(embree_device());
    build_args.primitives = primitives.data();
    build_args.primitiveCount = build_args.primitiveArrayCapacity = primitives.size();
    build_args.createNode = sah_create;
    build_args.setNodeChildren = sah_children;
    build_args.setNodeBounds = sah_bounds;
    build_args.createLeaf = sah_leaf;
    const sah_node *root = static_cast<const sah_node *>(rtcBuildBVH(&build_args));
    const double area = half_area(all);
    bw_peer_sah sum = {};
    sah_add(root, area, &sum);
    *out = {sum.inner / area, sum.primitives / area, sum.blocks / area};
    rtcReleaseBVH(build_args.bvh);
}

template <bool user, RTCBuildQuality quality> bw_peer peer(const char *name)
{
    bw_peer p = {};
    p.name = name;
    p.create = create<user, quality>;
    p.destroy = destroy;
    p.build = build;
    p.unbuild = unbuild;
    p.move = move;
    return p;
}

template <RTCBuildQuality quality> bw_peer builder(const char *name)
{
    bw_peer p = peer<false, quality>(name);
    p.sah = sah<quality>;
    if (quality == RTC_BUILD_QUALITY_MEDIUM) { /* its usual tree for rays */
        p.ray = ray;
        p.occluded = occluded;
        p.rays = rays;
        p.nearest = nearest;
    }
    return p;
}

/* Like against like for who reads beside our rows of AVX2. */
bw_peer avx2(const char *name)
{
    bw_peer p = builder<RTC_BUILD_QUALITY_MEDIUM>(name);
    p.aside = true;
    p.create = [](const bw_mesh *mesh) -> void * {
        return new embree_model(mesh, false, RTC_BUILD_QUALITY_MEDIUM, embree_device_avx2());
    };
    p.sah = nullptr;
    p.nearest = nullptr;
    return p;
}

bw_peer refitter(const char *name)
{
    bw_peer p = peer<false, RTC_BUILD_QUALITY_REFIT>(name);
    p.refit = refit;
    return p;
}

} // namespace

const bw_peer peer_embree_low = builder<RTC_BUILD_QUALITY_LOW>("embree-low");
const bw_peer peer_embree_medium = builder<RTC_BUILD_QUALITY_MEDIUM>("embree-medium");
const bw_peer peer_embree_medium_avx2 = avx2("embree-medium-avx2");
const bw_peer peer_embree_user_low = peer<true, RTC_BUILD_QUALITY_LOW>("embree-user-low");
const bw_peer peer_embree_user_medium = peer<true, RTC_BUILD_QUALITY_MEDIUM>("embree-user-medium");
const bw_peer peer_embree_refit = refitter("embree-refit");
