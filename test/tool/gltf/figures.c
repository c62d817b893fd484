#include "tool/gltf/figures.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 14, KEYS = 6 };

typedef struct figure {
    writer *w;
    size_t nodes, meshes, skins;
    size_t parent[MOST], number[MOST]; /* by order of making; the number is its index in the file */
    bool has_matrix[MOST];
    int mesh_of[MOST];
    size_t targets[MOST], joints[MOST]; /* of meshes; joints 0: cannot be skinned */
    size_t skin_joints[MOST];
} figure;

static size_t below(writer *w, size_t n)
{
    return (size_t)bws_random_below(w->random, n);
}

double figures_number(writer *w, double low, double high)
{
    return bws_random_double(w->random, low, high);
}

void figures_rotation(writer *w, double q[4])
{
    double n = 0;
    do {
        n = 0;
        for (int i = 0; i < 4; i++) {
            q[i] = figures_number(w, -1, 1);
            n += q[i] * q[i];
        }
    } while (n < 0.01);
    for (int i = 0; i < 4; i++)
        q[i] /= sqrt(n);
}

static json_t *list_of(const double *numbers, size_t count)
{
    json_t *a = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(a, json_real(numbers[i]));
    return a;
}

static int vectors(writer *w, size_t count, double reach, bool strided)
{
    static const struct {
        int component;
        bool normalized;
    } kinds[] = {{5126, false}, {5126, false}, {5120, true},  {5120, false}, {5121, true},
                 {5121, false}, {5122, true},  {5122, false}, {5123, true},  {5123, false}};
    size_t kind = below(w, 10);
    written how = {.width = 3, .component = kinds[kind].component, .normalized = kinds[kind].normalized};
    size_t element = how.component == 5126 ? 12 : how.component < 5122 ? 3 : 6;
    how.gap = strided ? (unsigned)((4 - element % 4) % 4 + 4 * below(w, 3)) : 0;
    how.before = strided ? 4 * (unsigned)below(w, 3) : 0;
    how.sparse = (int)(below(w, 4) == 0 ? 1 + below(w, 2) : 0);
    how.packed = PACK_ATTRIBUTES;
    double *numbers = malloc((3 * count + 1) * sizeof *numbers);
    for (size_t i = 0; i < 3 * count; i++)
        numbers[i] = how.component == 5126 || how.normalized ? figures_number(w, -reach, reach)
                                                             : figures_number(w, -200, 300);
    int a = writer_accessor(w, numbers, count, how);
    free(numbers);
    return a;
}

static int indices(writer *w, size_t count, size_t vertices, bool triangles)
{
    static const int types[] = {5121, 5123, 5125};
    double *numbers = malloc((count + 1) * sizeof *numbers);
    for (size_t i = 0; i < count; i++)
        numbers[i] = (double)below(w, vertices);
    written how = {.width = 1, .component = types[below(w, 3)]};
    how.sparse =
        below(w, 8) == 0; /* a stream of triangles may turn them: nothing can be put into it by index */
    how.packed = triangles && count % 3 == 0 && !how.sparse ? PACK_TRIANGLES : PACK_INDICES;
    int a = writer_accessor(w, numbers, count, how);
    free(numbers);
    return a;
}

/* Sets of four joints and weights; some weights do not quite sum to 1. */
static void add_joints(figure *f, json_t *attributes, size_t vertices, size_t joints)
{
    writer *w = f->w;
    size_t sets = 1 + below(w, 2);
    double *j = malloc((8 * vertices + 1) * sizeof *j),
           *weights = malloc((8 * vertices + 1) * sizeof *weights);
    static const written kinds[] = {{.width = 4, .component = 5126},
                                    {.width = 4, .component = 5121, .normalized = true},
                                    {.width = 4, .component = 5123, .normalized = true}};
    for (size_t v = 0; v < vertices; v++) {
        double sum = 0;
        for (size_t k = 0; k < 4 * sets; k++) {
            j[v * 4 * sets + k] = (double)below(w, joints);
            weights[v * 4 * sets + k] = below(w, 3) == 0 ? 0 : figures_number(w, 0, 1);
            sum += weights[v * 4 * sets + k];
        }
        weights[v * 4 * sets] += 0.5;
        for (size_t k = 0; k < 4 * sets; k++)
            weights[v * 4 * sets + k] /= sum + 0.5;
    }
    written kind = kinds[below(w, 3)];
    for (size_t set = 0; set < sets; set++) {
        char key[32];
        double *part = malloc((4 * vertices + 1) * sizeof *part);
        written joint_kind = {.width = 4, .component = below(w, 2) ? 5121 : 5123, .packed = PACK_ATTRIBUTES};
        for (size_t i = 0; i < 4 * vertices; i++)
            part[i] = j[i / 4 * 4 * sets + 4 * set + i % 4];
        snprintf(key, sizeof key, "JOINTS_%zu", set);
        json_object_set_new(attributes, key, json_integer(writer_accessor(w, part, vertices, joint_kind)));
        for (size_t i = 0; i < 4 * vertices; i++)
            part[i] = weights[i / 4 * 4 * sets + 4 * set + i % 4];
        snprintf(key, sizeof key, "WEIGHTS_%zu", set);
        json_object_set_new(attributes, key, json_integer(writer_accessor(w, part, vertices, kind)));
        free(part);
    }
    free(j);
    free(weights);
}

static void add_mesh(figure *f)
{
    writer *w = f->w;
    size_t mesh = f->meshes++, count = 1 + below(w, 3);
    f->targets[mesh] = below(w, 2) * below(w, 4);
    f->joints[mesh] = below(w, 2) * (1 + below(w, 6));
    json_t *primitives = json_array();
    int shared = -1;
    size_t shared_vertices = 0;
    for (size_t p = 0; p < count; p++) {
        size_t mode = below(w, 6) == 0 ? below(w, 4) : 4 + below(w, 3), vertices = 3 + below(w, 30);
        json_t *attributes = json_object(), *primitive = json_object(), *targets = json_array();
        bool same = shared >= 0 && below(w, 3) == 0;
        if (same)
            vertices = shared_vertices;
        if (below(w, 2) || mode == 4) /* else 0, 1, 2, ... */
            json_object_set_new(primitive, "indices",
                                json_integer(indices(w, mode == 4 ? 3 * (1 + below(w, 12)) : 3 + below(w, 20),
                                                     vertices, mode == 4)));
        int position = same ? shared : vectors(w, vertices, 2, true);
        shared = position;
        shared_vertices = vertices;
        json_object_set_new(attributes, "POSITION", json_integer(position));
        if (f->joints[mesh] > 0)
            add_joints(f, attributes, vertices, f->joints[mesh]);
        for (size_t t = 0; t < f->targets[mesh]; t++)
            json_array_append_new(
                targets, below(w, 4) == 0 ? json_object()
                                          : json_pack("{s:i}", "POSITION", vectors(w, vertices, 1, true)));
        if (mode != 4 || below(w, 2))
            json_object_set_new(primitive, "mode", json_integer((json_int_t)mode));
        if (f->targets[mesh] > 0)
            json_object_set(primitive, "targets", targets);
        json_decref(targets);
        json_object_set_new(primitive, "attributes", attributes);
        json_array_append_new(primitives, primitive);
    }
    /* At least one triangle, which has everything that the others have. */
    json_t *whole = json_deep_copy(json_array_get(primitives, 0));
    size_t vertices = (size_t)json_integer_value(json_object_get(
        json_array_get(
            json_object_get(w->doc, "accessors"),
            (size_t)json_integer_value(json_object_get(json_object_get(whole, "attributes"), "POSITION"))),
        "count"));
    json_object_set_new(whole, "mode", json_integer(4));
    json_object_set_new(whole, "indices", json_integer(indices(w, 3, vertices, true)));
    json_array_append_new(primitives, whole);
    json_t *object = json_pack("{s:o}", "primitives", primitives);
    double weights[8];
    for (int i = 0; i < 8; i++)
        weights[i] = figures_number(w, -1, 1);
    if (f->targets[mesh] > 0 && below(w, 2))
        json_object_set_new(object, "weights", list_of(weights, f->targets[mesh]));
    writer_add(w, "meshes", object);
}

static void random_trs(writer *w, double t[3], double q[4], double s[3])
{
    for (int i = 0; i < 3; i++) {
        t[i] = figures_number(w, -3, 3);
        s[i] = figures_number(w, 0.3, 2) * (below(w, 4) == 0 ? -1 : 1);
    }
    figures_rotation(w, q);
}

static void add_pose(figure *f, size_t node, json_t *object)
{
    writer *w = f->w;
    double t[3], q[4], s[3], m[16] = {0};
    random_trs(w, t, q, s);
    f->has_matrix[node] = below(w, 5) == 0;
    if (f->has_matrix[node]) { /* any affine map, shear too */
        for (int i = 0; i < 16; i++)
            m[i] = i == 15 ? 1 : i % 4 == 3 ? 0 : figures_number(w, -1.5, 1.5);
        json_object_set_new(object, "matrix", list_of(m, 16));
        return;
    }
    if (below(w, 4))
        json_object_set_new(object, "translation", list_of(t, 3));
    if (below(w, 4))
        json_object_set_new(object, "rotation", list_of(q, 4));
    if (below(w, 2))
        json_object_set_new(object, "scale", list_of(s, 3));
}

static json_t *instances(writer *w)
{
    size_t count = 1 + below(w, 4);
    double t[12], q[16], s[12];
    for (size_t i = 0; i < count; i++)
        random_trs(w, t + 3 * i, q + 4 * i, s + 3 * i);
    json_t *attributes = json_object();
    static const written kinds[] = {{.width = 4, .component = 5126},
                                    {.width = 4, .component = 5120, .normalized = true},
                                    {.width = 4, .component = 5122, .normalized = true}};
    json_object_set_new(attributes, "TRANSLATION",
                        json_integer(writer_accessor(w, t, count, (written){.width = 3, .component = 5126})));
    if (below(w, 2))
        json_object_set_new(attributes, "ROTATION",
                            json_integer(writer_accessor(w, q, count, kinds[below(w, 3)])));
    if (below(w, 2))
        json_object_set_new(
            attributes, "SCALE",
            json_integer(writer_accessor(w, s, count, (written){.width = 3, .component = 5126})));
    return json_pack("{s:{s:o}}", "EXT_mesh_gpu_instancing", "attributes", attributes);
}

static void add_skin(figure *f)
{
    writer *w = f->w;
    size_t count = 6 + below(w, 3), skin = f->skins++;
    json_t *joints = json_array(), *object;
    double *inverses = malloc(16 * count * sizeof *inverses);
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(joints, json_integer((json_int_t)below(w, f->nodes)));
        for (size_t k = 0; k < 16; k++)
            inverses[16 * i + k] = k == 15 ? 1 : k % 4 == 3 ? 0 : figures_number(w, -1, 1);
    }
    f->skin_joints[skin] = count;
    object = json_pack("{s:o}", "joints", joints);
    if (below(w, 3))
        json_object_set_new(
            object, "inverseBindMatrices",
            json_integer(writer_accessor(w, inverses, count, (written){.width = 16, .component = 5126})));
    free(inverses);
    writer_add(w, "skins", object);
}

static void add_nodes(figure *f)
{
    writer *w = f->w;
    f->nodes = 2 + below(w, MOST - 2);
    for (size_t i = 0; i < f->nodes; i++)
        f->number[i] = i;
    for (size_t i = f->nodes; i-- > 1;) {
        size_t k = below(w, i + 1), keep = f->number[i];
        f->number[i] = f->number[k];
        f->number[k] = keep;
    }
    json_t *objects[MOST], *children[MOST], *roots[2] = {json_array(), json_array()};
    for (size_t i = 0; i < 2; i++)
        add_skin(f);
    for (size_t i = 0; i < f->nodes; i++) {
        objects[f->number[i]] = json_object();
        children[f->number[i]] = json_array();
    }
    for (size_t i = 0; i < f->nodes; i++) {
        size_t n = f->number[i];
        json_t *o = objects[n];
        if (i == 0 || below(w, 4) == 0)
            json_array_append_new(roots[i == 0 || below(w, 3) ? 0 : 1], json_integer((json_int_t)n));
        else
            json_array_append_new(children[f->number[below(w, i)]], json_integer((json_int_t)n));
        if (below(w, 3))
            json_object_set_new(o, "name", json_string(below(w, 2) ? "arm" : "leg"));
        add_pose(f, n, o);
        f->mesh_of[n] = -1;
        if (i > 0 && below(w, 3) == 0)
            continue;
        size_t mesh = below(w, f->meshes), skin = below(w, f->skins);
        f->mesh_of[n] = (int)mesh;
        json_object_set_new(o, "mesh", json_integer((json_int_t)mesh));
        double weights[8];
        for (int k = 0; k < 8; k++)
            weights[k] = figures_number(w, -1, 1);
        if (f->targets[mesh] > 0 && below(w, 3) == 0)
            json_object_set_new(o, "weights", list_of(weights, f->targets[mesh]));
        if (f->joints[mesh] > 0 && below(w, 3))
            json_object_set_new(o, "skin", json_integer((json_int_t)skin));
        else if (below(w, 4) == 0)
            json_object_set_new(o, "extensions", instances(w));
    }
    for (size_t n = 0; n < f->nodes; n++) {
        if (json_array_size(children[n]) > 0)
            json_object_set(objects[n], "children", children[n]);
        json_decref(children[n]);
        writer_add(w, "nodes", objects[n]);
    }
    for (int i = 0; i < 2; i++)
        writer_add(w, "scenes", json_pack("{s:o}", "nodes", roots[i]));
    if (below(w, 2))
        json_object_set_new(w->doc, "scene", json_integer(0));
}

static int key_values(figure *f, size_t count, int path, size_t width)
{
    writer *w = f->w;
    size_t total = count * (path == 3 ? width : 1);
    double *numbers = malloc((4 * count * (width + 1)) * sizeof *numbers);
    for (size_t i = 0; i < count * width; i++)
        numbers[i] = figures_number(w, path == 2 ? 0.2 : -2, 2);
    for (size_t i = 0; i < count && path == 1; i++)
        figures_rotation(w, numbers + 4 * i);
    static const written kinds[] = {{.component = 5126},
                                    {.component = 5120, .normalized = true},
                                    {.component = 5121, .normalized = true},
                                    {.component = 5122, .normalized = true},
                                    {.component = 5123, .normalized = true}};
    written how = kinds[path == 1 || path == 3 ? below(w, 5) : 0];
    how.width = path == 1 ? 4 : path == 3 ? 1 : 3;
    for (size_t i = 0; i < count * width && path == 1 && (how.component == 5121 || how.component == 5123);
         i++)
        numbers[i] = fabs(numbers[i]); /* unsigned */
    int a = writer_accessor(w, numbers, total, how);
    free(numbers);
    return a;
}

static void add_clip(figure *f)
{
    static const char *const paths[] = {"translation", "rotation", "scale", "weights"}, *const modes[] = {
                                                                                            "STEP", "LINEAR",
                                                                                            "CUBICSPLINE"};
    writer *w = f->w;
    json_t *samplers = json_array(), *channels = json_array();
    for (size_t n = 0; n < f->nodes; n++)
        for (int path = 0; path < 4; path++) {
            size_t width = path == 1 ? 4 : path < 3 ? 3 : f->mesh_of[n] >= 0 ? f->targets[f->mesh_of[n]] : 0;
            if (below(w, 3) || (path < 3 && f->has_matrix[n]) || width == 0)
                continue;
            size_t keys = 1 + below(w, KEYS), mode = below(w, 4);
            double times[KEYS], time = figures_number(w, 0, 1);
            for (size_t k = 0; k < keys; k++, time += figures_number(w, 0.1, 1))
                times[k] = time;
            json_t *s = json_pack("{s:i, s:i}", "input",
                                  writer_accessor(w, times, keys, (written){.width = 1, .component = 5126}),
                                  "output", key_values(f, keys * (mode == 2 ? 3 : 1), path, width));
            if (mode < 3) /* else the default, LINEAR */
                json_object_set_new(s, "interpolation", json_string(modes[mode]));
            json_array_append_new(samplers, s);
            json_array_append_new(channels, json_pack("{s:i, s:{s:i, s:s}}", "sampler",
                                                      (int)json_array_size(samplers) - 1, "target", "node",
                                                      (int)n, "path", paths[path]));
        }
    writer_add(w, "animations", json_pack("{s:o, s:o}", "samplers", samplers, "channels", channels));
}

void figures_random(writer *w)
{
    figure f = {.w = w};
    size_t meshes = 1 + below(w, 3), clips = below(w, 3);
    for (size_t i = 0; i < meshes; i++)
        add_mesh(&f);
    add_nodes(&f);
    for (size_t i = 0; i < clips; i++)
        add_clip(&f);
}
