/* Tests of boxes against regions: box, sphere, ray, planes, capsule. */
#include "scene/region_test.h"

#include "base/memory.h"
#include "base/sized.h"
#include "geom/ray.h"

#include <float.h>
#include <math.h>
#include <string.h>

bw_result bw_object_box_check(const bw_box *box, bw_fault *where)
{
    bool valid = true;
    for (int i = 0; i < 3; i++)
        valid &= box->min[i] <= box->max[i] && box->min[i] >= -BW_SCENE_COORDINATE_MAX &&
                 box->max[i] <= BW_SCENE_COORDINATE_MAX;
    static const bw_result order[3] = {BW_ERROR_NOT_FINITE, BW_ERROR_ARGUMENT, BW_ERROR_RANGE};
    for (uint32_t k = 0; k < 18 && !valid; k++) {
        uint32_t axis = k % 3;
        bool low = k / 3 % 2 == 0;
        float side = low ? box->min[axis] : box->max[axis];
        bw_result result = order[k / 6];
        if (result == BW_ERROR_NOT_FINITE ? isfinite(side)
            : result == BW_ERROR_ARGUMENT ? !low || side <= box->max[axis]
                                          : fabsf(side) <= BW_SCENE_COORDINATE_MAX)
            continue;
        if (where != NULL) {
            where->axis = axis;
            where->value = (double)side;
        }
        return result;
    }
    return BW_OK;
}

static bw_result prepare_planes(const bw_region *region, bw_region_test *out)
{
    if (region->plane_count > BW_REGION_PLANES_MAX || (region->plane_count != 0 && region->planes == NULL))
        return BW_ERROR_ARGUMENT;
    for (uint32_t i = 0; i < region->plane_count; i++) {
        const bw_plane *plane = &region->planes[i];
        for (int k = 0; k < 4; k++) {
            float value = k < 3 ? plane->n[k] : plane->d;
            if (!isfinite(value))
                return BW_ERROR_NOT_FINITE;
            /* Beyond this a product could overflow, and infinities cancel. */
            if (fabsf(value) > (k < 3 ? 0x1p60f : 0x1p124f))
                return BW_ERROR_RANGE;
        }
    }
    out->planes = region->planes;
    out->plane_count = region->plane_count;
    out->cache = region->cache;
    return BW_OK;
}

static bool finite3(bw_vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

bw_result bw_region_test_ray(const bw_ray *ray, bw_region_test *out)
{
    if (!finite3(ray->origin) || !finite3(ray->direction) || isnan(ray->t_max))
        return BW_ERROR_NOT_FINITE;
    if (ray->t_max < 0 || !bw_ray_has_length(ray))
        return BW_ERROR_ARGUMENT;
    out->kind = BW_REGION_RAY;
    out->origin[0] = ray->origin.x;
    out->origin[1] = ray->origin.y;
    out->origin[2] = ray->origin.z;
    const double end[3] = {ray->direction.x, ray->direction.y, ray->direction.z};
    for (int i = 0; i < 3; i++) {
        out->direction[i] = ray->between ? end[i] - out->origin[i] : end[i];
        if (!isfinite(out->direction[i]))
            return BW_ERROR_RANGE;
    }
    out->t_max = ray->t_max == 0 ? INFINITY : ray->t_max;
    out->radius = 0;
    return BW_OK;
}

/* As a ray from end to end, which may be one point, at boxes that are grown. */
static bw_result prepare_capsule(const bw_region *region, bw_region_test *out)
{
    const double from[3] = {region->centre.x, region->centre.y, region->centre.z};
    const double to[3] = {region->end.x, region->end.y, region->end.z};
    if (!finite3(region->centre) || !finite3(region->end) || isnan(region->radius))
        return BW_ERROR_NOT_FINITE;
    if (region->radius < 0)
        return BW_ERROR_ARGUMENT;
    for (int i = 0; i < 3; i++) {
        out->origin[i] = from[i];
        out->direction[i] = to[i] - from[i];
        if (!isfinite(out->direction[i]))
            return BW_ERROR_RANGE;
    }
    out->t_max = 1;
    out->radius = region->radius;
    return BW_OK;
}

bw_result bw_region_test_prepare(const bw_region *region, bw_region_test *out)
{
    bw_result result = bw_desc_check(region);
    if (result != BW_OK)
        return result;
    if (region->pose != NULL)
        return BW_ERROR_UNSUPPORTED;
    out->kind = region->kind;
    switch (region->kind) {
    case BW_REGION_BOX:
        for (int i = 0; i < 3; i++) {
            if (isnan(region->box.min[i]) || isnan(region->box.max[i]))
                return BW_ERROR_NOT_FINITE;
            if (region->box.min[i] > region->box.max[i])
                return BW_ERROR_ARGUMENT;
            /* Below infinity, which is the box of an empty slot. */
            out->query[i] = fminf(region->box.max[i], FLT_MAX);
            out->query[i + 3] = fminf(-region->box.min[i], FLT_MAX);
        }
        out->query[6] = out->query[7] = 0;
        return BW_OK;
    case BW_REGION_SPHERE:
        if (!finite3(region->centre) || isnan(region->radius))
            return BW_ERROR_NOT_FINITE;
        if (region->radius < 0)
            return BW_ERROR_ARGUMENT;
        out->centre[0] = region->centre.x;
        out->centre[1] = region->centre.y;
        out->centre[2] = region->centre.z;
        out->radius2 = region->radius * region->radius;
        return BW_OK;
    case BW_REGION_RAY:
        return bw_region_test_ray(&region->ray, out);
    case BW_REGION_PLANES:
        return prepare_planes(region, out);
    case BW_REGION_CAPSULE:
        return prepare_capsule(region, out);
    }
    return BW_ERROR_ARGUMENT;
}

double bw_region_ray_enters(const bw_region_test *test, const float packed[6])
{
    double enter = 0, leave = test->t_max;
    for (int i = 0; i < 3; i++) {
        double low = ((double)packed[i] - test->origin[i]) - test->radius,
               high = (-(double)packed[i + 3] - test->origin[i]) + test->radius;
        double d = test->direction[i];
        if (d == 0) {
            if (low > 0 || high < 0)
                return -1;
            continue;
        }
        /* A division, since 0 / d is 0 for every d, where 0 * (1 / d) may not be. */
        double first = (d > 0 ? low : high) / d, last = (d > 0 ? high : low) / d;
        enter = first > enter ? first : enter;
        leave = last < leave ? last : leave;
    }
    return enter <= leave * (1 + test->slack) ? enter : -1;
}

double bw_region_distance2(const double point[3], const float packed[6])
{
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double below = (double)packed[i] - point[i], above = point[i] + (double)packed[i + 3];
        double gap = below > above ? below : above;
        gap = gap > 0 ? gap : 0;
        sum += gap * gap;
    }
    return sum;
}

float bw_region_plane_far(const bw_plane *plane, const float packed[6])
{
    float x = plane->n[0] < 0 ? packed[0] : -packed[3];
    float y = plane->n[1] < 0 ? packed[1] : -packed[4];
    float z = plane->n[2] < 0 ? packed[2] : -packed[5];
    return ((plane->n[0] * x + plane->n[1] * y) + plane->n[2] * z) + plane->d;
}

float bw_region_plane_near(const bw_plane *plane, const float packed[6])
{
    float x = plane->n[0] < 0 ? -packed[3] : packed[0];
    float y = plane->n[1] < 0 ? -packed[4] : packed[1];
    float z = plane->n[2] < 0 ? -packed[5] : packed[2];
    return ((plane->n[0] * x + plane->n[1] * y) + plane->n[2] * z) + plane->d;
}

uint32_t bw_region_planes_cut(const bw_region_test *test, const float packed[6], uint32_t mask, bool *outside)
{
    uint32_t cut = 0;
    *outside = false;
    for (; mask != 0; mask &= mask - 1) {
        uint32_t p = (uint32_t)__builtin_ctz(mask);
        if (bw_region_plane_far(&test->planes[p], packed) < 0) {
            *outside = true;
            return 0;
        }
        if (bw_region_plane_near(&test->planes[p], packed) < 0)
            cut |= 1u << p;
    }
    return cut;
}

bool bw_region_test_meets(const bw_region_test *test, const float packed[6])
{
    switch (test->kind) {
    case BW_REGION_BOX:
        for (int i = 0; i < 6; i++)
            if (!(packed[i] <= test->query[i]))
                return false;
        return true;
    case BW_REGION_SPHERE:
        return bw_region_distance2(test->centre, packed) <= test->radius2;
    case BW_REGION_RAY:
    case BW_REGION_CAPSULE:
        return bw_region_ray_enters(test, packed) >= 0;
    case BW_REGION_PLANES:
        for (uint32_t p = 0; p < test->plane_count; p++)
            if (bw_region_plane_far(&test->planes[p], packed) < 0)
                return false;
        return true;
    }
    return false;
}

bool bw_region_meets(const bw_region *region, const bw_box *box)
{
    bw_region_test test = {0};
    if (region == NULL || box == NULL || bw_region_test_prepare(region, &test) != BW_OK)
        return false;
    float packed[6];
    for (int i = 0; i < 3; i++) {
        packed[i] = box->min[i];
        packed[i + 3] = -box->max[i];
    }
    return bw_region_test_meets(&test, packed);
}

bw_result bw_view_cache_create(const bw_allocator *allocator, bw_view_cache **out)
{
    if (out == NULL)
        return BW_ERROR_ARGUMENT;
    bw_allocator hook = bw_allocator_or_heap(allocator);
    bw_view_cache *cache = bw_allocate_zero(&hook, 1, sizeof *cache);
    if (cache == NULL)
        return BW_ERROR_MEMORY;
    cache->allocator = hook;
    *out = cache;
    return BW_OK;
}

void bw_view_cache_reset(bw_view_cache *cache)
{
    if (cache != NULL && cache->capacity != 0)
        memset(cache->planes, 0, cache->capacity);
}

void bw_view_cache_destroy(bw_view_cache *cache)
{
    if (cache == NULL)
        return;
    bw_allocator hook = cache->allocator;
    bw_release(&hook, cache->planes, cache->capacity, 1);
    bw_release(&hook, cache, 1, sizeof *cache);
}

void bw_view_cache_reserve(bw_view_cache *cache, uint32_t nodes)
{
    if (nodes <= cache->capacity)
        return;
    uint32_t capacity = nodes + nodes / 2;
    uint8_t *planes = bw_allocate_zero(&cache->allocator, capacity, 1);
    if (planes == NULL)
        return;
    if (cache->capacity != 0)
        memcpy(planes, cache->planes, cache->capacity);
    bw_release(&cache->allocator, cache->planes, cache->capacity, 1);
    cache->planes = planes;
    cache->capacity = capacity;
}
