/* What the core leaves out: queries that ask for it are refused by the JavaScript of the core, so that the code behind them is not linked. Each
 * function stands for the one of the library of the same name, which the linker then does not look for. */
#include "collide/clearance/clearance.h"
#include "collide/contains/body.h"
#include "collide/contains/closed.h"
#include "collide/separation/separation.h"
#include "collide/span/pair_cache.h"

#include <boxwood/mesh.h>

bw_result bw_pair_cache_query(struct bw_pair_cache *cache, const bw_cache_query *query,
                              bw_traverse_fn *traverse, bw_hit_sink *sink)
{
    (void)cache;
    return traverse(query, sink);
}

/* Bodies in motion, whose hits are sorted, are not here. */
bw_result bw_traverse_in_order(const bw_cache_query *query, bw_traverse_fn *traverse, bw_hit_sink *sink)
{
    return traverse(query, sink);
}

bool bw_pair_cache_closed(struct bw_pair_cache *cache, int place, const bw_body *body)
{
    (void)cache;
    (void)place;
    (void)body;
    return false;
}

bool bw_body_closed(const bw_body *body)
{
    (void)body;
    return false;
}

bw_result bw_body_inside(const bw_metric_side *outer, const bw_metric_side *inner,
                         const bw_allocator *allocator, bool *inside)
{
    (void)outer;
    (void)inner;
    (void)allocator;
    (void)inside;
    return BW_ERROR_UNSUPPORTED;
}

bw_fan_store *bw_pair_cache_fans(struct bw_pair_cache *cache, const bw_body *body)
{
    (void)cache;
    (void)body;
    return NULL;
}

/* For rings of vertices, of which the core knows nothing. */
bw_result bw_adjacency_create(const bw_mesh *mesh, const bw_allocator *allocator, bw_adjacency **out,
                              bw_fault *fault)
{
    (void)mesh;
    (void)allocator;
    (void)out;
    (void)fault;
    return BW_ERROR_UNSUPPORTED;
}

void bw_adjacency_destroy(bw_adjacency *adjacency)
{
    (void)adjacency;
}

/* Nobody asks for a separation. */
bw_result bw_separation_prepare(bw_separation *out, double distance, const bw_body *a, const bw_body *b,
                                const bw_relative_pose *pose)
{
    (void)out;
    (void)distance;
    (void)a;
    (void)b;
    (void)pose;
    return BW_ERROR_UNSUPPORTED;
}

double bw_separation_along(const bw_separation *separation, const double n[3])
{
    (void)separation;
    (void)n;
    return 0;
}

/* No tree is prepared with a grid of distances. */
bool bw_clearance_view_init(bw_clearance_view *view, const bw_wide *a, const bw_wide *b,
                            const bw_relative_pose *pose, const struct bw_wide_kernels *kernels)
{
    (void)view;
    (void)a;
    (void)b;
    (void)pose;
    (void)kernels;
    return false;
}

uint32_t bw_clearance_near(const bw_clearance_view *view, float reach)
{
    (void)view;
    (void)reach;
    return 0xFFu;
}
