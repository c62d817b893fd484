/* Theorem 1 of Zachmann and Weller for every method, the policy included: at every time asked for, between
 * frames and at the very times of events, every box holds what is below it, whatever plans change and
 * whatever enters or leaves the tree on the way; and the tight ones are tight. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "kinetic/film.h"
#include "oracle/random.h"

typedef struct trial {
    bw_kinetic_method method;
    bool plans, edits; /* change them on the way */
} trial;

static bool takes_plans(bw_kinetic_method method)
{
    return method != BW_KINETIC_COMPILED && method != BW_KINETIC_INTERPOLATED;
}

static bw_kinetic *create(const film *f, bw_kinetic_method method)
{
    bw_mesh mesh = bws_view(&f->mesh);
    bw_kinetic *k = NULL;
    assert_int_equal(bw_kinetic_create(&(bw_kinetic_desc){.method = method, .time = -INFINITY}, &mesh,
                                       &f->motion, &k, NULL),
                     BW_OK);
    return k;
}

/* Plans from this very moment on: mostly from where the vertex is, back the way it came or anywhere. */
static void change_plans(const film *f, const film_desc *d, bw_kinetic *k, bws_random *r)
{
    enum { MOST = 8 };
    uint32_t vertices[MOST], count = 1 + (uint32_t)bws_random_below(r, MOST);
    bw_plan plans[MOST];
    double now = bw_kinetic_time(k);
    for (uint32_t i = 0; i < count; i++) {
        vertices[i] = (uint32_t)bws_random_below(r, f->motion.vertex_count);
        plans[i] = film_plan(d->style, d->degree, now, r);
        if (bws_random_bool(r))
            plans[i].c[0] = bw_motion_position(&f->motion, vertices[i], now);
    }
    assert_int_equal(bw_kinetic_set_plans(k, vertices, plans, count, NULL), BW_OK);
}

/* Takes some primitives out, or puts some back. */
static void edit(const film *f, bw_kinetic *k, bool *in_tree, bws_random *r)
{
    uint32_t count = f->mesh.indices == NULL ? f->mesh.vertex_count : f->mesh.triangle_count;
    uint32_t *list = malloc(count * sizeof *list), chosen = 0;
    assert_non_null(list);
    bool remove = bws_random_bool(r);
    uint64_t part = 1 + bws_random_below(r, bws_random_bool(r) ? 4 : count);
    for (uint32_t i = 0; i < count; i++)
        if (in_tree[i] == remove && bws_random_below(r, count) < part)
            list[chosen++] = i;
    assert_int_equal(remove ? bw_kinetic_remove(k, list, chosen, NULL)
                            : bw_kinetic_insert(k, NULL, NULL, list, chosen, NULL),
                     BW_OK);
    for (uint32_t i = 0; i < chosen; i++)
        in_tree[list[i]] = !remove;
    free(list);
}

static void follow(const film *f, const film_desc *d, const trial *t, bws_random *r)
{
    uint32_t count = f->mesh.indices == NULL ? f->mesh.vertex_count : f->mesh.triangle_count;
    bool replanned = false, *in_tree = malloc(count * sizeof *in_tree);
    assert_non_null(in_tree);
    for (uint32_t i = 0; i < count; i++)
        in_tree[i] = true;
    bw_kinetic *k = create(f, t->method);
    film_prove(f, k, false);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(bw_kinetic_advance(k, film_time(f, k, r), NULL, NULL), BW_OK);
        film_prove(f, k, replanned);
        if (t->plans && bws_random_below(r, 3) == 0) {
            change_plans(f, d, k, r);
            replanned = true;
            film_prove(f, k, true);
        }
        if (t->edits && bws_random_below(r, 3) == 0) {
            edit(f, k, in_tree, r);
            film_prove(f, k, replanned);
        }
    }
    bw_kinetic_destroy(k);
    free(in_tree);
}

static void any_film(bws_random *r, void *user)
{
    trial t = *(const trial *)user;
    film_desc d = film_any(r);
    if (t.method == BW_KINETIC_COMPILED)
        d.kind = BW_MOTION_KEYFRAMES;
    film f;
    film_make(&d, r, &f);
    follow(&f, &d, &t, r);
    film_free(&f);
}

static void test_valid(void **state)
{
    (void)state;
    FILM_EACH_METHOD(m)
    {
        trial t = {.method = (bw_kinetic_method)m};
        BW_EACH_SEED(30, any_film, &t);
    }
}

static void test_valid_with_plans(void **state)
{
    (void)state;
    FILM_EACH_METHOD(m)
    {
        trial t = {.method = (bw_kinetic_method)m, .plans = true};
        if (takes_plans(t.method))
            BW_EACH_SEED(30, any_film, &t);
    }
}

static void test_valid_with_edits(void **state)
{
    (void)state;
    FILM_EACH_METHOD(m)
    {
        trial t = {.method = (bw_kinetic_method)m, .edits = true};
        BW_EACH_SEED(30, any_film, &t);
        t.plans = true;
        if (takes_plans(t.method))
            BW_EACH_SEED(20, any_film, &t);
    }
}

/* A grid whose columns all change places at the same moments: velocities, and the same as keyframes. */
static void test_simultaneous(void **state)
{
    (void)state;
    enum { SIDE = 32, VERTICES = SIDE * SIDE };
    for (int which = 0; which < 4; which++) {
        bws_random r = bws_random_seeded(3);
        bw_scalar scalar = (bw_scalar)(which % 2);
        bool keyed = which >= 2;
        film_desc d = {.kind = keyed ? BW_MOTION_KEYFRAMES : BW_MOTION_VELOCITY,
                       .scalar = scalar,
                       .size = VERTICES,
                       .frames = 2,
                       .span = 4};
        film f;
        film_make(&d, &r, &f);
        f.times[1] = 4;
        for (uint32_t v = 0; v < f.motion.vertex_count; v++)
            for (uint32_t axis = 0; axis < 3; axis++) {
                double grid[3] = {v % SIDE, v / SIDE, 0}; /* x mirrors itself at 1, y at 2; z rests */
                double speed[3] = {(SIDE - 1) - 2.0 * (v % SIDE), ((SIDE - 1) - 2.0 * (v / SIDE)) / 2, 0};
                double second = keyed ? grid[axis] + 4 * speed[axis] : speed[axis];
                for (int i = 0; i < 2; i++) {
                    double x = i == 0 ? grid[axis] : second;
                    if (scalar == BW_F64)
                        ((double *)f.frames[i])[3 * v + axis] = x;
                    else
                        ((float *)f.frames[i])[3 * v + axis] = (float)x;
                }
            }
        FILM_EACH_METHOD(m)
        {
            bw_kinetic_method method = (bw_kinetic_method)m;
            if (method == BW_KINETIC_COMPILED && !keyed)
                continue;
            bw_kinetic *k = create(&f, method);
            const double times[] = {0, 0.25, nextafter(0.5, 0), 0.5, nextafter(0.5, 1), 0.75, 1, 1.5, 2,
                                    3, 4};
            uint64_t updates = 0;
            for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
                bw_kinetic_report step = {0};
                assert_int_equal(bw_kinetic_advance(k, times[i], &step, NULL), BW_OK);
                updates += step.updates;
                film_prove(&f, k, false);
            }
            if (m == BW_KINETIC_QUEUE || m == BW_KINETIC_COMPILED)
                assert_true(updates > VERTICES / 8);
            bw_kinetic_destroy(k);
        }
        film_free(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_valid), cmocka_unit_test(test_valid_with_plans),
                                       cmocka_unit_test(test_valid_with_edits),
                                       cmocka_unit_test(test_simultaneous)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
