/* In the place of the readers through assimp, where that is not there. */
#include "io/readers.h"

static bool refuse(const char *file, fault *why)
{
    return fault_set(
        why,
        "%s: this build reads OBJ, PLY, STL, OFF, MDL, MD2, MD3 and glTF: it was made without assimp, which "
        "would read other formats",
        file);
}

bool read_assimp(const char *file, model *out, fault *why)
{
    (void)out;
    return refuse(file, why);
}

bool open_assimp(const char *file, const animation_desc *desc, model *out, stream *frames, fault *why)
{
    (void)desc;
    (void)out;
    (void)frames;
    return refuse(file, why);
}
