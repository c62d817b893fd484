/* What is wrong with a primitive: coordinates, indices, area. */
#include "mesh/defect.h"

#include "mesh/view.h"

#include <math.h>
#include <string.h>

bw_result bw_defect_result(bw_defect defect)
{
    switch (defect) {
    case BW_DEFECT_INDEX:
        return BW_ERROR_INDEX;
    case BW_DEFECT_NAN:
    case BW_DEFECT_INFINITE:
        return BW_ERROR_NOT_FINITE;
    case BW_DEFECT_RANGE:
        return BW_ERROR_RANGE;
    case BW_DEFECT_NONE:
    case BW_DEFECT_ZERO_AREA:
    case BW_DEFECT_COUNT:
        break;
    }
    return BW_OK;
}

static bw_defect coordinate_defect(double x)
{
    if (isnan(x))
        return BW_DEFECT_NAN;
    if (isinf(x))
        return BW_DEFECT_INFINITE;
    double size = fabs(x);
    return size > BW_COORDINATE_MAX || (size > 0 && size < BW_EXACT_MIN) ? BW_DEFECT_RANGE : BW_DEFECT_NONE;
}

bw_defect bw_mesh_defect_of(const bw_mesh *mesh, uint32_t primitive, uint32_t look_for,
                            bw_defect_place *place)
{
    uint32_t corners = mesh->indices == NULL ? 1 : 3;
    for (uint32_t c = 0; c < corners; c++) {
        uint32_t v = bw_mesh_view_index(mesh, primitive, c);
        if (v >= mesh->vertex_count) {
            *place = (bw_defect_place){.vertex = v};
            return BW_DEFECT_INDEX;
        }
    }
    bw_vec3 corner[3];
    bw_mesh_view_corners(mesh, primitive, corner);
    bw_defect found = BW_DEFECT_NONE;
    for (uint32_t c = 0; c < corners; c++) {
        const double x[3] = {corner[c].x, corner[c].y, corner[c].z};
        for (uint32_t axis = 0; axis < 3; axis++) {
            bw_defect defect = coordinate_defect(x[axis]);
            if (defect != BW_DEFECT_NONE && (found == BW_DEFECT_NONE || defect < found)) {
                *place = (bw_defect_place){bw_mesh_view_index(mesh, primitive, c), axis, x[axis]};
                found = defect;
            }
        }
    }
    if (found == BW_DEFECT_NONE && corners == 3 && (look_for & BW_DEFECT_BIT(BW_DEFECT_ZERO_AREA)) != 0 &&
        bw_collinear(&corner[0], &corner[1], &corner[2])) {
        *place = (bw_defect_place){0};
        found = BW_DEFECT_ZERO_AREA;
    }
    return found;
}

/* The bits of a positive number ascend with its value, infinities and NaNs last: compared as integers, all
 * three upper defects are one subtraction whose sign is collected by `or`, which compilers turn into vectors.
 */
static bool floats_sound(const float *x, size_t count)
{
    const float max = (float)BW_COORDINATE_MAX; /* the lower end of the range is below every float */
    int32_t limit, bad = 0;
    memcpy(&limit, &max, sizeof limit);
    for (size_t i = 0; i < count; i++) {
        int32_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        bad |= limit - (bits & INT32_MAX);
    }
    return bad >= 0;
}

static bool doubles_sound(const double *x, size_t count)
{
    const double max = BW_COORDINATE_MAX, min = BW_EXACT_MIN;
    int64_t high, low, bad = 0;
    memcpy(&high, &max, sizeof high);
    memcpy(&low, &min, sizeof low);
    for (size_t i = 0; i < count; i++) {
        int64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        bits &= INT64_MAX;
        bad |= (high - bits) | ((bits - low) & -bits); /* above, or below and not zero */
    }
    return bad >= 0;
}

bool bw_mesh_coordinates_sound(const bw_mesh *mesh)
{
    size_t count = mesh->vertex_count;
    if (count == 0)
        return true;
    bool wide = mesh->scalar == BW_F64;
    if (bw_mesh_view_stride(mesh) == 3 * bw_mesh_view_scalar_size(mesh))
        return wide ? doubles_sound(mesh->positions, 3 * count) : floats_sound(mesh->positions, 3 * count);
    bool sound = true;
    for (uint32_t v = 0; v < count && sound; v++)
        sound =
            wide ? doubles_sound(bw_mesh_view_f64(mesh, v), 3) : floats_sound(bw_mesh_view_f32(mesh, v), 3);
    return sound;
}

bool bw_mesh_indices_sound(const bw_mesh *mesh)
{
    if (mesh->indices == NULL)
        return true;
    size_t count = 3 * (size_t)mesh->triangle_count;
    uint32_t limit = mesh->vertex_count, bad = 0;
    for (size_t i = 0; i < count; i++)
        bad |= mesh->indices[i] >= limit;
    return bad == 0;
}

bw_fault bw_defect_fault(bw_defect defect, uint32_t primitive, const bw_defect_place *place)
{
    bw_fault fault = {.defect = defect, .element = primitive, .vertex = place->vertex, .axis = BW_NONE};
    if (defect != BW_DEFECT_INDEX && defect != BW_DEFECT_ZERO_AREA) {
        fault.axis = place->axis;
        fault.value = place->value;
    } else if (defect == BW_DEFECT_ZERO_AREA)
        fault.vertex = BW_NONE;
    return fault;
}
