/* Sides, signed distances, places on surfaces and regions, of bodies of arbitrary bytes whose trees may have
 * holes. Sides of closed meshes against the parity of every triangle along another ray, in exact integers,
 * or, on the surface, against each triangle; winding numbers against the sum over all triangles; regions
 * against rationals, triangle by triangle. */
#include <math.h>

#include "fuzz/fuzz_body.h"
#include "oracle/solid_angle.h"
#include "oracle/triangle_oracle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { POINTS = 6 };

static double eighths(bytes *b)
{
    return (double)(int8_t)bytes_u8(b) / 8;
}

static bw_vec3 take_point(const fuzz_body *f, bytes *b)
{
    const uint8_t how = bytes_u8(b), primitive = bytes_u8(b);
    bw_vec3 p = {eighths(b), eighths(b), eighths(b)};
    if (how < 16)
        bytes_take(b, &p, sizeof p);
    if (how >= 128 && primitive < f->count && f->in[primitive]) {
        bw_vec3 c[3];
        fuzz_body_corners(f, primitive, c);
        p = how < 192 ? c[0]
                      : (bw_vec3){0.5 * (c[0].x + c[1].x), 0.5 * (c[0].y + c[1].y), 0.5 * (c[0].z + c[1].z)};
    }
    return p;
}

static bool good_point(const bw_vec3 *p)
{
    return bw_exact_range(p, 1) && fmax(fabs(p->x), fmax(fabs(p->y), fabs(p->z))) <= BW_COORDINATE_MAX;
}

/* ---- sides ---- */

static bool is_on(const fuzz_body *f, const bw_vec3 *p)
{
    for (uint32_t i = 0; i < f->count; i++) {
        bw_vec3 c[3];
        if (!f->in[i])
            continue;
        fuzz_body_corners(f, i, c);
        if (bw_oracle_segment_triangle(p, p, c) != BW_CONTACT_NONE)
            return true;
    }
    return false;
}

/* Whether a ray that meets no edge crosses an odd number of triangles; -1 where it meets one. */
static int parity(const fuzz_body *f, const bw_vec3 *p, const bw_vec3 *through)
{
    int odd = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        bw_vec3 c[3];
        if (!f->in[i])
            continue;
        fuzz_body_corners(f, i, c);
        const bw_contact_kind kind = bw_oracle_ray_triangle(p, through, c);
        if (kind == BW_CONTACT_TOUCHING || (kind == BW_CONTACT_CROSSING && bw_collinear(&c[0], &c[1], &c[2])))
            return -1;
        odd ^= kind == BW_CONTACT_CROSSING;
    }
    return odd;
}

/* The winding number up to its sign, where nothing is near enough for the sum to be ill-conditioned. */
static void compare_winding(const fuzz_body *f, const bw_vec3 *p, double winding)
{
    double sum = 0, size = fuzz_body_size(f), least = INFINITY;
    for (uint32_t i = 0; i < f->count; i++) {
        bw_vec3 c[3];
        if (!f->in[i] || f->body.mesh->indices == NULL)
            continue;
        fuzz_body_corners(f, i, c);
        least = fmin(least, sqrt(bw_point_triangle_distance2(p, c, NULL)));
        sum += (double)bw_oracle_solid_angle(c, p);
    }
    if (least > 1e-3 * (size + fabs(p->x) + fabs(p->y) + fabs(p->z)) || least == INFINITY)
        must(fabs(fabs(winding) - fabs(sum) / 12.566370614359172) < 1e-6);
}

static void try_sides(const fuzz_body *f, fuzz_range range, const bw_vec3 *points)
{
    bw_location many[POINTS], one;
    bw_contains_report report = {0};
    const bw_result result = bw_contains_many(&f->body, points, POINTS, NULL, many, &report, NULL);
    if (!fuzz_answered(result, range, FUZZ_SURE) || range != FUZZ_SURE)
        return;
    for (int i = 0; i < POINTS; i++) {
        const bw_vec3 *p = &points[i];
        must(bw_contains(&f->body, p, NULL, &one, NULL, NULL) == BW_OK);
        must(one.side == many[i].side && one.certain == many[i].certain && one.winding == many[i].winding);
        must((many[i].side == BW_SIDE_ON) == is_on(f, p));
        must(many[i].certain == (report.closed || many[i].side == BW_SIDE_ON));
        if (many[i].side == BW_SIDE_ON)
            continue;
        if (!report.closed) {
            compare_winding(f, p, many[i].winding);
            continue;
        }
        const double reach = fuzz_body_size(f) + fabs(p->x) + fabs(p->y) + fabs(p->z) + 0x1p-200;
        int odd = -1;
        for (int attempt = 1; attempt <= 5 && odd < 0; attempt++) {
            const bw_vec3 through = {p->x + reach * 0.371 * attempt, p->y - reach * 0.573,
                                     p->z + reach * (0.131 + 0.03 * attempt)};
            odd = bw_exact_range(&through, 1) ? parity(f, p, &through) : -1;
        }
        must(odd < 0 || (odd == 1) == (many[i].side == BW_SIDE_INSIDE));
    }
}

/* ---- signed distances and places ---- */

static void try_signed(const fuzz_body *f, fuzz_range range, const bw_vec3 *points, bytes *b)
{
    bw_signed_hit many[POINTS], one;
    const bw_result result = bw_signed_distance_many(&f->body, points, POINTS, NULL, many, NULL, NULL);
    if (!fuzz_answered(result, range, FUZZ_SURE) || range != FUZZ_SURE)
        return;
    for (int i = 0; i < POINTS; i++) {
        bw_nearest_hit nearest;
        must(bw_signed_distance(&f->body, &points[i], NULL, &one, NULL, NULL) == BW_OK);
        must(bw_nearest(&f->body, &points[i], NULL, &nearest, NULL, NULL) == BW_OK);
        must(one.distance == many[i].distance && fabs(one.distance) == nearest.distance);
        must((one.distance == 0) == (one.location.side == BW_SIDE_ON));
        must((one.distance < 0) == (one.location.side == BW_SIDE_INSIDE));
        must(one.nearest.primitive == nearest.primitive);
        if (nearest.primitive == BW_NONE)
            continue;
        const double *w = one.nearest.weights;
        must(w[0] >= 0 && w[1] >= 0 && w[2] >= 0 && fabs(w[0] + w[1] + w[2] - 1) < 1e-12);
        const bw_vec3 n = one.nearest.normal;
        const double length = sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
        must(length == 0 || fabs(length - 1) < 1e-12);
        must(one.nearest.feature <= BW_FEATURE_VERTEX && one.nearest.corner < 3);
    }
    const uint32_t primitives[2] = {bytes_u8(b), BW_NONE};
    bw_surface_point at[2];
    const bw_result placed = bw_surface_at_many(&f->body, primitives, points, 2, at, NULL);
    must(bw_surface_at(&f->body, primitives[0], &points[0], at, NULL) == placed);
    if (primitives[0] >= f->count)
        must(placed == BW_ERROR_INDEX);
    else if (f->in[primitives[0]])
        must(placed == BW_OK);
}

/* ---- regions ---- */

static bool region_holds(const bw_region *r, const bw_vec3 t[3])
{
    const bw_vec3 axis[3] = {r->centre, r->kind == BW_REGION_SPHERE ? r->centre : r->end,
                             r->kind == BW_REGION_SPHERE ? r->centre : r->end};
    return bw_oracle_within(t, axis, r->radius);
}

/* Whether a box has a point of a triangle: as the twelve triangles of the box, or a corner within. */
static bool box_holds(const bw_box *box, const bw_vec3 t[3])
{
    bw_vec3 v[8];
    bool corner = false;
    for (int i = 0; i < 3; i++)
        corner |= t[i].x >= (double)box->min[0] && t[i].x <= (double)box->max[0] &&
                  t[i].y >= (double)box->min[1] && t[i].y <= (double)box->max[1] &&
                  t[i].z >= (double)box->min[2] && t[i].z <= (double)box->max[2];
    for (int i = 0; i < 8; i++)
        v[i] = (bw_vec3){(double)((i & 1) != 0 ? box->max : box->min)[0],
                         (double)((i & 2) != 0 ? box->max : box->min)[1],
                         (double)((i & 4) != 0 ? box->max : box->min)[2]};
    for (int axis = 0; axis < 3 && !corner; axis++)
        for (int high = 0; high < 2; high++) {
            const int u = 1 << (axis + 1) % 3, w = 1 << (axis + 2) % 3, at = high << axis;
            const bw_vec3 lower[3] = {v[at], v[at + u], v[at + w]},
                          upper[3] = {v[at + u], v[at + w], v[at + u + w]};
            corner |= bw_oracle_triangle_triangle(t, lower) != BW_CONTACT_NONE ||
                      bw_oracle_triangle_triangle(t, upper) != BW_CONTACT_NONE;
        }
    return corner;
}

static void try_region(const fuzz_body *f, fuzz_range range, const bw_vec3 *points, bytes *b)
{
    static const bw_region_kind kinds[] = {BW_REGION_BOX, BW_REGION_SPHERE, BW_REGION_CAPSULE};
    bw_region r = {.kind = kinds[bytes_u8(b) % 3], .centre = points[0], .end = points[1]};
    r.radius = fabs(eighths(b));
    for (int k = 0; k < 3; k++) {
        const float p = (float)eighths(b), q = (float)eighths(b);
        r.box.min[k] = fminf(p, q);
        r.box.max[k] = fmaxf(p, q);
    }
    static bw_region_hit hits[FUZZ_MOST];
    bool found[FUZZ_MOST] = {false};
    bw_region_desc desc = {.mode = BW_COLLIDE_ALL, .hits = hits, .hit_capacity = FUZZ_MOST};
    bw_region_report report = {0};
    const bw_result result = bw_collide_region(&f->body, &r, &desc, &report, NULL);
    if (!fuzz_answered(result, range, FUZZ_SURE) || range != FUZZ_SURE)
        return;
    for (uint64_t i = 0; i < report.hit_count; i++) {
        must(f->in[hits[i].primitive] && !found[hits[i].primitive]);
        found[hits[i].primitive] = true;
    }
    uint32_t oracles = 40;
    for (uint32_t i = 0; i < f->count && oracles > 0; i++) {
        bw_vec3 c[3];
        if (!f->in[i])
            continue;
        fuzz_body_corners(f, i, c);
        oracles--;
        must(found[i] == (r.kind == BW_REGION_BOX ? box_holds(&r.box, c) : region_holds(&r, c)));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes b = {data, size, 0};
    if (bytes_u8(&b) >= 128)
        bytes_go_on(&b);
    static fuzz_body body;
    if (!fuzz_body_take(&body, &b))
        return 0;
    const fuzz_range range = fuzz_body_range(&body);
    bw_vec3 points[POINTS];
    for (int i = 0; i < POINTS; i++) {
        points[i] = take_point(&body, &b);
        bw_location at;
        if (!good_point(&points[i])) {
            must(bw_contains(&body.body, &points[i], NULL, &at, NULL, NULL) != BW_OK);
            points[i] = (bw_vec3){0, 0, 0};
        }
    }
    try_sides(&body, range, points);
    try_signed(&body, range, points, &b);
    try_region(&body, range, points, &b);
    fuzz_body_free(&body);
    return 0;
}
