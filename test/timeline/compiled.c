/* Spans of time compiled to pairs of triangles: the contacts are those of a traversal at every time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "oracle/random.h"
#include "timeline/stage.h"

static void prove(bw_separation *s)
{
    const char *fault = bw_separation_check(s);
    if (fault != NULL)
        fail_msg("at %.17g: %s", bw_separation_time(s), fault);
}

/* COMPILED and AUTO find what a traversal finds. */
static void compiled(bws_random *r, void *user)
{
    bool self = user != NULL;
    stage st;
    film_desc a = stage_any(r), b = stage_any(r);
    a.points = b.points = bws_random_below(r, 8) == 0;
    stage_make(&a, &b, r, &st);
    bw_separation *s[3];
    static const bw_separation_method methods[3] = {BW_SEPARATION_COMPILED, BW_SEPARATION_AUTO,
                                                    BW_SEPARATION_TRAVERSE};
    for (int k = 0; k < 3; k++)
        s[k] = stage_separation(&st, methods[k], self);
    double t = st.begin, step = bws_random_double(r, 0.004, 0.2) * (st.end - st.begin);
    for (int i = 0; i < 16; i++) {
        t = bws_random_below(r, 8) == 0 ? stage_time(&st, t, r) : fmin(t + step, st.end);
        contacts found[3];
        for (int k = 0; k < 3; k++) {
            assert_int_equal(bw_separation_advance(s[k], t, NULL, NULL), BW_OK);
            found[k] = contacts_of(s[k]);
        }
        contacts_equal(&found[0], &found[2]);
        contacts_equal(&found[1], &found[2]);
        for (int k = 0; k < 3; k++)
            free(found[k].hits);
        if (i % 8 == 0)
            prove(s[0]);
    }
    for (int k = 0; k < 3; k++)
        bw_separation_destroy(s[k]);
    stage_free(&st);
}

static void test_compiled(void **state)
{
    (void)state;
    BW_EACH_SEED(50, compiled, NULL);
}

static void test_compiled_self(void **state)
{
    (void)state;
    BW_EACH_SEED(25, compiled, &(int){1});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_compiled), cmocka_unit_test(test_compiled_self)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
