/* No float decision of the triangle kernels is ever wrong: pairs of leaves of up to eight triangles, made to
 * be hard, against the exact test. */
#include "collide/pair/kernels.h"
#include "oracle/random.h"
#include "wide_solid.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { TRIANGLES = 8 };

typedef struct leaf_input {
    double d[TRIANGLES * 9];
    float f[TRIANGLES * 9];
    uint32_t indices[TRIANGLES * 3];
} leaf_input;

static double random_coordinate(bws_random *random, int kind)
{
    switch (kind) {
    case 0: /* few values: shared corners, coplanar and degenerate triangles */
        return (double)bws_random_int(random, -2, 2);
    case 1:
        return bws_random_double(random, -1.0, 1.0);
    case 2: /* a fine grid: nearly touching, exactly touching */
        return (double)bws_random_int(random, -40, 40) * 0x1p-5;
    case 3: /* a grid with dust on it */
        return (double)bws_random_int(random, -2, 2) +
               ldexp(bws_random_double(random, -1.0, 1.0), -(int)bws_random_below(random, 45));
    default: /* any magnitude */
        return ldexp(bws_random_double(random, -1.0, 1.0), (int)bws_random_int(random, -40, 2));
    }
}

static void put(leaf_input *in, int triangle, int corner, const double p[3])
{
    for (int axis = 0; axis < 3; axis++)
        in->d[9 * triangle + 3 * corner + axis] = p[axis];
}

/* A point on a triangle's plane, edge or corner, rounded: contacts that hang on the last bit. */
static void point_on(bws_random *random, const double *t, double out[3])
{
    double u = bws_random_unit(random), w = bws_random_unit(random) * (1.0 - u);
    switch (bws_random_below(random, 4)) {
    case 0:
        w = 0.0;
        break;
    case 1:
        u = w = 0.0;
        break;
    default:
        break;
    }
    for (int axis = 0; axis < 3; axis++)
        out[axis] = t[axis] + u * (t[3 + axis] - t[axis]) + w * (t[6 + axis] - t[axis]);
}

static void fill(bws_random *random, leaf_input *in, const leaf_input *other, int kind, double scale,
                 const double offset[3])
{
    for (int t = 0; t < TRIANGLES; t++)
        for (int c = 0; c < 3; c++) {
            double p[3];
            if (other != NULL && bws_random_below(random, 3) == 0) {
                point_on(random, &other->d[9 * bws_random_below(random, TRIANGLES)], p);
            } else if (c > 0 && bws_random_below(random, 4) == 0) { /* a needle: near the corner before */
                for (int axis = 0; axis < 3; axis++)
                    p[axis] =
                        in->d[9 * t + 3 * (c - 1) + axis] +
                        scale * ldexp(random_coordinate(random, kind), -(int)bws_random_below(random, 30));
            } else {
                for (int axis = 0; axis < 3; axis++)
                    p[axis] = scale * random_coordinate(random, kind) + offset[axis];
            }
            put(in, t, c, p);
        }
    for (int i = 0; i < TRIANGLES * 9; i++) {
        if (fabs(in->d[i]) < 0x1p-140)
            in->d[i] = 0.0;
        in->f[i] = (float)in->d[i];
    }
    for (uint32_t i = 0; i < TRIANGLES * 3; i++)
        in->indices[i] = i;
}

static bw_mesh view(const leaf_input *in, bw_scalar scalar, uint32_t count)
{
    return (bw_mesh){.positions = scalar == BW_F32 ? (const void *)in->f : in->d,
                     .scalar = scalar,
                     .vertex_count = TRIANGLES * 3,
                     .indices = in->indices,
                     .triangle_count = count};
}

static void leaves_body(bws_random *random, void *user)
{
    (void)user;
    for (int round = 0; round < 60; round++) {
        leaf_input a, b;
        int kind = (int)bws_random_below(random, 5);
        double scale = ldexp(1.0, (int)bws_random_int(random, -3, 3)), offset[3] = {0.0, 0.0, 0.0};
        if (bws_random_below(random, 4) == 0) /* far from the origin */
            for (int axis = 0; axis < 3; axis++)
                offset[axis] = (double)bws_random_int(random, -1000000, 1000000);
        if (bws_random_below(random, 6) == 0) /* far from 1 */
            scale = ldexp(1.0, (int)bws_random_int(random, -120, 95));
        fill(random, &a, NULL, kind, scale, offset);
        fill(random, &b, bws_random_bool(random) ? &a : NULL, kind, scale, offset);
        bw_scalar scalar = bws_random_bool(random) ? BW_F32 : BW_F64;
        bw_mesh mesh_a = view(&a, scalar, (uint32_t)bws_random_int(random, 1, TRIANGLES));
        bw_mesh mesh_b = view(&b, scalar, (uint32_t)bws_random_int(random, 1, TRIANGLES));
        wide_solid solid_a, solid_b;
        wide_solid_build(&solid_a, &mesh_a, bws_random_bool(random));
        wide_solid_build(&solid_b, &mesh_b, bws_random_bool(random));
        bw_transform pose = bws_random_pose(random, &(bws_pose_desc){.reach = 0.3 * scale, .mirror = true});
        bool posed = bws_random_bool(random);
        if (posed && offset[0] != 0.0) /* turn about the offset, so that they stay together */
            for (int i = 0; i < 3; i++)
                pose.m[i][3] += offset[i] - (pose.m[i][0] * offset[0] + pose.m[i][1] * offset[1] +
                                             pose.m[i][2] * offset[2]);
        wide_assert_truth(&solid_a, &solid_b, posed ? &pose : NULL);
        wide_solid_free(&solid_a);
        wide_solid_free(&solid_b);
    }
}

static void test_leaves(void **state)
{
    (void)state;
    BW_EACH_SEED(60, leaves_body, NULL);
}

/* ---- the theorem behind the batch kernel: no corner within delta of the floats can turn a verdict ---- */

/* A corner of b near the plane of a, or near the plane through an edge of a and another corner of b: the two
 * kinds of determinant that decide. */
static void near_plane(bws_random *random, const double o[3], const double p[3], const double q[3],
                       double height, float out[3])
{
    double e[3], f[3], n[3], u = bws_random_double(random, -1.0, 2.0),
                             w = bws_random_double(random, -1.0, 2.0);
    for (int k = 0; k < 3; k++) {
        e[k] = p[k] - o[k];
        f[k] = q[k] - o[k];
    }
    for (int k = 0; k < 3; k++)
        n[k] = e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3];
    double size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int k = 0; k < 3; k++)
        out[k] = (float)(o[k] + u * e[k] + w * f[k] + (size > 0.0 ? height * n[k] / size : 0.0));
}

typedef struct float_pair {
    float a[3][3], b[3][3];
} float_pair;

static double random_height(bws_random *random, float delta)
{
    return (double)delta * bws_random_double(random, -1.0, 1.0) *
           ldexp(1.0, (int)bws_random_int(random, 0, 7));
}

static float_pair random_pair(bws_random *random, float delta)
{
    float_pair pair;
    double a[3][3], b[3][3];
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++) {
            bool thin = bws_random_below(random, 4) == 0; /* a needle */
            a[c][k] = c > 0 && thin ? a[c - 1][k] + 0.1 * bws_random_double(random, -1.0, 1.0)
                                    : bws_random_double(random, -1.0, 1.0);
            pair.a[c][k] = (float)a[c][k];
            pair.b[c][k] = bws_random_float(random, -1.0f, 1.0f);
            b[c][k] = (double)pair.b[c][k];
        }
    if (bws_random_bool(random))
        near_plane(random, a[0], a[1], a[2], random_height(random, delta), pair.b[0]);
    if (bws_random_below(random, 3) == 0)
        near_plane(random, a[0], a[1], a[2], random_height(random, delta), pair.b[1]);
    if (bws_random_bool(random)) /* the edge from b[1] to b[2] passes close to an edge of a */
        near_plane(random, a[0], a[1], b[1], random_height(random, delta), pair.b[2]);
    return pair;
}

static float extent(const float t[3][3])
{
    float largest = 0.0f;
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 3; c++)
            largest = fmaxf(largest, fabsf(t[c][k] - t[(c + 1) % 3][k]));
    return largest;
}

/* The filter before the batch lets through only what overlaps so: part of the bound. */
static bool boxes_overlap(const float_pair *pair, float inflate)
{
    for (int k = 0; k < 3; k++) {
        float min[2] = {INFINITY, INFINITY}, max[2] = {-INFINITY, -INFINITY};
        for (int c = 0; c < 3; c++) {
            min[0] = fminf(min[0], pair->a[c][k]);
            max[0] = fmaxf(max[0], pair->a[c][k]);
            min[1] = fminf(min[1], pair->b[c][k]);
            max[1] = fmaxf(max[1], pair->b[c][k]);
        }
        if (min[0] > max[1] + inflate || min[1] > max[0] + inflate)
            return false;
    }
    return true;
}

static void perturb(bws_random *random, const float t[3][3], double delta, bw_vec3 out[3])
{
    bool extreme = bws_random_bool(random);
    for (int c = 0; c < 3; c++) {
        double p[3];
        for (int k = 0; k < 3; k++) {
            double s =
                extreme ? (bws_random_bool(random) ? 1.0 : -1.0) : bws_random_double(random, -1.0, 1.0);
            p[k] = (double)t[c][k] + s * delta;
        }
        out[c] = (bw_vec3){p[0], p[1], p[2]};
    }
}

static void batch_body(bws_random *random, void *user)
{
    uint64_t *decided = user;
    for (int round = 0; round < 250; round++) {
        float delta = ldexpf(bws_random_float(random, 0.5f, 1.0f), -(int)bws_random_int(random, 5, 24));
        bw_wide_batch batch = {.count = 0};
        float_pair pairs[BW_WIDTH];
        while (batch.count < BW_WIDTH) {
            float_pair *pair = &pairs[batch.count];
            *pair = random_pair(random, delta);
            if (!boxes_overlap(pair, 3.0f * delta))
                continue;
            uint32_t n = batch.count++;
            for (int c = 0; c < 3; c++)
                for (int k = 0; k < 3; k++) {
                    batch.a[c][k][n] = pair->a[c][k];
                    batch.b[c][k][n] = pair->b[c][k];
                }
            batch.extent_a[n] = extent((const float(*)[3])pair->a);
            batch.extent_b[n] = extent((const float(*)[3])pair->b);
            batch.delta[n] = delta;
        }
        bw_wide_verdict verdict = bw_wide_kernels_for(BW_SIMD_128)->triangles(&batch, 0);
        for (uint32_t i = 0; i < BW_WIDTH; i++) {
            bool crossing = (verdict.crossing >> i & 1) != 0, apart = (verdict.apart >> i & 1) != 0;
            assert_false(crossing && apart);
            *decided += crossing || apart;
            for (int again = 0; again < 6 && (crossing || apart); again++) {
                bw_vec3 a[3], b[3];
                perturb(random, (const float(*)[3])pairs[i].a, (double)delta, a);
                perturb(random, (const float(*)[3])pairs[i].b, (double)delta, b);
                assert_int_equal(bw_triangle_triangle(a, b),
                                 crossing ? BW_CONTACT_CROSSING : BW_CONTACT_NONE);
            }
        }
    }
}

static void test_batch(void **state)
{
    (void)state;
    uint64_t decided = 0;
    BW_EACH_SEED(120, batch_body, &decided);
    assert_true(decided > 1000); /* the bounds are not so wide that nothing is ever certain */
}

/* ---- the best pair of boxes ---- */

static void random_boxes(bws_random *random, int kind, float min[3][BW_WIDTH], float max[3][BW_WIDTH])
{
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < BW_WIDTH; i++) {
            float x = (float)random_coordinate(random, kind), y = (float)random_coordinate(random, kind);
            min[axis][i] = x < y ? x : y;
            max[axis][i] = x < y ? y : x;
        }
}

static double value_of_pair(const bw_wide_node *a, const bw_eight_boxes *b, uint32_t pair)
{
    double distance2 = 0.0, size2 = 0.0;
    for (int k = 0; k < 3; k++) {
        double a0 = (double)a->min[k][pair & 7], a1 = (double)a->max[k][pair & 7];
        double b0 = (double)b->min[k][pair >> 3], b1 = (double)b->max[k][pair >> 3];
        distance2 += (a0 + a1 - b0 - b1) * (a0 + a1 - b0 - b1);
        size2 += (a1 - a0) * (a1 - a0) + (b1 - b0) * (b1 - b0);
    }
    return size2 > 0.0 ? distance2 / size2 : HUGE_VAL;
}

static void best_pair_body(bws_random *random, void *user)
{
    (void)user;
    bw_wide_node a;
    bw_eight_boxes b;
    memset(&a, 0, sizeof a);
    int kind = (int)bws_random_below(random, 3);
    random_boxes(random, kind, a.min, a.max);
    random_boxes(random, kind, b.min, b.max);
    if (bws_random_below(random, 4) == 0) /* an axis of which nothing is known */
        for (int i = 0; i < BW_WIDTH; i++) {
            b.min[1][i] = -INFINITY;
            b.max[1][i] = INFINITY;
        }
    uint64_t pairs = bws_random_u64(random);
    for (uint64_t thin = bws_random_below(random, 5); thin > 0; thin--)
        pairs &= bws_random_u64(random);
    pairs |= (uint64_t)1 << bws_random_below(random, 64);
    bw_wide_best_pair best = bw_wide_kernels_for(BW_SIMD_128)->best_pair(&a, &b, pairs);
    for (int level = BW_SIMD_128; level <= BW_SIMD_AVX2; level++) {
        bw_wide_best_pair same = bw_wide_kernels_for(bw_simd_level((bw_simd)level))->best_pair(&a, &b, pairs);
        assert_int_equal(same.pair, best.pair);
        assert_memory_equal(&same.value, &best.value, sizeof same.value);
        assert_memory_equal(&same.next, &best.next, sizeof same.next);
    }
    assert_true((pairs >> best.pair & 1) != 0);
    double others = HUGE_VAL;
    for (uint32_t pair = 0; pair < 64; pair++)
        if ((pairs >> pair & 1) != 0 && pair != best.pair)
            others = fmin(others, value_of_pair(&a, &b, pair));
    if (b.max[1][0] < INFINITY) {
        double value = value_of_pair(&a, &b, best.pair), slack = 1.0 + 1e-5;
        assert_true(value == HUGE_VAL || fabs((double)best.value - value) <= 1e-5 * value + 1e-30);
        assert_true(value <= others * slack + 1e-30);
        assert_true(others == HUGE_VAL || fabs((double)best.next - others) <= 1e-5 * others + 1e-30);
    }
    assert_int_equal(best.next < INFINITY, (pairs & (pairs - 1)) != 0);
}

static void test_best_pair(void **state)
{
    (void)state;
    BW_EACH_SEED(4000, best_pair_body, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_leaves), cmocka_unit_test(test_batch),
                                       cmocka_unit_test(test_best_pair)};
    return cmocka_run_group_tests_name("wide-triangles", tests, NULL, NULL);
}
