/* What JavaScript needs beside the library in the full build: occluders and lists without callbacks, boxes of user primitives, and a clock. */
#include "door.h"

#include <stdlib.h>
#include <string.h>

/* ---- the clock ---- */

/* The module imports nothing, so it has no clock: it stands still, and queries within a time are made of steps by JavaScript, which has one. */
int clock_gettime(const void *clock, void *now);
int clock_gettime(const void *clock, void *now)
{
    (void)clock;
    (void)now;
    return 0;
}

/* ---- occluders ---- */

/* Occluders by the objects' user values: 1 and more name one of a table, 0 has none; or the box of each object itself. */
struct bwx_occluders {
    bw_occluder *table;
    uint32_t count;
    bool boxes;
    float corners[8][3];
    bw_mesh box;
    bw_occluder of_box;
};

static const uint32_t box_triangles[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                           2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};

static bool occluder_of(void *user, const bw_scene_object *object, bw_occluder *out)
{
    bwx_occluders *all = user;
    if (all->boxes) {
        bw_box box;
        if (bw_scene_get(object->scene, object->id, &box, NULL, NULL) != BW_OK)
            return false;
        for (int i = 0; i < 8; i++)
            for (int axis = 0; axis < 3; axis++)
                all->corners[i][axis] = (i >> axis & 1) != 0 ? box.max[axis] : box.min[axis];
        *out = all->of_box;
        return true;
    }
    if (object->user == 0 || object->user > all->count)
        return false;
    *out = all->table[object->user - 1];
    return true;
}

bwx_occluders *bwx_occluders_create(uint32_t boxes)
{
    bwx_occluders *all = calloc(1, sizeof *all);
    if (all == NULL)
        return NULL;
    all->boxes = boxes != 0;
    all->box = (bw_mesh){
        .positions = all->corners, .vertex_count = 8, .indices = box_triangles, .triangle_count = 12};
    all->of_box = (bw_occluder){.mesh = &all->box, .closed = true};
    return all;
}

void bwx_occluders_destroy(bwx_occluders *all)
{
    if (all != NULL)
        free(all->table);
    free(all);
}

/* The table belongs to the occluders from now on, its meshes do not. */
bool bwx_occluders_set(bwx_occluders *all, const bw_occluder *table, uint32_t count)
{
    bw_occluder *copy = NULL;
    if (count > 0) {
        copy = malloc(count * sizeof *copy);
        if (copy == NULL)
            return false;
        memcpy(copy, table, count * sizeof *copy);
    }
    free(all->table);
    all->table = copy;
    all->count = count;
    return true;
}

bw_result bwx_cull_create(bwx_occluders *all, bw_cull_desc *desc, bw_cull **out, bw_fault *fault)
{
    if (all != NULL) {
        desc->occluder_of = occluder_of;
        desc->user = all;
    }
    return bw_cull_create(desc, out, fault);
}

/* ---- lists ---- */

/* Room for n more rows; NULL: none. */
static void *grow(bwx_list *list, size_t n, size_t size)
{
    if (n > UINT32_MAX / 2 - list->count)
        list->failed = 1;
    if (list->failed == 0 && list->count + n > list->capacity) {
        const uint32_t capacity = 2 * (list->count + (uint32_t)n) + 64;
        void *rows = capacity <= SIZE_MAX / size ? realloc(list->rows, capacity * size) : NULL;
        list->failed = rows == NULL;
        if (rows != NULL) {
            list->rows = rows;
            list->capacity = capacity;
        }
    }
    if (list->failed != 0)
        return NULL;
    void *at = (char *)list->rows + list->count * size;
    list->count += (uint32_t)n;
    return at;
}

static bool take_objects(void *user, const bw_id *ids, size_t n, uint32_t path)
{
    bwx_object *rows = grow(user, n, sizeof *rows);
    for (size_t i = 0; rows != NULL && i < n; i++)
        rows[i] = (bwx_object){ids[i], path};
    return rows != NULL;
}

static bool take_pairs(void *user, const bw_pair *pairs, const bw_pair_path *paths, size_t n)
{
    bwx_pair *rows = grow(user, n, sizeof *rows);
    for (size_t i = 0; rows != NULL && i < n; i++)
        rows[i] = (bwx_pair){pairs[i], paths == NULL ? (bw_pair_path){0, 0} : paths[i]};
    return rows != NULL;
}

void bwx_list_objects(bw_scene_output *output, bwx_list *list)
{
    output->on_objects = take_objects;
    output->user = list;
}

void bwx_list_pairs(bw_pair_output *output, bwx_list *list)
{
    output->on_pairs = take_pairs;
    output->user = list;
}
_Static_assert(sizeof(bwx_list) == 16 && sizeof(bwx_object) == 16 && sizeof(bwx_pair) == 24, "src/scene.js");

/* Nodes of a tree, for pictures. */
typedef struct node_row {
    bw_box box;
    uint32_t depth, triangles;
} node_row;
typedef struct node_visit {
    bwx_list *list;
    uint32_t most;
} node_visit;
_Static_assert(sizeof(node_row) == 32, "src/bodies.js");

static bool take_node(void *user, const bw_box *box, uint32_t depth, const uint32_t *primitives,
                      uint32_t count)
{
    (void)primitives;
    const node_visit *v = user;
    if (depth > v->most)
        return true;
    node_row *row = grow(v->list, 1, sizeof *row);
    if (row != NULL)
        *row = (node_row){*box, depth, count};
    return row != NULL;
}

bw_result bwx_tree_nodes(const bw_tree *tree, uint32_t most, bwx_list *list, bw_fault *fault)
{
    node_visit v = {list, most};
    const bw_result result = bw_tree_visit(tree, take_node, &v, fault);
    if (result == BW_OK && list->failed != 0 && fault != NULL)
        *fault = (bw_fault){.result = BW_ERROR_MEMORY,
                            .element = BW_NONE,
                            .vertex = BW_NONE,
                            .axis = BW_NONE,
                            .text = bw_result_string(BW_ERROR_MEMORY)};
    return result == BW_OK && list->failed != 0 ? BW_ERROR_MEMORY : result;
}

/* ---- user primitives ---- */

static void box_of(void *user, uint32_t primitive, bw_box *out)
{
    *out = (*(const bw_box **)user)[primitive];
}

/* boxes: where the address of the boxes is, which JavaScript may change before it refits. */
bw_result bwx_user_tree(const bw_tree_desc *desc, const bw_box **boxes, uint32_t count, bw_tree **out,
                        bw_fault *fault)
{
    const bw_primitives primitives = {count, box_of, (void *)boxes};
    return bw_tree_create_user(desc, &primitives, out, fault);
}

static bw_contact_kind every_pair(void *user, uint32_t a, uint32_t b)
{
    (void)user;
    (void)a;
    (void)b;
    return BW_CONTACT_TOUCHING;
}

bw_result bwx_collide_boxes(const bw_body *a, const bw_body *b, const bw_collide_desc *desc,
                            bw_collide_report *report, bw_fault *fault)
{
    return bw_collide_user(a, b, every_pair, NULL, desc, report, fault);
}
