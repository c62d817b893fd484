/* How good a tree is, by the surface area heuristic, counted in the same way for ours and for the peers'. */
#ifndef BENCH_QUALITY_H
#define BENCH_QUALITY_H

#include <boxwood/tree.h>

typedef struct bench_quality {
    double inner;  /* sum of the areas of the inner nodes over the root's: nodes that a random line meets */
    double leaves; /* sum of the areas of the leaves times their primitives, alike: primitives that it is
                      tested with */
} bench_quality;

bench_quality bench_tree_quality(const bw_tree *tree);

#endif
