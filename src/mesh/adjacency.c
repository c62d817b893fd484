/* Edges of a mesh and the triangles on each of them. */
#include "base/fault.h"
#include "base/memory.h"
#include "base/radix_sort.h"
#include "mesh/defect.h"
#include "mesh/view.h"

/* One block: this, then the arrays. */
typedef struct block {
    bw_adjacency view;
    bw_allocator allocator;
    size_t bytes;
} block;

/* The edges of all corners, bucketed by their lower vertex, each bucket sorted: high << 32 | 3 * triangle +
 * corner. */
typedef struct uses {
    uint64_t *entries;
    uint32_t *ends; /* of the bucket of each vertex */
    uint32_t room;  /* 3 * triangle_count */
    uint32_t vertices;
    uint32_t count;   /* edges with two ends, of the room */
    uint32_t largest; /* bucket */
} uses;

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* The other end of the edge from a corner to the next. */
static uint32_t next_vertex(const uint32_t *corner, uint32_t c)
{
    return corner[c == 2 ? 0 : c + 1];
}

static void release_uses(const bw_allocator *allocator, uses *u)
{
    bw_release(allocator, u->entries, u->room, sizeof *u->entries);
    bw_release(allocator, u->ends, u->vertices, sizeof *u->ends);
}

/* A counting sort by the lower vertex: neighbours in a mesh stand close in memory, so this beats a sort by
 * the whole edge. */
static void fill_buckets(const bw_mesh *mesh, uses *u)
{
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *corner = mesh->indices + 3 * (size_t)t;
        for (uint32_t c = 0; c < 3; c++)
            u->ends[least(corner[c], next_vertex(corner, c))] += corner[c] != next_vertex(corner, c);
    }
    for (uint32_t v = 0; v < u->vertices; v++) {
        uint32_t size = u->ends[v];
        u->ends[v] = u->count; /* its start; filling moves it to its end */
        u->count += size;
        if (size > u->largest)
            u->largest = size;
    }
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *corner = mesh->indices + 3 * (size_t)t;
        for (uint32_t c = 0; c < 3; c++) {
            uint32_t a = corner[c], b = next_vertex(corner, c);
            if (a != b)
                u->entries[u->ends[least(a, b)]++] = (uint64_t)(a < b ? b : a) << 32 | (3 * t + c);
        }
    }
}

enum { FEW = 32 };

static void insertion_sort(uint64_t *entries, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint64_t entry = entries[i];
        uint32_t at = i;
        for (; at > 0 && entries[at - 1] > entry; at--)
            entries[at] = entries[at - 1];
        entries[at] = entry;
    }
}

static bool sort_buckets(const bw_allocator *allocator, uses *u)
{
    /* The middle of a fan may have any number of edges. */
    uint64_t *scratch = NULL;
    uint32_t *values = NULL;
    if (u->largest > FEW) {
        scratch = bw_allocate(allocator, u->largest, sizeof *scratch);
        values = bw_allocate_zero(allocator, u->largest, 2 * sizeof *values);
    }
    bool good = u->largest <= FEW || (scratch != NULL && values != NULL);
    for (uint32_t v = 0; v < u->vertices && good; v++) {
        uint32_t start = v == 0 ? 0 : u->ends[v - 1], size = u->ends[v] - start;
        if (size <= FEW)
            insertion_sort(u->entries + start, size);
        else
            bw_sort_u64(u->entries + start, values, scratch, values + u->largest, size);
    }
    bw_release(allocator, scratch, u->largest, sizeof *scratch);
    bw_release(allocator, values, u->largest, 2 * sizeof *values);
    return good;
}

static bool collect_uses(const bw_mesh *mesh, const bw_allocator *allocator, uses *u)
{
    *u = (uses){.room = 3 * mesh->triangle_count, .vertices = mesh->vertex_count};
    if (u->room == 0)
        return true;
    u->entries = bw_allocate(allocator, u->room, sizeof *u->entries);
    u->ends = bw_allocate_zero(allocator, u->vertices, sizeof *u->ends);
    bool good = u->entries != NULL && u->ends != NULL;
    if (good) {
        fill_buckets(mesh, u);
        good = sort_buckets(allocator, u);
    }
    if (!good)
        release_uses(allocator, u);
    return good;
}

static uint32_t count_edges(const uses *u)
{
    uint32_t edges = 0, at = 0;
    for (uint32_t v = 0; v < u->vertices && u->count > 0; v++)
        for (uint32_t start = at; at < u->ends[v]; at++)
            edges += at == start || u->entries[at] >> 32 != u->entries[at - 1] >> 32;
    return edges;
}

static void fill_edges(const bw_mesh *mesh, const uses *u, bw_adjacency *out, bw_edge *edges,
                       uint32_t *edge_uses, uint32_t *triangle_edges)
{
    uint32_t edge = BW_NONE, at = 0, one_way = 0;
    for (uint32_t i = 0; i < u->room; i++)
        triangle_edges[i] = BW_NONE;
    for (uint32_t v = 0; v < u->vertices && u->count > 0; v++) {
        for (uint32_t start = at; at < u->ends[v]; at++) {
            uint32_t high = (uint32_t)(u->entries[at] >> 32), corner = (uint32_t)u->entries[at];
            if (at == start || high != edges[edge].high)
                edges[++edge] = (bw_edge){v, high, at, 0};
            edges[edge].use_count++;
            edge_uses[at] = corner;
            triangle_edges[corner] = edge;
        }
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

bw_result bw_adjacency_create(const bw_mesh *mesh, const bw_allocator *given, bw_adjacency **out,
                              bw_fault *fault)
{
    bw_result result = bw_mesh_view_check(mesh);
    if (result != BW_OK)
        return bw_fail(fault, result);
    if (mesh->indices == NULL || out == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    if (mesh->triangle_count > (UINT32_MAX - 1) / 3)
        return bw_fail(fault, BW_ERROR_SIZE);
    if (!bw_mesh_indices_sound(mesh))
        return bw_fail(fault, BW_ERROR_INDEX);

    bw_allocator allocator = bw_allocator_or_heap(given);
    uses u;
    if (!collect_uses(mesh, &allocator, &u))
        return bw_fail(fault, BW_ERROR_MEMORY);
    uint32_t edge_count = count_edges(&u);
    size_t words =
        3 * (size_t)u.room + mesh->vertex_count + 1; /* uses, edges and vertices of triangles; offsets */
    size_t bytes = sizeof(block) + edge_count * sizeof(bw_edge) + words * sizeof(uint32_t);
    block *made = bw_allocate(&allocator, bytes, 1);
    if (made == NULL) {
        release_uses(&allocator, &u);
        return bw_fail(fault, BW_ERROR_MEMORY);
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
    return bw_fail(fault, BW_OK);
}

void bw_adjacency_destroy(bw_adjacency *adjacency)
{
    if (adjacency == NULL)
        return;
    block *made = (block *)adjacency; /* its first member */
    bw_allocator allocator = made->allocator;
    bw_release(&allocator, made, made->bytes, 1);
}
