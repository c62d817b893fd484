/* Making solids. */
#include "contact/solids.h"

#include "oracle/brute_force.h"
#include "oracle/triangle_oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

void solid_of_mesh(solid *out, const bws_mesh *mesh)
{
    *out = (solid){.owned = *mesh};
    out->mesh = bws_view(&out->owned);
    assert_int_equal(bw_tree_create(NULL, &out->mesh, &out->tree, NULL), BW_OK);
    out->body = (bw_body){out->tree, &out->mesh, NULL};
}

static void make(solid *out, const bw_vec3 *points, uint32_t point_count, const uint32_t *indices,
                 uint32_t triangle_count)
{
    bws_mesh mesh = {.scalar = BW_F64, .vertex_count = point_count, .triangle_count = triangle_count};
    mesh.positions = malloc(point_count * sizeof *points);
    mesh.indices = malloc(3 * triangle_count * sizeof *indices);
    assert_true(mesh.positions != NULL && mesh.indices != NULL);
    memcpy(mesh.positions, points, point_count * sizeof *points);
    memcpy(mesh.indices, indices, 3 * triangle_count * sizeof *indices);
    solid_of_mesh(out, &mesh);
}

/* The corners p q r s of a square that runs counter-clockwise seen from outside. */
static void add_square(uint32_t *indices, uint32_t *count, uint32_t p, uint32_t q, uint32_t r, uint32_t s)
{
    const uint32_t six[6] = {p, q, r, p, r, s};
    memcpy(indices + 3 * *count, six, sizeof six);
    *count += 2;
}

void solid_box(solid *out, bw_vec3 low, bw_vec3 high)
{
    bw_vec3 p[8];
    uint32_t indices[36], count = 0;
    for (int i = 0; i < 8; i++)
        p[i] = (bw_vec3){i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z};
    add_square(indices, &count, 0, 4, 6, 2);
    add_square(indices, &count, 1, 3, 7, 5);
    add_square(indices, &count, 0, 1, 5, 4);
    add_square(indices, &count, 2, 6, 7, 3);
    add_square(indices, &count, 0, 2, 3, 1);
    add_square(indices, &count, 4, 5, 7, 6);
    make(out, p, 8, indices, count);
}

void solid_ring(solid *out, double half, double hole, double height)
{
    static const double x[4] = {-1, 1, 1, -1}, y[4] = {-1, -1, 1, 1};
    bw_vec3 p[16]; /* outer below, outer above, inner below, inner above */
    uint32_t indices[96], count = 0;
    for (uint32_t i = 0; i < 16; i++) {
        const double r = i < 8 ? half : hole;
        p[i] = (bw_vec3){r * x[i % 4], r * y[i % 4], i / 4 % 2 == 0 ? 0.0 : height};
    }
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t j = (i + 1) % 4;
        add_square(indices, &count, i, j, 4 + j, 4 + i);
        add_square(indices, &count, 8 + j, 8 + i, 12 + i, 12 + j);
        add_square(indices, &count, 4 + i, 4 + j, 12 + j, 12 + i);
        add_square(indices, &count, j, i, 8 + i, 8 + j);
    }
    make(out, p, 16, indices, count);
}

void solid_capsule(solid *out, double radius, double length, uint32_t meridians, uint32_t rings)
{
    const double pi = 3.14159265358979323846;
    const uint32_t point_count = 2 + 2 * rings * meridians; /* poles, then rings from below, doubled halves */
    bw_vec3 *p = malloc(point_count * sizeof *p);
    uint32_t *indices = malloc(sizeof *indices * 6 * (2 * rings + 1) * meridians), count = 0;
    assert_true(p != NULL && indices != NULL);
    p[0] = (bw_vec3){0, 0, -radius - 0.5 * length};
    p[1] = (bw_vec3){0, 0, radius + 0.5 * length};
    for (uint32_t r = 0; r < 2 * rings; r++)
        for (uint32_t m = 0; m < meridians; m++) {
            /* The lower half ends below the equator, the upper one begins above it. */
            const double latitude = -0.5 * pi + pi * (double)(r + 1) / (2.0 * rings + 1.0);
            const double longitude = 2.0 * pi * (double)m / (double)meridians;
            p[2 + r * meridians + m] =
                (bw_vec3){radius * cos(latitude) * cos(longitude), radius * cos(latitude) * sin(longitude),
                          radius * sin(latitude) + (r < rings ? -0.5 : 0.5) * length};
        }
    for (uint32_t m = 0; m < meridians; m++) {
        const uint32_t n = (m + 1) % meridians, top = 2 + (2 * rings - 1) * meridians;
        const uint32_t caps[6] = {0, 2 + n, 2 + m, 1, top + m, top + n};
        memcpy(indices + 3 * count, caps, sizeof caps);
        count += 2;
        for (uint32_t r = 0; r + 1 < 2 * rings; r++)
            add_square(indices, &count, 2 + r * meridians + m, 2 + r * meridians + n,
                       2 + (r + 1) * meridians + n, 2 + (r + 1) * meridians + m);
    }
    make(out, p, point_count, indices, count);
    free(p);
    free(indices);
}

void solid_place(solid *s, const bw_transform *pose)
{
    s->pose = *pose;
    s->body.pose = &s->pose;
}

void solid_free(solid *s)
{
    bw_tree_destroy(s->tree);
    bws_mesh_free(&s->owned);
}

bw_vec3 *solid_world(const solid *s)
{
    bw_vec3 *points = malloc(s->mesh.vertex_count * sizeof *points);
    assert_non_null(points);
    for (uint32_t v = 0; v < s->mesh.vertex_count; v++) {
        points[v] = bw_mesh_vertex(&s->mesh, v);
        if (s->body.pose != NULL)
            points[v] = bw_transform_point(s->body.pose, points[v]);
    }
    return points;
}

cells random_cells(bws_random *random, uint32_t side)
{
    cells grid = {.side = side};
    for (uint32_t i = 0; i < side * side * side; i++)
        grid.full[i] = bws_random_u32(random) % 2 == 0;
    grid.full[bws_random_u32(random) % (side * side * side)] = true;
    return grid;
}

static bool is_full(const cells *grid, int x, int y, int z)
{
    const int side = (int)grid->side;
    if (x < 0 || y < 0 || z < 0 || x >= side || y >= side || z >= side)
        return false;
    return grid->full[x + side * (y + side * z)];
}

void solid_cells(solid *out, const cells *grid)
{
    const int side = (int)grid->side, row = side + 1;
    bw_vec3 p[125];
    uint32_t indices[3 * 2 * 6 * 64], count = 0;
    for (int i = 0; i < row * row * row; i++)
        p[i] = (bw_vec3){i % row, i / row % row, i / row / row};
    const int step[3] = {1, row, row * row};
    for (int i = 0; i < side * side * side; i++) {
        const int at[3] = {i % side, i / side % side, i / side / side};
        if (!is_full(grid, at[0], at[1], at[2]))
            continue;
        const int corner = at[0] + row * (at[1] + row * at[2]);
        for (int k = 0; k < 6; k++) {
            const int axis = k / 2, way = k % 2, u = step[(axis + 1) % 3], v = step[(axis + 2) % 3];
            int next[3] = {at[0], at[1], at[2]};
            next[axis] += way == 0 ? -1 : 1;
            if (is_full(grid, next[0], next[1], next[2]))
                continue;
            const int base = corner + way * step[axis];
            /* u, v, axis are right-handed: the upper side runs along u first. */
            if (way == 1)
                add_square(indices, &count, (uint32_t)base, (uint32_t)(base + u), (uint32_t)(base + u + v),
                           (uint32_t)(base + v));
            else
                add_square(indices, &count, (uint32_t)base, (uint32_t)(base + v), (uint32_t)(base + u + v),
                           (uint32_t)(base + u));
        }
    }
    make(out, p, (uint32_t)(row * row * row), indices, count);
}

void solid_corners_in(const solid *a, const solid *b, uint32_t triangle, bw_vec3 out[3])
{
    bw_transform relative;
    const bool mapped = bw_brute_relative(a->body.pose, b->body.pose, &relative);
    bw_mesh_corners(&b->mesh, triangle, out);
    for (int k = 0; k < 3 && mapped; k++)
        out[k] = bw_transform_point(&relative, out[k]);
}

/* Corners of all triangles, in the frame of a. */
static bw_vec3 *all_corners(const solid *a, const solid *b)
{
    bw_vec3 *corners = malloc(3 * b->mesh.triangle_count * sizeof *corners);
    assert_non_null(corners);
    for (uint32_t t = 0; t < b->mesh.triangle_count; t++)
        solid_corners_in(a, b, t, corners + 3 * t);
    return corners;
}

static bool boxes_meet(const bw_vec3 a[3], const bw_vec3 b[3])
{
    for (int k = 0; k < 3; k++) {
        double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
        for (int i = 0; i < 3; i++) {
            const double x[2] = {(&a[i].x)[k], (&b[i].x)[k]};
            for (int s = 0; s < 2; s++) {
                low[s] = x[s] < low[s] ? x[s] : low[s];
                high[s] = x[s] > high[s] ? x[s] : high[s];
            }
        }
        if (low[0] > high[1] || low[1] > high[0])
            return false;
    }
    return true;
}

/* Parity along a segment that leaves everything behind; nearly along x, so that most triangles are out of its
 * box. */
static bool inside(bw_vec3 p, const bw_vec3 *corners, uint32_t triangles)
{
    bws_random random = bws_random_seeded(17);
    for (;;) {
        const bw_vec3 d = bws_random_direction(&random);
        const bw_vec3 q = {p.x + 100, p.y + d.y, p.z + d.z}, segment[3] = {p, q, q};
        bool odd = false, clear = true;
        for (uint32_t t = 0; t < triangles && clear; t++) {
            if (!boxes_meet(segment, corners + 3 * t))
                continue;
            const bw_contact_kind kind = bw_oracle_segment_triangle(&p, &q, corners + 3 * t);
            odd ^= kind == BW_CONTACT_CROSSING;
            clear = kind != BW_CONTACT_TOUCHING;
        }
        if (clear)
            return odd;
    }
}

bool solids_apart(const solid *a, const solid *b, bw_vec3 translation, bool closed_a, bool closed_b)
{
    solid moved = *b;
    bw_transform pose = b->body.pose == NULL ? bw_transform_identity() : *b->body.pose;
    pose.m[0][3] += translation.x;
    pose.m[1][3] += translation.y;
    pose.m[2][3] += translation.z;
    solid_place(&moved, &pose);
    moved.body.pose = &moved.pose;
    solid still = *a;
    still.body.pose = NULL;
    bw_vec3 *corners_a = all_corners(&still, &still), *corners_b = all_corners(a, &moved);
    const uint32_t count_a = a->mesh.triangle_count, count_b = b->mesh.triangle_count;
    bool apart = true;
    for (uint32_t i = 0; i < count_a && apart; i++)
        for (uint32_t j = 0; j < count_b && apart; j++)
            if (boxes_meet(corners_a + 3 * i, corners_b + 3 * j))
                apart = bw_oracle_triangle_triangle(corners_a + 3 * i, corners_b + 3 * j) == BW_CONTACT_NONE;
    for (uint32_t i = 0; i < 3 * count_b && apart && closed_a; i++)
        apart = !inside(corners_b[i], corners_a, count_a);
    for (uint32_t i = 0; i < 3 * count_a && apart && closed_b; i++)
        apart = !inside(corners_a[i], corners_b, count_b);
    free(corners_a);
    free(corners_b);
    return apart;
}
