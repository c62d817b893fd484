/* Every kind of tree that can be built: what fault tests and fuzzers run over. A new builder or volume gets
 * its row. */
#ifndef BW_ORACLE_TREE_KINDS_H
#define BW_ORACLE_TREE_KINDS_H

#include <boxwood/tree.h>

typedef struct bw_tree_kind {
    bw_builder builder;
    bw_volume volume;
} bw_tree_kind;

static const bw_tree_kind bw_tree_kinds[] = {
    {BW_BUILDER_DEFAULT, BW_VOLUME_AABB},   {BW_BUILDER_MIDPOINT, BW_VOLUME_AABB},
    {BW_BUILDER_DEFAULT, BW_VOLUME_OBB},    {BW_BUILDER_MIDPOINT, BW_VOLUME_KDOP14},
    {BW_BUILDER_DEFAULT, BW_VOLUME_KDOP18}, {BW_BUILDER_DEFAULT, BW_VOLUME_KDOP26},
};
enum { BW_TREE_KINDS = sizeof bw_tree_kinds / sizeof *bw_tree_kinds };

#endif
