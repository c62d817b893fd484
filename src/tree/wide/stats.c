/* Statistics of wide trees: depth, cost, memory. */
#include "base/tasks.h"
#include "tree/wide/bounds_up.h"

/* Half the surface of each lane's box, the sides measured in a unit near the root's, so that nothing
 * overflows; 0 in unused lanes. In a form that compilers vectorise. */
static inline void lane_areas(const bw_wide_node *node, float inverse_unit, float areas[BW_WIDTH])
{
    for (uint32_t lane = 0; lane < BW_WIDTH; lane++) {
        float x = (node->max[0][lane] - node->min[0][lane]) * inverse_unit;
        float y = (node->max[1][lane] - node->min[1][lane]) * inverse_unit;
        float z = (node->max[2][lane] - node->min[2][lane]) * inverse_unit;
        areas[lane] = x < 0 ? 0 : (x + y) * z + x * y;
    }
}

/* The inverse of the root's longest side, and half its surface in that unit. */
static float root_unit(const bw_wide *wide, float *area)
{
    float side[3], longest = 0x1p-120f;
    for (int axis = 0; axis < 3; axis++) {
        side[axis] = wide->bounds.max[axis] - wide->bounds.min[axis];
        longest = side[axis] > longest ? side[axis] : longest;
    }
    float inverse = 1 / longest, x = side[0] * inverse, y = side[1] * inverse, z = side[2] * inverse;
    *area = (x + y) * z + x * y;
    return inverse;
}

/* Sums are taken over so many stretches of the nodes, whole chunks each, and added up: they are the same
 * whoever takes them. */
enum { STRETCHES = 64 };

static void stretch_chunks(const bw_wide *wide, uint32_t stretch, uint32_t *first, uint32_t *last)
{
    const uint64_t chunks = bw_wide_chunks(wide);
    *first = (uint32_t)(chunks * stretch / STRETCHES);
    *last = (uint32_t)(chunks * (stretch + 1) / STRETCHES);
}

/* The areas of all lanes of a stretch, and how many lanes those are. */
typedef struct lane_sums {
    double area[BW_WIDTH];
    uint32_t lanes;
} lane_sums;

static inline void add_areas(lane_sums *sums, const bw_wide_node *node, const float areas[BW_WIDTH])
{
    for (uint32_t lane = 0; lane < BW_WIDTH; lane++)
        sums->area[lane] += (double)areas[lane];
    sums->lanes += node->count;
}

static double cost_of(const lane_sums sums[STRETCHES], float root_area)
{
    double area = 0;
    uint64_t lanes = 0;
    for (uint32_t stretch = 0; stretch < STRETCHES; stretch++) {
        for (uint32_t lane = 0; lane < BW_WIDTH; lane++)
            area += sums[stretch].area[lane];
        lanes += sums[stretch].lanes;
    }
    if (lanes == 0)
        return 0;
    if (root_area == 0) /* a line meets all of a tree without extent, or nothing */
        return 1 + (double)lanes;
    return 1 + area / (double)root_area;
}

double bw_wide_cost(const bw_wide *wide)
{
    float root_area, inverse = root_unit(wide, &root_area);
    lane_sums sums[STRETCHES] = {{{0}, 0}};
    for (uint32_t stretch = 0; stretch < STRETCHES; stretch++) {
        uint32_t begin, end;
        stretch_chunks(wide, stretch, &begin, &end);
        for (uint32_t chunk = begin; chunk < end; chunk++) {
            uint32_t first, last;
            bw_wide_chunk(wide, chunk, &first, &last);
            for (uint32_t i = last; i-- > first;) {
                if (wide->nodes[i].count == 0)
                    continue;
                float areas[BW_WIDTH];
                lane_areas(&wide->nodes[i], inverse, areas);
                add_areas(&sums[stretch], &wide->nodes[i], areas);
            }
        }
    }
    return cost_of(sums, root_area);
}

/* The areas below a node, over its own; costs of its children are known. */
static float relative_cost(const bw_wide *wide, const bw_wide_node *node, float own_area,
                           const float areas[BW_WIDTH], const float *costs)
{
    float sum = 0;
    for (uint32_t lane = 0; lane < node->count; lane++) {
        bool leaf = (node->child[lane] & BW_WIDE_LEAF) != 0;
        float below = leaf            ? 0
                      : costs != NULL ? costs[node->child[lane]]
                                      : wide->nodes[node->child[lane]].built_cost;
        sum += areas[lane] * (1 + below);
    }
    return own_area > 0 ? sum / own_area : 0;
}

static float own_area(const bw_wide_node *node, float inverse_unit)
{
    bw_box box = bw_wide_node_box(node);
    float x = (box.max[0] - box.min[0]) * inverse_unit, y = (box.max[1] - box.min[1]) * inverse_unit;
    float z = (box.max[2] - box.min[2]) * inverse_unit;
    return (x + y) * z + x * y;
}

void bw_wide_node_costs(const bw_wide *wide, float *costs)
{
    float root_area, inverse = root_unit(wide, &root_area);
    for (uint32_t i = wide->node_count; i-- > 0;) {
        const bw_wide_node *node = &wide->nodes[i];
        float areas[BW_WIDTH];
        lane_areas(node, inverse, areas);
        costs[i] = node->count == 0 ? 0 : relative_cost(wide, node, own_area(node, inverse), areas, costs);
    }
}

void bw_wide_mark_cost(bw_wide *wide)
{
    float root_area, inverse = root_unit(wide, &root_area);
    for (uint32_t i = wide->node_count; i-- > 0;) {
        bw_wide_node *node = &wide->nodes[i];
        if (node->count == 0)
            continue;
        float areas[BW_WIDTH];
        lane_areas(node, inverse, areas);
        node->built_cost = relative_cost(wide, node, own_area(node, inverse), areas, NULL);
    }
    wide->built_cost = bw_wide_cost(wide);
    wide->excess = 0;
}

typedef struct marking {
    bw_wide *wide;
    float inverse;
    lane_sums sums[STRETCHES];
} marking;

static void mark_chunk(marking *m, uint32_t chunk, lane_sums *sums)
{
    uint32_t first, last;
    bw_wide_chunk(m->wide, chunk, &first, &last);
    for (uint32_t i = last; i-- > first;) {
        bw_wide_node *node = &m->wide->nodes[i];
        float areas[BW_WIDTH];
        lane_areas(node, m->inverse, areas);
        add_areas(sums, node, areas);
        node->edits = 0;
        if (node->end <= last)
            node->built_cost = relative_cost(m->wide, node, own_area(node, m->inverse), areas, NULL);
    }
}

static void mark_stretches(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    marking *m = context;
    for (uint32_t stretch = begin; stretch < end; stretch++) {
        uint32_t first, last;
        stretch_chunks(m->wide, stretch, &first, &last);
        for (uint32_t chunk = first; chunk < last; chunk++)
            mark_chunk(m, chunk, &m->sums[stretch]);
    }
}

static void mark_top(void *context, uint32_t index)
{
    const marking *m = context;
    bw_wide_node *node = &m->wide->nodes[index];
    float areas[BW_WIDTH];
    lane_areas(node, m->inverse, areas);
    node->built_cost = relative_cost(m->wide, node, own_area(node, m->inverse), areas, NULL);
}

void bw_wide_mark_built(bw_wide *wide, const bw_tasks *tasks)
{
    wide->edits = 0;
    if (!wide->preorder) {
        for (uint32_t i = 0; i < wide->node_count; i++)
            wide->nodes[i].edits = 0;
        bw_wide_mark_cost(wide);
        return;
    }
    float root_area;
    marking m = {.wide = wide, .inverse = root_unit(wide, &root_area)};
    bw_parallel(bw_wide_chunks(wide) > 1 ? tasks : NULL, mark_stretches, &m, STRETCHES, STRETCHES / 16);
    bw_wide_each_top(wide, mark_top, &m);
    wide->built_cost = cost_of(m.sums, root_area);
    wide->excess = 0;
}

void bw_wide_stats(const bw_wide *wide, bw_tree_stats *out)
{
    uint64_t depth_sum = 0;
    uint32_t depth = 0, leaves = 0, nodes = 0;
    for (uint32_t i = 0; i < wide->node_count; i++)
        nodes += wide->nodes[i].count != 0;
    for (uint32_t i = 0; i < wide->leaf_count; i++) {
        if (wide->leaves[i].count == 0)
            continue;
        uint32_t here = 0;
        for (uint32_t n = wide->leaves[i].parent; n != BW_NONE; n = wide->nodes[n].parent)
            here++;
        leaves++;
        depth_sum += here;
        depth = here > depth ? here : depth;
    }
    out->primitives = wide->primitive_count;
    out->nodes = nodes + leaves;
    out->leaves = leaves;
    out->depth = depth;
    out->mean_leaf_depth = leaves == 0 ? 0 : (double)depth_sum / leaves;
    out->sah_cost = bw_wide_cost(wide);
    out->bytes = bw_wide_bytes(wide);
}
