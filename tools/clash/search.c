/* From candidates to clashes: each pair of parts decided and measured, in parallel. What comes out is in the
 * order of the parts, whoever found it. */
#include "clash/clash.h"

#include "clash/stream.h"
#include "interrupt.h"
#include "progress.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Candidates that one thread takes at a time: few, as their costs differ by orders of magnitude, but where
 * there are many, enough to use a placed part again. */
enum { MOST_AT_A_TIME = 32, PIECES_A_THREAD = 16 };

/* What came of some candidates. */
typedef struct piece {
    clash *found;
    size_t count, capacity;
    size_t finished; /* looked at to the end */
    bw_result result;
    uint32_t a, b; /* where it failed */
    fault *why;    /* a mesh could not be read; NULL: it failed otherwise */
} piece;

typedef struct search {
    const clash_candidates *candidates;
    clash_worker *workers; /* one a thread */
    piece *pieces;
    size_t at_a_time;
    clash_stream *stream; /* NULL: clashes stay in the pieces */
    clash_result *result; /* with a stream: the kinds */
    pthread_mutex_t lock; /* of both */
} search;

/* Gives a clash to the stream. */
static bool pass_on(search *s, piece *p, clash *found)
{
    fault why;
    pthread_mutex_lock(&s->lock);
    bool fine = clash_stream_add(s->stream, found, &why);
    if (fine)
        s->result->kinds[found->kind]++;
    pthread_mutex_unlock(&s->lock);
    if (!fine) {
        p->result = BW_ERROR_MEMORY;
        p->why = tool_alloc(1, sizeof why);
        *p->why = why;
    }
    clash_free(found);
    return fine;
}

static void decide_piece(search *s, clash_worker *worker, size_t index)
{
    piece *p = &s->pieces[index];
    size_t begin = index * s->at_a_time, end = begin + s->at_a_time;
    end = end < s->candidates->count ? end : s->candidates->count;
    for (size_t i = begin; i < end && p->result == BW_OK && !interrupt_asked(); i++) {
        p->a = (uint32_t)(s->candidates->list[i] >> 32);
        p->b = (uint32_t)s->candidates->list[i];
        clash found;
        p->result = clash_decide(worker, p->a, p->b, &found);
        p->finished += p->result == BW_OK && !found.cut;
        if (p->result != BW_OK) {
            p->why = worker->why;
            worker->why = NULL;
        }
        if (p->result != BW_OK || found.kind == CLASH_NONE) {
            clash_free(&found);
            continue;
        }
        if (s->stream) {
            if (!pass_on(s, p, &found))
                break;
        } else {
            p->found = tool_grow(p->found, p->count, &p->capacity, sizeof *p->found);
            p->found[p->count++] = found;
        }
        if (!worker->wish->all)
            progress_found(1);
    }
    if (p->found) { /* no more than it needs: there may be a hundred thousand pieces */
        p->found = tool_resize(p->found, p->count, sizeof *p->found);
        p->capacity = p->count;
    }
    progress_done(end - begin);
}

static void decide_pieces(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    search *s = context;
    for (uint32_t i = begin; i < end; i++)
        decide_piece(s, &s->workers[worker], i);
}

static void take_over(clash_result *r, const piece *p)
{
    for (size_t i = 0; i < p->count; i++) {
        r->list = tool_grow(r->list, r->count, &r->capacity, sizeof *r->list);
        r->list[r->count++] = p->found[i];
        r->kinds[p->found[i].kind]++;
    }
}

/* Threads share the candidates; where there are fewer of these, each is looked at by all threads. Only a
 * search for all contacts gains by that: one that ends at the first crossing would do more than it needs. */
static bool decide_all(const assembly *a, const clash_wish *wish, const bw_tasks *tasks,
                       const clash_candidates *these, clash_stream *stream, clash_result *r, fault *why)
{
    size_t at_a_time = these->count / ((size_t)tasks->worker_count * PIECES_A_THREAD);
    at_a_time = at_a_time < 1 ? 1 : at_a_time > MOST_AT_A_TIME ? MOST_AT_A_TIME : at_a_time;
    size_t count = (these->count + at_a_time - 1) / at_a_time;
    if (count > UINT32_MAX)
        return fault_set(why, "%zu pairs of parts have boxes that meet: too many", these->count);
    search s = {.candidates = these,
                .workers = tool_alloc(tasks->worker_count, sizeof *s.workers),
                .pieces = tool_alloc(count, sizeof *s.pieces),
                .at_a_time = at_a_time,
                .stream = stream,
                .result = r};
    pthread_mutex_init(&s.lock, NULL);
    for (uint32_t i = 0; i < tasks->worker_count; i++)
        s.workers[i] = (clash_worker){.assembly = a, .wish = wish, .placed = BW_NONE, .number = i};
    memset(s.pieces, 0, count * sizeof *s.pieces);
    progress_step("looking at %zu pairs of parts", these->count);
    progress_total(these->count > 1 ? these->count : 0);
    interrupt_watch();
    if ((wish->all || wish->measure) && these->count < tasks->worker_count) {
        s.workers[0].tasks = tasks;
        decide_pieces(&s, 0, (uint32_t)count, 0);
    } else {
        tasks->parallel_for(tasks->user, decide_pieces, &s, (uint32_t)count, 1);
    }
    interrupt_unwatch();
    progress_end();
    bool fine = true;
    for (size_t i = 0; i < count; i++) {
        const piece *p = &s.pieces[i];
        take_over(r, p);
        r->counts.finished += p->finished;
        free(p->found);
        if (p->result != BW_OK && fine && p->why) {
            fine = fault_set(why, "%s", p->why->text);
        } else if (p->result != BW_OK && fine) {
            char names[2][2048];
            assembly_name(a, p->a, names[0], sizeof names[0]);
            assembly_name(a, p->b, names[1], sizeof names[1]);
            fine = fault_set(why, "%s and %s: %s", names[0], names[1], bw_result_string(p->result));
        }
        free(p->why);
    }
    for (uint32_t i = 0; i < tasks->worker_count; i++) {
        r->counts.nodes_visited += s.workers[i].counts.nodes_visited;
        r->counts.box_tests += s.workers[i].counts.box_tests;
        r->counts.primitive_tests += s.workers[i].counts.primitive_tests;
        r->counts.shallow += s.workers[i].counts.shallow;
        clash_worker_free(&s.workers[i]);
    }
    pthread_mutex_destroy(&s.lock);
    free(s.workers);
    free(s.pieces);
    return fine;
}

static int by_parts(const void *p, const void *q)
{
    const clash *x = p, *y = q;
    return x->a != y->a ? (x->a > y->a) - (x->a < y->a) : (x->b > y->b) - (x->b < y->b);
}

void clash_result_sort(clash_result *r)
{
    if (r->count > 0)
        qsort(r->list, r->count, sizeof *r->list, by_parts);
}

static int by_value(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

bool clash_search(const assembly *a, const clash_wish *wish, const bw_tasks *tasks, clash_stream *stream,
                  clash_result *r, fault *why)
{
    clash_candidates c = {.list = NULL};
    progress_step("finding pairs of %" PRIu32 " boxes", a->part_count);
    double start = seconds_now();
    bool fine = clash_find_candidates(a, wish, 0, 1, tasks, &c, why);
    r->counts.broad_seconds = seconds_now() - start;
    progress_end();
    r->counts.candidates = c.count;
    r->counts.aside = c.aside;
    start = seconds_now();
    if (fine && a->store) {
        uint32_t *costs = clash_order(a, &c);
        fine = costs || fault_set(why, "not enough memory to order %zu pairs of parts", c.count);
        free(costs);
        if (stream) /* nothing is shown of them later */
            clash_expect(a, c.list, c.count);
    } else if (c.count > 0) {
        qsort(c.list, c.count, sizeof *c.list, by_value);
    }
    fine = fine && decide_all(a, wish, tasks, &c, stream, r, why);
    if (a->store)
        clash_result_sort(r);
    r->counts.exact_seconds = seconds_now() - start;
    free(c.list);
    return fine;
}

void clash_result_free(clash_result *r)
{
    for (size_t i = 0; i < r->count; i++)
        clash_free(&r->list[i]);
    free(r->list);
    *r = (clash_result){.list = NULL};
}
