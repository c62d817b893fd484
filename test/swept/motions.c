/* Small meshes at both ends of a step, and their contacts by asking every pair of features alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "swept/motions.h"

void motion_free(motion *m)
{
    free(m->positions[0]);
    free(m->positions[1]);
    free(m->indices);
    free(m->edges);
    free(m->thickness);
}

/* The same triangles for other arrays. */
static void point_views(motion *m, uint32_t vertices, uint32_t triangles)
{
    m->start = (bw_mesh){m->positions[0], BW_F64, vertices, 0, m->indices, triangles};
    m->end = (bw_mesh){m->positions[1], BW_F64, vertices, 0, m->indices, triangles};
}

motion motion_make(bws_random *random, uint32_t n, double shake)
{
    motion m = {0};
    bool sheet = bws_random_bool(random), lattice = bws_random_below(random, 3) == 0;
    uint32_t vertices = sheet ? (n + 1) * (n + 1) : 3 * n * n, triangles = sheet ? 2 * n * n : n * n;
    for (int time = 0; time < 2; time++)
        m.positions[time] = malloc(3 * vertices * sizeof *m.positions[time]);
    m.indices = malloc(3 * triangles * sizeof *m.indices);
    double fold = bws_random_double(random, 0, 3);
    for (uint32_t v = 0; v < vertices; v++) {
        double x = sheet ? (double)(v % (n + 1)) / n : bws_random_double(random, 0, 1);
        double y = sheet ? (double)(v / (n + 1)) / n : bws_random_double(random, 0, 1);
        double p[3] = {fabs(x - 0.5), y,
                       0.1 * sin(fold * 3 * x) + (sheet ? 0 : bws_random_double(random, 0, 0.3))};
        if (!sheet && v % 3 != 0)
            for (int k = 0; k < 3; k++)
                p[k] = m.positions[0][3 * (v - v % 3) + (uint32_t)k] + bws_random_double(random, -0.3, 0.3);
        for (int k = 0; k < 3; k++) {
            double move = bws_random_double(random, -shake, shake);
            if (lattice) {
                p[k] = round(p[k] * 4) / 4;
                move = round(move * 4) / 4;
            }
            m.positions[0][3 * v + (uint32_t)k] = p[k];
            m.positions[1][3 * v + (uint32_t)k] = p[k] + move;
        }
    }
    for (uint32_t t = 0; t < triangles; t++) {
        uint32_t square = t / 2, corner = square / n * (n + 1) + square % n;
        uint32_t of_sheet[2][3] = {{corner, corner + 1, corner + n + 1},
                                   {corner + 1, corner + n + 2, corner + n + 1}};
        for (uint32_t k = 0; k < 3; k++)
            m.indices[3 * t + k] = sheet ? of_sheet[t % 2][k] : 3 * t + k;
    }
    if (triangles > 4) /* one without area, whose edge is no edge */
        m.indices[4] = m.indices[3];
    point_views(&m, vertices, triangles);
    return m;
}

void motion_add_loose(bws_random *random, motion *m, uint32_t edges, uint32_t points, double shake,
                      bool alone)
{
    uint32_t before = m->start.vertex_count, more = (edges > 0 ? edges + 1 : 0) + points,
             triangles = alone ? 0 : m->start.triangle_count;
    if (alone) {
        free(m->indices);
        m->indices = NULL;
        before = 0;
    }
    for (int time = 0; time < 2; time++)
        m->positions[time] =
            realloc(m->positions[time], 3 * (size_t)(before + more + 1) * sizeof *m->positions[time]);
    bool lattice = bws_random_below(random, 3) == 0;
    for (uint32_t i = 3 * before; i < 3 * (before + more); i++) {
        double x = bws_random_double(random, 0, i % 3 == 2 ? 0.3 : 1),
               move = bws_random_double(random, -shake, shake);
        if (i / 3 > before && i / 3 <= before + edges && edges > 0) /* a rope goes on from its last vertex */
            x = m->positions[0][i - 3] + bws_random_double(random, -0.3, 0.3);
        m->positions[0][i] = lattice ? round(4 * x) / 4 : x;
        m->positions[1][i] = m->positions[0][i] + (lattice ? round(4 * move) / 4 : move);
    }
    m->edges = calloc(2 * (size_t)edges + 1, sizeof *m->edges);
    m->edge_count = edges;
    for (uint32_t e = 0; e < edges; e++) {
        m->edges[2 * e] = before + e;
        m->edges[2 * e + 1] = before + e + 1;
    }
    m->points = points > 0;
    point_views(m, before + more, triangles);
}

void motion_add_thickness(bws_random *random, motion *m, double largest)
{
    m->thickness = malloc((m->start.vertex_count + 1) * sizeof *m->thickness);
    for (uint32_t v = 0; v < m->start.vertex_count; v++)
        m->thickness[v] = bws_random_below(random, 3) == 0 ? 0 : bws_random_double(random, 0, largest);
}

void motion_next(bws_random *random, motion *m, bool jump)
{
    double *end = m->positions[0];
    m->positions[0] = m->positions[1];
    m->positions[1] = end;
    for (uint32_t v = 0; v < m->start.vertex_count; v++) {
        uint32_t from = jump ? (uint32_t)bws_random_below(random, m->start.vertex_count) : v;
        for (uint32_t k = 0; k < 3; k++)
            end[3 * v + k] = m->positions[0][3 * from + k] + bws_random_double(random, -0.03, 0.03);
    }
    m->start.positions = m->positions[0];
    m->end.positions = m->positions[1];
}

int by_name(const void *x, const void *y)
{
    const bw_swept_contact *a = x, *b = y;
    if (a->feature != b->feature)
        return a->feature < b->feature ? -1 : 1;
    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    return a->b < b->b ? -1 : a->b > b->b;
}

void same_contact(const bw_swept_contact *a, const bw_swept_contact *b)
{
    assert_int_equal(by_name(a, b), 0);
    assert_memory_equal(a->vertices, b->vertices, sizeof a->vertices);
    assert_int_equal(a->first.answer, b->first.answer);
    assert_int_equal(a->first.exact, b->first.exact);
    assert_true(a->first.time == b->first.time && a->first.time_after == b->first.time_after);
}

void same_report(const bw_swept_report *a, const bw_swept_report *b)
{
    assert_int_equal(a->status, b->status);
    assert_int_equal(a->contact_count, b->contact_count);
    assert_int_equal(a->vertex_face_count, b->vertex_face_count);
    assert_int_equal(a->edge_edge_count, b->edge_edge_count);
    assert_int_equal(a->vertex_edge_count, b->vertex_edge_count);
    assert_int_equal(a->vertex_vertex_count, b->vertex_vertex_count);
    assert_int_equal(a->close_count, b->close_count);
    assert_int_equal(a->vertex_face_candidates, b->vertex_face_candidates);
    assert_int_equal(a->edge_edge_candidates, b->edge_edge_candidates);
    assert_int_equal(a->vertex_edge_candidates, b->vertex_edge_candidates);
    assert_int_equal(a->vertex_vertex_candidates, b->vertex_vertex_candidates);
    assert_int_equal(a->candidate_count, b->candidate_count);
    assert_int_equal(a->tested, b->tested);
    assert_int_equal(a->exact, b->exact);
    assert_int_equal(a->box_tests, b->box_tests);
    same_contact(&a->earliest, &b->earliest);
}

bw_swept *sweep_of(const motion *m, const bw_tasks *tasks)
{
    bw_swept *s = NULL;
    bw_swept_desc desc = {.tasks = tasks,
                          .edges = m->edges,
                          .edge_count = m->edge_count,
                          .points = m->points,
                          .thickness = m->thickness};
    assert_int_equal(bw_swept_create(&desc, &m->start, &m->end, &s, NULL), BW_OK);
    assert_null(bw_swept_check(s));
    return s;
}

bw_result ask_steps(const bw_swept *x, const bw_swept *y, const bw_swept_query *query,
                    bw_swept_report *report)
{
    return x == y ? bw_swept_self(x, query, report, NULL) : bw_swept_pair(x, y, query, report, NULL);
}

/* ---- Every pair ---- */

/* Features of a mesh, found without the library's tree: which vertices are of triangles or ropes, which of
 * neither; all edges, low end first where of a triangle. */
typedef struct features {
    uint8_t *named;
    uint32_t (*edges)[2];
    uint32_t edge_count, face_edge_count;
} features;

static int by_ends(const void *x, const void *y)
{
    const uint32_t *a = x, *b = y;
    return a[0] != b[0] ? (a[0] < b[0] ? -1 : 1) : a[1] < b[1] ? -1 : a[1] > b[1];
}

static features features_of(const motion *m)
{
    uint32_t triangles = m->indices == NULL ? 0 : m->start.triangle_count, count = 0;
    features f = {calloc(m->start.vertex_count + 1, 1),
                  malloc((3 * (size_t)triangles + m->edge_count + 1) * sizeof *f.edges), 0, 0};
    for (uint32_t i = 0; i < 3 * triangles; i++) {
        uint32_t v = m->indices[i], w = m->indices[i % 3 == 2 ? i - 2 : i + 1];
        f.named[v] = 1;
        f.edges[count][0] = v < w ? v : w;
        f.edges[count][1] = v < w ? w : v;
        count += v != w;
    }
    qsort(f.edges, count, sizeof *f.edges, by_ends);
    for (uint32_t i = 0; i < count; i++)
        if (i == 0 || by_ends(f.edges[i], f.edges[f.face_edge_count - 1]) != 0)
            memmove(f.edges[f.face_edge_count++], f.edges[i], sizeof *f.edges);
    f.edge_count = f.face_edge_count + m->edge_count;
    for (uint32_t e = 0; e < m->edge_count; e++)
        for (int k = 0; k < 2; k++) {
            f.edges[f.face_edge_count + e][k] = m->edges[2 * e + (uint32_t)k];
            f.named[m->edges[2 * e + (uint32_t)k]] = 1;
        }
    return f;
}

static void features_free(features *f)
{
    free(f->named);
    free(f->edges);
}

/* Whether a vertex collides, and whether it is a point. */
static bool collides(const motion *m, const features *f, uint32_t v)
{
    return f->named[v] != 0 || m->points || m->indices == NULL;
}
static bool is_point(const motion *m, const features *f, uint32_t v)
{
    return collides(m, f, v) && f->named[v] == 0;
}

/* Vertices of one mesh with faces, edges and points of another. turned: they are of the second mesh. */
static void vertex_pairs(const motion *p, const features *of_p, const motion *q, const features *of_q,
                         bool turned, motion_visit *visit, void *user)
{
    const motion *meshes[4] = {p, q, q, q};
    uint32_t triangles = q->indices == NULL ? 0 : q->start.triangle_count;
    for (uint32_t v = 0; v < p->start.vertex_count; v++) {
        for (uint32_t f = 0; collides(p, of_p, v) && f < triangles; f++) {
            const uint32_t *c = &q->indices[3 * f];
            if (p != q || (c[0] != v && c[1] != v && c[2] != v))
                visit(user, turned ? BW_CCD_FACE_VERTEX : BW_CCD_VERTEX_FACE, turned ? f : v, turned ? v : f,
                      meshes, (uint32_t[4]){v, c[0], c[1], c[2]});
        }
        for (uint32_t e = of_q->face_edge_count; is_point(p, of_p, v) && e < of_q->edge_count; e++) {
            const uint32_t *c = of_q->edges[e];
            visit(user, turned ? BW_CCD_EDGE_VERTEX : BW_CCD_VERTEX_EDGE, turned ? e : v, turned ? v : e,
                  meshes, (uint32_t[4]){v, c[0], c[1], c[1]});
        }
        for (uint32_t w = p == q ? v + 1 : 0; !turned && is_point(p, of_p, v) && w < q->start.vertex_count;
             w++)
            if (is_point(q, of_q, w))
                visit(user, BW_CCD_VERTEX_VERTEX, v, w, meshes, (uint32_t[4]){v, w, w, w});
    }
}

void each_pair(const motion *a, const motion *b, motion_visit *visit, void *user)
{
    features x = features_of(a), y = features_of(b);
    vertex_pairs(a, &x, b, &y, false, visit, user);
    if (a != b)
        vertex_pairs(b, &y, a, &x, true, visit, user);
    for (uint32_t e = 0; e < x.edge_count; e++)
        for (uint32_t f = a == b ? e + 1 : 0; f < y.edge_count; f++) {
            uint32_t v[4] = {x.edges[e][0], x.edges[e][1], y.edges[f][0], y.edges[f][1]};
            const motion *meshes[4] = {a, a, b, b};
            if (a != b || (v[0] != v[2] && v[0] != v[3] && v[1] != v[2] && v[1] != v[3]))
                visit(user, BW_CCD_EDGE_EDGE, e, f, meshes, v);
        }
    features_free(&x);
    features_free(&y);
}

double pair_thickness(bw_ccd_feature feature, const motion *const meshes[4], const uint32_t v[4])
{
    double t[4];
    for (int i = 0; i < 4; i++)
        t[i] = meshes[i]->thickness == NULL ? 0 : meshes[i]->thickness[v[i]];
    return feature == BW_CCD_EDGE_EDGE ? fmax(t[0], t[1]) + fmax(t[2], t[3])
                                       : t[0] + fmax(t[1], fmax(t[2], t[3]));
}

typedef struct asked {
    list *out;
    const bw_ccd_desc *desc;
} asked;

static void ask(void *user, bw_ccd_feature feature, uint32_t a, uint32_t b, const motion *const m[4],
                const uint32_t v[4])
{
    const asked *job = user;
    bw_vec3 start[4], end[4];
    for (int i = 0; i < 4; i++) {
        start[i] = bw_mesh_vertex(&m[i]->start, v[i]);
        end[i] = bw_mesh_vertex(&m[i]->end, v[i]);
    }
    bw_ccd_desc desc = *job->desc;
    desc.separation = pair_thickness(feature, m, v) + desc.separation;
    bw_swept_contact c = {.feature = feature, .a = a, .b = b, .vertices = {v[0], v[1], v[2], v[3]}};
    bw_result result = feature == BW_CCD_EDGE_EDGE ? bw_ccd_edge_edge(start, end, &desc, &c.first)
                                                   : bw_ccd_vertex_face(start, end, &desc, &c.first);
    assert_int_equal(result, BW_OK);
    if (c.first.answer == BW_CCD_APART)
        return;
    list *out = job->out;
    if (out->count == out->capacity)
        out->items = realloc(out->items, (out->capacity = 2 * out->capacity + 64) * sizeof *out->items);
    out->items[out->count++] = c;
}

list every_pair(const motion *a, const motion *b, const bw_ccd_desc *desc)
{
    list out = {0};
    asked job = {&out, desc};
    each_pair(a, b, ask, &job);
    if (out.count > 0)
        qsort(out.items, out.count, sizeof *out.items, by_name);
    return out;
}
