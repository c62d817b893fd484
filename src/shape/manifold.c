/* The points of a contact: the face of one shape that looks along the normal, clipped by that of the other.
 *   D. Gregorius, "Robust Contact Creation for Physics Simulations", Game Developers Conference 2015. */
#include "shape/manifold.h"

/* Of faces with more corners every second, third, ... is taken: enough for four points. */
enum { MAX_CORNERS = 32, MAX_CLIPPED = 2 * MAX_CORNERS };

typedef struct corner {
    bw_vec3 p; /* relative to a.at */
    uint32_t id;
} corner;

/* A face, an edge or a corner of a core. */
typedef struct part {
    int count;
    corner c[MAX_CLIPPED];
    bw_vec3 normal; /* outward, of length 1; of three corners and more */
} part;

static void add(part *out, bw_vec3 p, uint32_t id)
{
    if (out->count == MAX_CLIPPED)
        return; /* a clipped polygon has at most so many, but for the noise of rounding */
    out->c[out->count++] = (corner){p, id};
}

static bool same_place(bw_vec3 a, bw_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* Of a box without thickness, or all but, it may be an edge or a corner. */
static void box_face(const bw_convex *c, bw_vec3 at, bw_vec3 n, part *out)
{
    static const int around[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    const double(*m)[4] = c->pose->m;
    double best = -1, side = 1;
    int axis = 0;
    for (int i = 0; i < 3; i++) {
        const double d = (m[0][i] * n.x + m[1][i] * n.y) + m[2][i] * n.z;
        if (fabs(d) > best) {
            best = fabs(d);
            side = d < 0 ? -1 : 1;
            axis = i;
        }
    }
    const bw_vec3 centre = bw_vec3_along(at, c->edge[axis], side), u = c->edge[(axis + 1) % 3],
                  v = c->edge[(axis + 2) % 3];
    out->normal = (bw_vec3){side * m[0][axis], side * m[1][axis], side * m[2][axis]};
    for (int k = 0; k < 4; k++) {
        const int j = side > 0 ? k : 3 - k;
        add(out, bw_vec3_along(bw_vec3_along(centre, u, around[j][0]), v, around[j][1]),
            (uint32_t)(8 * axis + (side > 0 ? 4 : 0) + j));
    }
    if (same_place(out->c[0].p, out->c[1].p)) {
        out->c[1] = out->c[2];
        out->count = 2;
    } else if (same_place(out->c[1].p, out->c[2].p)) {
        out->count = 2;
    }
    if (out->count == 2 && same_place(out->c[0].p, out->c[1].p))
        out->count = 1;
}

/* Both ends of a segment that is across the direction, else the farther one. */
static void ends_along(bw_vec3 p, bw_vec3 q, bw_vec3 n, part *out)
{
    const bw_vec3 d = bw_vec3_sub(q, p);
    const double along = bw_vec3_dot(n, d), length = bw_vec3_length(d);
    if (!(along > 0.05 * length))
        add(out, p, 0);
    if (!(along < -0.05 * length))
        add(out, q, 1);
}

static bw_vec3 turned_back(const bw_convex *c, bw_vec3 n)
{
    return (bw_vec3){bw_vec3_dot(n, c->edge[0]), bw_vec3_dot(n, c->edge[1]), bw_vec3_dot(n, c->edge[2])};
}

static void hull_face(const bw_convex *c, bw_vec3 at, bw_vec3 n, uint32_t known, part *out)
{
    const bw_hull *h = c->hull;
    if (h->face_count == 0) {
        ends_along(bw_vec3_add(at, bw_convex_offset(c, 0)),
                   bw_vec3_add(at, bw_convex_offset(c, h->vertex_count - 1)), n, out);
        return;
    }
    const bw_hull_face *face = &h->faces[known != 0 ? known - 1 : bw_hull_face_along(h, turned_back(c, n))];
    const uint32_t step = (face->count + MAX_CORNERS - 1) / MAX_CORNERS;
    for (uint32_t i = 0; i < face->count; i += step) {
        const uint32_t v = h->loops[face->first + i];
        add(out, bw_vec3_add(at, bw_convex_offset(c, v)), v);
    }
    const bw_vec3 *e = c->edge, m = face->normal;
    out->normal =
        (bw_vec3){e[0].x * m.x + e[1].x * m.y + e[2].x * m.z, e[0].y * m.x + e[1].y * m.y + e[2].y * m.z,
                  e[0].z * m.x + e[1].z * m.y + e[2].z * m.z};
}

/* The part of a core that is farthest along n. */
static void part_along(const bw_convex *c, bw_vec3 at, bw_vec3 n, uint32_t known, part *out)
{
    out->count = 0;
    switch (c->core) {
    case BW_CORE_BOX:
        box_face(c, at, n, out);
        break;
    case BW_CORE_HULL:
        hull_face(c, at, n, known, out);
        break;
    case BW_CORE_TRIANGLE: {
        const bw_vec3 m = bw_vec3_cross(c->edge[0], c->edge[1]);
        const double length = bw_vec3_length(m);
        const bool back = bw_vec3_dot(m, n) < 0;
        add(out, at, 0);
        add(out, bw_vec3_add(at, c->edge[back ? 1 : 0]), back ? 2 : 1);
        add(out, bw_vec3_add(at, c->edge[back ? 0 : 1]), back ? 1 : 2);
        if (length > 0)
            out->normal = bw_vec3_scale(m, (back ? -1 : 1) / length);
        else
            out->count = 1; /* a segment or a point: the witness serves */
        break;
    }
    case BW_CORE_SEGMENT:
        ends_along(bw_vec3_sub(at, c->edge[0]), bw_vec3_add(at, c->edge[0]), n, out);
        break;
    default:
        add(out, at, 0);
    }
}

/* What of a polygon or segment is on the inner side of a plane, n . x <= offset. False where that is all of it, and nothing is written. */
static bool clip(const part *in, bw_vec3 n, double offset, uint32_t plane, part *out)
{
    double x[MAX_CLIPPED];
    bool all = true;
    const int count = in->count;
    for (int i = 0; i < count; i++) {
        x[i] = bw_vec3_dot(n, in->c[i].p) - offset;
        all &= x[i] <= 0;
    }
    if (all)
        return false;
    const int edges = count > 2 ? count : count - 1;
    out->count = 0;
    for (int i = 0; i < edges; i++) { /* a single corner is outside, or all were inside */
        const int j = i + 1 == count ? 0 : i + 1;
        const corner *from = &in->c[i], *to = &in->c[j];
        if (x[i] <= 0)
            add(out, from->p, from->id);
        if ((x[i] < 0 && x[j] > 0) || (x[i] > 0 && x[j] < 0))
            add(out, bw_vec3_along(from->p, bw_vec3_sub(to->p, from->p), x[i] / (x[i] - x[j])),
                (from->id ^ to->id << 4) + 0x100u * (plane + 1));
        if (count == 2 && x[j] <= 0)
            add(out, to->p, to->id);
    }
    return true;
}

/* The sides of a face, as planes along the normal of the contact: what is inside is on the face along it. It is in either of the two parts,
 * of which the first is the polygon. */
static const part *clip_by_sides(part *polygon, const part *face, bw_vec3 along, part *spare)
{
    for (int i = 0; i < face->count && polygon->count > 0; i++) {
        const bw_vec3 p = face->c[i].p, q = face->c[i + 1 == face->count ? 0 : i + 1].p;
        const bw_vec3 n = bw_vec3_cross(bw_vec3_sub(q, p), along);
        if ((n.x != 0 || n.y != 0 || n.z != 0) && clip(polygon, n, bw_vec3_dot(n, p), (uint32_t)i, spare)) {
            part *kept = polygon;
            polygon = spare;
            spare = kept;
        }
    }
    return polygon;
}

typedef struct candidate {
    bw_vec3 on_a, on_b;
    double depth;
    uint32_t feature;
} candidate;

static double triangle_area(bw_vec3 a, bw_vec3 b, bw_vec3 c, bw_vec3 n)
{
    return bw_vec3_dot(bw_vec3_cross(bw_vec3_sub(b, a), bw_vec3_sub(c, a)), n);
}

/* Up to four of the points: the deepest, the one farthest from it, and those that make the area widest. */
static int choose(candidate *c, int count, int most, bw_vec3 n)
{
    if (count <= most)
        return count;
    for (int chosen = 0; chosen < most; chosen++) {
        int best = -1;
        double greatest = chosen < 3 ? -(double)INFINITY : 0;
        for (int i = chosen; i < count; i++) {
            double value = c[i].depth;
            if (chosen == 1) {
                const bw_vec3 d = bw_vec3_sub(c[i].on_b, c[0].on_b);
                value = bw_vec3_dot(d, d);
            } else if (chosen == 2) {
                value = fabs(triangle_area(c[0].on_b, c[1].on_b, c[i].on_b, n));
            } else if (chosen == 3) { /* beyond any side of the three */
                const double turn = triangle_area(c[0].on_b, c[1].on_b, c[2].on_b, n) < 0 ? -1 : 1;
                value = 0;
                for (int k = 0; k < 3; k++)
                    value =
                        bw_larger(value, -turn * triangle_area(c[k].on_b, c[(k + 1) % 3].on_b, c[i].on_b, n));
            }
            if (value > greatest) {
                greatest = value;
                best = i;
            }
        }
        if (best < 0)
            return chosen;
        const candidate taken = c[best];
        c[best] = c[chosen];
        c[chosen] = taken;
    }
    return most;
}

typedef struct range {
    double least, most;
} range;

/* The points of `moving` below the face, and where they are on it along the normal. None is deeper than the
 * contact: a face all but along the normal would make it so. */
static int below(const part *face, const part *moving, bool face_of_a, bw_vec3 n, range depths,
                 candidate *out)
{
    const double along = bw_vec3_dot(face->normal, n) * (face_of_a ? 1 : -1);
    int count = 0;
    for (int i = 0; i < moving->count; i++) {
        const double depth = bw_vec3_dot(bw_vec3_sub(face->c[0].p, moving->c[i].p), face->normal) / along;
        if (!(depth >= depths.least && depth <= depths.most))
            continue;
        const bw_vec3 on_face = bw_vec3_along(moving->c[i].p, n, face_of_a ? depth : -depth);
        out[count++] = (candidate){face_of_a ? on_face : moving->c[i].p, face_of_a ? moving->c[i].p : on_face,
                                   depth, moving->c[i].id};
    }
    return count;
}

static void emit(const bw_convex *a, const bw_convex *b, const candidate *c, bw_vec3 n, bw_shape_point *out)
{
    *out = (bw_shape_point){.point_a = bw_vec3_add(a->at, bw_vec3_along(c->on_a, n, a->radius)),
                            .point_b = bw_vec3_add(a->at, bw_vec3_along(c->on_b, n, -b->radius)),
                            .depth = c->depth + (a->radius + b->radius),
                            .feature = c->feature};
}

/* Candidates from faces; 0 where no face looks along the normal. */
static int clip_faces(const bw_convex *a, const bw_convex *b, const bw_gap *gap, range depths, candidate *out)
{
    part pa, pb, spare;
    if (gap->single)
        return 0;
    const bw_vec3 n = gap->normal, shift = bw_vec3_sub(b->at, a->at);
    if (a->core == BW_CORE_HALF_SPACE) {
        part_along(b, shift, bw_vec3_minus(n), gap->face_b, &pb);
        pa.count = 1;
        pa.c[0].p = (bw_vec3){0, 0, 0};
        pa.normal = n;
        return below(&pa, &pb, true, n, depths, out);
    }
    part_along(a, (bw_vec3){0, 0, 0}, n, gap->face_a, &pa);
    if (b->core == BW_CORE_HALF_SPACE) {
        pb.count = 1;
        pb.c[0].p = shift;
        pb.normal = bw_vec3_minus(n);
        return below(&pb, &pa, false, n, depths, out);
    }
    part_along(b, shift, bw_vec3_minus(n), gap->face_b, &pb);
    const double looks_a = pa.count > 2 ? bw_vec3_dot(pa.normal, n) : 0,
                 looks_b = pb.count > 2 ? -bw_vec3_dot(pb.normal, n) : 0;
    if (pa.count < 2 || pb.count < 2)
        return 0;
    if (pa.count == 2 && pb.count == 2) { /* side by side, or across each other */
        const bw_vec3 p = pa.c[0].p, q = pa.c[1].p, d = bw_vec3_sub(q, p);
        const bw_vec3 other = bw_vec3_sub(pb.c[1].p, pb.c[0].p), turn = bw_vec3_cross(d, other);
        if (bw_vec3_dot(turn, turn) > 1e-4 * bw_vec3_dot(d, d) * bw_vec3_dot(other, other))
            return 0;
        const double from = bw_vec3_dot(d, p), to = bw_vec3_dot(d, q);
        const part *first = clip(&pb, d, bw_larger(from, to), 0, &spare) ? &spare : &pb;
        part *second = first == &pb ? &spare : &pb;
        const part *side = clip(first, bw_vec3_minus(d), bw_larger(-from, -to), 1, second) ? second : first;
        const bw_vec3 across = bw_vec3_cross(bw_vec3_cross(d, n), d);
        const double length = bw_vec3_length(across);
        pa.normal = length > 0 ? bw_vec3_scale(across, 1 / length) : n;
        return below(&pa, side, true, n, depths, out);
    }
    if (!(bw_larger(looks_a, looks_b) > 0.95))
        return 0;
    if (looks_a + 1e-6 >= looks_b)
        return below(&pa, clip_by_sides(&pb, &pa, n, &spare), true, n, depths, out);
    const int count = below(&pb, clip_by_sides(&pa, &pb, bw_vec3_minus(n), &spare), false, n, depths, out);
    for (int i = 0; i < count; i++)
        out[i].feature |= 0x80000000u;
    return count;
}

/* Whether a point of the plane of a polygon is in it, as seen along its normal, sides included. */
static bool covers(const part *face, bw_vec3 p)
{
    bool inside = face->count > 2;
    for (int i = 0; i < face->count; i++) {
        const bw_vec3 from = face->c[i].p, to = face->c[i + 1 == face->count ? 0 : i + 1].p;
        inside &= !same_place(from, to) &&
                  bw_vec3_dot(bw_vec3_cross(bw_vec3_sub(to, from), bw_vec3_sub(p, from)), face->normal) >= 0;
    }
    return inside;
}

/* Whether the points of the gap are on both shapes: a vertex is below the face that it is the deepest under, where it is the only one. */
static bool is_on_both(const bw_convex *a, const bw_convex *b, const bw_gap *gap)
{
    part face;
    if (!gap->rough)
        return true;
    if (gap->face_a != 0 && gap->face_b == 0) {
        part_along(a, (bw_vec3){0, 0, 0}, gap->normal, gap->face_a, &face);
        return covers(&face, gap->on_a);
    }
    if (gap->face_b != 0 && gap->face_a == 0) {
        part_along(b, bw_vec3_sub(b->at, a->at), bw_vec3_minus(gap->normal), gap->face_b, &face);
        return covers(&face, gap->on_b);
    }
    return false;
}

bool bw_manifold(const bw_convex *a, const bw_convex *b, const bw_gap *gap, double separation, int most,
                 bw_shape_contact *out)
{
    candidate c[MAX_CLIPPED];
    const double margin = 4 * bw_convex_margin(a, b);
    const range depths = {-separation - (a->radius + b->radius) - margin, -gap->lower + margin};
    const bool serves = most == 1 && is_on_both(a, b, gap);
    int count = serves ? 0 : clip_faces(a, b, gap, depths, c);
    const bool done = serves || count > 0 || !gap->rough;
    if (count == 0) {
        c[0] = (candidate){gap->on_a, gap->on_b, bw_vec3_dot(bw_vec3_sub(gap->on_a, gap->on_b), gap->normal),
                           0x40000000u};
        count = 1;
    }
    count = choose(c, count, most, gap->normal);
    out->point_count = (uint32_t)count;
    for (int i = 0; i < count; i++)
        emit(a, b, &c[i], gap->normal, &out->points[i]);
    return done;
}
