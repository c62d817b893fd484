/* Section 3.5: balls in bins, and what they say about a collision. */
#include "anytime/paper/paper.h"

#include <math.h>

/* The logarithm of C(n, k). */
static double log_choose(uint32_t n, uint32_t k)
{
    return bw_paper_log_factorial[n] - bw_paper_log_factorial[k] - bw_paper_log_factorial[n - k];
}

void bw_paper_filled(uint32_t u, uint32_t v, uint32_t w, double out[BW_PAPER_FILLED])
{
    uint32_t first = v + w > u ? v + w - u : 0, most = v < w ? v : w; /* bins with both: at least, at most */
    double exactly = exp(log_choose(w, first) + log_choose(u - w, v - first) - log_choose(u, v)), below = 0.0;
    for (uint32_t x = 1; x <= BW_PAPER_FILLED; x++) {
        uint32_t t = x - 1; /* below holds Pr[fewer than t + 1] once t is added */
        if (t >= first && t <= most) {
            below += exactly;
            /* From t to t + 1, by the quotient of the two terms of Eq. 6. */
            exactly *= (double)(w - t) * (double)(v - t) / ((double)(t + 1) * (double)(u + t + 1 - w - v));
        }
        double rest = 1.0 - below;
        out[x - 1] = x <= first ? 1.0 : x > most || rest < 0.0 ? 0.0 : rest;
    }
}

double bw_paper_collision(uint32_t s, uint32_t s_a, uint32_t s_b, double lower_bound)
{
    uint32_t most = s_a < s_b ? s_a : s_b;
    double filled[BW_PAPER_FILLED], best = 0.0, none = 1.0;
    if (most == 0)
        return 0.0;
    bw_paper_filled(s, s_a, s_b, filled);
    for (uint32_t x = 1; x <= BW_PAPER_FILLED && x <= most; x++) {
        none *= 1.0 - lower_bound;
        best = fmax(best, filled[x - 1] * (1.0 - none));
    }
    return best;
}
