/* The compiled schedule: segments one after the other, and the replay of their events. */
#include "kinetic/kinetic.h"

#include "mesh/view.h"

#include <string.h>

/* Room for the positions at both ends where the motion has no keyframes. What was there is lost. */
static bw_result reserve_samples(bw_kinetic *k)
{
    bw_segment *lines = &k->lines;
    if (k->flight.motion.kind == BW_MOTION_KEYFRAMES || lines->sampled >= k->mesh.vertex_count)
        return BW_OK;
    size_t size = 3 * bw_mesh_view_scalar_size(&k->mesh);
    void *room[2] = {bw_allocate(&k->allocator, k->mesh.vertex_count, size),
                     bw_allocate(&k->allocator, k->mesh.vertex_count, size)};
    bool good = room[0] != NULL && room[1] != NULL;
    for (int i = 0; i < 2; i++) {
        bw_release(&k->allocator, good ? lines->samples[i] : room[i],
                   good ? lines->sampled : k->mesh.vertex_count, size);
        lines->samples[i] = good ? room[i] : lines->samples[i];
    }
    lines->sampled = good ? k->mesh.vertex_count : lines->sampled;
    return good ? BW_OK : BW_ERROR_MEMORY;
}

bw_result bw_segment_create(bw_kinetic *k)
{
    const bw_allocator *a = &k->allocator;
    bw_segment *lines = &k->lines;
    const uint32_t nodes = k->tree->wide.node_count;
    bool compiles = k->policy.on || k->method == BW_KINETIC_COMPILED; /* or may come to */
    *lines = (bw_segment){.segment = BW_NONE,
                          .raw = bw_array_of(sizeof(bw_segment_event), a),
                          .events = bw_array_of(sizeof(bw_segment_event), a),
                          .bucket = bw_array_of(sizeof(uint32_t), a)};
    if (nodes >= BW_NONE / BW_SEGMENT_COUNT)
        return BW_ERROR_SIZE;
    lines->room = nodes > 0 ? nodes : 1;
    lines->nodes = bw_allocate(a, lines->room, sizeof *lines->nodes);
    lines->reach = bw_allocate(a, lines->room, sizeof *lines->reach);
    bool good = lines->nodes != NULL && lines->reach != NULL;
    if (good && compiles) {
        lines->first = bw_allocate(a, lines->room, sizeof *lines->first);
        lines->eventful = bw_allocate(a, lines->room, sizeof *lines->eventful);
        good = lines->first != NULL && lines->eventful != NULL;
    }
    return good ? reserve_samples(k) : BW_ERROR_MEMORY;
}

void bw_segment_release(bw_kinetic *k)
{
    const bw_allocator *a = &k->allocator;
    bw_segment *lines = &k->lines;
    bw_release(a, lines->nodes, lines->room, sizeof *lines->nodes);
    bw_release(a, lines->reach, lines->room, sizeof *lines->reach);
    bw_release(a, lines->first, lines->room, sizeof *lines->first);
    bw_release(a, lines->eventful, lines->room, sizeof *lines->eventful);
    bw_array_release(&lines->raw);
    bw_array_release(&lines->events);
    bw_array_release(&lines->bucket);
    for (int i = 0; i < 2; i++)
        bw_release(a, lines->samples[i], lines->sampled, 3 * bw_mesh_view_scalar_size(&k->mesh));
}

size_t bw_segment_bytes(const bw_kinetic *k)
{
    const bw_segment *lines = &k->lines;
    const bw_array *array[] = {&lines->raw, &lines->events, &lines->bucket};
    size_t each = sizeof *lines->nodes + sizeof *lines->reach;
    if (lines->first != NULL)
        each += sizeof *lines->first + sizeof *lines->eventful;
    size_t bytes = lines->room * each;
    bytes += 2 * (size_t)lines->sampled * 3 * bw_mesh_view_scalar_size(&k->mesh);
    for (size_t i = 0; i < sizeof array / sizeof *array; i++)
        bytes += array[i]->capacity * array[i]->element;
    return bytes;
}

/* By time into buckets of about sixteen; within one they keep their order, so that the events of an extent
 * come one after the other. */
static bool bucket_events(bw_segment *lines)
{
    enum { BITS = 40, FEW = 16, MOST = 14 };
    size_t count = lines->raw.count;
    uint32_t bits = 0;
    while (bits < MOST && (count >> bits) > FEW)
        bits++;
    uint32_t buckets = (1u << bits) + 1; /* the time 2^40 has one of its own */
    lines->shift = BITS - bits;
    lines->events.count = lines->bucket.count = 0;
    uint32_t *first = bw_array_extend(&lines->bucket, (size_t)buckets + 2);
    bw_segment_event *to = count == 0 ? NULL : bw_array_extend(&lines->events, count);
    if (first == NULL || (count > 0 && to == NULL))
        return false;
    const bw_segment_event *raw = count == 0 ? NULL : bw_array_at(&lines->raw, 0);
    for (uint32_t i = 0; i <= buckets + 1; i++)
        first[i] = 0;
    for (size_t i = 0; i < count; i++)
        first[(raw[i].time >> lines->shift) + 2]++;
    for (uint32_t i = 2; i <= buckets; i++)
        first[i] += first[i - 1];
    for (size_t i = 0; i < count; i++) /* each bucket's place grows to that of the next */
        to[first[(raw[i].time >> lines->shift) + 1]++] = raw[i];
    lines->bucket.count = (size_t)buckets + 1;
    return true;
}

/* Replays the events before a time; returns how many. */
static uint64_t replay(bw_segment *lines, uint64_t until)
{
    if (lines->raw.count == 0 || until <= lines->done)
        return 0;
    const uint32_t *first = bw_array_at(&lines->bucket, 0);
    const bw_segment_event *events = bw_array_at(&lines->events, 0);
    uint64_t updates = 0, done = lines->done;
    uint32_t start = lines->start, begin = first[done >> lines->shift];
    uint32_t end = first[((until - 1) >> lines->shift) + 1];
    for (uint32_t i = begin; i < end; i++) {
        const bw_segment_event *e = &events[i];
        if (e->time < done || e->time >= until)
            continue;
        bw_segment_node *node = &lines->nodes[e->id / BW_SEGMENT_COUNT];
        node->at[start][e->id % BW_SEGMENT_COUNT] = e->from;
        node->at[!start][e->id % BW_SEGMENT_COUNT] = e->to;
        updates++;
    }
    lines->done = until;
    return updates;
}

static void measure(bw_segment *lines, const float from[BW_SIDES], const float end[BW_SIDES])
{
    for (int axis = 0; axis < 3; axis++) {
        float a = from[axis] > from[4 + axis] ? from[axis] : from[4 + axis];
        float b = end[axis] > end[4 + axis] ? end[axis] : end[4 + axis];
        lines->size[axis] = a > b ? a : b;
    }
}

/* Positions at one end of a segment: the caller's keyframe, or computed into the samples of a row. */
static bw_frame take_frame(bw_kinetic *k, const bw_piece *piece, bool end, uint32_t row)
{
    const bw_motion *motion = &k->flight.motion;
    if (motion->kind == BW_MOTION_KEYFRAMES)
        return (bw_frame){motion->frames[piece->number + (end ? 1 : 0)], bw_motion_stride(motion)};
    bw_motion_sample_range(motion, end ? piece->to : piece->from, 0, motion->vertex_count,
                           k->lines.samples[row]);
    return (bw_frame){k->lines.samples[row], 3 * bw_mesh_view_scalar_size(&k->mesh)};
}

bw_frame bw_segment_frame(const bw_kinetic *k, bool end)
{
    const bw_segment *lines = &k->lines;
    const bw_motion *motion = &k->flight.motion;
    if (motion->kind == BW_MOTION_KEYFRAMES)
        return (bw_frame){motion->frames[lines->segment + (end ? 1 : 0)], bw_motion_stride(motion)};
    return (bw_frame){lines->samples[end ? !lines->start : lines->start],
                      3 * bw_mesh_view_scalar_size(&k->mesh)};
}

/* Weights, products, their sum, the positions at the ends and those in between: each is off by at most 2^-24
 * of the size, and there are eight of them. Between keyframes all of that is monotone, and none is needed. */
static void find_slack(bw_kinetic *k, const bw_piece *piece)
{
    bw_segment *lines = &k->lines;
    float size = fmaxf(lines->size[0], fmaxf(lines->size[1], lines->size[2]));
    bool straight = k->flight.motion.kind == BW_MOTION_KEYFRAMES;
    lines->bend = straight ? 0.0f : (float)(1.000001 * piece->bend);
    lines->slack = straight ? 0.0f : 0x1p-20f * size + lines->bend + 0x1p-120f;
}

static bw_result prepare(bw_kinetic *k, const bw_piece *piece, uint64_t *updates)
{
    const uint32_t segment = piece->number;
    bw_segment *lines = &k->lines;
    bool compiled = k->method == BW_KINETIC_COMPILED;
    bool next = lines->segment != BW_NONE && segment == lines->segment + 1,
         empty = k->tree->wide.node_count == 0;
    bw_result result = reserve_samples(k); /* after a gain of vertices no segment is prepared */
    if (result != BW_OK)
        return result;
    if (next) { /* the last line of every extent ends where the extent does */
        *updates += replay(lines, (uint64_t)BW_SEGMENT_TIMES + 1);
        lines->start = !lines->start;
    } else
        bw_segment_boxes(k, take_frame(k, piece, false, lines->start), lines->start);
    lines->segment = BW_NONE;
    float from[BW_SIDES];
    for (int i = 0; i < BW_SIDES; i++) {
        lines->reach[0].end[i] = empty ? 0 : lines->reach[0].end[i];
        from[i] = lines->reach[0].end[i];
    }
    if (compiled) {
        result = bw_segment_compile(k, segment);
        if (result != BW_OK)
            return result;
        if (!bucket_events(lines))
            return BW_ERROR_MEMORY;
    } else {
        bw_segment_boxes(k, take_frame(k, piece, true, !lines->start), !lines->start);
        lines->raw.count = 0;
    }
    measure(lines, from, lines->reach[0].end);
    find_slack(k, piece);
    lines->from = piece->from;
    lines->to = piece->to;
    lines->done = 0;
    lines->segment = segment;
    return BW_OK;
}

bw_result bw_segment_advance(bw_kinetic *k, double time, bw_kinetic_report *report)
{
    bw_segment *lines = &k->lines;
    bw_piece piece = bw_piece_at(&k->pieces, time);
    if (piece.number != lines->segment) {
        bw_result result = prepare(k, &piece, &report->updates);
        if (result != BW_OK)
            return result;
        report->segments++;
    }
    if (k->method == BW_KINETIC_COMPILED) {
        double s = bw_segment_fraction(lines, time);
        report->updates += replay(lines, (uint64_t)(s * BW_SEGMENT_TIMES) + 1);
    }
    return BW_OK;
}

bw_result bw_segment_start(bw_kinetic *k, double time, bw_kinetic_report *report)
{
    k->lines.segment = BW_NONE;
    return bw_segment_advance(k, time, report);
}
