/* Region queries of modern trees by a box and by planes. */
#include "scene/modern/kernels.h"

uint32_t bw_modern_boxes_meet(bw_simd simd, const float (*boxes)[6], uint32_t count, const float query[8])
{
    return bw_modern_kernels_for(simd)->boxes_meet(boxes, count, query);
}

bw_result bw_modern_query_box(const bw_modern_tree *tree, const bw_region_test *test, bw_object_sink *sink)
{
    return bw_modern_kernels_for(tree->base.simd)->find_box(tree, test->query, sink);
}

bw_result bw_modern_query_planes(const bw_modern_tree *tree, const bw_region_test *test, bw_object_sink *sink)
{
    if (test->cache != NULL)
        bw_view_cache_reserve(test->cache, tree->nodes.end);
    return bw_modern_kernels_for(tree->base.simd)->cull(tree, test, test->cache, sink);
}
