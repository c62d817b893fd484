/* glTF: any bytes as a file, or a sound file of every feature with a few of its values replaced and any bytes
 * in its buffer. The reader refuses it with a fault that names the file, or gives a scene whose vertices can
 * be asked for at every time. */
#include "fuzz/bytes.h"

#include "io/gltf/gltf.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BUFFER = 1024 };

/* The buffer holds small bytes and quiet floats wherever the input does not say otherwise. */
static const char skeleton[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,3]},{\"nodes\":[5]}],"
    "\"extensionsUsed\":[\"KHR_mesh_quantization\",\"X_unknown\"],\"extensionsRequired\":[\"EXT_mesh_gpu_"
    "instancing\"],"
    "\"nodes\":[{\"name\":\"a\",\"children\":[1,2],\"scale\":[1,-2,3]},"
    "{\"mesh\":0,\"skin\":0,\"weights\":[0.5,0.25]},{\"rotation\":[0,0,1,0],\"translation\":[1,2,3]},"
    "{\"mesh\":1,\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,1,2,3,1],\"children\":[4]},"
    "{\"mesh\":1,\"extensions\":{\"EXT_mesh_gpu_instancing\":{\"attributes\":{\"TRANSLATION\":6,\"ROTATION\":"
    "7}}}},"
    "{\"mesh\":0,\"extensions\":{\"KHR_node_visibility\":{\"visible\":false}}}],"
    "\"skins\":[{\"joints\":[0,2],\"inverseBindMatrices\":8,\"skeleton\":0}],"
    "\"meshes\":[{\"weights\":[0.1,0.2],\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,"
    "\"WEIGHTS_0\":2},"
    "\"indices\":3,\"mode\":5,\"targets\":[{\"POSITION\":0},{\"POSITION\":4}]},"
    "{\"attributes\":{\"POSITION\":4,\"JOINTS_0\":1,\"WEIGHTS_0\":2},\"mode\":6,\"targets\":[{},{"
    "\"POSITION\":0}]}]},"
    "{\"name\":\"q\",\"primitives\":[{\"attributes\":{\"POSITION\":5},\"indices\":3},{\"attributes\":{"
    "\"POSITION\":0},"
    "\"mode\":1},{\"attributes\":{\"POSITION\":0},\"mode\":0}]}],"
    "\"animations\":[{\"name\":\"go\",\"samplers\":[{\"input\":9,\"output\":6,\"interpolation\":\"STEP\"},"
    "{\"input\":9,\"output\":7},{\"input\":9,\"output\":10,\"interpolation\":\"CUBICSPLINE\"},{\"input\":9,"
    "\"output\":11}],"
    "\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}},"
    "{\"sampler\":1,\"target\":{\"node\":2,\"path\":\"rotation\"}},{\"sampler\":2,\"target\":{\"node\":2,"
    "\"path\":\"scale\"}},"
    "{\"sampler\":3,\"target\":{\"node\":1,\"path\":\"weights\"}},{\"sampler\":3,\"target\":{\"path\":"
    "\"pointer\"}}]}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":6,\"type\":\"VEC3\"},"
    "{\"bufferView\":1,\"componentType\":5121,\"count\":6,\"type\":\"VEC4\"},"
    "{\"bufferView\":2,\"componentType\":5121,\"normalized\":true,\"count\":6,\"type\":\"VEC4\"},"
    "{\"bufferView\":3,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"},"
    "{\"componentType\":5126,\"count\":6,\"type\":\"VEC3\",\"sparse\":{\"count\":2,\"indices\":{"
    "\"bufferView\":4,"
    "\"componentType\":5121},\"values\":{\"bufferView\":0,\"byteOffset\":12}}},"
    "{\"bufferView\":5,\"componentType\":5122,\"normalized\":true,\"count\":6,\"type\":\"VEC3\"},"
    "{\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"},"
    "{\"bufferView\":6,\"componentType\":5126,\"count\":2,\"type\":\"VEC4\"},"
    "{\"bufferView\":7,\"componentType\":5126,\"count\":2,\"type\":\"MAT4\"},"
    "{\"bufferView\":8,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"},"
    "{\"bufferView\":0,\"componentType\":5126,\"count\":6,\"type\":\"VEC3\"},"
    "{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"SCALAR\"}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":72},{\"buffer\":0,\"byteOffset\":72,\"byteLength\":24},"
    "{\"buffer\":0,\"byteOffset\":96,\"byteLength\":24},{\"buffer\":0,\"byteOffset\":120,\"byteLength\":12},"
    "{\"buffer\":0,\"byteOffset\":132,\"byteLength\":4},{\"buffer\":0,\"byteOffset\":136,\"byteLength\":48,"
    "\"byteStride\":8},"
    "{\"buffer\":0,\"byteOffset\":184,\"byteLength\":32},{\"buffer\":0,\"byteOffset\":216,\"byteLength\":128}"
    ","
    "{\"buffer\":0,\"byteOffset\":344,\"byteLength\":8},{\"buffer\":0,\"byteLength\":48,\"extensions\":"
    "{\"EXT_meshopt_compression\":{\"buffer\":0,\"byteOffset\":352,\"byteLength\":100,\"byteStride\":8,"
    "\"count\":6,"
    "\"mode\":\"ATTRIBUTES\",\"filter\":\"EXPONENTIAL\"}}}],\"buffers\":[{\"byteLength\":1024}]}";

static void need(bool good)
{
    if (!good)
        abort();
}

static void look(gltf *g)
{
    fault why;
    model m;
    bool clips = gltf_read_clips(g, &why);
    need(clips || strncmp(why.text, "f.gltf: ", 8) == 0);
    if (!gltf_model(g, &m, &why) || !model_flatten(&m, &why)) {
        need(strncmp(why.text, "f.gltf: ", 8) == 0);
        return;
    }
    uint32_t count = gltf_vertex_count(g);
    need(m.vertex_count == count && count > 0 && (m.indices == NULL) == (m.triangle_count == 0));
    for (size_t i = 0; i < 3 * (size_t)m.triangle_count; i++)
        need(m.indices[i] < count);
    double *out = tool_alloc(count, 3 * sizeof *out);
    gltf_positions(g, BW_NONE, 0, false, out);
    for (size_t i = 0; i < 3 * (size_t)count; i++) /* NaN and infinity are the same in both */
        need(!isfinite(out[i]) == !isfinite(m.positions[i]) &&
             (!isfinite(out[i]) || fabs(out[i] - m.positions[i]) <= 1e-9 * fabs(out[i])));
    for (uint32_t i = 0; clips && i < gltf_clip_count(g); i++) {
        size_t keys, jumps;
        double *at = gltf_clip_keys(g, i, &keys), *jump = gltf_clip_jumps(g, i, &jumps);
        gltf_clip_info info = gltf_clip(g, i);
        need((keys == 0) == (info.channels == 0));
        for (size_t k = 0; k < keys && k < 8; k++) {
            need(isfinite(at[k]) && (k == 0 || at[k] > at[k - 1]));
            gltf_positions(g, i, at[k], k % 2, out);
            gltf_positions(g, i, k > 0 ? (at[k] + at[k - 1]) / 2 : at[k] - 1, false, out);
        }
        free(at);
        free(jump);
    }
    free(out);
    model_free(&m);
}

static bool open_bytes(const void *file, size_t size)
{
    gltf_desc desc = {.file = "f.gltf", .bytes = file, .size = size, .alone = true, .most_bytes = 1 << 24};
    gltf *g;
    fault why;
    if (!gltf_open_bytes(&desc, &g, &why)) {
        need(strncmp(why.text, "f.gltf: ", 8) == 0);
        return false;
    }
    look(g);
    gltf_close(g);
    return true;
}

/* The value that takes the place of another. */
static json_t *other_value(bytes *b)
{
    static const char *const words[] = {"STEP",       "CUBICSPLINE", "TRIANGLES", "INDICES",  "QUATERNION",
                                        "OCTAHEDRAL", "weights",     "MAT2",      "data:,%41"};
    switch (bytes_u8(b) % 10) {
    case 0:
        return json_null();
    case 1:
        return json_string(words[bytes_u8(b) % (sizeof words / sizeof *words)]);
    case 2:
        return json_real(ldexp(1.5, (int)bytes_u8(b) * 8 - 1000));
    case 3:
        return json_integer(-1);
    case 4:
        return json_integer((json_int_t)1 << bytes_u8(b) % 63);
    case 5:
        return json_array();
    case 6:
        return json_object();
    case 7:
        return json_integer(5120 + bytes_u8(b) % 8);
    default:
        return json_integer(bytes_u8(b) % 16);
    }
}

/* Walks down by the input and replaces or removes what it comes to. */
static void edit(json_t *at, bytes *b)
{
    for (;;) {
        size_t count = json_is_object(at) ? json_object_size(at) : json_array_size(at);
        if (count == 0)
            return;
        size_t which = bytes_u8(b) % count;
        bool stop = bytes_u8(b) % 8 == 0;
        json_t *below;
        if (json_is_object(at)) {
            void *item = json_object_iter(at);
            for (size_t i = 0; i < which; i++)
                item = json_object_iter_next(at, item);
            below = json_object_iter_value(item);
            if (stop && bytes_u8(b) % 2) {
                json_object_del(at, json_object_iter_key(item));
                return;
            }
            if (stop || (!json_is_object(below) && !json_is_array(below))) {
                json_object_iter_set_new(at, item, other_value(b));
                return;
            }
        } else {
            below = json_array_get(at, which);
            if (stop && bytes_u8(b) % 2) {
                json_array_remove(at, which);
                return;
            }
            if (stop || (!json_is_object(below) && !json_is_array(below))) {
                json_array_set_new(at, which, other_value(b));
                return;
            }
        }
        at = below;
    }
}

static void put_word(uint8_t *at, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(word >> 8 * i);
}

static void put_float(uint8_t *at, float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    put_word(at, word);
}

/* What the views of the skeleton should hold. */
static void fill(uint8_t *at)
{
    memset(at, 0, BUFFER);
    for (uint32_t i = 0; i < 18; i++)
        put_float(at + 4 * i, (float)(i * i % 7)); /* positions */
    memset(at + 96, 64, 24);                       /* weights */
    for (uint32_t i = 0; i < 6; i++)
        at[120 + 2 * i] = (uint8_t)i; /* indices */
    at[133] = 1;                      /* of a sparse accessor */
    for (uint32_t i = 136; i < 184; i++)
        at[i] = (uint8_t)(i * i);
    for (uint32_t i = 0; i < 8; i++)
        put_float(at + 184 + 4 * i, 0.5f); /* rotations */
    for (uint32_t i = 0; i < 32; i++)
        put_float(at + 216 + 4 * i, i % 5 == (i < 16 ? 0 : 1)); /* matrices */
    put_float(at + 348, 2);                                     /* seconds */
}

static void open_edited(bytes *b)
{
    json_t *json = json_loads(skeleton, 0, NULL);
    need(json != NULL);
    int edits = bytes_u8(b) % 8;
    for (int i = 0; i < edits; i++)
        edit(json, b);
    char *dumped = json_dumps(json, JSON_COMPACT);
    uint32_t length = (uint32_t)strlen(dumped), whole = 12 + 8 + length + 8 + BUFFER;
    uint8_t *file = tool_alloc(whole, 1), *at = file;
    const uint32_t words[] = {0x46546C67, 2, whole, length, 0x4E4F534A};
    for (size_t i = 0; i < 5; i++, at += 4)
        put_word(at, words[i]);
    memcpy(at, dumped, length);
    at += length;
    put_word(at, BUFFER);
    put_word(at + 4, 0x004E4942);
    at += 8;
    fill(at);
    bool sound = edits == 0 && b->left == 0;
    if (bytes_u8(b) % 2)
        for (size_t i = 0; i < 8 && b->left > 2; i++) {
            size_t where = ((size_t)bytes_u8(b) << 8 | bytes_u8(b)) % BUFFER;
            at[where] = bytes_u8(b);
        }
    else
        memcpy(at + 352, b->data, b->left < BUFFER - 352 ? b->left : BUFFER - 352);
    bool opened = open_bytes(file, whole);
    need(opened || !sound);
    free(file);
    free(dumped);
    json_decref(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes b = {data, size, 0};
    if (bytes_u8(&b) % 4 == 0) {
        uint8_t *copy =
            tool_alloc(b.left + 1, 1); /* a block of its own, so that reading past its end is seen */
        memcpy(copy, b.data, b.left);
        copy[b.left] = 0;
        open_bytes(copy, b.left);
        free(copy);
    } else {
        open_edited(&b);
    }
    return 0;
}
