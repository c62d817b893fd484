/* A dress that swings over a walking body: a flared tube with folds that wander, lag behind the hips and
 * swing wider towards the hem. */
#include "scenes/owned.h"
#include "scenes/trig.h"

#include <math.h>

static bw_vec3 dress_at(double turn, double down, double time)
{
    double angle = 2 * BWS_PI * turn, walk = 2 * BWS_PI * 0.8 * time; /* steps of 1.25 s */
    double hips = bws_sin(walk), lag = bws_sin(walk - 1.6 * down), twist = 0.12 * bws_sin(walk - down);
    double radius = 0.16 + 0.34 * down * sqrt(down);
    double folds = bws_sin(11 * angle + 0.9 * bws_sin(walk - 2.1 * down) + 2 * down) +
                   0.5 * bws_sin(7 * angle - 0.6 * lag + 1);
    radius += 0.045 * down * folds + 0.03 * down * lag * bws_cos(2 * angle);
    angle += twist * down;
    return (bw_vec3){radius * bws_cos(angle) + 0.03 * hips + 0.10 * down * lag,
                     radius * bws_sin(angle) + 0.05 * down * bws_cos(walk - 1.2 * down),
                     1.1 - 0.95 * down + 0.015 * bws_sin(2 * walk) + 0.02 * down * folds};
}

bw_result bws_dress(const bws_film_desc *given, bws_film *out)
{
    return bws_film_tube(given, dress_at, out);
}
