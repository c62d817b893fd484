/* The search of a step: a walk over pairs of leaves, or the candidates kept from a step before, give
 * candidates in batches, the vectorised filter proves most of them apart, the exact tests decide the rest.
 *
 * The pairs of nodes near the roots make up the parts of the work, always the same ones, or so many kept
 * candidates each; every part keeps what it finds. So nothing depends on who did which part. */
#include "swept/search.h"

#include "base/tasks.h"
#include "geom/box.h"
#include "geom/ccd/ccd.h"

enum { PARTS = 512, KEPT_A_PART = 1 << 14 };

typedef struct worker {
    bw_swept_traversal walk; /* first, so that a pointer to it is one to the whole */
    const bw_swept_search *search;
    double tolerance, separation;
    bw_swept_far far; /* the same for the filter in floats */
    bw_swept_part *now;
    uint64_t listed; /* candidates in the search's list */
} worker;

typedef struct job {
    const bw_swept_search *search;
    worker *workers;
} job;

/* The vertices of a pair, and of which meshes they are. */
static void vertices_of(const bw_swept_traversal *walk, bw_ccd_feature feature, uint32_t a, uint32_t b,
                        uint32_t vertices[4], const bw_swept *meshes[4])
{
    const bw_swept *x = walk->a, *y = walk->b;
    if (feature == BW_CCD_EDGE_EDGE) {
        for (int i = 0; i < 2; i++) {
            vertices[i] = x->edges[a][i];
            vertices[2 + i] = y->edges[b][i];
            meshes[i] = x;
            meshes[2 + i] = y;
        }
        return;
    }
    bool first = feature == BW_CCD_VERTEX_FACE; /* the vertex is of the first mesh */
    const uint32_t *face = (first ? y : x)->faces[first ? b : a];
    vertices[0] = first ? a : b;
    meshes[0] = first ? x : y;
    for (int i = 0; i < 3; i++) {
        vertices[1 + i] = face[i];
        meshes[1 + i] = first ? y : x;
    }
}

/* The pairs of a batch that may be in contact by the filter in floats: their places in it. */
static uint32_t filter_floats(const worker *w, bw_ccd_feature feature, const bw_swept_pairs *pairs,
                              uint32_t count, uint32_t out[BW_SWEPT_BATCH])
{
    const bw_swept_floats *queries[BW_SWEPT_BATCH][4];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t vertices[4];
        const bw_swept *meshes[4];
        vertices_of(&w->walk, feature, pairs->a[i], pairs->b[i], vertices, meshes);
        for (int k = 0; k < 4; k++)
            queries[i][k] = &meshes[k]->floats[vertices[k]];
    }
    return bw_swept_kernels_of(w->walk.simd)
        ->not_far(feature == BW_CCD_EDGE_EDGE, queries, count, &w->far, out);
}

/* The same in doubles. */
static bw_ccd_four query_of(const bw_swept_traversal *walk, bw_ccd_feature feature, uint32_t a, uint32_t b)
{
    bw_ccd_four query;
    uint32_t vertices[4];
    const bw_swept *meshes[4];
    vertices_of(walk, feature, a, b, vertices, meshes);
    for (int k = 0; k < 4; k++)
        query.p[k] = &meshes[k]->paths[vertices[k]];
    return query;
}

static bool earlier(const bw_swept_contact *now, const bw_swept_contact *best)
{
    if (best->feature == BW_CCD_NOTHING || now->first.time != best->first.time)
        return best->feature == BW_CCD_NOTHING || now->first.time < best->first.time;
    return bw_swept_before(now, best);
}

/* The test of one pair that the filter left; near: at time 0 already. */
static void decide(worker *w, bw_ccd_feature feature, uint32_t a, uint32_t b, bool near)
{
    bw_swept_contact contact = {.feature = feature, .a = a, .b = b};
    const bw_swept *meshes[4];
    vertices_of(&w->walk, feature, a, b, contact.vertices, meshes);
    bw_vec3 start[4], end[4];
    for (int i = 0; i < 4; i++) {
        const double *at = meshes[i]->paths[contact.vertices[i]].at;
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
    r->contact_count++;
    r->vertex_face_count += feature != BW_CCD_EDGE_EDGE;
    r->edge_edge_count += feature == BW_CCD_EDGE_EDGE;
    r->close_count += contact.first.answer == BW_CCD_CLOSE;
    if (earlier(&contact, &r->earliest))
        r->earliest = contact;
    if (w->search->query->mode == BW_SWEPT_ALL) {
        bw_swept_contact *slot = bw_array_push(&w->now->contacts);
        if (slot != NULL)
            *slot = contact;
        else
            w->now->failed = w->walk.stop = true;
    }
}

/* Where `count` candidates more are listed, of which fewer may be wanted. */
static bw_swept_candidate *list_room(worker *w, uint32_t *count)
{
    bw_array *own = &w->now->candidates;
    uint64_t already = w->search->list != NULL ? w->listed : own->count, left = w->search->listed - already;
    *count = *count < left ? *count : (uint32_t)left;
    if (*count == 0)
        return NULL;
    if (w->search->list != NULL) {
        w->listed += *count;
        return w->search->list + already;
    }
    bw_swept_candidate *room = bw_array_extend(own, *count);
    if (room == NULL)
        w->now->failed = w->walk.stop = true;
    return room;
}

static void list(worker *w, bw_ccd_feature feature, const bw_swept_pairs *pairs, uint32_t count)
{
    bw_swept_candidate *room = list_room(w, &count);
    for (uint32_t i = 0; room != NULL && i < count; i++)
        room[i] = (bw_swept_candidate){feature, pairs->a[i], pairs->b[i]};
}

static void flush(bw_swept_traversal *walk, bw_ccd_feature feature)
{
    worker *w = (worker *)walk;
    bw_swept_pairs *pairs = bw_swept_batch(walk, feature);
    uint32_t count = pairs->count;
    pairs->count = 0;
    walk->candidates[feature] += count;
    if (w->search->query->mode == BW_SWEPT_CANDIDATES) {
        list(w, feature, pairs, count);
        return;
    }
    bool edges = feature == BW_CCD_EDGE_EDGE, near[BW_SWEPT_BATCH] = {false};
    uint32_t left[BW_SWEPT_BATCH], kept[BW_SWEPT_BATCH];
    bw_ccd_four queries[BW_SWEPT_BATCH];
    count = filter_floats(w, feature, pairs, count, left);
    for (uint32_t i = 0; i < count; i++)
        queries[i] = query_of(walk, feature, pairs->a[left[i]], pairs->b[left[i]]);
    uint32_t kept_count = bw_ccd_filter(edges, queries, count, w->separation, walk->simd, kept);
    if (w->separation > 0)
        bw_ccd_near_start(edges, queries, kept, kept_count, w->separation, walk->simd, near);
    for (uint32_t i = 0; i < kept_count && !walk->stop; i++)
        decide(w, feature, pairs->a[left[kept[i]]], pairs->b[left[kept[i]]], near[i]);
}

static void run_parts(void *context, uint32_t begin, uint32_t end, uint32_t index)
{
    const job *j = context;
    worker *w = &j->workers[index];
    const bw_swept_candidate *kept = j->search->kept;
    for (uint32_t i = begin; i < end; i++) {
        bw_swept_part *p = w->now = &j->search->parts[i];
        bw_swept_traversal *walk = &w->walk;
        walk->stop = false;
        walk->box_tests = 0;
        for (int f = 0; f <= BW_CCD_EDGE_EDGE; f++)
            walk->candidates[f] = 0;
        walk->vertex_face.count = walk->face_vertex.count = walk->edge_edge.count = 0;
        if (kept != NULL)
            bw_swept_kernels_of(walk->simd)->again(walk, kept + p->begin, p->end - p->begin);
        else if (!bw_swept_traverse_from(walk, p->item))
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
static uint32_t divide(bw_swept_traversal *walk, bw_swept_part *parts)
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

/* Divides the kept candidates. */
static uint32_t divide_kept(const bw_swept_search *search)
{
    uint32_t count = 0;
    for (uint64_t at = 0; at < search->kept_count; at += KEPT_A_PART) {
        uint64_t left = search->kept_count - at;
        search->parts[count].begin = at;
        search->parts[count++].end = at + (left < KEPT_A_PART ? left : KEPT_A_PART);
    }
    return count;
}

double bw_swept_extent(const bw_swept *a, const bw_swept *b)
{
    double largest = 0;
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 3; k++) {
            const bw_box *box = &(side == 0 ? a : b)->tree.bounds;
            largest = fmax(largest, fmax(fabs((double)box->min[k]), fabs((double)box->max[k])));
        }
    return largest;
}

float bw_swept_growth(const bw_swept *a, const bw_swept *b, double separation)
{
    return separation == 0
               ? 0
               : bw_float_up(0.5 * separation + 0x1p-20 * fmax(separation, bw_swept_extent(a, b)));
}

static void add_report(bw_swept_report *sum, const bw_swept_report *more)
{
    sum->contact_count += more->contact_count;
    sum->vertex_face_count += more->vertex_face_count;
    sum->edge_edge_count += more->edge_edge_count;
    sum->close_count += more->close_count;
    if (more->earliest.feature != BW_CCD_NOTHING && earlier(&more->earliest, &sum->earliest))
        sum->earliest = more->earliest;
    sum->vertex_face_candidates += more->vertex_face_candidates;
    sum->edge_edge_candidates += more->edge_edge_candidates;
    sum->tested += more->tested;
    sum->exact += more->exact;
    sum->box_tests += more->box_tests;
}

bw_result bw_swept_search_run(bw_swept_search *s)
{
    const bw_ccd_desc desc = {.tolerance = s->query->tolerance, .separation = s->query->separation};
    const bw_ccd_desc *ccd = &desc;
    uint32_t worker_count = bw_workers(s->query->tasks);
    uint64_t parts = s->kept == NULL ? PARTS : (s->kept_count + KEPT_A_PART - 1) / KEPT_A_PART;
    if (parts > UINT32_MAX)
        return BW_ERROR_MEMORY;
    s->part_capacity = parts > 0 ? (uint32_t)parts : 1;
    s->parts = bw_allocate_zero(s->allocator, s->part_capacity, sizeof *s->parts);
    job j = {s, bw_allocate_zero(s->allocator, worker_count, sizeof *j.workers)};
    bool failed = s->parts == NULL || j.workers == NULL;
    /* Without a contact its times are those of bw_ccd_result when apart: the whole step is free. */
    s->report = (bw_swept_report){.status = BW_DONE, .earliest.first = {.time = 1, .time_after = 1}};
    if (!failed) {
        for (uint32_t i = 0; i < worker_count; i++)
            j.workers[i] = (worker){.walk = {.a = s->a,
                                             .b = s->b,
                                             .grow = s->grow,
                                             .simd = bw_simd_level(BW_SIMD_AUTO),
                                             .allocator = s->allocator,
                                             .flush = flush},
                                    .search = s,
                                    .far = bw_swept_far_from(ccd->separation, bw_swept_extent(s->a, s->b)),
                                    .tolerance = ccd->tolerance == 0 ? BW_CCD_TOLERANCE : ccd->tolerance,
                                    .separation = ccd->separation};
        s->part_count = s->kept == NULL ? divide(&j.workers[0].walk, s->parts) : divide_kept(s);
        for (uint32_t i = 0; i < s->part_count; i++) {
            s->parts[i].contacts = bw_array_of(sizeof(bw_swept_contact), s->allocator);
            s->parts[i].candidates = bw_array_of(sizeof(bw_swept_candidate), s->allocator);
        }
        s->report.box_tests = j.workers[0].walk.box_tests;
        s->report.kept = s->kept_count;
        bw_parallel(s->query->tasks, run_parts, &j, s->part_count, 1);
    }
    for (uint32_t i = 0; i < s->part_count; i++) {
        add_report(&s->report, &s->parts[i].report);
        failed |= s->parts[i].failed;
    }
    bw_release(s->allocator, j.workers, worker_count, sizeof *j.workers);
    return failed ? BW_ERROR_MEMORY : BW_OK;
}

void bw_swept_search_release(bw_swept_search *s)
{
    for (uint32_t i = 0; i < s->part_count; i++) {
        bw_array_release(&s->parts[i].contacts);
        bw_array_release(&s->parts[i].candidates);
    }
    bw_release(s->allocator, s->parts, s->part_capacity, sizeof *s->parts);
}
