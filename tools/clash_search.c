/* From parts to clashes: pairs of boxes by a scene, then each pair exactly, in parallel. What comes out is in
 * the order of the parts, whoever found it. */
#include "clash.h"

#include "interrupt.h"
#include "progress.h"

#include <boxwood/scene.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Candidates that one thread takes at a time: few, as their costs differ by orders of magnitude, but where
 * there are many, enough to use a placed part again. */
enum { MOST_AT_A_TIME = 32, PIECES_A_THREAD = 16 };

typedef struct candidates {
    const bw_scene *scene;
    uint64_t *list; /* part a in the high half, part b > a in the low */
    size_t count, capacity;
} candidates;

static uint64_t part_of(const bw_scene *scene, bw_id id)
{
    uint64_t part = 0;
    bw_scene_get(scene, id, NULL, &part, NULL);
    return part;
}

static bool take_pairs(void *user, const bw_pair *pairs, const bw_pair_path *paths, size_t count)
{
    (void)paths; /* no part is an instance */
    candidates *c = user;
    for (size_t i = 0; i < count; i++) {
        uint64_t a = part_of(c->scene, pairs[i].a), b = part_of(c->scene, pairs[i].b);
        c->list = tool_grow(c->list, c->count, &c->capacity, sizeof *c->list);
        c->list[c->count++] = a < b ? a << 32 | b : b << 32 | a;
    }
    return true;
}

static int by_value(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* A bound moved outward by a margin and into the scene's range. Both only ever make boxes overlap that did
 * not. */
static float widen(float bound, double margin, double direction)
{
    double wide = nextafter((double)bound + direction * margin, direction * INFINITY);
    if (margin == 0)
        wide = (double)bound;
    float rounded = (float)wide;
    if (direction * (double)rounded < direction * wide)
        rounded = nextafterf(rounded, (float)direction * INFINITY);
    return fmaxf(-BW_SCENE_COORDINATE_MAX, fminf(BW_SCENE_COORDINATE_MAX, rounded));
}

static bw_result find_pairs(const assembly *a, double within, const bw_tasks *tasks, candidates *out)
{
    bw_box *boxes = tool_alloc(a->part_count, sizeof *boxes);
    uint64_t *users = tool_alloc(a->part_count, sizeof *users);
    bw_id *ids = tool_alloc(a->part_count, sizeof *ids);
    /* Half of the distance around each; a double of the smallest magnitude has no half. */
    double margin = within > 0 ? nextafter(within / 2, INFINITY) : 0;
    for (uint32_t i = 0; i < a->part_count; i++) {
        users[i] = i;
        for (int k = 0; k < 3; k++) {
            boxes[i].min[k] = widen(a->parts[i].box.min[k], margin, -1);
            boxes[i].max[k] = widen(a->parts[i].box.max[k], margin, 1);
        }
    }
    bw_scene *scene = NULL;
    bw_result result =
        bw_scene_create(&(bw_scene_desc){.nesting = BW_NESTING_MODERN, .tasks = tasks}, &scene, NULL);
    if (result == BW_OK)
        result = bw_scene_insert_many(scene, boxes, users, a->part_count, ids, NULL);
    out->scene = scene;
    if (result == BW_OK)
        result = bw_scene_pairs(scene, &(bw_pair_output){.on_pairs = take_pairs, .user = out}, NULL, NULL);
    bw_scene_destroy(scene);
    free(boxes);
    free(users);
    free(ids);
    if (out->count > 0)
        qsort(out->list, out->count, sizeof *out->list, by_value);
    return result;
}

/* What came of some candidates. */
typedef struct piece {
    clash *found;
    size_t count, capacity;
    size_t finished; /* looked at to the end */
    bw_result result;
    uint32_t a, b; /* where it failed */
} piece;

typedef struct search {
    const candidates *candidates;
    clash_eye *eyes; /* one a thread */
    piece *pieces;
    size_t at_a_time;
} search;

static void look_at_piece(search *s, clash_eye *eye, size_t index)
{
    piece *p = &s->pieces[index];
    size_t begin = index * s->at_a_time, end = begin + s->at_a_time;
    end = end < s->candidates->count ? end : s->candidates->count;
    for (size_t i = begin; i < end && p->result == BW_OK && !interrupt_asked(); i++) {
        p->a = (uint32_t)(s->candidates->list[i] >> 32);
        p->b = (uint32_t)s->candidates->list[i];
        clash found;
        p->result = clash_look(eye, p->a, p->b, &found);
        p->finished += p->result == BW_OK && !found.cut;
        if (p->result != BW_OK || found.kind == CLASH_NONE) {
            free(found.kept);
            continue;
        }
        p->found = tool_grow(p->found, p->count, &p->capacity, sizeof *p->found);
        p->found[p->count++] = found;
        if (!eye->wish->all)
            progress_found(1);
    }
    progress_done(end - begin);
}

static void look_at_pieces(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    search *s = context;
    for (uint32_t i = begin; i < end; i++)
        look_at_piece(s, &s->eyes[worker], i);
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
static bool look_at_all(const assembly *a, const clash_wish *wish, const bw_tasks *tasks,
                        const candidates *these, clash_result *r, fault *why)
{
    size_t at_a_time = these->count / ((size_t)tasks->worker_count * PIECES_A_THREAD);
    at_a_time = at_a_time < 1 ? 1 : at_a_time > MOST_AT_A_TIME ? MOST_AT_A_TIME : at_a_time;
    size_t count = (these->count + at_a_time - 1) / at_a_time;
    if (count > UINT32_MAX)
        return fault_set(why, "%zu pairs of parts have boxes that meet: too many", these->count);
    search s = {these, tool_alloc(tasks->worker_count, sizeof *s.eyes), tool_alloc(count, sizeof *s.pieces),
                at_a_time};
    for (uint32_t i = 0; i < tasks->worker_count; i++)
        s.eyes[i] = (clash_eye){.assembly = a, .wish = wish, .placed = BW_NONE};
    memset(s.pieces, 0, count * sizeof *s.pieces);
    progress_step("looking at %zu pairs of parts", these->count);
    progress_total(these->count > 1 ? these->count : 0);
    interrupt_watch();
    if (wish->all && these->count < tasks->worker_count) {
        s.eyes[0].tasks = tasks;
        look_at_pieces(&s, 0, (uint32_t)count, 0);
    } else {
        tasks->parallel_for(tasks->user, look_at_pieces, &s, (uint32_t)count, 1);
    }
    interrupt_unwatch();
    progress_end();
    bool fine = true;
    for (size_t i = 0; i < count; i++) {
        const piece *p = &s.pieces[i];
        take_over(r, p);
        r->counts.finished += p->finished;
        free(p->found);
        if (p->result != BW_OK && fine) {
            char names[2][2048];
            assembly_name(a, p->a, names[0], sizeof names[0]);
            assembly_name(a, p->b, names[1], sizeof names[1]);
            fine = fault_set(why, "%s and %s: %s", names[0], names[1], bw_result_string(p->result));
        }
    }
    for (uint32_t i = 0; i < tasks->worker_count; i++) {
        r->counts.nodes_visited += s.eyes[i].counts.nodes_visited;
        r->counts.box_tests += s.eyes[i].counts.box_tests;
        r->counts.primitive_tests += s.eyes[i].counts.primitive_tests;
        clash_eye_free(&s.eyes[i]);
    }
    free(s.eyes);
    free(s.pieces);
    return fine;
}

bool clash_search(const assembly *a, const clash_wish *wish, const bw_tasks *tasks, clash_result *r,
                  fault *why)
{
    candidates c = {.list = NULL};
    progress_step("finding pairs of %" PRIu32 " boxes", a->part_count);
    double start = seconds_now();
    bw_result result = find_pairs(a, wish->within, tasks, &c);
    r->counts.broad_seconds = seconds_now() - start;
    progress_end();
    r->counts.candidates = c.count;
    bool fine = result == BW_OK || fault_set(why, "finding pairs of parts: %s", bw_result_string(result));
    start = seconds_now();
    fine = fine && look_at_all(a, wish, tasks, &c, r, why);
    r->counts.exact_seconds = seconds_now() - start;
    free(c.list);
    return fine;
}

void clash_result_free(clash_result *r)
{
    for (size_t i = 0; i < r->count; i++)
        free(r->list[i].kept);
    free(r->list);
    *r = (clash_result){.list = NULL};
}
