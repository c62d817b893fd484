/* Region queries of modern trees by a box. */
#include "base/stack.h"
#include "scene/modern/kernels.h"
#include "scene/modern/modern.h"

enum { LEAVES_AT_ONCE = 32 };

#define TEMPLATE "scene/modern/query_template.h"
#include "scene/modern/each_level.h"

uint32_t bw_modern_boxes_meet(bw_simd simd, const float (*boxes)[6], uint32_t count, const float query[8])
{
    return AT_LEVEL(simd, boxes_meet, boxes, count, query);
}

bw_result bw_modern_query_box(const bw_modern_tree *tree, const bw_region_test *test, bw_object_sink *sink)
{
    return AT_LEVEL(tree->base.simd, find_box, tree, test->query, sink);
}
