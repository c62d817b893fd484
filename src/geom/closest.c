/* Closest points of triangles that do not meet, in floating point.
 *
 * The closest pair of two disjoint triangles is one of an edge of each, or a corner and the other triangle.
 * Every candidate is computed so that its error is some ulps of the coordinates' size whatever the angles and
 * aspect ratios: normals come from products with their rounding errors kept, so that a nearly parallel pair
 * of edges or a sliver still has a normal that is accurate for its (rounded) edges, and what follows from the
 * normal is only a position along directions in which the distance hardly changes.
 * docs/lab/exact-triangles.md has the argument. Whether the triangles meet at all is decided exactly,
 * before.
 */
#include "geom/closest.h"
#include "geom/cross.h"
#include "geom/exact/expansion.h"
#include "geom/exact/triangle.h"
#include "geom/power.h"
#include "geom/simplex.h"
#include "geom/vec.h"

/* Coordinates relative to an origin and divided by a power of two: the largest is then in [1/2, 1), and no
 * product of four overflows. */
typedef struct frame {
    bw_vec3 origin;
    double unit;    /* the power of two */
    double inverse; /* of it */
} frame;

typedef struct nearest {
    double distance2;
    bw_vec3 on_a, on_b;
} nearest;

/* A triangle in the frame. */
typedef struct local_triangle {
    bw_vec3 v[3], edge[3]; /* edge i from corner i to the next */
    bw_vec3 normal;        /* its direction, the largest coordinate 1 */
    bool asked, has_normal;
} local_triangle;

typedef struct edge_boxes {
    bw_vec3 low[3], high[3];
} edge_boxes;

static frame frame_of(const bw_vec3 *a, int a_count, const bw_vec3 *b, int b_count)
{
    double largest = 0, unit, inverse;
    for (int i = 0; i < a_count + b_count; i++) {
        bw_vec3 relative = bw_vec3_sub(i < a_count ? a[i] : b[i - a_count], a[0]);
        double coordinate = bw_largest_coordinate(&relative);
        largest = coordinate > largest ? coordinate : largest;
    }
    bw_power_above(largest, &unit, &inverse);
    return (frame){a[0], unit, inverse};
}

static bw_vec3 into_frame(const frame *f, const bw_vec3 *p)
{
    return bw_vec3_scale(bw_vec3_sub(*p, f->origin), f->inverse);
}

static bw_vec3 out_of_frame(const frame *f, bw_vec3 p)
{
    return bw_vec3_add(bw_vec3_scale(p, f->unit), f->origin);
}

/* The squared distance in the caller's unit. The triangles are known to be apart: where their gap is lost in
 * rounding, a value that small. */
static double distance2_of(const frame *f, const nearest *best)
{
    bw_vec3 d = bw_vec3_scale(bw_vec3_sub(best->on_a, best->on_b), f->unit);
    double distance2 = bw_vec3_dot(d, d), least = 0x1p-60 * f->unit;
    return distance2 > 0 ? distance2 : least * least;
}

static void local_triangle_of(const frame *f, const bw_vec3 t[3], local_triangle *out)
{
    for (int i = 0; i < 3; i++)
        out->v[i] = into_frame(f, &t[i]);
    for (int i = 0; i < 3; i++)
        out->edge[i] = bw_vec3_sub(out->v[bw_next3(i)], out->v[i]);
    out->asked = false;
}

/* The normal is made when it is first asked for. */
static bool has_normal(local_triangle *t)
{
    if (!t->asked) {
        t->normal = bw_good_cross(t->edge[0], bw_vec3_sub(t->v[2], t->v[0]));
        t->has_normal = bw_to_direction(&t->normal);
        t->asked = true;
    }
    return t->has_normal;
}

static void edge_boxes_of(const local_triangle *t, edge_boxes *out)
{
    for (int i = 0; i < 3; i++) {
        const bw_vec3 p = t->v[i], q = t->v[bw_next3(i)];
        out->high[i] = (bw_vec3){bw_larger(p.x, q.x), bw_larger(p.y, q.y), bw_larger(p.z, q.z)};
        out->low[i] = (bw_vec3){-bw_larger(-p.x, -q.x), -bw_larger(-p.y, -q.y), -bw_larger(-p.z, -q.z)};
    }
}

static double clamp01(double t)
{
    return t > 0 ? (t < 1 ? t : 1) : 0;
}

static nearest between(bw_vec3 on_a, bw_vec3 on_b)
{
    bw_vec3 d = bw_vec3_sub(on_a, on_b);
    return (nearest){bw_vec3_dot(d, d), on_a, on_b};
}

static void keep_nearer(nearest *best, bw_vec3 on_a, bw_vec3 on_b)
{
    const nearest other = between(on_a, on_b);
    if (other.distance2 < best->distance2)
        *best = other;
}

/* The parameter of the point of p + t d, 0 <= t <= 1, nearest to q. */
static double project(bw_vec3 p, bw_vec3 d, bw_vec3 q)
{
    double length2 = bw_vec3_dot(d, d);
    return length2 > 0 ? clamp01(bw_vec3_dot(bw_vec3_sub(q, p), d) / length2) : 0;
}

/* The segments p1 + s d1 and p2 + t d2. */
static nearest segment_segment(bw_vec3 p1, bw_vec3 d1, bw_vec3 p2, bw_vec3 d2)
{
    bw_vec3 full = bw_good_cross(d1, d2), n = full;
    double s = 0;
    if (bw_to_direction(&n)) /* where the lines are nearest: ((p2 - p1) x d2) . n / ((d1 x d2) . n) */
        s = clamp01(bw_vec3_dot(bw_vec3_cross(bw_vec3_sub(p2, p1), d2), n) / bw_vec3_dot(full, n));
    /* The distance is convex, so going to the other segment and back from the clamped start ends at the
     * optimum. */
    double t = project(p2, d2, bw_vec3_add(p1, bw_vec3_scale(d1, s)));
    bw_vec3 on_2 = bw_vec3_add(p2, bw_vec3_scale(d2, t));
    s = project(p1, d1, on_2);
    return between(bw_vec3_add(p1, bw_vec3_scale(d1, s)), on_2);
}

/* Whether two edges are certainly farther apart than the best so far: the boxes around them are. Coordinates
 * of the frame are below 1, points of edges are computed to within 2^-50, and squares of differences to
 * within 2^-46. */
static bool edges_are_far(const edge_boxes *s, int i, const edge_boxes *t, int j, const nearest *best)
{
    const double x = bw_larger(bw_larger(s->low[i].x - t->high[j].x, t->low[j].x - s->high[i].x), 0.0),
                 y = bw_larger(bw_larger(s->low[i].y - t->high[j].y, t->low[j].y - s->high[i].y), 0.0),
                 z = bw_larger(bw_larger(s->low[i].z - t->high[j].z, t->low[j].z - s->high[i].z), 0.0);
    return x * x + y * y + z * z > best->distance2 + 0x1p-44;
}

/* Whether the nearest point of the inside of t to p is nearer than the best so far, if p projects there.
 *
 * The rounded normal serves as the direction of projection, and whether that line meets the triangle is
 * decided exactly for it: near the tip of a sliver the three sides would otherwise contradict each other far
 * outside. A true projection that this misses is within rounding of an edge. The plane is asked first:
 * between parallel faces every corner is as far from it as the last one, and most are straight above an edge,
 * which takes the exact decision longest. */
static bool project_inside(bw_vec3 p, local_triangle *t, const nearest *best, bw_vec3 *out)
{
    if (!has_normal(t))
        return false;
    double height = bw_vec3_dot(bw_vec3_sub(p, t->v[0]), t->normal) / bw_vec3_dot(t->normal, t->normal);
    *out = bw_vec3_sub(p, bw_vec3_scale(t->normal, height));
    bw_vec3 d = bw_vec3_sub(p, *out);
    if (!(bw_vec3_dot(d, d) < best->distance2))
        return false;
    bw_difference direction = {{t->normal.x, t->normal.y, t->normal.z}, {0, 0, 0}};
    for (int i = 0; i < 3; i++) {
        bw_difference edge = bw_difference_of(&t->v[bw_next3(i)], &t->v[i]);
        bw_difference to_p = bw_difference_of(&p, &t->v[i]);
        if (bw_det3_sign(&direction, &edge, &to_p) < 0)
            return false;
    }
    return true;
}

/* They meet: distance zero, at a corner of what they share. */
static double meeting_point(const bw_vec3 a[3], const bw_vec3 b[3], bw_vec3 *on_a, bw_vec3 *on_b)
{
    bw_triangle_contact contact;
    if (on_a == NULL && on_b == NULL)
        return 0;
    bw_triangle_triangle_contact(a, b, &contact);
    if (on_a != NULL)
        *on_a = contact.points[0];
    if (on_b != NULL)
        *on_b = contact.points[0];
    return 0;
}

/* Where the corners of two triangles are along the line between the two points that are the nearest so far. */
typedef struct along {
    double s[3], t[3]; /* of t: from the one that comes first on */
    double limit;
} along;

/* No feature of t that begins beyond the end of one of s by more than the limit can be nearer, or as near: with w the
 * vector between the points and l what is between the features along it, their distance is at least l / |w|, and where
 * l > w^2 + m its square is above w^2 + 2 m. Coordinates are at most 1 and those of w at most 2, so l and w^2 are off by less
 * than 2^-48 each, and squares of distances are computed to within 2^-46. docs/lab/distance-of-bodies.md counts. */
static void along_best(const nearest *best, const local_triangle *s, const local_triangle *t, along *out)
{
    const bw_vec3 w = bw_vec3_sub(best->on_b, best->on_a);
    for (int i = 0; i < 3; i++) {
        out->s[i] = bw_vec3_dot(w, s->v[i]);
        out->t[i] = bw_vec3_dot(w, t->v[i]);
    }
    out->limit = best->distance2 + 0x1p-42;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* The corners nearest to each other: 3 i + j. */
static int nearest_corners(const local_triangle *s, const local_triangle *t)
{
    double least = INFINITY;
    int pair = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const bw_vec3 d = bw_vec3_sub(s->v[i], t->v[j]);
            const double distance2 = bw_vec3_dot(d, d);
            pair = distance2 < least ? 3 * i + j : pair;
            least = distance2 < least ? distance2 : least;
        }
    return pair;
}

/* Begins with two edges at the corners that are nearest to each other, and passes by features that the line between the
 * nearest points so far tells to be farther from each other. Of several pairs of edges at the same distance the first by
 * number is kept, in whichever order they are asked. */
double bw_triangle_distance2_disjoint(const bw_vec3 a[3], const bw_vec3 b[3], bw_vec3 *on_a, bw_vec3 *on_b)
{
    local_triangle s, t;
    edge_boxes around_s, around_t;
    along line;
    bw_vec3 inside;
    frame f = frame_of(a, 3, b, 3);
    local_triangle_of(&f, a, &s);
    local_triangle_of(&f, b, &t);
    edge_boxes_of(&s, &around_s);
    edge_boxes_of(&t, &around_t);
    const int first = nearest_corners(&s, &t);
    int kept = first;
    nearest best = segment_segment(s.v[first / 3], s.edge[first / 3], t.v[first % 3], t.edge[first % 3]);
    along_best(&best, &s, &t, &line);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double gap =
                smaller(line.t[j], line.t[bw_next3(j)]) - bw_larger(line.s[i], line.s[bw_next3(i)]);
            if (3 * i + j == first || gap > line.limit || edges_are_far(&around_s, i, &around_t, j, &best))
                continue;
            const nearest other = segment_segment(s.v[i], s.edge[i], t.v[j], t.edge[j]);
            if (other.distance2 > best.distance2 || (other.distance2 == best.distance2 && 3 * i + j > kept))
                continue;
            kept = 3 * i + j;
            best = other;
            along_best(&best, &s, &t, &line);
        }
    const double begin_t = smaller(smaller(line.t[0], line.t[1]), line.t[2]),
                 end_s = bw_larger(bw_larger(line.s[0], line.s[1]), line.s[2]);
    for (int i = 0; i < 3; i++) {
        if (!(begin_t - line.s[i] > line.limit) && project_inside(s.v[i], &t, &best, &inside))
            keep_nearer(&best, s.v[i], inside);
        if (!(line.t[i] - end_s > line.limit) && project_inside(t.v[i], &s, &best, &inside))
            keep_nearer(&best, inside, t.v[i]);
    }
    if (on_a != NULL)
        *on_a = out_of_frame(&f, best.on_a);
    if (on_b != NULL)
        *on_b = out_of_frame(&f, best.on_b);
    return distance2_of(&f, &best);
}

double bw_triangle_distance2(const bw_vec3 a[3], const bw_vec3 b[3], bw_vec3 *on_a, bw_vec3 *on_b)
{
    if (bw_triangle_triangle(a, b) != BW_CONTACT_NONE)
        return meeting_point(a, b, on_a, on_b);
    return bw_triangle_distance2_disjoint(a, b, on_a, on_b);
}

double bw_point_triangle_distance2_disjoint(const bw_vec3 *p, const bw_vec3 triangle[3], bw_vec3 *on_triangle)
{
    local_triangle t;
    bw_vec3 inside;
    nearest best = {INFINITY, *p, *p};
    frame f = frame_of(p, 1, triangle, 3);
    local_triangle_of(&f, triangle, &t);
    const bw_vec3 point = {0, 0, 0}; /* the origin of the frame */
    for (int i = 0; i < 3; i++) {
        double at = project(t.v[i], t.edge[i], point);
        keep_nearer(&best, point, bw_vec3_add(t.v[i], bw_vec3_scale(t.edge[i], at)));
    }
    if (project_inside(point, &t, &best, &inside))
        keep_nearer(&best, point, inside);
    if (on_triangle != NULL)
        *on_triangle = out_of_frame(&f, best.on_b);
    return distance2_of(&f, &best);
}

double bw_point_triangle_distance2(const bw_vec3 *p, const bw_vec3 triangle[3], bw_vec3 *on_triangle)
{
    bw_simplex shape;
    bool exact = false;
    bw_simplex_of_triangle(triangle, &shape, &exact);
    if (bw_point_contact(p, &shape, &exact) == BW_CONTACT_NONE)
        return bw_point_triangle_distance2_disjoint(p, triangle, on_triangle);
    if (on_triangle != NULL)
        *on_triangle = *p;
    return 0;
}
