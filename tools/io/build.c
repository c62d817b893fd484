#include "io/build.h"

#include "io/triangulate.h"

#include <stdlib.h>
#include <string.h>

/* The library's own limit of primitives. */
#define MOST_TRIANGLES (UINT32_C(1) << 30)

build build_start(const char *file, const char *format, bool lines)
{
    build b = {.lines = lines, .label = BW_NONE};
    b.model.file = tool_copy(file);
    strncpy(b.model.format, format, sizeof b.model.format - 1);
    return b;
}

static void drop_scratch(build *b)
{
    free(b->corners);
    free(b->sizes);
    free(b->face_lines);
    free(b->part_faces);
    free(b->face_labels);
}

void build_drop(build *b)
{
    drop_scratch(b);
    model_free(&b->model);
}

bool build_vertex(build *b, bw_vec3 position, uint32_t line)
{
    model *m = &b->model;
    if (m->vertex_count == UINT32_MAX - 1)
        return false;
    if (m->vertex_count == b->vertex_capacity) {
        b->vertex_capacity = b->vertex_capacity < 64 ? 64 : 2 * b->vertex_capacity;
        m->positions = tool_resize(m->positions, b->vertex_capacity, 3 * sizeof *m->positions);
        if (b->lines)
            m->vertex_lines = tool_resize(m->vertex_lines, b->vertex_capacity, sizeof *m->vertex_lines);
    }
    double *p = m->positions + 3 * (size_t)m->vertex_count;
    p[0] = position.x;
    p[1] = position.y;
    p[2] = position.z;
    if (b->lines)
        m->vertex_lines[m->vertex_count] = line;
    m->vertex_count++;
    return true;
}

void build_part(build *b, const char *name)
{
    model *m = &b->model;
    if (m->part_count > 0 && b->part_faces[m->part_count - 1] == b->face_count) {
        free(m->parts[--m->part_count].name);
    } else {
        m->parts = tool_grow(m->parts, m->part_count, &b->part_capacity, sizeof *m->parts);
        b->part_faces =
            tool_grow(b->part_faces, m->part_count, &b->part_face_capacity, sizeof *b->part_faces);
    }
    m->parts[m->part_count] = (model_part){.name = tool_copy(name)};
    b->part_faces[m->part_count++] = b->face_count;
}

uint32_t build_label(build *b, const char *name)
{
    model *m = &b->model;
    if (m->label_count > 0 && strcmp(m->label_names[m->label_count - 1], name) == 0)
        return m->label_count - 1;
    m->label_names = tool_grow(m->label_names, m->label_count, &b->label_capacity, sizeof *m->label_names);
    m->label_names[m->label_count] = tool_copy(name);
    return m->label_count++;
}

/* Faces that came before the first label have none. */
static void label_face(build *b)
{
    while (b->face_label_count <= b->face_count) {
        b->face_labels =
            tool_grow(b->face_labels, b->face_label_count, &b->face_label_capacity, sizeof *b->face_labels);
        b->face_labels[b->face_label_count] = b->face_label_count < b->face_count ? BW_NONE : b->label;
        b->face_label_count++;
    }
}

void build_corner(build *b, uint32_t vertex)
{
    b->corners = tool_grow(b->corners, b->corner_count, &b->corner_capacity, sizeof *b->corners);
    b->corners[b->corner_count++] = vertex;
}

void build_face(build *b, uint32_t line)
{
    size_t size = b->corner_count - b->closed_corners;
    if (size < 3) {
        b->corner_count = b->closed_corners;
        *(size == 2 ? &b->model.losses.line_faces : &b->model.losses.point_faces) += size > 0;
        return;
    }
    if (b->model.part_count == 0)
        build_part(b, "");
    b->sizes = tool_grow(b->sizes, b->face_count, &b->face_capacity, sizeof *b->sizes);
    b->sizes[b->face_count] = size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
    if (b->lines) {
        b->face_lines =
            tool_grow(b->face_lines, b->face_count, &b->face_line_capacity, sizeof *b->face_lines);
        b->face_lines[b->face_count] = line;
    }
    if (b->model.label_count > 0)
        label_face(b);
    b->face_count++;
    b->closed_corners = b->corner_count;
}

typedef struct cutter {
    uint32_t capacity;
    bw_vec3 *points;
    uint32_t (*triangles)[3];
} cutter;

/* Cuts one face into m->indices from m->triangle_count on. */
static void cut_face(model *m, const uint32_t *corners, uint32_t size, cutter *c)
{
    uint32_t *out = m->indices + 3 * (size_t)m->triangle_count;
    if (size == 3) {
        memcpy(out, corners, 3 * sizeof *out);
        return;
    }
    if (size > c->capacity) {
        c->capacity = size;
        c->points = tool_resize(c->points, size, sizeof *c->points);
        c->triangles = tool_resize(c->triangles, size, sizeof *c->triangles);
    }
    bw_mesh view = model_view(m);
    bool sound = true;
    for (uint32_t i = 0; i < size && sound; i++) {
        sound = corners[i] < m->vertex_count;
        if (sound)
            c->points[i] = bw_mesh_vertex(&view, corners[i]);
    }
    /* A face with a bad vertex still becomes triangles, in some way, for validation to name. */
    if (!sound || !bw_exact_range(c->points, size)) {
        for (uint32_t i = 0; i + 2 < size; i++)
            memcpy(c->triangles[i], (uint32_t[3]){0, i + 1, i + 2}, sizeof *c->triangles);
    } else if (!triangulate(c->points, size, c->triangles)) {
        m->losses.bent_polygons++;
    }
    for (uint32_t i = 0; i + 2 < size; i++)
        for (int k = 0; k < 3; k++)
            out[3 * (size_t)i + (size_t)k] = corners[c->triangles[i][k]];
}

static void cut_faces(build *b, uint32_t total)
{
    model *m = &b->model;
    m->indices = tool_alloc(3 * (size_t)total, sizeof *m->indices);
    m->faces = tool_alloc(total, sizeof *m->faces);
    if (b->lines)
        m->triangle_lines = tool_alloc(total, sizeof *m->triangle_lines);
    if (b->face_labels)
        m->labels = tool_alloc(total, sizeof *m->labels);
    cutter tool = {0, NULL, NULL};
    const uint32_t *corners = b->corners;
    uint32_t part = 0;
    for (size_t f = 0; f < b->face_count; f++) {
        while (part + 1 < m->part_count && b->part_faces[part + 1] <= f)
            m->parts[++part].first_triangle = m->triangle_count;
        cut_face(m, corners, b->sizes[f], &tool);
        corners += b->sizes[f];
        for (uint32_t i = 0; i < b->sizes[f] - 2; i++) {
            m->faces[m->triangle_count] = (uint32_t)(f - b->part_faces[part]);
            if (b->lines)
                m->triangle_lines[m->triangle_count] = b->face_lines[f];
            if (b->face_labels)
                m->labels[m->triangle_count] = b->face_labels[f];
            m->triangle_count++;
        }
        m->parts[part].face_count++;
        m->parts[part].triangle_count += b->sizes[f] - 2;
    }
    free(tool.points);
    free(tool.triangles);
}

typedef struct named {
    char *name;
    uint32_t number;
} named;

static int by_name(const void *a, const void *b)
{
    return strcmp(((const named *)a)->name, ((const named *)b)->name);
}

/* Sorts the labels and keeps each name once. */
static void join_labels(build *b)
{
    model *m = &b->model;
    if (m->label_count == 0)
        return;
    named *all = tool_alloc(m->label_count, sizeof *all);
    uint32_t *place = tool_alloc(m->label_count, sizeof *place), kept = 0;
    for (uint32_t i = 0; i < m->label_count; i++)
        all[i] = (named){m->label_names[i], i};
    qsort(all, m->label_count, sizeof *all, by_name);
    for (uint32_t i = 0; i < m->label_count; i++) {
        if (kept > 0 && strcmp(all[i].name, m->label_names[kept - 1]) == 0)
            free(all[i].name);
        else
            m->label_names[kept++] = all[i].name;
        place[all[i].number] = kept - 1;
    }
    m->label_count = kept;
    for (size_t f = 0; f < b->face_label_count; f++)
        if (b->face_labels[f] != BW_NONE)
            b->face_labels[f] = place[b->face_labels[f]];
    free(all);
    free(place);
}

bool build_finish(build *b, model *out, fault *why)
{
    model *m = &b->model;
    if (m->part_count > 0 && b->part_faces[m->part_count - 1] == b->face_count)
        free(m->parts[--m->part_count].name);
    uint64_t total = 0;
    for (size_t f = 0; f < b->face_count; f++)
        total += b->sizes[f] - 2;
    bool fine = true;
    if (total > MOST_TRIANGLES)
        fine = fault_set(why, "%s: more than 2^30 triangles", m->file);
    else if (m->vertex_count == 0)
        fine = fault_set(why, "%s: no vertices", m->file);
    else if (total == 0 && m->losses.line_faces > 0)
        fine = fault_set(why, "%s: no triangles, only lines", m->file);
    if (!fine) {
        build_drop(b);
        return false;
    }
    join_labels(b);
    if (total > 0)
        cut_faces(b, (uint32_t)total);
    else
        m->losses.point_faces = 0; /* a point cloud is its vertices */
    drop_scratch(b);
    *out = *m;
    memset(b, 0, sizeof *b);
    return true;
}
