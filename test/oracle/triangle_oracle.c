#include "oracle/triangle_oracle.h"
#include "oracle/rational.h"

#include <stdlib.h>

__extension__ typedef __int128 int128;

#define NAME(x) narrow_##x
#define NUMBER int128
#define SET(out, a) ((out) = (a))
#define SUB(out, a, b) ((out) = (a) - (b))
#define MUL(out, a, b) ((out) = (a) * (b))
#define ADDMUL(out, a, b) ((out) += (a) * (b))
#define SUBMUL(out, a, b) ((out) -= (a) * (b))
#define SIGN(a) (((a) > 0) - ((a) < 0))
#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))
#include "oracle/triangle_oracle_axes.h"
#undef NAME
#undef NUMBER
#undef SET
#undef SUB
#undef MUL
#undef ADDMUL
#undef SUBMUL
#undef SIGN
#undef COMPARE

#define NAME(x) wide_##x
#define NUMBER mpz_t
#define SET(out, a) mpz_set(out, a)
#define SUB(out, a, b) mpz_sub(out, a, b)
#define MUL(out, a, b) mpz_mul(out, a, b)
#define ADDMUL(out, a, b) mpz_addmul(out, a, b)
#define SUBMUL(out, a, b) mpz_submul(out, a, b)
#define SIGN(a) mpz_sgn(a)
#define COMPARE(a, b) mpz_cmp(a, b)
#include "oracle/triangle_oracle_axes.h"

/* Coordinates below 2^29 keep every number of the narrow body below 2^126: edges 2^30, normals 2^61, in-plane
 * axes 2^92, and their products with points, summed, 2^123. */
enum { NARROW_BITS = 29 };

typedef struct lattice {
    int64_t mantissa[18];
    int exponent[18];
    int low, high; /* exponents of the lowest and above the highest bit of all */
} lattice;

static void decompose(lattice *l, const bw_vec3 *points, int count, int first)
{
    for (int i = 0; i < 3 * count; i++) {
        double x = i % 3 == 0 ? points[i / 3].x : i % 3 == 1 ? points[i / 3].y : points[i / 3].z;
        int n = 3 * first + i;
        l->mantissa[n] = bw_rational_decompose(x, &l->exponent[n]);
        if (l->mantissa[n] == 0)
            continue;
        int top = l->exponent[n] + 64 - __builtin_clzll((unsigned long long)llabs(l->mantissa[n]));
        bool any = l->low < l->high;
        l->low = any && l->low < l->exponent[n] ? l->low : l->exponent[n];
        l->high = any && l->high > top ? l->high : top;
    }
}

static bw_contact_kind contact(const bw_vec3 *a, int a_count, const bw_vec3 *b, int b_count, bool ray)
{
    static wide_work wide;
    static bool ready;
    lattice l = {.low = 0, .high = 0};
    decompose(&l, a, a_count, 0);
    decompose(&l, b, b_count, a_count);
    if (l.high - l.low <= NARROW_BITS) {
        narrow_work w = {.a = {.points = a_count}, .b = {.points = b_count, .ray = ray}};
        for (int i = 0; i < 3 * (a_count + b_count); i++) {
            int p = i / 3 - (i / 3 < a_count ? 0 : a_count);
            narrow_set *s = i / 3 < a_count ? &w.a : &w.b;
            int shift = l.mantissa[i] == 0 ? 0 : l.exponent[i] - l.low;
            s->point[p][i % 3] = l.mantissa[i] * ((int64_t)1 << shift);
        }
        return narrow_contact(&w);
    }
    if (!ready) {
        mpz_t *numbers[] = {&wide.a.point[0][0], &wide.a.edge[0][0], &wide.b.point[0][0], &wide.b.edge[0][0],
                            &wide.normal[0][0],  &wide.offset[0],    &wide.in_plane[0],   &wide.value,
                            &wide.low[0],        &wide.high[0]};
        int counts[] = {9, 9, 9, 9, 33, 3, 3, 1, 2, 2};
        for (int i = 0; i < 10; i++)
            for (int j = 0; j < counts[i]; j++)
                mpz_init2(numbers[i][j], 512);
        ready = true;
    }
    wide.a.points = a_count;
    wide.b.points = b_count;
    wide.a.ray = false;
    wide.b.ray = ray;
    for (int i = 0; i < 3 * (a_count + b_count); i++) {
        int p = i / 3 - (i / 3 < a_count ? 0 : a_count);
        wide_set *s = i / 3 < a_count ? &wide.a : &wide.b;
        mpz_set_si(s->point[p][i % 3], l.mantissa[i]);
        if (l.mantissa[i] != 0)
            mpz_mul_2exp(s->point[p][i % 3], s->point[p][i % 3], (mp_bitcnt_t)(l.exponent[i] - l.low));
    }
    return wide_contact(&wide);
}

bw_contact_kind bw_oracle_triangle_triangle(const bw_vec3 a[3], const bw_vec3 b[3])
{
    return contact(a, 3, b, 3, false);
}

bw_contact_kind bw_oracle_segment_triangle(const bw_vec3 *p, const bw_vec3 *q, const bw_vec3 t[3])
{
    bw_vec3 segment[3] = {*p, *q, *q};
    return contact(t, 3, segment, 3, false);
}

bw_contact_kind bw_oracle_ray_triangle(const bw_vec3 *origin, const bw_vec3 *through, const bw_vec3 t[3])
{
    bw_vec3 ray[2] = {*origin, *through};
    return contact(t, 3, ray, 2, true);
}
