/* boxwood info: what is in a file, what is wrong with it, and the tree over it. */
#include "commands.h"
#include "inspect.h"
#include "printable.h"
#include "store/describe.h"
#include "table.h"
#include "units.h"

#include <inttypes.h>
#include <string.h>

static const option_spec options[] = {{"parts", NULL, "list the meshes of each file"},
                                      {"verify", NULL, "of part stores: read and check every mesh, too"},
                                      {"json", NULL, "print one JSON document"},
                                      {NULL, NULL, NULL}};

static void print_bounds(const bounds *r)
{
    if (r->min[0] <= r->max[0])
        printf("(%g, %g, %g) to (%g, %g, %g)", r->min[0], r->min[1], r->min[2], r->max[0], r->max[1],
               r->max[2]);
    else
        printf("none");
}

static void print_defects(const inspection *r)
{
    cell c;
    uint32_t bad = r->defects.defective;
    if (bad == 0) {
        puts("  defects   none");
        return;
    }
    printf("  defects   %s %.*s\n", count_cell(&c, bad), (int)strlen(body_kind(&r->body)) - (bad == 1),
           body_kind(&r->body));
    for (int kind = 1; kind < BW_DEFECT_COUNT; kind++) {
        if (r->defects.counts[kind] == 0)
            continue;
        fault first;
        body_defect(&r->body, &r->firsts[kind], &first);
        printf("    %s: %s, the first: %s\n", bw_defect_string((bw_defect)kind),
               count_cell(&c, r->defects.counts[kind]), printable(first.text));
    }
}

static void print_edges(const inspection *r)
{
    cell c[4];
    const edges *e = &r->edges;
    uint32_t doubled = r->body.mesh.vertex_count - r->view.places;
    printf("  edges     %s, at a boundary: %s, of more than two triangles: %s; %s\n",
           count_cell(&c[0], e->count), count_cell(&c[1], e->boundary), count_cell(&c[2], e->nonmanifold),
           edges_word(e));
    if (doubled > 0)
        printf("            (vertices that repeat a position, taken as one with the first: %s)\n",
               count_cell(&c[3], doubled));
}

static void print_tree(const inspection *r)
{
    cell c[3];
    const bw_tree_stats *s = &r->stats;
    if (!r->tree) {
        printf("  tree      none: %s\n", printable(r->why.text));
        return;
    }
    printf("  tree      nodes: %s, depth: %" PRIu32 " (mean %.1f), SAH cost: %.4g\n",
           count_cell(&c[0], s->nodes), s->depth, s->mean_leaf_depth, s->sah_cost);
    printf("            %s, %.1f bytes per %.*s, built in %s\n", bytes_cell(&c[1], (double)s->bytes),
           (double)s->bytes / s->primitives, (int)strlen(body_kind(&r->body)) - 1, body_kind(&r->body),
           time_cell(&c[2], r->body.build_seconds));
    if (s->quarantined > 0)
        printf("            %s with defects, left out: %s\n", body_kind(&r->body),
               count_cell(&c[0], s->quarantined));
}

static bool print_parts(inspection *r, fault *why)
{
    for (uint32_t i = 0; i < r->body.model.part_count; i++) {
        const model_part *part = &r->body.model.parts[i];
        bounds box = bounds_of(&r->body, part->first_triangle, part->triangle_count);
        edges e;
        if (!edges_of(&r->view, part->first_triangle, part->triangle_count, &e, why))
            return false;
        cell c[2];
        printf("  mesh      \"%s\": %s triangles of %s faces, from triangle %" PRIu32 ", %s\n            ",
               printable(part->name), count_cell(&c[0], part->triangle_count),
               count_cell(&c[1], part->face_count), part->first_triangle, edges_word(&e));
        print_bounds(&box);
        putchar('\n');
    }
    return true;
}

static void print_units(const model *m)
{
    char name[32];
    if (m->unit > 0)
        printf("  units     %s%s", units_name(m->unit, name), m->up != MODEL_UP_UNKNOWN ? ", " : "\n");
    if (m->up != MODEL_UP_UNKNOWN)
        printf("%s%s is up\n", m->unit > 0 ? "" : "  axes      ", units_axis(m->up));
}

static void print_clips(const model *m)
{
    cell c[2];
    for (uint32_t i = 0; i < m->clip_count; i++)
        printf("  clip %-4" PRIu32 " \"%s\": %g to %g s, channels: %s, keys: %s\n", i + 1,
               printable(m->clips[i].name), m->clips[i].begin, m->clips[i].end,
               count_cell(&c[0], m->clips[i].channels), count_cell(&c[1], m->clips[i].keys));
}

static bool print_text(inspection *r, bool parts, fault *why)
{
    cell c[3];
    const model *m = &r->body.model;
    printf("%s (%s)\n", printable(m->file), printable(m->format));
    printf("  size      vertices: %s", count_cell(&c[0], m->vertex_count));
    if (m->indices)
        printf(", triangles: %s, meshes: %s\n", count_cell(&c[1], m->triangle_count),
               count_cell(&c[2], m->part_count));
    else
        puts(", triangles: none (a point cloud)");
    printf("  bounds    ");
    print_bounds(&r->bounds);
    putchar('\n');
    print_units(m);
    print_clips(m);
    print_defects(r);
    if (r->defects.unused_vertices > 0)
        printf("  unused    vertices that no triangle names: %s\n",
               count_cell(&c[0], r->defects.unused_vertices));
    if (m->indices)
        print_edges(r);
    print_tree(r);
    return !parts || print_parts(r, why);
}

static void json_bounds(json_writer *j, const bounds *r)
{
    jw_flat_object(j, "bounds");
    jw_vec3(j, "min", (bw_vec3){r->min[0], r->min[1], r->min[2]});
    jw_vec3(j, "max", (bw_vec3){r->max[0], r->max[1], r->max[2]});
    jw_object_end(j);
}

static void json_edges(json_writer *j, const edges *e)
{
    jw_flat_object(j, "edges");
    jw_count(j, "count", e->count);
    jw_count(j, "boundary", e->boundary);
    jw_count(j, "nonmanifold", e->nonmanifold);
    jw_bool(j, "closed", e->closed);
    jw_bool(j, "oriented", e->oriented);
    jw_object_end(j);
}

static void json_defects(json_writer *j, const inspection *r)
{
    jw_array(j, "defects");
    for (int kind = 1; kind < BW_DEFECT_COUNT; kind++) {
        if (r->defects.counts[kind] == 0)
            continue;
        fault first;
        body_defect(&r->body, &r->firsts[kind], &first);
        jw_object(j, NULL);
        jw_string(j, "defect", bw_defect_string((bw_defect)kind));
        jw_count(j, "count", r->defects.counts[kind]);
        body_json(&r->body, r->firsts[kind].element, j, "first");
        jw_string(j, "message", first.text);
        jw_object_end(j);
    }
    jw_array_end(j);
}

static void json_tree(json_writer *j, const inspection *r)
{
    const bw_tree_stats *s = &r->stats;
    jw_object(j, "tree");
    if (r->tree) {
        jw_count(j, "primitives", s->primitives);
        jw_count(j, "quarantined", s->quarantined);
        jw_count(j, "nodes", s->nodes);
        jw_count(j, "leaves", s->leaves);
        jw_count(j, "depth", s->depth);
        jw_number(j, "mean_leaf_depth", s->mean_leaf_depth);
        jw_number(j, "sah_cost", s->sah_cost);
        jw_count(j, "bytes", s->bytes);
        jw_number(j, "bytes_per_primitive", (double)s->bytes / s->primitives);
        jw_number(j, "build_seconds", r->body.build_seconds);
    } else {
        jw_string(j, "error", r->why.text);
    }
    jw_object_end(j);
}

static bool json_parts(json_writer *j, inspection *r, fault *why)
{
    jw_array(j, "parts");
    bool fine = true;
    for (uint32_t i = 0; i < r->body.model.part_count && fine; i++) {
        const model_part *part = &r->body.model.parts[i];
        bounds box = bounds_of(&r->body, part->first_triangle, part->triangle_count);
        edges e;
        fine = edges_of(&r->view, part->first_triangle, part->triangle_count, &e, why);
        if (!fine)
            break;
        jw_object(j, NULL);
        jw_string(j, "mesh", part->name);
        jw_count(j, "first_triangle", part->first_triangle);
        jw_count(j, "triangles", part->triangle_count);
        jw_count(j, "faces", part->face_count);
        json_bounds(j, &box);
        json_edges(j, &e);
        jw_object_end(j);
    }
    jw_array_end(j);
    return fine;
}

static void json_clips(json_writer *j, const model *m)
{
    jw_array(j, "clips");
    for (uint32_t i = 0; i < m->clip_count; i++) {
        jw_object(j, NULL);
        jw_string(j, "name", m->clips[i].name);
        jw_number(j, "begin", m->clips[i].begin);
        jw_number(j, "end", m->clips[i].end);
        jw_count(j, "channels", m->clips[i].channels);
        jw_count(j, "keys", m->clips[i].keys);
        jw_object_end(j);
    }
    jw_array_end(j);
}

static bool print_json(json_writer *j, inspection *r, bool parts, fault *why)
{
    const model *m = &r->body.model;
    jw_string(j, "format", m->format);
    jw_string(j, "kind", body_kind(&r->body));
    jw_count(j, "vertices", m->vertex_count);
    jw_count(j, "triangles", m->triangle_count);
    jw_count(j, "meshes", m->part_count);
    json_bounds(j, &r->bounds);
    units_json(m->unit, m->up, j);
    json_clips(j, m);
    jw_count(j, "defective", r->defects.defective);
    json_defects(j, r);
    jw_count(j, "unused_vertices", r->defects.unused_vertices);
    if (m->indices) {
        jw_count(j, "positions", r->view.places);
        json_edges(j, &r->edges);
    }
    json_tree(j, r);
    return !parts || json_parts(j, r, why);
}

/* Of a store everything is told without reading its meshes. */
static bool print_store(const char *file, const args *given, json_writer *j, fault *why)
{
    store s;
    const bool verify = args_given(given, "verify"), parts = args_given(given, "parts");
    if (!store_open(&s, file, why))
        return false;
    bool fine = !verify || store_verify(&s, why);
    if (fine && j)
        store_json(&s, parts, verify, j);
    else if (fine)
        store_print(&s, parts, verify);
    store_close(&s);
    return fine;
}

static bool print_file(const char *file, const args *given, json_writer *j, fault *why)
{
    inspection r;
    if (store_is(file))
        return print_store(file, given, j, why);
    bool fine = inspect(file, &r, why), parts = args_given(given, "parts");
    if (fine)
        fine = j ? print_json(j, &r, parts, why) : print_text(&r, parts, why);
    inspection_free(&r);
    return fine;
}

static int run(const args *given)
{
    bool as_json = args_given(given, "json");
    int result = 0;
    json_writer j = jw_start(stdout);
    if (as_json) {
        jw_object(&j, NULL);
        jw_array(&j, "files");
    }
    for (int i = 0; i < given->count; i++) {
        fault why;
        if (as_json) {
            jw_object(&j, NULL);
            jw_string(&j, "file", given->names[i]);
        } else if (i > 0) {
            putchar('\n');
        }
        if (!print_file(given->names[i], given, as_json ? &j : NULL, &why)) {
            result = complain("%s", why.text);
            if (as_json)
                jw_string(&j, "error", why.text);
        }
        if (as_json)
            jw_object_end(&j);
    }
    if (as_json) {
        jw_array_end(&j);
        jw_object_end(&j);
        jw_finish(&j);
    }
    return result;
}

const command command_info = {
    "info",
    "what is in a file, what is wrong with it, and the tree over it",
    "FILE... [--parts] [--verify] [--json]",
    "Prints for each file: vertices and triangles, bounds, the unit and the up axis where the\n"
    "file states them, animations with their lengths and channels, defects by kind with the\n"
    "first offender of each, edges (closed, boundary, shared by more than two triangles) and the\n"
    "tree's size, depth, cost and build time. For edges, vertices of exactly equal position\n"
    "count as one. Triangles, faces and vertices are numbered from 0, lines from 1. Of a part store\n"
    "the tables are read: parts, meshes, bytes, bounds; --verify reads and checks every mesh.",
    options,
    "examples:\n"
    "  boxwood info bunny.obj\n"
    "  boxwood info assembly.glb --parts\n"
    "  boxwood info *.stl --json\n"
    "  boxwood info plant.bws --verify\n"
    "\n"
    "exit codes: 0 all files were read, 2 one was not, or another error\n",
    1,
    -1,
    run};
