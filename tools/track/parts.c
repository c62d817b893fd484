/* The parts of files in motion. */
#include "track/store.h"

#include <stdlib.h>

static void add_part(track *t, uint32_t object, const char *name, uint32_t first, uint32_t count)
{
    const track_object *o = &t->objects[object];
    const uint32_t *index = o->model.indices + 3 * (size_t)first;
    uint32_t low = UINT32_MAX, high = 0;
    for (size_t i = 0; i < 3 * (size_t)count; i++) {
        low = index[i] < low ? index[i] : low;
        high = index[i] > high ? index[i] : high;
    }
    /* An index that names no vertex is refused by the search, by its number: the view stays whole. */
    if (count == 0 || high >= o->model.vertex_count) {
        low = 0;
        high = o->model.vertex_count - 1;
    }
    track_part p = {.object = object, .name = name, .first_triangle = first, .first_vertex = low};
    p.indices = tool_alloc(3 * (size_t)count, sizeof *p.indices);
    for (size_t i = 0; i < 3 * (size_t)count; i++)
        p.indices[i] = index[i] - low;
    p.frames = tool_alloc(o->frame_count, sizeof *p.frames);
    size_t offset = 3 * (size_t)low * (o->scalar == BW_F64 ? sizeof(double) : sizeof(float));
    for (uint32_t k = 0; k < o->frame_count; k++)
        p.frames[k] = (const char *)o->frames[k] + offset;
    p.mesh = (bw_mesh){
        .scalar = o->scalar, .vertex_count = high - low + 1, .indices = p.indices, .triangle_count = count};
    t->parts[t->part_count++] = p;
}

void track_make_parts(track *t)
{
    size_t count = 0;
    for (uint32_t i = 0; i < t->count; i++)
        count += t->objects[i].store                  ? track_store_part_count(t->objects[i].store)
                 : t->objects[i].model.part_count > 0 ? t->objects[i].model.part_count
                                                      : 1;
    t->parts = tool_alloc(count, sizeof *t->parts);
    for (uint32_t i = 0; i < t->count; i++) {
        track_object *o = &t->objects[i];
        o->first_part = t->part_count;
        for (uint32_t k = 0; k < o->model.part_count; k++)
            add_part(t, i, o->model.parts[k].name, o->model.parts[k].first_triangle,
                     o->model.parts[k].triangle_count);
        for (uint32_t k = 0; o->store && k < track_store_part_count(o->store); k++)
            t->parts[t->part_count++] = track_store_part(o->store, i, k);
        if (!o->store && o->model.part_count == 0)
            add_part(t, i, "", 0, o->model.triangle_count);
        o->part_count = t->part_count - o->first_part;
    }
}

void track_free_parts(track *t)
{
    for (uint32_t i = 0; i < t->part_count; i++) {
        free(t->parts[i].indices);
        free(t->parts[i].frames);
    }
    free(t->parts);
}

uint32_t track_part_of(const track *t, uint32_t object, uint32_t triangle)
{
    const track_object *o = &t->objects[object];
    uint32_t low = o->first_part, high = o->first_part + o->part_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (t->parts[middle].first_triangle <= triangle)
            low = middle;
        else
            high = middle;
    }
    return low;
}

bw_motion track_part_motion(const track *t, const track_part *part, const track_piece *piece, track_rest *two)
{
    const track_object *o = &t->objects[part->object];
    bw_motion motion = track_motion(o, piece, two);
    motion.vertex_count = part->mesh.vertex_count;
    if (piece->instant) {
        two->frames[0] = two->frames[1] = part->frames[o->frame_count - 1];
        motion.frames = two->frames;
    } else {
        motion.frames = part->frames + (motion.frames - o->frames);
    }
    return motion;
}
