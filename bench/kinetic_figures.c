/* Figure 20 of docs/lab/kinetic.md, the dress over its walking body at three times, as SVG: triangles from
 * back to front, each as bright as it is turned to a lamp, the dress seen through, so that the body in it
 * shows; a legend tells the colours. ./dev plots kinetic draws it. */
#include "scenes/scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { STAGES = 3, KEYFRAMES = 19, PANEL = 300, HEIGHT = 420, ROOM = 4000 };

typedef struct facet {
    double depth, shade; /* larger depth: farther away */
    double x[3], y[3];
    bool is_body;
} facet;

typedef struct picture {
    facet facets[ROOM];
    uint32_t count;
} picture;

static void require(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "boxwood-kinetic-figures: %s\n", what);
    exit(2);
}

/* From a little above, in parallel lines: right, up and away of a point. */
static void project(const float *p, double out[3])
{
    const double turn = 0.35, tilt = 0.25;
    double x = (double)p[0], y = (double)p[1], z = (double)p[2];
    double right = cos(turn) * x + sin(turn) * y, away = cos(turn) * y - sin(turn) * x;
    out[0] = right;
    out[1] = cos(tilt) * z + sin(tilt) * away;
    out[2] = cos(tilt) * away - sin(tilt) * z;
}

static facet facet_of(const bws_film *film, uint32_t frame, uint32_t triangle, bool is_body)
{
    facet f = {.is_body = is_body};
    double q[3][3], u[3], v[3];
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t vertex = film->mesh.indices[3 * (size_t)triangle + i];
        project((const float *)film->frames[frame] + 3 * (size_t)vertex, q[i]);
        f.x[i] = 0.5 * PANEL + 215 * q[i][0];
        f.y[i] = 345 - 240 * q[i][1];
        f.depth += q[i][2];
    }
    for (int i = 0; i < 3; i++) {
        u[i] = q[1][i] - q[0][i];
        v[i] = q[2][i] - q[0][i];
    }
    double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    f.shade = length > 0 ? fabs(0.6 * n[0] - 0.3 * n[1] + 0.74 * n[2]) / length : 0; /* both sides shine */
    return f;
}

static void add_film(picture *p, const bws_film *film, uint32_t frame, bool is_body)
{
    for (uint32_t t = 0; t < film->mesh.triangle_count; t++) {
        require(p->count < ROOM, "there are more triangles than a picture holds");
        p->facets[p->count++] = facet_of(film, frame, t, is_body);
    }
}

static int farther_first(const void *a, const void *b)
{
    const facet *f = a, *g = b;
    return f->depth > g->depth ? -1 : f->depth < g->depth;
}

static void draw(const picture *p, uint32_t stage)
{
    for (uint32_t i = 0; i < p->count; i++) {
        const facet *f = &p->facets[i];
        int light = 90 + (int)(160 * f->shade);
        if (f->is_body)
            printf("<path fill='#%02x%02x%02x' d='", light / 4, light / 2, light * 4 / 5);
        else
            printf("<path fill='#%02x%02x%02x' fill-opacity='0.35' d='", light, light * 2 / 5, light * 3 / 5);
        for (int j = 0; j < 3; j++)
            printf("%s%.0f %.0f", j == 0 ? "M" : "L", f->x[j] + stage * PANEL, f->y[j]);
        printf("z'/>\n");
    }
}

/* A square of the colour, as it looks in the middle of the light, and what has it. */
static void legend(int x, const char *fill, const char *opacity, const char *text, uint32_t triangles)
{
    printf("<rect x='%d' y='%d' width='12' height='12' fill='%s' fill-opacity='%s'/>\n", x, HEIGHT - 22, fill,
           opacity);
    printf("<text x='%d' y='%d' stroke='none'>%s, %u triangles</text>\n", x + 18, HEIGHT - 12, text,
           triangles);
}

int main(void)
{
    static picture p;
    bws_film dress, body;
    bws_film_desc desc = {.triangles = 1200, .keyframes = KEYFRAMES};
    require(bws_dress(&desc, &dress) == BW_OK, "the dress cannot be made");
    desc.triangles = 300;
    require(bws_dress_body(&desc, &body) == BW_OK, "the body cannot be made");
    printf("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' font-family='sans-serif' "
           "font-size='12'>\n<rect width='100%%' height='100%%' fill='white'/>\n<g stroke='#00000022' "
           "stroke-width='0.4'>\n",
           STAGES * PANEL, HEIGHT);
    for (uint32_t stage = 0; stage < STAGES; stage++) {
        uint32_t frame = stage * (KEYFRAMES - 1) / (STAGES - 1);
        p.count = 0;
        add_film(&p, &dress, frame, false);
        add_film(&p, &body, frame, true);
        qsort(p.facets, p.count, sizeof *p.facets, farther_first);
        draw(&p, stage);
        printf("<text x='%d' y='%d' text-anchor='middle' stroke='none'>%.1f s</text>\n",
               (int)stage * PANEL + PANEL / 2, HEIGHT - 44, dress.times[frame]);
    }
    legend(60, "#cc527a", "0.5", "the dress, seen through: its keyframes are the flight plan",
           dress.mesh.triangle_count);
    legend(600, "#2d5a90", "1", "the body that walks in it", body.mesh.triangle_count);
    printf("</g>\n</svg>\n");
    bws_film_free(&dress);
    bws_film_free(&body);
    return 0;
}
