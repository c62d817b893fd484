/* The scene of flight-plan updates in Zachmann and Weller, section 9: two spheres expand until they meet, and
 * the vertices of triangles that touch go back the way they came. Who turns back, and when, is found by a
 * tree that is refitted and all its contacts; then every method follows (kinetic_script.h). */
#include "benches.h"
#include "kinetic_script.h"

#include "kinetic/kinetic.h"

#include <stdlib.h>

enum { FRAMES = 60 };

static void require(bw_result result)
{
    bench_require(result == BW_OK, bw_result_string(result));
}

typedef struct contacts {
    kinetic_script *script;
    bool *turned;
    uint32_t frame;
} contacts;

static bool turn_back(void *user, const bw_hit *hit)
{
    contacts *c = user;
    const uint32_t triangle[2] = {hit->a, hit->b};
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t v = c->script->view.indices[3 * (size_t)triangle[i / 3] + i % 3];
        if (!c->turned[v])
            kinetic_script_turn(c->script, c->frame, v);
        c->turned[v] = true;
    }
    return true;
}

static void write_script(kinetic_script *s)
{
    bw_kinetic *k;
    contacts c = {.script = s, .turned = bench_alloc(s->view.vertex_count, sizeof(bool))};
    require(
        bw_kinetic_create(&(bw_kinetic_desc){.method = BW_KINETIC_REFIT}, &s->view, &s->motion, &k, NULL));
    for (c.frame = 0; c.frame < FRAMES; c.frame++) {
        bw_body body;
        bw_collide_report report = {0};
        require(bw_kinetic_query_body(k, &body, NULL));
        require(bw_collide_self(&body,
                                &(bw_collide_desc){.mode = BW_COLLIDE_ALL, .on_hit = turn_back, .user = &c},
                                &report, NULL));
        kinetic_script_change(s, k, c.frame);
        require(bw_kinetic_advance(k, kinetic_script_time(c.frame + 1), NULL, NULL));
    }
    bw_kinetic_destroy(k);
    free(c.turned);
}

static void tell(bench_case *c, const char *name, const kinetic_follower *f)
{
    if (f == NULL)
        return;
    double triangles = f->script->view.triangle_count;
    bw_kinetic_stats stats = {0};
    bw_kinetic_get_stats(f->kinetic, &stats);
    bench_case_metric(c, name, "bytes-per-triangle", (double)stats.bytes / triangles, "B");
    bench_case_metric(c, name, "events-per-1000-triangles", 1000 * (double)f->events / FRAMES / triangles,
                      "");
    bench_case_metric(c, name, "compared-per-frame", (double)f->compared / FRAMES, "");
}

static void run_case(bench *b, uint32_t size)
{
    bench_label label = bench_size_label(size);
    bench_case *c = bench_case_begin(b, bench_format("spheres-%s", label.text).text, size, FRAMES);
    if (c == NULL)
        return;
    bench_case_steps(c, FRAMES);
    kinetic_script in;
    kinetic_script_make(&in, size, FRAMES);
    write_script(&in);
    kinetic_follower_add(c, &in, "boxwood-refit", BW_KINETIC_REFIT, false);
    kinetic_follower *queue = kinetic_follower_add(c, &in, "boxwood-queue", BW_KINETIC_QUEUE, false);
    kinetic_follower *boxtree = kinetic_follower_add(c, &in, "boxwood-boxtree", BW_KINETIC_BOXTREE, false);
    kinetic_follower *chosen = kinetic_follower_add(c, &in, "boxwood-auto", BW_KINETIC_AUTO, false);
    kinetic_follower_add(c, &in, "boxwood-refit-whole", BW_KINETIC_REFIT, true);
    kinetic_follower_add(c, &in, "boxwood-auto-whole", BW_KINETIC_AUTO, true);
    bench_case_measure(c);
    tell(c, "boxwood-queue", queue);
    tell(c, "boxwood-boxtree", boxtree);
    if (queue != NULL)
        bench_case_metric(c, "boxwood-queue", "changes-per-frame", (double)in.first[FRAMES] / FRAMES, "");
    if (chosen != NULL)
        bench_case_metric(c, "boxwood-auto", "method", chosen->kinetic->method, "");
    bench_case_end(c);
    kinetic_script_free(&in);
}

void bench_kinetic_spheres(bench *b)
{
    static const uint32_t sizes[] = {2000, 10000, 40000};
    size_t count;
    const uint32_t *chosen = bench_sizes(b, sizes, 3, &count);
    for (size_t i = 0; i < count; i++)
        run_case(b, chosen[i]);
}
