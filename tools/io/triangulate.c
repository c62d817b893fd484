/* Ear cutting (Meisters, "Polygons have ears", 1975) with exact turns, so that collinear and touching corners
 * are decided as they are: rounding never lets a triangle cover what the polygon does not. */
#include "io/triangulate.h"

#include <assert.h>
#include <math.h>

/* The coordinate axis nearest to Newell's normal, and whether the polygon runs counter-clockwise about it. */
static int projection(const bw_vec3 *p, uint32_t count, bool *counter_clockwise)
{
    double n[3] = {0, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        /* Relative to the first corner: far from the origin the products would drown the area. */
        bw_vec3 a = p[i], b = p[(i + 1) % count], o = p[0];
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

typedef struct cut {
    const bw_vec3 *p;
    int axis;
    bool counter_clockwise;
} cut;

static int side(const cut *in, uint32_t a, uint32_t b, uint32_t c)
{
    int sign = bw_orient2d(&in->p[a], &in->p[b], &in->p[c], in->axis);
    return in->counter_clockwise ? sign : -sign;
}

static bool same_place(const cut *in, uint32_t a, uint32_t b)
{
    int u = (in->axis + 1) % 3, v = (in->axis + 2) % 3;
    const double *p = &in->p[a].x, *q = &in->p[b].x;
    return p[u] == q[u] && p[v] == q[v];
}

/* Whether corner i of the ring is an ear: it turns left and no other corner lies in its triangle, unless
 * where a corner of the triangle itself lies. */
static bool is_ear(const cut *in, const uint32_t *ring, uint32_t count, uint32_t i)
{
    uint32_t a = ring[(i + count - 1) % count], b = ring[i], c = ring[(i + 1) % count];
    if (side(in, a, b, c) <= 0)
        return false;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t q = ring[k];
        if (q == a || q == b || q == c || same_place(in, q, a) || same_place(in, q, b) ||
            same_place(in, q, c))
            continue;
        if (side(in, a, b, q) >= 0 && side(in, b, c, q) >= 0 && side(in, c, a, q) >= 0)
            return false;
    }
    return true;
}

/* A corner without turn whose cut loses no area: in the middle of a straight run, or the tip of a spike. */
static bool is_flat(const cut *in, const uint32_t *ring, uint32_t count, uint32_t i)
{
    return side(in, ring[(i + count - 1) % count], ring[i], ring[(i + 1) % count]) == 0;
}

static void emit(uint32_t triangle[3], const uint32_t *ring, uint32_t count, uint32_t i)
{
    triangle[0] = ring[(i + count - 1) % count];
    triangle[1] = ring[i];
    triangle[2] = ring[(i + 1) % count];
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
static bool is_convex(const cut *in, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (side(in, i, (i + 1) % count, (i + 2) % count) <= 0)
            return false;
    for (uint32_t i = 2; i < count; i++)
        if (side(in, 0, 1, i) <= 0 || side(in, 0, i - 1, i) <= 0)
            return false;
    return true;
}

bool triangulate(const bw_vec3 *corners, uint32_t count, uint32_t *scratch, uint32_t (*triangles)[3])
{
    assert(count >= 3);
    cut c = {corners, 0, false};
    c.axis = projection(corners, count, &c.counter_clockwise);
    if (count == 3 || is_convex(&c, count)) {
        fan(count, triangles);
        return true;
    }
    uint32_t *ring = scratch, left = count, done = 0, at = 0, tries = 0;
    for (uint32_t i = 0; i < count; i++)
        ring[i] = i;
    while (left > 3) {
        if (tries == 2 * left) {
            fan(count, triangles);
            return false;
        }
        /* Ears first: a flat corner cut too early can take a point that a later ear needs away from its edge.
         */
        if (tries < left ? is_ear(&c, ring, left, at) : is_flat(&c, ring, left, at)) {
            emit(triangles[done++], ring, left, at);
            for (uint32_t k = at; k + 1 < left; k++)
                ring[k] = ring[k + 1];
            left--;
            tries = 0;
            at = at == 0 ? 0 : at - 1;
        } else {
            tries++;
            at++;
        }
        if (at >= left)
            at = 0;
    }
    emit(triangles[done], ring, left, 1);
    if (side(&c, triangles[done][0], triangles[done][1], triangles[done][2]) < 0) {
        fan(count, triangles);
        return false;
    }
    return true;
}
