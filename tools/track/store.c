/* A part store among the files of track. */
#include "track/store.h"

#include "assembly.h"
#include "io/names.h"
#include "store/sum.h"
#include "store/to_model.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct extent {
    double low[3], high[3];
} extent;

struct track_store {
    assembly assembly;
    bool moved, lines; /* lines: of every triangle its line is known */
    bw_transform map;
    uint32_t *numbers; /* parts with triangles: their numbers in the store */
    uint32_t *first;   /* their first triangles */
    char **names;
    extent *extents;
    uint32_t part_count;
    uint32_t first_part; /* of track.parts */
    pthread_mutex_t lock;
    uint32_t idle[BW_MAX_WORKERS], idle_count; /* readers of the cache that nobody is */
    track_placed shown;                        /* in a report */
    report_source source;
    bool failed;
    fault why;
};

/* ---- opening ---- */

static void name_parts(track_store *s, const store *from)
{
    model named = {.place_count = s->part_count};
    named.places = tool_alloc(s->part_count, sizeof *named.places);
    for (uint32_t i = 0; i < s->part_count; i++)
        named.places[i] = (model_place){.name = store_part_path(from, s->numbers[i])};
    if (s->part_count > 1)
        names_unique(&named);
    for (uint32_t i = 0; i < s->part_count; i++)
        s->names[i] = named.places[i].name;
    free(named.places);
}

static bool list_parts(track_store *s, model *m, fault *why)
{
    const store *from = s->assembly.store;
    uint64_t triangles = 0, points = 0;
    s->numbers = tool_alloc(from->part_count, sizeof *s->numbers);
    s->first = tool_alloc(from->part_count, sizeof *s->first);
    s->lines = true;
    for (uint32_t i = 0; i < from->part_count; i++) {
        const store_mesh *mesh = &from->meshes[from->parts[i].mesh];
        if (mesh->flags & STORE_POINTS) {
            points++;
            continue;
        }
        s->lines = s->lines && (mesh->flags & STORE_HAS_LINES);
        s->numbers[s->part_count] = i;
        s->first[s->part_count++] = (uint32_t)triangles;
        triangles += mesh->primitive_count;
        if (triangles > UINT32_MAX)
            return fault_set(why, "%s: has more triangles than 32 bits can number", from->path);
    }
    if (s->part_count == 0)
        return fault_set(why, "%s: only points: track needs triangles", from->path);
    if (from->tail.left_out > 0)
        return fault_set(
            why, "%s: %" PRIu64 " triangles with defects were set aside: track needs all of them sound",
            from->path, from->tail.left_out);
    s->names = tool_alloc(s->part_count, sizeof *s->names);
    name_parts(s, from);
    if (points > 0)
        model_note(m, "%" PRIu64 " parts that are nothing but points are left out", points);
    m->triangle_count = (uint32_t)triangles;
    return true;
}

bool track_store_open(const char *file, size_t memory, track_object *out, fault *why)
{
    track_store *s = tool_alloc(1, sizeof *s);
    memset(s, 0, sizeof *s);
    s->map = bw_transform_identity();
    pthread_mutex_init(&s->lock, NULL);
    for (uint32_t i = 0; i < BW_MAX_WORKERS; i++)
        s->idle[s->idle_count++] = i;
    *out = (track_object){.store = s, .model = {.file = tool_copy(file)}};
    if (!assembly_open(&s->assembly, file, memory, BW_MAX_WORKERS, why) || !list_parts(s, &out->model, why)) {
        track_store_close(s);
        model_free(&out->model);
        return false;
    }
    snprintf(out->model.format, sizeof out->model.format, "part store");
    out->model.unit = s->assembly.unit;
    out->model.up = s->assembly.up;
    track_store_map(s, NULL);
    return true;
}

void track_store_close(track_store *s)
{
    if (!s)
        return;
    track_placed_free(&s->shown);
    for (uint32_t i = 0; s->names && i < s->part_count; i++)
        free(s->names[i]);
    free(s->names);
    free(s->numbers);
    free(s->first);
    free(s->extents);
    assembly_free(&s->assembly);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

/* A box holds what is mapped from within another: its corners, and some for rounding. */
static extent map_box(const bw_transform *map, const bw_box *box)
{
    extent out = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int corner = 0; corner < 8; corner++) {
        const double p[3] = {(double)(corner & 1 ? box->max : box->min)[0],
                             (double)(corner & 2 ? box->max : box->min)[1],
                             (double)(corner & 4 ? box->max : box->min)[2]};
        for (int axis = 0; axis < 3; axis++) {
            double sum = map->m[axis][3], size = fabs(sum);
            for (int k = 0; k < 3; k++) {
                sum += map->m[axis][k] * p[k];
                size += fabs(map->m[axis][k] * p[k]);
            }
            out.low[axis] = fmin(out.low[axis], sum - 1e-12 * size);
            out.high[axis] = fmax(out.high[axis], sum + 1e-12 * size);
        }
    }
    return out;
}

void track_store_map(track_store *s, const bw_transform *map)
{
    s->moved = map != NULL;
    if (map)
        s->map = *map;
    s->extents = tool_resize(s->extents, s->part_count, sizeof *s->extents);
    for (uint32_t i = 0; i < s->part_count; i++) {
        const bw_box *box = &s->assembly.store->boxes[s->numbers[i]];
        for (int axis = 0; axis < 3; axis++) {
            s->extents[i].low[axis] = (double)box->min[axis];
            s->extents[i].high[axis] = (double)box->max[axis];
        }
        if (map)
            s->extents[i] = map_box(map, box);
    }
}

void track_store_box(const track_store *s, uint32_t part, bw_box *out)
{
    for (int axis = 0; axis < 3; axis++) {
        out->min[axis] = nextafterf((float)s->extents[part].low[axis], -INFINITY);
        out->max[axis] = nextafterf((float)s->extents[part].high[axis], INFINITY);
        if (!s->moved) { /* they are floats */
            out->min[axis] = (float)s->extents[part].low[axis];
            out->max[axis] = (float)s->extents[part].high[axis];
        }
    }
}

uint32_t track_store_part_count(const track_store *s)
{
    return s->part_count;
}

track_part track_store_part(const track_store *s, uint32_t object, uint32_t part)
{
    const store *from = s->assembly.store;
    const store_mesh *mesh = &from->meshes[from->parts[s->numbers[part]].mesh];
    return (track_part){.object = object,
                        .name = s->names[part],
                        .first_triangle = s->first[part],
                        .mesh = {.scalar = BW_F64,
                                 .vertex_count = mesh->vertex_count,
                                 .triangle_count = mesh->primitive_count}};
}

uint64_t track_store_sum(const track_store *s, uint64_t *bytes)
{
    const store_tail *tail = &s->assembly.store->tail;
    *bytes = tail->file_bytes;
    return tail->sum * 31 + store_sum(&s->map, sizeof s->map);
}

/* ---- reading ---- */

static bool hold(track_store *s, uint32_t part, assembly_held *out, fault *why)
{
    pthread_mutex_lock(&s->lock);
    const uint32_t reader = s->idle[--s->idle_count];
    pthread_mutex_unlock(&s->lock);
    const uint32_t mesh = s->assembly.parts[s->numbers[part]].mesh;
    bool fine = assembly_hold(&s->assembly, reader, mesh, out, why);
    pthread_mutex_lock(&s->lock);
    s->idle[s->idle_count++] = reader;
    if (!fine && !s->failed) {
        s->failed = true;
        s->why = *why;
    }
    pthread_mutex_unlock(&s->lock);
    return fine;
}

/* As model_flatten and film_hold put it there. Indices begin with first_vertex. */
static bool place(track_store *s, uint32_t part, const bw_mesh *view, uint32_t first_vertex,
                  double *positions, uint32_t *indices, fault *why)
{
    const uint32_t number = s->numbers[part], own = s->assembly.store->parts[number].pose;
    const bw_transform *pose = s->assembly.parts[number].pose;
    for (uint32_t v = 0; v < view->vertex_count; v++) {
        bw_vec3 p = bw_mesh_vertex(view, v);
        if (pose)
            p = bw_transform_point(pose, p);
        if (s->moved) {
            p = bw_transform_point(&s->map, p);
            if (!bw_exact_range(&p, 1))
                return fault_set(why, "%s:%s: vertex %" PRIu32 ": its pose moves it out of the exact range",
                                 s->assembly.store->path, s->names[part], v);
        }
        memcpy(positions + 3 * (size_t)v, (double[3]){p.x, p.y, p.z}, sizeof p);
    }
    const bool mirror = own != STORE_NONE && model_pose_mirrors(&s->assembly.store->poses[own]);
    for (size_t i = 0; i < view->triangle_count; i++)
        for (size_t k = 0; k < 3; k++)
            indices[3 * i + (mirror && k > 0 ? 3 - k : k)] = view->indices[3 * i + k] + first_vertex;
    return true;
}

bool track_store_place(track_store *s, uint32_t part, track_placed *out, fault *why)
{
    assembly_held held;
    if (!hold(s, part, &held, why))
        return false;
    const bw_mesh *view = held.view;
    *out = (track_placed){.positions = tool_alloc(3 * (size_t)view->vertex_count, sizeof *out->positions),
                          .indices = tool_alloc(3 * (size_t)view->triangle_count, sizeof *out->indices)};
    out->mesh = (bw_mesh){.positions = out->positions,
                          .scalar = BW_F64,
                          .vertex_count = view->vertex_count,
                          .indices = out->indices,
                          .triangle_count = view->triangle_count};
    bool fine = place(s, part, view, 0, out->positions, out->indices, why);
    assembly_release(&s->assembly, &held);
    if (!fine)
        track_placed_free(out);
    return fine;
}

void track_placed_free(track_placed *p)
{
    free(p->positions);
    free(p->indices);
    *p = (track_placed){.positions = NULL};
}

bw_motion track_placed_motion(const track *t, const track_placed *p, const track_piece *piece,
                              track_rest *two)
{
    *two = (track_rest){{t->begin, t->end}, {p->positions, p->positions}};
    if (piece->instant)
        *two = (track_rest){{piece->to, piece->to + 1}, {p->positions, p->positions}};
    return (bw_motion){.kind = BW_MOTION_KEYFRAMES,
                       .vertex_count = p->mesh.vertex_count,
                       .scalar = BW_F64,
                       .frame_count = 2,
                       .times = two->times,
                       .frames = two->frames};
}

/* ---- what is near ---- */

static bool overlap(const extent *a, const extent *b)
{
    bool meet = true;
    for (int axis = 0; axis < 3; axis++)
        meet = meet && a->low[axis] <= b->high[axis] && b->low[axis] <= a->high[axis];
    return meet;
}

/* What a part of another object covers during a piece. */
static extent cover(const track *t, const track_part *p, const track_piece *piece)
{
    extent out = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    track_rest rest;
    bw_motion motion = track_part_motion(t, p, piece, &rest);
    for (uint32_t k = 0; k < motion.frame_count; k++) {
        if (k > 0 && motion.frames[k] == motion.frames[k - 1])
            continue;
        for (size_t i = 0; i < 3 * (size_t)motion.vertex_count; i++) {
            const double x = motion.scalar == BW_F64 ? ((const double *)motion.frames[k])[i]
                                                     : (double)((const float *)motion.frames[k])[i];
            out.low[i % 3] = fmin(out.low[i % 3], x);
            out.high[i % 3] = fmax(out.high[i % 3], x);
        }
    }
    return out;
}

/* The parts whose boxes meet a box of others. */
static void list_near(const track *t, uint32_t object, const track_piece *piece, track_near *out)
{
    const track_object *o = &t->objects[object];
    const track_store *s = o->store;
    extent *others = tool_alloc(t->part_count, sizeof *others), all;
    uint32_t count = 0;
    for (int axis = 0; axis < 3; axis++) {
        all.low[axis] = INFINITY;
        all.high[axis] = -INFINITY;
    }
    for (uint32_t i = 0; i < t->part_count; i++) {
        if (t->parts[i].object == object)
            continue;
        others[count] = cover(t, &t->parts[i], piece);
        for (int axis = 0; axis < 3; axis++) {
            all.low[axis] = fmin(all.low[axis], others[count].low[axis]);
            all.high[axis] = fmax(all.high[axis], others[count].high[axis]);
        }
        count++;
    }
    size_t capacity = 0;
    for (uint32_t i = 0; i < s->part_count; i++) {
        bool near = false;
        if (overlap(&s->extents[i], &all))
            for (uint32_t k = 0; k < count && !near; k++)
                near = overlap(&s->extents[i], &others[k]);
        if (!near)
            continue;
        out->parts = tool_grow(out->parts, out->count, &capacity, sizeof *out->parts);
        out->parts[out->count++] = o->first_part + i;
    }
    free(others);
}

bool track_store_near(const track *t, uint32_t object, const track_piece *piece, track_near *out, fault *why)
{
    const track_object *o = &t->objects[object];
    *out = (track_near){.count = 0};
    list_near(t, object, piece, out);
    uint64_t vertices = 0, triangles = 0;
    out->first = tool_alloc(out->count, sizeof *out->first);
    for (uint32_t i = 0; i < out->count; i++) {
        out->first[i] = (uint32_t)triangles;
        vertices += t->parts[out->parts[i]].mesh.vertex_count;
        triangles += t->parts[out->parts[i]].mesh.triangle_count;
    }
    if (vertices >= UINT32_MAX || triangles > UINT32_C(1) << 30)
        return fault_set(why, "%s: from %g to %g s more triangles are near than one mesh can have",
                         o->model.file, piece->from, piece->to);
    track_placed *all = &out->all;
    all->positions = tool_alloc(3 * (size_t)vertices, sizeof *all->positions);
    all->indices = tool_alloc(3 * (size_t)triangles, sizeof *all->indices);
    all->mesh = (bw_mesh){.positions = all->positions, .scalar = BW_F64, .indices = all->indices};
    bool fine = true;
    for (uint32_t i = 0; i < out->count && fine; i++) {
        assembly_held held;
        const uint32_t part = out->parts[i] - o->first_part;
        fine = hold(o->store, part, &held, why);
        if (!fine)
            break;
        fine = place(o->store, part, held.view, all->mesh.vertex_count,
                     all->positions + 3 * (size_t)all->mesh.vertex_count,
                     all->indices + 3 * (size_t)out->first[i], why);
        all->mesh.vertex_count += held.view->vertex_count;
        all->mesh.triangle_count += held.view->triangle_count;
        assembly_release(&o->store->assembly, &held);
    }
    return fine;
}

void track_near_free(track_near *n)
{
    track_placed_free(&n->all);
    free(n->parts);
    free(n->first);
    *n = (track_near){.count = 0};
}

/* ---- for the report ---- */

report_triangle track_store_triangle(track_store *s, uint32_t part, uint32_t triangle)
{
    assembly_held held;
    fault why;
    const uint32_t own = triangle - s->first[part];
    report_triangle out = {.index = triangle, .face = own};
    if (!hold(s, part, &held, &why))
        return out;
    if (held.faces)
        out.face = held.faces[own];
    if (s->lines && held.lines)
        out.line = held.lines[own];
    assembly_release(&s->assembly, &held);
    return out;
}

static void release_shown(void *user)
{
    track_store *s = user;
    track_placed_free(&s->shown);
}

static bool hold_shown(void *user, uint32_t mesh, bw_mesh *out, fault *why)
{
    track_store *s = user;
    release_shown(s);
    if (!track_store_place(s, mesh - s->first_part, &s->shown, why))
        return false;
    *out = s->shown.mesh;
    return true;
}

report_source *track_store_source(const track *t)
{
    for (uint32_t i = 0; i < t->count; i++) {
        track_store *s = t->objects[i].store;
        if (!s)
            continue;
        s->first_part = t->objects[i].first_part; /* a mesh for each part, in their order */
        s->source = (report_source){.user = s, .hold = hold_shown, .release = release_shown};
        return &s->source;
    }
    return NULL;
}

const char *track_store_failed(const track *t)
{
    for (uint32_t i = 0; i < t->count; i++)
        if (t->objects[i].store && t->objects[i].store->failed)
            return t->objects[i].store->why.text;
    return NULL;
}
