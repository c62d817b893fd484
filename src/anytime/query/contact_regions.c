/* The regions where contact is likeliest, best first, from the stack of a query that ended. */
#include "anytime/query/contact_regions.h"

#include "geom/box.h"
#include "mesh/view.h"

#include <math.h>

typedef struct symmetric {
    double xx, yy, zz, xy, xz, yz;
} symmetric;

static void apply(const symmetric *s, const double v[3], double out[3])
{
    out[0] = s->xx * v[0] + s->xy * v[1] + s->xz * v[2];
    out[1] = s->xy * v[0] + s->yy * v[1] + s->yz * v[2];
    out[2] = s->xz * v[0] + s->yz * v[1] + s->zz * v[2];
}

static symmetric inverse(const symmetric *s)
{
    symmetric c = {s->yy * s->zz - s->yz * s->yz, s->xx * s->zz - s->xz * s->xz,
                   s->xx * s->yy - s->xy * s->xy, s->xz * s->yz - s->xy * s->zz,
                   s->xy * s->yz - s->xz * s->yy, s->xy * s->xz - s->xx * s->yz};
    double d = 1.0 / (s->xx * c.xx + s->xy * c.xy + s->xz * c.xz);
    return (symmetric){c.xx * d, c.yy * d, c.zz * d, c.xy * d, c.xz * d, c.yz * d};
}

static symmetric spread_of(const float (*spread)[BW_WIDTH], uint32_t lane)
{
    return (symmetric){(double)spread[0][lane], (double)spread[1][lane], (double)spread[2][lane],
                       (double)spread[3][lane], (double)spread[4][lane], (double)spread[5][lane]};
}

static bw_vec3 unit_or_zero(const double v[3])
{
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (!(length > 1e-12 && length < 1e300))
        return (bw_vec3){0.0, 0.0, 0.0};
    return (bw_vec3){v[0] / length, v[1] / length, v[2] / length};
}

/* A normal under the map of points m: by its cofactors, turned back where the map mirrors. */
static void map_normal(const double (*m)[4], const double v[3], double out[3])
{
    double c[3][3], determinant = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            c[i][j] = m[i1][j1] * m[i2][j2] - m[i1][j2] * m[i2][j1];
        }
    for (int j = 0; j < 3; j++)
        determinant += m[0][j] * c[0][j];
    double sign = determinant < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 3; i++)
        out[i] = sign * (c[i][0] * v[0] + c[i][1] * v[1] + c[i][2] * v[2]);
}

/* What stands in the frame of a goes to the common one. */
static void place_in_common(bw_anytime_region *place, const bw_transform *pose)
{
    if (pose == NULL)
        return;
    bw_vec3 corners[8];
    for (int k = 0; k < 8; k++)
        corners[k] = bw_transform_point(
            pose, (bw_vec3){(double)((k & 1) != 0 ? place->box.max[0] : place->box.min[0]),
                            (double)((k & 2) != 0 ? place->box.max[1] : place->box.min[1]),
                            (double)((k & 4) != 0 ? place->box.max[2] : place->box.min[2])});
    place->box = bw_box_of_points(corners, 8);
    place->point = bw_transform_point(pose, place->point);
    double normal[3] = {place->normal.x, place->normal.y, place->normal.z}, mapped[3];
    map_normal(pose->m, normal, mapped);
    place->normal = unit_or_zero(mapped);
}

/* The point at which the product of the two normal distributions is largest, and the difference of the mean
 * normals: a's points out of it, b's against it. */
static void estimate(const bw_anytime_traversal *w, const bw_anytime_pair *pair, bw_anytime_region *out)
{
    const bw_moment_node *a = &w->a->nodes[pair->node_a];
    bw_moment_mapped b;
    w->kernels->map(&w->map, &w->b->nodes[pair->node_b], &b);
    uint32_t j = pair->lane_a, i = pair->lane_b;
    symmetric sa = spread_of(a->spread, j), sb = spread_of(b.spread, i);
    symmetric sum = {sa.xx + sb.xx, sa.yy + sb.yy, sa.zz + sb.zz,
                     sa.xy + sb.xy, sa.xz + sb.xz, sa.yz + sb.yz};
    symmetric back = inverse(&sum);
    double apart[3], pulled[3], step[3], point[3];
    for (int k = 0; k < 3; k++)
        apart[k] = (double)b.mean[k][i] - (double)a->mean[k][j];
    apply(&back, apart, pulled);
    apply(&sa, pulled, step);
    for (int k = 0; k < 3; k++)
        point[k] = ((double)a->mean[k][j] + step[k]) * w->a->unit + w->a->origin[k];
    const float(*na)[BW_WIDTH] = w->a->normals[pair->node_a].normal;
    const float(*nb)[BW_WIDTH] = w->b->normals[pair->node_b].normal;
    double local[3] = {(double)nb[0][i], (double)nb[1][i], (double)nb[2][i]}, turned[3], normal[3];
    map_normal(w->plan.pose->map.m, local, turned);
    double length = sqrt(turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2]);
    double was = sqrt(local[0] * local[0] + local[1] * local[1] + local[2] * local[2]);
    for (int k = 0; k < 3; k++)
        normal[k] = (double)na[k][j] - (length > 0.0 ? turned[k] * (was / length) : 0.0);
    *out = (bw_anytime_region){.box = bw_wide_lane_box(&w->wide.a->nodes[pair->node_a], j),
                               .point = {point[0], point[1], point[2]},
                               .normal = unit_or_zero(normal),
                               .probability = bw_anytime_probability_of((double)pair->hazard),
                               .a = BW_NONE,
                               .b = BW_NONE};
}

static void area_vector(const bw_vec3 p[3], double out[3])
{
    double d1[3] = {p[1].x - p[0].x, p[1].y - p[0].y, p[1].z - p[0].z};
    double d2[3] = {p[2].x - p[0].x, p[2].y - p[0].y, p[2].z - p[0].z};
    for (int k = 0; k < 3; k++)
        out[k] = d1[(k + 1) % 3] * d2[(k + 2) % 3] - d1[(k + 2) % 3] * d2[(k + 1) % 3];
}

static void proven_place(const bw_mesh *mesh_a, const bw_mesh *mesh_b, const bw_relative_pose *pose,
                         const bw_hit *hit, bw_anytime_region *out)
{
    bw_vec3 a[3], b[3];
    bw_triangle_contact contact;
    bw_mesh_view_corners(mesh_a, hit->a, a);
    (void)bw_relative_pose_corners(pose, mesh_b, hit->b, b);
    bw_triangle_triangle_contact(a, b, &contact);
    bw_vec3 sum = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < contact.point_count; i++) {
        double share = 1.0 / contact.point_count;
        sum = (bw_vec3){sum.x + share * contact.points[i].x, sum.y + share * contact.points[i].y,
                        sum.z + share * contact.points[i].z};
    }
    double na[3], nb[3], normal[3];
    area_vector(a, na);
    area_vector(b, nb);
    bw_vec3 ua = unit_or_zero(na), ub = unit_or_zero(nb);
    normal[0] = ua.x - ub.x;
    normal[1] = ua.y - ub.y;
    normal[2] = ua.z - ub.z;
    *out = (bw_anytime_region){.box = bw_box_of_points(a, 3),
                               .point = sum,
                               .normal = unit_or_zero(normal),
                               .probability = 1.0,
                               .proven = true,
                               .a = hit->a,
                               .b = hit->b};
}

/* The likeliest pairs that wait: frame by frame, in the order of their likeliest. */
static uint32_t waiting_places(const bw_anytime_traversal *w, bw_anytime_region *out, uint32_t capacity)
{
    const bw_anytime_frame *frames = (const bw_anytime_frame *)(const void *)w->stack->items;
    size_t frame_count = w->stack->count, last = frame_count;
    uint32_t count = 0;
    for (size_t done = 0; done < frame_count && count < capacity; done++) {
        size_t best = frame_count;
        for (size_t k = 0; k < frame_count; k++) {
            float value = frames[k].next_value;
            bool after = last == frame_count || value < frames[last].next_value ||
                         (!(value > frames[last].next_value) && k > last);
            if (after && (best == frame_count || value > frames[best].next_value))
                best = k;
        }
        last = best;
        for (bw_anytime_frame f = frames[best]; f.left != 0 && count < capacity;) {
            bw_anytime_pair pair = bw_anytime_frame_take(w->kernels, &f);
            estimate(w, &pair, &out[count++]);
        }
    }
    return count;
}

uint32_t bw_anytime_contact_regions(const bw_anytime_traversal *w, const bw_transform *pose_a,
                                    bw_anytime_region *out, uint32_t capacity)
{
    uint32_t count = 0;
    if (capacity == 0)
        return 0;
    if (w->hit.kind != BW_CONTACT_NONE)
        proven_place(w->side_a.mesh, w->side_b.mesh, w->plan.pose, &w->hit, &out[count++]);
    for (uint32_t i = w->progress.remembered; i-- > 0 && count < capacity;)
        estimate(w, &w->progress.pair[i], &out[count++]);
    if (count == 0 && w->stack != NULL)
        count = waiting_places(w, out, capacity);
    /* Likeliest first: few, so by insertion. */
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t k = i; k > 0 && out[k].probability > out[k - 1].probability; k--) {
            bw_anytime_region swap = out[k];
            out[k] = out[k - 1];
            out[k - 1] = swap;
        }
    for (uint32_t i = 0; i < count; i++)
        place_in_common(&out[i], pose_a);
    return count;
}

void bw_anytime_contact_region_proven(const bw_mesh *mesh_a, const bw_mesh *mesh_b,
                                      const bw_relative_pose *pose, const bw_hit *hit,
                                      const bw_transform *pose_a, bw_anytime_region *out)
{
    proven_place(mesh_a, mesh_b, pose, hit, out);
    place_in_common(out, pose_a);
}
