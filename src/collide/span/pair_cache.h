/* bw_pair_cache: what queries of one pair of bodies, or of one body with itself, remember from one to the
 * next, in an object of the caller's.
 *
 * - Of bodies that move by known courses: the pairs of triangles that may meet until a time, with the times
 *   between which they may (collide/span/candidates.h), in ascending order. While that time is not over a
 *   query looks at these pairs only: no traversal, and no box of either tree. The list is filled if by what
 *   is known of the two the queries to come save more than it costs; a list that was not used for long enough
 *   is not filled again for a while. A pose is part of the question: a list holds for that of its filling,
 *   and is filled for one that has stayed for a query.
 * - Whether each surface is closed, the boundary of one that is not, and which fan of triangles each vertex
 *   has.
 *
 * What is kept rests on the trees as they were: a tree is known by its serial number and by how often it has
 * changed, so a cache that meets other bodies, or the same ones changed, begins again. */
#ifndef BW_COLLIDE_SPAN_PAIR_CACHE_H
#define BW_COLLIDE_SPAN_PAIR_CACHE_H

#include "collide/hit_order.h"
#include "collide/self/fans.h"
#include "collide/span/candidates.h"

/* A tree as it was. */
typedef struct bw_tree_state {
    uint64_t serial; /* 0: none */
    uint64_t number; /* of changes, of edits, or of the edition of a course */
} bw_tree_state;

typedef struct bw_pair_list {
    bw_tree_state a, b;
    bool still_a, still_b; /* stands still; otherwise its state is that of a course */
    bool posed;            /* by `map`, when it was last asked for */
    bw_transform map;
    bool ready;
    double from, until;
    bw_array pairs;        /* bw_span_pair, ascending by a, then b */
    bw_array keys, places; /* to sort them: uint64_t, uint32_t */
    double last, pace;     /* when it was last asked for, and the time between two such times; 0: not known */
    double query;          /* the price of a traversal; 0: not known yet */
    double fill, answer;   /* and of filling the list, and of a query with it; 0: not known yet */
    uint32_t served;       /* queries since it was filled */
    uint32_t losses;       /* fillings in a row that did not pay */
    uint32_t wait;         /* queries before it is tried again */
    uint64_t fillings, active; /* so far; pairs that counted in the last answer */
} bw_pair_list;

struct bw_pair_cache {
    bw_allocator allocator;
    bool eager; /* fills the list whenever it can */
    bw_pair_list list;
    struct {
        bw_tree_state of;
        bool closed;
    } surfaces[2];
    bw_tree_state boundary_of;
    bw_array boundary; /* bw_boundary_edge */
    bw_tree_state fans_of;
    bw_fan_store fans;
};

void bw_pair_cache_init(struct bw_pair_cache *cache, const bw_allocator *allocator);
void bw_pair_cache_release(struct bw_pair_cache *cache);
size_t bw_pair_cache_bytes(const struct bw_pair_cache *cache);

/* Answers a query from the cache, or by traversal; the same hits in the same order. */
bw_result bw_pair_cache_query(struct bw_pair_cache *cache, const bw_cache_query *query,
                              bw_traverse_fn *traverse, bw_hit_sink *sink);

/* Fills the list if it does not hold for the bodies' time and filling it pays; whether it holds then. asked:
 * the caller wants to be asked whether to go on, which filling does not do. */
bool bw_pair_cache_prepare(struct bw_pair_cache *cache, const bw_cache_query *query, bool asked);
/* Whether it holds, as it is. */
bool bw_pair_cache_holds(const struct bw_pair_cache *cache, const bw_cache_query *query);

/* Whether a body's surface is closed (collide/contains/closed.h), remembered in place 0 or 1. */
bool bw_pair_cache_closed(struct bw_pair_cache *cache, int place, const bw_body *body);
/* The boundary of the last surface of a query (collide/contains/boundary.h). */
bw_result bw_pair_cache_boundary(struct bw_pair_cache *cache, const bw_body *body, const bw_array **out);
/* The fans of the body, as far as they are known. */
bw_fan_store *bw_pair_cache_fans(struct bw_pair_cache *cache, const bw_body *body);

/* Proves that every pair of triangles that meets now is among those that the list counts: all pairs are
 * tried, so it is for tests on small meshes. NULL, or a sentence about the first fault. */
const char *bw_pair_cache_check(const struct bw_pair_cache *cache, const bw_cache_query *query);

#endif
