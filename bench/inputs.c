#include "inputs.h"
#include "runner.h"

#include "scenes/trig.h"

static void require(bw_result result)
{
    bench_require(result == BW_OK, bw_result_string(result));
}

bws_mesh input_bumpy(uint32_t triangles, uint64_t seed)
{
    bws_mesh mesh;
    require(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = bws_sphere_frequency(triangles), .seed = seed},
                             BW_F32, &mesh));
    return mesh;
}

bws_mesh input_needles(uint32_t triangles)
{
    bws_mesh mesh;
    require(bws_needle_sphere(&(bws_needle_desc){.triangles = triangles, .aspect = 50.0}, BW_F32, &mesh));
    return mesh;
}

static bws_mesh needles(uint32_t triangles, uint64_t seed)
{
    (void)seed;
    return input_needles(triangles);
}

static bws_mesh teapot(uint32_t triangles, uint64_t seed)
{
    (void)seed;
    bws_mesh mesh;
    require(bws_lathe(&(bws_lathe_desc){.triangles = triangles}, BW_F32, &mesh));
    return mesh;
}

static bws_mesh car(uint32_t triangles, uint64_t seed)
{
    (void)seed;
    bws_mesh mesh;
    require(bws_car(&(bws_parts_desc){.triangles = triangles}, BW_F32, &mesh));
    return mesh;
}

const input_shape input_shapes[INPUT_SHAPES] = {
    {"bumpy", input_bumpy}, {"teapot", teapot}, {"car", car}, {"needles", needles}};

void input_shuffle(bws_mesh *mesh)
{
    bws_shuffle_triangles(mesh, 1);
    require(bws_shuffle_vertices(mesh, 2));
}

input_poses input_poses_between(uint32_t count, double near, double far, uint64_t seed)
{
    input_poses out = {bench_alloc(count, sizeof *out.poses), count};
    bws_random random = bws_random_seeded(seed);
    for (uint32_t i = 0; i < count; i++) {
        bw_transform pose = bws_random_rigid(&random, 0.0);
        const bw_vec3 direction = bws_random_direction(&random);
        const double distance = bws_random_double(&random, near, far);
        pose.m[0][3] = distance * direction.x;
        pose.m[1][3] = distance * direction.y;
        pose.m[2][3] = distance * direction.z;
        out.poses[i] = pose;
    }
    return out;
}

input_poses input_poses_coherent(uint32_t count)
{
    input_poses out = {bench_alloc(count, sizeof *out.poses), count};
    for (uint32_t i = 0; i < count; i++) {
        const double distance = 2.3 - 0.9 * i / count, angle = 0.5 * BWS_PI / 180.0 * i;
        out.poses[i] = bw_transform_compose((bw_vec3){0.6 * distance, 0.64 * distance, 0.48 * distance},
                                            (bw_vec3){1.0, 2.0, 3.0}, angle, (bw_vec3){1.0, 1.0, 1.0});
    }
    return out;
}

bws_mesh input_deformed(const bws_mesh *mesh)
{
    bws_mesh out;
    require(bws_mesh_convert(mesh, BW_F32, &out));
    for (uint32_t v = 0; v < out.vertex_count; v++) {
        const bw_vec3 p = bws_mesh_vertex(&out, v);
        const double s = 1.0 + 0.02 * bws_sin(3.0 * p.x + 2.0 * p.y + p.z);
        bws_mesh_set_vertex(&out, v, (bw_vec3){s * p.x, s * p.y, s * p.z});
    }
    return out;
}
