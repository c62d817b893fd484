/* boxwood dump: what is in a file, for other programs: a line of JSON, then the arrays it speaks of. */
#define _POSIX_C_SOURCE 200809L
#include "commands.h"
#include "io/animation.h"
#include "io/model.h"
#include "json.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const option_spec options[] = {
    {"play", NULL, "one mesh of all parts, and its frames, where the file has an animation"},
    {"clip", "NAME", "with --play: which animation, by name or number from 1 (default: the first)"},
    {"fps", "F", "with --play: frames a second of sequences and caches (default 24)"},
    {"rate", "R", "with --play: sample what is played at least so often a second (default 60)"},
    {NULL, NULL, NULL}};

/* The vertices of one part: those that its triangles use, in their order. */
typedef struct part_mesh {
    uint32_t *used; /* of the model's vertices */
    uint32_t vertex_count;
} part_mesh;

static const char *const up_names[] = {NULL, "x", "y", "z"};

static void put_head(json_writer *j, const model *m)
{
    jw_flat_object(j, NULL);
    jw_count(j, "dump", 1);
    jw_string(j, "file", m->file);
    jw_string(j, "format", m->format);
    jw_number(j, "unit", m->unit > 0 ? m->unit : NAN);
    jw_string(j, "up", up_names[m->up]);
    jw_array(j, "clips");
    for (uint32_t i = 0; i < m->clip_count; i++) {
        const model_clip *clip = &m->clips[i];
        jw_object(j, NULL);
        jw_string(j, "name", clip->name);
        jw_number(j, "begin", clip->begin);
        jw_number(j, "end", clip->end);
        jw_count(j, "channels", clip->channels);
        jw_count(j, "keys", clip->keys);
        jw_object_end(j);
    }
    jw_array_end(j);
}

static void put_pose(json_writer *j, const model_place *place)
{
    if (!place->moved) {
        jw_string(j, "pose", NULL);
        return;
    }
    jw_array(j, "pose");
    for (int i = 0; i < 12; i++)
        jw_number(j, NULL, place->pose.m[i / 4][i % 4]);
    jw_array_end(j);
}

static int compare_numbers(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Which vertices a part uses. stamps: of every vertex of the model, the last part that used it, plus one. */
static part_mesh find_used(const model *m, uint32_t part, uint32_t *stamps)
{
    const model_part *p = &m->parts[part];
    const uint32_t *corners = m->indices + 3 * (size_t)p->first_triangle;
    part_mesh found = {.used = NULL};
    size_t capacity = 0;
    bool ascending = true;
    for (size_t i = 0; i < 3 * (size_t)p->triangle_count; i++) {
        const uint32_t v = corners[i], count = found.vertex_count;
        if (stamps[v] == part + 1)
            continue;
        stamps[v] = part + 1;
        found.used = tool_grow(found.used, count, &capacity, sizeof *found.used);
        ascending &= count == 0 || found.used[count - 1] < v;
        found.used[found.vertex_count++] = v;
    }
    if (!ascending)
        qsort(found.used, found.vertex_count, sizeof *found.used, compare_numbers);
    return found;
}

/* Vertices that no triangle uses. */
static uint32_t count_unused(const model *m, const uint32_t *stamps)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->vertex_count && m->indices; i++)
        count += stamps[i] == 0;
    return count;
}

static void put_vertices(const model *m, const part_mesh *mesh)
{
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        fwrite(m->positions + 3 * (size_t)mesh->used[i], sizeof(double), 3, stdout);
}

/* Triangles in the numbers of the part's own vertices; then the face of the file that each came from. */
static void put_triangles(const model *m, uint32_t part, const part_mesh *mesh, uint32_t *numbers)
{
    const model_part *p = &m->parts[part];
    const uint32_t *corners = m->indices + 3 * (size_t)p->first_triangle;
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        numbers[mesh->used[i]] = i;
    for (size_t i = 0; i < 3 * (size_t)p->triangle_count; i++)
        fwrite(&numbers[corners[i]], sizeof(uint32_t), 1, stdout);
    fwrite(m->faces + p->first_triangle, sizeof(uint32_t), p->triangle_count, stdout);
}

static void put_places(json_writer *j, const model *m, uint32_t mesh_count)
{
    jw_array(j, "parts");
    const uint32_t count = m->places ? m->place_count : mesh_count;
    for (uint32_t i = 0; i < count; i++) {
        const model_place *place = m->places ? &m->places[i] : NULL;
        if (place && place->part == BW_NONE)
            continue; /* points alone, beside triangles */
        jw_object(j, NULL);
        jw_string(j, "name", place ? place->name : m->indices ? m->parts[i].name : "");
        jw_count(j, "mesh", place ? place->part : i);
        if (place)
            put_pose(j, place);
        jw_object_end(j);
    }
    jw_array_end(j);
}

/* Each mesh once, and the parts that stand somewhere. */
static void put_still(const model *m)
{
    const uint32_t mesh_count = m->indices ? m->part_count : 1;
    part_mesh *meshes = tool_alloc(mesh_count, sizeof *meshes);
    uint32_t *numbers = tool_alloc(m->vertex_count, sizeof *numbers);
    memset(numbers, 0, (size_t)m->vertex_count * sizeof *numbers);
    json_writer j = jw_start(stdout);
    put_head(&j, m);
    jw_array(&j, "meshes");
    for (uint32_t i = 0; i < mesh_count; i++) {
        meshes[i] = m->indices ? find_used(m, i, numbers) : (part_mesh){.vertex_count = m->vertex_count};
        jw_object(&j, NULL);
        jw_count(&j, "vertices", meshes[i].vertex_count);
        if (m->indices) {
            jw_count(&j, "triangles", m->parts[i].triangle_count);
            jw_count(&j, "faces", m->parts[i].face_count);
        }
        jw_object_end(&j);
    }
    jw_array_end(&j);
    jw_count(&j, "unused", count_unused(m, numbers));
    put_places(&j, m, mesh_count);
    jw_object_end(&j);
    jw_finish(&j);
    if (!m->indices)
        fwrite(m->positions, 3 * sizeof(double), m->vertex_count, stdout);
    for (uint32_t i = 0; i < mesh_count && m->indices; i++) {
        put_vertices(m, &meshes[i]);
        put_triangles(m, i, &meshes[i], numbers);
        free(meshes[i].used);
    }
    free(meshes);
    free(numbers);
}

/* One mesh and its frames. */
static bool put_film(const model *m, stream *frames, fault *why)
{
    const uint32_t parts = m->indices ? m->part_count : 0;
    json_writer j = jw_start(stdout);
    put_head(&j, m);
    jw_count(&j, "vertices", m->vertex_count);
    jw_count(&j, "triangles", m->indices ? m->triangle_count : 0);
    jw_array(&j, "parts");
    for (uint32_t i = 0; i < parts; i++) {
        jw_object(&j, NULL);
        jw_string(&j, "name", m->parts[i].name);
        jw_count(&j, "first", m->parts[i].first_triangle);
        jw_count(&j, "triangles", m->parts[i].triangle_count);
        jw_object_end(&j);
    }
    jw_array_end(&j);
    jw_count(&j, "frames", frames->frame_count);
    jw_count(&j, "scalar", frames->scalar == BW_F64 ? 8 : 4);
    jw_string(&j, "clip", frames->clip);
    jw_object_end(&j);
    jw_finish(&j);
    fwrite(m->positions, 3 * sizeof(double), m->vertex_count, stdout);
    if (m->indices)
        fwrite(m->indices, 3 * sizeof(uint32_t), m->triangle_count, stdout);
    if (frames->frame_count == 0)
        return true;
    fwrite(frames->times, sizeof(double), frames->frame_count, stdout);
    const size_t size = frames->scalar == BW_F64 ? sizeof(double) : sizeof(float);
    void *frame = tool_alloc(3 * (size_t)m->vertex_count, size);
    bool fine = true;
    for (uint32_t i = 0; i < frames->frame_count && fine && !ferror(stdout); i++) {
        fine = stream_next(frames, m, frame, why);
        if (fine)
            fwrite(frame, 3 * size, m->vertex_count, stdout);
    }
    free(frame);
    return fine;
}

/* What a program would have to check first, and might not: every corner is one of the vertices. */
static bool good_corners(const model *m, fault *why)
{
    for (size_t i = 0; m->indices && i < 3 * (size_t)m->triangle_count; i++) {
        if (m->indices[i] < m->vertex_count)
            continue;
        char line[24] = "";
        if (m->triangle_lines)
            snprintf(line, sizeof line, ":%" PRIu32, m->triangle_lines[i / 3]);
        return fault_set(why, "%s%s: triangle %zu has vertex %" PRIu32 ", but there are %" PRIu32, m->file,
                         line, i / 3, m->indices[i], m->vertex_count);
    }
    return true;
}

static bool dump(const args *given, fault *why)
{
    model m = {.file = NULL};
    if (!args_given(given, "play")) {
        if (!model_read_placed(given->names[0], &m, why))
            return false;
        m.losses.animations = 0; /* they are listed, and --play plays them */
        model_warn(&m);
        bool good = good_corners(&m, why);
        if (good)
            put_still(&m);
        model_free(&m);
        return good;
    }
    animation_desc desc = {.clip = args_value(given, "clip"), .fps = ANIMATION_FPS};
    stream frames = {.frame_count = 0};
    if (!args_number(given, "fps", 1e-3, 1e6, "a number a second", &desc.fps, why) ||
        !args_number(given, "rate", 1e-3, 1e6, "a number a second", &desc.rate, why) ||
        !animation_open(given->names[0], &desc, &m, &frames, why))
        return false;
    model_warn(&m);
    bool fine = good_corners(&m, why) && put_film(&m, &frames, why);
    if (frames.close)
        stream_close(&frames);
    model_free(&m);
    return fine;
}

static int run(const args *given)
{
    fault why;
    if (!args_given(given, "play") &&
        (args_given(given, "clip") || args_given(given, "fps") || args_given(given, "rate")))
        return complain("--clip, --fps and --rate go with --play");
    if (isatty(STDOUT_FILENO))
        return complain("what is written are bytes for a program: send them to one, or to a file");
    if (!dump(given, &why))
        return complain("%s", why.text);
    if (fflush(stdout) != 0 || ferror(stdout))
        return complain("%s: %s", given->names[0], strerror(errno));
    return 0;
}

const command command_dump = {
    "dump",
    "what is in a file, for programs: one line of JSON, then arrays as bytes",
    "FILE [--play [--clip NAME] [--rate R] [--fps F]]",
    "Writes what is read of a file in a form that a program in any language can take over. The first\n"
    "line is a JSON object: unit (metres) and up axis where the file says so, clips, meshes (numbers\n"
    "of vertices and triangles), unused (how many vertices no triangle uses: they are left out), parts\n"
    "(name, mesh, and 12 numbers of a pose row by row, or null). Then follow, in the order of the meshes and "
    "in this machine's byte order: vertices (3 doubles each),\n"
    "triangles (3 uint32 each), and of each triangle the face of its mesh in the file (uint32).\n"
    "With --play the parts are triangles [first, first + triangles) of one mesh: its vertices and\n"
    "triangles, then the times of the frames (doubles; one that stands twice is a jump), then the\n"
    "positions of all vertices in each (scalar 4: floats, 8: doubles). A FILE is then whatever track\n"
    "takes. Coordinates are the file's own.",
    options,
    "examples:\n"
    "  boxwood dump engine.glb | head -n 1\n"
    "  boxwood dump walk.glb --play --clip run > walk.bin\n"
    "\n"
    "exit codes: 0 written, 2 error\n",
    1,
    1,
    run};
