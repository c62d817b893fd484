/* The clusters of a top: stretches of the order along the curve, cut where it enters another cube. */
#include "base/tasks.h"
#include "tree/build/aabb.h"
#include "tree/build/hilbert.h"
#include "tree/build/lbvh/lbvh.h"
#include "tree/build/sah/top.h"
#include "tree/wide/prefetch.h"

enum {
    CLUSTER = 128,
    SAMPLES = BW_LBVH_LEAST, /* of each cluster */
    PART = 8192              /* primitives */
};

static inline bw_top_part *part_at(const bw_top *top, size_t i)
{
    return bw_array_at(&top->parts, i);
}

static bool name_parts(bw_top *top, uint32_t begin, uint32_t end)
{
    if (end - begin > PART) {
        const uint32_t middle = bw_lbvh_divide_at(top->keys, begin, end, false);
        return name_parts(top, begin, middle) && name_parts(top, middle, end);
    }
    bw_top_part *p = bw_array_push(&top->parts);
    if (p == NULL)
        return false;
    *p = (bw_top_part){.begin = begin, .end = end};
    return true;
}

/* No cluster has less than BW_LBVH_LEAST primitives: this is where those of a part stand. */
static inline uint32_t *ends_of(const bw_top *top, const bw_top_part *p)
{
    return top->ends + (p->begin + BW_LBVH_LEAST - 1) / BW_LBVH_LEAST;
}

static void find_clusters(const bw_top *top, bw_top_part *p, uint32_t begin, uint32_t end)
{
    if (end - begin <= CLUSTER) {
        ends_of(top, p)[p->count++] = end;
        return;
    }
    const uint32_t middle = bw_lbvh_divide_at(top->keys, begin, end, false);
    find_clusters(top, p, begin, middle);
    find_clusters(top, p, middle, end);
}

static void find_in_parts(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const bw_top *top = context;
    for (uint32_t i = begin; i < end; i++)
        find_clusters(top, part_at(top, i), part_at(top, i)->begin, part_at(top, i)->end);
}

/* The i-th sample of a cluster. */
static inline uint32_t sample_at(const bw_top *top, uint32_t begin, uint32_t count, uint32_t i)
{
    return BW_HILBERT_INDEX(top->keys[begin + (i * count + count / 2) / SAMPLES]);
}

static void make_cluster(const bw_top *top, uint32_t begin, uint32_t end, bw_cluster *out)
{
    const uint32_t count = end - begin;
    uint32_t elements[SAMPLES];
    bw_box boxes[SAMPLES];
    for (uint32_t i = 0; i < SAMPLES; i++)
        elements[i] = sample_at(top, begin, count, i);
    bw_source_boxes_of(top->source, elements, SAMPLES, boxes);
    bw_aabb all = bw_aabb_of_box(&boxes[0]);
    for (uint32_t i = 1; i < SAMPLES; i++) {
        const bw_aabb box = bw_aabb_of_box(&boxes[i]);
        bw_aabb_add(&all, &box);
    }
    bw_aabb_store(&all, out->low);
    out->tagged_begin = begin + BW_REF_TAG;
    out->tagged_count = count + BW_REF_TAG;
}

/* The samples of the clusters to come: first their keys, then indices, then positions. */
static void fetch_ahead(const bw_top *top, const uint32_t *ends, uint32_t k, uint32_t count)
{
    enum { KEYS = 6, INDICES = 4, POSITIONS = 2 };
    const bw_box_source *source = top->source;
    if (k + KEYS >= count || source->mesh == NULL)
        return;
    for (uint32_t at = ends[k + KEYS - 1]; at < ends[k + KEYS]; at += 8)
        BW_PREFETCH(&top->keys[at]);
    const uint32_t far = ends[k + INDICES - 1], far_count = ends[k + INDICES] - far;
    for (uint32_t i = 0; i < SAMPLES; i++)
        bw_fetch_indices(source->mesh, bw_source_primitive(source, sample_at(top, far, far_count, i)));
    const uint32_t near = ends[k + POSITIONS - 1], near_count = ends[k + POSITIONS] - near;
    for (uint32_t i = 0; i < SAMPLES; i++)
        bw_fetch_positions(source->mesh, bw_source_primitive(source, sample_at(top, near, near_count, i)));
}

static void make_in_parts(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    (void)worker;
    const bw_top *top = context;
    for (uint32_t i = begin; i < end; i++) {
        const bw_top_part *p = part_at(top, i);
        const uint32_t *ends = ends_of(top, p);
        for (uint32_t k = 0; k < p->count; k++) {
            fetch_ahead(top, ends, k, p->count);
            make_cluster(top, k == 0 ? p->begin : ends[k - 1], ends[k], &top->clusters[0][p->first + k]);
        }
    }
}

bool bw_top_make_clusters(bw_top *top)
{
    top->ends = bw_allocate(top->allocator, bw_top_ends(top), sizeof *top->ends);
    if (top->ends == NULL || !name_parts(top, 0, top->source->count))
        return false;
    bw_parallel(top->tasks, find_in_parts, top, (uint32_t)top->parts.count, 1);
    for (size_t i = 0; i < top->parts.count; i++) {
        part_at(top, i)->first = top->cluster_count;
        top->cluster_count += part_at(top, i)->count;
    }
    for (int i = 0; i < 2; i++) {
        top->clusters[i] = bw_allocate(top->allocator, top->cluster_count, sizeof *top->clusters[i]);
        if (top->clusters[i] == NULL)
            return false;
    }
    bw_parallel(top->tasks, make_in_parts, top, (uint32_t)top->parts.count, 1);
    return true;
}
