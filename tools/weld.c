#include "weld.h"

#include "fault.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash_of(bw_vec3 p)
{
    uint64_t hash = 0;
    const double c[3] = {p.x + 0.0, p.y + 0.0, p.z + 0.0}; /* -0 + 0 is 0 */
    for (int i = 0; i < 3; i++) {
        uint64_t bits;
        memcpy(&bits, &c[i], sizeof bits);
        hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    return hash;
}

uint32_t weld_equal(const bw_mesh *mesh, uint32_t *out)
{
    size_t size = 16;
    while (size < 2 * (size_t)mesh->vertex_count)
        size *= 2;
    uint32_t *table = tool_alloc(size, sizeof *table); /* vertex + 1; 0: free */
    memset(table, 0, size * sizeof *table);
    uint32_t different = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        bw_vec3 p = bw_mesh_vertex(mesh, v);
        size_t slot = (size_t)hash_of(p) & (size - 1);
        for (; table[slot] != 0; slot = (slot + 1) & (size - 1)) {
            bw_vec3 q = bw_mesh_vertex(mesh, table[slot] - 1);
            if (p.x == q.x && p.y == q.y && p.z == q.z)
                break;
        }
        if (table[slot] == 0) {
            table[slot] = v + 1;
            different++;
        }
        out[v] = table[slot] - 1;
    }
    free(table);
    return different;
}

uint32_t weld_refine(uint32_t *classes, const uint32_t *other, uint32_t count)
{
    size_t size = 16;
    while (size < 2 * (size_t)count)
        size *= 2;
    uint32_t *table = tool_alloc(size, sizeof *table); /* the first vertex of a class + 1; 0: free */
    uint32_t *refined = tool_alloc(count, sizeof *refined);
    memset(table, 0, size * sizeof *table);
    uint32_t different = 0;
    for (uint32_t v = 0; v < count; v++) {
        uint64_t hash = (classes[v] | (uint64_t)other[v] << 32) * 0x9e3779b97f4a7c15u;
        size_t slot = (size_t)(hash ^ hash >> 32) & (size - 1);
        for (; table[slot] != 0; slot = (slot + 1) & (size - 1)) {
            uint32_t u = table[slot] - 1;
            if (classes[u] == classes[v] && other[u] == other[v])
                break;
        }
        if (table[slot] == 0) {
            table[slot] = v + 1;
            different++;
        }
        refined[v] = table[slot] - 1;
    }
    memcpy(classes, refined, count * sizeof *classes);
    free(table);
    free(refined);
    return different;
}

bool weld_closed(const bw_mesh *mesh)
{
    size_t corners = 3 * (size_t)mesh->triangle_count;
    uint32_t *same = tool_alloc(mesh->vertex_count, sizeof *same);
    uint32_t *indices = tool_alloc(corners, sizeof *indices);
    weld_equal(mesh, same);
    for (size_t i = 0; i < corners; i++)
        indices[i] = same[mesh->indices[i]];
    bw_mesh joined = *mesh;
    joined.indices = indices;
    bw_adjacency *edges = NULL;
    bool closed = bw_adjacency_create(&joined, NULL, &edges, NULL) == BW_OK && edges->closed;
    bw_adjacency_destroy(edges);
    free(same);
    free(indices);
    return closed;
}
