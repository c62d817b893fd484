#include "tree/build.h"

bw_result bw_wide_build(const bw_wide_desc *desc, const bw_box *boxes, const uint32_t *ids, uint32_t count,
                        bw_wide *out)
{
    static const bw_wide_desc defaults = {0};
    if (desc == NULL)
        desc = &defaults;
    if (count == 0)
        return BW_ERROR_EMPTY;
    if (count > 1u << 30)
        return BW_ERROR_SIZE;
    bw_wide wide;
    bw_result result = desc->builder == BW_WIDE_FAST ? bw_wide_build_fast(desc, boxes, ids, count, &wide)
                                                     : bw_wide_build_quality(desc, boxes, ids, count, &wide);
    if (result != BW_OK)
        return result;
    bw_wide_mark_built(&wide);
    *out = wide;
    return BW_OK;
}
