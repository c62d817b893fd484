// libdraco behind a C interface. Nothing it throws leaves this file.
#include "io/gltf/draco.h"

#include <draco/compression/decode.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>

struct draco_mesh {
    std::unique_ptr<draco::Mesh> mesh;
};

static void say(char error[200], const char *text)
{
    std::snprintf(error, 200, "%s", text);
}

draco_mesh *draco_open(const uint8_t *bytes, size_t size, char error[200])
{
    try {
        draco::DecoderBuffer buffer;
        buffer.Init(reinterpret_cast<const char *>(bytes), size);
        draco::Decoder decoder;
        auto result = decoder.DecodeMeshFromBuffer(&buffer);
        if (!result.ok()) {
            say(error, result.status().error_msg());
            return nullptr;
        }
        return new draco_mesh{std::move(result).value()};
    } catch (const std::exception &e) {
        say(error, e.what());
        return nullptr;
    }
}

void draco_close(draco_mesh *m)
{
    delete m;
}

uint32_t draco_point_count(const draco_mesh *m)
{
    return m->mesh->num_points();
}

uint32_t draco_face_count(const draco_mesh *m)
{
    return m->mesh->num_faces();
}

void draco_faces(const draco_mesh *m, uint32_t *out)
{
    for (draco::FaceIndex f(0); f < m->mesh->num_faces(); ++f)
        for (size_t k = 0; k < 3; k++)
            *out++ = m->mesh->face(f)[k].value();
}

template <class T>
static bool copy(const draco_mesh *m, const draco::PointAttribute *a, unsigned components, double *out)
{
    const uint32_t count = m->mesh->num_points();
    for (draco::PointIndex p(0); p < count; ++p) {
        const draco::AttributeValueIndex at = a->mapped_index(p);
        if (at.value() >= a->size())
            return false;
        const uint8_t *value = a->GetAddress(at);
        for (unsigned k = 0; k < components; k++) {
            T number;
            std::memcpy(&number, value + k * sizeof(T), sizeof number);
            *out++ = static_cast<double>(number);
        }
    }
    return true;
}

static bool copy_any(const draco_mesh *m, const draco::PointAttribute *a, unsigned components, double *out)
{
    switch (a->data_type()) {
    case draco::DT_INT8:
        return copy<int8_t>(m, a, components, out);
    case draco::DT_UINT8:
        return copy<uint8_t>(m, a, components, out);
    case draco::DT_INT16:
        return copy<int16_t>(m, a, components, out);
    case draco::DT_UINT16:
        return copy<uint16_t>(m, a, components, out);
    case draco::DT_INT32:
        return copy<int32_t>(m, a, components, out);
    case draco::DT_UINT32:
        return copy<uint32_t>(m, a, components, out);
    case draco::DT_FLOAT32:
        return copy<float>(m, a, components, out);
    default:
        return false;
    }
}

bool draco_attribute(const draco_mesh *m, uint32_t id, unsigned components, double *out, char error[200])
{
    const draco::PointAttribute *a = m->mesh->GetAttributeByUniqueId(id);
    if (!a) {
        say(error, "the stream has no attribute of this id");
        return false;
    }
    if (static_cast<unsigned>(a->num_components()) != components) {
        say(error, "the stream has another number of components");
        return false;
    }
    if (!copy_any(m, a, components, out)) {
        say(error, "the stream has values that cannot be read");
        return false;
    }
    return true;
}
