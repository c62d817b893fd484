/* The JSON of a glTF scene. */
#include "report/glb_json.h"

#include "json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Component types and buffer views. */
enum { FLOAT = 5126, UNSIGNED_INT = 5125, POSITION_VIEW = 0, INDEX_VIEW = 1 };

static void write_floats(json_writer *j, const char *key, const float *values, int count)
{
    jw_flat_array(j, key);
    for (int i = 0; i < count; i++)
        jw_number(j, NULL, (double)values[i]);
    jw_array_end(j);
}

/* Screens show sRGB; materials are linear. */
static float linear(float c)
{
    return c <= 0.04045f ? c / 12.92f : powf((c + 0.055f) / 1.055f, 2.4f);
}

static void write_materials(json_writer *j)
{
    jw_array(j, "materials");
    for (int i = 0; i < GLB_MATERIALS; i++) {
        float colour[4] = {0.5f, 0.52f, 0.55f, 0.25f}; /* grey */
        if (i < REPORT_COLOURS) {
            for (int k = 0; k < 3; k++)
                colour[k] = linear(report_palette[i][k]);
            colour[3] = 1;
        } else if (i == GLB_CONTACT) {
            memcpy(colour, (const float[4]){1, 0.8f, 0, 1}, sizeof colour);
        }
        jw_object(j, NULL);
        if (i < REPORT_COLOURS) {
            char name[32];
            snprintf(name, sizeof name, "part %d", i + 1);
            jw_string(j, "name", name);
        } else {
            jw_string(j, "name", i == GLB_GREY ? "other" : "contact");
        }
        jw_object(j, "pbrMetallicRoughness");
        write_floats(j, "baseColorFactor", colour, 4);
        jw_number(j, "metallicFactor", 0);
        jw_number(j, "roughnessFactor", 0.7);
        jw_object_end(j);
        jw_bool(j, "doubleSided", true);
        if (i == GLB_GREY)
            jw_string(j, "alphaMode", "BLEND");
        if (i == GLB_CONTACT) {
            jw_object(j, "extensions");
            jw_object(j, "KHR_materials_unlit");
            jw_object_end(j);
            jw_object_end(j);
        }
        jw_object_end(j);
    }
    jw_array_end(j);
}

/* From the space of the report to glTF's: metres, y up. */
static void write_root(json_writer *j, const glb_scene *w)
{
    const report *r = w->report;
    jw_object(j, NULL);
    jw_string(j, "name", r->title);
    if (r->unit > 0 && (r->unit < 1 || r->unit > 1)) {
        jw_flat_array(j, "scale");
        for (int k = 0; k < 3; k++)
            jw_number(j, NULL, r->unit);
        jw_array_end(j);
    }
    const float half = sqrtf(0.5f);
    if (r->up == MODEL_UP_X || r->up == MODEL_UP_Z)
        write_floats(j, "rotation",
                     r->up == MODEL_UP_X ? (const float[4]){0, 0, half, half}
                                         : (const float[4]){-half, 0, 0, half},
                     4);
    if (w->node_count > 0) {
        jw_flat_array(j, "children");
        for (size_t i = 0; i < w->node_count; i++)
            jw_count(j, NULL, i + 1);
        jw_array_end(j);
    }
    jw_object_end(j);
}

static void write_finding_name(json_writer *j, const report *r, size_t number)
{
    const report_finding *f = &r->findings[number];
    const char *a = r->parts[f->a].name, *b = r->parts[f->b].name;
    size_t size = strlen(a) + strlen(b) + 128;
    char *name = tool_alloc(size, 1);
    snprintf(name, size, "clash %zu: %s: %s / %s", number + 1, report_kind_names[f->kind], a, b);
    jw_string(j, "name", name);
    free(name);
    jw_object(j, "extras");
    jw_string(j, "kind", report_kind_names[f->kind]);
    if (f->kind == REPORT_CLEARANCE)
        jw_number(j, "distance", f->distance);
    jw_number(j, "depth_lower", f->depth_lower);
    if (isfinite(f->depth_upper))
        jw_number(j, "depth_upper", f->depth_upper);
    if (isfinite(f->volume_error))
        jw_number(j, "volume", f->volume);
    jw_vec3(j, "direction", f->direction);
    jw_object_end(j);
}

static void write_nodes(json_writer *j, const glb_scene *w)
{
    jw_array(j, "nodes");
    write_root(j, w);
    for (size_t i = 0; i < w->node_count; i++) {
        const glb_node *node = &w->nodes[i];
        jw_flat_object(j, NULL);
        if (node->name)
            jw_string(j, "name", node->name);
        else
            write_finding_name(j, w->report, node->finding);
        if (node->mesh != BW_NONE)
            jw_count(j, "mesh", node->mesh);
        if (node->matrix) {
            jw_array(j, "matrix"); /* column by column */
            for (int c = 0; c < 3; c++) {
                for (int k = 0; k < 3; k++)
                    jw_number(j, NULL, node->m[k][c]);
                jw_number(j, NULL, 0);
            }
            const double last[4] = {node->at.x, node->at.y, node->at.z, 1};
            for (int k = 0; k < 4; k++)
                jw_number(j, NULL, last[k]);
            jw_array_end(j);
        } else {
            jw_vec3(j, "translation", node->at);
        }
        jw_object_end(j);
    }
    jw_array_end(j);
}

static void write_meshes(json_writer *j, const glb_scene *w)
{
    jw_array(j, "meshes");
    for (size_t i = 0; i < w->mesh_count; i++) {
        const glb_mesh *mesh = &w->meshes[i];
        jw_flat_object(j, NULL);
        jw_array(j, "primitives");
        jw_object(j, NULL);
        jw_object(j, "attributes");
        jw_count(j, "POSITION", mesh->positions);
        jw_object_end(j);
        if (mesh->indices != BW_NONE)
            jw_count(j, "indices", mesh->indices);
        jw_count(j, "mode", (uint64_t)mesh->mode);
        jw_count(j, "material", (uint64_t)mesh->material);
        jw_object_end(j);
        jw_array_end(j);
        jw_object_end(j);
    }
    jw_array_end(j);
    jw_array(j, "accessors");
    for (size_t i = 0; i < w->accessor_count; i++) {
        const glb_accessor *a = &w->accessors[i];
        jw_flat_object(j, NULL);
        jw_count(j, "bufferView", a->indices ? INDEX_VIEW : POSITION_VIEW);
        jw_count(j, "byteOffset", a->offset);
        jw_count(j, "componentType", a->indices ? UNSIGNED_INT : FLOAT);
        jw_count(j, "count", a->count);
        jw_string(j, "type", a->indices ? "SCALAR" : "VEC3");
        if (!a->indices) {
            write_floats(j, "min", a->low, 3);
            write_floats(j, "max", a->high, 3);
        }
        jw_object_end(j);
    }
    jw_array_end(j);
}

static void write_buffers(json_writer *j, const glb_scene *w)
{
    jw_array(j, "bufferViews");
    for (int i = 0; i < (w->indices.count > 0 ? 2 : 1); i++) {
        jw_flat_object(j, NULL);
        jw_count(j, "buffer", 0);
        jw_count(j, "byteOffset", i == POSITION_VIEW ? 0 : w->positions.count);
        jw_count(j, "byteLength", i == POSITION_VIEW ? w->positions.count : w->indices.count);
        if (i == POSITION_VIEW)
            jw_count(j, "byteStride", 12);
        jw_count(j, "target", i == POSITION_VIEW ? 34962 : 34963);
        jw_object_end(j);
    }
    jw_array_end(j);
    jw_array(j, "buffers");
    jw_flat_object(j, NULL);
    jw_count(j, "byteLength", w->positions.count + w->indices.count);
    jw_object_end(j);
    jw_array_end(j);
}

void glb_json_write(const glb_scene *w, FILE *out)
{
    json_writer j = jw_start(out);
    jw_object(&j, NULL);
    jw_object(&j, "asset");
    jw_string(&j, "version", "2.0");
    char generator[64];
    snprintf(generator, sizeof generator, "boxwood %s", bw_version_string());
    jw_string(&j, "generator", generator);
    jw_object_end(&j);
    jw_flat_array(&j, "extensionsUsed");
    jw_string(&j, NULL, "KHR_materials_unlit");
    jw_array_end(&j);
    jw_count(&j, "scene", 0);
    jw_array(&j, "scenes");
    jw_flat_object(&j, NULL);
    jw_array(&j, "nodes");
    jw_count(&j, NULL, 0);
    jw_array_end(&j);
    jw_object_end(&j);
    jw_array_end(&j);
    write_nodes(&j, w);
    write_materials(&j);
    if (w->accessor_count > 0) {
        write_meshes(&j, w);
        write_buffers(&j, w);
    }
    jw_object_end(&j);
    jw_finish(&j);
}
