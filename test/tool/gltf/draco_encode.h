/* Writes the compressed meshes that the tests read. */
#ifndef TEST_GLTF_DRACO_ENCODE_H
#define TEST_GLTF_DRACO_ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct draco_source {
    const float *positions;
    const uint8_t *joints, *weights; /* four for each vertex */
    uint32_t vertex_count;
    const uint32_t *faces;
    uint32_t face_count;
} draco_source;

/* Nothing is quantised. ids receives those of positions, joints and weights. free() gives it back. */
uint8_t *draco_encode(const draco_source *source, bool sequential, uint32_t ids[3], size_t *size);

#ifdef __cplusplus
}
#endif

#endif
