/* boxwood export: a file's triangles as they are checked, for other programs. */
#include "body.h"
#include "commands.h"
#include "pose.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const option_spec options[] = {{"pose", "POSE", "place the mesh first"},
                                      {"quarantine", NULL,
                                       "leave out triangles with defects, and vertices that none of "
                                       "the\nothers uses; triangles are renumbered"},
                                      {NULL, NULL, NULL}};

/* Which vertices the kept triangles use, as their new numbers from 1; 0: none does. */
static uint32_t *number_vertices(const model *m, const bool *left_out)
{
    uint32_t *number = tool_alloc(m->vertex_count, sizeof *number), next = 0;
    memset(number, 0, m->vertex_count * sizeof *number);
    if (!m->indices)
        for (uint32_t v = 0; v < m->vertex_count; v++)
            number[v] = !left_out[v];
    for (size_t i = 0; m->indices && i < 3 * (size_t)m->triangle_count; i++)
        if (!left_out[i / 3])
            number[m->indices[i]] = 1;
    for (uint32_t v = 0; v < m->vertex_count; v++)
        if (number[v])
            number[v] = ++next;
    return number;
}

static void write_obj(FILE *out, const body *b, const bool *left_out)
{
    const model *m = &b->model;
    uint32_t *number = NULL;
    if (left_out)
        number = number_vertices(m, left_out);
    fprintf(out, "# %" PRIu32 " vertices, %" PRIu32 " triangles of %s\n", m->vertex_count, m->triangle_count,
            m->file);
    char text[3][32];
    for (uint32_t v = 0; v < m->vertex_count; v++) {
        const double *p = m->positions + 3 * (size_t)v;
        if (!number || number[v])
            fprintf(out, "v %s %s %s\n", number_text(p[0], text[0]), number_text(p[1], text[1]),
                    number_text(p[2], text[2]));
    }
    for (uint32_t i = 0; i < m->part_count; i++) {
        const model_part *part = &m->parts[i];
        if (*part->name || m->part_count > 1)
            fprintf(out, "g %s\n", part->name);
        for (uint32_t t = part->first_triangle; t < part->first_triangle + part->triangle_count; t++) {
            const uint32_t *c = m->indices + 3 * (size_t)t;
            if (!number)
                fprintf(out, "f %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", c[0] + 1, c[1] + 1, c[2] + 1);
            else if (!left_out[t])
                fprintf(out, "f %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", number[c[0]], number[c[1]],
                        number[c[2]]);
        }
    }
    free(number);
}

static bool write_file(const char *file, const body *b, const bool *left_out, fault *why)
{
    if (strcmp(file, "-") == 0) {
        write_obj(stdout, b, left_out);
        return true;
    }
    FILE *out = fopen(file, "w");
    if (!out)
        return fault_set(why, "%s: %s", file, strerror(errno));
    write_obj(out, b, left_out);
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed)
        return fault_set(why, "%s: %s", file, strerror(errno));
    return true;
}

static int run(const args *given)
{
    fault why;
    bw_transform pose;
    body b;
    const char *text = args_value(given, "pose");
    if ((text && !pose_parse(text, "pose", &pose, &why)) ||
        !body_read(given->names[0], text ? &pose : NULL, &b, &why))
        return complain("%s", why.text);
    /* The tree is built for its judgement of the mesh. */
    bool fine = body_build(&b, args_given(given, "quarantine"), &why);
    if (fine) {
        uint32_t count;
        const uint32_t *bad = bw_tree_quarantine(b.tree, &count);
        bool *left_out = NULL;
        if (count > 0) {
            size_t primitives = bw_mesh_primitive_count(&b.mesh);
            left_out = memset(tool_alloc(primitives, sizeof *left_out), 0, primitives * sizeof *left_out);
            for (uint32_t i = 0; i < count; i++)
                left_out[bad[i]] = true;
            warn("%s: %" PRIu32 " %s with defects are left out", b.model.file, count, body_kind(&b));
        }
        fine = write_file(given->names[1], &b, left_out, &why);
        free(left_out);
    }
    body_free(&b);
    return fine ? 0 : complain("%s", why.text);
}

const command command_export = {
    "export",
    "write a file's triangles as OBJ, as boxwood sees them",
    "FILE OUT.obj [--pose POSE]",
    "Reads any file, cuts its polygons into triangles, puts all its meshes where they stand,\n"
    "applies the pose and writes an OBJ file. Coordinates are written with as many digits as\n"
    "give the same double back, and triangles in the order in which check numbers them: what\n"
    "check answers for FILE --pose-a POSE it answers for OUT.obj. OUT \"-\" is the output.\n"
    "\n" POSE_HELP,
    options,
    "examples:\n"
    "  boxwood export robot.glb robot.obj\n"
    "  boxwood export bunny.ply - --pose \"s=100 rx=90\"\n"
    "  boxwood export scene:torus:5000 torus.obj\n"
    "\n"
    "exit codes: 0 written, 2 error\n",
    2,
    2,
    run};
