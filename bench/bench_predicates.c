/* The exact tests below everything: how long they take, and how often plain floating point decides. */
#include "benches.h"

#include "geom/exact/predicates.h"
#include "geom/exact/triangle.h"
#include "scenes/random.h"
#include <boxwood/math.h>

#include <stdlib.h>

enum { COUNT = 4096 }; /* inputs a case: some hundred KB, so the cache holds them */

typedef struct pairs {
    bw_vec3 (*points)[6];
    uint32_t count;
} pairs;

/* ---- inputs ---- */

static bw_vec3 point(bws_random *random)
{
    /* Rounded to float, as coordinates of meshes usually are. */
    return (bw_vec3){(double)bws_random_float(random, -1.0f, 1.0f),
                     (double)bws_random_float(random, -1.0f, 1.0f),
                     (double)bws_random_float(random, -1.0f, 1.0f)};
}

/* Small triangles about one place, so that about every other pair meets. */
static void ordinary(bws_random *random, bw_vec3 out[6])
{
    for (int i = 0; i < 6; i++)
        out[i] = point(random);
}

/* Neighbours in a mesh: one corner or an edge in common. */
static void touching(bws_random *random, bw_vec3 out[6])
{
    ordinary(random, out);
    out[3] = out[0];
    if (bws_random_bool(random))
        out[4] = out[1];
}

/* Six points of one plane that no axis is parallel to: x + y + z = 0 in multiples of 1/1024. */
static void coplanar(bws_random *random, bw_vec3 out[6])
{
    for (int i = 0; i < 6; i++) {
        const double x = (double)bws_random_int(random, -1024, 1024) / 1024.0,
                     y = (double)bws_random_int(random, -1024, 1024) / 1024.0;
        out[i] = (bw_vec3){x, y, -x - y};
    }
}

static pairs make_pairs(void (*make)(bws_random *, bw_vec3[6]))
{
    pairs p = {bench_alloc(COUNT, sizeof *p.points), COUNT};
    bws_random random = bws_random_seeded(1);
    for (uint32_t i = 0; i < COUNT; i++)
        make(&random, p.points[i]);
    return p;
}

/* ---- the work ---- */

static uint64_t run_orient3d(void *self)
{
    const pairs *p = self;
    uint64_t positive = 0;
    for (uint32_t i = 0; i < p->count; i++)
        positive += bw_orient3d(&p->points[i][0], &p->points[i][1], &p->points[i][2], &p->points[i][3]) > 0;
    return positive;
}

static uint64_t run_triangles(void *self)
{
    const pairs *p = self;
    uint64_t meet = 0;
    for (uint32_t i = 0; i < p->count; i++)
        meet += bw_triangle_triangle(&p->points[i][0], &p->points[i][3]) != BW_CONTACT_NONE;
    return meet;
}

static bool orient3d_filtered(const bw_vec3 *p)
{
    bool exact = false;
    bw_orient3d_counted(&p[0], &p[1], &p[2], &p[3], &exact);
    return !exact;
}

static bool triangles_filtered(const bw_vec3 *p)
{
    bool exact = false;
    bw_triangle_triangle_counted(&p[0], &p[3], &exact);
    return !exact;
}

static void run_case(bench *b, const char *name, void (*make)(bws_random *, bw_vec3[6]),
                     uint64_t (*run)(void *), bool (*filtered)(const bw_vec3 *))
{
    bench_case *c = bench_case_begin(b, name, COUNT, COUNT);
    if (c == NULL)
        return;
    pairs p = make_pairs(make);
    bench_case_add(c, (bench_impl){.name = "boxwood", .self = &p, .run = run, .exact = true});
    bench_case_measure(c);
    uint32_t decided = 0;
    for (uint32_t i = 0; i < p.count; i++)
        decided += filtered(p.points[i]);
    bench_case_metric(c, "boxwood", "filter-decides", 100.0 * decided / p.count, "%");
    bench_case_end(c);
    free(p.points);
}

void bench_predicates(bench *b)
{
    run_case(b, "orient3d-ordinary", ordinary, run_orient3d, orient3d_filtered);
    run_case(b, "orient3d-coplanar", coplanar, run_orient3d, orient3d_filtered);
    run_case(b, "triangles-ordinary", ordinary, run_triangles, triangles_filtered);
    run_case(b, "triangles-touching", touching, run_triangles, triangles_filtered);
    run_case(b, "triangles-coplanar", coplanar, run_triangles, triangles_filtered);
}
