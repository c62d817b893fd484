/* Relative poses, and triangles mapped by them. */
#include "collide/relative_pose.h"

#include "base/simd/f64x4.h"

#include <float.h>
#include <math.h>

/* Without a branch for each: asked at every query. */
static bool is_finite(const bw_transform *t)
{
    bool finite = true;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            finite &= fabs(t->m[i][j]) <= DBL_MAX;
    return finite;
}

/* Whether a mapped coordinate can be nonzero and yet below BW_EXACT_MIN = 2^-300. A rounded product m x is
 * zero or a multiple of ulp(m x) >= 2^(log|m| + log|x| - 53), and so is every sum of such products. With |m|
 * >= 2^-90 and floats
 * (|x| >= 2^-149) that is at least 2^-292; translations from 2^-240 up add multiples of 2^-292. Doubles may
 * be as small as 2^-300, so a mesh of doubles is always checked. */
bool bw_map_may_underflow(const bw_transform *t, const bw_mesh *mesh)
{
    if (mesh->scalar != BW_F32)
        return true;
    bool may = false;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            may |= (t->m[i][j] != 0.0) & (fabs(t->m[i][j]) < 0x1p-90);
        may |= (t->m[i][3] != 0.0) & (fabs(t->m[i][3]) < 0x1p-240);
    }
    return may;
}

/* Whether the map keeps the box of b below BW_EXACT_MAX; the bound is of the absolute values, so that no
 * intermediate sum leaves the range either. */
static bool stays_in_range(const bw_transform *t, const bw_box *box)
{
    double reach[3];
    bool stays = true;
    for (int j = 0; j < 3; j++) {
        double low = fabs((double)box->min[j]), high = fabs((double)box->max[j]);
        reach[j] = low > high ? low : high;
    }
    for (int i = 0; i < 3; i++) {
        double bound = fabs(t->m[i][3]);
        for (int j = 0; j < 3; j++)
            bound += fabs(t->m[i][j]) * reach[j];
        stays &= bound <= BW_EXACT_MAX;
    }
    return stays;
}

/* Finite, and all that is mapped so far below the largest number that no order of additions matters: true for
 * nearly all poses, and faster than to ask for each. */
static bool is_surely_in_range(const bw_transform *t, const bw_box *box)
{
    const d4 reach = d4_add(d4_of_floats(v4_max(v4_abs(v4_load3(box->min)), v4_abs(v4_load3(box->max)))),
                            d4_load((const double[4]){0.0, 0.0, 0.0, 1.0}));
    const d4 sums = d4_sums(d4_mul(d4_abs(d4_load(t->m[0])), reach), d4_mul(d4_abs(d4_load(t->m[1])), reach),
                            d4_mul(d4_abs(d4_load(t->m[2])), reach), d4_all(0.0));
    return m4_bits(d4_greater(d4_all(BW_EXACT_MAX / 2.0), sums)) == 0xFu;
}

bw_result bw_relative_pose_between(const bw_body *a, const bw_body *b, bw_relative_pose *out)
{
    const bw_transform *turned = a->pose, *own = b->pose;
    out->identity = turned == NULL && own == NULL;
    out->check = false;
    out->separation = NULL;
    if (out->identity) {
        out->map = bw_transform_identity();
        return BW_OK;
    }
    if (turned == NULL) {
        out->map = *own;
    } else {
        bw_result result = bw_transform_invert(turned, &out->map);
        if (result == BW_OK && own != NULL && !is_finite(own))
            result = BW_ERROR_NOT_FINITE;
        if (result != BW_OK)
            return result;
        if (own != NULL)
            out->map = bw_transform_multiply(&out->map, own);
    }
    const bw_box bounds = bw_tree_bounds(b->tree); /* nothing of an empty one can leave the range */
    if (!is_surely_in_range(&out->map, &bounds)) {
        if (!is_finite(&out->map))
            return turned == NULL ? BW_ERROR_NOT_FINITE : BW_ERROR_RANGE;
        if (bounds.min[0] <= bounds.max[0] && !stays_in_range(&out->map, &bounds))
            return BW_ERROR_RANGE;
    }
    out->check = bw_map_may_underflow(&out->map, b->mesh);
    return BW_OK;
}
