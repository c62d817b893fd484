#include "tool/gltf/oracle.h"

#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

typedef json_t J;

struct oracle {
    J *doc;
    uint8_t **buffers;
    size_t buffer_count;
    double *soup;
    size_t made, room;
};

typedef struct matrix {
    double m[4][4]; /* rows; a point is a row on the left */
} matrix;

static J *get(J *at, const char *key)
{
    return json_object_get(at, key);
}
static J *item(J *at, const char *key, size_t i)
{
    return json_array_get(get(at, key), i);
}
static double num(J *at, const char *key, double otherwise)
{
    J *v = get(at, key);
    return v ? json_number_value(v) : otherwise;
}
static size_t whole(J *at, const char *key, size_t otherwise)
{
    return (size_t)num(at, key, (double)otherwise);
}
static bool is_text(J *at, const char *key, const char *wanted)
{
    const char *s = json_string_value(get(at, key));
    return s && strcmp(s, wanted) == 0;
}

static uint8_t *from_base64(const char *s)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t n = strlen(s), made = 0;
    uint8_t *out = malloc(n + 4);
    for (size_t i = 0; i < n; i += 4) {
        uint32_t v = 0;
        for (size_t k = 0; k < 4; k++) {
            const char *at = i + k < n && s[i + k] != '=' ? strchr(letters, s[i + k]) : letters;
            assert_non_null(at);
            v = v * 64 + (uint32_t)(at - letters);
        }
        out[made++] = (uint8_t)(v / 65536);
        out[made++] = (uint8_t)(v / 256);
        out[made++] = (uint8_t)v;
    }
    return out;
}

oracle *oracle_open(const void *bytes, size_t size)
{
    oracle *o = calloc(1, sizeof *o);
    const uint8_t *p = bytes, *chunk = NULL;
    uint32_t json_length = (uint32_t)size, bin_length = 0;
    if (memcmp(p, "glTF", 4) == 0) {
        memcpy(&json_length, p + 12, 4);
        p += 20;
        if (20 + json_length + 8 <= size) {
            memcpy(&bin_length, p + json_length, 4);
            chunk = p + json_length + 8;
        }
    }
    o->doc = json_loadb((const char *)p, json_length, 0, NULL);
    assert_non_null(o->doc);
    o->buffer_count = json_array_size(get(o->doc, "buffers"));
    o->buffers = calloc(o->buffer_count + 1, sizeof *o->buffers);
    for (size_t i = 0; i < o->buffer_count; i++) {
        const char *uri = json_string_value(get(item(o->doc, "buffers", i), "uri"));
        if (uri) {
            o->buffers[i] = from_base64(strchr(uri, ',') + 1);
        } else if (chunk) {
            o->buffers[i] = malloc(bin_length + 1);
            memcpy(o->buffers[i], chunk, bin_length);
        }
    }
    return o;
}

void oracle_close(oracle *o)
{
    for (size_t i = 0; i < o->buffer_count; i++)
        free(o->buffers[i]);
    free(o->buffers);
    json_decref(o->doc);
    free(o);
}

/* ---- numbers of accessors ---- */
static size_t byte_width(size_t component)
{
    return component < 5122 ? 1 : component < 5124 ? 2 : 4;
}

static double raw(const uint8_t *p, size_t component)
{
    int8_t b;
    int16_t s;
    uint16_t us;
    uint32_t ui;
    float f;
    switch (component) {
    case 5120:
        memcpy(&b, p, 1);
        return b;
    case 5121:
        return *p;
    case 5122:
        memcpy(&s, p, 2);
        return s;
    case 5123:
        memcpy(&us, p, 2);
        return us;
    case 5125:
        memcpy(&ui, p, 4);
        return ui;
    default:
        memcpy(&f, p, 4);
        return (double)f;
    }
}

static const uint8_t *view_bytes(const oracle *o, J *at)
{
    J *view = item(o->doc, "bufferViews", whole(at, "bufferView", 0));
    return o->buffers[whole(view, "buffer", 0)] + whole(view, "byteOffset", 0) + whole(at, "byteOffset", 0);
}

static size_t width_of(J *accessor)
{
    const char *type = json_string_value(get(accessor, "type"));
    size_t n = strcmp(type, "SCALAR") == 0 ? 1 : (size_t)(type[3] - '0');
    return type[0] == 'M' ? n * n : n;
}

/* Component k of element e. Matrices here have four-byte components, which need no padding. */
static double number(const oracle *o, size_t index, size_t e, size_t k)
{
    J *a = item(o->doc, "accessors", index), *sparse = get(a, "sparse");
    assert_non_null(a);
    assert_true(e < whole(a, "count", 0) && k < width_of(a));
    size_t component = whole(a, "componentType", 0), size = byte_width(component),
           element = size * width_of(a);
    const uint8_t *p = NULL;
    if (get(a, "bufferView")) {
        J *view = item(o->doc, "bufferViews", whole(a, "bufferView", 0));
        p = view_bytes(o, a) + e * whole(view, "byteStride", element) + k * size;
    }
    for (size_t i = 0; sparse && i < whole(sparse, "count", 0); i++) {
        J *at = get(sparse, "indices");
        size_t type = whole(at, "componentType", 0);
        if ((size_t)raw(view_bytes(o, at) + i * byte_width(type), type) == e)
            p = view_bytes(o, get(sparse, "values")) + i * element + k * size;
    }
    double v = p ? raw(p, component) : 0;
    if (!json_is_true(get(a, "normalized")))
        return v;
    double scale = component == 5120 ? 127 : component == 5121 ? 255 : component == 5122 ? 32767 : 65535;
    return v / scale < -1 ? -1 : v / scale;
}

/* ---- matrices ---- */
static matrix identity(void)
{
    return (matrix){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
}

/* First a, then b. */
static matrix then(matrix a, matrix b)
{
    matrix c = {{{0}}};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 4; k++)
                c.m[i][j] += a.m[i][k] * b.m[k][j];
    return c;
}

static void apply(matrix a, const double p[3], double out[3])
{
    double q[4] = {0};
    for (int j = 0; j < 4; j++)
        q[j] = p[0] * a.m[0][j] + p[1] * a.m[1][j] + p[2] * a.m[2][j] + a.m[3][j];
    for (int j = 0; j < 3; j++)
        out[j] = q[j] / q[3];
}

/* I + sin K + (1 - cos) K K, transposed for row vectors. */
static matrix turn(const double q[4])
{
    double v = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]), angle = 2 * atan2(v, q[3]);
    matrix r = identity(), k = {{{0}}}, kk;
    if (v < 1e-300)
        return r;
    double x = q[0] / v, y = q[1] / v, z = q[2] / v;
    k.m[0][1] = z, k.m[0][2] = -y, k.m[1][0] = -z, k.m[1][2] = x, k.m[2][0] = y, k.m[2][1] = -x;
    kk = then(k, k);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            r.m[i][j] += sin(angle) * k.m[i][j] + (1 - cos(angle)) * kk.m[i][j];
    return r;
}

static matrix placed(const double t[3], const double q[4], const double s[3])
{
    matrix scale = identity(), move = identity();
    for (int i = 0; i < 3; i++) {
        scale.m[i][i] = s[i];
        move.m[3][i] = t[i];
    }
    return then(then(scale, turn(q)), move);
}

static double determinant(matrix a)
{
    double d = 0;
    for (int i = 0; i < 3; i++)
        d += a.m[0][i] *
             (a.m[1][(i + 1) % 3] * a.m[2][(i + 2) % 3] - a.m[1][(i + 2) % 3] * a.m[2][(i + 1) % 3]);
    return d;
}

/* ---- animation ---- */
static void unit(double q[4])
{
    double n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++)
        q[i] /= n;
}

static void multiply(const double a[4], const double b[4], double out[4])
{
    double c[4] = {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                   a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
                   a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
                   a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
    memcpy(out, c, sizeof c);
}

/* a (a^-1 b)^s, by the shorter way. */
static void slerp(const double from[4], const double to[4], double s, double out[4])
{
    double a[4], b[4];
    memcpy(a, from, sizeof a);
    memcpy(b, to, sizeof b);
    unit(a);
    unit(b);
    double inverse[4] = {-a[0], -a[1], -a[2], a[3]}, d[4];
    multiply(inverse, b, d);
    double sign = d[3] < 0 ? -1 : 1, v = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]),
           angle = atan2(v, sign * d[3]);
    double factor = v < 1e-150 ? 0 : sign * sin(s * angle) / v;
    double power[4] = {d[0] * factor, d[1] * factor, d[2] * factor, cos(s * angle)};
    multiply(a, power, out);
}

static double bezier(double a, double b, double c, double d, double s)
{
    double ab = a + s * (b - a), bc = b + s * (c - b), cd = c + s * (d - c);
    double abc = ab + s * (bc - ab), bcd = bc + s * (cd - bc);
    return abc + s * (bcd - abc);
}

/* The value of a property at a time; false where no channel moves it. */
static bool animated(const oracle *o, int clip, size_t node, const char *path, double time, bool before,
                     size_t width, double *out)
{
    J *animation = clip < 0 ? NULL : item(o->doc, "animations", (size_t)clip),
      *channels = get(animation, "channels"), *c;
    size_t i;
    json_array_foreach(channels, i, c)
    {
        J *target = get(c, "target");
        if (!get(target, "node") || whole(target, "node", 0) != node || !is_text(target, "path", path))
            continue;
        J *s = item(animation, "samplers", whole(c, "sampler", 0));
        size_t in = whole(s, "input", 0), values = whole(s, "output", 0);
        size_t keys = whole(item(o->doc, "accessors", in), "count", 0),
               components = width_of(item(o->doc, "accessors", values));
        bool cubic = is_text(s, "interpolation", "CUBICSPLINE"), step = is_text(s, "interpolation", "STEP"),
             rotation = strcmp(path, "rotation") == 0;
        size_t k = 0;
        while (k + 1 < keys &&
               (number(o, in, k + 1, 0) < time || (!before && number(o, in, k + 1, 0) <= time)))
            k++;
        /* between key k and the next one */
        double t0 = number(o, in, k, 0), t1 = k + 1 < keys ? number(o, in, k + 1, 0) : t0 + 1;
        double x = k + 1 == keys || time <= t0 ? 0 : (time - t0) / (t1 - t0);
        size_t next = k + 1 < keys ? k + 1 : k;
#define VALUE(key, part, n)                                                                                  \
    number(o, values,                                                                                        \
           ((key) * (cubic ? 3 : 1) + (cubic ? (part) : 0)) * (width / components) + (n) / components,       \
           (n) % components)
        double a[4] = {0}, b[4] = {0};
        for (size_t n = 0; n < width; n++) {
            double p = VALUE(k, 1, n), q = VALUE(next, 1, n);
            if (rotation) {
                a[n] = p;
                b[n] = q;
            }
            out[n] = step    ? p
                     : cubic ? bezier(p, p + (t1 - t0) * VALUE(k, 2, n) / 3,
                                      q - (t1 - t0) * VALUE(next, 0, n) / 3, q, x)
                             : p + x * (q - p);
        }
        if (rotation && !cubic && !step)
            slerp(a, b, x, out);
        if (rotation)
            unit(out);
        return true;
    }
    return false;
}

static void numbers(J *at, const char *key, size_t count, double *out)
{
    for (size_t i = 0; i < count && get(at, key); i++)
        out[i] = json_number_value(json_array_get(get(at, key), i));
}

typedef struct moment {
    const oracle *o;
    int clip;
    double time;
    bool before;
} moment;

static matrix local_of(moment at, size_t node)
{
    J *n = item(at.o->doc, "nodes", node);
    if (get(n, "matrix")) {
        double m[16];
        matrix r;
        numbers(n, "matrix", 16, m);
        memcpy(r.m, m, sizeof m); /* columns of the file are rows here */
        return r;
    }
    double t[3] = {0, 0, 0}, q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
    numbers(n, "translation", 3, t);
    numbers(n, "rotation", 4, q);
    numbers(n, "scale", 3, s);
    animated(at.o, at.clip, node, "translation", at.time, at.before, 3, t);
    animated(at.o, at.clip, node, "rotation", at.time, at.before, 4, q);
    animated(at.o, at.clip, node, "scale", at.time, at.before, 3, s);
    return placed(t, q, s);
}

static matrix world_of(moment at, size_t node)
{
    matrix own = local_of(at, node);
    J *nodes = get(at.o->doc, "nodes"), *n, *child;
    size_t i, k;
    json_array_foreach(nodes, i, n)
        json_array_foreach(get(n, "children"), k, child) if ((size_t)json_number_value(child) ==
                                                             node) return then(own, world_of(at, i));
    return own;
}

/* ---- the scene ---- */
static void blend(moment at, J *attributes, const matrix *joints, size_t vertex, matrix *out)
{
    double sum = 0;
    memset(out, 0, sizeof *out);
    for (size_t set = 0; set < 8; set++) {
        char joint_key[16] = "JOINTS_0", weight_key[16] = "WEIGHTS_0";
        joint_key[7] = weight_key[8] = (char)('0' + set);
        for (size_t k = 0; k < 4 && get(attributes, joint_key); k++) {
            double w = number(at.o, whole(attributes, weight_key, 0), vertex, k);
            if (w == 0)
                continue;
            size_t joint = (size_t)number(at.o, whole(attributes, joint_key, 0), vertex, k);
            for (int i = 0; i < 16; i++)
                out->m[i / 4][i % 4] += w * joints[joint].m[i / 4][i % 4];
            sum += w;
        }
    }
    for (int i = 0; i < 16; i++)
        out->m[i / 4][i % 4] /= sum;
}

static matrix *joints_of(moment at, J *skin)
{
    size_t count = json_array_size(get(skin, "joints"));
    matrix *out = malloc((count + 1) * sizeof *out);
    for (size_t i = 0; i < count; i++) {
        matrix bind = identity();
        for (size_t k = 0; k < 16 && get(skin, "inverseBindMatrices"); k++)
            bind.m[k / 4][k % 4] = number(at.o, whole(skin, "inverseBindMatrices", 0), i, k);
        out[i] = then(bind, world_of(at, (size_t)json_number_value(item(skin, "joints", i))));
    }
    return out;
}

static void add_corner(oracle *o, const double p[3])
{
    if (o->made + 3 > o->room)
        o->soup = realloc(o->soup, (o->room = 2 * o->room + 300) * sizeof *o->soup);
    memcpy(o->soup + o->made, p, 3 * sizeof *p);
    o->made += 3;
}

static void add_primitive(oracle *o, moment at, J *primitive, const double *weights, matrix world,
                          bool mirrored, const matrix *joints)
{
    size_t mode = whole(primitive, "mode", 4);
    if (mode < 4)
        return;
    J *attributes = get(primitive, "attributes");
    size_t position = whole(attributes, "POSITION", 0), targets = json_array_size(get(primitive, "targets"));
    J *indices = get(primitive, "indices");
    size_t count =
        whole(item(o->doc, "accessors", indices ? whole(primitive, "indices", 0) : position), "count", 0);
    size_t triangles = mode == 4 ? count / 3 : count < 3 ? 0 : count - 2;
    for (size_t t = 0; t < triangles; t++) {
        size_t c[3] = {3 * t, 3 * t + 1, 3 * t + 2};
        if (mode == 5) {
            c[0] = t, c[1] = t % 2 ? t + 2 : t + 1, c[2] = t % 2 ? t + 1 : t + 2;
        } else if (mode == 6) {
            c[0] = t + 1, c[1] = t + 2, c[2] = 0;
        }
        for (int k = 0; k < 3 && indices; k++)
            c[k] = (size_t)number(o, whole(primitive, "indices", 0), c[k], 0);
        if (mode != 4 && (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]))
            continue;
        if (mirrored && !joints) {
            size_t second = c[1];
            c[1] = c[2];
            c[2] = second;
        }
        for (int k = 0; k < 3; k++) {
            double p[3], q[3];
            for (size_t n = 0; n < 3; n++) {
                p[n] = number(o, position, c[k], n);
                for (size_t m = 0; m < targets; m++) {
                    J *target = item(primitive, "targets", m);
                    if (get(target, "POSITION"))
                        p[n] += weights[m] * number(o, whole(target, "POSITION", 0), c[k], n);
                }
            }
            matrix own = world;
            if (joints)
                blend(at, attributes, joints, c[k], &own);
            apply(own, p, q);
            add_corner(o, q);
        }
    }
}

/* mirrored: at rest, where the fronts of triangles are decided */
static void add_mesh(oracle *o, moment at, size_t node, matrix world, bool mirrored)
{
    J *n = item(o->doc, "nodes", node), *mesh = item(o->doc, "meshes", whole(n, "mesh", 0)), *p;
    J *skin = get(n, "skin") ? item(o->doc, "skins", whole(n, "skin", 0)) : NULL;
    double weights[64] = {0};
    numbers(mesh, "weights", json_array_size(get(mesh, "weights")), weights);
    numbers(n, "weights", json_array_size(get(n, "weights")), weights);
    animated(o, at.clip, node, "weights", at.time, at.before,
             json_array_size(get(item(mesh, "primitives", 0), "targets")), weights);
    matrix *joints = skin ? joints_of(at, skin) : NULL;
    size_t i;
    json_array_foreach(get(mesh, "primitives"), i, p)
        add_primitive(o, at, p, weights, world, mirrored, joints);
    free(joints);
}

static void add_node(oracle *o, moment at, size_t node)
{
    J *n = item(o->doc, "nodes", node), *child,
      *attributes = get(get(get(n, "extensions"), "EXT_mesh_gpu_instancing"), "attributes");
    matrix world = world_of(at, node), rest = world_of((moment){at.o, -1, 0, false}, node);
    if (get(n, "mesh") && !attributes)
        add_mesh(o, at, node, world, determinant(rest) < 0);
    const char *key = json_object_iter_key(json_object_iter(attributes));
    size_t count = attributes ? whole(item(o->doc, "accessors", whole(attributes, key, 0)), "count", 0) : 0,
           i;
    for (i = 0; i < count; i++) {
        double t[3] = {0, 0, 0}, q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
        for (size_t k = 0; k < 4; k++) {
            if (k < 3 && get(attributes, "TRANSLATION"))
                t[k] = number(o, whole(attributes, "TRANSLATION", 0), i, k);
            if (k < 3 && get(attributes, "SCALE"))
                s[k] = number(o, whole(attributes, "SCALE", 0), i, k);
            if (get(attributes, "ROTATION"))
                q[k] = number(o, whole(attributes, "ROTATION", 0), i, k);
        }
        unit(q);
        add_mesh(o, at, node, then(placed(t, q, s), world), determinant(then(placed(t, q, s), rest)) < 0);
    }
    json_array_foreach(get(n, "children"), i, child) add_node(o, at, (size_t)json_number_value(child));
}

double *oracle_triangles(const oracle *given, int clip, double time, bool before, size_t *count)
{
    oracle o = *given;
    moment at = {given, clip, time, before};
    J *scene = item(o.doc, "scenes", whole(o.doc, "scene", 0)), *node;
    size_t i;
    o.soup = NULL;
    o.made = o.room = 0;
    json_array_foreach(get(scene, "nodes"), i, node) add_node(&o, at, (size_t)json_number_value(node));
    *count = o.made / 9;
    return o.soup;
}

size_t oracle_clip_count(const oracle *o)
{
    return json_array_size(get(o->doc, "animations"));
}

double *oracle_keys(const oracle *o, size_t clip, size_t *count)
{
    J *animation = item(o->doc, "animations", clip), *channel;
    double *out = NULL;
    size_t i, made = 0;
    json_array_foreach(get(animation, "channels"), i, channel)
    {
        size_t in = whole(item(animation, "samplers", whole(channel, "sampler", 0)), "input", 0);
        size_t keys = whole(item(o->doc, "accessors", in), "count", 0);
        out = realloc(out, (made + keys + 1) * sizeof *out);
        for (size_t k = 0; k < keys; k++)
            out[made++] = number(o, in, k, 0);
    }
    *count = made;
    return out;
}
