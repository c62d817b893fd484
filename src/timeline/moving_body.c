/* Meshes in motion, for separation lists and the timeline. */
#include "timeline/moving_body.h"

#include "mesh/view.h"

bw_result bw_moving_check(const bw_moving *moving)
{
    if (moving->mesh == NULL || moving->motion == NULL)
        return BW_ERROR_ARGUMENT;
    bw_result result = bw_motion_validate(moving->motion, NULL);
    if (result != BW_OK)
        return result;
    if (moving->mesh->vertex_count != moving->motion->vertex_count)
        return BW_ERROR_MISMATCH;
    return bw_mesh_view_primitives(moving->mesh) == 0 ? BW_ERROR_EMPTY : BW_OK;
}

/* All keyframes are one. */
static bool is_still(const bw_motion *motion)
{
    bool still = motion->kind == BW_MOTION_KEYFRAMES;
    for (uint32_t k = 1; still && k < motion->frame_count; k++)
        still = motion->frames[k] == motion->frames[0];
    return still;
}

bw_result bw_moving_body_create(const bw_kinetic_use *use, const bw_kinetic_desc *desc,
                                const bw_moving *moving, bw_moving_body *out)
{
    bw_moving_body body = {.kinetic = NULL};
    bw_result result;
    if (is_still(moving->motion)) {
        body.mesh = *moving->mesh;
        body.mesh.scalar = moving->motion->scalar;
        body.mesh.positions = moving->motion->frames[0];
        body.mesh.stride = moving->motion->stride;
        bw_tree_desc tree = {
            .builder = desc->builder, .compact = true, .allocator = desc->allocator, .tasks = desc->tasks};
        result = bw_tree_create(&tree, &body.mesh, &body.still, NULL);
        if (result == BW_OK)
            body.still->ordered = true; /* hits come in the order of its partners' */
    } else
        result = bw_kinetic_create_for(use, desc, moving->mesh, moving->motion, &body.kinetic, NULL);
    if (result == BW_OK)
        *out = body;
    return result;
}

void bw_moving_body_release(bw_moving_body *body)
{
    bw_kinetic_destroy(body->kinetic);
    bw_tree_destroy(body->still);
    *body = (bw_moving_body){.kinetic = NULL};
}

size_t bw_moving_body_bytes(const bw_moving_body *body)
{
    if (body->kinetic != NULL) {
        bw_kinetic_stats stats = {0};
        bw_kinetic_get_stats(body->kinetic, &stats);
        return stats.bytes;
    }
    bw_tree_stats stats = {0};
    if (body->still != NULL)
        bw_tree_get_stats(body->still, &stats);
    return stats.bytes;
}

bw_result bw_moving_body_advance(bw_moving_body *body, double time)
{
    return body->kinetic != NULL ? bw_kinetic_advance(body->kinetic, time, NULL, NULL) : BW_OK;
}

bw_result bw_moving_body_show(bw_moving_body *body, bw_body *out)
{
    if (body->kinetic != NULL)
        return bw_kinetic_query_body(body->kinetic, out, NULL);
    *out = (bw_body){.tree = body->still, .mesh = &body->mesh};
    return BW_OK;
}
