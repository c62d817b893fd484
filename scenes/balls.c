#include "scenes/balls.h"

#include <math.h>

const char *const bws_spread_names[BWS_SPREAD_COUNT] = {"uniform", "clustered", "lissajous", "sphere"};

static void direction(bws_random *random, double out[3])
{
    double length;
    do {
        length = 0;
        for (int i = 0; i < 3; i++) {
            out[i] = bws_random_double(random, -1, 1);
            length += out[i] * out[i];
        }
    } while (length > 1 || length < 1e-3);
    for (int i = 0; i < 3; i++)
        out[i] /= sqrt(length);
}

bws_ball bws_ball_random(bws_spread spread, double side, bws_random *random)
{
    static const double seeds[5][3] = {
        {0.2, 0.3, 0.25}, {0.75, 0.2, 0.6}, {0.5, 0.55, 0.5}, {0.3, 0.8, 0.7}, {0.8, 0.75, 0.3}};
    bws_ball ball = {.radius = bws_random_double(random, 1, 10)};
    double v[3], t;
    switch (spread) {
    case BWS_SPREAD_CLUSTERED: {
        const double *seed = seeds[bws_random_below(random, 5)];
        for (int i = 0; i < 3; i++) {
            double sum = 0; /* of six: nearly Gaussian */
            for (int k = 0; k < 6; k++)
                sum += bws_random_unit(random) - 0.5;
            ball.centre[i] = side * (seed[i] + 0.06 * sum);
        }
        break;
    }
    case BWS_SPREAD_LISSAJOUS:
        t = bws_random_double(random, 0, 5000);
        ball.centre[0] = side * (0.5 + 0.5 * sin(0.013 * t + 0.3));
        ball.centre[1] = side * (0.5 + 0.5 * sin(0.017 * t + 1.1));
        ball.centre[2] = side * (0.5 + 0.5 * sin(0.023 * t + 2));
        break;
    case BWS_SPREAD_SPHERE:
        direction(random, v);
        t = bws_random_bool(random) ? 0.5 * bws_random_double(random, 0.98, 1)
                                    : cbrt(bws_random_unit(random)) / 6;
        for (int i = 0; i < 3; i++)
            ball.centre[i] = side * (0.5 + t * v[i]);
        break;
    default:
        for (int i = 0; i < 3; i++)
            ball.centre[i] = side * bws_random_unit(random);
        break;
    }
    return ball;
}

bws_ball bws_ball_moved(const bws_ball *ball, double side, bws_random *random)
{
    bws_ball moved = *ball;
    double v[3];
    direction(random, v);
    for (int i = 0; i < 3; i++) {
        double c = ball->centre[i] + v[i] * ball->radius;
        moved.centre[i] = c < 0 ? 0 : c > side ? side : c;
    }
    return moved;
}

bw_box bws_ball_box(const bws_ball *ball)
{
    bw_box box;
    for (int i = 0; i < 3; i++) {
        box.min[i] = (float)(ball->centre[i] - ball->radius);
        box.max[i] = (float)(ball->centre[i] + ball->radius);
    }
    return box;
}

static bw_box box_at(double x, double y, double z, double w, double d, double h)
{
    return (bw_box){{(float)x, (float)y, (float)z}, {(float)(x + w), (float)(y + d), (float)(z + h)}};
}

uint32_t bws_city(uint32_t count, uint64_t seed, bw_box *out, uint32_t *house_count)
{
    bws_random random = bws_random_seeded(seed);
    /* Four houses a block, and about twenty small things a house. */
    uint32_t blocks = 1;
    while ((uint64_t)(blocks + 1) * (blocks + 1) * 84 <= count)
        blocks++;
    uint32_t n = 0;
    for (uint32_t by = 0; by < blocks; by++)
        for (uint32_t bx = 0; bx < blocks; bx++)
            for (int k = 0; k < 4 && n < count; k++) {
                double x = 100.0 * bx + 12 + 40 * (k & 1), y = 100.0 * by + 12 + 40 * (k >> 1);
                double height = bws_random_double(&random, 15, 60);
                if (bws_random_below(&random, 12) == 0)
                    height *= 3;
                out[n++] = box_at(x, y, 0, bws_random_double(&random, 30, 38),
                                  bws_random_double(&random, 30, 38), height);
            }
    *house_count = n;
    uint32_t houses = n;
    while (n < count) {
        double size = bws_random_double(&random, 0.3, 2);
        double x = bws_random_double(&random, 0, 100.0 * blocks),
               y = bws_random_double(&random, 0, 100.0 * blocks), z = 0;
        if (houses != 0 && bws_random_below(&random, 3) == 0) {
            /* Inside a house, on some floor. */
            const bw_box *house = &out[bws_random_below(&random, houses)];
            x = bws_random_double(&random, (double)house->min[0], (double)house->max[0] - 2);
            y = bws_random_double(&random, (double)house->min[1], (double)house->max[1] - 2);
            z = 3 * floor(bws_random_double(&random, 0, ((double)house->max[2] - 2) / 3));
        }
        out[n++] = box_at(x, y, z, size, size, bws_random_double(&random, 0.5, 2));
    }
    return blocks;
}
