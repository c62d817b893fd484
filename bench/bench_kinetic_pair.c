/* Two things in motion by keyframes, l frames drawn between two of them: all contacts at every frame (figure
 * 22 of Zachmann and Weller 2006): a dress and the walking body under it, a cloth that falls on a table.
 *
 * refit: all boxes from the positions of the frame, which are there already, then a traversal.
 * refit-sampled: the same, and the positions are computed first, as every other way here must.
 * refit-keyframes: where every frame is a keyframe, the same from the arrays of the keyframes, as auto does:
 * these are not in the cache, in which the positions of refit have just been written. interpolated-tree:
 * kinetic trees whose boxes are blended between keyframes, then a traversal. events: the paper's separation
 * list. compiled: spans compiled to pairs of triangles and times; the preparation is timed with the first
 * frame. auto: what bw_separation chooses by itself.
 *
 * The cases -curved: the same two things, every vertex on a parabola from its first to its last place, by
 * plans. There are no keyframes then; segments are pieces of time in which curves bend little. There every
 * way is measured against refit-sampled, as nobody is given positions on curves: whoever refits computes them
 * by the motion, as the others do where they look. */
#include "benches.h"
#include "kinetic_stage.h"

#include "timeline/separation/separation.h"

#include <stdlib.h>

typedef enum way { LIST, KINETIC, REFIT, REFIT_SAMPLED, REFIT_KEYFRAMES } way;

typedef struct actor {
    const kinetic_stage *show;
    way way;
    bw_separation *separation;
    bw_kinetic *kinetic[2];
    /* What a user of refitting keeps. */
    void *positions[2];
    bw_mesh meshes[2];
    bw_tree *trees[2];
    uint32_t step;
    uint64_t events;
} actor;

static void require(bw_result result)
{
    bench_require(result == BW_OK, bw_result_string(result));
}

/* The table stands still: whoever refits need not look at it. */
static bool stands(const kinetic_stage *s, uint32_t i)
{
    return i >= s->movers;
}

static void sample(actor *a)
{
    for (uint32_t i = 0; i < 2; i++)
        if (!stands(a->show, i))
            require(bw_motion_sample(a->show->moving[i].motion, kinetic_stage_time(a->show, a->step),
                                     a->positions[i], NULL));
}

static void before(void *self, uint32_t step)
{
    actor *a = self;
    a->step = step;
    a->events = step == 0 ? 0 : a->events;
    if (a->way == REFIT)
        sample(a);
    if (step == 0 && a->separation != NULL) {
        /* The list starts at the beginning; the others must prepare the first span while they are timed. */
        bool events = a->separation->method == BW_SEPARATION_EVENTS;
        require(bw_separation_advance(a->separation, events ? 0 : a->show->end, NULL, NULL));
    } else if (step == 0 && a->way == KINETIC)
        for (uint32_t i = 0; i < 2; i++)
            require(bw_kinetic_advance(a->kinetic[i], a->show->end, NULL, NULL));
}

static uint64_t run(void *self)
{
    actor *a = self;
    double time = kinetic_stage_time(a->show, a->step);
    bw_collide_desc desc = {.mode = BW_COLLIDE_COUNT};
    bw_collide_report report = {0};
    if (a->separation == NULL) {
        bw_body bodies[2];
        if (a->way == REFIT_SAMPLED)
            sample(a);
        for (uint32_t i = 0; i < 2; i++) {
            if (a->way == KINETIC) {
                require(bw_kinetic_advance(a->kinetic[i], time, NULL, NULL));
                require(bw_kinetic_query_body(a->kinetic[i], &bodies[i], NULL));
                continue;
            }
            if (a->way == REFIT_KEYFRAMES && !stands(a->show, i)) {
                const bw_motion *motion = a->show->moving[i].motion;
                a->meshes[i].positions = motion->frames[a->step + 1];
                a->meshes[i].stride = motion->stride;
            }
            if (!stands(a->show, i))
                require(bw_tree_update(a->trees[i], &a->meshes[i],
                                       &(bw_update_desc){.policy = BW_UPDATE_REFIT}, NULL, NULL));
            bodies[i] = (bw_body){.tree = a->trees[i], .mesh = &a->meshes[i]};
        }
        require(bw_collide(&bodies[0], &bodies[1], &desc, &report, NULL));
        return report.hit_count;
    }
    bw_separation_report step = {0};
    require(bw_separation_advance(a->separation, time, &step, NULL));
    require(bw_separation_collide(a->separation, &desc, &report, NULL));
    a->events += step.events;
    return report.hit_count;
}

static void destroy(void *self)
{
    actor *a = self;
    bw_separation_destroy(a->separation);
    bw_kinetic_destroy(a->kinetic[0]);
    bw_kinetic_destroy(a->kinetic[1]);
    for (uint32_t i = 0; i < 2; i++) {
        bw_tree_destroy(a->trees[i]);
        free(a->positions[i]);
    }
    free(a);
}

static void make_trees(actor *a)
{
    for (uint32_t i = 0; i < 2; i++) {
        const bw_moving *moving = &a->show->moving[i];
        a->positions[i] = bench_alloc(3 * (size_t)moving->mesh->vertex_count, sizeof(float));
        a->meshes[i] = *moving->mesh;
        a->meshes[i].positions = a->positions[i];
        require(bw_motion_sample(moving->motion, 0, a->positions[i], NULL));
        require(bw_tree_create(&(bw_tree_desc){.compact = true}, &a->meshes[i], &a->trees[i], NULL));
    }
}

static actor *add(bench_case *c, const kinetic_stage *s, const char *name, way how,
                  bw_separation_method method)
{
    if (!bench_case_wants(c, name))
        return NULL;
    const char *base = s->plans[0] != NULL ? "boxwood-refit-sampled" : "boxwood-refit";
    base = how == (s->plans[0] != NULL ? REFIT_SAMPLED : REFIT) ? NULL : base;
    actor *a = bench_alloc(1, sizeof *a);
    *a = (actor){.show = s, .way = how};
    if (how == LIST) {
        bw_separation_desc desc = {.method = method};
        require(bw_separation_create(&desc, &s->moving[0], &s->moving[1], &a->separation, NULL));
    } else if (how != KINETIC)
        make_trees(a);
    else
        for (uint32_t i = 0; i < 2; i++) {
            bw_kinetic_desc desc = {.method = BW_KINETIC_INTERPOLATED};
            require(bw_kinetic_create(&desc, &s->meshes[i], &s->motions[i], &a->kinetic[i], NULL));
        }
    bench_case_add(c, (bench_impl){.name = name,
                                   .self = a,
                                   .run = run,
                                   .before = before,
                                   .destroy = destroy,
                                   .exact = true,
                                   .over = base});
    return a;
}

static void tell(bench_case *c, const char *name, const actor *a)
{
    if (a == NULL)
        return;
    bw_separation_stats stats = {0};
    bw_separation_get_stats(a->separation, &stats);
    bench_case_metric(c, name, "megabytes", (double)stats.bytes * 1e-6, "MB");
    if (stats.method == BW_SEPARATION_EVENTS) {
        bench_case_metric(c, name, "events-per-frame", (double)a->events / a->show->frames, "");
        bench_case_metric(c, name, "list",
                          (double)(stats.inner_apart + stats.leaves_apart + stats.leaves_meeting), "");
    } else if (a->separation->listed)
        bench_case_metric(c, name, "list", (double)stats.leaves_meeting, "");
}

static void run_case(bench *b, bool dress, bool curved, uint32_t size, uint32_t l)
{
    enum { SEGMENTS = 4 };
    bench_label label = bench_size_label(size);
    bench_label name =
        bench_format("%s%s-%s-l%u", dress ? "dress" : "tablecloth", curved ? "-curved" : "", label.text, l);
    bench_case *c = bench_case_begin(b, name.text, size, SEGMENTS * l);
    if (c == NULL)
        return;
    bench_case_steps(c, SEGMENTS * l);
    kinetic_stage s;
    kinetic_stage_make(&s, &(kinetic_stage_desc){.dress = dress,
                                                 .triangles = size,
                                                 .other = dress ? size / 4 : size / 8,
                                                 .segments = SEGMENTS,
                                                 .between = l,
                                                 .curved = curved});
    add(c, &s, "boxwood-refit", REFIT, 0);
    add(c, &s, "boxwood-refit-sampled", REFIT_SAMPLED, 0);
    if (l == 1 && !curved)
        add(c, &s, "boxwood-refit-keyframes", REFIT_KEYFRAMES, 0);
    add(c, &s, "boxwood-interpolated-tree", KINETIC, 0);
    actor *events = add(c, &s, "boxwood-events", LIST, BW_SEPARATION_EVENTS);
    actor *compiled = add(c, &s, "boxwood-compiled", LIST, BW_SEPARATION_COMPILED);
    actor *chosen = add(c, &s, "boxwood-auto", LIST, BW_SEPARATION_AUTO);
    bench_case_measure(c);
    tell(c, "boxwood-events", events);
    tell(c, "boxwood-compiled", compiled);
    tell(c, "boxwood-auto", chosen);
    bench_case_end(c);
    kinetic_stage_free(&s);
}

void bench_kinetic_pair(bench *b)
{
    static const uint32_t sizes[] = {20000, 100000}, between[] = {1, 2, 3, 5, 10, 50};
    size_t count;
    const uint32_t *chosen = bench_sizes(b, sizes, 2, &count);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < 6; j++) {
            run_case(b, true, false, chosen[i], between[j]);
            run_case(b, false, false, chosen[i], between[j]);
            if (between[j] == 1 || between[j] == 10 || between[j] == 50) {
                run_case(b, true, true, chosen[i], between[j]);
                run_case(b, false, true, chosen[i], between[j]);
            }
        }
}
