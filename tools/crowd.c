#include "crowd.h"

#include <boxwood/pool.h>

#include "scenes/balls.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool crowd_make(crowd *out, const char *spread, uint32_t count, uint64_t seed, fault *why)
{
    const char *wanted = spread == NULL ? bws_spread_names[BWS_SPREAD_UNIFORM] : spread;
    *out = (crowd){.count = count, .query_size = 10, .up = MODEL_UP_Z};
    snprintf(out->name, sizeof out->name, "%s", wanted);
    int kind = 0;
    while (kind < BWS_SPREAD_COUNT && strcmp(wanted, bws_spread_names[kind]) != 0)
        kind++;
    if (kind == BWS_SPREAD_COUNT && strcmp(wanted, "city") != 0)
        return fault_set(
            why, "--spread %s: not known; there are uniform, clustered, lissajous, sphere and city", wanted);
    out->boxes = tool_alloc(count, sizeof *out->boxes);
    if (kind == BWS_SPREAD_COUNT) {
        bws_city(count, seed, out->boxes, &out->solid);
        out->solid_share = 1;
        return true;
    }
    bws_random random = bws_random_seeded(seed);
    double side = 10 * cbrt(count);
    for (uint32_t i = 0; i < count; i++) {
        bws_ball ball = bws_ball_random((bws_spread)kind, side, &random);
        out->boxes[i] = bws_ball_box(&ball);
    }
    out->solid = count;
    out->solid_share = 0.577; /* the largest cube in a ball: 1 / sqrt(3), rounded down */
    return true;
}

bool crowd_read(crowd *out, const char *const *files, int count, const unit_wish *stated, bool keep_going,
                fault *why)
{
    *out = (crowd){.has_files = true};
    snprintf(out->name, sizeof out->name, "files");
    const assembly_desc desc = {.quarantine = keep_going,
                                .keep_going = keep_going,
                                .quarantine_option = "--keep-going",
                                .units = stated};
    if (!assembly_read(&out->assembly, files, (uint32_t)count, &desc, why))
        return false;
    out->unit = out->assembly.unit;
    out->up = out->assembly.up != MODEL_UP_UNKNOWN ? out->assembly.up : MODEL_UP_Z;
    /* Threads start after the files are read: readers may fork. */
    bw_pool *threads = NULL;
    if (bw_pool_create(0, &threads, NULL) != BW_OK)
        return fault_set(why, "cannot start %u threads", bw_pool_default_workers());
    bool fine = assembly_build(&out->assembly, &desc, bw_pool_tasks(threads), why);
    bw_pool_destroy(threads);
    if (!fine)
        return false;
    out->count = out->assembly.part_count;
    out->boxes = tool_alloc(out->count, sizeof *out->boxes);
    double sum = 0;
    for (uint32_t i = 0; i < out->count; i++) {
        out->boxes[i] = out->assembly.parts[i].box;
        for (int a = 0; a < 3; a++) {
            if (!(fabsf(out->boxes[i].min[a]) <= BW_SCENE_COORDINATE_MAX) ||
                !(fabsf(out->boxes[i].max[a]) <= BW_SCENE_COORDINATE_MAX)) {
                char name[4096];
                assembly_name(&out->assembly, i, name, sizeof name);
                return fault_set(why, "%s: its coordinates are too large for a scene", name);
            }
            sum += ((double)out->boxes[i].max[a] - (double)out->boxes[i].min[a]) / 3;
        }
    }
    out->query_size = sum / out->count;
    return true;
}

void crowd_free(crowd *c)
{
    free(c->boxes);
    if (c->has_files)
        assembly_free(&c->assembly);
}

bool crowd_occluder(void *user, const bw_scene_object *object, bw_occluder *out)
{
    static const uint32_t cube[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                      2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    crowd *c = user;
    if (c->has_files) {
        const assembly_part *part = &c->assembly.parts[object->user];
        const bw_mesh *view = &c->assembly.meshes[part->mesh].view;
        if (view->indices == NULL)
            return false;
        *out = (bw_occluder){.mesh = view, .pose = part->pose};
        return true;
    }
    if (object->user >= c->solid)
        return false;
    const bw_box *box = &c->boxes[object->user];
    for (int v = 0; v < 8; v++)
        for (int a = 0; a < 3; a++) {
            float middle = 0.5f * (box->min[a] + box->max[a]);
            float side = (v >> a & 1) != 0 ? box->max[a] : box->min[a];
            c->cube[3 * v + a] = c->solid_share < 1 ? middle + (float)c->solid_share * (side - middle) : side;
        }
    c->cube_mesh = (bw_mesh){.positions = c->cube, .vertex_count = 8, .indices = cube, .triangle_count = 12};
    *out = (bw_occluder){.mesh = &c->cube_mesh, .closed = true};
    return true;
}
