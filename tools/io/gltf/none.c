/* In the place of the reader of glTF, where jansson is not there. */
#include "io/gltf/gltf.h"

static bool refuse(const char *file, fault *why)
{
    return fault_set(why, "%s: this build reads no glTF: it was made without jansson", file);
}

bool read_gltf(const text *whole, model *out, fault *why)
{
    (void)out;
    return refuse(whole->file, why);
}

bool sample_gltf(const char *file, const animation_desc *desc, model *out, sampler *sampler_out, fault *why)
{
    (void)desc;
    (void)out;
    (void)sampler_out;
    return refuse(file, why);
}
