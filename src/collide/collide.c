#include "collide/binary_pair.h"
#include "collide/kdop_pair.h"
#include "collide/obb_pair.h"
#include "tree/tree.h"

static bool is_body(const bw_body *body)
{
    return body != NULL && body->tree != NULL && body->mesh != NULL;
}

/* Of two trees of the same volumes. */
static bw_result collide_trees(const bw_body *a, const bw_body *b, const bw_pose *pose, bw_sink *sink)
{
    const bw_tree *ta = a->tree, *tb = b->tree;
    switch (ta->volume) {
    case BW_VOLUME_AABB:
        return bw_binary_pair(&(bw_binary_side){&ta->binary, a->mesh},
                              &(bw_binary_side){&tb->binary, b->mesh}, pose, sink);
    case BW_VOLUME_OBB:
        return bw_obb_pair(&(bw_obb_side){&ta->obb, a->mesh}, &(bw_obb_side){&tb->obb, b->mesh}, pose, sink);
    default:
        return bw_kdop_pair(&(bw_kdop_side){&ta->kdop, a->mesh}, &(bw_kdop_side){&tb->kdop, b->mesh}, pose,
                            sink);
    }
}

bw_result bw_collide(const bw_body *a, const bw_body *b, const bw_collide_desc *desc,
                     bw_collide_report *report)
{
    static const bw_collide_desc defaults = {0};
    if (desc == NULL)
        desc = &defaults;
    if (!is_body(a) || !is_body(b) || report == NULL || (unsigned)desc->mode > BW_COLLIDE_COUNT ||
        (unsigned)desc->box_test > BW_BOX_TEST_SAT_LITE || (desc->hits == NULL && desc->capacity > 0))
        return BW_ERROR_ARGUMENT;
    bw_result result = bw_tree_accepts(a->tree, a->mesh);
    if (result == BW_OK)
        result = bw_tree_accepts(b->tree, b->mesh);
    if (result == BW_OK && a->tree->volume != b->tree->volume)
        result = BW_ERROR_UNSUPPORTED;
    bw_pose pose;
    if (result == BW_OK)
        result = bw_pose_between(a, b, &pose);
    if (result != BW_OK)
        return result;
    bw_sink sink = {.desc = desc};
    result = collide_trees(a, b, &pose, &sink);
    if (result == BW_OK)
        *report = sink.report;
    return result;
}
