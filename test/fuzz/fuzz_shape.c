/* Convex shapes of arbitrary bytes: hulls of any points, pairs of shapes in any rigid poses, and shapes against a
 * body whose triangles are hulls as well. Answers agree with each other: the kind of contact with the distance and
 * the contact, one order of the shapes with the other, with and without a cache of any bits. */
#include "fuzz/bytes.h"

#include <boxwood/shape.h>
#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    MOST_POINTS = 24,
    ROUND = 240, /* a first byte from here on: points around a ball, more than the bytes could name */
    MOST_ROUND = 280
};

typedef struct input {
    bytes b;
    uint8_t style;
    bw_hull *hulls[2];
    bw_shape shapes[2];
    bw_transform poses[2];
} input;

static bw_vec3 take_point(input *in)
{
    bw_vec3 p;
    p.x = bytes_coordinate(&in->b, in->style);
    p.y = bytes_coordinate(&in->b, in->style);
    p.z = bytes_coordinate(&in->b, in->style);
    return p;
}

static bool is_range(double x)
{
    return x == 0 || (fabs(x) >= BW_EXACT_MIN && fabs(x) <= BW_COORDINATE_MAX);
}

/* Every point is behind every triangle; a flat hull holds only points of its plane. */
static void check_hull(const bw_hull *hull, const bw_vec3 *points, uint32_t count)
{
    const bw_mesh mesh = bw_hull_mesh(hull);
    const char *problem = bw_hull_check(hull);
    if (problem != NULL)
        fprintf(stderr, "%s\n", problem);
    must(problem == NULL);
    for (uint32_t t = 0; t < mesh.triangle_count; t++) {
        bw_vec3 v[3];
        bw_mesh_corners(&mesh, t, v);
        for (uint32_t i = 0; i < count; i++)
            must(bw_orient3d(&v[0], &v[1], &v[2], &points[i]) >= 0);
    }
}

/* A spiral from pole to pole, stretched along the axes, each point moved in or out by a part of a byte. */
static uint32_t take_round(input *in, bw_vec3 *points)
{
    const uint32_t count = MOST_POINTS + 1 + bytes_u8(&in->b);
    const bw_vec3 size = take_point(in);
    const double rough = ldexp(1.0, -(int)(bytes_u8(&in->b) % 64));
    for (uint32_t i = 0; i < count; i++) {
        const double z = 1 - (2 * i + 1.0) / count, r = sqrt(1 - z * z), angle = 2.399963 * i;
        const double out = 1 + rough * (double)(int8_t)bytes_u8(&in->b) / 256;
        points[i] =
            (bw_vec3){size.x * (out * r * cos(angle)), size.y * (out * r * sin(angle)), size.z * (out * z)};
    }
    return count;
}

static bw_hull *take_hull(input *in)
{
    bw_vec3 points[MOST_ROUND] = {{0, 0, 0}};
    const uint8_t how = bytes_u8(&in->b);
    uint32_t count = how % (MOST_POINTS + 1);
    bool good = true;
    if (how >= ROUND)
        count = take_round(in, points);
    else
        for (uint32_t i = 0; i < count; i++)
            points[i] = take_point(in);
    for (uint32_t i = 0; i < count; i++)
        good = good && is_range(points[i].x) && is_range(points[i].y) && is_range(points[i].z);
    bw_hull *hull = NULL;
    const bw_result result = bw_hull_create(NULL, points, count, &hull, NULL);
    must(result == (count == 0 ? BW_ERROR_EMPTY : good ? BW_OK : BW_ERROR_RANGE));
    if (hull != NULL)
        check_hull(hull, points, count);
    return hull;
}

/* A turn by any angle or by right angles. */
static bw_transform take_pose(input *in)
{
    const uint8_t how = bytes_u8(&in->b);
    const bw_vec3 at = take_point(in), none = {0, 0, 1}, one = {1, 1, 1};
    bw_vec3 axis = take_point(in);
    if ((how & 1) == 0) { /* exactly the axes, in another order */
        bw_transform pose = {{{0}}};
        const int first = how / 2 % 3;
        const double s = (how & 64) != 0 ? -1 : 1, t = (how & 128) != 0 ? -1 : 1;
        pose.m[first][0] = s;
        pose.m[(first + 1) % 3][1] = t;
        pose.m[(first + 2) % 3][2] = s * t;
        pose.m[0][3] = at.x;
        pose.m[1][3] = at.y;
        pose.m[2][3] = at.z;
        return pose;
    }
    if (axis.x == 0 && axis.y == 0 && axis.z == 0)
        axis = none;
    return bw_transform_compose(at, axis, (double)how / 16, one);
}

static void take_shape(input *in, int which)
{
    bw_shape *s = &in->shapes[which];
    const uint8_t how = bytes_u8(&in->b);
    *s = (bw_shape){.kind = (bw_shape_kind)(how % 5)};
    s->radius = (how & 128) != 0 ? fabs(bytes_coordinate(&in->b, in->style)) : 0;
    s->half = take_point(in);
    s->half = (bw_vec3){fabs(s->half.x), fabs(s->half.y), fabs(s->half.z)};
    s->hull = s->kind == BW_SHAPE_HULL ? in->hulls[which] : NULL;
    in->poses[which] = take_pose(in);
}

static void check_contact(const bw_shape_contact *c, bw_contact_kind kind, double separation, double size)
{
    must(c->kind == kind);
    must(c->point_count <= 4 && (kind == BW_CONTACT_NONE || c->point_count > 0));
    if (c->point_count == 0)
        return;
    const bw_vec3 n = c->normal;
    must(fabs(n.x * n.x + n.y * n.y + n.z * n.z - 1) < 1e-8);
    must(c->depth_lower <= c->depth);
    must(kind == BW_CONTACT_NONE ? c->depth <= 1e-11 * size : c->depth >= 0);
    for (uint32_t i = 0; i < c->point_count; i++)
        must(c->points[i].depth >= -separation - 1e-10 * (size + separation) - 1e-10 * fabs(c->depth));
}

static double size_of(const bw_shape *s, const bw_transform *pose)
{
    const bool box = s->kind == BW_SHAPE_BOX, z = box || s->kind == BW_SHAPE_CAPSULE;
    double size = s->radius + (box ? s->half.x + s->half.y : 0) + (z ? s->half.z : 0);
    for (int i = 0; i < 3; i++)
        size += fabs(pose->m[i][3]);
    for (uint32_t i = 0; s->hull != NULL && i < bw_hull_mesh(s->hull).vertex_count; i++) {
        const bw_mesh mesh = bw_hull_mesh(s->hull);
        const bw_vec3 v = bw_mesh_vertex(&mesh, i);
        size = fmax(size, fabs(v.x) + fabs(v.y) + fabs(v.z));
    }
    return size;
}

static void try_pair(input *in)
{
    const bw_placed_shape a = {&in->shapes[0], &in->poses[0]}, b = {&in->shapes[1], &in->poses[1]};
    bw_contact_kind kind, other;
    bw_shape_contact contact, mirrored;
    bw_shape_nearest nearest;
    bw_shape_cache cache;
    bw_shape_desc desc = {.cache = &cache};
    bytes_take(&in->b, &cache, sizeof cache);
    const bw_result sound = bw_shape_check(&a, NULL) == BW_OK ? bw_shape_check(&b, NULL) : BW_ERROR_RANGE;
    must((bw_shape_overlap(&a, &b, &kind, NULL) == BW_OK) == (sound == BW_OK));
    if (sound != BW_OK)
        return;
    const double size = size_of(a.shape, a.pose) + size_of(b.shape, b.pose);
    must(bw_shape_overlap(&b, &a, &other, NULL) == BW_OK && kind == other);
    must(bw_shape_contact_pair(&a, &b, NULL, &contact, NULL) == BW_OK);
    check_contact(&contact, kind, 0, size);
    must(bw_shape_contact_pair(&b, &a, NULL, &mirrored, NULL) == BW_OK);
    must(mirrored.kind == kind && mirrored.point_count == contact.point_count &&
         mirrored.depth == contact.depth);
    desc.separation = fabs(bytes_coordinate(&in->b, in->style));
    must(bw_shape_contact_pair(&a, &b, &desc, &contact, NULL) == BW_OK);
    check_contact(&contact, kind, desc.separation, size);
    must(bw_shape_contact_pair(&a, &b, &desc, &contact, NULL) == BW_OK);
    check_contact(&contact, kind, desc.separation, size);
    for (desc.max_points = 1; desc.max_points < 4; desc.max_points++) {
        bw_shape_contact few;
        must(bw_shape_contact_pair(&a, &b, &desc, &few, NULL) == BW_OK);
        check_contact(&few, kind, desc.separation, size);
        must(few.point_count <= desc.max_points && (few.point_count == 0) == (contact.point_count == 0));
    }
    must(bw_shape_distance(&a, &b, &desc, &nearest, NULL) == BW_OK);
    must((nearest.distance == 0) == (kind != BW_CONTACT_NONE));
    const double gap =
        hypot(hypot(nearest.point_a.x - nearest.point_b.x, nearest.point_a.y - nearest.point_b.y),
              nearest.point_a.z - nearest.point_b.z);
    must(fabs(gap - nearest.distance) <= 1e-11 * size);
    if (contact.point_count > 0 && kind == BW_CONTACT_NONE)
        must(fabs(contact.depth + nearest.distance) <= 1e-11 * size);
}

static void try_ray_and_sweep(input *in)
{
    const bw_placed_shape a = {&in->shapes[0], &in->poses[0]};
    const bw_ray ray = {.origin = take_point(in), .direction = take_point(in)};
    bw_shape_ray_hit hit;
    bw_box box;
    if (bw_shape_check(&a, NULL) != BW_OK)
        return;
    must(bw_shape_bounds(&a, &box, NULL) == BW_OK && box.min[0] <= box.max[0]);
    const double direction = fabs(ray.direction.x) + fabs(ray.direction.y) + fabs(ray.direction.z);
    const bw_result result = bw_shape_raycast(&a, &ray, &hit, NULL);
    must(direction > 0 || result == BW_ERROR_ARGUMENT);
    if (result == BW_OK && hit.hit)
        must(hit.t >= 0 && isfinite(hit.t));
    bw_rigid_motion motions[2] = {{.start = in->poses[0], .translation = take_point(in)},
                                  {.start = in->poses[1], .translation = take_point(in)}};
    motions[0].angle = (double)bytes_u8(&in->b) / 64;
    motions[0].axis = (bw_vec3){1, 2, 3};
    bw_shape_sweep_report report = {0};
    const bw_shape_sweep_desc desc = {.max_steps = 50};
    if (bw_shape_sweep(&in->shapes[0], &motions[0], &in->shapes[1], &motions[1], &desc, &report, NULL) ==
        BW_OK)
        must(report.time >= 0 && report.time <= 1 && report.steps <= 50);
}

/* The triangles of the second hull as a body. */
static void try_body(input *in)
{
    const bw_placed_shape shape = {&in->shapes[0], &in->poses[0]};
    bw_tree *tree = NULL;
    if (in->hulls[1] == NULL || bw_hull_mesh(in->hulls[1]).triangle_count == 0 ||
        bw_shape_check(&shape, NULL) != BW_OK)
        return;
    const bw_mesh mesh = bw_hull_mesh(in->hulls[1]);
    if (bw_tree_create(NULL, &mesh, &tree, NULL) != BW_OK)
        return;
    const bw_body body = {tree, &mesh, NULL};
    bw_shape_collide_report report = {0};
    bw_shape_distance_report distance = {0};
    const bw_shape_collide_desc desc = {.mode = BW_COLLIDE_COUNT};
    uint64_t hits = 0, touching = 0;
    double least = (double)INFINITY, size = size_of(shape.shape, shape.pose);
    must(bw_shape_collide_body(&shape, &body, &desc, &report, NULL) == BW_OK);
    must(bw_shape_distance_body(&shape, &body, NULL, &distance, NULL) == BW_OK);
    for (uint32_t t = 0; t < mesh.triangle_count; t++) {
        bw_vec3 v[3];
        bw_hull *triangle = NULL;
        bw_contact_kind kind;
        bw_shape_nearest nearest;
        bw_mesh_corners(&mesh, t, v);
        must(bw_hull_create(NULL, v, 3, &triangle, NULL) == BW_OK);
        const bw_shape other = {.kind = BW_SHAPE_HULL, .hull = triangle};
        const bw_placed_shape placed = {&other, NULL};
        must(bw_shape_overlap(&shape, &placed, &kind, NULL) == BW_OK);
        must(bw_shape_distance(&shape, &placed, NULL, &nearest, NULL) == BW_OK);
        hits += kind != BW_CONTACT_NONE;
        touching += kind == BW_CONTACT_TOUCHING;
        least = fmin(least, nearest.distance);
        for (int k = 0; k < 3; k++)
            size = fmax(size, fabs(v[k].x) + fabs(v[k].y) + fabs(v[k].z));
        bw_hull_destroy(triangle);
    }
    must(report.hit_count == hits && report.touching_count == touching);
    must(fabs(distance.nearest.distance - least) <= 1e-11 * size &&
         (least == 0) == (distance.nearest.distance == 0));
    const bw_rigid_motion motion = {.start = in->poses[0], .translation = take_point(in)};
    bw_shape_sweep_report sweep = {0};
    const bw_shape_sweep_desc steps = {.max_steps = 20};
    if (bw_shape_sweep_body(&in->shapes[0], &motion, &body, NULL, &steps, &sweep, NULL) == BW_OK)
        must(sweep.time >= 0 && sweep.time <= 1);
    bw_tree_destroy(tree);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in = {.b = {data, size, 0}};
    in.style = bytes_u8(&in.b);
    if ((in.style & 64) != 0)
        bytes_go_on(&in.b);
    for (int i = 0; i < 2; i++) {
        in.hulls[i] = take_hull(&in);
        take_shape(&in, i);
    }
    try_pair(&in);
    try_ray_and_sweep(&in);
    try_body(&in);
    bw_hull_destroy(in.hulls[0]);
    bw_hull_destroy(in.hulls[1]);
    return 0;
}
