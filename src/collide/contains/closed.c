/* A surface is closed if its boundary is nothing: if every edge belongs to an even number of triangles. Edges
 * are known by the positions of their ends, since the triangles of many files share no vertices. Instead of
 * a table of all edges, each has a fingerprint of 128 bits, and their sum without carry is zero exactly where
 * all come in pairs, but for a chance of 2^-128. */
#include "collide/contains/closed.h"

#include "mesh/view.h"

#include <string.h>

/* The finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): every bit of x reaches every bit. */
static uint64_t stir(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

bw_fingerprint bw_fingerprint_of_vertex(bw_vec3 p)
{
    const double x[3] = {p.x + 0.0, p.y + 0.0, p.z + 0.0}; /* 0 and -0 are one place */
    bw_fingerprint f = {0x9e3779b97f4a7c15u, 0xc2b2ae3d27d4eb4fu};
    for (int k = 0; k < 3; k++) {
        uint64_t bits;
        memcpy(&bits, &x[k], sizeof bits);
        f.low = stir(f.low + bits);
        f.high = stir((f.high ^ bits) + 0x165667b19e3779f9u);
    }
    return f;
}

/* The same from both ends. An edge without length bounds nothing. */
bw_fingerprint bw_fingerprint_of_edge(bw_fingerprint a, bw_fingerprint b)
{
    if (a.low == b.low && a.high == b.high)
        return (bw_fingerprint){0, 0};
    return (bw_fingerprint){stir(a.low + b.low) ^ stir(a.low ^ b.low),
                            stir(a.high + b.high) ^ stir(a.high ^ b.high)};
}

static bool is_closed(const bw_wide *tree, const bw_mesh *mesh)
{
    bw_fingerprint sum = {0, 0};
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
            sum.low ^= edge.low;
            sum.high ^= edge.high;
        }
    }
    return sum.low == 0 && sum.high == 0;
}

bool bw_body_closed(const bw_body *body)
{
    return body->mesh->indices != NULL && is_closed(&body->tree->wide, body->mesh);
}
