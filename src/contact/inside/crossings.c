/* Where edges of one body cross triangles of the other, decided exactly. */
#include "contact/inside/crossings.h"

#include "geom/exact/predicates.h"
#include "geom/vec.h"

static void add_term(bw_rounded_sum *s, double x, double error)
{
    const double sum = s->sum + x;
    s->lost += fabs(s->sum) >= fabs(x) ? (s->sum - sum) + x : (x - sum) + s->sum;
    s->sum = sum;
    s->error += error;
}

static double length_of(bw_vec3 v)
{
    return sqrt(bw_vec3_dot(v, v));
}

static double largest(const bw_vec3 t[3])
{
    double size = 0.0;
    for (int i = 0; i < 3; i++)
        size = fmax(size, fmax(fabs(t[i].x), fmax(fabs(t[i].y), fabs(t[i].z))));
    return size;
}

/* Adds (o - middle) . (u x v), where u and v are rounded from differences of coordinates of the given size:
 * each is off by some ulps of that. */
static void add_corner(bw_crossings *c, bw_vec3 o, bw_vec3 u, bw_vec3 v, double factor, double size)
{
    const bw_vec3 arm = bw_vec3_sub(o, c->middle);
    const double ulps = 0x1p-49 * size, lever = length_of(arm) + ulps;
    const double error =
        lever * ((length_of(u) + length_of(v)) * ulps + length_of(u) * length_of(v) * 0x1p-49);
    add_term(&c->volume, factor * bw_vec3_dot(arm, bw_vec3_cross(u, v)),
             fabs(factor) * (error + ulps * length_of(u) * length_of(v)));
}

/* One end of the segment that two triangles share. */
typedef struct end {
    bool of_a;  /* an edge of a through b's triangle, or the other way around */
    int edge;   /* from this corner to the next */
    int into;   /* 1 where the edge enters the other body, -1 where it leaves */
    double way; /* how far along the edge, 0 to 1 */
    bw_vec3 point;
} end;

/* The edges of a triangle through the other; false where one only touches it. */
static bool find_ends(const bw_vec3 edges[3], const bw_vec3 through[3], bool of_a, end ends[2], int *count)
{
    for (int k = 0; k < 3; k++) {
        const bw_vec3 *p = &edges[k], *q = &edges[k == 2 ? 0 : k + 1];
        const bw_contact_kind kind = bw_segment_triangle(p, q, through);
        if (kind == BW_CONTACT_NONE)
            continue;
        if (kind == BW_CONTACT_TOUCHING || *count == 2)
            return false;
        const double at_p = bw_orient3d_value(&through[0], &through[1], &through[2], p);
        const double at_q = bw_orient3d_value(&through[0], &through[1], &through[2], q);
        if (at_p == 0.0 || at_q == 0.0)
            return false; /* in one plane */
        const double way = at_p / (at_p - at_q);
        /* Seen from a point outside, where the triangle runs counter-clockwise, the determinant is negative. */
        ends[(*count)++] = (end){of_a, k, at_p < 0.0 ? 1 : -1, way,
                                 bw_vec3_add(*p, bw_vec3_scale(bw_vec3_sub(*q, *p), way))};
    }
    return true;
}

/* What a segment adds to a face: its part of the border of what is inside the other body, which lies on its
 * left; and what the ends on the face's own edges do to these. With the first corner as the origin only the
 * edge across from it has an area. */
static void add_segment(bw_crossings *c, const bw_vec3 face[3], const end ends[2], bool of_a, bw_vec3 start,
                        bw_vec3 finish)
{
    const double size = largest(face);
    add_corner(c, face[0], bw_vec3_sub(start, face[0]), bw_vec3_sub(finish, face[0]), 1.0, size);
    for (int i = 0; i < 2; i++)
        if (ends[i].of_a == of_a && ends[i].edge == 1)
            add_corner(c, face[0], bw_vec3_sub(face[1], face[0]), bw_vec3_sub(face[2], face[1]),
                       ends[i].into * (1.0 - ends[i].way), size);
}

static void corners_of(const bw_crossings *c, const bw_immersed *body, uint32_t primitive, bw_vec3 out[3])
{
    bw_mesh_view_corners(body->body->mesh, primitive, out);
    for (int k = 0; k < 3 && body == c->b && c->map != NULL; k++)
        out[k] = bw_transform_point(c->map, out[k]);
}

bool bw_crossings_add(bw_crossings *c, const bw_hit *hit)
{
    bw_vec3 a[3], b[3];
    corners_of(c, c->a, hit->a, a);
    corners_of(c, c->b, hit->b, b);
    end ends[2];
    int count = 0;
    if (!find_ends(a, b, true, ends, &count) || !find_ends(b, a, false, ends, &count))
        return false;
    if (hit->kind != BW_CONTACT_CROSSING || count != 2)
        return false;
    /* On a's triangle the part inside b is left of the segment: where an edge of a enters, the segment ends,
     * for the border goes on along that edge; where an edge of b enters a, it begins. */
    const bool begins = (ends[0].into > 0) != ends[0].of_a;
    if (((ends[1].into > 0) != ends[1].of_a) == begins)
        return false;
    const bw_vec3 start = ends[begins ? 0 : 1].point, finish = ends[begins ? 1 : 0].point;
    for (int i = 0; i < 2; i++) {
        bw_immersed *body = ends[i].of_a ? c->a : c->b;
        const size_t edge = 3 * (size_t)(ends[i].of_a ? hit->a : hit->b) + (size_t)ends[i].edge;
        body->jump[edge] += ends[i].into;
        body->cuts[edge]++;
    }
    add_segment(c, a, ends, true, start, finish);
    add_segment(c, b, ends, false, finish, start);
    return true;
}

static void add_faces(bw_crossings *c, const bw_immersed *body)
{
    for (uint32_t i = 0; i < body->triangle_count; i++) {
        const uint32_t t = body->triangles[i];
        const int32_t winding = body->winding[body->place[bw_mesh_view_index(body->body->mesh, t, 1)]];
        if (winding == 0)
            continue;
        bw_vec3 p[3];
        corners_of(c, body, t, p);
        add_corner(c, p[0], bw_vec3_sub(p[1], p[0]), bw_vec3_sub(p[2], p[1]), winding, largest(p));
    }
}

void bw_crossings_add_faces(bw_crossings *crossings)
{
    add_faces(crossings, crossings->a);
    add_faces(crossings, crossings->b);
}

double bw_crossings_volume(const bw_crossings *c, double *error)
{
    *error = c->volume.error / 6.0;
    return (c->volume.sum + c->volume.lost) / 6.0;
}
