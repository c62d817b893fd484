/* STEP, LINEAR and CUBICSPLINE, by appendix C of the specification. */
#include "io/gltf/curve.h"

#include <math.h>
#include <string.h>

/* The last key at or before the time, which lies between the first and the last. */
static size_t find_key(const gltf_channel *c, double time)
{
    size_t low = 0, high = c->key_count - 1;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (c->times[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void normalize(double q[4])
{
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4 && length > 0; k++)
        q[k] /= length;
}

/* Along the shorter arc at an even speed. */
static void slerp(const double *from, const double *to, double s, double *out)
{
    double a[4], b[4], dot = 0, cross = 0;
    memcpy(a, from, sizeof a);
    memcpy(b, to, sizeof b);
    normalize(a);
    normalize(b);
    for (int k = 0; k < 4; k++)
        dot += a[k] * b[k];
    double sign = dot < 0 ? -1 : 1;
    /* The angle by its sine and cosine: exact near 0, where the cosine alone says nothing. */
    for (int k = 0; k < 4; k++) {
        double d = sign * b[k] - fabs(dot) * a[k];
        cross += d * d;
    }
    double angle = atan2(sqrt(cross), fabs(dot)), u = 1 - s, v = s;
    if (angle > 1e-7) { /* below, the chord is the arc to the last digit */
        u = sin((1 - s) * angle) / sin(angle);
        v = sin(s * angle) / sin(angle);
    }
    for (int k = 0; k < 4; k++)
        out[k] = u * a[k] + sign * v * b[k];
    normalize(out);
}

static void spline(const gltf_channel *c, size_t key, double s, double span, double *out)
{
    const size_t w = c->width;
    const double *p = c->values + 3 * w * key, *q = p + 3 * w;
    const double s2 = s * s, s3 = s2 * s;
    for (size_t k = 0; k < w; k++)
        out[k] = (2 * s3 - 3 * s2 + 1) * p[w + k] + span * (s3 - 2 * s2 + s) * p[2 * w + k] +
                 (3 * s2 - 2 * s3) * q[w + k] + span * (s3 - s2) * q[k];
}

static void value_of_key(const gltf_channel *c, size_t key, double *out)
{
    bool cubic = c->interpolation == INTERPOLATE_CUBIC;
    memcpy(out, c->values + c->width * (cubic ? 3 * key + 1 : key), c->width * sizeof *out);
}

void curve_at(const gltf_channel *c, double time, bool before, double *out)
{
    const bool rotation = c->target == TARGET_ROTATION;
    size_t last = c->key_count - 1;
    if (time <= c->times[0] || time >= c->times[last]) {
        bool jumps = before && last > 0 && time == c->times[last] && c->interpolation == INTERPOLATE_STEP;
        value_of_key(c, time <= c->times[0] ? 0 : jumps ? last - 1 : last, out);
    } else {
        size_t key = find_key(c, time);
        double span = c->times[key + 1] - c->times[key], s = (time - c->times[key]) / span;
        const double *p = c->values + c->width * key, *q = p + c->width;
        if (c->interpolation == INTERPOLATE_STEP)
            value_of_key(c, before && time == c->times[key] ? key - 1 : key, out);
        else if (c->interpolation == INTERPOLATE_CUBIC)
            spline(c, key, s, span, out);
        else if (rotation)
            slerp(p, q, s, out);
        else
            for (size_t k = 0; k < c->width; k++)
                out[k] = (1 - s) * p[k] + s * q[k];
    }
    if (rotation)
        normalize(out);
}
