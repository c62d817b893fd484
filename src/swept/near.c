/* What is near at one time: pairs whose boxes meet, each reduced to the features inside which its nearest
 * points are. Several pairs may come to the same features; these are told once. */
#include "base/fault.h"
#include "base/sized.h"
#include "swept/cache.h"
#include "swept/search/features.h"
#include "swept/search/narrow_phase.h"
#include "swept/search/order.h"
#include "swept/witnesses.h"

#include "base/tasks.h"

/* One side of a pair: 1 vertex, 2 edge, 3 face. */
typedef struct side {
    int kind;
    uint32_t number;
} side;

static bw_ccd_feature feature_of(int a, int b)
{
    static const bw_ccd_feature features[4][4] = {
        [1] = {[1] = BW_CCD_VERTEX_VERTEX, [2] = BW_CCD_VERTEX_EDGE, [3] = BW_CCD_VERTEX_FACE},
        [2] = {[1] = BW_CCD_EDGE_VERTEX, [2] = BW_CCD_EDGE_EDGE},
        [3] = {[1] = BW_CCD_FACE_VERTEX}};
    return features[a][b];
}

/* The part of an edge that has the nearest point. bits: of its ends. */
static side reduce_edge(const bw_swept *mesh, uint32_t edge, uint32_t bits)
{
    return bits == 3 ? (side){2, edge} : (side){1, mesh->edges[edge][bits == 2]};
}

/* The same of a face: of its corners. */
static side reduce_face(const bw_swept *mesh, uint32_t face, uint32_t bits)
{
    switch (bits) {
    case 7:
        return (side){3, face};
    case 3:
    case 6:
        return (side){2, mesh->face_edges[3 * (size_t)face + (bits == 6)]};
    case 5:
        return (side){2, mesh->face_edges[3 * (size_t)face + 2]};
    default:
        return (side){1, mesh->faces[face][bits >> 1]};
    }
}

/* A pair by the features that have its nearest points; of one mesh in the order of bw_swept_contact. */
static bw_swept_candidate reduce(const bw_swept *a, const bw_swept *b, bw_swept_candidate pair,
                                 uint32_t inside)
{
    side x = {1, pair.a}, y = {1, pair.b};
    switch (pair.feature) {
    case BW_CCD_VERTEX_FACE:
        y = reduce_face(b, pair.b, inside >> 1);
        break;
    case BW_CCD_FACE_VERTEX:
        x = reduce_face(a, pair.a, inside >> 1);
        break;
    case BW_CCD_EDGE_EDGE:
        x = reduce_edge(a, pair.a, inside & 3);
        y = reduce_edge(b, pair.b, inside >> 2);
        break;
    case BW_CCD_VERTEX_EDGE:
        y = reduce_edge(b, pair.b, inside >> 1);
        break;
    case BW_CCD_EDGE_VERTEX:
        x = reduce_edge(a, pair.a, inside >> 1);
        break;
    default:
        break;
    }
    if (a == b && (x.kind > y.kind || (x.kind == y.kind && x.number > y.number))) {
        const side swap = x;
        x = y;
        y = swap;
    }
    return (bw_swept_candidate){feature_of(x.kind, y.kind), x.number, y.number};
}

static void measure(bw_swept_worker *w, bw_swept_candidate pair, double distance)
{
    const bw_swept *a = w->search->a, *b = w->search->b, *meshes[4];
    const double time = w->search->from;
    bw_swept_moment moment;
    bw_ccd_witness witness;
    bw_swept_moment_of(a, b, pair.feature, pair.a, pair.b, time, &moment);
    bw_ccd_witness_of(&moment.features, &witness);
    const bw_swept_candidate name = reduce(a, b, pair, witness.inside);
    if (name.feature != pair.feature) { /* from its own vertices alone: the same from whichever pair */
        bw_swept_moment_of(a, b, name.feature, name.a, name.b, time, &moment);
        bw_ccd_witness_of(&moment.features, &witness);
    }
    if (!(witness.distance <= distance))
        return;
    bw_swept_near_pair *slot = bw_array_push(&w->now->found);
    if (slot == NULL) {
        w->now->failed = w->walk.stop = true;
        return;
    }
    *slot = (bw_swept_near_pair){.feature = name.feature, .a = name.a, .b = name.b, .pair_count = 1};
    slot->at = bw_swept_witness_from(name.feature, &witness);
    bw_swept_vertices_of(a, b, name.feature, name.a, name.b, slot->vertices, meshes);
}

static void take(bw_swept_worker *w, bw_ccd_feature feature, const bw_swept_pairs *pairs, uint32_t count)
{
    bw_swept_left left;
    bw_swept_filter_floats(w, feature, pairs, count, &left);
    for (uint32_t i = 0; i < left.count && !w->walk.stop; i++) {
        uint32_t place = left.place[i];
        measure(w, (bw_swept_candidate){feature, pairs->a[place], pairs->b[place]},
                w->thick ? left.separation[i] : w->separation);
    }
}

static void count_pair(const bw_swept_near_pair *pair, bw_swept_near_report *r)
{
    r->pair_count++;
    r->vertex_face_count += pair->feature == BW_CCD_VERTEX_FACE || pair->feature == BW_CCD_FACE_VERTEX;
    r->edge_edge_count += pair->feature == BW_CCD_EDGE_EDGE;
    r->vertex_edge_count += pair->feature == BW_CCD_VERTEX_EDGE || pair->feature == BW_CCD_EDGE_VERTEX;
    r->vertex_vertex_count += pair->feature == BW_CCD_VERTEX_VERTEX;
    if (r->pair_count == 1 || pair->at.distance < r->distance)
        r->distance = pair->at.distance;
}

static bool same_features(const bw_swept_near_pair *x, const bw_swept_near_pair *y)
{
    return x->feature == y->feature && x->a == y->a && x->b == y->b;
}

/* Each pair of features once. */
static void deliver(const bw_swept_order *o, const bw_swept_near_query *query, bw_swept_near_report *r)
{
    for (uint32_t i = 0, next; i < o->count; i = next) {
        bw_swept_near_pair pair = *(const bw_swept_near_pair *)bw_swept_order_at(o, i);
        for (next = i + 1; next < o->count && same_features(&pair, bw_swept_order_at(o, next)); next++)
            pair.pair_count++;
        if (query->pairs != NULL && r->pair_count < query->pair_capacity)
            query->pairs[r->pair_count] = pair;
        else if (query->pairs != NULL)
            r->status = BW_FULL;
        count_pair(&pair, r);
    }
}

static bool good_query(const bw_swept_near_query *query)
{
    return query->distance >= 0 && query->distance <= BW_COORDINATE_MAX && query->time >= 0 &&
           query->time <= 1 && (query->pairs != NULL || query->pair_capacity == 0) &&
           bw_tasks_check(query->tasks) == BW_OK;
}

static bw_result run(const bw_swept *a, const bw_swept *b, const bw_swept_near_query *query,
                     bw_swept_near_report *report)
{
    bw_allocator allocator = bw_allocator_or_heap(query->allocator);
    const bw_swept_query search_query = {.separation = query->distance,
                                         .can_collide = query->can_collide,
                                         .user = query->user,
                                         .tasks = query->tasks,
                                         .progress = query->progress};
    bw_swept_search s = {.a = a,
                         .b = b,
                         .query = &search_query,
                         .allocator = &allocator,
                         .take = take,
                         .element = sizeof(bw_swept_near_pair),
                         .grow = bw_swept_growth(a, b, query->distance),
                         .from = query->time,
                         .to = query->time,
                         .latest = 1};
    bw_result result = query->cache == NULL ? BW_OK : bw_swept_cache_serve(query->cache, &s);
    if (result == BW_OK && !s.stopped)
        result = bw_swept_search_run(&s);
    bw_swept_order order = {0};
    if (result == BW_OK && !s.stopped)
        result = bw_swept_order_make(&s, &order);
    if (result == BW_OK) {
        bw_swept_near_report found = {.status = s.stopped ? BW_STOPPED : BW_DONE,
                                      .candidate_count = s.report.candidate_count,
                                      .distance = query->distance};
        if (!s.stopped)
            deliver(&order, query, &found);
        bw_report_set(report, found);
    }
    bw_swept_order_release(&s, &order);
    bw_swept_search_release(&s);
    return result;
}

bw_result bw_swept_near(const bw_swept *a, const bw_swept *b, const bw_swept_near_query *query,
                        bw_swept_near_report *report, bw_fault *fault)
{
    static const bw_swept_near_query defaults = {0};
    if (query == NULL)
        query = &defaults;
    bw_result result = bw_sizes_check(query, report);
    if (result == BW_OK && (a == NULL || report == NULL || !good_query(query)))
        result = BW_ERROR_ARGUMENT;
    return bw_fail(fault, result == BW_OK ? run(a, b == NULL ? a : b, query, report) : result);
}
