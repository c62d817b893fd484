/* What JavaScript needs beside the library in the full build: occluders without callbacks, and a clock. */
#include "door.h"

#include <stdlib.h>
#include <string.h>

/* ---- the clock ---- */

/* The module imports nothing, so it has no clock: it stands still, and queries within a time are made of steps by JavaScript, which has one. */
int clock_gettime(const void *clock, void *now);
int clock_gettime(const void *clock, void *now)
{
    (void)clock;
    (void)now;
    return 0;
}

/* ---- occluders ---- */

/* Occluders by the objects' user values: 1 and more name one of a table, 0 has none; or the box of each object itself. */
struct bwx_occluders {
    bw_occluder *table;
    uint32_t count;
    bool boxes;
    float corners[8][3];
    bw_mesh box;
    bw_occluder of_box;
};

static const uint32_t box_triangles[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                           2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};

static bool occluder_of(void *user, const bw_scene_object *object, bw_occluder *out)
{
    bwx_occluders *all = user;
    if (all->boxes) {
        bw_box box;
        if (bw_scene_get(object->scene, object->id, &box, NULL, NULL) != BW_OK)
            return false;
        for (int i = 0; i < 8; i++)
            for (int axis = 0; axis < 3; axis++)
                all->corners[i][axis] = (i >> axis & 1) != 0 ? box.max[axis] : box.min[axis];
        *out = all->of_box;
        return true;
    }
    if (object->user == 0 || object->user > all->count)
        return false;
    *out = all->table[object->user - 1];
    return true;
}

bwx_occluders *bwx_occluders_create(uint32_t boxes)
{
    bwx_occluders *all = calloc(1, sizeof *all);
    if (all == NULL)
        return NULL;
    all->boxes = boxes != 0;
    all->box = (bw_mesh){
        .positions = all->corners, .vertex_count = 8, .indices = box_triangles, .triangle_count = 12};
    all->of_box = (bw_occluder){.mesh = &all->box, .closed = true};
    return all;
}

void bwx_occluders_destroy(bwx_occluders *all)
{
    if (all != NULL)
        free(all->table);
    free(all);
}

/* The table belongs to the occluders from now on, its meshes do not. */
bool bwx_occluders_set(bwx_occluders *all, const bw_occluder *table, uint32_t count)
{
    bw_occluder *copy = NULL;
    if (count > 0) {
        copy = malloc(count * sizeof *copy);
        if (copy == NULL)
            return false;
        memcpy(copy, table, count * sizeof *copy);
    }
    free(all->table);
    all->table = copy;
    all->count = count;
    return true;
}

bw_result bwx_cull_create(bwx_occluders *all, bw_cull_desc *desc, bw_cull **out, bw_fault *fault)
{
    if (all != NULL) {
        desc->occluder_of = occluder_of;
        desc->user = all;
    }
    return bw_cull_create(desc, out, fault);
}
