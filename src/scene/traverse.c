/* Nodes and objects of scenes in scenes, their boxes taken to the outermost one. */
#include "scene/traverse.h"

#include "scene/instances.h"
#include "scene/paths.h"

#include <string.h>

static const bw_scene_tree *tree_of(const bw_traversal *t, uint32_t path)
{
    return path == 0 ? t->tree : bw_path_at(t->paths, path)->scene->tree;
}

/* Around a node or an instance, with a margin. */
static void take_outward(const bw_traversal *t, uint32_t path, float packed[6])
{
    if (path == 0)
        return;
    bw_box box = bw_packed_box(packed);
    box = bw_instances_box_around(&box, &bw_path_at(t->paths, path)->pose);
    bw_packed_of(&box, packed);
}

bool bw_traverse_begin(bw_traversal *t, const bw_scene *scene, bw_scene_paths *paths)
{
    *t = (bw_traversal){scene->tree, bw_instances_any(scene) ? paths : NULL};
    return paths == NULL || bw_paths_begin(paths, scene);
}

void bw_traverse_expand(const bw_traversal *t, bw_traversal_node node, bw_node_contents *out)
{
    const bw_scene_tree *tree = tree_of(t, node.path);
    tree->kind->expand(tree, node.ref, out);
    for (uint32_t c = 0; node.path != 0 && c < out->children; c++)
        take_outward(t, node.path, out->box[c]);
}

void bw_traverse_objects(const bw_traversal *t, bw_traversal_node node, const bw_node_contents *contents,
                         uint32_t begin, bw_object_run *out)
{
    out->count = contents->objects - begin < BW_RUN ? contents->objects - begin : BW_RUN;
    out->instances = 0;
    out->boxes = contents->boxes + begin;
    out->ids = contents->ids + begin;
    if (t->paths == NULL)
        return;
    const bw_path *path = bw_path_at(t->paths, node.path);
    for (uint32_t i = 0; i < out->count && bw_instances_any(path->scene); i++)
        out->instances |= (uint32_t)(bw_instances_find(path->scene, out->ids[i]) != NULL) << i;
    if (node.path == 0)
        return;
    for (uint32_t i = 0; i < out->count; i++) {
        memcpy(out->own[i], out->boxes[i], sizeof out->own[i]);
        if ((out->instances >> i & 1u) != 0) {
            take_outward(t, node.path, out->own[i]);
            continue;
        }
        bw_box box = bw_packed_box(out->own[i]);
        box = bw_box_transformed(&box, &path->pose);
        bw_packed_of(&box, out->own[i]);
    }
    out->boxes = (const float(*)[6])out->own;
}

bool bw_traverse_enter(const bw_traversal *t, bw_traversal_node node, bw_id instance, bw_traversal_node *root,
                       float box[6])
{
    uint32_t path = bw_paths_extend(t->paths, node.path, instance);
    if (path == 0)
        return false;
    const bw_scene_tree *tree = tree_of(t, path);
    *root = (bw_traversal_node){tree->kind->root(tree), path};
    memcpy(box, tree->kind->bounds(tree), 6 * sizeof *box);
    if (root->ref != 0)
        take_outward(t, path, box);
    return true;
}
