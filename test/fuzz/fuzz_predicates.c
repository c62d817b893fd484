/* Coordinates of any bytes, within the exact range: every test of boxwood/math.h against integers and
 * rationals. */
#include "fuzz/bytes.h"
#include "geom/exact/predicates.h"
#include "geom/exact/triangle.h"
#include "oracle/rational.h"
#include "oracle/triangle_oracle.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { POINTS = 6 };

static double snap(double x)
{
    if (!(fabs(x) <= BW_EXACT_MAX)) /* NaN too */
        return signbit(x) ? -BW_EXACT_MAX : BW_EXACT_MAX;
    return x == 0 || fabs(x) >= BW_EXACT_MIN ? x : copysign(BW_EXACT_MIN, x);
}

/* One byte tells how the next coordinate is made: few bits so that zeros are common, all bits so that nothing
 * is left out, an ulp from the coordinate n places back so that nearly zero is common. */
static double coordinate(bytes *b, const double *before, int count)
{
    uint8_t how = bytes_u8(b);
    int8_t small;
    float single;
    double full;
    double back = count == 0 ? 1 : before[count - 1 - (how >> 3) % count];
    switch (how & 7) {
    case 0:
        bytes_take(b, &small, 1);
        return small;
    case 1:
        bytes_take(b, &single, sizeof single);
        return snap((double)single);
    case 2:
        bytes_take(b, &full, sizeof full);
        return snap(full);
    case 3:
        return back;
    case 4:
        return snap(nextafter(back, INFINITY));
    case 5:
        return snap(nextafter(back, -INFINITY));
    case 6: /* the mean of it and the one before: points on edges */
        return snap(back / 2 + before[count == 0 ? 0 : count - 1] / 2);
    default:
        bytes_take(b, &small, 1);
        return snap(ldexp(1 + (double)(how >> 3) / 32, 3 * small));
    }
}

static void check_orientations(const bw_vec3 p[POINTS])
{
    for (int i = 0; i < POINTS; i++) {
        const bw_vec3 *a = &p[i], *b = &p[(i + 1) % 6], *c = &p[(i + 2) % 6], *d = &p[(i + 3) % 6];
        must(bw_orient3d(a, b, c, d) == bw_rational_orient3d(a, b, c, d));
        bool flat = true;
        for (int axis = 0; axis < 3; axis++) {
            int sign = bw_rational_orient2d(a, b, c, axis);
            flat = flat && sign == 0;
            must(bw_orient2d(a, b, c, axis) == sign);
        }
        must(bw_collinear(a, b, c) == flat);
    }
}

static void check_triangles(const bw_vec3 a[3], const bw_vec3 b[3])
{
    bw_contact_kind kind = bw_oracle_triangle_triangle(a, b);
    must(bw_triangle_triangle(a, b) == kind);
    must(bw_triangle_triangle(b, a) == kind);
    bw_triangle_contact contact;
    bw_triangle_triangle_contact(a, b, &contact);
    bw_oracle_polygon polygon = bw_oracle_intersection(a, b);
    must(contact.kind == kind && contact.point_count == (uint32_t)polygon.count);
    for (uint32_t i = 0; i < contact.point_count; i++)
        must(isfinite(contact.points[i].x + contact.points[i].y + contact.points[i].z));
    bw_vec3 on_a, on_b;
    double d2 = bw_triangle_distance2(a, b, &on_a, &on_b);
    must(kind == BW_CONTACT_NONE ? d2 > 0 && isfinite(d2) : d2 == 0);
    double largest = 0;
    for (int i = 0; i < 6; i++) {
        const bw_vec3 *p = i < 3 ? &a[i] : &b[i - 3];
        largest = fmax(largest, fmax(fabs(p->x), fmax(fabs(p->y), fabs(p->z))));
    }
    must(fabs(sqrt(d2) - sqrt(bw_oracle_distance2(a, b))) <= 1e-12 * largest);
    bw_vec3 point[3] = {a[0], a[0], a[0]};
    bool on = bw_oracle_triangle_triangle(point, b) != BW_CONTACT_NONE;
    must((bw_point_triangle_distance2(&a[0], b, &on_b) == 0) == on);
    bw_box box = bw_box_of_points(a, 3), other = bw_box_of_points(b, 3);
    must(kind == BW_CONTACT_NONE || bw_box_overlaps(&box, &other));
}

static void check_lines(const bw_vec3 *p, const bw_vec3 *q, const bw_vec3 t[3])
{
    must(bw_segment_triangle(p, q, t) == bw_oracle_segment_triangle(p, q, t));
    double parameter = -1, truth = 0;
    bw_contact_kind ray = bw_ray_triangle(p, q, t, &parameter);
    must(ray == bw_oracle_ray_triangle(p, q, t));
    must(bw_oracle_ray_parameter(p, q, t, &truth) == (ray != BW_CONTACT_NONE));
    must(ray == BW_CONTACT_NONE ? parameter == -1
                                : parameter == truth || fabs(parameter - truth) <= 0x1p-46 * fabs(truth));
}

/* Poses of any size: the inverse is refused or finite, and undoes the pose where that is well conditioned. */
static void check_pose(const bw_vec3 p[POINTS])
{
    bw_transform pose = bw_transform_compose(p[0], p[1], p[2].x, p[3]), inverse;
    bw_transform rigid;
    bw_result result = bw_transform_rigid(&pose, &rigid);
    must(result == BW_OK || result == BW_ERROR_ARGUMENT || result == BW_ERROR_NOT_FINITE);
    if (result == BW_OK) { /* it stays as it is */
        bw_transform again;
        must(bw_transform_rigid(&rigid, &again) == BW_OK);
        for (int i = 0; i < 12; i++)
            must(fabs(rigid.m[i / 4][i % 4] - again.m[i / 4][i % 4]) <= (i % 4 == 3 ? 0 : 1e-15));
    }
    result = bw_transform_invert(&pose, &inverse);
    must(result == BW_OK || result == BW_ERROR_SINGULAR || result == BW_ERROR_NOT_FINITE);
    if (result != BW_OK)
        return;
    for (int i = 0; i < 12; i++)
        must(isfinite(inverse.m[i / 4][i % 4]));
    bw_transform one = bw_transform_identity(), same = bw_transform_multiply(&one, &inverse);
    bw_vec3 x = bw_transform_point(&inverse, p[4]), y = bw_transform_point(&same, p[4]);
    must((x.x == y.x || isnan(x.x)) && (x.y == y.y || isnan(x.y)) && (x.z == y.z || isnan(x.z)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes b = {.data = data, .left = size};
    double c[3 * POINTS] = {0};
    bw_vec3 p[POINTS];
    for (int i = 0; i < 3 * POINTS; i++)
        c[i] = coordinate(&b, c, i);
    for (int i = 0; i < POINTS; i++)
        p[i] = (bw_vec3){c[3 * i], c[3 * i + 1], c[3 * i + 2]};
    must(bw_exact_range(p, POINTS));
    check_orientations(p);
    check_triangles(p, p + 3);
    check_lines(&p[0], &p[1], p + 3);
    check_lines(&p[4], &p[3], p);
    check_pose(p);
    return 0;
}
