/* A store for people and for programs. */
#include "store/describe.h"

#include "io/model.h"
#include "printable.h"
#include "progress.h"
#include "table.h"
#include "units.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

bool store_verify(const store *s, fault *why)
{
    store_buffer buffer = {NULL, 0};
    bool fine = true;
    progress_step("checking %" PRIu32 " meshes of %s", s->mesh_count, s->path);
    progress_total(s->mesh_count);
    for (uint32_t i = 0; i < s->mesh_count && fine; i++) {
        store_geometry g;
        bw_tree *tree = NULL;
        fine = store_read(s, i, &buffer, &g, why);
        if (!fine)
            break;
        fine = store_tree(s, i, &g, &tree, why);
        bw_tree_destroy(tree);
        store_geometry_free(&g);
        progress_done(1);
    }
    progress_end();
    free(buffer.bytes);
    return fine;
}

typedef struct sums {
    uint64_t stored;  /* triangles and points of the meshes, each once */
    uint64_t doubles; /* meshes in doubles */
    uint64_t trees, shared;
    bw_box box;
} sums;

static sums sum_up(const store *s)
{
    sums r = {.box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}};
    for (uint32_t i = 0; i < s->mesh_count; i++) {
        const store_mesh *m = &s->meshes[i];
        r.stored += m->primitive_count;
        r.doubles += (m->flags & STORE_DOUBLES) != 0;
        r.trees += m->tree_bytes > 0;
        r.shared += m->uses > 1;
    }
    for (uint32_t i = 0; i < s->part_count; i++)
        for (int k = 0; k < 3; k++) {
            r.box.min[k] = fminf(r.box.min[k], s->boxes[i].min[k]);
            r.box.max[k] = fmaxf(r.box.max[k], s->boxes[i].max[k]);
        }
    return r;
}

static void print_box(const bw_box *b)
{
    printf("(%g, %g, %g) to (%g, %g, %g)\n", (double)b->min[0], (double)b->min[1], (double)b->min[2],
           (double)b->max[0], (double)b->max[1], (double)b->max[2]);
}

static void print_parts(const store *s)
{
    for (uint32_t i = 0; i < s->part_count; i++) {
        const store_part *p = &s->parts[i];
        cell n;
        printf("  part      %s", printable(store_file_path(s, p->file)));
        printf(" part %" PRIu32 " \"%s\": %s %s\n            ", p->number, printable(store_part_name(s, i)),
               count_cell(&n, s->meshes[p->mesh].primitive_count),
               s->meshes[p->mesh].flags & STORE_POINTS ? "points" : "triangles");
        print_box(&s->boxes[i]);
    }
}

void store_print(const store *s, bool parts, bool verified)
{
    const sums r = sum_up(s);
    cell n[4];
    char name[32];
    printf("%s (part store)\n", printable(s->path));
    printf("  size      parts: %s, triangles and points: %s, files: %s\n", count_cell(&n[0], s->part_count),
           count_cell(&n[1], s->tail.primitives), count_cell(&n[2], s->file_count));
    printf("  meshes    %s, triangles and points: %s, of several parts: %s, in doubles: %s\n",
           count_cell(&n[0], s->mesh_count), count_cell(&n[1], r.stored), count_cell(&n[2], r.shared),
           count_cell(&n[3], r.doubles));
    printf("  bytes     %s, %.1f a triangle or point; trees: %s\n",
           bytes_cell(&n[0], (double)s->tail.file_bytes),
           (double)s->tail.file_bytes / (double)(r.stored > 0 ? r.stored : 1), count_cell(&n[1], r.trees));
    printf("  bounds    ");
    print_box(&r.box);
    if (s->tail.unit > 0)
        printf("  units     %s%s", units_name(s->tail.unit, name), s->tail.up ? ", " : "\n");
    if (s->tail.up)
        printf("%s%s is up\n", s->tail.unit > 0 ? "" : "  axes      ", units_axis((model_up)s->tail.up));
    if (s->tail.left_out > 0)
        printf("  defects   %s, left out\n", count_cell(&n[0], s->tail.left_out));
    printf("  checked   %s\n", verified ? "every mesh" : "the tables (--verify: every mesh)");
    if (parts)
        print_parts(s);
}

static void json_box(json_writer *j, const bw_box *b)
{
    jw_flat_object(j, "bounds");
    jw_vec3(j, "min", (bw_vec3){(double)b->min[0], (double)b->min[1], (double)b->min[2]});
    jw_vec3(j, "max", (bw_vec3){(double)b->max[0], (double)b->max[1], (double)b->max[2]});
    jw_object_end(j);
}

void store_json(const store *s, bool parts, bool verified, json_writer *j)
{
    const sums r = sum_up(s);
    jw_string(j, "format", "part store");
    jw_count(j, "parts_count", s->part_count);
    jw_count(j, "primitives", s->tail.primitives);
    jw_count(j, "defective", s->tail.left_out);
    jw_count(j, "source_files", s->file_count);
    jw_count(j, "meshes", s->mesh_count);
    jw_count(j, "primitives_stored", r.stored);
    jw_count(j, "meshes_shared", r.shared);
    jw_count(j, "meshes_in_doubles", r.doubles);
    jw_count(j, "trees", r.trees);
    jw_count(j, "bytes", s->tail.file_bytes);
    json_box(j, &r.box);
    units_json(s->tail.unit, (model_up)s->tail.up, j);
    jw_bool(j, "verified", verified);
    if (!parts)
        return;
    jw_array(j, "parts");
    for (uint32_t i = 0; i < s->part_count; i++) {
        const store_part *p = &s->parts[i];
        jw_flat_object(j, NULL);
        jw_string(j, "file", store_file_path(s, p->file));
        jw_count(j, "part", p->number);
        jw_string(j, "name", store_part_name(s, i));
        jw_count(j, "mesh", p->mesh);
        jw_count(j, "primitives", s->meshes[p->mesh].primitive_count);
        json_box(j, &s->boxes[i]);
        jw_object_end(j);
    }
    jw_array_end(j);
}
