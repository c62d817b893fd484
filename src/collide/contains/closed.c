/* A surface is closed if its boundary is nothing: if every edge belongs to an even number of triangles. Edges
 * are known by the positions of their ends, since the triangles of many files share no vertices. Instead of
 * a table of all edges, each has a fingerprint of 128 bits, and their sum without carry is zero exactly where
 * all come in pairs, but for a chance of 2^-128. */
#include "collide/contains/closed.h"

#include "base/hash.h"
#include "mesh/view.h"

#include <string.h>

bw_fingerprint bw_fingerprint_of_vertex(bw_vec3 p)
{
    const double x[3] = {p.x + 0.0, p.y + 0.0, p.z + 0.0}; /* 0 and -0 are one place */
    bw_fingerprint f = {0x9e3779b97f4a7c15u, 0xc2b2ae3d27d4eb4fu};
    for (int k = 0; k < 3; k++) {
        uint64_t bits;
        memcpy(&bits, &x[k], sizeof bits);
        f.low = bw_hash_stir(f.low + bits);
        f.high = bw_hash_stir((f.high ^ bits) + 0x165667b19e3779f9u);
    }
    return f;
}

/* The same from both ends. An edge without length bounds nothing. */
bw_fingerprint bw_fingerprint_of_edge(bw_fingerprint a, bw_fingerprint b)
{
    if (a.low == b.low && a.high == b.high)
        return (bw_fingerprint){0, 0};
    return (bw_fingerprint){bw_hash_stir(a.low + b.low) ^ bw_hash_stir(a.low ^ b.low),
                            bw_hash_stir(a.high + b.high) ^ bw_hash_stir(a.high ^ b.high)};
}

/* The sums over all edges of the tree's triangles: without carry, where each that comes twice leaves nothing;
 * and of numbers that are negative where the edge is run through the other way. */
static void sum_edges(const bw_wide *tree, const bw_mesh *mesh, bw_fingerprint *without_carry,
                      bw_fingerprint *signed_sum)
{
    bw_fingerprint sum = {0, 0}, directed = {0, 0};
    for (size_t slot = 0; slot < (size_t)tree->leaf_count * BW_WIDTH; slot++) {
        if (tree->primitives[slot] == BW_NONE)
            continue;
        bw_vec3 corners[3];
        bw_mesh_view_corners(mesh, tree->primitives[slot], corners);
        bw_fingerprint f[3];
        for (int k = 0; k < 3; k++)
            f[k] = bw_fingerprint_of_vertex(corners[k]);
        for (int k = 0; k < 3; k++) {
            const bw_fingerprint edge = bw_fingerprint_of_edge(f[k], f[(k + 1) % 3]);
            const bool forward = f[k].low < f[(k + 1) % 3].low;
            sum.low ^= edge.low;
            sum.high ^= edge.high;
            directed.low += forward ? edge.low : 0 - edge.low;
            directed.high += forward ? edge.high : 0 - edge.high;
        }
    }
    *without_carry = sum;
    *signed_sum = directed;
}

bool bw_body_closed_oriented(const bw_body *body, bool *oriented)
{
    bw_fingerprint sum = {1, 1}, directed = {1, 1};
    if (body->mesh->indices != NULL)
        sum_edges(&body->tree->wide, body->mesh, &sum, &directed);
    if (oriented != NULL)
        *oriented = directed.low == 0 && directed.high == 0;
    return sum.low == 0 && sum.high == 0;
}

bool bw_body_closed(const bw_body *body)
{
    return bw_body_closed_oriented(body, NULL);
}
