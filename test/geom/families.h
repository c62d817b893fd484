/* Families of triangle pairs, ordinary and adversarial, on which exact tests are compared with the oracle. */
#ifndef BW_TEST_GEOM_FAMILIES_H
#define BW_TEST_GEOM_FAMILIES_H

#include "scenes/random.h"
#include <boxwood/math.h>

typedef struct bw_family {
    const char *name;
    void (*make)(bws_random *random, bw_vec3 a[3], bw_vec3 b[3]);
    bool ordinary; /* pairs as meshes have them: the filter must decide more than 99 % */
} bw_family;

extern const bw_family bw_families[];
extern const int bw_family_count;

/* A pair of the family, its triangles and corners in random order; all coordinates are in the exact range. */
void bw_family_pair(const bw_family *family, bws_random *random, bw_vec3 a[3], bw_vec3 b[3]);

#endif
