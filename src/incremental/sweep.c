/* The traversal of two moving trees down to pairs of triangles that may meet, and when. */
#include "incremental/sweep.h"

#include "collide/pair/kernels.h"
#include "mesh/view.h"

#include <math.h>

/* Children of a node of each tree that are still to be compared, within a part of the span. */
typedef struct item {
    uint32_t a, b;
    uint32_t lanes, rows;
    float from, to;
} item;

enum { CACHE = 64 };

/* The triangles of a leaf at both ends: their boxes. */
typedef struct bw_sweep_leaf {
    uint32_t leaf;
    bw_sweep_boxes boxes[2];
} bw_sweep_leaf;

bw_result bw_sweep_create(const bw_allocator *allocator, bw_mover *a, bw_mover *b, bw_sweep *out)
{
    bw_sweep s = {.a = a,
                  .b = b,
                  .pairs = bw_array_of(sizeof(bw_sweep_pair), allocator),
                  .items = bw_array_of(sizeof(item), allocator),
                  .lanes = bw_sweep_lanes_for(bw_simd_level(BW_SIMD_AUTO)),
                  .allocator = allocator};
    s.cache[0] = bw_allocate(allocator, CACHE, sizeof *s.cache[0]);
    s.cache[1] = bw_allocate(allocator, CACHE, sizeof *s.cache[1]);
    bw_result result = s.cache[0] == NULL || s.cache[1] == NULL ? BW_ERROR_MEMORY : bw_mover_reserve_span(a);
    if (result == BW_OK)
        result = bw_mover_reserve_span(b);
    if (result != BW_OK) {
        bw_sweep_release(&s);
        return result;
    }
    *out = s;
    return BW_OK;
}

void bw_sweep_release(bw_sweep *s)
{
    if (s->allocator == NULL)
        return;
    for (int i = 0; i < 2; i++)
        bw_release(s->allocator, s->cache[i], CACHE, sizeof *s->cache[i]);
    bw_array_release(&s->pairs);
    bw_array_release(&s->items);
    *s = (bw_sweep){.allocator = NULL};
}

size_t bw_sweep_bytes(const bw_sweep *s)
{
    return s->allocator == NULL ? 0
                                : 2 * CACHE * sizeof(bw_sweep_leaf) + s->pairs.capacity * s->pairs.element +
                                      s->items.capacity * s->items.element;
}

/* ---- leaves ---- */

/* Rounding to float is within the slack. */
static void fill_leaf(const bw_mover *m, uint32_t leaf, bw_sweep_leaf *out)
{
    const bw_wide *wide = &m->tree->wide;
    const uint32_t *primitives = wide->primitives + (size_t)leaf * BW_WIDTH;
    uint32_t count = wide->leaves[leaf].count;
    out->leaf = leaf;
    for (uint32_t slot = 0; slot < BW_WIDTH; slot++) {
        uint32_t primitive = primitives[slot < count ? slot : 0];
        for (int end = 0; end < 2; end++) {
            float low[3], high[3];
            for (uint32_t corner = 0; corner < 3; corner++) {
                bw_vec3 p = bw_mover_vertex(m, end, bw_mesh_view_index(&m->mesh, primitive, corner));
                float x[3] = {(float)p.x, (float)p.y, (float)p.z};
                for (int axis = 0; axis < 3; axis++) {
                    low[axis] = corner == 0 || x[axis] < low[axis] ? x[axis] : low[axis];
                    high[axis] = corner == 0 || x[axis] > high[axis] ? x[axis] : high[axis];
                }
            }
            for (int axis = 0; axis < 3; axis++) {
                out->boxes[end].min[axis][slot] = low[axis];
                out->boxes[end].max[axis][slot] = high[axis];
            }
        }
    }
}

static const bw_sweep_leaf *leaf_of(bw_sweep *s, int side, uint32_t leaf)
{
    bw_sweep_leaf *slot = &s->cache[side][leaf % CACHE];
    if (slot->leaf != leaf)
        fill_leaf(side == 0 ? s->a : s->b, leaf, slot);
    return slot;
}

static void corners_of(const bw_mover *m, const uint32_t v[3], bw_vec3 out[2][3])
{
    for (int end = 0; end < 2; end++)
        for (int corner = 0; corner < 3; corner++)
            out[end][corner] = bw_mover_vertex(m, end, v[corner]);
}

/* Brings the vertices that two triangles of one mesh share to the front of both, in one order; how many. */
static int share(uint32_t a[3], uint32_t b[3])
{
    int shared = 0;
    for (int i = 0; i < 3; i++)
        for (int j = shared; j < 3; j++)
            if (i >= shared && a[i] == b[j]) {
                uint32_t v = a[i];
                a[i] = a[shared];
                a[shared] = v;
                b[j] = b[shared];
                b[shared] = v;
                shared++;
            }
    return shared;
}

/* A triangle with a vertex twice shares it in ways that the tests of neighbours do not expect. */
static bool proper(const uint32_t v[3])
{
    return v[0] != v[1] && v[1] != v[2] && v[2] != v[0];
}

static bool narrow(const bw_sweep *s, bw_sweep_pair *pair)
{
    uint32_t v[2][3];
    for (uint32_t corner = 0; corner < 3; corner++) {
        v[0][corner] = bw_mesh_view_index(&s->a->mesh, pair->a, corner);
        v[1][corner] = bw_mesh_view_index(&s->b->mesh, pair->b, corner);
    }
    bool mesh = s->a == s->b && s->a->mesh.indices != NULL;
    if (mesh && !(proper(v[0]) && proper(v[1])))
        return true;
    int shared = mesh ? share(v[0], v[1]) : 0;
    bw_vec3 a[2][3], b[2][3];
    corners_of(s->a, v[0], a);
    corners_of(s->b, v[1], b);
    if (shared == 3)
        return true;
    if (shared == 2)
        return bw_sweep_trim_edge(a, b, s->slack);
    if (shared == 1)
        return bw_sweep_trim_corner(a, b, s->slack);
    double from = (double)pair->from, to = (double)pair->to;
    bool meet = bw_sweep_trim(a, b, s->slack, &from, &to);
    pair->from = (float)from; /* each rounded by less than the margin that trim keeps */
    pair->to = (float)to;
    return meet;
}

static bool compare_leaves(bw_sweep *s, uint32_t leaf_a, uint32_t leaf_b, float from, float to)
{
    const bw_sweep_leaf *a = leaf_of(s, 0, leaf_a), *b = leaf_of(s, 1, leaf_b);
    const bw_wide *wide_a = &s->a->tree->wide, *wide_b = &s->b->tree->wide;
    const uint32_t *primitive_a = wide_a->primitives + (size_t)leaf_a * BW_WIDTH;
    const uint32_t *primitive_b = wide_b->primitives + (size_t)leaf_b * BW_WIDTH;
    uint32_t in_a = (1u << wide_a->leaves[leaf_a].count) - 1;
    bool same = s->a == s->b && leaf_a == leaf_b;
    const bw_sweep_boxes *const boxes_a[2] = {&a->boxes[0], &a->boxes[1]};
    const bw_sweep_boxes *const boxes_b[2] = {&b->boxes[0], &b->boxes[1]};
    s->counts.leaves++;
    for (uint32_t row = 0; row < wide_b->leaves[leaf_b].count; row++) {
        bw_sweep_box box = bw_sweep_box_of(boxes_b, row);
        float enter[BW_WIDTH], leave[BW_WIDTH];
        uint32_t bits = s->lanes(boxes_a, &box, s->slack_float, from, to, enter, leave) & in_a;
        for (bits &= same ? (1u << row) - 1 : ~0u; bits != 0; bits &= bits - 1) {
            uint32_t lane = bw_wide_lowest(bits);
            bw_sweep_pair pair = {primitive_a[lane], primitive_b[row], enter[lane], leave[lane]};
            s->counts.candidates++;
            if (s->a == s->b && pair.a > pair.b)
                pair = (bw_sweep_pair){pair.b, pair.a, pair.from, pair.to};
            if (!narrow(s, &pair))
                continue;
            bw_sweep_pair *slot = bw_array_push(&s->pairs);
            if (slot == NULL)
                return false;
            *slot = pair;
        }
    }
    return true;
}

/* ---- nodes ---- */

static bool push(bw_sweep *s, item next)
{
    item *slot = bw_array_push(&s->items);
    if (slot != NULL)
        *slot = next;
    return slot != NULL;
}

static float lane_size(const bw_sweep_boxes *boxes, uint32_t lane)
{
    float size = 0;
    for (int axis = 0; axis < 3; axis++)
        size += boxes->max[axis][lane] - boxes->min[axis][lane];
    return size;
}

/* Two children that may meet: leaves are compared at once; of two nodes both are opened, or the larger alone
 * where it is much larger. */
static bool take(bw_sweep *s, const item *at, uint32_t lane, uint32_t row, float from, float to)
{
    uint32_t a = s->a->tree->wide.nodes[at->a].child[lane], b = s->b->tree->wide.nodes[at->b].child[row];
    bool open_a = (a & BW_WIDE_LEAF) == 0, open_b = (b & BW_WIDE_LEAF) == 0;
    if (!open_a && !open_b)
        return compare_leaves(s, a & ~BW_WIDE_LEAF, b & ~BW_WIDE_LEAF, from, to);
    if (open_a && open_b && !(s->a == s->b && a == b)) {
        float size_a = lane_size(&s->a->ends[0].boxes[at->a], lane),
              size_b = lane_size(&s->b->ends[0].boxes[at->b], row);
        open_a = !(size_b > 4.0f * size_a);
        open_b = !(size_a > 4.0f * size_b);
    }
    return push(s, (item){open_a ? a : at->a, open_b ? b : at->b, open_a ? 0xFFu : 1u << lane,
                          open_b ? 0xFFu : 1u << row, from, to});
}

static bool visit(bw_sweep *s, const item *at)
{
    const bw_wide_node *a = &s->a->tree->wide.nodes[at->a], *b = &s->b->tree->wide.nodes[at->b];
    bool diagonal = s->a == s->b && at->a == at->b;
    const bw_sweep_boxes *const boxes_a[2] = {&s->a->ends[0].boxes[at->a], &s->a->ends[1].boxes[at->a]};
    const bw_sweep_boxes *const boxes_b[2] = {&s->b->ends[0].boxes[at->b], &s->b->ends[1].boxes[at->b]};
    s->counts.nodes++;
    for (uint32_t row = 0; row < b->count; row++) {
        if ((at->rows >> row & 1) == 0)
            continue;
        bw_sweep_box box = bw_sweep_box_of(boxes_b, row);
        float enter[BW_WIDTH], leave[BW_WIDTH];
        uint32_t bits = s->lanes(boxes_a, &box, s->slack_float, at->from, at->to, enter, leave);
        bits &= at->lanes & ((1u << a->count) - 1) & (diagonal ? (2u << row) - 1 : ~0u);
        for (; bits != 0; bits &= bits - 1) {
            uint32_t lane = bw_wide_lowest(bits);
            if (!take(s, at, lane, row, enter[lane], leave[lane]))
                return false;
        }
    }
    return true;
}

/* Positions between keyframes of doubles are off by the rounding of doubles; only their boxes are floats.
 * Terms of plans and velocities may cancel, and take the slack of floats. */
static bool rounds_as_doubles(const bw_mover *m)
{
    return m->motion.kind == BW_MOTION_KEYFRAMES && m->motion.scalar == BW_F64;
}

bw_result bw_sweep_run(bw_sweep *s, double from, double to)
{
    bw_mover_span(s->a, from, to);
    if (s->b != s->a)
        bw_mover_span(s->b, from, to);
    float size_a = fmaxf(s->a->ends[0].size, s->a->ends[1].size);
    float size_b = fmaxf(s->b->ends[0].size, s->b->ends[1].size);
    s->slack_float = (size_a + size_b) * 0x1p-20f + (float)(1.000001 * (s->a->bend + s->b->bend)) + 0x1p-120f;
    s->slack = (double)s->slack_float;
    if (rounds_as_doubles(s->a) && rounds_as_doubles(s->b))
        s->slack = ((double)size_a + (double)size_b) * 0x1p-48 + 0x1p-120;
    s->pairs.count = s->items.count = 0;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < CACHE; i++)
            s->cache[side][i].leaf = BW_NONE;
    bool fine = push(s, (item){0, 0, 0xFFu, 0xFFu, 0.0f, 1.0f});
    while (fine && s->items.count > 0) {
        item at = *(const item *)bw_array_at(&s->items, --s->items.count);
        fine = visit(s, &at);
    }
    return fine ? BW_OK : BW_ERROR_MEMORY;
}
