/* A film held in memory, or mapped from a file where it is large. */
#define _POSIX_C_SOURCE 200809L
#include "io/film.h"

#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Room in a file that nobody else sees and that ends with the process. */
static bool map_file(model_film *film, const char *file, fault *why)
{
    fault cause;
    FILE *out = output_open_unnamed(&cause);
    if (!out)
        return fault_set(why, "%s: its film of %.1f GB goes into a file, %s", file, (double)film->bytes / 1e9,
                         cause.text);
    int error = posix_fallocate(fileno(out), 0, (off_t)film->bytes);
    if (error == 0) {
        film->data = mmap(NULL, film->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(out), 0);
        error = film->data == MAP_FAILED ? errno : 0;
    }
    fclose(out);
    film->mapped = error == 0;
    if (error == 0)
        return true;
    film->data = NULL;
    return fault_set(why, "%s: its film of %.1f GB does not fit into %s: %s (TMPDIR names another folder)",
                     file, (double)film->bytes / 1e9, output_unnamed_folder(), strerror(error));
}

static bool reserve(model *m, const stream *s, bw_scalar scalar, size_t in_memory, fault *why)
{
    model_film *film = &m->film;
    size_t frame = 3 * (size_t)m->vertex_count * (scalar == BW_F32 ? sizeof(float) : sizeof(double));
    *film = (model_film){.scalar = scalar, .bytes = frame * s->frame_count, .frame_count = s->frame_count};
    film->clip = tool_copy(s->clip);
    film->times = tool_alloc(s->frame_count, sizeof *film->times);
    memcpy(film->times, s->times, s->frame_count * sizeof *film->times);
    film->frames = tool_alloc(s->frame_count, sizeof *film->frames);
    if (film->bytes > in_memory) {
        if (!map_file(film, m->file, why))
            return false;
    } else {
        film->data = tool_alloc(film->bytes, 1);
    }
    for (uint32_t i = 0; i < s->frame_count; i++)
        film->frames[i] = (char *)film->data + frame * i;
    return true;
}

static double number_at(bw_scalar scalar, const void *numbers, size_t i)
{
    return scalar == BW_F64 ? ((const double *)numbers)[i] : (double)((const float *)numbers)[i];
}

/* Maps points of either kind into doubles; false for the first that leaves the exact range. */
static bool map_points(const bw_transform *pose, bw_scalar scalar, const void *from, size_t count, double *to,
                       size_t *at)
{
    for (size_t v = 0; v < count; v++) {
        bw_vec3 p = {number_at(scalar, from, 3 * v), number_at(scalar, from, 3 * v + 1),
                     number_at(scalar, from, 3 * v + 2)};
        bw_vec3 q = bw_transform_point(pose, p);
        if (!bw_exact_range(&q, 1)) {
            *at = v;
            return false;
        }
        memcpy(to + 3 * v, (double[3]){q.x, q.y, q.z}, sizeof q);
    }
    return true;
}

static bool read_frames(model *m, stream *s, const bw_transform *pose, fault *why)
{
    void *raw = pose ? tool_alloc(3 * (size_t)m->vertex_count, sizeof(double)) : NULL;
    bool fine = true;
    for (uint32_t i = 0; i < s->frame_count && fine; i++) {
        size_t vertex = 0;
        fine = stream_next(s, m, pose ? raw : m->film.frames[i], why);
        if (fine && pose && !map_points(pose, s->scalar, raw, m->vertex_count, m->film.frames[i], &vertex))
            fine =
                fault_set(why, "%s: frame %" PRIu32 ": vertex %zu: its pose moves it out of the exact range",
                          m->file, i, vertex);
    }
    free(raw);
    return fine;
}

bool film_hold(model *m, stream *s, const bw_transform *pose, size_t in_memory, fault *why)
{
    size_t vertex = 0;
    bool fine;
    if (s->frame_count == 0) {
        fine = !pose || map_points(pose, BW_F64, m->positions, m->vertex_count, m->positions, &vertex) ||
               fault_set(why, "%s: vertex %zu: its pose moves it out of the exact range", m->file, vertex);
    } else {
        fine = stream_times_ascend(s, m, why) && reserve(m, s, pose ? BW_F64 : s->scalar, in_memory, why) &&
               read_frames(m, s, pose, why);
        for (size_t i = 0; fine && i < 3 * (size_t)m->vertex_count; i++)
            m->positions[i] = number_at(m->film.scalar, m->film.frames[0], i);
        if (fine && s->frame_count == 1)
            model_film_free(&m->film);
    }
    stream_close(s);
    if (!fine)
        model_free(m);
    return fine;
}
