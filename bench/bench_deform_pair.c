/* Two sheets wave and pass through each other over 120 frames: per frame, both trees follow their meshes and
 * every pair of triangles that meet is found. The positions of a frame are written in place before it is
 * timed, as a simulator would. */
#include "benches.h"
#include "inputs.h"
#include "peers/peers.h"

#include <stdlib.h>
#include <string.h>

enum { FRAMES = 120, HIT_CAPACITY = 1 << 20 };

typedef struct frames {
    bws_mesh sheet[2]; /* indices, and the positions of frame 0 */
    size_t position_bytes[2];
    float *positions[2]; /* of all frames, one after another */
    uint32_t count;
    bw_hit *hits;
} frames;

static const float *frame_positions(const frames *f, size_t which, uint32_t frame)
{
    return f->positions[which] + f->position_bytes[which] / sizeof(float) * frame;
}

/* ---- ours ---- */

typedef struct ours {
    const frames *frames;
    float *positions[2];
    bw_mesh mesh[2];
    bw_tree *tree[2];
} ours;

static void move_ours(void *self, uint32_t step)
{
    ours *o = self;
    for (size_t k = 0; k < 2; k++)
        memcpy(o->positions[k], frame_positions(o->frames, k, step), o->frames->position_bytes[k]);
}

static uint64_t run_ours(void *self)
{
    ours *o = self;
    for (size_t k = 0; k < 2; k++) {
        const bw_result result = bw_tree_update(o->tree[k], &o->mesh[k], NULL, NULL, NULL);
        bench_require(result == BW_OK, bw_result_string(result));
    }
    const bw_body a = {.tree = o->tree[0], .mesh = &o->mesh[0]},
                  b = {.tree = o->tree[1], .mesh = &o->mesh[1]};
    bw_collide_report report = {0};
    const bw_result result = bw_collide(
        &a, &b,
        &(bw_collide_desc){.mode = BW_COLLIDE_ALL, .hits = o->frames->hits, .hit_capacity = HIT_CAPACITY},
        &report, NULL);
    bench_require(result == BW_OK, bw_result_string(result));
    bench_require(report.status != BW_FULL, "more hits than the bench has room for");
    return report.hit_count;
}

static void destroy_ours(void *self)
{
    ours *o = self;
    for (size_t k = 0; k < 2; k++) {
        bw_tree_destroy(o->tree[k]);
        free(o->positions[k]);
    }
    free(o);
}

static void add_ours(bench_case *c, const char *name, const frames *f, bw_tree_desc desc)
{
    if (!bench_case_wants(c, name))
        return;
    ours *o = bench_alloc(1, sizeof *o);
    o->frames = f;
    for (size_t k = 0; k < 2; k++) {
        o->positions[k] = bench_alloc(f->position_bytes[k], 1);
        o->mesh[k] = bws_view(&f->sheet[k]);
        o->mesh[k].positions = o->positions[k];
    }
    move_ours(o, 0);
    for (size_t k = 0; k < 2; k++) {
        const bw_result result = bw_tree_create(&desc, &o->mesh[k], &o->tree[k], NULL);
        bench_require(result == BW_OK, bw_result_string(result));
    }
    bench_case_add(c, (bench_impl){.name = name,
                                   .self = o,
                                   .run = run_ours,
                                   .before = move_ours,
                                   .destroy = destroy_ours,
                                   .exact = true});
}

/* ---- theirs ---- */

typedef struct theirs {
    const frames *frames;
    const bw_peer *peer;
    void *model[2];
} theirs;

static void move_theirs(void *self, uint32_t step)
{
    const theirs *t = self;
    for (size_t k = 0; k < 2; k++)
        t->peer->move(t->model[k], frame_positions(t->frames, k, step));
}

static uint64_t run_theirs(void *self)
{
    const theirs *t = self;
    t->peer->refit(t->model[0]);
    t->peer->refit(t->model[1]);
    return t->peer->all(t->model[0], t->model[1], NULL);
}

static void destroy_theirs(void *self)
{
    theirs *t = self;
    t->peer->destroy(t->model[1]);
    t->peer->destroy(t->model[0]);
    free(t);
}

static void add_theirs(bench_case *c, const frames *f, const bw_peer *peer)
{
    if (peer->refit == NULL || peer->all == NULL || !bench_case_wants(c, peer->name))
        return;
    theirs *t = bench_alloc(1, sizeof *t);
    *t = (theirs){.frames = f, .peer = peer};
    for (size_t k = 0; k < 2; k++) {
        const bw_mesh view = bws_view(&f->sheet[k]);
        t->model[k] = peer->create(&view);
        bench_require(t->model[k] != NULL, "a peer cannot take the mesh");
        peer->build(t->model[k]);
    }
    bench_case_add(c, (bench_impl){.name = peer->name,
                                   .self = t,
                                   .run = run_theirs,
                                   .before = move_theirs,
                                   .destroy = destroy_theirs,
                                   .exact = peer->exact});
}

/* ---- the motion ---- */

static frames make_frames(uint32_t triangles, uint32_t count)
{
    uint32_t side = 1;
    while (2 * (side + 1) * (side + 1) <= triangles)
        side++;
    frames f = {.count = count, .hits = bench_alloc(HIT_CAPACITY, sizeof *f.hits)};
    for (size_t k = 0; k < 2; k++) {
        /* Different waves, so that the two cut each other along curves that wander. */
        bws_sheet_desc desc = {
            .columns = side, .rows = side, .waves = k == 0 ? 2.0 : 3.0, .phase = k == 0 ? 0.0 : 0.3};
        bench_require(bws_sheet(&desc, 0.0, BW_F32, &f.sheet[k]) == BW_OK, "cannot make a sheet");
        const size_t floats = 3 * (size_t)f.sheet[k].vertex_count;
        f.position_bytes[k] = floats * sizeof(float);
        f.positions[k] = bench_alloc(floats * count, sizeof(float));
        /* Backwards, so that frame 0 is the one that stays in the mesh. */
        for (uint32_t i = count; i-- > 0;) {
            const double time = count > 1 ? (double)i / (count - 1) : 0.0;
            desc.origin.z = k == 0 ? 0.0 : 0.12 - 0.24 * time;
            bws_sheet_move(&desc, time, &f.sheet[k]);
            memcpy(f.positions[k] + floats * i, f.sheet[k].positions, f.position_bytes[k]);
        }
    }
    return f;
}

static void free_frames(frames *f)
{
    for (size_t k = 0; k < 2; k++) {
        bws_mesh_free(&f->sheet[k]);
        free(f->positions[k]);
    }
    free(f->hits);
}

void bench_deform_pair(bench *b)
{
    static const uint32_t defaults[] = {20000, 200000};
    size_t count;
    const uint32_t *sizes = bench_sizes(b, defaults, 2, &count);
    for (size_t i = 0; i < count; i++) {
        /* A tenth of the frames tells as much of larger sheets, in the same time. */
        const uint32_t frame_count = bench_quick(b) ? 10 : sizes[i] < 100000 ? FRAMES : FRAMES / 10;
        bench_case *c = bench_case_begin(b, bench_format("sheets-%s", bench_size_label(sizes[i]).text).text,
                                         sizes[i], frame_count);
        if (c == NULL)
            continue;
        bench_case_steps(c, frame_count);
        frames f = make_frames(sizes[i], frame_count);
        add_ours(c, "boxwood", &f, (bw_tree_desc){.deforms = true});
        add_ours(c, "boxwood-corners", &f, (bw_tree_desc){0});
        for (size_t k = 0; bench_peers(b) && bw_peers[k] != NULL; k++)
            add_theirs(c, &f, bw_peers[k]);
        bench_case_measure(c);
        bench_case_end(c);
        free_frames(&f);
    }
}
