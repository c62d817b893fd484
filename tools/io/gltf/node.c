/* Nodes, by section 3.5 of the specification. */
#include "io/gltf/node.h"

#include "io/gltf/extensions.h"
#include "io/gltf/instances.h"
#include "io/names.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool node_affine(const path *at, const double m[16], bw_transform *out)
{
    const double last[4] = {m[3], m[7], m[11], m[15]};
    for (int i = 0; i < 4; i++)
        if (!(fabs(last[i] - (i == 3)) <= 1e-4))
            return path_fault(at, "the last row of the matrix is %g %g %g %g, not 0 0 0 1", last[0], last[1],
                              last[2], last[3]);
    for (int i = 0; i < 12; i++)
        out->m[i / 4][i % 4] = m[4 * (i % 4) + i / 4];
    return true;
}

bw_transform node_compose(const double t[3], const double r[4], const double s[3])
{
    double length = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
    double x = r[0] / length, y = r[1] / length, z = r[2] / length, w = r[3] / length;
    return (bw_transform){
        {{(1 - 2 * (y * y + z * z)) * s[0], 2 * (x * y - w * z) * s[1], 2 * (x * z + w * y) * s[2], t[0]},
         {2 * (x * y + w * z) * s[0], (1 - 2 * (x * x + z * z)) * s[1], 2 * (y * z - w * x) * s[2], t[1]},
         {2 * (x * z - w * y) * s[0], 2 * (y * z + w * x) * s[1], (1 - 2 * (x * x + y * y)) * s[2], t[2]}}};
}

static bool read_pose(const path *at, gltf_node *n)
{
    double matrix[16];
    path matrix_at = path_key(at, "matrix"), rotation_at = path_key(at, "rotation");
    n->has_matrix = matrix_at.value != NULL;
    n->rotation[3] = n->scale[0] = n->scale[1] = n->scale[2] = 1;
    if (!path_numbers(at, "matrix", 16, matrix) || !path_numbers(at, "translation", 3, n->translation) ||
        !path_numbers(at, "rotation", 4, n->rotation) || !path_numbers(at, "scale", 3, n->scale))
        return false;
    const double *r = n->rotation, length = r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3];
    if (!(length > 1e-12 && length < 1e12))
        return path_fault(&rotation_at, "%g, %g, %g, %g is not a rotation", r[0], r[1], r[2], r[3]);
    if (!n->has_matrix)
        return true;
    static const char *const others[] = {"translation", "rotation", "scale"};
    for (int i = 0; i < 3; i++) {
        path other = path_key(at, others[i]);
        if (other.value)
            return path_fault(&other, "stands beside a matrix: only one of them can hold");
    }
    return node_affine(&matrix_at, matrix, &n->matrix);
}

static bool read_node(gltf *g, uint32_t index)
{
    gltf_node *n = &g->nodes[index];
    path at = gltf_item(g, LIST_NODES, index);
    n->mesh = n->skin = BW_NONE;
    path skin = path_key(&at, "skin");
    if (!path_string(&at, "name", &n->name) ||
        !path_index(&at, "mesh", g->counts[LIST_MESHES], "meshes", &n->mesh) ||
        !path_index(&at, "skin", g->counts[LIST_SKINS], "skins", &n->skin) || !read_pose(&at, n))
        return false;
    if (n->skin != BW_NONE && n->mesh == BW_NONE)
        return path_fault(&skin, "is there without a mesh");
    return true;
}

static bool read_children(gltf *g, uint32_t index)
{
    path at = gltf_item(g, LIST_NODES, index), list = path_key(&at, "children");
    if (!path_is_list(&list))
        return false;
    for (size_t i = 0; i < path_size(&list); i++) {
        path item = path_item(&list, i);
        uint32_t child;
        if (!path_index_here(&item, g->counts[LIST_NODES], "nodes", &child))
            return false;
        if (g->nodes[child].above != BW_NONE)
            return path_fault(&item, "node %" PRIu32 " stands below nodes[%" PRIu32 "] already", child,
                              g->nodes[child].above);
        g->nodes[child].above = index;
    }
    return true;
}

/* Every node after the one above it. What cannot be reached from a root goes round in a circle. */
static bool order_nodes(gltf *g)
{
    uint32_t count = g->counts[LIST_NODES], made = 0;
    for (uint32_t i = 0; i < count; i++)
        if (g->nodes[i].above == BW_NONE)
            g->order[made++] = i;
    for (uint32_t k = 0; k < made; k++) {
        path at = gltf_item(g, LIST_NODES, g->order[k]), list = path_key(&at, "children");
        for (size_t i = 0; i < path_size(&list); i++)
            g->order[made++] = (uint32_t)json_number_value(json_array_get(list.value, i));
    }
    if (made == count)
        return true;
    bool *seen = tool_alloc(count, sizeof *seen);
    memset(seen, 0, count * sizeof *seen);
    for (uint32_t k = 0; k < made; k++)
        seen[g->order[k]] = true;
    uint32_t lost = 0;
    while (seen[lost])
        lost++;
    free(seen);
    path at = gltf_item(g, LIST_NODES, lost);
    return path_fault(&at, "stands below itself: the nodes go round in a circle");
}

bool node_read_all(gltf *g)
{
    uint32_t count = g->counts[LIST_NODES];
    for (uint32_t i = 0; i < count; i++)
        g->nodes[i].above = BW_NONE;
    for (uint32_t i = 0; i < count; i++)
        if (!read_node(g, i) || !read_children(g, i))
            return false;
    return order_nodes(g);
}

bool node_read_weights(gltf *g)
{
    for (uint32_t i = 0; i < g->counts[LIST_NODES]; i++) {
        gltf_node *n = &g->nodes[i];
        path at = gltf_item(g, LIST_NODES, i), weights = path_key(&at, "weights");
        if (!weights.value || !n->in_scene || n->mesh == BW_NONE || g->meshes[n->mesh].vertex_count == 0)
            continue;
        uint32_t count = g->meshes[n->mesh].target_count;
        n->weights = gltf_room(g, &at, count, sizeof *n->weights);
        if (!n->weights || !path_numbers(&at, "weights", count, n->weights))
            return false;
    }
    return true;
}

/* The roots of the scene; where there are no scenes all roots belong to it. */
static bool find_scene(gltf *g, uint32_t *roots, uint32_t *root_count)
{
    uint32_t scene = 0;
    path scene_at = path_key(&g->top, "scene");
    if (!path_index(&g->top, "scene", g->counts[LIST_SCENES], "scenes", &scene))
        return false;
    if (g->counts[LIST_SCENES] == 0) {
        for (uint32_t i = 0; i < g->counts[LIST_NODES]; i++)
            if (g->nodes[i].above == BW_NONE)
                roots[(*root_count)++] = i;
        return true;
    }
    if (!scene_at.value && g->counts[LIST_SCENES] > 1)
        gltf_note(g, "has %" PRIu32 " scenes and does not say which is shown: the first is read",
                  g->counts[LIST_SCENES]);
    path at = gltf_item(g, LIST_SCENES, scene), list = path_key(&at, "nodes");
    if (!path_is_list(&list))
        return false;
    for (size_t i = 0; i < path_size(&list); i++) {
        path item = path_item(&list, i);
        uint32_t node;
        if (!path_index_here(&item, g->counts[LIST_NODES], "nodes", &node))
            return false;
        if (g->nodes[node].above != BW_NONE)
            return path_fault(&item,
                              "node %" PRIu32 " stands below nodes[%" PRIu32 "], so it is no root of a scene",
                              node, g->nodes[node].above);
        if (g->nodes[node].in_scene)
            return path_fault(&item, "node %" PRIu32 " is there twice", node);
        g->nodes[node].in_scene = true;
        roots[(*root_count)++] = node;
    }
    return true;
}

/* Nodes that are not to be seen are there all the same. */
static bool count_invisible(const gltf *g, uint32_t node, uint32_t *invisible)
{
    path at = gltf_item(g, LIST_NODES, node), way, extension;
    bool visible = true;
    if (!extensions_find(&at, "KHR_node_visibility", &way, &extension) ||
        (extension.value && !path_flag(&extension, "visible", &visible)))
        return false;
    *invisible += !visible;
    return true;
}

static bool place_node(gltf *g, uint32_t index, const char *name)
{
    path at = gltf_item(g, LIST_NODES, index), way, instancing;
    if (!extensions_find(&at, INSTANCES_EXTENSION, &way, &instancing))
        return false;
    if (instancing.value)
        return instances_place(g, &instancing, index, name);
    g->places = tool_grow(g->places, g->place_count, &g->place_capacity, sizeof *g->places);
    g->places[g->place_count++] =
        (gltf_place){.node = index, .mesh = g->nodes[index].mesh, .name = tool_copy(name)};
    return true;
}

/* Depth first, as a reader of the file would list them. Children are pushed in reverse. */
static bool place_below(gltf *g, uint32_t root, uint32_t *stack, char **names, uint32_t *invisible)
{
    uint32_t top = 0;
    stack[top++] = root;
    while (top > 0) {
        uint32_t index = stack[--top];
        gltf_node *n = &g->nodes[index];
        names[index] = names_join(n->above == BW_NONE ? NULL : names[n->above], n->name, index);
        n->in_scene = true;
        if (!count_invisible(g, index, invisible) ||
            (n->mesh != BW_NONE && !place_node(g, index, names[index])))
            return false;
        path at = gltf_item(g, LIST_NODES, index), list = path_key(&at, "children");
        for (size_t i = path_size(&list); i-- > 0;)
            stack[top++] = (uint32_t)json_number_value(json_array_get(list.value, i));
    }
    return true;
}

static void tell_left_out(gltf *g)
{
    uint32_t outside = 0;
    for (uint32_t i = 0; i < g->counts[LIST_NODES]; i++)
        outside += !g->nodes[i].in_scene && g->nodes[i].mesh != BW_NONE;
    if (outside > 0)
        gltf_note(g, "%" PRIu32 " nodes with meshes stand outside the scene and are left out", outside);
}

bool node_place_all(gltf *g)
{
    uint32_t count = g->counts[LIST_NODES], invisible = 0, root_count = 0;
    uint32_t *stack = tool_alloc(count, sizeof *stack), *roots = tool_alloc(count, sizeof *roots);
    char **names = tool_alloc(count, sizeof *names);
    memset(names, 0, count * sizeof *names);
    bool fine = find_scene(g, roots, &root_count);
    for (uint32_t i = 0; i < root_count && fine; i++)
        fine = place_below(g, roots[i], stack, names, &invisible);
    for (uint32_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
    free(roots);
    free(stack);
    if (!fine)
        return false;
    if (invisible > 0)
        gltf_note(
            g, "%" PRIu32 " nodes are marked as invisible: they and what is below them is read all the same",
            invisible);
    tell_left_out(g);
    return true;
}
