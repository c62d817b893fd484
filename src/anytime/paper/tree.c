/* Nodes with their possible collision cells, from any tree or from an octree. */
#include "anytime/paper/paper.h"

#include "geom/box.h"
#include "mesh/view.h"
#include "tree/tree.h"

#include <math.h>

/* ---- nodes ---- */

/* A volume for flat boxes too: no side below a thousandth of the longest. */
static bw_box thickened(const bw_box *box)
{
    float longest = 0.0f;
    for (int k = 0; k < 3; k++)
        longest = fmaxf(longest, box->max[k] - box->min[k]);
    float least = longest > 0.0f ? 1e-3f * longest : 1e-30f;
    bw_box out = *box;
    for (int k = 0; k < 3; k++)
        if (out.max[k] - out.min[k] < least) {
            float middle = 0.5f * (out.min[k] + out.max[k]);
            out.min[k] = middle - 0.5f * least;
            out.max[k] = middle + 0.5f * least;
        }
    return out;
}

typedef struct taking {
    bw_array *nodes;
    bool failed;
} taking;

static bool take_node(void *user, const bw_box *box, uint32_t depth, const uint32_t *primitives,
                      uint32_t count)
{
    taking *t = user;
    bw_paper_node *node = bw_array_push(t->nodes);
    (void)primitives;
    (void)count;
    t->failed = node == NULL;
    if (node != NULL)
        *node = (bw_paper_node){.box = thickened(box), .depth = (uint16_t)(depth < 65535 ? depth : 65535)};
    return node != NULL;
}

/* In preorder a subtree ends where the depth falls back to that of its root. */
static void find_ends(bw_paper_node *nodes, uint32_t count)
{
    for (uint32_t i = count; i-- > 0;) {
        uint32_t end = i + 1;
        while (end < count && nodes[end].depth > nodes[i].depth)
            end = nodes[end].end;
        nodes[i].end = end;
    }
}

/* ---- cells ---- */

typedef struct counting {
    const bw_mesh *mesh;
    bw_paper_node *nodes;
    double factor;
    bw_array candidates; /* of uint32_t: triangles that meet the boxes from the root to the node at hand */
    bool failed;
} counting;

static bool meets(const bw_vec3 corner[3], const bw_box *box)
{
    bw_box own = bw_box_of_points(corner, 3);
    return bw_box_overlaps(&own, box);
}

/* P(A) of definition 1 is every polygon that meets the box, not only those below the node: those of the
 * parent's list that do. Its own list stands at the end of the array while its children are looked at. */
static void count_node(counting *c, uint32_t node, size_t first, size_t last)
{
    bw_paper_node *n = &c->nodes[node];
    double area[BW_PAPER_CELLS] = {0}, side[3];
    size_t own = c->candidates.count;
    for (size_t i = first; i < last && !c->failed; i++) {
        uint32_t primitive = *(const uint32_t *)bw_array_at(&c->candidates, i);
        bw_vec3 corner[3];
        bw_mesh_view_corners(c->mesh, primitive, corner);
        if (!meets(corner, &n->box))
            continue;
        uint32_t *slot = bw_array_push(&c->candidates);
        c->failed = slot == NULL;
        if (slot != NULL)
            *slot = primitive;
        bw_paper_clip(&n->box, corner, area);
    }
    n->volume = 1.0f;
    for (int k = 0; k < 3; k++) {
        side[k] = ((double)n->box.max[k] - (double)n->box.min[k]) / BW_PAPER_SIDE;
        n->volume *= n->box.max[k] - n->box.min[k];
    }
    bw_paper_count(area, c->factor * bw_paper_max_area(side), n);
    size_t end = c->candidates.count;
    for (uint32_t child = node + 1; child < n->end && !c->failed; child = c->nodes[child].end)
        count_node(c, child, own, end);
    c->candidates.count = own;
}

static bool in_tree(void *user, const bw_box *box, uint32_t depth, const uint32_t *primitives, uint32_t count)
{
    counting *c = user;
    (void)box;
    (void)depth;
    for (uint32_t i = 0; i < count && !c->failed; i++) {
        uint32_t *slot = bw_array_push(&c->candidates);
        c->failed = slot == NULL;
        if (slot != NULL)
            *slot = primitives[i];
    }
    return !c->failed;
}

static bw_result count_cells(counting *c, const bw_tree *tree, uint32_t nodes)
{
    bw_result result = bw_tree_visit(tree, in_tree, c, NULL);
    if (result == BW_OK && !c->failed && nodes > 0)
        count_node(c, 0, 0, c->candidates.count);
    bw_array_release(&c->candidates);
    return c->failed ? BW_ERROR_MEMORY : result;
}

/* ---- octree ---- */

typedef struct octree {
    const bw_mesh *mesh;
    bw_array *nodes;
    bw_array lists; /* of uint32_t, as above */
    uint32_t leaf;
    uint64_t room; /* entries of lists that may still be made */
    bool too_large;
    bool failed;
} octree;

/* Triangles that lie over each other are in every cell of their plane, four times as many a level, however
 * deep: what a build may do is bounded by the number of triangles. */
enum { OCTREE_ENTRIES = 256, OCTREE_ENTRIES_AT_LEAST = 65536 };

static void grow_octree(octree *o, const bw_box *box, uint32_t depth, size_t first, size_t last)
{
    size_t own = o->lists.count;
    for (size_t i = first; i < last && !o->failed; i++) {
        uint32_t primitive = *(const uint32_t *)bw_array_at(&o->lists, i);
        bw_vec3 corner[3];
        bw_mesh_view_corners(o->mesh, primitive, corner);
        if (!meets(corner, box))
            continue;
        if (o->room == 0) {
            o->too_large = o->failed = true;
            break;
        }
        o->room--;
        uint32_t *slot = bw_array_push(&o->lists);
        o->failed = slot == NULL;
        if (slot != NULL)
            *slot = primitive;
    }
    size_t end = o->lists.count;
    if (!o->failed && end > own) {
        bw_paper_node *node = bw_array_push(o->nodes);
        o->failed = node == NULL;
        if (node != NULL)
            *node = (bw_paper_node){.box = *box, .depth = (uint16_t)depth};
        if (node != NULL && end - own > o->leaf && depth < BW_PAPER_OCTREE_DEPTH)
            for (int k = 0; k < 8 && !o->failed; k++) {
                bw_box part;
                for (int axis = 0; axis < 3; axis++) {
                    float middle = 0.5f * (box->min[axis] + box->max[axis]);
                    part.min[axis] = (k >> axis & 1) != 0 ? middle : box->min[axis];
                    part.max[axis] = (k >> axis & 1) != 0 ? box->max[axis] : middle;
                }
                grow_octree(o, &part, depth + 1, own, end);
            }
    }
    o->lists.count = own;
}

static bool list_primitives(void *user, const bw_box *box, uint32_t depth, const uint32_t *primitives,
                            uint32_t count)
{
    octree *o = user;
    (void)box;
    (void)depth;
    for (uint32_t i = 0; i < count && !o->failed; i++) {
        uint32_t *slot = bw_array_push(&o->lists);
        o->failed = slot == NULL;
        if (slot != NULL)
            *slot = primitives[i];
    }
    return !o->failed;
}

/* An octree over the mesh's triangles that are in the tree: nodes with boxes, ends and depths. */
static bw_result build_octree(const bw_mesh *mesh, const bw_tree *tree, uint32_t leaf, bw_array *nodes)
{
    octree o = {
        .mesh = mesh, .nodes = nodes, .lists = bw_array_of(sizeof(uint32_t), nodes->allocator), .leaf = leaf};
    bw_result result = bw_tree_visit(tree, list_primitives, &o, NULL);
    o.room = OCTREE_ENTRIES * (uint64_t)o.lists.count + OCTREE_ENTRIES_AT_LEAST;
    if (result == BW_OK && !o.failed && o.lists.count > 0) {
        /* A cube about all, a hair larger, so that nothing lies on its walls. */
        bw_box box = bw_tree_bounds(tree), cube;
        float size = 0.0f;
        for (int k = 0; k < 3; k++)
            size = fmaxf(size, box.max[k] - box.min[k]);
        size = size > 0.0f ? 0.5005f * size : 1e-30f;
        for (int k = 0; k < 3; k++) {
            float middle = 0.5f * (box.min[k] + box.max[k]);
            cube.min[k] = middle - size;
            cube.max[k] = middle + size;
        }
        grow_octree(&o, &cube, 0, 0, o.lists.count);
    }
    bw_array_release(&o.lists);
    if (o.too_large)
        return BW_ERROR_SIZE;
    return o.failed ? BW_ERROR_MEMORY : result;
}

/* ---- all ---- */

bw_result bw_paper_make(const bw_anytime_desc *desc, const bw_tree *tree, const bw_mesh *mesh,
                        const bw_allocator *allocator, bw_paper *out)
{
    bw_array nodes = bw_array_of(sizeof(bw_paper_node), allocator);
    bw_result result = BW_OK;
    if (tree->primitives > 0 && desc->hierarchy == BW_ANYTIME_OCTREE) {
        result = build_octree(mesh, tree, desc->octree_leaf, &nodes);
    } else if (tree->primitives > 0) {
        taking t = {&nodes, false};
        result = bw_tree_visit(tree, take_node, &t, NULL);
        result = t.failed ? BW_ERROR_MEMORY : result;
    }
    bw_paper paper = {NULL, (uint32_t)nodes.count, 0};
    if (result == BW_OK && paper.count > 0) {
        paper.nodes = bw_allocate(allocator, paper.count, sizeof *paper.nodes);
        result = paper.nodes != NULL ? BW_OK : BW_ERROR_MEMORY;
    }
    if (result == BW_OK) {
        for (uint32_t i = 0; i < paper.count; i++) {
            paper.nodes[i] = *(const bw_paper_node *)bw_array_at(&nodes, i);
            paper.depth = paper.nodes[i].depth > paper.depth ? paper.nodes[i].depth : paper.depth;
        }
        find_ends(paper.nodes, paper.count);
        counting c = {mesh, paper.nodes, desc->max_area_factor, bw_array_of(sizeof(uint32_t), allocator),
                      false};
        result = count_cells(&c, tree, paper.count);
    }
    bw_array_release(&nodes);
    if (result == BW_OK)
        *out = paper;
    else
        bw_paper_release(allocator, &paper);
    return result;
}

void bw_paper_release(const bw_allocator *allocator, bw_paper *paper)
{
    bw_release(allocator, paper->nodes, paper->count, sizeof *paper->nodes);
    *paper = (bw_paper){0};
}

void bw_paper_cell_stats(const bw_paper *paper, double *mean, double *without)
{
    double cells = 0.0, empty = 0.0, inner = 0.0;
    for (uint32_t i = 0; i < paper->count; i++) {
        cells += paper->nodes[i].cells;
        if (paper->nodes[i].end > i + 1) {
            inner += 1.0;
            empty += paper->nodes[i].cells == 0;
        }
    }
    *mean = paper->count > 0 ? cells / paper->count : 0.0;
    *without = inner > 0.0 ? empty / inner : 0.0;
}

static const char *check_node(const bw_paper *paper, uint32_t i)
{
    const bw_paper_node *n = &paper->nodes[i];
    uint32_t sum = 0;
    for (int r = 0; r < BW_PAPER_REGIONS; r++)
        sum += n->region[r];
    if (n->end <= i || n->end > paper->count)
        return "a subtree ends outside the tree";
    if (sum != n->cells)
        return "the cells of the regions are not those of the node";
    if (!(n->volume >= 0.0f))
        return "a volume is not a number";
    for (uint32_t child = i + 1; child < n->end; child = paper->nodes[child].end)
        if (paper->nodes[child].depth != n->depth + 1 || paper->nodes[child].end > n->end)
            return "a child is not below its parent";
    return NULL;
}

const char *bw_paper_check(const bw_paper *paper, const bw_anytime_desc *desc, const bw_tree *tree,
                           const bw_mesh *mesh, const bw_allocator *allocator)
{
    bw_paper fresh;
    const char *wrong = NULL;
    for (uint32_t i = 0; i < paper->count && wrong == NULL; i++)
        wrong = check_node(paper, i);
    if (wrong != NULL)
        return wrong;
    if (bw_paper_make(desc, tree, mesh, allocator, &fresh) != BW_OK)
        return "out of memory";
    if (fresh.count != paper->count)
        wrong = "there are not as many nodes as in the tree";
    for (uint32_t i = 0; i < paper->count && wrong == NULL; i++)
        if (fresh.nodes[i].cells != paper->nodes[i].cells || fresh.nodes[i].end != paper->nodes[i].end)
            wrong = "a node's cells are not those of the mesh";
    bw_paper_release(allocator, &fresh);
    return wrong;
}
