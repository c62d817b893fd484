#include "kinetic/kinetic.h"

#include "base/sort.h"
#include "geom/box.h"

#include <math.h>

bw_result bw_lines_create(bw_kinetic *k)
{
    bw_lines *lines = &k->lines;
    uint32_t nodes = k->tree->wide.node_count;
    *lines = (bw_lines){.segment = BW_NONE,
                        .raw = bw_array_of(sizeof(bw_line_event), &k->allocator),
                        .events = bw_array_of(sizeof(bw_line_event), &k->allocator),
                        .eventful = bw_array_of(sizeof(uint32_t), &k->allocator),
                        .keys = bw_array_of(sizeof(uint64_t), &k->allocator),
                        .values = bw_array_of(sizeof(uint32_t), &k->allocator)};
    if (nodes >= BW_NONE / BW_LINE_COUNT)
        return BW_ERROR_SIZE;
    lines->nodes = bw_allocate(&k->allocator, nodes, sizeof *lines->nodes);
    lines->first = bw_allocate(&k->allocator, nodes, sizeof *lines->first);
    return lines->nodes != NULL && lines->first != NULL ? BW_OK : BW_ERROR_MEMORY;
}

void bw_lines_release(bw_kinetic *k)
{
    bw_lines *lines = &k->lines;
    uint32_t nodes = k->tree->wide.node_count;
    bw_release(&k->allocator, lines->nodes, nodes, sizeof *lines->nodes);
    bw_release(&k->allocator, lines->first, nodes, sizeof *lines->first);
    bw_array_release(&lines->raw);
    bw_array_release(&lines->events);
    bw_array_release(&lines->eventful);
    bw_array_release(&lines->keys);
    bw_array_release(&lines->values);
}

size_t bw_lines_bytes(const bw_kinetic *k)
{
    const bw_lines *lines = &k->lines;
    const bw_array *array[] = {&lines->raw, &lines->events, &lines->eventful, &lines->keys, &lines->values};
    size_t bytes = (size_t)k->tree->wide.node_count * (sizeof *lines->nodes + sizeof *lines->first);
    for (size_t i = 0; i < sizeof array / sizeof *array; i++)
        bytes += array[i]->capacity * array[i]->element;
    return bytes;
}

static bool sort_events(bw_lines *lines)
{
    size_t count = lines->raw.count;
    lines->events.count = lines->keys.count = lines->values.count = 0;
    if (count == 0)
        return true;
    bw_line_event *to = bw_array_extend(&lines->events, count);
    uint64_t *keys = bw_array_extend(&lines->keys, 2 * count);
    uint32_t *values = bw_array_extend(&lines->values, 2 * count);
    if (to == NULL || keys == NULL || values == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        keys[i] = ((const bw_line_event *)bw_array_at(&lines->raw, i))->time;
        values[i] = (uint32_t)i;
    }
    bw_sort_u64(keys, values, keys + count, values + count, (uint32_t)count);
    for (size_t i = 0; i < count; i++) /* stable: the events of one extent keep their order */
        to[i] = *(const bw_line_event *)bw_array_at(&lines->raw, values[i]);
    return true;
}

bw_result bw_lines_advance(bw_kinetic *k, double time, uint64_t *updates, uint32_t *segments)
{
    bw_lines *lines = &k->lines;
    uint32_t segment = bw_motion_segment(&k->flight.motion, time);
    if (segment != lines->segment) {
        lines->segment = BW_NONE;
        bw_result result = bw_lines_compile(k, segment);
        if (result == BW_OK && !sort_events(lines))
            result = BW_ERROR_MEMORY;
        if (result != BW_OK)
            return result;
        lines->segment = segment;
        lines->next = 0;
        ++*segments;
    }
    if (k->method != BW_KINETIC_COMPILED)
        return BW_OK;
    uint64_t now = (uint64_t)(bw_motion_fraction(&k->flight.motion, segment, time) * 0x1p40);
    const bw_line_event *events = bw_array_at(&lines->events, 0);
    size_t i = lines->next;
    for (; i < lines->events.count && events[i].time <= now; i++) {
        bw_line_node *node = &lines->nodes[events[i].id / BW_LINE_COUNT];
        node->from[events[i].id % BW_LINE_COUNT] = events[i].from;
        node->to[events[i].id % BW_LINE_COUNT] = events[i].to;
    }
    *updates += i - lines->next;
    lines->next = i;
    return BW_OK;
}

/* A loop for the compiler to vectorise, here and with the wider registers; the same bits. */
static inline __attribute__((always_inline)) void blend_any(const float *restrict a, const float *restrict b,
                                                            double s, float *restrict out)
{
    const double r = 1 - s;
    for (int i = 0; i < 3 * BW_WIDTH; i++)
        out[i] = (float)(r * (double)a[i] + s * (double)b[i]) + 0.0f; /* no -0 */
}

static void blend(const float *a, const float *b, double s, float *out)
{
    blend_any(a, b, s, out);
}

#if BW_SIMD_X86
__attribute__((target("avx2"))) static void blend_avx2(const float *a, const float *b, double s, float *out)
{
    blend_any(a, b, s, out);
}
#endif

/* Positions of doubles do not round as floats do: outward. */
static void blend_outward(const bw_line_node *lines, double s, uint32_t lanes, bw_wide_node *out)
{
    for (uint32_t axis = 0; axis < 3; axis++)
        for (uint32_t lane = 0; lane < lanes; lane++) {
            uint32_t low = axis * BW_WIDTH + lane, high = low + 3 * BW_WIDTH;
            out->min[axis][lane] =
                bw_float_down(bw_lerp((double)lines->from[low], (double)lines->end[low], s)) + 0.0f;
            out->max[axis][lane] =
                bw_float_up(bw_lerp((double)lines->from[high], (double)lines->end[high], s)) + 0.0f;
        }
}

/* The extent of a lane from the lanes or vertices right below it. */
static float from_below(const bw_kinetic *k, const bw_wide_node *node, uint32_t extent, double time)
{
    const bw_wide *wide = &k->tree->wide;
    uint32_t lane = extent % BW_WIDTH, axis = extent / BW_WIDTH % 3, child = node->child[lane];
    bool upper = extent >= BW_LINE_COUNT / 2;
    float best = upper ? -BW_WIDE_EMPTY : BW_WIDE_EMPTY;
    uint32_t leaf = child & ~BW_WIDE_LEAF, is_leaf = child & BW_WIDE_LEAF;
    uint32_t count = is_leaf ? wide->leaves[leaf].vertex_count : wide->nodes[child].count;
    for (uint32_t i = 0; i < count; i++) {
        float x;
        if (is_leaf)
            x = (float)bw_motion_coordinate(&k->flight.motion, wide->vertices[wide->vertex_first[leaf] + i],
                                            (int)axis, time);
        else
            x = upper ? wide->nodes[child].max[axis][i] : wide->nodes[child].min[axis][i];
        best = upper ? (x > best ? x : best) : (x < best ? x : best);
    }
    return best;
}

/* How much the line in use may be short of the farthest vertex, as a part of the coordinates' size: events
 * come up to 2^-40 of the segment too early, where two lines are at most four sizes apart; the roundings of
 * all levels are far below. */
#define SLACK 0x1p-37

static void settle_eventful(bw_kinetic *k, double s, double time)
{
    bw_lines *lines = &k->lines;
    const uint32_t *ids = bw_array_at(&lines->eventful, 0);
    for (size_t i = 0; i < lines->eventful.count; i++) { /* children before parents */
        uint32_t extent = ids[i] % BW_LINE_COUNT, axis = extent / BW_WIDTH % 3, lane = extent % BW_WIDTH;
        const bw_line_node *l = &lines->nodes[ids[i] / BW_LINE_COUNT];
        bw_wide_node *node = &k->tree->wide.nodes[ids[i] / BW_LINE_COUNT];
        double value = bw_lerp((double)l->from[extent], (double)l->to[extent], s);
        double slack = SLACK * (double)l->size[axis];
        bool upper = extent >= BW_LINE_COUNT / 2;
        if ((float)(upper ? value + slack : value - slack) == (float)value)
            continue;
        float exact = from_below(k, node, extent, time) + 0.0f;
        if (upper)
            node->max[axis][lane] = exact;
        else
            node->min[axis][lane] = exact;
    }
}

void bw_lines_fit(bw_kinetic *k, double time)
{
    bw_lines *lines = &k->lines;
    bw_wide *wide = &k->tree->wide;
    double s = bw_motion_fraction(&k->flight.motion, lines->segment, time);
    bool compiled = k->method == BW_KINETIC_COMPILED;
    void (*mix)(const float *, const float *, double, float *) = blend;
#if BW_SIMD_X86
    if (k->simd >= BW_SIMD_AVX2)
        mix = blend_avx2;
#endif
    for (uint32_t n = 0; n < wide->node_count; n++) {
        const bw_line_node *l = &lines->nodes[n];
        const float *to = compiled ? l->to : l->end;
        if (k->flight.motion.scalar == BW_F64) {
            blend_outward(l, s, wide->nodes[n].count, &wide->nodes[n]);
            continue;
        }
        mix(l->from, to, s, wide->nodes[n].min[0]);
        mix(l->from + 3 * BW_WIDTH, to + 3 * BW_WIDTH, s, wide->nodes[n].max[0]);
    }
    if (compiled)
        settle_eventful(k, s, time);
    wide->bounds = bw_wide_node_box(&wide->nodes[0]);
}
