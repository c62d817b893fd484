/* Nodes under a clip, morph targets and skins, at one time. */
#include "io/gltf/pose.h"

#include "io/gltf/curve.h"
#include "io/gltf/node.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct local {
    double translation[3], rotation[4], scale[3];
} local;

/* A spline may pass through 0, where there is no rotation: then the rest pose holds. */
static void animate(const gltf_clip_data *clip, double time, bool before, local *locals, gltf_pose *pose)
{
    size_t used = 0;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const gltf_channel *c = &clip->channels[i];
        local *l = &locals[c->node];
        double q[4];
        switch (c->target) {
        case TARGET_TRANSLATION:
            curve_at(c, time, before, l->translation);
            break;
        case TARGET_SCALE:
            curve_at(c, time, before, l->scale);
            break;
        case TARGET_ROTATION:
            curve_at(c, time, before, q);
            if (q[0] != 0 || q[1] != 0 || q[2] != 0 || q[3] != 0)
                memcpy(l->rotation, q, sizeof q);
            break;
        case TARGET_WEIGHTS:
            curve_at(c, time, before, pose->numbers + used);
            pose->weights[c->node] = pose->numbers + used;
            used += c->width;
            break;
        }
    }
}

gltf_pose pose_make(const gltf *g, uint32_t clip, double time, bool before)
{
    uint32_t count = g->counts[LIST_NODES];
    gltf_pose pose = {.nodes = tool_alloc(count, sizeof *pose.nodes),
                      .weights = tool_alloc(count, sizeof *pose.weights),
                      .joints = tool_alloc(g->counts[LIST_SKINS], sizeof *pose.joints)};
    memset(pose.joints, 0, g->counts[LIST_SKINS] * sizeof *pose.joints);
    local *locals = tool_alloc(count, sizeof *locals);
    for (uint32_t i = 0; i < count; i++) {
        const gltf_node *n = &g->nodes[i];
        memcpy(locals[i].translation, n->translation, sizeof n->translation);
        memcpy(locals[i].rotation, n->rotation, sizeof n->rotation);
        memcpy(locals[i].scale, n->scale, sizeof n->scale);
        pose.weights[i] = n->weights;
    }
    if (clip != BW_NONE) {
        size_t numbers = 0;
        for (uint32_t i = 0; i < g->clips[clip].channel_count; i++)
            numbers += g->clips[clip].channels[i].width;
        pose.numbers = tool_alloc(numbers, sizeof *pose.numbers);
        animate(&g->clips[clip], time, before, locals, &pose);
    }
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = g->order[k];
        const gltf_node *n = &g->nodes[i];
        bw_transform own = n->has_matrix
                               ? n->matrix
                               : node_compose(locals[i].translation, locals[i].rotation, locals[i].scale);
        pose.nodes[i] = n->above == BW_NONE ? own : bw_transform_multiply(&pose.nodes[n->above], &own);
    }
    free(locals);
    return pose;
}

void pose_free(const gltf *g, gltf_pose *pose)
{
    for (uint32_t i = 0; i < g->counts[LIST_SKINS]; i++)
        free(pose->joints[i]);
    free(pose->joints);
    free(pose->nodes);
    free(pose->weights);
    free(pose->numbers);
}

void pose_morph(const gltf *g, const gltf_pose *pose, const gltf_place *place, double *out)
{
    const gltf_mesh *mesh = &g->meshes[place->mesh];
    const double *weights = pose->weights[place->node] ? pose->weights[place->node] : mesh->weights;
    const size_t count = 3 * (size_t)mesh->vertex_count;
    if (count > 0)
        memcpy(out, mesh->positions, count * sizeof *out);
    for (uint32_t t = 0; t < mesh->target_count; t++) {
        const double *target = mesh->targets[t];
        for (size_t i = 0; target && weights[t] != 0 && i < count; i++)
            out[i] += weights[t] * target[i];
    }
}

bw_transform pose_of_place(const gltf_pose *pose, const gltf_place *place)
{
    const bw_transform *node = &pose->nodes[place->node];
    return place->instanced ? bw_transform_multiply(node, &place->pose) : *node;
}

static const bw_transform *joints_of(const gltf *g, gltf_pose *pose, uint32_t index)
{
    const gltf_skin *skin = &g->skins[index];
    if (!pose->joints[index]) {
        bw_transform *joints = tool_alloc(skin->joint_count, sizeof *joints);
        for (uint32_t i = 0; i < skin->joint_count; i++) {
            const bw_transform *joint = &pose->nodes[skin->joints[i]];
            joints[i] = skin->inverses ? bw_transform_multiply(joint, &skin->inverses[i]) : *joint;
        }
        pose->joints[index] = joints;
    }
    return pose->joints[index];
}

/* Every joint says where it takes the vertex; it goes to the weighted mean. The pose of the node that holds
 * the mesh does not matter. */
static void skin_vertices(const gltf_mesh *mesh, const bw_transform *joints, double *out)
{
    for (size_t v = 0; v < mesh->vertex_count; v++, out += 3) {
        bw_vec3 p = {out[0], out[1], out[2]};
        out[0] = out[1] = out[2] = 0;
        for (size_t k = v * mesh->influences; k < (v + 1) * mesh->influences; k++) {
            double weight = mesh->joint_weights[k];
            if (weight == 0)
                continue;
            bw_vec3 q = bw_transform_point(&joints[mesh->joints[k]], p);
            out[0] += weight * q.x;
            out[1] += weight * q.y;
            out[2] += weight * q.z;
        }
    }
}

void pose_vertices(const gltf *g, gltf_pose *pose, const gltf_place *place, double *out)
{
    const gltf_mesh *mesh = &g->meshes[place->mesh];
    uint32_t skin = g->nodes[place->node].skin;
    if (mesh->vertex_count == 0)
        return;
    pose_morph(g, pose, place, out);
    if (skin != BW_NONE) {
        skin_vertices(mesh, joints_of(g, pose, skin), out);
        return;
    }
    bw_transform world = pose_of_place(pose, place);
    for (size_t v = 0; v < mesh->vertex_count; v++, out += 3) {
        bw_vec3 q = bw_transform_point(&world, (bw_vec3){out[0], out[1], out[2]});
        out[0] = q.x;
        out[1] = q.y;
        out[2] = q.z;
    }
}

void gltf_positions(const gltf *g, uint32_t clip, double time, bool before, double *out)
{
    gltf_pose pose = pose_make(g, clip, time, before);
    for (uint32_t i = 0; i < g->place_count; i++) {
        pose_vertices(g, &pose, &g->places[i], out);
        out += 3 * (size_t)g->meshes[g->places[i].mesh].vertex_count;
    }
    pose_free(g, &pose);
}
