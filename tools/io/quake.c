/* MDL, MD2 and MD3: where the numbers of a frame stand in the file, and frames played from there. */
#include "io/quake.h"

#include "io/build.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A mesh of the file; MDL and MD2 have one. */
typedef struct surface {
    char name[65];
    uint64_t corners, corner_size; /* of the triangles: the first, and from one triangle to the next */
    uint64_t points;               /* of the first frame; MD3 */
    uint32_t first_vertex, vertices, triangles;
    int corner_bytes; /* of an index */
} surface;

typedef struct quake {
    text bytes;
    bool owns; /* the bytes end with it */
    char kind; /* 'O', '2', '3': the last letter of what the file begins with */
    surface *surfaces;
    uint32_t surface_count, vertices;
    uint64_t *frames; /* where each begins; not of MD3 */
    char (*names)[17];
    uint32_t frame_count;
    size_t frame_capacity, name_capacity;
    uint32_t first, count; /* frames of the clip */
    double fps;
} quake;

static const char *kind_name(const quake *q)
{
    return q->kind == 'O' ? "MDL" : q->kind == '2' ? "MD2" : "MD3";
}

bool quake_begins(const char *bytes, size_t size)
{
    return size >= 8 && memcmp(bytes, "IDP", 3) == 0 &&
           (bytes[3] == 'O' || bytes[3] == '2' || bytes[3] == '3');
}

/* ---- numbers ---- */

static uint32_t word(const quake *q, uint64_t at)
{
    const unsigned char *b = (const unsigned char *)q->bytes.data + at;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double real(const quake *q, uint64_t at)
{
    uint32_t bits = word(q, at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static double byte(const quake *q, uint64_t at)
{
    return (double)(unsigned char)q->bytes.data[at];
}

static double sixty_fourth(const quake *q, uint64_t at)
{
    int value = (unsigned char)q->bytes.data[at] | (unsigned char)q->bytes.data[at + 1] << 8;
    return (value >= 1 << 15 ? value - (1 << 16) : value) / 64.0;
}

/* Whether count things of that size are in the file from there. */
static bool holds(const quake *q, uint64_t at, uint64_t count, uint64_t size, const char *what, fault *why)
{
    return (at <= q->bytes.size && count <= (q->bytes.size - at) / size) ||
           fault_set(why,
                     "%s: the file ends within its %s: %" PRIu64 " of %" PRIu64
                     " bytes each from byte %" PRIu64 " on, and it has %zu bytes",
                     q->bytes.file, what, count, size, at, q->bytes.size);
}

static void add_frame(quake *q, uint64_t at, uint64_t name)
{
    q->frames = tool_grow(q->frames, q->frame_count, &q->frame_capacity, sizeof *q->frames);
    q->names = tool_grow(q->names, q->frame_count, &q->name_capacity, sizeof *q->names);
    q->frames[q->frame_count] = at;
    memcpy(q->names[q->frame_count], q->bytes.data + name, 16);
    q->names[q->frame_count++][16] = 0;
}

static bool has_frames(const quake *q, fault *why)
{
    if (q->frame_count == 0)
        return fault_set(why, "%s: has no frames", q->bytes.file);
    if (q->vertices == 0)
        return fault_set(why, "%s: has no vertices", q->bytes.file);
    return true;
}

static void one_surface(quake *q, const surface *only)
{
    q->surfaces = tool_alloc(1, sizeof *q->surfaces);
    q->surfaces[0] = *only;
    q->surface_count = 1;
    q->vertices = only->vertices;
}

/* ---- the three ---- */

static bool scan_md2(quake *q, fault *why)
{
    if (!holds(q, 0, 68, 1, "head", why))
        return false;
    const uint64_t frame_size = word(q, 16), frames = word(q, 40), at = word(q, 56);
    one_surface(q, &(surface){.corners = word(q, 52),
                              .corner_size = 12,
                              .vertices = word(q, 24),
                              .triangles = word(q, 32),
                              .corner_bytes = 2});
    const uint64_t least = 40 + 4 * (uint64_t)q->vertices;
    if (frame_size < least)
        return fault_set(why, "%s: a frame of %" PRIu32 " vertices has %" PRIu64 " bytes, not %" PRIu64,
                         q->bytes.file, q->vertices, least, frame_size);
    if (!holds(q, q->surfaces[0].corners, q->surfaces[0].triangles, 12, "triangles", why) ||
        !holds(q, at, frames, frame_size, "frames", why))
        return false;
    for (uint64_t i = 0; i < frames; i++)
        add_frame(q, at + i * frame_size, at + i * frame_size + 24);
    return has_frames(q, why);
}

/* Skins and frames may stand in groups, with a time for each; a group counts as so many frames. */
static bool scan_mdl(quake *q, fault *why)
{
    if (!holds(q, 0, 84, 1, "head", why))
        return false;
    const uint64_t skins = word(q, 48), width = word(q, 52), height = word(q, 56), frames = word(q, 68);
    const uint64_t skin = width * height; /* of 32 bits each */
    uint64_t at = 84;
    for (uint64_t i = 0; i < skins; i++) {
        if (!holds(q, at, 8, 1, "skins", why))
            return false;
        uint64_t group = word(q, at) == 0 ? 0 : word(q, at + 4);
        at += word(q, at) == 0 ? 4 : 8 + 4 * group;
        uint64_t images = group > 0 ? group : 1;
        if (skin > 0 && !holds(q, at, images, skin, "skins", why))
            return false;
        at += images * skin;
    }
    surface only = {.vertices = word(q, 60), .triangles = word(q, 64), .corner_size = 16, .corner_bytes = 4};
    if (!holds(q, at, only.vertices, 12, "texture coordinates", why))
        return false;
    at += 12 * (uint64_t)only.vertices;
    only.corners = at + 4;
    if (!holds(q, at, only.triangles, 16, "triangles", why))
        return false;
    at += 16 * (uint64_t)only.triangles;
    one_surface(q, &only);
    const uint64_t frame_size = 24 + 4 * (uint64_t)only.vertices;
    for (uint64_t i = 0; i < frames; i++) {
        if (!holds(q, at, 8, 1, "frames", why))
            return false;
        uint64_t group = word(q, at) == 0 ? 1 : word(q, at + 4);
        at += word(q, at) == 0 ? 4 : 16 + 4 * group;
        if (!holds(q, at, group, frame_size, "frames", why))
            return false;
        for (uint64_t k = 0; k < group; k++, at += frame_size)
            add_frame(q, at, at + 8);
    }
    return has_frames(q, why);
}

static bool scan_surface(quake *q, uint64_t at, uint32_t frames, surface *s, fault *why)
{
    if (!holds(q, at, 108, 1, "surfaces", why))
        return false;
    memcpy(s->name, q->bytes.data + at + 4, 64);
    s->vertices = word(q, at + 80);
    s->triangles = word(q, at + 84);
    s->corners = at + word(q, at + 88);
    s->points = at + word(q, at + 100);
    s->corner_size = 12;
    s->corner_bytes = 4;
    s->first_vertex = q->vertices;
    if (word(q, at + 72) != frames)
        return fault_set(why, "%s: surface \"%s\" has %" PRIu32 " frames, and the file %" PRIu32,
                         q->bytes.file, s->name, word(q, at + 72), frames);
    if (!holds(q, s->corners, s->triangles, 12, "triangles", why) ||
        (s->vertices > 0 && !holds(q, s->points, frames, 8 * (uint64_t)s->vertices, "vertices", why)))
        return false;
    if (s->vertices >= UINT32_MAX - q->vertices)
        return fault_set(why, "%s: more vertices than 32-bit indices can name", q->bytes.file);
    q->vertices += s->vertices;
    return true;
}

static bool scan_md3(quake *q, fault *why)
{
    if (!holds(q, 0, 108, 1, "head", why))
        return false;
    const uint32_t frames = word(q, 76), surfaces = word(q, 84);
    uint64_t at = word(q, 100), names = word(q, 92);
    if (!holds(q, names, frames, 56, "frames", why) || !holds(q, at, surfaces, 108, "surfaces", why))
        return false;
    for (uint64_t i = 0; i < frames; i++)
        add_frame(q, 0, names + 56 * i + 40);
    q->surfaces = tool_alloc(surfaces, sizeof *q->surfaces);
    for (uint32_t i = 0; i < surfaces; i++) {
        q->surfaces[i] = (surface){.corners = 0};
        if (!scan_surface(q, at, frames, &q->surfaces[i], why))
            return false;
        q->surface_count++;
        at += word(q, at + 104);
    }
    return has_frames(q, why);
}

static void drop(void *self)
{
    quake *q = self;
    if (q->owns)
        text_close(&q->bytes);
    free(q->surfaces);
    free(q->frames);
    free(q->names);
    free(q);
}

/* ---- positions ---- */

static void frame_positions(const quake *q, uint32_t frame, double *out)
{
    for (uint32_t s = 0; s < q->surface_count; s++) {
        const surface *from = &q->surfaces[s];
        double scale[3] = {0, 0, 0}, move[3] = {0, 0, 0};
        const uint64_t numbers = q->kind == '2' ? q->frames[frame] : 8;
        uint64_t points = q->kind == '3'   ? from->points + 8 * (uint64_t)from->vertices * frame
                          : q->kind == '2' ? q->frames[frame] + 40
                                           : q->frames[frame] + 24;
        for (uint64_t k = 0; k < 3 && q->kind != '3'; k++) {
            scale[k] = real(q, numbers + 4 * k);
            move[k] = real(q, numbers + 12 + 4 * k);
        }
        for (uint64_t v = 0; v < from->vertices; v++)
            for (uint64_t k = 0; k < 3; k++)
                *out++ = q->kind == '3' ? sixty_fourth(q, points + 8 * v + 2 * k)
                                        : scale[k] * byte(q, points + 4 * v + k) + move[k];
    }
}

static void positions(void *self, double time, bool before, double *out)
{
    const quake *q = self;
    (void)before; /* nothing jumps */
    double at = time * q->fps - q->first;
    uint32_t k = at > 0 ? (uint32_t)at : 0;
    k = k < q->count ? k : q->count - 1;
    frame_positions(q, q->first + k, out);
    double s = at - k;
    if (!(s > 0) || k + 1 >= q->count)
        return;
    double *next = tool_alloc(q->vertices, 3 * sizeof *next);
    frame_positions(q, q->first + k + 1, next);
    for (size_t i = 0; i < 3 * (size_t)q->vertices; i++)
        out[i] = (1 - s) * out[i] + s * next[i];
    free(next);
}

static bool to_model(const quake *q, model *out, fault *why)
{
    char format[32];
    snprintf(format, sizeof format, "%s", kind_name(q));
    build b = build_start(q->bytes.file, format, false);
    b.model.up = MODEL_UP_Z;
    double *first = tool_alloc(q->vertices, 3 * sizeof *first);
    frame_positions(q, 0, first);
    for (size_t v = 0; v < q->vertices; v++)
        build_vertex(&b, (bw_vec3){first[3 * v], first[3 * v + 1], first[3 * v + 2]}, 0);
    free(first);
    for (uint32_t i = 0; i < q->surface_count; i++) {
        const surface *s = &q->surfaces[i];
        build_part(&b, s->name);
        for (uint64_t t = 0; t < s->triangles; t++) {
            for (uint64_t k = 0; k < 3; k++) {
                uint64_t at = s->corners + s->corner_size * t + (uint64_t)s->corner_bytes * k;
                uint32_t index = s->corner_bytes == 4
                                     ? word(q, at)
                                     : (uint32_t)(unsigned char)q->bytes.data[at] |
                                           (uint32_t)(unsigned char)q->bytes.data[at + 1] << 8;
                build_corner(&b, index < s->vertices ? s->first_vertex + index : UINT32_MAX);
            }
            build_face(&b, 0);
        }
    }
    return build_finish(&b, out, why);
}

/* ---- clips ---- */

/* The length of a frame's name without its number. */
static size_t stem(const char *name)
{
    size_t length = strlen(name);
    while (length > 0 && isdigit((unsigned char)name[length - 1]))
        length--;
    return length;
}

static void add_clip(const quake *q, uint32_t first, uint32_t count, const char *name, size_t length,
                     model *m)
{
    m->clips = tool_resize(m->clips, m->clip_count + 1, sizeof *m->clips);
    m->clips[m->clip_count] = (model_clip){.name = tool_copy(name),
                                           .begin = first / q->fps,
                                           .end = (first + count - 1) / q->fps,
                                           .channels = 1,
                                           .keys = count};
    m->clips[m->clip_count++].name[length] = 0;
}

/* The first clip is the whole file; where frames have several names, more follow. */
static void add_clips(quake *q, model *m)
{
    add_clip(q, 0, q->frame_count, "all", 3, m);
    for (uint32_t i = 0, end; i < q->frame_count; i = end) {
        size_t length = stem(q->names[i]);
        for (end = i + 1; end < q->frame_count && stem(q->names[end]) == length &&
                          memcmp(q->names[end], q->names[i], length) == 0;)
            end++;
        if (end - i < q->frame_count)
            add_clip(q, i, end - i, q->names[i], length, m);
    }
}

static bool scan(quake *q, fault *why)
{
    q->kind = q->bytes.data[3];
    const uint32_t version = word(q, 4), known = q->kind == 'O' ? 6 : q->kind == '2' ? 8 : 15;
    if (version != known)
        return fault_set(why, "%s: is of version %" PRIu32 " of %s; only %" PRIu32 " is known", q->bytes.file,
                         version, kind_name(q), known);
    return q->kind == 'O' ? scan_mdl(q, why) : q->kind == '2' ? scan_md2(q, why) : scan_md3(q, why);
}

bool quake_play(const text *bytes, const animation_desc *desc, model *out, sampler *s, fault *why)
{
    quake *q = tool_alloc(1, sizeof *q);
    *q = (quake){.bytes = *bytes, .fps = desc->fps > 0 ? desc->fps : ANIMATION_FPS};
    model m;
    uint32_t clip = 0;
    bool fine = scan(q, why) && to_model(q, &m, why);
    if (fine) {
        add_clips(q, &m);
        fine = sampler_find_clip(&m, desc->clip, &clip, why);
        if (!fine)
            model_free(&m);
    }
    if (!fine) {
        drop(q);
        return false;
    }
    q->count = (uint32_t)m.clips[clip].keys;
    q->first = (uint32_t)(m.clips[clip].begin * q->fps + 0.5);
    *s = (sampler){.clip = clip, .positions = positions, .close = drop, .self = q};
    s->keys = tool_alloc(q->count, sizeof *s->keys);
    for (uint32_t i = 0; q->count > 1 && i < q->count; i++)
        s->keys[s->key_count++] = (q->first + i) / q->fps;
    *out = m;
    return true;
}

bool read_quake(text *bytes, model *out, fault *why)
{
    sampler s;
    if (!quake_play(bytes, &(animation_desc){.fps = 0}, out, &s, why))
        return false;
    out->losses.animations = s.key_count > 0 ? out->clip_count : 0;
    sampler_close(&s);
    return true;
}

bool quake_open(const char *file, const animation_desc *desc, model *out, sampler *s, fault *why)
{
    text bytes;
    if (!text_open(file, &bytes, why))
        return false;
    if (!quake_play(&bytes, desc, out, s, why)) {
        text_close(&bytes);
        return false;
    }
    ((quake *)s->self)->owns = true;
    return true;
}
