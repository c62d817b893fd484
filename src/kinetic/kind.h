/* What the methods of kinetic trees do differently behind the public functions: one row per method, as
 * tree/kind.h has one per kind of tree. */
#ifndef BW_KINETIC_KIND_H
#define BW_KINETIC_KIND_H

#include "kinetic/kinetic.h"

typedef struct bw_kinetic_kind {
    bool own_reading; /* reads k->positions themselves: no keyframe may stand in for them */
    bool tight_start; /* the boxes of the builder are those of the method */
    /* What it needs for the tree as it is. On failure it must still be released. NULL, as the next five:
     * nothing to do. */
    bw_result (*create)(bw_kinetic *k);
    void (*release)(bw_kinetic *k);
    size_t (*bytes)(const bw_kinetic *k);
    /* Sets everything up for a time; goes on to a later one. */
    bw_result (*start)(bw_kinetic *k, double time, bw_kinetic_report *report);
    bw_result (*advance)(bw_kinetic *k, double time, bw_kinetic_report *report);
    /* The plans of these vertices have changed. */
    void (*replan)(bw_kinetic *k, const uint32_t *vertices, uint32_t count);
    const bw_heap *(*heap)(const bw_kinetic *k); /* of its certificates; NULL: it has none */
    /* Writes all boxes for k->now, or those of one node (NULL: single nodes cannot be told). */
    bw_result (*fit)(bw_kinetic *k);
    void (*fit_node)(bw_kinetic *k, uint32_t node);
    const char *(*check)(const bw_kinetic *k); /* NULL: there is nothing to check */
    /* Room for a tree of so many nodes, all as it was on failure; then one primitive comes or goes. NULL: what
     * was made for the tree is made again when it is next used. */
    bw_result (*reserve)(bw_kinetic *k, uint32_t nodes);
    void (*insert)(bw_kinetic *k, const bw_wide_editor *editor, uint32_t primitive);
    void (*remove)(bw_kinetic *k, const bw_wide_editor *editor, uint32_t primitive);
} bw_kinetic_kind;

/* By method; DEFAULT and AUTO have none, nor has BOXTREE where it is not built. */
extern const bw_kinetic_kind *const bw_kinetic_kinds[];

static inline const bw_kinetic_kind *bw_kind_of(const bw_kinetic *k)
{
    return bw_kinetic_kinds[k->method];
}

#endif
