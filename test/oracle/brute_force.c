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

bool bw_brute_relative(const bw_transform *a_pose, const bw_transform *b_pose, bw_transform *out)
{
    if (a_pose == NULL && b_pose == NULL)
        return false;
    if (a_pose == NULL) {
        *out = *b_pose;
        return true;
    }
    if (bw_transform_invert(a_pose, out) != BW_OK) {
        fprintf(stderr, "brute force: the pose has no inverse\n");
        abort();
    }
    if (b_pose != NULL)
        *out = bw_transform_multiply(out, b_pose);
    return true;
}

static bool takes_part(const bw_mesh *mesh, uint32_t primitive, uint32_t quarantine)
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
    bool areas = mesh->indices != NULL && (quarantine & BW_DEFECT_BIT(BW_DEFECT_ZERO_AREA)) != 0;
    return !(areas && bw_collinear(&corner[0], &corner[1], &corner[2]));
}

static part *gather(const bw_mesh *mesh, const bw_transform *map, uint32_t quarantine, size_t *count)
{
    uint32_t primitives = bw_mesh_primitive_count(mesh);
    part *parts = must_allocate(NULL, primitives * sizeof *parts);
    *count = 0;
    for (uint32_t i = 0; i < primitives; i++) {
        if (!takes_part(mesh, i, quarantine))
            continue;
        part *p = &parts[(*count)++];
        p->primitive = i;
        bw_mesh_corners(mesh, i, p->corner);
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
    }
    return parts;
}

static bool boxes_meet(const part *a, const part *b)
{
    for (int k = 0; k < 3; k++)
        if (a->min[k] > b->max[k] || b->min[k] > a->max[k])
            return false;
    return true;
}

bw_hit_list bw_brute_force(const bw_mesh *a, const bw_mesh *b, const bw_transform *relative,
                           uint32_t quarantine)
{
    size_t a_count, b_count, room = 0;
    part *as = gather(a, NULL, quarantine, &a_count), *bs = gather(b, relative, quarantine, &b_count);
    bw_hit_list list = {must_allocate(NULL, 0), 0};
    for (size_t i = 0; i < a_count; i++) {
        for (size_t j = 0; j < b_count; j++) {
            if (!boxes_meet(&as[i], &bs[j]))
                continue;
            bw_contact_kind kind = bw_triangle_triangle(as[i].corner, bs[j].corner);
            if (kind == BW_CONTACT_NONE)
                continue;
            if (list.count == room) {
                room = 2 * room + 64;
                list.hits = must_allocate(list.hits, room * sizeof *list.hits);
            }
            list.hits[list.count++] = (bw_hit){as[i].primitive, bs[j].primitive, kind};
        }
    }
    free(as);
    free(bs);
    return list;
}

void bw_hit_list_free(bw_hit_list *list)
{
    free(list->hits);
    *list = (bw_hit_list){0};
}

static int compare(const void *p, const void *q)
{
    const bw_hit *a = p, *b = q;
    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    return a->b < b->b ? -1 : a->b > b->b;
}

void bw_hits_sort(bw_hit *hits, size_t count)
{
    qsort(hits, count, sizeof *hits, compare);
}
