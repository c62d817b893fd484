/* All overlapping pairs among many boxes, about five an object, beside Embree's rtcCollide on one scene. */
#include "bench_scene_inputs.h"
#include "benches.h"
#include "peers/scene_peers.h"

#include <stdlib.h>

typedef struct finder {
    const scene_input *in;
    scene_ours *ours;
    const bw_scene_peer *peer;
    void *theirs;
    bw_pair *pairs;
    uint32_t (*ids)[2];
    uint64_t capacity;
} finder;

static uint64_t run_ours(void *self)
{
    const finder *f = self;
    const bw_pair_output output = {.pairs = f->pairs, .pair_capacity = f->capacity};
    bw_pair_report report = {0};
    bw_result result = bw_scene_pairs(f->ours->scene, &output, &report, NULL);
    bench_require(result == BW_OK && report.status == BW_DONE, "the pairs did not fit");
    return report.found_count;
}

static uint64_t run_theirs(void *self)
{
    const finder *f = self;
    uint64_t found = f->peer->pairs(f->theirs, f->ids, f->capacity);
    bench_require(found <= f->capacity, "the pairs did not fit");
    return found;
}

static void destroy(void *self)
{
    finder *f = self;
    if (f->ours != NULL)
        scene_ours_free(f->ours);
    if (f->theirs != NULL)
        f->peer->destroy(f->theirs);
    free(f->pairs);
    free(f->ids);
    free(f);
}

static finder *new_finder(const scene_input *in)
{
    finder *f = bench_alloc(1, sizeof *f);
    *f = (finder){.in = in, .capacity = 8ull * in->count};
    return f;
}

void bench_pairs(bench *b)
{
    static const uint32_t defaults[] = {10000, 100000};
    static const bw_scene_desc modern = {.nesting = BW_NESTING_MODERN};
    size_t count;
    const uint32_t *sizes = bench_sizes(b, defaults, 2, &count);
    for (size_t i = 0; i < count; i++) {
        bench_label size = bench_size_label(sizes[i]);
        bench_case *c = bench_case_begin(b, bench_format("pairs-%s", size.text).text, sizes[i], 1);
        if (c == NULL)
            continue;
        scene_input in = scene_input_make(BWS_SPREAD_UNIFORM, sizes[i], 14, 0, 10, 0);
        finder *ours = new_finder(&in);
        ours->ours = scene_ours_make(&in, &modern);
        ours->pairs = bench_alloc(ours->capacity, sizeof *ours->pairs);
        bench_case_add(
            c,
            (bench_impl){
                .name = "boxwood-modern", .self = ours, .run = run_ours, .destroy = destroy, .exact = true});
        for (size_t p = 0; bench_peers(b) && bw_scene_peers[p] != NULL; p++) {
            const bw_scene_peer *peer = bw_scene_peers[p];
            if (peer->pairs == NULL || !bench_case_wants(c, peer->name))
                continue;
            finder *f = new_finder(&in);
            f->peer = peer;
            f->theirs = peer->create(in.boxes, in.count);
            bench_require(f->theirs != NULL, "a peer could not build its scene");
            if (peer->optimize != NULL)
                peer->optimize(f->theirs);
            f->ids = bench_alloc(f->capacity, sizeof *f->ids);
            bench_case_add(
                c, (bench_impl){
                       .name = peer->name, .self = f, .run = run_theirs, .destroy = destroy, .exact = true});
        }
        bench_case_measure(c);
        bench_case_metric(c, "boxwood-modern", "overlaps-per-object", 2.0 * (double)run_ours(ours) / sizes[i],
                          "");
        bench_case_end(c);
        scene_input_free(&in);
    }
}
