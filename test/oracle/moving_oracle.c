#include "oracle/moving_oracle.h"

#include "oracle/ccd_oracle.h"

typedef bw_moving_point point;

static bw_alg *volume(const point *p, const point *q, const point *r, const point *s)
{
    point u = bw_moving_minus(q, p), v = bw_moving_minus(r, p), w = bw_moving_minus(s, p);
    point area = bw_moving_cross(&u, &v);
    return bw_moving_dot(&area, &w);
}

void bw_oracle_moving_pair(const bw_vec3 a[2][3], const uint32_t index_a[3], const bw_vec3 b[2][3],
                           const uint32_t index_b[3], bw_moving_pair *out)
{
    bw_vec3 start[6], end[6];
    point all[6];
    for (int i = 0; i < 3; i++) {
        start[i] = a[0][i];
        start[3 + i] = b[0][i];
        end[i] = a[1][i];
        end[3 + i] = b[1][i];
    }
    bw_alg_release(0);
    bw_oracle_moving_points(start, end, 6, all);
    for (int i = 0; i < 3; i++) {
        out->a[i] = all[i];
        out->b[i] = all[3 + i];
        out->index_a[i] = index_a[i];
        out->index_b[i] = index_b[i];
    }
    for (int i = 0; i < 6; i++)
        for (int j = i + 1; j < 6; j++)
            for (int k = j + 1; k < 6; k++)
                for (int l = k + 1; l < 6; l++)
                    out->volume[1 << i | 1 << j | 1 << k | 1 << l] =
                        volume(&all[i], &all[j], &all[k], &all[l]);
}

static const point *corner(const bw_moving_pair *pair, int i)
{
    return i < 3 ? &pair->a[i] : &pair->b[i - 3];
}

const bw_alg *bw_oracle_moving_volume(const bw_moving_pair *pair, int p, int q, int r, int s)
{
    return pair->volume[1 << p | 1 << q | 1 << r | 1 << s];
}

/* Signs of volumes at the time looked at, found once. */
static struct {
    const bw_moving_pair *pair;
    bool known[64];
    int sign[64];
} seen;

/* The corner that a point is, a copy. */
static int number_of(const point *p)
{
    int i = 0;
    while (corner(seen.pair, i)->c[0] != p->c[0])
        i++;
    return i;
}

static int volume_sign(const point *p, const point *q, const point *r, const point *s, bw_real *t)
{
    int id[4] = {number_of(p), number_of(q), number_of(r), number_of(s)}, turn = 1, set = 0;
    for (int i = 0; i < 4; i++) {
        if ((set & 1 << id[i]) != 0)
            return 0;
        set |= 1 << id[i];
        for (int j = 0; j < i; j++)
            turn = id[j] > id[i] ? -turn : turn;
    }
    if (!seen.known[set]) {
        seen.known[set] = true;
        seen.sign[set] = bw_alg_sign(seen.pair->volume[set], t);
    }
    return turn * seen.sign[set];
}

bw_alg *bw_oracle_moving_area(const bw_moving_pair *pair, int p, int q, int r, int axis)
{
    point u = bw_moving_minus(corner(pair, q), corner(pair, p));
    point v = bw_moving_minus(corner(pair, r), corner(pair, p));
    return bw_moving_cross(&u, &v).c[axis];
}

bw_alg *bw_oracle_moving_difference(const bw_moving_pair *pair, int p, int q, int axis)
{
    return bw_moving_minus(corner(pair, q), corner(pair, p)).c[axis];
}

static bool features_meet(bool edges, const point *p, const point *q, const point *r, const point *s,
                          bw_real *t)
{
    return volume_sign(p, q, r, s, t) == 0 &&
           bw_oracle_coplanar_meet(edges, (const point[4]){*p, *q, *r, *s}, t);
}

static bool on_triangle(const point *x, const point tri[3], bw_real *t)
{
    return features_meet(false, x, &tri[0], &tri[1], &tri[2], t);
}

/* Strictly through the inside. */
static bool pierces(const point *p, const point *q, const point tri[3], bw_real *t)
{
    int first = volume_sign(&tri[0], &tri[1], &tri[2], p, t);
    int last = volume_sign(&tri[0], &tri[1], &tri[2], q, t);
    if (first * last >= 0)
        return false;
    int side = volume_sign(p, q, &tri[0], &tri[1], t);
    return side != 0 && volume_sign(p, q, &tri[1], &tri[2], t) == side &&
           volume_sign(p, q, &tri[2], &tri[0], t) == side;
}

static bool segment_meets(const point *p, const point *q, const point tri[3], bw_real *t)
{
    if (on_triangle(p, tri, t) || on_triangle(q, tri, t) || pierces(p, q, tri, t))
        return true;
    for (int i = 0; i < 3; i++)
        if (features_meet(true, p, q, &tri[i], &tri[(i + 1) % 3], t))
            return true;
    return false;
}

static bool has_area(const point tri[3], bw_real *t)
{
    point u = bw_moving_minus(&tri[1], &tri[0]), v = bw_moving_minus(&tri[2], &tri[0]);
    point area = bw_moving_cross(&u, &v);
    return !bw_moving_zero(&area, t);
}

static bool same_place(const point *p, const point *q, bw_real *t)
{
    point d = bw_moving_minus(p, q);
    return bw_moving_zero(&d, t);
}

typedef struct corners {
    point shared[3], own[3];
    int shared_count, own_count;
} corners;

static bool has(const uint32_t *index, int count, uint32_t v)
{
    for (int i = 0; i < count; i++)
        if (index[i] == v)
            return true;
    return false;
}

static corners sort_corners(const point p[3], const uint32_t index[3], const uint32_t other[3])
{
    corners c = {.shared_count = 0};
    for (int i = 0; i < 3; i++) {
        if (has(index, i, index[i]))
            continue;
        if (has(other, 3, index[i]))
            c.shared[c.shared_count++] = p[i];
        else
            c.own[c.own_count++] = p[i];
    }
    return c;
}

static bool far_side_meets(const corners *c, const point own[3], const point *p, const point other[3],
                           bw_real *t)
{
    if (has_area(own, t))
        return segment_meets(&c->own[0], &c->own[1], other, t);
    for (int i = 0; i < c->own_count; i++)
        if (!same_place(&c->own[i], p, t) && on_triangle(&c->own[i], other, t))
            return true;
    return false;
}

static bool end_beyond_edge(const corners *c, const point other[3], const point edge[2], bw_real *t)
{
    const point line[3] = {edge[0], edge[1], edge[1]};
    for (int i = 0; i < c->own_count; i++)
        if (on_triangle(&c->own[i], other, t) && !on_triangle(&c->own[i], line, t))
            return true;
    return false;
}

static bool beyond_edge(const corners *a, const corners *b, const bw_moving_pair *pair, bw_real *t)
{
    const point *p = &a->shared[0], *q = &a->shared[1];
    if (same_place(p, q, t))
        return far_side_meets(a, pair->a, p, pair->b, t) || far_side_meets(b, pair->b, p, pair->a, t);
    if (a->own_count == 0 || b->own_count == 0)
        return false;
    bool area_a = has_area(pair->a, t), area_b = has_area(pair->b, t);
    if (area_a != area_b)
        return false;
    if (!area_a)
        return end_beyond_edge(a, pair->b, a->shared, t) || end_beyond_edge(b, pair->a, a->shared, t);
    if (volume_sign(p, q, &a->own[0], &b->own[0], t) != 0)
        return false;
    point e = bw_moving_minus(q, p), u = bw_moving_minus(&a->own[0], p), v = bw_moving_minus(&b->own[0], p);
    point normal_a = bw_moving_cross(&e, &u), normal_b = bw_moving_cross(&e, &v);
    return bw_alg_sign(bw_moving_dot(&normal_a, &normal_b), t) > 0;
}

static bool contact(const bw_moving_pair *pair, bw_real *t)
{
    corners a = sort_corners(pair->a, pair->index_a, pair->index_b);
    corners b = sort_corners(pair->b, pair->index_b, pair->index_a);
    if (a.shared_count == 3)
        return has_area(pair->a, t);
    if (a.shared_count == 2)
        return beyond_edge(&a, &b, pair, t);
    if (a.shared_count == 1)
        return far_side_meets(&a, pair->a, &a.shared[0], pair->b, t) ||
               far_side_meets(&b, pair->b, &b.shared[0], pair->a, t);
    for (int i = 0; i < 3; i++)
        if (segment_meets(&pair->a[i], &pair->a[(i + 1) % 3], pair->b, t) ||
            segment_meets(&pair->b[i], &pair->b[(i + 1) % 3], pair->a, t))
            return true;
    return false;
}

bool bw_oracle_moving_contact(const bw_moving_pair *pair, bw_real *t)
{
    int mark = bw_alg_mark();
    seen.pair = pair;
    for (int i = 0; i < 64; i++)
        seen.known[i] = false;
    bool answer = contact(pair, t);
    bw_alg_release(mark);
    return answer;
}
