/* What the makers share. */
#ifndef BWS_OWNED_H
#define BWS_OWNED_H

#include "scenes/scenes.h"

/* Room for a mesh; triangle_count 0: a point cloud. */
bw_result bws_mesh_reserve(uint64_t vertex_count, uint64_t triangle_count, bw_scalar scalar, bws_mesh *out);

static inline void bws_triangle(bws_mesh *mesh, uint32_t t, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *corner = mesh->indices + 3 * (size_t)t;
    corner[0] = a;
    corner[1] = b;
    corner[2] = c;
}

static inline double bws_or(double given, double otherwise)
{
    return given == 0 ? otherwise : given;
}

static inline uint32_t bws_count_or(uint32_t given, uint32_t otherwise)
{
    return given == 0 ? otherwise : given;
}

/* A surface of rings of `sides` vertices each, joined one to the next. */
typedef struct bws_tube_desc {
    uint32_t rings, sides;
    bool closed_ring; /* the last ring joins the first (a torus) instead of ending in two poles */
    bw_vec3 (*at)(const void *user, double ring,
                  double side); /* ring and side in [0, 1]; the poles are rings 0 and 1 */
    const void *user;
} bws_tube_desc;
/* closed_ring: rings * sides vertices. Otherwise rings counts the ones between the poles, and each pole is
 * one vertex. Normals point outward where at() turns counter-clockwise around the direction of the rings. */
bw_result bws_tube(const bws_tube_desc *desc, bw_scalar scalar, bws_mesh *out);

/* What films share: the descriptor with defaults; room for a grid of squares (round: the last column joins
 * the first) with its triangles and times; the place of a vertex in it, a little off the regular one, in
 * [0, 1]; a position. */
bws_film_desc bws_film_completed(const bws_film_desc *given);
bw_result bws_film_grid(const bws_film_desc *desc, uint32_t columns, uint32_t rows, bool round,
                        bws_film *out);
void bws_film_parameter(uint32_t columns, uint32_t rows, bool round, uint32_t v, double out[2]);
void bws_film_put(bws_film *film, uint32_t frame, uint32_t v, bw_vec3 p);
/* A tube in motion: where the vertex at so much of a turn and so far down, both in [0, 1], is at a time. */
typedef bw_vec3 bws_tube_motion(double turn, double down, double time);
bw_result bws_film_tube(const bws_film_desc *given, bws_tube_motion *at, bws_film *out);

#endif
