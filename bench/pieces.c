#include "pieces.h"

#include <boxwood/boxwood.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void piece_made(bw_result result)
{
    if (result == BW_OK)
        return;
    fprintf(stderr, "boxwood-bench: %s\n", bw_result_string(result));
    exit(2);
}

void piece_add(bws_mesh *whole, bws_mesh *piece)
{
    if (whole->vertex_count == 0) {
        *whole = *piece;
        return;
    }
    bws_mesh both;
    piece_made(bws_mesh_join(whole, piece, &both));
    bws_mesh_free(whole);
    bws_mesh_free(piece);
    *whole = both;
}

bw_vec3 piece_plus(bw_vec3 a, double s, bw_vec3 b)
{
    return (bw_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static bw_vec3 cross(bw_vec3 a, bw_vec3 b)
{
    return (bw_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

bw_vec3 piece_unit(bw_vec3 v)
{
    return piece_plus((bw_vec3){0, 0, 0}, 1.0 / sqrt(v.x * v.x + v.y * v.y + v.z * v.z), v);
}

static bw_vec3 on_tube(const void *user, double ring, double side)
{
    const piece_curve *c = user;
    const bw_vec3 here = c->middle(c, ring), ahead = c->middle(c, ring + 1e-4),
                  behind = c->middle(c, ring - 1e-4);
    const bw_vec3 along = piece_unit(piece_plus(ahead, -1, behind));
    const bw_vec3 aside = fabs(along.z) < 0.9 ? (bw_vec3){0, 0, 1} : (bw_vec3){1, 0, 0};
    const bw_vec3 u = piece_unit(cross(aside, along)), v = cross(along, u);
    const bool pole = !c->closed && (ring == 0 || ring == 1);
    const double r = pole ? 0 : c->radius[0] * (1 - ring) + c->radius[1] * ring;
    return piece_plus(piece_plus(here, r * bws_cos(2 * BWS_PI * side), u), r * bws_sin(2 * BWS_PI * side), v);
}

void piece_add_tube(bws_mesh *whole, const piece_curve *c, uint32_t rings, uint32_t sides)
{
    bws_mesh piece;
    piece_made(bws_tube(&(bws_tube_desc){rings, sides, c->closed, on_tube, c}, BW_F32, &piece));
    piece_add(whole, &piece);
}

bw_vec3 piece_straight(const piece_curve *c, double t)
{
    return piece_plus(c->from, t, piece_plus(c->to, -1, c->from));
}

/* A bar along the axes: six faces of so many squares. */
void piece_add_bar(bws_mesh *whole, bw_vec3 low, bw_vec3 high, double square)
{
    const double from[3] = {low.x, low.y, low.z}, to[3] = {high.x, high.y, high.z};
    for (int k = 0; k < 3; k++)
        for (int end = 0; end < 2; end++) {
            const int u = (k + 1 + end) % 3, v = (k + 2 - end) % 3;
            const uint32_t nu = (uint32_t)fmax(1, (to[u] - from[u]) / square + 0.5),
                           nv = (uint32_t)fmax(1, (to[v] - from[v]) / square + 0.5);
            bws_mesh face;
            piece_made(bws_mesh_reserve((uint64_t)(nu + 1) * (nv + 1), 2 * (uint64_t)nu * nv, BW_F32, &face));
            for (uint32_t i = 0, t = 0; i <= nu; i++)
                for (uint32_t j = 0; j <= nv; j++) {
                    double p[3];
                    p[k] = end == 0 ? to[k] : from[k];
                    p[u] = from[u] + (to[u] - from[u]) * i / nu;
                    p[v] = from[v] + (to[v] - from[v]) * j / nv;
                    const uint32_t at = i * (nv + 1) + j;
                    bws_mesh_set_vertex(&face, at, (bw_vec3){p[0], p[1], p[2]});
                    if (i < nu && j < nv) {
                        bws_triangle(&face, t++, at, at + nv + 1, at + nv + 2);
                        bws_triangle(&face, t++, at, at + nv + 2, at + 1);
                    }
                }
            piece_add(whole, &face);
        }
}
