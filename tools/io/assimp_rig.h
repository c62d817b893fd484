/* An imported scene as something that moves: its nodes under an animation, skins and morph targets. */
#ifndef TOOL_IO_ASSIMP_RIG_H
#define TOOL_IO_ASSIMP_RIG_H

#include "io/assimp.h"

typedef struct rig_node {
    const struct aiNode *node;
    uint32_t above;                   /* BW_NONE: the root. Nodes above come first. */
    const struct aiNodeAnim *channel; /* NULL: it stands still */
    const struct aiMeshMorphAnim *morph;
    bw_transform pose; /* in the world, at the time of the last rig_pose */
} rig_node;

typedef struct rig {
    rig_node *nodes;
    uint32_t count;
    uint32_t *by_name;    /* the nodes in the order of their names */
    double *sum, *weight; /* room for the largest mesh: skinned positions and their weights */
    const struct aiAnimation *animation;
    uint32_t strange_channels; /* of the animation: for nodes that are not there, or of a kind not known */
} rig;

rig rig_create(const assimp_scene *from, const struct aiAnimation *animation);
/* Puts every node where it is at that time, in ticks of the animation. Outside of its keys a channel stays
 * what it is at the nearest. */
void rig_pose(rig *rig, double tick);
/* The vertices of a placed mesh in the world, three numbers each, at the time of the last rig_pose. */
void rig_vertices(rig *rig, const assimp_place *place, double tick, double *out);

#endif
