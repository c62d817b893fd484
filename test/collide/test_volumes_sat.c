/* The separation tests of oriented boxes and of k-DOPs by themselves: never apart where they meet, and apart
 * wherever the axes they claim to try say so by more than rounding. */
#include "collide/reference/kdop_planes.h"
#include "collide/reference/obb_sat.h"
#include "oracle/random.h"
#include "scenes/scenes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* ---- oriented boxes ---- */

static bw_obb_node random_box(bws_random *random, double spread)
{
    bw_obb_item items[8];
    bw_transform pose = bws_random_rigid(random, spread);
    bw_vec3 half = {bws_random_double(random, 0.01, 1), bws_random_double(random, 0.01, 1),
                    bws_random_double(random, 0.01, 1)};
    for (uint32_t i = 0; i < 8; i++) {
        bw_vec3 corner = {i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z};
        items[i].corner[0] = items[i].corner[1] = items[i].corner[2] = bw_transform_point(&pose, corner);
        bw_obb_item_measure(&items[i], 1.0, true);
    }
    bw_obb_fit fit;
    bw_obb_fit_items(items, 8, &(bw_obb_scale){1.0, 0x1p-40}, &fit);
    return fit.box;
}

static void corners_of(const bw_obb_node *box, const bw_transform *map, bw_vec3 out[8])
{
    for (int i = 0; i < 8; i++) {
        double p[3];
        for (int k = 0; k < 3; k++) {
            p[k] = (double)box->centre[k];
            for (int j = 0; j < 3; j++)
                p[k] += (i >> j & 1 ? 1 : -1) * (double)box->half[j] * (double)box->axis[j][k];
        }
        out[i] = bw_transform_point(map, (bw_vec3){p[0], p[1], p[2]});
    }
}

static double dot(bw_vec3 a, bw_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* How far the two sets of corners are apart along n as a part of their extents along it; negative where they
 * overlap. *shift becomes the way along n by which b must go to close the gap just so. */
static double gap_along(const bw_vec3 a[8], const bw_vec3 b[8], bw_vec3 n, double *shift)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < 8; i++) {
        double along[2] = {dot(n, a[i]), dot(n, b[i])};
        for (int s = 0; s < 2; s++) {
            low[s] = fmin(low[s], along[s]);
            high[s] = fmax(high[s], along[s]);
        }
    }
    double above = low[1] - high[0], below = low[0] - high[1];
    *shift = (above > below ? -above : below) / dot(n, n);
    return fmax(above, below) / ((high[0] - low[0]) + (high[1] - low[1]));
}

static bw_vec3 cross(bw_vec3 a, bw_vec3 b)
{
    return (bw_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static bw_vec3 edge(const bw_vec3 corners[8], int axis)
{
    bw_vec3 p = corners[0], q = corners[1 << axis];
    return (bw_vec3){q.x - p.x, q.y - p.y, q.z - p.z};
}

/* The widest gap over the first `count` of the 15 axes, and what closes it. */
static double widest_gap(const bw_vec3 a[8], const bw_vec3 b[8], int count, bw_vec3 *closing)
{
    double widest = -INFINITY;
    for (int i = 0; i < count; i++) {
        bw_vec3 n = i < 3   ? cross(edge(a, (i + 1) % 3), edge(a, (i + 2) % 3))
                    : i < 6 ? cross(edge(b, (i + 1) % 3), edge(b, (i + 2) % 3))
                            : cross(edge(a, (i - 6) / 3), edge(b, (i - 6) % 3));
        double length = sqrt(dot(n, n));
        /* Parallel edges give no axis. */
        if (i >= 6 && length < 1e-3 * sqrt(dot(edge(a, (i - 6) / 3), edge(a, (i - 6) / 3)) *
                                           dot(edge(b, (i - 6) % 3), edge(b, (i - 6) % 3))))
            continue;
        double shift, gap = gap_along(a, b, n, &shift);
        if (gap > widest) {
            widest = gap;
            *closing = (bw_vec3){shift * n.x, shift * n.y, shift * n.z};
        }
    }
    return widest;
}

static bw_transform pose_of_kind(bws_random *random, int kind)
{
    if (kind == 0)
        return bws_random_rigid(random, 1.2);
    if (kind == 1)
        return bws_random_pose(random, &(bws_pose_desc){.reach = 1.2, .low = 0.3, .high = 3, .mirror = true});
    bw_transform t = bws_random_rigid(random, 1.2);
    double scale = kind == 2 ? 0 : bws_random_double(random, 0.2, 5);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            t.m[i][j] = kind == 2 ? t.m[i][j] + bws_random_double(random, -0.5, 0.5) : scale * t.m[i][j];
    return t;
}

typedef struct tally {
    uint64_t apart, overlapping, by_edges;
} tally;

static void boxes_agree_with_projections(bws_random *random, void *user)
{
    tally *t = user;
    static const bw_transform identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    bw_obb_node a = random_box(random, 0.5), b = random_box(random, 0.5);
    bw_obb tree_a = {.reach = {4, 4, 4}}, tree_b = {.reach = {4, 4, 4}};
    for (int kind = 0; kind < 4; kind++) {
        bw_transform pose = pose_of_kind(random, kind);
        bw_vec3 corners_a[8], corners_b[8];
        corners_of(&a, &identity, corners_a);
        corners_of(&b, &pose, corners_b);
        bw_obb_sat sat;
        for (int full = 0; full < 2; full++) {
            bw_obb_sat_prepare(&sat, &pose, &tree_a, &tree_b, full ? BW_BOX_TEST_SAT : BW_BOX_TEST_SAT_LITE);
            assert_int_equal(sat.similar, kind == 0 || kind == 3);
            bw_vec3 closing;
            double gap = widest_gap(corners_a, corners_b, full ? 15 : 6, &closing);
            int axis = bw_obb_separates(&sat, &a, &b);
            assert_true(axis < (full ? 15 : 6));
            /* No axis may be found where none of the 15 has a gap: for convex sets that means they meet. */
            if (full && gap < -1e-6)
                assert_int_equal(axis, -1);
            if (gap > 1e-4)
                assert_true(axis >= 0);
            if (full) {
                t->apart += axis >= 0;
                t->overlapping += axis < 0;
                t->by_edges += axis >= 6;
            }
            if (sat.similar) {
                /* The short forms against the long ones. */
                sat.similar = false;
                int by_sums = bw_obb_separates(&sat, &a, &b);
                if (fabs(gap) > 1e-4)
                    assert_int_equal(axis >= 0, by_sums >= 0);
            }
        }
    }
}

/* Boxes that overlap by a hair along the last axis that kept them apart: whatever the axes lack to be
 * orthonormal must be in the margins. */
static void boxes_that_just_meet(bws_random *random, void *user)
{
    tally *t = user;
    static const bw_transform identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    bw_obb_node a = random_box(random, 0.5), b = random_box(random, 0.5);
    bw_obb tree_a = {.reach = {4, 4, 4}}, tree_b = {.reach = {4, 4, 4}};
    for (int kind = 0; kind < 4; kind++) {
        bw_transform pose = pose_of_kind(random, kind);
        bw_vec3 corners_a[8], corners_b[8], closing;
        corners_of(&a, &identity, corners_a);
        corners_of(&b, &pose, corners_b);
        if (widest_gap(corners_a, corners_b, 15, &closing) < 0)
            continue;
        pose.m[0][3] += (1 + 1e-12) * closing.x;
        pose.m[1][3] += (1 + 1e-12) * closing.y;
        pose.m[2][3] += (1 + 1e-12) * closing.z;
        corners_of(&b, &pose, corners_b);
        if (widest_gap(corners_a, corners_b, 15, &closing) > 0)
            continue; /* not the last one */
        bw_obb_sat sat;
        bw_obb_sat_prepare(&sat, &pose, &tree_a, &tree_b, BW_BOX_TEST_SAT);
        assert_int_equal(bw_obb_separates(&sat, &a, &b), -1);
        t->overlapping++;
    }
}

static void oriented_boxes(void **state)
{
    (void)state;
    tally t = {0};
    BW_EACH_SEED(4000, boxes_agree_with_projections, &t);
    /* All outcomes were seen. */
    assert_true(t.apart > 1000 && t.overlapping > 1000 && t.by_edges > 20);
    t = (tally){0};
    BW_EACH_SEED(1500, boxes_that_just_meet, &t);
    assert_true(t.overlapping > 500);
}

/* Maps that overflow or vanish when squared prove nothing wrong. */
static void oriented_boxes_of_any_size(void **state)
{
    (void)state;
    bws_random random = bws_random_seeded(3);
    bw_obb tree = {.reach = {4, 4, 4}};
    static const double scales[] = {0x1p-1060, 0x1p-600, 0x1p-250, 0x1p250, 0};
    for (int s = 0; s < 5; s++) {
        for (int i = 0; i < 200; i++) {
            bw_obb_node a = random_box(&random, 0), b = random_box(&random, 0);
            bw_transform pose = bws_random_rigid(&random, 0);
            for (int k = 0; k < 3; k++)
                for (int j = 0; j < 3; j++)
                    pose.m[k][j] *= scales[s] * (i % 2 == 0 || k > 0 ? 1 : 0.5);
            bw_obb_sat sat;
            bw_obb_sat_prepare(&sat, &pose, &tree, &tree, BW_BOX_TEST_SAT);
            /* Both hold the origin. */
            assert_int_equal(bw_obb_separates(&sat, &a, &b), -1);
        }
    }
}

/* ---- k-DOPs ---- */

/* The least sum_i alpha_i |e_i| over all triples of directions that give w: what the combination claims to
 * be. */
static double least_sum(uint32_t k, const double w[3])
{
    const bw_kdop_direction *d = bw_kdop_directions(k);
    double least = INFINITY;
    for (uint32_t i = 0; i < k; i++) {
        for (uint32_t j = i + 1; j < k; j++) {
            for (uint32_t l = j + 1; l < k; l++) {
                bw_vec3 e[3] = {{d[i].c[0], d[i].c[1], d[i].c[2]},
                                {d[j].c[0], d[j].c[1], d[j].c[2]},
                                {d[l].c[0], d[l].c[1], d[l].c[2]}};
                bw_vec3 c[3] = {cross(e[1], e[2]), cross(e[2], e[0]), cross(e[0], e[1])};
                double determinant = e[0].x * c[0].x + e[0].y * c[0].y + e[0].z * c[0].z, total = 0;
                bool inside = determinant != 0;
                for (int q = 0; q < 3 && inside; q++) {
                    double alpha = (w[0] * c[q].x + w[1] * c[q].y + w[2] * c[q].z) / determinant;
                    inside = alpha >= -1e-12;
                    total += alpha * sqrt(e[q].x * e[q].x + e[q].y * e[q].y + e[q].z * e[q].z);
                }
                if (inside)
                    least = fmin(least, total);
            }
        }
    }
    return least;
}

static void combinations_are_the_best(bws_random *random, void *user)
{
    (void)user;
    static const uint32_t sets[3] = {14, 18, 26};
    double w[3];
    for (int i = 0; i < 3; i++)
        w[i] = bws_random_below(random, 4) == 0 ? (double)bws_random_int(random, -2, 2)
                                                : bws_random_double(random, -1, 1);
    for (int s = 0; s < 3; s++) {
        bw_kdop_plane p;
        bw_kdop_combine(sets[s], w, &p);
        double made[3] = {0, 0, 0}, total = 0;
        for (int i = 0; i < 3; i++) {
            assert_true(p.index[i] < sets[s] && p.alpha[i] >= 0);
            const int8_t *e = bw_kdop_directions(sets[s])[p.index[i]].c;
            for (int j = 0; j < 3; j++)
                made[j] += p.alpha[i] * e[j];
            total += p.alpha[i] * sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
        }
        for (int j = 0; j < 3; j++)
            assert_true(fabs(made[j] - w[j]) < 1e-14);
        assert_true(fabs(total - least_sum(sets[s], w)) < 1e-12);
    }
}

typedef union polytope {
    bw_kdop_node node;
    char room[sizeof(bw_kdop_node) + BW_KDOP_MAX * sizeof(float)];
} polytope;

/* The polytope around a random cloud, whose points go to out. */
static void random_polytope(bws_random *random, uint32_t k, double spread, bw_vec3 out[6], polytope *p)
{
    double x = bws_random_double(random, -spread, spread), y = bws_random_double(random, -spread, spread),
           z = bws_random_double(random, -spread, spread);
    for (int i = 0; i < 6; i++)
        out[i] = (bw_vec3){x + bws_random_double(random, -1, 1), y + bws_random_double(random, -1, 1),
                           z + bws_random_double(random, -1, 1)};
    bw_mesh mesh = {.positions = out, .scalar = BW_F64, .vertex_count = 6};
    for (uint32_t i = 0; i < 6; i++) {
        float support[BW_KDOP_MAX];
        bw_kdop_of_primitive(k, &mesh, i, support);
        for (uint32_t j = 0; j < k; j++)
            p->node.support[j] = i == 0 || support[j] > p->node.support[j] ? support[j] : p->node.support[j];
    }
}

/* Along a separating direction of a the mapped points of b must lie beyond a's, and likewise the other way
 * round. */
static void planes_separate_points(bws_random *random, void *user)
{
    tally *t = user;
    static const uint32_t sets[3] = {14, 18, 26};
    for (int s = 0; s < 3; s++) {
        uint32_t k = sets[s];
        for (int kind = 0; kind < 4; kind++) {
            bw_vec3 points_a[6], points_b[6];
            polytope a, b;
            random_polytope(random, k, 1.0, points_a, &a);
            random_polytope(random, k, 1.0, points_b, &b);
            bw_transform pose = pose_of_kind(random, kind), inverse;
            bw_kdop_planes planes;
            bw_kdop_planes_prepare(&planes, k, &pose, &a.node, &b.node, BW_BOX_TEST_SAT);
            int axis = bw_kdop_separates(&planes, a.node.support, b.node.support);
            t->apart += axis >= 0;
            t->overlapping += axis < 0;
            t->by_edges += axis >= (int)k / 2;
            if (axis < 0)
                continue;
            const int8_t *d = bw_kdop_directions(k)[2 * axis % (int)k].c;
            bw_vec3 n = {d[0], d[1], d[2]};
            if (axis >= (int)k / 2) {
                /* A direction of b's frame: n = M^-T d. */
                assert_int_equal(bw_transform_invert(&pose, &inverse), BW_OK);
                double v[3];
                for (int j = 0; j < 3; j++)
                    v[j] = d[0] * inverse.m[0][j] + d[1] * inverse.m[1][j] + d[2] * inverse.m[2][j];
                n = (bw_vec3){v[0], v[1], v[2]};
            }
            double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
            for (int i = 0; i < 6; i++) {
                bw_vec3 q = bw_transform_point(&pose, points_b[i]);
                double along[2] = {n.x * points_a[i].x + n.y * points_a[i].y + n.z * points_a[i].z,
                                   n.x * q.x + n.y * q.y + n.z * q.z};
                for (int side = 0; side < 2; side++) {
                    low[side] = fmin(low[side], along[side]);
                    high[side] = fmax(high[side], along[side]);
                }
            }
            assert_true(high[0] < low[1] || high[1] < low[0]);
        }
        /* Under the identity, given as a pose, the test is that of the slabs: nothing is lost but the margin.
         */
        bw_vec3 points[6];
        polytope a, b;
        random_polytope(random, k, 1.0, points, &a);
        random_polytope(random, k, 1.0, points, &b);
        bw_kdop_planes planes;
        bw_transform identity = bw_transform_identity();
        bw_kdop_planes_prepare(&planes, k, &identity, &a.node, &b.node, BW_BOX_TEST_SAT_LITE);
        double widest = -INFINITY;
        for (uint32_t j = 0; j < k; j++)
            widest = fmax(widest, -((double)a.node.support[j] + (double)b.node.support[j ^ 1]));
        if (fabs(widest) > 1e-9)
            assert_int_equal(bw_kdop_separates(&planes, a.node.support, b.node.support) >= 0, widest > 0);
    }
}

static void kdops(void **state)
{
    (void)state;
    tally t = {0};
    BW_EACH_SEED(200, combinations_are_the_best, NULL);
    BW_EACH_SEED(1000, planes_separate_points, &t);
    assert_true(t.apart > 1000 && t.overlapping > 1000 && t.by_edges > 20);
}

static void kdops_of_any_size(void **state)
{
    (void)state;
    bws_random random = bws_random_seeded(5);
    static const double scales[] = {0x1p-1060, 0x1p-600, 0x1p-250, 0x1p250, 0};
    for (int s = 0; s < 5; s++) {
        for (int i = 0; i < 300; i++) {
            bw_vec3 points[6];
            polytope a, b;
            uint32_t k = i % 3 == 0 ? 14 : i % 3 == 1 ? 18 : 26;
            random_polytope(&random, k, 0, points, &a);
            random_polytope(&random, k, 0, points, &b);
            /* Make both hold the origin. */
            for (uint32_t j = 0; j < k; j++) {
                a.node.support[j] = fmaxf(a.node.support[j], 0);
                b.node.support[j] = fmaxf(b.node.support[j], 0);
            }
            bw_transform pose = bws_random_rigid(&random, 0);
            for (int r = 0; r < 3; r++)
                for (int j = 0; j < 3; j++)
                    pose.m[r][j] *= scales[s] * (i % 2 == 0 || r > 0 ? 1 : 0.5);
            bw_kdop_planes planes;
            bw_kdop_planes_prepare(&planes, k, &pose, &a.node, &b.node, BW_BOX_TEST_SAT);
            assert_int_equal(bw_kdop_separates(&planes, a.node.support, b.node.support), -1);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oriented_boxes),
        cmocka_unit_test(oriented_boxes_of_any_size),
        cmocka_unit_test(kdops),
        cmocka_unit_test(kdops_of_any_size),
    };
    return cmocka_run_group_tests_name("volumes_sat", tests, NULL, NULL);
}
