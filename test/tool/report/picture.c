/* Pictures of reports against rays: where every ray about a pixel first meets the same part, the pixel has that part's
 * colour, and where none meets anything it is paper. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/random.h"
#include "report/geometry.h"
#include "report/picture.h"
#include "scenes/scenes.h"

enum { WIDTH = 96, HEIGHT = 64, PARTS = 4 };

static bw_vec3 sub(bw_vec3 a, bw_vec3 b)
{
    return (bw_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static bw_vec3 cross(bw_vec3 a, bw_vec3 b)
{
    return (bw_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double dot(bw_vec3 a, bw_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static bw_vec3 scaled(bw_vec3 a, double s)
{
    return (bw_vec3){a.x * s, a.y * s, a.z * s};
}

/* How far along the ray the triangle is; infinite where it is missed. */
static double ray_triangle(bw_vec3 o, bw_vec3 d, const bw_vec3 c[3])
{
    bw_vec3 e = sub(c[1], c[0]), f = sub(c[2], c[0]), p = cross(d, f), s = sub(o, c[0]);
    double det = dot(e, p);
    if (det == 0)
        return INFINITY;
    bw_vec3 q = cross(s, e);
    double u = dot(s, p) / det, v = dot(d, q) / det, t = dot(f, q) / det;
    return u >= 0 && v >= 0 && u + v <= 1 && t > 0 ? t : INFINITY;
}

/* The part that a ray through a place of the picture meets first; -1: none. */
static int first_part(const report *r, const bw_view *view, double px, double py)
{
    bw_vec3 z = scaled(view->forward, 1 / sqrt(dot(view->forward, view->forward))), x = cross(z, view->up);
    x = scaled(x, 1 / sqrt(dot(x, x)));
    bw_vec3 y = cross(x, z);
    double t = tan(0.5 * view->fov_y), sx = (2 * px / WIDTH - 1) * t * WIDTH / HEIGHT,
           sy = (1 - 2 * py / HEIGHT) * t;
    bw_vec3 d = {z.x + sx * x.x + sy * y.x, z.y + sx * x.y + sy * y.y, z.z + sx * x.z + sy * y.z};
    int best = -1;
    double nearest = INFINITY;
    for (uint32_t i = 0; i < r->part_count; i++) {
        const bw_mesh *mesh = &r->meshes[r->parts[i].mesh].view;
        for (uint32_t k = 0; k < mesh->triangle_count; k++) {
            bw_vec3 c[3];
            for (int j = 0; j < 3; j++)
                c[j] = report_vertex(r, i, mesh->indices[3 * k + (uint32_t)j], r->begin);
            double at = ray_triangle(view->eye, d, c);
            if (at < nearest) {
                nearest = at;
                best = (int)i;
            }
        }
    }
    return best;
}

/* Which colour of the palette a pixel has, however bright it is: -1 for paper. */
static int colour_of(const uint8_t *pixel)
{
    double c[3] = {pixel[0], pixel[1], pixel[2]}, length = sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
    if (length < 1)
        return -2;
    int best = -1;
    double most = (c[0] + c[1] + c[2]) / length / sqrt(3);
    for (int i = 0; i < REPORT_COLOURS; i++) {
        const float *p = report_palette[i];
        double l = sqrt((double)(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]));
        double like = (c[0] * (double)p[0] + c[1] * (double)p[1] + c[2] * (double)p[2]) / length / l;
        if (like > most) {
            most = like;
            best = i;
        }
    }
    return best;
}

static void compare(bws_random *random, void *user)
{
    uint32_t *compared = user;
    static const char *const names[] = {"torus", "pot", "bumpy-sphere", "needles"};
    bws_mesh meshes[PARTS];
    report r = report_start("view", "");
    double far = bws_random_below(random, 2) == 1 ? 1e6 : 0; /* from the origin */
    for (int i = 0; i < PARTS; i++) {
        assert_int_equal(bws_scene_find(names[i])->make(150, BW_F64, &meshes[i]), BW_OK);
        bw_vec3 at = {far + 3 * bws_random_unit(random), 3 * bws_random_unit(random) - far,
                      2 * bws_random_unit(random)};
        bw_transform pose = bw_transform_compose(at, (bw_vec3){1, 2, 3}, 6 * bws_random_unit(random),
                                                 (bw_vec3){1, 0.5 + bws_random_unit(random), 1});
        report_add_part(&r, names[i], "", report_add_mesh(&r, &(report_mesh){.view = bws_view(&meshes[i])}),
                        &pose);
    }
    bw_vec3 look = {bws_random_unit(random) - 0.5, bws_random_unit(random) - 0.5,
                    bws_random_unit(random) - 0.5};
    double away = 9 / sqrt(dot(look, look));
    bw_vec3 eye = {far + 1.5 - away * look.x, 1.5 - far - away * look.y, 1 - away * look.z};
    bw_view view = {.eye = eye, .forward = look, .up = {0.1, 0.2, 1}, .fov_y = 0.8, .near_distance = 0.01};
    fault why;
    uint8_t *pixels = report_picture(
        &r,
        &(report_picture_desc){.width = WIDTH, .height = HEIGHT, .finding = REPORT_NO_FINDING, .view = &view},
        &why);
    assert_non_null(pixels);
    for (int n = 0; n < 150; n++) {
        uint32_t x = (uint32_t)bws_random_below(random, WIDTH),
                 y = (uint32_t)bws_random_below(random, HEIGHT);
        int part = first_part(&r, &view, x + 0.5, y + 0.5);
        bool same = true;
        for (int k = 0; k < 9 && same; k++)
            same = first_part(&r, &view, x - 0.5 + k % 3, y - 0.5 + k / 3) == part;
        if (!same)
            continue;
        int wanted = part < 0 ? -1 : (part + 1) % REPORT_COLOURS;
        if (colour_of(pixels + 3 * (y * WIDTH + x)) != wanted)
            fail_msg("pixel %u, %u: not the colour %d of part %d", x, y, wanted, part);
        compared[part >= 0]++;
    }
    free(pixels);
    report_free(&r);
    for (int i = 0; i < PARTS; i++)
        bws_mesh_free(&meshes[i]);
}

static void test_rays(void **state)
{
    (void)state;
    uint32_t compared[2] = {0, 0}; /* paper, parts */
    BW_EACH_SEED(6, compare, compared);
    if (getenv("BOXWOOD_SEED") == NULL)
        assert_true(compared[0] > 20 && compared[1] > 20);
}

static void test_odd(void **state)
{
    (void)state;
    fault why;
    report r = report_start("view", "nothing");
    uint8_t *pixels = report_picture(&r, &(report_picture_desc){.width = 8, .height = 8}, &why);
    assert_non_null(pixels); /* of paper */
    assert_int_equal(colour_of(pixels), -1);
    free(pixels);
    assert_null(report_picture(&r, &(report_picture_desc){.width = 100000, .height = 8}, &why));
    assert_non_null(strstr(why.text, "100000"));
    static const double bad[] = {NAN, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint32_t corners[] = {0, 1, 2, 1, 2, 7};
    report_add_part(&r, "bad", "",
                    report_add_mesh(&r, &(report_mesh){.view = {bad, BW_F64, 3, 0, corners, 2}}), NULL);
    pixels = report_picture(&r, &(report_picture_desc){.width = 8, .height = 8}, &why);
    assert_non_null(pixels);
    free(pixels);
    report_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rays), cmocka_unit_test(test_odd)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
