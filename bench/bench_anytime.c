/* Budgeted queries beside the exact one: how much faster, how often wrong, and whether they know it.
 *
 * Cases paper-NAME: two copies of an object, turned at random, middles 0.2 to 1.05 sizes apart (the procedure
 * of Klein and Zachmann's paper). Cases contact-NAME: within 2.5 % of the size of first contact. Neither the
 * objects nor the poses are those of training.
 *
 * All of it takes minutes. --case chooses objects and kinds of poses (only those objects are made), and
 * --impl parts: boxwood-paper builds its statistics for seconds, boxwood-cutoff stands for the rows of
 * budgets, boxwood-deadline for those of how deadlines are kept. */
#include "anytime_inputs.h"
#include "benches.h"

#include <math.h>
#include <stdlib.h>

typedef struct subject {
    const anytime_object *object;
    const bw_anytime *anytime;
    const anytime_poses *poses;
    bw_anytime_query_desc desc;
} subject;

static uint64_t run_exact(void *self)
{
    const subject *s = self;
    const bw_body a = {s->object->tree, &s->object->view, NULL};
    uint64_t met = 0;
    for (uint32_t i = 0; i < s->poses->count; i++) {
        bw_collide_report report = {0};
        const bw_body b = {s->object->tree, &s->object->view, &s->poses->poses[i]};
        bench_require(bw_collide(&a, &b, NULL, &report, NULL) == BW_OK, "an exact query failed");
        met += report.hit_count;
    }
    return met;
}

static uint64_t run_adb(void *self)
{
    const subject *s = self;
    const bw_anytime_body a = {s->anytime, &s->object->view, NULL};
    uint64_t met = 0;
    for (uint32_t i = 0; i < s->poses->count; i++) {
        bw_anytime_answer answer = {0};
        const bw_anytime_body b = {s->anytime, &s->object->view, &s->poses->poses[i]};
        bench_require(bw_anytime_query(&a, &b, &s->desc, &answer, NULL) == BW_OK, "a query failed");
        met += answer.collision;
    }
    return met;
}

typedef struct variant {
    const char *name;
    double wanted[2]; /* error, by the kind of poses; 0: no limit */
} variant;

static const variant variants[] = {
    {"boxwood-moments", {0.005, 0.01}},
    {"boxwood-moments-strict", {0.001, 0.002}},
    {"boxwood-moments-unlimited", {0.0, 0.0}},
};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

/* Sums of logarithms over the objects, for means. */
typedef struct tally {
    double log_ratio[2][VARIANTS], worst_ratio[2][VARIANTS], worst_wrong[2][VARIANTS],
        worst_calibration[2][VARIANTS];
    uint32_t count[2];
} tally;

static void print_score(bench_case *c, const char *impl, const anytime_score *s)
{
    bench_case_metric(c, impl, "wrong", 100.0 * s->wrong, "%");
    bench_case_metric(c, impl, "wrong-collision", 100.0 * s->false_collisions, "%");
    bench_case_metric(c, impl, "wrong-free", 100.0 * s->missed, "%");
    bench_case_metric(c, impl, "calibration-error", s->calibration, "");
    bench_case_metric(c, impl, "proven", 100.0 * s->proven, "%");
    bench_case_metric(c, impl, "steps", s->steps, "steps");
}

static void take_score(tally *t, uint32_t kind, size_t v, double ratio, const anytime_score *s)
{
    t->log_ratio[kind][v] += log(ratio);
    t->worst_ratio[kind][v] = t->count[kind] == 0 ? ratio : fmin(t->worst_ratio[kind][v], ratio);
    t->worst_wrong[kind][v] = fmax(t->worst_wrong[kind][v], s->wrong);
    t->worst_calibration[kind][v] = fmax(t->worst_calibration[kind][v], s->calibration);
}

/* The sets that no choice was made by have their own names and means. */
static bench_label case_name(anytime_set set, const char *object, bw_anytime_poses kind)
{
    static const char *const of_set[ANYTIME_SETS] = {"", "unseen-", "unseen-later-", "unseen-last-"};
    return bench_format("%s%s-%s", of_set[set], kind == BW_ANYTIME_POSES_SPREAD ? "paper" : "contact",
                        object);
}

static void measure_case(bench_case *c, anytime_object *object, bw_anytime_poses kind, uint32_t count,
                         tally *t)
{
    const bool with_paper = BW_RESEARCH && bench_case_wants(c, "boxwood-paper");
    if (with_paper)
        anytime_object_paper(object);
    anytime_poses poses = anytime_poses_draw(object, kind, count);
    subject exact = {object, NULL, &poses, {0}}, tried[VARIANTS],
            paper = {object, object->paper, &poses, {.p_min = 0.5}};
    bench_case_result_unit(c, "collisions");
    bench_case_add(c, (bench_impl){.name = "boxwood-exact", .self = &exact, .run = run_exact, .exact = true});
    for (size_t v = 0; v < VARIANTS; v++) {
        tried[v] = (subject){
            object, object->anytime, &poses, {.poses = kind, .wanted_error = variants[v].wanted[kind]}};
        bench_case_add(c, (bench_impl){.name = variants[v].name,
                                       .self = &tried[v],
                                       .run = run_adb,
                                       .over = "boxwood-exact",
                                       .exact = variants[v].wanted[kind] == 0.0});
    }
    if (with_paper)
        bench_case_add(
            c,
            (bench_impl){.name = "boxwood-paper", .self = &paper, .run = run_adb, .over = "boxwood-exact"});
    bench_case_measure(c);
    bench_case_metric(c, "boxwood-exact", "colliding", 100.0 * poses.share, "%");
    for (size_t v = 0; v < VARIANTS; v++) {
        if (!bench_case_wants(c, variants[v].name))
            continue;
        const anytime_score score = anytime_score_of(object, object->anytime, &poses, &tried[v].desc);
        print_score(c, variants[v].name, &score);
        take_score(t, kind, v, bench_case_time(c, "boxwood-exact") / bench_case_time(c, variants[v].name),
                   &score);
    }
    if (with_paper) {
        const anytime_score published = anytime_score_of(object, object->paper, &poses, &paper.desc);
        print_score(c, "boxwood-paper", &published);
    }
    if (bench_case_wants(c, "boxwood-cutoff"))
        anytime_budgets(c, object, &poses, kind);
    if (bench_case_wants(c, "boxwood-deadline"))
        anytime_deadlines(c, object, &poses, kind);
    if (kind == BW_ANYTIME_POSES_SPREAD && bench_case_wants(c, "boxwood-moments"))
        anytime_refit(c, object);
    t->count[kind]++;
    anytime_poses_free(&poses);
}

/* Both kinds of poses of object number i, as far as they are asked for. */
static void run_object(bench *b, anytime_set set, uint32_t i, tally *t)
{
    anytime_object object;
    const char *name = anytime_object_name(set, i);
    if ((!bench_asks(b, case_name(set, name, BW_ANYTIME_POSES_SPREAD).text) &&
         !bench_asks(b, case_name(set, name, BW_ANYTIME_POSES_CONTACT).text)) ||
        !anytime_object_make(set, i, bench_quick(b), &object))
        return;
    for (uint32_t kind = 0; kind < 2; kind++) {
        const uint32_t count = bench_quick(b) ? 100 : kind == BW_ANYTIME_POSES_SPREAD ? 20000 : 5000;
        bench_case *c = bench_case_begin(b, case_name(set, name, (bw_anytime_poses)kind).text,
                                         object.view.triangle_count, count);
        if (c == NULL)
            continue;
        measure_case(c, &object, (bw_anytime_poses)kind, count, t);
        bench_case_end(c);
    }
    anytime_object_free(&object);
}

static void print_tally(bench *b, anytime_set set, const tally *t)
{
    for (uint32_t kind = 0; kind < 2; kind++) {
        bench_case *c =
            t->count[kind] == 0
                ? NULL
                : bench_case_begin(b, case_name(set, "all", (bw_anytime_poses)kind).text, t->count[kind], 1);
        for (size_t v = 0; c != NULL && v < VARIANTS; v++) {
            const char *name = variants[v].name;
            bench_case_metric(c, name, "mean-ratio", exp(t->log_ratio[kind][v] / t->count[kind]), "x");
            bench_case_metric(c, name, "lowest-ratio", t->worst_ratio[kind][v], "x");
            bench_case_metric(c, name, "most-wrong", 100.0 * t->worst_wrong[kind][v], "%");
            bench_case_metric(c, name, "largest-calibration-error", t->worst_calibration[kind][v], "");
        }
        if (c != NULL)
            bench_case_end(c);
    }
}

void bench_anytime(bench *b)
{
    for (uint32_t set = 0; set < ANYTIME_SETS; set++) {
        tally t = {0};
        const uint32_t most = bench_quick(b) ? 2 : UINT32_MAX;
        for (uint32_t i = 0; i < most && anytime_object_name((anytime_set)set, i) != NULL; i++)
            run_object(b, (anytime_set)set, i, &t);
        print_tally(b, (anytime_set)set, &t);
    }
}
