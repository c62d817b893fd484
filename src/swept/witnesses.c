/* The nearest points of two features of a step at a time, with weights and normal. */
#include "swept/witnesses.h"
#include "swept/search/features.h"

#include "base/fault.h"
#include "geom/vec.h"

void bw_swept_moment_of(const bw_swept *a, const bw_swept *b, bw_ccd_feature feature, uint32_t number_a,
                        uint32_t number_b, double time, bw_swept_moment *out)
{
    uint32_t vertices[4];
    const bw_swept *meshes[4];
    bw_swept_vertices_of(a, b, feature, number_a, number_b, vertices, meshes);
    for (int i = 0; i < 4; i++) {
        const double *at = meshes[i]->paths[vertices[i]].at;
        const bw_vec3 start = {at[0], at[1], at[2]}, end = {at[4], at[5], at[6]};
        out->velocities[i] = bw_vec3_sub(end, start);
        /* Both ends as they were given. */
        out->points[i] = time == 1 ? end : bw_vec3_add(start, bw_vec3_scale(out->velocities[i], time));
    }
    bool face = feature == BW_CCD_VERTEX_FACE || feature == BW_CCD_FACE_VERTEX,
         vertices_only = feature == BW_CCD_VERTEX_VERTEX, edges = feature == BW_CCD_EDGE_EDGE;
    out->features = (bw_ccd_features){edges ? 2 : 1,
                                      face            ? 3
                                      : vertices_only ? 1
                                                      : 2,
                                      out->points, out->velocities};
}

bw_swept_witness bw_swept_witness_from(bw_ccd_feature feature, const bw_ccd_witness *w)
{
    bool turned = feature == BW_CCD_FACE_VERTEX || feature == BW_CCD_EDGE_VERTEX;
    return (bw_swept_witness){.weights = {w->weights[0], w->weights[1], w->weights[2], w->weights[3]},
                              .point_a = turned ? w->on_second : w->on_first,
                              .point_b = turned ? w->on_first : w->on_second,
                              .normal = turned ? w->normal : bw_vec3_sub((bw_vec3){0, 0, 0}, w->normal),
                              .distance = w->distance};
}

bw_result bw_swept_witnesses(const bw_swept *a, const bw_swept *b, const bw_swept_contact *contacts,
                             uint64_t contact_count, bw_swept_witness *out, bw_fault *fault)
{
    b = b == NULL ? a : b;
    if (a == NULL || ((contacts == NULL || out == NULL) && contact_count > 0))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    for (uint64_t i = 0; i < contact_count; i++) {
        const bw_swept_contact *c = &contacts[i];
        if (!bw_swept_has(a, b, c->feature, c->a, c->b) || !(c->first.time >= 0 && c->first.time <= 1))
            return bw_fail_at(fault, BW_ERROR_ARGUMENT, i < BW_NONE ? (uint32_t)i : BW_NONE);
    }
    for (uint64_t i = 0; i < contact_count; i++) {
        const bw_swept_contact *c = &contacts[i];
        bw_swept_moment moment;
        bw_ccd_witness witness;
        bw_swept_moment_of(a, b, c->feature, c->a, c->b, c->first.time, &moment);
        bw_ccd_witness_of(&moment.features, &witness);
        out[i] = bw_swept_witness_from(c->feature, &witness);
    }
    return bw_fail(fault, BW_OK);
}
