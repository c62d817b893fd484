/* What is near at a time, on a lattice in exact integers: every pair of features is reduced by looking at all
 * parts of its features, and the least distance whose nearest points are inside both parts counts. Witnesses,
 * in doubles: they are what their weights say, and as far apart as exact distances are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geom/ccd/witness.h"
#include "geom/ccd_families.h"
#include "oracle/pool.h"
#include "oracle/triangle_oracle.h"
#include "swept/motions.h"

/* ---- Exact nearest features ---- */

__extension__ typedef __int128 wide;

enum { GRID = 8 }; /* positions are multiples of 1 / GRID */

typedef struct point {
    int64_t c[3];
} point;

static point minus(point a, point b)
{
    return (point){{a.c[0] - b.c[0], a.c[1] - b.c[1], a.c[2] - b.c[2]}};
}
static int64_t dot(point a, point b)
{
    return a.c[0] * b.c[0] + a.c[1] * b.c[1] + a.c[2] * b.c[2];
}

/* A squared distance: a fraction with a positive denominator. */
typedef struct fraction {
    wide over, under;
} fraction;

static int compare(fraction a, fraction b)
{
    wide x = a.over * b.under, y = b.over * a.under;
    return x < y ? -1 : x > y;
}

/* Nearest points of the hulls of some of the first and some of the second: is there just one pair, and is it
 * inside both? Their directions d span the problem: minimise |gap + sum x_i d_i|, by its normal equations. */
static bool inside_both(int first, const point *a, int second, const point *b, fraction *out)
{
    point d[2], gap = minus(a[0], b[0]);
    int count = 0;
    int64_t sign[2];
    for (int i = 1; i < first; i++, count++) {
        d[count] = minus(a[i], a[0]);
        sign[count] = -1;
    }
    for (int i = 1; i < second; i++, count++) {
        d[count] = minus(b[i], b[0]);
        sign[count] = 1;
    }
    int64_t gg = dot(gap, gap);
    if (count == 0) {
        *out = (fraction){gg, 1};
        return true;
    }
    /* x_i of the point a[0] + sum over a, b[0] + sum over b: sign_i d_i . (gap - sum sign_j x_j d_j) = 0. */
    int64_t m[2][2], r[2];
    for (int i = 0; i < count; i++) {
        r[i] = sign[i] * dot(d[i], gap);
        for (int j = 0; j < count; j++)
            m[i][j] = sign[i] * sign[j] * dot(d[i], d[j]);
    }
    wide whole = count == 1 ? m[0][0] : (wide)m[0][0] * m[1][1] - (wide)m[0][1] * m[1][0];
    if (whole <= 0)
        return false; /* parallel, or without length */
    wide x[2] = {count == 1 ? r[0] : (wide)r[0] * m[1][1] - (wide)r[1] * m[0][1],
                 count == 1 ? 0 : (wide)r[1] * m[0][0] - (wide)r[0] * m[1][0]};
    wide sum_first = 0, sum_second = 0;
    for (int i = 0; i < count; i++) {
        if (x[i] <= 0)
            return false;
        if (sign[i] < 0)
            sum_first += x[i];
        else
            sum_second += x[i];
    }
    if (sum_first >= whole || sum_second >= whole)
        return false;
    /* gap . gap - r . x over the determinant. */
    *out = (fraction){(wide)gg * whole - (wide)r[0] * x[0] - (count == 1 ? 0 : (wide)r[1] * x[1]), whole};
    return true;
}

/* All parts of the features, as bits of the four vertices, that hold the nearest points. */
typedef struct reductions {
    uint32_t bits[49];
    uint32_t count;
    fraction distance2;
} reductions;

static reductions reduce(int first, int second, const point p[4])
{
    reductions out = {.count = 0};
    for (uint32_t x = 1; x < 1u << first; x++)
        for (uint32_t y = 1; y < 1u << second; y++) {
            point a[2], b[3];
            int na = 0, nb = 0;
            for (int i = 0; i < first; i++)
                if ((x >> i & 1) != 0)
                    a[na++] = p[i];
            for (int i = 0; i < second; i++)
                if ((y >> i & 1) != 0)
                    b[nb++] = p[first + i];
            fraction here;
            if (na + nb > 4 || !inside_both(na, a, nb, b, &here))
                continue;
            int order = out.count == 0 ? -1 : compare(here, out.distance2);
            if (order < 0) {
                out.count = 0;
                out.distance2 = here;
            }
            if (order <= 0)
                out.bits[out.count++] = x | y << first;
        }
    return out;
}

/* ---- Near pairs ---- */

typedef struct expectation {
    uint64_t source_count; /* pairs within the distance */
    const bw_swept_near_pair *found;
    uint64_t found_count;
    uint64_t *must, *may; /* for each of the found: pairs that come to it alone, or among others */
    double distance, time;
    bool self;
} expectation;

/* By vertices: of both sides, ascending, with their number. */
typedef struct key {
    uint32_t count[2], v[2][3];
} key;

static int by_number(const void *x, const void *y)
{
    const uint32_t *a = x, *b = y;
    return *a < *b ? -1 : *a > *b;
}

/* Of one mesh the sides are not told apart. */
static void order_key(key *k, bool self)
{
    for (int side = 0; side < 2; side++)
        qsort(k->v[side], k->count[side], sizeof(uint32_t), by_number);
    if (self && (k->count[0] > k->count[1] || (k->count[0] == k->count[1] && k->v[0][0] > k->v[1][0]))) {
        key turned = {{k->count[1], k->count[0]}, {{0}}};
        memcpy(turned.v[0], k->v[1], sizeof turned.v[0]);
        memcpy(turned.v[1], k->v[0], sizeof turned.v[1]);
        *k = turned;
    }
}

static bool vertex_second(bw_ccd_feature feature)
{
    return feature == BW_CCD_FACE_VERTEX || feature == BW_CCD_EDGE_VERTEX;
}

/* How many vertices the features of a pair have, the one that stands first in `vertices` first. */
static void counts_of(bw_ccd_feature feature, int *first, int *second)
{
    *first = feature == BW_CCD_EDGE_EDGE ? 2 : 1;
    *second = feature == BW_CCD_VERTEX_FACE || feature == BW_CCD_FACE_VERTEX ? 3
              : feature == BW_CCD_VERTEX_VERTEX                              ? 1
                                                                             : 2;
}

static key key_of(bw_ccd_feature feature, const uint32_t v[4], uint32_t bits, bool self)
{
    key k = {{0, 0}, {{0}, {0}}};
    int first, second;
    counts_of(feature, &first, &second);
    for (int i = 0; i < first + second; i++) {
        int side = (i >= first) != vertex_second(feature);
        if ((bits >> i & 1) != 0)
            k.v[side][k.count[side]++] = v[i];
    }
    order_key(&k, self);
    return k;
}

static point on_grid(const motion *m, uint32_t v, double time)
{
    point p;
    for (uint32_t k = 0; k < 3; k++) {
        double x = m->positions[0][3 * v + k], y = m->positions[1][3 * v + k], at = x + time * (y - x);
        p.c[k] = llround(at * GRID);
        assert_true((double)p.c[k] == at * GRID);
    }
    return p;
}

static void look(void *user, bw_ccd_feature feature, uint32_t a, uint32_t b, const motion *const m[4],
                 const uint32_t v[4])
{
    expectation *e = user;
    int first, second;
    point p[4];
    (void)a;
    (void)b;
    counts_of(feature, &first, &second);
    for (int i = 0; i < 4; i++)
        p[i] = on_grid(m[i], v[i], e->time);
    const reductions all = reduce(first, second, p);
    assert_true(all.count > 0);
    double d2 = (double)all.distance2.over / (double)all.distance2.under / (GRID * GRID),
           limit = pair_thickness(feature, m, v) + e->distance;
    if (d2 > limit * limit)
        return;
    e->source_count++;
    bool met = false;
    for (uint64_t i = 0; i < e->found_count; i++) {
        const bw_swept_near_pair *f = &e->found[i];
        key own = key_of(f->feature, f->vertices, 15, e->self);
        for (uint32_t j = 0; j < all.count; j++) {
            key here = key_of(feature, v, all.bits[j], e->self);
            if (memcmp(&own, &here, sizeof own) != 0)
                continue;
            met = true;
            e->may[i]++;
            e->must[i] += all.count == 1;
            assert_true(fabs(f->at.distance - sqrt(d2)) <= 1e-12 * (1 + sqrt(d2)));
            break;
        }
    }
    assert_true(met);
}

static bw_vec3 position(const motion *m, uint32_t v, double time)
{
    bw_vec3 a = bw_mesh_vertex(&m->start, v), b = bw_mesh_vertex(&m->end, v);
    return (bw_vec3){a.x + time * (b.x - a.x), a.y + time * (b.y - a.y), a.z + time * (b.z - a.z)};
}

static bool close_to(bw_vec3 a, bw_vec3 b, double error)
{
    return fabs(a.x - b.x) <= error && fabs(a.y - b.y) <= error && fabs(a.z - b.z) <= error;
}

/* Points are the sums that weights say; the normal leads from one to the other. */
static void check_witness(bw_ccd_feature feature, const uint32_t v[4], const motion *a, const motion *b,
                          double time, const bw_swept_witness *w)
{
    bw_vec3 sums[2] = {{0, 0, 0}, {0, 0, 0}};
    double total[2] = {0, 0};
    for (int i = 0; i < 4; i++) {
        int side = (feature == BW_CCD_EDGE_EDGE ? i >= 2 : i >= 1) != vertex_second(feature);
        bw_vec3 p = position(side == 0 ? a : b, v[i], time);
        assert_true(w->weights[i] >= 0 && w->weights[i] <= 1 + 1e-12);
        total[side] += w->weights[i];
        sums[side].x += w->weights[i] * p.x;
        sums[side].y += w->weights[i] * p.y;
        sums[side].z += w->weights[i] * p.z;
    }
    assert_true(fabs(total[0] - 1) < 1e-12 && fabs(total[1] - 1) < 1e-12);
    assert_true(close_to(sums[0], w->point_a, 1e-9) && close_to(sums[1], w->point_b, 1e-9));
    const bw_vec3 n = w->normal, away = {w->point_a.x + w->distance * n.x, w->point_a.y + w->distance * n.y,
                                         w->point_a.z + w->distance * n.z};
    double length = sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
    assert_true(fabs(length - 1) < 1e-12 || length == 0);
    assert_true(close_to(away, w->point_b, 1e-9));
}

/* Everything on the lattice, also at half time. */
static void to_lattice(motion *m)
{
    for (uint32_t i = 0; i < 3 * m->start.vertex_count; i++) {
        double x = round(4 * m->positions[0][i]) / 4,
               move = round(4 * (m->positions[1][i] - m->positions[0][i]));
        m->positions[0][i] = x;
        m->positions[1][i] = x + move / 4;
    }
}

static void near_pairs(const motion *a, const motion *b, const bw_swept *x, const bw_swept *y,
                       double distance, double time, const bw_tasks *tasks, uint64_t *most)
{
    enum { ROOM = 20000 };
    bw_swept_near_pair *pairs[2] = {malloc(ROOM * sizeof **pairs), malloc(ROOM * sizeof **pairs)};
    bw_swept_cache *cache = NULL;
    assert_int_equal(bw_swept_cache_create(NULL, &cache, NULL), BW_OK);
    bw_swept_near_report reports[2] = {{0}, {0}};
    for (int i = 0; i < 2; i++) {
        bw_swept_near_query query = {.distance = distance,
                                     .time = time,
                                     .pairs = pairs[i],
                                     .pair_capacity = ROOM,
                                     .tasks = i == 0 ? NULL : tasks,
                                     .cache = i == 0 ? NULL : cache};
        assert_int_equal(bw_swept_near(x, x == y ? NULL : y, &query, &reports[i], NULL), BW_OK);
        assert_int_equal(reports[i].status, BW_DONE);
    }
    const bw_swept_near_report *r = &reports[0];
    uint64_t count = r->pair_count, sources = 0;
    *most = count > *most ? count : *most;
    assert_memory_equal(pairs[0], pairs[1], count * sizeof **pairs);
    assert_memory_equal(&reports[0], &reports[1], sizeof *r);
    assert_int_equal(count, r->vertex_face_count + r->edge_edge_count + r->vertex_edge_count +
                                r->vertex_vertex_count);
    uint64_t *counts = calloc(2 * count + 1, sizeof *counts);
    expectation e = {.found = pairs[0],
                     .found_count = count,
                     .must = counts,
                     .may = counts + count,
                     .distance = distance,
                     .time = time,
                     .self = a == b};
    each_pair(a, b, look, &e);
    double least = distance;
    for (uint64_t i = 0; i < count; i++) {
        const bw_swept_near_pair *p = &pairs[0][i];
        sources += p->pair_count;
        assert_true(e.must[i] <= p->pair_count && p->pair_count <= e.may[i]);
        if (i > 0) /* each once, in order */
            assert_true(
                p[-1].feature < p->feature ||
                (p[-1].feature == p->feature && (p[-1].a < p->a || (p[-1].a == p->a && p[-1].b < p->b))));
        least = i == 0 || p->at.distance < least ? p->at.distance : least;
        check_witness(p->feature, p->vertices, a, b, time, &p->at);
    }
    assert_true(r->distance == least);
    assert_int_equal(sources, e.source_count);
    free(counts);
    free(pairs[0]);
    free(pairs[1]);
    bw_swept_cache_destroy(cache);
}

static uint64_t most_found;

static void near_of(bws_random *random, void *user)
{
    static const double times[] = {0, 0.5, 1};
    motion a = motion_make(random, (uint32_t)bws_random_int(random, 1, 4), 0.5);
    motion b = motion_make(random, (uint32_t)bws_random_int(random, 1, 3), 0.5);
    if (bws_random_bool(random))
        motion_add_loose(random, &a, (uint32_t)bws_random_below(random, 5), 4, 0.5, bws_random_bool(random));
    to_lattice(&a);
    to_lattice(&b);
    if (bws_random_below(random, 3) == 0)
        motion_add_thickness(random, &a, 0.2);
    bw_swept *x = sweep_of(&a, NULL), *y = sweep_of(&b, NULL);
    double distance = bws_random_double(random, 0.05, 0.6), time = times[bws_random_below(random, 3)];
    near_pairs(&a, &a, x, x, distance, time, user, &most_found);
    near_pairs(&a, &b, x, y, distance, time, user, &most_found);
    bw_swept_destroy(x);
    bw_swept_destroy(y);
    motion_free(&a);
    motion_free(&b);
}

static void near(void **state)
{
    (void)state;
    bw_pool *pool = test_pool_create(3);
    most_found = 0;
    BW_EACH_SEED(30, near_of, (void *)(uintptr_t)bw_pool_tasks(pool));
    assert_true(most_found > 50);
    bw_pool_destroy(pool);
}

/* ---- Witnesses ---- */

/* Of anything: as far apart as exact distances say. */
static void distances_hold(bws_random *random, void *user)
{
    (void)user;
    for (int f = 0; f < bw_ccd_family_count; f++)
        for (int edges = 0; edges < 2; edges++) {
            bw_ccd_sample s;
            bw_ccd_families[f].make(random, edges, &s);
            bw_ccd_witness w;
            bw_ccd_witness_of(&(bw_ccd_features){edges ? 2 : 1, edges ? 2 : 3, s.start, NULL}, &w);
            double size = 0;
            for (int i = 1; i < 4; i++)
                size = fmax(size,
                            fmax(fabs(s.start[i].x - s.start[0].x),
                                 fmax(fabs(s.start[i].y - s.start[0].y), fabs(s.start[i].z - s.start[0].z))));
            double error = 1e-14 * size + 1e-13 * w.distance, low = w.distance - error;
            bool fine = bw_oracle_moving_within(edges, s.start, s.start, 0, w.distance + error) &&
                        (low <= 0 || !bw_oracle_moving_within(edges, s.start, s.start, 0, low));
            fine &= w.distance == bw_ccd_distance_of(edges, s.start);
            if (!fine) {
                bw_ccd_print(edges, &s);
                fail_msg("a distance of %.17g", w.distance);
            }
        }
}

/* Contacts at their times: what they say of points, and the side from which they came. */
static void contacts_of(bws_random *random, void *user)
{
    enum { ROOM = 4000 };
    (void)user;
    motion a = motion_make(random, (uint32_t)bws_random_int(random, 1, 6), 0.3);
    motion b = motion_make(random, (uint32_t)bws_random_int(random, 1, 6), 0.3);
    motion_add_loose(random, &b, 4, 4, 0.3, bws_random_bool(random));
    bw_swept *x = sweep_of(&a, NULL), *y = sweep_of(&b, NULL);
    bw_swept_contact *contacts = malloc(ROOM * sizeof *contacts);
    bw_swept_witness *w = malloc(ROOM * sizeof *w);
    bool self = bws_random_bool(random);
    bw_swept_query query = {
        .contacts = contacts, .contact_capacity = ROOM, .separation = bws_random_bool(random) ? 0 : 0.02};
    bw_swept_report r = {0};
    assert_int_equal(ask_steps(x, self ? x : y, &query, &r), BW_OK);
    uint64_t count = r.contact_count < ROOM ? r.contact_count : ROOM;
    assert_int_equal(bw_swept_witnesses(x, self ? NULL : y, contacts, count, w, NULL), BW_OK);
    for (uint64_t i = 0; i < count; i++) {
        const bw_swept_contact *c = &contacts[i];
        check_witness(c->feature, c->vertices, &a, self ? &a : &b, c->first.time, &w[i]);
        /* Within the tolerance of the time they are no farther apart than they may be. */
        assert_true(w[i].distance <= query.separation + 1e-5 ||
                    (c->first.answer == BW_CCD_CLOSE && w[i].distance <= query.separation + 1e-3));
        uint32_t vertices[4];
        assert_int_equal(bw_swept_candidate_vertices(x, self ? NULL : y,
                                                     &(bw_swept_candidate){c->feature, c->a, c->b}, vertices),
                         BW_OK);
        assert_memory_equal(vertices, c->vertices, sizeof vertices);
    }
    free(contacts);
    free(w);
    bw_swept_destroy(x);
    bw_swept_destroy(y);
    motion_free(&a);
    motion_free(&b);
}

static void witnesses(void **state)
{
    (void)state;
    BW_EACH_SEED(60, distances_hold, NULL);
    BW_EACH_SEED(40, contacts_of, NULL);
}

/* Where things touch the normal is on the side from which they came. */
static void sides(void **state)
{
    (void)state;
    const bw_vec3 face[4] = {{0.2, 0.2, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                  cross[4] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}}, zero = {0, 0, 0};
    for (int edges = 0; edges < 2; edges++)
        for (int sign = -1; sign <= 1; sign += 2) {
            bw_vec3 velocities[4] = {{1, 0, sign}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
            if (edges)
                velocities[1] = velocities[0];
            bw_ccd_witness w;
            bw_ccd_witness_of(
                &(bw_ccd_features){edges ? 2 : 1, edges ? 2 : 3, edges ? cross : face, velocities}, &w);
            assert_true(w.distance == 0 && w.normal.z == -sign && w.normal.x == 0 && w.normal.y == 0);
        }
    /* A vertex on an edge that slides along it tells no side; one that falls on it does. */
    const bw_vec3 edge[3] = {{0.5, 0, 0}, {0, 0, 0}, {1, 0, 0}};
    bw_vec3 velocities[3] = {{1, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    bw_ccd_witness w;
    bw_ccd_witness_of(&(bw_ccd_features){1, 2, edge, velocities}, &w);
    assert_memory_equal(&w.normal, &zero, sizeof zero);
    velocities[0].y = -3;
    bw_ccd_witness_of(&(bw_ccd_features){1, 2, edge, velocities}, &w);
    assert_true(w.normal.y == 1 && w.normal.x == 0);
}

static void bad_arguments(void **state)
{
    (void)state;
    bws_random random = bws_random_seeded(3);
    motion a = motion_make(&random, 2, 0.1);
    bw_swept *x = sweep_of(&a, NULL);
    bw_swept_near_report report = {.pair_count = 77};
    bw_fault fault;
    const bw_swept_near_query wrong[] = {{.distance = -1},   {.distance = (double)NAN}, {.time = -0.1},
                                         {.time = 1.5},      {.pair_capacity = 3},      {.size = 3},
                                         {.distance = 1e300}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_true(bw_swept_near(x, NULL, &wrong[i], &report, &fault) != BW_OK);
    assert_int_equal(bw_swept_near(NULL, x, NULL, &report, &fault), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_swept_near(x, NULL, NULL, NULL, &fault), BW_ERROR_ARGUMENT);
    assert_int_equal(report.pair_count, 77);
    assert_int_equal(bw_swept_near(x, NULL, NULL, &report, &fault), BW_OK);
    bw_swept_near_pair one;
    bw_swept_near_query query = {.distance = 0.5, .pairs = &one, .pair_capacity = 1};
    assert_int_equal(bw_swept_near(x, NULL, &query, &report, &fault), BW_OK);
    assert_int_equal(report.status, report.pair_count > 1 ? BW_FULL : BW_DONE);
    uint32_t vertices[4];
    bw_swept_contact contacts[2] = {{.feature = BW_CCD_EDGE_EDGE, .a = 0, .b = 1},
                                    {.feature = BW_CCD_START, .a = 0, .b = 1}};
    bw_swept_witness w[2];
    assert_int_equal(bw_swept_witnesses(x, NULL, contacts, 2, w, &fault), BW_ERROR_ARGUMENT);
    assert_int_equal(fault.element, 1);
    contacts[0].b = bw_swept_edge_count(x);
    assert_int_equal(bw_swept_witnesses(x, NULL, contacts, 1, w, &fault), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_swept_witnesses(x, NULL, NULL, 1, w, &fault), BW_ERROR_ARGUMENT);
    assert_int_equal(bw_swept_witnesses(x, NULL, NULL, 0, NULL, &fault), BW_OK);
    assert_int_equal(bw_swept_candidate_vertices(x, NULL, NULL, vertices), BW_ERROR_ARGUMENT);
    assert_int_equal(
        bw_swept_candidate_vertices(
            x, NULL, &(bw_swept_candidate){BW_CCD_VERTEX_FACE, a.start.vertex_count, 0}, vertices),
        BW_ERROR_ARGUMENT);
    bw_swept_destroy(x);
    motion_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(near), cmocka_unit_test(witnesses),
                                       cmocka_unit_test(sides), cmocka_unit_test(bad_arguments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
