/* Fitting a tree to the new positions of a mesh that deforms. Both frames are written in place between the
 * timed steps, as a simulator would, so that the positions are as warm in the caches for everyone. */
#include "benches.h"
#include "inputs.h"
#include "peers/peers.h"
#include "pool.h"

#include <stdlib.h>
#include <string.h>

enum { FRAMES = 2 };

typedef struct refit_input {
    bws_mesh frames[FRAMES];
    size_t position_bytes;
} refit_input;

/* ---- ours ---- */

typedef struct ours {
    const refit_input *in;
    float *positions;
    bw_mesh mesh;
    bw_tree *tree;
    bw_update_desc update;
    bw_update_report report;
} ours;

static void move_ours(void *self, uint32_t step)
{
    ours *o = self;
    memcpy(o->positions, o->in->frames[step].positions, o->in->position_bytes);
}

static uint64_t run_ours(void *self)
{
    ours *o = self;
    const bw_result result = bw_tree_update(o->tree, &o->mesh, &o->update, &o->report, NULL);
    bench_require(result == BW_OK, bw_result_string(result));
    return BENCH_NO_RESULT;
}

static void destroy_ours(void *self)
{
    ours *o = self;
    bw_tree_destroy(o->tree);
    free(o->positions);
    free(o);
}

static ours *add_ours(bench_case *c, const char *name, const refit_input *in, bw_tree_desc desc,
                      const bw_tasks *tasks)
{
    if (!bench_case_wants(c, name))
        return NULL;
    ours *o = bench_alloc(1, sizeof *o);
    *o = (ours){.in = in, .positions = bench_alloc(in->position_bytes, 1), .mesh = bws_view(&in->frames[0])};
    o->mesh.positions = o->positions;
    move_ours(o, 0);
    const bw_result result = bw_tree_create(&desc, &o->mesh, &o->tree, NULL);
    bench_require(result == BW_OK, bw_result_string(result));
    o->update.tasks = tasks;
    bench_case_add(c, (bench_impl){.name = name,
                                   .self = o,
                                   .run = run_ours,
                                   .before = move_ours,
                                   .destroy = destroy_ours,
                                   .threads = tasks != NULL ? tasks->worker_count : 1,
                                   .over = tasks != NULL ? "boxwood" : NULL});
    return o;
}

/* ---- theirs ---- */

typedef struct theirs {
    const refit_input *in;
    const bw_peer *peer;
    void *model;
} theirs;

static void move_theirs(void *self, uint32_t step)
{
    const theirs *t = self;
    t->peer->move(t->model, t->in->frames[step].positions);
}

static uint64_t run_theirs(void *self)
{
    const theirs *t = self;
    t->peer->refit(t->model);
    return BENCH_NO_RESULT;
}

static void destroy_theirs(void *self)
{
    theirs *t = self;
    t->peer->destroy(t->model);
    free(t);
}

static void add_theirs(bench_case *c, const refit_input *in, const bw_peer *peer)
{
    if (peer->refit == NULL || !bench_case_wants(c, peer->name))
        return;
    theirs *t = bench_alloc(1, sizeof *t);
    const bw_mesh view = bws_view(&in->frames[0]);
    *t = (theirs){in, peer, peer->create(&view)};
    bench_require(t->model != NULL, "a peer cannot take the mesh");
    peer->build(t->model);
    bench_case_add(c, (bench_impl){.name = peer->name,
                                   .self = t,
                                   .run = run_theirs,
                                   .before = move_theirs,
                                   .destroy = destroy_theirs});
}

/* ---- a plain copy of as many bytes: what this core can move ---- */

typedef struct copy {
    char *from, *to;
    size_t bytes; /* read and written, together */
} copy;

static uint64_t run_copy(void *self)
{
    const copy *p = self;
    memcpy(p->to, p->from, p->bytes / 2);
    /* Whoever reads nothing of it gets no copy from a clever compiler. */
    __asm__ volatile("" : : "r"(p->to) : "memory");
    return BENCH_NO_RESULT;
}

static void destroy_copy(void *self)
{
    copy *p = self;
    free(p->from);
    free(p->to);
    free(p);
}

static void add_copy(bench_case *c, size_t bytes)
{
    copy *p = bench_alloc(1, sizeof *p);
    *p = (copy){bench_alloc(bytes / 2, 1), bench_alloc(bytes / 2, 1), bytes};
    bench_case_add(
        c, (bench_impl){.name = "copy", .self = p, .run = run_copy, .destroy = destroy_copy, .aside = true});
}

/* ---- cases ---- */

/* What a refit cannot do without: every position read once, every box written once. */
static double least_bytes(const refit_input *in, const ours *o)
{
    return (double)in->position_bytes + (double)o->report.boxes * (double)sizeof(bw_box);
}

static void print_rates(bench_case *c, const refit_input *in, const ours *o, const char *name, double copied)
{
    if (o == NULL)
        return;
    const double time = bench_case_time(c, name);
    const double rate = least_bytes(in, o) / time, copy_rate = copied / bench_case_time(c, "copy");
    bench_case_metric(c, name, "time-per-triangle", time / in->frames[0].triangle_count, "ns");
    bench_case_metric(c, name, "bytes-moved", rate, "GB/s");
    bench_case_metric(c, name, "share-of-copy", rate / copy_rate, "x");
}

static void run_case(bench *b, const char *name, uint32_t size, bool shuffled)
{
    bench_case *c = bench_case_begin(b, name, size, FRAMES);
    if (c == NULL)
        return;
    bench_case_steps(c, FRAMES);
    refit_input in;
    in.frames[0] = input_bumpy(size, 1);
    if (shuffled)
        input_shuffle(&in.frames[0]);
    in.frames[1] = input_deformed(&in.frames[0]);
    in.position_bytes = 3 * sizeof(float) * in.frames[0].vertex_count;

    /* What a caller gets who says that the mesh deforms; the other form keeps a copy of the corners, and
     * refits that too. */
    const bw_tree_desc deforms = {.deforms = true};
    ours *compact = add_ours(c, "boxwood", &in, deforms, NULL);
    ours *corners = add_ours(c, "boxwood-corners", &in, (bw_tree_desc){0}, NULL);
    bw_pool *pool = bench_pool_create(2);
    add_ours(c, "boxwood-2-threads", &in, deforms, bw_pool_tasks(pool));
    for (size_t i = 0; bench_peers(b) && bw_peers[i] != NULL; i++)
        add_theirs(c, &in, bw_peers[i]);
    /* About the traffic of an 8-wide tree with leaves of eight. */
    const size_t copied = in.position_bytes + in.frames[0].triangle_count / 7 * sizeof(bw_box);
    add_copy(c, copied);
    bench_case_measure(c);
    print_rates(c, &in, compact, "boxwood", (double)(copied / 2 * 2));
    print_rates(c, &in, corners, "boxwood-corners", (double)(copied / 2 * 2));
    bench_case_metric(c, "copy", "bytes-moved", (double)(copied / 2 * 2) / bench_case_time(c, "copy"),
                      "GB/s");
    bench_case_end(c);
    bw_pool_destroy(pool);
    for (size_t i = 0; i < FRAMES; i++)
        bws_mesh_free(&in.frames[i]);
}

void bench_refit(bench *b)
{
    size_t count;
    const uint32_t *sizes = bench_mesh_sizes(b, &count);
    for (size_t i = 0; i < count; i++) {
        const bench_label label = bench_size_label(sizes[i]);
        run_case(b, bench_format("bumpy-%s", label.text).text, sizes[i], false);
        run_case(b, bench_format("shuffled-%s", label.text).text, sizes[i], true);
    }
}
