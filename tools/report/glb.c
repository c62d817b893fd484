/* A report as a binary glTF 2.0 scene (Khronos, glTF 2.0 Specification, sections 3 and 4). Positions are floats about
 * the centre of their mesh, which the node moves into place: they stay sharp far from the origin. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "report/glb.h"

#include "output.h"
#include "progress.h"
#include "report/glb_json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is in the file ---- */

static uint32_t add_accessor(glb_scene *w, const glb_accessor *accessor)
{
    w->accessors = tool_grow(w->accessors, w->accessor_count, &w->accessor_capacity, sizeof *w->accessors);
    w->accessors[w->accessor_count] = *accessor;
    return (uint32_t)w->accessor_count++;
}

static uint32_t add_positions(glb_scene *w, const float *positions, size_t count)
{
    glb_accessor a = {.offset = w->positions.count, .count = count};
    for (int k = 0; k < 3; k++)
        a.low[k] = a.high[k] = positions[k];
    for (size_t i = 0; i < 3 * count; i++) {
        a.low[i % 3] = fminf(a.low[i % 3], positions[i]);
        a.high[i % 3] = fmaxf(a.high[i % 3], positions[i]);
    }
    pack_bytes(&w->positions, positions, 12 * count);
    return add_accessor(w, &a);
}

static uint32_t add_mesh(glb_scene *w, const glb_mesh *mesh)
{
    w->meshes = tool_grow(w->meshes, w->mesh_count, &w->mesh_capacity, sizeof *w->meshes);
    w->meshes[w->mesh_count] = *mesh;
    return (uint32_t)w->mesh_count++;
}

static glb_node *add_node(glb_scene *w, const char *name)
{
    w->nodes = tool_grow(w->nodes, w->node_count, &w->node_capacity, sizeof *w->nodes);
    glb_node *node = &w->nodes[w->node_count++];
    *node = (glb_node){.name = name, .mesh = BW_NONE};
    return node;
}

/* Positions and indices of a mesh, or BW_NONE where there is nothing. */
static glb_mesh add_geometry(glb_scene *w, const report_geometry *g)
{
    glb_mesh mesh = {BW_NONE, BW_NONE, g->indices ? GLB_TRIANGLES : GLB_POINTS, GLB_GREY};
    if (g->vertex_count == 0 || (g->indices && g->triangle_count == 0))
        return mesh;
    mesh.positions = add_positions(w, g->positions, g->vertex_count);
    if (g->indices) {
        mesh.indices = add_accessor(w, &(glb_accessor){.indices = true,
                                                       .offset = w->indices.count,
                                                       .count = 3 * (size_t)g->triangle_count});
        pack_bytes(&w->indices, g->indices, 12 * (size_t)g->triangle_count);
    }
    return mesh;
}

/* Whether a node may have this pose: turned, moved and scaled along its own axes, nothing else. */
static bool simple(const bw_transform *t)
{
    double dots[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            dots[i][j] = t->m[0][i] * t->m[0][j] + t->m[1][i] * t->m[1][j] + t->m[2][i] * t->m[2][j];
    double least = fmin(dots[0][0], fmin(dots[1][1], dots[2][2]));
    return least > 0 && fabs(dots[0][1]) <= 1e-9 * sqrt(dots[0][0] * dots[1][1]) &&
           fabs(dots[0][2]) <= 1e-9 * sqrt(dots[0][0] * dots[2][2]) &&
           fabs(dots[1][2]) <= 1e-9 * sqrt(dots[1][1] * dots[2][2]);
}

/* The geometry with the pose in its positions. */
static void bake(report_geometry *g, const bw_transform *pose)
{
    bw_vec3 centre = bw_transform_point(pose, g->centre);
    for (size_t v = 0; v < g->vertex_count; v++) {
        float *p = g->positions + 3 * v;
        const double from[3] = {(double)p[0], (double)p[1], (double)p[2]};
        for (int r = 0; r < 3; r++)
            p[r] = (float)(pose->m[r][0] * from[0] + pose->m[r][1] * from[1] + pose->m[r][2] * from[2]);
    }
    g->centre = centre;
}

static void add_parts(glb_scene *w, double time)
{
    const report *r = w->report;
    int8_t *colours = tool_alloc(r->part_count, 1);
    report_colour_parts(r, colours);
    uint32_t(*made)[REPORT_COLOURS + 1] = tool_alloc(r->mesh_count, sizeof *made); /* by mesh and material */
    memset(made, 0xff, r->mesh_count * sizeof *made);
    uint32_t *first = tool_alloc(r->mesh_count, sizeof *first); /* any of them: it has the accessors */
    memset(first, 0xff, r->mesh_count * sizeof *first);
    bw_vec3 *centres = tool_alloc(r->mesh_count, sizeof *centres);
    for (uint32_t i = 0; i < r->part_count; i++) {
        const report_part *part = &r->parts[i];
        int material = colours[i] < 0 ? GLB_GREY : colours[i];
        bool baked = part->posed && !simple(&part->pose);
        uint32_t number = baked ? BW_NONE : made[part->mesh][material];
        bw_vec3 centre = centres[part->mesh];
        if (number == BW_NONE && !baked && first[part->mesh] != BW_NONE) {
            glb_mesh mesh = w->meshes[first[part->mesh]];
            mesh.material = material;
            number = add_mesh(w, &mesh);
        } else if (number == BW_NONE) {
            report_geometry g = report_geometry_of(r, part->mesh, time);
            if (baked)
                bake(&g, &part->pose);
            glb_mesh mesh = add_geometry(w, &g);
            mesh.material = material;
            centre = g.centre;
            report_geometry_free(&g);
            number = mesh.positions == BW_NONE ? BW_NONE : add_mesh(w, &mesh);
            if (!baked) {
                first[part->mesh] = number;
                centres[part->mesh] = centre;
            }
        }
        if (!baked)
            made[part->mesh][material] = number;
        glb_node *node = add_node(w, part->name);
        node->mesh = number;
        node->at = centre;
        if (part->posed && !baked) {
            node->matrix = true;
            for (int k = 0; k < 3; k++)
                memcpy(node->m[k], part->pose.m[k], sizeof node->m[k]);
            node->at = bw_transform_point(&part->pose, centre);
        }
    }
    free(centres);
    free(first);
    free(made);
    free(colours);
}

/* Of a film, the segments of the moment that is shown. */
static void add_curves(glb_scene *w, double time)
{
    const report *r = w->report;
    for (size_t i = 0; i < r->finding_count; i++) {
        const report_finding *f = &r->findings[i];
        size_t from = 0, count = f->segment_count;
        if (f->moment_count > 0) {
            count = 0;
            for (size_t k = 0; k < f->moment_count; k++)
                if (f->moments[k].time <= time && time <= f->to) {
                    from = f->moments[k].first_segment;
                    count = f->moments[k].segment_count;
                }
        }
        glb_node *node = add_node(w, NULL);
        node->finding = i;
        node->at = f->place;
        if (count == 0)
            continue;
        float *positions = tool_alloc(count, 6 * sizeof *positions);
        for (size_t k = 0; k < 2 * count; k++) {
            bw_vec3 p = f->segments[from + k / 2].ends[k % 2];
            positions[3 * k] = (float)(p.x - f->place.x);
            positions[3 * k + 1] = (float)(p.y - f->place.y);
            positions[3 * k + 2] = (float)(p.z - f->place.z);
        }
        node->mesh =
            add_mesh(w, &(glb_mesh){add_positions(w, positions, 2 * count), BW_NONE, GLB_LINES, GLB_CONTACT});
        free(positions);
    }
}

/* ---- the file ---- */

static void put_word(uint32_t word, FILE *out)
{
    for (int k = 0; k < 4; k++)
        fputc((int)(word >> (8 * k) & 255), out);
}

static bool write_file(const glb_scene *w, const char *text, size_t text_size, FILE *out, fault *why)
{
    size_t padded = (text_size + 3) & ~(size_t)3, bytes = w->positions.count + w->indices.count;
    size_t total = 12 + 8 + padded + (bytes > 0 ? 8 + bytes : 0);
    if (total > UINT32_MAX)
        return fault_set(why, "a binary glTF file holds at most 4 GB, and this scene is of %.1f GB",
                         (double)total / 1e9);
    put_word(0x46546C67, out);
    put_word(2, out);
    put_word((uint32_t)total, out);
    put_word((uint32_t)padded, out);
    put_word(0x4E4F534A, out);
    fwrite(text, 1, text_size, out);
    for (size_t i = text_size; i < padded; i++)
        fputc(' ', out);
    if (bytes > 0) {
        put_word((uint32_t)bytes, out);
        put_word(0x004E4942, out);
        fwrite(w->positions.bytes, 1, w->positions.count, out);
        if (w->indices.count > 0)
            fwrite(w->indices.bytes, 1, w->indices.count, out);
    }
    return !ferror(out);
}

bool report_write_glb(const report *r, FILE *out, fault *why)
{
    glb_scene w = {.report = r};
    *why->text = 0;
    double time = r->finding_count > 0 && r->findings[0].timed ? r->findings[0].deepest : r->begin;
    add_parts(&w, time);
    add_curves(&w, time);
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (memory)
        glb_json_write(&w, memory);
    bool fine = memory && !ferror(memory);
    if (memory && fclose(memory) != 0)
        fine = false;
    fine = fine ? write_file(&w, text, size, out, why) : fault_set(why, "no memory for the list of nodes");
    free(text);
    pack_free(&w.positions);
    pack_free(&w.indices);
    free(w.accessors);
    free(w.meshes);
    free(w.nodes);
    return fine;
}

bool report_glb_file(const report *r, const char *file, fault *why)
{
    FILE *out = output_open(file, why);
    if (!out)
        return false;
    progress_step("writing %s", file);
    fault inner;
    bool whole = report_write_glb(r, out, &inner);
    progress_end();
    if (output_close(out, file, whole, why))
        return true;
    if (*inner.text)
        fault_set(why, "%s: %.4000s", file, inner.text);
    return false;
}
