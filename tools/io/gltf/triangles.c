/* Triangles of lists, strips and fans, by section 3.7.2.1 of the specification. */
#include "io/gltf/triangles.h"

#include <inttypes.h>

size_t triangles_most_corners(uint64_t mode, size_t count)
{
    return mode == 4 ? count / 3 * 3 : mode < 4 ? count : count < 3 ? 0 : 3 * (count - 2);
}

size_t triangles_list(uint64_t mode, const double *indices, size_t count, uint32_t *out)
{
#define INDEX(i) (indices ? (uint32_t)indices[i] : (uint32_t)(i))
    size_t made = 0;
    if (mode == 0 || mode == 4) {
        for (; made < triangles_most_corners(mode, count); made++)
            out[made] = INDEX(made);
        return made;
    }
    for (size_t i = 0; i + 2 < count; i++) {
        uint32_t a, b, c;
        if (mode == 5) {
            a = INDEX(i);
            b = INDEX(i + 1 + i % 2);
            c = INDEX(i + 2 - i % 2);
        } else {
            a = INDEX(i + 1);
            b = INDEX(i + 2);
            c = INDEX(0);
        }
        if (a == b || b == c || c == a)
            continue;
        out[made++] = a;
        out[made++] = b;
        out[made++] = c;
    }
    return made;
#undef INDEX
}

bool triangles_indices_in_range(const path *at, const double *indices, size_t count, uint32_t vertex_count,
                                uint32_t restart)
{
    for (size_t i = 0; i < count; i++) {
        if (indices[i] >= restart)
            return path_fault(at, "index %zu is %.0f, the value that restarts primitives", i, indices[i]);
        if (indices[i] >= vertex_count)
            return path_fault(at, "index %zu is %.0f, and there are %" PRIu32 " vertices", i, indices[i],
                              vertex_count);
    }
    return true;
}

bool triangles_in_range(const path *at, const uint32_t *corners, size_t count, uint32_t vertex_count)
{
    for (size_t i = 0; i < count; i++)
        if (corners[i] >= vertex_count)
            return path_fault(at, "index %zu is %" PRIu32 ", and there are %" PRIu32 " vertices", i,
                              corners[i], vertex_count);
    return true;
}
