#include "check_budget.h"

#include "number.h"
#include "table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool parse_time(const char *text, uint64_t *out, fault *why)
{
    static const struct {
        const char *name;
        double nanoseconds;
    } units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    const char *rest;
    double value;
    bool number = number_begins(text, &rest, &value);
    for (size_t i = 0; number && i < sizeof units / sizeof units[0]; i++)
        if (strcmp(rest, units[i].name) == 0 && value >= 0 && value * units[i].nanoseconds < 1e18) {
            *out = (uint64_t)(value * units[i].nanoseconds);
            return true;
        }
    return fault_set(why, "--budget wants a time such as 500ns, 2us, 1.5ms or 1s, not \"%s\"", text);
}

static bool parse_share(const char *text, double *out, fault *why)
{
    const char *rest = text;
    double value = 0;
    bool number = number_begins(text, &rest, &value);
    bool percent = *rest == '%' && rest[1] == '\0';
    if (!number || (!percent && *rest != '\0') || !(value > 0 && value <= (percent ? 100 : 1)))
        return fault_set(
            why, "--quality wants the share of wrong answers allowed, such as 0.5%% or 0.005, not \"%s\"",
            text);
    *out = percent ? value / 100 : value;
    return true;
}

bool budget_parse(const args *given, budget *out, fault *why)
{
    const char *time = args_value(given, "budget"), *quality = args_value(given, "quality");
    *out = (budget){.verify = args_given(given, "verify")};
    bw_anytime_query_desc *desc = &out->desc;
    desc->limit_time = time != NULL;
    desc->limit_steps = args_given(given, "steps");
    desc->poses = args_given(given, "near") ? BW_ANYTIME_POSES_CONTACT : BW_ANYTIME_POSES_SPREAD;
    out->given = time != NULL || quality != NULL || desc->limit_steps;
    if (!out->given && (out->verify || args_given(given, "near")))
        return fault_set(why, "--%s goes with --budget, --steps or --quality",
                         out->verify ? "verify" : "near");
    static const char *const exact_only[] = {"limit", "counts"};
    for (size_t i = 0; out->given && i < sizeof exact_only / sizeof *exact_only; i++)
        if (args_given(given, exact_only[i]))
            return fault_set(why, "--%s goes with the exact answer, not with a budget", exact_only[i]);
    if (out->given && args_given(given, "all"))
        return fault_set(why, "--all wants every pair: it cannot be answered within a budget");
    return (time == NULL || parse_time(time, &desc->max_nanoseconds, why)) &&
           (quality == NULL || parse_share(quality, &desc->wanted_error, why)) &&
           args_count(given, "steps", 0, UINT64_MAX, &desc->max_steps, why);
}

bool budget_run(budget *b, const body *first, const body *second, const bw_transform *pose_b, fault *why)
{
    bw_anytime *adb_a = NULL, *adb_b = NULL;
    bw_anytime_settings settings;
    const bw_anytime_desc desc = {.tries = BW_NONE};
    bw_result result = bw_anytime_create(&desc, first->tree, &first->mesh, &adb_a, NULL);
    if (result == BW_OK)
        result = bw_anytime_create(&desc, second->tree, &second->mesh, &adb_b, NULL);
    b->desc.regions = b->places;
    b->desc.region_capacity = sizeof b->places / sizeof b->places[0];
    bw_anytime_body on_a = {adb_a, &first->mesh, NULL}, on_b = {adb_b, &second->mesh, pose_b};
    if (result == BW_OK && b->desc.wanted_error > 0.0) {
        result = bw_anytime_try(&on_a, &on_b, b->desc.poses, 0, NULL, &settings, NULL);
        b->desc.settings = &settings;
    }
    /* Twice: a program that asks once a frame does so with its code and data in the caches. */
    if (result == BW_OK)
        result =
            bw_anytime_query(&on_a, &on_b, &(bw_anytime_query_desc){.wanted_error = 0.01}, &b->answer, NULL);
    if (result == BW_OK)
        result = bw_anytime_query(&on_a, &on_b, &b->desc, &b->answer, NULL);
    double start = seconds_now();
    if (result == BW_OK)
        result = bw_anytime_query(&on_a, &on_b, &b->desc, &b->answer, NULL);
    b->seconds = seconds_now() - start;
    if (result == BW_OK && b->verify) {
        bw_collide_report report = {0};
        (void)bw_collide(&(bw_body){first->tree, &first->mesh, NULL},
                         &(bw_body){second->tree, &second->mesh, pose_b}, NULL, &report, NULL);
        start = seconds_now();
        result = bw_collide(&(bw_body){first->tree, &first->mesh, NULL},
                            &(bw_body){second->tree, &second->mesh, pose_b}, NULL, &report, NULL);
        b->exact_seconds = seconds_now() - start;
        b->exact = result == BW_OK && report.hit_count > 0;
    }
    bw_anytime_destroy(adb_a);
    bw_anytime_destroy(adb_b);
    if (result == BW_ERROR_RANGE)
        return fault_set(why, CHECK_RANGE, second->model.file);
    return result == BW_OK || fault_set(why, "%s", bw_result_string(result));
}

static const char *status_word(bw_anytime_reason status)
{
    static const char *const words[] = {"proven", "enough", "pruned", "budget", "stopped"};
    return words[status];
}

static const char *because(bw_anytime_reason status)
{
    static const char *const words[] = {"proven", "enough pairs of nodes very likely meet",
                                        "only unlikely pairs of nodes are left", "the budget is spent",
                                        "stopped"};
    return words[status];
}

void budget_print(const budget *b)
{
    cell c[4];
    const bw_anytime_answer *a = &b->answer;
    printf("%s, confidence %.4g%%: %s\n", a->collision ? "in contact" : "apart", 100 * a->confidence,
           because(a->reason));
    for (uint32_t i = 0; i < a->region_count; i++) {
        const bw_anytime_region *p = &b->places[i];
        printf("  %s near (%.6g, %.6g, %.6g), normal (%.3g, %.3g, %.3g)", p->proven ? "contact" : "likely",
               p->point.x, p->point.y, p->point.z, p->normal.x, p->normal.y, p->normal.z);
        if (!p->proven)
            printf(", probability %.3g", p->probability);
        putchar('\n');
    }
    printf("took %s, %s step%s, %s pairs of nodes estimated, %s triangle tests\n",
           time_cell(&c[0], b->seconds), count_cell(&c[1], a->steps), plural(a->steps),
           count_cell(&c[2], a->pairs), count_cell(&c[3], a->primitive_tests));
    if (b->verify)
        printf("exactly: %s, in %s: the answer is %s\n", b->exact ? "in contact" : "apart",
               time_cell(&c[0], b->exact_seconds), b->exact == a->collision ? "right" : "wrong");
}

void budget_print_json(const budget *b, json_writer *j)
{
    const bw_anytime_answer *a = &b->answer;
    jw_bool(j, "in_contact", a->collision);
    jw_bool(j, "proven", a->proven);
    jw_number(j, "confidence", a->confidence);
    jw_string(j, "status", status_word(a->reason));
    jw_count(j, "steps", a->steps);
    jw_count(j, "pairs_estimated", a->pairs);
    jw_count(j, "box_tests", a->box_tests);
    jw_count(j, "primitive_tests", a->primitive_tests);
    jw_number(j, "seconds", b->seconds);
    jw_array(j, "places");
    for (uint32_t i = 0; i < a->region_count; i++) {
        const bw_anytime_region *p = &b->places[i];
        jw_object(j, NULL);
        jw_vec3(j, "point", p->point);
        jw_vec3(j, "normal", p->normal);
        jw_number(j, "probability", p->probability);
        jw_bool(j, "proven", p->proven);
        jw_object_end(j);
    }
    jw_array_end(j);
    if (b->verify) {
        jw_object(j, "exact");
        jw_bool(j, "in_contact", b->exact);
        jw_number(j, "seconds", b->exact_seconds);
        jw_bool(j, "agrees", b->exact == a->collision);
        jw_object_end(j);
    }
}
