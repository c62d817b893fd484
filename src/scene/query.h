/* Queries of the trees, below the public ones. */
#ifndef BW_SCENE_QUERY_H
#define BW_SCENE_QUERY_H

#include "scene/anchor.h"
#include "scene/sink.h"
#include "scene/zone.h"

bw_result bw_anchor_query_box(const bw_anchor_tree *tree, bw_simd simd, const bw_allocator *allocator,
                              const bw_zone *test, bw_object_sink *sink);
bw_result bw_anchor_query_planes(const bw_anchor_tree *tree, bw_simd simd, const bw_allocator *allocator,
                                 const bw_zone *test, bw_object_sink *sink);
/* Of at most 32 boxes with two more floats behind them, those that meet a query: one bit each. */
uint32_t bw_stage_boxes_meet(bw_simd simd, const float (*boxes)[6], uint32_t count, const float query[8]);

#endif
