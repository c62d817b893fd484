/* Each form of glTF by itself: component types, filters of meshoptimizer, Draco, matrices with padding, what
 * becomes a part and how it is called, shared vertices, files beside the file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/gltf/accessor.h"
#include "io/gltf/document.h"
#include "tool/gltf/compare.h"
#include "tool/gltf/draco_encode.h"
#include "tool/gltf/writer.h"

static bws_random chance;

static writer start(void)
{
    chance = bws_random_seeded(7);
    return writer_start(&chance);
}

/* JSON with ' for ". */
static json_t *json(const char *format, ...)
{
    char words[8192];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    for (char *c = words; *c; c++)
        if (*c == '\'')
            *c = '"';
    json_error_t error;
    json_t *value = json_loads(words, JSON_DECODE_ANY, &error);
    if (!value)
        fail_msg("%s: %s", words, error.text);
    return value;
}

static void set(writer *w, const char *key, json_t *value)
{
    json_object_set_new(w->doc, key, value);
}

static void compare(const char *name, writer *w, writer_form form, double accuracy)
{
    size_t size, plain_size;
    uint8_t *bytes = writer_file(w, form, &size), *plain = writer_file(w, FORM_TEXT, &plain_size);
    compare_file(name, &(compare_desc){.bytes = bytes,
                                       .size = size,
                                       .plain = plain,
                                       .plain_size = plain_size,
                                       .turned = form >= FORM_GLB_MESHOPT,
                                       .accuracy = accuracy});
    free(bytes);
    free(plain);
}

static gltf *open_writer(writer *w, model *flat)
{
    size_t size;
    uint8_t *bytes = writer_file(w, FORM_GLB, &size);
    gltf *g;
    fault why;
    if (!gltf_open_bytes(&(gltf_desc){.file = "form.glb", .bytes = bytes, .size = size, .alone = true}, &g,
                         &why) ||
        !gltf_read_clips(g, &why) || !gltf_model(g, flat, &why) || !model_flatten(flat, &why))
        fail_msg("%s", why.text);
    free(bytes);
    return g;
}

static const double corners[12][3] = {{0, 0, 0},      {1, 0, 0},       {0.25, 1, 0}, {-1, 0.5, 0.75},
                                      {0.5, -0.5, 1}, {0, -1, -1},     {0.1, 0, .2}, {1, 0.3, 0.4},
                                      {0.5, 0.6, 1},  {-.7, 0.8, 0.9}, {1, 1, 1},    {-1, 0, 1}};

static void one_mesh(writer *w)
{
    set(w, "scene", json("0"));
    set(w, "scenes", json("[{'nodes': [0]}]"));
    set(w, "nodes",
        json("[{'mesh': 0, 'scale': [1, -2, 3], 'rotation': [0.5, 0.5, 0.5, 0.5], 'translation': [1, 2, "
             "3]}]"));
}

static void test_components(void **state)
{
    (void)state;
    static const struct {
        int component;
        bool normalized;
    } kinds[] = {{5126, false}, {5120, true},  {5120, false}, {5121, true}, {5121, false},
                 {5122, true},  {5122, false}, {5123, true},  {5123, false}};
    for (size_t kind = 0; kind < 9; kind++)
        for (unsigned form = 0; form < 48; form++) {
            writer w = start();
            written how = {
                .width = 3, .component = kinds[kind].component, .normalized = kinds[kind].normalized};
            size_t element = how.component == 5126 ? 12 : how.component < 5122 ? 3 : 6;
            how.gap = (unsigned)((4 - element % 4) % 4) + form % 2 * 8;
            how.before = form / 2 % 2 * 4;
            how.sparse = (int)(form / 4 % 3);
            how.packed = PACK_ATTRIBUTES;
            double numbers[36];
            for (int i = 0; i < 36; i++)
                numbers[i] = corners[i / 3][i % 3] * (how.component == 5126 || how.normalized ? 1 : 100);
            numbers[4] = -2; /* what does not fit is the least there is: -128 / 127 is -1 */
            int a = writer_accessor(&w, numbers, 12, how);
            set(&w, "meshes", json("[{'primitives': [{'attributes': {'POSITION': %d}}]}]", a));
            one_mesh(&w);
            writer_form to = (writer_form)(form / 12);
#ifndef BOXWOOD_MESHOPT
            to %= FORM_GLB_MESHOPT;
#endif
            compare("components", &w, to, 0);
            writer_free(&w);
        }
}

static void test_modes(void **state)
{
    (void)state;
    static const int types[] = {5121, 5123, 5125};
    /* The second strip is joined to the first by a corner twice. */
    static const double strip[] = {0, 1, 2, 3, 3, 6, 6, 7, 8, 9, 10};
    for (int mode = 4; mode <= 6; mode++)
        for (int type = 0; type < 4; type++) {
            writer w = start();
            int a = writer_accessor(&w, corners[0], 12, (written){.width = 3, .component = 5126});
            json_t *p = json("{'attributes': {'POSITION': %d}, 'mode': %d}", a, mode);
            if (type < 3)
                json_object_set_new(
                    p, "indices",
                    json_integer(writer_accessor(&w, strip, mode == 4 ? 9 : 11,
                                                 (written){.width = 1, .component = types[type]})));
            set(&w, "meshes", json_pack("[{s:[o]}]", "primitives", p));
            one_mesh(&w);
            compare("modes", &w, FORM_GLB, 0);
            model m;
            gltf *g = open_writer(&w, &m);
            assert_int_equal(m.triangle_count, type == 3   ? (mode == 4 ? 4 : 10)
                                               : mode == 4 ? 3
                                               : mode == 5 ? 5
                                                           : 7);
            gltf_close(g);
            model_free(&m);
            writer_free(&w);
        }
}

/* Columns of matrices begin at multiples of four bytes. */
static void test_matrices(void **state)
{
    (void)state;
    static const struct {
        const char *type;
        int component, rows, size, column;
    } kinds[] = {{"MAT2", 5121, 2, 1, 4},
                 {"MAT3", 5121, 3, 1, 4},
                 {"MAT3", 5123, 3, 2, 8},
                 {"MAT2", 5123, 2, 2, 4},
                 {"MAT4", 5121, 4, 1, 4}};
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        writer w = start();
        int rows = kinds[kind].rows, element = rows * kinds[kind].column, a;
        uint8_t bytes[128] = {0};
        for (int e = 0; e < 2; e++)
            for (int c = 0; c < rows; c++)
                for (int r = 0; r < rows; r++)
                    bytes[e * element + c * kinds[kind].column + r * kinds[kind].size] =
                        (uint8_t)(100 * e + 10 * c + r + 1);
        int position = writer_accessor(&w, corners[0], 3, (written){.width = 3, .component = 5126});
        a = writer_add(&w, "accessors",
                       json("{'bufferView': %d, 'componentType': %d, 'count': 2, 'type': '%s'}",
                            writer_view_of(&w, bytes, 2 * (size_t)element, 0), kinds[kind].component,
                            kinds[kind].type));
        set(&w, "meshes", json("[{'primitives': [{'attributes': {'POSITION': %d}}]}]", position));
        set(&w, "extras", json("%d", a));
        one_mesh(&w);
        model m;
        gltf *g = open_writer(&w, &m);
        path at = path_key(&g->top, "extras");
        accessor opened;
        const double *numbers;
        assert_true(accessor_open(g, &at, 0, 0, TAKES_ANY, &opened) && accessor_read(g, &opened, &numbers));
        for (int i = 0; i < 2 * rows * rows; i++)
            assert_true(numbers[i] == 100 * (i / rows / rows) + 10 * (i / rows % rows) + i % rows + 1);
        gltf_close(g);
        model_free(&m);
        writer_free(&w);
    }
}

#ifdef BOXWOOD_MESHOPT
static void test_filters(void **state)
{
    (void)state;
    static const struct {
        written how;
        double accuracy;
    } kinds[] = {{{.width = 3, .component = 5126, .filter = FILTER_EXPONENTIAL}, 0},
                 {{.width = 4, .component = 5122, .normalized = true, .filter = FILTER_QUATERNION}, 1e-4},
                 {{.width = 4, .component = 5122, .normalized = true, .filter = FILTER_OCTAHEDRAL}, 1e-4},
                 {{.width = 4, .component = 5120, .normalized = true, .filter = FILTER_OCTAHEDRAL}, 1e-2}};
    for (size_t kind = 0; kind < 4; kind++) {
        writer w = start();
        written how = kinds[kind].how;
        how.packed = PACK_ATTRIBUTES;
        double numbers[48], times[] = {0, 1, 2.5, 3, 4, 5, 6, 7, 8, 9, 10, 11};
        for (int i = 0; i < 12 * (int)how.width; i++)
            numbers[i] = corners[i % 12][i / 12 % 3] * 3 + (i % 5) * 0.3 + 0.1;
        for (int e = 0; e < 12 && how.width == 4; e++) { /* a rotation, or a direction and nothing */
            double *q = numbers + 4 * e, n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
            if (how.filter == FILTER_OCTAHEDRAL)
                n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
            for (int k = 0; k < 4; k++)
                q[k] /= n;
            if (how.filter == FILTER_OCTAHEDRAL)
                q[3] = 0;
        }
        int a = writer_accessor(&w, numbers, 12, how),
            time = writer_accessor(&w, times, 12, (written){.width = 1, .component = 5126}),
            position = writer_accessor(&w, corners[0], 12, (written){.width = 3, .component = 5126});
        if (how.filter == FILTER_OCTAHEDRAL) /* of an element of four numbers three are a position */
            json_object_set_new(json_array_get(json_object_get(w.doc, "accessors"), (size_t)a), "type",
                                json_string("VEC3"));
        set(&w, "meshes",
            json("[{'primitives': [{'attributes': {'POSITION': %d}}]}]",
                 how.filter == FILTER_QUATERNION ? position : a));
        if (how.filter == FILTER_QUATERNION)
            set(&w, "animations",
                json("[{'samplers': [{'input': %d, 'output': %d}], 'channels': [{'sampler': 0, 'target': "
                     "{'node': 0, "
                     "'path': 'rotation'}}]}]",
                     time, a));
        one_mesh(&w);
        size_t size;
        uint8_t *bytes = writer_file(&w, FORM_TEXT_MESHOPT, &size);
        assert_non_null(strstr((const char *)bytes, "EXT_meshopt_compression"));
        free(bytes);
        compare("filters", &w, FORM_GLB_MESHOPT, kinds[kind].accuracy);
        writer_free(&w);
    }
}
#endif

#ifdef BOXWOOD_DRACO
static int compare_triangles(const void *a, const void *b)
{
    return memcmp(a, b, 9 * sizeof(double));
}

/* Every triangle from its least corner on, the triangles sorted: connectivity coding puts both in another
 * order. */
static double *sorted(const model *m)
{
    double *out = malloc((9 * (size_t)m->triangle_count + 1) * sizeof *out);
    for (size_t t = 0; t < m->triangle_count; t++) {
        double all[3][3];
        size_t least = 0;
        for (size_t k = 0; k < 3; k++) {
            memcpy(all[k], m->positions + 3 * (size_t)m->indices[3 * t + k], sizeof all[k]);
            least = memcmp(all[k], all[least], sizeof all[k]) < 0 ? k : least;
        }
        for (size_t k = 0; k < 3; k++)
            memcpy(out + 9 * t + 3 * k, all[(least + k) % 3], sizeof all[k]);
    }
    qsort(out, m->triangle_count, 9 * sizeof *out, compare_triangles);
    return out;
}

/* A grid with joints and weights, plain in one file and compressed in another. */
static void draco_file(bool sequential, bool packed, model *out, double *skinned)
{
    enum { SIDE = 9, VERTICES = SIDE * SIDE };
    float positions[3 * VERTICES];
    double numbers[3 * VERTICES], joints[4 * VERTICES], weights[4 * VERTICES], indices[6 * SIDE * SIDE];
    uint8_t joint_bytes[4 * VERTICES], weight_bytes[4 * VERTICES];
    uint32_t faces[6 * SIDE * SIDE], count = 0;
    for (uint32_t v = 0; v < VERTICES; v++) {
        positions[3 * v] = (float)(v % SIDE) / 3;
        positions[3 * v + 1] = (float)(v / SIDE) / 7;
        positions[3 * v + 2] = (float)(v * v % 11) / 13;
        for (uint32_t k = 0; k < 4; k++) {
            joint_bytes[4 * v + k] = (uint8_t)((v + k) % 2);
            weight_bytes[4 * v + k] = (uint8_t)(k == 0 ? 255 - v : k == 1 ? v : 0);
        }
    }
    for (uint32_t i = 0; i + 1 < SIDE; i++)
        for (uint32_t j = 0; j + 1 < SIDE; j++) {
            uint32_t a = i * SIDE + j, quad[6] = {a, a + 1, a + SIDE, a + 1, a + SIDE + 1, a + SIDE};
            memcpy(faces + count, quad, sizeof quad);
            count += 6;
        }
    for (int i = 0; i < 4 * VERTICES; i++) {
        joints[i] = joint_bytes[i];
        weights[i] = weight_bytes[i] / 255.0;
        if (i < 3 * VERTICES)
            numbers[i] = (double)positions[i];
    }
    for (uint32_t i = 0; i < count; i++)
        indices[i] = faces[i];
    writer w = start();
    int a[4] = {
        writer_accessor(&w, numbers, VERTICES, (written){.width = 3, .component = 5126}),
        writer_accessor(&w, joints, VERTICES, (written){.width = 4, .component = 5121}),
        writer_accessor(&w, weights, VERTICES, (written){.width = 4, .component = 5121, .normalized = true}),
        writer_accessor(&w, indices, count, (written){.width = 1, .component = 5123})};
    json_t *p = json("{'attributes': {'POSITION': %d, 'JOINTS_0': %d, 'WEIGHTS_0': %d}, 'indices': %d}", a[0],
                     a[1], a[2], a[3]);
    if (packed) {
        size_t size;
        draco_source source = {positions, joint_bytes, weight_bytes, VERTICES, faces, count / 3};
        uint32_t ids[3];
        uint8_t *stream = draco_encode(&source, sequential, ids, &size);
        assert_non_null(stream);
        int view = writer_view_of(&w, stream, size, 0);
        free(stream);
        json_object_set_new(
            p, "extensions",
            json("{'KHR_draco_mesh_compression': {'bufferView': %d, 'attributes': {'POSITION': %u, "
                 "'JOINTS_0': %u, 'WEIGHTS_0': %u}}}",
                 view, ids[0], ids[1], ids[2]));
        for (int i = 0; i < 4; i++) /* what stands there otherwise must not be looked at */
            json_object_del(json_array_get(json_object_get(w.doc, "accessors"), (size_t)a[i]), "bufferView");
        set(&w, "extensionsRequired", json("['KHR_draco_mesh_compression']"));
    }
    set(&w, "meshes", json_pack("[{s:[o]}]", "primitives", p));
    set(&w, "scenes", json("[{'nodes': [0, 1, 2]}]"));
    set(&w, "nodes", json("[{'mesh': 0, 'skin': 0}, {}, {'translation': [1, 2, 4], 'scale': [2, 2, -2]}]"));
    set(&w, "skins", json("[{'joints': [1, 2]}]"));
    gltf *g = open_writer(&w, out);
    *skinned = out->positions[3 * 5 + 2];
    gltf_close(g);
    writer_free(&w);
}

static void test_draco(void **state)
{
    (void)state;
    for (int sequential = 0; sequential < 2; sequential++) {
        model plain, packed;
        double z[2];
        draco_file(sequential, false, &plain, &z[0]);
        draco_file(sequential, true, &packed, &z[1]);
        assert_int_equal(plain.triangle_count, packed.triangle_count);
        assert_int_equal(plain.vertex_count, packed.vertex_count);
        if (sequential) {
            assert_memory_equal(plain.indices, packed.indices, 12 * (size_t)plain.triangle_count);
            assert_memory_equal(plain.positions, packed.positions, 24 * (size_t)plain.vertex_count);
        }
        double *a = sorted(&plain), *b = sorted(&packed);
        assert_memory_equal(a, b, 72 * (size_t)plain.triangle_count);
        free(a);
        free(b);
        model_free(&plain);
        model_free(&packed);
    }
}
#endif

/* One part per node whatever its primitives; paths as names; an instance is a part. */
static void test_parts(void **state)
{
    (void)state;
    writer w = start();
    int a = writer_accessor(&w, corners[0], 12, (written){.width = 3, .component = 5126}),
        t = writer_accessor(&w, corners[0], 2, (written){.width = 3, .component = 5126});
    set(&w, "meshes",
        json("[{'name': 'body', 'primitives': [{'attributes': {'POSITION': %d}}, {'attributes': {'POSITION': "
             "%d}, 'mode': 5}, "
             "{'attributes': {'POSITION': %d}, 'mode': 1}, {'attributes': {'POSITION': %d}, 'mode': 0}]}]",
             a, a, a, a));
    set(&w, "nodes",
        json("[{'name': 'Pump A', 'children': [1, 2, 3]}, {'name': 'Housing', 'mesh': 0}, {'mesh': 0}, "
             "{'name': 'Housing', 'mesh': 0},"
             "{'name': 'Screw', 'mesh': 0, 'extensions': {'EXT_mesh_gpu_instancing': {'attributes': "
             "{'TRANSLATION': %d}}}}, {'mesh': 0}]",
             t));
    set(&w, "scenes", json("[{'nodes': [5]}, {'nodes': [4, 0]}]"));
    set(&w, "scene", json("1"));
    set(&w, "extensionsUsed", json("['KHR_materials_unlit', 'ACME_spin', 'KHR_texture_transform']"));
    model m;
    gltf *g = open_writer(&w, &m);
    static const char *const names[] = {"Screw[0]", "Screw[1]", "Pump A/Housing", "Pump A/node 2",
                                        "Pump A/Housing (2)"};
    /* names are made unique where files are read; here they are still as the nodes have them */
    assert_int_equal(m.part_count, 5);
    for (int i = 0; i < 4; i++)
        assert_string_equal(m.parts[i].name, names[i]);
    for (uint32_t i = 0; i < m.part_count; i++)
        assert_int_equal(m.parts[i].triangle_count, 4 + 10);
    assert_int_equal(m.vertex_count, 5 * 12); /* the primitives of a mesh share their vertices */
    assert_int_equal(m.losses.line_faces, 5 * 6);
    assert_int_equal(m.losses.point_faces, 5 * 12);
    assert_int_equal(m.note_count, 2);
    assert_string_equal(m.notes[0], "the extension \"ACME_spin\" is not known, and left out");
    assert_string_equal(m.notes[1], "1 nodes with meshes stand outside the scene and are left out");
    assert_true(m.unit == 1 && m.up == MODEL_UP_Y);
    gltf_close(g);
    model_free(&m);
    writer_free(&w);
}

/* Three meshes in one array of vertices: each takes what it uses. */
static void test_shared(void **state)
{
    (void)state;
    writer w = start();
    int a = writer_accessor(&w, corners[0], 12, (written){.width = 3, .component = 5126}), i[3];
    static const double indices[3][6] = {{0, 5, 2, 2, 5, 7}, {11, 9, 10, 9, 10, 11}, {1, 2, 3, 4, 5, 6}};
    for (int k = 0; k < 3; k++)
        i[k] = writer_accessor(&w, indices[k], 6, (written){.width = 1, .component = 5121});
    for (int k = 0; k < 3; k++)
        writer_add(&w, "meshes",
                   json("{'primitives': [{'attributes': {'POSITION': %d}, 'indices': %d}, {'attributes': "
                        "{'POSITION': %d}, 'indices': %d}]}",
                        a, i[k], a, i[0]));
    set(&w, "nodes", json("[{'mesh': 0}, {'mesh': 1, 'translation': [5, 0, 0]}, {'mesh': 2}]"));
    set(&w, "scenes", json("[{'nodes': [0, 1, 2]}]"));
    compare("shared", &w, FORM_GLB, 0);
    model m;
    gltf *g = open_writer(&w, &m);
    assert_int_equal(m.vertex_count, 4 + 7 + 8);
    gltf_close(g);
    model_free(&m);
    writer_free(&w);
}

/* Points alone are a cloud. */
static void test_points(void **state)
{
    (void)state;
    writer w = start();
    int a = writer_accessor(&w, corners[0], 12, (written){.width = 3, .component = 5126});
    set(&w, "meshes",
        json("[{'primitives': [{'attributes': {'POSITION': %d}, 'mode': 0}, {'attributes': {'POSITION': %d}, "
             "'mode': 3}]}]",
             a, a));
    one_mesh(&w);
    model m;
    gltf *g = open_writer(&w, &m);
    assert_true(m.indices == NULL && m.vertex_count == 12 && m.losses.line_faces == 11 &&
                m.losses.point_faces == 0);
    gltf_close(g);
    model_free(&m);
    writer_free(&w);
}

/* What it says of clips; a pointer moves nothing. */
static void test_clips(void **state)
{
    (void)state;
    writer w = start();
    int a = writer_accessor(&w, corners[0], 12, (written){.width = 3, .component = 5126});
    static const double times[] = {0.5, 1, 2, 4};
    int t = writer_accessor(&w, times, 4, (written){.width = 1, .component = 5126}),
        late = writer_accessor(&w, times + 1, 2, (written){.width = 1, .component = 5126}),
        v = writer_accessor(&w, corners[4], 4, (written){.width = 3, .component = 5126}),
        v2 = writer_accessor(&w, corners[4], 2, (written){.width = 3, .component = 5126});
    set(&w, "meshes", json("[{'primitives': [{'attributes': {'POSITION': %d}}]}]", a));
    one_mesh(&w);
    set(&w, "extensionsUsed", json("['KHR_animation_pointer']"));
    set(&w, "animations",
        json("[{'name': 'jump', 'samplers': [{'input': %d, 'output': %d, 'interpolation': 'STEP'}, {'input': "
             "%d, 'output': %d}],"
             "'channels': [{'sampler': 0, 'target': {'node': 0, 'path': 'translation'}}, {'sampler': 1, "
             "'target': {'path': 'pointer',"
             "'extensions': {'KHR_animation_pointer': {'pointer': '/nodes/0/scale'}}}}]},"
             "{'samplers': [{'input': %d, 'output': %d}], 'channels': [{'sampler': 0, 'target': {'node': 0, "
             "'path': 'scale'}}]}]",
             t, v, late, v2, late, v2));
    model m;
    gltf *g = open_writer(&w, &m);
    gltf_clip_info jump = gltf_clip(g, 0), glide = gltf_clip(g, 1);
    assert_string_equal(jump.name, "jump");
    assert_string_equal(glide.name, "");
    assert_true(jump.begin == 0.5 && jump.end == 4 && jump.channels == 1 && jump.strange_channels == 1 &&
                jump.keys == 4);
    assert_true(jump.jumps && !jump.bends && !glide.jumps && !glide.bends);
    size_t count;
    double *jumps = gltf_clip_jumps(g, 0, &count), at[36];
    assert_true(count == 3 && jumps[0] == 1 && jumps[2] == 4);
    free(jumps);
    /* Up to 2 s it stands where the second key puts it. */
    gltf_positions(g, 0, 2, true, at);
    assert_true(fabs(at[0] - corners[5][0]) < 1e-7 && fabs(at[2] - corners[5][2]) < 1e-7);
    gltf_positions(g, 0, 2, false, at);
    assert_true(fabs(at[0] - corners[6][0]) < 1e-7 && fabs(at[2] - corners[6][2]) < 1e-7);
    assert_true(m.clip_count == 2 && strcmp(m.clips[0].name, "jump") == 0 && m.clips[1].keys == 2);
    gltf_close(g);
    model_free(&m);
    writer_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_components), cmocka_unit_test(test_modes),
                                       cmocka_unit_test(test_matrices),
#ifdef BOXWOOD_MESHOPT
                                       cmocka_unit_test(test_filters),
#endif
#ifdef BOXWOOD_DRACO
                                       cmocka_unit_test(test_draco),
#endif
                                       cmocka_unit_test(test_parts),      cmocka_unit_test(test_shared),
                                       cmocka_unit_test(test_points),     cmocka_unit_test(test_clips)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
