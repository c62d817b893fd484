/* Depths and volumes. By formulas for boxes, spheres and capsules; for other solids by what the bounds mean:
 * the translation takes the bodies apart, which rational oracles confirm, and no shorter one than the lower
 * bound does, which many are tried for. Volumes of solids made of cubes are counted. */
#include "contact/solids.h"
#include "oracle/random.h"

#include <math.h>
#include <stdlib.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { MOST = 6000 };

typedef struct answer {
    bw_contact contacts[MOST];
    bw_contact_region regions[MOST];
    bw_contacts_report report;
} answer;

static answer *ask(const solid *a, const solid *b, double tolerance)
{
    answer *out = calloc(1, sizeof *out);
    assert_non_null(out);
    bw_contacts_desc desc = {.depth = true,
                             .volume = true,
                             .tolerance = tolerance,
                             .regions = out->regions,
                             .region_capacity = MOST};
    assert_int_equal(bw_contacts(&a->body, &b->body, &desc, out->contacts, MOST, &out->report, NULL), BW_OK);
    assert_int_equal(out->report.status, BW_DONE);
    return out;
}

static double length(bw_vec3 v)
{
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

static bw_vec3 scaled(bw_vec3 v, double s)
{
    return (bw_vec3){v.x * s, v.y * s, v.z * s};
}

/* What holds for every answer about the bodies. tries: translations below the lower bound. */
static void check_bounds(const solid *a, const solid *b, const answer *got, bws_random *random, int tries)
{
    const bw_contacts_report *r = &got->report;
    assert_true(r->depth_lower >= 0.0 && r->depth_lower <= r->depth_upper);
    assert_true(r->depth_upper < INFINITY);
    assert_true(r->depth_upper >= length(r->translation));
    assert_true(r->depth_upper <= length(r->translation) * (1 + 1e-14));
    if (r->depth_upper > 0.0)
        assert_true(solids_apart(a, b, r->translation, r->closed_a, r->closed_b));
    for (int i = 0; i < tries && r->depth_lower > 0.0; i++) {
        const double part = i % 2 == 0 ? 0.9999 : (double)(bws_random_u32(random) % 1000) * 1e-3;
        const bw_vec3 v = scaled(bws_random_direction(random), part * r->depth_lower);
        assert_false(solids_apart(a, b, v, r->closed_a, r->closed_b));
    }
    for (uint64_t i = 0; i < r->region_count; i++) {
        const bw_contact_region *region = &got->regions[i];
        assert_true(region->overlap < r->region_count);
        assert_true(region->depth_lower >= 0.0 && region->depth_lower <= region->depth_upper);
        assert_true(region->depth_lower <= r->depth_lower && region->depth_upper <= r->depth_upper);
    }
}

static bw_vec3 random_point(bws_random *random, double low, double high)
{
    bw_vec3 p;
    for (int k = 0; k < 3; k++)
        (&p.x)[k] = low + (high - low) * (double)(bws_random_u32(random) % 4096) / 4096.0;
    return p;
}

/* Boxes on a lattice: overlaps, touching, nested, the same. */
static void random_boxes(bws_random *random, void *user)
{
    (void)user;
    bw_vec3 low[2], high[2];
    for (int i = 0; i < 2; i++) {
        low[i] = random_point(random, -1, 1);
        for (int k = 0; k < 3; k++) {
            if (bws_random_u32(random) % 2 == 0)
                (&low[i].x)[k] = floor(4 * (&low[i].x)[k]) / 4;
            (&high[i].x)[k] = (&low[i].x)[k] + 0.25 * (1 + bws_random_u32(random) % 4);
        }
    }
    double depth = INFINITY, volume = 1;
    for (int k = 0; k < 3; k++) {
        const double *l[2] = {&low[0].x, &low[1].x}, *h[2] = {&high[0].x, &high[1].x};
        depth = fmin(depth, fmin(h[0][k] - l[1][k], h[1][k] - l[0][k]));
        volume *= fmax(0, fmin(h[0][k], h[1][k]) - fmax(l[0][k], l[1][k]));
    }
    solid a, b;
    solid_box(&a, low[0], high[0]);
    solid_box(&b, low[1], high[1]);
    const bool turned = bws_random_u32(random) % 2 == 0;
    if (turned) {
        const bw_transform pose = bws_random_rigid(random, 2);
        solid_place(&a, &pose);
        solid_place(&b, &pose);
    }
    answer *got = ask(&a, &b, 0.0);
    depth = fmax(depth, 0.0);
    const bw_contacts_report *r = &got->report;
    assert_true(r->closed_a && r->closed_b);
    assert_true(fabs(r->volume - volume) <= r->volume_error + (turned ? 1e-13 : 0.0));
    assert_true(r->volume_error < 1e-9);
    assert_true(fabs(r->depth_upper - depth) <= 1e-9);
    assert_true(r->depth_lower <= depth + 1e-12);
    check_bounds(&a, &b, got, random, 2);
    free(got);
    solid_free(&a);
    solid_free(&b);
}

static void test_boxes(void **state)
{
    (void)state;
    BW_EACH_SEED(150, random_boxes, NULL);
}

/* Inscribed in the capsules they stand for: the depth of these is known. */
static void random_capsules(bws_random *random, void *user)
{
    (void)user;
    const double radius[2] = {0.5 + 0.001 * (bws_random_u32(random) % 500), 0.75};
    const double length_of[2] = {bws_random_u32(random) % 2, 0.5 * (bws_random_u32(random) % 3)};
    solid s[2];
    bw_vec3 ends[2][2];
    for (int i = 0; i < 2; i++) {
        solid_capsule(&s[i], radius[i], length_of[i], 24, 8);
        bw_transform pose = bws_random_rigid(random, 0);
        const bw_vec3 axis = {pose.m[0][2], pose.m[1][2], pose.m[2][2]};
        pose.m[0][3] = i * (0.6 + 0.0005 * (bws_random_u32(random) % 1000));
        solid_place(&s[i], &pose);
        for (int e = 0; e < 2; e++)
            ends[i][e] = (bw_vec3){pose.m[0][3] + (e - 0.5) * length_of[i] * axis.x,
                                   pose.m[1][3] + (e - 0.5) * length_of[i] * axis.y,
                                   pose.m[2][3] + (e - 0.5) * length_of[i] * axis.z};
    }
    /* The distance of the two axes, densely. */
    double apart = INFINITY;
    for (int i = 0; i <= 200; i++)
        for (int j = 0; j <= 200; j++) {
            bw_vec3 d;
            for (int k = 0; k < 3; k++) {
                const double *p = &ends[0][0].x, *q = &ends[0][1].x, *u = &ends[1][0].x, *v = &ends[1][1].x;
                (&d.x)[k] = p[k] + (q[k] - p[k]) * i / 200 - u[k] - (v[k] - u[k]) * j / 200;
            }
            apart = fmin(apart, length(d));
        }
    const double depth = radius[0] + radius[1] - apart;
    /* Axes that nearly meet: the way out is then along neither's normal, and the formula another. */
    if (depth > 0.05 && apart > 0.3) {
        answer *got = ask(&s[0], &s[1], 0.0);
        const double sagitta = (radius[0] + radius[1]) * (1 - cos(3.14159265358979 / 16)) * 2;
        assert_true(got->report.depth_upper <= depth * 1.001 + 1e-3);
        assert_true(got->report.depth_upper >= depth - sagitta);
        assert_true(got->report.depth_lower <= depth);
        assert_true(got->report.region_count == 1);
        const bw_vec3 n = got->regions[0].normal, t = got->report.translation;
        assert_true((n.x * t.x + n.y * t.y + n.z * t.z) > 0.5 * length(t)); /* the same way, about */
        check_bounds(&s[0], &s[1], got, random, 0);
        if (length_of[0] == 0 && length_of[1] == 0) { /* two spheres: a lens */
            const double r = radius[0], q = radius[1], d = apart, pi = 3.14159265358979323846;
            const double lens = pi * (r + q - d) * (r + q - d) *
                                (d * d + 2 * d * q - 3 * q * q + 2 * d * r + 6 * r * q - 3 * r * r) /
                                (12 * d);
            assert_true(got->report.volume < lens && got->report.volume > lens - 4 * pi * sagitta);
        }
        free(got);
    }
    solid_free(&s[0]);
    solid_free(&s[1]);
}

static void test_capsules(void **state)
{
    (void)state;
    BW_EACH_SEED(24, random_capsules, NULL);
}

/* How much of [0,1] + i and [0,1] + j + offset is common. */
static double common(int i, int j, double offset)
{
    const double low = fmax(i, j + offset), high = fmin(i + 1, j + 1 + offset);
    return fmax(0, high - low);
}

/* Solids of cubes, offset by quarters, so that faces, edges and corners of all kinds fall together. */
static void random_solids(bws_random *random, void *user)
{
    const bool deep = user != NULL;
    const uint32_t side[2] = {1 + bws_random_u32(random) % 3, 1 + bws_random_u32(random) % 3};
    cells grid[2];
    solid s[2];
    for (int i = 0; i < 2; i++) {
        grid[i] = random_cells(random, side[i]);
        solid_cells(&s[i], &grid[i]);
    }
    bw_transform pose = bw_transform_identity();
    double offset[3];
    for (int k = 0; k < 3; k++)
        pose.m[k][3] = offset[k] = 0.25 * (double)(bws_random_u32(random) % 17) - 2;
    double volume = 0;
    for (uint32_t i = 0; i < side[0] * side[0] * side[0]; i++)
        for (uint32_t j = 0; j < side[1] * side[1] * side[1]; j++) {
            const int n = (int)side[0], m = (int)side[1], p = (int)i, q = (int)j;
            if (grid[0].full[i] && grid[1].full[j])
                volume += common(p % n, q % m, offset[0]) * common(p / n % n, q / m % m, offset[1]) *
                          common(p / n / n, q / m / m, offset[2]);
        }
    if (bws_random_u32(random) % 2 ==
        0) { /* both by the same pose, which changes volumes by its determinant */
        const bw_transform both = bws_random_pose(random, &(bws_pose_desc){.reach = 1, .mirror = true});
        const double(*t)[4] = both.m;
        volume *= fabs(t[0][0] * (t[1][1] * t[2][2] - t[1][2] * t[2][1]) -
                       t[0][1] * (t[1][0] * t[2][2] - t[1][2] * t[2][0]) +
                       t[0][2] * (t[1][0] * t[2][1] - t[1][1] * t[2][0]));
        pose = bw_transform_multiply(&both, &pose);
        solid_place(&s[0], &both);
    }
    solid_place(&s[1], &pose);
    if (deep) {
        answer *got = ask(&s[0], &s[1], 0.0);
        assert_true(fabs(got->report.volume - volume) <= got->report.volume_error + 1e-12);
        if (volume == 0.0)
            assert_true(got->report.depth_lower == 0.0 && got->report.depth_upper == 0.0);
        check_bounds(&s[0], &s[1], got, random, 4);
        free(got);
    } else {
        bw_contacts_desc desc = {.volume = true};
        bw_contacts_report report = {0};
        assert_int_equal(bw_contacts(&s[0].body, &s[1].body, &desc, NULL, 0, &report, NULL), BW_OK);
        assert_true(report.volume_error < 1e-7);
        assert_true(fabs(report.volume - volume) <= report.volume_error + 1e-12);
    }
    solid_free(&s[0]);
    solid_free(&s[1]);
}

static void test_volumes(void **state)
{
    (void)state;
    BW_EACH_SEED(1500, random_solids, NULL);
}

static void test_solids(void **state)
{
    (void)state;
    BW_EACH_SEED(40, random_solids, "deep");
}

/* Bumpy spheres: the bounds hold, and a dense search over directions finds nothing below the lower one. */
static void random_spheres(bws_random *random, void *user)
{
    (void)user;
    solid s[2];
    for (int i = 0; i < 2; i++) {
        bws_mesh mesh;
        assert_int_equal(bws_bumpy_sphere(&(bws_sphere_desc){.frequency = 3,
                                                             .amplitude = 0.3,
                                                             .waves = 4,
                                                             .seed = bws_random_u64(random)},
                                          BW_F32, &mesh),
                         BW_OK);
        solid_of_mesh(&s[i], &mesh);
    }
    const bw_transform pose = bws_random_pose(random, &(bws_pose_desc){.reach = 1, .low = 0.5, .high = 1});
    solid_place(&s[1], &pose);
    answer *got = ask(&s[0], &s[1], 0.0);
    const bw_contacts_report *r = &got->report;
    check_bounds(&s[0], &s[1], got, random, 4);
    /* Densely: along each direction in steps, by bw_collide, which other tests confirm. */
    for (int i = 0; i < 300 && r->depth_upper > 0.0; i++) {
        const bw_vec3 d = bws_random_direction(random);
        for (int step = 1; step <= 20; step++) {
            bw_transform moved = pose;
            for (int k = 0; k < 3; k++)
                moved.m[k][3] += (&d.x)[k] * r->depth_upper * step / 20.0;
            const bw_body b = {s[1].tree, &s[1].mesh, &moved};
            bw_collide_report hit = {0};
            assert_int_equal(bw_collide(&s[0].body, &b, &(bw_collide_desc){.containment = true}, &hit, NULL),
                             BW_OK);
            if (hit.hit_count == 0 && hit.containment == BW_CONTAINMENT_NONE) {
                assert_true(r->depth_upper * step / 20.0 >= r->depth_lower);
                break;
            }
        }
    }
    free(got);
    solid_free(&s[0]);
    solid_free(&s[1]);
}

static void test_spheres(void **state)
{
    (void)state;
    BW_EACH_SEED(12, random_spheres, NULL);
}

/* Mated, flush, pegs: what touches has no depth, and does not count under a tolerance. */
static void test_tolerance(void **state)
{
    (void)state;
    const double turns[3] = {0, 0.7, 2.5};
    for (int i = 0; i < 3; i++) {
        const bw_transform pose = bw_transform_compose((bw_vec3){turns[i], 2 * turns[i], 0},
                                                       (bw_vec3){1, 2, 3}, turns[i], (bw_vec3){1, 1, 1});
        solid ring, peg, plate, other;
        solid_ring(&ring, 2, 1, 1);
        solid_box(&peg, (bw_vec3){-1, -1, -1}, (bw_vec3){1, 1, 2});           /* of the hole's size */
        solid_box(&plate, (bw_vec3){-3, -3, 1}, (bw_vec3){1, 2, 1.5});        /* on the ring */
        solid_box(&other, (bw_vec3){-1.005, -1, -1}, (bw_vec3){1.005, 1, 2}); /* too thick by 0.005 */
        solid *parts[4] = {&ring, &peg, &plate, &other};
        for (int k = 0; k < 4; k++)
            solid_place(parts[k], &pose);
        for (int k = 1; k < 3; k++) {
            answer *got = ask(&ring, parts[k], 0.0);
            const uint64_t contacts = got->report.contact_count; /* turned, rounding may leave none */
            assert_true(contacts > 0 || i > 0);
            assert_true(got->report.depth_lower == 0.0 && got->report.depth_upper == 0.0);
            free(got);
            got = ask(&ring, parts[k], 1e-6);
            assert_int_equal(got->report.contact_count, 0);
            assert_int_equal(got->report.region_count, 0);
            assert_int_equal(got->report.shallow_contact_count, contacts);
            free(got);
        }
        answer *got = ask(&ring, &other, 0.01);
        assert_int_equal(got->report.contact_count, 0);
        assert_true(got->report.depth_lower > 0.00499 && got->report.depth_lower < 0.00501);
        assert_true(got->report.depth_upper > 1.9); /* it has to be pulled out */
        free(got);
        got = ask(&ring, &other, 0.004);
        assert_true(got->report.contact_count > 0 && got->report.shallow_contact_count == 0);
        free(got);
        got = ask(&peg, &peg, 0.1); /* all its faces are its own: flush, and as deep as it is wide */
        assert_true(got->report.contact_count > 0);
        assert_true(got->report.depth_upper > 1.999 && got->report.depth_upper < 2.001);
        assert_true(got->report.depth_lower > 0.99);
        free(got);
        for (int k = 0; k < 4; k++)
            solid_free(parts[k]);
    }
}

/* Inside without a contact, alone and beside contacts elsewhere; hollow bodies. */
static void test_nested(void **state)
{
    (void)state;
    bws_random random = bws_random_seeded(5);
    solid a, b, c;
    solid_box(&a, (bw_vec3){0, 0, 0}, (bw_vec3){4, 4, 4});
    solid_box(&b, (bw_vec3){1, 1, 2.5}, (bw_vec3){2, 2, 3});
    answer *got = ask(&a, &b, 0.0);
    assert_int_equal(got->report.containment, BW_CONTAINMENT_B_IN_A);
    assert_true(fabs(got->report.depth_upper - 1.5) < 1e-9 && got->report.depth_lower > 1.4);
    assert_true(fabs(got->report.volume - 0.5) < 1e-12);
    check_bounds(&a, &b, got, &random, 10);
    free(got);
    got = ask(&b, &a, 0.0);
    assert_int_equal(got->report.containment, BW_CONTAINMENT_A_IN_B);
    check_bounds(&b, &a, got, &random, 10);
    free(got);
    /* Two pieces: one inside, one across the side. */
    solid_box(&c, (bw_vec3){3.5, 1, 1}, (bw_vec3){4.5, 2, 2});
    bws_mesh both;
    assert_int_equal(bws_mesh_join(&b.owned, &c.owned, &both), BW_OK);
    solid two;
    solid_of_mesh(&two, &both);
    got = ask(&a, &two, 0.0);
    assert_int_equal(got->report.containment, BW_CONTAINMENT_NONE);
    assert_int_equal(got->report.region_count, 1);
    assert_true(fabs(got->regions[0].depth_upper - 0.5) < 1e-6); /* the one across the side */
    assert_true(got->regions[0].depth_lower > 0.49 && got->regions[0].depth_lower <= 0.5);
    assert_true(got->report.depth_upper > 1.4 && got->report.depth_lower > 1.4);
    assert_true(fabs(got->report.volume - 1.0) < 1e-10);
    check_bounds(&a, &two, got, &random, 4);
    free(got);
    solid_free(&a);
    solid_free(&b);
    solid_free(&c);
    solid_free(&two);
}

/* A sheet through a box, and through another sheet. */
static void test_open(void **state)
{
    (void)state;
    bws_random random = bws_random_seeded(6);
    bws_mesh mesh;
    solid sheet, other, box;
    assert_int_equal(
        bws_sheet(&(bws_sheet_desc){.columns = 6, .rows = 6, .size = 4, .amplitude = 0.01}, 0, BW_F32, &mesh),
        BW_OK);
    solid_of_mesh(&sheet, &mesh);
    assert_int_equal(bws_sheet(&(bws_sheet_desc){.columns = 5, .rows = 4, .size = 2}, 0.3, BW_F32, &mesh),
                     BW_OK);
    solid_of_mesh(&other, &mesh);
    const bw_transform pose =
        bw_transform_compose((bw_vec3){0.1, 0.2, 0.3}, (bw_vec3){1, 0.2, 0.1}, 1.4, (bw_vec3){1, 1, 1});
    solid_place(&other, &pose);
    solid_box(&box, (bw_vec3){-0.5, -0.5, -0.25}, (bw_vec3){0.5, 0.5, 3});
    answer *got = ask(&sheet, &box, 0.0);
    assert_true(!got->report.closed_a && got->report.closed_b && got->report.volume_error == INFINITY);
    assert_true(got->report.depth_upper < 0.3 && got->report.depth_upper > 0.2);
    assert_true(got->report.depth_lower > 0.2);
    check_bounds(&sheet, &box, got, &random, 4);
    free(got);
    got = ask(&sheet, &other, 0.0);
    assert_true(!got->report.closed_a && !got->report.closed_b && got->report.depth_lower == 0.0);
    check_bounds(&sheet, &other, got, &random, 0);
    assert_true(got->report.contact_count > 0);
    free(got);
    got = ask(&sheet, &other, 0.01); /* counted by the upper bound */
    assert_true(got->report.contact_count > 0 && got->report.shallow_contact_count == 0);
    free(got);
    solid_free(&sheet);
    solid_free(&other);
    solid_free(&box);
}

/* Several overlaps of one floor, each as deep as its foot. */
static void test_several_overlaps(void **state)
{
    (void)state;
    solid floor, feet;
    solid_box(&floor, (bw_vec3){-9, -9, -4}, (bw_vec3){9, 9, 0});
    cells grid = {.side = 4};
    grid.full[0] = grid.full[3] = grid.full[12] = grid.full[15] = true;
    for (int i = 16; i < 32; i++)
        grid.full[i] = true;
    solid_cells(&feet, &grid);
    const bw_transform pose =
        bw_transform_compose((bw_vec3){-2, -2, -0.2}, (bw_vec3){1, 0, 0}, 0.05, (bw_vec3){1, 1, 1});
    solid_place(&feet, &pose);
    answer *got = ask(&floor, &feet, 0.0);
    assert_int_equal(got->report.region_count, 4);
    double least = INFINITY;
    for (int r = 0; r < 4; r++) {
        const bw_contact_region *region = &got->regions[r];
        assert_int_equal(region->overlap, r);
        assert_true(region->depth_lower > 0.05 && region->depth_upper <= got->report.depth_upper);
        assert_true(region->depth_upper <= region->depth_lower * (1 + 1e-9));
        assert_true(fabs(region->translation.z - region->depth_upper) < 1e-9);
        least = fmin(least, region->depth_upper);
    }
    assert_true(least < 0.051 && fabs(got->report.depth_upper - 0.2) < 1e-9);
    assert_true(got->report.depth_lower > 0.19);
    free(got);
    solid_free(&floor);
    solid_free(&feet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_capsules),
        cmocka_unit_test(test_volumes),
        cmocka_unit_test(test_solids),
        cmocka_unit_test(test_spheres),
        cmocka_unit_test(test_tolerance),
        cmocka_unit_test(test_nested),
        cmocka_unit_test(test_open),
        cmocka_unit_test(test_several_overlaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
