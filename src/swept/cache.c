/* Candidates kept over steps.
 *
 * All pairs of features whose boxes meet when grown by a margin are listed. As long as every vertex stays
 * within its grown box during a step, so does every feature, and every pair whose boxes meet is in the list:
 * the next steps look at its pairs only. The list says nothing about where things are, so nothing but the
 * topology and the boxes must be those for which it was made; both are compared. */
#include "swept/cache.h"
#include "base/fault.h"
#include "base/sized.h"

#include "geom/box.h"

/* Measured by the bench ccd-scene: how many steps like the present one the margin allows for, and how large
 * it may be over the mean edge before lists become too long to pay. */
static const double margin_steps = 3, margin_edges = 0.5;

/* One mesh as the list knows it. */
typedef struct side {
    uint32_t vertex_count, triangle_count, loose_count, point_count;
    uint32_t *topology;      /* faces, then edges of none, then points */
    bw_swept_bounds *bounds; /* grown */
} side;

struct bw_swept_cache {
    bw_allocator allocator;
    double margin;       /* 0: chosen */
    uint32_t side_count; /* 0: empty; 1: a mesh with itself */
    side sides[2];
    float grow; /* pairs whose grown boxes meet when grown by this */
    bw_swept_candidate *list;
    uint64_t count;
};

static size_t topology_size(const side *s)
{
    return 3 * (size_t)s->triangle_count + 2 * (size_t)s->loose_count + s->point_count;
}

bw_result bw_swept_cache_create(const bw_swept_cache_desc *desc, bw_swept_cache **out, bw_fault *fault)
{
    static const bw_swept_cache_desc defaults = {0};
    if (desc == NULL)
        desc = &defaults;
    if (bw_desc_check(desc) != BW_OK)
        return bw_fail(fault, bw_desc_check(desc));
    if (out == NULL || !(desc->margin >= 0 && desc->margin <= BW_COORDINATE_MAX))
        return bw_fail(fault, BW_ERROR_ARGUMENT);
    bw_allocator allocator = bw_allocator_or_heap(desc->allocator);
    bw_swept_cache *cache = bw_allocate_zero(&allocator, 1, sizeof *cache);
    if (cache == NULL)
        return bw_fail(fault, BW_ERROR_MEMORY);
    cache->allocator = allocator;
    cache->margin = desc->margin;
    *out = cache;
    return bw_fail(fault, BW_OK);
}

void bw_swept_cache_reset(bw_swept_cache *cache)
{
    if (cache == NULL)
        return;
    for (int i = 0; i < 2; i++) {
        side *s = &cache->sides[i];
        bw_release(&cache->allocator, s->topology, topology_size(s), sizeof *s->topology);
        bw_release(&cache->allocator, s->bounds, s->vertex_count, sizeof *s->bounds);
        *s = (side){0};
    }
    bw_release(&cache->allocator, cache->list, cache->count, sizeof *cache->list);
    cache->list = NULL;
    cache->count = 0;
    cache->side_count = 0;
}

void bw_swept_cache_destroy(bw_swept_cache *cache)
{
    if (cache == NULL)
        return;
    bw_swept_cache_reset(cache);
    bw_allocator allocator = cache->allocator;
    bw_release(&allocator, cache, 1, sizeof *cache);
}

static uint32_t loose_of(const bw_swept *mesh)
{
    return mesh->edge_count - mesh->face_edge_count;
}

/* The parts of the topology: where they stand in a mesh, and how many numbers they are. */
typedef struct piece {
    const void *at;
    size_t count;
} piece;

static void pieces_of(const bw_swept *mesh, piece out[3])
{
    out[0] = (piece){mesh->faces, 3 * (size_t)mesh->triangle_count};
    out[1] = (piece){mesh->edges + mesh->face_edge_count, 2 * (size_t)loose_of(mesh)};
    out[2] = (piece){mesh->points, mesh->point_count};
}

static bool same_topology(const side *s, const bw_swept *mesh)
{
    piece pieces[3];
    const uint32_t *own = s->topology;
    pieces_of(mesh, pieces);
    for (int i = 0; i < 3; own += pieces[i++].count)
        if (pieces[i].count > 0 && memcmp(own, pieces[i].at, pieces[i].count * sizeof *own) != 0)
            return false;
    return true;
}

static bool side_holds(const side *s, const bw_swept *mesh)
{
    const bw_swept_kernels *kernels = bw_swept_kernels_of(bw_simd_level(BW_SIMD_AUTO));
    return s->vertex_count == mesh->vertex_count && s->triangle_count == mesh->triangle_count &&
           s->loose_count == loose_of(mesh) && s->point_count == mesh->point_count &&
           kernels->inside(mesh->bounds, s->bounds, s->vertex_count) && same_topology(s, mesh);
}

static bool holds(const bw_swept_cache *cache, const bw_swept_search *search)
{
    return cache->side_count == (search->a == search->b ? 1u : 2u) && search->grow <= cache->grow &&
           side_holds(&cache->sides[0], search->a) &&
           (cache->side_count == 1 || side_holds(&cache->sides[1], search->b));
}

/* The margin that a mesh asks for, or a negative number where none pays. */
static double choose_margin(const bw_swept *s)
{
    double motion = 0, edges = 0;
    for (uint32_t v = 0; v < s->vertex_count; v++)
        for (int k = 0; k < 3; k++)
            motion = fmax(motion, fabs(s->paths[v].at[4 + k] - s->paths[v].at[k]));
    for (uint32_t e = 0; e < s->edge_count; e++) {
        bw_box box = bw_swept_edge_box(s, e);
        double size = 0;
        for (int k = 0; k < 3; k++)
            size = fmax(size, (double)box.max[k] - (double)box.min[k]);
        edges += size;
    }
    double margin = margin_steps * motion;
    return margin <= margin_edges * edges / (s->edge_count > 0 ? s->edge_count : 1) ? margin : -1;
}

static bool copy_side(bw_swept_cache *cache, side *out, const bw_swept *mesh, float margin)
{
    piece pieces[3];
    out->vertex_count = mesh->vertex_count;
    out->triangle_count = mesh->triangle_count;
    out->loose_count = loose_of(mesh);
    out->point_count = mesh->point_count;
    out->topology = bw_allocate(&cache->allocator, topology_size(out), sizeof *out->topology);
    out->bounds = bw_allocate(&cache->allocator, out->vertex_count, sizeof *out->bounds);
    if (out->topology == NULL || out->bounds == NULL)
        return false;
    uint32_t *own = out->topology;
    pieces_of(mesh, pieces);
    for (int i = 0; i < 3; own += pieces[i++].count)
        if (pieces[i].count > 0)
            memcpy(own, pieces[i].at, pieces[i].count * sizeof *own);
    /* Not the thickness: a vertex may not become thicker. */
    for (uint32_t v = 0; v < out->vertex_count; v++)
        for (int i = 0; i < 8; i++)
            out->bounds[v].at[i] = mesh->bounds[v].at[i] - (i % 4 == 3 ? 0 : margin);
    return true;
}

/* Lists the candidates within a margin. */
static bw_result fill(bw_swept_cache *cache, const bw_swept_search *like, double margin)
{
    const bw_swept *a = like->a, *b = like->b;
    bw_swept_query query = {
        .mode = BW_SWEPT_CANDIDATES, .tasks = like->query->tasks, .progress = like->query->progress};
    float by = bw_float_up(margin);
    bw_swept_search search = {.a = a,
                              .b = b,
                              .query = &query,
                              .allocator = like->allocator,
                              .take = bw_swept_take_candidates,
                              .to = 1,
                              .latest = 1,
                              .listed = UINT64_MAX};
    search.grow =
        bw_float_up((double)like->grow + (double)by + 0x1p-20 * ((double)by + bw_swept_extent(a, b)));
    bw_result result = bw_swept_search_run(&search);
    if (result == BW_OK && search.stopped)
        result = BW_ERROR_STOPPED;
    uint64_t count = search.report.candidate_count;
    if (result == BW_OK && count > 0) {
        cache->list = bw_allocate(&cache->allocator, count, sizeof *cache->list);
        result = cache->list == NULL ? BW_ERROR_MEMORY : BW_OK;
    }
    for (uint32_t i = 0; result == BW_OK && cache->list != NULL && i < search.part_count; i++) {
        const bw_array *from = &search.parts[i].candidates;
        if (from->count > 0)
            memcpy(cache->list + cache->count, from->items, from->count * from->element);
        cache->count += from->count;
    }
    bw_swept_search_release(&search);
    if (result == BW_OK && (!copy_side(cache, &cache->sides[0], a, by) ||
                            (a != b && !copy_side(cache, &cache->sides[1], b, by))))
        result = BW_ERROR_MEMORY;
    if (result != BW_OK) {
        bw_swept_cache_reset(cache);
        return result;
    }
    cache->grow = like->grow;
    cache->side_count = a == b ? 1 : 2;
    return BW_OK;
}

bw_result bw_swept_cache_serve(bw_swept_cache *cache, bw_swept_search *search)
{
    static const bw_swept_candidate none = {BW_CCD_NOTHING, 0, 0};
    if (!holds(cache, search)) {
        bw_swept_cache_reset(cache);
        double margin = cache->margin > 0 ? cache->margin : choose_margin(search->a);
        if (margin >= 0 && cache->margin == 0 && search->a != search->b) {
            double other = choose_margin(search->b);
            margin = other < 0 ? other : fmax(margin, other);
        }
        if (margin < 0)
            return BW_OK;
        bw_result result = fill(cache, search, margin);
        if (result == BW_ERROR_STOPPED)
            search->stopped = true;
        if (result != BW_OK)
            return result == BW_ERROR_STOPPED ? BW_OK : result;
    }
    search->kept = cache->list != NULL ? cache->list : &none;
    search->kept_count = cache->count;
    return BW_OK;
}
