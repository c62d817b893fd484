/* Queries at the ends of the range: the largest and smallest coordinates, scales that leave it, maps that
 * flatten, zeros of either sign. */
#include <boxwood/nearest.h>

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct solid {
    double xyz[12];
    bw_mesh mesh;
    bw_tree *tree;
    bw_transform pose;
    bw_body body;
} solid;

static const uint32_t faces[12] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};

/* A tetrahedron about a point, of a size; *s must not move. */
static void make(solid *s, bw_vec3 at, double size, bool compact)
{
    static const double shape[12] = {-1, -1, -1, 1, -0.5, -0.75, -0.25, 1, -0.5, 0, 0.25, 1};
    const double middle[3] = {at.x, at.y, at.z};
    *s = (solid){.mesh = {NULL, BW_F64, 4, 0, faces, 4}};
    for (int i = 0; i < 12; i++)
        s->xyz[i] = middle[i % 3] + size * shape[i];
    s->mesh.positions = s->xyz;
    assert_int_equal(bw_tree_create(&(bw_tree_desc){.compact = compact}, &s->mesh, &s->tree, NULL), BW_OK);
    s->body = (bw_body){s->tree, &s->mesh, NULL};
}

static void place(solid *s, double scale, bw_vec3 at)
{
    s->pose = (bw_transform){{{scale, 0, 0, at.x}, {0, scale, 0, at.y}, {0, 0, scale, at.z}}};
    s->body.pose = &s->pose;
}

static void unmake(solid *s)
{
    bw_tree_destroy(s->tree);
}

static const bw_vec3 origin = {0, 0, 0};

/* All queries of two bodies, or of a body and a ray: the same result. */
static void expect_all(const bw_body *a, const bw_body *b, bw_result result)
{
    bw_distance_report distance = {0};
    bw_within_report within = {0};
    bw_nearest_hit nearest;
    bw_raycast_report ray = {0};
    bw_ray_hit ray_hit;
    bw_vec3 p = {0.25, 0, 0};
    assert_int_equal(bw_distance(a, b, NULL, &distance, NULL), result);
    assert_int_equal(bw_distance(b, a, NULL, &distance, NULL), result);
    assert_int_equal(bw_within(a, b, &(bw_within_desc){.distance = 1}, &within, NULL), result);
    assert_int_equal(bw_nearest(b, &p, NULL, &nearest, NULL, NULL), result);
    /* From corner to corner: only an exact test can tell. */
    bw_vec3 from = bw_mesh_vertex(b->mesh, 0), to = bw_mesh_vertex(b->mesh, 1);
    if (b->pose != NULL) {
        from = bw_transform_point(b->pose, from);
        to = bw_transform_point(b->pose, to);
    }
    bw_ray desc_ray = {.origin = from, .direction = to, .between = true};
    bw_raycast_desc desc = {0};
    const bool one = from.x == to.x && from.y == to.y && from.z == to.z; /* no ray */
    assert_int_equal(bw_raycast(b, &desc_ray, &desc, &ray_hit, &ray, NULL), one ? BW_ERROR_ARGUMENT : result);
}

static void poses_leave_the_range(void **state)
{
    (void)state;
    solid a, b;
    make(&a, origin, 1, false);
    make(&b, origin, 1, true);
    place(&b, 0x1p-90, (bw_vec3){3, 0, 0});
    expect_all(&a.body, &b.body, BW_OK);
    place(&b, 0x1p-200, origin);
    expect_all(&a.body, &b.body, BW_OK);
    place(&b, 0x1p-310, origin); /* the corners are below the exact range */
    expect_all(&a.body, &b.body, BW_ERROR_RANGE);
    place(&b, DBL_TRUE_MIN, origin); /* some vanish, some do not */
    expect_all(&a.body, &b.body, BW_ERROR_RANGE);
    place(&b, 0, origin); /* all of it one point, inside a */
    expect_all(&a.body, &b.body, BW_OK);
    place(&b, 0x1p101, origin);
    bw_distance_report report = {0};
    assert_int_equal(bw_distance(&a.body, &b.body, NULL, &report, NULL), BW_ERROR_RANGE);
    place(&b, DBL_MAX, (bw_vec3){DBL_MAX, DBL_MAX, DBL_MAX}); /* finite, though sums of it are not */
    assert_int_equal(bw_distance(&a.body, &b.body, NULL, &report, NULL), BW_ERROR_RANGE);
    place(&b, INFINITY, origin);
    assert_int_equal(bw_distance(&a.body, &b.body, NULL, &report, NULL), BW_ERROR_NOT_FINITE);
    place(&b, 1, (bw_vec3){0, NAN, 0});
    assert_int_equal(bw_distance(&a.body, &b.body, NULL, &report, NULL), BW_ERROR_NOT_FINITE);
    /* The query's own point. */
    bw_nearest_hit nearest;
    bw_vec3 small = {0, 0x1p-301, 0}, least = {0, BW_EXACT_MIN, 0};
    assert_int_equal(bw_nearest(&a.body, &small, NULL, &nearest, NULL, NULL), BW_ERROR_RANGE);
    assert_int_equal(bw_nearest(&a.body, &least, NULL, &nearest, NULL, NULL), BW_OK);
    unmake(&a);
    unmake(&b);
}

/* Distances of small things are not zero. */
static void small_gaps_are_gaps(void **state)
{
    (void)state;
    double first = 0;
    for (int e = -280; e <= 90; e += 10) {
        solid a, b;
        double unit = ldexp(1, e);
        make(&a, origin, unit, false);
        make(&b, (bw_vec3){0, 0, 4 * unit}, unit, true);
        bw_distance_report report = {0};
        assert_int_equal(bw_distance(&a.body, &b.body, NULL, &report, NULL), BW_OK);
        assert_int_equal(report.status, BW_DONE);
        /* The same at every scale, and more than 2: from z = 1 up to z = 3, not straight. */
        first = first == 0 ? report.distance / unit : first;
        assert_true(first > 2 && first < 2.5 && fabs(report.distance - first * unit) < 1e-11 * unit);
        bw_distance_desc near = {.max_distance = 1.001 * first * unit},
                         far = {.max_distance = 0.999 * first * unit};
        assert_int_equal(bw_distance(&a.body, &b.body, &near, &report, NULL), BW_OK);
        assert_int_equal(report.status, BW_DONE);
        assert_int_equal(bw_distance(&a.body, &b.body, &far, &report, NULL), BW_OK);
        assert_int_equal(report.status, BW_LIMIT);
        bw_nearest_hit nearest;
        bw_vec3 p = {0, 0.25 * unit, 2 * unit};
        assert_int_equal(bw_nearest(&a.body, &p, NULL, &nearest, NULL, NULL), BW_OK);
        assert_true(fabs(nearest.distance - unit) < 1e-11 * unit);
        bw_ray ray_ray = {
            .origin = {0, 0.25 * unit, 9 * unit}, .direction = {0, 0.25 * unit, 8 * unit}, .between = true};
        bw_raycast_desc ray = {0};
        bw_raycast_report hit = {0};
        bw_ray_hit hit_hit;
        assert_int_equal(bw_raycast(&b.body, &ray_ray, &ray, &hit_hit, &hit, NULL), BW_OK);
        assert_true(hit.hit_count == 1 && hit_hit.kind == BW_CONTACT_TOUCHING && hit_hit.t == 4);
        unmake(&a);
        unmake(&b);
    }
}

/* What decides inside from outside must not depend on the frame in which a body was made. */
static void containment_at_every_scale(void **state)
{
    (void)state;
    for (int own = -80; own <= 0; own += 20)
        for (int scale = -40; scale <= 90; scale += 10) {
            solid outer, inner;
            double size = ldexp(1, own + scale);
            make(&outer, (bw_vec3){ldexp(5, own), 0, 0}, ldexp(1, own), false);
            place(&outer, ldexp(1, scale), origin);
            make(&inner, (bw_vec3){5 * size, 0, 0}, size / 16, true);
            bw_collide_desc desc = {.containment = true};
            bw_collide_report report = {0};
            assert_int_equal(bw_collide(&inner.body, &outer.body, &desc, &report, NULL), BW_OK);
            assert_true(report.hit_count == 0 && report.containment == BW_CONTAINMENT_A_IN_B);
            assert_int_equal(bw_collide(&outer.body, &inner.body, &desc, &report, NULL), BW_OK);
            assert_true(report.hit_count == 0 && report.containment == BW_CONTAINMENT_B_IN_A);
            unmake(&inner);
            make(&inner, (bw_vec3){5.9 * size, 0.9 * size, 0.9 * size}, size / 16,
                 true); /* in the box only */
            assert_int_equal(bw_collide(&inner.body, &outer.body, &desc, &report, NULL), BW_OK);
            assert_true(report.hit_count == 0 && report.containment == BW_CONTAINMENT_NONE);
            unmake(&inner);
            unmake(&outer);
        }
}

/* The far corners of the range. */
static void largest_coordinates(void **state)
{
    (void)state;
    const double far = BW_COORDINATE_MAX;
    double xyz[] = {-far, -far, far,  far, -far, far,  0, far, far,
                    -far, -far, -far, far, -far, -far, 0, far, -far};
    const uint32_t indices[] = {0, 1, 2, 3, 4, 5}, single = 0;
    bw_mesh mesh = {xyz, BW_F64, 6, 0, indices, 2}, lower = {xyz + 9, BW_F64, 3, 0, indices, 1};
    bw_tree *both, *low;
    assert_int_equal(bw_tree_create(NULL, &mesh, &both, NULL), BW_OK);
    assert_int_equal(bw_tree_create(NULL, &lower, &low, NULL), BW_OK);
    bw_body body = {both, &mesh, NULL}, other = {low, &lower, NULL};
    bw_ray ray_ray = {.origin = {0, 0, 0}, .direction = {0, 0, 1}, .between = true};
    bw_raycast_desc ray = {0};
    bw_raycast_report hit = {0};
    bw_ray_hit hit_hit;
    assert_int_equal(bw_raycast(&body, &ray_ray, &ray, &hit_hit, &hit, NULL), BW_OK);
    assert_true(hit.hit_count == 1 && hit_hit.primitive == 0 && hit_hit.t == far);
    ray_ray.direction = (bw_vec3){0, 0, BW_EXACT_MIN};
    assert_int_equal(bw_raycast(&body, &ray_ray, &ray, &hit_hit, &hit, NULL), BW_OK);
    assert_true(hit.hit_count == 1 && hit_hit.t == far / BW_EXACT_MIN);
    ray_ray = bw_ray_between((bw_vec3){0, 0, -BW_EXACT_MAX}, (bw_vec3){0, 0, BW_EXACT_MAX});
    assert_int_equal(bw_raycast(&body, &ray_ray, &ray, &hit_hit, &hit, NULL), BW_OK);
    /* Their parameters differ by less than a rounding: of equal ones, the lowest. */
    assert_true(hit.hit_count == 1 && hit_hit.primitive == 0 && hit_hit.t == 0.5);
    bw_distance_report report = {0};
    assert_int_equal(bw_tree_remove(both, &mesh, (uint32_t[]){1}, 1, NULL), BW_OK);
    assert_int_equal(bw_distance(&body, &other, NULL, &report, NULL), BW_OK);
    assert_true(fabs(report.distance - 2 * far) <= 1e-12 * far);
    assert_int_equal(bw_tree_remove(both, &mesh, &single, 1, NULL), BW_OK);
    assert_int_equal(bw_distance(&body, &other, NULL, &report, NULL), BW_OK);
    assert_int_equal(report.status, BW_LIMIT);
    bw_update_report refit = {0};
    for (int policy = BW_UPDATE_REFIT; policy <= BW_UPDATE_REBUILD; policy++) { /* of nothing */
        bw_vertex_range range = {0, 1}, beyond = {5, 2};
        bw_update_desc desc = {.policy = (bw_update_policy)policy, .ranges = &range, .range_count = 1};
        assert_int_equal(bw_tree_update(both, &mesh, &desc, &refit, NULL), BW_OK);
        desc.ranges = &beyond;
        assert_int_equal(bw_tree_update(both, &mesh, &desc, &refit, NULL), BW_ERROR_INDEX);
        assert_null(bw_tree_check(both, &mesh));
    }
    bw_tree_destroy(both);
    bw_tree_destroy(low);
}

/* Zeros of either sign and the smallest floats are what they are. */
static void zeros_and_smallest_floats(void **state)
{
    (void)state;
    const float tiny = FLT_TRUE_MIN;
    float xyz[] = {-0.0f, 0,    -0.0f, 8 * tiny, -0.0f, 0,    0,    8 * tiny, -0.0f,
                   tiny,  tiny, tiny,  9 * tiny, tiny,  tiny, tiny, 9 * tiny, tiny};
    const uint32_t indices[] = {0, 1, 2, 3, 4, 5};
    bw_mesh mesh = {xyz, BW_F32, 6, 0, indices, 2};
    for (int compact = 0; compact < 2; compact++) {
        bw_tree *tree;
        assert_int_equal(bw_tree_create(&(bw_tree_desc){.compact = compact}, &mesh, &tree, NULL), BW_OK);
        assert_null(bw_tree_check(tree, &mesh));
        bw_body body = {tree, &mesh, NULL};
        bw_collide_report self = {0};
        assert_int_equal(bw_collide_self(&body, &(bw_collide_desc){.mode = BW_COLLIDE_COUNT}, &self, NULL),
                         BW_OK);
        assert_int_equal(self.hit_count, 0);
        bw_within_report within = {0};
        assert_int_equal(bw_within(&body, &body, &(bw_within_desc){.distance = 0}, &within, NULL), BW_OK);
        assert_int_equal(within.pair_count, 2);
        assert_int_equal(
            bw_within(&body, &body, &(bw_within_desc){.distance = 1.001 * (double)tiny}, &within, NULL),
            BW_OK);
        assert_int_equal(within.pair_count, 4);
        bw_ray ray_ray = {.origin = {2 * (double)tiny, 2 * (double)tiny, -1}, .between = true};
        bw_raycast_desc ray = {.mode = BW_RAY_ALL};
        ray_ray.direction = (bw_vec3){2 * (double)tiny, 2 * (double)tiny, -0.0};
        bw_raycast_report hits = {0};
        bw_ray_hit hits_hit;
        assert_int_equal(bw_raycast(&body, &ray_ray, &ray, &hits_hit, &hits, NULL), BW_OK);
        assert_int_equal(hits.hit_count, 2);
        bw_tree_destroy(tree);
    }
}

/* A map may flatten a body: the one that is mapped into the other's frame, and either where distances are
 * measured. */
static void flattened_bodies(void **state)
{
    (void)state;
    solid a, b;
    make(&a, origin, 1, false);
    make(&b, origin, 1, false);
    place(&b, 1, (bw_vec3){0, 0, 3});
    b.pose.m[2][2] = 0;
    bw_distance_report report = {0};
    bw_collide_report contacts = {0};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(i == 0 ? bw_distance(&a.body, &b.body, NULL, &report, NULL)
                                : bw_distance(&b.body, &a.body, NULL, &report, NULL),
                         BW_OK);
        assert_true(fabs(report.distance - 2) < 1e-12); /* from the tip at z = 1 to the plane z = 3 */
    }
    assert_int_equal(bw_collide(&a.body, &b.body, NULL, &contacts, NULL), BW_OK);
    assert_int_equal(contacts.hit_count, 0);
    assert_int_equal(bw_collide(&b.body, &a.body, NULL, &contacts, NULL), BW_ERROR_SINGULAR);
    b.pose.m[2][3] = 0;
    assert_int_equal(bw_distance(&b.body, &a.body, NULL, &report, NULL), BW_OK);
    assert_true(report.distance == 0);
    unmake(&a);
    unmake(&b);
}

/* A mesh may grow before anything of it is inserted, and be updated by ranges that the tree did not know. */
static void meshes_grow(void **state)
{
    (void)state;
    double xyz[3 * 200];
    uint32_t indices[3 * 100];
    for (int i = 0; i < 600; i++)
        xyz[i] = (double)(i * i % 101);
    for (uint32_t i = 0; i < 300; i++)
        indices[i] = i % 200 < 6 ? i % 6 : i % 200;
    bw_mesh small = {xyz, BW_F64, 6, 0, indices, 2}, large = {xyz, BW_F64, 200, 0, indices, 100};
    bw_tree *tree;
    assert_int_equal(bw_tree_create(&(bw_tree_desc){.compact = true}, &small, &tree, NULL), BW_OK);
    bw_vertex_range first = {0, 2}, last = {150, 50};
    bw_update_desc desc = {.ranges = &first, .range_count = 1};
    assert_int_equal(bw_tree_update(tree, &small, &desc, NULL, NULL), BW_OK); /* makes a map of vertices */
    assert_int_equal(bw_tree_insert(tree, &large, NULL, 0, NULL), BW_OK);
    assert_null(bw_tree_check(tree, &large));
    desc.ranges = &last;
    assert_int_equal(bw_tree_update(tree, &large, &desc, NULL, NULL), BW_OK);
    assert_null(bw_tree_check(tree, &large));
    assert_int_equal(bw_tree_insert(tree, &small, NULL, 0, NULL), BW_ERROR_MISMATCH);
    bw_mesh huge = {xyz, BW_F64, 200, 0, indices, (1u << 30) + 1};
    assert_int_equal(bw_tree_insert(tree, &huge, NULL, 0, NULL), BW_ERROR_SIZE);
    assert_null(bw_tree_check(tree, &large));
    bw_tree_destroy(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poses_leave_the_range),
        cmocka_unit_test(small_gaps_are_gaps),
        cmocka_unit_test(containment_at_every_scale),
        cmocka_unit_test(largest_coordinates),
        cmocka_unit_test(zeros_and_smallest_floats),
        cmocka_unit_test(flattened_bodies),
        cmocka_unit_test(meshes_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
