/* bw_collide and bw_collide_self with a separation, against every pair of triangles: the contacts of the exact
 * test, and what is near by bw_triangle_distance2; neighbours by a search through the triangles around each
 * vertex. The same hits in the same order at every SIMD level and for any number of threads. */
#include "collide/pair/pair.h"
#include "collide/self/shared_features.h"
#include "collide/separation/separation.h"
#include "hard_solid.h"
#include "oracle/brute_force.h"
#include "oracle/pool.h"
#include "oracle/random.h"
#include "tree/tree.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const bw_simd levels[] = {BW_SIMD_128, BW_SIMD_AVX2};

typedef struct hit_room {
    bw_hit *truth, *found, *first;
    size_t room;
} hit_room;

static hit_room make_room(size_t room)
{
    hit_room r = {malloc((room + 1) * sizeof(bw_hit)), malloc((room + 1) * sizeof(bw_hit)),
                  malloc((room + 1) * sizeof(bw_hit)), room};
    assert_true(r.truth != NULL && r.found != NULL && r.first != NULL);
    return r;
}

static void free_room(hit_room *r)
{
    free(r->truth);
    free(r->found);
    free(r->first);
}

static void assert_hits(const bw_hit *a, const bw_hit *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_true(a[i].a == b[i].a && a[i].b == b[i].b && a[i].kind == b[i].kind);
}

static size_t count_kind(const bw_hit *hits, size_t count, bw_contact_kind kind)
{
    size_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += hits[i].kind == kind;
    return sum;
}

/* ---- two bodies ---- */

static size_t brute_pairs(const bw_body *a, const bw_body *b, double d, bw_hit *out)
{
    bw_transform relative;
    const bool mapped = bw_brute_relative(a->pose, b->pose, &relative);
    size_t count = 0;
    for (uint32_t i = 0; i < bw_mesh_primitive_count(a->mesh); i++)
        for (uint32_t j = 0; j < bw_mesh_primitive_count(b->mesh); j++) {
            bw_vec3 p[3], q[3];
            bw_mesh_corners(a->mesh, i, p);
            bw_mesh_corners(b->mesh, j, q);
            for (int k = 0; mapped && k < 3; k++)
                q[k] = bw_transform_point(&relative, q[k]);
            bw_contact_kind kind = bw_triangle_triangle(p, q);
            if (kind == BW_CONTACT_NONE) {
                hard_corners(a, i, p);
                hard_corners(b, j, q);
                kind = bw_triangle_distance2(p, q, NULL, NULL) <= d * d ? BW_CONTACT_NEAR : BW_CONTACT_NONE;
            }
            if (kind != BW_CONTACT_NONE)
                out[count++] = (bw_hit){i, j, kind};
        }
    return count;
}

/* The same at every level, below the public call. */
static void assert_levels(const bw_body *a, const bw_body *b, double d, hit_room *r)
{
    bw_relative_pose pose;
    bw_separation separation;
    assert_int_equal(bw_relative_pose_between(a, b, &pose), BW_OK);
    assert_int_equal(bw_separation_prepare(&separation, d, a, b, &pose), BW_OK);
    pose.separation = &separation;
    const bw_wide_side side_a = {&a->tree->wide, a->mesh}, side_b = {&b->tree->wide, b->mesh};
    bw_collide_report first = {0};
    for (int level = 0; level < 2; level++) {
        bw_collide_desc desc = {.mode = BW_COLLIDE_ALL, .hits = r->found, .hit_capacity = r->room};
        bw_hit_sink sink = {.desc = &desc};
        const bw_wide_options options = {.simd = levels[level]};
        assert_int_equal(bw_wide_pair(&side_a, &side_b, &pose, &options, &sink), BW_OK);
        if (level == 0) {
            first = sink.report;
            memcpy(r->first, r->found, first.hit_count * sizeof *r->first);
        }
        assert_memory_equal(&sink.report, &first, sizeof first);
        assert_hits(r->found, r->first, first.hit_count);
    }
}

static void assert_pair(const bw_body *a, const bw_body *b, double d, const bw_tasks *tasks)
{
    hit_room r = make_room((size_t)bw_mesh_primitive_count(a->mesh) * bw_mesh_primitive_count(b->mesh));
    bw_collide_desc desc = {.mode = BW_COLLIDE_ALL, .hits = r.found, .hit_capacity = r.room, .separation = d};
    bw_collide_report all = {0}, other = {0};
    const bw_result result = bw_collide(a, b, &desc, &all, NULL);
    if (result == BW_ERROR_SINGULAR) { /* of a pose onto a plane */
        assert_non_null(a->pose);
        free_room(&r);
        return;
    }
    assert_int_equal(result, BW_OK);
    const size_t count = brute_pairs(a, b, d, r.truth);
    assert_int_equal(all.hit_count, count);
    assert_int_equal(all.near_count, count_kind(r.truth, count, BW_CONTACT_NEAR));
    assert_int_equal(all.touching_count, count_kind(r.truth, count, BW_CONTACT_TOUCHING));
    memcpy(r.first, r.found, count * sizeof *r.first);
    desc.tasks = tasks;
    assert_int_equal(bw_collide(a, b, &desc, &other, NULL), BW_OK);
    assert_int_equal(other.hit_count, count);
    assert_int_equal(other.near_count, all.near_count);
    assert_hits(r.found, r.first, count);
    bw_hits_sort(r.found, count);
    assert_hits(r.found, r.truth, count);
    desc = (bw_collide_desc){.mode = BW_COLLIDE_COUNT, .separation = d, .tasks = tasks};
    assert_int_equal(bw_collide(a, b, &desc, &other, NULL), BW_OK);
    assert_int_equal(other.hit_count, count);
    assert_int_equal(other.near_count, all.near_count);
    bw_witness witness = {.valid = false};
    for (int i = 0; i < 2; i++) {
        bw_hit any;
        desc = (bw_collide_desc){.hits = &any, .hit_capacity = 1, .separation = d, .witness = &witness};
        assert_int_equal(bw_collide(a, b, &desc, &other, NULL), BW_OK);
        assert_int_equal(other.hit_count, count > 0);
        assert_int_equal(other.status, count > 0 ? BW_FOUND : BW_DONE);
        size_t at = 0;
        while (count > 0 && at < count && (r.truth[at].a != any.a || r.truth[at].b != any.b))
            at++;
        assert_true(count == 0 || (at < count && r.truth[at].kind == any.kind));
    }
    assert_levels(a, b, d, &r);
    free_room(&r);
}

static void hard_pairs(bws_random *random, void *user)
{
    const bw_tasks *tasks = user;
    for (int i = 0; i < HARD_PLACES; i++) {
        const hard_place where = hard_places[i];
        hard_solid a = hard_make(random, 90, (int)bws_random_below(random, HARD_SHAPES + 1), where,
                                 bws_random_bool(random));
        hard_solid b = hard_make(random, 60, (int)bws_random_below(random, HARD_SHAPES + 1), where,
                                 bws_random_bool(random));
        bw_transform pose_a = hard_pose(random, where), pose_b = hard_pose(random, where);
        bw_body body_a = {a.tree, &a.mesh, NULL}, body_b = {b.tree, &b.mesh, NULL};
        assert_pair(&body_a, &body_b, 1e-7 * where.unit, tasks);
        assert_pair(&body_a, &body_b, where.unit, tasks); /* of a lattice, many are exactly at it */
        body_b.pose = &pose_b;
        assert_pair(&body_a, &body_b, 0.5 * where.unit, tasks);
        body_a.pose = &pose_a;
        assert_pair(&body_a, &body_b, 0.1 * where.unit, tasks);
        assert_pair(&body_a, &body_b, INFINITY, tasks);
        pose_b.m[0][3] += 9 * where.unit; /* apart */
        assert_pair(&body_a, &body_b, 5 * where.unit, tasks);
        /* The same with a clearance, of either or both. */
        const uint32_t cells = (uint32_t)bws_random_below(random, 5000), which = 1 + (uint32_t)i % 3;
        if ((which & 1) != 0)
            assert_int_equal(bw_tree_prepare_clearance(a.tree, &a.mesh, cells, NULL, NULL), BW_OK);
        if ((which & 2) != 0)
            assert_int_equal(bw_tree_prepare_clearance(b.tree, &b.mesh, 1 + cells, tasks, NULL), BW_OK);
        for (double d = 8; d > 1; d /= 1.5)
            assert_pair(&body_a, &body_b, d * where.unit, tasks);
        body_a.pose = NULL;
        assert_pair(&body_a, &body_b, 4 * where.unit, tasks);
        pose_b.m[0][3] -= 9 * where.unit;
        assert_pair(&body_a, &body_b, 0.2 * where.unit, tasks);
        body_b.pose = NULL;
        assert_pair(&body_a, &body_b, 0.01 * where.unit, tasks);
        hard_unmake(&a);
        hard_unmake(&b);
    }
}

static void test_hard_pairs(void **state)
{
    (void)state;
    bw_pool *pool = test_pool_create(3);
    BW_EACH_SEED(4, hard_pairs, (void *)(uintptr_t)bw_pool_tasks(pool));
    bw_pool_destroy(pool);
}

/* Large enough for threads: leaves are compared by several of them. */
static void large_pairs(bws_random *random, void *user)
{
    (void)user;
    bws_mesh owned[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(
            bws_bumpy_sphere(&(bws_sphere_desc){.frequency = i == 0 ? 13 : 6, .seed = 1}, BW_F32, &owned[i]),
            BW_OK);
    const bw_mesh mesh_a = bws_view(&owned[0]), mesh_b = bws_view(&owned[1]);
    bw_tree *tree_a = NULL, *tree_b = NULL;
    assert_int_equal(bw_tree_create(NULL, &mesh_a, &tree_a, NULL), BW_OK);
    assert_int_equal(bw_tree_create(&(bw_tree_desc){.builder = BW_BUILDER_FAST}, &mesh_b, &tree_b, NULL),
                     BW_OK);
    bw_transform pose = bws_random_rigid(random, 0.1);
    pose.m[0][3] += 2.1;
    const bw_body a = {tree_a, &mesh_a, NULL}, b = {tree_b, &mesh_b, &pose};
    for (uint32_t workers = 2; workers <= 7; workers += 5) {
        bw_pool *pool = test_pool_create(workers);
        assert_pair(&a, &b, 0.15, bw_pool_tasks(pool));
        bw_pool_destroy(pool);
    }
    bw_tree_destroy(tree_a);
    bw_tree_destroy(tree_b);
    bws_mesh_free(&owned[0]);
    bws_mesh_free(&owned[1]);
}

static void test_large_pairs(void **state)
{
    (void)state;
    BW_EACH_SEED(1, large_pairs, NULL);
}

/* ---- one body ---- */

static bool share(const uint32_t *a, const uint32_t *b)
{
    for (int i = 0; i < 9; i++)
        if (a[i / 3] == b[i % 3])
            return true;
    return false;
}

/* How many rings connect each triangle with each: breadth first, over lists of those that share a vertex. */
static uint32_t *find_rings(const bw_mesh *mesh)
{
    const size_t n = mesh->triangle_count;
    uint32_t *rings = malloc(n * n * sizeof *rings), *lists = malloc(n * n * sizeof *lists),
             *counts = calloc(n, sizeof *counts), *queue = malloc(n * sizeof *queue);
    assert_true(rings != NULL && lists != NULL && counts != NULL && queue != NULL);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            if (share(mesh->indices + 3 * i, mesh->indices + 3 * j))
                lists[n * i + counts[i]++] = j;
    for (uint32_t from = 0; from < n; from++) {
        uint32_t *ring = rings + n * from;
        for (uint32_t i = 0; i < n; i++)
            ring[i] = UINT32_MAX;
        ring[from] = 0;
        queue[0] = from;
        for (uint32_t at = 0, end = 1; at < end; at++)
            for (uint32_t k = 0; k < counts[queue[at]]; k++) {
                const uint32_t next = lists[n * queue[at] + k];
                if (ring[next] != UINT32_MAX)
                    continue;
                ring[next] = ring[queue[at]] + 1;
                queue[end++] = next;
            }
    }
    free(lists);
    free(counts);
    free(queue);
    return rings;
}

static size_t brute_self(const bw_mesh *mesh, const uint32_t *all_rings, double d, uint32_t left_out,
                         bw_hit *out)
{
    size_t count = 0;
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *rings = all_rings + (size_t)mesh->triangle_count * i;
        for (uint32_t j = i + 1; j < mesh->triangle_count; j++) {
            bw_vec3 p[3], q[3];
            bool exact;
            bw_mesh_corners(mesh, i, p);
            bw_mesh_corners(mesh, j, q);
            if (rings[j] <= left_out)
                continue;
            bw_contact_kind kind =
                bw_contact_beyond_shared(p, mesh->indices + 3 * i, q, mesh->indices + 3 * j, &exact);
            if (kind == BW_CONTACT_NONE && d > 0 && rings[j] > 1 &&
                bw_triangle_distance2(p, q, NULL, NULL) <= d * d)
                kind = BW_CONTACT_NEAR;
            if (kind != BW_CONTACT_NONE)
                out[count++] = (bw_hit){i, j, kind};
        }
    }
    return count;
}

static void assert_self(const bw_mesh *mesh, const uint32_t *all_rings, double d, uint32_t rings,
                        const bw_tasks *tasks)
{
    bw_tree *tree = NULL;
    assert_int_equal(bw_tree_create(NULL, mesh, &tree, NULL), BW_OK);
    hit_room r = make_room((size_t)mesh->triangle_count * mesh->triangle_count);
    const bw_body body = {tree, mesh, NULL};
    const size_t count = brute_self(mesh, all_rings, d, rings, r.truth);
    for (int i = 0; i < 3; i++) {
        bw_collide_desc desc = {.mode = i == 2 ? BW_COLLIDE_COUNT : BW_COLLIDE_ALL,
                                .hits = r.found,
                                .hit_capacity = r.room,
                                .separation = d,
                                .rings = rings,
                                .tasks = i == 0 ? NULL : tasks};
        bw_collide_report report = {0};
        assert_int_equal(bw_collide_self(&body, &desc, &report, NULL), BW_OK);
        assert_int_equal(report.hit_count, count);
        assert_int_equal(report.near_count, count_kind(r.truth, count, BW_CONTACT_NEAR));
        if (i == 0)
            memcpy(r.first, r.found, count * sizeof *r.first);
        assert_hits(r.found, r.first, count);
    }
    bw_hits_sort(r.first, count);
    assert_hits(r.first, r.truth, count);
    bw_collide_report any = {0};
    assert_int_equal(bw_collide_self(&body, &(bw_collide_desc){.separation = d, .rings = rings}, &any, NULL),
                     BW_OK);
    assert_int_equal(any.hit_count, count > 0);
    free_room(&r);
    bw_tree_destroy(tree);
}

static void self_proximity(bws_random *random, void *user)
{
    const bw_tasks *tasks = user;
    bws_mesh owned;
    assert_int_equal(bws_sheet(&(bws_sheet_desc){.columns = 12, .rows = 11, .amplitude = 0.4, .waves = 3}, 0,
                               BW_F32, &owned),
                     BW_OK);
    for (uint32_t v = 0; v < owned.vertex_count; v++) { /* crumpled */
        const bw_vec3 p = bws_mesh_vertex(&owned, v), d = bws_random_direction(random);
        bws_mesh_set_vertex(&owned, v, (bw_vec3){0.6 * p.x + 0.03 * d.x, p.y + 0.03 * d.y, p.z});
    }
    const bw_mesh mesh = bws_view(&owned);
    uint32_t *all = find_rings(&mesh);
    for (uint32_t rings = 0; rings <= 4; rings++) {
        assert_self(&mesh, all, 0.05, rings, tasks);
        assert_self(&mesh, all, 0, rings, tasks);
    }
    assert_self(&mesh, all, 0.4, 2, tasks);
    assert_self(&mesh, all, 0.4, 1000, tasks); /* all of it is connected */
    free(all);
    bws_mesh_free(&owned);
    assert_int_equal(bws_soup(&(bws_soup_desc){.triangles = 200, .size = 0.2}, BW_F64, &owned), BW_OK);
    const bw_mesh soup = bws_view(&owned);
    all = find_rings(&soup);
    assert_self(&soup, all, 0.03, 0, tasks);
    assert_self(&soup, all, 0.03, 3, tasks);
    free(all);
    bws_mesh_free(&owned);
    /* Large enough for threads. */
    assert_int_equal(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 13}, BW_F32, &owned), BW_OK);
    const bw_mesh sphere = bws_view(&owned);
    all = find_rings(&sphere);
    assert_self(&sphere, all, 0.25, 2, tasks);
    free(all);
    bws_mesh_free(&owned);
}

static void test_self_proximity(void **state)
{
    (void)state;
    bw_pool *pool = test_pool_create(7);
    BW_EACH_SEED(2, self_proximity, (void *)(uintptr_t)bw_pool_tasks(pool));
    bw_pool_destroy(pool);
}

static void test_arguments(void **state)
{
    (void)state;
    const float xyz[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const uint32_t indices[3] = {0, 1, 2};
    const bw_mesh mesh = {.positions = xyz, .vertex_count = 3, .indices = indices, .triangle_count = 1};
    bw_tree *tree = NULL;
    assert_int_equal(bw_tree_create(NULL, &mesh, &tree, NULL), BW_OK);
    bw_transform flat = bw_transform_identity();
    flat.m[2][2] = 0;
    const bw_body a = {tree, &mesh, NULL}, b = {tree, &mesh, &flat};
    bw_collide_report report = {0};
    const double bad[] = {-1, NAN, -INFINITY};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(bw_collide(&a, &a, &(bw_collide_desc){.separation = bad[i]}, &report, NULL),
                         BW_ERROR_ARGUMENT);
        assert_int_equal(bw_collide_self(&a, &(bw_collide_desc){.separation = bad[i]}, &report, NULL),
                         BW_ERROR_ARGUMENT);
    }
    assert_int_equal(bw_collide(&b, &a, &(bw_collide_desc){.separation = 1}, &report, NULL),
                     BW_ERROR_SINGULAR);
    assert_int_equal(bw_collide(&a, &b, &(bw_collide_desc){.separation = 1}, &report, NULL), BW_OK);
    assert_int_equal(report.hit_count, 1);
    bw_tree_destroy(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hard_pairs),
        cmocka_unit_test(test_large_pairs),
        cmocka_unit_test(test_self_proximity),
        cmocka_unit_test(test_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
