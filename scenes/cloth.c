/* A tablecloth that falls on a square table, simulated: position-based dynamics (Mueller et al. 2007) on a
 * grid of modest size with stretch, shear and bending constraints, gravity, contact and friction. Finer
 * cloths are cubic surfaces through that grid, cut into triangles that are not quite regular. Plain
 * arithmetic and square roots only, so the bits are the same everywhere. */
#include "scenes/owned.h"

#include <math.h>
#include <stdlib.h>

enum { SIDE = 41, GRID = SIDE * SIDE, SUBSTEPS = 8, ITERATIONS = 10 };

#define CLOTH_SIZE 1.6
#define TABLE_HALF 0.5
#define GRAVITY 9.81

typedef struct cloth {
    bw_vec3 at[GRID], before[GRID];
} cloth;

static void hang(cloth *c)
{
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            double x = CLOTH_SIZE * (i / (SIDE - 1.0) - 0.5), y = CLOTH_SIZE * (j / (SIDE - 1.0) - 0.5);
            /* Not quite over the middle, and not quite flat: folds need something to begin with. */
            bw_vec3 p = {x + 0.03, y - 0.02, 0.12 + 0.02 * x * y + 0.01 * x};
            c->at[j * SIDE + i] = c->before[j * SIDE + i] = p;
        }
}

/* Brings two points towards their distance at rest. */
static void hold(cloth *c, int a, int b, double rest, double stiffness)
{
    bw_vec3 *p = &c->at[a], *q = &c->at[b];
    double dx = q->x - p->x, dy = q->y - p->y, dz = q->z - p->z;
    double length = sqrt(dx * dx + dy * dy + dz * dz);
    if (!(length > 0))
        return;
    double part = 0.5 * stiffness * (length - rest) / length;
    p->x += part * dx;
    p->y += part * dy;
    p->z += part * dz;
    q->x -= part * dx;
    q->y -= part * dy;
    q->z -= part * dz;
}

static void hold_all(cloth *c)
{
    const double h = CLOTH_SIZE / (SIDE - 1), diagonal = h * sqrt(2.0);
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            int v = j * SIDE + i;
            if (i + 1 < SIDE)
                hold(c, v, v + 1, h, 1);
            if (j + 1 < SIDE)
                hold(c, v, v + SIDE, h, 1);
            if (i + 1 < SIDE && j + 1 < SIDE) {
                hold(c, v, v + SIDE + 1, diagonal, 0.5);
                hold(c, v + 1, v + SIDE, diagonal, 0.5);
            }
            if (i + 2 < SIDE)
                hold(c, v, v + 2, 2 * h, 0.15);
            if (j + 2 < SIDE)
                hold(c, v, v + 2 * SIDE, 2 * h, 0.15);
        }
}

/* Out of the table, by the nearest way; on the top with friction. */
static void collide(cloth *c)
{
    for (int v = 0; v < GRID; v++) {
        bw_vec3 *p = &c->at[v], *old = &c->before[v];
        double side = TABLE_HALF - fmax(fabs(p->x), fabs(p->y));
        if (p->z >= 0 || side <= 0)
            continue;
        if (old->z >= -0.01 || -p->z < side) {
            p->z = 0;
            p->x = old->x + 0.4 * (p->x - old->x);
            p->y = old->y + 0.4 * (p->y - old->y);
        } else if (fabs(p->x) > fabs(p->y))
            p->x = p->x > 0 ? TABLE_HALF : -TABLE_HALF;
        else
            p->y = p->y > 0 ? TABLE_HALF : -TABLE_HALF;
    }
}

static void step(cloth *c, double time)
{
    double h = time / SUBSTEPS;
    for (int s = 0; s < SUBSTEPS; s++) {
        for (int v = 0; v < GRID; v++) {
            bw_vec3 p = c->at[v], old = c->before[v];
            c->before[v] = p;
            c->at[v] = (bw_vec3){p.x + 0.995 * (p.x - old.x), p.y + 0.995 * (p.y - old.y),
                                 p.z + 0.995 * (p.z - old.z) - GRAVITY * h * h};
        }
        for (int i = 0; i < ITERATIONS; i++)
            hold_all(c);
        collide(c);
    }
}

static void weights(double t, double w[4])
{
    w[0] = ((2 - t) * t - 1) * t * 0.5; /* Catmull-Rom */
    w[1] = ((3 * t - 5) * t * t + 2) * 0.5;
    w[2] = ((4 - 3 * t) * t + 1) * t * 0.5;
    w[3] = (t - 1) * t * t * 0.5;
}

/* A point of the cubic surface; u, v in [0, 1]. */
static bw_vec3 surface(const cloth *c, double u, double v)
{
    double x = u * (SIDE - 1), y = v * (SIDE - 1);
    int i = x < SIDE - 2 ? (int)x : SIDE - 2, j = y < SIDE - 2 ? (int)y : SIDE - 2;
    double wx[4], wy[4];
    weights(x - i, wx);
    weights(y - j, wy);
    bw_vec3 sum = {0, 0, 0};
    for (int b = 0; b < 4; b++)
        for (int a = 0; a < 4; a++) {
            int ci = i + a - 1, cj = j + b - 1;
            ci = ci < 0 ? 0 : ci >= SIDE ? SIDE - 1 : ci;
            cj = cj < 0 ? 0 : cj >= SIDE ? SIDE - 1 : cj;
            double w = wx[a] * wy[b];
            const bw_vec3 *p = &c->at[cj * SIDE + ci];
            sum.x += w * p->x;
            sum.y += w * p->y;
            sum.z += w * p->z;
        }
    return sum;
}

bw_result bws_tablecloth(const bws_film_desc *given, bws_film *out)
{
    bws_film_desc desc = bws_film_completed(given);
    double side = floor(sqrt(desc.triangles / 2.0) + 0.5);
    uint32_t n = side < 1 ? 1 : (uint32_t)side;
    bws_film film;
    bw_result result = bws_film_grid(&desc, n, n, false, &film);
    if (result != BW_OK)
        return result;
    cloth *c = malloc(sizeof *c);
    if (c == NULL) {
        bws_film_free(&film);
        return BW_ERROR_MEMORY;
    }
    hang(c);
    const double lead = 0.15; /* it begins shortly before it touches */
    for (int i = 0; i < 9; i++)
        step(c, lead / 9);
    const int parts = 1 + (int)floor(desc.step * 60);
    for (uint32_t k = 0; k < film.frame_count; k++) {
        for (int i = 0; i < parts && k > 0; i++)
            step(c, desc.step / parts);
        for (uint32_t v = 0; v < film.mesh.vertex_count; v++) {
            double at[2];
            bws_film_parameter(n, n, false, v, at);
            bws_film_put(&film, k, v, surface(c, at[0], at[1]));
        }
    }
    free(c);
    *out = film;
    return BW_OK;
}
