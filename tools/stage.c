#include "stage.h"

#include "body.h"

#include <stdlib.h>
#include <string.h>

enum { REPEATS = 5, SAMPLES = 40 };

static bool failed(fault *why, const char *what, bw_result result)
{
    return fault_set(why, "%s: %s", what, bw_result_string(result));
}

bool stage_start(stage *s, bws_mesh *a, bws_mesh *b, fault *why)
{
    memset(s, 0, sizeof *s);
    s->meshes[0] = *a;
    s->meshes[1] = *b;
    s->random = bws_random_seeded(1);
    s->hit_capacity = 1024;
    s->hits = tool_alloc(s->hit_capacity, sizeof *s->hits);
    for (int i = 0; i < 2; i++) {
        s->views[i] = bws_view(&s->meshes[i]);
        double start = seconds_now();
        bw_result result = bw_tree_create(NULL, &s->views[i], &s->trees[i], NULL);
        s->build_seconds[i] = seconds_now() - start;
        if (result != BW_OK) {
            stage_end(s);
            return failed(why, "building a tree", result);
        }
    }
    return true;
}

void stage_end(stage *s)
{
    for (int i = 0; i < 2; i++) {
        bw_tree_destroy(s->trees[i]);
        bws_mesh_free(&s->meshes[i]);
    }
    free(s->hits);
}

bool stage_refit(stage *s, frame *f, fault *why)
{
    double start = seconds_now();
    for (int i = 0; i < 2; i++) {
        bw_result result = bw_tree_update(s->trees[i], &s->views[i], NULL, NULL, NULL);
        if (result != BW_OK)
            return failed(why, "refitting a tree", result);
    }
    f->refit_seconds = seconds_now() - start;
    return true;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int by_pair(const void *a, const void *b)
{
    const bw_hit *x = a, *y = b;
    return x->a != y->a ? (x->a > y->a ? 1 : -1) : (x->b > y->b) - (x->b < y->b);
}

/* Tests some triangles of a against every one of b with the exact test alone; half of them are drawn from the
 * contacts, as most triangles touch nothing. The hits must be sorted. */
static void verify(stage *s, const bw_transform *pose, frame *f)
{
    uint64_t hits = f->report.hit_count;
    for (int i = 0; i < SAMPLES; i++) {
        uint32_t ta = hits > 0 && i % 2 == 0
                          ? s->hits[bws_random_below(&s->random, hits)].a
                          : (uint32_t)bws_random_below(&s->random, s->views[0].triangle_count);
        bw_vec3 a[3], b[3];
        bw_mesh_corners(&s->views[0], ta, a);
        for (uint32_t tb = 0; tb < s->views[1].triangle_count; tb++) {
            bw_mesh_corners(&s->views[1], tb, b);
            for (int k = 0; k < 3 && pose; k++)
                b[k] = bw_transform_point(pose, b[k]);
            bw_contact_kind kind = bw_triangle_triangle(a, b);
            bw_hit wanted = {ta, tb, kind};
            const bw_hit *found = hits > 0 ? bsearch(&wanted, s->hits, hits, sizeof wanted, by_pair) : NULL;
            f->wrong += (found ? found->kind : BW_CONTACT_NONE) != kind;
        }
        f->sampled += s->views[1].triangle_count;
    }
}

bool stage_query(stage *s, const bw_transform *pose, frame *f, fault *why)
{
    bw_body a = {s->trees[0], &s->views[0], NULL}, b = {s->trees[1], &s->views[1], pose};
    double seconds[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        bw_collide_desc desc = {.mode = BW_COLLIDE_ALL, .hits = s->hits, .hit_capacity = s->hit_capacity};
        double start = seconds_now();
        bw_result result = bw_collide(&a, &b, &desc, &f->report, NULL);
        seconds[i] = seconds_now() - start;
        if (result != BW_OK)
            return failed(why, "colliding", result);
        if (f->report.status == BW_FULL) {
            s->hit_capacity = f->report.hit_count;
            s->hits = tool_resize(s->hits, s->hit_capacity, sizeof *s->hits);
            i = -1; /* the first call only told how much room is needed */
        }
    }
    qsort(seconds, REPEATS, sizeof *seconds, by_value);
    f->query_seconds = seconds[REPEATS / 2];
    if (f->report.hit_count > 0)
        qsort(s->hits, f->report.hit_count, sizeof *s->hits, by_pair);
    f->sampled = f->wrong = 0;
    verify(s, pose, f);
    return true;
}

bool stage_contacts(stage *s, const bw_transform *pose, uint64_t *hit_count, fault *why)
{
    bw_body a = {s->trees[0], &s->views[0], NULL}, b = {s->trees[1], &s->views[1], pose};
    bw_collide_report report = {0};
    do {
        if (report.status == BW_FULL) {
            s->hit_capacity = report.hit_count;
            s->hits = tool_resize(s->hits, s->hit_capacity, sizeof *s->hits);
        }
        bw_collide_desc desc = {.mode = BW_COLLIDE_ALL, .hits = s->hits, .hit_capacity = s->hit_capacity};
        bw_result result = bw_collide(&a, &b, &desc, &report, NULL);
        if (result != BW_OK)
            return failed(why, "colliding", result);
    } while (report.status == BW_FULL);
    *hit_count = report.hit_count;
    return true;
}
