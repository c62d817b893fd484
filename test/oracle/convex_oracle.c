#include "oracle/convex_oracle.h"
#include "oracle/rational_number.h"

#include <math.h>

typedef long double real;
typedef struct vec {
    real x, y, z;
} vec;

static vec vec_of(const bw_vec3 *p, const bw_vec3 *o)
{
    return (vec){(real)p->x - (real)o->x, (real)p->y - (real)o->y, (real)p->z - (real)o->z};
}

static vec sub(vec a, vec b)
{
    return (vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static real dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vec cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* ---- without radii ---- */

/* The difference of two points of one set. */
typedef struct edge {
    int set, i, j;
} edge;

typedef struct problem {
    const bw_oracle_convex *s[2];
    vec p[2][BW_ORACLE_POINTS]; /* about the first point of the first */
    real size;
    edge e[BW_ORACLE_POINTS * (BW_ORACLE_POINTS - 1)];
    int edges;
    bool exact;
} problem;

static void set_up(problem *p, const bw_oracle_convex *a, const bw_oracle_convex *b, bool exact)
{
    p->s[0] = a;
    p->s[1] = b;
    p->edges = 0;
    p->size = 0;
    p->exact = exact;
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < p->s[s]->count; i++) {
            const vec v = p->p[s][i] = vec_of(&p->s[s]->points[i], &a->points[0]);
            p->size = fmaxl(p->size, sqrtl(dot(v, v)));
            for (int j = 0; j < i; j++)
                p->e[p->edges++] = (edge){s, i, j};
        }
}

static vec edge_real(const problem *p, edge e)
{
    return sub(p->p[e.set][e.i], p->p[e.set][e.j]);
}

static bw_qvec point_exact(const problem *p, int set, int i)
{
    return bw_qvec_of(&p->s[set]->points[i]);
}

static bw_qvec edge_exact(const problem *p, edge e)
{
    return bw_qvec_sub(point_exact(p, e.set, e.i), point_exact(p, e.set, e.j));
}

/* What an axis allows, from the signs of the ends of the differences along it. */
static bw_contact_kind allowed(int low, int high)
{
    if (low > 0 || high < 0)
        return BW_CONTACT_NONE;
    return (low == 0) != (high == 0) ? BW_CONTACT_TOUCHING : BW_CONTACT_CROSSING;
}

static bw_contact_kind axis_exact(const problem *p, bw_qvec n)
{
    bw_q low[2], high[2];
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < p->s[s]->count; i++) {
            bw_q x = bw_qvec_dot(n, point_exact(p, s, i));
            low[s] = i == 0 || bw_q_compare(x, low[s]) < 0 ? x : low[s];
            high[s] = i == 0 || bw_q_compare(x, high[s]) > 0 ? x : high[s];
        }
    return allowed(bw_q_compare(low[0], high[1]), bw_q_compare(high[0], low[1]));
}

/* True where long doubles are clear about the axis, with *kind. */
static bool axis_real(const problem *p, vec n, real accurate, bw_contact_kind *kind)
{
    real low[2], high[2];
    const real length = sqrtl(dot(n, n)), error = 1e-13L * length * p->size;
    if (p->exact || !(length > 1e-4L * accurate))
        return false;
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < p->s[s]->count; i++) {
            const real x = dot(n, p->p[s][i]);
            low[s] = i == 0 || x < low[s] ? x : low[s];
            high[s] = i == 0 || x > high[s] ? x : high[s];
        }
    const real least = low[0] - high[1], most = high[0] - low[1];
    *kind = least > error || most < -error ? BW_CONTACT_NONE : BW_CONTACT_CROSSING;
    return least > error || most < -error || (least < -error && most > error);
}

static bw_contact_kind in_space(const problem *p)
{
    bw_contact_kind kind = BW_CONTACT_CROSSING, now;
    for (int i = 0; i < p->edges; i++)
        for (int j = 0; j < i; j++) {
            const vec u = edge_real(p, p->e[i]), v = edge_real(p, p->e[j]);
            if (!axis_real(p, cross(u, v), sqrtl(dot(u, u) * dot(v, v)), &now)) {
                bw_rational_begin();
                const bw_qvec n = bw_qvec_cross(edge_exact(p, p->e[i]), edge_exact(p, p->e[j]));
                if (bw_qvec_zero(n))
                    continue;
                now = axis_exact(p, n);
            }
            kind = now < kind ? now : kind;
            if (kind == BW_CONTACT_NONE)
                return kind;
        }
    return kind;
}

static bw_contact_kind in_plane(const problem *p, edge first, edge second)
{
    bw_contact_kind kind = BW_CONTACT_CROSSING;
    for (int i = 0; i < p->edges; i++) {
        bw_rational_begin();
        const bw_qvec n = bw_qvec_cross(edge_exact(p, first), edge_exact(p, second));
        if (bw_q_sign(bw_qvec_dot(n, bw_qvec_sub(point_exact(p, 0, 0), point_exact(p, 1, 0)))) != 0)
            return BW_CONTACT_NONE;
        const bw_qvec e = edge_exact(p, p->e[i]);
        if (bw_qvec_zero(e))
            continue;
        const bw_contact_kind now = axis_exact(p, bw_qvec_cross(n, e));
        kind = now < kind ? now : kind;
    }
    return kind;
}

static bw_contact_kind contact_of_points(const problem *p)
{
    int first = -1, second = -1;
    for (int i = 0; i < p->edges; i++) {
        bw_rational_begin();
        const bw_qvec e = edge_exact(p, p->e[i]);
        if (bw_qvec_zero(e))
            continue;
        if (first < 0) {
            first = i;
            continue;
        }
        const bw_qvec n =
            bw_qvec_cross(edge_exact(p, p->e[first]), second < 0 ? e : edge_exact(p, p->e[second]));
        if (second < 0) {
            second = bw_qvec_zero(n) ? -1 : i;
            continue;
        }
        if (bw_q_sign(bw_qvec_dot(n, e)) != 0)
            return in_space(p);
    }
    if (second >= 0)
        return in_plane(p, p->e[first], p->e[second]);
    bw_rational_begin();
    const bw_qvec offset = bw_qvec_sub(point_exact(p, 0, 0), point_exact(p, 1, 0));
    if (first < 0)
        return bw_qvec_zero(offset) ? BW_CONTACT_CROSSING : BW_CONTACT_NONE;
    const bw_qvec direction = edge_exact(p, p->e[first]);
    return bw_qvec_zero(bw_qvec_cross(direction, offset)) ? axis_exact(p, direction) : BW_CONTACT_NONE;
}

/* ---- distances ---- */

/* A point, a segment or a triangle of each: numbers of points, -1 where there is none. */
typedef struct features {
    int a[3], b[3];
} features;

static real clamp_distance2(vec w, vec u, vec v, int count, bool *inside)
{
    /* The squared distance of the origin from w + s u + t v, s and t free, and whether 0 < s, t, s + t < 1. */
    if (count == 1) {
        const real uu = dot(u, u), s = uu > 0 ? -dot(w, u) / uu : -1;
        *inside = s >= 0 && s <= 1;
        const vec x = {w.x + s * u.x, w.y + s * u.y, w.z + s * u.z};
        return dot(x, x);
    }
    const vec n = cross(u, v);
    const real nn = dot(n, n);
    *inside = false;
    if (!(nn > 0))
        return INFINITY;
    const vec minus = {-w.x, -w.y, -w.z};
    const real s = dot(cross(minus, v), n) / nn, t = dot(cross(u, minus), n) / nn, h = dot(w, n);
    *inside = s >= 0 && t >= 0 && s + t <= 1;
    return h * h / nn;
}

static real distance2_real(const problem *p, const features *f, bool *inside)
{
    const vec a = p->p[0][f->a[0]], b = p->p[1][f->b[0]], w = sub(a, b), none = {0, 0, 0};
    *inside = true;
    if (f->a[1] < 0 && f->b[1] < 0)
        return dot(w, w);
    if (f->b[1] < 0) {
        const vec u = sub(p->p[0][f->a[1]], a), v = f->a[2] < 0 ? none : sub(p->p[0][f->a[2]], a);
        return clamp_distance2(w, u, v, f->a[2] < 0 ? 1 : 2, inside);
    }
    if (f->a[1] < 0) {
        const vec u = sub(b, p->p[1][f->b[1]]), v = f->b[2] < 0 ? none : sub(b, p->p[1][f->b[2]]);
        return clamp_distance2(w, u, v, f->b[2] < 0 ? 1 : 2, inside);
    }
    const vec u = sub(p->p[0][f->a[1]], a), v = sub(b, p->p[1][f->b[1]]), n = cross(u, v);
    const real nn = dot(n, n), h = dot(w, n);
    const vec minus = {-w.x, -w.y, -w.z};
    const real s = dot(cross(minus, v), n) / nn, t = dot(cross(u, minus), n) / nn;
    *inside = nn > 0 && s >= 0 && s <= 1 && t >= 0 && t <= 1;
    return nn > 0 ? h * h / nn : INFINITY;
}

/* The same in rationals; NULL where the nearest point is not inside. */
static bw_q distance2_exact(const problem *p, const features *f)
{
    const bw_q zero = bw_q_of(0), one = bw_q_of(1);
    const bw_qvec a = point_exact(p, 0, f->a[0]), b = point_exact(p, 1, f->b[0]), w = bw_qvec_sub(a, b),
                  minus = bw_qvec_sub(b, a);
    bw_qvec u = w, v = w;
    int count = 0;
    for (int k = 1; k < 3; k++) {
        if (f->a[k] >= 0) {
            *(count == 0 ? &u : &v) = bw_qvec_sub(point_exact(p, 0, f->a[k]), a);
            count++;
        }
        if (f->b[k] >= 0) {
            *(count == 0 ? &u : &v) = bw_qvec_sub(b, point_exact(p, 1, f->b[k]));
            count++;
        }
    }
    if (count == 0)
        return bw_qvec_dot(w, w);
    if (count == 1) {
        bw_q uu = bw_qvec_dot(u, u), along = bw_qvec_dot(minus, u);
        if (bw_q_sign(uu) == 0 || bw_q_sign(along) < 0 || bw_q_compare(along, uu) > 0)
            return NULL;
        return bw_q_sub(bw_qvec_dot(w, w), bw_q_div(bw_q_mul(along, along), uu));
    }
    const bw_qvec n = bw_qvec_cross(u, v);
    bw_q nn = bw_qvec_dot(n, n), h = bw_qvec_dot(w, n);
    if (bw_q_sign(nn) == 0)
        return NULL;
    bw_q s = bw_q_div(bw_qvec_dot(bw_qvec_cross(minus, v), n), nn),
         t = bw_q_div(bw_qvec_dot(bw_qvec_cross(u, minus), n), nn);
    const bool square = f->a[1] >= 0 && f->b[1] >= 0; /* two segments */
    if (bw_q_compare(s, zero) < 0 || bw_q_compare(t, zero) < 0 || bw_q_compare(s, one) > 0 ||
        bw_q_compare(t, one) > 0 || (!square && bw_q_compare(bw_q_add(s, t), one) > 0))
        return NULL;
    return bw_q_div(bw_q_mul(h, h), nn);
}

typedef void feature_fn(void *user, const problem *p, const features *f);

static void each_features(const problem *p, feature_fn *visit, void *user)
{
    const int m = p->s[0]->count, n = p->s[1]->count;
    for (int i = 0; i < m; i++)
        for (int j = -1; j < i; j++)
            for (int k = 0; k < n; k++)
                for (int l = -1; l < k; l++)
                    visit(user, p, &(features){{i, j, -1}, {k, l, -1}});
    for (int i = 0; i < m; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k < j; k++)
                for (int l = 0; l < n; l++)
                    visit(user, p, &(features){{i, j, k}, {l, -1, -1}});
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k < j; k++)
                for (int l = 0; l < m; l++)
                    visit(user, p, &(features){{l, -1, -1}, {i, j, k}});
}

typedef struct least {
    real distance2, tolerance;
    double radius_a, radius_b;
    int sign; /* of the least distance minus the radii */
} least;

static void visit_real(void *user, const problem *p, const features *f)
{
    least *l = user;
    bool inside;
    const real d2 = distance2_real(p, f, &inside);
    if (inside && d2 < l->distance2)
        l->distance2 = d2;
}

static void visit_exact(void *user, const problem *p, const features *f)
{
    least *l = user;
    bool inside;
    if (!p->exact && distance2_real(p, f, &inside) > l->distance2 + l->tolerance)
        return;
    bw_rational_begin();
    const bw_q d2 = distance2_exact(p, f), r = bw_q_add(bw_q_of(l->radius_a), bw_q_of(l->radius_b));
    if (d2 == NULL)
        return;
    const int sign = bw_q_compare(d2, bw_q_mul(r, r));
    l->sign = sign < l->sign ? sign : l->sign;
}

static bw_contact_kind kind_of(int sign)
{
    return sign > 0 ? BW_CONTACT_NONE : sign == 0 ? BW_CONTACT_TOUCHING : BW_CONTACT_CROSSING;
}

static bw_contact_kind contact_with_radii(const problem *p)
{
    least l = {INFINITY, 0, p->s[0]->radius, p->s[1]->radius, 1};
    const real radius = (real)l.radius_a + (real)l.radius_b;
    each_features(p, visit_real, &l);
    l.tolerance = 1e-12L * (p->size * p->size + radius * radius);
    if (!p->exact && fabsl(l.distance2 - radius * radius) > l.tolerance)
        return kind_of(l.distance2 > radius * radius ? 1 : -1);
    each_features(p, visit_exact, &l);
    return kind_of(l.sign);
}

double bw_oracle_convex_distance(const bw_oracle_convex *a, const bw_oracle_convex *b)
{
    problem p;
    least l = {INFINITY, 0, 0, 0, 1};
    set_up(&p, a, b, false);
    each_features(&p, visit_real, &l);
    return (double)sqrtl(l.distance2);
}

/* ---- half-spaces ---- */

static bw_contact_kind compare_height(bw_q height, bw_qvec n, double ra, double rb)
{
    bw_q r = bw_q_add(bw_q_of(ra), bw_q_of(rb));
    if (bw_q_sign(r) == 0)
        return kind_of(bw_q_sign(height));
    if (bw_q_sign(height) <= 0)
        return BW_CONTACT_CROSSING;
    return kind_of(bw_q_compare(bw_q_mul(height, height), bw_q_mul(bw_q_mul(r, r), bw_qvec_dot(n, n))));
}

static bw_contact_kind contact_of_half_space(const bw_oracle_convex *h, const bw_oracle_convex *b)
{
    bw_rational_begin();
    const bw_qvec n = bw_qvec_of(&h->normal), at = bw_qvec_of(&h->at);
    bw_q height = NULL;
    if (b->count == 0) {
        const bw_qvec m = bw_qvec_of(&b->normal);
        if (!bw_qvec_zero(bw_qvec_cross(n, m)) || bw_q_sign(bw_qvec_dot(n, m)) > 0)
            return BW_CONTACT_CROSSING;
        height = bw_qvec_dot(n, bw_qvec_sub(bw_qvec_of(&b->at), at));
    }
    for (int i = 0; i < b->count; i++) {
        bw_q x = bw_qvec_dot(n, bw_qvec_sub(bw_qvec_of(&b->points[i]), at));
        height = height == NULL || bw_q_compare(x, height) < 0 ? x : height;
    }
    return compare_height(height, n, h->radius, b->radius);
}

bw_contact_kind bw_oracle_convex_contact(const bw_oracle_convex *a, const bw_oracle_convex *b, bool exact)
{
    problem p;
    if (a->count == 0)
        return contact_of_half_space(a, b);
    if (b->count == 0)
        return contact_of_half_space(b, a);
    set_up(&p, a, b, exact);
    const bw_contact_kind kind = contact_of_points(&p);
    if (a->radius == 0 && b->radius == 0)
        return kind;
    return kind != BW_CONTACT_NONE ? BW_CONTACT_CROSSING : contact_with_radii(&p);
}
