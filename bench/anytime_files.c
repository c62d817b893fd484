#include "anytime_files.h"

#include "runner.h"
#include "scenes/ccd_data.h"
#include "scenes/owned.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a mesh of v and f lines ---- */

static void *grown(void *memory, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return memory;
    *capacity = *capacity == 0 ? 1024 : 2 * *capacity;
    void *more = realloc(memory, *capacity * size);
    bench_require(more != NULL, "out of memory");
    return more;
}

bool anytime_read_obj(const char *path, bws_mesh *out)
{
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    float(*vertices)[3] = NULL;
    uint32_t(*faces)[3] = NULL;
    size_t vertex_count = 0, vertex_room = 0, face_count = 0, face_room = 0;
    char line[512];
    while (fgets(line, sizeof line, file) != NULL) {
        float p[3];
        if (sscanf(line, "v %f %f %f", &p[0], &p[1], &p[2]) == 3) {
            vertices = grown(vertices, vertex_count, &vertex_room, sizeof *vertices);
            memcpy(vertices[vertex_count++], p, sizeof p);
        } else if (line[0] == 'f') {
            uint32_t corner[3], n = 0;
            for (char *at = strtok(line + 1, " \t\r\n"); at != NULL; at = strtok(NULL, " \t\r\n")) {
                const long index = strtol(at, NULL, 10);
                bench_require(index > 0 && (size_t)index <= vertex_count, "a face of the scan is damaged");
                corner[n < 2 ? n : 2] = (uint32_t)index - 1;
                if (++n >= 3) {
                    faces = grown(faces, face_count, &face_room, sizeof *faces);
                    memcpy(faces[face_count++], corner, sizeof corner);
                    corner[1] = corner[2];
                }
            }
        }
    }
    fclose(file);
    *out =
        (bws_mesh){vertices, BW_F32, (uint32_t)vertex_count, (uint32_t *)(void *)faces, (uint32_t)face_count};
    return true;
}

/* ---- 3DS ---- */

static uint32_t number(const unsigned char *p, int bytes)
{
    uint32_t n = 0;
    for (int k = bytes; k-- > 0;)
        n = n << 8 | p[k];
    return n;
}

/* The first mesh of a 3DS file: chunks of an id and a length; 0x4110 holds vertices, 0x4120 faces. */
bool anytime_read_3ds(const char *path, bws_mesh *out)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return false;
    enum { MOST = 4 << 20 };
    unsigned char *bytes = bench_alloc(MOST, 1);
    const size_t size = fread(bytes, 1, MOST, file);
    fclose(file);
    const unsigned char *vertices = NULL, *faces = NULL;
    for (size_t at = 0; at + 6 <= size && (vertices == NULL || faces == NULL);) {
        const uint32_t id = number(bytes + at, 2), length = number(bytes + at + 2, 4);
        bench_require(length >= 6 && length <= size - at, "a chunk of a 3DS file is damaged");
        if (id == 0x4110)
            vertices = bytes + at + 6;
        else if (id == 0x4120)
            faces = bytes + at + 6;
        if (id == 0x4D4D || id == 0x3D3D || id == 0x4100)
            at += 6; /* into it */
        else if (id == 0x4000) {
            for (at += 6; at < size && bytes[at] != 0;)
                at++;
            at++; /* past its name */
        } else
            at += length;
    }
    bench_require(vertices != NULL && faces != NULL, "a 3DS file has no mesh");
    const uint32_t vertex_count = number(vertices, 2), face_count = number(faces, 2);
    bench_require((size_t)(vertices - bytes) + 2 + 12 * (size_t)vertex_count <= size &&
                      (size_t)(faces - bytes) + 2 + 8 * (size_t)face_count <= size,
                  "a 3DS file is cut short");
    bench_require(bws_mesh_reserve(vertex_count, face_count, BW_F32, out) == BW_OK, "out of memory");
    for (uint32_t v = 0; v < vertex_count; v++) {
        float p[3];
        for (int k = 0; k < 3; k++) {
            const uint32_t word = number(vertices + 2 + 12 * v + 4 * k, 4);
            memcpy(&p[k], &word, sizeof word);
        }
        bws_mesh_set_vertex(out, v, (bw_vec3){(double)p[0], (double)p[1], (double)p[2]});
    }
    for (uint32_t t = 0; t < face_count; t++) {
        const unsigned char *f = faces + 2 + 8 * t;
        const uint32_t corner[3] = {number(f, 2), number(f + 2, 2), number(f + 4, 2)};
        bench_require(corner[0] < vertex_count && corner[1] < vertex_count && corner[2] < vertex_count,
                      "a face of a 3DS file is damaged");
        bws_triangle(out, t, corner[0], corner[1], corner[2]);
    }
    free(bytes);
    return true;
}

/* ---- a frame of a simulated scene ---- */

bool anytime_read_scene(const char *name, bws_mesh *out)
{
    bws_ccd_scene scene;
    const char *why;
    if (bws_ccd_data() == NULL || !bws_ccd_read_scene(name, &scene, &why))
        return false;
    const bw_mesh *mesh = &scene.start;
    bench_require(bws_mesh_reserve(mesh->vertex_count, mesh->triangle_count, BW_F32, out) == BW_OK,
                  "out of memory");
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        bws_mesh_set_vertex(out, v, bw_mesh_vertex(mesh, v));
    memcpy(out->indices, mesh->indices, 3 * sizeof *mesh->indices * (size_t)mesh->triangle_count);
    bws_ccd_scene_release(&scene);
    return true;
}
