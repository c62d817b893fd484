/* What is hard for separation lists and the timeline: a mesh on itself, a single triangle, times so large
 * that little is left of a second, a span of no length. Every way finds what a fresh traversal does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "oracle/random.h"
#include "timeline/separation/separation.h"
#include "timeline/stage.h"

enum { COINCIDENT = 1, SINGLE = 2, LATE = 4, SELF = 8, CASES = 16 };

static const bw_separation_method methods[] = {BW_SEPARATION_TRAVERSE, BW_SEPARATION_EVENTS,
                                               BW_SEPARATION_AUTO, BW_SEPARATION_COMPILED};

static void make_stage(bws_random *r, int what, stage *st)
{
    film_desc a = stage_any(r), b = stage_any(r);
    a.points = b.points = false;
    if (what & LATE) {
        a.begin = b.begin = bws_random_bool(r) ? 1e9 : -1e9 - 0.3;
        a.span = b.span = bws_random_bool(r) ? 1 : 0x1p-10;
    }
    stage_make(&a, &b, r, st);
    for (int i = 0; i < 2; i++)
        if (what & SINGLE)
            st->meshes[i].triangle_count = 1;
    if (what & COINCIDENT) {
        st->moving[1] = st->moving[0];
        bw_motion_span(st->moving[0].motion, &st->begin, &st->end);
    }
}

static void compare(bw_separation *const s[4], double t)
{
    contacts found[4] = {{0}};
    for (int k = 0; k < 4; k++) {
        if (s[k] == NULL)
            continue;
        assert_int_equal(bw_separation_advance(s[k], t, NULL, NULL), BW_OK);
        found[k] = contacts_of(s[k]);
        contacts_equal(&found[0], &found[k]);
        const char *fault = bw_separation_check(s[k]);
        if (fault != NULL)
            fail_msg("method %d at %.17g: %s", k, t, fault);
    }
    listing fresh = {0}, kept = {0};
    assert_int_equal(bw_separation_visit(s[0], listing_add, &fresh, NULL), BW_OK);
    assert_int_equal(bw_separation_visit(s[1], listing_add, &kept, NULL), BW_OK);
    listing_equal(&fresh, &kept);
    free(fresh.entries);
    free(kept.entries);
    for (int k = 0; k < 4; k++)
        free(found[k].hits);
}

static void hard(bws_random *r, void *user)
{
    int what = *(int *)user;
    bool self = (what & SELF) != 0;
    stage st;
    make_stage(r, what, &st);
    bw_separation *s[4] = {NULL, NULL, NULL, NULL};
    for (int k = 0; k < 4; k++)
        s[k] = stage_separation(&st, methods[k], self);
    double t = st.begin, step = (st.end - st.begin) / (double)(3 + bws_random_below(r, 12));
    compare(s, t);
    for (int i = 0; i < 10; i++) {
        bw_separation_stats stats = {0};
        bw_separation_get_stats(s[1], &stats);
        t = bws_random_below(r, 4) == 0 ? stage_time(&st, t, r) : fmin(t + step, st.end);
        if (bws_random_below(r, 4) == 0 && stats.next_event <= st.end)
            t = stats.next_event;
        compare(s, t);
    }
    compare(s, st.end);
    for (int k = 0; k < 4; k++)
        bw_separation_destroy(s[k]);
    stage_free(&st);
}

static void test_hard(void **state)
{
    (void)state;
    for (int what = 0; what < CASES; what++)
        if (!(what & SELF && what & COINCIDENT))
            BW_EACH_SEED(8, hard, &what);
}

/* A span of no length is a moment: lists are made, and stay. */
static void test_moment(void **state)
{
    (void)state;
    bws_random r = bws_random_seeded(3);
    for (int kind = BW_MOTION_VELOCITY; kind <= BW_MOTION_PLANS; kind++) {
        film_desc d = {.kind = (bw_motion_kind)kind, .style = FILM_TIES, .size = 30, .span = 1, .degree = 3};
        stage st;
        stage_make(&d, &d, &r, &st);
        for (int i = 0; i < 2; i++)
            st.films[i].motion.end = st.films[i].motion.begin;
        st.end = st.begin;
        bw_separation *s[4] = {NULL, NULL, NULL, NULL};
        for (int k = 0; k < 4; k++)
            s[k] = stage_separation(&st, methods[k], false);
        compare(s, st.begin);
        compare(s, st.begin);
        bw_timeline_report report = {0};
        assert_int_equal(bw_contact_timeline(st.moving, 2, NULL, &report, NULL), BW_ERROR_ARGUMENT);
        for (int k = 0; k < 4; k++)
            bw_separation_destroy(s[k]);
        stage_free(&st);
    }
}

/* Whatever touches at a time is in the timeline then, whatever moves and however late it is. */
typedef struct spans {
    bw_timeline_event events[4096];
    size_t count;
} spans;

static bool take(void *user, const bw_timeline_event *event)
{
    spans *s = user;
    assert_true(s->count < sizeof s->events / sizeof *s->events);
    s->events[s->count++] = *event;
    return true;
}

static bool told(const spans *s, uint32_t a, uint32_t b, double t)
{
    bool in = false;
    for (size_t i = 0; i < s->count; i++) {
        const bw_timeline_event *e = &s->events[i];
        if (e->triangle_a != a || e->triangle_b != b)
            continue;
        if (e->begins && e->time <= t)
            in = true;
        if (!e->begins && e->time < t)
            in = false;
    }
    return in;
}

static void timeline(bws_random *r, void *user)
{
    static spans all;
    int what = *(int *)user;
    stage st;
    film_desc a = stage_any(r), b = stage_any(r);
    a.points = b.points = false;
    a.style = b.style = FILM_TIES; /* positions at times of few bits are exact */
    a.scalar = b.scalar = BW_F64;
    a.size = b.size = 12;
    a.frames = b.frames = 3;
    a.begin = b.begin = what & LATE ? 0x1p30 : 0;
    a.span = b.span = 1;
    stage_make(&a, &b, r, &st);
    if (what & SINGLE)
        st.meshes[0].triangle_count = st.meshes[1].triangle_count = 1;
    all.count = 0;
    bw_timeline_desc desc = {.on_event = take, .user = &all};
    bw_timeline_report report = {0};
    assert_int_equal(bw_contact_timeline(st.moving, 2, &desc, &report, NULL), BW_OK);
    bw_separation *s = stage_separation(&st, BW_SEPARATION_TRAVERSE, false);
    for (int i = 0; i <= 16; i++) {
        double t = st.begin + (st.end - st.begin) * i / 16;
        assert_int_equal(bw_separation_advance(s, t, NULL, NULL), BW_OK);
        contacts found = contacts_of(s);
        for (uint64_t k = 0; k < found.count; k++)
            if (found.hits[k].kind == BW_CONTACT_CROSSING && !told(&all, found.hits[k].a, found.hits[k].b, t))
                fail_msg("triangles %u %u at %.17g are not told", found.hits[k].a, found.hits[k].b, t);
        free(found.hits);
    }
    bw_separation_destroy(s);
    stage_free(&st);
}

static void test_timeline(void **state)
{
    (void)state;
    static const int whats[] = {0, SINGLE, LATE, SINGLE | LATE};
    for (int i = 0; i < 4; i++)
        BW_EACH_SEED(20, timeline, (void *)&whats[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hard), cmocka_unit_test(test_moment),
                                       cmocka_unit_test(test_timeline)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
