/* Finds the boundary of a surface: all edges sorted by their fingerprints, so that those of equal positions
 * come together and cancel where they run opposite ways. */
#include "collide/contains/boundary.h"

#include "base/radix_sort.h"
#include "collide/contains/closed.h"
#include "geom/vec.h"
#include "mesh/view.h"

/* An edge is 3 * slot + corner; slots are places for primitives in the tree's leaves. */
typedef struct edge_list {
    const bw_wide *tree;
    const bw_mesh *mesh;
    uint64_t *keys;
    uint32_t *edges;
    uint32_t count;
} edge_list;

static uint32_t vertex_of(const edge_list *l, uint32_t edge, uint32_t further)
{
    return bw_mesh_view_index(l->mesh, l->tree->primitives[edge / 3], (edge % 3 + further) % 3);
}

static void collect(edge_list *l)
{
    const uint32_t slots = l->tree->leaf_count * BW_WIDTH;
    for (uint32_t slot = 0; slot < slots; slot++) {
        if (l->tree->primitives[slot] == BW_NONE)
            continue;
        bw_vec3 corners[3];
        bw_fingerprint f[3];
        bw_mesh_view_corners(l->mesh, l->tree->primitives[slot], corners);
        for (uint32_t k = 0; k < 3; k++)
            f[k] = bw_fingerprint_of_vertex(corners[k]);
        for (uint32_t k = 0; k < 3; k++) {
            if (bw_vec3_equal(&corners[k], &corners[(k + 1) % 3]))
                continue; /* without length: bounds nothing */
            l->keys[l->count] = bw_fingerprint_of_edge(f[k], f[(k + 1) % 3]).low;
            l->edges[l->count++] = 3 * slot + k;
        }
    }
}

/* 1 for an edge that runs as another, -1 for one that runs the other way, 0 for one of other positions. */
static int runs_as(const edge_list *l, uint32_t edge, uint32_t other)
{
    bw_vec3 a[2], b[2];
    for (uint32_t k = 0; k < 2; k++) {
        a[k] = bw_mesh_view_vertex(l->mesh, vertex_of(l, edge, k));
        b[k] = bw_mesh_view_vertex(l->mesh, vertex_of(l, other, k));
    }
    if (bw_vec3_equal(&a[0], &b[0]) && bw_vec3_equal(&a[1], &b[1]))
        return 1;
    return bw_vec3_equal(&a[0], &b[1]) && bw_vec3_equal(&a[1], &b[0]) ? -1 : 0;
}

/* Takes the edges that have the positions of the first out of those of one key; what is left of them, if
 * anything, becomes one edge of the boundary. *left receives the number of others, which come first then.
 * False without memory. */
static bool cancel_equal(const edge_list *l, uint32_t *edges, uint32_t *left, bw_array *out)
{
    const uint32_t first = edges[0], count = *left;
    int64_t sum = 0;
    *left = 0;
    for (uint32_t i = 0; i < count; i++) {
        const int way = runs_as(l, edges[i], first);
        sum += way;
        if (way == 0)
            edges[(*left)++] = edges[i];
    }
    if (sum == 0)
        return true;
    bw_boundary_edge *edge = bw_array_push(out);
    if (edge == NULL)
        return false;
    const uint32_t back = sum < 0;
    edge->from = vertex_of(l, first, back);
    edge->to = vertex_of(l, first, 1 - back);
    edge->weight = (uint32_t)(sum < 0 ? -sum : sum);
    return true;
}

static bool cancel(const edge_list *l, bw_array *out)
{
    bool good = true;
    for (uint32_t begin = 0, end; good && begin < l->count; begin = end) {
        for (end = begin + 1; end < l->count && l->keys[end] == l->keys[begin]; end++) {
        }
        uint32_t left = end - begin;
        while (good && left > 0)
            good = cancel_equal(l, &l->edges[begin], &left, out);
    }
    return good;
}

bw_result bw_boundary_find(const bw_body *body, const bw_allocator *allocator, bw_array *out)
{
    edge_list l = {.tree = &body->tree->wide, .mesh = body->mesh};
    const size_t room = 3 * (size_t)body->tree->primitives, before = out->count;
    if (body->mesh->indices == NULL || room == 0)
        return BW_OK; /* points have no edges */
    if ((uint64_t)l.tree->leaf_count * 3 * BW_WIDTH > UINT32_MAX)
        return BW_ERROR_SIZE;
    l.keys = bw_allocate(allocator, room, 2 * sizeof *l.keys);
    l.edges = bw_allocate(allocator, room, 2 * sizeof *l.edges);
    bool good = l.keys != NULL && l.edges != NULL;
    if (good) {
        collect(&l);
        bw_sort_u64(l.keys, l.edges, l.keys + room, l.edges + room, l.count);
        good = cancel(&l, out);
    }
    bw_release(allocator, l.keys, room, 2 * sizeof *l.keys);
    bw_release(allocator, l.edges, room, 2 * sizeof *l.edges);
    if (!good)
        out->count = before;
    return good ? BW_OK : BW_ERROR_MEMORY;
}
