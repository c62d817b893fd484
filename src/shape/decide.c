/* How two cores meet, by exact integers.
 *   P. Wolfe, "Finding the nearest point in a polytope", Mathematical Programming 11 (1976).
 *
 * The cores are convex hulls of points p and q; they meet where the origin is in the hull of all p - q. Wolfe's
 * algorithm keeps a simplex of such differences and the point of it that is nearest to the origin; the
 * difference farthest towards the origin either proves this point to be the nearest of all or leads to a nearer
 * one. It is the scheme of GJK; in integers every step is strict, so none comes twice, and it ends whatever the
 * input. What the nearest point is made of decides the distance against the radii by a polynomial of degree 6.
 *
 * Whether cores without radius that meet also cross (the origin is in the relative interior of the hull of the
 * differences) is the question whether minus their sum is in the cone that they span, which the same scheme
 * answers for cones (Lawson and Hanson, "Solving Least Squares Problems", 1974, chapter 23). */
#include "shape/decide.h"

#include "geom/exact/lattice.h"

/* The points of one core on the lattice. */
typedef struct side {
    const bw_convex *convex;
    int exponent;
} side;

typedef struct problem {
    side a, b;
    int exponent;
} problem;

/* A difference of a point of each core. */
typedef struct difference {
    bw_lattice_vec w;
    uint32_t a, b;
} difference;

static int lowest_of_point(const bw_vec3 *p, int exponent)
{
    return bw_lattice_lowest(p->x, bw_lattice_lowest(p->y, bw_lattice_lowest(p->z, exponent)));
}

static int lowest_of(const bw_convex *c, int exponent)
{
    exponent = bw_lattice_lowest(c->radius, exponent);
    if (c->core == BW_CORE_HALF_SPACE)
        return lowest_of_point(&c->at, lowest_of_point(&c->edge[0], exponent));
    for (uint32_t i = 0; i < c->count; i++) {
        const bw_vec3 p = bw_convex_point(c, i);
        exponent = lowest_of_point(&p, exponent);
    }
    return exponent;
}

static problem problem_of(const bw_convex *a, const bw_convex *b)
{
    int exponent = lowest_of(b, lowest_of(a, 1024));
    exponent = exponent == 1024 ? 0 : exponent; /* all zero */
    return (problem){{a, exponent}, {b, exponent}, exponent};
}

static void point_of(const side *s, uint32_t i, bw_lattice_vec *out)
{
    const bw_vec3 p = bw_convex_point(s->convex, i);
    bw_lattice_point(out, &p, s->exponent);
}

static void difference_of(const problem *p, uint32_t i, uint32_t j, difference *out)
{
    bw_lattice_vec q;
    point_of(&p->a, i, &out->w);
    point_of(&p->b, j, &q);
    bw_lattice_add(&out->w, &out->w, &q, -1);
    out->a = i;
    out->b = j;
}

/* About the direction of a vector, its largest coordinate below 1. */
static bw_vec3 direction_of(const bw_lattice_vec *x)
{
    int limbs = 0;
    for (int k = 0; k < 3; k++)
        limbs = x->c[k].count > limbs ? x->c[k].count : limbs;
    const int exponent = limbs * BW_LIMB_BITS;
    return (bw_vec3){bw_integer_leading(&x->c[0], exponent), bw_integer_leading(&x->c[1], exponent),
                     bw_integer_leading(&x->c[2], exponent)};
}

/* The point farthest along sign * x, and the first of several. Floats leave few candidates. */
static uint32_t farthest(const side *s, const bw_lattice_vec *x, int sign)
{
    bw_vec3 d = direction_of(x);
    d = sign < 0 ? bw_vec3_minus(d) : d;
    const double error = 0x1p-46 * (fabs(d.x) + fabs(d.y) + fabs(d.z)) * s->convex->size + 0x1p-1000;
    double most = -(double)INFINITY;
    for (uint32_t i = 0; i < s->convex->count; i++)
        most = fmax(most, bw_vec3_dot(d, bw_convex_point(s->convex, i)));
    uint32_t best = BW_NONE;
    bool known = false;
    bw_integer best_value, value;
    bw_lattice_vec p;
    for (uint32_t i = 0; i < s->convex->count; i++) {
        if (bw_vec3_dot(d, bw_convex_point(s->convex, i)) < most - error)
            continue;
        if (best == BW_NONE) {
            best = i;
            continue;
        }
        if (!known) {
            point_of(s, best, &p);
            bw_lattice_dot(&best_value, x, &p);
            known = true;
        }
        point_of(s, i, &p);
        bw_lattice_dot(&value, x, &p);
        if (sign * bw_integer_compare(&value, &best_value) > 0) {
            bw_integer_copy(&best_value, &value);
            best = i;
        }
    }
    return best;
}

/* The difference farthest along sign * x. */
static void farthest_difference(const problem *p, const bw_lattice_vec *x, int sign, difference *out)
{
    difference_of(p, farthest(&p->a, x, sign), farthest(&p->b, x, -sign), out);
}

/* A multiple of the point of the simplex's plane, line or point that is nearest to the origin. False where it
 * is not inside the simplex (its relative interior), or that has no such dimension. */
static bool nearest_inside(const bw_lattice_vec *const s[], int count, bw_lattice_vec *x)
{
    bw_lattice_vec u, v, m;
    bw_integer along, length, t;
    if (count == 1) {
        bw_lattice_copy(x, s[0]);
        return true;
    }
    bw_lattice_add(&u, s[1], s[0], -1);
    if (count == 2) {
        bw_lattice_dot(&along, s[0], &u);
        along.sign = -along.sign;
        bw_lattice_dot(&length, &u, &u);
        if (along.sign <= 0 || bw_integer_compare(&along, &length) >= 0)
            return false;
        bw_lattice_combine(x, s[0], &length, &u, &along);
        return true;
    }
    bw_lattice_add(&v, s[2], s[0], -1);
    bw_lattice_cross(x, &u, &v);
    if (bw_lattice_is_zero(x))
        return false;
    bw_lattice_dot(&length, x, x);
    bw_lattice_cross(&m, s[0], &u); /* (-s0) x u is minus this: the weight of s2 is x . (s0 x ... ) */
    bw_lattice_dot(&t, x, &m);
    if (t.sign <= 0)
        return false;
    bw_integer_subtract(&length, &length, &t);
    bw_lattice_cross(&m, &v, s[0]);
    bw_lattice_dot(&t, x, &m);
    bw_integer_subtract(&length, &length, &t);
    if (t.sign <= 0 || length.sign <= 0)
        return false;
    bw_lattice_dot(&t, x, s[0]);
    for (int k = 0; k < 3; k++)
        x->c[k].sign *= t.sign; /* the origin's own plane: zero */
    if (t.sign == 0)
        for (int k = 0; k < 3; k++)
            x->c[k].count = 0;
    return true;
}

/* Whether no vertex is farther towards the origin than those of the nearest point x, which s is one of. */
static bool none_nearer(const bw_lattice_vec *x, const bw_lattice_vec *s, const difference *all, int count)
{
    bw_integer own, other;
    if (bw_lattice_is_zero(x))
        return true;
    bw_lattice_dot(&own, x, s);
    for (int i = 0; i < count; i++) {
        bw_lattice_dot(&other, x, &all[i].w);
        if (bw_integer_compare(&other, &own) < 0)
            return false;
    }
    return true;
}

typedef struct simplex {
    difference v[4];
    int count;
    bw_lattice_vec x; /* a positive multiple of the nearest point; of no meaning for four */
} simplex;

/* Keeps of the vertices, the last of which is new, those whose hull holds the nearest point of all. */
static void reduce(simplex *s)
{
    const int last = s->count - 1;
    const bw_lattice_vec *w = &s->v[last].w, *set[3] = {w, NULL, NULL};
    for (int size = 1; size <= 3 && size <= s->count; size++)
        for (int i = 0; i < (size > 1 ? last : 1); i++)
            for (int j = size > 2 ? i + 1 : last - 1; j < last || size < 3; j++) {
                set[1] = size > 1 ? &s->v[i].w : NULL;
                set[2] = size > 2 ? &s->v[j].w : NULL;
                if (nearest_inside(set, size, &s->x) && none_nearer(&s->x, w, s->v, s->count)) {
                    if (size > 1)
                        s->v[0] = s->v[i];
                    if (size > 2)
                        s->v[1] = s->v[j];
                    s->v[size - 1] = s->v[last];
                    s->count = size;
                    return;
                }
                if (size < 3)
                    break;
            }
    /* Inside of all four. */
}

/* The simplex of the nearest point of all, or of the origin. */
static bool find_nearest(const problem *p, simplex *s)
{
    difference_of(p, 0, 0, &s->v[0]);
    s->count = 1;
    bw_lattice_copy(&s->x, &s->v[0].w);
    while (s->count < 4 && !bw_lattice_is_zero(&s->x)) {
        bw_integer own, other;
        difference *next = &s->v[s->count];
        farthest_difference(p, &s->x, -1, next);
        bw_lattice_dot(&own, &s->x, &s->v[0].w);
        bw_lattice_dot(&other, &s->x, &next->w);
        if (bw_integer_compare(&other, &own) >= 0)
            return false;
        s->count++;
        reduce(s);
    }
    return true;
}

/* The sign of the distance minus the radii; the cores do not meet. */
static int compare_distance(const simplex *s, const bw_integer *radius)
{
    bw_integer radius2, left, right, t;
    bw_lattice_vec u, v, n;
    bw_integer_multiply(&radius2, radius, radius);
    if (s->count == 1) {
        bw_lattice_dot(&left, &s->v[0].w, &s->v[0].w);
        return bw_integer_compare(&left, &radius2);
    }
    bw_lattice_add(&u, &s->v[1].w, &s->v[0].w, -1);
    if (s->count == 2) { /* x = nearest * u.u */
        bw_lattice_dot(&t, &u, &u);
        bw_lattice_dot(&left, &s->x, &s->v[0].w);
        bw_integer_multiply(&right, &radius2, &t);
        return bw_integer_compare(&left, &right);
    }
    bw_lattice_add(&v, &s->v[2].w, &s->v[0].w, -1);
    bw_lattice_cross(&n, &u, &v);
    bw_lattice_dot(&t, &n, &s->v[0].w);
    bw_integer_multiply(&left, &t, &t);
    bw_lattice_dot(&t, &n, &n);
    bw_integer_multiply(&right, &radius2, &t);
    return bw_integer_compare(&left, &right);
}

/* The sum of all differences: a multiple of a point in the relative interior of their hull. */
static void sum_of_differences(const problem *p, bw_lattice_vec *out)
{
    bw_lattice_vec sums[2], point;
    const side *sides[2] = {&p->a, &p->b};
    bw_integer counts[2];
    for (int k = 0; k < 2; k++) {
        point_of(sides[k], 0, &sums[k]);
        for (uint32_t i = 1; i < sides[k]->convex->count; i++) {
            point_of(sides[k], i, &point);
            bw_lattice_add(&sums[k], &sums[k], &point, 1);
        }
        bw_integer_set(&counts[k], (int64_t)sides[k]->convex->count, 0);
    }
    counts[0].sign = -1;
    bw_lattice_combine(out, &sums[0], &counts[1], &sums[1], &counts[0]);
}

/* What is left of the target across the span of one or two vectors: a multiple of it. False where the part along
 * them is not a sum of positive multiples. */
static bool cone_residual(const bw_lattice_vec *target, const bw_lattice_vec *const s[], int count,
                          bw_lattice_vec *out)
{
    bw_integer along, length;
    bw_lattice_vec m;
    if (count == 1) {
        bw_lattice_dot(&along, target, s[0]);
        bw_lattice_dot(&length, s[0], s[0]);
        if (along.sign <= 0)
            return false;
        along.sign = -1;
        bw_lattice_combine(out, target, &length, s[0], &along);
        return true;
    }
    bw_lattice_cross(out, s[0], s[1]);
    bw_lattice_cross(&m, target, s[1]);
    bw_lattice_dot(&along, out, &m);
    bw_lattice_cross(&m, s[0], target);
    bw_lattice_dot(&length, out, &m);
    if (along.sign <= 0 || length.sign <= 0)
        return false;
    bw_lattice_dot(&along, out, target);
    for (int k = 0; k < 3; k++) {
        out->c[k].sign *= along.sign;
        out->c[k].count = along.sign == 0 ? 0 : out->c[k].count;
    }
    return true;
}

/* Whether the target is in the cone of the differences. */
static bool in_cone(const problem *p, const bw_lattice_vec *target)
{
    difference active[3];
    int count = 0;
    bw_lattice_vec residual;
    bw_lattice_copy(&residual, target);
    for (;;) {
        bw_integer value;
        if (bw_lattice_is_zero(&residual))
            return true;
        farthest_difference(p, &residual, 1, &active[count]);
        const bw_lattice_vec *w = &active[count].w;
        bw_lattice_dot(&value, &residual, w);
        if (value.sign <= 0)
            return false;
        /* The new one alone, or with one of the others: whichever leaves none of them ahead. */
        int with = -2;
        for (int i = -1; i < count && with == -2; i++) {
            const bw_lattice_vec *const set[2] = {w, i < 0 ? NULL : &active[i].w};
            if (!cone_residual(target, set, i < 0 ? 1 : 2, &residual))
                continue;
            bool fits = true;
            for (int k = 0; k < count; k++) {
                bw_lattice_dot(&value, &residual, &active[k].w);
                fits &= value.sign <= 0;
            }
            with = fits ? i : -2;
        }
        if (with == -2)
            return true; /* inside the cone of three */
        if (with >= 0)
            active[0] = active[with];
        if (with >= 0 || count > 0)
            active[with >= 0 ? 1 : 0] = active[count];
        count = with >= 0 ? 2 : 1;
    }
}

static bw_contact_kind kind_of_sign(int sign)
{
    return sign > 0 ? BW_CONTACT_NONE : sign == 0 ? BW_CONTACT_TOUCHING : BW_CONTACT_CROSSING;
}

static void sum_of_radii(const problem *p, bw_integer *out)
{
    bw_integer other;
    bw_lattice_number(out, p->a.convex->radius, p->exponent);
    bw_lattice_number(&other, p->b.convex->radius, p->exponent);
    bw_integer_add(out, out, &other);
}

/* n . x - radius |n| for the least x of b - h. */
static bw_contact_kind decide_half_space(const problem *p)
{
    bw_lattice_vec n, x, at;
    bw_integer height, radius, left, right, t;
    const bw_convex *h = p->a.convex;
    bw_lattice_point(&n, &h->edge[0], p->exponent);
    bw_lattice_point(&at, &h->at, p->exponent);
    point_of(&p->b, farthest(&p->b, &n, -1), &x);
    bw_lattice_add(&x, &x, &at, -1);
    bw_lattice_dot(&height, &n, &x);
    sum_of_radii(p, &radius);
    if (height.sign <= 0 || radius.sign == 0)
        return radius.sign > 0 ? BW_CONTACT_CROSSING : kind_of_sign(height.sign);
    bw_integer_multiply(&left, &height, &height);
    bw_integer_multiply(&t, &radius, &radius);
    bw_lattice_dot(&height, &n, &n);
    bw_integer_multiply(&right, &t, &height);
    return kind_of_sign(bw_integer_compare(&left, &right));
}

/* Two half-spaces are apart only where their normals are opposite. */
static bw_contact_kind decide_half_spaces(const problem *p)
{
    bw_lattice_vec n, m, x, at;
    bw_integer t, radius, left, right, length;
    bw_lattice_point(&n, &p->a.convex->edge[0], p->exponent);
    bw_lattice_point(&m, &p->b.convex->edge[0], p->exponent);
    bw_lattice_cross(&x, &n, &m);
    bw_lattice_dot(&t, &n, &m);
    if (!bw_lattice_is_zero(&x) || t.sign > 0)
        return BW_CONTACT_CROSSING;
    bw_lattice_point(&x, &p->b.convex->at, p->exponent);
    bw_lattice_point(&at, &p->a.convex->at, p->exponent);
    bw_lattice_add(&x, &x, &at, -1);
    bw_lattice_dot(&t, &n, &x);
    sum_of_radii(p, &radius);
    if (t.sign <= 0 || radius.sign == 0)
        return radius.sign > 0 ? BW_CONTACT_CROSSING : kind_of_sign(t.sign);
    bw_lattice_dot(&length, &n, &n);
    bw_integer_multiply(&left, &t, &t);
    bw_integer_multiply(&t, &radius, &radius);
    bw_integer_multiply(&right, &t, &length);
    return kind_of_sign(bw_integer_compare(&left, &right));
}

bw_contact_kind bw_shape_decide(const bw_convex *a, const bw_convex *b, bw_nearest_features *features)
{
    if (b->core == BW_CORE_HALF_SPACE && a->core != BW_CORE_HALF_SPACE)
        return bw_shape_decide(b, a, NULL);
    const problem p = problem_of(a, b);
    if (a->core == BW_CORE_HALF_SPACE)
        return b->core == BW_CORE_HALF_SPACE ? decide_half_spaces(&p) : decide_half_space(&p);
    simplex s;
    bw_integer radius;
    const bool meet = find_nearest(&p, &s);
    if (features != NULL) {
        features->count = s.count;
        features->meet = meet;
        features->direction = direction_of(&s.x);
        for (int i = 0; i < s.count; i++) {
            features->a[i] = s.v[i].a;
            features->b[i] = s.v[i].b;
        }
    }
    sum_of_radii(&p, &radius);
    if (!meet)
        return kind_of_sign(compare_distance(&s, &radius));
    if (radius.sign > 0 || s.count == 4)
        return BW_CONTACT_CROSSING;
    bw_lattice_vec target;
    sum_of_differences(&p, &target);
    for (int k = 0; k < 3; k++)
        target.c[k].sign = -target.c[k].sign;
    return in_cone(&p, &target) ? BW_CONTACT_CROSSING : BW_CONTACT_TOUCHING;
}
