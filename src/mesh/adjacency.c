#include "base/memory.h"
#include "base/sort.h"
#include "mesh/defect.h"
#include "mesh/view.h"

/* One block: this, then the arrays. */
typedef struct block {
    bw_adjacency view;
    bw_allocator allocator;
    size_t bytes;
} block;

/* The edges of all corners, sorted by their vertices: each key is low << 32 | high, each value 3 * triangle +
 * corner. Twice as many are allocated: the second halves are the sort's scratch. */
typedef struct uses {
    uint64_t *keys;
    uint32_t *corners;
    uint32_t room;  /* 3 * triangle_count */
    uint32_t count; /* of these, edges with two ends */
} uses;

static void release_uses(const bw_allocator *allocator, uses *u)
{
    bw_release(allocator, u->keys, u->room, 2 * sizeof *u->keys);
    bw_release(allocator, u->corners, u->room, 2 * sizeof *u->corners);
}

static bool collect_uses(const bw_mesh *mesh, const bw_allocator *allocator, uses *u)
{
    *u = (uses){.room = 3 * mesh->triangle_count};
    if (u->room == 0)
        return true;
    u->keys = bw_allocate(allocator, u->room, 2 * sizeof *u->keys);
    u->corners = bw_allocate(allocator, u->room, 2 * sizeof *u->corners);
    if (u->keys == NULL || u->corners == NULL) {
        release_uses(allocator, u);
        return false;
    }
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *corner = mesh->indices + 3 * (size_t)t;
        for (uint32_t c = 0; c < 3; c++) {
            uint32_t a = corner[c], b = corner[c == 2 ? 0 : c + 1];
            if (a == b)
                continue;
            u->keys[u->count] = (uint64_t)(a < b ? a : b) << 32 | (a < b ? b : a);
            u->corners[u->count++] = 3 * t + c;
        }
    }
    bw_sort_u64(u->keys, u->corners, u->keys + u->room, u->corners + u->room, u->count);
    return true;
}

static uint32_t count_edges(const uses *u)
{
    uint32_t edges = 0;
    for (uint32_t i = 0; i < u->count; i++)
        edges += i == 0 || u->keys[i] != u->keys[i - 1];
    return edges;
}

static void fill_edges(const bw_mesh *mesh, const uses *u, bw_adjacency *out, bw_edge *edges,
                       uint32_t *edge_uses, uint32_t *triangle_edges)
{
    uint32_t at = BW_NONE, one_way = 0;
    for (uint32_t i = 0; i < u->room; i++)
        triangle_edges[i] = BW_NONE;
    for (uint32_t i = 0; i < u->count; i++) {
        uint32_t corner = u->corners[i];
        if (i == 0 || u->keys[i] != u->keys[i - 1])
            edges[++at] = (bw_edge){(uint32_t)(u->keys[i] >> 32), (uint32_t)u->keys[i], i, 0};
        edges[at].use_count++;
        edge_uses[i] = corner;
        triangle_edges[corner] = at;
    }
    for (uint32_t e = 0; e < out->edge_count; e++) {
        const uint32_t *use = edge_uses + edges[e].first_use;
        out->boundary_edges += edges[e].use_count == 1;
        out->nonmanifold_edges += edges[e].use_count > 2;
        /* Both uses run the same way exactly if they start at the same vertex. */
        if (edges[e].use_count == 2)
            one_way += mesh->indices[use[0]] == mesh->indices[use[1]];
    }
    out->closed = out->edge_count > 0 && out->boundary_edges == 0 && out->nonmanifold_edges == 0;
    out->oriented = out->closed && one_way == 0;
}

/* Whether this corner is the first of its triangle at its vertex: a triangle counts once around each. */
static bool first_at_vertex(const uint32_t *corner, uint32_t c)
{
    return c == 0 || (corner[c] != corner[0] && (c == 1 || corner[c] != corner[1]));
}

static void fill_vertices(const bw_mesh *mesh, uint32_t *first, uint32_t *around)
{
    size_t vertices = mesh->vertex_count;
    for (size_t v = 0; v <= vertices; v++)
        first[v] = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *corner = mesh->indices + 3 * (size_t)t;
        for (uint32_t c = 0; c < 3; c++)
            first[corner[c]] += first_at_vertex(corner, c);
    }
    /* From counts to ends; filling backwards then moves each end down to its start. */
    uint32_t sum = 0;
    for (size_t v = 0; v <= vertices; v++)
        first[v] = sum += first[v];
    for (uint32_t t = mesh->triangle_count; t-- > 0;) {
        const uint32_t *corner = mesh->indices + 3 * (size_t)t;
        for (uint32_t c = 0; c < 3; c++)
            if (first_at_vertex(corner, c))
                around[--first[corner[c]]] = t;
    }
}

bw_result bw_adjacency_create(const bw_mesh *mesh, const bw_allocator *given, bw_adjacency **out)
{
    bw_result result = bw_mesh_view_check(mesh);
    if (result != BW_OK)
        return result;
    if (mesh->indices == NULL || out == NULL)
        return BW_ERROR_ARGUMENT;
    if (mesh->triangle_count > (UINT32_MAX - 1) / 3)
        return BW_ERROR_SIZE;
    if (!bw_mesh_indices_sound(mesh))
        return BW_ERROR_INDEX;

    bw_allocator allocator = bw_allocator_or_heap(given);
    uses u;
    if (!collect_uses(mesh, &allocator, &u))
        return BW_ERROR_MEMORY;
    uint32_t edge_count = count_edges(&u);
    size_t words =
        3 * (size_t)u.room + mesh->vertex_count + 1; /* uses, edges and vertices of triangles; offsets */
    size_t bytes = sizeof(block) + edge_count * sizeof(bw_edge) + words * sizeof(uint32_t);
    block *made = bw_allocate(&allocator, bytes, 1);
    if (made == NULL) {
        release_uses(&allocator, &u);
        return BW_ERROR_MEMORY;
    }
    bw_edge *edges = (bw_edge *)(made + 1);
    uint32_t *edge_uses = (uint32_t *)(edges + edge_count);
    uint32_t *triangle_edges = edge_uses + u.room;
    uint32_t *vertex_first = triangle_edges + u.room;
    uint32_t *vertex_triangles = vertex_first + mesh->vertex_count + 1;
    *made = (block){.allocator = allocator, .bytes = bytes};
    made->view.edge_count = edge_count;
    made->view.edges = edges;
    made->view.edge_uses = edge_uses;
    made->view.triangle_edges = triangle_edges;
    made->view.vertex_first = vertex_first;
    made->view.vertex_triangles = vertex_triangles;
    fill_edges(mesh, &u, &made->view, edges, edge_uses, triangle_edges);
    fill_vertices(mesh, vertex_first, vertex_triangles);
    release_uses(&allocator, &u);
    *out = &made->view;
    return BW_OK;
}

void bw_adjacency_destroy(bw_adjacency *adjacency)
{
    if (adjacency == NULL)
        return;
    block *made = (block *)adjacency; /* its first member */
    bw_allocator allocator = made->allocator;
    bw_release(&allocator, made, made->bytes, 1);
}
