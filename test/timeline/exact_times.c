/* When two moving triangles meet, by bw_contact_spans, beside exact algebra: at every root of every volume of
 * four of their corners, between each two of these that follow each other, and at other times. Triangles that
 * share nothing, a vertex, an edge; in general position, and built to be degenerate at a known time.
 *
 * BOXWOOD_SEED_FACTOR=1000 runs more than a million pairs of each kind; the name of a test as argument runs
 * that one alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/moving_oracle.h"
#include "oracle/random.h"
#include "timeline/contact_intervals.h"
#include "timeline/exact/contact_times.h"

enum { PAIRS = 16, MOST_EVENTS = 512, SAMPLES = 4 };

/* ---- pairs ---- */

typedef struct pair {
    bw_vec3 a[2][3], b[2][3];
    uint32_t index_a[3], index_b[3];
} pair;

typedef enum family {
    ANY,          /* random numbers */
    LATTICE,      /* small integers */
    HEIGHT_FIELD, /* x and y stay, on a grid that doubles do not hit */
    SCALED,       /* a height field that is flat at 1/3 */
    COPLANAR,     /* all in one plane at 1/3 */
    IN_PLANE,     /* all but one in one plane at 1/3 */
    GRAZING,      /* one corner stays in the other's plane */
    PLANAR,       /* in one plane for ever */
    FOLDING,      /* around the first corner, in sectors that change their order */
    LINES,        /* some corners on a line for ever */
    SLIVERS,      /* corners that coincide at one end, or for ever */
    FAMILIES
} family;

static double unit(bws_random *r)
{
    return bws_random_double(r, -0.5, 0.5);
}

static double whole(bws_random *r, int64_t most)
{
    return (double)bws_random_int(r, -most, most);
}

/* Positions at 0 and 1 of what is at x at the time 1/3 and moves by 3 v. */
static void through(double x, double v, double *start, double *end)
{
    *start = x - v;
    *end = x + 2 * v;
}

static void place(bws_random *r, family f, int i, double p[2][3])
{
    double angle = bws_random_double(r, 0, 6.28), more = bws_random_double(r, -4, 4);
    for (int k = 0; k < 3; k++) {
        double *start = &p[0][k], *end = &p[1][k];
        switch (f) {
        case LATTICE:
            *start = whole(r, 3);
            *end = whole(r, 3);
            break;
        case HEIGHT_FIELD:
            *start = k < 2 ? 5 + 0.142857143 * whole(r, 2) : unit(r);
            *end = k < 2 ? *start : unit(r);
            break;
        case SCALED:
            *start = k < 2 ? 0.142857143 * whole(r, 3) : whole(r, 9) * 0x1p-4;
            *end = k < 2 ? *start : -2 * *start;
            break;
        case COPLANAR:
            through(k == 2 ? 0 : whole(r, 4), whole(r, 4), start, end);
            break;
        case IN_PLANE:
            through(k == 2 && i < 4 ? 0 : whole(r, 4), whole(r, 4), start, end);
            break;
        case GRAZING:
            through(k == 2 ? (i < 4 ? 0 : whole(r, 2)) : whole(r, 4), k == 2 ? 0 : whole(r, 3), start, end);
            break;
        case PLANAR:
            *start = k == 2 ? 0 : whole(r, 4);
            *end = k == 2 ? 0 : whole(r, 4);
            break;
        case FOLDING:
            *start = i == 0 ? 0 : k == 0 ? cos(angle) : k == 1 ? sin(angle) : unit(r);
            *end = i == 0 ? 0 : k == 0 ? cos(angle + more) : k == 1 ? sin(angle + more) : unit(r);
            break;
        case LINES:
            *start = k == 0 || i > 2 ? whole(r, 4) : 0;
            *end = k == 0 || i > 2 ? whole(r, 4) : 0;
            break;
        case SLIVERS:
            *start = i % 2 == 0 ? whole(r, 1) : unit(r);
            *end = i % 3 == 0 ? *start : whole(r, 1);
            break;
        default:
            *start = unit(r);
            *end = unit(r);
        }
    }
}

/* Corners that share a vertex or an edge by index are 0 to 4, or 0 to 3. */
static void make(bws_random *r, int shared, family f, pair *out)
{
    double at[6][2][3];
    static const double scales[] = {1, 1, 0x1p-20, 0x1p20};
    double scale = scales[bws_random_below(r, 4)];
    bool shear = f >= COPLANAR && bws_random_bool(r), away = bws_random_below(r, 4) == 0,
         floats = bws_random_below(r, 4) == 0, steep = bws_random_bool(r);
    for (int i = 0; i < 6; i++) {
        place(r, f, i, at[i]);
        if (f == SLIVERS && i > 0 && bws_random_below(r, 4) == 0)
            memcpy(at[i], at[i - 1], sizeof at[i]);
        for (int end = 0; end < 2; end++) {
            double *x = at[i][end];
            if (shear) { /* whole numbers stay so */
                x[2] += 2 * x[0] - x[1];
                x[0] += steep ? x[2] : 0;
            }
            for (int k = 0; k < 3; k++) {
                x[k] = scale * (x[k] + (away ? 5.57 + k : 0));
                x[k] = floats ? (double)(float)x[k] : x[k];
            }
        }
    }
    static const uint32_t second[3][3] = {{3, 4, 5}, {0, 3, 4}, {0, 1, 3}};
    uint32_t turn = (uint32_t)bws_random_below(r, 3), turn_b = (uint32_t)bws_random_below(r, 3);
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t p = (i + turn) % 3, q = second[shared][(i + turn_b) % 3];
        out->index_a[i] = p;
        out->index_b[i] = q;
        for (int end = 0; end < 2; end++) {
            out->a[end][i] = (bw_vec3){at[p][end][0], at[p][end][1], at[p][end][2]};
            out->b[end][i] = (bw_vec3){at[q][end][0], at[q][end][1], at[q][end][2]};
        }
    }
}

/* ---- comparing ---- */

/* A root of some volume, within (low, high] and no wider than 2^-58; or an end of the time. */
typedef struct event {
    mpq_t low, high;
    bool contact;
} event;

typedef struct record {
    const bw_moving_pair *oracle;
    event events[MOST_EVENTS];
    int count;
    const bw_contact_span *spans;
    uint32_t span_count;
    bool confirmed[BW_SPANS];
} record;

static bool note_root(void *context, bw_real *root)
{
    record *rec = context;
    event *e = &rec->events[rec->count++];
    assert_true(rec->count < MOST_EVENTS);
    for (int i = 0; i < 58; i++)
        bw_real_shrink(root);
    e->contact = bw_oracle_moving_contact(rec->oracle, root);
    mpq_set(e->low, root->low);
    mpq_set(e->high, root->high);
    return false;
}

static void note_roots_of(record *rec, const bw_alg *p)
{
    if (p->degree > 0)
        bw_alg_roots(p, note_root, rec);
}

/* A corner of the second triangle that is one of the first's, too. */
static bool again(const bw_moving_pair *oracle, int corner)
{
    const uint32_t *a = oracle->index_a;
    return corner > 2 && (oracle->index_b[corner - 3] == a[0] || oracle->index_b[corner - 3] == a[1] ||
                          oracle->index_b[corner - 3] == a[2]);
}

/* Of every volume; of areas and distances along the axes too, where all volumes are zero for ever. */
static void note_roots(record *rec)
{
    bool planar = true;
    int mark = bw_alg_mark();
    for (int i = 0; i < 6; i++)
        for (int j = i + 1; j < 6; j++)
            for (int k = j + 1; k < 6; k++)
                for (int l = k + 1; l < 6; l++) {
                    const bw_alg *v = bw_oracle_moving_volume(rec->oracle, i, j, k, l);
                    planar = planar && v->degree < 0;
                    if (!again(rec->oracle, i) && !again(rec->oracle, j) && !again(rec->oracle, k) &&
                        !again(rec->oracle, l))
                        note_roots_of(rec, v);
                }
    for (int i = 0; i < 6 && planar; i++)
        for (int j = i + 1; j < 6; j++)
            for (int axis = 0; axis < 3; axis++) {
                note_roots_of(rec, bw_oracle_moving_difference(rec->oracle, i, j, axis));
                for (int k = j + 1; k < 6; k++)
                    note_roots_of(rec, bw_oracle_moving_area(rec->oracle, i, j, k, axis));
                bw_alg_release(mark);
            }
}

static void note_time(record *rec, const mpq_t t)
{
    event *e = &rec->events[rec->count++];
    assert_true(rec->count < MOST_EVENTS);
    bw_real x;
    bw_real_init(&x);
    mpq_set(x.low, t);
    e->contact = bw_oracle_moving_contact(rec->oracle, &x);
    mpq_set(e->low, t);
    mpq_set(e->high, t);
    bw_real_clear(&x);
}

static int compare_events(const void *a, const void *b)
{
    return mpq_cmp(((const event *)a)->low, ((const event *)b)->low);
}

/* The span with an event, or -1. Closer than its own width an event counts as within. */
static int span_with(const record *rec, const event *e)
{
    mpq_t end;
    mpq_init(end);
    int found = -1;
    for (uint32_t i = 0; i < rec->span_count && found < 0; i++) {
        mpq_set_d(end, rec->spans[i].from);
        bool after = mpq_cmp(e->high, end) >= 0;
        mpq_set_d(end, rec->spans[i].to);
        found = after && mpq_cmp(e->low, end) <= 0 ? (int)i : -1;
    }
    mpq_clear(end);
    return found;
}

/* How far an event is from the nearer end of a span. */
static double depth(const record *rec, const event *e, int span)
{
    mpq_t from, to;
    mpq_inits(from, to, NULL);
    mpq_set_d(from, rec->spans[span].from);
    mpq_set_d(to, rec->spans[span].to);
    mpq_sub(from, e->low, from);
    mpq_sub(to, to, e->low);
    double d = fmin(mpq_get_d(from), mpq_get_d(to));
    mpq_clears(from, to, NULL);
    return d;
}

static void show(const pair *p)
{
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < 3; i++) {
            const bw_vec3 *s = t == 0 ? &p->a[0][i] : &p->b[0][i], *e = t == 0 ? &p->a[1][i] : &p->b[1][i];
            print_message("%u: %a %a %a -> %a %a %a\n", t == 0 ? p->index_a[i] : p->index_b[i], s->x, s->y,
                          s->z, e->x, e->y, e->z);
        }
}

/* Contact at a time between two events, some way from both. */
static bool contact_between(record *rec, const event *a, const event *b)
{
    bw_real x;
    bw_real_init(&x);
    mpq_add(x.low, a->high, b->low);
    mpq_div_2exp(x.low, x.low, 1);
    bool contact = bw_oracle_moving_contact(rec->oracle, &x);
    bw_real_clear(&x);
    return contact;
}

static bool contact_beside(record *rec, const mpq_t t, double step)
{
    bw_real x;
    mpq_t by;
    bw_real_init(&x);
    mpq_init(by);
    mpq_set_d(by, step);
    mpq_add(x.low, t, by);
    bool contact = bw_oracle_moving_contact(rec->oracle, &x);
    mpq_clear(by);
    bw_real_clear(&x);
    return contact;
}

/* Whether what is not in contact at a time is so for an instant only, or for less than what times are rounded
 * by: then a closed span may hold it. */
static bool is_hole(record *rec, const event *e)
{
    return contact_beside(rec, e->low, -0x1p-51) && contact_beside(rec, e->high, 0x1p-51);
}

static void compare(const pair *p, const bw_moving_pair *oracle, const bw_contact_span *spans, uint32_t count,
                    double slack, bws_random *r)
{
    static record rec;
    static bool ready;
    for (int i = 0; i < MOST_EVENTS && !ready; i++)
        mpq_inits(rec.events[i].low, rec.events[i].high, NULL);
    ready = true;
    rec.oracle = oracle;
    rec.count = 0;
    rec.spans = spans;
    rec.span_count = count;
    memset(rec.confirmed, 0, sizeof rec.confirmed);
    note_roots(&rec);
    mpq_t t, gap;
    mpq_inits(t, gap, NULL);
    for (int i = 0; i < 2 + SAMPLES; i++) {
        mpq_set_ui(t, i < 2 ? (unsigned)i : (unsigned)bws_random_below(r, 97), i < 2 ? 1 : 97);
        mpq_canonicalize(t);
        note_time(&rec, t);
    }
    qsort(rec.events, (size_t)rec.count, sizeof *rec.events, compare_events);
    for (int i = 0; i < rec.count; i++) {
        const event *e = &rec.events[i];
        int span = span_with(&rec, e);
        if (e->contact && span < 0) {
            show(p);
            fail_msg("the contact at %.17g is missed", mpq_get_d(e->low));
        }
        if (e->contact && span >= 0)
            rec.confirmed[span] = true;
        if (!e->contact && span >= 0 && depth(&rec, e, span) > slack && !is_hole(&rec, e)) {
            show(p);
            fail_msg("at %.17g there is no contact", mpq_get_d(e->low));
        }
        if (i == 0)
            continue;
        mpq_sub(gap, e->low, rec.events[i - 1].high);
        if (mpq_sgn(gap) <= 0)
            continue;
        event middle = rec.events[i];
        mpq_inits(middle.low, middle.high, NULL);
        mpq_add(middle.low, e->low, rec.events[i - 1].high);
        mpq_div_2exp(middle.low, middle.low, 1);
        mpq_set(middle.high, middle.low);
        bool contact = contact_between(&rec, &rec.events[i - 1], e);
        span = span_with(&rec, &middle);
        if (contact != (span >= 0) &&
            (contact || (depth(&rec, &middle, span) > slack && !is_hole(&rec, &middle)))) {
            show(p);
            fail_msg("at %.17g there is %s contact", mpq_get_d(middle.low), contact ? "a missed" : "no");
        }
        if (contact && span >= 0)
            rec.confirmed[span] = true;
        mpq_clears(middle.low, middle.high, NULL);
    }
    for (uint32_t i = 0; i < count; i++)
        if (!rec.confirmed[i]) {
            show(p);
            fail_msg("nothing is in contact in [%.17g, %.17g]", spans[i].from, spans[i].to);
        }
    mpq_clears(t, gap, NULL);
}

static bw_exact_scratch *scratch;

static void one_seed(bws_random *r, void *user)
{
    int shared = *(int *)user;
    for (int n = 0; n < PAIRS; n++) {
        pair p;
        make(r, shared, (family)bws_random_below(r, FAMILIES), &p);
        bw_moving_triangles given = {.a = (const bw_vec3(*)[3])p.a,
                                     .b = (const bw_vec3(*)[3])p.b,
                                     .vertices_a = shared > 0 ? p.index_a : NULL,
                                     .vertices_b = shared > 0 ? p.index_b : NULL,
                                     .scratch = scratch};
        static bw_contact_span spans[BW_SPANS];
        uint32_t count = bw_contact_spans(&given, 0, 1, spans);
        bw_moving_pair oracle;
        bw_oracle_moving_pair((const bw_vec3(*)[3])p.a, p.index_a, (const bw_vec3(*)[3])p.b, p.index_b,
                              &oracle);
        /* Neighbours are rounded to the grid of 2^-52; doubles to what a root may be off at a grazing angle.
         */
        compare(&p, &oracle, spans, count, shared > 0 ? 0x1p-52 : 1e-6, r);
    }
}

static void test_shared_vertex(void **state)
{
    (void)state;
    BW_EACH_SEED(64, one_seed, &(int){1});
}

static void test_shared_edge(void **state)
{
    (void)state;
    BW_EACH_SEED(64, one_seed, &(int){2});
}

static void test_nothing_shared(void **state)
{
    (void)state;
    BW_EACH_SEED(24, one_seed, &(int){0});
}

static int setup(void **state)
{
    (void)state;
    scratch = malloc(bw_exact_scratch_size());
    return scratch == NULL;
}

static int teardown(void **state)
{
    (void)state;
    free(scratch);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared_vertex),
        cmocka_unit_test(test_shared_edge),
        cmocka_unit_test(test_nothing_shared),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
