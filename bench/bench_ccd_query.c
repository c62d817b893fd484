/* Single continuous queries: a vertex and a face, two edges, under linear motion. Beside ours the usual
 * floating-point method, which finds the roots of the coplanarity cubic and tests barycentric coordinates
 * there: fast, and wrong now and then, in both directions; its errors are counted against the exact answers.
 * Hits and misses apart. Where BOXWOOD_DATA names the public data, its queries too. */
#include "benches.h"
#include "geom/ccd/ccd.h"
#include "geom/ccd/filter.h"
#include "scenes/ccd_data.h"
#include "scenes/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- The cubic-root method ---- */

static double dot(bw_vec3 a, bw_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static bw_vec3 sub(bw_vec3 a, bw_vec3 b)
{
    return (bw_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static bw_vec3 cross(bw_vec3 a, bw_vec3 b)
{
    return (bw_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static bw_vec3 between(bw_vec3 a, bw_vec3 b, double t)
{
    return (bw_vec3){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
}

static double cubic_value(const double c[4], double t)
{
    return c[0] + t * (c[1] + t * (c[2] + t * c[3]));
}

/* The roots in [0, 1], ascending: between the extrema the cubic is monotone, and Newton's steps kept inside
 * find the root. */
static int cubic_roots(const double c[4], double out[3])
{
    double cut[4] = {0};
    int cuts = 1, count = 0;
    double q = c[2] * c[2] - 3 * c[1] * c[3];
    if (fabs(c[3]) > 0 && q > 0) {
        double s = sqrt(q), w = -(c[2] + (c[2] > 0 ? s : -s)), a = w / (3 * c[3]), b = w != 0 ? c[1] / w : 0;
        double low = a < b ? a : b, high = a < b ? b : a;
        if (low > 0 && low < 1)
            cut[cuts++] = low;
        if (high > 0 && high < 1)
            cut[cuts++] = high;
    } else if (c[3] == 0 && c[2] != 0) {
        double a = -c[1] / (2 * c[2]);
        if (a > 0 && a < 1)
            cut[cuts++] = a;
    }
    cut[cuts] = 1;
    for (int i = 0; i < cuts; i++) {
        double x0 = cut[i], x1 = cut[i + 1], f0 = cubic_value(c, x0), f1 = cubic_value(c, x1);
        if ((f0 > 0 && f1 > 0) || (f0 < 0 && f1 < 0))
            continue;
        double t = f0 == f1 ? x0 : x0 - f0 * (x1 - x0) / (f1 - f0);
        for (int step = 0; step < 30; step++) {
            double f = cubic_value(c, t), d = c[1] + t * (2 * c[2] + t * 3 * c[3]);
            if ((f < 0) == (f0 < 0))
                x0 = t;
            else
                x1 = t;
            double next = d != 0 ? t - f / d : 0.5 * (x0 + x1);
            if (!(next >= x0 && next <= x1))
                next = 0.5 * (x0 + x1);
            double move = fabs(next - t);
            t = next;
            if (move < 1e-12)
                break;
        }
        out[count++] = t;
    }
    return count;
}

static bool inside_face(const bw_vec3 p[4])
{
    bw_vec3 u = sub(p[2], p[1]), v = sub(p[3], p[1]), d = sub(p[0], p[1]);
    double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), du = dot(d, u), dv = dot(d, v),
           det = uu * vv - uv * uv;
    double a = (vv * du - uv * dv) / det, b = (uu * dv - uv * du) / det;
    return a >= 0 && b >= 0 && a + b <= 1;
}

static bool edges_cross(const bw_vec3 p[4])
{
    bw_vec3 u = sub(p[1], p[0]), v = sub(p[3], p[2]), d = sub(p[2], p[0]);
    double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), du = dot(d, u), dv = dot(d, v),
           det = uu * vv - uv * uv;
    double a = (vv * du - uv * dv) / det, b = (uv * du - uu * dv) / det;
    return a >= 0 && a <= 1 && b >= 0 && b <= 1;
}

static bool cubic_method(bool edges, const bw_vec3 start[4], const bw_vec3 end[4])
{
    bw_vec3 d0 = sub(start[edges ? 2 : 1], start[0]), d1 = sub(end[edges ? 2 : 1], end[0]);
    bw_vec3 u0 = edges ? sub(start[1], start[0]) : sub(start[2], start[1]);
    bw_vec3 u1 = edges ? sub(end[1], end[0]) : sub(end[2], end[1]);
    bw_vec3 v0 = edges ? sub(start[3], start[2]) : sub(start[3], start[1]);
    bw_vec3 v1 = edges ? sub(end[3], end[2]) : sub(end[3], end[1]);
    bw_vec3 d = sub(d1, d0), u = sub(u1, u0), v = sub(v1, v0);
    bw_vec3 n0 = cross(u0, v0), a = cross(u0, v), b = cross(u, v0), n2 = cross(u, v);
    bw_vec3 n1 = {a.x + b.x, a.y + b.y, a.z + b.z};
    double c[4] = {dot(d0, n0), dot(d, n0) + dot(d0, n1), dot(d, n1) + dot(d0, n2), dot(d, n2)}, roots[3];
    int count = cubic_roots(c, roots);
    for (int i = 0; i < count; i++) {
        bw_vec3 p[4];
        for (int k = 0; k < 4; k++)
            p[k] = between(start[k], end[k], roots[i]);
        if (edges ? edges_cross(p) : inside_face(p))
            return true;
    }
    return false;
}

/* ---- The queries ---- */

typedef struct set {
    bool edges;
    bws_ccd_queries queries;
    bw_ccd_path (*paths)[4]; /* the same for the filter */
    bw_ccd_four *fours;
    uint32_t *kept;
} set;

static uint64_t run_ours(void *self)
{
    const set *s = self;
    uint64_t hits = 0;
    for (uint32_t i = 0; i < s->queries.count; i++) {
        const bws_ccd_query *q = &s->queries.items[i];
        bw_ccd_result answer;
        bw_result result = s->edges ? bw_ccd_edge_edge(q->start, q->end, NULL, &answer)
                                    : bw_ccd_vertex_face(q->start, q->end, NULL, &answer);
        bench_require(result == BW_OK, bw_result_string(result));
        hits += answer.answer != BW_CCD_APART;
    }
    return hits;
}

/* As meshes are searched: the filter over all, then the rest one by one. */
static uint64_t run_batch(void *self)
{
    set *s = self;
    uint32_t kept = bw_ccd_filter(s->edges, s->fours, s->queries.count, &(bw_ccd_separation){0},
                                  bw_simd_level(BW_SIMD_AUTO), s->kept);
    uint64_t hits = 0;
    const bw_ccd_kind *kind = s->edges ? &bw_ccd_edge_edge_kind : &bw_ccd_vertex_face_kind;
    for (uint32_t i = 0; i < kept; i++) {
        const bws_ccd_query *q = &s->queries.items[s->kept[i]];
        hits += bw_ccd_decide(kind, q->start, q->end, BW_CCD_TOLERANCE).answer != BW_CCD_APART;
    }
    return hits;
}

static uint64_t run_cubic(void *self)
{
    const set *s = self;
    uint64_t hits = 0;
    for (uint32_t i = 0; i < s->queries.count; i++)
        hits += cubic_method(s->edges, s->queries.items[i].start, s->queries.items[i].end);
    return hits;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Each query alone: the shortest of five times a handful of runs, so that neither the clock nor an interrupt
 * is measured. */
static void spread(bench_case *c, const char *name, set *s, uint64_t (*run)(void *))
{
    if (!bench_case_wants(c, name) || s->queries.count == 0)
        return;
    uint32_t count = s->queries.count;
    double *times = bench_alloc(count, sizeof *times);
    for (uint32_t i = 0; i < count; i++) {
        set one = *s;
        one.queries.items += i;
        one.queries.count = 1;
        times[i] = INFINITY;
        for (int sample = 0; sample < 5; sample++) {
            double before = bench_now();
            for (int k = 0; k < 8; k++)
                run(&one);
            times[i] = fmin(times[i], (bench_now() - before) * 1e9 / 8);
        }
    }
    qsort(times, count, sizeof *times, by_value);
    bench_case_metric(c, name, "median", times[count / 2], "ns");
    bench_case_metric(c, name, "p99", times[(size_t)count * 99 / 100], "ns");
    bench_case_metric(c, name, "worst", times[count - 1], "ns");
    free(times);
}

static void run_case(bench *b, const char *source, bool edges, bool hits, const bws_ccd_queries *all)
{
    set s = {.edges = edges};
    s.queries.items = bench_alloc(all->count + 1u, sizeof *s.queries.items);
    for (uint32_t i = 0; i < all->count; i++)
        if (all->items[i].contact == hits)
            s.queries.items[s.queries.count++] = all->items[i];
    uint32_t count = s.queries.count;
    bench_case *c =
        count == 0 ? NULL
                   : bench_case_begin(b,
                                      bench_format("%s-%s-%s", source, edges ? "edge-edge" : "vertex-face",
                                                   hits ? "hits" : "misses")
                                          .text,
                                      count, count);
    if (c != NULL) {
        s.paths = bench_alloc(count, sizeof *s.paths);
        s.fours = bench_alloc(count, sizeof *s.fours);
        s.kept = bench_alloc(count, sizeof *s.kept);
        for (uint32_t i = 0; i < count; i++)
            for (int p = 0; p < 4; p++) {
                bw_vec3 x = s.queries.items[i].start[p], y = s.queries.items[i].end[p];
                s.paths[i][p] = (bw_ccd_path){{x.x, x.y, x.z, 0, y.x, y.y, y.z, 0}};
                s.fours[i].p[p] = &s.paths[i][p];
            }
        bench_case_add(c, (bench_impl){.name = "boxwood", .self = &s, .run = run_ours, .exact = true});
        bench_case_add(c, (bench_impl){.name = "boxwood-batch", .self = &s, .run = run_batch, .exact = true});
        bench_case_add(c, (bench_impl){.name = "cubic-root", .self = &s, .run = run_cubic});
        bench_case_measure(c);
        spread(c, "boxwood", &s, run_ours);
        spread(c, "cubic-root", &s, run_cubic);
        uint64_t wrong = run_cubic(&s);
        bench_case_metric(c, "cubic-root", hits ? "missed" : "invented",
                          (double)(hits ? count - wrong : wrong), "queries");
        bench_case_end(c);
        free(s.paths);
        free(s.fours);
        free(s.kept);
    }
    free(s.queries.items);
}

/* Features of a mesh near each other, of a size of 1, that move by a tenth to all of that; the boxes around
 * their paths meet, as after a broad phase. */
static bws_ccd_queries generate(bool edges, uint32_t count)
{
    bws_random random = bws_random_seeded(edges ? 11 : 10);
    bws_ccd_queries out = {bench_alloc(count, sizeof *out.items), 0, count};
    while (out.count < count) {
        bws_ccd_query *q = &out.items[out.count];
        double speed = pow(10, bws_random_double(&random, -1, 0));
        for (int i = 0; i < 4; i++) {
            bw_vec3 side = {bws_random_double(&random, -0.5, 0.5), bws_random_double(&random, -0.5, 0.5),
                            bws_random_double(&random, -0.5, 0.5)};
            bw_vec3 move = {bws_random_double(&random, -speed, speed),
                            bws_random_double(&random, -speed, speed),
                            bws_random_double(&random, -speed, speed)};
            q->start[i] = side;
            q->end[i] = (bw_vec3){side.x + move.x, side.y + move.y, side.z + move.z};
        }
        bool meet = true;
        for (int k = 0; k < 3; k++) {
            double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
            for (int i = 0; i < 4; i++)
                for (int time = 0; time < 2; time++) {
                    int which = edges ? i / 2 : i > 0;
                    const bw_vec3 *p = time == 0 ? &q->start[i] : &q->end[i];
                    double x = k == 0 ? p->x : k == 1 ? p->y : p->z;
                    low[which] = fmin(low[which], x);
                    high[which] = fmax(high[which], x);
                }
            meet &= low[0] <= high[1] && low[1] <= high[0];
        }
        if (!meet)
            continue;
        bw_ccd_result answer = bw_ccd_decide_exact(edges ? &bw_ccd_edge_edge_kind : &bw_ccd_vertex_face_kind,
                                                   q->start, q->end, NULL);
        q->contact = answer.answer != BW_CCD_APART;
        out.count++;
    }
    return out;
}

void bench_ccd_query(bench *b)
{
    for (int edges = 0; edges < 2; edges++) {
        bws_ccd_queries made = generate(edges, bench_quick(b) ? 400 : 20000), data = {0};
        const char *why = NULL;
        if (bws_ccd_data() != NULL)
            bench_require(bws_ccd_read_all(edges, &data, &why), why);
        for (int hits = 0; hits < 2; hits++) {
            run_case(b, "generated", edges, hits, &made);
            run_case(b, "data", edges, hits, &data);
        }
        free(made.items);
        bws_ccd_queries_release(&data);
    }
}
