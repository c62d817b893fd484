/* Shapes of CAD files become a model: a part for each, a place for each instance. */
#define _POSIX_C_SOURCE 200809L
#include "io/step/step.h"

#include "io/build.h"
#include "io/isolate.h"
#include "io/step/name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct step_build {
    build build;
    uint32_t *first_vertex; /* of each shape, and one more */
    uint32_t shape_count;
    size_t shape_capacity;
    bool full; /* more vertices than 32-bit indices can name */
    model_place *places;
    uint32_t place_count;
    size_t place_capacity;
    char note[256];
    char **notes;
    size_t note_count, note_capacity;
};

void step_shape(step_build *s, const char *name)
{
    s->first_vertex = tool_grow(s->first_vertex, s->shape_count, &s->shape_capacity, sizeof *s->first_vertex);
    s->first_vertex[s->shape_count++] = s->build.model.vertex_count;
    build_part(&s->build, name);
}

void step_vertex(step_build *s, double x, double y, double z)
{
    s->full |= !build_vertex(&s->build, (bw_vec3){x, y, z}, 0);
}

void step_triangle(step_build *s, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t first = s->first_vertex[s->shape_count - 1];
    build_corner(&s->build, first + a);
    build_corner(&s->build, first + b);
    build_corner(&s->build, first + c);
    build_face(&s->build, 0);
}

void step_place(step_build *s, uint32_t shape, const char *name, const double pose[12])
{
    s->places = tool_grow(s->places, s->place_count, &s->place_capacity, sizeof *s->places);
    model_place *p = &s->places[s->place_count++];
    *p = (model_place){.name = tool_copy(name), .part = shape};
    memcpy(p->pose.m, pose, sizeof p->pose.m);
    p->moved = model_pose_moves(&p->pose);
}

void step_accuracy(step_build *s, double length, double angle)
{
    snprintf(s->note, sizeof s->note,
             "curved surfaces are cut into triangles that are off by at most %.3g mm (%.3g degrees between "
             "neighbours)",
             length, angle);
}

void step_note(step_build *s, const char *text)
{
    s->notes = tool_grow(s->notes, s->note_count, &s->note_capacity, sizeof *s->notes);
    s->notes[s->note_count++] = tool_copy(text);
}

static void drop(step_build *s)
{
    for (uint32_t i = 0; i < s->place_count; i++)
        free(s->places[i].name);
    for (size_t i = 0; i < s->note_count; i++)
        free(s->notes[i]);
    free(s->places);
    free(s->notes);
    free(s->first_vertex);
}

static bool finish(step_build *s, const char *file, model *out, fault *why)
{
    uint32_t vertices = s->build.model.vertex_count;
    if (s->full) {
        build_drop(&s->build);
        return fault_set(why, "%s: more vertices than 32-bit indices can name", file);
    }
    if (!build_finish(&s->build, out, why))
        return false;
    for (uint32_t i = 0; i < s->place_count; i++) {
        model_place *p = &s->places[i];
        uint32_t end = p->part + 1 < s->shape_count ? s->first_vertex[p->part + 1] : vertices;
        p->first_vertex = s->first_vertex[p->part];
        p->vertex_count = end - p->first_vertex;
    }
    out->places = s->places;
    out->place_count = s->place_count;
    s->places = NULL;
    s->place_count = 0;
    out->unit = 0.001;
    if (*s->note)
        model_note(out, "%s", s->note);
    for (size_t i = 0; i < s->note_count; i++)
        model_note(out, "%s", s->notes[i]);
    return true;
}

static bool read_here(const char *file, const void *wish, model *out, fault *why)
{
    (void)wish;
    char text[512] = "cannot be read";
    step_build s = {.build = build_start(file, step_format_name(file), false)};
    bool fine = step_read_occt(file, &s, text, sizeof text);
    if (fine) {
        fine = finish(&s, file, out, why);
    } else {
        build_drop(&s.build);
        fault_set(why, "%s: %s", file, text);
    }
    drop(&s);
    return fine;
}

bool read_step(const char *file, model *out, fault *why)
{
    return isolate_read(read_here, file, NULL, out, why);
}
