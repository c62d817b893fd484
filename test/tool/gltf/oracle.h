/* glTF read and played in another way than tools/io/gltf does it, straight from the specification and for
 * sound files only: numbers are looked up one by one in the JSON and the buffers whenever they are needed,
 * points are row vectors and matrices stand on their right, quaternions become matrices by axis and angle,
 * slerp is a power of a quaternion, splines go by de Casteljau, skins blend matrices. Whatever is not sound
 * fails an assertion. */
#ifndef TEST_GLTF_ORACLE_H
#define TEST_GLTF_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct oracle oracle;

/* Text or GLB; buffers are data URIs or the binary chunk. */
oracle *oracle_open(const void *bytes, size_t size);
void oracle_close(oracle *o);
size_t oracle_clip_count(const oracle *o);
/* All key times of a clip, in any order; free() gives them back. */
double *oracle_keys(const oracle *o, size_t clip, size_t *count);
/* Three corners of every triangle of the scene, x, y, z each, node by node and primitive by primitive. clip
 * -1: at rest. free() gives them back. */
double *oracle_triangles(const oracle *o, int clip, double time, bool before, size_t *count);

#endif
