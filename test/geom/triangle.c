/* How triangles meet: kinds, their symmetry, and the corners of what they share, against integers and
 * rationals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "geom/exact/triangle.h"
#include "geom/families.h"
#include "oracle/random.h"
#include "oracle/triangle_oracle.h"

static const int permutations[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};

static void kind_is_symmetric(bws_random *random, void *user)
{
    (void)user;
    for (int f = 0; f < bw_family_count; f++) {
        bw_vec3 a[3], b[3];
        bw_family_pair(&bw_families[f], random, a, b);
        bw_contact_kind truth = bw_oracle_triangle_triangle(a, b);
        for (int n = 0; n < 36; n++) {
            const int *p = permutations[n / 6], *q = permutations[n % 6];
            bw_vec3 c[3] = {a[p[0]], a[p[1]], a[p[2]]}, d[3] = {b[q[0]], b[q[1]], b[q[2]]};
            assert_int_equal(bw_triangle_triangle(c, d), truth);
            assert_int_equal(bw_triangle_triangle(d, c), truth);
        }
    }
}

/* Largest magnitude on each axis: rounded coordinates are accurate relative to these. */
static bw_vec3 magnitude(const bw_vec3 a[3], const bw_vec3 b[3])
{
    bw_vec3 m = {0, 0, 0};
    for (int i = 0; i < 6; i++) {
        const bw_vec3 *p = i < 3 ? &a[i] : &b[i - 3];
        m = (bw_vec3){fmax(m.x, fabs(p->x)), fmax(m.y, fabs(p->y)), fmax(m.z, fabs(p->z))};
    }
    return m;
}

static bool close(bw_vec3 p, bw_vec3 q, bw_vec3 size)
{
    const double tolerance = 0x1p-46;
    return fabs(p.x - q.x) <= tolerance * size.x && fabs(p.y - q.y) <= tolerance * size.y &&
           fabs(p.z - q.z) <= tolerance * size.z;
}

/* Whether the points are the polygon's corners, in its order or the opposite one, from any start. */
static bool same_cycle(const bw_triangle_contact *contact, const bw_oracle_polygon *polygon, bw_vec3 size)
{
    int count = polygon->count;
    for (int start = 0; start < count; start++)
        for (int way = 1; way >= -1; way -= 2) {
            bool equal = true;
            for (int i = 0; i < count && equal; i++)
                equal = close(contact->points[i], polygon->points[(start + way * i + count) % count], size);
            if (equal)
                return true;
        }
    return count == 0;
}

static void corners_are_true(bws_random *random, void *user)
{
    (void)user;
    for (int f = 0; f < bw_family_count; f++) {
        bw_vec3 a[3], b[3];
        bw_family_pair(&bw_families[f], random, a, b);
        bw_triangle_contact contact;
        bw_triangle_triangle_contact(a, b, &contact);
        assert_int_equal(contact.kind, bw_oracle_triangle_triangle(a, b));
        bw_oracle_polygon polygon = bw_oracle_intersection(a, b);
        assert_int_equal(contact.point_count, polygon.count);
        assert_int_equal(contact.kind == BW_CONTACT_NONE, polygon.count == 0);
        assert_true(same_cycle(&contact, &polygon, magnitude(a, b)));
        bool coplanar = true;
        const bw_vec3 *p[6] = {&a[0], &a[1], &a[2], &b[0], &b[1], &b[2]};
        for (int n = 0; n < 64 && coplanar; n++) /* every four of the six */
            if (__builtin_popcount((unsigned)n) == 4) {
                const bw_vec3 *q[4];
                int count = 0;
                for (int i = 0; i < 6; i++)
                    if (n >> i & 1)
                        q[count++] = p[i];
                coplanar = bw_orient3d(q[0], q[1], q[2], q[3]) == 0;
            }
        assert_int_equal(contact.coplanar, coplanar);
    }
}

static bw_triangle_contact contact_of(const double a[9], const double b[9])
{
    bw_vec3 s[3], t[3];
    for (int i = 0; i < 3; i++) {
        s[i] = (bw_vec3){a[3 * i], a[3 * i + 1], a[3 * i + 2]};
        t[i] = (bw_vec3){b[3 * i], b[3 * i + 1], b[3 * i + 2]};
    }
    bw_triangle_contact contact;
    bw_triangle_triangle_contact(s, t, &contact);
    assert_int_equal(contact.kind, bw_triangle_triangle(s, t));
    return contact;
}

static void plain_cases(void **state)
{
    (void)state;
    const double flat[9] = {0, 0, 0, 6, 0, 0, 0, 6, 0};
    bw_triangle_contact c = contact_of(flat, flat); /* itself */
    assert_true(c.kind == BW_CONTACT_CROSSING && c.coplanar && c.point_count == 3);
    c = contact_of(flat, (double[9]){4, 4, 0, -2, 4, 0, 4, -2, 0}); /* a hexagon */
    assert_true(c.kind == BW_CONTACT_CROSSING && c.coplanar && c.point_count == 6);
    c = contact_of(flat, (double[9]){1, 1, -1, 1, 1, 1, 1, -5, 0}); /* through the face and an edge */
    assert_true(c.kind == BW_CONTACT_CROSSING && !c.coplanar && c.point_count == 2);
    c = contact_of(flat, (double[9]){1, 1, 0, 1, 1, 1, 2, 1, 1}); /* a corner on the face */
    assert_true(c.kind == BW_CONTACT_TOUCHING && c.point_count == 1);
    assert_true(c.points[0].x == 1 && c.points[0].y == 1 && c.points[0].z == 0);
    c = contact_of(flat, (double[9]){0, 0, 0, 6, 0, 0, 3, 0, 5}); /* a shared edge */
    assert_true(c.kind == BW_CONTACT_TOUCHING && !c.coplanar && c.point_count == 2);
    c = contact_of(flat, (double[9]){6, 0, 0, 0, 6, 0, 6, 6, 0}); /* a shared edge in one plane */
    assert_true(c.kind == BW_CONTACT_TOUCHING && c.coplanar && c.point_count == 2);
    c = contact_of(flat, (double[9]){1, 1, -1, 1, 1, 1, 1, 1, 0}); /* a segment through it */
    assert_true(c.kind == BW_CONTACT_CROSSING && !c.coplanar && c.point_count == 1);
    c = contact_of(flat, (double[9]){1, 1, 0, 1, 1, 0, 1, 1, 0}); /* a point inside */
    assert_true(c.kind == BW_CONTACT_CROSSING && c.coplanar && c.point_count == 1);
    c = contact_of(flat, (double[9]){3, 3, 0, 3, 3, 0, 3, 3, 0}); /* a point on an edge */
    assert_true(c.kind == BW_CONTACT_TOUCHING && c.point_count == 1);
    c = contact_of((double[9]){0, 0, 0, 2, 2, 2, 4, 4, 4},
                   (double[9]){3, 3, 3, 5, 5, 5, 6, 6, 6}); /* on one line */
    assert_true(c.kind == BW_CONTACT_CROSSING && c.coplanar && c.point_count == 2);
    c = contact_of((double[9]){0}, (double[9]){-0.0, -0.0, -0.0}); /* one point */
    assert_true(c.kind == BW_CONTACT_CROSSING && c.point_count == 1);
    c = contact_of(flat, (double[9]){7, 7, 0, 8, 7, 0, 7, 8, 0});
    assert_true(c.kind == BW_CONTACT_NONE && c.coplanar && c.point_count == 0);
}

/* The flag is raised for pairs that filters cannot decide, left alone for others. */
static void exactness_is_counted(void **state)
{
    (void)state;
    bw_vec3 a[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
            b[3] = {{0.25, 0.25, -1}, {0.25, 0.25, 1}, {3, 2.5, 0.5}};
    bool exact = false;
    assert_int_equal(bw_triangle_triangle_counted(a, b, &exact), BW_CONTACT_CROSSING);
    assert_false(exact);
    a[1].z = 0.5; /* a tilted plane, and a corner of b in it */
    b[1].z = 0.125;
    b[2].z = -0.5;
    assert_int_equal(bw_triangle_triangle_counted(a, b, &exact), BW_CONTACT_TOUCHING);
    assert_true(exact);
    exact = true;
    b[0].z = b[1].z = b[2].z = 5;
    assert_int_equal(bw_triangle_triangle_counted(a, b, &exact), BW_CONTACT_NONE);
    assert_true(exact);
}

static void kinds(void **state)
{
    (void)state;
    BW_EACH_SEED(200, kind_is_symmetric, NULL);
}

static void corners(void **state)
{
    (void)state;
    BW_EACH_SEED(200, corners_are_true, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_cases),
        cmocka_unit_test(exactness_is_counted),
        cmocka_unit_test(kinds),
        cmocka_unit_test(corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
