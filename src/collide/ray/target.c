/* What rays are cast at: bounds, and the inverse of a pose with a bound of its error. */
#include "collide/ray/target.h"

#include <math.h>

/* Of a matrix: the largest sum of the magnitudes of a row. */
static double row_norm(const double m[3][3])
{
    double norm = 0.0;
    for (int i = 0; i < 3; i++)
        norm = fmax(norm, fabs(m[i][0]) + fabs(m[i][1]) + fabs(m[i][2]));
    return norm;
}

/* The inverse by cofactors, rounded; whatever it is, the residual tells how good. */
static void invert(const bw_transform *map, double out[3][3])
{
    const double(*m)[4] = map->m;
    double det = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
            out[j][i] = m[a][c] * m[b][d] - m[a][d] * m[b][c];
        }
    for (int j = 0; j < 3; j++)
        det += m[0][j] * out[j][0];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i][j] /= det;
}

/* False where the pose has no inverse that is of use. */
static bool set_pose(const bw_metric_side *side, bw_ray_target *out)
{
    const bw_transform *map = side->map;
    double world = 0.0, linear = 0.0, residual = 0.0;
    invert(map, out->turn);
    for (int i = 0; i < 3; i++) {
        double sum = 0.0, off = 0.0;
        out->shift[i] = map->m[i][3];
        for (int j = 0; j < 3; j++) {
            double product = i == j ? -1.0 : 0.0;
            for (int k = 0; k < 3; k++)
                product += out->turn[i][k] * map->m[k][j];
            off += fabs(product);
            sum += fabs(map->m[i][j]);
        }
        linear = fmax(linear, sum);
        residual = fmax(residual, off);
        world = fmax(world, fabs(map->m[i][3]));
    }
    const double norm = row_norm(out->turn), reach = (double)out->place->reach;
    world = 2.0 * world + linear * reach;
    residual += 0x1p-50 * norm * linear;
    out->growth = 0x1p-47 * norm;
    out->slack = residual * reach + out->growth * world;
    return out->slack < 0x1p-16 * reach; /* false for a NaN, too */
}

void bw_ray_target_take(bw_ray_target *target, const struct bw_ray_layout *layout, bw_simd level)
{
    const bool kept = layout->floats && target->side.mesh->scalar == BW_F32;
    if (layout->depth > BW_RAY_DEPTH)
        return;
    target->layout = layout;
    target->floats = kept && target->side.map == NULL;
    target->roundings = kept && level >= BW_SIMD_AVX2 ? 1.0f : 4.0f;
}

void bw_ray_target_of_side(const bw_metric_side *side, bw_simd level, bw_ray_target *out)
{
    const bw_wide *tree = side->tree;
    out->side = *side;
    out->layout = NULL;
    out->floats = false;
    out->roundings = 4.0f;
    out->place = &out->own_place;
    bw_ray_place_set(&tree->bounds, &out->own_place);
    if (tree->rays != NULL)
        bw_ray_target_take(out, tree->rays, level);
    out->ordinary = tree->node_count > 0 && out->place->reach >= BW_RAY_TREE_MIN &&
                    out->place->reach <= BW_RAY_TREE_MAX && (side->map == NULL || set_pose(side, out));
}

bw_result bw_ray_target_of_body(const bw_body *body, bw_simd level, bw_ray_target *out)
{
    bw_metric_side side;
    const bw_result result = bw_metric_prepare_lazily(body, &side);
    if (result == BW_OK)
        bw_ray_target_of_side(&side, level, out);
    return result;
}
