/* Features by their numbers: which vertices of which meshes make them, and how thick they are. */
#include "swept/search/features.h"

/* What a feature is on each side: 1 vertex, 2 edge, 3 face; 0: there is no such pair. */
static const uint8_t kinds[BW_SWEPT_FEATURES][2] = {
    [BW_CCD_VERTEX_FACE] = {1, 3}, [BW_CCD_FACE_VERTEX] = {3, 1}, [BW_CCD_EDGE_EDGE] = {2, 2},
    [BW_CCD_VERTEX_EDGE] = {1, 2}, [BW_CCD_EDGE_VERTEX] = {2, 1}, [BW_CCD_VERTEX_VERTEX] = {1, 1}};

static bool has(const bw_swept *s, int kind, uint32_t number)
{
    return number < (kind == 1 ? s->vertex_count : kind == 2 ? s->edge_count : s->triangle_count);
}

bool bw_swept_has(const bw_swept *a, const bw_swept *b, bw_ccd_feature feature, uint32_t number_a,
                  uint32_t number_b)
{
    return (unsigned)feature < BW_SWEPT_FEATURES && kinds[feature][0] != 0 &&
           has(a, kinds[feature][0], number_a) && has(b, kinds[feature][1], number_b);
}

double bw_swept_pair_thickness(bw_ccd_feature feature, const uint32_t vertices[4],
                               const bw_swept *const meshes[4])
{
    double side[2] = {0, 0};
    for (int i = 0; i < 4; i++) {
        double here = bw_swept_thickness(&meshes[i]->paths[vertices[i]]);
        int of = feature == BW_CCD_EDGE_EDGE ? i / 2 : i > 0;
        side[of] = here > side[of] ? here : side[of];
    }
    return side[0] + side[1];
}

bw_result bw_swept_candidate_vertices(const bw_swept *a, const bw_swept *b,
                                      const bw_swept_candidate *candidate, uint32_t vertices[4])
{
    const bw_swept *meshes[4];
    b = b == NULL ? a : b;
    if (a == NULL || candidate == NULL || vertices == NULL ||
        !bw_swept_has(a, b, candidate->feature, candidate->a, candidate->b))
        return BW_ERROR_ARGUMENT;
    bw_swept_vertices_of(a, b, candidate->feature, candidate->a, candidate->b, vertices, meshes);
    return BW_OK;
}
