/* The signed distance of two cores: closed forms where there are any, GJK and the expanding polytope elsewhere.
 *
 *               point   segment  box    hull   triangle
 *   point       closed  closed   closed GJK    GJK
 *   segment             closed   GJK    GJK    GJK
 *   box                          SAT    GJK    GJK
 *   hull                                GJK    GJK
 *   half-space  closed against each
 *
 * Boxes by closed forms only where their poses are rotations to 2^-49, by GJK where they are less good ones. */
#include "shape/gap.h"

#include "shape/axes/axes.h"
#include "shape/decide.h"
#include "shape/epa.h"
#include "shape/round.h"

static bool is_open(const bw_gjk *g)
{
    return !g->inside && g->upper > 8 * g->margin && g->upper - g->lower > 4 * g->margin;
}

/* Where rounding left GJK undecided: from the vertices that the integers find. False where the cores meet; then
 * the search is as it was. */
static bool from_features(bw_gjk *g)
{
    bw_nearest_features exact;
    bw_shape_cache start = {0};
    const bw_gjk other = *g;
    bw_shape_decide(g->a, g->b, &exact);
    if (exact.meet)
        return false;
    start.count = (uint32_t)exact.count;
    for (int i = 0; i < exact.count; i++) {
        start.a[i] = exact.a[i];
        start.b[i] = exact.b[i];
    }
    bw_gjk_begin(g, g->a, g->b, &start);
    bw_gjk_settle(g, exact.direction);
    if (other.lower > g->lower) { /* what the search proved holds, too */
        g->lower = other.lower;
        g->axis = other.axis;
    }
    return true;
}

static bool has_inside(const bw_convex *c)
{
    bw_vec3 centre;
    return bw_convex_inner(c, &centre) > 0;
}

/* A direction that may show them to be apart: that of the cache, or the one between the middles. */
static bw_vec3 likely_direction(const bw_gjk *g, const bw_shape_cache *cache)
{
    bw_vec3 ca, cb;
    if (cache != NULL && fabs(bw_vec3_dot(cache->axis, cache->axis) - 1) < 0.5)
        return cache->axis;
    bw_convex_inner(g->a, &ca);
    bw_convex_inner(g->b, &cb);
    return bw_vec3_sub(bw_vec3_add(cb, g->shift), ca);
}

/* Whether a direction shows that they are apart; *lower: how far, at least. */
static bool apart_along(const bw_gjk *g, bw_vec3 n, double *lower)
{
    const double gap = -bw_vec3_dot(n, bw_gjk_support(g, n).w), length = bw_vec3_length(n);
    *lower = gap / length;
    return gap > 0 && length > 0;
}

/* Of two solids, whose depth is wanted: without GJK. Those that are near, but not farther than the limit, are left to it. */
static bool by_depth(bw_gjk *g, const bw_gap_query *query, bw_gap *out)
{
    const bw_shape_cache *cache = query->cache;
    double lower;
    if (query->limit > 0) {
        const bw_vec3 n = likely_direction(g, cache);
        if (apart_along(g, n, &lower)) {
            if (!(lower > query->limit + 2 * g->margin))
                return false;
            *out = (bw_gap){
                .lower = lower, .upper = (double)INFINITY, .normal = bw_vec3_scale(n, 1 / bw_vec3_length(n))};
            return true;
        }
    }
    if (!query->fine && bw_axes_contact(g, query->limit, out))
        return true;
    return (cache == NULL || cache->count == 0) && bw_epa_contact(g, query->limit, out);
}

static void by_gjk(const bw_convex *a, const bw_convex *b, const bw_gap_query *query, bw_gap *out)
{
    bw_gjk g;
    const bool solid = !query->kind_only && has_inside(a) && has_inside(b);
    bw_gjk_begin(&g, a, b, solid ? NULL : query->cache);
    if (solid && by_depth(&g, query, out)) {
        if (query->cache != NULL && g.count > 0)
            bw_gjk_keep(&g, query->cache);
        return;
    }
    if (solid && query->cache != NULL)
        bw_gjk_begin(&g, a, b, query->cache);
    const double enough = query->kind_only && !query->common_point ? query->limit - 4 * g.margin : 0;
    bw_gjk_run(&g, query->limit, enough);
    if (g.apart) {
        if (query->cache != NULL)
            bw_gjk_keep(&g, query->cache);
        *out = (bw_gap){.lower = g.lower, .upper = (double)INFINITY, .normal = bw_vec3_minus(g.axis)};
        return;
    }
    const bool near_enough = !g.inside && g.upper < enough;
    if (!near_enough && is_open(&g))
        bw_gjk_refine(&g);
    const bool meet =
        !near_enough && is_open(&g) && !from_features(&g); /* a search that came to a halt outside */
    if (!g.inside && !meet && g.upper > 8 * g.margin) {
        if (query->cache != NULL)
            bw_gjk_keep(&g, query->cache);
        bw_gjk_gap(&g, out);
        return;
    }
    const bool inside = g.inside;
    const double upper = meet ? 0 : g.upper;
    bw_vec3 common = {0, 0, 0};
    if (query->common_point && inside) {
        common = bw_gjk_common_point(&g);
    } else if (query->common_point) {
        bw_gjk_gap(&g, out);
        common = out->on_a;
    }
    const double depth = query->kind_only && inside ? bw_gjk_depth(&g) : 0;
    if (depth > 2 * g.margin) { /* most often the simplex shows it */
        *out = (bw_gap){.lower = -(double)INFINITY, .upper = -depth, .on_a = common, .on_b = common};
    } else {
        bw_epa_gap(&g, query->kind_only, out);
        if (query->common_point)
            out->on_a = out->on_b = common;
        if (!inside && out->upper == 0)
            out->upper = upper; /* or not even that deep */
        else if (out->upper == 0 && from_features(&g)) {
            /* Four vertices all but in a plane seemed to be around the origin. */
            if (g.upper > 8 * g.margin && bw_vec3_dot(g.axis, g.axis) > 0)
                bw_gjk_gap(&g, out);
            else
                out->upper = g.upper; /* so near that the directions of the polytope serve better */
        }
    }
    if (query->cache != NULL)
        bw_gjk_keep(&g, query->cache);
}

/* From two nearest points; where these coincide, the direction that is given. lower is what the direction
 * proves. */
static void from_points(const bw_convex *a, const bw_convex *b, const bw_round *x, bw_vec3 otherwise,
                        bw_gap *out)
{
    const double length = sqrt(x->distance2);
    const bool far = length > 4 * bw_convex_margin(a, b);
    const bw_vec3 shift = bw_vec3_sub(b->at, a->at);
    uint32_t index;
    *out = (bw_gap){.upper = length,
                    .normal = far ? bw_vec3_scale(x->d, 1 / length) : otherwise,
                    .on_a = x->on_a,
                    .on_b = bw_vec3_add(shift, x->on_b),
                    .witness = true,
                    .single = x->single};
    const bw_vec3 n = out->normal;
    out->lower =
        bw_vec3_dot(n, bw_vec3_sub(bw_vec3_add(bw_convex_support(b, bw_vec3_minus(n), &index), shift),
                                   bw_convex_support(a, n, &index)));
}

static bw_vec3 unit_across(bw_vec3 e)
{
    const double x = fabs(e.x), y = fabs(e.y), z = fabs(e.z);
    const bw_vec3 axis = x <= y && x <= z ? (bw_vec3){1, 0, 0}
                         : y <= z         ? (bw_vec3){0, 1, 0}
                                          : (bw_vec3){0, 0, 1};
    const bw_vec3 n = bw_vec3_cross(e, axis);
    const double length = bw_vec3_length(n);
    return length > 0 ? bw_vec3_scale(n, 1 / length) : (bw_vec3){0, 0, 1};
}

static void point_point(const bw_convex *a, const bw_convex *b, const bw_gap_query *query, bw_gap *out)
{
    bw_round x;
    (void)query;
    bw_round_nearest(a, b, &x);
    from_points(a, b, &x, (bw_vec3){0, 0, 1}, out);
}

static void point_segment(const bw_convex *a, const bw_convex *b, const bw_gap_query *query, bw_gap *out)
{
    bw_round x;
    bw_round_nearest(a, b, &x);
    from_points(a, b, &x, unit_across(b->edge[0]), out);
    if (out->upper - out->lower > 4 * bw_convex_margin(a, b))
        by_gjk(a, b, query, out); /* beside a segment millions of times as long as it is far away */
}

static void segment_segment(const bw_convex *a, const bw_convex *b, const bw_gap_query *query, bw_gap *out)
{
    bw_round x;
    const bw_vec3 u = a->edge[0], v = b->edge[0], n = bw_vec3_cross(u, v);
    const double uu = bw_vec3_dot(u, u), vv = bw_vec3_dot(v, v), length = bw_vec3_length(n);
    bw_round_nearest(a, b, &x);
    from_points(
        a, b, &x,
        length > 0x1p-40 * sqrt(uu * vv) ? bw_vec3_scale(n, 1 / length) : unit_across(uu > vv ? u : v), out);
    if (out->upper - out->lower > 4 * bw_convex_margin(a, b))
        by_gjk(a, b, query, out); /* all but parallel */
}

static void point_box(const bw_convex *a, const bw_convex *b, const bw_gap_query *query, bw_gap *out)
{
    bw_round beside;
    if (!b->orthogonal) {
        by_gjk(a, b, query, out);
        return;
    }
    double depth;
    const bw_vec3 face = bw_round_face(a, b, &depth);
    if (bw_round_nearest(a, b, &beside) && !beside.inside) {
        bw_round_straighten(a, b, &beside);
        from_points(a, b, &beside, face, out);
        return;
    }
    /* Out through the nearest face: the normal goes from the point into the box, against that. */
    *out = (bw_gap){.lower = -depth,
                    .upper = -depth,
                    .normal = face,
                    .on_b = bw_vec3_scale(face, -depth),
                    .witness = true,
                    .single = true};
}

/* a is the half-space. */
static void half_space(const bw_convex *a, const bw_convex *b, const bw_gap_query *query, bw_gap *out)
{
    (void)query;
    const double length = bw_vec3_length(a->edge[0]);
    const bw_vec3 n = bw_vec3_scale(a->edge[0], 1 / length);
    uint32_t index;
    if (b->core == BW_CORE_HALF_SPACE) {
        const bw_vec3 m = b->edge[0], cross = bw_vec3_cross(n, m), shift = bw_vec3_sub(b->at, a->at);
        const bool opposite = cross.x == 0 && cross.y == 0 && cross.z == 0 && bw_vec3_dot(n, m) < 0;
        const double gap = bw_vec3_dot(n, shift);
        *out = (bw_gap){.lower = opposite ? gap : -(double)INFINITY,
                        .upper = opposite ? gap : -(double)INFINITY,
                        .normal = n,
                        .on_b = shift,
                        .witness = true,
                        .single = true};
        out->on_a = bw_vec3_along(shift, n, -gap);
        return;
    }
    const bw_vec3 far = bw_convex_support(b, bw_vec3_minus(n), &index);
    const bw_vec3 on_b = bw_vec3_add(far, bw_vec3_sub(b->at, a->at));
    const double gap = bw_vec3_dot(n, on_b);
    *out = (bw_gap){.lower = gap, .upper = gap, .normal = n, .on_b = on_b, .witness = true};
    out->on_a = bw_vec3_along(on_b, n, -gap);
}

static void swapped(bw_gap *gap, const bw_convex *a, const bw_convex *b)
{
    /* Found for (b, a), relative to b.at. */
    const bw_vec3 back = bw_vec3_sub(b->at, a->at), on_a = gap->on_b;
    gap->on_b = bw_vec3_add(gap->on_a, back);
    gap->on_a = bw_vec3_add(on_a, back);
    gap->normal = bw_vec3_minus(gap->normal);
}

static void any_half_space(const bw_convex *a, const bw_convex *b, const bw_gap_query *query, bw_gap *out)
{
    half_space(b, a, query, out);
    swapped(out, a, b);
}

static void box_box(const bw_convex *a, const bw_convex *b, const bw_gap_query *query, bw_gap *out)
{
    if (!a->orthogonal || !b->orthogonal || query->common_point || query->fine) {
        by_gjk(a, b, query, out);
        return;
    }
    bw_gap_of_boxes(a, b, query->limit, out);
    if (out->upper < (double)INFINITY || out->lower > query->limit + 2 * bw_convex_margin(a, b))
        return;
    const bw_gap axes = *out;
    by_gjk(a, b, query, out);
    if (!(out->lower > axes.lower)) { /* too near for a direction of their points: that of the axis serves */
        out->lower = axes.lower;
        out->normal = axes.normal;
    }
}

typedef void gap_fn(const bw_convex *a, const bw_convex *b, const bw_gap_query *query, bw_gap *out);

/* By core; the first is not above the second. */
static gap_fn *const table[6][6] = {
    {point_point, point_segment, point_box, any_half_space, by_gjk, by_gjk},
    {NULL, segment_segment, by_gjk, any_half_space, by_gjk, by_gjk},
    {NULL, NULL, box_box, any_half_space, by_gjk, by_gjk},
    {NULL, NULL, NULL, half_space, half_space, half_space},
    {NULL, NULL, NULL, NULL, by_gjk, by_gjk},
    {NULL, NULL, NULL, NULL, NULL, by_gjk},
};

void bw_gap_between(const bw_convex *a, const bw_convex *b, const bw_gap_query *query, bw_gap *out)
{
    table[a->core][b->core](a, b, query, out);
}
