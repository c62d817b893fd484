/* Regions of space against the triangles of a body: every triangle asked in rationals, by clipping at planes
 * and by least distances. Lattice coordinates make what touches common; poses, slivers and both ends of the
 * range make floating point of no use. */
#include "geom/exact/half_spaces.h"
#include "geom/exact/within.h"
#include "oracle/hard_poses.h"
#include "oracle/random.h"
#include "oracle/rational_number.h"
#include "oracle/triangle_oracle.h"

#include <boxwood/collide.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 60, PLANES = 8 };

/* ---- in rationals ---- */

static bw_q plane_at(const bw_plane *plane, bw_qvec p)
{
    bw_q sum = bw_q_of((double)plane->d);
    for (int k = 0; k < 3; k++)
        sum = bw_q_add(sum, bw_q_mul(bw_q_of((double)plane->n[k]), p.c[k]));
    return sum;
}

/* The polygon's part in front of a plane. */
static int clip(const bw_plane *plane, const bw_qvec *in, int count, bw_qvec *out)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        const bw_qvec a = in[i], b = in[(i + 1) % count];
        const bw_q at_a = plane_at(plane, a), at_b = plane_at(plane, b);
        if (bw_q_sign(at_a) >= 0)
            out[kept++] = a;
        if (bw_q_sign(at_a) * bw_q_sign(at_b) < 0)
            out[kept++] = bw_qvec_lerp(a, b, bw_q_div(at_a, bw_q_sub(at_a, at_b)));
    }
    return kept;
}

static bw_overlap planes_truth(const bw_vec3 t[3], const bw_plane *planes, uint32_t count)
{
    bw_qvec polygon[2][3 + 2 * PLANES];
    int corners = 3;
    bool inside = true;
    bw_rational_begin();
    for (int k = 0; k < 3; k++)
        polygon[0][k] = bw_qvec_of(&t[k]);
    for (uint32_t p = 0; p < count; p++)
        for (int k = 0; k < 3; k++)
            inside &= bw_q_sign(plane_at(&planes[p], bw_qvec_of(&t[k]))) >= 0;
    for (uint32_t p = 0; p < count && corners > 0; p++)
        corners = clip(&planes[p], polygon[p % 2], corners, polygon[1 - p % 2]);
    return inside ? BW_OVERLAP_ALL : corners > 0 ? BW_OVERLAP_PART : BW_OVERLAP_NONE;
}

static bw_overlap round_truth(const bw_vec3 t[3], const bw_vec3 segment[2], double radius)
{
    const bw_vec3 axis[3] = {segment[0], segment[1], segment[1]};
    bool inside = true;
    for (int k = 0; k < 3; k++) {
        const bw_vec3 corner[3] = {t[k], t[k], t[k]};
        inside &= bw_oracle_within(corner, axis, radius);
    }
    return inside ? BW_OVERLAP_ALL : bw_oracle_within(t, axis, radius) ? BW_OVERLAP_PART : BW_OVERLAP_NONE;
}

static bw_overlap truth(const bw_vec3 t[3], const bw_region *region)
{
    bw_plane box[6] = {{{0, 0, 0}, 0}};
    switch (region->kind) {
    case BW_REGION_SPHERE:
        return round_truth(t, (const bw_vec3[2]){region->centre, region->centre}, region->radius);
    case BW_REGION_CAPSULE:
        return round_truth(t, (const bw_vec3[2]){region->centre, region->end}, region->radius);
    case BW_REGION_PLANES:
        return planes_truth(t, region->planes, region->plane_count);
    default:
        for (int k = 0; k < 3; k++) {
            box[k].n[k] = 1;
            box[k].d = -region->box.min[k];
            box[k + 3].n[k] = -1;
            box[k + 3].d = region->box.max[k];
        }
        return planes_truth(t, box, 6);
    }
}

/* ---- what is tried ---- */

/* Any, on a lattice, or on a lattice of two, each in a unit. */
static double number(bws_random *random, int kind)
{
    return kind == 0   ? bws_random_double(random, -2, 2)
           : kind == 1 ? (double)bws_random_int(random, -8, 8) / 4
                       : (double)bws_random_int(random, -1, 1);
}

static bw_vec3 vector(bws_random *random, int kind)
{
    const double x = number(random, kind), y = number(random, kind), z = number(random, kind);
    return (bw_vec3){x, y, z};
}

static bw_vec3 scaled(bw_vec3 v, double unit)
{
    return (bw_vec3){v.x * unit, v.y * unit, v.z * unit};
}

static bw_region any_region(bws_random *random, int kind, double unit, bw_plane planes[PLANES])
{
    bw_region r = {.kind = (bw_region_kind)bws_random_below(random, 4)};
    if (r.kind == BW_REGION_RAY)
        r.kind = BW_REGION_CAPSULE;
    const bw_vec3 a = vector(random, kind), b = vector(random, kind);
    for (int k = 0; k < 3; k++) {
        const double p = k == 0 ? a.x : k == 1 ? a.y : a.z, q = k == 0 ? b.x : k == 1 ? b.y : b.z;
        r.box.min[k] = (float)(fmin(p, q) * unit);
        r.box.max[k] = (float)(fmax(p, q) * unit);
    }
    r.centre = scaled(a, unit);
    r.end = scaled(b, unit);
    r.radius = fabs(number(random, kind)) * unit;
    r.planes = planes;
    r.plane_count = (uint32_t)bws_random_below(random, PLANES + 1);
    for (uint32_t p = 0; p < r.plane_count; p++) { /* most look at a point near the middle */
        const bw_vec3 n = vector(random, kind), at = vector(random, kind);
        planes[p] = (bw_plane){
            {(float)n.x, (float)n.y, (float)n.z},
            (float)(unit * (fabs(number(random, kind)) - 0.3 * (n.x * at.x + n.y * at.y + n.z * at.z)))};
    }
    return r;
}

static void any_triangle(bws_random *random, int kind, double unit, bw_vec3 t[3])
{
    for (int k = 0; k < 3; k++)
        t[k] = scaled(vector(random, kind), unit);
    switch (bws_random_below(random, 6)) {
    case 0:
        t[2] = t[1];
        break;
    case 1: /* a sliver */
        t[2] = (bw_vec3){t[1].x + 0x1p-40 * t[2].x, t[1].y + 0x1p-40 * t[2].y, t[1].z + 0x1p-40 * t[2].z};
        break;
    default:
        break;
    }
}

static const double units[] = {1, 1, 1, 0x1p-30, 0x1p-120, 0x1p90};

static double any_unit(bws_random *random)
{
    return units[bws_random_below(random, sizeof units / sizeof *units)];
}

/* The two tests alone, without a tree. */
static void triangles_are_decided(bws_random *random, void *user)
{
    (void)user;
    for (int round = 0; round < 30; round++) {
        bw_plane planes[PLANES];
        bw_vec3 t[3];
        bool exact = false;
        const int kind = (int)bws_random_below(random, 3);
        const double unit = any_unit(random);
        const bw_region r = any_region(random, kind, unit, planes);
        any_triangle(random, kind, unit, t);
        if (r.kind == BW_REGION_PLANES) {
            const uint32_t all = (1u << r.plane_count) - 1;
            assert_int_equal(bw_triangle_half_spaces(t, planes, all, &exact), truth(t, &r));
        } else if (r.kind != BW_REGION_BOX) {
            const bw_vec3 axis[3] = {r.centre, r.end, r.end};
            assert_int_equal(bw_triangles_within(axis, t, r.radius, &exact),
                             bw_oracle_within(axis, t, r.radius));
        }
    }
}

/* Triangles at a distance that a double has: 5 from 3 and 4, 13 from 5 and 12, moved and in any unit. */
static void touching_is_exact(bws_random *random, void *user)
{
    (void)user;
    static const int legs[][3] = {{3, 4, 5}, {5, 12, 13}, {8, 15, 17}, {0, 7, 7}, {20, 21, 29}};
    for (int i = 0; i < 5; i++) {
        const double unit = any_unit(random), r = legs[i][2] * unit;
        const int swap = (int)bws_random_below(random, 3);
        bw_vec3 c[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, t[3];
        const double x = legs[i][0] * unit, y = legs[i][1] * unit, far = 64 * unit;
        t[0] = swap == 0 ? (bw_vec3){x, y, 0} : (bw_vec3){x, y, -far};
        t[1] = swap == 0 ? (bw_vec3){2 * x + far, 2 * y, far} : (bw_vec3){x, y, far};
        t[2] = swap == 2 ? t[1] : (bw_vec3){x + 4 * y + unit, y + 4 * far, 0};
        if (swap != 2 && swap != 0)
            t[2] = (bw_vec3){x + 20 * x, y + 20 * y, 0};
        bool exact = false;
        assert_true(bw_oracle_within(c, t, r));
        assert_true(bw_triangles_within(c, t, r, &exact));
        assert_false(bw_triangles_within(c, t, nextafter(r, 0), &exact));
        assert_true(exact);
    }
}

typedef struct body_input {
    double xyz[9 * MOST];
    uint32_t indices[3 * MOST];
    bw_mesh mesh;
    bw_tree *tree;
} body_input;

static void make_body(bws_random *random, int kind, double unit, body_input *in)
{
    const uint32_t count = 1 + (uint32_t)bws_random_below(random, MOST);
    for (uint32_t i = 0; i < count; i++) {
        bw_vec3 t[3];
        any_triangle(random, kind, unit, t);
        memcpy(&in->xyz[9 * i], t, sizeof t);
    }
    for (uint32_t i = 0; i < 3 * count; i++)
        in->indices[i] = i;
    in->mesh = (bw_mesh){in->xyz, BW_F64, 3 * count, 0, in->indices, count};
    assert_int_equal(bw_tree_create(NULL, &in->mesh, &in->tree, NULL), BW_OK);
}

static bool count_hits(void *user, const bw_region_hit *hit)
{
    (void)hit;
    return --*(int *)user > 0;
}

/* Modes, buffer and callback, given all hits. */
static void modes_agree(const bw_body *body, const bw_region *region, const bw_region_report *all)
{
    bw_region_report report = {0};
    bw_region_hit hit;
    bw_region_desc desc = {.mode = BW_COLLIDE_COUNT};
    assert_int_equal(bw_collide_region(body, region, &desc, &report, NULL), BW_OK);
    assert_true(report.hit_count == all->hit_count && report.inside_count == all->inside_count &&
                report.status == BW_DONE);
    desc = (bw_region_desc){.hits = &hit, .hit_capacity = 1};
    assert_int_equal(bw_collide_region(body, region, &desc, &report, NULL), BW_OK);
    assert_int_equal(report.status, all->hit_count > 0 ? BW_FOUND : BW_DONE);
    assert_int_equal(report.hit_count, all->hit_count > 0);
    desc.mode = BW_COLLIDE_ALL;
    assert_int_equal(bw_collide_region(body, region, &desc, &report, NULL), BW_OK);
    assert_int_equal(report.status, all->hit_count > 1 ? BW_FULL : BW_DONE);
    assert_int_equal(report.hit_count, all->hit_count);
    int left = 2;
    desc = (bw_region_desc){.mode = BW_COLLIDE_ALL, .on_hit = count_hits, .user = &left};
    assert_int_equal(bw_collide_region(body, region, &desc, &report, NULL), BW_OK);
    assert_int_equal(report.status, all->hit_count > 1 ? BW_STOPPED : BW_DONE);
    desc = (bw_region_desc){.mode = BW_COLLIDE_COUNT, .inside_only = true};
    assert_int_equal(bw_collide_region(body, region, &desc, &report, NULL), BW_OK);
    assert_true(report.hit_count == all->inside_count && report.inside_count == all->inside_count);
}

static void bodies_are_decided(bws_random *random, void *user)
{
    (void)user;
    static body_input in;
    const int kind = (int)bws_random_below(random, 3);
    const double unit = any_unit(random);
    make_body(random, kind, unit, &in);
    for (int round = 0; round < 6; round++) {
        bw_plane planes[PLANES];
        bw_region region = any_region(random, kind, unit, planes);
        bw_transform pose = bw_hard_pose(random, (int)bws_random_below(random, BW_HARD_POSES)),
                     place = bw_hard_pose(random, (int)bws_random_below(random, 3)), inverse, map;
        for (int i = 0; i < 3; i++) {
            pose.m[i][3] *= unit;
            place.m[i][3] *= unit;
        }
        const bool posed = bws_random_bool(random), placed = bws_random_bool(random);
        const bw_body body = {in.tree, &in.mesh, posed ? &pose : NULL};
        region.pose = placed ? &place : NULL;
        map = posed ? pose : bw_transform_identity();
        if (placed) {
            assert_int_equal(bw_transform_invert(&place, &inverse), BW_OK);
            map = posed ? bw_transform_multiply(&inverse, &pose) : inverse;
        }
        bw_region_hit hits[MOST];
        bw_region_desc desc = {.mode = BW_COLLIDE_ALL, .hits = hits, .hit_capacity = MOST};
        bw_region_report report = {0};
        const bw_result result = bw_collide_region(&body, &region, &desc, &report, NULL);
        if (result == BW_ERROR_RANGE) /* a pose that flattens leaves numbers that are too small */
            continue;
        assert_int_equal(result, BW_OK);
        bw_overlap found[MOST] = {BW_OVERLAP_NONE};
        for (uint64_t i = 0; i < report.hit_count; i++) {
            assert_int_equal(found[hits[i].primitive], BW_OVERLAP_NONE);
            found[hits[i].primitive] = hits[i].inside ? BW_OVERLAP_ALL : BW_OVERLAP_PART;
        }
        for (uint32_t i = 0; i < in.mesh.triangle_count; i++) {
            bw_vec3 t[3];
            bw_mesh_corners(&in.mesh, i, t);
            for (int k = 0; k < 3 && (posed || placed); k++)
                t[k] = bw_transform_point(&map, t[k]);
            if (bw_exact_range(t, 3))
                assert_int_equal(found[i], truth(t, &region));
        }
        modes_agree(&body, &region, &report);
    }
    bw_tree_destroy(in.tree);
}

static void refuses(void **state)
{
    (void)state;
    static const float xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint32_t indices[] = {0, 1, 2};
    const bw_mesh mesh = {xyz, BW_F32, 3, 0, indices, 1};
    bw_tree *tree;
    assert_int_equal(bw_tree_create(NULL, &mesh, &tree, NULL), BW_OK);
    const bw_body body = {tree, &mesh, NULL};
    const bw_transform flat = {{{0}}};
    const bw_plane odd = {{NAN, 0, 0}, 0};
    bw_region_report report = {0};
    const struct {
        bw_region region;
        bw_result result;
    } cases[] = {{{.kind = BW_REGION_RAY}, BW_ERROR_UNSUPPORTED},
                 {{.kind = (bw_region_kind)9}, BW_ERROR_ARGUMENT},
                 {{.box = {{1, 0, 0}, {0, 1, 1}}}, BW_ERROR_ARGUMENT},
                 {{.box = {{NAN, 0, 0}, {0, 1, 1}}}, BW_ERROR_NOT_FINITE},
                 {{.box = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}}}, BW_OK},
                 {{.kind = BW_REGION_SPHERE, .radius = -1}, BW_ERROR_ARGUMENT},
                 {{.kind = BW_REGION_SPHERE, .radius = INFINITY}, BW_ERROR_NOT_FINITE},
                 {{.kind = BW_REGION_SPHERE, .radius = 1e40}, BW_ERROR_RANGE},
                 {{.kind = BW_REGION_SPHERE, .centre = {1e-95, 0, 0}}, BW_ERROR_RANGE},
                 {{.kind = BW_REGION_CAPSULE, .end = {NAN, 0, 0}}, BW_ERROR_NOT_FINITE},
                 {{.kind = BW_REGION_PLANES, .plane_count = 1}, BW_ERROR_ARGUMENT},
                 {{.kind = BW_REGION_PLANES, .plane_count = 33, .planes = &odd}, BW_ERROR_ARGUMENT},
                 {{.kind = BW_REGION_PLANES, .plane_count = 1, .planes = &odd}, BW_ERROR_NOT_FINITE},
                 {{.kind = BW_REGION_PLANES}, BW_OK},
                 {{.kind = BW_REGION_SPHERE, .pose = &flat}, BW_ERROR_SINGULAR},
                 {{.size = 2}, BW_ERROR_LAYOUT}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bw_fault fault;
        assert_int_equal(bw_collide_region(&body, &cases[i].region, NULL, &report, &fault), cases[i].result);
        assert_int_equal(fault.result, cases[i].result);
    }
    const bw_region sphere = {.kind = BW_REGION_SPHERE, .radius = 1};
    assert_int_equal(bw_collide_region(NULL, &sphere, NULL, &report, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_collide_region(&body, NULL, NULL, &report, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_collide_region(&body, &sphere, NULL, NULL, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_collide_region(&body, &sphere, &(bw_region_desc){.size = 3}, &report, NULL),
                     BW_ERROR_LAYOUT);
    bw_tree_destroy(tree);
}

static void decides_triangles(void **state)
{
    (void)state;
    BW_EACH_SEED(300, triangles_are_decided, NULL);
}

static void decides_touching(void **state)
{
    (void)state;
    BW_EACH_SEED(100, touching_is_exact, NULL);
}

static void decides_bodies(void **state)
{
    (void)state;
    BW_EACH_SEED(60, bodies_are_decided, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(decides_triangles),
                                       cmocka_unit_test(decides_touching), cmocka_unit_test(decides_bodies),
                                       cmocka_unit_test(refuses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
