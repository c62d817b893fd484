#include "oracle/ccd_oracle.h"

#include "oracle/rational.h"

#include <math.h>

void bw_oracle_moving_points(const bw_vec3 *start, const bw_vec3 *end, int count, bw_moving_point *out)
{
    enum { MOST = 6 };
    double x[2 * 3 * MOST] = {0};
    mpz_t number[2 * 3 * MOST];
    int exponent;
    for (int i = 0; i < 2 * count; i++) {
        const bw_vec3 *p = i < count ? &start[i] : &end[i - count];
        x[3 * i] = p->x;
        x[3 * i + 1] = p->y;
        x[3 * i + 2] = p->z;
    }
    for (int i = 0; i < 2 * 3 * count; i++)
        mpz_init(number[i]);
    bw_rational_lattice(x, 2 * 3 * count, number, &exponent);
    for (int i = 0; i < 3 * count; i++)
        out[i / 3].c[i % 3] = bw_alg_line(number[i], number[3 * count + i]);
    for (int i = 0; i < 2 * 3 * count; i++)
        mpz_clear(number[i]);
}

/* Whether a point is on a closed segment at a time: no cross product, and not beyond either end. */
static bool on_segment(const bw_moving_point *p, const bw_moving_point *a, const bw_moving_point *b,
                       bw_real *t)
{
    bw_moving_point ap = bw_moving_minus(p, a), bp = bw_moving_minus(p, b);
    bw_moving_point area = bw_moving_cross(&ap, &bp);
    return bw_moving_zero(&area, t) && bw_alg_sign(bw_moving_dot(&ap, &bp), t) <= 0;
}

bool bw_oracle_coplanar_meet(bool edges, const bw_moving_point p[4], bw_real *t)
{
    if (!edges) {
        bw_moving_point u = bw_moving_minus(&p[2], &p[1]), v = bw_moving_minus(&p[3], &p[1]),
                        normal = bw_moving_cross(&u, &v);
        if (bw_moving_zero(&normal, t))
            return on_segment(&p[0], &p[1], &p[2], t) || on_segment(&p[0], &p[2], &p[3], t) ||
                   on_segment(&p[0], &p[3], &p[1], t);
        for (int i = 0; i < 3; i++) {
            bw_moving_point a = bw_moving_minus(&p[1 + i], &p[0]),
                            b = bw_moving_minus(&p[1 + (i + 1) % 3], &p[0]), area = bw_moving_cross(&a, &b);
            if (bw_alg_sign(bw_moving_dot(&area, &normal), t) < 0)
                return false;
        }
        return true;
    }
    bw_moving_point u = bw_moving_minus(&p[1], &p[0]), w = bw_moving_minus(&p[3], &p[2]),
                    normal = bw_moving_cross(&u, &w);
    if (bw_moving_zero(&normal, t))
        return on_segment(&p[0], &p[2], &p[3], t) || on_segment(&p[1], &p[2], &p[3], t) ||
               on_segment(&p[2], &p[0], &p[1], t) || on_segment(&p[3], &p[0], &p[1], t);
    /* The ends of each are not strictly on one side of the other's line. */
    for (int side = 0; side < 2; side++) {
        const bw_moving_point *along = side == 0 ? &w : &u, *base = side == 0 ? &p[2] : &p[0];
        bw_moving_point a = bw_moving_minus(side == 0 ? &p[0] : &p[2], base),
                        b = bw_moving_minus(side == 0 ? &p[1] : &p[3], base);
        bw_moving_point a_area = bw_moving_cross(along, &a), b_area = bw_moving_cross(along, &b);
        if (bw_alg_sign(bw_moving_dot(&a_area, &normal), t) *
                bw_alg_sign(bw_moving_dot(&b_area, &normal), t) >
            0)
            return false;
    }
    return true;
}

typedef struct question {
    bool edges;
    bw_moving_point p[4];
    bool found;
    double after, before;
} question;

static void remember(question *q, bw_real *t)
{
    double after, before;
    if (t->point) { /* the beginning */
        after = before = 0;
    } else {
        for (int i = 0; i < 70; i++)
            bw_real_shrink(t);
        /* mpq_get_d rounds towards zero. */
        after = mpq_get_d(t->low);
        before = mpq_get_d(t->high);
        mpq_t back;
        mpq_init(back);
        mpq_set_d(back, before);
        if (bw_alg_sign_rational(t->p, t->high) == 0) { /* often so: a time that is a double */
            after = before;
            if (!mpq_equal(back, t->high))
                before = nextafter(before, 2);
        } else if (!mpq_equal(back, t->high)) {
            before = nextafter(before, 2);
        }
        mpq_clear(back);
    }
    if (!q->found || after < q->after || (after == q->after && before < q->before)) {
        q->found = true;
        q->after = after;
        q->before = before;
    }
}

/* The first contact at a root of p. */
static bool try_root(void *context, bw_real *root)
{
    question *q = context;
    bool found = bw_oracle_coplanar_meet(q->edges, q->p, root);
    if (found)
        remember(q, root);
    return found;
}

static void try_roots(question *q, const bw_alg *p)
{
    if (p->degree > 0)
        bw_alg_roots(p, try_root, q);
}

bw_ccd_truth bw_oracle_ccd(bool edges, const bw_vec3 start[4], const bw_vec3 end[4])
{
    bw_alg_release(0);
    question q = {.edges = edges};
    bw_oracle_moving_points(start, end, 4, q.p);
    bw_moving_point d[3] = {bw_moving_minus(&q.p[1], &q.p[0]), bw_moving_minus(&q.p[2], &q.p[0]),
                            bw_moving_minus(&q.p[3], &q.p[0])};
    bw_moving_point area = bw_moving_cross(&d[1], &d[2]);
    bw_alg *volume = bw_moving_dot(&d[0], &area);
    bw_real zero;
    bw_real_init(&zero);
    if (bw_alg_sign(volume, &zero) == 0 && bw_oracle_coplanar_meet(edges, q.p, &zero)) {
        remember(&q, &zero);
    } else if (volume->degree >= 0) {
        try_roots(&q, volume);
    } else {
        /* Always in one plane: whatever begins does so where three points are on a line or two coordinates
         * are equal. */
        for (int i = 0; i < 4; i++)
            for (int j = i + 1; j < 4; j++) {
                bw_moving_point a = bw_moving_minus(&q.p[i], &q.p[j]);
                for (int k = 0; k < 3; k++)
                    try_roots(&q, a.c[k]);
                for (int l = j + 1; l < 4; l++) {
                    bw_moving_point b = bw_moving_minus(&q.p[l], &q.p[j]), turn = bw_moving_cross(&a, &b);
                    for (int k = 0; k < 3; k++)
                        try_roots(&q, turn.c[k]);
                }
            }
    }
    bw_real_clear(&zero);
    return (bw_ccd_truth){q.found, q.after, q.before};
}
