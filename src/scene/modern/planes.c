/* Culling against convex sets of planes, with plane masks (Assarsson and Moller 2000): a plane that a node
 * lies wholly inside is not tested again below it, and a node inside all planes gives out its objects without
 * any test. */
#include "base/stack.h"
#include "scene/modern/kernels.h"
#include "scene/modern/modern.h"

enum { LEAVES_AT_ONCE = 32, PLANES_PADDED = 32 };

typedef struct entry {
    bw_node_ref ref;
    uint32_t planes;
} entry;

/* The planes by component, and which rows of a node hold their far and near corners. The negated max of a box
 * is used as it is: -n times it is n times the max, bit by bit. */
typedef struct plane_set {
    _Alignas(32) float n[3][PLANES_PADDED];
    float d[PLANES_PADDED];
    const bw_region_test *test;
} plane_set;

static void fetch_node(const bw_modern_tree *tree, entry e)
{
    const char *node = (const char *)bw_modern_node_at(tree, bw_modern_node_of(e.ref));
    __builtin_prefetch(node + 192);
    if (e.planes == 0)
        return;
    __builtin_prefetch(node);
    __builtin_prefetch(node + 64);
    __builtin_prefetch(node + 128);
}

static void fetch_leaf(const bw_modern_tree *tree, entry e)
{
    const bw_modern_leaf *leaf = bw_modern_leaf_at(tree, bw_modern_leaf_of(e.ref));
    uint32_t count = bw_modern_count_of(e.ref);
    const char *line = (const char *)leaf->ids, *end = (const char *)(leaf->ids + count);
    for (; line < end; line += 64)
        __builtin_prefetch(line);
    if (e.planes == 0)
        return;
    line = (const char *)leaf->boxes, end = (const char *)leaf->boxes[count];
    for (; line < end; line += 64)
        __builtin_prefetch(line);
}

/* ---- the kernels: children of a node that no plane turns away, with the planes that cut each; and the
 * objects of leaves */

static uint32_t
children_cut_scalar(const bw_modern_node *node, const plane_set *set, uint32_t planes,
                    uint8_t *last, /* NOLINT(readability-non-const-parameter): the kernels' type */
                    uint32_t cut[BW_MODERN_CHILDREN])
{
    uint32_t alive = 0;
    for (uint32_t slot = 0; slot < BW_MODERN_CHILDREN; slot++) {
        float box[6];
        for (int i = 0; i < 6; i++)
            box[i] = node->box[i][slot];
        bool outside = node->child[slot] == 0;
        if (!outside)
            cut[slot] = bw_region_planes_cut(set->test, box, planes, &outside);
        alive |= (uint32_t)!outside << slot;
    }
    (void)last; /* nothing to save: the order of the planes changes no result */
    return alive;
}

/* Of a leaf's objects, those that none of the planes turns away. */
static uint32_t objects_inside_scalar(const bw_modern_leaf *leaf, uint32_t count, const plane_set *set,
                                      uint32_t planes)
{
    uint32_t inside = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool outside;
        bw_region_planes_cut(set->test, leaf->boxes[i], planes, &outside);
        inside |= (uint32_t)!outside << i;
    }
    return inside;
}

#if BW_SIMD_X86

/* ((n0 x + n1 y) + n2 z) + d for the eight children, at the far or near corner. */
BW_AVX2 static inline __m256 at_corner(const bw_modern_node *node, const plane_set *set, uint32_t p, bool far)
{
    __m256 sum = _mm256_setzero_ps();
    for (int a = 0; a < 3; a++) {
        float n = set->n[a][p];
        bool low = (n < 0) == far;
        __m256 corner = _mm256_load_ps(node->box[low ? a : a + 3]);
        __m256 term = _mm256_mul_ps(_mm256_set1_ps(low ? n : -n), corner);
        sum = a == 0 ? term : _mm256_add_ps(sum, term);
    }
    return _mm256_add_ps(sum, _mm256_set1_ps(set->d[p]));
}

BW_AVX2 static uint32_t children_cut_avx2(const bw_modern_node *node, const plane_set *set, uint32_t planes,
                                          uint8_t *last, uint32_t cut[BW_MODERN_CHILDREN])
{
    __m256i empty = _mm256_cmpeq_epi32(_mm256_load_si256((const __m256i *)(const void *)node->child),
                                       _mm256_setzero_si256());
    __m256 outside = _mm256_castsi256_ps(empty);
    __m256 zero = _mm256_setzero_ps();
    uint32_t gone;
    if (last != NULL && *last != 0 && (planes >> (*last - 1) & 1u) != 0) {
        /* Coherence: the plane that turned all of it away last time goes first. */
        outside =
            _mm256_or_ps(outside, _mm256_cmp_ps(at_corner(node, set, *last - 1u, true), zero, _CMP_LT_OQ));
        if (_mm256_movemask_ps(outside) == 255)
            return 0;
    }
    __m256i cuts = _mm256_setzero_si256();
    for (uint32_t rest = planes; rest != 0; rest &= rest - 1) {
        uint32_t p = (uint32_t)__builtin_ctz(rest);
        outside = _mm256_or_ps(outside, _mm256_cmp_ps(at_corner(node, set, p, true), zero, _CMP_LT_OQ));
        gone = (uint32_t)_mm256_movemask_ps(outside);
        if (gone == 255) {
            if (last != NULL)
                *last = (uint8_t)(p + 1);
            return 0;
        }
        __m256 near = _mm256_cmp_ps(at_corner(node, set, p, false), zero, _CMP_LT_OQ);
        cuts = _mm256_or_si256(
            cuts, _mm256_and_si256(_mm256_castps_si256(near), _mm256_set1_epi32((int)(1u << p))));
    }
    _mm256_storeu_si256((__m256i *)(void *)cut, cuts);
    return ~(uint32_t)_mm256_movemask_ps(outside) & 255u;
}

/* The same, eight objects at a time, whose boxes lie six floats apart. Reads beyond the objects, up to the
 * ids. */
BW_AVX2 static inline uint32_t objects_inside_avx2(const bw_modern_leaf *leaf, uint32_t count,
                                                   const plane_set *set, uint32_t planes)
{
    const __m256i apart = _mm256_setr_epi32(0, 6, 12, 18, 24, 30, 36, 42);
    uint32_t outside = 0;
    for (; planes != 0; planes &= planes - 1) {
        uint32_t p = (uint32_t)__builtin_ctz(planes), row[3];
        __m256 n[3], d = _mm256_set1_ps(set->d[p]);
        for (uint32_t a = 0; a < 3; a++) {
            bool low = set->n[a][p] < 0;
            row[a] = low ? a : a + 3;
            n[a] = _mm256_set1_ps(low ? set->n[a][p] : -set->n[a][p]);
        }
        for (uint32_t k = 0; k < count; k += 8) {
            const float *box = leaf->boxes[k];
            __m256 x = _mm256_mul_ps(n[0], _mm256_i32gather_ps(box + row[0], apart, 4));
            __m256 y = _mm256_mul_ps(n[1], _mm256_i32gather_ps(box + row[1], apart, 4));
            __m256 z = _mm256_mul_ps(n[2], _mm256_i32gather_ps(box + row[2], apart, 4));
            __m256 far = _mm256_add_ps(_mm256_add_ps(_mm256_add_ps(x, y), z), d);
            outside |= (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(far, _mm256_setzero_ps(), _CMP_LT_OQ)) << k;
        }
    }
    return ~outside & ((1u << count) - 1u);
}

#endif

#define TEMPLATE "scene/modern/planes_template.h"
#include "scene/modern/each_level.h"

bw_result bw_modern_query_planes(const bw_modern_tree *tree, const bw_region_test *test, bw_object_sink *sink)
{
    /* Planes beyond the last turn nothing away: 0 x + 0 y + 0 z + 1. */
    plane_set set = {.test = test};
    for (uint32_t p = 0; p < PLANES_PADDED; p++) {
        bool real = p < test->plane_count;
        for (int a = 0; a < 3; a++)
            set.n[a][p] = real ? test->planes[p].n[a] : 0;
        set.d[p] = real ? test->planes[p].d : 1;
    }
    if (test->cache != NULL)
        bw_view_cache_reserve(test->cache, tree->nodes.end);
    return AT_LEVEL(tree->base.simd, cull, tree, &set, test->cache, sink);
}
