/* Which vertices of each of two bodies are inside the other, and the volume that the bodies share.
 *
 * Both follow from where edges of one cross triangles of the other, if the bodies are in general position: no
 * vertex on a triangle, no edge on an edge. Bodies that are not are looked at with b moved a little, by far
 * less than anything that is told of them; how far is known.
 *
 * Along an edge the winding number of the other body changes by one at each crossing, so one ray for each
 * connected piece tells it for all vertices. The volume is the integral of the product of both winding
 * numbers, by the divergence theorem a sum over the faces F of both bodies,
 *   V = 1/3 sum of (o - O) . A(F),  o a corner of F, O any point,
 * where A(F) is the vector area of F weighted by the other's winding number; and A(F), by Green's theorem, a
 * sum over the edges and over the segments in which triangles cross. Nothing has to be sorted. */
#ifndef BW_CONTACT_INSIDE_IMMERSION_H
#define BW_CONTACT_INSIDE_IMMERSION_H

#include "base/memory.h"
#include "contact/geometry.h"

/* A body in the other. */
typedef struct bw_immersed {
    const bw_body *body;
    bool closed, oriented;
    uint32_t vertex_count, primitive_count; /* of the mesh */
    uint32_t *triangles;                    /* those in the tree, ascending */
    uint32_t triangle_count;
    uint32_t *place;  /* of each vertex: the lowest at the same place; BW_NONE where no triangle uses it */
    uint32_t *piece;  /* of each place, where the other body is closed: disjoint sets, the connected pieces */
    int32_t *winding; /* of the other body around each place; 0 where that is not closed */
    int32_t *jump;    /* 3 * primitive + edge: how much the winding number grows along it */
    uint32_t *cuts;   /* and at how many crossings */
    double area;      /* in the world */
} bw_immersed;

typedef struct bw_immersion {
    const bw_allocator *allocator;
    bw_immersed a, b;
    bool known;                  /* the windings are; else no general position was found */
    double moved;                /* how far b was moved for that, in the world */
    double volume, volume_error; /* the error is infinite where the volume is not known */
} bw_immersion;

/* Whether a vertex is inside the other body. */
static inline bool bw_immersed_inside(const bw_immersed *body, uint32_t vertex)
{
    return (body->winding[body->place[vertex]] & 1) != 0;
}

/* hits: all of the two bodies, which are of wide trees. The immersion is to be released in any case. */
bw_result bw_immersion_find(const bw_contact_frame *frame, const bw_hit *hits, uint32_t hit_count,
                            const bw_allocator *allocator, const bw_tasks *tasks, bw_immersion *out);
void bw_immersion_release(bw_immersion *immersion);

#endif
