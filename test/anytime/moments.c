/* Statistics: against triangle-by-triangle sums and against samples of the surface; the kernels against plain
 * arithmetic in double, and against each other bit by bit. */
#include "anytime/model/model.h"
#include "anytime/moments/kernels.h"
#include "anytime/moments/sums.h"
#include "anytime/query/query.h"
#include "objects.h"
#include "oracle/random.h"
#include "tree/tree.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void checks_hold_for_every_object_and_form(void **state)
{
    (void)state;
    const bw_tree_desc forms[] = {{0}, {.compact = true}, {.builder = BW_BUILDER_FAST}};
    for (uint32_t number = 0; number < OBJECTS; number++)
        for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
            object o;
            object_make(&o, number, &forms[f], NULL);
            assert_null(bw_anytime_check(o.anytime, &o.view));
            bw_anytime_stats stats = {0};
            bw_anytime_get_stats(o.anytime, &stats);
            assert_true(stats.nodes > 0 && stats.bytes > 0 && stats.estimator == BW_ESTIMATOR_MOMENTS);
            object_free(&o);
        }
}

/* A triangle's mean and covariance by sampling it. */
static void triangle_sums_are_those_of_samples(bws_random *r, void *user)
{
    (void)user;
    bw_vec3 p[3];
    for (int i = 0; i < 3; i++) {
        p[i].x = bws_random_double(r, -1, 1);
        p[i].y = bws_random_double(r, -1, 1);
        p[i].z = bws_random_double(r, -1, 1);
    }
    bw_surface_sum sum;
    bw_surface_sum_triangle(&sum, p);
    enum { SIDE = 120 };
    double mean[3] = {0}, xx = 0, xy = 0, n = 0;
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; i + j < SIDE; j++) {
            double u = (i + 1.0 / 3) / SIDE, v = (j + 1.0 / 3) / SIDE, w = 1 - u - v;
            double x = u * p[0].x + v * p[1].x + w * p[2].x, y = u * p[0].y + v * p[1].y + w * p[2].y,
                   z = u * p[0].z + v * p[1].z + w * p[2].z;
            mean[0] += x;
            mean[1] += y;
            mean[2] += z;
            xx += x * x;
            xy += x * y;
            n++;
        }
    for (int k = 0; k < 3; k++)
        mean[k] /= n;
    assert_true(fabs(mean[0] - sum.mean[0]) < 0.02 && fabs(mean[1] - sum.mean[1]) < 0.02 &&
                fabs(mean[2] - sum.mean[2]) < 0.02);
    assert_true(fabs(xx / n - mean[0] * mean[0] - sum.scatter[0] / sum.weight) < 0.02);
    assert_true(fabs(xy / n - mean[0] * mean[1] - sum.scatter[3] / sum.weight) < 0.02);
    double ux = p[1].x - p[0].x, uy = p[1].y - p[0].y, uz = p[1].z - p[0].z;
    double vx = p[2].x - p[0].x, vy = p[2].y - p[0].y, vz = p[2].z - p[0].z;
    double area =
        0.5 * sqrt(pow(uy * vz - uz * vy, 2) + pow(uz * vx - ux * vz, 2) + pow(ux * vy - uy * vx, 2));
    assert_true(fabs(area - sum.weight) < 1e-4);
}

static void test_triangle_sums(void **state)
{
    (void)state;
    BW_EACH_SEED(100, triangle_sums_are_those_of_samples, NULL);
}

/* Positive definite, by A A^T. */
static void random_node(bws_random *r, bw_moment_node *node)
{
    memset(node, 0, sizeof *node);
    for (int lane = 0; lane < BW_WIDTH; lane++) {
        double a[3][3];
        for (int i = 0; i < 3; i++) {
            node->mean[i][lane] = bws_random_float(r, -1, 1);
            for (int j = 0; j < 3; j++)
                a[i][j] = bws_random_double(r, -0.5, 0.5);
        }
        static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
        for (int q = 0; q < 6; q++) {
            double s = q < 3 ? 0.01 : 0.0;
            for (int k = 0; k < 3; k++)
                s += a[row[q]][k] * a[column[q]][k];
            node->spread[q][lane] = (float)s;
        }
    }
}

/* Solves S x = t by elimination and gives t x. */
static double solved(double s[3][4])
{
    double t[3] = {s[0][3], s[1][3], s[2][3]}, x[3];
    for (int k = 0; k < 3; k++)
        for (int i = k + 1; i < 3; i++) {
            double f = s[i][k] / s[k][k];
            for (int j = k; j < 4; j++)
                s[i][j] -= f * s[k][j];
        }
    for (int k = 2; k >= 0; k--) {
        x[k] = s[k][3];
        for (int j = k + 1; j < 3; j++)
            x[k] -= s[k][j] * x[j];
        x[k] /= s[k][k];
    }
    return t[0] * x[0] + t[1] * x[1] + t[2] * x[2];
}

static double expected_distance(const bw_moment_map *map, const bw_moment_node *a, const bw_moment_node *b,
                                int j, int i)
{
    static const int index[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    double s[3][4];
    for (int r = 0; r < 3; r++) {
        s[r][3] = (double)map->t[r] - (double)a->mean[r][j];
        for (int k = 0; k < 3; k++)
            s[r][3] += (double)map->m[r][k] * (double)b->mean[k][i];
        for (int c = 0; c < 3; c++) {
            s[r][c] = (double)a->spread[index[r][c]][j];
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    s[r][c] +=
                        (double)map->m[r][k] * (double)b->spread[index[k][l]][i] * (double)map->m[c][l];
        }
    }
    return sqrt(solved(s));
}

/* Takes all pairs of a list, one by one: the largest that is left each time, the first of equals. */
static void assert_likeliest(const bw_moment_kernels *k, const bw_moment_list *list,
                             const bw_moment_weights *weights)
{
    uint32_t next = weights->likeliest;
    for (uint64_t left = weights->kept; left != 0; left ^= (uint64_t)1 << next) {
        if (left != weights->kept)
            next = k->likeliest(list, left);
        else
            assert_true(next == k->likeliest(list, left) && weights->value == list->hazard[next]);
        assert_true((left >> next & 1) != 0);
        for (uint32_t i = 0; i < weights->count; i++)
            if ((left >> i & 1) != 0)
                assert_true(list->hazard[i] < list->hazard[next] ||
                            (list->hazard[i] == list->hazard[next] && i >= next));
    }
}

/* The look at whole bodies does for one pair what the kernels do for eight: the same bits. */
static void look_agrees(bws_random *r, void *user)
{
    (void)user;
    bw_moments a = {.unit = 1.0 + bws_random_unit(r)}, b = {.unit = 1.0 + bws_random_unit(r)};
    random_node(r, &a.whole);
    random_node(r, &b.whole);
    for (int i = 0; i < 3; i++) {
        a.origin[i] = bws_random_unit(r) - 0.5;
        b.origin[i] = bws_random_unit(r) - 0.5;
    }
    bw_relative_pose pose = {.map = bws_random_rigid(r, 1.0)};
    bw_moment_map map;
    bw_moment_map_prepare(&map, &pose, &a, &b);
    bw_moment_mapped mapped;
    float expected[64], distance;
    const bw_moment_kernels *k = bw_moment_kernels_for(bw_simd_level(BW_SIMD_AUTO));
    k->map(&map, &b.whole, &mapped);
    k->distances(&a.whole, &mapped, 1, expected);
    float size_a = a.whole.spread[0][0] + a.whole.spread[1][0] + a.whole.spread[2][0];
    float size_b = mapped.spread[0][0] + mapped.spread[1][0] + mapped.spread[2][0];
    bool alike = size_a <= 4.0f * size_b && size_b <= 4.0f * size_a;
    assert_true(bw_anytime_whole_body_of(&a, &b, &map, &distance) == alike);
    if (alike)
        assert_memory_equal(&distance, expected, sizeof distance);
    /* Beyond floats: as far as they go, and no farther. */
    pose.map.m[0][3] = 1e300;
    pose.map.m[1][1] = -1e200;
    bw_moment_map_prepare(&map, &pose, &a, &b);
    assert_true(map.t[0] == 1e30f && map.m[1][1] == -1e30f && map.scale == 1e30f);
}

static void test_look(void **state)
{
    (void)state;
    BW_EACH_SEED(300, look_agrees, NULL);
}

static void kernels_agree(bws_random *r, void *user)
{
    (void)user;
    bw_moment_node a, b;
    random_node(r, &a);
    random_node(r, &b);
    bw_transform pose = bws_random_rigid(r, 1.0);
    bw_moment_map map;
    for (int i = 0; i < 3; i++) {
        map.t[i] = (float)pose.m[i][3];
        for (int j = 0; j < 3; j++)
            map.m[i][j] = (float)pose.m[i][j];
    }
    uint64_t mask = bws_random_u64(r) | 1;
    for (uint64_t thinner = bws_random_below(r, 6); thinner > 0; thinner--) /* 64 pairs, or one, or some */
        mask &= bws_random_u64(r) | 1;
    bw_moment_mapped mapped[3];
    float out[3][64];
    bw_moment_list list[3];
    bw_moment_weights weights[3];
    const bw_anytime_model *model = bw_anytime_model_builtin(BW_ANYTIME_POSES_SPREAD, BW_ANYTIME_KIND_PARTS);
    bw_moment_scale scale = {model->hazard, 0.2f * (float)bws_random_unit(r),
                             2.0f * (float)bws_random_unit(r)};
    memset(out, 0, sizeof out);
    memset(list, 0, sizeof list);
    memset(weights, 0, sizeof weights);
    for (int lane = 0; lane < BW_WIDTH; lane++) {
        a.code[lane] = (uint32_t)(bws_random_below(r, 16) + 32 * bws_random_below(r, 4));
        b.code[lane] = (uint32_t)(bws_random_below(r, 16) + 32 * bws_random_below(r, 4));
    }
    for (int level = 1; level <= 3; level++) {
        const bw_moment_kernels *k = bw_moment_kernels_for(bw_simd_level((bw_simd)level));
        k->map(&map, &b, &mapped[level - 1]);
        k->distances(&a, &mapped[level - 1], mask, out[level - 1]);
        weights[level - 1] = k->weigh(&a, &mapped[level - 1], mask, &scale, &list[level - 1]);
        assert_likeliest(k, &list[level - 1], &weights[level - 1]);
    }
    double sum = 0.0;
    uint32_t number = 0;
    for (uint32_t bit = 0; bit < 64; bit++) {
        if ((mask >> bit & 1) == 0)
            continue;
        float h = bw_anytime_hazard(model, a.code[bit & 7], b.code[bit >> 3], out[0][bit]);
        bool kept = h >= scale.prune_at;
        sum += (double)h;
        assert_int_equal(list[0].bit[number], bit);
        assert_int_equal(weights[0].kept >> number & 1, kept);
        assert_int_equal(weights[0].counting >> number & 1, h >= scale.count_at);
        assert_true(list[0].hazard[number] == (kept ? h : -1.0f));
        number++;
    }
    assert_int_equal(weights[0].count, number);
    assert_true(number == 64 || (weights[0].kept | weights[0].counting) >> number == 0);
    assert_true(fabs((double)weights[0].sum - sum) < 1e-4 * (1.0 + sum));
    for (int level = 1; level < 3; level++) {
        assert_memory_equal(&mapped[0], &mapped[level], sizeof mapped[0]);
        assert_memory_equal(&list[0], &list[level], sizeof list[0]);
        assert_true(weights[0].kept == weights[level].kept && weights[0].sum == weights[level].sum &&
                    weights[0].counting == weights[level].counting &&
                    weights[0].likeliest == weights[level].likeliest &&
                    weights[0].value == weights[level].value);
        for (int bit = 0; bit < 64; bit++)
            if ((mask >> bit & 1) != 0)
                assert_memory_equal(&out[0][bit], &out[level][bit], sizeof(float));
    }
    for (int bit = 0; bit < 64; bit++)
        if ((mask >> bit & 1) != 0) {
            double expected = expected_distance(&map, &a, &b, bit & 7, bit >> 3);
            assert_true(fabs((double)out[0][bit] - expected) < 1e-3 * (1 + expected));
        }
}

static void test_kernels(void **state)
{
    (void)state;
    BW_EACH_SEED(200, kernels_agree, NULL);
}

static void statistics_follow_changes(void **state)
{
    (void)state;
    object o;
    object_make(&o, 0, &(bw_tree_desc){.compact = true}, NULL);
    for (uint32_t v = 0; v < o.view.vertex_count; v++) {
        bw_vec3 p = bws_mesh_vertex(&o.mesh, v);
        bws_mesh_set_vertex(&o.mesh, v, (bw_vec3){2 * p.x, p.y + 0.3 * p.x, p.z});
    }
    assert_int_equal(bw_tree_update(o.tree, &o.view, NULL, NULL, NULL), BW_OK);
    assert_non_null(bw_anytime_check(o.anytime, &o.view));
    bw_anytime_answer answer = {0};
    bw_anytime_body body = object_body(&o, NULL);
    assert_int_equal(bw_anytime_query(&body, &body, NULL, &answer, NULL), BW_ERROR_MISMATCH);
    assert_int_equal(bw_anytime_update(o.anytime, &o.view, NULL), BW_OK);
    assert_null(bw_anytime_check(o.anytime, &o.view));
    assert_int_equal(bw_anytime_query(&body, &body, NULL, &answer, NULL), BW_OK);
    assert_true(answer.collision && answer.proven);
    /* Primitives that go, down to none. */
    uint32_t all[2000], count = o.view.triangle_count;
    for (uint32_t i = 0; i < count; i++)
        all[i] = i;
    assert_int_equal(bw_tree_remove(o.tree, &o.view, all, count / 2, NULL), BW_OK);
    assert_int_equal(bw_anytime_query(&body, &body, NULL, &answer, NULL), BW_ERROR_MISMATCH);
    assert_int_equal(bw_anytime_update(o.anytime, &o.view, NULL), BW_OK);
    assert_null(bw_anytime_check(o.anytime, &o.view));
    assert_int_equal(bw_tree_remove(o.tree, &o.view, all + count / 2, count - count / 2, NULL), BW_OK);
    assert_int_equal(bw_anytime_update(o.anytime, &o.view, NULL), BW_OK);
    assert_null(bw_anytime_check(o.anytime, &o.view));
    assert_int_equal(
        bw_anytime_query(&body, &body, &(bw_anytime_query_desc){.wanted_error = 0.01}, &answer, NULL), BW_OK);
    assert_true(!answer.collision && answer.proven && answer.confidence == 1.0);
    object_free(&o);
}

/* Points, slivers and coordinates far out: no statistics that are not finite. */
static void odd_meshes_have_finite_statistics(void **state)
{
    (void)state;
    const double scales[] = {1e-30, 1.0, 1e25};
    for (int what = 0; what < 3; what++)
        for (int s = 0; s < 3; s++) {
            bws_mesh mesh;
            if (what == 0)
                assert_int_equal(bws_points(&(bws_points_desc){.count = 200}, BW_F64, &mesh), BW_OK);
            else
                assert_int_equal(bws_soup(&(bws_soup_desc){.triangles = 200, .aspect = what == 1 ? 1e6 : 0},
                                          BW_F64, &mesh),
                                 BW_OK);
            for (uint32_t v = 0; v < mesh.vertex_count; v++) {
                bw_vec3 p = bws_mesh_vertex(&mesh, v);
                bws_mesh_set_vertex(&mesh, v, (bw_vec3){scales[s] * p.x, scales[s] * p.y, scales[s] * p.z});
            }
            bw_mesh view = bws_view(&mesh);
            bw_tree *tree;
            bw_anytime *anytime;
            assert_int_equal(bw_tree_create(NULL, &view, &tree, NULL), BW_OK);
            assert_int_equal(bw_anytime_create(&(bw_anytime_desc){.tries = 16}, tree, &view, &anytime, NULL),
                             BW_OK);
            for (uint32_t n = 0; n < tree->wide.node_count; n++) {
                bw_anytime_answer answer = {0};
                bw_anytime_body body = {anytime, &view, NULL};
                assert_int_equal(
                    bw_anytime_query(&body, &body,
                                     &(bw_anytime_query_desc){.limit_steps = true, .max_steps = n}, &answer,
                                     NULL),
                    BW_OK);
                assert_true(answer.confidence >= 0.5 && answer.confidence <= 1.0);
            }
            bw_anytime_destroy(anytime);
            bw_tree_destroy(tree);
            bws_mesh_free(&mesh);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checks_hold_for_every_object_and_form),
        cmocka_unit_test(test_triangle_sums),
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_look),
        cmocka_unit_test(statistics_follow_changes),
        cmocka_unit_test(odd_meshes_have_finite_statistics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
