/* Other libraries' trees over many boxes, behind one interface in C: what the scene benches compare with.
 *
 * Object i of the boxes given to create() has the id i. Every query returns how many objects (or pairs) it
 * found and, if ids is not NULL, writes the first `capacity` of them there. A NULL function is something that
 * the library lacks. */
#ifndef BENCH_SCENE_PEERS_H
#define BENCH_SCENE_PEERS_H

#include <boxwood/math.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is inside: normal . p + offset >= 0 (a box counts unless it lies wholly outside of one plane). */
typedef struct bw_peer_plane {
    float normal[3];
    float offset;
} bw_peer_plane;

typedef struct bw_scene_peer {
    const char *name;
    /* The fastest way to build: bullet-dbvt inserts one by one, Embree commits a scene. NULL where memory
     * runs out. */
    void *(*create)(const bw_box *boxes, uint32_t count);
    void (*destroy)(void *scene);
    /* bullet-dbvt: optimizeTopDown, its bulk builder, over what was inserted. */
    void (*optimize)(void *scene);
    /* A new box for the object, exactly this one: no margin. */
    void (*move)(void *scene, uint32_t id, const bw_box *box);
    void (*remove)(void *scene, uint32_t id);
    void (*insert)(void *scene, uint32_t id, const bw_box *box); /* an id that was removed */
    uint64_t (*query)(void *scene, const bw_box *box, uint32_t *ids, uint64_t capacity);
    uint64_t (*frustum)(void *scene, const bw_peer_plane *planes, uint32_t plane_count, uint32_t *ids,
                        uint64_t capacity);
    /* Objects whose boxes the segment from `from` to `to` meets. */
    uint64_t (*ray)(void *scene, const bw_vec3 *from, const bw_vec3 *to, uint32_t *ids, uint64_t capacity);
    /* All overlapping pairs, each once, as two ids each (capacity counts pairs). */
    uint64_t (*pairs)(void *scene, uint32_t (*ids)[2], uint64_t capacity);
} bw_scene_peer;

/* Ends with NULL; holds nothing else in a build without peers. Names: bullet-dbvt, embree-collide. */
extern const bw_scene_peer *const bw_scene_peers[];

#ifdef __cplusplus
}
#endif
#endif
