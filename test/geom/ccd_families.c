#include "geom/ccd_families.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double *at(bw_ccd_sample *s, int i) /* 0 to 23 */
{
    bw_vec3 *p = i < 12 ? &s->start[i / 3] : &s->end[(i - 12) / 3];
    return i % 3 == 0 ? &p->x : i % 3 == 1 ? &p->y : &p->z;
}

static void ordinary(bws_random *r, bool edges, bw_ccd_sample *s)
{
    (void)edges;
    for (int i = 0; i < 24; i++)
        *at(s, i) = bws_random_double(r, -1, 1);
}

/* Features of a size of about 1 that move little, near each other: as meshes have them. */
static void small_steps(bws_random *r, bool edges, bw_ccd_sample *s)
{
    (void)edges;
    for (int i = 0; i < 12; i++) {
        *at(s, i) = bws_random_double(r, -1, 1);
        *at(s, i + 12) = *at(s, i) + bws_random_double(r, -0.3, 0.3);
    }
}

static void floats(bws_random *r, bool edges, bw_ccd_sample *s)
{
    (void)edges;
    for (int i = 0; i < 24; i++)
        *at(s, i) = (double)(float)(100 + bws_random_double(r, -1, 1));
}

/* A handful of lattice points: everything degenerate, everything touching. */
static void grid(bws_random *r, bool edges, bw_ccd_sample *s)
{
    (void)edges;
    for (int i = 0; i < 24; i++)
        *at(s, i) = (double)bws_random_int(r, -2, 2);
}

static void fine_grid(bws_random *r, bool edges, bw_ccd_sample *s)
{
    (void)edges;
    for (int i = 0; i < 24; i++)
        *at(s, i) = (double)bws_random_int(r, -9, 9);
}

static void planar(bws_random *r, bool edges, bw_ccd_sample *s)
{
    small_steps(r, edges, s);
    int flat = (int)bws_random_below(r, 3);
    double height = bws_random_double(r, -1, 1);
    for (int i = 0; i < 24; i++)
        if (i % 3 == flat)
            *at(s, i) = height;
}

static void planar_grid(bws_random *r, bool edges, bw_ccd_sample *s)
{
    fine_grid(r, edges, s);
    for (int i = 0; i < 24; i++)
        if (i % 3 == 2)
            *at(s, i) = i < 12 ? 1 : 3;
}

/* All on one line, or all moving along one. */
static void on_a_line(bws_random *r, bool edges, bw_ccd_sample *s)
{
    (void)edges;
    double direction[3];
    for (int k = 0; k < 3; k++)
        direction[k] = (double)bws_random_int(r, -3, 3);
    for (int i = 0; i < 8; i++) {
        double place = (double)bws_random_int(r, -8, 8);
        for (int k = 0; k < 3; k++)
            *at(s, 3 * i + k) = place * direction[k] + (i < 4 ? 0 : 0.5);
    }
}

static void degenerate(bws_random *r, bool edges, bw_ccd_sample *s)
{
    if (bws_random_bool(r))
        grid(r, edges, s);
    else
        ordinary(r, edges, s);
    int from = (int)bws_random_below(r, 4), to = (int)bws_random_below(r, 4);
    s->start[to] = s->start[from];
    if (bws_random_bool(r))
        s->end[to] = s->end[from];
}

/* Edges that stay parallel, faces that only shift. */
static void parallel(bws_random *r, bool edges, bw_ccd_sample *s)
{
    if (bws_random_bool(r))
        fine_grid(r, edges, s);
    else
        ordinary(r, edges, s);
    double stretch = (double)bws_random_int(r, -2, 2);
    for (int k = 0; k < 3; k++) {
        if (edges)
            *at(s, 9 + k) = *at(s, 6 + k) + stretch * (*at(s, 3 + k) - *at(s, k));
        double shift[2] = {(double)bws_random_int(r, -2, 2), (double)bws_random_int(r, -2, 2)};
        for (int i = 0; i < 4; i++)
            *at(s, 12 + 3 * i + k) = *at(s, 3 * i + k) + shift[edges ? i / 2 : i > 0];
    }
}

static void touching(bws_random *r, bool edges, bw_ccd_sample *s)
{
    double time;
    bw_ccd_touching(r, edges, (int)bws_random_int(r, -20, 20), s, &time);
}

/* The same, an ulp or two beside it. */
static void nearly_touching(bws_random *r, bool edges, bw_ccd_sample *s)
{
    touching(r, edges, s);
    for (int n = 1 + (int)bws_random_below(r, 3); n > 0; n--) {
        double *x = at(s, (int)bws_random_below(r, 24));
        *x = nextafter(*x, bws_random_bool(r) ? 1e300 : -1e300);
        if (fabs(*x) < BW_EXACT_MIN)
            *x = 0;
    }
}

static void scaled(bws_random *r, bool edges, bw_ccd_sample *s)
{
    static void (*const shapes[])(bws_random *, bool, bw_ccd_sample *) = {ordinary, grid, small_steps,
                                                                          touching};
    shapes[bws_random_below(r, 4)](r, edges, s);
    double factor[3];
    for (int k = 0; k < 3; k++)
        factor[k] = ldexp(1, (int)bws_random_int(r, -250, 250));
    bool alike = bws_random_bool(r);
    for (int i = 0; i < 24; i++)
        *at(s, i) *= factor[alike ? 0 : i % 3];
}

/* Every coordinate of its own magnitude. */
static void any_magnitude(bws_random *r, bool edges, bw_ccd_sample *s)
{
    (void)edges;
    int span = bws_random_bool(r) ? 280 : 30;
    for (int i = 0; i < 24; i++)
        *at(s, i) = ldexp(bws_random_double(r, -1, 1), (int)bws_random_int(r, -span, span));
    for (int i = 0; i < 24; i++)
        if (fabs(*at(s, i)) < BW_EXACT_MIN)
            *at(s, i) = 0;
}

static void slivers(bws_random *r, bool edges, bw_ccd_sample *s)
{
    small_steps(r, edges, s);
    double thin = ldexp(1, -(int)bws_random_int(r, 10, 45));
    for (int time = 0; time < 2; time++) {
        bw_vec3 *p = time == 0 ? s->start : s->end;
        /* The third corner near the line of the other two; or the second edge nearly parallel. */
        p[3].x = p[1].x + 0.4 * (p[2].x - p[1].x) + thin * p[3].x;
        p[3].y = p[1].y + 0.4 * (p[2].y - p[1].y) + thin * p[3].y;
        p[3].z = p[1].z + 0.4 * (p[2].z - p[1].z) + thin * p[3].z;
    }
}

/* Points of a coarse grid, as models have them, and instead of zeros and between equal coordinates what a
 * rotation by a right angle leaves: a few times 2^-53 of their size. */
static void dust(bws_random *r, bool edges, bw_ccd_sample *s)
{
    (void)edges;
    for (int i = 0; i < 24; i++) {
        *at(s, i) = (double)bws_random_int(r, -2, 2) / 4;
        if (bws_random_below(r, 3) != 0)
            *at(s, i) += ldexp((double)bws_random_int(r, -4, 4), -(int)bws_random_int(r, 53, 60));
    }
}

const bw_ccd_family bw_ccd_families[] = {
    {"ordinary", ordinary},       {"small-steps", small_steps},
    {"floats", floats},           {"grid", grid},
    {"fine-grid", fine_grid},     {"planar", planar},
    {"planar-grid", planar_grid}, {"on-a-line", on_a_line},
    {"degenerate", degenerate},   {"parallel", parallel},
    {"touching", touching},       {"nearly-touching", nearly_touching},
    {"scaled", scaled},           {"any-magnitude", any_magnitude},
    {"slivers", slivers},         {"dust", dust},
};
const int bw_ccd_family_count = (int)(sizeof bw_ccd_families / sizeof *bw_ccd_families);

/* Integers of few bits, so that every product and sum below is exact. */
void bw_ccd_touching(bws_random *r, bool edges, int exponent, bw_ccd_sample *out, double *time)
{
    const int bits = 20;
    const double size = ldexp(1, bits), unit = ldexp(1, exponent - bits);
    int steps = (int)bws_random_int(r, 1, 8);
    switch (bws_random_below(r, 4)) {
    case 0:
        *time = 0;
        break;
    case 1:
        *time = 1;
        break;
    default:
        *time = ldexp((double)bws_random_int(r, 0, 1 << steps), -steps);
    }
    /* Weights of sixteenths: a corner, on an edge, or inside. */
    int weight[4] = {0, 0, 0, 0}, first = (int)bws_random_below(r, 3);
    switch (bws_random_below(r, 3)) {
    case 0:
        weight[first] = 16;
        break;
    case 1:
        weight[first] = (int)bws_random_int(r, 1, 15);
        weight[(first + 1) % 3] = 16 - weight[first];
        break;
    default:
        weight[0] = (int)bws_random_int(r, 1, 14);
        weight[1] = (int)bws_random_int(r, 1, 15 - weight[0]);
        weight[2] = 16 - weight[0] - weight[1];
    }
    int along[2] = {(int)bws_random_int(r, 0, 16), (int)bws_random_int(r, 0, 16)};
    for (int e = 0; e < 2; e++)
        if (bws_random_below(r, 3) == 0)
            along[e] = bws_random_bool(r) ? 0 : 16;
    for (int k = 0; k < 3; k++) {
        double p[4], v[4];
        for (int i = 0; i < 4; i++) {
            p[i] = (double)bws_random_int(r, -(int64_t)size, (int64_t)size);
            v[i] = (double)bws_random_int(r, -(int64_t)size, (int64_t)size);
        }
        if (!edges) {
            p[0] = (weight[0] * p[1] + weight[1] * p[2] + weight[2] * p[3]) / 16;
        } else {
            /* The second edge passes through a point of the first, at its own place along[1]. */
            double point = p[0] + along[0] * (p[1] - p[0]) / 16, direction = p[2];
            p[2] = point - along[1] * direction / 16;
            p[3] = point + (16 - along[1]) * direction / 16;
        }
        for (int i = 0; i < 4; i++) {
            double start = (p[i] - *time * v[i]) * unit, end = (p[i] + (1 - *time) * v[i]) * unit;
            *(k == 0 ? &out->start[i].x : k == 1 ? &out->start[i].y : &out->start[i].z) = start;
            *(k == 0 ? &out->end[i].x : k == 1 ? &out->end[i].y : &out->end[i].z) = end;
        }
    }
}

bw_ccd_result bw_ccd_ask(bool edges, const bw_ccd_sample *s, const bw_ccd_desc *desc)
{
    bw_ccd_result answer;
    bw_result result = edges ? bw_ccd_edge_edge(s->start, s->end, desc, &answer)
                             : bw_ccd_vertex_face(s->start, s->end, desc, &answer);
    if (result != BW_OK) {
        bw_ccd_print(edges, s);
        printf("%s\n", bw_result_string(result));
        abort();
    }
    return answer;
}

void bw_ccd_print(bool edges, const bw_ccd_sample *s)
{
    printf("%s\n", edges ? "edges" : "vertex and face");
    for (int i = 0; i < 8; i++) {
        const bw_vec3 *p = i < 4 ? &s->start[i] : &s->end[i - 4];
        printf("  %s[%d] = {%a, %a, %a}\n", i < 4 ? "start" : "end", i % 4, p->x, p->y, p->z);
    }
}
