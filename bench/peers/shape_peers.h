/* Other libraries' convex shapes, behind one interface in C: what the bench of shapes compares with. */
#ifndef BENCH_SHAPE_PEERS_H
#define BENCH_SHAPE_PEERS_H

#include <boxwood/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bw_shape_peer_query {
    BW_PEER_OVERLAP, /* do they meet? */
    BW_PEER_CONTACT, /* and where, in which direction, how deep */
    BW_PEER_DISTANCE /* with nearest points */
} bw_shape_peer_query;

typedef struct bw_shape_peer {
    const char *name;
    /* NULL where the library has no such shape. */
    void *(*create)(const bw_shape *shape);
    void (*destroy)(void *shape);
    /* The query for each pair of poses; how many pairs meet. */
    uint64_t (*run)(void *a, const bw_transform *poses_a, void *b, const bw_transform *poses_b,
                    uint32_t count, bw_shape_peer_query query);
} bw_shape_peer;

/* Ends with NULL; holds nothing else in a build without peers. */
extern const bw_shape_peer *const bw_shape_peers[];

#ifdef __cplusplus
}
#endif
#endif
