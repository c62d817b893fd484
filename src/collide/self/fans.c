/* Which vertices have a fan of triangles, by the indices alone; and which fans are certified where the
 * vertices are now. */
#include "collide/self/fans.h"

#include "base/memory.h"
#include "collide/pair/leaf_cache.h"
#include "mesh/view.h"

#include <math.h>
#include <string.h>

/* By the neighbours of a vertex: each triangle at it leads from one to the next. */
enum {
    FAN_NONE,   /* anything else */
    FAN_CLOSED, /* every neighbour is led from once, and to once */
    FAN_OPEN    /* the same, but for one that is only led from and one that is only led to */
};

/* The sums of words (bw_fan_add) must not overflow. */
enum { MOST_TRIANGLES = 255 };

/* A corner of a triangle: the vertices after it and before it. */
typedef struct corner {
    uint32_t from, to;
} corner;

static unsigned char fan_of(uint32_t vertex, const corner *corners, uint32_t count)
{
    if (count > MOST_TRIANGLES)
        return FAN_NONE;
    uint32_t ends = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t from = corners[i].from, to = corners[i].to, same_from = 0, same_to = 0, met = 0;
        for (uint32_t j = 0; j < count; j++) {
            same_from += corners[j].from == from;
            same_to += corners[j].to == to;
            met += corners[j].to == from;
        }
        if (same_from != 1 || same_to != 1 || from == vertex || to == vertex || from == to)
            return FAN_NONE;
        ends += met == 0;
    }
    return ends == 0 ? FAN_CLOSED : ends == 1 ? FAN_OPEN : FAN_NONE;
}

/* Lists the corners by vertex, and looks at each list. first: zero, two more than vertices. */
static void find_kinds(const bw_wide *tree, const bw_mesh *mesh, uint32_t *first, corner *corners,
                       unsigned char *kinds)
{
    const size_t slots = (size_t)tree->leaf_count * BW_WIDTH;
    for (size_t slot = 0; slot < slots; slot++) {
        if (tree->primitives[slot] == BW_NONE)
            continue;
        const uint32_t *v = mesh->indices + 3 * (size_t)tree->primitives[slot];
        for (int k = 0; k < 3; k++)
            first[v[k] + 2]++;
    }
    for (uint32_t v = 1; v < mesh->vertex_count; v++)
        first[v + 1] += first[v];
    for (size_t slot = 0; slot < slots; slot++) {
        if (tree->primitives[slot] == BW_NONE)
            continue;
        const uint32_t *v = mesh->indices + 3 * (size_t)tree->primitives[slot];
        for (int k = 0; k < 3; k++)
            corners[first[v[k] + 1]++] = (corner){v[(k + 1) % 3], v[(k + 2) % 3]};
    }
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        kinds[v] = fan_of(v, corners + first[v], first[v + 1] - first[v]);
}

static bw_result need_kinds(const bw_wide *tree, const bw_mesh *mesh, const bw_allocator *allocator,
                            unsigned char *kinds)
{
    const size_t corner_count = 3 * (size_t)tree->primitive_count, sums = (size_t)mesh->vertex_count + 2;
    uint32_t *first = bw_allocate_zero(allocator, sums, sizeof *first);
    corner *corners = bw_allocate(allocator, corner_count, sizeof *corners);
    const bool room = first != NULL && corners != NULL;
    if (room)
        find_kinds(tree, mesh, first, corners, kinds);
    bw_release(allocator, first, sums, sizeof *first);
    bw_release(allocator, corners, corner_count, sizeof *corners);
    return room ? BW_OK : BW_ERROR_MEMORY;
}

/* As the kernel fan_words, of one triangle of doubles. */
static void words_f64(const bw_mesh *mesh, const uint32_t *v, uint32_t words[3])
{
    const double *c[3] = {bw_mesh_view_f64(mesh, v[0]), bw_mesh_view_f64(mesh, v[1]),
                          bw_mesh_view_f64(mesh, v[2])};
    words[0] = words[1] = words[2] = 0;
    uint32_t unsure = 0;
    for (int d = 0; d < 3; d++) {
        int x = d == 2 ? 0 : d + 1, y = d == 0 ? 2 : d - 1;
        double p = (c[1][x] - c[0][x]) * (c[2][y] - c[0][y]), q = (c[1][y] - c[0][y]) * (c[2][x] - c[0][x]);
        double limit = 8.0 * 0x1p-53 * (fabs(p) + fabs(q)) + 0x1p-1060;
        unsure |= (p - q > limit ? 0 : 1u << 2 * d) | (-limit > p - q ? 0 : 2u << 2 * d);
        for (int k = 0; k < 3; k++) {
            double own = c[k][x];
            bool below = own > c[k == 2 ? 0 : k + 1][x], other = own > c[k == 0 ? 2 : k - 1][x];
            words[k] |= below != other ? 1u << 8 * (d + 1) : 0;
        }
    }
    for (int k = 0; k < 3; k++)
        words[k] |= unsure;
}

static void add_f64(const bw_mesh *mesh, const uint32_t *primitives, uint32_t count, uint32_t *sums)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *v = mesh->indices + 3 * (size_t)primitives[i];
        uint32_t words[3];
        words_f64(mesh, v, words);
        for (int k = 0; k < 3; k++)
            bw_fan_add(&sums[v[k]], words[k]);
    }
}

/* Up to eight. */
static void add_f32(const bw_mesh *mesh, const uint32_t *primitives, uint32_t count,
                    const bw_wide_kernels *kernels, uint32_t *sums)
{
    bw_wide_corners corners; /* exact, for an origin of 0 */
    uint32_t words[3][BW_WIDTH];
    corners.origin[0] = corners.origin[1] = corners.origin[2] = 0.0f;
    bw_wide_corners_gather(mesh, primitives, count, kernels == bw_wide_kernels_for(BW_SIMD_AVX2), &corners);
    kernels->fan_words(&corners, words);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *v = mesh->indices + 3 * (size_t)primitives[i];
        for (int k = 0; k < 3; k++)
            bw_fan_add(&sums[v[k]], words[k][i]);
    }
}

static void add(const bw_mesh *mesh, const uint32_t *primitives, uint32_t count,
                const bw_wide_kernels *kernels, uint32_t *sums)
{
    if (mesh->scalar == BW_F64)
        add_f64(mesh, primitives, count, sums);
    else if (count > 0)
        add_f32(mesh, primitives, count, kernels, sums);
}

/* In the order of the mesh, which memory likes best, unless some of its triangles are not in the tree. */
static void add_all(const bw_wide *tree, const bw_mesh *mesh, const bw_wide_kernels *kernels, uint32_t *sums)
{
    if (tree->primitive_count < mesh->triangle_count) {
        for (uint32_t leaf = 0; leaf < tree->leaf_count; leaf++)
            add(mesh, tree->primitives + (size_t)leaf * BW_WIDTH, tree->leaves[leaf].count, kernels, sums);
        return;
    }
    for (uint32_t first = 0; first < mesh->triangle_count; first += BW_WIDTH) {
        uint32_t left = mesh->triangle_count - first, eight[BW_WIDTH];
        for (uint32_t i = 0; i < BW_WIDTH; i++)
            eight[i] = first + i;
        add(mesh, eight, left < BW_WIDTH ? left : BW_WIDTH, kernels, sums);
    }
}

/* Along some axis all turn one way, and the line passes through two of a closed fan, or at most one of an
 * open one. Three bytes, one per axis, of which one must become zero. */
static bool certain(uint32_t sum, unsigned char kind)
{
    uint32_t passes = sum >> 8, both = sum & sum >> 1 & 0x15u;
    uint32_t wrong = kind == FAN_CLOSED ? passes ^ 0x020202u : passes & 0xFEFEFEu;
    wrong |= (both & 1u) | (both & 4u) << 6 | (both & 16u) << 12;
    return (((wrong - 0x010101u) & ~wrong & 0x808080u) != 0) & (kind != FAN_NONE);
}

bool bw_fans_of_use(const bw_wide *tree, const bw_mesh *mesh)
{
    return mesh->indices != NULL && tree->lazy == NULL && mesh->vertex_count < BW_FAN_UNSURE &&
           tree->primitive_count > 0;
}

void bw_fan_store_release(bw_fan_store *store)
{
    bw_release(store->allocator, store->kinds, store->room, sizeof *store->kinds);
    bw_release(store->allocator, store->keys, store->room, sizeof *store->keys);
    store->kinds = NULL;
    store->keys = NULL;
    store->room = 0;
    store->known = false;
}

static bool reserve(bw_fan_store *store, uint32_t count)
{
    if (store->room >= count)
        return true;
    bw_fan_store_release(store);
    store->room = count;
    store->kinds = bw_allocate(store->allocator, count, sizeof *store->kinds);
    store->keys = bw_allocate(store->allocator, count, sizeof *store->keys);
    if (store->kinds != NULL && store->keys != NULL)
        return true;
    bw_fan_store_release(store);
    return false;
}

bw_result bw_fans_find(const bw_wide *tree, const bw_mesh *mesh, bw_fan_store *store,
                       const bw_wide_kernels *kernels)
{
    const uint32_t count = mesh->vertex_count;
    if (!reserve(store, count))
        return BW_ERROR_MEMORY;
    if (!store->known) {
        const bw_result result = need_kinds(tree, mesh, store->allocator, store->kinds);
        if (result != BW_OK)
            return result;
        store->known = true;
    }
    memset(store->keys, 0, count * sizeof *store->keys);
    add_all(tree, mesh, kernels, store->keys);
    for (uint32_t v = 0; v < count; v++)
        store->keys[v] = v | (certain(store->keys[v], store->kinds[v]) ? 0 : BW_FAN_UNSURE);
    return BW_OK;
}
