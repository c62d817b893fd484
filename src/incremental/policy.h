/* What BW_SEPARATION_AUTO does between two keyframes: fit the trees frame by frame, blend their boxes, or
 * compile the span. It counts what queries and preparations did and compares what they would cost by the
 * prices in policy.c. No clock: the same calls make the same choices. */
#ifndef BW_INCREMENTAL_POLICY_H
#define BW_INCREMENTAL_POLICY_H

#include "incremental/schedule.h"

/* Costs in nanoseconds of the machine that the prices were measured on; 0: not known yet. */
typedef struct bw_policy {
    double tight, blended; /* a traversal with tight boxes, and with blended ones */
    double sweep, frame;   /* preparing the span compiled last, and a frame in it on average, */
    double beside;         /* when a traversal was known to cost so much */
    bool doubt;            /* blended boxes may be too loose: the next frame is fitted, to compare */
    uint32_t wary;         /* frames to fit, as they were */
} bw_policy;

/* Whether to compile a span in which so many steps are expected. */
bool bw_policy_compile(const bw_policy *policy, double steps);
/* Whether to blend in a span in which so many steps are expected. */
bool bw_policy_blend(const bw_policy *policy, double steps);
/* A step was made with the trees; fitted: not blended. */
void bw_policy_stepped(bw_policy *policy, bool fitted);
/* A span was compiled: what the sweep did for it. */
void bw_policy_compiled(bw_policy *policy, const bw_sweep *sweep, const bw_sweep_counts *before);
/* The trees were asked; refit: how many nodes a fit of both writes. */
void bw_policy_asked(bw_policy *policy, const bw_collide_report *report, bool blended, uint32_t refit);

#endif
