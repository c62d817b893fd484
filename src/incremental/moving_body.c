/* A mesh in motion for the sweep: positions and boxes at both ends of a span of time. */
#include "incremental/moving_body.h"

#include "geom/vec.h"
#include "motion/flight.h"
#include "tree/refit/refit.h"

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

static uint32_t blocks_of(const bw_mover *m)
{
    return m->mesh.vertex_count / BW_DEFERRED_BLOCK + 1;
}

static bool is_still(const bw_motion *motion)
{
    bool still = motion->kind == BW_MOTION_KEYFRAMES;
    for (uint32_t k = 1; still && k < motion->frame_count; k++)
        still = motion->frames[k] == motion->frames[0];
    return still;
}

/* ---- positions ---- */

/* The keyframe that stands at the very time, as its positions are those of the motion there (but for the sign
 * of zeros); NULL where there is none. */
static const void *keyframe_at(const bw_mover *m, double time)
{
    const bw_motion *motion = &m->motion;
    if (motion->kind != BW_MOTION_KEYFRAMES)
        return NULL;
    uint32_t segment = bw_motion_segment(motion, time);
    if (m->still || motion->times[segment] == time)
        return motion->frames[segment];
    return motion->times[segment + 1] == time ? motion->frames[segment + 1] : NULL;
}

/* All positions at a time, as a mesh: of a keyframe, or computed. */
static bw_mesh mesh_at(const bw_mover *m, double time, void *computed)
{
    bw_mesh mesh = m->mesh;
    const void *frame = keyframe_at(m, time);
    mesh.positions = frame != NULL ? frame : computed;
    mesh.stride = frame != NULL ? m->motion.stride : 0;
    if (frame == NULL)
        bw_motion_sample(&m->motion, time, computed, NULL);
    return mesh;
}

/* ---- pieces ---- */

/* The second derivative is linear, so it is largest at an end. */
static double curvature_of(const bw_motion *motion)
{
    double most = 0;
    for (uint32_t v = 0; v < motion->vertex_count && motion->kind == BW_MOTION_PLANS; v++) {
        const bw_plan *plan = &motion->plans[v];
        for (int axis = 0; axis < 3; axis++) {
            double b = bw_vec3_at(&plan->c[2], axis), c = bw_vec3_at(&plan->c[3], axis);
            most = fmax(most, fabs(b + 3 * c * (motion->begin - plan->origin)));
            most = fmax(most, fabs(b + 3 * c * (motion->end - plan->origin)));
        }
    }
    return most;
}

/* A curve leaves its chord by at most an eighth of the second derivative and the square of the time. */
static double bend_within(const bw_mover *m, double length)
{
    return m->curvature * length * length / 4;
}

/* So many that curves bend by a quarter of a triangle at most, as far as its size is known from that of the
 * whole. */
static uint32_t pieces_of(const bw_mover *m)
{
    enum { MOST = 4096 };
    const bw_box *bounds = &m->tree->wide.bounds;
    double extent = 0;
    for (int axis = 0; axis < 3; axis++)
        extent = fmax(extent, (double)bounds->max[axis] - (double)bounds->min[axis]);
    double allowed = 0.25 * extent / sqrt(m->tree->wide.primitive_count + 1.0);
    double bend = bend_within(m, m->end - m->begin), pieces = ceil(sqrt(bend / allowed));
    return !(bend > 0) ? 1 : pieces < MOST ? (uint32_t)pieces : MOST;
}

static double piece_at(const bw_mover *m, uint32_t k)
{
    return k >= m->pieces ? m->end : m->begin + (m->end - m->begin) * ((double)k / m->pieces);
}

void bw_mover_piece(const bw_mover *m, double time, double *from, double *to)
{
    if (m->motion.kind == BW_MOTION_KEYFRAMES) {
        uint32_t segment = bw_motion_segment(&m->motion, time);
        *from = m->still ? m->begin : m->motion.times[segment];
        *to = m->still ? m->end : m->motion.times[segment + 1];
        return;
    }
    double part = m->end > m->begin ? floor((time - m->begin) / (m->end - m->begin) * m->pieces) : 0;
    uint32_t k = part < m->pieces - 1.0 ? (uint32_t)fmax(part, 0) : m->pieces - 1;
    while (k > 0 && piece_at(m, k) > time) /* rounded */
        k--;
    while (k + 1 < m->pieces && piece_at(m, k + 1) <= time)
        k++;
    *from = piece_at(m, k);
    *to = piece_at(m, k + 1);
}

double bw_mover_break(const bw_mover *m, double time)
{
    double from, to;
    if (time >= m->end)
        return m->end;
    bw_mover_piece(m, time, &from, &to);
    return to;
}

/* ---- made and given back ---- */

bw_result bw_mover_create(const bw_allocator *allocator, bw_builder builder, const bw_tasks *tasks,
                          const bw_moving *moving, double time, bw_mover *out)
{
    bw_mover m = {.allocator = *allocator,
                  .motion = *moving->motion,
                  .mesh = {.scalar = moving->motion->scalar,
                           .vertex_count = moving->mesh->vertex_count,
                           .indices = moving->mesh->indices,
                           .triangle_count = moving->mesh->triangle_count},
                  .ends = {{.time = NAN}, {.time = NAN}},
                  .still = is_still(moving->motion)};
    bw_motion_span(&m.motion, &m.begin, &m.end);
    m.now = time < m.begin ? m.begin : time > m.end ? m.end : time;
    m.positions = room(&m);
    if (m.positions == NULL)
        return BW_ERROR_MEMORY;
    m.mesh = mesh_at(&m, m.now, m.positions);
    bw_tree_desc desc = {.builder = builder, .compact = true, .allocator = allocator, .tasks = tasks};
    bw_result result = bw_tree_create(&desc, &m.mesh, &m.tree, NULL);
    if (result != BW_OK) {
        give_back(&m, m.positions);
        return result;
    }
    m.curvature = curvature_of(&m.motion);
    m.pieces = pieces_of(&m);
    *out = m;
    return BW_OK;
}

void bw_mover_release(bw_mover *m)
{
    if (m->tree == NULL)
        return;
    uint32_t nodes = m->tree->wide.node_count;
    for (int e = 0; e < 2; e++) {
        give_back(m, m->ends[e].room);
        bw_release(&m->allocator, m->ends[e].boxes, nodes, sizeof *m->ends[e].boxes);
    }
    bw_release(&m->allocator, m->lazy.nodes, nodes, sizeof *m->lazy.nodes);
    bw_release(&m->allocator, m->block_numbers, blocks_of(m), sizeof *m->block_numbers);
    give_back(m, m->positions);
    m->tree->wide.lazy = NULL;
    bw_tree_destroy(m->tree);
    *m = (bw_mover){.tree = NULL};
}

size_t bw_mover_bytes(const bw_mover *m)
{
    bw_tree_stats stats = {0};
    if (m->tree == NULL)
        return 0;
    bw_tree_get_stats(m->tree, &stats);
    size_t copy = 3 * (size_t)m->mesh.vertex_count * scalar_size(m), nodes = m->tree->wide.node_count;
    size_t span =
        2 * copy + nodes * (2 * sizeof(bw_sweep_boxes) + sizeof(uint32_t)) + blocks_of(m) * sizeof(uint32_t);
    return stats.bytes + copy + (m->lazy.nodes == NULL ? 0 : span);
}

double bw_mover_curve(const bw_mover *m, uint32_t v, bw_vec3 out[4])
{
    if (m->motion.kind != BW_MOTION_PLANS) {
        out[0] = bw_mover_vertex(m, 0, v);
        out[1] = bw_vec3_sub(bw_mover_vertex(m, 1, v), out[0]);
        out[2] = out[3] = (bw_vec3){0, 0, 0};
        return 0;
    }
    const bw_plan *plan = &m->motion.plans[v];
    double u = m->ends[0].time - plan->origin, h = m->ends[1].time - m->ends[0].time;
    double far = fabs(u) + h, most = 0, x[4][3];
    for (int axis = 0; axis < 3; axis++) {
        double c[4];
        for (int k = 0; k < 4; k++)
            c[k] = bw_vec3_at(&plan->c[k], axis);
        x[0][axis] = c[0] + u * (c[1] + u * (c[2] + u * c[3]));
        x[1][axis] = h * (c[1] + u * (2 * c[2] + 3 * u * c[3]));
        x[2][axis] = h * h * (c[2] + 3 * u * c[3]);
        x[3][axis] = h * h * h * c[3];
        most = fmax(most, fabs(c[0]) + far * (fabs(c[1]) + far * (fabs(c[2]) + far * fabs(c[3]))));
    }
    for (int k = 0; k < 4; k++)
        out[k] = (bw_vec3){x[k][0], x[k][1], x[k][2]};
    return 0x1p-49 * most; /* ten roundings at most of each term, and these sum up to as much */
}

bw_result bw_mover_reserve_span(bw_mover *m)
{
    if (m->lazy.nodes != NULL)
        return BW_OK;
    uint32_t nodes = m->tree->wide.node_count, blocks = blocks_of(m);
    void *first = room(m), *second = room(m);
    bw_sweep_boxes *boxes[2];
    for (int e = 0; e < 2; e++)
        boxes[e] = bw_allocate(&m->allocator, nodes, sizeof *boxes[e]);
    _Atomic uint32_t *node_numbers = bw_allocate_zero(&m->allocator, nodes, sizeof *node_numbers);
    _Atomic uint32_t *block_numbers = bw_allocate_zero(&m->allocator, blocks, sizeof *block_numbers);
    if (first == NULL || second == NULL || boxes[0] == NULL || boxes[1] == NULL || node_numbers == NULL ||
        block_numbers == NULL) {
        give_back(m, first);
        give_back(m, second);
        for (int e = 0; e < 2; e++)
            bw_release(&m->allocator, boxes[e], nodes, sizeof *boxes[e]);
        bw_release(&m->allocator, node_numbers, nodes, sizeof *node_numbers);
        bw_release(&m->allocator, block_numbers, blocks, sizeof *block_numbers);
        return BW_ERROR_MEMORY;
    }
    for (int e = 0; e < 2; e++) {
        m->ends[e].room = e == 0 ? first : second;
        m->ends[e].boxes = boxes[e];
    }
    m->lazy.nodes = node_numbers;
    m->block_numbers = block_numbers;
    m->lazy.node_count = nodes;
    return BW_OK;
}

/* ---- tight boxes ---- */

/* The motion is valid, so every position is: a refit cannot fail. It looks at them all the same where they
 * are a keyframe's: one pass in order brings them into the cache, which the fit of leaf after leaf does not.
 */
static void refit(bw_mover *m, const bw_mesh *mesh)
{
    bool ours = mesh->positions == m->positions || mesh->positions == m->ends[0].room ||
                mesh->positions == m->ends[1].room;
    m->tree->wide.lazy = NULL;
    m->blended = false;
    bw_wide_refit(&m->tree->wide, mesh, &(bw_wide_refit_desc){.sound = ours}, NULL);
}

void bw_mover_fit(bw_mover *m, double time)
{
    if (m->still || (m->now == time && !m->blended))
        return;
    m->mesh = mesh_at(m, time, m->positions);
    refit(m, &m->mesh);
    m->now = time;
}

/* Positions and boxes of one end. */
static void take_end(bw_mover *m, bw_span_end *end, double time)
{
    bw_mesh mesh = mesh_at(m, time, end->room);
    if (!m->still && (m->now != time || m->blended)) {
        refit(m, &mesh);
        m->now = NAN;
    }
    const bw_wide *wide = &m->tree->wide;
    end->time = time;
    end->positions = mesh.positions;
    end->stride = mesh.stride != 0 ? mesh.stride : 3 * scalar_size(m);
    end->size = 0;
    for (uint32_t n = 0; n < wide->node_count; n++) {
        memcpy(end->boxes[n].min, wide->nodes[n].min, sizeof end->boxes[n].min);
        memcpy(end->boxes[n].max, wide->nodes[n].max, sizeof end->boxes[n].max);
    }
    for (int axis = 0; axis < 3; axis++)
        end->size = fmaxf(end->size, fmaxf(fabsf(wide->bounds.min[axis]), fabsf(wide->bounds.max[axis])));
}

void bw_mover_span(bw_mover *m, double from, double to)
{
    bw_span_end *first = &m->ends[0], *last = &m->ends[1];
    if (first->time == from && last->time == to)
        return;
    if (m->still && !isnan(first->time)) {
        first->time = from;
        last->time = to;
        return;
    }
    if (first->time != from && last->time == from) {
        bw_span_end swap = *first;
        *first = *last;
        *last = swap;
    }
    if (first->time != from)
        take_end(m, first, from);
    if (last->time != to)
        take_end(m, last, to);
    m->bend = bend_within(m, to - from);
}

/* ---- blended boxes ---- */

bool bw_mover_holds(const bw_mover *m, double time)
{
    return time >= m->ends[0].time && time <= m->ends[1].time;
}

static inline __attribute__((always_inline)) void blend_any(const float *restrict a, const float *restrict b,
                                                            float r, float s, float slack,
                                                            float *restrict out)
{
    for (int i = 0; i < 3 * BW_WIDTH; i++)
        out[i] = r * a[i] + s * b[i] + slack;
}

static void blend(const float *a, const float *b, float r, float s, float slack, float *out)
{
    blend_any(a, b, r, s, slack, out);
}

#if BW_SIMD_X86
__attribute__((target("avx2"))) static void blend_avx2(const float *a, const float *b, float r, float s,
                                                       float slack, float *out)
{
    blend_any(a, b, r, s, slack, out);
}
#endif

static void write_node(void *user, uint32_t node)
{
    const bw_mover *m = user;
    const bw_sweep_boxes *a = &m->ends[0].boxes[node], *b = &m->ends[1].boxes[node];
    bw_wide_node *out = &m->tree->wide.nodes[node];
    float r = m->from_weight, s = m->to_weight;
#if BW_SIMD_X86
    if (bw_simd_level(BW_SIMD_AUTO) >= BW_SIMD_AVX2) {
        blend_avx2(a->min[0], b->min[0], r, s, -m->slack, out->min[0]);
        blend_avx2(a->max[0], b->max[0], r, s, m->slack, out->max[0]);
        return;
    }
#endif
    blend(a->min[0], b->min[0], r, s, -m->slack, out->min[0]);
    blend(a->max[0], b->max[0], r, s, m->slack, out->max[0]);
}

static void write_block(void *user, uint32_t block)
{
    bw_mover *m = user;
    uint32_t first = block * BW_DEFERRED_BLOCK, left = m->mesh.vertex_count - first;
    bw_motion_sample_range(&m->motion, m->now, first, left < BW_DEFERRED_BLOCK ? left : BW_DEFERRED_BLOCK,
                           m->positions);
}

/* Positions at a time: a keyframe's, all of them computed, or computed block by block where a query looks.
 * The last asks for the block of every vertex of every leaf, which is dearer where most are looked at. */
static void blend_positions(bw_mover *m, double time)
{
    enum { AGAIN = 32 };
    struct bw_wide_deferred *lazy = &m->lazy;
    const void *frame = keyframe_at(m, time);
    uint32_t blocks = blocks_of(m);
    if (lazy->blocks != NULL && 3 * bw_wide_deferred_written(lazy->blocks, blocks, lazy->blocks_now) > blocks)
        m->eager = AGAIN;
    lazy->blocks = NULL;
    lazy->block_count = 0;
    m->mesh.positions = frame != NULL ? frame : m->positions;
    m->mesh.stride = frame != NULL ? m->motion.stride : 0;
    if (frame != NULL)
        return;
    if (m->eager > 0) {
        m->eager--;
        bw_motion_sample(&m->motion, time, m->positions, NULL);
        return;
    }
    lazy->blocks = m->block_numbers;
    lazy->block_count = blocks;
    bw_wide_deferred_forget(lazy->blocks, blocks, &lazy->blocks_now);
}

void bw_mover_blend(bw_mover *m, double time)
{
    if (m->still || m->now == time)
        return;
    struct bw_wide_deferred *lazy = &m->lazy;
    const bw_span_end *first = &m->ends[0], *last = &m->ends[1];
    double s = (time - first->time) / (last->time - first->time);
    bool ends = time == first->time || time == last->time;
    /* Weights, products, their sum, the positions at the ends and those in between: each is off by at most
     * 2^-24 of the size, and there are eight of them. */
    m->slack =
        ends ? 0.0f : fmaxf(first->size, last->size) * 0x1p-20f + (float)(1.000001 * m->bend) + 0x1p-120f;
    m->from_weight = (float)(1 - s);
    m->to_weight = (float)s;
    blend_positions(m, time);
    m->now = time;
    m->blended = true;
    lazy->user = m;
    lazy->write_node = write_node;
    lazy->write_block = write_block;
    bw_wide_deferred_forget(lazy->nodes, lazy->node_count, &lazy->nodes_now);
    m->tree->wide.lazy = lazy;
    bw_wide_need_node(&m->tree->wide, 0);
    m->tree->wide.bounds = bw_wide_node_box(&m->tree->wide.nodes[0]);
}
