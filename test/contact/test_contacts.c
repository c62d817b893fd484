/* Contacts of pairs, and regions: kinds and order against bw_collide, points against rationals, normals by
 * what they promise, regions by trying every two contacts. */
#include "contact/solids.h"
#include "oracle/hard_poses.h"
#include "oracle/random.h"
#include "oracle/triangle_oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { MOST = 4000 };

typedef struct answer {
    bw_hit hits[MOST];
    uint64_t hit_count;
    bw_contact contacts[MOST];
    bw_contact_region regions[MOST];
    bw_contacts_report report;
} answer;

static answer *ask(const solid *a, const solid *b)
{
    answer *out = calloc(1, sizeof *out);
    assert_non_null(out);
    bw_collide_desc collide = {.mode = BW_COLLIDE_ALL, .hits = out->hits, .hit_capacity = MOST};
    bw_collide_report hits = {0};
    assert_int_equal(bw_collide(&a->body, &b->body, &collide, &hits, NULL), BW_OK);
    out->hit_count = hits.hit_count;
    bw_contacts_desc desc = {.regions = out->regions, .region_capacity = MOST};
    assert_int_equal(bw_contacts(&a->body, &b->body, &desc, out->contacts, MOST, &out->report, NULL), BW_OK);
    assert_int_equal(out->report.contact_count, hits.hit_count);
    assert_int_equal(out->report.touching_count, hits.touching_count);
    return out;
}

static double dot(bw_vec3 a, bw_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static double distance(bw_vec3 a, bw_vec3 b)
{
    const bw_vec3 d = {a.x - b.x, a.y - b.y, a.z - b.z};
    return sqrt(dot(d, d));
}

static bw_vec3 to_world(const solid *s, bw_vec3 p)
{
    return s->body.pose == NULL ? p : bw_transform_point(s->body.pose, p);
}

static double size_of(const bw_vec3 *p, int count)
{
    double size = 0;
    for (int i = 0; i < count; i++)
        size = fmax(size, fmax(fabs(p[i].x), fmax(fabs(p[i].y), fabs(p[i].z))));
    return size;
}

/* Points of the pair against the polygon of rationals. */
static void check_points(const solid *a, const solid *b, const bw_contact *contact, double size)
{
    bw_vec3 ca[3], cb[3];
    bw_mesh_corners(&a->mesh, contact->a, ca);
    solid_corners_in(a, b, contact->b, cb);
    assert_int_equal(contact->kind, bw_oracle_triangle_triangle(ca, cb));
    const bw_oracle_polygon truth = bw_oracle_intersection(ca, cb);
    assert_int_equal(contact->point_count, truth.count);
    const double near = 1e-9 * size;
    bw_vec3 sum = {0, 0, 0};
    double widest = 0.0, nearest[2] = {INFINITY, INFINITY};
    for (int i = 0; i < truth.count; i++) {
        const bw_vec3 p = to_world(a, truth.points[i]);
        sum = (bw_vec3){sum.x + p.x / truth.count, sum.y + p.y / truth.count, sum.z + p.z / truth.count};
        for (int e = 0; e < 2; e++)
            nearest[e] = fmin(nearest[e], distance(p, contact->ends[e]));
        for (int j = 0; j < i; j++)
            widest = fmax(widest, distance(p, to_world(a, truth.points[j])));
    }
    assert_true(nearest[0] <= near && nearest[1] <= near);
    assert_true(fabs(distance(contact->ends[0], contact->ends[1]) - widest) <= near);
    assert_true(distance(contact->point, sum) <= near);
}

/* Moved along its normal by its depth, b's primitive is beyond a's. */
static void check_normal(const solid *a, const solid *b, const bw_contact *contact)
{
    bw_vec3 p[6];
    bw_mesh_corners(&a->mesh, contact->a, p);
    bw_mesh_corners(&b->mesh, contact->b, p + 3);
    for (int i = 0; i < 6; i++)
        p[i] = to_world(i < 3 ? a : b, p[i]);
    const double size = size_of(p, 6), length = sqrt(dot(contact->normal, contact->normal));
    if (length == 0.0) { /* only of two points */
        assert_true(distance(p[0], p[1]) == 0.0 && distance(p[3], p[4]) == 0.0);
        return;
    }
    assert_true(fabs(length - 1.0) < 1e-12);
    double high = -INFINITY, low = INFINITY;
    for (int i = 0; i < 3; i++) {
        high = fmax(high, dot(p[i], contact->normal));
        low = fmin(low, dot(p[3 + i], contact->normal));
    }
    assert_true(contact->depth >= 0.0);
    assert_true(high - low <= contact->depth + 1e-9 * size);
    if (contact->kind == BW_CONTACT_TOUCHING)
        assert_true(contact->depth == 0.0);
}

static bool have_corner(const bw_mesh *mesh, uint32_t s, uint32_t t)
{
    bw_vec3 p[3], q[3];
    bw_mesh_corners(mesh, s, p);
    bw_mesh_corners(mesh, t, q);
    for (int i = 0; i < 9; i++)
        if (p[i / 3].x == q[i % 3].x && p[i / 3].y == q[i % 3].y && p[i / 3].z == q[i % 3].z)
            return true;
    return false;
}

/* Regions by the definition: spreading from the first hit that has none. */
static void check_regions(const solid *a, const solid *b, const answer *got)
{
    const uint64_t count = got->hit_count;
    uint32_t *region = malloc((count + 1) * sizeof *region), regions = 0, *stack = malloc((count + 1) * 4);
    assert_true(region != NULL && stack != NULL);
    for (uint64_t i = 0; i < count; i++)
        region[i] = BW_NONE;
    for (uint32_t i = 0; i < count; i++) {
        if (region[i] != BW_NONE)
            continue;
        uint32_t depth = 0;
        region[i] = regions;
        stack[depth++] = i;
        while (depth > 0) {
            const bw_hit *h = &got->hits[stack[--depth]];
            for (uint32_t j = 0; j < count; j++) {
                const bw_hit *k = &got->hits[j];
                if (region[j] == BW_NONE && ((h->a == k->a && have_corner(&b->mesh, h->b, k->b)) ||
                                             (h->b == k->b && have_corner(&a->mesh, h->a, k->a)))) {
                    region[j] = regions;
                    stack[depth++] = j;
                }
            }
        }
        regions++;
    }
    assert_int_equal(got->report.region_count, regions);
    uint64_t next = 0;
    for (uint32_t r = 0; r < regions; r++) {
        assert_int_equal(got->regions[r].first, next);
        uint64_t members = 0;
        for (uint64_t i = 0; i < count; i++) {
            if (region[i] != r)
                continue;
            const bw_contact *contact = &got->contacts[next + members++];
            assert_int_equal(contact->a, got->hits[i].a);
            assert_int_equal(contact->b, got->hits[i].b);
            assert_int_equal(contact->kind, got->hits[i].kind);
            assert_int_equal(contact->region, r);
        }
        assert_int_equal(got->regions[r].count, members);
        next += members;
    }
    assert_int_equal(next, count);
    free(region);
    free(stack);
}

static void check_averages(const answer *got, double size)
{
    for (uint64_t r = 0; r < got->report.region_count; r++) {
        const bw_contact_region *region = &got->regions[r];
        long double length = 0, point[3] = {0}, normal[3] = {0};
        for (int pass = 0; pass < 2; pass++) /* where no contact has a length all weigh the same */
            for (uint64_t i = 0; i < region->count && (pass == 0 || length == 0); i++) {
                const bw_contact *c = &got->contacts[region->first + i];
                const long double weight = pass == 1 ? 1.0L : (long double)distance(c->ends[0], c->ends[1]);
                for (int k = 0; k < 3; k++) {
                    point[k] += weight * (&c->point.x)[k];
                    normal[k] += weight * (&c->normal.x)[k];
                }
                if (pass == 0)
                    length += weight;
            }
        const long double sum = length > 0 ? length : (long double)region->count;
        long double magnitude = sqrtl(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
        assert_true(fabsl(region->length - length) <= 1e-10L * (length + size));
        for (int k = 0; k < 3; k++) {
            assert_true(fabsl((&region->point.x)[k] - point[k] / sum) <= 1e-10L * size);
            if (magnitude > 1e-6L * sum)
                assert_true(fabsl((&region->normal.x)[k] - normal[k] / magnitude) <= 1e-7L);
        }
    }
}

static void check_pair(const solid *a, const solid *b)
{
    answer *got = ask(a, b);
    assert_true(got->hit_count <= MOST);
    bw_vec3 *world[2] = {solid_world(a), solid_world(b)};
    const double size =
        fmax(size_of(world[0], (int)a->mesh.vertex_count), size_of(world[1], (int)b->mesh.vertex_count));
    for (uint64_t i = 0; i < got->hit_count; i++) {
        if (i % 4 == 0) /* rationals are slow */
            check_points(a, b, &got->contacts[i], size);
        check_normal(a, b, &got->contacts[i]);
    }
    check_regions(a, b, got);
    check_averages(got, size);
    free(world[0]);
    free(world[1]);
    free(got);
}

static void random_mesh(bws_random *random, solid *out)
{
    bws_mesh mesh;
    const cells grid = random_cells(random, 2);
    switch (bws_random_u32(random) % 5) {
    case 0:
        solid_cells(out, &grid);
        return;
    case 1:
        assert_int_equal(
            bws_soup(
                &(bws_soup_desc){.triangles = 24, .spread = 2, .size = 1.5, .seed = bws_random_u64(random)},
                BW_F32, &mesh),
            BW_OK);
        break;
    case 2:
        assert_int_equal(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 3, .seed = bws_random_u64(random)},
                                          BW_F32, &mesh),
                         BW_OK);
        break;
    case 3:
        assert_int_equal(bws_sheet(&(bws_sheet_desc){.columns = 5, .rows = 4, .size = 2}, 0.3, BW_F64, &mesh),
                         BW_OK);
        break;
    default: /* with triangles without area, and points that are corners of others */
        assert_int_equal(
            bws_soup(
                &(bws_soup_desc){.triangles = 16, .spread = 2, .size = 2, .seed = bws_random_u64(random)},
                BW_F64, &mesh),
            BW_OK);
        for (uint32_t v = 0; v < mesh.vertex_count; v++) {
            const bw_vec3 p = bws_mesh_vertex(&mesh, v);
            bws_mesh_set_vertex(&mesh, v,
                                (bw_vec3){floor(2 * p.x) / 2, floor(2 * p.y) / 2, floor(2 * p.z) / 2});
        }
    }
    solid_of_mesh(out, &mesh);
}

static void random_pair(bws_random *random, void *user)
{
    (void)user;
    solid a, b;
    random_mesh(random, &a);
    random_mesh(random, &b);
    const uint32_t poses = bws_random_u32(random) % 6;
    if (poses >= 2) {
        bw_transform pose = bw_hard_pose(random, (int)(bws_random_u32(random) % BW_HARD_POSES));
        if (poses == 2) { /* onto the lattice of the other */
            pose = bw_transform_identity();
            for (int k = 0; k < 3; k++)
                pose.m[k][3] = 0.25 * (double)(bws_random_u32(random) % 9) - 1;
        }
        solid_place(&b, &pose);
    }
    if (poses >= 4) {
        const bw_transform pose = bws_random_pose(random, &(bws_pose_desc){.reach = 0.5, .mirror = true});
        solid_place(&a, &pose);
    }
    check_pair(&a, &b);
    solid_free(&a);
    solid_free(&b);
}

static void test_random_pairs(void **state)
{
    (void)state;
    BW_EACH_SEED(400, random_pair, NULL);
}

/* A point cloud against a mesh and against itself. */
static void test_points(void **state)
{
    (void)state;
    const bw_vec3 p[5] = {{0, 0, 0}, {0.25, 0.25, 0}, {1, 0, 0}, {0.25, 0.25, 0}, {5, 5, 5}};
    bws_mesh cloud = {.scalar = BW_F64, .vertex_count = 5};
    cloud.positions = malloc(sizeof p);
    assert_non_null(cloud.positions);
    memcpy(cloud.positions, p, sizeof p);
    solid points, box;
    solid_of_mesh(&points, &cloud);
    solid_box(&box, (bw_vec3){0, 0, 0}, (bw_vec3){1, 1, 1});
    check_pair(&points, &box);
    check_pair(&box, &points);
    check_pair(&points, &points);
    /* Depth of what has no inside: points inside a closed box are inside. */
    bw_contacts_desc desc = {.depth = true};
    bw_contacts_report report = {0};
    assert_int_equal(bw_contacts(&box.body, &points.body, &desc, NULL, 0, &report, NULL), BW_OK);
    assert_true(report.closed_a && !report.closed_b && report.status == BW_FULL);
    assert_true(report.depth_upper < INFINITY &&
                solids_apart(&box, &points, report.translation, true, false));
    solid_free(&points);
    solid_free(&box);
}

/* A floor of two triangles and the feet of a table: as many regions as feet. */
static void test_separate_regions(void **state)
{
    (void)state;
    solid floor, feet;
    solid_box(&floor, (bw_vec3){-9, -9, -1}, (bw_vec3){9, 9, 0});
    cells grid = {.side = 4};
    grid.full[0] = grid.full[3] = grid.full[12] = grid.full[15] = true; /* four cubes at the corners below */
    for (int i = 16; i < 32; i++)
        grid.full[i] = true;
    solid_cells(&feet, &grid);
    bw_transform pose =
        bw_transform_compose((bw_vec3){-2.1, -1.7, -0.125}, (bw_vec3){0, 0, 1}, 0.2, (bw_vec3){1, 1, 1});
    solid_place(&feet, &pose);
    answer *got = ask(&floor, &feet);
    assert_int_equal(got->report.region_count, 4);
    for (int r = 0; r < 4; r++) {
        assert_true(fabs(got->regions[r].point.z) < 1e-12);
        assert_true(got->regions[r].normal.z > 0.5);
        assert_true(fabs(got->regions[r].length - 4.0) < 1e-12);
    }
    free(got);
    solid_free(&floor);
    solid_free(&feet);
}

static bool refuse(void *user)
{
    unsigned *left = user;
    return (*left)-- > 0;
}

static void test_arguments(void **state)
{
    (void)state;
    solid a, b;
    solid_box(&a, (bw_vec3){0, 0, 0}, (bw_vec3){1, 1, 1});
    solid_box(&b, (bw_vec3){0.9, 0.2, 0.3}, (bw_vec3){1.9, 1.2, 1.3});
    bw_contact contacts[4];
    bw_contacts_report report = {.contact_count = 77}, before = report;
    bw_fault fault;
    assert_int_equal(bw_contacts(NULL, &b.body, NULL, contacts, 4, &report, &fault), BW_ERROR_ARGUMENT);
    assert_int_equal(fault.result, BW_ERROR_ARGUMENT);
    assert_int_equal(bw_contacts(&a.body, &b.body, NULL, NULL, 4, &report, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_contacts(&a.body, &b.body, NULL, contacts, 4, NULL, NULL), BW_ERROR_ARGUMENT);
    const double bad[2] = {-1.0, NAN};
    for (int i = 0; i < 2; i++)
        assert_int_equal(bw_contacts(&a.body, &b.body, &(bw_contacts_desc){.tolerance = bad[i]}, contacts, 4,
                                     &report, NULL),
                         BW_ERROR_ARGUMENT);
    assert_int_equal(
        bw_contacts(&a.body, &b.body, &(bw_contacts_desc){.region_capacity = 1}, contacts, 4, &report, NULL),
        BW_ERROR_ARGUMENT);
    assert_int_equal(
        bw_contacts(&a.body, &b.body, &(bw_contacts_desc){.size = 3}, contacts, 4, &report, NULL),
        BW_ERROR_LAYOUT);
    bw_transform flat = bw_transform_compose((bw_vec3){0, 0, 0}, (bw_vec3){0, 0, 1}, 0, (bw_vec3){1, 1, 0});
    solid_place(&a, &flat);
    assert_int_equal(bw_contacts(&a.body, &b.body, NULL, contacts, 4, &report, NULL), BW_ERROR_SINGULAR);
    a.body.pose = NULL;
    assert_memory_equal(&report, &before, sizeof report);
    /* A buffer that is too small holds the first. */
    assert_int_equal(bw_contacts(&a.body, &b.body, NULL, contacts, 4, &report, &fault), BW_OK);
    assert_int_equal(report.status, BW_FULL);
    assert_int_equal(report.contact_count, 12);
    assert_true(report.depth_upper == INFINITY && report.volume_error == INFINITY);
    /* Ended at every question. */
    for (unsigned n = 0, stopped = 1; stopped; n++) {
        unsigned left = n;
        bw_contacts_desc desc = {.depth = true, .progress = {refuse, &left}};
        assert_int_equal(bw_contacts(&a.body, &b.body, &desc, contacts, 4, &report, NULL), BW_OK);
        stopped = report.status == BW_STOPPED;
        assert_int_equal(report.contact_count, stopped ? 0 : 12);
        assert_true(n < 600);
    }
    solid_free(&a);
    solid_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_pairs),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_separate_regions),
        cmocka_unit_test(test_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
