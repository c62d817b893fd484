/* Random poses: the same numbers on every machine. */
#ifndef BW_ANYTIME_TRAIN_RANDOM_H
#define BW_ANYTIME_TRAIN_RANDOM_H

#include <math.h>
#include <stdint.h>

/* splitmix64: the same numbers on every machine. */
typedef struct bw_random {
    uint64_t state;
} bw_random;

static inline double bw_random_unit(bw_random *r)
{
    uint64_t z = (r->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* A point in the unit ball of n dimensions, put on its sphere: by sums, products and a root only, which round
 * alike everywhere. */
static inline void bw_random_direction(bw_random *r, int n, double *out)
{
    double length2;
    do {
        length2 = 0.0;
        for (int k = 0; k < n; k++) {
            out[k] = 2.0 * bw_random_unit(r) - 1.0;
            length2 += out[k] * out[k];
        }
    } while (!(length2 <= 1.0 && length2 > 1e-4));
    for (int k = 0; k < n; k++)
        out[k] /= sqrt(length2);
}

/* A turn by a random quaternion. */
static inline void bw_random_turn(bw_random *r, double out[3][3])
{
    double q[4];
    bw_random_direction(r, 4, q);
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double m[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                      {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                      {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i][j] = m[i][j];
}

#endif
