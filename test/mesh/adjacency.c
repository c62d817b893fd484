/* Edges and neighbours against the definition, counted the slow way, and against Euler's formula. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include <boxwood/mesh.h>

#include "oracle/failing_allocator.h"
#include "oracle/random.h"
#include "scenes/scenes.h"

static uint32_t next_corner(uint32_t use)
{
    return use % 3 == 2 ? use - 2 : use + 1;
}

/* Every statement of the header, checked over all corners. */
static void assert_adjacency(const bw_mesh *mesh, const bw_adjacency *a)
{
    const uint32_t *index = mesh->indices;
    uint32_t corners = 3 * mesh->triangle_count, edges_seen = 0, boundary = 0, nonmanifold = 0, same_way = 0;
    for (uint32_t e = 0; e < a->edge_count; e++) {
        const bw_edge *edge = &a->edges[e];
        assert_true(edge->low < edge->high && edge->high < mesh->vertex_count);
        if (e > 0) {
            const bw_edge *last = edge - 1;
            assert_true(last->low < edge->low || (last->low == edge->low && last->high < edge->high));
            assert_int_equal(edge->first_use, last->first_use + last->use_count);
        }
        /* The uses, in order, are exactly the corners whose edge has these ends. */
        uint32_t found = 0, forward = 0;
        for (uint32_t use = 0; use < corners; use++) {
            uint32_t from = index[use], to = index[next_corner(use)];
            bool is_use = (from == edge->low && to == edge->high) || (from == edge->high && to == edge->low);
            if (!is_use)
                continue;
            assert_true(found < edge->use_count);
            assert_int_equal(a->edge_uses[edge->first_use + found], use);
            assert_int_equal(a->triangle_edges[use], e);
            found++;
            forward += from == edge->low;
        }
        assert_true(found > 0);
        assert_int_equal(found, edge->use_count);
        edges_seen += found;
        boundary += found == 1;
        nonmanifold += found > 2;
        same_way += found == 2 && forward != 1;
    }
    uint32_t loops = 0;
    for (uint32_t use = 0; use < corners; use++)
        if (index[use] == index[next_corner(use)]) {
            assert_int_equal(a->triangle_edges[use], BW_NONE);
            loops++;
        }
    assert_int_equal(edges_seen + loops, corners);
    assert_int_equal(a->boundary_edges, boundary);
    assert_int_equal(a->nonmanifold_edges, nonmanifold);
    bool closed = a->edge_count > 0 && boundary == 0 && nonmanifold == 0;
    assert_true(a->closed == closed);
    assert_true(a->oriented == (closed && same_way == 0));

    assert_int_equal(a->vertex_first[0], 0);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t at = a->vertex_first[v];
        for (uint32_t t = 0; t < mesh->triangle_count; t++)
            if (index[3 * t] == v || index[3 * t + 1] == v || index[3 * t + 2] == v) {
                assert_true(at < a->vertex_first[v + 1]);
                assert_int_equal(a->vertex_triangles[at++], t);
            }
        assert_int_equal(at, a->vertex_first[v + 1]);
    }
}

static void holds_for_random_indices(bws_random *random, void *user)
{
    (void)user;
    enum { MOST = 60 };
    static const float positions[3 * 40];
    uint32_t indices[3 * MOST];
    uint32_t vertices = 1 + (uint32_t)bws_random_below(random, bws_random_bool(random) ? 5 : 40);
    bw_mesh mesh = {.positions = positions,
                    .vertex_count = vertices,
                    .indices = indices,
                    .triangle_count = (uint32_t)bws_random_below(random, MOST + 1)};
    for (uint32_t i = 0; i < 3 * mesh.triangle_count; i++)
        indices[i] = (uint32_t)bws_random_below(random, vertices);
    bw_failing_allocator memory;
    bw_failing_allocator_init(&memory);
    bw_adjacency *adjacency = NULL;
    assert_int_equal(bw_adjacency_create(&mesh, &memory.hook, &adjacency, NULL), BW_OK);
    assert_int_equal(memory.live_blocks, 1);
    assert_adjacency(&mesh, adjacency);
    bw_adjacency_destroy(adjacency);
    assert_int_equal(memory.live_blocks, 0);
}

/* Around one vertex more edges than a small sort takes, in any order. */
static void holds_for_a_fan(bws_random *random, void *user)
{
    (void)user;
    enum { BLADES = 200 };
    static const float positions[3 * (BLADES + 1)];
    uint32_t indices[3 * BLADES], middle = (uint32_t)bws_random_below(random, BLADES + 1);
    for (int i = 0; i < BLADES; i++) {
        indices[3 * i] = middle;
        indices[3 * i + 1] = (uint32_t)bws_random_below(random, BLADES + 1);
        indices[3 * i + 2] = (uint32_t)bws_random_below(random, BLADES + 1);
    }
    bw_mesh mesh = {
        .positions = positions, .vertex_count = BLADES + 1, .indices = indices, .triangle_count = BLADES};
    bw_adjacency *adjacency = NULL;
    assert_int_equal(bw_adjacency_create(&mesh, NULL, &adjacency, NULL), BW_OK);
    assert_adjacency(&mesh, adjacency);
    bw_adjacency_destroy(adjacency);
}

static void test_random_indices(void **state)
{
    (void)state;
    BW_EACH_SEED(20, holds_for_a_fan, NULL);
    BW_EACH_SEED(400, holds_for_random_indices, NULL);
}

/* Closed, oriented outward, of the genus and the number of parts it should have. */
static void assert_surface(const bws_mesh *made, int euler, bool closed)
{
    bw_mesh mesh = bws_view(made);
    bw_adjacency *adjacency = NULL;
    assert_int_equal(bw_adjacency_create(&mesh, NULL, &adjacency, NULL), BW_OK);
    assert_true(adjacency->closed == closed && adjacency->oriented == closed);
    assert_int_equal(adjacency->nonmanifold_edges, 0);
    int64_t characteristic = (int64_t)mesh.vertex_count - adjacency->edge_count + mesh.triangle_count;
    assert_int_equal(characteristic, euler);
    if (mesh.triangle_count < 800)
        assert_adjacency(&mesh, adjacency);
    bw_adjacency_destroy(adjacency);
    double volume = 0; /* six times, by the divergence theorem: positive when triangles turn outward */
    for (uint32_t t = 0; t < mesh.triangle_count && closed; t++) {
        bw_vec3 p[3];
        bw_mesh_corners(&mesh, t, p);
        volume += p[0].x * (p[1].y * p[2].z - p[1].z * p[2].y) +
                  p[0].y * (p[1].z * p[2].x - p[1].x * p[2].z) + p[0].z * (p[1].x * p[2].y - p[1].y * p[2].x);
    }
    assert_true(volume > 0 || !closed);
}

static void test_scenes_are_surfaces(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int euler;
        bool closed;
    } expected[] = {{"bumpy-sphere", 2, true},
                    {"torus", 0, true},
                    {"pot", 6, true},
                    {"needles", 2, true},
                    {"sheet", 1, false}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        static const uint32_t sizes[] = {1, 60, 700, 30000};
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            bws_mesh made;
            const bws_scene *scene = bws_scene_find(expected[i].name);
            assert_non_null(scene);
            assert_int_equal(scene->make(sizes[s], BW_F64, &made), BW_OK);
            assert_surface(&made, expected[i].euler, expected[i].closed);
            bws_shuffle_triangles(&made, 3);
            assert_int_equal(bws_shuffle_vertices(&made, 4), BW_OK);
            assert_surface(&made, expected[i].euler, expected[i].closed);
            bws_mesh_free(&made);
        }
    }
}

static void test_refusals(void **state)
{
    (void)state;
    static const float positions[12];
    uint32_t indices[] = {0, 1, 2, 0, 3, 4};
    bw_mesh mesh = {.positions = positions, .vertex_count = 4, .indices = indices, .triangle_count = 2};
    bw_adjacency *untouched = (bw_adjacency *)indices, *out = untouched;
    assert_int_equal(bw_adjacency_create(&mesh, NULL, &out, NULL), BW_ERROR_INDEX);
    assert_int_equal(bw_adjacency_create(NULL, NULL, &out, NULL), BW_ERROR_ARGUMENT);
    mesh.triangle_count = UINT32_MAX / 2;
    assert_int_equal(bw_adjacency_create(&mesh, NULL, &out, NULL), BW_ERROR_SIZE);
    mesh.triangle_count = 1;
    assert_int_equal(bw_adjacency_create(&mesh, NULL, NULL, NULL), BW_ERROR_ARGUMENT);
    mesh.stride = 2;
    assert_int_equal(bw_adjacency_create(&mesh, NULL, &out, NULL), BW_ERROR_ARGUMENT);
    mesh.stride = 0;
    mesh.indices = NULL;
    assert_int_equal(bw_adjacency_create(&mesh, NULL, &out, NULL), BW_ERROR_ARGUMENT);
    assert_ptr_equal(out, untouched);
    bw_adjacency_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_indices),
        cmocka_unit_test(test_scenes_are_surfaces),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
