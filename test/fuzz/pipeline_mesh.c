#include "fuzz/pipeline_mesh.h"

#include <math.h>

enum { MOST_VERTICES = 80, MOST_TRIANGLES = 80 }; /* enough for wide trees of two levels */

static double number(bytes *b, bool raw, size_t scalar)
{
    if (!raw)
        return (double)(int8_t)bytes_u8(b) / 8;
    if (scalar == sizeof(float)) {
        float f;
        bytes_take(b, &f, sizeof f);
        return (double)f;
    }
    double d;
    bytes_take(b, &d, sizeof d);
    return d;
}

static size_t scalar_size(const bw_mesh *mesh)
{
    return mesh->scalar == BW_F64 ? sizeof(double) : sizeof(float);
}

size_t fuzz_mesh_offset(const fuzz_mesh *m, uint32_t v)
{
    return v * (m->mesh.stride == 0 ? 3 * scalar_size(&m->mesh) : m->mesh.stride);
}

void fuzz_mesh_move(fuzz_mesh *m, bytes *b)
{
    size_t scalar = scalar_size(&m->mesh);
    uint8_t style = bytes_u8(b);
    for (uint32_t v = 0; v < m->mesh.vertex_count; v++) {
        bool raw = style % 4 == 0 || (style % 4 == 1 && bytes_u8(b) < 16);
        for (size_t k = 0; k < 3; k++) {
            double d = number(b, raw, scalar);
            float f = fabs(d) > 3e38 && isfinite(d) ? 0 : (float)d;
            char *at = (char *)m->positions + fuzz_mesh_offset(m, v) + k * scalar;
            if (scalar == sizeof f)
                memcpy(at, &f, sizeof f);
            else
                memcpy(at, &d, sizeof d);
        }
    }
}

void fuzz_mesh_take(fuzz_mesh *out, bytes *b)
{
    memset(out, 0, sizeof *out);
    uint8_t flags = bytes_u8(b), vertices = bytes_u8(b), triangles = bytes_u8(b), stride = bytes_u8(b);
    bw_mesh *mesh = &out->mesh;
    mesh->scalar = flags % 16 == 15 ? (bw_scalar)(2 + flags) : flags & 1 ? BW_F64 : BW_F32;
    mesh->vertex_count = vertices % (MOST_VERTICES + 1);
    mesh->stride = stride < 128 ? 0 : stride % 48;
    size_t scalar = scalar_size(mesh);
    size_t step = mesh->stride == 0 ? 3 * scalar : mesh->stride;
    out->readable = (mesh->scalar == BW_F32 || mesh->scalar == BW_F64) &&
                    (mesh->vertex_count == 0 || (step >= 3 * scalar && step % scalar == 0));
    out->bytes = mesh->vertex_count == 0 ? 0 : (mesh->vertex_count - 1) * step + 3 * scalar;
    out->positions = malloc(out->bytes == 0 ? 1 : out->bytes);
    must(out->positions != NULL);
    memset(out->positions, 0xff, out->bytes); /* NaN between the vertices */
    mesh->positions = out->positions;
    if (flags & 32 && mesh->vertex_count > 0) {
        mesh->positions = NULL;
        out->readable = false;
    }
    if (out->readable)
        fuzz_mesh_move(out, b);
    if (flags & 64) /* a cloud of points */
        return;
    mesh->triangle_count = triangles % (MOST_TRIANGLES + 1);
    out->indices = malloc(mesh->triangle_count == 0 ? 1 : 3 * mesh->triangle_count * sizeof *out->indices);
    must(out->indices != NULL);
    for (uint32_t i = 0; i < 3 * mesh->triangle_count; i++) {
        uint8_t index = bytes_u8(b);
        if (index == 255)
            out->indices[i] = UINT32_MAX;
        else /* above 240: perhaps out of range */
            out->indices[i] = index > 240 || mesh->vertex_count == 0 ? index : index % mesh->vertex_count;
    }
    mesh->indices = out->indices;
}

void fuzz_mesh_free(fuzz_mesh *m)
{
    free(m->positions);
    free(m->indices);
}

const bw_transform *fuzz_pose_take(bytes *b, bw_transform *out)
{
    uint8_t kind = bytes_u8(b);
    if (kind < 64)
        return NULL;
    int scale = kind >= 72 && kind < 96 ? 8 * (int8_t)bytes_u8(b) : 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            if (kind < 72)
                bytes_take(b, &out->m[i][j], sizeof(double)); /* anything */
            else
                out->m[i][j] = ldexp((double)(int8_t)bytes_u8(b) / 16, scale);
        }
    }
    if (kind >= 200) /* a translation */
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                out->m[i][j] = i == j;
    return out;
}

bw_defect fuzz_mesh_defect(const bw_mesh *mesh, uint32_t primitive)
{
    for (uint32_t c = 0; c < 3 && mesh->indices != NULL; c++)
        if (mesh->indices[3 * primitive + c] >= mesh->vertex_count)
            return BW_DEFECT_INDEX;
    bw_vec3 p[3];
    bw_mesh_corners(mesh, primitive, p);
    bw_defect worst = BW_DEFECT_NONE;
    for (int c = 0; c < 3; c++) {
        const double x[3] = {p[c].x, p[c].y, p[c].z};
        for (int k = 0; k < 3; k++) {
            bw_defect defect = BW_DEFECT_NONE;
            if (isnan(x[k]))
                defect = BW_DEFECT_NAN;
            else if (isinf(x[k]))
                defect = BW_DEFECT_INFINITE;
            else if (fabs(x[k]) > BW_COORDINATE_MAX || (x[k] != 0 && fabs(x[k]) < BW_EXACT_MIN))
                defect = BW_DEFECT_RANGE;
            if (defect != BW_DEFECT_NONE && (worst == BW_DEFECT_NONE || defect < worst))
                worst = defect;
        }
    }
    if (worst == BW_DEFECT_NONE && mesh->indices != NULL && bw_collinear(&p[0], &p[1], &p[2]))
        worst = BW_DEFECT_ZERO_AREA;
    return worst;
}
