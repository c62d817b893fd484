/* Roots of polynomials in Bernstein form over [0, 1], in doubles: guesses, for others to confirm. */
#ifndef BW_GEOM_POLYNOMIAL_BERNSTEIN_H
#define BW_GEOM_POLYNOMIAL_BERNSTEIN_H

#include <math.h>
#include <stdbool.h>

/* About where in [0, 1] the one root of coefficients with one change of sign is: only a guess.
 * The degree is at most nine. */
static inline double bw_bernstein_root(const double *c, int degree)
{
    double low = 0, high = 1, last = c[degree], t = c[0] * last < 0 ? c[0] / (c[0] - last) : 0.5;
    bool falling = c[0] > 0 || (c[0] == 0 && c[1] > 0);
    for (int round = 0; round < 40; round++) {
        /* The last two points of de Casteljau's triangle: the value between them, the slope of their line. */
        double d[10], slope = 0;
        d[0] = c[0];
        for (int i = 1; i <= degree; i++)
            d[i] = c[i];
        for (int count = degree; count > 0; count--) {
            slope = d[1] - d[0];
            for (int i = 0; i < count; i++)
                d[i] += t * (d[i + 1] - d[i]);
        }
        if ((d[0] > 0) == falling)
            low = t;
        else
            high = t;
        slope *= degree;
        double next = t - d[0] / slope;
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        double move = fabs(next - t);
        t = next;
        if (move < 0x1p-40) /* the next step would be shorter than a cell */
            break;
    }
    return t;
}

#endif
