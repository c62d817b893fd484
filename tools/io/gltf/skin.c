/* Skins, by section 3.7.3 of the specification. */
#include "io/gltf/skin.h"

#include "io/gltf/accessor.h"
#include "io/gltf/node.h"

#include <inttypes.h>
#include <stdlib.h>

static bool read_inverses(gltf *g, const path *at, gltf_skin *skin)
{
    path where = path_key(at, "inverseBindMatrices");
    const double *numbers;
    accessor a;
    if (!where.value)
        return true;
    if (!accessor_open(g, &where, 4, 4, TAKES_FLOAT, &a) || !accessor_read(g, &a, &numbers))
        return false;
    if (a.count < skin->joint_count)
        return path_fault(&where, "accessors[%" PRIu32 "] has %" PRIu32 " matrices for %" PRIu32 " joints",
                          a.index, a.count, skin->joint_count);
    skin->inverses = gltf_room(g, &where, skin->joint_count, sizeof *skin->inverses);
    for (uint32_t i = 0; skin->inverses && i < skin->joint_count; i++) {
        path element = path_item(&where, i);
        if (!node_affine(&element, numbers + 16 * (size_t)i, &skin->inverses[i]))
            return false;
    }
    return skin->inverses != NULL;
}

static bool read_skin(gltf *g, uint32_t index)
{
    gltf_skin *skin = &g->skins[index];
    if (skin->joints)
        return true;
    path at = gltf_item(g, LIST_SKINS, index), list = path_key(&at, "joints");
    if (!path_need(&at, "joints") || !path_is_list(&list))
        return false;
    if (path_size(&list) == 0)
        return path_fault(&list, "has no joints");
    skin->joint_count = (uint32_t)path_size(&list);
    skin->joints = gltf_room(g, &list, skin->joint_count, sizeof *skin->joints);
    if (!skin->joints)
        return false;
    for (uint32_t i = 0; i < skin->joint_count; i++) {
        path item = path_item(&list, i);
        if (!path_index_here(&item, g->counts[LIST_NODES], "nodes", &skin->joints[i]))
            return false;
    }
    return read_inverses(g, &at, skin);
}

bool skin_read_used(gltf *g)
{
    for (uint32_t i = 0; i < g->place_count; i++) {
        const gltf_place *place = &g->places[i];
        const gltf_mesh *mesh = &g->meshes[place->mesh];
        uint32_t index = g->nodes[place->node].skin;
        if (index == BW_NONE || mesh->vertex_count == 0)
            continue;
        path node = gltf_item(g, LIST_NODES, place->node), at = path_key(&node, "skin");
        if (!read_skin(g, index))
            return false;
        if (mesh->influences == 0)
            return path_fault(&at, "meshes[%" PRIu32 "] has a primitive without JOINTS_0 and WEIGHTS_0",
                              place->mesh);
        if (mesh->least_joints > g->skins[index].joint_count)
            return path_fault(&at,
                              "meshes[%" PRIu32 "].primitives[%" PRIu32 "], vertex %" PRIu32
                              ": joint %" PRIu32 ", and skins[%" PRIu32 "] has %" PRIu32 " joints",
                              place->mesh, mesh->far_primitive, mesh->far_vertex, mesh->least_joints - 1,
                              index, g->skins[index].joint_count);
    }
    return true;
}

void skin_free(gltf_skin *skin)
{
    free(skin->joints);
    free(skin->inverses);
}
