#include "collide/binary_pair.h"
#include "tree/tree.h"

static bool is_body(const bw_body *body)
{
    return body != NULL && body->tree != NULL && body->mesh != NULL;
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
    bw_pose pose;
    if (result == BW_OK)
        result = bw_pose_between(a, b, &pose);
    if (result != BW_OK)
        return result;
    bw_sink sink = {desc, {0}};
    bw_binary_side side_a = {&a->tree->binary, a->mesh}, side_b = {&b->tree->binary, b->mesh};
    result = bw_binary_pair(&side_a, &side_b, &pose, &sink);
    if (result == BW_OK)
        *report = sink.report;
    return result;
}
