#include "tool/gltf/draco_encode.h"

#include <draco/compression/encode.h>
#include <draco/mesh/mesh.h>

#include <cstdlib>
#include <cstring>

static uint32_t add(draco::Mesh *mesh, draco::GeometryAttribute::Type type, int8_t components,
                    draco::DataType data, bool normalized, size_t size, const void *values, uint32_t count)
{
    draco::GeometryAttribute attribute;
    attribute.Init(type, nullptr, static_cast<uint8_t>(components), data, normalized,
                   static_cast<int64_t>(size), 0);
    const int id = mesh->AddAttribute(attribute, true, count);
    for (uint32_t i = 0; i < count; i++)
        mesh->attribute(id)->SetAttributeValue(draco::AttributeValueIndex(i),
                                               static_cast<const char *>(values) + i * size);
    return mesh->attribute(id)->unique_id();
}

uint8_t *draco_encode(const draco_source *source, bool sequential, uint32_t ids[3], size_t *size)
{
    draco::Mesh mesh;
    const uint32_t n = source->vertex_count;
    mesh.set_num_points(n);
    ids[0] =
        add(&mesh, draco::GeometryAttribute::POSITION, 3, draco::DT_FLOAT32, false, 12, source->positions, n);
    ids[1] = add(&mesh, draco::GeometryAttribute::GENERIC, 4, draco::DT_UINT8, false, 4, source->joints, n);
    ids[2] = add(&mesh, draco::GeometryAttribute::GENERIC, 4, draco::DT_UINT8, true, 4, source->weights, n);
    for (uint32_t f = 0; f < source->face_count; f++) {
        draco::Mesh::Face face;
        for (uint32_t k = 0; k < 3; k++)
            face[k] = draco::PointIndex(source->faces[3 * f + k]);
        mesh.AddFace(face);
    }
    draco::Encoder encoder;
    encoder.SetEncodingMethod(sequential ? draco::MESH_SEQUENTIAL_ENCODING
                                         : draco::MESH_EDGEBREAKER_ENCODING);
    draco::EncoderBuffer buffer;
    if (!encoder.EncodeMeshToBuffer(mesh, &buffer).ok())
        return nullptr;
    *size = buffer.size();
    auto *out = static_cast<uint8_t *>(std::malloc(*size + 1));
    std::memcpy(out, buffer.data(), *size);
    return out;
}
