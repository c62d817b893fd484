#include "io/obj_write.h"

#include "json.h"
#include "output.h"
#include "printable.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void write_obj(FILE *out, const model *m, const bool *left_out)
{
    uint32_t *number = NULL;
    if (left_out)
        number = number_vertices(m, left_out);
    fprintf(out, "# %" PRIu32 " vertices, %" PRIu32 " triangles of %s\n", m->vertex_count, m->triangle_count,
            printable(m->file));
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
            fprintf(out, "g %s\n", printable(part->name));
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

bool obj_write(const char *file, const model *m, const bool *left_out, fault *why)
{
    if (strcmp(file, "-") == 0) {
        write_obj(stdout, m, left_out);
        return true;
    }
    FILE *out = output_open(file, why);
    if (!out)
        return false;
    write_obj(out, m, left_out);
    return output_close(out, file, true, why);
}
