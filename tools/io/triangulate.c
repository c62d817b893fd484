/* Polygons of any size: fans where they are convex, a sweep where they are simple, ears where they touch
 * themselves. */
#include "io/triangulate.h"

#include "fault.h"
#include "io/polygon/ears.h"
#include "io/polygon/sweep.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* The coordinate axis nearest to Newell's normal, and whether the polygon runs counter-clockwise about it. */
static int projection(const bw_vec3 *p, uint32_t count, bool *counter_clockwise)
{
    double n[3] = {0, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        /* Relative to the first corner: far from the origin the products would drown the area. */
        bw_vec3 a = p[i], b = p[i + 1 == count ? 0 : i + 1], o = p[0];
        a = (bw_vec3){a.x - o.x, a.y - o.y, a.z - o.z};
        b = (bw_vec3){b.x - o.x, b.y - o.y, b.z - o.z};
        n[0] += a.y * b.z - a.z * b.y;
        n[1] += a.z * b.x - a.x * b.z;
        n[2] += a.x * b.y - a.y * b.x;
    }
    int axis = fabs(n[0]) > fabs(n[1]) ? 0 : 1;
    if (fabs(n[2]) > fabs(n[axis]))
        axis = 2;
    *counter_clockwise = n[axis] > 0;
    return axis;
}

static void fan(uint32_t count, uint32_t (*triangles)[3])
{
    for (uint32_t i = 0; i + 2 < count; i++) {
        triangles[i][0] = 0;
        triangles[i][1] = i + 1;
        triangles[i][2] = i + 2;
    }
}

/* Whether the polygon is strictly convex and turns once: then a fan is the cut, found without looking at
 * every pair. All corners left of the first edge and seen from its start in rising order leave no room for a
 * second turn. */
static bool is_convex(const bw_vec3 *p, uint32_t count, int axis, bool counter_clockwise)
{
    int left = counter_clockwise ? 1 : -1;
    for (uint32_t i = 0; i < count; i++)
        if (bw_orient2d(&p[i], &p[(i + 1) % count], &p[(i + 2) % count], axis) != left)
            return false;
    for (uint32_t i = 2; i < count; i++)
        if (bw_orient2d(&p[0], &p[1], &p[i], axis) != left ||
            (i > 2 && bw_orient2d(&p[0], &p[i - 1], &p[i], axis) != left))
            return false;
    return true;
}

/* The corner farthest to the left, of several the lowest, turns as the polygon does where its edges do not
 * cross: this is exact, where the sum of areas is rounded. 0: its edges lie on each other, or another corner
 * is there, too. */
static int exact_turn(const plane_polygon *p)
{
    uint32_t first = 0;
    bool alone = true;
    for (uint32_t i = 1; i < p->count; i++) {
        const bw_vec3 *a = &p->at[i], *b = &p->at[first];
        bool same = plane_same(p, i, first), before = a->x < b->x || (a->x == b->x && a->y < b->y);
        alone = before || (alone && !same);
        if (before)
            first = i;
    }
    return alone ? plane_side(p, plane_previous(p, first), first, plane_next(p, first)) : 0;
}

bool triangulate(const bw_vec3 *corners, uint32_t count, uint32_t (*triangles)[3])
{
    assert(count >= 3);
    bool counter_clockwise;
    int axis = projection(corners, count, &counter_clockwise);
    if (count == 3 || is_convex(corners, count, axis, counter_clockwise)) {
        fan(count, triangles);
        return true;
    }
    plane_polygon p = {tool_alloc(count, sizeof *p.at), count, triangles, 0};
    for (uint32_t i = 0; i < count; i++) {
        const double *from = &corners[i].x;
        p.at[i] = (bw_vec3){from[(axis + 1) % 3], from[(axis + 2) % 3], 0};
    }
    int turn = exact_turn(&p);
    if (turn < 0 || (turn == 0 && !counter_clockwise))
        for (uint32_t i = 0; i < count; i++) /* a mirror makes it run the other way */
            p.at[i].x = -p.at[i].x;
    sweep_answer answer = sweep_cut(&p);
    bool whole = answer == SWEEP_CUT || (answer == SWEEP_TOUCHES && ears_cut(&p));
    if (!whole)
        fan(count, triangles);
    free(p.at);
    return whole;
}
