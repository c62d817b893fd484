/* boxwood-store-make: a part store of any size, generated part by part: bumpy closed spheres of different shape and size
 * that stand about, half of them crowded into a corner, so that equal volumes are not equal work. For measurements beyond
 * what files could be read for.
 *   boxwood-store-make STORE PARTS TRIANGLES [--unequal] */
#include "store/writer.h"

#include <boxwood/pool.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AT_A_TIME = 512 };

typedef struct making {
    uint32_t parts, triangles;
    bool unequal;
    double side;
    uint32_t first;
    store_block blocks[AT_A_TIME];
    bw_box boxes[AT_A_TIME];
    bool fine[AT_A_TIME];
} making;

static double next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

/* Rings of a sphere without the poles, and how many vertices each has. */
static void choose_size(const making *m, uint64_t *state, uint32_t *rings, uint32_t *around)
{
    double triangles = m->triangles;
    /* From a twentieth to twenty times, with the same mean. */
    if (m->unequal)
        triangles *= pow(400, next(state)) / 20 * 0.3004;
    *around = (uint32_t)fmax(3, floor(sqrt(triangles / 2) * 1.1180339887));
    *rings = (uint32_t)fmax(1, round(triangles / 2 / *around));
}

static bw_box fill(const making *m, uint32_t part, float *p, uint32_t rings, uint32_t around, uint64_t *state)
{
    const double crowd = part % 2 ? 1.0 : 0.75, pi = 3.14159265358979323846;
    double c[3], w[3];
    for (int k = 0; k < 3; k++)
        c[k] = next(state) * m->side * crowd;
    for (int k = 0; k < 3; k++)
        w[k] = 2 * pi * next(state);
    const double radius = 0.3 + 0.25 * next(state);
    bw_box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    const uint32_t count = rings * around + 2;
    for (uint32_t v = 0; v < count; v++) {
        bool pole = v >= count - 2;
        double th = pole ? (v == count - 1 ? pi : 0) : pi * (v / around + 1) / (rings + 1);
        double ph = pole ? 0 : 2 * pi * (v % around) / around;
        double s = sin(th), q = radius * (1 + 0.15 * sin(5 * th + w[0]) * s * s * cos(3 * ph + w[1]));
        const double at[3] = {q * s * cos(ph + w[2]), q * s * sin(ph + w[2]), q * cos(th)};
        for (int k = 0; k < 3; k++) {
            float x = p[3 * (size_t)v + (size_t)k] = (float)(c[k] + at[k]);
            box.min[k] = fminf(box.min[k], x);
            box.max[k] = fmaxf(box.max[k], x);
        }
    }
    return box;
}

static void connect(uint32_t *t, uint32_t rings, uint32_t around)
{
    const uint32_t north = rings * around, south = north + 1;
    for (uint32_t r = 0; r + 1 < rings; r++)
        for (uint32_t j = 0; j < around; j++) {
            uint32_t a = r * around + j, b = r * around + (j + 1) % around;
            const uint32_t two[6] = {a, a + around, b, b, a + around, b + around};
            memcpy(t, two, sizeof two);
            t += 6;
        }
    for (uint32_t j = 0; j < around; j++) {
        uint32_t k = (j + 1) % around, last = (rings - 1) * around;
        const uint32_t caps[6] = {north, j, k, south, last + k, last + j};
        memcpy(t, caps, sizeof caps);
        t += 6;
    }
}

static void make_parts(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    making *m = context;
    for (uint32_t i = begin; i < end; i++) {
        uint64_t state = (m->first + i + 1) * UINT64_C(0xd1342543de82ef95);
        uint32_t rings, around;
        choose_size(m, &state, &rings, &around);
        float *p = tool_alloc(rings * (size_t)around + 2, 3 * sizeof *p);
        uint32_t *t = tool_alloc(2 * (size_t)rings * around, 3 * sizeof *t);
        m->boxes[i] = fill(m, m->first + i, p, rings, around, &state);
        connect(t, rings, around);
        store_source source = {.view = {.positions = p,
                                        .vertex_count = rings * around + 2,
                                        .indices = t,
                                        .triangle_count = 2 * rings * around}};
        fault why;
        m->fine[i] = store_encode(&source, false, &m->blocks[i], &why);
        free(p);
        free(t);
    }
}

static bool make(making *m, store_writer *to, const bw_tasks *tasks, fault *why)
{
    bool fine = store_writer_file(to, "generated", why);
    uint64_t triangles = 0;
    for (m->first = 0; m->first < m->parts && fine; m->first += AT_A_TIME) {
        uint32_t count = m->parts - m->first < AT_A_TIME ? m->parts - m->first : AT_A_TIME;
        tasks->parallel_for(tasks->user, make_parts, m, count, 4);
        for (uint32_t i = 0; i < count && fine; i++) {
            char name[32];
            snprintf(name, sizeof name, "part %" PRIu32, m->first + i);
            store_new_part part = {.first_triangle = triangles, .name = name, .box = m->boxes[i]};
            triangles += m->blocks[i].record.primitive_count;
            fine = m->fine[i] && store_writer_mesh(to, &m->blocks[i], &part.mesh, why) &&
                   store_writer_part(to, &part, why);
        }
        for (uint32_t i = 0; i < count; i++)
            free(m->blocks[i].bytes);
    }
    if (fine)
        printf("%" PRIu32 " parts, %" PRIu64 " triangles\n", m->parts, triangles);
    return fine;
}

int main(int argc, char **argv)
{
    static making m;
    if (argc < 4 || (argc > 4 && strcmp(argv[4], "--unequal") != 0))
        return complain("boxwood-store-make STORE PARTS TRIANGLES [--unequal]");
    m.parts = (uint32_t)strtoul(argv[2], NULL, 10);
    m.triangles = (uint32_t)strtoul(argv[3], NULL, 10);
    m.unequal = argc > 4;
    m.side = cbrt(m.parts / 0.8);
    bw_pool *pool = NULL;
    store_writer to;
    fault why;
    if (bw_pool_create(bw_pool_default_workers(), &pool, NULL) != BW_OK ||
        !store_writer_open(&to, argv[1], &why))
        return complain("%s", why.text);
    bool fine = make(&m, &to, bw_pool_tasks(pool), &why);
    fine = store_writer_close(&to, fine, 1, 3, &why);
    bw_pool_destroy(pool);
    return fine ? 0 : complain("%s", why.text);
}
