/* Small polygons of integers: everything by looking at every pair. */
#include "plain_ears.h"

int64_t plain_area(const plain_polygon *p, uint32_t a, uint32_t b, uint32_t c)
{
    return (p->x[b] - p->x[a]) * (p->y[c] - p->y[a]) - (p->x[c] - p->x[a]) * (p->y[b] - p->y[a]);
}

int64_t plain_whole_area(const plain_polygon *p)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t j = (i + 1) % p->count;
        sum += p->x[i] * p->y[j] - p->x[j] * p->y[i];
    }
    return sum;
}

static bool same(const plain_polygon *p, uint32_t a, uint32_t b)
{
    return p->x[a] == p->x[b] && p->y[a] == p->y[b];
}

static bool is_ear(const plain_polygon *p, const uint32_t *ring, uint32_t count, uint32_t i)
{
    uint32_t a = ring[(i + count - 1) % count], b = ring[i], c = ring[(i + 1) % count];
    if (plain_area(p, a, b, c) <= 0)
        return false;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t q = ring[k];
        if (same(p, q, a) || same(p, q, b) || same(p, q, c))
            continue;
        if (plain_area(p, a, b, q) >= 0 && plain_area(p, b, c, q) >= 0 && plain_area(p, c, a, q) >= 0)
            return false;
    }
    return true;
}

bool plain_ears(const plain_polygon *p, uint32_t (*triangles)[3])
{
    uint32_t ring[PLAIN_MOST], left = p->count, done = 0;
    for (uint32_t i = 0; i < left; i++)
        ring[i] = i;
    while (left > 2) {
        uint32_t at = left;
        for (uint32_t i = 0; i < left && at == left; i++)
            if (is_ear(p, ring, left, i))
                at = i;
        for (uint32_t i = 0; i < left && at == left; i++)
            if (plain_area(p, ring[(i + left - 1) % left], ring[i], ring[(i + 1) % left]) == 0)
                at = i;
        if (at == left)
            return false;
        triangles[done][0] = ring[(at + left - 1) % left];
        triangles[done][1] = ring[at];
        triangles[done++][2] = ring[(at + 1) % left];
        left--;
        for (uint32_t k = at; k < left; k++)
            ring[k] = ring[k + 1];
    }
    return true;
}

static int sign(int64_t x)
{
    return (x > 0) - (x < 0);
}

static bool on_segment(const plain_polygon *p, uint32_t a, uint32_t b, uint32_t q)
{
    return plain_area(p, a, b, q) == 0 && (p->x[q] - p->x[a]) * (p->x[q] - p->x[b]) <= 0 &&
           (p->y[q] - p->y[a]) * (p->y[q] - p->y[b]) <= 0;
}

/* Of two segments on one line: whether they share more than a point. */
static bool overlap(const plain_polygon *p, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    if (plain_area(p, a, b, c) != 0 || plain_area(p, a, b, d) != 0 || same(p, a, b) || same(p, c, d))
        return false;
    const int64_t *v = p->x[a] != p->x[b] ? p->x : p->y;
    int64_t low = v[a] < v[b] ? v[a] : v[b], high = v[a] + v[b] - low;
    int64_t low2 = v[c] < v[d] ? v[c] : v[d], high2 = v[c] + v[d] - low2;
    return low < high2 && low2 < high;
}

plain_kind plain_kind_of(const plain_polygon *p)
{
    plain_kind kind = PLAIN_SIMPLE;
    uint32_t n = p->count;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < i; j++) {
            uint32_t a = i, b = (i + 1) % n, c = j, d = (j + 1) % n;
            if (sign(plain_area(p, a, b, c)) * sign(plain_area(p, a, b, d)) < 0 &&
                sign(plain_area(p, c, d, a)) * sign(plain_area(p, c, d, b)) < 0)
                return PLAIN_CROSSES;
            /* Neighbours share a corner; they touch where they lie on each other or one is a point. */
            bool neighbours = b == c || d == a;
            if (overlap(p, a, b, c, d))
                kind = PLAIN_OVERLAPS;
            else if (kind == PLAIN_SIMPLE &&
                     (neighbours ? same(p, a, b) || same(p, c, d)
                                 : on_segment(p, a, b, c) || on_segment(p, a, b, d) ||
                                       on_segment(p, c, d, a) || on_segment(p, c, d, b)))
                kind = PLAIN_TOUCHES;
        }
    return kind;
}
