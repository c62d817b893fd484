/* The list of extensions. What only tells how things look, sound or are described cannot change geometry and
 * is left aside. */
#include "io/gltf/extensions.h"

#include "io/gltf/draco.h"
#include "io/gltf/meshopt.h"

#include <string.h>

static const char *const aside[] = {
    /* materials, textures, light: whole families */
    "KHR_materials_", "KHR_texture_", "KHR_lights_", "KHR_techniques_webgl", "EXT_texture_", "EXT_lights_",
    "MSFT_texture_", "MSFT_packing_", "ADOBE_materials_", "NV_materials_", "FB_materials_", "MOZ_lightmap",
    /* descriptions, sound, what a user may do with a node */
    "KHR_xmp", "EXT_mesh_features", "EXT_instance_features", "EXT_structural_metadata",
    "EXT_feature_metadata", "EXT_mesh_manifold", "CESIUM_primitive_outline", "FB_ngon_encoding",
    "FB_geometry_metadata", "AGI_stk_metadata", "GRIFFEL_bim_data", "GODOT_single_root",
    "KHR_node_selectability", "KHR_node_hoverability", "KHR_audio", "MSFT_audio_", "VRM",
    /* other meshes for far away: they stand outside the scene */
    "MSFT_lod"};

/* These matter, and are looked for where they stand. */
static const char *const played[] = {"KHR_mesh_quantization", "EXT_mesh_gpu_instancing",
                                     "KHR_animation_pointer", "KHR_node_visibility"};

static bool starts(const char *name, const char *begin)
{
    return strncmp(name, begin, strlen(begin)) == 0;
}

static bool is_known(const char *name)
{
    bool known = strcmp(name, MESHOPT_EXTENSION) == 0 || strcmp(name, DRACO_EXTENSION) == 0;
    for (size_t i = 0; i < sizeof played / sizeof *played; i++)
        known |= strcmp(name, played[i]) == 0;
    for (size_t i = 0; i < sizeof aside / sizeof *aside; i++)
        known |= starts(name, aside[i]);
    return known;
}

static bool each_name(gltf *g, const char *key, bool required)
{
    path list = path_key(&g->top, key);
    if (!path_is_list(&list))
        return false;
    for (size_t i = 0; i < path_size(&list); i++) {
        path at = path_item(&list, i);
        const char *name = json_string_value(at.value);
        if (!name)
            return path_fault(&at, "is not a string");
        if (required && !is_known(name))
            return path_fault(&at, "\"%.100s\" is required to read this file, and not known here", name);
        if (required && strcmp(name, MESHOPT_EXTENSION) == 0 && !meshopt_is_there())
            return path_fault(&at, MESHOPT_MISSING);
        if (required && strcmp(name, DRACO_EXTENSION) == 0 && !draco_is_there())
            return path_fault(&at, DRACO_MISSING);
        if (!required && !is_known(name))
            gltf_note(g, "the extension \"%.100s\" is not known, and left out", name);
    }
    return true;
}

bool extensions_check(gltf *g)
{
    return each_name(g, "extensionsRequired", true) && each_name(g, "extensionsUsed", false);
}

bool extensions_find(const path *above, const char *name, path *way, path *out)
{
    *way = path_key(above, "extensions");
    if (!path_is_object(way))
        return false;
    *out = path_key(way, name);
    return path_is_object(out);
}
