/* A plant of many parts, all solids with plane faces, of which it is known who clashes with whom and how deep. */
#ifndef BWS_PLANT_H
#define BWS_PLANT_H

#include "scenes/scenes.h"

typedef struct bws_plant_part {
    char name[64]; /* "Level 1/Bay 3/Piping/pipe" */
    uint32_t first_triangle, triangle_count;
    uint32_t first_vertex, vertex_count; /* convex */
} bws_plant_part;

typedef struct bws_plant_clash {
    uint32_t a, b; /* parts, a < b */
    double
        depth; /* of the shortest translation that takes them apart; 0: they are mated, face on face or along a line */
    bool contained; /* b is inside a */
} bws_plant_clash;

typedef struct bws_plant {
    bws_mesh mesh; /* of all parts, one after the other; millimetres, z is up */
    bws_plant_part *parts;
    uint32_t part_count;
    bws_plant_clash *clashes; /* all there are, mated ones too; the deepest first */
    uint32_t clash_count;
} bws_plant;

/* Bays of ten parts each (0: 2,000 parts): every fifth has something that is where it should not be, every fiftieth a
 * valve in a tank, and no two are equally deep. Doubles. bws_plant_free gives it back. */
bw_result bws_plant_make(uint32_t parts, bws_plant *out);
void bws_plant_free(bws_plant *plant);

#endif
