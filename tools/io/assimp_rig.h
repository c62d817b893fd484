/* An imported scene as something that moves: its nodes under an animation, skins and morph targets. */
#ifndef TOOL_IO_ASSIMP_RIG_H
#define TOOL_IO_ASSIMP_RIG_H

#include "io/model.h"

#include <assimp/scene.h>

typedef struct rig_node {
    const struct aiNode *node;
    uint32_t above;                   /* BW_NONE: the root. Nodes above come first. */
    const struct aiNodeAnim *channel; /* NULL: it stands still */
    const struct aiMeshMorphAnim *morph;
    bw_transform pose; /* in the world, at the time of the last rig_pose */
} rig_node;

typedef struct rig {
    const struct aiScene *scene;
    rig_node *nodes; /* depth first */
    uint32_t count;
    uint32_t *by_name;         /* the nodes in the order of their names */
    uint32_t **bones;          /* of each mesh: the node of each bone, or BW_NONE */
    double *sum, *weight;      /* room for the largest mesh: skinned positions and their weights */
    bool step;                 /* keys hold until the next */
    uint32_t strange_channels; /* of the animation: for nodes that are not there, or of a kind not known */
} rig;

/* The scene at rest. */
rig rig_create(const struct aiScene *scene);
/* Gives the nodes the channels of an animation; NULL: the scene at rest. */
void rig_play(rig *rig, const struct aiAnimation *animation);
/* Puts every node where it is at that time, in the unit of its keys. Outside of its keys a channel stays
 * what it is at the nearest. Where a channel has two keys at one time the later counts; with before, the
 * earlier. */
void rig_pose(rig *rig, double time, bool before);
/* The vertices of all meshes of a node, one mesh after the other. */
uint32_t rig_vertex_count(const rig *rig, uint32_t node);
/* Where they are in the world, three numbers each, at the time of the last rig_pose, which was the same. */
void rig_vertices(rig *rig, uint32_t node, double time, bool before, double *out);

bw_transform assimp_transform(const struct aiMatrix4x4 *matrix);

#endif
