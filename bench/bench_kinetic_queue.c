/* Which priority queue serves the kinetic AABB tree best: every change that the tree makes to its queue while
 * it follows a scene is recorded once, and then played to each. Play is timed, the filling at the start is
 * not. What comes out, in which order, must be the same for all. */
#include "benches.h"
#include "inputs.h"
#include "queues.h"

#include "kinetic/queue/queue.h"

#include <math.h>
#include <stdlib.h>

typedef struct op {
    double key; /* NAN: remove; -INFINITY: pop */
    uint32_t id;
    bool fresh; /* insert, not update */
} op;

typedef struct trace {
    uint32_t ids, start_count;
    queue_item *start;
    op *ops;
    size_t count, room, pops;
} trace;

static void record(trace *t, op o)
{
    if (t->count == t->room) {
        t->room = t->room * 2 + 1024;
        t->ops = realloc(t->ops, t->room * sizeof *t->ops);
        bench_require(t->ops != NULL, "out of memory");
    }
    t->ops[t->count++] = o;
}

/* One entry of the queue: it changes nothing but certificates of this extent on the way up. */
static bool record_step(trace *t, bw_kinetic *k, double end)
{
    enum { DEEPEST = 256 };
    const bw_heap *heap = &k->queue.heap;
    bw_heap_item top;
    if (!bw_heap_top(heap, &top) || top.key > end)
        return false;
    uint32_t ids[DEEPEST], count = 0;
    double keys[DEEPEST];
    for (uint32_t lane = top.id / BW_EXTENTS;; lane = bw_kinetic_parent(k, lane)) {
        bench_require(count < DEEPEST, "a very deep tree");
        ids[count] = lane * BW_EXTENTS + top.id % BW_EXTENTS;
        keys[count] = bw_heap_has(heap, ids[count]) ? bw_heap_key(heap, ids[count]) : INFINITY;
        count++;
        if (lane == bw_kinetic_root(k))
            break;
    }
    bw_kinetic_report report = {0};
    bw_queue_step(k, end, &report);
    record(t, (op){-INFINITY, top.id, false});
    t->pops++;
    keys[0] = INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        double key = bw_heap_has(heap, ids[i]) ? bw_heap_key(heap, ids[i]) : INFINITY;
        if (key != keys[i])
            record(t, (op){key == INFINITY ? (double)NAN : key, ids[i], keys[i] == INFINITY});
    }
    return true;
}

static trace record_film(const bws_film *film)
{
    bw_motion motion = bws_film_motion(film);
    bw_mesh mesh = bws_view(&film->mesh);
    bw_kinetic *k = NULL;
    bw_result result =
        bw_kinetic_create(&(bw_kinetic_desc){.method = BW_KINETIC_QUEUE}, &mesh, &motion, &k, NULL);
    bench_require(result == BW_OK, bw_result_string(result));
    const bw_heap *heap = &k->queue.heap;
    trace t = {.ids = heap->room};
    t.start = bench_alloc(heap->count + 1, sizeof *t.start);
    for (uint32_t id = 0; id < heap->room; id++)
        if (bw_heap_has(heap, id))
            t.start[t.start_count++] = (queue_item){bw_heap_key(heap, id), id};
    double end = film->times[film->frame_count - 1];
    while (record_step(&t, k, end))
        continue;
    bw_kinetic_destroy(k);
    return t;
}

typedef struct player {
    const trace *trace;
    const queue_kind *kind;
    void *queue;
} player;

static void before(void *self, uint32_t step)
{
    (void)step;
    player *p = self;
    if (p->queue != NULL)
        p->kind->destroy(p->queue);
    p->queue = p->kind->create(p->trace->ids);
    for (uint32_t i = 0; i < p->trace->start_count; i++)
        p->kind->insert(p->queue, p->trace->start[i].id, p->trace->start[i].key);
}

static uint64_t run(void *self)
{
    player *p = self;
    const queue_kind *kind = p->kind;
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < p->trace->count; i++) {
        const op *o = &p->trace->ops[i];
        if (o->key == -INFINITY)
            hash = (hash ^ kind->pop(p->queue)) * 1099511628211u;
        else if (isnan(o->key))
            kind->remove(p->queue, o->id);
        else if (o->fresh)
            kind->insert(p->queue, o->id, o->key);
        else
            kind->update(p->queue, o->id, o->key);
    }
    return hash >> 16;
}

static void destroy(void *self)
{
    player *p = self;
    if (p->queue != NULL)
        p->kind->destroy(p->queue);
    free(p);
}

static void run_case(bench *b, const char *scene, uint32_t size,
                     bw_result (*make)(const bws_film_desc *, bws_film *))
{
    static const queue_kind *const kinds[] = {&queue_library, &queue_heap2, &queue_heap4,    &queue_heap8,
                                              &queue_pairing, &queue_avl,   &queue_calendar, &queue_radix};
    bench_label label = bench_size_label(size);
    bench_label name = bench_format("%s-%s", scene, label.text);
    bws_film film;
    /* The operations of a run are known only after recording, so a case that is not asked for is left early
     * by its name. */
    bench_case *asked = bench_case_begin(b, name.text, size, 1);
    if (asked == NULL)
        return;
    bench_case_end(asked);
    bw_result result = make(&(bws_film_desc){.triangles = size, .keyframes = 5}, &film);
    bench_require(result == BW_OK, bw_result_string(result));
    trace t = record_film(&film);
    bws_film_free(&film);
    bench_case *c = bench_case_begin(b, name.text, size, t.count);
    bench_case_result_unit(c, "order");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!bench_case_wants(c, kinds[i]->name))
            continue;
        player *p = bench_alloc(1, sizeof *p);
        *p = (player){.trace = &t, .kind = kinds[i]};
        bench_case_add(c, (bench_impl){.name = kinds[i]->name,
                                       .self = p,
                                       .run = run,
                                       .before = before,
                                       .destroy = destroy,
                                       .exact = true,
                                       .over = i == 0 ? NULL : "boxwood"});
    }
    bench_case_measure(c);
    bench_case_metric(c, "boxwood", "entries", t.start_count, "");
    bench_case_metric(c, "boxwood", "pops", (double)t.pops, "");
    bench_case_metric(c, "boxwood", "changes-per-pop", (double)(t.count - t.pops) / (double)t.pops, "");
    bench_case_end(c);
    free(t.start);
    free(t.ops);
}

void bench_kinetic_queue(bench *b)
{
    static const uint32_t sizes[] = {20000, 100000, 500000};
    size_t count;
    const uint32_t *chosen = bench_sizes(b, sizes, 3, &count);
    for (size_t i = 0; i < count; i++) {
        run_case(b, "dress", chosen[i], bws_dress);
        run_case(b, "tablecloth", chosen[i], bws_tablecloth);
    }
}
