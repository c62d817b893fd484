#ifndef BW_SCENE_PAIRS_H
#define BW_SCENE_PAIRS_H

#include "scene/anchor.h"
#include "scene/pair_sink.h"

bw_result bw_anchor_pairs(const bw_anchor_tree *tree, bw_simd simd, const bw_allocator *allocator,
                          const bw_tasks *tasks, bw_pair_sink *sink);

#endif
