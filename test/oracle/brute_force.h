/* All contacts of two meshes, by trying every pair of primitives. */
#ifndef BW_ORACLE_BRUTE_FORCE_H
#define BW_ORACLE_BRUTE_FORCE_H

#include <boxwood/collide.h>

typedef struct bw_hit_list {
    bw_hit *hits; /* from malloc */
    size_t count;
} bw_hit_list;

/* The relative pose as bw_collide documents it; *out is untouched, and false returned, where both poses are
 * NULL. a_pose must have an inverse. */
bool bw_brute_relative(const bw_transform *a_pose, const bw_transform *b_pose, bw_transform *out);

/* The contacts of a with b mapped by `relative` (NULL: as it is), sorted by a, then b. Primitives with a
 * fatal defect take no part; nor do those without area if `quarantine` (a set as in bw_tree_desc) names them.
 * Pairs whose boxes, of the very coordinates tested, are apart are skipped; all others go to
 * bw_triangle_triangle. Aborts without memory. */
bw_hit_list bw_brute_force(const bw_mesh *a, const bw_mesh *b, const bw_transform *relative,
                           uint32_t quarantine);
void bw_hit_list_free(bw_hit_list *list);

/* Sorts by a, then b, so that another order of the same hits compares equal. */
void bw_hits_sort(bw_hit *hits, size_t count);

#endif
