/* What the removal of a primitive touched in the wide tree, for those that keep something for its nodes. */
#ifndef BW_KINETIC_REMOVAL_H
#define BW_KINETIC_REMOVAL_H

#include "tree/edit/edit.h"

typedef struct bw_removal {
    bool local;       /* false: more than one leaf and nodes above it changed, or they are too many to list */
    uint32_t leaf;    /* where the primitive was; without primitives if it is gone */
    uint32_t emptied; /* nodes above it that are gone: emptied, or their only child moved up */
    uint32_t path[64]; /* those, from below, and then the node whose lanes changed */
} bw_removal;

static inline void bw_remove_primitive(const bw_wide_editor *editor, uint32_t primitive, bw_removal *out)
{
    enum { DEEPEST = sizeof out->path / sizeof out->path[0] };
    const bw_wide *wide = editor->wide;
    uint32_t length = 0;
    *out = (bw_removal){.leaf = wide->slot_of[primitive] / BW_WIDTH};
    for (uint32_t node = wide->leaves[out->leaf].parent; node != BW_NONE && length < DEEPEST;
         node = wide->nodes[node].parent)
        out->path[length++] = node;
    uint32_t lanes = wide->nodes[0].count, last = wide->nodes[0].child[lanes - 1];
    bool whole = out->path[length - 1] == 0;
    bw_wide_remove_one(editor, primitive);
    /* The root may take the place of its only child, whose lanes are then its own. */
    bool lowered = wide->node_count == 0 ||
                   (lanes <= 2 && (wide->nodes[0].count != lanes || wide->nodes[0].child[lanes - 1] != last));
    out->local = whole && !lowered;
    if (out->local && wide->leaves[out->leaf].count == 0)
        while (wide->nodes[out->path[out->emptied]].count == 0)
            out->emptied++;
}

#endif
