/* The search of a step: a walk over pairs of leaves, or the candidates kept from a step before, give
 * candidates in batches, which are listed, tested or measured.
 *
 * The pairs of nodes near the roots make up the parts of the work, always the same ones, or so many kept
 * candidates each; every part keeps what it finds. So nothing depends on who did which part. */
#include "swept/search/search.h"
#include "swept/search/earliest.h"
#include "swept/search/narrow_phase.h"

#include "base/tasks.h"
#include "geom/box.h"

enum { PARTS = 512, KEPT_A_PART = 1 << 14 };

typedef struct job {
    const bw_swept_search *search;
    bw_swept_worker *workers;
    uint32_t first, stride; /* as in bw_swept_run_round */
} job;

/* Where `count` candidates more are listed, of which fewer may be wanted. */
static bw_swept_candidate *list_room(bw_swept_worker *w, uint32_t *count)
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

void bw_swept_take_candidates(bw_swept_worker *w, bw_ccd_feature feature, const bw_swept_pairs *pairs,
                              uint32_t count)
{
    bw_swept_candidate *room = list_room(w, &count);
    for (uint32_t i = 0; room != NULL && i < count; i++)
        room[i] = (bw_swept_candidate){feature, pairs->a[i], pairs->b[i]};
}

/* The pairs of a batch that may collide, first. */
static uint32_t that_can_collide(const bw_swept_query *query, bw_ccd_feature feature, bw_swept_pairs *pairs,
                                 uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const bw_swept_candidate pair = {feature, pairs->a[i], pairs->b[i]};
        pairs->a[kept] = pair.a;
        pairs->b[kept] = pair.b;
        kept += query->can_collide(query->user, &pair);
    }
    return kept;
}

static void flush(bw_swept_traversal *walk, bw_ccd_feature feature)
{
    bw_swept_worker *w = (bw_swept_worker *)walk;
    bw_swept_pairs *pairs = bw_swept_batch(walk, feature);
    uint32_t count = pairs->count;
    pairs->count = 0;
    if (w->search->cancel != NULL && !bw_cancel_step(w->search->cancel, &w->until_question)) {
        walk->stop = true; /* a single part may hold most of the work */
        return;
    }
    if (w->search->query->can_collide != NULL)
        count = that_can_collide(w->search->query, feature, pairs, count);
    w->candidates[feature] += count;
    if (count > 0)
        w->search->take(w, feature, pairs, count);
}

static void run_part(bw_swept_worker *w, bw_swept_part *p)
{
    const bw_swept_search *s = w->search;
    bw_swept_traversal *walk = &w->walk;
    w->now = p;
    walk->stop = false;
    walk->box_tests = 0;
    for (int f = 0; f < BW_SWEPT_FEATURES; f++)
        w->candidates[f] = walk->batches[f].count = 0;
    bw_swept_limit(w, s->latest);
    if (s->kept != NULL)
        bw_swept_kernels_of(walk->simd)->again(walk, s->kept + p->begin, p->end - p->begin);
    else if (!bw_swept_traverse_from(walk, &p->item))
        p->failed = true;
    for (int f = BW_CCD_VERTEX_FACE; f < BW_SWEPT_FEATURES; f++)
        flush(walk, (bw_ccd_feature)f);
    bw_swept_report *r = &p->report;
    r->vertex_face_candidates = w->candidates[BW_CCD_VERTEX_FACE] + w->candidates[BW_CCD_FACE_VERTEX];
    r->edge_edge_candidates = w->candidates[BW_CCD_EDGE_EDGE];
    r->vertex_edge_candidates = w->candidates[BW_CCD_VERTEX_EDGE] + w->candidates[BW_CCD_EDGE_VERTEX];
    r->vertex_vertex_candidates = w->candidates[BW_CCD_VERTEX_VERTEX];
    r->candidate_count = r->vertex_face_candidates + r->edge_edge_candidates + r->vertex_edge_candidates +
                         r->vertex_vertex_candidates;
    r->box_tests = walk->box_tests;
}

static void run_parts(void *context, uint32_t begin, uint32_t end, uint32_t index)
{
    const job *j = context;
    uint32_t until = 0; /* every part asks, as each may take long */
    for (uint32_t i = begin; i < end; i++, until = 0)
        if (j->search->cancel == NULL || bw_cancel_step(j->search->cancel, &until))
            run_part(&j->workers[index], bw_swept_part_of(j->search, j->first + i, j->stride));
}

/* Divides the pair of roots, level by level, while the next level's pairs surely fit. */
static uint32_t divide(bw_swept_traversal *walk, bw_swept_part *parts)
{
    bw_swept_item level[2][PARTS];
    uint32_t count = 1, now = 0;
    level[0][0] = BW_SWEPT_ROOT;
    for (;;) {
        uint32_t next = 0, i = 0;
        bool divided = false;
        for (; i < count; i++) {
            bw_swept_item below[BW_SWEPT_SPLIT];
            uint32_t found = bw_swept_split(walk, &level[now][i], below);
            if (next + found + (count - i - 1) > PARTS)
                break;
            divided |= level[now][i].leaves == 0;
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
    return separation == 0 && !a->thick && !b->thick
               ? 0
               : bw_float_up(0.5 * separation + 0x1p-20 * fmax(separation, bw_swept_extent(a, b)));
}

static void add_report(bw_swept_report *sum, const bw_swept_report *more)
{
    sum->contact_count += more->contact_count;
    sum->vertex_face_count += more->vertex_face_count;
    sum->edge_edge_count += more->edge_edge_count;
    sum->vertex_edge_count += more->vertex_edge_count;
    sum->vertex_vertex_count += more->vertex_vertex_count;
    sum->close_count += more->close_count;
    if (more->earliest.feature != BW_CCD_NOTHING && bw_swept_earlier(&more->earliest, &sum->earliest))
        sum->earliest = more->earliest;
    sum->candidate_count += more->candidate_count;
    sum->vertex_face_candidates += more->vertex_face_candidates;
    sum->edge_edge_candidates += more->edge_edge_candidates;
    sum->vertex_edge_candidates += more->vertex_edge_candidates;
    sum->vertex_vertex_candidates += more->vertex_vertex_candidates;
    sum->tested += more->tested;
    sum->exact += more->exact;
    sum->box_tests += more->box_tests;
}

/* What the workers of a search begin with. */
static bw_swept_worker worker_of(const bw_swept_search *s)
{
    return (bw_swept_worker){.walk = {.a = s->walked_a,
                                      .b = s->walked_b,
                                      .grow = s->walked_grow,
                                      .simd = bw_simd_level(BW_SIMD_AUTO),
                                      .allocator = s->allocator,
                                      .flush = flush},
                             .search = s,
                             .tolerance = s->query->tolerance == 0 ? BW_CCD_TOLERANCE : s->query->tolerance,
                             .separation = s->query->separation,
                             .extent = bw_swept_extent(s->a, s->b),
                             .thick = s->a->thick || s->b->thick};
}

void bw_swept_run_round(bw_swept_search *s, bw_swept_worker *workers, uint32_t first, uint32_t count,
                        uint32_t stride)
{
    job j = {s, workers, first, stride};
    uint32_t worker_count = bw_workers(s->query->tasks);
    for (uint32_t i = 0; i < worker_count; i++) {
        workers[i].walk.a = s->walked_a;
        workers[i].walk.b = s->walked_b;
        workers[i].walk.grow = s->walked_grow;
    }
    bw_parallel(s->query->tasks, run_parts, &j, count, 1);
}

bw_result bw_swept_search_run(bw_swept_search *s)
{
    uint32_t worker_count = bw_workers(s->query->tasks);
    uint64_t parts = s->kept == NULL ? PARTS : (s->kept_count + KEPT_A_PART - 1) / KEPT_A_PART;
    if (parts > UINT32_MAX)
        return BW_ERROR_MEMORY;
    s->walked_a = s->a;
    s->walked_b = s->b;
    s->walked_grow = s->grow;
    s->cancel = bw_cancel_init(&s->asking, s->query->progress);
    s->part_capacity = parts > 0 ? (uint32_t)parts : 1;
    s->parts = bw_allocate_zero(s->allocator, s->part_capacity, sizeof *s->parts);
    bw_swept_worker *workers = bw_allocate_zero(s->allocator, worker_count, sizeof *workers);
    bool failed = s->parts == NULL || workers == NULL;
    /* Without a contact its times are those of bw_ccd_result when apart: the whole step is free. */
    s->report = (bw_swept_report){.status = BW_DONE, .earliest.first = {.time = 1, .time_after = 1}};
    if (!failed) {
        for (uint32_t i = 0; i < worker_count; i++)
            workers[i] = worker_of(s);
        s->part_count = s->kept == NULL ? divide(&workers[0].walk, s->parts) : divide_kept(s);
        for (uint32_t i = 0; i < s->part_count; i++) {
            s->parts[i].found = bw_array_of(s->element, s->allocator);
            s->parts[i].candidates = bw_array_of(sizeof(bw_swept_candidate), s->allocator);
        }
        s->report.box_tests = workers[0].walk.box_tests;
        s->report.kept = s->kept_count;
        if (s->query->mode == BW_SWEPT_EARLIEST)
            failed = !bw_swept_run_earliest(s, workers);
        else
            bw_swept_run_round(s, workers, 0, s->part_count, 1);
    }
    for (uint32_t i = 0; s->parts != NULL && i < s->part_count; i++) {
        add_report(&s->report, &s->parts[i].report);
        s->near_count += s->parts[i].near_count;
        failed |= s->parts[i].failed;
    }
    if (s->query->mode == BW_SWEPT_EARLIEST)
        bw_swept_keep_earliest(&s->report);
    bw_release(s->allocator, workers, worker_count, sizeof *workers);
    s->stopped = s->cancel != NULL && atomic_load(&s->cancel->cancelled);
    return failed ? BW_ERROR_MEMORY : BW_OK;
}

void bw_swept_search_release(bw_swept_search *s)
{
    for (uint32_t i = 0; i < s->part_count; i++) {
        bw_array_release(&s->parts[i].found);
        bw_array_release(&s->parts[i].candidates);
    }
    bw_release(s->allocator, s->parts, s->part_capacity, sizeof *s->parts);
}
