/* The contacts of meshes during a step: a walk over pairs of leaves gives candidates in batches, the
 * vectorised filter proves most of them apart, the exact tests decide the rest.
 *
 * The pairs of nodes near the roots make up the parts of the work, always the same ones; each keeps its own
 * contacts, and they are put together in their order. So nothing depends on who did which part. */
#include "swept/swept.h"

#include "base/array.h"
#include "base/tasks.h"
#include "geom/box.h"
#include "geom/ccd.h"

enum { PARTS = 512 };

typedef struct part {
    bw_swept_item item;
    bw_array contacts;      /* of bw_swept_contact; mode ALL */
    bw_swept_report report; /* its share of the counts, and its earliest */
    bool failed;            /* for want of memory */
} part;

typedef struct worker {
    bw_swept_walk walk; /* first, so that a pointer to it is one to the whole */
    const bw_swept_query *query;
    double tolerance, separation;
    part *now;
} worker;

typedef struct search {
    part *parts;
    worker *workers;
} search;

/* Of the second mesh, for edges, or of the one that the feature says. */
static void gather(const bw_swept_walk *walk, bw_ccd_feature feature, uint32_t a, uint32_t b,
                   uint32_t vertices[4], const bw_ccd_path *paths[4])
{
    const bw_swept *x = walk->a, *y = walk->b;
    if (feature == BW_CCD_EDGE_EDGE) {
        for (int i = 0; i < 2; i++) {
            vertices[i] = x->edges[a][i];
            vertices[2 + i] = y->edges[b][i];
            paths[i] = &x->paths[vertices[i]];
            paths[2 + i] = &y->paths[vertices[2 + i]];
        }
        return;
    }
    const bw_swept *point = feature == BW_CCD_VERTEX_FACE ? x : y,
                   *face = feature == BW_CCD_VERTEX_FACE ? y : x;
    vertices[0] = feature == BW_CCD_VERTEX_FACE ? a : b;
    paths[0] = &point->paths[vertices[0]];
    for (int i = 0; i < 3; i++) {
        vertices[1 + i] = face->faces[feature == BW_CCD_VERTEX_FACE ? b : a][i];
        paths[1 + i] = &face->paths[vertices[1 + i]];
    }
}

static bool earlier(const bw_swept_contact *now, const bw_swept_contact *best)
{
    return best->feature == BW_CCD_NOTHING || now->first.time < best->first.time;
}

/* The test of one pair that the filter left; near: at time 0 already. */
static void decide(worker *w, bw_ccd_feature feature, uint32_t a, uint32_t b, bool near)
{
    bw_swept_contact contact = {.feature = feature, .a = a, .b = b};
    const bw_ccd_path *paths[4];
    gather(&w->walk, feature, a, b, contact.vertices, paths);
    bw_vec3 start[4], end[4];
    for (int i = 0; i < 4; i++) {
        const double *at = paths[i]->at;
        start[i] = (bw_vec3){at[0], at[1], at[2]};
        end[i] = (bw_vec3){at[4], at[5], at[6]};
    }
    const bw_ccd_kind *kind = feature == BW_CCD_EDGE_EDGE ? &bw_ccd_edge_edge_kind : &bw_ccd_vertex_face_kind;
    if (near)
        contact.first = (bw_ccd_result){BW_CCD_CONTACT, false, 0, 0};
    else
        contact.first = w->separation > 0 ? bw_ccd_advance(kind, start, end, w->separation, w->tolerance)
                                          : bw_ccd_decide(kind, start, end, w->tolerance);
    bw_swept_report *r = &w->now->report;
    r->tested++;
    r->exact += contact.first.exact;
    if (contact.first.answer == BW_CCD_APART)
        return;
    r->contacts++;
    r->vertex_face += feature != BW_CCD_EDGE_EDGE;
    r->edge_edge += feature == BW_CCD_EDGE_EDGE;
    r->close += contact.first.answer == BW_CCD_CLOSE;
    if (earlier(&contact, &r->earliest))
        r->earliest = contact;
    if (w->query->mode == BW_SWEPT_ALL) {
        bw_swept_contact *slot = bw_array_push(&w->now->contacts);
        if (slot != NULL)
            *slot = contact;
        else
            w->now->failed = w->walk.stop = true;
    }
}

static void flush(bw_swept_walk *walk, bw_ccd_feature feature)
{
    worker *w = (worker *)walk;
    bw_swept_pairs *pairs = bw_swept_batch(walk, feature);
    uint32_t count = pairs->count;
    pairs->count = 0;
    walk->candidates[feature] += count;
    if (w->query->mode == BW_SWEPT_CANDIDATES)
        return;
    bool edges = feature == BW_CCD_EDGE_EDGE, near[BW_SWEPT_BATCH] = {false};
    uint32_t kept[BW_SWEPT_BATCH], vertices[4];
    bw_ccd_four queries[BW_SWEPT_BATCH];
    for (uint32_t i = 0; i < count; i++)
        gather(walk, feature, pairs->a[i], pairs->b[i], vertices, queries[i].p);
    uint32_t kept_count = bw_ccd_filter(edges, queries, count, w->separation, walk->simd, kept);
    if (w->separation > 0)
        bw_ccd_near_start(edges, queries, kept, kept_count, w->separation, walk->simd, near);
    for (uint32_t i = 0; i < kept_count && !walk->stop; i++)
        decide(w, feature, pairs->a[kept[i]], pairs->b[kept[i]], near[i]);
}

static void run_parts(void *context, uint32_t begin, uint32_t end, uint32_t index)
{
    search *s = context;
    worker *w = &s->workers[index];
    for (uint32_t i = begin; i < end; i++) {
        part *p = w->now = &s->parts[i];
        bw_swept_walk *walk = &w->walk;
        walk->stop = false;
        walk->box_tests = 0;
        for (int f = 0; f <= BW_CCD_EDGE_EDGE; f++)
            walk->candidates[f] = 0;
        walk->vertex_face.count = walk->face_vertex.count = walk->edge_edge.count = 0;
        if (!bw_swept_walk_from(walk, p->item))
            p->failed = true;
        flush(walk, BW_CCD_VERTEX_FACE);
        flush(walk, BW_CCD_FACE_VERTEX);
        flush(walk, BW_CCD_EDGE_EDGE);
        p->report.vertex_face_candidates =
            walk->candidates[BW_CCD_VERTEX_FACE] + walk->candidates[BW_CCD_FACE_VERTEX];
        p->report.edge_edge_candidates = walk->candidates[BW_CCD_EDGE_EDGE];
        p->report.box_tests = walk->box_tests;
    }
}

/* Divides the pair of roots, level by level, while the next level's pairs surely fit. */
static uint32_t divide(bw_swept_walk *walk, part *parts)
{
    bw_swept_item level[2][PARTS] = {{{0, 0}}};
    uint32_t count = 1, now = 0;
    /* Boxes of the roots: apart already? */
    for (;;) {
        uint32_t next = 0, i = 0;
        bool divided = false;
        for (; i < count; i++) {
            bw_swept_item below[BW_WIDTH * BW_WIDTH];
            uint32_t found = bw_swept_split(walk, level[now][i], below);
            if (next + found + (count - i - 1) > PARTS)
                break;
            divided |= found != 1 || below[0].a != level[now][i].a || below[0].b != level[now][i].b;
            for (uint32_t j = 0; j < found; j++)
                level[1 - now][next++] = below[j];
        }
        if (i < count || !divided)
            break;
        count = next;
        now = 1 - now;
    }
    for (uint32_t i = 0; i < count; i++)
        parts[i].item = level[now][i];
    return count;
}

/* By how much boxes grow for a separation: enough for the rounding of the sums, too. */
static float growth(const bw_swept *a, const bw_swept *b, double separation)
{
    if (separation == 0)
        return 0;
    double largest = separation;
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 3; k++) {
            const bw_box *box = &(side == 0 ? a : b)->tree.bounds;
            largest = fmax(largest, fmax(fabs((double)box->min[k]), fabs((double)box->max[k])));
        }
    return bw_float_up(0.5 * separation + 0x1p-20 * largest);
}

static bw_collide_status deliver(const part *parts, uint32_t count, const bw_swept_query *query)
{
    uint64_t given = 0;
    bw_collide_status status = BW_COLLIDE_COMPLETE;
    for (uint32_t i = 0; i < count; i++)
        for (size_t j = 0; j < parts[i].contacts.count; j++) {
            const bw_swept_contact *contact = bw_array_at(&parts[i].contacts, j);
            if (query->contacts != NULL) {
                if (given < query->capacity)
                    query->contacts[given++] = *contact;
                else
                    status = BW_COLLIDE_BUFFER_FULL;
            }
            if (query->on_contact != NULL && !query->on_contact(query->user, contact))
                return BW_COLLIDE_STOPPED;
        }
    return status;
}

static void add_report(bw_swept_report *sum, const bw_swept_report *more)
{
    sum->contacts += more->contacts;
    sum->vertex_face += more->vertex_face;
    sum->edge_edge += more->edge_edge;
    sum->close += more->close;
    if (more->earliest.feature != BW_CCD_NOTHING && earlier(&more->earliest, &sum->earliest))
        sum->earliest = more->earliest;
    sum->vertex_face_candidates += more->vertex_face_candidates;
    sum->edge_edge_candidates += more->edge_edge_candidates;
    sum->tested += more->tested;
    sum->exact += more->exact;
    sum->box_tests += more->box_tests;
}

static bw_result run(const bw_swept *a, const bw_swept *b, const bw_swept_query *query,
                     bw_swept_report *report)
{
    static const bw_swept_query defaults = {.mode = BW_SWEPT_COUNT};
    if (query == NULL)
        query = &defaults;
    const bw_ccd_desc *ccd = &query->ccd;
    if (a == NULL || b == NULL || report == NULL || (unsigned)query->mode > BW_SWEPT_CANDIDATES ||
        (query->contacts == NULL && query->capacity > 0) || bw_tasks_check(query->tasks) != BW_OK ||
        !(ccd->separation >= 0 && ccd->separation <= BW_COORDINATE_MAX) ||
        !(ccd->tolerance == 0 || (ccd->tolerance >= 0x1p-50 && ccd->tolerance <= 1)))
        return BW_ERROR_ARGUMENT;
    bw_allocator allocator = bw_allocator_or_heap(query->allocator);
    uint32_t worker_count = bw_workers(query->tasks), part_count = 0;
    search s = {bw_allocate_zero(&allocator, PARTS, sizeof *s.parts),
                bw_allocate_zero(&allocator, worker_count, sizeof *s.workers)};
    bool failed = s.parts == NULL || s.workers == NULL;
    /* Without a contact its times are those of bw_ccd_result when apart: the whole step is free. */
    bw_swept_report sum = {.status = BW_COLLIDE_COMPLETE, .earliest.first = {.time = 1, .time_after = 1}};
    if (!failed) {
        for (uint32_t i = 0; i < worker_count; i++)
            s.workers[i] = (worker){.walk = {.a = a,
                                             .b = b,
                                             .grow = growth(a, b, ccd->separation),
                                             .simd = bw_simd_level(BW_SIMD_AUTO),
                                             .allocator = &allocator,
                                             .flush = flush},
                                    .query = query,
                                    .tolerance = ccd->tolerance == 0 ? BW_CCD_TOLERANCE : ccd->tolerance,
                                    .separation = ccd->separation};
        part_count = divide(&s.workers[0].walk, s.parts);
        for (uint32_t i = 0; i < part_count; i++)
            s.parts[i].contacts = bw_array_of(sizeof(bw_swept_contact), &allocator);
        sum.box_tests = s.workers[0].walk.box_tests;
        bw_parallel(query->tasks, run_parts, &s, part_count, 1);
    }
    for (uint32_t i = 0; i < part_count; i++) {
        add_report(&sum, &s.parts[i].report);
        failed |= s.parts[i].failed;
    }
    if (!failed) {
        sum.status = deliver(s.parts, part_count, query);
        *report = sum;
    }
    for (uint32_t i = 0; i < part_count; i++)
        bw_array_release(&s.parts[i].contacts);
    bw_release(&allocator, s.parts, PARTS, sizeof *s.parts);
    bw_release(&allocator, s.workers, worker_count, sizeof *s.workers);
    return failed ? BW_ERROR_MEMORY : BW_OK;
}

bw_result bw_swept_self(const bw_swept *sweep, const bw_swept_query *query, bw_swept_report *report)
{
    return run(sweep, sweep, query, report);
}

bw_result bw_swept_pair(const bw_swept *a, const bw_swept *b, const bw_swept_query *query,
                        bw_swept_report *report)
{
    return a == b ? BW_ERROR_ARGUMENT : run(a, b, query, report);
}
