#include "mesh/damaged.h"

#include <math.h>
#include <string.h>

#include "oracle/rational.h"

static double odd_value(bws_random *random, bw_scalar scalar)
{
    static const double values[] = {NAN,  INFINITY, -INFINITY, 0x1.000002p100, -0x1p101,
                                    3e38, -3e38,    0x1p100,   -0x1p100};
    static const double only_double[] = {
        1e300, -1e31, 0x1p-301, -0x1p-310, 5e-324, 0x1p-300, 0x1.0000000000001p100};
    if (scalar == BW_F64 && bws_random_bool(random))
        return only_double[bws_random_below(random, sizeof only_double / sizeof *only_double)];
    return values[bws_random_below(random, sizeof values / sizeof *values)];
}

void damaged_make(damaged *d, bws_random *random)
{
    memset(d, 0, sizeof *d);
    bw_scalar scalar = bws_random_bool(random) ? BW_F64 : BW_F32;
    size_t floats = bws_random_bool(random) ? 3 : DAMAGED_STRIDE;
    uint32_t vertices = (uint32_t)bws_random_below(random, DAMAGED_VERTICES + 1);
    uint64_t rate = bws_random_below(random, 4) == 0 ? 0 : bws_random_below(random, 30);
    int64_t reach = bws_random_int(random, 0, 6);
    for (size_t i = 0; i < DAMAGED_VERTICES * DAMAGED_STRIDE; i++) {
        double x = (double)bws_random_int(random, -reach, reach);
        if (bws_random_below(random, 400) < rate)
            x = odd_value(random, scalar);
        if (floats == DAMAGED_STRIDE && i % DAMAGED_STRIDE >= 3)
            x = NAN; /* between the vertices: must not be looked at */
        d->f64[i] = x;
        d->f32[i] = fabs(x) <= 3.4e38 || !isfinite(x) ? (float)x : 0;
    }
    for (int i = 0; i < 3 * DAMAGED_TRIANGLES; i++) {
        uint64_t beyond = bws_random_below(random, 400) < rate ? 100 : 0;
        d->indices[i] = (uint32_t)bws_random_below(random, vertices + beyond + (vertices == 0));
        if (beyond > 0 && bws_random_bool(random))
            d->indices[i] = UINT32_MAX - (uint32_t)bws_random_below(random, 2);
    }
    d->mesh = (bw_mesh){.positions = scalar == BW_F64 ? (const void *)d->f64 : (const void *)d->f32,
                        .scalar = scalar,
                        .vertex_count = vertices,
                        .stride = floats == 3 ? 0 : (uint32_t)(floats * (scalar == BW_F64 ? 8 : 4))};
    if (bws_random_below(random, 4) != 0) {
        d->mesh.indices = d->indices;
        d->mesh.triangle_count = (uint32_t)bws_random_below(random, DAMAGED_TRIANGLES + 1);
    }
}

static double coordinate(const bw_mesh *mesh, uint32_t v, uint32_t axis)
{
    size_t stride = mesh->stride != 0 ? mesh->stride : mesh->scalar == BW_F64 ? 24 : 12;
    const char *at = (const char *)mesh->positions + v * stride;
    return mesh->scalar == BW_F64 ? ((const double *)(const void *)at)[axis]
                                  : ((const float *)(const void *)at)[axis];
}

/* The place of a defect of exactly this kind, if the primitive has one. */
static bool has_defect(const bw_mesh *mesh, uint32_t primitive, bw_defect kind, bw_mesh_report *place)
{
    uint32_t v[3];
    for (uint32_t c = 0; c < 3; c++)
        v[c] = mesh->indices == NULL ? primitive : mesh->indices[3 * primitive + c];
    for (uint32_t c = 0; c < 3; c++) {
        if (kind == BW_DEFECT_INDEX && v[c] >= mesh->vertex_count) {
            place->first_vertex = v[c];
            place->first_axis = 0;
            place->first_value = 0;
            return true;
        }
        for (uint32_t k = 0; k < 3 && kind != BW_DEFECT_INDEX && kind != BW_DEFECT_ZERO_AREA; k++) {
            double x = coordinate(mesh, v[c], k);
            if ((kind == BW_DEFECT_NAN && x != x) ||
                (kind == BW_DEFECT_INFINITE && (x == INFINITY || x == -INFINITY)) ||
                (kind == BW_DEFECT_RANGE && (fabs(x) > 0x1p100 || (x != 0 && fabs(x) < 0x1p-300)))) {
                place->first_vertex = v[c];
                place->first_axis = k;
                place->first_value = x;
                return true;
            }
        }
    }
    if (kind != BW_DEFECT_ZERO_AREA || mesh->indices == NULL)
        return false;
    place->first_vertex = place->first_axis = 0;
    place->first_value = 0;
    bw_vec3 p[3];
    for (int c = 0; c < 3; c++)
        p[c] = (bw_vec3){coordinate(mesh, v[c], 0), coordinate(mesh, v[c], 1), coordinate(mesh, v[c], 2)};
    for (int axis = 0; axis < 3; axis++)
        if (bw_rational_orient2d(&p[0], &p[1], &p[2], axis) != 0)
            return false;
    return true;
}

static bw_defect first_defect(const bw_mesh *mesh, uint32_t primitive, bool areas, bw_mesh_report *place)
{
    for (int kind = BW_DEFECT_INDEX; kind < (areas ? BW_DEFECT_COUNT : BW_DEFECT_ZERO_AREA); kind++)
        if (has_defect(mesh, primitive, (bw_defect)kind, place))
            return (bw_defect)kind;
    return BW_DEFECT_NONE;
}

bw_defect damaged_defect(const bw_mesh *mesh, uint32_t primitive, bool areas)
{
    bw_mesh_report place = {0};
    return first_defect(mesh, primitive, areas, &place);
}

void damaged_expect(const bw_mesh *mesh, bool areas, bw_mesh_report *report)
{
    memset(report, 0, sizeof *report);
    report->primitives = mesh->indices == NULL ? mesh->vertex_count : mesh->triangle_count;
    for (uint32_t i = 0; i < report->primitives; i++) {
        bw_mesh_report place = {0};
        bw_defect defect = first_defect(mesh, i, areas, &place);
        report->counts[defect]++;
        if (defect == BW_DEFECT_NONE || report->defective++ > 0)
            continue;
        report->first = defect;
        report->first_primitive = i;
        report->first_vertex = place.first_vertex;
        report->first_axis = place.first_axis;
        report->first_value = place.first_value;
    }
    for (uint32_t v = 0; v < mesh->vertex_count && areas && mesh->indices != NULL; v++) {
        bool used = false;
        for (uint32_t i = 0; i < 3 * mesh->triangle_count; i++)
            used |= mesh->indices[i] == v;
        report->unused_vertices += !used;
    }
}
