/* Every form of tree that can be built: what tests and fuzzers run over. A new builder or volume gets its
 * row. */
#ifndef BW_ORACLE_TREE_FORMS_H
#define BW_ORACLE_TREE_FORMS_H

#include <boxwood/tree.h>

typedef struct bw_tree_form {
    bw_builder builder;
    bw_volume volume;
    bool compact;
} bw_tree_form;

static const bw_tree_form bw_tree_forms[] = {
    {BW_BUILDER_QUALITY, BW_VOLUME_AABB, false},    {BW_BUILDER_QUALITY, BW_VOLUME_AABB, true},
    {BW_BUILDER_FAST, BW_VOLUME_AABB, false},       {BW_BUILDER_FAST, BW_VOLUME_AABB, true},
#if BW_RESEARCH
    {BW_BUILDER_MIDPOINT, BW_VOLUME_AABB, false},   {BW_BUILDER_DEFAULT, BW_VOLUME_OBB, false},
    {BW_BUILDER_MIDPOINT, BW_VOLUME_KDOP14, false}, {BW_BUILDER_DEFAULT, BW_VOLUME_KDOP18, false},
    {BW_BUILDER_DEFAULT, BW_VOLUME_KDOP26, false},
#endif
};
enum { BW_TREE_FORMS = sizeof bw_tree_forms / sizeof *bw_tree_forms };

static inline bw_tree_desc bw_tree_form_desc(bw_tree_form form)
{
    return (bw_tree_desc){.builder = form.builder, .volume = form.volume, .compact = form.compact};
}

#endif
