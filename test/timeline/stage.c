#include "timeline/stage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "oracle/brute_force.h"

void stage_make(const film_desc *a, const film_desc *b, bws_random *random, stage *out)
{
    film_make(a, random, &out->films[0]);
    film_make(b, random, &out->films[1]);
    for (int i = 0; i < 2; i++) {
        out->meshes[i] = bws_view(&out->films[i].mesh);
        out->moving[i] = (bw_moving){&out->meshes[i], &out->films[i].motion};
    }
    double begin[2], end[2];
    for (int i = 0; i < 2; i++)
        bw_motion_span(&out->films[i].motion, &begin[i], &end[i]);
    out->begin = fmax(begin[0], begin[1]);
    out->end = fmin(end[0], end[1]);
}

void stage_free(stage *st)
{
    film_free(&st->films[0]);
    film_free(&st->films[1]);
}

film_desc stage_any(bws_random *r)
{
    film_desc d = film_any(r);
    d.begin = 0;
    d.span = 1;
    d.size = 4 + (uint32_t)bws_random_below(r, bws_random_bool(r) ? 24 : 90);
    return d;
}

bw_separation *stage_separation(const stage *st, bw_separation_method method, bool self)
{
    bw_separation *s = NULL;
    bw_separation_desc desc = {.method = method, .time = st->begin};
    assert_int_equal(bw_separation_create(&desc, &st->moving[0], self ? NULL : &st->moving[1], &s, NULL),
                     BW_OK);
    return s;
}

bool listing_add(void *user, const bw_separation_entry *entry)
{
    listing *l = user;
    if (l->count == l->capacity) {
        l->capacity = 2 * l->capacity + 64;
        l->entries = realloc(l->entries, l->capacity * sizeof *l->entries);
        assert_non_null(l->entries);
    }
    l->entries[l->count++] = *entry;
    return true;
}

void listing_equal(const listing *a, const listing *b)
{
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        const bw_separation_entry *p = &a->entries[i], *q = &b->entries[i];
        assert_int_equal(p->meeting, q->meeting);
        assert_int_equal(p->leaves, q->leaves);
        assert_memory_equal(&p->a, &q->a, sizeof p->a);
        assert_memory_equal(&p->b, &q->b, sizeof p->b);
        assert_int_equal(p->count_a, q->count_a);
        assert_int_equal(p->count_b, q->count_b);
        for (uint32_t k = 0; k < p->count_a; k++)
            assert_int_equal(p->primitives_a[k], q->primitives_a[k]);
        for (uint32_t k = 0; k < p->count_b; k++)
            assert_int_equal(p->primitives_b[k], q->primitives_b[k]);
    }
}

contacts contacts_of(bw_separation *s)
{
    bw_collide_report count = {0}, all = {0};
    assert_int_equal(bw_separation_collide(s, &(bw_collide_desc){.mode = BW_COLLIDE_COUNT}, &count, NULL),
                     BW_OK);
    contacts out = {malloc((count.hit_count + 1) * sizeof *out.hits), count.hit_count};
    assert_non_null(out.hits);
    bw_collide_desc desc = {.mode = BW_COLLIDE_ALL, .hits = out.hits, .hit_capacity = count.hit_count};
    assert_int_equal(bw_separation_collide(s, &desc, &all, NULL), BW_OK);
    assert_int_equal(all.hit_count, count.hit_count);
    bw_hits_sort(out.hits, out.count);
    return out;
}

void contacts_equal(const contacts *a, const contacts *b)
{
    assert_int_equal(a->count, b->count);
    for (uint64_t i = 0; i < a->count; i++)
        assert_true(a->hits[i].a == b->hits[i].a && a->hits[i].b == b->hits[i].b &&
                    a->hits[i].kind == b->hits[i].kind);
}

double stage_time(const stage *st, double now, bws_random *r)
{
    switch (bws_random_below(r, 8)) {
    case 0:
        return now;
    case 1:
        return bws_random_double(r, st->begin, st->end);
    default:
        return now + (st->end - now) * bws_random_unit(r) * bws_random_unit(r);
    }
}
