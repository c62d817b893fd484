/* Every equation of Klein and Zachmann's paper against an independent computation, and its traversal. */
#include "anytime/paper/paper.h"
#include "objects.h"
#include "oracle/random.h"

#include <gmp.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* ---- section 3.5 ---- */

static void log_factorials_are_rounded(void **state)
{
    (void)state;
    mpz_t f;
    mpz_init(f);
    for (unsigned n = 0; n <= BW_PAPER_CELLS; n++) {
        long exponent;
        mpz_fac_ui(f, n);
        double mantissa = mpz_get_d_2exp(&exponent, f);
        long double expected =
            logl((long double)mantissa) + (long double)exponent * 0.693147180559945309417232121458L;
        assert_true(fabsl(expected - (long double)bw_paper_log_factorial[n]) <= 4e-16L * (1 + expected));
    }
    mpz_clear(f);
}

/* Eq. 6 in integers: the share of ways to throw. */
static double filled_by_gmp(uint32_t u, uint32_t v, uint32_t w, uint32_t x)
{
    mpz_t sum, part, more;
    mpq_t share;
    mpz_inits(sum, part, more, NULL);
    mpq_init(share);
    for (uint32_t t = 0; t < x; t++) {
        if (t > w || t > v || v - t > u - w)
            continue;
        mpz_bin_uiui(part, w, t);
        mpz_bin_uiui(more, u - w, v - t);
        mpz_addmul(sum, part, more);
    }
    mpz_bin_uiui(part, u, v);
    mpz_sub(sum, part, sum);
    mpq_set_num(share, sum);
    mpq_set_den(share, part);
    mpq_canonicalize(share);
    double result = mpq_get_d(share);
    mpz_clears(sum, part, more, NULL);
    mpq_clear(share);
    return result;
}

static void equation_6(bws_random *r, void *user)
{
    (void)user;
    for (int i = 0; i < 40; i++) {
        uint32_t most = bws_random_bool(r) ? 512 : 20, u = 1 + (uint32_t)bws_random_below(r, most);
        uint32_t v = (uint32_t)bws_random_below(r, u + 1), w = (uint32_t)bws_random_below(r, u + 1);
        double all[BW_PAPER_FILLED], swapped[BW_PAPER_FILLED];
        bw_paper_filled(u, v, w, all);
        bw_paper_filled(u, w, v, swapped);
        for (uint32_t x = 1; x <= BW_PAPER_FILLED; x++) {
            double expected = filled_by_gmp(u, v, w, x);
            assert_true(fabs(all[x - 1] - expected) < 1e-11);
            assert_true(fabs(all[x - 1] - swapped[x - 1]) < 1e-11);
        }
    }
}

static void test_equation_6(void **state)
{
    (void)state;
    BW_EACH_SEED(25, equation_6, NULL);
}

/* The product of Eq. 7, for all of a range of small numbers and some of the large. */
static void equation_7(void **state)
{
    (void)state;
    for (uint32_t u = 1; u <= 512; u = u < 24 ? u + 1 : u + 61)
        for (uint32_t v = 0; v <= u; v = u < 24 ? v + 1 : v + 17)
            for (uint32_t w = 0; w <= u; w = u < 24 ? w + 1 : w + 13) {
                double none = 1.0, filled[BW_PAPER_FILLED];
                bw_paper_filled(u, v, w, filled);
                for (uint32_t i = 1; i <= v; i++)
                    none *= fmax(0.0, 1.0 - (double)w / (double)(u - v + i));
                assert_true(fabs(filled[0] - (1.0 - none)) < 1e-11);
            }
}

static void equation_8(bws_random *r, void *user)
{
    (void)user;
    uint32_t u = 1 + (uint32_t)bws_random_below(r, 512);
    uint32_t v = (uint32_t)bws_random_below(r, u + 1), w = (uint32_t)bws_random_below(r, u + 1);
    double lb = bws_random_unit(r), best = 0.0;
    for (uint32_t x = 1; x <= 10 && x <= v && x <= w; x++)
        best = fmax(best, filled_by_gmp(u, v, w, x) * (1.0 - pow(1.0 - lb, (double)x)));
    double p = bw_paper_collision(u, v, w, lb);
    assert_true(fabs(p - best) < 1e-10);
    if (v > 0 && w > 0) /* at least Eq. 1 */
        assert_true(p >= filled_by_gmp(u, v, w, 1) * lb - 1e-10);
}

static void test_equation_8(void **state)
{
    (void)state;
    BW_EACH_SEED(300, equation_8, NULL);
    assert_true(bw_paper_collision(100, 0, 50, 1.0) == 0.0);
}

/* ---- definitions 1 and 2 ---- */

static double area_by_corners(const bw_vec3 p[3])
{
    double ux = p[1].x - p[0].x, uy = p[1].y - p[0].y, uz = p[1].z - p[0].z;
    double vx = p[2].x - p[0].x, vy = p[2].y - p[0].y, vz = p[2].z - p[0].z;
    return 0.5 * sqrt(pow(uy * vz - uz * vy, 2) + pow(uz * vx - ux * vz, 2) + pow(ux * vy - uy * vx, 2));
}

static void clipped_areas(bws_random *r, void *user)
{
    (void)user;
    bw_box box = {{-1, -2, -0.5f}, {1, 1, 0.25f}};
    double reach = bws_random_bool(r) ? 0.2 : 3.0, area[BW_PAPER_CELLS] = {0}, sampled[BW_PAPER_CELLS] = {0},
           sum = 0;
    bw_vec3 p[3];
    for (int i = 0; i < 3; i++) {
        p[i].x = bws_random_double(r, -reach, reach);
        p[i].y = bws_random_double(r, -reach, reach);
        p[i].z = bws_random_double(r, -reach, reach);
    }
    bw_paper_clip(&box, p, area);
    enum { SIDE = 300 };
    double whole = area_by_corners(p), each = whole / (SIDE * SIDE);
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            double u = (i + 0.5) / SIDE, v = (j + 0.5) / SIDE;
            if (u + v > 1) {
                u = 1 - u;
                v = 1 - v;
            }
            double x[3] = {p[0].x + u * (p[1].x - p[0].x) + v * (p[2].x - p[0].x),
                           p[0].y + u * (p[1].y - p[0].y) + v * (p[2].y - p[0].y),
                           p[0].z + u * (p[1].z - p[0].z) + v * (p[2].z - p[0].z)};
            uint32_t cell = 0, weight = 1;
            bool inside = true;
            for (int k = 0; k < 3; k++, weight *= 8) {
                double share = (x[k] - (double)box.min[k]) / ((double)box.max[k] - (double)box.min[k]);
                inside &= share >= 0 && share < 1;
                cell += inside ? weight * (uint32_t)(share * 8) : 0;
            }
            if (inside)
                sampled[cell] += each;
        }
    for (int c = 0; c < BW_PAPER_CELLS; c++) {
        sum += area[c];
        assert_true(fabs(area[c] - sampled[c]) < 0.02 * whole);
    }
    assert_true(sum <= whole * (1 + 1e-9));
    if (reach < 0.25)
        assert_true(fabs(sum - whole) < 1e-9);
}

static void test_cells(void **state)
{
    (void)state;
    BW_EACH_SEED(60, clipped_areas, NULL);
    /* A square in the wall between two cells belongs to one of them. */
    bw_box box = {{0, 0, 0}, {8, 8, 8}};
    double area[BW_PAPER_CELLS] = {0}, sum = 0;
    bw_vec3 wall[3] = {{3, 0, 0}, {3, 8, 0}, {3, 0, 8}};
    bw_paper_clip(&box, wall, area);
    for (int c = 0; c < BW_PAPER_CELLS; c++)
        sum += area[c];
    assert_true(fabs(sum - 32) < 1e-9);
    bw_paper_node node;
    bw_paper_count(area, 0.9, &node);
    assert_int_equal(node.cells, 28); /* whole squares: 7 + 6 + ... + 1 */
    uint32_t regions = 0;
    for (int r = 0; r < BW_PAPER_REGIONS; r++)
        regions += node.region[r];
    assert_int_equal(regions, 28);
}

/* No plane cuts more out of a cube than figure 4's, and of a cuboid no rectangle is larger. */
static void largest_areas(bws_random *r, void *user)
{
    (void)user;
    double cube[3] = {2, 2, 2}, side[3] = {1, 2, 3};
    assert_true(fabs(bw_paper_max_area(cube) - 4 * sqrt(2)) < 1e-12);
    assert_true(fabs(bw_paper_max_area(side) - 3 * sqrt(5)) < 1e-12);
    bw_vec3 n = bws_random_direction(r), u, v;
    u = fabs(n.x) < 0.5 ? (bw_vec3){0, n.z, -n.y} : (bw_vec3){-n.z, 0, n.x};
    double length = sqrt(u.x * u.x + u.y * u.y + u.z * u.z), d = bws_random_double(r, -1, 1);
    u = (bw_vec3){9 * u.x / length, 9 * u.y / length, 9 * u.z / length};
    v = (bw_vec3){n.y * u.z - n.z * u.y, n.z * u.x - n.x * u.z, n.x * u.y - n.y * u.x};
    bw_vec3 o = {d * n.x, d * n.y, d * n.z};
    bw_vec3 big[3] = {{o.x + u.x, o.y + u.y, o.z + u.z},
                      {o.x - u.x + 2 * v.x, o.y - u.y + 2 * v.y, o.z - u.z + 2 * v.z},
                      {o.x - u.x - 2 * v.x, o.y - u.y - 2 * v.y, o.z - u.z - 2 * v.z}};
    bw_box box = {{-1, -1, -1}, {1, 1, 1}};
    double area[BW_PAPER_CELLS] = {0}, sum = 0;
    bw_paper_clip(&box, big, area);
    for (int c = 0; c < BW_PAPER_CELLS; c++)
        sum += area[c];
    assert_true(sum <= bw_paper_max_area(cube) + 1e-9);
}

static void test_largest_areas(void **state)
{
    (void)state;
    BW_EACH_SEED(300, largest_areas, NULL);
}

/* ---- section 3.6 ---- */

static void volume_bound(bws_random *r, void *user)
{
    (void)user;
    double side[3];
    for (int k = 0; k < 3; k++)
        side[k] = bws_random_double(r, 0.2, 2);
    bw_vec3 along = bws_random_direction(r);
    double d = bws_random_double(r, 0, 2), direction[3] = {along.x, along.y, along.z}, aligned = 1;
    for (int k = 0; k < 3; k++)
        aligned *= fmax(0, side[k] - fabs(direction[k]) * d);
    double bound = bw_paper_volume_equal(side, d);
    assert_true(aligned <= bound * (1 + 1e-9));
    /* Turned: by samples of the first box. */
    bw_transform turn = bws_random_rigid(r, 0), back;
    assert_int_equal(bw_transform_invert(&turn, &back), BW_OK);
    enum { SIDE = 16 };
    uint32_t inside = 0;
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        bw_vec3 p = {side[0] * ((i % SIDE + 0.5) / SIDE - 0.5) - d * along.x,
                     side[1] * ((i / SIDE % SIDE + 0.5) / SIDE - 0.5) - d * along.y,
                     side[2] * ((i / SIDE / SIDE + 0.5) / SIDE - 0.5) - d * along.z};
        bw_vec3 q = bw_transform_point(&back, p);
        inside += fabs(q.x) <= 0.5 * side[0] && fabs(q.y) <= 0.5 * side[1] && fabs(q.z) <= 0.5 * side[2];
    }
    double whole = side[0] * side[1] * side[2];
    assert_true(whole * inside / (SIDE * SIDE * SIDE) <= bound + 0.06 * whole);
}

static void test_volumes(void **state)
{
    (void)state;
    BW_EACH_SEED(400, volume_bound, NULL);
    double cube[3] = {1, 1, 1};
    assert_true(fabs(bw_paper_volume_equal(cube, 0) - 1) < 1e-12);
    assert_true(fabs(bw_paper_volume_equal(cube, 0.25) - 0.75) < 1e-12); /* V1 */
    assert_true(bw_paper_volume_equal(cube, 2) == 0);
    /* Balls: the lens of two unit balls at distance 1 is 5 pi / 12. */
    const double pi = 3.14159265358979323846;
    assert_true(fabs(bw_paper_volume_balls(1, 1, 1) - 5 * pi / 12) < 1e-12);
    assert_true(fabs(bw_paper_volume_balls(1, 0.5, 0.25) - 4.0 / 3 * pi / 8) < 1e-12);
    assert_true(bw_paper_volume_balls(1, 1, 2) == 0);
}

/* ---- sections 3.4.1 to 3.4.3, 3.5.3 ---- */

static bw_paper_node node_of(double side, uint32_t end, uint16_t depth, uint8_t cells_a_region)
{
    bw_paper_node n = {.end = end, .depth = depth, .cells = (uint16_t)(8 * cells_a_region)};
    for (int k = 0; k < 3; k++) {
        n.box.min[k] = (float)(-0.5 * side);
        n.box.max[k] = (float)(0.5 * side);
    }
    n.volume = (float)(side * side * side);
    memset(n.region, cells_a_region, sizeof n.region);
    return n;
}

static void parameters(void **state)
{
    (void)state;
    bw_transform map = bw_transform_identity();
    bw_paper_node same[1] = {node_of(1, 1, 0, 8)};
    bw_paper a = {same, 1, 0};
    bw_paper_parameters p = bw_paper_parameters_of(&a, 0, &a, 0, &map);
    assert_int_equal(p.s, 512); /* Eq. 2 where the two coincide */
    /* Regions are smaller than the other volume: wholly inside its ball, so all their cells count. */
    assert_int_equal(p.s_a, 64);
    assert_int_equal(p.s_b, 64);
    map.m[0][3] = 0.25; /* Eq. 2 with V1 = 3/4 */
    p = bw_paper_parameters_of(&a, 0, &a, 0, &map);
    assert_int_equal(p.s, 384);
    /* Eq. 5, the figures of figure 6. */
    assert_true(fabs(bw_paper_refined(1, 8) - 4) < 1e-12 && fabs(bw_paper_refined(1, 27) - 9) < 1e-12);
    /* A larger leaf (3.4.2): Eq. 3 with regions, then Eq. 5. */
    bw_paper_node large[1] = {node_of(2, 1, 0, 8)}, small[1] = {node_of(1, 1, 0, 8)};
    bw_paper b = {large, 1, 0}, c = {small, 1, 0};
    map.m[0][3] = 0;
    p = bw_paper_parameters_of(&c, 0, &b, 0, &map);
    double d = sqrt(3) * 0.5;
    assert_int_equal(p.s, 512);
    assert_int_equal(p.s_a, 64);
    /* A region of the larger has the side of the small one: the bound for boxes of one size. */
    double cube[3] = {1, 1, 1}, share = bw_paper_volume_equal(cube, d);
    double expected = fmin(512, 64 * share * 4);
    assert_true(fabs(p.s_b - expected) <= 0.5);
    /* Eq. 4: a larger node with a child counts by the child. */
    bw_paper_node family[2] = {node_of(2, 2, 0, 60), node_of(1, 2, 1, 3)};
    bw_paper f = {family, 2, 1};
    p = bw_paper_parameters_of(&c, 0, &f, 0, &map);
    assert_int_equal(p.s_b, 24);
    /* LB = (d_A + d_B) / (d_max_A + d_max_B). */
    p = bw_paper_parameters_of(&f, 1, &f, 0, &map);
    assert_true(fabs(bw_paper_probability(&f, 1, &f, 0, &map) - bw_paper_collision(p.s, p.s_a, p.s_b, 0.5)) <
                1e-12);
    assert_true(bw_paper_probability(&f, 0, &f, 0, &map) == 0.0);
}

/* ---- the traversal ---- */

/* Both bodies moved by powers of two: the same answer, and the same region, moved as they were. */
static void expect_same_moved(const object *o, const bw_transform *pose, const bw_anytime_answer *unmoved,
                              const bw_anytime_region *place)
{
    bw_transform to_a = bw_transform_identity(), to_b = *pose;
    to_a.m[0][3] = 2;
    to_b.m[0][3] += 2;
    const bw_anytime_body a = object_body(o, &to_a), b = object_body(o, &to_b);
    bw_anytime_region moved;
    bw_anytime_answer answer = {0};
    const bw_anytime_query_desc query = {.p_min = 0.5, .regions = &moved, .region_capacity = 1};
    assert_int_equal(bw_anytime_query(&a, &b, &query, &answer, NULL), BW_OK);
    assert_true(answer.collision == unmoved->collision && answer.region_count == unmoved->region_count);
    if (answer.region_count == 0)
        return;
    assert_true(fabs(moved.point.x - 2 - place->point.x) < 1e-6 &&
                fabs(moved.point.y - place->point.y) < 1e-6);
    for (int k = 0; k < 3; k++)
        assert_true(fabsf(moved.box.min[k] - (k == 0 ? 2 : 0) - place->box.min[k]) < 1e-6f &&
                    fabsf(moved.box.max[k] - (k == 0 ? 2 : 0) - place->box.max[k]) < 1e-6f);
}

static void every_hierarchy_answers(void **state)
{
    (void)state;
    const bw_tree_desc trees[] = {
        {.builder = BW_BUILDER_MIDPOINT}, {0}, {.volume = BW_VOLUME_OBB}, {.volume = BW_VOLUME_KDOP14}};
    for (int t = 0; t < 4; t++)
        for (int oct = 0; oct < 2; oct++) {
            object o;
            bw_anytime_desc desc = {.estimator = BW_ESTIMATOR_PAPER,
                                    .hierarchy = oct == 1 ? BW_ANYTIME_OCTREE : BW_ANYTIME_OF_TREE};
            object_make(&o, 0, &trees[t], &desc);
            assert_null(bw_anytime_check(o.anytime, &o.view));
            bw_anytime_stats stats = {0};
            bw_anytime_get_stats(o.anytime, &stats);
            assert_true(stats.nodes > 1 && stats.cells_possible > 0 && stats.nodes_without_cell < 1);
            bw_anytime_body a = object_body(&o, NULL);
            uint32_t wrong = 0, tried = 0;
            for (int i = 0; i < 40; i++) {
                bw_transform pose = bw_transform_compose((bw_vec3){0.4 + 0.05 * i, 0.1, 0},
                                                         (bw_vec3){1, 2, i}, i, (bw_vec3){1, 1, 1});
                bw_anytime_body b = object_body(&o, &pose);
                bw_anytime_answer answer = {0};
                bw_anytime_region place;
                bw_anytime_query_desc query = {.p_min = 0.5, .regions = &place, .region_capacity = 1};
                assert_int_equal(bw_anytime_query(&a, &b, &query, &answer, NULL), BW_OK);
                bool truth = objects_meet(&o, &o, NULL, &pose);
                assert_true(!answer.proven || answer.collision == truth);
                assert_true(answer.confidence >= 0.5 && answer.confidence <= 1.0);
                wrong += answer.collision != truth;
                tried++;
                expect_same_moved(&o, &pose, &answer, &place);
                query.limit_steps = true;
                query.max_steps = 2;
                assert_int_equal(bw_anytime_query(&a, &b, &query, &answer, NULL), BW_OK);
                assert_true(answer.steps <= 2);
                query.max_steps = 0;
                assert_int_equal(bw_anytime_query(&a, &b, &query, &answer, NULL), BW_OK);
                assert_true(answer.confidence == 0.5 && answer.reason == BW_ANYTIME_BUDGET);
            }
            assert_true(wrong <= tried / 4);
            bw_transform far =
                bw_transform_compose((bw_vec3){9, 0, 0}, (bw_vec3){1, 0, 0}, 0, (bw_vec3){1, 1, 1});
            bw_anytime_body b = object_body(&o, &far);
            bw_anytime_answer answer = {0};
            assert_int_equal(bw_anytime_query(&a, &b, NULL, &answer, NULL), BW_OK);
            assert_true(answer.proven && !answer.collision);
            assert_int_equal(
                bw_anytime_query(&a, &b, &(bw_anytime_query_desc){.wanted_error = 0.1}, &answer, NULL),
                BW_ERROR_UNSUPPORTED);
            object_free(&o);
        }
}

/* The same triangle many times over: no octree can part them, and none tries for ever. */
static void coincident_triangles_are_refused(void **state)
{
    (void)state;
    enum { COUNT = 64 };
    static const float corners[9] = {0, 0, 0, 1, 0.1f, 0, 0.2f, 1, 0.3f};
    uint32_t indices[3 * COUNT];
    for (uint32_t i = 0; i < 3 * COUNT; i++)
        indices[i] = i % 3;
    bw_mesh mesh = {.positions = corners, .vertex_count = 3, .indices = indices, .triangle_count = COUNT};
    bw_tree *tree = NULL;
    assert_int_equal(bw_tree_create(NULL, &mesh, &tree, NULL), BW_OK);
    bw_anytime_desc desc = {.estimator = BW_ESTIMATOR_PAPER, .hierarchy = BW_ANYTIME_OCTREE};
    bw_anytime *adb = NULL;
    assert_int_equal(bw_anytime_create(&desc, tree, &mesh, &adb, NULL), BW_ERROR_SIZE);
    assert_null(adb);
    desc.octree_leaf = COUNT;
    assert_int_equal(bw_anytime_create(&desc, tree, &mesh, &adb, NULL), BW_OK);
    bw_anytime_destroy(adb);
    bw_tree_destroy(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_factorials_are_rounded),
        cmocka_unit_test(test_equation_6),
        cmocka_unit_test(equation_7),
        cmocka_unit_test(test_equation_8),
        cmocka_unit_test(test_cells),
        cmocka_unit_test(test_largest_areas),
        cmocka_unit_test(test_volumes),
        cmocka_unit_test(parameters),
        cmocka_unit_test(every_hierarchy_answers),
        cmocka_unit_test(coincident_triangles_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
