/* Files that are wrong in one place: the fault names the place and the value. And files of which any byte or
 * any value is wrong: they are refused or read, and no byte outside of them is looked at (the sanitizers
 * watch). */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/gltf/gltf.h"
#include "oracle/random.h"
#include "tool/gltf/draco_encode.h"
#include "tool/gltf/figures.h"

static json_t *json(const char *from)
{
    char words[1024];
    snprintf(words, sizeof words, "%s", from);
    for (char *c = words; *c; c++)
        if (*c == '\'')
            *c = '"';
    json_t *value = json_loads(words, JSON_DECODE_ANY, NULL);
    if (!value)
        fail_msg("%s is not JSON", words);
    return value;
}

/* A character of two joints that morphs and moves, in accessors 0 to 7; instances in 8; a strange scene
 * besides. */
static writer sound(bws_random *random)
{
    static const double positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 1}, indices[] = {0, 1, 2, 2, 1, 3},
                        joints[] = {0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0},
                        weights[] = {1, 0, 0, 0, 1, 0, 0, 0, .5, .5, 0, 0, 1, 0, 0, 0}, times[] = {0, 1, 2},
                        moves[] = {0, 0, 0, 1, 0, 0, 2, 0, 0}, amounts[] = {0, 1, 0};
    double inverses[32], turns[12];
    for (int i = 0; i < 32; i++)
        inverses[i] = i % 16 % 5 == 0;
    for (int i = 0; i < 12; i++)
        turns[i] = i % 4 == 3;
    writer w = writer_start(random);
    written vec3 = {.width = 3, .component = 5126};
    writer_accessor(&w, positions, 4, vec3);
    writer_accessor(&w, indices, 6, (written){.width = 1, .component = 5123});
    writer_accessor(&w, joints, 4, (written){.width = 4, .component = 5121});
    writer_accessor(&w, weights, 4, (written){.width = 4, .component = 5126});
    writer_accessor(&w, inverses, 2, (written){.width = 16, .component = 5126});
    writer_accessor(&w, times, 3, (written){.width = 1, .component = 5126});
    writer_accessor(&w, moves, 3, vec3);
    writer_accessor(&w, amounts, 3, (written){.width = 1, .component = 5126});
    writer_accessor(&w, moves, 3, vec3);
    writer_accessor(&w, turns, 3, (written){.width = 4, .component = 5126});
    writer_accessor(&w, positions, 4, (written){.width = 3, .component = 5126, .sparse = 1});
    json_t *rest = json("{'scene': 0, 'scenes': [{'nodes': [0, 4]}, {'nodes': []}],"
                        "'nodes': [{'children': [1, 2]}, {'mesh': 0, 'skin': 0}, {'children': [3]}, {},"
                        "{'mesh': 1, 'extensions': {'EXT_mesh_gpu_instancing': {'attributes': "
                        "{'TRANSLATION': 8, 'ROTATION': 9}}}}],"
                        "'skins': [{'joints': [2, 3], 'inverseBindMatrices': 4}], 'extensionsUsed': "
                        "['EXT_mesh_gpu_instancing']}");
    json_object_update(w.doc, rest);
    json_decref(rest);
    json_object_set_new(
        w.doc, "meshes",
        json("[{'weights': [0.5], 'primitives': [{'attributes': {'POSITION': 0, 'JOINTS_0': 2, 'WEIGHTS_0': "
             "3}, 'indices': 1,"
             "'targets': [{'POSITION': 0}]}, {'attributes': {'POSITION': 0, 'JOINTS_0': 2, 'WEIGHTS_0': 3}, "
             "'mode': 5,"
             "'targets': [{}]}]}, {'primitives': [{'attributes': {'POSITION': 10}, 'indices': 1}]}]"));
    json_object_set_new(w.doc, "animations",
                        json("[{'samplers': [{'input': 5, 'output': 6}, {'input': 5, 'output': 9}, {'input': "
                             "5, 'output': 7}], 'channels': ["
                             "{'sampler': 0, 'target': {'node': 2, 'path': 'translation'}}, {'sampler': 1, "
                             "'target': {'node': 3, 'path': 'rotation'}},"
                             "{'sampler': 2, 'target': {'node': 1, 'path': 'weights'}}]}]"));
    return w;
}

/* True: it was read. */
static bool open_bytes(const void *bytes, size_t size, fault *why)
{
    gltf *g;
    model m;
    *why = (fault){.text = ""};
    if (!gltf_open_bytes(
            &(gltf_desc){.file = "bad.gltf", .bytes = bytes, .size = size, .most_bytes = 1 << 26}, &g, why))
        return false;
    bool fine = gltf_read_clips(g, why) && gltf_model(g, &m, why);
    if (fine)
        model_free(&m);
    gltf_close(g);
    return fine;
}

static void refused(const void *bytes, size_t size, const char *wanted, const char *what)
{
    fault why;
    if (open_bytes(bytes, size, &why))
        fail_msg("%s: it was read, without \"%s\"", what, wanted);
    if (strncmp(why.text, "bad.gltf: ", 10) != 0 || !strstr(why.text, wanted))
        fail_msg("%s: \"%s\" lacks \"%s\"", what, why.text, wanted);
}

static void text_refused(const char *from, const char *wanted)
{
    json_t *value = json(from);
    char *words = json_dumps(value, JSON_ENCODE_ANY);
    refused(words, strlen(words), wanted, from);
    free(words);
    json_decref(value);
}

/* Puts a value where "meshes/0/weights" leads; NULL: takes it away. */
static void put(json_t *doc, const char *way, const char *value)
{
    char keys[128], *key, *next;
    snprintf(keys, sizeof keys, "%s", way);
    for (key = keys;; key = next + 1) {
        next = strchr(key, '/');
        if (next)
            *next = 0;
        bool list = json_is_array(doc);
        size_t index = list ? strtoul(key, NULL, 10) : 0;
        if (!next) {
            if (list)
                json_array_set_new(doc, index, json(value));
            else if (value)
                json_object_set_new(doc, key, json(value));
            else
                json_object_del(doc, key);
            return;
        }
        doc = list ? json_array_get(doc, index) : json_object_get(doc, key);
        if (!doc)
            fail_msg("%s leads nowhere", way);
    }
}

typedef struct damage {
    const char *way, *value, *wanted;
} damage;

static const damage values[] = {
    {"asset", NULL, "asset: is missing"},
    {"asset/version", "'1.0'", "asset.version: glTF 1.0 is not read"},
    {"asset/version", "2.0", "asset.version: is a number, not a string"},
    {"asset/version", "'two'", "asset.version: \"two\" is not a version"},
    {"asset/minVersion", "'2.1'", "asset.minVersion: a reader of glTF 2.1 is needed"},
    {"extensionsRequired", "['ACME_shape']", "extensionsRequired[0]: \"ACME_shape\" is required"},
    {"extensionsRequired", "[3]", "extensionsRequired[0]: is not a string"},
    {"extensionsUsed", "{}", "extensionsUsed: is an object, not an array"},
    {"nodes", "3", "nodes: is a number, not an array"},
    {"nodes/2", "'x'", "nodes[2]: is a string, not an object"},
    {"nodes/0/children", "[1, 7]", "nodes[0].children[1]: 7: there are 5 nodes"},
    {"nodes/3/children", "[2]", "nodes[3].children[0]: node 2 stands below nodes[0] already"},
    {"nodes/3/children", "[0]", "nodes[0]: stands below itself"},
    {"nodes/0/children", "[1, -1]", "nodes[0].children[1]: -1 is not an integer"},
    {"nodes/0/children", "[1, 1.5]", "nodes[0].children[1]: 1.5 is not an integer"},
    {"nodes/1/mesh", "2", "nodes[1].mesh: 2: there are 2 meshes"},
    {"nodes/1/skin", "1", "nodes[1].skin: 1: there are 1 skins"},
    {"nodes/4/skin", "0", "instances of a skinned mesh"},
    {"nodes/3/skin", "0", "nodes[3].skin: is there without a mesh"},
    {"nodes/0/scale", "[1, 2]", "nodes[0].scale: has 2 numbers, not 3"},
    {"nodes/0/scale", "[1, 2, '3']", "nodes[0].scale[2]: is a string, not a number"},
    {"nodes/0/rotation", "[0, 0, 0, 0]", "nodes[0].rotation: 0, 0, 0, 0 is not a rotation"},
    {"nodes/0/matrix", "[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,2]",
     "nodes[0].matrix: the last row of the matrix is 0 0 0 2"},
    {"nodes/0", "{'children': [1, 2], 'matrix': [1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1], 'scale': [1,1,1]}",
     "nodes[0].scale: stands beside a matrix"},
    {"nodes/1/weights", "[1, 2]", "nodes[1].weights: has 2 numbers, not 1"},
    {"nodes/4/extensions", "[]", "nodes[4].extensions: is an array"},
    {"nodes/4/extensions/EXT_mesh_gpu_instancing/attributes", "{}",
     "EXT_mesh_gpu_instancing.attributes: has none of"},
    {"nodes/4/extensions/EXT_mesh_gpu_instancing/attributes/ROTATION", "8",
     "attributes.ROTATION: accessors[8] is VEC3 of float"},
    {"nodes/4/extensions/EXT_mesh_gpu_instancing/attributes/TRANSLATION", "0",
     "accessors[9] has 3 elements, and another attribute 4"},
    {"scene", "2", "scene: 2: there are 2 scenes"},
    {"scene", "1", "bad.gltf: no vertices"},
    {"scenes/0/nodes", "[0, 1]", "scenes[0].nodes[1]: node 1 stands below nodes[0], so it is no root"},
    {"scenes/0/nodes", "[0, 0]", "scenes[0].nodes[1]: node 0 is there twice"},
    {"skins/0/joints", "[]", "skins[0].joints: has no joints"},
    {"skins/0/joints", "[2]",
     "nodes[1].skin: meshes[0].primitives[0], vertex 1: joint 1, and skins[0] has 1 joints"},
    {"skins/0/joints", "[2, 3, 3]", "skins[0].inverseBindMatrices: accessors[4] has 2 matrices for 3 joints"},
    {"skins/0/joints", "[2, 9]", "skins[0].joints[1]: 9: there are 5 nodes"},
    {"skins/0/inverseBindMatrices", "3", "skins[0].inverseBindMatrices: accessors[3] is VEC4 of float"},
    {"meshes/0/primitives", "[]", "meshes[0].primitives: has no primitives"},
    {"meshes/0/primitives", NULL, "meshes[0].primitives: is missing"},
    {"meshes/0/primitives/0/mode", "7", "meshes[0].primitives[0].mode: 7 is more than 6"},
    {"meshes/0/primitives/0/attributes/POSITION", NULL,
     "meshes[0].primitives[0].attributes.POSITION: is missing"},
    {"meshes/0/primitives/0/attributes/POSITION", "3",
     "attributes.POSITION: accessors[3] is VEC4 of float, which cannot stand here"},
    {"meshes/0/primitives/0/attributes/POSITION", "11", "attributes.POSITION: 11: there are 11 accessors"},
    {"meshes/0/primitives/0/attributes/WEIGHTS_0", NULL, "attributes.WEIGHTS_0: is missing"},
    {"meshes/0/primitives/0/attributes/JOINTS_0", "3", "attributes.JOINTS_0: accessors[3] is VEC4 of float"},
    {"meshes/0/primitives/0/attributes/WEIGHTS_0", "9",
     "attributes.WEIGHTS_0: accessors[9] has 3 elements, and POSITION 4"},
    {"meshes/0/primitives/1/attributes", "{'POSITION': 0}",
     "nodes[1].skin: meshes[0] has a primitive without JOINTS_0"},
    {"meshes/0/primitives/0/indices", "0", "meshes[0].primitives[0].indices: accessors[0] is VEC3 of float"},
    {"meshes/0/primitives/1/targets", "[{}, {}]",
     "meshes[0].primitives[1].targets: has 2 morph targets, and another primitive of the mesh 1"},
    {"meshes/0/primitives/0/targets/0/POSITION", "6",
     "targets[0].POSITION: accessors[6] has 3 elements, and POSITION 4"},
    {"meshes/0/weights", "[]", "meshes[0].weights: has 0 numbers, not 1"},
    {"accessors/0/count", "5",
     "accessors[0].bufferView: 5 elements from byte 0 on end at 60, and bufferViews[0] has 48 bytes"},
    {"accessors/0/count", "0", "accessors[0].count: 0 elements"},
    {"accessors/0/count", "1e30", "accessors[0].count: 1"},
    {"accessors/0/count", "-4", "accessors[0].count: -4 is not an integer"},
    {"accessors/0/byteOffset", "4", "accessors[0].bufferView: 4 elements from byte 4 on end at 52"},
    {"accessors/0/byteOffset", "'4'", "accessors[0].byteOffset: is a string"},
    {"accessors/0/bufferView", "99", "accessors[0].bufferView: 99: there are"},
    {"accessors/0/componentType", "5124", "accessors[0].componentType: 5124 is not known"},
    {"accessors/0/componentType", "5125", "accessors[0] is VEC3 of unsigned int, which cannot stand here"},
    {"accessors/0/type", "'VEC5'", "accessors[0].type: \"VEC5\" is not known"},
    {"accessors/0/type", NULL, "accessors[0].type: is missing"},
    {"accessors/0/normalized", "1", "accessors[0].normalized: is a number, not true or false"},
    {"accessors/10/sparse/count", "5", "accessors[10].sparse.count: 5 of 4 elements"},
    {"accessors/10/sparse/indices", NULL, "accessors[10].sparse.indices: is missing"},
    {"accessors/10/sparse/indices/componentType", "5126",
     "accessors[10].sparse.indices.componentType: 5126 is not an unsigned type"},
    {"accessors/10/sparse/values/byteOffset", "100", "accessors[10].sparse.values.bufferView:"},
    {"accessors/10/sparse/indices/bufferView", "1", "accessors[10].sparse.indices: element"},
    {"animations/0/channels/0/target", NULL, "animations[0].channels[0].target: is missing"},
    {"animations/0/channels/0/target/node", "9",
     "animations[0].channels[0].target.node: 9: there are 5 nodes"},
    {"animations/0/channels/0/target/path", NULL, "animations[0].channels[0].target.path: is missing"},
    {"animations/0/channels/0/target", "{'node': 3, 'path': 'weights'}",
     "channels[0].target.path: weights, and nodes[3] has no mesh"},
    {"animations/0/channels/0/target", "{'node': 4, 'path': 'weights'}",
     "channels[0].target.path: weights, and meshes[1] has no morph targets"},
    {"animations/0/channels/1/target", "{'node': 2, 'path': 'translation'}",
     "channels[1].target.path: another channel moves the same of nodes[2]"},
    {"animations/0/channels/1/sampler", "3", "animations[0].channels[1].sampler: 3: there are 3 samplers"},
    {"animations/0/samplers/0/interpolation", "'SMOOTH'",
     "animations[0].samplers[0].interpolation: \"SMOOTH\" is not STEP"},
    {"animations/0/samplers/0/interpolation", "'CUBICSPLINE'",
     "samplers[0].output: accessors[6] has 9 numbers, and 3 keys need 27"},
    {"animations/0/samplers/0/input", NULL, "animations[0].samplers[0].input: is missing"},
    {"animations/0/samplers/0/input", "7",
     "animations[0].samplers[0].input: key 2 is at 0 s, and the one before it at 1 s"},
    {"animations/0/samplers/0/output", "9",
     "animations[0].samplers[0].output: accessors[9] is VEC4 of float"},
    {"animations/0/samplers/1/output", "3",
     "animations[0].samplers[1].output: accessors[3] has 16 numbers, and 3 keys need 12"},
    {"animations/0/samplers", "{}", "animations[0].samplers: is an object"},
};

/* Of the file as it is written, where the buffers and their views are there. */
static const damage late_values[] = {
    {"buffers/0/byteLength", "10000", "buffers[0].byteLength: 10000 bytes, and there are"},
    {"buffers/0/byteLength", "40", "bufferViews[8].byteLength: 36 bytes from 328 on, and buffers[0] has 40"},
    {"buffers/0/uri", "'missing%20file.bin'", "buffers[0].uri: missing file.bin: No such file"},
    {"buffers/0/uri", "'/etc/passwd'", "buffers[0].uri: \"/etc/passwd\" is an absolute path"},
    {"buffers/0/uri", "'http://example.org/a.bin'", "not \"http:\""},
    {"buffers/0/uri", "'file:///a.bin'", "not \"file:\""},
    {"buffers/0/uri", "'a%00b'", "buffers[0].uri: \"a%00b\" is not the name of a file"},
    {"buffers/0/uri", "'data:application/octet-stream;base64,AAA*'",
     "buffers[0].uri: base64 has the character 0x2a at 3"},
    {"buffers/0/uri", "'data:application/octet-stream;base64,AAAAA'",
     "buffers[0].uri: base64 of 5 characters is cut short"},
    {"buffers/0/uri", "'data:nothing'", "buffers[0].uri: a data URI without a comma"},
    {"buffers/0/uri", NULL, "buffers[0]: has no uri"},
    {"bufferViews/0/buffer", "1", "bufferViews[0].buffer: 1: there are 1 buffers"},
    {"bufferViews/0/byteOffset", "100000", "bufferViews[0].byteLength: 48 bytes from 100000 on"},
    {"bufferViews/0/byteLength", "0", "bufferViews[0].byteLength: 0 bytes"},
    {"bufferViews/0/byteStride", "8",
     "bufferViews[0].byteStride: 8 bytes from element to element, and accessors[0] (VEC3 of float) has 12"},
    {"bufferViews/0/byteStride", "16", "accessors[0].bufferView: 4 elements from byte 0 on end at 60"},
#ifdef BOXWOOD_MESHOPT
    {"bufferViews/0/extensions",
     "{'EXT_meshopt_compression': {'buffer': 0, 'byteLength': 40, 'byteStride': 12, 'count': 4, 'mode': "
     "'ATTRIBUTES'}}",
     "bufferViews[0].extensions.EXT_meshopt_compression: the compressed stream is broken"},
    {"bufferViews/0/extensions",
     "{'EXT_meshopt_compression': {'buffer': 0, 'byteLength': 40, 'byteStride': 12, 'count': 4, 'mode': "
     "'FAST'}}",
     "EXT_meshopt_compression.mode: \"FAST\" is not ATTRIBUTES"},
    {"bufferViews/0/extensions",
     "{'EXT_meshopt_compression': {'buffer': 0, 'byteLength': 40, 'byteStride': 12, 'count': 5, 'mode': "
     "'ATTRIBUTES'}}",
     "EXT_meshopt_compression.count: 5 elements of 12 bytes are not the 48 of the view"},
    {"bufferViews/0/extensions",
     "{'EXT_meshopt_compression': {'buffer': 0, 'byteLength': 40, 'byteStride': 12, 'count': 4, 'mode': "
     "'TRIANGLES'}}",
     "EXT_meshopt_compression.byteStride: 12 does not go with TRIANGLES"},
    {"bufferViews/0/extensions",
     "{'EXT_meshopt_compression': {'buffer': 0, 'byteLength': 4000, 'byteStride': 12, 'count': 4, 'mode': "
     "'ATTRIBUTES'}}",
     "EXT_meshopt_compression.byteLength: 4000 bytes from 0 on, and buffers[0] has"},
#else
    {"bufferViews/0/extensions", "{'EXT_meshopt_compression': {}}", "this build has no decoder"},
#endif
#ifdef BOXWOOD_DRACO
    {"meshes/0/primitives/0/extensions",
     "{'KHR_draco_mesh_compression': {'bufferView': 0, 'attributes': {'POSITION': 0}}}",
     "meshes[0].primitives[0].extensions.KHR_draco_mesh_compression: the compressed stream is broken"},
#else
    {"meshes/0/primitives/0/extensions", "{'KHR_draco_mesh_compression': {}}", "this build has no decoder"},
#endif
};

static void try_damage(const damage *d, bool late)
{
    bws_random random = bws_random_seeded(3);
    writer w = sound(&random);
    size_t size;
    fault why;
    if (!late)
        put(w.doc, d->way, d->value);
    uint8_t *bytes = writer_file(&w, FORM_TEXT, &size);
    if (late) {
        json_t *doc = json_loadb((const char *)bytes, size, 0, NULL);
        assert_true(open_bytes(bytes, size, &why));
        put(doc, d->way, d->value);
        free(bytes);
        bytes = (uint8_t *)json_dumps(doc, 0);
        size = strlen((const char *)bytes);
        json_decref(doc);
    }
    refused(bytes, size, d->wanted, d->way);
    free(bytes);
    writer_free(&w);
}

static void test_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        try_damage(&values[i], false);
    for (size_t i = 0; i < sizeof late_values / sizeof *late_values; i++)
        try_damage(&late_values[i], true);
}

/* Numbers in buffers. */
static void test_numbers(void **state)
{
    (void)state;
    static const struct {
        size_t view, byte;
        float value;
        uint8_t integer; /* where the value is 0 */
        const char *wanted;
    } table[] = {
        {0, 16, NAN, 0, "meshes[0].primitives[0].attributes.POSITION: element 1: y = nan"},
        {0, 44, INFINITY, 0, "meshes[0].primitives[0].attributes.POSITION: element 3: z = inf"},
        {1, 4, 0, 4, "meshes[0].primitives[0].indices: index 2 is 4, and there are 4 vertices"},
        {2, 4, 0, 2, "nodes[1].skin: meshes[0].primitives[0], vertex 1: joint 2, and skins[0] has 2 joints"},
        {3, 0, 0, 0, "meshes[0].primitives[0].attributes.WEIGHTS_0: vertex 0: the weights sum to 0"},
        {3, 4, -1, 0, "meshes[0].primitives[0].attributes.WEIGHTS_0: vertex 0: a weight of -1"},
        {3, 4, NAN, 0, "meshes[0].primitives[0].attributes.WEIGHTS_0: element 0: y = nan"},
        {4, 60, 0, 0, "skins[0].inverseBindMatrices[0]: the last row of the matrix is 0 0 0 0"},
        {4, 124, NAN, 0, "skins[0].inverseBindMatrices[1]: the last row of the matrix is 0 0 0 nan"},
        {5, 8, 1, 0, "animations[0].samplers[0].input: key 2 is at 1 s, and the one before it at 1 s"},
        {5, 4, NAN, 0, "animations[0].samplers[0].input: key 1 is at nan s"},
        {6, 4, INFINITY, 0, "animations[0].samplers[0].output: element 0: inf"},
        {8, 4, NAN, 0, "EXT_mesh_gpu_instancing.attributes.TRANSLATION: element 0: y = nan"},
        {9, 12, 0, 0, "EXT_mesh_gpu_instancing.attributes.ROTATION: element 0 is not a rotation"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        bws_random random = bws_random_seeded(3);
        writer w = sound(&random);
        uint8_t *at = w.views[table[i].view].bytes + table[i].byte;
        if (table[i].integer)
            *at = table[i].integer;
        else
            memcpy(at, &table[i].value, 4);
        size_t size;
        uint8_t *bytes = writer_file(&w, FORM_GLB, &size);
        refused(bytes, size, table[i].wanted, "a number");
        free(bytes);
        writer_free(&w);
    }
}

static void test_container(void **state)
{
    (void)state;
    bws_random random = bws_random_seeded(3);
    writer w = sound(&random);
    size_t size;
    fault why;
    uint8_t *bytes = writer_file(&w, FORM_GLB, &size);
    uint32_t length;
    memcpy(&length, bytes + 12, 4);
    assert_true(open_bytes(bytes, size, &why));
    static const struct {
        size_t at; /* SIZE_MAX: the head of the second chunk */
        uint8_t value;
        const char *wanted;
    } table[] = {{4, 1, "GLB version 1 is not read"},
                 {4, 3, "GLB version 3 is not read"},
                 {10, 77, "its head says"},
                 {15, 1, "chunk 0: "},
                 {16, 'X', "chunk 0: type 0x4e4f5358"},
                 {SIZE_MAX, 0xFF, "chunk 1: "},
                 {SIZE_MAX - 4, 'b', "buffers[0]: has no uri, and the file no binary chunk for it"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        size_t at = table[i].at == SIZE_MAX       ? 20 + length + 2
                    : table[i].at == SIZE_MAX - 4 ? 20 + length + 4
                                                  : table[i].at;
        uint8_t old = bytes[at];
        bytes[at] = table[i].value;
        refused(bytes, size, table[i].wanted, "the container");
        bytes[at] = old;
    }
    refused(bytes, 8, "8 bytes are no head of a GLB", "a short head");
    refused(bytes, 12, "its head says", "a head alone");
    free(bytes);
    writer_free(&w);
    text_refused("[]", "is an array, not an object");
    text_refused("{}", "asset: is missing");
    refused("{\"asset\": {\"version\": \"2.0\"}, \"asset\": 1}", 43, "JSON, line 1", "a key twice");
    refused("{\"asset\": ", 10, "JSON, line 1, column 10", "cut JSON");
}

/* Buffers beside the file, under names that are encoded and not. */
static void test_beside(void **state)
{
    (void)state;
    char folder[] = "/tmp/boxwood-gltf-XXXXXX", file[256], beside[256];
    assert_non_null(mkdtemp(folder));
    static const char *const names[][2] = {{"a%20b%C3%A4.bin", "a b\xC3\xA4.bin"},
                                           {"100%.bin", "100%.bin"},
                                           {"./c%41.bin", "cA.bin"},
                                           {"d%41.bin", "d%41.bin"}};
    for (size_t i = 0; i < 4; i++) {
        bws_random random = bws_random_seeded(3);
        writer w = sound(&random);
        size_t size;
        uint8_t *bytes = writer_file(&w, FORM_GLB, &size);
        uint32_t length, bin;
        memcpy(&length, bytes + 12, 4);
        memcpy(&bin, bytes + 20 + length, 4);
        json_t *doc = json_loadb((const char *)bytes + 20, length, 0, NULL);
        json_object_set_new(json_array_get(json_object_get(doc, "buffers"), 0), "uri",
                            json_string(names[i][0]));
        snprintf(file, sizeof file, "%s/scene.gltf", folder);
        snprintf(beside, sizeof beside, "%s/%s", folder, names[i][1]);
        assert_int_equal(json_dump_file(doc, file, 0), 0);
        FILE *out = fopen(beside, "wb");
        assert_true(out && fwrite(bytes + 28 + length, 1, bin, out) == bin && fclose(out) == 0);
        gltf *g;
        fault why;
        if (!gltf_open(file, &g, &why))
            fail_msg("%s", why.text);
        gltf_close(g);
        json_decref(doc);
        free(bytes);
        writer_free(&w);
        unlink(file);
        unlink(beside);
    }
    rmdir(folder);
}

/* Random scenes with a few bytes changed, plain and compressed. */
static void random_damage(bws_random *random, void *user)
{
    (void)user;
    writer w = writer_start(random);
    figures_random(&w);
#ifdef BOXWOOD_MESHOPT
    writer_form forms[] = {FORM_GLB, FORM_GLB_MESHOPT};
#else
    writer_form forms[] = {FORM_GLB, FORM_GLB};
#endif
    for (int i = 0; i < 2; i++) {
        size_t size;
        uint8_t *bytes = writer_file(&w, forms[i], &size);
        for (int tries = 0; tries < 30; tries++) {
            fault why;
            size_t places[4];
            uint8_t old[4];
            for (int k = 0; k < 4; k++) {
                places[k] = 20 + (size_t)bws_random_below(random, size - 20);
                old[k] = bytes[places[k]];
                bytes[places[k]] = (uint8_t)bws_random_u32(random);
            }
            if (!open_bytes(bytes, size, &why))
                assert_memory_equal(why.text, "bad.gltf: ", 10);
            for (int k = 4; k-- > 0;)
                bytes[places[k]] = old[k];
        }
        free(bytes);
    }
    writer_free(&w);
}

#ifdef BOXWOOD_DRACO
/* A compressed tetrahedron with bytes of its stream changed. */
static void random_draco(bws_random *random, void *user)
{
    (void)user;
    static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const uint8_t joints[16], weights[16];
    static const uint32_t faces[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    draco_source source = {positions, joints, weights, 4, faces, 4};
    uint32_t ids[3];
    size_t stream_size, size;
    uint8_t *stream = draco_encode(&source, bws_random_bool(random), ids, &stream_size);
    for (int tries = 0; tries < 20; tries++) {
        writer w = writer_start(random);
        writer_view_of(&w, stream, stream_size, 0);
        for (uint64_t k = bws_random_below(random, 4); tries > 0 && k > 0; k--)
            w.views[0].bytes[bws_random_below(random, stream_size)] = (uint8_t)bws_random_u32(random);
        char words[512];
        snprintf(words, sizeof words,
                 "{'accessors': [{'componentType': 5126, 'count': 4, 'type': 'VEC3'}, {'componentType': "
                 "5123, 'count': 12, 'type': 'SCALAR'}],"
                 "'scenes': [{'nodes': [0]}], 'nodes': [{'mesh': 0}], 'meshes': [{'primitives': "
                 "[{'attributes': {'POSITION': 0}, 'indices': 1,"
                 "'extensions': {'KHR_draco_mesh_compression': {'bufferView': 0, 'attributes': {'POSITION': "
                 "%u}}}}]}]}",
                 ids[0]);
        json_t *rest = json(words);
        json_object_update(w.doc, rest);
        json_decref(rest);
        uint8_t *bytes = writer_file(&w, FORM_GLB, &size);
        fault why;
        bool read = open_bytes(bytes, size, &why);
        assert_true(read || strncmp(why.text, "bad.gltf: ", 10) == 0);
        if (tries == 0)
            assert_true(read);
        free(bytes);
        writer_free(&w);
    }
    free(stream);
}
#endif

static void test_random(void **state)
{
    (void)state;
    BW_EACH_SEED(100, random_damage, NULL);
#ifdef BOXWOOD_DRACO
    BW_EACH_SEED(300, random_draco, NULL);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_numbers),
                                       cmocka_unit_test(test_container), cmocka_unit_test(test_beside),
                                       cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
