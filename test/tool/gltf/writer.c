#include "tool/gltf/writer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef BOXWOOD_MESHOPT
#    include <meshoptimizer.h>
#endif

writer writer_start(bws_random *random)
{
    writer w = {.random = random};
    w.doc = json_pack("{s:{s:s}}", "asset", "version", "2.0");
    return w;
}

void writer_free(writer *w)
{
    for (size_t i = 0; i < w->view_count; i++) {
        free(w->views[i].bytes);
        free(w->views[i].encoded);
    }
    free(w->views);
    json_decref(w->doc);
}

int writer_add(writer *w, const char *list, json_t *object)
{
    json_t *array = json_object_get(w->doc, list);
    assert_non_null(object);
    if (!array) {
        array = json_array();
        json_object_set_new(w->doc, list, array);
    }
    json_array_append_new(array, object);
    return (int)json_array_size(array) - 1;
}

int writer_view_of(writer *w, const void *bytes, size_t size, size_t stride)
{
    w->views = realloc(w->views, (w->view_count + 1) * sizeof *w->views);
    writer_view *v = &w->views[w->view_count];
    *v = (writer_view){.bytes = malloc(size + 1), .size = size, .stride = stride};
    memcpy(v->bytes, bytes, size);
    return (int)w->view_count++;
}

static size_t put(uint8_t *at, double value, const written *how)
{
    static const double most[] = {127, 255, 32767, 65535}, least[] = {-128, 0, -32768, 0};
    if (how->component == 5126) {
        float f = (float)value;
        memcpy(at, &f, 4);
        return 4;
    }
    if (how->component == 5125) {
        uint32_t u = (uint32_t)value;
        memcpy(at, &u, 4);
        return 4;
    }
    int k = how->component - 5120;
    double v = round(how->normalized ? value * most[k] : value);
    v = v < least[k] ? least[k] : v > most[k] ? most[k] : v;
    int64_t whole = (int64_t)v;
    at[0] = (uint8_t)(whole & 255);
    if (k < 2)
        return 1;
    at[1] = (uint8_t)(whole >> 8 & 255);
    return 2;
}

static size_t element_size(const written *how)
{
    return how->width * (how->component < 5122 ? 1 : how->component < 5124 ? 2 : 4);
}

/* The view of some elements. */
static int lay(writer *w, const double *numbers, size_t count, const written *how, bool strided)
{
    size_t gap = strided ? how->gap : 0, before = strided ? how->before : 0, element = element_size(how),
           size = before + count * (element + gap);
    uint8_t *bytes = calloc(size + 16, 1);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)bws_random_u32(w->random);
    for (size_t e = 0; e < count; e++) {
        uint8_t *at = bytes + before + e * (element + gap);
        for (size_t k = 0; k < how->width; k++)
            at += put(at, numbers[e * how->width + k], how);
    }
    int view = writer_view_of(w, bytes, size, gap > 0 ? element + gap : 0);
    free(bytes);
    return view;
}

#ifdef BOXWOOD_MESHOPT
/* What filters of the extension decode to, from its specification. */
static void decode_filter(writer_view *v, size_t element)
{
    for (size_t e = 0; e < v->count; e++) {
        uint8_t *at = v->bytes + e * element;
        const uint8_t *from = v->encoded + e * element;
        if (v->filter == FILTER_EXPONENTIAL) {
            for (size_t k = 0; k < element; k += 4) {
                int32_t word;
                memcpy(&word, from + k, 4);
                int32_t exponent = word >> 24, mantissa = (int32_t)((uint32_t)word << 8) >> 8;
                float value = (float)ldexp(mantissa, exponent);
                memcpy(at + k, &value, 4);
            }
        } else if (v->filter == FILTER_QUATERNION) {
            int16_t in[4], out[4];
            memcpy(in, from, 8);
            int most = in[3] & 3;
            double scale = 1 / (sqrt(2) * (in[3] | 3)), x = in[0] * scale, y = in[1] * scale,
                   z = in[2] * scale;
            double w = sqrt(fmax(0, 1 - x * x - y * y - z * z));
            out[(most + 1) % 4] = (int16_t)lround(x * 32767);
            out[(most + 2) % 4] = (int16_t)lround(y * 32767);
            out[(most + 3) % 4] = (int16_t)lround(z * 32767);
            out[most] = (int16_t)lround(w * 32767);
            memcpy(at, out, 8);
        } else if (v->filter == FILTER_OCTAHEDRAL) {
            int16_t in[4], out[4];
            int8_t small[4];
            memcpy(small, from, 4);
            if (element == 8)
                memcpy(in, from, 8);
            else
                for (int k = 0; k < 4; k++)
                    in[k] = small[k];
            double most = element == 8 ? 32767 : 127, x = (double)in[0] / in[2], y = (double)in[1] / in[2],
                   z = 1 - fabs(x) - fabs(y), t = fmin(z, 0);
            x += x >= 0 ? t : -t;
            y += y >= 0 ? t : -t;
            double length = sqrt(x * x + y * y + z * z);
            out[0] = (int16_t)lround(x / length * most);
            out[1] = (int16_t)lround(y / length * most);
            out[2] = (int16_t)lround(z / length * most);
            out[3] = in[3];
            for (int k = 0; k < 4; k++)
                small[k] = (int8_t)out[k];
            memcpy(at, element == 8 ? (void *)out : (void *)small, element);
        }
    }
}

/* Encodes numbers by a filter; the view then holds what they decode to. */
static void encode_filter(writer_view *v, const double *numbers, const written *how)
{
    size_t element = element_size(how);
    float *f = malloc((v->count * 4 + 4) * sizeof *f);
    unsigned width = how->filter == FILTER_EXPONENTIAL ? how->width : 4;
    for (size_t i = 0; i < v->count * width; i++)
        f[i] = (float)numbers[i];
    v->encoded = calloc(v->size + 16, 1);
    if (how->filter == FILTER_EXPONENTIAL)
        meshopt_encodeFilterExp(v->encoded, v->count, element, 18, f);
    else if (how->filter == FILTER_QUATERNION)
        meshopt_encodeFilterQuat(v->encoded, v->count, element, 14, f);
    else
        meshopt_encodeFilterOct(v->encoded, v->count, element, element == 8 ? 12 : 8, f);
    free(f);
    decode_filter(v, element);
}
#endif

/* Elements that are written sparse are wrong in base. */
static json_t *lay_sparse(writer *w, const double *numbers, size_t count, const written *how, double *base)
{
    static const int types[] = {5121, 5123, 5125};
    double *indices = malloc((count + 1) * sizeof *indices),
           *values = malloc((count + 1) * how->width * sizeof *values);
    size_t made = 0;
    for (size_t i = 0; i < count; i++)
        if (made == 0 || bws_random_below(w->random, 3) == 0) {
            indices[made] = (double)i;
            memcpy(values + made++ * how->width, numbers + i * how->width, how->width * sizeof *values);
            for (size_t k = 0; k < how->width; k++)
                base[i * how->width + k] = 0.25;
        }
    written index = {
        .width = 1,
        .component =
            types[count > 255 ? 1 + bws_random_below(w->random, 2) : bws_random_below(w->random, 3)]};
    int at = lay(w, indices, made, &index, false), value_at = lay(w, values, made, how, false);
    free(indices);
    free(values);
    return json_pack("{s:i, s:{s:i, s:i}, s:{s:i}}", "count", (int)made, "indices", "bufferView", at,
                     "componentType", index.component, "values", "bufferView", value_at);
}

int writer_accessor(writer *w, const double *numbers, size_t count, written how)
{
    static const char *const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    json_t *a = json_pack("{s:i, s:i, s:s}", "componentType", how.component, "count", (int)count, "type",
                          how.width == 16 ? "MAT4" : types[how.width]);
    if (how.before > 0) /* compressed views hold their elements and nothing else */
        how.packed = 0;
    if (how.normalized)
        json_object_set_new(a, "normalized", json_true());
    double *base = malloc((count * how.width + 1) * sizeof *base);
    memcpy(base, numbers, count * how.width * sizeof *base);
    if (how.sparse)
        json_object_set_new(a, "sparse", lay_sparse(w, numbers, count, &how, base));
    if (how.sparse != 2) {
        int view = lay(w, base, count, &how, true);
        json_object_set_new(a, "bufferView", json_integer(view));
        if (how.before > 0)
            json_object_set_new(a, "byteOffset", json_integer(how.before));
        writer_view *v = &w->views[view];
        v->packed = how.packed;
        v->count = count;
        if (how.packed && v->stride == 0)
            v->stride = element_size(&how);
#ifdef BOXWOOD_MESHOPT
        v->filter = how.filter;
        if (how.filter)
            encode_filter(v, numbers, &how);
#endif
    }
    free(base);
    return writer_add(w, "accessors", a);
}

/* ---- the file ---- */
typedef struct blob {
    uint8_t *bytes;
    size_t size;
} blob;

static size_t append(blob *b, const void *bytes, size_t size)
{
    size_t at = (b->size + 3) / 4 * 4;
    b->bytes = realloc(b->bytes, at + size + 1);
    memset(b->bytes + b->size, 0, at - b->size);
    memcpy(b->bytes + at, bytes, size);
    b->size = at + size;
    return at;
}

#ifdef BOXWOOD_MESHOPT
/* The extension of a view, its stream appended to the blob. */
static json_t *pack_view(const writer_view *v, blob *b)
{
    static const char *const modes[] = {"", "ATTRIBUTES", "TRIANGLES", "INDICES"}, *const filters[] = {
                                                                                       "NONE", "OCTAHEDRAL",
                                                                                       "QUATERNION",
                                                                                       "EXPONENTIAL"};
    const uint8_t *from = v->encoded ? v->encoded : v->bytes;
    size_t bound = v->packed == PACK_ATTRIBUTES ? meshopt_encodeVertexBufferBound(v->count, v->stride)
                                                : 64 + 16 * v->count,
           size;
    uint8_t *out = malloc(bound + 16);
    unsigned *indices = malloc((v->count + 1) * sizeof *indices);
    for (size_t i = 0; v->packed != PACK_ATTRIBUTES && i < v->count; i++) {
        uint16_t small;
        memcpy(&small, from + 2 * i, 2);
        indices[i] = small;
        if (v->stride == 4)
            memcpy(&indices[i], from + 4 * i, 4);
    }
    size = v->packed == PACK_ATTRIBUTES  ? meshopt_encodeVertexBuffer(out, bound, from, v->count, v->stride)
           : v->packed == PACK_TRIANGLES ? meshopt_encodeIndexBuffer(out, bound, indices, v->count)
                                         : meshopt_encodeIndexSequence(out, bound, indices, v->count);
    assert_true(size > 0);
    size_t at = append(b, out, size);
    free(out);
    free(indices);
    return json_pack("{s:{s:i, s:i, s:i, s:i, s:i, s:s, s:s}}", "EXT_meshopt_compression", "buffer", 0,
                     "byteOffset", (int)at, "byteLength", (int)size, "byteStride", (int)v->stride, "count",
                     (int)v->count, "mode", modes[v->packed], "filter", filters[v->filter]);
}
#else
static json_t *pack_view(const writer_view *v, blob *b)
{
    (void)v;
    (void)b;
    fail();
    return NULL;
}
#endif

/* Meshoptimizer takes attributes whose stride is a multiple of 4, and indices of 2 or 4 bytes. */
static bool can_pack(const writer_view *v)
{
    return v->packed == PACK_ATTRIBUTES
               ? v->stride % 4 == 0 && v->stride <= 256 && v->stride * v->count == v->size
               : v->packed != 0 && v->stride >= 2;
}

char *writer_base64(const uint8_t *bytes, size_t size)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *out = malloc(size / 3 * 4 + 8), *at = out;
    for (size_t i = 0; i < size; i += 3) {
        uint32_t v = (uint32_t)bytes[i] << 16 | (i + 1 < size ? (uint32_t)bytes[i + 1] << 8 : 0) |
                     (i + 2 < size ? bytes[i + 2] : 0);
        *at++ = letters[v >> 18];
        *at++ = letters[v >> 12 & 63];
        *at++ = i + 1 < size ? letters[v >> 6 & 63] : '=';
        *at++ = i + 2 < size ? letters[v & 63] : '=';
    }
    *at = 0;
    return out;
}

static uint8_t *as_glb(const char *json, const blob *b, size_t *size)
{
    size_t length = (strlen(json) + 3) / 4 * 4, bin = (b->size + 3) / 4 * 4;
    *size = 12 + 8 + length + 8 + bin;
    uint8_t *out = calloc(*size + 1, 1);
    uint32_t head[5] = {0x46546C67, 2, (uint32_t)*size, (uint32_t)length, 0x4E4F534A},
             second[2] = {(uint32_t)bin, 0x004E4942};
    memcpy(out, head, 20);
    memset(out + 20, ' ', length);
    memcpy(out + 20, json, strlen(json));
    memcpy(out + 20 + length, second, 8);
    if (b->size > 0)
        memcpy(out + 28 + length, b->bytes, b->size);
    return out;
}

uint8_t *writer_file(writer *w, writer_form form, size_t *size)
{
    bool packed = form == FORM_GLB_MESHOPT || form == FORM_TEXT_MESHOPT,
         binary = form == FORM_GLB || form == FORM_GLB_MESHOPT;
    json_t *doc = json_deep_copy(w->doc), *views = json_array();
    blob b = {NULL, 0};
    size_t fallback = 0;
    for (size_t i = 0; i < w->view_count; i++) {
        const writer_view *v = &w->views[i];
        bool pack = packed && can_pack(v);
        json_t *view = json_pack("{s:i, s:i}", "buffer", pack ? 1 : 0, "byteLength", (int)v->size);
        json_object_set_new(view, "byteOffset",
                            json_integer((json_int_t)(pack ? fallback : append(&b, v->bytes, v->size))));
        if (pack) {
            json_object_set_new(view, "extensions", pack_view(v, &b));
            fallback += (v->size + 3) / 4 * 4;
        }
        if (v->stride > 0 && (v->packed == 0 || v->packed == PACK_ATTRIBUTES) && v->stride >= 4 &&
            v->stride % 4 == 0)
            json_object_set_new(view, "byteStride", json_integer((json_int_t)v->stride));
        json_array_append_new(views, view);
    }
    json_object_set_new(doc, "bufferViews", views);
    json_t *buffer = json_pack("{s:i}", "byteLength", (int)b.size), *buffers = json_array();
    if (!binary) {
        char *text = writer_base64(b.bytes, b.size), *uri = malloc(strlen(text) + 64);
        strcpy(uri, "data:application/octet-stream;base64,");
        strcat(uri, text);
        json_object_set_new(buffer, "uri", json_string(uri));
        free(uri);
        free(text);
    }
    json_array_append_new(buffers, buffer);
    if (fallback > 0) {
        json_array_append_new(buffers, json_pack("{s:i, s:{s:{s:b}}}", "byteLength", (int)fallback,
                                                 "extensions", "EXT_meshopt_compression", "fallback", 1));
        json_object_set_new(doc, "extensionsRequired", json_pack("[s]", "EXT_meshopt_compression"));
    }
    json_object_set_new(doc, "buffers", buffers);
    char *json = json_dumps(doc, JSON_REAL_PRECISION(17));
    assert_non_null(json);
    json_decref(doc);
    uint8_t *out;
    if (binary) {
        out = as_glb(json, &b, size);
        free(json);
    } else {
        out = (uint8_t *)json;
        *size = strlen(json);
    }
    free(b.bytes);
    return out;
}
