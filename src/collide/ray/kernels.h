/* The traversal of rays at four levels of one source (base/simd/f32x8.h). What they test, and in which
 * order, may differ; the answers do not. */
#ifndef BW_COLLIDE_RAY_KERNELS_H
#define BW_COLLIDE_RAY_KERNELS_H

#include "collide/ray/decide.h"

/* One ray, whose best is set: false where its numbers are not of ordinary size or the tree is too deep, and
 * nothing is known. */
typedef bool bw_ray_trace_fn(bw_ray_state *s);

/* Many rays: what is asked, and where the answers go. */
typedef struct bw_ray_job bw_ray_job;
struct bw_ray_job {
    const bw_ray_target *target; /* ordinary, and with a layout of at most BW_RAY_STREAM_DEPTH nodes deep */
    const bw_ray *rays;
    bw_ray_hit *hits;
    uint32_t next, last; /* of the rays to cast */
    uint64_t found, nodes, leaves;
    bw_result result;
    /* For a ray that is not of ordinary size: its answer in another way, into hits[index]. False ends the
     * stream. */
    bool (*cast_other)(bw_ray_job *job, uint32_t index);
};
enum { BW_RAY_STREAM_DEPTH = 31 };
typedef void bw_ray_stream_fn(bw_ray_job *job);

/* All of bw_raycast for a body whose layout is usual (tree/wide/ray_layout.h), without a report, once the
 * arguments are checked: the nearest contact, or some. Rays that are not of ordinary size go to
 * bw_raycast_other. */
typedef bw_result bw_ray_usual_fn(const bw_body *body, const bw_ray *ray, const bw_raycast_desc *desc,
                                  bw_ray_hit *hit, bw_raycast_report *report, bw_fault *fault);
bw_ray_usual_fn bw_raycast_other; /* all of bw_raycast, for every ray */

/* Whether every ray has a length, a limit, and numbers of which the second point is in range, too: zero or from
 * 2^-200 to 2^200, of which what cancels leaves 2^-253 or nothing. */
typedef bool bw_ray_ordinary_fn(const bw_ray *rays, uint32_t count);
bw_ray_ordinary_fn bw_rays_ordinary;
#define BW_RAY_ORDINARY_MIN 0x1p-200
#define BW_RAY_ORDINARY_MAX 0x1p200

typedef struct bw_ray_kernels {
    bw_ray_usual_fn *usual[2];    /* by what is wanted: the nearest contact, or some; or NULL */
    bw_ray_trace_fn *trace[2][3]; /* by whether the tree has a layout for rays, and what is wanted */
    bw_ray_stream_fn *stream[2];  /* by what is wanted: the nearest contact, or some */
    bw_ray_ordinary_fn *all_ordinary;
} bw_ray_kernels;

extern const bw_ray_kernels bw_ray_kernels_128, bw_ray_kernels_avx2, bw_ray_kernels_avx512;
/* Streams gain nothing by AVX-512: the table of that level has these. */
bw_ray_stream_fn bw_ray_stream_near_avx2, bw_ray_stream_some_avx2;
const bw_ray_kernels *bw_ray_kernels_for(bw_simd level);

/* bw_ray_first_lane[0][mask][flips]: the lane of a set that comes first where slots are in the order of slot
 * XOR flips (tree/wide/ray_layout.h); 0 for none. [1]: where the other bits are flipped. */
extern const uint8_t bw_ray_first_lane[2][256][8];

/* How a ray goes through the children of a node: by the column (reference >> shift & 7) of a table. */
typedef struct bw_ray_sight {
    const uint8_t *table;
    uint32_t shift;
} bw_ray_sight;
static inline bw_ray_sight bw_ray_sight_of(uint32_t octant)
{
    const uint32_t turned = octant >> 2; /* octants come in no order: no branch */
    return (bw_ray_sight){bw_ray_first_lane[turned][0], BW_RAY_FLIPS_SHIFT + 3 * (octant ^ 7 * turned)};
}

#endif
