#include "geom/families.h"

#include <math.h>

static double unit(bws_random *r)
{
    return bws_random_double(r, -1, 1);
}

static bw_vec3 vec(double x, double y, double z)
{
    return (bw_vec3){x, y, z};
}

static bw_vec3 cube(bws_random *r)
{
    return vec(unit(r), unit(r), unit(r));
}

static void cubes(bws_random *r, bw_vec3 *points, int count)
{
    for (int i = 0; i < count; i++)
        points[i] = cube(r);
}

static bw_vec3 combine(bw_vec3 p, double s, bw_vec3 u, double t, bw_vec3 v)
{
    return vec(p.x + s * u.x + t * v.x, p.y + s * u.y + t * v.y, p.z + s * u.z + t * v.z);
}

static bw_vec3 lerp(bw_vec3 p, bw_vec3 q, double t)
{
    return vec(p.x + t * (q.x - p.x), p.y + t * (q.y - p.y), p.z + t * (q.z - p.z));
}

static double *coordinate(bw_vec3 *points, uint64_t n)
{
    bw_vec3 *p = &points[n / 3];
    return n % 3 == 0 ? &p->x : n % 3 == 1 ? &p->y : &p->z;
}

/* Into the range in which answers are exact. */
static double snap(double x)
{
    if (x == 0 || !isfinite(x))
        return copysign(0, x);
    return copysign(fmin(fmax(fabs(x), BW_EXACT_MIN), BW_EXACT_MAX), x);
}

/* Moves some coordinates by an ulp or two. */
static void jitter(bws_random *r, bw_vec3 *points, int count)
{
    int moves = (int)bws_random_int(r, 0, 4);
    for (int i = 0; i < moves; i++) {
        double *x = coordinate(points, bws_random_below(r, 3 * (uint64_t)count));
        for (int64_t n = bws_random_int(r, 1, 2); n > 0; n--)
            *x = nextafter(*x, bws_random_bool(r) ? INFINITY : -INFINITY);
        *x = snap(*x);
    }
}

static bw_vec3 grid_point(bws_random *r, int64_t half)
{
    return vec((double)bws_random_int(r, -half, half), (double)bws_random_int(r, -half, half),
               (double)bws_random_int(r, -half, half));
}

static void ordinary(bws_random *r, bw_vec3 a[3], bw_vec3 b[3])
{
    cubes(r, a, 3);
    cubes(r, b, 3);
}

/* Triangles of a mesh in float coordinates, away from the origin. */
static void ordinary_float(bws_random *r, bw_vec3 a[3], bw_vec3 b[3])
{
    bw_vec3 o = vec(100 * unit(r), 100 * unit(r), 100 * unit(r)), *points[2] = {a, b};
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < 3; i++) {
            bw_vec3 p = cube(r);
            points[t][i] = vec((float)(o.x + p.x), (float)(o.y + p.y), (float)(o.z + p.z));
        }
}

static void grid(bws_random *r, bw_vec3 a[3], bw_vec3 b[3])
{
    int64_t half = bws_random_int(r, 1, 4);
    for (int i = 0; i < 3; i++) {
        a[i] = grid_point(r, half);
        b[i] = grid_point(r, half);
    }
}

static void shared_vertex(bws_random *r, bw_vec3 a[3], bw_vec3 b[3])
{
    ordinary(r, a, b);
    b[0] = a[0];
}

static void shared_edge(bws_random *r, bw_vec3 a[3], bw_vec3 b[3])
{
    ordinary(r, a, b);
    b[0] = a[0];
    b[1] = a[1];
    if (bws_random_below(r, 4) == 0) { /* folded flat, or nearly */
        b[2] = lerp(a[2], lerp(a[0], a[1], bws_random_double(r, -1, 2)), bws_random_double(r, 0, 2));
        jitter(r, b, 3);
    }
}

/* In one tilted plane, exactly: integer combinations of integer vectors, scaled by a power of two. */
static void coplanar(bws_random *r, bw_vec3 a[3], bw_vec3 b[3])
{
    bw_vec3 o = grid_point(r, 1 << 20), u = grid_point(r, 1 << 10), v = grid_point(r, 1 << 10);
    int64_t half = bws_random_bool(r) ? 3 : 1000;
    double scale = ldexp(1, (int)bws_random_int(r, -60, 60));
    bw_vec3 *points[2] = {a, b};
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < 3; i++) {
            bw_vec3 p = combine(o, (double)bws_random_int(r, -half, half), u,
                                (double)bws_random_int(r, -half, half), v);
            points[t][i] = vec(p.x * scale, p.y * scale, p.z * scale);
        }
    if (bws_random_below(r, 4) == 0) { /* an edge of b within the line of an edge of a, mostly inside it */
        int64_t quarters = bws_random_int(r, -1, 4);
        b[0] = lerp(a[0], a[1], (double)quarters / 4);
        b[1] = lerp(a[0], a[1], (double)bws_random_int(r, quarters + 1, 5) / 4);
    }
}

/* In the plane z = +-x +-y, whose normal is equally long along all axes, with coordinates of so many bits
 * that its rounded coordinates are not. */
static void coplanar_diagonal(bws_random *r, bw_vec3 a[3], bw_vec3 b[3])
{
    double sign_x = bws_random_bool(r) ? 1 : -1, sign_y = bws_random_bool(r) ? 1 : -1;
    bw_vec3 *points[2] = {a, b};
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < 3; i++) {
            double x = (double)bws_random_int(r, -((int64_t)1 << 50), (int64_t)1 << 50);
            double y = (double)bws_random_int(r, -((int64_t)1 << 50), (int64_t)1 << 50);
            points[t][i] = vec(x, y, sign_x * x + sign_y * y);
        }
    if (bws_random_below(r, 3) == 0)
        b[0] = a[0];
}

static void nearly_coplanar(bws_random *r, bw_vec3 a[3], bw_vec3 b[3])
{
    coplanar(r, a, b);
    jitter(r, a, 3);
    jitter(r, b, 3);
}

/* In the plane z = 3 x + 5 y exactly, or an ulp off it, with coordinates so far apart in magnitude that their
 * differences are rounded. */
static void wide_plane(bws_random *r, bw_vec3 a[3], bw_vec3 b[3])
{
    int spread = (int)bws_random_int(r, 20, 80);
    bool line = bws_random_below(r, 3) == 0;
    bw_vec3 *points[2] = {a, b};
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < 3; i++) {
            int e = (int)bws_random_int(r, -1, 1) * spread;
            int64_t x = bws_random_int(r, -(1 << 20), 1 << 20), y = bws_random_int(r, -(1 << 20), 1 << 20);
            y = line ? 7 * x : y;
            points[t][i] = vec(ldexp((double)x, e), ldexp((double)y, e), ldexp((double)(3 * x + 5 * y), e));
        }
    if (bws_random_bool(r))
        jitter(r, bws_random_bool(r) ? a : b, 3);
}

/* Planes that differ by some ulps, through a rounded rotation about an edge or a rounded shift. */
static void nearly_parallel(bws_random *r, bw_vec3 a[3], bw_vec3 b[3])
{
    cubes(r, a, 3);
    bw_vec3 d = cube(r);
    double shift = ldexp(unit(r), (int)bws_random_int(r, -60, -20));
    for (int i = 0; i < 3; i++) {
        bw_vec3 on =
            lerp(lerp(a[0], a[1], bws_random_double(r, -0.5, 1.5)), a[2], bws_random_double(r, -0.5, 1.5));
        b[i] = combine(on, i < 2 ? shift : -shift, d, 0, d);
    }
    if (bws_random_bool(r))
        jitter(r, b, 3);
}

/* A corner, or a point of an edge, of b on a face, edge or corner of a, up to rounding and an ulp or two. */
static void nearly_touching(bws_random *r, bw_vec3 a[3], bw_vec3 b[3])
{
    ordinary(r, a, b);
    double s = bws_random_unit(r), t = bws_random_below(r, 3) == 0 ? 0 : bws_random_unit(r);
    bw_vec3 on = lerp(lerp(a[0], a[1], s), a[2], t);
    if (bws_random_bool(r)) {
        b[0] = on;
    } else { /* b[0] mirrored: the middle of the edge b[0] b[1] is near the point */
        b[0] = vec(2 * on.x - b[1].x, 2 * on.y - b[1].y, 2 * on.z - b[1].z);
    }
    jitter(r, b, 3);
}

/* Exactly there: dyadic points of integer triangles. */
static void on_edges(bws_random *r, bw_vec3 a[3], bw_vec3 b[3])
{
    for (int i = 0; i < 3; i++) {
        a[i] = grid_point(r, 1 << 12);
        b[i] = grid_point(r, 1 << 12);
    }
    double s = (double)bws_random_int(r, 0, 8) / 8, t = (double)bws_random_int(r, -2, 8) / 8;
    bw_vec3 on = bws_random_bool(r) ? lerp(a[0], a[1], s) : lerp(lerp(a[0], a[1], s), a[2], t);
    switch (bws_random_below(r, 4)) {
    case 0: /* a corner on it */
        b[0] = on;
        break;
    case 1: /* the middle of an edge on it */
        b[0] = vec(2 * on.x - b[1].x, 2 * on.y - b[1].y, 2 * on.z - b[1].z);
        break;
    case 2: /* and the third corner in the plane of a */
        b[0] = vec(2 * on.x - b[1].x, 2 * on.y - b[1].y, 2 * on.z - b[1].z);
        b[2] = lerp(a[0], a[2], (double)bws_random_int(r, -8, 16) / 8);
        break;
    default: /* an edge within the line of an edge */
        b[0] = lerp(a[0], a[1], (double)bws_random_int(r, -8, 16) / 8);
        b[1] = lerp(a[0], a[1], (double)bws_random_int(r, -8, 16) / 8);
    }
}

static void slivers(bws_random *r, bw_vec3 a[3], bw_vec3 b[3])
{
    bw_vec3 *points[2] = {a, b};
    for (int t = 0; t < 2; t++) {
        bw_vec3 *p = points[t];
        double thin = ldexp(unit(r), (int)bws_random_int(r, -56, -4));
        p[0] = cube(r);
        p[1] = cube(r);
        p[2] = combine(lerp(p[0], p[1], bws_random_double(r, -0.2, 1.2)), thin, cube(r), 0, p[0]);
    }
    if (bws_random_bool(r)) { /* aim one at the other */
        bw_vec3 on = lerp(a[0], a[1], bws_random_unit(r));
        b[1] = vec(2 * on.x - b[0].x, 2 * on.y - b[0].y, 2 * on.z - b[0].z);
        b[2] = combine(lerp(b[0], b[1], bws_random_unit(r)), ldexp(1, -30), cube(r), 0, b[0]);
    }
}

static void flatten(bws_random *r, bw_vec3 t[3])
{
    if (bws_random_below(r, 3) == 0)
        t[1] = t[2] = t[0];
    else
        t[2] = lerp(t[0], t[1], (double)bws_random_int(r, -2, 4) / 2);
}

static void degenerate(bws_random *r, bw_vec3 a[3], bw_vec3 b[3])
{
    int64_t half = bws_random_bool(r) ? 4 : 1 << 16;
    for (int i = 0; i < 3; i++) {
        a[i] = grid_point(r, half);
        b[i] = grid_point(r, half);
    }
    flatten(r, a);
    uint64_t how = bws_random_below(r, 5);
    double s = (double)bws_random_int(r, 0, 4) / 4, t = (double)bws_random_int(r, 0, 4) / 4;
    if (how == 0) { /* a corner of a on b */
        bw_vec3 on = lerp(lerp(b[0], b[1], s), b[2], t);
        a[0] = on;
        flatten(r, a);
    } else if (how == 1) { /* a through a point of b */
        bw_vec3 on = lerp(lerp(b[0], b[1], s), b[2], t);
        a[1] = vec(2 * on.x - a[0].x, 2 * on.y - a[0].y, 2 * on.z - a[0].z);
        a[2] = on;
    } else if (how == 2) { /* on the line of an edge, or in the plane */
        a[0] = lerp(b[0], b[1], (double)bws_random_int(r, -4, 8) / 4);
        a[1] = lerp(b[0], b[bws_random_bool(r) ? 1 : 2], (double)bws_random_int(r, -4, 8) / 4);
        a[2] = lerp(a[0], a[1], (double)bws_random_int(r, -4, 8) / 4);
    } else if (how == 3) {
        flatten(r, b);
    } else { /* two segments that cross or overlap */
        bw_vec3 on = lerp(a[0], a[1], s);
        b[1] = vec(2 * on.x - b[0].x, 2 * on.y - b[0].y, 2 * on.z - b[0].z);
        b[2] = b[0];
    }
}

static double any_scale(bws_random *r)
{
    double x = pow(10, bws_random_double(r, -30, 30));
    return bws_random_bool(r) ? x : -x;
}

/* Coordinates from 1e-30 to 1e30 in one pair. */
static void any_scales(bws_random *r, bw_vec3 a[3], bw_vec3 b[3])
{
    for (uint64_t i = 0; i < 9; i++) {
        *coordinate(a, i) = any_scale(r);
        *coordinate(b, i) = any_scale(r);
    }
    uint64_t how = bws_random_below(r, 4);
    if (how > 0)
        b[0] = lerp(lerp(a[0], a[1], bws_random_unit(r)), a[2], bws_random_unit(r));
    if (how > 1)
        b[1] = a[1];
    if (how > 2)
        b[2] = lerp(a[0], a[2], bws_random_double(r, -1, 2));
    jitter(r, b, 3);
}

static double range_edge(bws_random *r)
{
    double x;
    switch (bws_random_below(r, 6)) {
    case 0:
        x = 0;
        break;
    case 1:
        x = BW_EXACT_MIN * (1 + (double)bws_random_int(r, 0, 3) * 0x1p-52);
        break;
    case 2:
        x = BW_EXACT_MAX * (1 - (double)bws_random_int(r, 0, 3) * 0x1p-53);
        break;
    case 3:
        x = BW_EXACT_MIN * (double)bws_random_int(r, 1, 3);
        break;
    case 4:
        x = BW_EXACT_MAX / (double)bws_random_int(r, 1, 4);
        break;
    default:
        x = ldexp(1 + bws_random_unit(r), (int)bws_random_int(r, -300, 298));
    }
    return bws_random_bool(r) ? x : -x;
}

static void range_edges(bws_random *r, bw_vec3 a[3], bw_vec3 b[3])
{
    for (uint64_t i = 0; i < 9; i++) {
        *coordinate(a, i) = range_edge(r);
        *coordinate(b, i) = range_edge(r);
    }
    uint64_t how = bws_random_below(r, 6);
    if (how < 2)
        b[how] = a[how];
    if (how == 3) /* through it, nearly */
        for (uint64_t k = 0; k < 3; k++) {
            *coordinate(b, k) = *coordinate(a, k) / 2 + *coordinate(a, 3 + k) / 2;
            *coordinate(b, 3 + k) = *coordinate(a, k) / 2 + *coordinate(a, 6 + k) / 2;
        }
    for (uint64_t i = 0; i < 9; i++)
        *coordinate(b, i) = snap(*coordinate(b, i));
}

/* All of it within some ulps of the lowest magnitude, where differences are of the order 2^-352. */
static void smallest(bws_random *r, bw_vec3 a[3], bw_vec3 b[3])
{
    int64_t steps = bws_random_bool(r) ? 4 : (int64_t)1 << 52;
    bool around_zero = bws_random_bool(r);
    for (uint64_t i = 0; i < 18; i++) {
        double x = BW_EXACT_MIN * (1 + (double)bws_random_int(r, 0, steps) * 0x1p-52);
        if (around_zero && bws_random_below(r, 3) == 0)
            x = bws_random_bool(r) ? 0 : -x;
        *coordinate(i < 9 ? a : b, i % 9) = x;
    }
}

static void largest(bws_random *r, bw_vec3 a[3], bw_vec3 b[3])
{
    ordinary(r, a, b);
    if (bws_random_bool(r))
        b[0] = lerp(a[0], a[1], bws_random_unit(r));
    for (uint64_t i = 0; i < 9; i++) {
        *coordinate(a, i) = snap(*coordinate(a, i) * BW_EXACT_MAX);
        *coordinate(b, i) = snap(*coordinate(b, i) * BW_EXACT_MAX);
    }
}

static void signed_zeros(bws_random *r, bw_vec3 a[3], bw_vec3 b[3])
{
    for (uint64_t i = 0; i < 18; i++) {
        double x = (double)bws_random_int(r, -1, 1);
        if (x == 0 && bws_random_bool(r))
            x = -0.0;
        *coordinate(i < 9 ? a : b, i % 9) = x;
    }
}

/* Faces of boxes that stand on each other, turned together and rounded. */
static void turned_boxes(bws_random *r, bw_vec3 a[3], bw_vec3 b[3])
{
    bw_transform turn =
        bw_transform_compose(cube(r), vec(unit(r), unit(r), 1), bws_random_double(r, 0, 6), vec(1, 1, 1));
    grid(r, a, b);
    uint64_t flat = bws_random_below(r, 3);
    for (uint64_t i = 0; i < 3; i++) {
        if (bws_random_bool(r))
            *coordinate(a, 3 * i + flat) = *coordinate(a, flat);
        *coordinate(b, 3 * i + flat) = *coordinate(a, flat);
    }
    for (int i = 0; i < 3; i++) {
        a[i] = bw_transform_point(&turn, a[i]);
        b[i] = bw_transform_point(&turn, b[i]);
    }
}

const bw_family bw_families[] = {
    {"ordinary", ordinary, true},
    {"ordinary-float", ordinary_float, true},
    {"shared-vertex", shared_vertex, false},
    {"shared-edge", shared_edge, false},
    {"grid", grid, false},
    {"signed-zeros", signed_zeros, false},
    {"coplanar", coplanar, false},
    {"coplanar-diagonal", coplanar_diagonal, false},
    {"nearly-coplanar", nearly_coplanar, false},
    {"wide-plane", wide_plane, false},
    {"nearly-parallel", nearly_parallel, false},
    {"nearly-touching", nearly_touching, false},
    {"on-edges", on_edges, false},
    {"turned-boxes", turned_boxes, false},
    {"slivers", slivers, false},
    {"degenerate", degenerate, false},
    {"any-scales", any_scales, false},
    {"range-edges", range_edges, false},
    {"smallest", smallest, false},
    {"largest", largest, false},
};
const int bw_family_count = sizeof bw_families / sizeof bw_families[0];

static void shuffle(bws_random *r, bw_vec3 t[3])
{
    for (uint64_t i = 2; i > 0; i--) {
        uint64_t j = bws_random_below(r, i + 1);
        bw_vec3 swap = t[i];
        t[i] = t[j];
        t[j] = swap;
    }
}

void bw_family_pair(const bw_family *family, bws_random *r, bw_vec3 a[3], bw_vec3 b[3])
{
    bool swap = bws_random_bool(r);
    family->make(r, swap ? b : a, swap ? a : b);
    shuffle(r, a);
    shuffle(r, b);
    for (uint64_t i = 0; i < 9; i++) {
        *coordinate(a, i) = snap(*coordinate(a, i));
        *coordinate(b, i) = snap(*coordinate(b, i));
    }
}
