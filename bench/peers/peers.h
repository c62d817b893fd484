/* Other libraries behind one interface in C, so that a bench measures them all in the same way.
 *
 * Each is used the cheapest legitimate way that we know: no contact points where it can do without, no
 * allocation that its interface lets us keep, no copy that it does not force on us. docs/BENCHMARKS.md says
 * for each what that means. */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include <boxwood/math.h>
#include <boxwood/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bw_peer_ray {
    bw_vec3 origin, direction; /* the direction has length 1 */
} bw_peer_ray;

/* Sums of areas over the root's: what a random line that meets the root costs. */
typedef struct bw_peer_sah {
    double inner;      /* of inner nodes: nodes that it meets */
    double primitives; /* of leaves, times their primitives: primitives that it is tested with */
    double blocks;     /* of leaves, times their primitives in eights: tests of eight at a time */
} bw_peer_sah;

/* What a library can do. A NULL function is something that it does not offer. A model is one mesh in its own
 * form. Pairs are counted once; pose maps the second model into the first one's space (NULL: identity) and is
 * rigid. */
typedef struct bw_peer {
    const char *name;
    /* Its answers are exact for the coordinates that ours are exact for: they must equal ours. */
    bool exact;
    /* The same library as another peer, held back: measured beside it for rays, and no ratio over it. */
    bool aside;
    /* Copies a tight BW_F32 triangle mesh; nothing is built yet. NULL where memory runs out. */
    void *(*create)(const bw_mesh *mesh);
    void (*destroy)(void *model);
    /* A tree from nothing, and throwing it away. Queries need it built. */
    void (*build)(void *model);
    void (*unbuild)(void *model);
    /* What a simulator does anyway: the new positions (xyz floats) where the library wants them. Not timed.
     */
    void (*move)(void *model, const float *positions);
    /* The tree follows the positions. */
    void (*refit)(void *model);
    /* How good the tree is. */
    void (*sah)(void *model, bw_peer_sah *out);

    uint64_t (*any)(void *a, void *b, const bw_transform *pose); /* 1: they meet, 0: not */
    uint64_t (*all)(void *a, void *b, const bw_transform *pose); /* pairs of triangles that meet */
    uint64_t (*self)(void *model); /* pairs of triangles of one mesh that meet beyond what they share */
    double (*distance)(void *a, void *b, const bw_transform *pose);
    double (*nearest)(void *model, const bw_vec3 *point);  /* distance of a point */
    uint64_t (*inside)(void *model, const bw_vec3 *point); /* 1: inside a closed mesh, 0: not */
    double (*ray)(void *model, const bw_peer_ray *ray);    /* parameter of the first hit; INFINITY: none */
    uint64_t (*occluded)(void *model, const bw_peer_ray *ray); /* 1: hits something */
    /* How many of so many rays hit something, by the library's call for many; any: whatever they hit, else
     * the first. */
    uint64_t (*rays)(void *model, const bw_peer_ray *rays, uint32_t count, bool any);
} bw_peer;

/* Ends with NULL; holds nothing else in a build without peers. */
extern const bw_peer *const bw_peers[];

#ifdef __cplusplus
}
#endif
#endif
