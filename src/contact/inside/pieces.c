/* Vertices at one place, by a hash table. */
#include "contact/inside/pieces.h"

#include "contact/position_hash.h"
#include "geom/vec.h"
#include "mesh/view.h"
#include "tree/tree.h"

#include <math.h>

/* Ascending, so that sums do not depend on how the tree was built. */
static void list_triangles(const bw_wide *tree, bw_immersed *out, bool *in_tree)
{
    for (size_t slot = 0; slot < (size_t)tree->leaf_count * BW_WIDTH; slot++)
        if (tree->primitives[slot] != BW_NONE)
            in_tree[tree->primitives[slot]] = true;
    for (uint32_t t = 0; t < out->primitive_count; t++)
        if (in_tree[t])
            out->triangles[out->triangle_count++] = t;
}

static bw_result weld(const bw_mesh *mesh, const bw_allocator *allocator, bw_immersed *out)
{
    const size_t slots = bw_hash_slots(out->vertex_count);
    uint32_t *table = bw_allocate(allocator, slots, sizeof *table);
    if (table == NULL)
        return BW_ERROR_MEMORY;
    for (size_t s = 0; s < slots; s++)
        table[s] = BW_NONE;
    for (uint32_t v = 0; v < out->vertex_count; v++) {
        if (out->place[v] == BW_NONE)
            continue;
        const bw_vec3 p = bw_mesh_view_vertex(mesh, v);
        size_t slot = bw_hash_position(p, 0) & (slots - 1);
        for (; table[slot] != BW_NONE; slot = (slot + 1) & (slots - 1)) {
            const bw_vec3 q = bw_mesh_view_vertex(mesh, table[slot]);
            if (bw_vec3_equal(&p, &q))
                break;
        }
        if (table[slot] == BW_NONE)
            table[slot] = v;
        out->place[v] = table[slot];
    }
    bw_release(allocator, table, slots, sizeof *table);
    return BW_OK;
}

static void sum_areas(bw_immersed *out)
{
    const bw_transform *pose = out->body->pose;
    for (uint32_t i = 0; i < out->triangle_count; i++) {
        bw_vec3 p[3];
        bw_mesh_view_corners(out->body->mesh, out->triangles[i], p);
        for (int k = 0; k < 3 && pose != NULL; k++)
            p[k] = bw_transform_point(pose, p[k]);
        const bw_vec3 n = bw_vec3_cross(bw_vec3_sub(p[1], p[0]), bw_vec3_sub(p[2], p[0]));
        out->area += 0.5 * sqrt(bw_vec3_dot(n, n));
    }
}

bw_result bw_pieces_find(const bw_body *body, const bw_allocator *allocator, bw_immersed *out)
{
    const bw_mesh *mesh = body->mesh;
    const uint32_t vertices = mesh->vertex_count, primitives = bw_mesh_view_primitives(mesh);
    *out = (bw_immersed){.body = body, .vertex_count = vertices, .primitive_count = primitives};
    bool *in_tree = bw_allocate_zero(allocator, primitives, sizeof *in_tree);
    out->triangles = bw_allocate(allocator, primitives, sizeof *out->triangles);
    out->place = bw_allocate(allocator, vertices, sizeof *out->place);
    out->piece = bw_allocate(allocator, vertices, sizeof *out->piece);
    out->winding = bw_allocate_zero(allocator, vertices, sizeof *out->winding);
    out->jump = bw_allocate_zero(allocator, primitives, 3 * sizeof *out->jump);
    out->cuts = bw_allocate_zero(allocator, primitives, 3 * sizeof *out->cuts);
    const bool good = in_tree != NULL && out->triangles != NULL && out->place != NULL && out->piece != NULL &&
                      out->winding != NULL && out->jump != NULL && out->cuts != NULL;
    bw_result result = good ? BW_OK : BW_ERROR_MEMORY;
    if (good) {
        list_triangles(&body->tree->wide, out, in_tree);
        for (uint32_t v = 0; v < vertices; v++)
            out->place[v] = BW_NONE;
        for (uint32_t i = 0; i < out->triangle_count; i++)
            for (uint32_t k = 0; k < 3; k++)
                out->place[bw_mesh_view_index(mesh, out->triangles[i], k)] = 0; /* in use */
        result = weld(mesh, allocator, out);
    }
    bw_release(allocator, in_tree, primitives, sizeof *in_tree);
    if (result == BW_OK)
        sum_areas(out);
    return result;
}

void bw_pieces_release(const bw_allocator *allocator, bw_immersed *body)
{
    bw_release(allocator, body->triangles, body->primitive_count, sizeof *body->triangles);
    bw_release(allocator, body->place, body->vertex_count, sizeof *body->place);
    bw_release(allocator, body->piece, body->vertex_count, sizeof *body->piece);
    bw_release(allocator, body->winding, body->vertex_count, sizeof *body->winding);
    bw_release(allocator, body->jump, body->primitive_count, 3 * sizeof *body->jump);
    bw_release(allocator, body->cuts, body->primitive_count, 3 * sizeof *body->cuts);
    *body = (bw_immersed){0};
}
