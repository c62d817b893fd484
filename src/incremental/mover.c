#include "incremental/mover.h"

#include "tree/refit_wide.h"

#include <string.h>

static size_t scalar_size(const bw_mover *m)
{
    return m->motion.scalar == BW_F64 ? sizeof(double) : sizeof(float);
}

static void *room(const bw_mover *m)
{
    return bw_allocate(&m->allocator, 3 * (size_t)m->mesh.vertex_count, scalar_size(m));
}

static void give_back(const bw_mover *m, void *positions)
{
    bw_release(&m->allocator, positions, 3 * (size_t)m->mesh.vertex_count, scalar_size(m));
}

static bool is_still(const bw_motion *motion)
{
    bool still = motion->kind == BW_MOTION_KEYFRAMES;
    for (uint32_t k = 1; still && k < motion->frame_count; k++)
        still = motion->frames[k] == motion->frames[0];
    return still;
}

bw_result bw_mover_create(const bw_allocator *allocator, bw_builder builder, const bw_tasks *tasks,
                          const bw_moving *moving, double time, bw_mover *out)
{
    bw_mover m = {.allocator = *allocator,
                  .motion = *moving->motion,
                  .mesh = {.scalar = moving->motion->scalar,
                           .vertex_count = moving->mesh->vertex_count,
                           .indices = moving->mesh->indices,
                           .triangle_count = moving->mesh->triangle_count},
                  .time = {NAN, NAN},
                  .still = is_still(moving->motion)};
    bw_motion_span(&m.motion, &m.begin, &m.end);
    m.now = time < m.begin ? m.begin : time > m.end ? m.end : time;
    m.positions = room(&m);
    if (m.positions == NULL)
        return BW_ERROR_MEMORY;
    bw_motion_sample(&m.motion, m.now, m.positions);
    m.mesh.positions = m.positions;
    bw_tree_desc desc = {.builder = builder, .compact = true, .allocator = allocator, .tasks = tasks};
    bw_result result = bw_tree_create(&desc, &m.mesh, NULL, &m.tree);
    if (result != BW_OK) {
        give_back(&m, m.positions);
        return result;
    }
    *out = m;
    return BW_OK;
}

void bw_mover_release(bw_mover *m)
{
    if (m->tree == NULL)
        return;
    for (int e = 0; e < 2; e++)
        give_back(m, m->ends[e]);
    bw_release(&m->allocator, m->boxes, m->tree->wide.node_count, sizeof *m->boxes);
    give_back(m, m->positions);
    bw_tree_destroy(m->tree);
    *m = (bw_mover){.tree = NULL};
}

size_t bw_mover_bytes(const bw_mover *m)
{
    bw_tree_stats stats;
    if (m->tree == NULL)
        return 0;
    bw_tree_get_stats(m->tree, &stats);
    size_t copy = 3 * (size_t)m->mesh.vertex_count * scalar_size(m);
    size_t span = m->boxes == NULL ? 0 : 2 * copy + m->tree->wide.node_count * sizeof *m->boxes;
    return stats.bytes + copy + span;
}

bool bw_mover_straight(const bw_mover *m)
{
    return m->motion.kind != BW_MOTION_PLANS;
}

double bw_mover_break(const bw_mover *m, double time)
{
    if (m->motion.kind != BW_MOTION_KEYFRAMES || m->still || time >= m->end)
        return m->end;
    return m->motion.times[bw_motion_segment(&m->motion, time) + 1];
}

bw_result bw_mover_reserve_span(bw_mover *m)
{
    if (m->boxes != NULL)
        return BW_OK;
    void *first = room(m), *second = room(m);
    bw_sweep_boxes *boxes = bw_allocate(&m->allocator, m->tree->wide.node_count, sizeof *boxes);
    if (first == NULL || second == NULL || boxes == NULL) {
        give_back(m, first);
        give_back(m, second);
        bw_release(&m->allocator, boxes, m->tree->wide.node_count, sizeof *boxes);
        return BW_ERROR_MEMORY;
    }
    m->ends[0] = first;
    m->ends[1] = second;
    m->boxes = boxes;
    return BW_OK;
}

/* Positions and boxes of one end. A refit cannot fail: the motion is valid, so every position is. */
static void take_end(bw_mover *m, int end, double time)
{
    bw_wide *wide = &m->tree->wide;
    bw_motion_sample(&m->motion, time, m->ends[end]);
    bw_mesh mesh = m->mesh;
    mesh.positions = m->ends[end];
    bw_wide_refit(wide, &mesh, &(bw_wide_refit_desc){0}, NULL);
    for (uint32_t n = 0; n < wide->node_count; n++) {
        memcpy(m->boxes[n].min[end], wide->nodes[n].min, sizeof wide->nodes[n].min);
        memcpy(m->boxes[n].max[end], wide->nodes[n].max, sizeof wide->nodes[n].max);
    }
    m->time[end] = time;
}

/* What was the end becomes the beginning. */
static void shift(bw_mover *m)
{
    void *swap = m->ends[0];
    m->ends[0] = m->ends[1];
    m->ends[1] = swap;
    for (uint32_t n = 0; n < m->tree->wide.node_count; n++) {
        memcpy(m->boxes[n].min[0], m->boxes[n].min[1], sizeof m->boxes[n].min[0]);
        memcpy(m->boxes[n].max[0], m->boxes[n].max[1], sizeof m->boxes[n].max[0]);
    }
    m->time[0] = m->time[1];
}

/* The largest magnitude at both ends, from the boxes of the root's children. */
static float size_of(const bw_mover *m)
{
    const bw_sweep_boxes *root = &m->boxes[0];
    float size = 0;
    for (uint32_t i = 0; i < 6 * m->tree->wide.nodes[0].count; i++) {
        uint32_t lane = i / 6, end = i % 2, axis = i / 2 % 3;
        size = fmaxf(size, fmaxf(fabsf(root->min[end][axis][lane]), fabsf(root->max[end][axis][lane])));
    }
    return size;
}

void bw_mover_span(bw_mover *m, double from, double to)
{
    if (m->time[0] == from && m->time[1] == to)
        return;
    if (m->still && !isnan(m->time[0])) {
        m->time[0] = from;
        m->time[1] = to;
        return;
    }
    if (m->time[1] == from)
        shift(m);
    else
        take_end(m, 0, from);
    take_end(m, 1, to);
    m->size = size_of(m);
    m->now = NAN; /* the tree is fitted to the end of the span, the positions are not those */
}

void bw_mover_fit(bw_mover *m, double time)
{
    if (m->now == time || (m->still && !isnan(m->now)))
        return;
    bw_motion_sample(&m->motion, time, m->positions);
    bw_wide_refit(&m->tree->wide, &m->mesh, &(bw_wide_refit_desc){0}, NULL);
    m->now = time;
}
