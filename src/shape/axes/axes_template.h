/* How deep two solids of few vertices cross, by the facets of their difference. The includer defines WIDE_LEVEL and AXES_CONTACT, the
 * name of a function of shape/axes/axes.h.
 *
 * The depth is the least distance of a facet's plane: of faces of a, of faces of b, and of pairs of edges. Floats leave the few that
 * can be it, with margins that docs/lab/shapes.md derives, and doubles choose among these. A direction is at least as deep as any
 * two vertices are along it, so a few vertices rule out most edges: an arc of directions of which both ends are deeper than what is
 * known, by the same vertices, is so as a whole. */
#include "shape/axes/axes.h"
#include "shape/axes/edges.h"
#include "shape/axes/faces.h"
#include "shape/axes/regions.h"
#include "shape/axes/solid.h"

AXES_FN void measure_any(solid *s)
{
    if (s->map != NULL)
        measure_arcs(s, 0, s->count);
    else
        measure_all(s);
}

/* The depth as faces have it. False where that is left to the polytope. */
AXES_FN bool find_depth(search *s)
{
    solid *a = &s->a, *b = &s->b;
    if (a->points <= MOST_TRIED && b->points <= MOST_TRIED &&
        a->face_rows * b->points + b->face_rows * a->points <= 2000) {
        try_all(a, b);
        try_all(b, a);
        s->depth = lesser(measure_all(a), measure_all(b) * a->unit);
        return true;
    }
    try_some(s);
    if ((a->map != NULL || b->map != NULL) && !take_parts(s))
        return false;
    a->stride = b->stride = a->count + MOST_ROUNDS;
    measure_any(a);
    measure_any(b);
    try_faces(s);
    return true;
}

LANES_TARGET bool AXES_CONTACT(bw_gjk *g, double limit, bw_gap *out)
{
    search s;
    if (!take_solid(g->a, &s.a) || !take_solid(g->b, &s.b) || !make_frames(g, &s))
        return false;
    s.count = 0;
    if (!find_depth(&s) || !add_faces(&s, &s.a, 1, 1, BW_FACET_A) ||
        !add_faces(&s, &s.b, s.a.unit, s.b.unit, BW_FACET_B))
        return false;
    const bool all = s.depth > s.slack; /* else they are apart, or nearly so: a face may show it */
    bw_axes_answer best = {
        .depth = (double)INFINITY, .proven = (double)INFINITY, .loss = all ? g->margin : (double)INFINITY};
    if (all)
        mask_all(&s);
    take_faces(g, &s, all, &best);
    const int faces = s.count;
    return (!all || add_edges(&s)) && bw_axes_prove(g, s.facet + faces, s.count - faces, &best, limit, out);
}
