/* Two triangles are connected by at most r rings exactly if a vertex of one can be reached from a vertex of
 * the other along at most r - 1 edges. The vertices that can be reached from a triangle are found step by step
 * and kept, sorted, for the next pairs of the same triangle. */
#include "collide/self/rings.h"

#include <string.h>

bw_result bw_rings_init(bw_rings *rings, const bw_mesh *mesh, uint32_t count, const bw_allocator *allocator)
{
    *rings = (bw_rings){mesh, count, NULL};
    if (count <= 1 || mesh->indices == NULL || mesh->triangle_count == 0)
        return BW_OK;
    return bw_adjacency_create(mesh, allocator, &rings->adjacency, NULL);
}

void bw_rings_release(bw_rings *rings)
{
    bw_adjacency_destroy(rings->adjacency);
}

void bw_ring_sets_init(bw_ring_sets *sets, const bw_allocator *allocator)
{
    for (uint32_t i = 0; i < BW_RING_SETS; i++) {
        sets->triangle[i] = BW_NONE;
        sets->vertices[i] = bw_array_of(sizeof(uint32_t), allocator);
    }
}

void bw_ring_sets_release(bw_ring_sets *sets)
{
    for (uint32_t i = 0; i < BW_RING_SETS; i++)
        bw_array_release(&sets->vertices[i]);
}

/* Where a vertex is in the sorted set, or would be. */
static size_t place_of(const bw_array *set, uint32_t vertex)
{
    size_t low = 0, high = set->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (*(const uint32_t *)bw_array_at(set, middle) < vertex)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool has(const bw_array *set, uint32_t vertex)
{
    const size_t at = place_of(set, vertex);
    return at < set->count && *(const uint32_t *)bw_array_at(set, at) == vertex;
}

/* Adds the corners of a triangle that are not there yet to the set, and to the list of what was reached. */
static bool reach(const bw_mesh *mesh, uint32_t triangle, bw_array *set, bw_array *reached)
{
    for (int k = 0; k < 3; k++) {
        const uint32_t vertex = mesh->indices[3 * (size_t)triangle + (size_t)k];
        const size_t at = place_of(set, vertex);
        if (at < set->count && *(const uint32_t *)bw_array_at(set, at) == vertex)
            continue;
        uint32_t *end = bw_array_push(reached);
        if (end == NULL || bw_array_push(set) == NULL)
            return false;
        uint32_t *slot = bw_array_at(set, at);
        memmove(slot + 1, slot, (set->count - 1 - at) * sizeof *slot);
        *slot = *end = vertex;
    }
    return true;
}

/* One step along all edges, from what was reached by the last one. */
static bool grow(const bw_rings *rings, const bw_array *last, bw_array *set, bw_array *reached)
{
    const bw_adjacency *adjacency = rings->adjacency;
    reached->count = 0;
    for (size_t i = 0; i < last->count; i++) {
        const uint32_t v = *(const uint32_t *)bw_array_at(last, i);
        for (uint32_t k = adjacency->vertex_first[v]; k < adjacency->vertex_first[v + 1]; k++)
            if (!reach(rings->mesh, adjacency->vertex_triangles[k], set, reached))
                return false;
    }
    return true;
}

static bw_result find_set(const bw_rings *rings, uint32_t triangle, bw_array *set)
{
    bw_array reached[2] = {bw_array_of(sizeof(uint32_t), set->allocator),
                           bw_array_of(sizeof(uint32_t), set->allocator)};
    set->count = 0;
    bool found = reach(rings->mesh, triangle, set, &reached[0]);
    for (uint32_t step = 1; step < rings->count && found && reached[(step - 1) & 1].count > 0; step++)
        found = grow(rings, &reached[(step - 1) & 1], set, &reached[step & 1]);
    bw_array_release(&reached[0]);
    bw_array_release(&reached[1]);
    return found ? BW_OK : BW_ERROR_MEMORY;
}

static bool share_vertex(const uint32_t *a, const uint32_t *b)
{
    bool any = false;
    for (int k = 0; k < 3; k++)
        any |= a[k] == b[0] || a[k] == b[1] || a[k] == b[2];
    return any;
}

bw_result bw_rings_connect(const bw_rings *rings, bw_ring_sets *sets, uint32_t a, uint32_t b, bool *connect)
{
    *connect = false;
    if (rings->mesh->indices == NULL)
        return BW_OK;
    const uint32_t *corners = rings->mesh->indices + 3 * (size_t)b;
    *connect = share_vertex(rings->mesh->indices + 3 * (size_t)a, corners);
    if (*connect || rings->count <= 1)
        return BW_OK;
    const uint32_t slot = a % BW_RING_SETS;
    bw_array *set = &sets->vertices[slot];
    if (sets->triangle[slot] != a) {
        sets->triangle[slot] = BW_NONE;
        const bw_result result = find_set(rings, a, set);
        if (result != BW_OK)
            return result;
        sets->triangle[slot] = a;
    }
    *connect = has(set, corners[0]) || has(set, corners[1]) || has(set, corners[2]);
    return BW_OK;
}
