/* Bodies for tests of pair caches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "kinetic/actor.h"
#include "kinetic/kinetic.h"

void actor_make(actor *a, const film_desc *d, bw_kinetic_method method, bool still,
                const bw_allocator *allocator, bws_random *r)
{
    *a = (actor){.replanned = false};
    film_make(d, r, &a->film);
    a->mesh = bws_view(&a->film.mesh);
    a->primitives = a->mesh.indices == NULL ? a->mesh.vertex_count : a->mesh.triangle_count;
    a->in = malloc(a->primitives * sizeof *a->in);
    assert_non_null(a->in);
    for (uint32_t i = 0; i < a->primitives; i++)
        a->in[i] = true;
    bw_kinetic_desc desc = {.method = method, .time = d->begin, .allocator = allocator};
    if (still) {
        a->still_mesh = a->mesh;
        a->still_mesh.scalar = d->scalar;
        a->positions = malloc(3 * sizeof(double) * a->mesh.vertex_count);
        assert_non_null(a->positions);
        a->still_mesh.positions = a->positions;
        assert_int_equal(bw_motion_sample(&a->film.motion, a->film.times[0], a->positions, NULL), BW_OK);
        assert_int_equal(
            bw_tree_create(&(bw_tree_desc){.compact = bws_random_bool(r)}, &a->still_mesh, &a->still, NULL),
            BW_OK);
        return;
    }
    assert_int_equal(bw_kinetic_create(&desc, &a->mesh, &a->film.motion, &a->k, NULL), BW_OK);
    desc = (bw_kinetic_desc){.method = BW_KINETIC_REFIT, .time = d->begin};
    assert_int_equal(bw_kinetic_create(&desc, &a->mesh, &a->film.motion, &a->tight, NULL), BW_OK);
}

void actor_free(actor *a)
{
    bw_kinetic_destroy(a->k);
    bw_kinetic_destroy(a->tight);
    bw_tree_destroy(a->still);
    free(a->positions);
    free(a->in);
    film_free(&a->film);
}

/* The body to ask, and the mesh whose every pair is tried. */
bw_body actor_body(actor *a, bool query, bw_mesh *truth)
{
    bw_body body = {.tree = a->still, .mesh = &a->still_mesh};
    if (a->still != NULL) {
        *truth = a->still_mesh;
    } else {
        bw_body tight;
        assert_int_equal((query ? bw_kinetic_query_body : bw_kinetic_body)(a->k, &body, NULL), BW_OK);
        assert_int_equal(bw_kinetic_body(a->tight, &tight, NULL), BW_OK);
        *truth = *tight.mesh;
    }
    body.pose = a->posed ? &a->pose : NULL;
    return body;
}

/* A pose that keeps the body about where it is: turned, stretched, mirrored, sheared; flat if that is allowed. */
void actor_pose(actor *a, bool flat, bws_random *r)
{
    bw_mesh truth;
    a->posed = false;
    const bw_body body = actor_body(a, false, &truth);
    const bw_box box = bw_tree_bounds(body.tree);
    if (!(box.min[0] <= box.max[0])) /* an empty tree is nowhere */
        return;
    double scale[3] = {1, 1, 1}, axis[3];
    const uint64_t kind = bws_random_below(r, 6);
    for (int i = 0; i < 3; i++) {
        axis[i] = bws_random_double(r, -1, 1) + 2 * (i == 0);
        scale[i] = kind < 2 ? 1 : bws_random_double(r, 0.3, 2) * (kind == 3 && i == 1 ? -1 : 1);
    }
    if (kind == 5 && flat)
        scale[2] = 0;
    a->pose = bw_transform_compose((bw_vec3){0, 0, 0}, (bw_vec3){axis[0], axis[1], axis[2]},
                                   kind == 0 ? 0 : bws_random_double(r, -3, 3),
                                   (bw_vec3){scale[0], scale[1], scale[2]});
    if (kind == 4)
        for (int i = 0; i < 3; i++)
            a->pose.m[i][0] += 0.5 * a->pose.m[i][2];
    for (int i = 0; i < 3; i++) {
        const double size = (double)box.max[i] - (double)box.min[i];
        a->pose.m[i][3] =
            0.5 * ((double)box.min[i] + (double)box.max[i]) + bws_random_double(r, -0.2, 0.2) * size;
        for (int j = 0; j < 3; j++)
            a->pose.m[i][3] -= a->pose.m[i][j] * 0.5 * ((double)box.min[j] + (double)box.max[j]);
    }
    a->posed = true;
}

void actor_advance(actor *a, double t)
{
    if (a->still != NULL)
        return;
    assert_int_equal(bw_kinetic_advance(a->k, t, NULL, NULL), BW_OK);
    assert_int_equal(bw_kinetic_advance(a->tight, t, NULL, NULL), BW_OK);
}

void actor_edit(actor *a, bws_random *r)
{
    uint32_t i = (uint32_t)bws_random_below(r, a->primitives);
    if (a->still != NULL)
        return;
    for (int twin = 0; twin < 2; twin++) {
        bw_kinetic *k = twin == 0 ? a->k : a->tight;
        bw_result result =
            a->in[i] ? bw_kinetic_remove(k, &i, 1, NULL) : bw_kinetic_insert(k, NULL, NULL, &i, 1, NULL);
        assert_int_equal(result, BW_OK);
    }
    a->in[i] = !a->in[i];
}

/* Its owner moves the tree that stands still. */
void actor_shift(actor *a, bws_random *r)
{
    if (a->still == NULL)
        return;
    double begin, end;
    bw_motion_span(&a->film.motion, &begin, &end);
    double t = begin + bws_random_unit(r) * (end - begin);
    assert_int_equal(bw_motion_sample(&a->film.motion, t < end ? t : end, a->positions, NULL), BW_OK);
    if (bws_random_bool(r))
        assert_int_equal(bw_tree_update(a->still, &a->still_mesh, NULL, NULL, NULL), BW_OK);
    else { /* another tree, likely where the old one stood */
        bw_tree_destroy(a->still);
        assert_int_equal(bw_tree_create(NULL, &a->still_mesh, &a->still, NULL), BW_OK);
        for (uint32_t i = 0; i < a->primitives; i++)
            a->in[i] = true;
    }
}

void actor_edit_still(actor *a, bws_random *r)
{
    uint32_t i = (uint32_t)bws_random_below(r, a->primitives);
    if (a->still == NULL)
        return;
    bw_result result = a->in[i] ? bw_tree_remove(a->still, &a->still_mesh, &i, 1, NULL)
                                : bw_tree_insert(a->still, &a->still_mesh, &i, 1, NULL);
    assert_int_equal(result, BW_OK);
    a->in[i] = !a->in[i];
}

void actor_replan(actor *a, const film_desc *d, bws_random *r)
{
    if (a->k == NULL)
        return;
    bw_plan plan = film_plan(d->style, 1, bw_kinetic_time(a->k), r);
    uint32_t v = (uint32_t)bws_random_below(r, a->mesh.vertex_count);
    bw_result result = bw_kinetic_set_plan(a->tight, v, &plan, NULL);
    if (bw_kinetic_set_plan(a->k, v, &plan, NULL) ==
        BW_ERROR_UNSUPPORTED) { /* its method cannot: a fresh pair */
        bw_kinetic_destroy(a->tight);
        bw_kinetic_desc desc = {.method = BW_KINETIC_REFIT, .time = bw_kinetic_time(a->k)};
        assert_int_equal(bw_kinetic_create(&desc, &a->mesh, &a->film.motion, &a->tight, NULL), BW_OK);
        for (uint32_t i = 0; i < a->primitives; i++)
            if (!a->in[i])
                assert_int_equal(bw_kinetic_remove(a->tight, &i, 1, NULL), BW_OK);
        return;
    }
    a->replanned = a->replanned || result == BW_OK;
}
