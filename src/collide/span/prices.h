/* What things cost where motion is followed, in nanoseconds of one core of an EPYC (Zen 3): measured once,
 * and used by the policies of pair caches and kinetic trees in place of a clock, so that the same calls make
 * the same choices. Only ratios matter. They come from profiles of the benches that they decide in: perf record
 * on `boxwood-bench kinetic-pair` and `kinetic-total`, time over the counts that the reports give. */
#ifndef BW_COLLIDE_SPAN_PRICES_H
#define BW_COLLIDE_SPAN_PRICES_H

/* A query of two bodies. */
#define BW_PRICE_NODE_PAIR 125.0 /* a pair of nodes in a traversal with what follows from it, */
#define BW_PRICE_TRIANGLES 20.0  /* and a pair of triangles */

/* The span engine. */
#define BW_PRICE_SPAN_NODES 65.0     /* a pair of nodes, */
#define BW_PRICE_SPAN_LEAVES 100.0   /* of leaves, */
#define BW_PRICE_SPAN_TRIANGLES 50.0 /* of triangles whose boxes meet at some time */
#define BW_PRICE_LISTED 1.0          /* a pair of its list in a later query, */
#define BW_PRICE_ACTIVE 50.0         /* and one that may meet then */
/* Where nothing is known yet: the engine costs so many traversals, and an answer this part of one. */
#define BW_GUESS_SPAN 2.2
#define BW_GUESS_ANSWER 0.2

/* Following a tree. A node stands for its eight leaves, about 45 triangles. */
#define BW_PRICE_REFIT 110.0         /* fitting a node and its leaves, */
#define BW_PRICE_SAMPLE 25.0         /* and the positions that it needs */
#define BW_PRICE_BLEND 125.0         /* a segment's boxes at its end */
#define BW_PRICE_COMPILE 290.0       /* the same with events in between, */
#define BW_PRICE_COMPILED_EVENT 40.0 /* and each event */
#define BW_PRICE_WRITE 55.0          /* the boxes of a node at a time, and the positions of its leaves */
#define BW_PRICE_VISIT 90.0          /* one node, looked at by a query with what follows from it */
#define BW_PRICE_COMPARE 22.0        /* one candidate for an extent in the queue */
#define BW_PRICE_PLAN 7000.0         /* a plan that changes, with the events that follow from it */

#endif
