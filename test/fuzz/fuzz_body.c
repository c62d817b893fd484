#include "fuzz/fuzz_body.h"

#include <math.h>

static void remove_some(fuzz_body *f, bytes *b)
{
    uint32_t list[FUZZ_MOST] = {0}, count = 0;
    uint8_t share = bytes_u8(b);
    for (uint32_t i = 0; i < f->count; i++)
        if (f->in[i] && bytes_u8(b) < share)
            list[count++] = i;
    must(bw_tree_remove(f->tree, &f->m.mesh, list, count, NULL) == BW_OK);
    for (uint32_t i = 0; i < count; i++)
        f->in[list[i]] = false;
    must(bw_tree_check(f->tree, &f->m.mesh) == NULL);
}

bool fuzz_body_take(fuzz_body *out, bytes *b)
{
    memset(out, 0, sizeof *out);
    uint8_t how = bytes_u8(b);
    const bw_transform *pose = fuzz_pose_take(b, &out->pose);
    fuzz_mesh_take(&out->m, b);
    bw_tree_desc desc = {.builder = how & 1 ? BW_BUILDER_FAST : BW_BUILDER_QUALITY,
                         .compact = (how & 2) != 0,
                         .quarantine = how & 4 ? BW_DEFECTS_ALL : BW_DEFECTS_FATAL};
    if (!out->m.readable || bw_tree_create(&desc, &out->m.mesh, &out->tree, NULL) != BW_OK) {
        fuzz_mesh_free(&out->m);
        return false;
    }
    out->body = (bw_body){out->tree, &out->m.mesh, pose};
    out->count = bw_mesh_primitive_count(&out->m.mesh);
    must(out->count <= FUZZ_MOST);
    for (uint32_t i = 0; i < out->count; i++)
        out->in[i] = true;
    uint32_t quarantined;
    const uint32_t *quarantine = bw_tree_quarantine(out->tree, &quarantined);
    for (uint32_t i = 0; i < quarantined; i++)
        out->in[quarantine[i]] = false;
    if (how & 8)
        remove_some(out, b);
    return true;
}

void fuzz_body_free(fuzz_body *f)
{
    bw_tree_destroy(f->tree);
    fuzz_mesh_free(&f->m);
}

void fuzz_body_corners(const fuzz_body *f, uint32_t primitive, bw_vec3 out[3])
{
    bw_mesh_corners(f->body.mesh, primitive, out);
    for (int i = 0; i < 3 && f->body.pose != NULL; i++)
        out[i] = bw_transform_point(f->body.pose, out[i]);
}

fuzz_range fuzz_body_range(const fuzz_body *f)
{
    const bw_transform *pose = f->body.pose;
    if (pose == NULL)
        return FUZZ_SURE;
    bw_box bounds = bw_tree_bounds(f->tree);
    double largest = 0;
    for (int i = 0; i < 3; i++) {
        double reach = fabs(pose->m[i][3]);
        for (int j = 0; j < 4; j++) {
            if (!isfinite(pose->m[i][j]))
                return FUZZ_NOT_FINITE;
            if (j < 3)
                reach += fabs(pose->m[i][j]) * (double)fmaxf(fabsf(bounds.min[j]), fabsf(bounds.max[j]));
        }
        largest = fmax(largest, reach);
    }
    if (!(largest <= 0.5 * BW_COORDINATE_MAX)) /* the bound may be wider than any coordinate */
        return FUZZ_DOUBTFUL;
    for (uint32_t i = 0; i < f->count; i++) {
        bw_vec3 corners[3];
        if (!f->in[i])
            continue;
        fuzz_body_corners(f, i, corners);
        if (!bw_exact_range(corners, 3))
            return FUZZ_DOUBTFUL;
    }
    return FUZZ_SURE;
}

bool fuzz_answered(bw_result result, fuzz_range a, fuzz_range b)
{
    if (a == FUZZ_SURE && b == FUZZ_SURE) {
        must(result == BW_OK);
        return true;
    }
    bool infinite = a == FUZZ_NOT_FINITE || b == FUZZ_NOT_FINITE;
    bool doubtful = a == FUZZ_DOUBTFUL || b == FUZZ_DOUBTFUL;
    must((infinite && result == BW_ERROR_NOT_FINITE) || (doubtful && result == BW_ERROR_RANGE) ||
         (!infinite && result == BW_OK));
    return false;
}

double fuzz_body_size(const fuzz_body *f)
{
    double size = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        bw_vec3 c[3];
        if (!f->in[i])
            continue;
        fuzz_body_corners(f, i, c);
        for (int k = 0; k < 3; k++)
            size = fmax(size, fmax(fabs(c[k].x), fmax(fabs(c[k].y), fabs(c[k].z))));
    }
    return size;
}
