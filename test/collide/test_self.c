/* Self-collision: the contact of two triangles beyond what they share, against the corners of their
 * intersection in rationals; whole meshes against every pair of triangles. */
#include "collide/self/shared_features.h"
#include "oracle/brute_force.h"
#include "oracle/random.h"
#include "oracle/triangle_oracle.h"
#include "scenes/scenes.h"

#include <boxwood/collide.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Whether a corner of the intersection lies outside of the hull of the shared vertices: a point, or a
 * segment. */
static bool truth(const bw_vec3 a[3], const uint32_t ia[3], const bw_vec3 b[3], const uint32_t ib[3])
{
    bw_vec3 shared[3];
    uint32_t names[3], count = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            bool known = false;
            for (uint32_t k = 0; k < count; k++)
                known |= names[k] == ia[i];
            if (ia[i] == ib[j] && !known) {
                names[count] = ia[i];
                shared[count++] = a[i];
            }
        }
    if (count == 3)
        return !bw_collinear(&a[0], &a[1], &a[2]);
    bw_oracle_polygon polygon = bw_oracle_intersection(a, b);
    if (count == 0)
        return polygon.count > 0;
    for (int i = 0; i < polygon.count; i++) {
        bw_vec3 point[3] = {polygon.points[i], polygon.points[i], polygon.points[i]};
        bw_vec3 hull[3] = {shared[0], shared[count - 1], shared[count - 1]};
        if (bw_oracle_triangle_triangle(point, hull) == BW_CONTACT_NONE)
            return true;
    }
    return false;
}

/* Corners on a coarse grid: shared positions, edges in line, flat folds and triangles without area are
 * common. */
static void pairs_equal_rationals(bws_random *random, void *user)
{
    (void)user;
    for (int n = 0; n < 4000; n++) {
        int size = (int)bws_random_int(random, 1, 6);
        bw_vec3 vertices[6];
        for (int i = 0; i < 6; i++) {
            double *c[3] = {&vertices[i].x, &vertices[i].y, &vertices[i].z};
            for (int k = 0; k < 3; k++)
                *c[k] = (double)bws_random_int(random, 0, k == 2 && n % 3 == 0 ? 0 : size);
        }
        uint32_t ia[3], ib[3];
        uint32_t range = (uint32_t)bws_random_int(random, 3, 6);
        bw_vec3 a[3], b[3];
        for (int i = 0; i < 3; i++) {
            ia[i] = (uint32_t)bws_random_below(random, range);
            ib[i] = (uint32_t)bws_random_below(random, range);
            a[i] = vertices[ia[i]];
            b[i] = vertices[ib[i]];
        }
        bool exact = false;
        bw_contact_kind kind = bw_contact_beyond_shared(a, ia, b, ib, &exact);
        assert_int_equal(kind != BW_CONTACT_NONE, truth(a, ia, b, ib));
        assert_int_equal(bw_contact_beyond_shared(b, ib, a, ia, &exact), kind);
        if (kind != BW_CONTACT_NONE)
            assert_int_equal(kind, bw_oracle_triangle_triangle(a, b));
    }
}

static void decides_pairs(void **state)
{
    (void)state;
    BW_EACH_SEED(10, pairs_equal_rationals, NULL);
}

static void assert_self(const bw_mesh *mesh, const bw_tree_desc *desc)
{
    bw_tree *tree = NULL;
    assert_int_equal(bw_tree_create(desc, mesh, &tree, NULL), BW_OK);
    uint32_t n = bw_mesh_primitive_count(mesh);
    bw_hit *hits = malloc((size_t)n * n * sizeof *hits);
    assert_non_null(hits);
    bw_body body = {tree, mesh, NULL};
    bw_collide_report report = {0};
    bw_collide_desc all = {.mode = BW_COLLIDE_ALL, .hits = hits, .hit_capacity = (uint64_t)n * n};
    assert_int_equal(bw_collide_self(&body, &all, &report, NULL), BW_OK);
    assert_int_equal(report.status, BW_DONE);
    bw_hits_sort(hits, (size_t)report.hit_count);
    uint64_t found = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i + 1; j < n; j++) {
            bw_vec3 a[3], b[3];
            bw_mesh_corners(mesh, i, a);
            bw_mesh_corners(mesh, j, b);
            bool exact = false;
            uint32_t own_i[3] = {i, i, i}, own_j[3] = {j, j, j};
            const uint32_t *ia = mesh->indices ? mesh->indices + 3 * (size_t)i : own_i;
            const uint32_t *ib = mesh->indices ? mesh->indices + 3 * (size_t)j : own_j;
            bw_contact_kind kind = bw_contact_beyond_shared(a, ia, b, ib, &exact);
            if (kind == BW_CONTACT_NONE)
                continue;
            assert_true(found < report.hit_count);
            assert_int_equal(hits[found].a, i);
            assert_int_equal(hits[found].b, j);
            assert_int_equal(hits[found].kind, kind);
            found++;
        }
    assert_int_equal(found, report.hit_count);
    bw_collide_report any = {0}, count = {0};
    assert_int_equal(bw_collide_self(&body, NULL, &any, NULL), BW_OK);
    assert_int_equal(any.hit_count, found > 0);
    assert_int_equal(bw_collide_self(&body, &(bw_collide_desc){.mode = BW_COLLIDE_COUNT}, &count, NULL),
                     BW_OK);
    assert_int_equal(count.hit_count, found);
    free(hits);
    bw_tree_destroy(tree);
}

static void meshes_equal_all_pairs(bws_random *random, void *user)
{
    (void)user;
    uint32_t count;
    const bws_scene *scenes = bws_scene_list(&count);
    for (uint32_t i = 0; i < count; i++) {
        bws_mesh owned;
        assert_int_equal(scenes[i].make(250, bws_random_bool(random) ? BW_F32 : BW_F64, &owned), BW_OK);
        bw_mesh mesh = bws_view(&owned);
        bw_tree_desc desc = {.builder = bws_random_bool(random) ? BW_BUILDER_FAST : BW_BUILDER_QUALITY,
                             .compact = bws_random_bool(random)};
        assert_self(&mesh, &desc);
        /* Crumpled: vertices thrown about, so that neighbours fold onto each other. */
        for (uint32_t v = 0; v < mesh.vertex_count; v++) {
            bw_vec3 p = bws_mesh_vertex(&owned, v);
            p.x += bws_random_double(random, -0.2, 0.2);
            p.y += bws_random_double(random, -0.2, 0.2);
            p.z = i % 2 ? 0.0 : p.z; /* and flattened, every other one */
            bws_mesh_set_vertex(&owned, v, p);
        }
        assert_self(&mesh, &desc);
        bws_mesh_free(&owned);
    }
}

static void finds_all_contacts(void **state)
{
    (void)state;
    BW_EACH_SEED(3, meshes_equal_all_pairs, NULL);
}

static void smooth_meshes_are_free(void **state)
{
    (void)state;
    bws_mesh owned;
    assert_int_equal(bws_bumpy_sphere(NULL, BW_F32, &owned), BW_OK);
    bw_mesh mesh = bws_view(&owned);
    bw_tree *tree = NULL;
    assert_int_equal(bw_tree_create(NULL, &mesh, &tree, NULL), BW_OK);
    bw_body body = {tree, &mesh, NULL};
    bw_collide_report report = {0};
    assert_int_equal(bw_collide_self(&body, NULL, &report, NULL), BW_OK);
    assert_int_equal(report.hit_count, 0);
    assert_int_equal(report.status, BW_DONE);
    bw_tree_destroy(tree);
    bws_mesh_free(&owned);
}

static void refuses_bad_arguments(void **state)
{
    (void)state;
    float xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2f, 0.2f, -1, 0.2f, 0.3f, 1, 0.3f, 0.2f, 1};
    uint32_t indices[] = {0, 1, 2, 3, 4, 5};
    bw_mesh mesh = {xyz, BW_F32, 6, 0, indices, 2}, other = {xyz, BW_F32, 6, 0, indices, 1};
    bw_tree *tree = NULL;
    assert_int_equal(bw_tree_create(NULL, &mesh, &tree, NULL), BW_OK);
    bw_body body = {tree, &mesh, NULL}, wrong = {tree, &other, NULL}, none = {tree, NULL, NULL};
    bw_collide_report report = {0};
    assert_int_equal(bw_collide_self(NULL, NULL, &report, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_collide_self(&none, NULL, &report, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_collide_self(&body, NULL, NULL, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_collide_self(&body, &(bw_collide_desc){.hit_capacity = 1}, &report, NULL),
                     BW_ERROR_ARGUMENT);
    assert_int_equal(bw_collide_self(&body, &(bw_collide_desc){.mode = (bw_collide_mode)5}, &report, NULL),
                     BW_ERROR_ARGUMENT);
    assert_int_equal(bw_collide_self(&wrong, NULL, &report, NULL), BW_ERROR_MISMATCH);
#if BW_RESEARCH
    bw_tree *reference = NULL;
    assert_int_equal(bw_tree_create(&(bw_tree_desc){.builder = BW_BUILDER_MIDPOINT}, &mesh, &reference, NULL),
                     BW_OK);
    bw_body plain = {reference, &mesh, NULL};
    assert_int_equal(bw_collide_self(&plain, NULL, &report, NULL), BW_ERROR_UNSUPPORTED);
    bw_tree_destroy(reference);
#endif
    assert_int_equal(bw_collide_self(&body, NULL, &report, NULL), BW_OK);
    assert_int_equal(report.status, BW_FOUND);
    bw_tree_destroy(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decides_pairs),
        cmocka_unit_test(finds_all_contacts),
        cmocka_unit_test(smooth_meshes_are_free),
        cmocka_unit_test(refuses_bad_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
