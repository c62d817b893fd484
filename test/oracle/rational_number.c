#include "oracle/rational_number.h"
#include "oracle/rational.h"

#include <stdio.h>
#include <stdlib.h>

/* Blocks, so that numbers stay where they are when the pool grows. */
enum { BLOCK = 1024, BLOCKS = 256 };
static mpq_t *blocks[BLOCKS];
static size_t used, ready;

void bw_rational_begin(void)
{
    used = 0;
}

static bw_q fresh(void)
{
    if (used == (size_t)BLOCK * BLOCKS) {
        fprintf(stderr, "the pool of rationals is exhausted\n");
        abort();
    }
    if (used == ready) {
        if (used % BLOCK == 0)
            blocks[used / BLOCK] = malloc(BLOCK * sizeof(mpq_t));
        if (blocks[used / BLOCK] == NULL)
            abort();
        mpq_init(blocks[used / BLOCK][used % BLOCK]);
        ready++;
    }
    bw_q q = &blocks[used / BLOCK][used % BLOCK];
    used++;
    return q;
}

bw_q bw_q_of(double x)
{
    bw_q q = fresh();
    mpq_set_d(*q, x);
    return q;
}

bw_q bw_q_add(bw_q a, bw_q b)
{
    bw_q q = fresh();
    mpq_add(*q, *a, *b);
    return q;
}

bw_q bw_q_sub(bw_q a, bw_q b)
{
    bw_q q = fresh();
    mpq_sub(*q, *a, *b);
    return q;
}

bw_q bw_q_mul(bw_q a, bw_q b)
{
    bw_q q = fresh();
    mpq_mul(*q, *a, *b);
    return q;
}

bw_q bw_q_div(bw_q a, bw_q b)
{
    bw_q q = fresh();
    mpq_div(*q, *a, *b);
    return q;
}

int bw_q_sign(bw_q a)
{
    return mpq_sgn(*a);
}

int bw_q_compare(bw_q a, bw_q b)
{
    int order = mpq_cmp(*a, *b);
    return (order > 0) - (order < 0);
}

double bw_q_double(bw_q a)
{
    return mpq_sgn(*a) == 0 ? 0 : bw_rational_to_double(mpq_numref(*a), mpq_denref(*a), 0);
}

bw_qvec bw_qvec_of(const bw_vec3 *v)
{
    return (bw_qvec){{bw_q_of(v->x), bw_q_of(v->y), bw_q_of(v->z)}};
}

bw_qvec bw_qvec_sub(bw_qvec a, bw_qvec b)
{
    return (bw_qvec){{bw_q_sub(a.c[0], b.c[0]), bw_q_sub(a.c[1], b.c[1]), bw_q_sub(a.c[2], b.c[2])}};
}

bw_q bw_qvec_dot(bw_qvec a, bw_qvec b)
{
    bw_q xy = bw_q_add(bw_q_mul(a.c[0], b.c[0]), bw_q_mul(a.c[1], b.c[1]));
    return bw_q_add(xy, bw_q_mul(a.c[2], b.c[2]));
}

bw_qvec bw_qvec_cross(bw_qvec a, bw_qvec b)
{
    bw_qvec out;
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        out.c[k] = bw_q_sub(bw_q_mul(a.c[i], b.c[j]), bw_q_mul(a.c[j], b.c[i]));
    }
    return out;
}

bw_qvec bw_qvec_lerp(bw_qvec a, bw_qvec b, bw_q t)
{
    bw_qvec out;
    for (int k = 0; k < 3; k++)
        out.c[k] = bw_q_add(a.c[k], bw_q_mul(t, bw_q_sub(b.c[k], a.c[k])));
    return out;
}

bool bw_qvec_zero(bw_qvec a)
{
    return mpq_sgn(*a.c[0]) == 0 && mpq_sgn(*a.c[1]) == 0 && mpq_sgn(*a.c[2]) == 0;
}

bool bw_qvec_equal(bw_qvec a, bw_qvec b)
{
    return mpq_equal(*a.c[0], *b.c[0]) && mpq_equal(*a.c[1], *b.c[1]) && mpq_equal(*a.c[2], *b.c[2]);
}

bw_vec3 bw_qvec_double(bw_qvec a)
{
    return (bw_vec3){bw_q_double(a.c[0]), bw_q_double(a.c[1]), bw_q_double(a.c[2])};
}
