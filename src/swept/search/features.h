/* Features by their numbers: see features.c. */
#ifndef BW_SWEPT_SEARCH_FEATURES_H
#define BW_SWEPT_SEARCH_FEATURES_H

#include "swept/swept.h"

/* The vertices of a pair, and of which meshes they are. */
static inline void bw_swept_vertices_of(const bw_swept *a, const bw_swept *b, bw_ccd_feature feature,
                                        uint32_t number_a, uint32_t number_b, uint32_t vertices[4],
                                        const bw_swept *meshes[4])
{
    if (feature == BW_CCD_EDGE_EDGE) {
        for (int i = 0; i < 2; i++) {
            vertices[i] = a->edges[number_a][i];
            vertices[2 + i] = b->edges[number_b][i];
            meshes[i] = a;
            meshes[2 + i] = b;
        }
        return;
    }
    /* The vertex stands first, whichever mesh it is of. */
    bool turned = feature == BW_CCD_FACE_VERTEX || feature == BW_CCD_EDGE_VERTEX,
         face = feature == BW_CCD_VERTEX_FACE || feature == BW_CCD_FACE_VERTEX;
    const bw_swept *other = turned ? a : b;
    uint32_t number = turned ? number_a : number_b, last = face ? 2 : feature != BW_CCD_VERTEX_VERTEX;
    const uint32_t *corners = face ? other->faces[number] : last == 1 ? other->edges[number] : &number;
    vertices[0] = turned ? number_b : number_a;
    meshes[0] = turned ? b : a;
    for (uint32_t i = 0; i < 3; i++) {
        vertices[1 + i] = corners[i < last ? i : last];
        meshes[1 + i] = other;
    }
}

/* Whether the meshes have such features. */
bool bw_swept_has(const bw_swept *a, const bw_swept *b, bw_ccd_feature feature, uint32_t number_a,
                  uint32_t number_b);
/* The thicknesses of both sides of a pair together. */
double bw_swept_pair_thickness(bw_ccd_feature feature, const uint32_t vertices[4],
                               const bw_swept *const meshes[4]);

#endif
