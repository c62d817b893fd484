/* The built-in scenes: the promised sizes and shapes, the same bits on every machine and by every compiler.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/random.h"
#include "scenes/scenes.h"
#include "scenes/trig.h"

static uint64_t hash(const bws_mesh *mesh)
{
    uint64_t h = 14695981039346656037u; /* FNV-1a over the words */
    size_t words = (size_t)mesh->vertex_count * 3 * (mesh->scalar == BW_F64 ? 2 : 1);
    for (size_t i = 0; i < words; i++)
        h = (h ^ ((const uint32_t *)mesh->positions)[i]) * 1099511628211u;
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++)
        h = (h ^ mesh->indices[i]) * 1099511628211u;
    return h;
}

static double length(bw_vec3 v)
{
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

static double distance(const bws_mesh *mesh, uint32_t a, uint32_t b)
{
    bw_vec3 p = bws_mesh_vertex(mesh, a), q = bws_mesh_vertex(mesh, b);
    return length((bw_vec3){p.x - q.x, p.y - q.y, p.z - q.z});
}

/* The longest edge over the height on it. */
static double aspect(const bws_mesh *mesh, uint32_t t)
{
    const uint32_t *v = mesh->indices + 3 * (size_t)t;
    double a = distance(mesh, v[0], v[1]), b = distance(mesh, v[1], v[2]), c = distance(mesh, v[2], v[0]);
    double longest = fmax(a, fmax(b, c)), s = (a + b + c) / 2;
    double area = sqrt(fmax(0, s * (s - a) * (s - b) * (s - c)));
    return longest * longest / (2 * area);
}

/* Hashes recorded once; another compiler, level of optimisation or machine must repeat them. */
static const struct {
    const char *name;
    uint64_t f32, f64;
} golden[] = {
    {"bumpy-sphere", 0xa7cc00b5cc889bc2u, 0xaa761b5b62e8c8d4u},
    {"torus", 0x4c4a18b02c3c2b85u, 0xb600f4afd129fd2bu},
    {"pot", 0x22e98047e9ce4f7du, 0x5e7c15d0894bda94u},
    {"sheet", 0x41edec87a9180c4fu, 0x1449a88fd207b61eu},
    {"soup", 0x057be2e52d1f4129u, 0x0be0cccda9f5b33au},
    {"needles", 0xfb87fcd1ba7458c3u, 0x3f9693cc5f917187u},
    {"slivers", 0x1c793c518231b41cu, 0x70e23873d807ce63u},
    {"points", 0x0ca8d7100428e791u, 0x4b9b75dac9b2195au},
    {"clusters", 0xc3b09bb8fe61065cu, 0x765f091c8c48aab1u},
    {"pipes", 0x43a41fa2e402d696u, 0xce61d4beebe3c553u},
    {"spikes", 0x2c664a2362e3d69fu, 0x983a7597afc16cecu},
    {"plates", 0xfc05136b38f5d8b4u, 0x4c690330f5eacfa5u},
    {"car", 0x2bdafbfaba554b0bu, 0xaf7d92adea220ce5u},
};

static void test_every_scene(void **state)
{
    (void)state;
    uint32_t count;
    const bws_scene *scenes = bws_scene_list(&count);
    assert_int_equal(count, sizeof golden / sizeof *golden);
    for (uint32_t i = 0; i < count; i++) {
        bws_mesh wide, narrow, rounded;
        assert_ptr_equal(bws_scene_find(scenes[i].name), &scenes[i]);
        assert_string_equal(scenes[i].name, golden[i].name);
        assert_int_equal(scenes[i].make(0, BW_F64, &wide), BW_OK);
        assert_int_equal(scenes[i].make(0, BW_F32, &narrow), BW_OK);
        /* The default size is kept within a tenth, and any other. */
        double primitives = wide.indices == NULL ? wide.vertex_count : wide.triangle_count;
        assert_true(fabs(primitives - scenes[i].default_size) <= 0.1 * scenes[i].default_size);
        bw_mesh view = bws_view(&wide);
        bw_mesh_report report = {0};
        assert_int_equal(bw_mesh_validate(&view, NULL, &report, NULL), BW_OK);
        assert_int_equal(report.defective, 0);
        assert_int_equal(report.unused_vertices, 0);
        assert_int_equal(bws_mesh_convert(&wide, BW_F32, &rounded), BW_OK);
        assert_true(hash(&rounded) == hash(&narrow));
        bws_mesh_free(&rounded);
        assert_int_equal(bws_mesh_convert(&narrow, BW_F64, &rounded), BW_OK);
        for (uint32_t v = 0; v < narrow.vertex_count; v++) {
            bw_vec3 a = bws_mesh_vertex(&narrow, v), b = bws_mesh_vertex(&rounded, v);
            assert_memory_equal(&a, &b, sizeof a);
        }
        if (hash(&narrow) != golden[i].f32 || hash(&wide) != golden[i].f64)
            fail_msg("{\"%s\", 0x%016llxu, 0x%016llxu},", scenes[i].name, (unsigned long long)hash(&narrow),
                     (unsigned long long)hash(&wide));
        bws_mesh_free(&rounded);
        bws_mesh_free(&narrow);
        bws_mesh_free(&wide);
        assert_int_equal(scenes[i].make(1, BW_F32, &narrow), BW_OK);
        bws_mesh_free(&narrow);
        assert_int_equal(scenes[i].make(0, (bw_scalar)7, &narrow), BW_ERROR_ARGUMENT);
    }
    assert_null(bws_scene_find("no such scene"));
}

static void test_trig(void **state)
{
    (void)state;
    for (int i = -200000; i <= 200000; i++) {
        double x = i * 0.00371;
        assert_true(fabs(bws_sin(x) - sin(x)) <= 4e-16 + 2e-16 * fabs(x));
        assert_true(fabs(bws_cos(x) - cos(x)) <= 4e-16 + 2e-16 * fabs(x));
    }
}

static void test_sphere(void **state)
{
    (void)state;
    assert_int_equal(bws_sphere_frequency(20000), 41);
    assert_int_equal(bws_sphere_frequency(199692), 129);
    assert_int_equal(bws_sphere_frequency(0), 1);
    bws_mesh mesh;
    bws_sphere_desc desc = {.frequency = 30, .radius = 2, .amplitude = -1};
    assert_int_equal(bws_bumpy_sphere(&desc, BW_F64, &mesh), BW_OK);
    assert_int_equal(mesh.triangle_count, 12 * 30 * 30);
    for (uint32_t v = 0; v < mesh.vertex_count; v++)
        assert_true(fabs(length(bws_mesh_vertex(&mesh, v)) - 2) < 1e-14);
    uint64_t plain = hash(&mesh);
    bws_mesh_free(&mesh);
    desc = (bws_sphere_desc){.frequency = 30, .radius = 2, .amplitude = 0.2, .seed = 9};
    assert_int_equal(bws_bumpy_sphere(&desc, BW_F64, &mesh), BW_OK);
    double low = 9, high = 0;
    for (uint32_t v = 0; v < mesh.vertex_count; v++) {
        low = fmin(low, length(bws_mesh_vertex(&mesh, v)));
        high = fmax(high, length(bws_mesh_vertex(&mesh, v)));
    }
    assert_true(low > 1.59 && low < 1.8 && high > 2.2 && high < 2.41);
    assert_true(hash(&mesh) != plain);
    bws_mesh_free(&mesh);
    assert_int_equal(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 30000}, BW_F32, &mesh), BW_ERROR_SIZE);
}

static void test_needles_and_slivers_are_thin(void **state)
{
    (void)state;
    bws_mesh mesh;
    assert_int_equal(bws_needle_sphere(&(bws_needle_desc){.aspect = 50}, BW_F64, &mesh), BW_OK);
    uint32_t thin = 0;
    for (uint32_t t = 0; t < mesh.triangle_count; t++)
        thin += aspect(&mesh, t) > 35;
    assert_true(thin > mesh.triangle_count / 10 * 9);
    for (uint32_t v = 0; v < mesh.vertex_count; v++)
        assert_true(fabs(length(bws_mesh_vertex(&mesh, v)) - 1) < 1e-14);
    bws_mesh_free(&mesh);
    assert_int_equal(bws_needle_sphere(&(bws_needle_desc){.aspect = 0.5}, BW_F64, &mesh), BW_ERROR_ARGUMENT);
    assert_int_equal(bws_soup(&(bws_soup_desc){.aspect = 80, .size = 0.3}, BW_F64, &mesh), BW_OK);
    for (uint32_t t = 0; t < mesh.triangle_count; t++) {
        assert_true(fabs(aspect(&mesh, t) - 80) < 0.1);
        assert_true(fabs(distance(&mesh, 3 * t, 3 * t + 1) - 0.3) < 1e-12);
    }
    bws_mesh_free(&mesh);
}

static void test_sheet_moves(void **state)
{
    (void)state;
    bws_sheet_desc desc = {.columns = 300, .rows = 7, .size = 2, .origin = {5, 6, 7}};
    for (int scalar = BW_F32; scalar <= BW_F64; scalar++) {
        bws_mesh moved, made;
        assert_int_equal(bws_sheet(&desc, 0, (bw_scalar)scalar, &moved), BW_OK);
        assert_int_equal(moved.triangle_count, 2 * 300 * 7);
        for (int frame = 1; frame < 5; frame++) {
            uint64_t before = hash(&moved);
            assert_int_equal(bws_sheet(&desc, 0.13 * frame, (bw_scalar)scalar, &made), BW_OK);
            bws_sheet_move(&desc, 0.13 * frame, &moved);
            assert_true(hash(&made) == hash(&moved));
            assert_true(hash(&made) != before);
            bws_mesh_free(&made);
        }
        for (uint32_t v = 0; v < moved.vertex_count; v++) {
            bw_vec3 p = bws_mesh_vertex(&moved, v);
            assert_true(fabs(p.x - 5) < 1.1 && fabs(p.y - 6) < 1.1 && fabs(p.z - 7) < 0.2);
        }
        bws_mesh_free(&moved);
    }
    bws_mesh mesh;
    assert_int_equal(bws_sheet(&(bws_sheet_desc){.columns = 70000}, 0, BW_F32, &mesh), BW_ERROR_SIZE);
}

static int compare_words(const void *a, const void *b)
{
    return memcmp(a, b, 9 * sizeof(float));
}

/* The coordinates of every triangle, sorted: what a shuffle must keep. */
static float *sorted_triangles(const bws_mesh *mesh)
{
    float *out = malloc(9 * sizeof *out * mesh->triangle_count);
    assert_non_null(out);
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++)
        memcpy(out + 3 * i, (const float *)mesh->positions + 3 * (size_t)mesh->indices[i], 3 * sizeof *out);
    qsort(out, mesh->triangle_count, 9 * sizeof *out, compare_words);
    return out;
}

static void test_shuffles_keep_the_geometry(void **state)
{
    (void)state;
    bws_mesh mesh;
    assert_int_equal(bws_lathe(&(bws_lathe_desc){.triangles = 2000}, BW_F32, &mesh), BW_OK);
    float *before = sorted_triangles(&mesh);
    uint64_t first = hash(&mesh);
    bws_shuffle_triangles(&mesh, 1);
    uint64_t second = hash(&mesh);
    assert_int_equal(bws_shuffle_vertices(&mesh, 2), BW_OK);
    assert_true(first != second && second != hash(&mesh));
    float *after = sorted_triangles(&mesh);
    assert_memory_equal(before, after, 9 * sizeof *after * mesh.triangle_count);
    free(before);
    free(after);
    bws_mesh_free(&mesh);
}

static void poses_are_what_they_say(bws_random *random, void *user)
{
    (void)user;
    bw_transform rigid = bws_random_rigid(random, 3);
    bws_pose_desc desc = {.reach = 1, .mirror = true};
    bw_transform scaled = bws_random_pose(random, &desc);
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(rigid.m[i][3]) <= 3 && fabs(scaled.m[i][3]) <= 1);
        for (int j = 0; j < 3; j++) {
            double dot = 0, dot_scaled = 0;
            for (int k = 0; k < 3; k++) {
                dot += rigid.m[k][i] * rigid.m[k][j];
                dot_scaled += scaled.m[k][i] * scaled.m[k][j];
            }
            assert_true(fabs(dot - (i == j)) < 1e-14);
            if (i != j)
                assert_true(fabs(dot_scaled) < 1e-13);
            else
                assert_true(dot_scaled > 0.2499 && dot_scaled < 4.001);
        }
    }
    assert_true(fabs(length(bws_random_direction(random)) - 1) < 1e-14);
}

static void test_poses(void **state)
{
    (void)state;
    BW_EACH_SEED(1000, poses_are_what_they_say, NULL);
}

static void test_transform_and_join(void **state)
{
    (void)state;
    bws_mesh a, b, both, cloud;
    bws_torus_desc desc = {.segments = 5, .sides = 4, .major = 3, .minor = 1};
    assert_int_equal(bws_torus(&desc, BW_F64, &a), BW_OK);
    assert_int_equal(bws_torus(&desc, BW_F64, &b), BW_OK);
    bw_transform pose = {{{2, 0, 0, 1}, {0, 0, 1, 2}, {0, -3, 0, 3}}};
    bws_mesh_transform(&b, &pose);
    for (uint32_t v = 0; v < a.vertex_count; v++) {
        bw_vec3 p = bws_mesh_vertex(&a, v), q = bws_mesh_vertex(&b, v);
        assert_true(q.x == 2 * p.x + 1 && q.y == p.z + 2 && q.z == -3 * p.y + 3);
    }
    assert_int_equal(bws_mesh_join(&a, &b, &both), BW_OK);
    assert_int_equal(both.triangle_count, 80);
    for (uint32_t i = 0; i < 120; i++)
        assert_true(both.indices[i] == a.indices[i] && both.indices[120 + i] == b.indices[i] + 20);
    bw_vec3 p = bws_mesh_vertex(&both, 20 + 7), q = bws_mesh_vertex(&b, 7);
    assert_memory_equal(&p, &q, sizeof p);
    assert_int_equal(bws_points(NULL, BW_F64, &cloud), BW_OK);
    assert_int_equal(bws_mesh_join(&a, &cloud, &both), BW_ERROR_ARGUMENT);
    assert_int_equal(bws_torus(&(bws_torus_desc){.sides = 2}, BW_F64, &cloud), BW_ERROR_ARGUMENT);
    bws_mesh_free(&a);
    bws_mesh_free(&b);
    bws_mesh_free(&both);
    bws_mesh_free(&cloud);
    assert_int_equal(
        bws_points(&(bws_points_desc){.count = 500, .shape = BWS_CLOUD_SPHERE, .radius = 4}, BW_F64, &cloud),
        BW_OK);
    for (uint32_t v = 0; v < 500; v++)
        assert_true(fabs(length(bws_mesh_vertex(&cloud, v)) - 4) < 1e-13);
    bws_mesh_free(&cloud);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_scene), cmocka_unit_test(test_trig),
        cmocka_unit_test(test_sphere),      cmocka_unit_test(test_needles_and_slivers_are_thin),
        cmocka_unit_test(test_sheet_moves), cmocka_unit_test(test_shuffles_keep_the_geometry),
        cmocka_unit_test(test_poses),       cmocka_unit_test(test_transform_and_join),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
