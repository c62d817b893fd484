/* Sizes of descriptors and reports that are not our own. */
#include "base/sized.h"

enum { LARGEST = 1 << 16 }; /* what lies beyond is no structure, but memory that was not initialised */

bw_result bw_sized_check(const void *object, size_t own, bool read)
{
    const unsigned char *bytes = object;
    const uint32_t size = *(const uint32_t *)object;
    if (size < own || size > LARGEST || size % sizeof size != 0)
        return BW_ERROR_LAYOUT;
    for (size_t i = own; read && i < size; i++)
        if (bytes[i] != 0)
            return BW_ERROR_UNSUPPORTED;
    return BW_OK;
}
