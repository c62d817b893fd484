/* All contacts of two bodies, by trying every pair of primitives. */
#ifndef BW_ORACLE_BRUTE_FORCE_H
#define BW_ORACLE_BRUTE_FORCE_H

#include <boxwood/collide.h>

typedef struct bw_brute_force {
    bw_hit *hits; /* sorted by a, then b; from malloc */
    uint64_t count;
} bw_brute_force;

/* What bw_collide must find. A body's tree may be NULL: it is only asked for its quarantine. Primitives in
 * quarantine take no part, nor do those with a fatal defect. Pairs whose boxes, of the very coordinates
 * tested, are apart are skipped; all others go to bw_triangle_triangle. BW_ERROR_RANGE where any mapped
 * coordinate leaves the exact range, whether a contact depends on it or not. Aborts without memory. */
bw_result bw_brute_force_pairs(const bw_body *a, const bw_body *b, bw_brute_force *out);
void bw_brute_force_free(bw_brute_force *truth);

/* Sorts by a, then b, so that another order of the same hits compares equal. */
void bw_brute_force_sort(bw_hit *hits, uint64_t count);
/* Whether this hit, of this kind, is one of them. */
bool bw_brute_force_contains(const bw_brute_force *truth, const bw_hit *hit);

#endif
