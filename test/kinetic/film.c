#include "kinetic/film.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double number(film_style style, bws_random *r)
{
    switch (style) {
    case FILM_TIES:
        return (double)bws_random_int(r, -4, 4);
    case FILM_CLOSE:
        return 1 + (double)bws_random_int(r, -3, 3) * 0x1p-23;
    default:
        return bws_random_double(r, -1, 1);
    }
}

bw_plan film_plan(film_style style, uint32_t degree, double origin, bws_random *r)
{
    bw_plan plan = {.origin = origin};
    for (uint32_t i = 0; i <= degree; i++)
        plan.c[i] = (bw_vec3){number(style, r), number(style, r), number(style, r)};
    return plan;
}

static void put(void *triples, bw_scalar scalar, size_t i, double x)
{
    if (scalar == BW_F64)
        ((double *)triples)[i] = x;
    else
        ((float *)triples)[i] = (float)x;
}

static double wave(const bws_mesh *mesh, size_t i, double phase)
{
    bw_vec3 p = bws_mesh_vertex(mesh, (uint32_t)(i / 3));
    double x[3] = {p.x, p.y, p.z};
    return x[i % 3] + 0.1 * sin(5 * x[(i + 1) % 3] + 2 * phase + (double)(i % 3));
}

static void fill_frame(film *f, const film_desc *d, void *frame, double phase, bws_random *r)
{
    for (size_t i = 0; i < 3 * (size_t)f->mesh.vertex_count; i++)
        put(frame, d->scalar, i, d->style == FILM_WAVE ? wave(&f->mesh, i, phase) : number(d->style, r));
}

void film_make(const film_desc *d, bws_random *r, film *f)
{
    *f = (film){.frame_count = d->kind == BW_MOTION_KEYFRAMES ? d->frames : 2};
    if (d->points)
        assert_int_equal(bws_points(&(bws_points_desc){.count = d->size}, d->scalar, &f->mesh), BW_OK);
    else if (d->soup)
        assert_int_equal(bws_soup(&(bws_soup_desc){.triangles = d->size / 3 + 1}, d->scalar, &f->mesh),
                         BW_OK);
    else {
        uint32_t side = (uint32_t)sqrt(d->size);
        bws_sheet_desc sheet = {.columns = side > 1 ? side - 1 : 1, .rows = side > 1 ? side - 1 : 1};
        assert_int_equal(bws_sheet(&sheet, 0, d->scalar, &f->mesh), BW_OK);
    }
    uint32_t vertices = f->mesh.vertex_count;
    f->times = malloc(f->frame_count * sizeof *f->times);
    f->frames = malloc(f->frame_count * sizeof *f->frames);
    f->plans = malloc(vertices * sizeof *f->plans);
    assert_true(f->times != NULL && f->frames != NULL && f->plans != NULL);
    double sum = 0, step = d->span / (f->frame_count - 1);
    for (uint32_t i = 0; i < f->frame_count; i++) {
        double t = d->begin + sum;
        f->times[i] = i > 0 && !(t > f->times[i - 1]) ? nextafter(f->times[i - 1], INFINITY) : t;
        sum += step * bws_random_double(r, 0.2, 1.8);
        f->frames[i] = malloc(3 * sizeof(double) * vertices);
        assert_non_null(f->frames[i]);
        fill_frame(f, d, f->frames[i], i, r);
    }
    for (uint32_t v = 0; v < vertices; v++)
        f->plans[v] = film_plan(d->style, d->degree, d->begin, r);
    f->motion = (bw_motion){.kind = d->kind,
                            .vertex_count = vertices,
                            .scalar = d->scalar,
                            .frame_count = f->frame_count,
                            .times = f->times,
                            .frames = (const void *const *)f->frames,
                            .positions = f->frames[0],
                            .velocities = f->frames[1],
                            .plans = f->plans,
                            .begin = d->begin,
                            .end = d->begin + d->span};
    assert_int_equal(bw_motion_validate(&f->motion, NULL), BW_OK);
}

void film_free(film *f)
{
    for (uint32_t i = 0; i < f->frame_count; i++)
        free(f->frames[i]);
    free(f->times);
    free(f->frames);
    free(f->plans);
    bws_mesh_free(&f->mesh);
}

film_desc film_any(bws_random *r)
{
    static const double begins[] = {0, -2, 0, 1e9}, spans[] = {1, 1e-9, 3, 1};
    uint32_t shape = (uint32_t)bws_random_below(r, 4);
    return (film_desc){.kind = (bw_motion_kind)bws_random_below(r, 3),
                       .scalar = bws_random_bool(r) ? BW_F64 : BW_F32,
                       .style = (film_style)bws_random_below(r, FILM_STYLES),
                       .points = shape == 0,
                       .soup = shape == 1,
                       .size = 4 + (uint32_t)bws_random_below(r, bws_random_bool(r) ? 40 : 400),
                       .frames = 2 + (uint32_t)bws_random_below(r, 5),
                       .begin = begins[bws_random_below(r, 4)],
                       .span = spans[bws_random_below(r, 4)],
                       .degree = (uint32_t)bws_random_below(r, 4)};
}

/* The boxes from the root down to the one visited. */
enum { DEEPEST = 256 };
typedef struct boxes_above {
    const bw_mesh *mesh;
    bw_box box[DEEPEST];
} boxes_above;

static bool inside(const bw_box *box, bw_vec3 p)
{
    return (double)box->min[0] <= p.x && p.x <= (double)box->max[0] && (double)box->min[1] <= p.y &&
           p.y <= (double)box->max[1] && (double)box->min[2] <= p.z && p.z <= (double)box->max[2];
}

static bool all_inside(void *user, const bw_box *box, uint32_t depth, const uint32_t *primitives,
                       uint32_t count)
{
    boxes_above *above = user;
    assert_true(depth < DEEPEST);
    above->box[depth] = *box;
    const uint32_t *indices = above->mesh->indices;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t corner = 0; corner < (indices != NULL ? 3 : 1); corner++) {
            uint32_t v = indices != NULL ? indices[3 * (size_t)primitives[i] + corner] : primitives[i];
            for (uint32_t d = 0; d <= depth; d++)
                if (!inside(&above->box[d], bw_mesh_vertex(above->mesh, v)))
                    fail_msg("vertex %u is outside a box", v);
        }
    return true;
}

void film_prove_contained(const bw_body *body)
{
    boxes_above above = {.mesh = body->mesh};
    assert_int_equal(bw_tree_visit(body->tree, all_inside, &above, NULL), BW_OK);
}

void film_prove(const film *f, bw_kinetic *k, bool replanned)
{
    const char *fault = bw_kinetic_check(k);
    if (fault != NULL)
        fail_msg("at %.17g: %s", bw_kinetic_time(k), fault);
    bw_body body;
    assert_int_equal(bw_kinetic_body(k, &body, NULL), BW_OK);
    bw_kinetic_stats stats = {0};
    bw_kinetic_get_stats(k, &stats);
    film_prove_contained(&body);
    bool conservative = stats.method == BW_KINETIC_INTERPOLATED || stats.method == BW_KINETIC_BOXTREE ||
                        stats.method == BW_KINETIC_AUTO ||
                        (stats.method == BW_KINETIC_COMPILED && f->motion.scalar == BW_F64);
    fault = conservative ? NULL : bw_tree_check(body.tree, body.mesh);
    if (fault != NULL)
        fail_msg("at %.17g: %s", bw_kinetic_time(k), fault);
    for (uint32_t v = 0; v < f->motion.vertex_count && !replanned; v++) {
        bw_vec3 p = bw_motion_position(&f->motion, v, bw_kinetic_time(k)), q = bw_mesh_vertex(body.mesh, v);
        assert_memory_equal(&p, &q, sizeof p);
    }
}

double film_time(const film *f, const bw_kinetic *k, bws_random *r)
{
    double begin, end, now = bw_kinetic_time(k), t = now;
    bw_motion_span(&f->motion, &begin, &end);
    bw_kinetic_stats stats = {0};
    bw_kinetic_get_stats(k, &stats);
    double event = stats.next_event < end ? stats.next_event : end;
    switch (bws_random_below(r, 7)) {
    case 0:
        t = event;
        break;
    case 1:
        t = nextafter(event, -INFINITY);
        break;
    case 2:
        t = nextafter(event, INFINITY);
        break;
    case 3:
        t = f->motion.kind == BW_MOTION_KEYFRAMES ? f->times[bws_random_below(r, f->frame_count)] : now;
        break;
    case 4:
        t = nextafter(now, INFINITY);
        break;
    default:
        t = now + bws_random_unit(r) * (end - now) * 0.3;
    }
    return t < now ? now : t > end ? end : t;
}
