/* View volumes over many boxes, each seeing about a forty-fifth of them, beside Bullet's collideKDOP. */
#include "bench_scene_inputs.h"
#include "benches.h"
#include "peers/scene_peers.h"

#include <boxwood/cull.h>
#include <math.h>
#include <stdlib.h>

enum { FRUSTA = 100, PLANES = 5 };

typedef struct viewer {
    const scene_input *in;
    const bw_plane (*frusta)[6];
    scene_ours *ours;
    bw_view_cache *cache;
    const bw_scene_peer *peer;
    void *theirs;
    bw_id *ids;
    uint32_t *their_ids;
} viewer;

static uint64_t run_ours(void *self)
{
    const viewer *v = self;
    uint64_t found = 0;
    for (int i = 0; i < FRUSTA; i++) {
        const bw_region region = {
            .kind = BW_REGION_PLANES, .planes = v->frusta[i], .plane_count = PLANES, .cache = v->cache};
        const bw_scene_output output = {.ids = v->ids, .id_capacity = v->in->count};
        bw_scene_report report = {0};
        bw_result result = bw_scene_query(v->ours->scene, &region, &output, &report, NULL);
        bench_require(result == BW_OK, bw_result_string(result));
        found += report.found_count;
    }
    return found;
}

static uint64_t run_theirs(void *self)
{
    const viewer *v = self;
    uint64_t found = 0;
    for (int i = 0; i < FRUSTA; i++) {
        bw_peer_plane planes[PLANES];
        for (int p = 0; p < PLANES; p++) {
            for (int a = 0; a < 3; a++)
                planes[p].normal[a] = v->frusta[i][p].n[a];
            planes[p].offset = v->frusta[i][p].d;
        }
        found += v->peer->frustum(v->theirs, planes, PLANES, v->their_ids, v->in->count);
    }
    return found;
}

static void destroy(void *self)
{
    viewer *v = self;
    if (v->ours != NULL)
        scene_ours_free(v->ours);
    if (v->theirs != NULL)
        v->peer->destroy(v->theirs);
    bw_view_cache_destroy(v->cache);
    free(v->ids);
    free(v->their_ids);
    free(v);
}

/* Eyes inside the cube, looking anywhere, with an angle that sees about 22,000 of a million. */
static void make_frusta(const scene_input *in, bw_plane (*out)[6])
{
    bws_random random = bws_random_seeded(77);
    for (int i = 0; i < FRUSTA; i++) {
        uint32_t count;
        bw_view view = {.up = {0.1, 0.2, 1}, .fov_y = 0.19, .aspect = 1.3};
        view.eye = (bw_vec3){in->side * bws_random_unit(&random), in->side * bws_random_unit(&random),
                             in->side * bws_random_unit(&random)};
        view.forward =
            (bw_vec3){0.5 * in->side - view.eye.x + bws_random_double(&random, -1, 1) * 0.3 * in->side,
                      0.5 * in->side - view.eye.y + bws_random_double(&random, -1, 1) * 0.3 * in->side,
                      0.5 * in->side - view.eye.z + 0.01};
        bench_require(bw_view_planes(&view, out[i], &count, NULL) == BW_OK && count == PLANES,
                      "a view without planes");
    }
}

void bench_frustum(bench *b)
{
    static const uint32_t defaults[] = {1000000};
    static const bw_scene_desc modern = {.nesting = BW_NESTING_MODERN};
    size_t count;
    const uint32_t *sizes = bench_sizes(b, defaults, 1, &count);
    for (size_t i = 0; i < count; i++) {
        bench_label size = bench_size_label(sizes[i]);
        bench_case *c = bench_case_begin(b, bench_format("frustum-%s", size.text).text, sizes[i], FRUSTA);
        if (c == NULL)
            continue;
        scene_input in = scene_input_make(BWS_SPREAD_UNIFORM, sizes[i], 10, 0, 10, 0);
        bw_plane(*frusta)[6] = bench_alloc(FRUSTA, sizeof *frusta);
        make_frusta(&in, frusta);
        viewer *ours = NULL;
        for (int coherent = 0; coherent < 2; coherent++) {
            const char *name = coherent == 1 ? "boxwood-modern-coherent" : "boxwood-modern";
            if (!bench_case_wants(c, name))
                continue;
            ours = bench_alloc(1, sizeof *ours);
            *ours = (viewer){
                .in = &in, .frusta = (const bw_plane(*)[6])frusta, .ours = scene_ours_make(&in, &modern)};
            ours->ids = bench_alloc(in.count, sizeof *ours->ids);
            if (coherent == 1)
                bench_require(bw_view_cache_create(NULL, &ours->cache) == BW_OK, "no memory");
            bench_case_add(
                c,
                (bench_impl){.name = name, .self = ours, .run = run_ours, .destroy = destroy, .exact = true});
        }
        for (size_t p = 0; bench_peers(b) && bw_scene_peers[p] != NULL; p++) {
            const bw_scene_peer *peer = bw_scene_peers[p];
            if (peer->frustum == NULL || !bench_case_wants(c, peer->name))
                continue;
            viewer *v = bench_alloc(1, sizeof *v);
            *v = (viewer){.in = &in,
                          .frusta = (const bw_plane(*)[6])frusta,
                          .peer = peer,
                          .theirs = peer->create(in.boxes, in.count)};
            bench_require(v->theirs != NULL, "a peer could not build its scene");
            if (peer->optimize != NULL)
                peer->optimize(v->theirs);
            v->their_ids = bench_alloc(in.count, sizeof *v->their_ids);
            /* Not called exact: it evaluates the planes in another order, which decides boxes that touch one.
             */
            bench_case_add(
                c, (bench_impl){.name = peer->name, .self = v, .run = run_theirs, .destroy = destroy});
        }
        bench_case_measure(c);
        if (ours != NULL)
            bench_case_metric(c, "boxwood-modern", "visible", (double)run_ours(ours) / FRUSTA, "objects");
        bench_case_end(c);
        free(frusta);
        scene_input_free(&in);
    }
}
