/* From files to meshes and parts; and what parts and their triangles are called. */
#include "assembly.h"

#include "progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static assembly_mesh *add_mesh(assembly *a, const assembly_mesh *mesh)
{
    a->meshes = tool_grow(a->meshes, a->mesh_count, &a->mesh_capacity, sizeof *a->meshes);
    a->meshes[a->mesh_count] = *mesh;
    return &a->meshes[a->mesh_count++];
}

static void add_part(assembly *a, const assembly_part *part)
{
    a->parts = tool_grow(a->parts, a->part_count, &a->part_capacity, sizeof *a->parts);
    a->parts[a->part_count++] = *part;
    a->meshes[part->mesh].uses++;
    a->files[part->file].part_count++;
}

/* Narrows a view to the vertices between the first and the last that its triangles name, so that work on a
 * part is in proportion to it. Sound indices are numbered again in the model; with an index that names no
 * vertex the view stays as wide as the file. */
static void narrow(model *m, assembly_mesh *mesh)
{
    uint32_t *index = m->indices + 3 * (size_t)mesh->first_triangle;
    size_t count = 3 * (size_t)mesh->view.triangle_count;
    uint32_t low = UINT32_MAX, high = 0;
    for (size_t i = 0; i < count; i++) {
        low = index[i] < low ? index[i] : low;
        high = index[i] > high ? index[i] : high;
    }
    if (count == 0 || high >= m->vertex_count)
        return;
    for (size_t i = 0; i < count; i++)
        index[i] -= low;
    mesh->first_vertex = low;
    mesh->view.positions = m->positions + 3 * (size_t)low;
    mesh->view.vertex_count = high - low + 1;
}

static void add_model(assembly *a, uint32_t file)
{
    model *m = &a->files[file].body.model;
    uint32_t base = a->mesh_count;
    if (!m->indices) {
        add_mesh(a, &(assembly_mesh){.file = file, .view = model_view(m)});
        add_part(a, &(assembly_part){.file = file, .mesh = base, .name = ""});
        return;
    }
    for (uint32_t i = 0; i < m->part_count; i++) {
        assembly_mesh mesh = {
            .file = file, .first_triangle = m->parts[i].first_triangle, .view = model_view(m)};
        mesh.view.indices += 3 * (size_t)mesh.first_triangle;
        mesh.view.triangle_count = m->parts[i].triangle_count;
        narrow(m, &mesh);
        add_mesh(a, &mesh);
        if (!m->places)
            add_part(a, &(assembly_part){.file = file,
                                         .number = i,
                                         .first_triangle = mesh.first_triangle,
                                         .mesh = base + i,
                                         .name = m->parts[i].name});
    }
    uint32_t number = 0;
    uint64_t first_triangle = 0;
    for (uint32_t i = 0; m->places && i < m->place_count; i++) {
        const model_place *place = &m->places[i];
        if (place->part == BW_NONE)
            continue;
        add_part(a, &(assembly_part){.file = file,
                                     .number = number++,
                                     .first_triangle = first_triangle,
                                     .mesh = base + place->part,
                                     .name = place->name,
                                     .pose = place->moved ? &place->pose : NULL});
        first_triangle += m->parts[place->part].triangle_count;
    }
}

static void bake_vertices(model *m, const assembly_mesh *mesh, const bw_transform *pose)
{
    for (size_t v = 0; v < mesh->view.vertex_count; v++) {
        double *p = m->positions + 3 * (mesh->first_vertex + v);
        bw_vec3 q = bw_transform_point(pose, (bw_vec3){p[0], p[1], p[2]});
        memcpy(p, (double[3]){q.x, q.y, q.z}, sizeof q);
    }
}

/* Vertices of placed meshes belong to one mesh each, so one that stands in a single place can be put there.
 */
static void bake(assembly *a)
{
    for (uint32_t i = 0; i < a->part_count; i++) {
        assembly_part *part = &a->parts[i];
        assembly_mesh *mesh = &a->meshes[part->mesh];
        if (!part->pose || mesh->uses > 1)
            continue;
        model *m = &a->files[mesh->file].body.model;
        /* A bad index leaves the view wide; such a mesh is refused, or loses those triangles, but its
         * neighbours must stay: the mesh keeps its pose. */
        if (mesh->view.vertex_count == m->vertex_count && a->files[mesh->file].part_count > 1)
            continue;
        bake_vertices(m, mesh, part->pose);
        part->pose = NULL;
    }
}

/* Maps a file as a whole: the places of its meshes, or where it has none its vertices. */
static void map_file(assembly *a, uint32_t file, const bw_transform *map)
{
    model *m = &a->files[file].body.model;
    if (!m->places) {
        model_transform(m, map);
        return;
    }
    uint32_t part = a->files[file].first_part;
    for (uint32_t i = 0; i < m->place_count; i++) {
        model_place *place = &m->places[i];
        place->pose = bw_transform_multiply(map, &place->pose);
        place->moved = true;
        if (place->part != BW_NONE)
            a->parts[part++].pose = &place->pose;
    }
}

static void bring_together(assembly *a, const unit_wish *wish)
{
    const model **models = tool_alloc(a->file_count, sizeof *models);
    for (uint32_t i = 0; i < a->file_count; i++)
        models[i] = a->files[i].error ? NULL : &a->files[i].body.model;
    units common;
    units_decide(models, (int)a->file_count, wish, &common);
    for (uint32_t i = 0; i < a->file_count; i++)
        if (models[i] && common.moved[i])
            map_file(a, i, &common.maps[i]);
    a->unit = common.unit;
    a->up = common.up;
    units_free(&common);
    free(models);
}

static bool read_file(assembly *a, uint32_t file, fault *why)
{
    assembly_file *f = &a->files[file];
    body b = {.tree = NULL};
    progress_step("reading %s (%" PRIu32 " of %" PRIu32 ")", f->path, file + 1, a->file_count);
    bool fine = model_read_placed(f->path, &b.model, why);
    /* Points are one part wherever they stand. */
    if (fine && !b.model.indices)
        fine = model_flatten(&b.model, why);
    if (!fine)
        return false;
    model_warn(&b.model);
    b.mesh = model_view(&b.model);
    f->body = b;
    f->first_part = a->part_count;
    add_model(a, file);
    return true;
}

bool assembly_read(assembly *a, const char *const *files, uint32_t count, const assembly_desc *desc,
                   fault *why)
{
    *a = (assembly){.files = tool_alloc(count, sizeof *a->files), .file_count = count};
    for (uint32_t i = 0; i < count; i++)
        a->files[i] = (assembly_file){.path = files[i]};
    for (uint32_t i = 0; i < count; i++) {
        if (read_file(a, i, why))
            continue;
        if (!desc->keep_going)
            return false;
        warn("%s; skipped", why->text);
        a->files[i].error = tool_copy(why->text);
        a->skipped_files++;
    }
    progress_end();
    if (a->part_count == 0)
        return fault_set(why, "none of the files could be read");
    bring_together(a, desc->units);
    bake(a);
    return true;
}

void assembly_free(assembly *a)
{
    for (uint32_t i = 0; a->meshes && i < a->mesh_count; i++)
        bw_tree_destroy(a->meshes[i].tree);
    for (uint32_t i = 0; i < a->file_count; i++) {
        body_free(&a->files[i].body);
        free(a->files[i].error);
    }
    store_cache_destroy(a->cache);
    if (a->store)
        store_close(a->store);
    free(a->store);
    free(a->closed);
    free(a->meshes);
    free(a->parts);
    free(a->files);
    *a = (assembly){.files = NULL};
}

void assembly_name(const assembly *a, uint32_t part, char *out, size_t size)
{
    const assembly_part *p = &a->parts[part];
    const assembly_file *f = &a->files[p->file];
    if (f->part_count == 1)
        snprintf(out, size, "%s", f->path);
    else if (*p->name)
        snprintf(out, size, "%s:%s", f->path, p->name);
    else
        snprintf(out, size, "%s part %" PRIu32, f->path, p->number);
}

void assembly_corners(const assembly *a, uint32_t part, uint32_t primitive, bw_vec3 out[3])
{
    const assembly_part *p = &a->parts[part];
    bw_mesh_corners(&a->meshes[p->mesh].view, primitive, out);
    for (int k = 0; k < 3 && p->pose; k++)
        out[k] = bw_transform_point(p->pose, out[k]);
}
