/* Scenes with something of everything, by chance. */
#ifndef TEST_GLTF_FIGURES_H
#define TEST_GLTF_FIGURES_H

#include "tool/gltf/writer.h"

/* Nodes in random trees with any signs of scale, meshes of every mode and component, morph targets, skins,
 * instances, several scenes and clips. */
void figures_random(writer *w);
double figures_number(writer *w, double low, double high);
void figures_rotation(writer *w, double q[4]);

#endif
