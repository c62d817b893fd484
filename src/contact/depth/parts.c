/* Parts of bodies: their trees, points, and a vertex of each piece. */
#include "contact/depth/parts.h"

#include "base/array.h"
#include "base/radix_sort.h"
#include "mesh/view.h"

static const bw_immersed *immersed(const bw_contact_query *query, bool of_a)
{
    return of_a ? &query->immersion.a : &query->immersion.b;
}

static bw_vec3 world_point(const bw_immersed *body, uint32_t vertex)
{
    const bw_vec3 p = bw_mesh_view_vertex(body->body->mesh, vertex);
    return body->body->pose == NULL ? p : bw_transform_point(body->body->pose, p);
}

static bool reserve(const bw_contact_query *query, bw_part_owner *out, uint32_t vertices, uint32_t points)
{
    out->vertices = bw_allocate(&query->allocator, vertices, sizeof *out->vertices);
    out->points = bw_allocate(&query->allocator, points, sizeof *out->points);
    out->vertex_capacity = vertices;
    out->point_capacity = points;
    out->part.vertices = out->vertices;
    out->part.points = out->points;
    return (vertices == 0 || out->vertices != NULL) && (points == 0 || out->points != NULL);
}

bw_result bw_part_of_body(const bw_contact_query *query, bool of_a, bw_part_owner *out)
{
    const bw_immersed *body = immersed(query, of_a);
    const bool other_closed = immersed(query, !of_a)->closed;
    *out = (bw_part_owner){.part = {.tree = body->body->tree, .mesh = body->body->mesh}};
    uint32_t places = 0, pieces = 0;
    for (uint32_t v = 0; v < body->vertex_count; v++) {
        places += body->place[v] == v;
        pieces += body->place[v] == v && other_closed && body->piece[v] == v;
    }
    if (!reserve(query, out, pieces, places))
        return BW_ERROR_MEMORY;
    for (uint32_t v = 0; v < body->vertex_count; v++) {
        if (body->place[v] != v)
            continue;
        out->points[out->part.point_count++] = world_point(body, v);
        if (other_closed && body->piece[v] == v)
            out->vertices[out->part.vertex_count++] = v;
    }
    return BW_OK;
}

static bool add_key(bw_array *keys, uint32_t overlap, uint32_t triangle)
{
    uint64_t *slot = bw_array_push(keys);
    if (slot != NULL)
        *slot = (uint64_t)overlap << 32 | triangle;
    return slot != NULL;
}

static bool collect_keys(const bw_contact_query *query, const bw_overlaps *overlaps, bool of_a,
                         bool inside_only, bw_array *keys)
{
    const bw_immersed *body = immersed(query, of_a);
    bool good = true;
    for (uint32_t i = 0; i < query->contact_count && good && !inside_only; i++) {
        const bw_contact *contact = &query->contacts[i];
        good = add_key(keys, query->regions[contact->region].overlap, of_a ? contact->a : contact->b);
    }
    for (uint32_t i = 0; i < body->triangle_count; i++)
        for (uint32_t k = 0; k < 3 && good; k++) {
            const uint32_t v = bw_mesh_view_index(body->body->mesh, body->triangles[i], k);
            const uint32_t overlap =
                bw_immersed_inside(body, v) ? bw_overlaps_of_vertex(overlaps, query, of_a, v) : BW_NONE;
            good = overlap == BW_NONE || add_key(keys, overlap, body->triangles[i]);
        }
    return good;
}

bw_result bw_overlap_triangles_find(const bw_contact_query *query, const bw_overlaps *overlaps, bool of_a,
                                    bool inside_only, bw_overlap_triangles *out)
{
    *out = (bw_overlap_triangles){0};
    bw_array keys = bw_array_of(sizeof(uint64_t), &query->allocator);
    bw_result result = collect_keys(query, overlaps, of_a, inside_only, &keys) ? BW_OK : BW_ERROR_MEMORY;
    if (result == BW_OK && keys.count >= BW_NONE)
        result = BW_ERROR_SIZE;
    uint32_t *values = NULL;
    if (result == BW_OK && keys.count > 0) {
        out->capacity = (uint32_t)keys.count;
        out->keys = bw_allocate(&query->allocator, keys.count, sizeof *out->keys);
        values = bw_allocate_zero(&query->allocator, keys.count, 2 * sizeof *values);
        if (out->keys == NULL || values == NULL)
            result = BW_ERROR_MEMORY;
    }
    if (result == BW_OK && keys.count > 0) {
        uint64_t *sorted = (uint64_t *)(void *)keys.items;
        bw_sort_u64(sorted, values, out->keys, values + keys.count, out->capacity);
        for (uint32_t i = 0; i < out->capacity; i++)
            if (i == 0 || sorted[i] != sorted[i - 1])
                out->keys[out->count++] = sorted[i];
    }
    bw_release(&query->allocator, values, keys.count, 2 * sizeof *values);
    bw_array_release(&keys);
    return result;
}

void bw_overlap_triangles_release(const bw_contact_query *query, bw_overlap_triangles *triangles)
{
    bw_release(&query->allocator, triangles->keys, triangles->capacity, sizeof *triangles->keys);
}

/* The first key not below the given one. */
static uint32_t lower_end(const bw_overlap_triangles *triangles, uint64_t key)
{
    uint32_t low = 0, high = triangles->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (triangles->keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void fill_overlap(const bw_contact_query *query, const bw_overlaps *overlaps,
                         const bw_overlap_triangles *triangles, uint32_t first, bool of_a, bw_part_owner *out)
{
    const bw_immersed *body = immersed(query, of_a);
    for (uint32_t i = 0; i < out->mesh.triangle_count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t triangle = (uint32_t)triangles->keys[first + i];
            const uint32_t v = bw_mesh_view_index(body->body->mesh, triangle, k);
            out->indices[3 * (size_t)i + k] = v;
            out->points[out->part.point_count++] = world_point(body, v);
            if (bw_immersed_inside(body, v) && bw_overlaps_first_of_piece(overlaps, query, of_a, v))
                out->vertices[out->part.vertex_count++] = v;
        }
}

bw_result bw_part_of_overlap(const bw_contact_query *query, const bw_overlaps *overlaps,
                             const bw_overlap_triangles *triangles, uint32_t overlap, bool of_a,
                             const bw_part *whole, bw_part_owner *out)
{
    const bw_immersed *body = immersed(query, of_a);
    *out = (bw_part_owner){.part = *whole};
    if (body->body->mesh->indices == NULL)
        return BW_OK;
    const uint32_t first = lower_end(triangles, (uint64_t)overlap << 32),
                   count = lower_end(triangles, ((uint64_t)overlap + 1) << 32) - first;
    out->mesh = *body->body->mesh;
    out->mesh.triangle_count = count;
    out->part = (bw_part){.mesh = &out->mesh};
    if (count == 0)
        return BW_OK;
    out->indices = bw_allocate(&query->allocator, 3 * (size_t)count, sizeof *out->indices);
    if (out->indices == NULL || !reserve(query, out, 3 * count, 3 * count))
        return BW_ERROR_MEMORY;
    fill_overlap(query, overlaps, triangles, first, of_a, out);
    out->mesh.indices = out->indices;
    const bw_tree_desc desc = {.allocator = &query->allocator};
    const bw_result result = bw_tree_create(&desc, &out->mesh, &out->tree, NULL);
    out->part.tree = out->tree;
    return result;
}

void bw_part_release(const bw_contact_query *query, bw_part_owner *owner)
{
    bw_tree_destroy(owner->tree);
    bw_release(&query->allocator, owner->indices, 3 * (size_t)owner->mesh.triangle_count,
               sizeof *owner->indices);
    bw_release(&query->allocator, owner->vertices, owner->vertex_capacity, sizeof *owner->vertices);
    bw_release(&query->allocator, owner->points, owner->point_capacity, sizeof *owner->points);
}
