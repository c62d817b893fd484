/* Random assemblies, meshes placed many times among them: what boxwood clash finds is what plain testing of
 * all pairs of triangles finds, at the coordinates that the flattened models have, for any number of
 * threads. The reader is this file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clash/clash.h"
#include "io/build.h"
#include "oracle/random.h"
#include "scenes/scenes.h"
#include <boxwood/pool.h>

/* ---- the reader ---- */

static const uint32_t box_faces[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                                          {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
static const uint32_t tetra_faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
static const uint32_t sheet_faces[2][3] = {{0, 1, 2}, {0, 2, 3}};

static double halves(bws_random *r, int low, int high)
{
    return 0.5 * (double)bws_random_int(r, low, high);
}

/* A box, a tetrahedron or an open sheet with corners on a grid of halves, so that parts often touch. */
static void add_shape(build *b, bws_random *r, int number)
{
    char name[32];
    snprintf(name, sizeof name, "mesh %d", number);
    build_part(b, name);
    uint32_t base = b->model.vertex_count, corners, faces;
    const uint32_t(*face)[3];
    /* Now and then a large one, that others fit into. */
    int low = bws_random_below(r, 5) == 0 ? 12 : 1;
    double s[3] = {halves(r, low, low + 5), halves(r, low, low + 5), halves(r, low, low + 5)};
    uint64_t shape = bws_random_below(r, 4);
    if (shape < 2)
        face = box_faces, corners = 8, faces = 12;
    else if (shape == 2)
        face = tetra_faces, corners = 4, faces = 4;
    else
        face = sheet_faces, corners = 4, faces = 2;
    for (uint32_t v = 0; v < corners; v++) {
        bool far_x = v % 4 == 1 || (v % 4 == 2 && shape != 2), far_y = v % 4 > 1 && (v != 3 || shape != 2),
             far_z = v > 3 || (v == 3 && shape == 2);
        build_vertex(b, (bw_vec3){far_x ? s[0] : 0, far_y ? s[1] : 0, far_z ? s[2] : 0}, 0);
    }
    for (uint32_t f = 0; f < faces; f++) {
        for (int k = 0; k < 3; k++)
            build_corner(b, base + face[f][k]);
        build_face(b, 0);
    }
}

static bw_transform random_place(bws_random *r)
{
    if (bws_random_below(r, 3) == 0)
        return bws_random_pose(r, &(bws_pose_desc){.reach = 4, .mirror = true});
    /* Exact: axes exchanged and turned over, moved on the grid. */
    bw_transform t = {{{0}}};
    uint32_t shift = (uint32_t)bws_random_below(r, 3);
    for (uint32_t i = 0; i < 3; i++) {
        t.m[i][(i + shift) % 3] = bws_random_bool(r) ? 1 : -1;
        t.m[i][3] = halves(r, -8, 8);
    }
    return t;
}

static void add_places(model *m, bws_random *r)
{
    m->place_count = m->part_count + (uint32_t)bws_random_below(r, 12);
    m->places = tool_alloc(m->place_count, sizeof *m->places);
    for (uint32_t i = 0; i < m->place_count; i++) {
        uint32_t part = i < m->part_count ? i : (uint32_t)bws_random_below(r, m->part_count);
        const model_part *p = &m->parts[part];
        uint32_t low = UINT32_MAX, high = 0;
        for (size_t k = 3 * (size_t)p->first_triangle;
             k < 3 * ((size_t)p->first_triangle + p->triangle_count); k++) {
            low = m->indices[k] < low ? m->indices[k] : low;
            high = m->indices[k] > high ? m->indices[k] : high;
        }
        char name[32];
        snprintf(name, sizeof name, "node %u/%s", i, p->name);
        m->places[i] = (model_place){.name = tool_copy(name),
                                     .part = part,
                                     .first_vertex = low,
                                     .vertex_count = high - low + 1,
                                     .pose = random_place(r),
                                     .moved = true};
        if (bws_random_below(r, 6) == 0) {
            m->places[i].pose = bw_transform_identity();
            m->places[i].moved = false;
        }
    }
}

/* "placed:SEED", "flat:SEED", "points:SEED"; anything else cannot be read. */
bool model_read_placed(const char *file, model *out, fault *why)
{
    const char *colon = strchr(file, ':');
    if (!colon)
        return fault_set(why, "%s: no such file", file);
    bws_random r = bws_random_seeded(strtoull(colon + 1, NULL, 10));
    build b = build_start(file, "test", false);
    if (strncmp(file, "points", 6) == 0)
        for (int i = 0; i < 20; i++)
            build_vertex(&b, (bw_vec3){halves(&r, -9, 9), halves(&r, -9, 9), halves(&r, -9, 9)}, 0);
    int shapes = strncmp(file, "points", 6) == 0 ? 0 : (int)bws_random_int(&r, 1, 6);
    for (int i = 0; i < shapes; i++)
        add_shape(&b, &r, i);
    if (!build_finish(&b, out, why))
        return false;
    if (strncmp(file, "placed", 6) == 0)
        add_places(out, &r);
    return true;
}

/* ---- the oracle ---- */

typedef struct solid {
    uint32_t triangles;
    bw_vec3 (*corners)[3];
    bool closed; /* boxes and tetrahedra: then also convex */
} solid;

typedef struct world {
    solid solids[256];
    uint32_t count;
} world;

static void add_solid(world *w, const model *m, uint32_t first, uint32_t count)
{
    bw_mesh view = model_view(m);
    solid s = {count, tool_alloc(count, sizeof *s.corners), m->indices && count > 2};
    for (uint32_t t = 0; t < count; t++)
        bw_mesh_corners(&view, first + t, s.corners[t]);
    assert_true(w->count < 256);
    w->solids[w->count++] = s;
}

static void add_world(world *w, const char *file)
{
    model m;
    fault why;
    assert_true(model_read_placed(file, &m, &why) && model_flatten(&m, &why));
    if (!m.indices)
        add_solid(w, &m, 0, m.vertex_count);
    for (uint32_t i = 0; i < m.part_count; i++)
        add_solid(w, &m, m.parts[i].first_triangle, m.parts[i].triangle_count);
    model_free(&m);
}

/* Inside a convex solid: on the same side of every face. */
static bool holds(const solid *outer, bw_vec3 p)
{
    int side = 0;
    if (!outer->closed)
        return false;
    for (uint32_t t = 0; t < outer->triangles; t++) {
        const bw_vec3 *c = outer->corners[t];
        int sign = bw_orient3d(&c[0], &c[1], &c[2], &p);
        if (sign == 0 || (side != 0 && sign != side))
            return false;
        side = sign;
    }
    return true;
}

static bool holds_all(const solid *outer, const solid *inner)
{
    for (uint32_t t = 0; t < inner->triangles; t++)
        for (int k = 0; k < 3; k++)
            if (!holds(outer, inner->corners[t][k]))
                return false;
    return true;
}

typedef struct truth {
    clash_kind kind;
    uint64_t contacts, touching, near;
    double distance;
} truth;

static truth tell(const solid *a, const solid *b, const clash_wish *wish)
{
    truth t = {.distance = INFINITY};
    for (uint32_t i = 0; i < a->triangles; i++)
        for (uint32_t j = 0; j < b->triangles; j++) {
            bw_contact_kind kind = bw_triangle_triangle(a->corners[i], b->corners[j]);
            double d = sqrt(bw_triangle_distance2(a->corners[i], b->corners[j], NULL, NULL));
            t.contacts += kind != BW_CONTACT_NONE;
            t.touching += kind == BW_CONTACT_TOUCHING;
            t.near += d <= wish->clearance;
            t.distance = fmin(t.distance, d);
        }
    if (t.contacts > 0)
        t.kind = t.touching < t.contacts ? CLASH_CROSSING : CLASH_TOUCHING;
    else if (wish->contain && holds_all(b, a))
        t.kind = CLASH_A_INSIDE;
    else if (wish->contain && holds_all(a, b))
        t.kind = CLASH_B_INSIDE;
    else if (t.distance <= wish->clearance)
        t.kind = CLASH_NEAR;
    return t;
}

static int by_pair(const void *a, const void *b)
{
    const clash_pair *x = a, *y = b;
    return x->a != y->a ? (x->a > y->a ? 1 : -1) : (x->b > y->b) - (x->b < y->b);
}

static void check_kept(const world *w, const clash *c, const clash_wish *wish)
{
    if (c->kept_count > 0)
        qsort(c->kept, c->kept_count, sizeof *c->kept, by_pair);
    for (size_t i = 0; i < c->kept_count; i++) {
        const clash_pair *p = &c->kept[i];
        const bw_vec3 *x = w->solids[c->a].corners[p->a], *y = w->solids[c->b].corners[p->b];
        assert_int_equal(p->kind, bw_triangle_triangle(x, y));
        double d = sqrt(bw_triangle_distance2(x, y, NULL, NULL));
        assert_true(fabs(d - p->distance) <= 1e-9 && (p->kind != BW_CONTACT_NONE || d <= wish->clearance));
        assert_true(i == 0 || by_pair(p - 1, p) < 0);
    }
}

static double length(bw_vec3 a, bw_vec3 b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

static void check_clash(const world *w, const clash *c, const truth *t, const clash_wish *wish)
{
    assert_int_equal(c->kind, t->kind);
    bool measured = wish->clearance >= 0 && t->distance <= wish->clearance;
    assert_int_equal(c->near_known, measured);
    if (measured) {
        assert_true(fabs(c->distance - t->distance) <= 1e-9);
        assert_int_equal(c->distance == 0, t->contacts > 0);
        assert_true(t->contacts > 0 || fabs(length(c->point_a, c->point_b) - c->distance) <= 1e-9);
    }
    uint64_t pairs = wish->clearance >= 0 ? t->near : t->contacts;
    if (wish->all) {
        assert_int_equal(c->pairs, pairs);
        assert_int_equal(c->touching, t->touching);
        assert_int_equal(c->kept_count, pairs < wish->limit ? pairs : wish->limit);
    } else {
        assert_int_equal(c->kept_count, t->contacts > 0 || measured);
        if (c->kind == CLASH_CROSSING)
            assert_int_equal(c->kept[0].kind, BW_CONTACT_CROSSING);
    }
    check_kept(w, c, wish);
}

/* ---- the tests ---- */

static void find(const char *const *files, uint32_t count, const clash_wish *wish, uint32_t threads,
                 assembly *a, clash_result *found)
{
    fault why = {"?"};
    bw_pool *p;
    assembly_desc desc = {.quarantine = wish->quarantine};
    *found = (clash_result){.list = NULL};
    assert_true(assembly_read(a, files, count, &desc, &why));
    assert_int_equal(bw_pool_create(threads, &p, NULL), BW_OK);
    bool fine = assembly_build(a, &desc, bw_pool_tasks(p), &why);
    if (wish->contain)
        assembly_close(a, bw_pool_tasks(p));
    fine = fine && clash_search(a, wish, bw_pool_tasks(p), NULL, found, &why);
    bw_pool_destroy(p);
    if (!fine)
        fail_msg("%s", why.text);
}

static void assert_same(const clash_result *x, const clash_result *y)
{
    assert_int_equal(x->count, y->count);
    for (size_t i = 0; i < x->count; i++) {
        const clash *c = &x->list[i], *d = &y->list[i];
        assert_true(c->a == d->a && c->b == d->b && c->kind == d->kind && c->pairs == d->pairs);
        assert_true(c->distance == d->distance && c->kept_count == d->kept_count);
        assert_true(length(c->point_a, d->point_a) == 0 && length(c->point_b, d->point_b) == 0);
        for (size_t k = 0; k < c->kept_count; k++)
            assert_true(by_pair(&c->kept[k], &d->kept[k]) == 0 && c->kept[k].kind == d->kept[k].kind &&
                        c->kept[k].distance == d->kept[k].distance);
    }
    assert_int_equal(x->counts.primitive_tests, y->counts.primitive_tests);
}

static void one_assembly(bws_random *random, void *user)
{
    uint64_t *seen = user;
    char names[4][32];
    const char *files[4] = {names[0], names[1], names[2], names[3]};
    uint32_t count = (uint32_t)bws_random_int(random, 1, 4);
    world w = {.count = 0};
    for (uint32_t i = 0; i < count; i++) {
        static const char *const kinds[] = {"placed", "flat", "placed", "points"};
        snprintf(names[i], sizeof names[i], "%s:%u", kinds[bws_random_below(random, 4)],
                 bws_random_u32(random));
        add_world(&w, names[i]);
    }
    clash_wish wish = {.clearance = bws_random_bool(random)   ? -1
                                    : bws_random_bool(random) ? 0
                                                              : 0.7312,
                       .contain = bws_random_bool(random),
                       .all = bws_random_bool(random),
                       .limit = UINT64_MAX};
    if (wish.all && bws_random_bool(random))
        wish.limit = 5;
    assembly a[2];
    clash_result found[2];
    for (uint32_t i = 0; i < 2; i++)
        find(files, count, &wish, i == 0 ? 1 : 3, &a[i], &found[i]);
    assert_same(&found[0], &found[1]);
    assert_int_equal(a[0].part_count, w.count);
    size_t next = 0;
    for (uint32_t i = 0; i < w.count; i++)
        for (uint32_t j = i + 1; j < w.count; j++) {
            truth t = tell(&w.solids[i], &w.solids[j], &wish);
            if (t.kind == CLASH_NONE)
                continue;
            assert_true(next < found[0].count);
            const clash *c = &found[0].list[next++];
            assert_int_equal(c->a, i);
            assert_int_equal(c->b, j);
            check_clash(&w, c, &t, &wish);
            seen[c->kind]++;
        }
    assert_int_equal(next, found[0].count);
    for (int i = 0; i < 2; i++) {
        clash_result_free(&found[i]);
        assembly_free(&a[i]);
    }
    for (uint32_t i = 0; i < w.count; i++)
        free(w.solids[i].corners);
}

static void test_assemblies(void **state)
{
    (void)state;
    uint64_t seen[CLASH_KINDS] = {0};
    BW_EACH_SEED(150, one_assembly, seen);
    print_message("%u crossing, %u touching, %u and %u inside, %u near\n", (unsigned)seen[CLASH_CROSSING],
                  (unsigned)seen[CLASH_TOUCHING], (unsigned)seen[CLASH_A_INSIDE],
                  (unsigned)seen[CLASH_B_INSIDE], (unsigned)seen[CLASH_NEAR]);
    if (!getenv("BOXWOOD_SEED"))
        for (int kind = 1; kind < CLASH_KINDS; kind++)
            assert_true(seen[kind] >= 10); /* otherwise the test shows nothing about that kind */
}

static void test_one_mesh_once(void **state)
{
    (void)state;
    const char *files[1] = {"placed:7"};
    assembly a;
    clash_result found;
    find(files, 1, &(clash_wish){.clearance = -1, .limit = UINT64_MAX}, 2, &a, &found);
    assert_true(a.mesh_count < a.part_count);
    uint32_t uses = 0;
    for (uint32_t i = 0; i < a.mesh_count; i++)
        uses += a.meshes[i].uses;
    assert_int_equal(uses, a.part_count);
    clash_result_free(&found);
    assembly_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_assemblies),
        cmocka_unit_test(test_one_mesh_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
