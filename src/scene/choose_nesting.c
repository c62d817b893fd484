/* What BW_NESTING_AUTO chooses. The modern tree puts every object into a leaf, so an object far larger than
 * its leaf stretches the leaf's box; where many leaves hold one such, queries must read them all. Shagam's
 * trees keep large objects in inner nodes instead, where a few boxes are stretched anyway. */
#include "scene/modern/modern.h"
#include "scene/scene.h"

#include <math.h>

enum { SAMPLE = 1024 };

/* How many times the space that leaves cover may grow through large objects before an octree answers faster,
 * as measured (docs/lab/dynamic-tree.md). */
static const double tolerated = 5;

typedef struct reader {
    const bw_scene *scene;
    const bw_box *boxes; /* NULL: the scene's objects */
    uint32_t count;
} reader;

/* The i-th box, or false where an index of the scene is free. */
static bool read_box(const reader *r, uint32_t i, bw_box *out)
{
    if (r->boxes != NULL) {
        *out = r->boxes[i];
        return true;
    }
    if ((bw_table_entry(&r->scene->table, i)->generation & 1) == 0)
        return false;
    *out = bw_packed_box(bw_object_box(r->scene, i));
    return true;
}

static double largest_extent(const bw_box *box)
{
    double extent = 0;
    for (int i = 0; i < 3; i++) {
        double e = (double)box->max[i] - (double)box->min[i];
        extent = e > extent ? e : extent;
    }
    return extent;
}

static void sort(double *values, uint32_t count)
{
    for (uint32_t gap = count / 2; gap > 0; gap /= 2)
        for (uint32_t i = gap; i < count; i++) {
            double value = values[i];
            uint32_t j = i;
            for (; j >= gap && values[j - gap] > value; j -= gap)
                values[j] = values[j - gap];
            values[j] = value;
        }
}

static double cube(double x)
{
    return x * x * x;
}

void bw_scene_choose_nesting(bw_scene *scene, const bw_box *boxes, uint32_t count, bw_nesting *nesting,
                             bool *leafy)
{
    reader r = {scene, boxes, boxes != NULL ? count : scene->table.entries.end};
    double extents[SAMPLE], low[3] = {INFINITY, INFINITY, INFINITY},
                            high[3] = {-INFINITY, -INFINITY, -INFINITY};
    uint32_t taken = 0, objects = boxes != NULL ? count : scene->tree->objects;
    uint32_t steps = r.count < SAMPLE ? r.count : SAMPLE;
    for (uint32_t k = 0; k < steps; k++) {
        bw_box box;
        if (!read_box(&r, (uint32_t)((uint64_t)k * r.count / steps), &box))
            continue;
        extents[taken++] = largest_extent(&box);
        for (int i = 0; i < 3; i++) {
            double c = 0.5 * ((double)box.min[i] + (double)box.max[i]);
            low[i] = c < low[i] ? c : low[i];
            high[i] = c > high[i] ? c : high[i];
        }
    }
    *nesting = BW_NESTING_MODERN;
    *leafy = false;
    scene->chosen_at = objects;
    scene->reason = "modern: the objects are of like size";
    if (taken < 64 || objects < 1024) {
        scene->reason = "modern: too few objects for any other to pay";
        return;
    }
    sort(extents, taken);
    /* The side of the space that a leaf covers, from the axes along which centres spread at all. */
    double widest = 0, volume = 1, leaf;
    int axes = 0;
    for (int i = 0; i < 3; i++)
        widest = high[i] - low[i] > widest ? high[i] - low[i] : widest;
    for (int i = 0; i < 3; i++)
        if (high[i] - low[i] > 1e-3 * widest) {
            volume *= high[i] - low[i];
            axes++;
        }
    const double share = volume * BW_MODERN_LEAF_FILL / objects;
    leaf = axes == 0 ? 0 : axes == 1 ? share : axes == 2 ? sqrt(share) : cbrt(share);
    /* A leaf is as large as its largest object and the space its centres cover. Among like objects that is
     * about the largest of twenty; those beyond are few, so that they mostly fall into different leaves, and
     * each adds its own space to the sum. */
    double median = extents[taken / 2], common = extents[taken - 1 - taken / BW_MODERN_LEAF_FILL], sum = 0;
    common = common < 2.5 * median ? common : 2.5 * median;
    double usual = cube(common + leaf), all = cube(widest + common);
    for (uint32_t i = 0; i < taken; i++) {
        double own = cube(extents[i] + leaf);
        own = own < all ? own : all;
        sum += own > usual ? own / usual - 1 : 0;
    }
    if (usual > 0 && BW_MODERN_LEAF_FILL * sum / taken > tolerated) {
#if BW_RESEARCH
        *nesting = BW_NESTING_OCTREE;
        scene->reason =
            "octree, not leafy: some objects are far larger than the rest, and stay in its inner nodes";
#else
        scene->reason =
            "modern: some objects are far larger than the rest, but it was built without an octree";
#endif
    }
}
