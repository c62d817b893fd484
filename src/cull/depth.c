/* The depth buffer of occlusion culling and its pyramid (Greene, Kass and Miller 1993). */
#include "cull/depth.h"

#include "base/fault.h"
#include "scene/region_test.h"

#include <math.h>
#include <string.h>

bw_result bw_depth_create_at(const bw_allocator *allocator, uint32_t width, uint32_t height, bw_simd simd,
                             bw_depth **out)
{
    if (out == NULL || width < 1 || height < 1 || width > BW_DEPTH_SIZE_MAX || height > BW_DEPTH_SIZE_MAX)
        return BW_ERROR_ARGUMENT;
    bw_allocator hook = bw_allocator_or_heap(allocator);
    bw_depth *depth = bw_allocate_zero(&hook, 1, sizeof *depth);
    if (depth == NULL)
        return BW_ERROR_MEMORY;
    depth->allocator = hook;
    depth->simd = bw_simd_level(simd);
    depth->width = width;
    depth->height = height;
    bool ok = true;
    for (uint32_t w = width, h = height;; w = (w + 1) / 2, h = (h + 1) / 2) {
        uint32_t l = depth->levels++;
        depth->level_width[l] = w;
        depth->level_height[l] = h;
        depth->level[l] = bw_allocate_zero(&hook, (size_t)w * h, sizeof(float));
        ok &= depth->level[l] != NULL;
        if (!ok || (w == 1 && h == 1))
            break;
    }
    if (!ok) {
        bw_depth_destroy(depth);
        return BW_ERROR_MEMORY;
    }
    /* A view until one is given: every box is seen, since nothing is drawn. */
    bw_view view = {.forward = {0, 0, 1}, .up = {0, 1, 0}};
    (void)bw_camera_of(&view, &depth->camera);
    *out = depth;
    return BW_OK;
}

bw_result bw_depth_create(const bw_allocator *allocator, uint32_t width, uint32_t height, bw_depth **out,
                          bw_fault *fault)
{
    return bw_fail(fault, bw_depth_create_at(allocator, width, height, BW_SIMD_AUTO, out));
}

void bw_depth_destroy(bw_depth *depth)
{
    if (depth == NULL)
        return;
    bw_allocator hook = depth->allocator;
    for (uint32_t l = 0; l < depth->levels; l++)
        bw_release(&hook, depth->level[l], (size_t)depth->level_width[l] * depth->level_height[l],
                   sizeof(float));
    bw_release(&hook, depth, 1, sizeof *depth);
}

bw_result bw_depth_begin(bw_depth *depth, const bw_view *view, bw_fault *fault)
{
    if (depth == NULL || view == NULL)
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_result result = bw_camera_of(view, &depth->camera);
    if (result != BW_OK)
        return bw_fail(fault, result);
    for (uint32_t l = 0; l < depth->levels; l++)
        memset(depth->level[l], 0, (size_t)depth->level_width[l] * depth->level_height[l] * sizeof(float));
    memset(depth->dirty, 0, sizeof depth->dirty);
    return bw_fail(fault, BW_OK);
}

/* ---- the pyramid (Greene, Kass and Miller 1993) ---- */

static void refresh(bw_depth *depth)
{
    uint32_t x0 = depth->dirty[0], y0 = depth->dirty[1], x1 = depth->dirty[2], y1 = depth->dirty[3];
    if (x0 >= x1 || y0 >= y1)
        return;
    for (uint32_t l = 1; l < depth->levels; l++) {
        const float *below = depth->level[l - 1];
        float *here = depth->level[l];
        uint32_t bw = depth->level_width[l - 1], bh = depth->level_height[l - 1], w = depth->level_width[l];
        x0 /= 2;
        y0 /= 2;
        x1 = (x1 + 1) / 2;
        y1 = (y1 + 1) / 2;
        for (uint32_t y = y0; y < y1; y++) {
            /* At an odd edge the last row or column stands alone. */
            const float *a = below + (size_t)(2 * y) * bw;
            const float *b = 2 * y + 1 < bh ? a + bw : a;
            for (uint32_t x = x0; x < x1; x++) {
                uint32_t right = 2 * x + 1 < bw ? 2 * x + 1 : 2 * x;
                float p = a[2 * x] < a[right] ? a[2 * x] : a[right];
                float q = b[2 * x] < b[right] ? b[2 * x] : b[right];
                here[(size_t)y * w + x] = p < q ? p : q;
            }
        }
    }
    memset(depth->dirty, 0, sizeof depth->dirty);
}

bool bw_depth_footprint(const bw_depth *depth, const bw_box *box, bw_footprint *out)
{
    const bw_camera *c = &depth->camera;
    bw_footprint f = {INFINITY, INFINITY, -INFINITY, -INFINITY, 0};
    double least = INFINITY;
    for (int corner = 0; corner < 8; corner++) {
        double point[3], seen[3];
        for (int i = 0; i < 3; i++)
            point[i] = (double)((corner >> i & 1) != 0 ? box->max[i] : box->min[i]);
        bw_camera_see(c, point, seen);
        if (!(seen[2] > c->nearest))
            return false;
        double x = seen[0] / (seen[2] * c->tan_x), y = -seen[1] / (seen[2] * c->tan_y);
        f.x0 = x < f.x0 ? x : f.x0;
        f.x1 = x > f.x1 ? x : f.x1;
        f.y0 = y < f.y0 ? y : f.y0;
        f.y1 = y > f.y1 ? y : f.y1;
        least = seen[2] < least ? seen[2] : least;
    }
    /* A millionth of the picture more than computed, so that no rounding takes a pixel away. */
    f.x0 = 0.5 * depth->width * (1 + f.x0 - 1e-6);
    f.x1 = 0.5 * depth->width * (1 + f.x1 + 1e-6);
    f.y0 = 0.5 * depth->height * (1 + f.y0 - 1e-6);
    f.y1 = 0.5 * depth->height * (1 + f.y1 + 1e-6);
    f.nearest = 1 / least;
    *out = f;
    return true;
}

/* Whether some pixel of a rectangle is not nearer than the limit: from the top of the pyramid down, where a
 * square's farthest pixel does not settle it. */
static bool reaches(const bw_depth *depth, uint32_t level, const uint32_t rect[4], float limit)
{
    uint32_t x0 = rect[0] >> level, y0 = rect[1] >> level, x1 = rect[2] >> level, y1 = rect[3] >> level;
    for (uint32_t y = y0; y <= y1; y++)
        for (uint32_t x = x0; x <= x1; x++) {
            if (depth->level[level][(size_t)y * depth->level_width[level] + x] > limit)
                continue;
            if (level == 0)
                return true;
            uint32_t part[4] = {x << level, y << level, ((x + 1) << level) - 1, ((y + 1) << level) - 1};
            part[0] = part[0] > rect[0] ? part[0] : rect[0];
            part[1] = part[1] > rect[1] ? part[1] : rect[1];
            part[2] = part[2] < rect[2] ? part[2] : rect[2];
            part[3] = part[3] < rect[3] ? part[3] : rect[3];
            if (reaches(depth, level - 1, part, limit))
                return true;
        }
    return false;
}

bool bw_depth_hides_footprint(bw_depth *depth, const bw_footprint *f)
{
    /* Outside the picture there is nothing to see. */
    if (!(f->x1 >= 0 && f->y1 >= 0 && f->x0 < depth->width && f->y0 < depth->height))
        return true;
    refresh(depth);
    uint32_t rect[4] = {f->x0 > 0 ? (uint32_t)f->x0 : 0, f->y0 > 0 ? (uint32_t)f->y0 : 0,
                        f->x1 < depth->width - 1 ? (uint32_t)f->x1 : depth->width - 1,
                        f->y1 < depth->height - 1 ? (uint32_t)f->y1 : depth->height - 1};
    uint32_t level = 0, size = rect[2] - rect[0] > rect[3] - rect[1] ? rect[2] - rect[0] : rect[3] - rect[1];
    while (level + 1 < depth->levels && size >> level > 2)
        level++;
    /* The next float up: a box that just touches what hides it is hidden by none. */
    float limit = (float)f->nearest;
    if ((double)limit < f->nearest)
        limit = nextafterf(limit, INFINITY);
    return !reaches(depth, level, rect, limit);
}

bool bw_depth_hides(bw_depth *depth, const bw_box *box)
{
    bw_footprint f;
    if (depth == NULL || box == NULL || bw_object_box_check(box, NULL) != BW_OK ||
        !bw_depth_footprint(depth, box, &f))
        return false;
    return bw_depth_hides_footprint(depth, &f);
}

const float *bw_depth_values(const bw_depth *depth, uint32_t *width, uint32_t *height)
{
    if (depth == NULL || width == NULL || height == NULL)
        return NULL;
    *width = depth->width;
    *height = depth->height;
    return depth->level[0];
}

const float *bw_depth_level(bw_depth *depth, uint32_t level, uint32_t *width, uint32_t *height)
{
    if (depth == NULL || width == NULL || height == NULL || level >= depth->levels)
        return NULL;
    refresh(depth);
    *width = depth->level_width[level];
    *height = depth->level_height[level];
    return depth->level[level];
}
