#include "oracle/brute_force.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A primitive that takes part, in the frame of the test. */
typedef struct part {
    bw_vec3 corner[3];
    double min[3], max[3];
    uint32_t primitive;
} part;

static void *must_allocate(void *old, size_t bytes)
{
    void *memory = realloc(old, bytes == 0 ? 1 : bytes);
    if (memory == NULL) {
        fprintf(stderr, "brute force: out of memory\n");
        abort();
    }
    return memory;
}

/* The relative pose as bw_collide documents it; *map is false where no coordinate is touched. */
static bw_result relative_pose(const bw_body *a, const bw_body *b, bw_transform *out, bool *map)
{
    *map = a->pose != NULL || b->pose != NULL;
    if (a->pose == NULL) {
        if (*map)
            *out = *b->pose;
        return BW_OK;
    }
    bw_result result = bw_transform_invert(a->pose, out);
    if (result == BW_OK && b->pose != NULL)
        *out = bw_transform_multiply(out, b->pose);
    return result;
}

static bool in_quarantine(const bw_tree *tree, uint32_t primitive)
{
    uint32_t count = 0;
    const uint32_t *list = tree == NULL ? NULL : bw_tree_quarantine(tree, &count);
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == primitive)
            return true;
    return false;
}

static bool is_sound(const bw_mesh *mesh, uint32_t primitive)
{
    for (uint32_t c = 0; c < 3 && mesh->indices != NULL; c++)
        if (mesh->indices[3 * (size_t)primitive + c] >= mesh->vertex_count)
            return false;
    bw_vec3 corner[3];
    bw_mesh_corners(mesh, primitive, corner);
    for (int c = 0; c < 3; c++) {
        const double x[3] = {corner[c].x, corner[c].y, corner[c].z};
        for (int k = 0; k < 3; k++)
            if (!(x[k] == 0 || (fabs(x[k]) <= BW_COORDINATE_MAX && fabs(x[k]) >= BW_EXACT_MIN)))
                return false;
    }
    return true;
}

static bw_result gather(const bw_body *body, const bw_transform *map, part **out, size_t *count)
{
    uint32_t primitives = bw_mesh_primitive_count(body->mesh);
    part *parts = must_allocate(NULL, primitives * sizeof *parts);
    *count = 0;
    for (uint32_t i = 0; i < primitives; i++) {
        if (!is_sound(body->mesh, i) || in_quarantine(body->tree, i))
            continue;
        part *p = &parts[(*count)++];
        p->primitive = i;
        bw_mesh_corners(body->mesh, i, p->corner);
        for (int k = 0; k < 3; k++) {
            p->min[k] = INFINITY;
            p->max[k] = -INFINITY;
        }
        for (int c = 0; c < 3; c++) {
            if (map != NULL)
                p->corner[c] = bw_transform_point(map, p->corner[c]);
            const double x[3] = {p->corner[c].x, p->corner[c].y, p->corner[c].z};
            for (int k = 0; k < 3; k++) {
                p->min[k] = fmin(p->min[k], x[k]);
                p->max[k] = fmax(p->max[k], x[k]);
            }
        }
        if (!bw_exact_range(p->corner, 3)) {
            free(parts);
            return BW_ERROR_RANGE;
        }
    }
    *out = parts;
    return BW_OK;
}

static bool boxes_meet(const part *a, const part *b)
{
    for (int k = 0; k < 3; k++)
        if (a->min[k] > b->max[k] || b->min[k] > a->max[k])
            return false;
    return true;
}

static bw_brute_force all_pairs(const part *as, size_t a_count, const part *bs, size_t b_count)
{
    bw_brute_force list = {must_allocate(NULL, 0), 0};
    uint64_t room = 0;
    for (size_t i = 0; i < a_count; i++) {
        for (size_t j = 0; j < b_count; j++) {
            if (!boxes_meet(&as[i], &bs[j]))
                continue;
            bw_contact kind = bw_triangle_triangle(as[i].corner, bs[j].corner);
            if (kind == BW_CONTACT_NONE)
                continue;
            if (list.count == room) {
                room = 2 * room + 64;
                list.hits = must_allocate(list.hits, room * sizeof *list.hits);
            }
            list.hits[list.count++] = (bw_hit){as[i].primitive, bs[j].primitive, kind};
        }
    }
    return list;
}

bw_result bw_brute_force_pairs(const bw_body *a, const bw_body *b, bw_brute_force *out)
{
    bw_transform relative;
    bool map;
    bw_result result = relative_pose(a, b, &relative, &map);
    part *as = NULL, *bs = NULL;
    size_t a_count = 0, b_count = 0;
    if (result == BW_OK)
        result = gather(a, NULL, &as, &a_count);
    if (result == BW_OK)
        result = gather(b, map ? &relative : NULL, &bs, &b_count);
    if (result == BW_OK)
        *out = all_pairs(as, a_count, bs, b_count);
    free(as);
    free(bs);
    return result;
}

void bw_brute_force_free(bw_brute_force *truth)
{
    free(truth->hits);
    *truth = (bw_brute_force){0};
}

static int compare(const void *p, const void *q)
{
    const bw_hit *a = p, *b = q;
    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    return a->b < b->b ? -1 : a->b > b->b;
}

void bw_brute_force_sort(bw_hit *hits, uint64_t count)
{
    if (count > 0)
        qsort(hits, count, sizeof *hits, compare);
}

bool bw_brute_force_contains(const bw_brute_force *truth, const bw_hit *hit)
{
    const bw_hit *found = bsearch(hit, truth->hits, truth->count, sizeof *hit, compare);
    return found != NULL && found->kind == hit->kind;
}
