/* The JSON of a glTF scene. */
#include "report/glb_json.h"

#include "json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Component types and buffer views. */
enum { FLOAT = 5126, UNSIGNED_INT = 5125, POSITION_VIEW = 0, INDEX_VIEW = 1 };

static void write_floats(json *j, const char *key, const float *values, int count)
{
    json_flat_array(j, key);
    for (int i = 0; i < count; i++)
        json_number(j, NULL, (double)values[i]);
    json_array_end(j);
}

/* Screens show sRGB; materials are linear. */
static float linear(float c)
{
    return c <= 0.04045f ? c / 12.92f : powf((c + 0.055f) / 1.055f, 2.4f);
}

static void write_materials(json *j)
{
    json_array(j, "materials");
    for (int i = 0; i < GLB_MATERIALS; i++) {
        float colour[4] = {0.5f, 0.52f, 0.55f, 0.25f}; /* grey */
        if (i < REPORT_COLOURS) {
            for (int k = 0; k < 3; k++)
                colour[k] = linear(report_palette[i][k]);
            colour[3] = 1;
        } else if (i == GLB_CONTACT) {
            memcpy(colour, (const float[4]){1, 0.8f, 0, 1}, sizeof colour);
        }
        json_object(j, NULL);
        if (i < REPORT_COLOURS) {
            char name[32];
            snprintf(name, sizeof name, "part %d", i + 1);
            json_string(j, "name", name);
        } else {
            json_string(j, "name", i == GLB_GREY ? "other" : "contact");
        }
        json_object(j, "pbrMetallicRoughness");
        write_floats(j, "baseColorFactor", colour, 4);
        json_number(j, "metallicFactor", 0);
        json_number(j, "roughnessFactor", 0.7);
        json_object_end(j);
        json_bool(j, "doubleSided", true);
        if (i == GLB_GREY)
            json_string(j, "alphaMode", "BLEND");
        if (i == GLB_CONTACT) {
            json_object(j, "extensions");
            json_object(j, "KHR_materials_unlit");
            json_object_end(j);
            json_object_end(j);
        }
        json_object_end(j);
    }
    json_array_end(j);
}

/* From the space of the report to glTF's: metres, y up. */
static void write_root(json *j, const glb_scene *w)
{
    const report *r = w->report;
    json_object(j, NULL);
    json_string(j, "name", r->title);
    if (r->unit > 0 && (r->unit < 1 || r->unit > 1)) {
        json_flat_array(j, "scale");
        for (int k = 0; k < 3; k++)
            json_number(j, NULL, r->unit);
        json_array_end(j);
    }
    const float half = sqrtf(0.5f);
    if (r->up == MODEL_UP_X || r->up == MODEL_UP_Z)
        write_floats(j, "rotation",
                     r->up == MODEL_UP_X ? (const float[4]){0, 0, half, half}
                                         : (const float[4]){-half, 0, 0, half},
                     4);
    if (w->node_count > 0) {
        json_flat_array(j, "children");
        for (size_t i = 0; i < w->node_count; i++)
            json_count(j, NULL, i + 1);
        json_array_end(j);
    }
    json_object_end(j);
}

static void write_finding_name(json *j, const report *r, size_t number)
{
    const report_finding *f = &r->findings[number];
    const char *a = r->parts[f->a].name, *b = r->parts[f->b].name;
    size_t size = strlen(a) + strlen(b) + 128;
    char *name = tool_alloc(size, 1);
    snprintf(name, size, "clash %zu: %s: %s / %s", number + 1, report_kind_names[f->kind], a, b);
    json_string(j, "name", name);
    free(name);
    json_object(j, "extras");
    json_string(j, "kind", report_kind_names[f->kind]);
    if (f->kind == REPORT_CLEARANCE)
        json_number(j, "distance", f->distance);
    json_number(j, "depth_lower", f->depth_lower);
    if (isfinite(f->depth_upper))
        json_number(j, "depth_upper", f->depth_upper);
    if (isfinite(f->volume_error))
        json_number(j, "volume", f->volume);
    json_vec3(j, "direction", f->direction);
    json_object_end(j);
}

static void write_nodes(json *j, const glb_scene *w)
{
    json_array(j, "nodes");
    write_root(j, w);
    for (size_t i = 0; i < w->node_count; i++) {
        const glb_node *node = &w->nodes[i];
        json_flat_object(j, NULL);
        if (node->name)
            json_string(j, "name", node->name);
        else
            write_finding_name(j, w->report, node->finding);
        if (node->mesh != BW_NONE)
            json_count(j, "mesh", node->mesh);
        if (node->matrix) {
            json_array(j, "matrix"); /* column by column */
            for (int c = 0; c < 3; c++) {
                for (int k = 0; k < 3; k++)
                    json_number(j, NULL, node->m[k][c]);
                json_number(j, NULL, 0);
            }
            const double last[4] = {node->at.x, node->at.y, node->at.z, 1};
            for (int k = 0; k < 4; k++)
                json_number(j, NULL, last[k]);
            json_array_end(j);
        } else {
            json_vec3(j, "translation", node->at);
        }
        json_object_end(j);
    }
    json_array_end(j);
}

static void write_meshes(json *j, const glb_scene *w)
{
    json_array(j, "meshes");
    for (size_t i = 0; i < w->mesh_count; i++) {
        const glb_mesh *mesh = &w->meshes[i];
        json_flat_object(j, NULL);
        json_array(j, "primitives");
        json_object(j, NULL);
        json_object(j, "attributes");
        json_count(j, "POSITION", mesh->positions);
        json_object_end(j);
        if (mesh->indices != BW_NONE)
            json_count(j, "indices", mesh->indices);
        json_count(j, "mode", (uint64_t)mesh->mode);
        json_count(j, "material", (uint64_t)mesh->material);
        json_object_end(j);
        json_array_end(j);
        json_object_end(j);
    }
    json_array_end(j);
    json_array(j, "accessors");
    for (size_t i = 0; i < w->accessor_count; i++) {
        const glb_accessor *a = &w->accessors[i];
        json_flat_object(j, NULL);
        json_count(j, "bufferView", a->indices ? INDEX_VIEW : POSITION_VIEW);
        json_count(j, "byteOffset", a->offset);
        json_count(j, "componentType", a->indices ? UNSIGNED_INT : FLOAT);
        json_count(j, "count", a->count);
        json_string(j, "type", a->indices ? "SCALAR" : "VEC3");
        if (!a->indices) {
            write_floats(j, "min", a->low, 3);
            write_floats(j, "max", a->high, 3);
        }
        json_object_end(j);
    }
    json_array_end(j);
}

static void write_buffers(json *j, const glb_scene *w)
{
    json_array(j, "bufferViews");
    for (int i = 0; i < (w->indices.count > 0 ? 2 : 1); i++) {
        json_flat_object(j, NULL);
        json_count(j, "buffer", 0);
        json_count(j, "byteOffset", i == POSITION_VIEW ? 0 : w->positions.count);
        json_count(j, "byteLength", i == POSITION_VIEW ? w->positions.count : w->indices.count);
        if (i == POSITION_VIEW)
            json_count(j, "byteStride", 12);
        json_count(j, "target", i == POSITION_VIEW ? 34962 : 34963);
        json_object_end(j);
    }
    json_array_end(j);
    json_array(j, "buffers");
    json_flat_object(j, NULL);
    json_count(j, "byteLength", w->positions.count + w->indices.count);
    json_object_end(j);
    json_array_end(j);
}

void glb_json_write(const glb_scene *w, FILE *out)
{
    json j = json_start(out);
    json_object(&j, NULL);
    json_object(&j, "asset");
    json_string(&j, "version", "2.0");
    char generator[64];
    snprintf(generator, sizeof generator, "boxwood %s", bw_version_string());
    json_string(&j, "generator", generator);
    json_object_end(&j);
    json_flat_array(&j, "extensionsUsed");
    json_string(&j, NULL, "KHR_materials_unlit");
    json_array_end(&j);
    json_count(&j, "scene", 0);
    json_array(&j, "scenes");
    json_flat_object(&j, NULL);
    json_array(&j, "nodes");
    json_count(&j, NULL, 0);
    json_array_end(&j);
    json_object_end(&j);
    json_array_end(&j);
    write_nodes(&j, w);
    write_materials(&j);
    if (w->accessor_count > 0) {
        write_meshes(&j, w);
        write_buffers(&j, w);
    }
    json_object_end(&j);
    json_finish(&j);
}
