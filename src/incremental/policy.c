/* The policy of BW_SEPARATION_AUTO: refit, blended boxes or a compiled span, by what each would cost. */
#include "incremental/policy.h"

/* Prices in nanoseconds, measured on one core of an EPYC (Zen 3) with the scenes of kinetic-pair; only their
 * ratios matter. */
#define REFIT_NODE 55.0 /* fitting a node and its leaves, positions included */
#define VISIT 100.0     /* a pair of nodes in a traversal with what follows from it, */
#define TEST 20.0       /* and a pair of triangles */
#define SWEEP 140.0     /* a pair of nodes or of leaves, */
#define CANDIDATE 55.0  /* a pair of triangles whose boxes meet at some time, */
#define PAIR 600.0      /* more where they may meet themselves, */
#define ACTIVE 60.0     /* and a frame in which they may */

/* The least steps for which it is tried to compile a span, where nothing is known; frames to be wary. */
enum { STEPS = 8, WARY = 64 };

static double query_cost(const bw_policy *p)
{
    return p->blended > 0 ? p->blended : p->tight;
}

/* If traversals have become cheaper, sweeps are taken to have become so too; not if they have become dearer:
 * another try corrects what was too hopeful, and nothing else would correct the contrary. */
bool bw_policy_compile(const bw_policy *p, double steps)
{
    double query = query_cost(p);
    if (query == 0)
        return false;
    if (p->sweep == 0)
        return steps >= STEPS;
    double part = query < p->beside ? query / p->beside : 1;
    return steps >= 2 && part * p->sweep < steps * (query - part * p->frame);
}

/* Two fits or more are as dear as those of both ends, one of which the next span finds there. */
bool bw_policy_blend(const bw_policy *p, double steps)
{
    return steps >= 2 && !p->doubt && p->wary == 0;
}

void bw_policy_stepped(bw_policy *p, bool fitted)
{
    if (fitted && p->wary > 0)
        p->wary--;
}

void bw_policy_compiled(bw_policy *p, const bw_sweep *sweep, const bw_sweep_counts *before)
{
    const bw_sweep_counts *now = &sweep->counts;
    double active = 0;
    for (size_t i = 0; i < sweep->pairs.count; i++) {
        const bw_sweep_pair *pair = bw_array_at(&sweep->pairs, i);
        active += (double)(pair->to - pair->from);
    }
    p->sweep = (double)(now->nodes - before->nodes + now->leaves - before->leaves) * SWEEP +
               (double)(now->candidates - before->candidates) * CANDIDATE +
               (double)sweep->pairs.count * PAIR + 1;
    p->frame = active * ACTIVE;
    p->beside = query_cost(p);
}

void bw_policy_asked(bw_policy *p, const bw_collide_report *report, bool blended, uint32_t refit)
{
    double cost = (double)report->nodes_visited * VISIT + (double)report->primitive_tests * TEST + 1;
    double fit = refit * REFIT_NODE;
    if (blended) {
        p->blended = cost;
        p->doubt = p->tight == 0 || cost > p->tight + fit;
        return;
    }
    if (p->doubt && p->blended > cost + fit)
        p->wary = WARY;
    p->doubt = false;
    p->tight = cost;
}
