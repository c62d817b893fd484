/* From distances in the world to distances in the frame of the first body. v bounds the relative error of any
 * sum of at most five double products. */
#include "collide/separation/separation.h"

#include <math.h>

static const double v = 0x1p-50;

static double larger(double a, double b)
{
    return a < b ? b : a;
}

static void reach_of(const bw_box *box, double out[4])
{
    for (int k = 0; k < 3; k++)
        out[k] = larger(fabs((double)box->min[k]), fabs((double)box->max[k]));
    out[3] = 1.0;
}

/* The root of the largest row sum of its product with its transpose. */
double bw_linear_norm(double m[3][3])
{
    double most = 0.0;
    for (int i = 0; i < 3; i++) {
        double sum = 0.0;
        for (int j = 0; j < 3; j++)
            sum += fabs(m[i][0] * m[j][0] + m[i][1] * m[j][1] + m[i][2] * m[j][2]);
        most = larger(most, sum);
    }
    return sqrt(most) * (1.0 + 0x1p-40);
}

void bw_linear_part(const bw_transform *t, double out[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i][j] = t->m[i][j];
}

/* How far the computed distance of two points, mapped by their poses, can be from that of the exact map of
 * a's pose applied to both as they stand in a's frame: what the relative pose leaves over, the roundings of
 * the maps, and those of the distance. */
static double world_error(const bw_transform *a, const bw_transform *b, const bw_transform *relative,
                          const double reach_a[4], const double reach_b[4])
{
    double error = 0.0, size = 0.0;
    for (int i = 0; i < 3; i++) {
        double own = 0.0;
        for (int j = 0; j < 4; j++) {
            double left = -b->m[i][j] + (j == 3 ? a->m[i][3] : 0.0), whole = fabs(b->m[i][j]);
            for (int k = 0; k < 3; k++) {
                left += a->m[i][k] * relative->m[k][j];
                whole += fabs(a->m[i][k] * relative->m[k][j]);
            }
            own += fabs(a->m[i][j]) * reach_a[j];
            error += (fabs(left) + 2.0 * v * (whole + fabs(a->m[i][j]))) * reach_b[j];
            size += whole * reach_b[j];
        }
        error += v * own;
        size += own;
    }
    return error + 0x1p-39 * size;
}

double bw_inverse_error(double inverse[3][3], double m[3][3])
{
    double most = 0.0;
    for (int i = 0; i < 3; i++) {
        double sum = 0.0;
        for (int j = 0; j < 3; j++) {
            double product = i == j ? -1.0 : 0.0, size = i == j;
            for (int k = 0; k < 3; k++) {
                product += inverse[i][k] * m[k][j];
                size += fabs(inverse[i][k] * m[k][j]);
            }
            sum += fabs(product) + v * size;
        }
        most = larger(most, sum);
    }
    return 1.75 * most; /* above the length that it can give a vector of length 1 */
}

bw_result bw_separation_prepare(bw_separation *out, double distance, const bw_body *a, const bw_body *b,
                                const bw_relative_pose *pose)
{
    const bw_transform identity = bw_transform_identity();
    const bw_transform *to_world_a = a->pose != NULL ? a->pose : &identity,
                       *to_world_b = b->pose != NULL ? b->pose : &identity;
    bw_result result = bw_metric_prepare_lazily(a, &out->sides[0]);
    if (result == BW_OK)
        result = bw_metric_prepare_lazily(b, &out->sides[1]);
    bw_transform inverse = identity;
    if (result == BW_OK && a->pose != NULL)
        result = bw_transform_invert(a->pose, &inverse);
    if (result != BW_OK)
        return result;
    double linear[3][3], reach_a[4], reach_b[4], lost = 0.0;
    bw_linear_part(&inverse, out->inverse);
    out->stretch = out->norm = 1.0;
    if (a->pose != NULL) {
        bw_linear_part(a->pose, linear);
        lost = bw_inverse_error(out->inverse, linear);
        if (!(lost < 0x1p-10))
            return BW_ERROR_SINGULAR;
        out->stretch = bw_linear_norm(out->inverse) / (1.0 - lost);
        out->norm = bw_linear_norm(linear);
    }
    reach_of(&out->sides[0].tree->bounds, reach_a);
    reach_of(&out->sides[1].tree->bounds, reach_b);
    out->error = world_error(to_world_a, to_world_b, &pose->map, reach_a, reach_b);
    out->lost = lost * out->stretch;
    bw_separation_set(out, distance);
    return BW_OK;
}

void bw_separation_set(bw_separation *s, double distance)
{
    s->distance2 = distance > 0.0 && distance < 0x1p500 ? distance * distance
                   : distance > 0.0                     ? INFINITY
                                                        : 0.0;
    s->reach = distance * (1.0 + 0x1p-40) + s->error;
    s->far = s->reach * s->stretch * (1.0 + 0x1p-40);
    s->near = larger((distance * (1.0 - 0x1p-40) - s->error) / s->norm, 0.0);
}

double bw_separation_along(const bw_separation *s, const double n[3])
{
    double most = larger(fabs(n[0]), larger(fabs(n[1]), fabs(n[2]))), sum = 0.0;
    if (!(most > 0.0))
        return 0.0;
    for (int j = 0; j < 3; j++) { /* scaled, so that no square underflows */
        double x =
            n[0] / most * s->inverse[0][j] + n[1] / most * s->inverse[1][j] + n[2] / most * s->inverse[2][j];
        sum += x * x;
    }
    return s->reach * most * (sqrt(sum) * (1.0 + 0x1p-40) + 1.75 * s->lost);
}
