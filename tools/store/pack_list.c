/* What files hold, as meshes that are encoded and parts that stand somewhere. */
#include "store/pack_list.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void pack_file_read(pack_file *f)
{
    fault why;
    model *m = &f->body.model;
    bool fine = model_read_placed(f->path, m, &why);
    /* Points are one part wherever they stand. */
    if (fine && !m->indices)
        fine = model_flatten(m, &why);
    if (fine) {
        f->body.mesh = model_view(m);
        return;
    }
    f->why = tool_alloc(1, sizeof why);
    *f->why = why;
}

void pack_file_free(pack_file *f)
{
    if (!f->why)
        body_free(&f->body);
    free(f->why);
    *f = (pack_file){.path = NULL};
}

static int by_value(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Where the triangles of a part name few vertices of a wide range, these are collected, in their order. */
static void collect(const model *m, pack_mesh *mesh, size_t corners)
{
    uint32_t *used = tool_alloc(corners, sizeof *used);
    memcpy(used, mesh->indices, corners * sizeof *used);
    qsort(used, corners, sizeof *used, by_value);
    size_t count = 0;
    for (size_t i = 0; i < corners; i++)
        if (count == 0 || used[i] != used[count - 1])
            used[count++] = used[i];
    mesh->positions = tool_alloc(count, 3 * sizeof *mesh->positions);
    for (size_t i = 0; i < count; i++)
        memcpy(mesh->positions + 3 * i, m->positions + 3 * (size_t)used[i], 3 * sizeof *mesh->positions);
    for (size_t i = 0; i < corners; i++) {
        const uint32_t *at = bsearch(&mesh->indices[i], used, count, sizeof *used, by_value);
        mesh->indices[i] = (uint32_t)(at - used);
    }
    mesh->first_vertex = UINT32_MAX;
    mesh->source.view.positions = mesh->positions;
    mesh->source.view.vertex_count = (uint32_t)count;
    free(used);
}

/* A mesh has only the vertices it needs: those between the first and the last that its triangles name, or where these are
 * few, only themselves. With an index that names no vertex it keeps all of the file's. */
static void narrow(const model *m, pack_mesh *mesh)
{
    const size_t corners = 3 * (size_t)mesh->source.view.triangle_count;
    uint32_t low = UINT32_MAX, high = 0;
    mesh->indices = tool_alloc(corners > 0 ? corners : 1, sizeof *mesh->indices);
    memcpy(mesh->indices, mesh->source.view.indices, corners * sizeof *mesh->indices);
    mesh->source.view.indices = mesh->indices;
    for (size_t i = 0; i < corners; i++) {
        low = mesh->indices[i] < low ? mesh->indices[i] : low;
        high = mesh->indices[i] > high ? mesh->indices[i] : high;
    }
    if (corners == 0 || high >= m->vertex_count)
        return;
    if (high - low >= corners) {
        collect(m, mesh, corners);
        return;
    }
    for (size_t i = 0; i < corners; i++)
        mesh->indices[i] -= low;
    mesh->first_vertex = low;
    mesh->source.view.positions = m->positions + 3 * (size_t)low;
    mesh->source.view.vertex_count = high - low + 1;
}

static void add_mesh(pack_list *l, const pack_mesh *mesh)
{
    l->meshes = tool_grow(l->meshes, l->mesh_count, &l->mesh_capacity, sizeof *l->meshes);
    l->meshes[l->mesh_count++] = *mesh;
}

static void add_part(pack_list *l, pack_file *file, const pack_part *part)
{
    l->parts = tool_grow(l->parts, l->part_count, &l->part_capacity, sizeof *l->parts);
    l->parts[l->part_count] = *part;
    l->parts[l->part_count++].number = file->part_count++;
    pack_mesh *mesh = &l->meshes[part->mesh];
    mesh->source.pose = mesh->uses++ == 0 ? part->pose : NULL;
}

static void move_file(model *m, const bw_transform *map)
{
    if (!m->places) {
        model_transform(m, map);
        return;
    }
    for (uint32_t i = 0; i < m->place_count; i++) {
        m->places[i].pose = bw_transform_multiply(map, &m->places[i].pose);
        m->places[i].moved = true;
    }
}

static pack_mesh mesh_of(const model *m, uint32_t file, uint32_t part)
{
    const model_part *p = &m->parts[part];
    pack_mesh mesh = {.file = file,
                      .first_triangle = p->first_triangle,
                      .number = STORE_NONE,
                      .source.view = model_view(m)};
    mesh.source.view.indices += 3 * (size_t)p->first_triangle;
    mesh.source.view.triangle_count = p->triangle_count;
    mesh.source.faces = m->faces + p->first_triangle;
    mesh.source.lines = m->triangle_lines ? m->triangle_lines + p->first_triangle : NULL;
    narrow(m, &mesh);
    return mesh;
}

void pack_list_add(pack_list *l, uint32_t index, const bw_transform *map)
{
    pack_file *file = (pack_file *)&l->files[index];
    model *m = &file->body.model;
    file->first_part = l->part_count;
    file->part_count = 0;
    if (map)
        move_file(m, map);
    const uint32_t base = l->mesh_count;
    if (!m->indices) {
        add_mesh(l, &(pack_mesh){.file = index, .number = STORE_NONE, .source.view = model_view(m)});
        add_part(l, file, &(pack_part){.mesh = base, .name = ""});
        return;
    }
    for (uint32_t i = 0; i < m->part_count; i++) {
        pack_mesh mesh = mesh_of(m, index, i);
        add_mesh(l, &mesh);
        if (!m->places)
            add_part(l, file,
                     &(pack_part){
                         .mesh = base + i, .first_triangle = mesh.first_triangle, .name = m->parts[i].name});
    }
    uint64_t first_triangle = 0;
    for (uint32_t i = 0; m->places && i < m->place_count; i++) {
        const model_place *place = &m->places[i];
        if (place->part == BW_NONE)
            continue;
        add_part(l, file,
                 &(pack_part){.mesh = base + place->part,
                              .first_triangle = first_triangle,
                              .name = place->name,
                              .pose = place->moved ? &place->pose : NULL});
        first_triangle += m->parts[place->part].triangle_count;
    }
}

/* The first defect, where it stands in the file. */
static char *name_defect(const pack_list *l, const pack_mesh *mesh, bw_result result, const bw_fault *where)
{
    const pack_file *file = &l->files[mesh->file];
    fault first, why;
    if (result == BW_ERROR_EMPTY || result != bw_defect_result(where->defect)) {
        fault_set(&why, "%s: triangles from %" PRIu32 " on: %s", file->path, mesh->first_triangle,
                  bw_result_string(result));
        return tool_copy(why.text);
    }
    bw_fault at = *where;
    at.element += mesh->first_triangle;
    /* Of collected vertices the number is that of the part. */
    at.vertex +=
        mesh->first_vertex != UINT32_MAX && where->defect != BW_DEFECT_INDEX ? mesh->first_vertex : 0;
    body_defect(&file->body, &at, &first);
    fault_set(&why, "%.4000s (--quarantine leaves such triangles and points out)", first.text);
    return tool_copy(why.text);
}

static bool has_defects(const bw_mesh *view)
{
    bw_mesh_report r = {0};
    if (bw_mesh_validate(view, NULL, &r, NULL) != BW_OK)
        return true;
    return r.counts[BW_DEFECT_INDEX] + r.counts[BW_DEFECT_NAN] + r.counts[BW_DEFECT_INFINITE] +
               r.counts[BW_DEFECT_RANGE] >
           0;
}

void pack_mesh_encode(pack_list *l, uint32_t index)
{
    pack_mesh *mesh = &l->meshes[index];
    const bw_mesh *view = &mesh->source.view;
    if (mesh->uses == 0)
        return;
    if (bw_mesh_primitive_count(view) == 0 || has_defects(view)) {
        bw_fault where = {0};
        bw_tree_desc desc = {
            .builder = BW_BUILDER_FAST, .compact = true, .quarantine = l->quarantine ? BW_DEFECTS_FATAL : 0};
        bw_result result = bw_tree_create(&desc, view, &mesh->tree, &where);
        if (result != BW_OK) {
            mesh->why = name_defect(l, mesh, result, &where);
            return;
        }
        bw_tree_quarantine(mesh->tree, &mesh->source.left_out);
    }
    fault why;
    if (!store_encode(&mesh->source, l->trees, &mesh->block, &why)) {
        fault full;
        fault_set(&full, "%s: triangles from %" PRIu32 " on: %.500s", l->files[mesh->file].path,
                  mesh->first_triangle, why.text);
        mesh->why = tool_copy(full.text);
    }
}

/* The smallest box of the mapped corners of all primitives that are not left out. */
static bw_box placed_box(const pack_mesh *mesh, const bw_transform *pose)
{
    const bw_mesh *view = &mesh->source.view;
    uint32_t left_out = 0, next = 0;
    const uint32_t *quarantine = mesh->tree ? bw_tree_quarantine(mesh->tree, &left_out) : NULL;
    double ends[2][3] = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t i = 0; i < bw_mesh_primitive_count(view); i++) {
        if (next < left_out && quarantine[next] == i) {
            next++;
            continue;
        }
        bw_vec3 corners[3];
        bw_mesh_corners(view, i, corners);
        for (int k = 0; k < 3; k++) {
            bw_vec3 p = pose ? bw_transform_point(pose, corners[k]) : corners[k];
            const double c[3] = {p.x, p.y, p.z};
            for (int axis = 0; axis < 3; axis++) {
                ends[0][axis] = fmin(ends[0][axis], c[axis]);
                ends[1][axis] = fmax(ends[1][axis], c[axis]);
            }
        }
    }
    const bw_vec3 points[2] = {{ends[0][0], ends[0][1], ends[0][2]}, {ends[1][0], ends[1][1], ends[1][2]}};
    return bw_box_of_points(points, 2);
}

void pack_part_box(pack_list *l, uint32_t index)
{
    pack_part *part = &l->parts[index];
    const pack_mesh *mesh = &l->meshes[part->mesh];
    if (mesh->why)
        return;
    part->sound = true;
    for (int i = 0; i < 12 && part->pose; i++)
        part->sound &= isfinite(part->pose->m[i / 4][i % 4]);
    if (!part->sound)
        return;
    part->box = placed_box(mesh, part->pose);
    for (int k = 0; k < 3; k++)
        part->sound &=
            part->box.min[k] >= -(float)BW_COORDINATE_MAX && part->box.max[k] <= (float)BW_COORDINATE_MAX;
}

void pack_list_free(pack_list *l)
{
    for (uint32_t i = 0; i < l->mesh_count; i++) {
        pack_mesh *mesh = &l->meshes[i];
        free(mesh->block.bytes);
        free(mesh->indices);
        free(mesh->positions);
        free(mesh->why);
        bw_tree_destroy(mesh->tree);
    }
    free(l->meshes);
    free(l->parts);
    *l = (pack_list){.files = NULL};
}
