/* KHR_draco_mesh_compression: the decoder of libdraco behind a C interface. */
#ifndef TOOL_IO_GLTF_DRACO_H
#define TOOL_IO_GLTF_DRACO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DRACO_EXTENSION "KHR_draco_mesh_compression"
#define DRACO_MISSING DRACO_EXTENSION ": this build has no decoder for it (libdraco)"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct draco_mesh draco_mesh;

#ifdef BOXWOOD_DRACO
static inline bool draco_is_there(void)
{
    return true;
}
/* NULL with words of the decoder where the bytes are no mesh. */
draco_mesh *draco_open(const uint8_t *bytes, size_t size, char error[200]);
void draco_close(draco_mesh *mesh);
uint32_t draco_point_count(const draco_mesh *mesh);
uint32_t draco_face_count(const draco_mesh *mesh);
void draco_faces(const draco_mesh *mesh, uint32_t *out);
/* The attribute of that unique id: `components` numbers for every point, integers as they are. False with
 * words where there is none, or it has another number of components. */
bool draco_attribute(const draco_mesh *mesh, uint32_t id, unsigned components, double *out, char error[200]);
#else
static inline bool draco_is_there(void)
{
    return false;
}
#endif

#ifdef __cplusplus
}
#endif

#endif
