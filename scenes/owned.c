#include "scenes/owned.h"

#include <stdlib.h>
#include <string.h>

static size_t vertex_bytes(bw_scalar scalar)
{
    return 3 * (scalar == BW_F64 ? sizeof(double) : sizeof(float));
}

bw_result bws_mesh_reserve(uint64_t vertex_count, uint64_t triangle_count, bw_scalar scalar, bws_mesh *out)
{
    if ((scalar != BW_F32 && scalar != BW_F64) || vertex_count == 0)
        return BW_ERROR_ARGUMENT;
    if (vertex_count > UINT32_MAX || triangle_count > UINT32_MAX / 3)
        return BW_ERROR_SIZE;
    bws_mesh mesh = {
        .scalar = scalar, .vertex_count = (uint32_t)vertex_count, .triangle_count = (uint32_t)triangle_count};
    mesh.positions = malloc(vertex_count * vertex_bytes(scalar));
    if (triangle_count > 0)
        mesh.indices = malloc(3 * triangle_count * sizeof *mesh.indices);
    if (mesh.positions == NULL || (triangle_count > 0 && mesh.indices == NULL)) {
        bws_mesh_free(&mesh);
        return BW_ERROR_MEMORY;
    }
    *out = mesh;
    return BW_OK;
}

void bws_mesh_free(bws_mesh *mesh)
{
    free(mesh->positions);
    free(mesh->indices);
    *mesh = (bws_mesh){0};
}

bw_mesh bws_view(const bws_mesh *mesh)
{
    return (bw_mesh){.positions = mesh->positions,
                     .scalar = mesh->scalar,
                     .vertex_count = mesh->vertex_count,
                     .indices = mesh->indices,
                     .triangle_count = mesh->triangle_count};
}

bw_vec3 bws_mesh_vertex(const bws_mesh *mesh, uint32_t v)
{
    if (mesh->scalar == BW_F64) {
        const double *p = (const double *)mesh->positions + 3 * (size_t)v;
        return (bw_vec3){p[0], p[1], p[2]};
    }
    const float *p = (const float *)mesh->positions + 3 * (size_t)v;
    return (bw_vec3){(double)p[0], (double)p[1], (double)p[2]};
}

void bws_mesh_set_vertex(bws_mesh *mesh, uint32_t v, bw_vec3 p)
{
    if (mesh->scalar == BW_F64) {
        double *to = (double *)mesh->positions + 3 * (size_t)v;
        to[0] = p.x;
        to[1] = p.y;
        to[2] = p.z;
    } else {
        float *to = (float *)mesh->positions + 3 * (size_t)v;
        to[0] = (float)p.x;
        to[1] = (float)p.y;
        to[2] = (float)p.z;
    }
}

bw_result bws_mesh_convert(const bws_mesh *mesh, bw_scalar scalar, bws_mesh *out)
{
    bws_mesh copy;
    bw_result result = bws_mesh_reserve(mesh->vertex_count, mesh->triangle_count, scalar, &copy);
    if (result != BW_OK)
        return result;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        bws_mesh_set_vertex(&copy, v, bws_mesh_vertex(mesh, v));
    if (copy.indices != NULL)
        memcpy(copy.indices, mesh->indices, 3 * (size_t)mesh->triangle_count * sizeof *copy.indices);
    *out = copy;
    return BW_OK;
}

void bws_mesh_transform(bws_mesh *mesh, const bw_transform *pose)
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        bw_vec3 p = bws_mesh_vertex(mesh, v);
        double q[3];
        for (int i = 0; i < 3; i++)
            q[i] = pose->m[i][0] * p.x + pose->m[i][1] * p.y + pose->m[i][2] * p.z + pose->m[i][3];
        bws_mesh_set_vertex(mesh, v, (bw_vec3){q[0], q[1], q[2]});
    }
}

bw_result bws_mesh_join(const bws_mesh *a, const bws_mesh *b, bws_mesh *out)
{
    if (a->scalar != b->scalar || a->indices == NULL || b->indices == NULL)
        return BW_ERROR_ARGUMENT;
    bws_mesh both;
    bw_result result = bws_mesh_reserve((uint64_t)a->vertex_count + b->vertex_count,
                                        (uint64_t)a->triangle_count + b->triangle_count, a->scalar, &both);
    if (result != BW_OK)
        return result;
    size_t bytes = vertex_bytes(a->scalar), corners = 3 * (size_t)a->triangle_count;
    memcpy(both.positions, a->positions, a->vertex_count * bytes);
    memcpy((char *)both.positions + a->vertex_count * bytes, b->positions, b->vertex_count * bytes);
    for (size_t i = 0; i < corners; i++)
        both.indices[i] = a->indices[i];
    for (size_t i = 0; i < 3 * (size_t)b->triangle_count; i++)
        both.indices[corners + i] = b->indices[i] + a->vertex_count;
    *out = both;
    return BW_OK;
}

void bws_shuffle_triangles(bws_mesh *mesh, uint64_t seed)
{
    bws_random random = bws_random_seeded(seed);
    for (uint32_t i = mesh->triangle_count; i > 1; i--) {
        uint32_t *a = mesh->indices + 3 * (size_t)(i - 1);
        uint32_t *b = mesh->indices + 3 * (size_t)bws_random_below(&random, i);
        for (int c = 0; c < 3; c++) {
            uint32_t kept = a[c];
            a[c] = b[c];
            b[c] = kept;
        }
    }
}

bw_result bws_shuffle_vertices(bws_mesh *mesh, uint64_t seed)
{
    uint32_t *place = malloc(mesh->vertex_count * sizeof *place);
    bws_mesh old;
    if (place == NULL || bws_mesh_convert(mesh, mesh->scalar, &old) != BW_OK) {
        free(place);
        return BW_ERROR_MEMORY;
    }
    bws_random random = bws_random_seeded(seed);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) { /* Fisher-Yates, inside out */
        uint32_t at = (uint32_t)bws_random_below(&random, (uint64_t)v + 1);
        place[v] = at == v ? v : place[at];
        place[at] = v;
    }
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        bws_mesh_set_vertex(mesh, place[v], bws_mesh_vertex(&old, v));
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++)
        mesh->indices[i] = place[mesh->indices[i]];
    bws_mesh_free(&old);
    free(place);
    return BW_OK;
}
