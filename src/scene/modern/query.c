/* Region queries of modern trees by a box. */
#include "base/stack.h"
#include "scene/modern/kernels.h"
#include "scene/modern/modern.h"

enum { LEAVES_AT_ONCE = 32 };

#define TARGET
#define KERNEL(name) name##_scalar
#include "scene/modern/query_template.h"
#undef KERNEL
#undef TARGET
#if BW_SIMD_X86
#    define TARGET BW_AVX2
#    define KERNEL(name) name##_avx2
#    include "scene/modern/query_template.h"
#    undef KERNEL
#    undef TARGET
#endif

uint32_t bw_modern_boxes_meet(bw_simd simd, const float (*boxes)[6], uint32_t count, const float query[8])
{
#if BW_SIMD_X86
    if (simd == BW_SIMD_AVX2)
        return boxes_meet_avx2(boxes, count, query);
#endif
    return boxes_meet_scalar(boxes, count, query);
}

bw_result bw_modern_query_box(const bw_modern_tree *tree, const bw_region_test *test, bw_object_sink *sink)
{
#if BW_SIMD_X86
    if (tree->base.simd == BW_SIMD_AVX2)
        return find_box_avx2(tree, test->query, sink);
#endif
    return find_box_scalar(tree, test->query, sink);
}
