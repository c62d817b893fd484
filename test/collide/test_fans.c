/* Self-contacts around vertices whose fans are certified, against every pair of triangles: fans that wind
 * once, several times or not at all, folded, crumpled, flattened, doubled, without order; floats and doubles;
 * every SIMD level, with what a tree keeps of them and without. */
#include "collide/self/fans.h"
#include "collide/self/shared_features.h"
#include "oracle/failing_allocator.h"
#include "oracle/random.h"
#include "wide_solid.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>

enum { MOST = 400 };

/* Corners and triangles of one test. */
typedef struct fan_mesh {
    double xyz[MOST][3];
    float narrow[MOST][3];
    uint32_t indices[MOST][3];
    bw_mesh mesh;
} fan_mesh;

static void add_triangle(fan_mesh *m, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *t = m->indices[m->mesh.triangle_count++];
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

static uint32_t add_vertex(fan_mesh *m, double x, double y, double z)
{
    uint32_t v = m->mesh.vertex_count++;
    m->xyz[v][0] = x;
    m->xyz[v][1] = y;
    m->xyz[v][2] = z;
    return v;
}

/* A fan of k triangles that goes round its vertex by so many turns, closed or not, on a cone or a lattice,
 * where many corners lie exactly on the lines that are counted. */
static void add_fan(fan_mesh *m, bws_random *random)
{
    const double turns[] = {0.3, 0.5, 0.8, 0.95, 1.0, 1.0, 1.0, 1.2, 1.6, 2.0, 3.0};
    const double turn = 6.283185307179586 * turns[bws_random_below(random, 11)];
    const uint32_t k = (uint32_t)bws_random_int(random, 2, 14);
    const bool closed = bws_random_below(random, 3) > 0, lattice = bws_random_bool(random);
    const double slope = bws_random_double(random, -0.5, 0.5), start = bws_random_double(random, 0.0, 6.3);
    const double noise = bws_random_bool(random) ? 0.0 : 0.3, size = lattice ? 3.0 : 1.0;
    const int up = (int)bws_random_below(random, 3);
    double centre[3];
    for (int d = 0; d < 3; d++)
        centre[d] = (double)bws_random_int(random, -2, 2);
    uint32_t middle = add_vertex(m, centre[0], centre[1], centre[2]), first = m->mesh.vertex_count;
    for (uint32_t i = 0; i < k + !closed; i++) {
        double angle = start + turn * i / k, p[3];
        p[up] = slope + bws_random_double(random, -noise, noise);
        p[(up + 1) % 3] = size * cos(angle) + bws_random_double(random, -noise, noise);
        p[(up + 2) % 3] = size * sin(angle) + bws_random_double(random, -noise, noise);
        for (int d = 0; d < 3; d++)
            p[d] = centre[d] + (lattice ? round(p[d]) : p[d]);
        add_vertex(m, p[0], p[1], p[2]);
    }
    for (uint32_t i = 0; i < k; i++) {
        uint32_t a = first + i, b = first + (closed ? (i + 1) % k : i + 1);
        uint64_t odd = bws_random_below(random, 40);
        if (odd == 0)
            add_triangle(m, middle, b, a); /* against the others */
        else if (odd != 1)
            add_triangle(m, odd % 2 ? middle : a, odd % 2 ? a : b, odd % 2 ? b : middle);
        if (odd == 2)
            add_triangle(m, middle, a, b); /* twice */
    }
    if (bws_random_below(random, 8) == 0) /* another fan at the same vertex: a bow tie */
        add_triangle(m, middle, add_vertex(m, centre[0] + 1, centre[1], centre[2] + 2),
                     add_vertex(m, centre[0], centre[1] + 1, centre[2] + 2));
}

static void make_fans(fan_mesh *m, bws_random *random)
{
    *m = (fan_mesh){.mesh = {.scalar = bws_random_bool(random) ? BW_F32 : BW_F64}};
    uint32_t fans = (uint32_t)bws_random_int(random, 1, 6);
    for (uint32_t i = 0; i < fans; i++)
        add_fan(m, random);
    if (bws_random_below(random, 3) == 0) { /* flattened along an axis: everything is coplanar */
        int d = (int)bws_random_below(random, 3);
        for (uint32_t v = 0; v < m->mesh.vertex_count; v++)
            m->xyz[v][d] = 0.25;
    }
    double scale = bws_random_below(random, 4) == 0 ? ldexp(1.0, (int)bws_random_int(random, -60, 60)) : 1.0;
    double far = bws_random_below(random, 4) == 0 ? 1000.0 * scale : 0.0;
    for (uint32_t v = 0; v < m->mesh.vertex_count; v++)
        for (int d = 0; d < 3; d++) {
            m->xyz[v][d] = scale * m->xyz[v][d] + far;
            m->narrow[v][d] = (float)m->xyz[v][d];
        }
    m->mesh.positions = m->mesh.scalar == BW_F64 ? (const void *)m->xyz : m->narrow;
    m->mesh.indices = m->indices[0];
    /* Vertices that no triangle has are left where they are. */
}

/* Every pair, by the exact test, which test_self.c holds against rationals. */
static size_t all_pairs(const bw_mesh *mesh, bw_hit *hits)
{
    size_t count = 0;
    for (uint32_t i = 0; i < mesh->triangle_count; i++)
        for (uint32_t j = i + 1; j < mesh->triangle_count; j++) {
            bw_vec3 a[3], b[3];
            bool exact = false;
            bw_mesh_corners(mesh, i, a);
            bw_mesh_corners(mesh, j, b);
            bw_contact_kind kind = bw_contact_beyond_shared(a, mesh->indices + 3 * (size_t)i, b,
                                                            mesh->indices + 3 * (size_t)j, &exact);
            if (kind != BW_CONTACT_NONE)
                hits[count++] = (bw_hit){.a = i, .b = j, .kind = kind};
        }
    return count;
}

static void assert_hits(wide_answer *answer, const bw_hit *hits, size_t count)
{
    assert_int_equal(answer->report.hit_count, count);
    bw_hits_sort(answer->hits, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(answer->hits[i].a, hits[i].a);
        assert_int_equal(answer->hits[i].b, hits[i].b);
        assert_int_equal(answer->hits[i].kind, hits[i].kind);
    }
}

/* Of a mesh at all levels; the number of vertices that are certified. */
static uint32_t assert_levels(const bw_mesh *mesh, bool compact)
{
    wide_solid solid;
    wide_solid_build(&solid, mesh, compact);
    size_t room = (size_t)mesh->triangle_count * mesh->triangle_count + 1;
    bw_hit *hits = malloc(room * sizeof *hits);
    assert_non_null(hits);
    bw_allocator heap = bw_allocator_or_heap(NULL);
    bw_fan_store store = {.allocator = &heap};
    size_t count = all_pairs(mesh, hits);
    wide_answer first =
        wide_answer_of(&solid, NULL, NULL, BW_BOX_TEST_DEFAULT, &(bw_wide_options){.simd = BW_SIMD_128});
    for (int level = BW_SIMD_128; level <= BW_SIMD_AVX2; level++) {
        bw_wide_options options = {.simd = (bw_simd)level, .fans = &store};
        wide_answer other = wide_answer_of(&solid, NULL, NULL, BW_BOX_TEST_DEFAULT, &options);
        wide_assert_same(&other, &first);
        assert_true(store.known);
        wide_answer_free(&other);
        bw_hit_sink any = {.desc = &(bw_collide_desc){.mode = BW_COLLIDE_ANY}};
        assert_int_equal(bw_wide_self(&(bw_wide_side){&solid.tree, mesh}, &options, &any), BW_OK);
        assert_int_equal(any.report.hit_count, count > 0);
    }
    assert_hits(&first, hits, count);
    uint32_t certain = 0;
    assert_int_equal(
        bw_fans_find(&solid.tree, mesh, &store, bw_wide_kernels_for(bw_simd_level(BW_SIMD_AUTO))), BW_OK);
    const uint32_t *keys = store.keys;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        assert_int_equal(keys[v] & ~BW_FAN_UNSURE, v);
        certain += keys[v] == v;
    }
    wide_answer_free(&first);
    wide_solid_free(&solid);
    free(hits);
    bw_fan_store_release(&store);
    return certain;
}

static void fans_equal_all_pairs(bws_random *random, void *user)
{
    uint32_t *certain = user;
    static fan_mesh m;
    for (int i = 0; i < 300; i++) {
        make_fans(&m, random);
        if (m.mesh.triangle_count > 0)
            *certain += assert_levels(&m.mesh, bws_random_bool(random));
    }
}

static void finds_contacts_around_vertices(void **state)
{
    (void)state;
    uint32_t certain = 0;
    BW_EACH_SEED(6, fans_equal_all_pairs, &certain);
    assert_true(certain > 0);
}

/* A sheet of quads: fans within it are closed, at its border open. Crumpled more and more, until most are
 * not certified any more. */
static void sheets_equal_all_pairs(bws_random *random, void *user)
{
    (void)user;
    enum { SIDE = 9 };
    static fan_mesh m;
    for (int round = 0; round < 12; round++) {
        const double crumple = round * round * 0.012;
        m = (fan_mesh){.mesh = {.scalar = round % 2 ? BW_F32 : BW_F64}};
        for (uint32_t i = 0; i < SIDE * SIDE; i++) {
            double p[3] = {i % SIDE, (double)(i / SIDE), 0.1 * sin((double)i)}; /* steep nowhere */
            for (int d = 0; d < 3; d++) {
                m.xyz[i][d] = p[(d + round) % 3] + bws_random_double(random, -crumple, crumple);
                m.narrow[i][d] = (float)m.xyz[i][d];
            }
        }
        m.mesh.vertex_count = SIDE * SIDE;
        for (uint32_t y = 0; y + 1 < SIDE; y++)
            for (uint32_t x = 0; x + 1 < SIDE; x++) {
                uint32_t v = y * SIDE + x;
                add_triangle(&m, v, v + 1, v + SIDE);
                add_triangle(&m, v + 1, v + SIDE + 1, v + SIDE);
            }
        m.mesh.positions = m.mesh.scalar == BW_F64 ? (const void *)m.xyz : m.narrow;
        m.mesh.indices = m.indices[0];
        uint32_t certain = assert_levels(&m.mesh, bws_random_bool(random));
        if (round == 0) /* all but at the border that is above the line that is counted, and parallel to it */
            assert_true(certain >= SIDE * SIDE - SIDE);
    }
}

static void finds_contacts_of_sheets(void **state)
{
    (void)state;
    BW_EACH_SEED(3, sheets_equal_all_pairs, NULL);
}

/* Triangles that leave a tree and come back with other vertices: what a cache kept of its fans is no more.
 */
static void forgets_fans_of_edited_trees(void **state)
{
    (void)state;
    float xyz[][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
    uint32_t indices[] = {0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 1};
    bw_mesh mesh = {xyz, BW_F32, 5, 0, indices, 4};
    bw_tree *tree = NULL;
    assert_int_equal(bw_tree_create(NULL, &mesh, &tree, NULL), BW_OK);
    bw_body body = {tree, &mesh, NULL};
    bw_collide_desc all = {.mode = BW_COLLIDE_COUNT};
    assert_int_equal(bw_pair_cache_create(NULL, &all.cache, NULL), BW_OK);
    bw_collide_report report = {0};
    assert_int_equal(bw_collide_self(&body, &all, &report, NULL), BW_OK);
    assert_int_equal(report.hit_count, 0);
    assert_int_equal(report.primitive_tests, 0);
    const uint32_t last = 3;
    assert_int_equal(bw_tree_remove(tree, &mesh, &last, 1, NULL), BW_OK);
    assert_int_equal(bw_collide_self(&body, &all, &report, NULL), BW_OK);
    assert_int_equal(report.hit_count, 0);
    indices[10] = 1; /* 0 1 2 again */
    indices[11] = 2;
    assert_int_equal(bw_tree_insert(tree, &mesh, &last, 1, NULL), BW_OK);
    assert_int_equal(bw_collide_self(&body, &all, &report, NULL), BW_OK);
    assert_int_equal(report.hit_count, 1);
    bw_pair_cache_destroy(all.cache);
    bw_tree_destroy(tree);
}

static bw_result self_with_faults(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const wide_solid *solid = user;
    bw_collide_desc desc = {.mode = BW_COLLIDE_ALL, .allocator = &memory->hook};
    bw_hit_sink sink = {.desc = &desc};
    bw_failing_allocator_fail(memory, n);
    bw_result result =
        bw_wide_self(&(bw_wide_side){&solid->tree, &solid->mesh}, &(bw_wide_options){0}, &sink);
    bw_failing_allocator_fail_none(memory);
    return result;
}

/* A search for any contact finds the fans on its way. */
static bw_result any_with_faults(bw_failing_allocator *memory, uint64_t n, void *user)
{
    const wide_solid *solid = user;
    bw_collide_desc desc = {.mode = BW_COLLIDE_ANY, .allocator = &memory->hook};
    bw_hit_sink sink = {.desc = &desc};
    bw_failing_allocator_fail(memory, n);
    bw_result result =
        bw_wide_self(&(bw_wide_side){&solid->tree, &solid->mesh}, &(bw_wide_options){0}, &sink);
    bw_failing_allocator_fail_none(memory);
    assert_int_equal(sink.report.hit_count, 0);
    return result;
}

static void survives_lack_of_memory(void **state)
{
    (void)state;
    wide_solid ball = wide_solid_of_scene(bws_scene_find("torus"), 3000, BW_F64, true);
    bw_each_allocation_failure(self_with_faults, &ball, 4);
    bw_each_allocation_failure(any_with_faults, &ball, 4);
    wide_solid_free(&ball);
}

/* What is certified is not tested: hardly anything of a smooth surface is. */
static void leaves_out_what_is_certain(void **state)
{
    (void)state;
    for (int scalar = BW_F32; scalar <= BW_F64; scalar++) {
        wide_solid ball = wide_solid_of_scene(bws_scene_find("torus"), 3000, (bw_scalar)scalar, false);
        wide_answer answer =
            wide_answer_of(&ball, NULL, NULL, BW_BOX_TEST_DEFAULT, &(bw_wide_options){.simd = BW_SIMD_AUTO});
        assert_int_equal(answer.report.hit_count, 0);
        assert_true(answer.report.primitive_tests < ball.mesh.triangle_count / 2);
        wide_answer_free(&answer);
        wide_solid_free(&ball);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_contacts_around_vertices), cmocka_unit_test(finds_contacts_of_sheets),
        cmocka_unit_test(forgets_fans_of_edited_trees),   cmocka_unit_test(survives_lack_of_memory),
        cmocka_unit_test(leaves_out_what_is_certain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
