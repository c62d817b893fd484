/* The narrow phase of a step: of pairs whose boxes meet the vectorised filters prove most apart, the exact
 * tests decide the rest. */
#include "swept/search/narrow_phase.h"
#include "swept/search/features.h"

#include "geom/ccd/witness.h"

static bool of_edges(bw_ccd_feature feature)
{
    return feature == BW_CCD_EDGE_EDGE;
}

void bw_swept_limit(bw_swept_worker *w, double latest)
{
    w->latest = latest;
    double to = bw_swept_until(latest, w->tolerance), end = w->search->to;
    w->far = bw_swept_far_from(w->separation, w->extent, w->search->from, to < end ? to : end);
}

/* The paths of pairs in floats: inlined for each feature, so that nothing is looked up by it. */
static inline void gather(const bw_swept *a, const bw_swept *b, bw_ccd_feature feature,
                          const bw_swept_pairs *pairs, uint32_t count,
                          const bw_swept_floats *queries[BW_SWEPT_BATCH][4])
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t vertices[4];
        const bw_swept *meshes[4];
        bw_swept_vertices_of(a, b, feature, pairs->a[i], pairs->b[i], vertices, meshes);
        for (int k = 0; k < 4; k++)
            queries[i][k] = &meshes[k]->floats[vertices[k]];
    }
}

/* How near each pair may come. */
static void separations_of(const bw_swept_worker *w, bw_ccd_feature feature, const bw_swept_pairs *pairs,
                           uint32_t count, double out[BW_SWEPT_BATCH], float rounded[BW_SWEPT_BATCH])
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t vertices[4];
        const bw_swept *meshes[4];
        bw_swept_vertices_of(w->search->a, w->search->b, feature, pairs->a[i], pairs->b[i], vertices, meshes);
        out[i] = bw_swept_pair_thickness(feature, vertices, meshes) + w->separation;
        rounded[i] = bw_float_up(out[i]);
    }
    for (uint32_t i = count; i % BW_WIDTH != 0; i++)
        rounded[i] = 0;
}

void bw_swept_filter_floats(bw_swept_worker *w, bw_ccd_feature feature, const bw_swept_pairs *pairs,
                            uint32_t count, bw_swept_left *out)
{
    const bw_swept *a = w->search->a, *b = w->search->b;
    const bw_swept_floats *queries[BW_SWEPT_BATCH][4];
    double separation[BW_SWEPT_BATCH];
    float each[BW_SWEPT_BATCH];
    if (feature == BW_CCD_EDGE_EDGE)
        gather(a, b, BW_CCD_EDGE_EDGE, pairs, count, queries);
    else if (feature == BW_CCD_VERTEX_FACE)
        gather(a, b, BW_CCD_VERTEX_FACE, pairs, count, queries);
    else
        gather(a, b, feature, pairs, count, queries);
    if (w->thick)
        separations_of(w, feature, pairs, count, separation, each);
    w->far.each = w->thick ? each : NULL;
    out->count =
        bw_swept_kernels_of(w->walk.simd)->not_far(of_edges(feature), queries, count, &w->far, out->place);
    w->far.each = NULL;
    for (uint32_t i = 0; i < out->count; i++) {
        uint32_t vertices[4], place = out->place[i];
        const bw_swept *meshes[4];
        bw_swept_vertices_of(a, b, feature, pairs->a[place], pairs->b[place], vertices, meshes);
        for (int k = 0; k < 4; k++)
            out->paths[i].p[k] = &meshes[k]->paths[vertices[k]];
        if (w->thick)
            out->separation[i] = separation[place];
    }
}

/* A pair at both ends. */
typedef struct moving {
    const bw_ccd_kind *kind;
    bw_vec3 start[4], end[4];
} moving;

/* Features that are this near at time 0 already stay a part of their distance apart. */
static bw_ccd_result decide_kept(const bw_swept_worker *w, const moving *m, double distance)
{
    double separation = w->search->keep * distance;
    return separation > 0 ? bw_ccd_decide_near(m->kind, m->start, m->end, separation, w->tolerance)
                          : bw_ccd_decide(m->kind, m->start, m->end, w->tolerance);
}

/* near: nearer than the separation at time 0. */
static bw_ccd_result decide_pair(bw_swept_worker *w, const moving *m, double separation, bool near)
{
    bw_ccd_result first = {BW_CCD_CONTACT, false, 0, 0};
    if (!near)
        first = separation > 0
                    ? bw_ccd_advance(m->kind, m->start, m->end, separation, w->tolerance, w->latest)
                    : bw_ccd_decide(m->kind, m->start, m->end, w->tolerance);
    if (w->search->keep == 0 || separation == 0 || first.answer == BW_CCD_APART || first.time > 0)
        return first;
    double distance = bw_ccd_distance_of(m->kind == &bw_ccd_edge_edge_kind, m->start);
    if (!(distance <= separation))
        return first;
    w->now->near_count++;
    return decide_kept(w, m, distance);
}

/* The test of one pair that the filters left. */
static void decide(bw_swept_worker *w, bw_ccd_feature feature, uint32_t a, uint32_t b, double separation,
                   bool near)
{
    bw_swept_contact contact = {.feature = feature, .a = a, .b = b};
    const bw_swept *meshes[4];
    moving m = {.kind = of_edges(feature) ? &bw_ccd_edge_edge_kind : &bw_ccd_vertex_face_kind};
    bw_swept_vertices_of(w->search->a, w->search->b, feature, a, b, contact.vertices, meshes);
    for (int i = 0; i < 4; i++) {
        const double *at = meshes[i]->paths[contact.vertices[i]].at;
        m.start[i] = (bw_vec3){at[0], at[1], at[2]};
        m.end[i] = (bw_vec3){at[4], at[5], at[6]};
    }
    contact.first = decide_pair(w, &m, separation, near);
    bw_swept_report *r = &w->now->report;
    r->tested++;
    r->exact += contact.first.exact;
    if (contact.first.answer == BW_CCD_APART)
        return;
    r->contact_count++;
    r->vertex_face_count += feature == BW_CCD_VERTEX_FACE || feature == BW_CCD_FACE_VERTEX;
    r->edge_edge_count += feature == BW_CCD_EDGE_EDGE;
    r->vertex_edge_count += feature == BW_CCD_VERTEX_EDGE || feature == BW_CCD_EDGE_VERTEX;
    r->vertex_vertex_count += feature == BW_CCD_VERTEX_VERTEX;
    r->close_count += contact.first.answer == BW_CCD_CLOSE;
    if (bw_swept_earlier(&contact, &r->earliest))
        r->earliest = contact;
    if (w->search->query->mode == BW_SWEPT_EARLIEST && contact.first.time < w->latest)
        bw_swept_limit(w, contact.first.time);
    if (w->search->query->mode == BW_SWEPT_ALL) {
        bw_swept_contact *slot = bw_array_push(&w->now->found);
        if (slot != NULL)
            *slot = contact;
        else
            w->now->failed = w->walk.stop = true;
    }
}

void bw_swept_take_contacts(bw_swept_worker *w, bw_ccd_feature feature, const bw_swept_pairs *pairs,
                            uint32_t count)
{
    bool edges = of_edges(feature), near[BW_SWEPT_BATCH] = {false};
    uint32_t kept[BW_SWEPT_BATCH];
    bw_swept_left left;
    bw_swept_filter_floats(w, feature, pairs, count, &left);
    const bw_ccd_separation separation = {w->separation, w->thick ? left.separation : NULL};
    count = bw_ccd_filter(edges, left.paths, left.count, &separation, w->walk.simd, kept);
    if (bw_ccd_separates(&separation))
        bw_ccd_near_start(edges, left.paths, kept, count, &separation, w->walk.simd, near);
    for (uint32_t i = 0; i < count && !w->walk.stop; i++) {
        uint32_t place = left.place[kept[i]];
        decide(w, feature, pairs->a[place], pairs->b[place],
               w->thick ? left.separation[kept[i]] : w->separation, near[i]);
    }
}
