#include "oracle/ccd_oracle.h"

#include <gmp.h>
#include <math.h>
#include <stdlib.h>

/* ---- Polynomials, lowest coefficient first. degree -1: zero ---- */

enum { MOST = 12 };

typedef struct poly {
    int degree;
    mpq_t c[MOST];
} poly;

/* All polynomials of a query live in one pool. */
static poly pool[4096];
static int pool_used, pool_ready;

static poly *fresh(void)
{
    if (pool_used == pool_ready) {
        if (pool_ready == (int)(sizeof pool / sizeof *pool))
            abort();
        for (int i = 0; i < MOST; i++)
            mpq_init(pool[pool_ready].c[i]);
        pool_ready++;
    }
    poly *p = &pool[pool_used++];
    p->degree = -1;
    return p;
}

static void trim(poly *p)
{
    while (p->degree >= 0 && mpq_sgn(p->c[p->degree]) == 0)
        p->degree--;
}

static poly *line(double a, double b) /* a (1 - t) + b t */
{
    poly *p = fresh();
    mpq_set_d(p->c[0], a);
    mpq_set_d(p->c[1], b);
    mpq_sub(p->c[1], p->c[1], p->c[0]);
    p->degree = 1;
    trim(p);
    return p;
}

static poly *combine(const poly *a, const poly *b, int sign)
{
    poly *p = fresh();
    p->degree = a->degree > b->degree ? a->degree : b->degree;
    for (int i = 0; i <= p->degree; i++) {
        if (i <= a->degree)
            mpq_set(p->c[i], a->c[i]);
        else
            mpq_set_ui(p->c[i], 0, 1);
        if (i <= b->degree && sign > 0)
            mpq_add(p->c[i], p->c[i], b->c[i]);
        else if (i <= b->degree)
            mpq_sub(p->c[i], p->c[i], b->c[i]);
    }
    trim(p);
    return p;
}

static poly *times(const poly *a, const poly *b)
{
    poly *p = fresh();
    if (a->degree < 0 || b->degree < 0)
        return p;
    p->degree = a->degree + b->degree;
    if (p->degree >= MOST)
        abort();
    for (int i = 0; i <= p->degree; i++)
        mpq_set_ui(p->c[i], 0, 1);
    mpq_t term;
    mpq_init(term);
    for (int i = 0; i <= a->degree; i++)
        for (int j = 0; j <= b->degree; j++) {
            mpq_mul(term, a->c[i], b->c[j]);
            mpq_add(p->c[i + j], p->c[i + j], term);
        }
    mpq_clear(term);
    return p;
}

/* The remainder of a by b, and in *quotient (may be NULL) the quotient. */
static poly *divide(const poly *a, const poly *b, poly **quotient)
{
    poly *rest = combine(a, fresh(), 1), *q = fresh();
    q->degree = a->degree - b->degree;
    for (int i = 0; i <= q->degree; i++)
        mpq_set_ui(q->c[i], 0, 1);
    mpq_t factor, term;
    mpq_init(factor);
    mpq_init(term);
    while (rest->degree >= b->degree) {
        int shift = rest->degree - b->degree;
        mpq_div(factor, rest->c[rest->degree], b->c[b->degree]);
        mpq_set(q->c[shift], factor);
        for (int i = 0; i <= b->degree; i++) {
            mpq_mul(term, factor, b->c[i]);
            mpq_sub(rest->c[i + shift], rest->c[i + shift], term);
        }
        trim(rest);
    }
    mpq_clear(factor);
    mpq_clear(term);
    if (quotient != NULL)
        *quotient = q;
    return rest;
}

static poly *common_divisor(const poly *a, const poly *b)
{
    const poly *x = a, *y = b;
    while (y->degree >= 0) {
        const poly *rest = divide(x, y, NULL);
        x = y;
        y = rest;
    }
    return combine(x, fresh(), 1);
}

static poly *derivative(const poly *a)
{
    poly *p = fresh();
    p->degree = a->degree - 1;
    mpq_t factor;
    mpq_init(factor);
    for (int i = 0; i <= p->degree; i++) {
        mpq_set_si(factor, i + 1, 1);
        mpq_mul(p->c[i], a->c[i + 1], factor);
    }
    mpq_clear(factor);
    trim(p);
    return p;
}

/* The same roots, each once. */
static poly *simple_roots(const poly *a)
{
    poly *quotient;
    divide(a, common_divisor(a, derivative(a)), &quotient);
    return quotient;
}

/* The same up to a positive factor, with integers for coefficients. */
static poly *integral(const poly *a)
{
    poly *p = combine(a, fresh(), 1);
    mpz_t common;
    mpz_init_set_ui(common, 1);
    for (int i = 0; i <= p->degree; i++)
        mpz_lcm(common, common, mpq_denref(p->c[i]));
    for (int i = 0; i <= p->degree; i++) {
        mpz_mul(mpq_numref(p->c[i]), mpq_numref(p->c[i]), common);
        mpz_divexact(mpq_numref(p->c[i]), mpq_numref(p->c[i]), mpq_denref(p->c[i]));
        mpz_set_ui(mpq_denref(p->c[i]), 1);
    }
    mpz_clear(common);
    return p;
}

/* Of a polynomial with integers for coefficients. */
static int sign_of(const poly *p, const mpq_t t)
{
    if (p->degree < 0)
        return 0;
    mpz_t sum, power, term;
    mpz_inits(sum, power, term, NULL);
    mpz_set(sum, mpq_numref(p->c[p->degree]));
    mpz_set_ui(power, 1);
    for (int i = p->degree; i-- > 0;) {
        mpz_mul(power, power, mpq_denref(t));
        mpz_mul(sum, sum, mpq_numref(t));
        mpz_mul(term, power, mpq_numref(p->c[i]));
        mpz_add(sum, sum, term);
    }
    int sign = mpz_sgn(sum);
    mpz_clears(sum, power, term, NULL);
    return sign;
}

/* ---- Sturm ---- */

typedef struct chain {
    int count;
    const poly *p[MOST + 1];
} chain;

static chain sturm(const poly *p)
{
    chain s = {0};
    s.p[s.count++] = integral(p);
    const poly *next = derivative(p);
    while (next->degree >= 0) {
        s.p[s.count++] = integral(next);
        const poly *rest = divide(s.p[s.count - 2], s.p[s.count - 1], NULL);
        next = combine(fresh(), rest, -1);
    }
    return s;
}

static int changes(const chain *s, const mpq_t t)
{
    int count = 0, last = 0;
    for (int i = 0; i < s->count; i++) {
        int sign = sign_of(s->p[i], t);
        if (sign != 0) {
            count += last != 0 && last != sign;
            last = sign;
        }
    }
    return count;
}

/* Roots in (low, high] of a polynomial with simple roots. */
static int roots_between(const chain *s, const mpq_t low, const mpq_t high)
{
    return changes(s, low) - changes(s, high);
}

/* ---- A real number: the one root of p in (low, high], or low itself where point ---- */

typedef struct number {
    const poly *p;
    chain s;
    mpq_t low, high;
    bool point;
} number;

static void shrink(number *x)
{
    mpq_t middle;
    mpq_init(middle);
    mpq_add(middle, x->low, x->high);
    mpq_div_2exp(middle, middle, 1);
    /* A simple root alone: the signs differ on its two sides, unless it is the upper end itself. */
    int last = sign_of(x->p, x->high), now = sign_of(x->p, middle);
    if (last == 0 ? roots_between(&x->s, x->low, middle) == 1 : now == 0 || now == last)
        mpq_set(x->high, middle);
    else
        mpq_set(x->low, middle);
    mpq_clear(middle);
}

static int sign_at(const poly *q, number *x)
{
    if (q->degree < 0)
        return 0;
    if (q->degree == 0 || x->point) /* the point is 0 */
        return mpq_sgn(q->c[0]);
    int used = pool_used;
    q = integral(q);
    poly *divisor = common_divisor(x->p, q);
    if (divisor->degree > 0) {
        chain s = sturm(divisor);
        if (roots_between(&s, x->low, x->high) == 1) {
            pool_used = used;
            return 0;
        }
    }
    poly *simple = simple_roots(q);
    chain s = sturm(simple);
    while (roots_between(&s, x->low, x->high) != 0)
        shrink(x);
    int sign = sign_of(q, x->high);
    pool_used = used;
    return sign;
}

/* ---- The question ---- */

typedef struct moving {
    poly *c[3];
} moving;

static moving minus(const moving *a, const moving *b)
{
    return (moving){
        {combine(a->c[0], b->c[0], -1), combine(a->c[1], b->c[1], -1), combine(a->c[2], b->c[2], -1)}};
}

static moving cross(const moving *a, const moving *b)
{
    moving out;
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        out.c[k] = combine(times(a->c[i], b->c[j]), times(a->c[j], b->c[i]), -1);
    }
    return out;
}

static poly *dot(const moving *a, const moving *b)
{
    return combine(combine(times(a->c[0], b->c[0]), times(a->c[1], b->c[1]), 1), times(a->c[2], b->c[2]), 1);
}

static int zero_at(const moving *v, number *t)
{
    return sign_at(v->c[0], t) == 0 && sign_at(v->c[1], t) == 0 && sign_at(v->c[2], t) == 0;
}

/* Whether a point is on a closed segment at a time: no cross product, and not beyond either end. */
static bool on_segment(const moving *p, const moving *a, const moving *b, number *t)
{
    moving ap = minus(p, a), bp = minus(p, b);
    moving area = cross(&ap, &bp);
    return zero_at(&area, t) && sign_at(dot(&ap, &bp), t) <= 0;
}

/* At a time at which all four points are in one plane. */
static bool meet(bool edges, const moving p[4], number *t)
{
    if (!edges) {
        moving u = minus(&p[2], &p[1]), v = minus(&p[3], &p[1]), normal = cross(&u, &v);
        if (zero_at(&normal, t))
            return on_segment(&p[0], &p[1], &p[2], t) || on_segment(&p[0], &p[2], &p[3], t) ||
                   on_segment(&p[0], &p[3], &p[1], t);
        for (int i = 0; i < 3; i++) {
            moving a = minus(&p[1 + i], &p[0]), b = minus(&p[1 + (i + 1) % 3], &p[0]), area = cross(&a, &b);
            if (sign_at(dot(&area, &normal), t) < 0)
                return false;
        }
        return true;
    }
    moving u = minus(&p[1], &p[0]), w = minus(&p[3], &p[2]), normal = cross(&u, &w);
    if (zero_at(&normal, t))
        return on_segment(&p[0], &p[2], &p[3], t) || on_segment(&p[1], &p[2], &p[3], t) ||
               on_segment(&p[2], &p[0], &p[1], t) || on_segment(&p[3], &p[0], &p[1], t);
    /* The ends of each are not strictly on one side of the other's line. */
    for (int side = 0; side < 2; side++) {
        const moving *along = side == 0 ? &w : &u, *base = side == 0 ? &p[2] : &p[0];
        moving a = minus(side == 0 ? &p[0] : &p[2], base), b = minus(side == 0 ? &p[1] : &p[3], base);
        moving a_area = cross(along, &a), b_area = cross(along, &b);
        if (sign_at(dot(&a_area, &normal), t) * sign_at(dot(&b_area, &normal), t) > 0)
            return false;
    }
    return true;
}

typedef struct question {
    bool edges;
    moving p[4];
    bool found;
    double after, before;
} question;

static void remember(question *q, number *t)
{
    double after, before;
    if (t->point) {
        after = before = 0;
    } else {
        for (int i = 0; i < 70; i++)
            shrink(t);
        /* mpq_get_d rounds towards zero. */
        after = mpq_get_d(t->low);
        before = mpq_get_d(t->high);
        mpq_t back;
        mpq_init(back);
        mpq_set_d(back, before);
        if (sign_of(t->p, t->high) == 0) { /* often so: a time that is a double */
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

/* Tries the roots of p in (0, 1], in ascending order, up to the first contact. */
static void try_roots(question *q, const poly *given)
{
    int used = pool_used;
    const poly *p = given->degree > 1 ? simple_roots(given) : given;
    p = integral(p);
    number x = {.p = p, .s = sturm(p)};
    mpq_t low, high, one;
    mpq_inits(x.low, x.high, low, high, one, NULL);
    mpq_set_ui(one, 1, 1);
    int done = 0, all = roots_between(&x.s, low, one);
    while (done < all) {
        /* The next root in (low, 1]: halve until it is alone. */
        mpq_set(high, one);
        while (roots_between(&x.s, low, high) > 1) {
            mpq_add(high, low, high);
            mpq_div_2exp(high, high, 1);
            if (roots_between(&x.s, low, high) == 0) {
                mpq_set(low, high);
                mpq_set(high, one);
            }
        }
        mpq_set(x.low, low);
        mpq_set(x.high, high);
        if (meet(q->edges, q->p, &x)) {
            remember(q, &x);
            break;
        }
        mpq_set(low, high);
        done++;
    }
    mpq_clears(x.low, x.high, low, high, one, NULL);
    pool_used = used;
}

bw_ccd_truth bw_oracle_ccd(bool edges, const bw_vec3 start[4], const bw_vec3 end[4])
{
    pool_used = 0;
    question q = {.edges = edges};
    for (int i = 0; i < 4; i++)
        q.p[i] =
            (moving){{line(start[i].x, end[i].x), line(start[i].y, end[i].y), line(start[i].z, end[i].z)}};
    moving d[3] = {minus(&q.p[1], &q.p[0]), minus(&q.p[2], &q.p[0]), minus(&q.p[3], &q.p[0])};
    moving area = cross(&d[1], &d[2]);
    poly *volume = dot(&d[0], &area);
    number zero = {.point = true};
    mpq_inits(zero.low, zero.high, NULL);
    if (sign_at(volume, &zero) == 0 && meet(edges, q.p, &zero)) {
        remember(&q, &zero);
    } else if (volume->degree >= 0) {
        if (volume->degree > 0)
            try_roots(&q, volume);
    } else {
        /* Always in one plane: whatever begins does so where three points are on a line or two coordinates
         * are equal. */
        for (int i = 0; i < 4; i++)
            for (int j = i + 1; j < 4; j++) {
                moving a = minus(&q.p[i], &q.p[j]);
                for (int k = 0; k < 3; k++)
                    if (a.c[k]->degree > 0)
                        try_roots(&q, a.c[k]);
                for (int l = j + 1; l < 4; l++) {
                    moving b = minus(&q.p[l], &q.p[j]), turn = cross(&a, &b);
                    for (int k = 0; k < 3; k++)
                        if (turn.c[k]->degree > 0)
                            try_roots(&q, turn.c[k]);
                }
            }
    }
    mpq_clears(zero.low, zero.high, NULL);
    return (bw_ccd_truth){q.found, q.after, q.before};
}
