/* The built-in scenes as if they were files. */
#include "io/build.h"
#include "io/readers.h"

#include "scenes/scenes.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool read_scene(const char *file, const char *wanted, model *out, fault *why)
{
    char name[64], known[256] = "";
    const char *colon = strchr(wanted, ':');
    size_t length = colon ? (size_t)(colon - wanted) : strlen(wanted);
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), wanted);
    const bws_scene *scene = bws_scene_find(name);
    if (!scene) {
        uint32_t count;
        const bws_scene *list = bws_scene_list(&count);
        for (uint32_t i = 0; i < count; i++)
            snprintf(known + strlen(known), sizeof known - strlen(known), " %s", list[i].name);
        return fault_set(why, "%s: no such scene; there are:%s", file, known);
    }
    char *end = NULL;
    unsigned long size = colon ? strtoul(colon + 1, &end, 10) : 0;
    if (colon && (!isdigit((unsigned char)colon[1]) || *end || size == 0 || size > 1ul << 30))
        return fault_set(why, "%s: the size after the second colon is not a count", file);
    bws_mesh mesh;
    bw_result result = scene->make((uint32_t)size, BW_F64, &mesh);
    if (result != BW_OK)
        return fault_set(why, "%s: %s", file, bw_result_string(result));
    build b = build_start(file, "built-in", false);
    build_part(&b, name);
    for (uint32_t v = 0; v < mesh.vertex_count; v++)
        build_vertex(&b, bws_mesh_vertex(&mesh, v), 0);
    for (uint32_t t = 0; mesh.indices && t < mesh.triangle_count; t++) {
        for (int k = 0; k < 3; k++)
            build_corner(&b, mesh.indices[3 * (size_t)t + (size_t)k]);
        build_face(&b, 0);
    }
    bws_mesh_free(&mesh);
    return build_finish(&b, out, why);
}
