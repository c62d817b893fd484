/* The parts of a store, or some of them, in memory as those of any other file. */
#include "store/to_model.h"

#include "store/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct taking {
    const store *s;
    const bw_box *near;
    bool points;       /* nothing but points is there */
    uint32_t *part_of; /* by mesh: its part of the model; BW_NONE: not taken */
    uint32_t *first_vertex;
    uint64_t vertices, triangles, lines;
    uint32_t meshes, places, left_points;
} taking;

static bool taken(const taking *t, uint32_t part)
{
    const store_mesh *m = &t->s->meshes[t->s->parts[part].mesh];
    return (!t->near || bw_box_overlaps(t->near, &t->s->boxes[part])) &&
           ((m->flags & STORE_POINTS) != 0) == t->points;
}

static bool count(taking *t, fault *why)
{
    const store *s = t->s;
    t->points = true;
    for (uint32_t i = 0; i < s->mesh_count && t->points; i++)
        t->points = s->meshes[i].flags & STORE_POINTS;
    for (uint32_t i = 0; i < s->part_count; i++) {
        const store_mesh *m = &s->meshes[s->parts[i].mesh];
        if (!taken(t, i)) {
            t->left_points += (m->flags & STORE_POINTS) && !t->points;
            continue;
        }
        t->places++;
        if (t->part_of[s->parts[i].mesh] != BW_NONE)
            continue;
        t->part_of[s->parts[i].mesh] = t->meshes++;
        t->first_vertex[s->parts[i].mesh] = (uint32_t)t->vertices;
        t->vertices += m->vertex_count;
        t->triangles += t->points ? 0 : m->primitive_count;
        t->lines += m->flags & STORE_HAS_LINES ? 1 : 0;
        if (t->vertices >= UINT32_MAX || t->triangles > UINT32_C(1) << 30)
            return fault_set(
                why,
                "%s: has more triangles than one mesh can: boxwood clash and info read such a store part "
                "by part",
                s->path);
    }
    return true;
}

static bool take_mesh(const taking *t, uint32_t mesh, store_buffer *buffer, model *m, fault *why)
{
    const store *s = t->s;
    store_geometry g;
    if (!store_read_as_is(s, mesh, buffer, &g, why))
        return false;
    const uint32_t first = t->first_vertex[mesh];
    for (uint32_t v = 0; v < g.view.vertex_count; v++) {
        bw_vec3 p = bw_mesh_vertex(&g.view, v);
        memcpy(m->positions + 3 * ((size_t)first + v), (double[3]){p.x, p.y, p.z}, sizeof p);
    }
    if (!t->points) {
        model_part *part = &m->parts[t->part_of[mesh]];
        const uint32_t triangles = g.view.triangle_count;
        *part = (model_part){
            .name = tool_copy(""), .first_triangle = m->triangle_count, .triangle_count = triangles};
        uint32_t last = BW_NONE;
        for (uint32_t i = 0; i < triangles; i++) {
            uint32_t face = g.faces ? g.faces[i] : i;
            size_t to = (size_t)m->triangle_count + i;
            part->face_count += face != last;
            m->faces[to] = last = face;
            if (m->triangle_lines)
                m->triangle_lines[to] = g.lines ? g.lines[i] : 0;
            for (size_t k = 0; k < 3; k++) {
                uint32_t index = g.view.indices[3 * (size_t)i + k];
                m->indices[3 * to + k] = index < g.view.vertex_count ? first + index : UINT32_MAX;
            }
        }
        m->triangle_count += triangles;
    }
    store_geometry_free(&g);
    return true;
}

char *store_part_path(const store *s, uint32_t part)
{
    const char *file = store_file_path(s, s->parts[part].file), *name = store_part_name(s, part);
    if (s->file_count == 1)
        return tool_copy(name);
    size_t size = strlen(file) + strlen(name) + 2;
    char *out = tool_alloc(size, 1);
    snprintf(out, size, "%s%s%s", file, *name ? "/" : "", name);
    return out;
}

static void take_places(const taking *t, model *m)
{
    const store *s = t->s;
    for (uint32_t i = 0; i < s->part_count; i++) {
        if (!taken(t, i))
            continue;
        const store_part *p = &s->parts[i];
        m->places[m->place_count++] =
            (model_place){.name = store_part_path(s, i),
                          .part = t->points ? BW_NONE : t->part_of[p->mesh],
                          .first_vertex = t->first_vertex[p->mesh],
                          .vertex_count = s->meshes[p->mesh].vertex_count,
                          .pose = p->pose == STORE_NONE ? bw_transform_identity() : s->poses[p->pose],
                          .moved = p->pose != STORE_NONE};
    }
}

static bool fill(taking *t, model *m, fault *why)
{
    const store *s = t->s;
    *m = (model){.file = tool_copy(s->path), .unit = s->tail.unit, .up = (model_up)s->tail.up};
    snprintf(m->format, sizeof m->format, "part store");
    m->vertex_count = (uint32_t)t->vertices;
    m->positions = tool_alloc((size_t)t->vertices, 3 * sizeof *m->positions);
    m->part_count = t->points ? 0 : t->meshes;
    if (!t->points) {
        m->parts = tool_alloc(t->meshes, sizeof *m->parts);
        memset(m->parts, 0, t->meshes * sizeof *m->parts);
        m->indices = tool_alloc((size_t)t->triangles, 3 * sizeof *m->indices);
        m->faces = tool_alloc((size_t)t->triangles, sizeof *m->faces);
        if (t->lines == t->meshes)
            m->triangle_lines = tool_alloc((size_t)t->triangles, sizeof *m->triangle_lines);
    }
    m->places = tool_alloc(t->places, sizeof *m->places);
    store_buffer buffer = {NULL, 0};
    bool fine = true;
    /* Meshes are numbered in the order in which parts first name them. */
    for (uint32_t i = 0, next = 0; i < s->part_count && fine; i++)
        if (taken(t, i) && t->part_of[s->parts[i].mesh] == next) {
            fine = take_mesh(t, s->parts[i].mesh, &buffer, m, why);
            next++;
        }
    free(buffer.bytes);
    if (fine)
        take_places(t, m);
    if (fine && t->left_points > 0)
        model_note(m, "%" PRIu32 " parts that are nothing but points are left out", t->left_points);
    if (!fine)
        model_free(m);
    return fine;
}

bool store_to_model(const char *path, const bw_box *near, model *out, fault *why)
{
    store s;
    if (!store_open(&s, path, why))
        return false;
    taking t = {.s = &s,
                .near = near,
                .part_of = tool_alloc(s.mesh_count, sizeof *t.part_of),
                .first_vertex = tool_alloc(s.mesh_count, sizeof *t.first_vertex)};
    memset(t.part_of, 0xff, s.mesh_count * sizeof *t.part_of);
    bool fine = count(&t, why);
    if (fine && t.places == 0)
        fine = fault_set(why, "%s: no part of it is there", path);
    fine = fine && fill(&t, out, why);
    free(t.part_of);
    free(t.first_vertex);
    store_close(&s);
    return fine;
}
