/* Meshes for pictures: vertices that are used, once each, about a centre; and colours for parts. */
#include "report/geometry.h"

#include "weld.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const float report_palette[REPORT_COLOURS][3] = {{0.90f, 0.35f, 0.22f}, {0.16f, 0.50f, 0.86f},
                                                 {0.93f, 0.70f, 0.13f}, {0.20f, 0.65f, 0.45f},
                                                 {0.60f, 0.38f, 0.78f}, {0.36f, 0.72f, 0.80f}};

static bool usable(bw_vec3 p)
{
    return fabs(p.x) <= BW_COORDINATE_MAX && fabs(p.y) <= BW_COORDINATE_MAX && fabs(p.z) <= BW_COORDINATE_MAX;
}

static bw_vec3 vertex_at(const report_mesh *m, uint32_t vertex, uint32_t frame, double beyond)
{
    if (m->frame_count == 0)
        return bw_mesh_vertex(&m->view, vertex);
    bw_vec3 p[2];
    for (int i = 0; i < (beyond > 0 ? 2 : 1); i++) {
        bw_mesh view = {.positions = m->frames[frame + (uint32_t)i],
                        .scalar = m->scalar,
                        .vertex_count = m->first_vertex + m->view.vertex_count};
        p[i] = bw_mesh_vertex(&view, m->first_vertex + vertex);
    }
    if (!(beyond > 0))
        return p[0];
    return (bw_vec3){p[0].x + beyond * (p[1].x - p[0].x), p[0].y + beyond * (p[1].y - p[0].y),
                     p[0].z + beyond * (p[1].z - p[0].z)};
}

/* Numbers vertices by their first use. */
typedef struct numbering {
    report_geometry *g;
    uint32_t *number; /* of each vertex of the mesh; UINT32_MAX: not used so far */
    const uint32_t *welded;
    size_t capacity;
} numbering;

static uint32_t number_of(numbering *n, uint32_t vertex)
{
    if (n->welded)
        vertex = n->welded[vertex];
    if (n->number[vertex] == UINT32_MAX) {
        n->number[vertex] = n->g->vertex_count;
        n->g->sources = tool_grow(n->g->sources, n->g->vertex_count, &n->capacity, sizeof *n->g->sources);
        n->g->sources[n->g->vertex_count++] = vertex;
    }
    return n->number[vertex];
}

static void about(const bw_vec3 *points, uint32_t count, bw_vec3 centre, float *out)
{
    for (uint32_t v = 0; v < count; v++) {
        out[3 * (size_t)v] = (float)(points[v].x - centre.x);
        out[3 * (size_t)v + 1] = (float)(points[v].y - centre.y);
        out[3 * (size_t)v + 2] = (float)(points[v].z - centre.z);
    }
}

static void place_vertices(report_geometry *g, const bw_vec3 *all)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    bw_vec3 *points = tool_alloc(g->vertex_count, sizeof *points);
    for (uint32_t v = 0; v < g->vertex_count; v++) {
        points[v] = all[g->sources[v]];
        const double c[3] = {points[v].x, points[v].y, points[v].z};
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], c[k]);
            high[k] = fmax(high[k], c[k]);
        }
    }
    if (g->vertex_count > 0)
        g->centre = (bw_vec3){0.5 * low[0] + 0.5 * high[0], 0.5 * low[1] + 0.5 * high[1],
                              0.5 * low[2] + 0.5 * high[2]};
    g->positions = tool_alloc(g->vertex_count, 3 * sizeof *g->positions);
    about(points, g->vertex_count, g->centre, g->positions);
    free(points);
    for (int k = 0; k < 3; k++) {
        g->low[k] = g->high[k] = g->vertex_count > 0 ? g->positions[k] : 0;
        for (uint32_t v = 1; v < g->vertex_count; v++) {
            g->low[k] = fminf(g->low[k], g->positions[3 * (size_t)v + (size_t)k]);
            g->high[k] = fmaxf(g->high[k], g->positions[3 * (size_t)v + (size_t)k]);
        }
    }
}

report_geometry report_geometry_of(const report *r, uint32_t mesh, double time)
{
    const report_mesh held = report_hold(r, mesh), *m = &held;
    const bw_mesh *view = &m->view;
    report_geometry g = {.positions = NULL};
    double beyond = 0;
    uint32_t frame = m->frame_count > 0 ? report_frame_at(m, time, &beyond) : 0;
    bw_vec3 *all = tool_alloc(view->vertex_count, sizeof *all);
    for (uint32_t v = 0; v < view->vertex_count; v++)
        all[v] = vertex_at(m, v, frame, beyond);
    uint32_t *welded = NULL;
    if (view->indices && m->frame_count == 0) {
        welded = tool_alloc(view->vertex_count, sizeof *welded);
        weld_equal(view, welded);
    }
    numbering n = {.g = &g, .number = tool_alloc(view->vertex_count, sizeof *n.number), .welded = welded};
    memset(n.number, 0xff, view->vertex_count * sizeof *n.number);
    if (view->indices) {
        g.indices = tool_alloc(view->triangle_count, 3 * sizeof *g.indices);
        for (uint32_t t = 0; t < view->triangle_count; t++) {
            const uint32_t *corner = view->indices + 3 * (size_t)t;
            bool fine = true;
            for (int k = 0; k < 3; k++)
                fine = fine && corner[k] < view->vertex_count && usable(all[corner[k]]);
            if (!fine) {
                g.dropped++;
                continue;
            }
            for (int k = 0; k < 3; k++)
                g.indices[3 * (size_t)g.triangle_count + (size_t)k] = number_of(&n, corner[k]);
            g.triangle_count++;
        }
    } else {
        for (uint32_t v = 0; v < view->vertex_count; v++) {
            if (usable(all[v]))
                number_of(&n, v);
            else
                g.dropped++;
        }
    }
    place_vertices(&g, all);
    report_release(r, &held);
    free(n.number);
    free(welded);
    free(all);
    return g;
}

void report_geometry_free(report_geometry *g)
{
    free(g->positions);
    free(g->indices);
    free(g->sources);
    *g = (report_geometry){.positions = NULL};
}

void report_geometry_frame(const report *r, uint32_t mesh, const report_geometry *g, uint32_t frame,
                           float *out)
{
    const report_mesh *m = &r->meshes[mesh];
    for (uint32_t v = 0; v < g->vertex_count; v++) {
        bw_vec3 p = vertex_at(m, g->sources[v], frame, 0);
        about(&p, 1, g->centre, out + 3 * (size_t)v);
    }
}

/* Greedy, in the order of findings: each part takes the least colour that none of its neighbours has. */
void report_colour_parts(const report *r, int8_t *colours)
{
    memset(colours, -1, r->part_count);
    uint8_t *taken = tool_alloc(r->part_count, 1); /* bits: colours of neighbours */
    memset(taken, 0, r->part_count);
    for (size_t i = 0; i < r->finding_count; i++) {
        const uint32_t ends[2] = {r->findings[i].a, r->findings[i].b};
        for (int k = 0; k < 2; k++) {
            if (colours[ends[k]] >= 0)
                continue;
            int8_t colour = 0;
            while (colour < REPORT_COLOURS - 1 && (taken[ends[k]] >> colour & 1))
                colour++;
            colours[ends[k]] = colour;
            taken[ends[!k]] |= (uint8_t)(1u << colour);
        }
        taken[ends[0]] |= (uint8_t)(1u << colours[ends[1]]);
        taken[ends[1]] |= (uint8_t)(1u << colours[ends[0]]);
    }
    free(taken);
}
