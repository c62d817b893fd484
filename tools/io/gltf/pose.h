/* Where nodes and vertices are at a time. */
#ifndef TOOL_IO_GLTF_POSE_H
#define TOOL_IO_GLTF_POSE_H

#include "io/gltf/document.h"

typedef struct gltf_pose {
    bw_transform *nodes;    /* each in the world */
    const double **weights; /* of the morph targets of each node; NULL: those of its mesh */
    bw_transform **joints;  /* of each skin, made when needed */
    double *numbers;        /* behind weights that are animated */
} gltf_pose;

/* clip BW_NONE: at rest. */
gltf_pose pose_make(const gltf *g, uint32_t clip, double time, bool before);
void pose_free(const gltf *g, gltf_pose *pose);
/* The vertices of a place in the world. */
void pose_vertices(const gltf *g, gltf_pose *pose, const gltf_place *place, double *out);
/* The vertices of a place before its node moves them: those of the mesh with its morph targets. */
void pose_morph(const gltf *g, const gltf_pose *pose, const gltf_place *place, double *out);
bw_transform pose_of_place(const gltf_pose *pose, const gltf_place *place);

#endif
