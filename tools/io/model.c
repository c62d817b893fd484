/* Models: what they give back, show and warn of. */
#include "io/model.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

void model_film_free(model_film *film)
{
    if (film->mapped)
        munmap(film->data, film->bytes);
    else
        free(film->data);
    free(film->frames);
    free(film->times);
    free(film->clip);
    *film = (model_film){.frame_count = 0};
}

void model_free(model *m)
{
    for (uint32_t i = 0; i < m->part_count; i++)
        free(m->parts[i].name);
    free(m->parts);
    for (uint32_t i = 0; i < m->place_count; i++)
        free(m->places[i].name);
    free(m->places);
    for (uint32_t i = 0; i < m->clip_count; i++)
        free(m->clips[i].name);
    free(m->clips);
    for (uint32_t i = 0; i < m->note_count; i++)
        free(m->notes[i]);
    free(m->notes);
    for (uint32_t i = 0; i < m->label_count; i++)
        free(m->label_names[i]);
    free(m->label_names);
    free(m->labels);
    free(m->file);
    free(m->positions);
    free(m->indices);
    free(m->faces);
    free(m->triangle_lines);
    free(m->vertex_lines);
    model_film_free(&m->film);
    *m = (model){.file = NULL};
}

bw_mesh model_view(const model *m)
{
    return (bw_mesh){.positions = m->positions,
                     .scalar = BW_F64,
                     .vertex_count = m->vertex_count,
                     .indices = m->indices,
                     .triangle_count = m->triangle_count};
}

const model_part *model_part_of(const model *m, uint32_t triangle)
{
    uint32_t low = 0, high = m->part_count;
    if (high == 0)
        return NULL;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (m->parts[middle].first_triangle <= triangle)
            low = middle;
        else
            high = middle;
    }
    return &m->parts[low];
}

bool model_pose_moves(const bw_transform *t)
{
    bool same = true;
    for (int i = 0; i < 12; i++)
        same &= t->m[i / 4][i % 4] == (i / 4 == i % 4);
    return !same;
}

void model_transform(model *m, const bw_transform *pose)
{
    for (size_t v = 0; v < m->vertex_count; v++) {
        double *p = m->positions + 3 * v;
        bw_vec3 q = bw_transform_point(pose, (bw_vec3){p[0], p[1], p[2]});
        p[0] = q.x;
        p[1] = q.y;
        p[2] = q.z;
    }
}

void model_note(model *m, const char *format, ...)
{
    char text[4096];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    m->notes = tool_resize(m->notes, (size_t)m->note_count + 1, sizeof *m->notes);
    m->notes[m->note_count++] = tool_copy(text);
}

void model_warn(const model *m)
{
    const model_losses *l = &m->losses;
    if (l->misnamed)
        warn("%s: its name says something else, but it is read as what it holds: %s", m->file, m->format);
    if (l->point_faces > 0 || l->line_faces > 0)
        warn("%s: %" PRIu64 " points and %" PRIu64 " lines beside the triangles are left out", m->file,
             l->point_faces, l->line_faces);
    if (l->bent_polygons > 0)
        warn("%s: %" PRIu64 " polygons cross or touch themselves and were cut as fans", m->file,
             l->bent_polygons);
    if (l->ignored_lines > 0)
        warn("%s:%" PRIu32 ": %" PRIu64 " lines of unknown statements are left out, this is the first",
             m->file, l->first_ignored_line, l->ignored_lines);
    if (l->animations > 0)
        warn("%s: %" PRIu32 " animation%s not played: this is the rest pose", m->file, l->animations,
             l->animations == 1 ? " is" : "s are");
    if (l->strange_channels > 0)
        warn("%s: %" PRIu32
             " channels of the animation move nothing that is here, or swap whole meshes: they are "
             "left out",
             m->file, l->strange_channels);
    for (uint32_t i = 0; i < m->note_count; i++)
        warn("%s: %s", m->file, m->notes[i]);
}
