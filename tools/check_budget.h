/* boxwood check with a budget: an answer within some time, steps or quality, and how far to trust it. */
#ifndef TOOL_CHECK_BUDGET_H
#define TOOL_CHECK_BUDGET_H

#include "body.h"
#include "json.h"
#include "options.h"

#include <boxwood/anytime_train.h>

#define CHECK_RANGE "%s: --pose-b moves a coordinate out of the range in which answers are exact"

typedef struct budget {
    bool given; /* --budget, --steps or --quality */
    bool verify;
    bw_anytime_query_desc desc;
    bw_anytime_answer answer;
    bw_anytime_region places[4];
    double seconds;
    bool exact;
    double exact_seconds;
} budget;

/* False with a fault where an option has no sense. */
bool budget_parse(const args *given, budget *out, fault *why);
/* Both bodies have their trees; pose_b may be NULL. */
bool budget_run(budget *b, const body *first, const body *second, const bw_transform *pose_b, fault *why);
void budget_print(const budget *b);
/* Into the object that is open. */
void budget_print_json(const budget *b, json_writer *j);

#endif
