/* Two placed shapes, from the inside. */
#ifndef BW_SHAPE_PAIR_H
#define BW_SHAPE_PAIR_H

#include "shape/gap.h"

enum { BW_PAIR_POINTS = 4 }; /* room for so many points of a contact */

/* The public functions of the same names, for shapes that are ready; most: at most so many points. */
bw_contact_kind bw_pair_overlap(const bw_convex *a, const bw_convex *b);
void bw_pair_contact(const bw_convex *a, const bw_convex *b, double separation, int most,
                     bw_shape_cache *cache, bw_shape_contact *out);
void bw_pair_distance(const bw_convex *a, const bw_convex *b, bw_shape_cache *cache, bw_shape_nearest *out);
/* The same where farther than the limit is as good as infinite: then false, and *out is not written. */
bool bw_pair_distance_within(const bw_convex *a, const bw_convex *b, double limit, bw_shape_cache *cache,
                             bw_shape_nearest *out);

/* Places both; tells the fault which of them cannot be. */
bw_result bw_pair_place(const bw_placed_shape *a, const bw_placed_shape *b, bw_convex *out_a,
                        bw_convex *out_b, bw_fault *fault);

/* The public functions of the same names, of any shapes and any pointers. */
bw_result bw_pair_overlap_of(const bw_placed_shape *a, const bw_placed_shape *b, bw_contact_kind *kind,
                             bw_fault *fault);
bw_result bw_pair_contact_of(const bw_placed_shape *a, const bw_placed_shape *b, const bw_shape_desc *desc,
                             bw_shape_contact *out, bw_fault *fault);
bw_result bw_pair_distance_of(const bw_placed_shape *a, const bw_placed_shape *b, const bw_shape_desc *desc,
                              bw_shape_nearest *out, bw_fault *fault);

#endif
