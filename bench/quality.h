/* How good a tree is, by the surface area heuristic, counted in the same way for ours and for the peers'. */
#ifndef BENCH_QUALITY_H
#define BENCH_QUALITY_H

#include "peers/peers.h"
#include "runner.h"
#include <boxwood/tree.h>

bw_peer_sah bench_tree_quality(const bw_tree *tree);
/* Rows "sah" (inner nodes and leaves' tests of eight: what eight lanes make of it), "sah-inner",
 * "sah-primitives". */
void bench_print_quality(bench_case *c, const char *impl, const bw_peer_sah *sah);

#endif
