#include "cull/picture.h"

#include <math.h>
#include <string.h>

static float between(bws_random *random, double low, double high)
{
    return (float)bws_random_double(random, low, high);
}

solid solid_random(bws_random *random, double side, double size)
{
    /* Corner bits x, y, z; counter-clockwise seen from outside. */
    static const uint32_t cube[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                      2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    solid s = {0};
    float at[3], half[3];
    for (int i = 0; i < 3; i++) {
        at[i] = between(random, 0, side);
        half[i] = between(random, 0.05 * size, size);
    }
    switch (bws_random_below(random, 4)) {
    case 0:
        s.vertex_count = 3;
        s.triangle_count = 1;
        for (uint32_t i = 0; i < 3; i++)
            s.indices[i] = i;
        break;
    case 1:
        s.vertex_count = 4;
        s.triangle_count = 4;
        memcpy(s.indices, (const uint32_t[]){0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0}, 12 * sizeof(uint32_t));
        break;
    default:
        s.vertex_count = 8;
        s.triangle_count = 12;
        s.closed = bws_random_bool(random);
        memcpy(s.indices, cube, sizeof cube);
        break;
    }
    for (int i = 0; i < 3; i++) {
        s.box.min[i] = INFINITY;
        s.box.max[i] = -INFINITY;
    }
    for (uint32_t v = 0; v < s.vertex_count; v++)
        for (uint32_t i = 0; i < 3; i++) {
            float p = s.vertex_count == 8 ? at[i] + ((v >> i & 1) != 0 ? half[i] : -half[i])
                                          : at[i] + between(random, -size, size);
            s.positions[3 * v + i] = p;
            s.box.min[i] = p < s.box.min[i] ? p : s.box.min[i];
            s.box.max[i] = p > s.box.max[i] ? p : s.box.max[i];
        }
    return s;
}

bw_occluder solid_occluder(solid *s)
{
    s->mesh = (bw_mesh){.positions = s->positions,
                        .vertex_count = s->vertex_count,
                        .indices = s->indices,
                        .triangle_count = s->triangle_count};
    return (bw_occluder){.mesh = &s->mesh, .closed = s->closed};
}

bw_view view_random(bws_random *random, double side)
{
    bw_view view = {.fov_y = bws_random_double(random, 0.3, 2), .aspect = bws_random_double(random, 0.5, 2)};
    view.eye =
        (bw_vec3){bws_random_double(random, -0.3, 1.3) * side, bws_random_double(random, -0.3, 1.3) * side,
                  bws_random_double(random, -0.3, 1.3) * side};
    view.forward = (bw_vec3){bws_random_double(random, 0, side) - view.eye.x,
                             bws_random_double(random, 0, side) - view.eye.y,
                             bws_random_double(random, 0, side) - view.eye.z};
    view.up = (bw_vec3){bws_random_double(random, -1, 1), bws_random_double(random, -1, 1), 3};
    view.near_distance = bws_random_double(random, 0.01, 1);
    return view;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static void normalise(double v[3])
{
    double length = sqrt(dot(v, v));
    for (int i = 0; i < 3; i++)
        v[i] /= length;
}

/* The parameter along the ray from the origin, or infinity (Moller and Trumbore). */
static double meet(const double d[3], const double p[3][3])
{
    double e1[3], e2[3], h[3], s[3], q[3];
    for (int i = 0; i < 3; i++) {
        e1[i] = p[1][i] - p[0][i];
        e2[i] = p[2][i] - p[0][i];
        s[i] = -p[0][i];
    }
    cross(d, e2, h);
    double a = dot(e1, h);
    if (a == 0)
        return INFINITY;
    double u = dot(s, h) / a;
    cross(s, e1, q);
    double v = dot(d, q) / a;
    double t = dot(e2, q) / a;
    return u >= 0 && v >= 0 && u + v <= 1 && t > 0 ? t : INFINITY;
}

void picture_render(const bw_view *view, const solid *solids, uint32_t count, uint32_t width, uint32_t height,
                    double *depth, uint32_t *which)
{
    double f[3] = {view->forward.x, view->forward.y, view->forward.z},
           up[3] = {view->up.x, view->up.y, view->up.z};
    double right[3], above[3];
    normalise(f);
    cross(f, up, right);
    normalise(right);
    cross(right, f, above);
    double ty = tan(0.5 * view->fov_y), tx = ty * view->aspect;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            double d[3], sx = (2 * (x + 0.5) / width - 1) * tx, sy = (1 - 2 * (y + 0.5) / height) * ty;
            for (int i = 0; i < 3; i++)
                d[i] = f[i] + sx * right[i] + sy * above[i]; /* so that t is the depth along forward */
            double best = INFINITY;
            uint32_t who = UINT32_MAX;
            for (uint32_t k = 0; k < count; k++)
                for (uint32_t tri = 0; tri < solids[k].triangle_count; tri++) {
                    double p[3][3];
                    for (int c = 0; c < 3; c++) {
                        const float *v = &solids[k].positions[3 * solids[k].indices[3 * tri + (uint32_t)c]];
                        bw_vec3 at = {(double)v[0], (double)v[1], (double)v[2]};
                        if (solids[k].posed)
                            at = bw_transform_point(&solids[k].pose, at);
                        p[c][0] = at.x - view->eye.x;
                        p[c][1] = at.y - view->eye.y;
                        p[c][2] = at.z - view->eye.z;
                    }
                    double t = meet(d, (const double(*)[3])p);
                    if (!(t > view->near_distance))
                        continue;
                    if (who != UINT32_MAX && who != k && fabs(t - best) < 1e-9 * best) {
                        who = UINT32_MAX;
                        best = t < best ? t : best;
                    } else if (t < best) {
                        best = t;
                        who = k;
                    }
                }
            depth[(size_t)y * width + x] = best < INFINITY ? 1 / best : 0;
            which[(size_t)y * width + x] = who;
        }
}
