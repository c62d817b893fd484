/* Where a build starts: checks, sources of boxes, and the builder that was chosen. */
#include "tree/build/build.h"

#include "tree/build/lbvh/lbvh.h"
#include "tree/build/sah/sah.h"
#include "tree/wide/leaf_corners.h"
#include "tree/wide/leaf_vertices.h"

static bw_result fill(bw_wide *wide, const bw_wide_desc *desc, const bw_mesh *mesh, bw_wide_form form)
{
    if (form == BW_WIDE_CORNERS && wide->corners == NULL)
        return bw_wide_fill_corners(wide, mesh, desc->tasks, desc->simd);
    return form == BW_WIDE_VERTICES && wide->vertices == NULL ? bw_wide_fill_vertices(wide, mesh, desc->tasks)
                                                              : BW_OK;
}

static bw_result build(const bw_wide_desc *desc, bw_box_source *source, bw_wide_form form, bw_wide *out)
{
    static const bw_wide_desc defaults = {0};
    if (desc == NULL)
        desc = &defaults;
    if (source->count == 0)
        return BW_ERROR_EMPTY;
    if (source->count > 1u << 30)
        return BW_ERROR_SIZE;
    source->simd = bw_simd_level(desc->simd);
    bw_wide wide;
    bw_result result = desc->builder == BW_WIDE_FAST ? bw_wide_build_lbvh(desc, source, form, &wide)
                                                     : bw_wide_build_sah(desc, source, form, &wide);
    if (result != BW_OK)
        return result;
    result = bw_cancel_go_on(desc->cancel) ? fill(&wide, desc, source->mesh, form) : BW_ERROR_STOPPED;
    if (result != BW_OK) {
        bw_wide_release(&wide);
        return result;
    }
    bw_wide_mark_built(&wide, desc->tasks);
    *out = wide;
    return BW_OK;
}

bw_result bw_wide_build(const bw_wide_desc *desc, const bw_box *boxes, const uint32_t *ids, uint32_t count,
                        bw_wide *out)
{
    return build(desc, &(bw_box_source){.boxes = boxes, .ids = ids, .count = count}, BW_WIDE_BARE, out);
}

bw_result bw_wide_build_mesh(const bw_wide_desc *desc, const bw_mesh *mesh, const uint32_t *ids,
                             uint32_t count, bw_wide_form form, bw_wide *out)
{
    return build(desc, &(bw_box_source){.mesh = mesh, .ids = ids, .count = count}, form, out);
}
