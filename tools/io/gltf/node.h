/* The hierarchy of nodes, the scene that is read, and where its meshes stand. */
#ifndef TOOL_IO_GLTF_NODE_H
#define TOOL_IO_GLTF_NODE_H

#include "io/gltf/document.h"

/* Nodes and their order; a fault for cycles and nodes below two others. */
bool node_read_all(gltf *g);
/* Marks the nodes of the default scene and makes the places of their meshes. */
bool node_place_all(gltf *g);
/* Fills the weights of nodes whose meshes are read by now. */
bool node_read_weights(gltf *g);

/* A column-major 4 by 4 matrix whose last row must be 0 0 0 1. */
bool node_affine(const path *at, const double m[16], bw_transform *out);
/* Translation, rotation (x, y, z, w, of any length but 0) and scale. */
bw_transform node_compose(const double t[3], const double r[4], const double s[3]);

#endif
