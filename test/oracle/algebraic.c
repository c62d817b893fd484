#include "oracle/algebraic.h"

#include <stdlib.h>

/* ---- Polynomials ---- */

static bw_alg pool[16384];
static int pool_used, pool_ready;

int bw_alg_mark(void)
{
    return pool_used;
}

void bw_alg_release(int mark)
{
    pool_used = mark;
}

static bw_alg *fresh(void)
{
    if (pool_used == pool_ready) {
        if (pool_ready == (int)(sizeof pool / sizeof *pool))
            abort();
        for (int i = 0; i < BW_ALG_COEFFICIENTS; i++)
            mpz_init(pool[pool_ready].c[i]);
        pool_ready++;
    }
    bw_alg *p = &pool[pool_used++];
    p->degree = -1;
    return p;
}

static void trim(bw_alg *p)
{
    while (p->degree >= 0 && mpz_sgn(p->c[p->degree]) == 0)
        p->degree--;
}

bw_alg *bw_alg_line(const mpz_t a, const mpz_t b)
{
    bw_alg *p = fresh();
    mpz_set(p->c[0], a);
    mpz_sub(p->c[1], b, a);
    p->degree = 1;
    trim(p);
    return p;
}

static bw_alg *combine(const bw_alg *a, const bw_alg *b, int sign)
{
    bw_alg *p = fresh();
    p->degree = a->degree > b->degree ? a->degree : b->degree;
    for (int i = 0; i <= p->degree; i++) {
        if (i <= a->degree)
            mpz_set(p->c[i], a->c[i]);
        else
            mpz_set_ui(p->c[i], 0);
        if (i <= b->degree && sign > 0)
            mpz_add(p->c[i], p->c[i], b->c[i]);
        else if (i <= b->degree)
            mpz_sub(p->c[i], p->c[i], b->c[i]);
    }
    trim(p);
    return p;
}

bw_alg *bw_alg_add(const bw_alg *a, const bw_alg *b)
{
    return combine(a, b, 1);
}

bw_alg *bw_alg_subtract(const bw_alg *a, const bw_alg *b)
{
    return combine(a, b, -1);
}

bw_alg *bw_alg_multiply(const bw_alg *a, const bw_alg *b)
{
    bw_alg *p = fresh();
    if (a->degree < 0 || b->degree < 0)
        return p;
    p->degree = a->degree + b->degree;
    if (p->degree >= BW_ALG_COEFFICIENTS)
        abort();
    for (int i = 0; i <= p->degree; i++)
        mpz_set_ui(p->c[i], 0);
    for (int i = 0; i <= a->degree; i++)
        for (int j = 0; j <= b->degree; j++)
            mpz_addmul(p->c[i + j], a->c[i], b->c[j]);
    return p;
}

/* Over the greatest common divisor of the coefficients. */
static bw_alg *primitive(bw_alg *p)
{
    mpz_t content;
    mpz_init(content);
    for (int i = 0; i <= p->degree; i++)
        mpz_gcd(content, content, p->c[i]);
    for (int i = 0; i <= p->degree; i++)
        mpz_divexact(p->c[i], p->c[i], content);
    mpz_clear(content);
    return p;
}

/* A positive multiple of the remainder of a by b, and in *quotient (may be NULL) one of the quotient. */
static bw_alg *divide(const bw_alg *a, const bw_alg *b, bw_alg **quotient)
{
    bw_alg *rest = combine(a, fresh(), 1), *q = fresh();
    q->degree = a->degree - b->degree;
    for (int i = 0; i <= q->degree; i++)
        mpz_set_ui(q->c[i], 0);
    mpz_t lead, factor;
    mpz_inits(lead, factor, NULL);
    mpz_abs(lead, b->c[b->degree]);
    const int turn = mpz_sgn(b->c[b->degree]);
    while (rest->degree >= b->degree) {
        int shift = rest->degree - b->degree;
        mpz_set(factor, rest->c[rest->degree]);
        if (turn < 0)
            mpz_neg(factor, factor);
        for (int i = 0; i <= rest->degree; i++)
            mpz_mul(rest->c[i], rest->c[i], lead);
        for (int i = 0; i <= q->degree; i++)
            mpz_mul(q->c[i], q->c[i], lead);
        mpz_add(q->c[shift], q->c[shift], factor);
        for (int i = 0; i <= b->degree; i++)
            mpz_submul(rest->c[i + shift], factor, b->c[i]);
        trim(rest);
    }
    mpz_clears(lead, factor, NULL);
    if (quotient != NULL)
        *quotient = primitive(q);
    return primitive(rest);
}

static const bw_alg *common_divisor(const bw_alg *a, const bw_alg *b)
{
    const bw_alg *x = a, *y = b;
    while (y->degree >= 0) {
        const bw_alg *rest = divide(x, y, NULL);
        x = y;
        y = rest;
    }
    return x;
}

static bw_alg *derivative(const bw_alg *a)
{
    bw_alg *p = fresh();
    p->degree = a->degree - 1;
    for (int i = 0; i <= p->degree; i++)
        mpz_mul_ui(p->c[i], a->c[i + 1], (unsigned)i + 1);
    trim(p);
    return p;
}

/* The same roots, each once. */
static bw_alg *simple_roots(const bw_alg *a)
{
    bw_alg *quotient;
    divide(a, common_divisor(a, derivative(a)), &quotient);
    return quotient;
}

int bw_alg_sign_rational(const bw_alg *p, const mpq_t t)
{
    if (p->degree < 0)
        return 0;
    mpz_t sum, power;
    mpz_inits(sum, power, NULL);
    mpz_set(sum, p->c[p->degree]);
    mpz_set_ui(power, 1);
    for (int i = p->degree; i-- > 0;) {
        mpz_mul(power, power, mpq_denref(t));
        mpz_mul(sum, sum, mpq_numref(t));
        mpz_addmul(sum, power, p->c[i]);
    }
    int sign = mpz_sgn(sum);
    mpz_clears(sum, power, NULL);
    return sign;
}

/* ---- Sturm ---- */

static struct bw_sturm sturm(const bw_alg *p)
{
    struct bw_sturm s = {0};
    s.p[s.count++] = p;
    const bw_alg *next = derivative(p);
    while (next->degree >= 0) {
        s.p[s.count++] = next;
        next = combine(fresh(), divide(s.p[s.count - 2], s.p[s.count - 1], NULL), -1);
    }
    return s;
}

static int changes(const struct bw_sturm *s, const mpq_t t)
{
    int count = 0, last = 0;
    for (int i = 0; i < s->count; i++) {
        int sign = bw_alg_sign_rational(s->p[i], t);
        if (sign != 0) {
            count += last != 0 && last != sign;
            last = sign;
        }
    }
    return count;
}

/* Roots in (low, high] of a polynomial with simple roots. */
static int roots_between(const struct bw_sturm *s, const mpq_t low, const mpq_t high)
{
    return changes(s, low) - changes(s, high);
}

/* ---- Real numbers ---- */

void bw_real_init(bw_real *x)
{
    x->point = true;
    x->shrunk = 0;
    x->high_known = false;
    mpq_inits(x->low, x->high, NULL);
}

void bw_real_clear(bw_real *x)
{
    mpq_clears(x->low, x->high, NULL);
}

void bw_real_shrink(bw_real *x)
{
    mpq_t middle;
    mpq_init(middle);
    x->shrunk++;
    mpq_add(middle, x->low, x->high);
    mpq_div_2exp(middle, middle, 1);
    /* A simple root alone: the signs differ on its two sides, unless it is the upper end itself. */
    if (!x->high_known) {
        x->high_sign = bw_alg_sign_rational(x->p, x->high);
        x->high_known = true;
    }
    int last = x->high_sign, now = bw_alg_sign_rational(x->p, middle);
    if (last == 0 ? roots_between(&x->s, x->low, middle) == 1 : now == 0 || now == last) {
        mpq_set(x->high, middle);
        x->high_sign = now;
    } else
        mpq_set(x->low, middle);
    mpq_clear(middle);
}

/* The sign of q in all of [low, high], part of [0, 1], where its slope does not let it change: |q(high)| over
 * (high - low) times the sum of i |c_i|. 0: not certain. */
static int certain_sign(const bw_alg *q, const bw_real *x)
{
    mpz_t slope, term;
    mpq_t value, power, change;
    mpz_inits(slope, term, NULL);
    mpq_inits(value, power, change, NULL);
    for (int i = q->degree; i >= 0; i--) { /* Horner */
        mpq_mul(value, value, x->high);
        mpq_set_z(power, q->c[i]);
        mpq_add(value, value, power);
        mpz_abs(term, q->c[i]);
        mpz_addmul_ui(slope, term, (unsigned)i);
    }
    mpq_set_z(power, slope);
    mpq_sub(change, x->high, x->low);
    mpq_mul(change, change, power);
    int sign = mpq_sgn(value);
    mpq_abs(value, value);
    if (mpq_cmp(value, change) <= 0)
        sign = 0;
    mpz_clears(slope, term, NULL);
    mpq_clears(value, power, change, NULL);
    return sign;
}

int bw_alg_sign(const bw_alg *q, bw_real *x)
{
    if (q->degree < 0)
        return 0;
    if (q->degree == 0)
        return mpz_sgn(q->c[0]);
    if (x->point)
        return bw_alg_sign_rational(q, x->low);
    int sign = certain_sign(q, x);
    while (sign == 0 && x->shrunk < 100) { /* often that is enough */
        for (int i = 0; i < 10; i++)
            bw_real_shrink(x);
        sign = certain_sign(q, x);
    }
    if (sign != 0)
        return sign;
    int mark = bw_alg_mark();
    const bw_alg *divisor = common_divisor(x->p, q);
    if (divisor->degree > 0) {
        struct bw_sturm s = sturm(divisor);
        if (roots_between(&s, x->low, x->high) == 1) {
            bw_alg_release(mark);
            return 0;
        }
    }
    struct bw_sturm s = sturm(simple_roots(q));
    while (roots_between(&s, x->low, x->high) != 0)
        bw_real_shrink(x);
    sign = bw_alg_sign_rational(q, x->high);
    bw_alg_release(mark);
    return sign;
}

bool bw_alg_roots(const bw_alg *given, bw_root_visitor *visit, void *context)
{
    int mark = bw_alg_mark();
    const bw_alg *p = given->degree > 1 ? simple_roots(given) : given;
    bw_real x = {.p = p, .s = sturm(p)};
    mpq_t low, high, one;
    mpq_inits(x.low, x.high, low, high, one, NULL);
    mpq_set_ui(one, 1, 1);
    bool stopped = false;
    for (int left = roots_between(&x.s, low, one); left > 0 && !stopped; left--) {
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
        x.shrunk = 0;
        x.high_known = false;
        stopped = visit(context, &x);
        mpq_set(low, high);
    }
    mpq_clears(x.low, x.high, low, high, one, NULL);
    bw_alg_release(mark);
    return stopped;
}

/* ---- Points ---- */

bw_moving_point bw_moving_minus(const bw_moving_point *a, const bw_moving_point *b)
{
    return (bw_moving_point){
        {combine(a->c[0], b->c[0], -1), combine(a->c[1], b->c[1], -1), combine(a->c[2], b->c[2], -1)}};
}

bw_moving_point bw_moving_cross(const bw_moving_point *a, const bw_moving_point *b)
{
    bw_moving_point out;
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        out.c[k] = combine(bw_alg_multiply(a->c[i], b->c[j]), bw_alg_multiply(a->c[j], b->c[i]), -1);
    }
    return out;
}

bw_alg *bw_moving_dot(const bw_moving_point *a, const bw_moving_point *b)
{
    return combine(combine(bw_alg_multiply(a->c[0], b->c[0]), bw_alg_multiply(a->c[1], b->c[1]), 1),
                   bw_alg_multiply(a->c[2], b->c[2]), 1);
}

bool bw_moving_zero(const bw_moving_point *v, bw_real *t)
{
    return bw_alg_sign(v->c[0], t) == 0 && bw_alg_sign(v->c[1], t) == 0 && bw_alg_sign(v->c[2], t) == 0;
}
