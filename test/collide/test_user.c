/* Balls, of which the library knows the boxes only: trees and contacts against every pair. */
#include "oracle/random.h"
#include "scenes/scenes.h"

#include <boxwood/collide.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BALLS = 200 };

typedef struct balls {
    bw_vec3 centre[BALLS];
    double radius[BALLS];
    float spoil; /* a NaN, or what else is to stand in the box of ball 7; 0: nothing */
} balls;

static void ball_box(void *user, uint32_t i, bw_box *out)
{
    const balls *b = user;
    double c[3] = {b->centre[i].x, b->centre[i].y, b->centre[i].z};
    for (int k = 0; k < 3; k++) {
        out->min[k] = nextafterf((float)(c[k] - b->radius[i]), -INFINITY);
        out->max[k] = nextafterf((float)(c[k] + b->radius[i]), INFINITY);
    }
    if (i == 7 && b->spoil != 0)
        out->min[1] = b->spoil;
}

static void throw_balls(bws_random *random, balls *b)
{
    memset(b, 0, sizeof *b);
    for (int i = 0; i < BALLS; i++) {
        b->centre[i] = (bw_vec3){bws_random_double(random, -1, 1), bws_random_double(random, -1, 1),
                                 bws_random_double(random, -1, 1)};
        b->radius[i] = bws_random_double(random, 0.01, 0.15);
    }
}

typedef struct pair_of_sets {
    const balls *a, *b;
    const bw_transform *pose; /* rigid, of b */
    uint64_t calls;
} pair_of_sets;

static bw_contact_kind balls_meet(void *user, uint32_t i, uint32_t j)
{
    pair_of_sets *p = user;
    p->calls++;
    bw_vec3 c = p->pose != NULL ? bw_transform_point(p->pose, p->b->centre[j]) : p->b->centre[j];
    double x = p->a->centre[i].x - c.x, y = p->a->centre[i].y - c.y, z = p->a->centre[i].z - c.z;
    double reach = p->a->radius[i] + p->b->radius[j];
    return x * x + y * y + z * z < reach * reach ? BW_CONTACT_CROSSING : BW_CONTACT_NONE;
}

static void assert_contacts(const bw_body *a, const bw_body *b, pair_of_sets *sets)
{
    static bool truth[BALLS][BALLS];
    uint64_t count = 0;
    for (uint32_t i = 0; i < BALLS; i++)
        for (uint32_t j = 0; j < BALLS; j++) {
            truth[i][j] = balls_meet(sets, i, j) != BW_CONTACT_NONE;
            count += truth[i][j];
        }
    static bw_hit hits[BALLS * BALLS];
    bw_collide_desc desc = {.mode = BW_COLLIDE_ALL, .hits = hits, .hit_capacity = BALLS * BALLS};
    bw_collide_report report = {0};
    sets->calls = 0;
    assert_int_equal(bw_collide_user(a, b, balls_meet, sets, &desc, &report, NULL), BW_OK);
    assert_int_equal(report.hit_count, count);
    assert_int_equal(report.primitive_tests, sets->calls);
    assert_true(sets->calls < BALLS * BALLS / 4);
    for (uint64_t i = 0; i < report.hit_count; i++) {
        assert_true(truth[hits[i].a][hits[i].b]);
        truth[hits[i].a][hits[i].b] = false; /* each once */
    }
    assert_int_equal(bw_collide_user(a, b, balls_meet, sets, NULL, &report, NULL), BW_OK);
    assert_int_equal(report.hit_count, count > 0);
}

static void balls_equal_all_pairs(bws_random *random, void *user)
{
    (void)user;
    balls sets[2];
    bw_tree *trees[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        throw_balls(random, &sets[i]);
        bw_primitives primitives = {BALLS, ball_box, &sets[i]};
        bw_tree_desc desc = {.builder = i == 0 ? BW_BUILDER_FAST : BW_BUILDER_QUALITY};
        assert_int_equal(bw_tree_create_user(&desc, &primitives, &trees[i], NULL), BW_OK);
        assert_null(bw_tree_check(trees[i], NULL));
    }
    bw_transform pose = bws_random_rigid(random, 0.5);
    for (int frame = 0; frame < 4; frame++) {
        bw_body a = {trees[0], NULL, NULL}, b = {trees[1], NULL, frame % 2 ? &pose : NULL};
        assert_contacts(&a, &b, &(pair_of_sets){&sets[0], &sets[1], b.pose, 0});
        throw_balls(random, &sets[1]);
        assert_int_equal(bw_tree_refit_user(trees[1], NULL), BW_OK);
        assert_null(bw_tree_check(trees[1], NULL));
    }
    bw_tree_destroy(trees[0]);
    bw_tree_destroy(trees[1]);
}

static void finds_contacts_of_balls(void **state)
{
    (void)state;
    BW_EACH_SEED(10, balls_equal_all_pairs, NULL);
}

static void refuses_what_cannot_be(void **state)
{
    (void)state;
    balls b;
    bws_random random = bws_random_seeded(1);
    throw_balls(&random, &b);
    bw_primitives primitives = {BALLS, ball_box, &b}, none = {0, ball_box, &b}, mute = {BALLS, NULL, &b};
    bw_tree *tree = NULL;
    bw_fault fault;
    assert_int_equal(bw_tree_create_user(NULL, NULL, &tree, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_tree_create_user(NULL, &mute, &tree, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_tree_create_user(NULL, &none, &tree, NULL), BW_ERROR_EMPTY);
    assert_int_equal(bw_tree_create_user(NULL, &primitives, NULL, NULL), BW_ERROR_ARGUMENT);
    bw_tree_desc desc = {.builder = BW_BUILDER_MIDPOINT};
    assert_int_equal(bw_tree_create_user(&desc, &primitives, &tree, NULL), BW_ERROR_UNSUPPORTED);
    desc = (bw_tree_desc){.volume = BW_VOLUME_OBB};
    assert_int_equal(bw_tree_create_user(&desc, &primitives, &tree, NULL), BW_ERROR_UNSUPPORTED);
    primitives.count = (1u << 30) + 1;
    assert_int_equal(bw_tree_create_user(NULL, &primitives, &tree, NULL), BW_ERROR_SIZE);
    primitives.count = BALLS;
    struct {
        float spoil;
        bw_result result;
    } cases[] = {{NAN, BW_ERROR_NOT_FINITE},
                 {-INFINITY, BW_ERROR_NOT_FINITE},
                 {1e30f, BW_ERROR_ARGUMENT},
                 {-1e31f, BW_ERROR_RANGE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        b.spoil = cases[i].spoil;
        assert_int_equal(bw_tree_create_user(NULL, &primitives, &tree, &fault), cases[i].result);
        assert_int_equal(fault.element, 7);
    }
    assert_null(tree);
    b.spoil = 0;
    assert_int_equal(bw_tree_create_user(NULL, &primitives, &tree, NULL), BW_OK);
    b.spoil = NAN;
    assert_int_equal(bw_tree_refit_user(tree, &fault), BW_ERROR_NOT_FINITE);
    assert_null(bw_tree_check(tree, NULL));
    b.spoil = 0;
    assert_int_equal(bw_tree_refit_user(tree, NULL), BW_OK);
    assert_int_equal(bw_tree_refit_user(NULL, NULL), BW_ERROR_ARGUMENT);
    /* A tree without a mesh takes none, and a mesh's tree has no owner. */
    float xyz[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    uint32_t indices[3] = {0, 1, 2}, first = 0;
    bw_mesh mesh = {xyz, BW_F32, 3, 0, indices, 1};
    bw_tree *meshed = NULL;
    assert_int_equal(bw_tree_create(NULL, &mesh, &meshed, NULL), BW_OK);
    assert_int_equal(bw_tree_refit_user(meshed, NULL), BW_ERROR_MISMATCH);
    assert_int_equal(bw_tree_update(tree, &mesh, NULL, NULL, NULL), BW_ERROR_MISMATCH);
    assert_int_equal(bw_tree_insert(tree, &mesh, &first, 1, NULL), BW_ERROR_UNSUPPORTED);
    bw_body body = {tree, NULL, NULL}, wrong = {tree, &mesh, NULL}, real = {meshed, &mesh, NULL};
    bw_collide_report report = {0};
    bw_distance_report distance = {0};
    assert_int_equal(bw_collide(&body, &real, NULL, &report, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_collide(&wrong, &real, NULL, &report, NULL), BW_ERROR_MISMATCH);
    assert_int_equal(bw_distance(&body, &real, NULL, &distance, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_collide_self(&body, NULL, &report, NULL), BW_ERROR_ARGUMENT);
    pair_of_sets sets = {&b, &b, NULL, 0};
    assert_int_equal(bw_collide_user(&body, &body, NULL, NULL, NULL, &report, NULL), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_collide_user(&wrong, &body, balls_meet, &sets, NULL, &report, NULL),
                     BW_ERROR_MISMATCH);
    assert_int_equal(bw_collide_user(&body, &real, balls_meet, &sets, &(bw_collide_desc){.hit_capacity = 1},
                                     &report, NULL),
                     BW_ERROR_ARGUMENT);
    /* A mesh and the owner's primitives together. */
    assert_int_equal(bw_collide_user(&body, &real, balls_meet, &sets, NULL, &report, NULL), BW_OK);
    real.mesh = NULL;
    assert_int_equal(bw_collide_user(&body, &real, balls_meet, &sets, NULL, &report, NULL),
                     BW_ERROR_ARGUMENT);
    bw_tree_destroy(tree);
    bw_tree_destroy(meshed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_contacts_of_balls),
        cmocka_unit_test(refuses_what_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
