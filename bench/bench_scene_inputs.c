#include "bench_scene_inputs.h"

#include <math.h>
#include <stdlib.h>

static void make_moves(scene_input *in, uint32_t batches, bws_random *random)
{
    size_t count = (size_t)batches * SCENE_BATCH;
    scene_moves *m = &in->moves;
    m->batches = batches;
    m->objects = bench_alloc(count + 1, sizeof *m->objects);
    m->forward = bench_alloc(count + 1, sizeof *m->forward);
    m->backward = bench_alloc(count + 1, sizeof *m->backward);
    bws_ball *now = bench_alloc(in->count, sizeof *now);
    for (uint32_t i = 0; i < in->count; i++)
        now[i] = in->balls[i];
    for (size_t k = 0; k < count; k++) {
        uint32_t object = (uint32_t)bws_random_below(random, in->count);
        m->objects[k] = object;
        m->backward[k] = bws_ball_box(&now[object]);
        now[object] = bws_ball_moved(&now[object], in->side, random);
        m->forward[k] = bws_ball_box(&now[object]);
    }
    /* An object that a batch names twice goes back to where it was before the first. */
    uint32_t *first = bench_alloc(in->count, sizeof *first);
    for (uint32_t b = 0; b < batches; b++)
        for (uint32_t i = 0; i < SCENE_BATCH; i++) {
            size_t k = (size_t)b * SCENE_BATCH + i;
            uint32_t *seen = &first[m->objects[k]];
            if (*seen > (size_t)b * SCENE_BATCH)
                m->backward[k] = m->backward[*seen - 1];
            else
                *seen = (uint32_t)k + 1;
        }
    free(first);
    free(now);
}

scene_input scene_input_make(bws_spread spread, uint32_t count, double side_factor, uint32_t query_count,
                             double query_size, uint32_t batches)
{
    bws_random random = bws_random_seeded(count + 7u * (uint32_t)spread);
    scene_input in = {.count = count, .side = side_factor * cbrt(count), .query_count = query_count};
    in.balls = bench_alloc(count, sizeof *in.balls);
    in.boxes = bench_alloc(count, sizeof *in.boxes);
    in.queries = bench_alloc(query_count + 1, sizeof *in.queries);
    for (uint32_t i = 0; i < count; i++) {
        in.balls[i] = bws_ball_random(spread, in.side, &random);
        in.boxes[i] = bws_ball_box(&in.balls[i]);
    }
    for (uint32_t i = 0; i < query_count; i++) {
        const bws_ball *near = &in.balls[bws_random_below(&random, count)];
        for (int a = 0; a < 3; a++) {
            double low = spread == BWS_SPREAD_UNIFORM
                             ? bws_random_double(&random, 0, in.side)
                             : near->centre[a] - query_size * bws_random_unit(&random);
            in.queries[i].min[a] = (float)low;
            in.queries[i].max[a] = (float)(low + query_size);
        }
    }
    make_moves(&in, batches, &random);
    return in;
}

void scene_input_free(scene_input *in)
{
    free(in->balls);
    free(in->boxes);
    free(in->queries);
    free(in->moves.objects);
    free(in->moves.forward);
    free(in->moves.backward);
}

scene_ours *scene_ours_make(const scene_input *in, const bw_scene_desc *desc)
{
    scene_ours *o = bench_alloc(1, sizeof *o);
    size_t moves = (size_t)in->moves.batches * SCENE_BATCH;
    o->in = in;
    o->ids = bench_alloc(in->count, sizeof *o->ids);
    o->batch = bench_alloc(moves + 1, sizeof *o->batch);
    bw_result result = bw_scene_create(desc, &o->scene, NULL);
    if (result == BW_OK)
        result = bw_scene_insert_many(o->scene, in->boxes, NULL, in->count, o->ids, NULL);
    if (result == BW_OK)
        result = bw_scene_prepare(o->scene, NULL, NULL, NULL);
    bench_require(result == BW_OK, bw_result_string(result));
    for (size_t k = 0; k < moves; k++)
        o->batch[k] = o->ids[in->moves.objects[k]];
    return o;
}

void scene_ours_free(void *self)
{
    scene_ours *o = self;
    bw_scene_destroy(o->scene);
    free(o->ids);
    free(o->batch);
    free(o);
}

uint64_t scene_ours_move(void *self)
{
    const scene_ours *o = self;
    const scene_moves *m = &o->in->moves;
    bool ok = true;
    for (uint32_t b = 0; b < m->batches; b++) {
        size_t at = (size_t)b * SCENE_BATCH;
        ok &= bw_scene_move_many(o->scene, o->batch + at, m->forward + at, SCENE_BATCH, NULL) == BW_OK;
    }
    for (uint32_t b = m->batches; b-- > 0;) {
        size_t at = (size_t)b * SCENE_BATCH;
        ok &= bw_scene_move_many(o->scene, o->batch + at, m->backward + at, SCENE_BATCH, NULL) == BW_OK;
    }
    bench_require(ok, "bw_scene_move_many failed");
    return BENCH_NO_RESULT;
}

uint64_t scene_ours_move_one(void *self)
{
    const scene_ours *o = self;
    const scene_moves *m = &o->in->moves;
    bool ok = true;
    for (size_t k = 0; k < (size_t)m->batches * SCENE_BATCH; k++)
        ok &= bw_scene_move(o->scene, o->batch[k], &m->forward[k], NULL) == BW_OK;
    for (size_t k = (size_t)m->batches * SCENE_BATCH; k-- > 0;)
        ok &= bw_scene_move(o->scene, o->batch[k], &m->backward[k], NULL) == BW_OK;
    bench_require(ok, "bw_scene_move failed");
    return BENCH_NO_RESULT;
}

uint64_t scene_ours_query(void *self)
{
    const scene_ours *o = self;
    uint64_t found = 0;
    bw_id ids[512];
    const bw_scene_output output = {.ids = ids, .id_capacity = 512};
    for (uint32_t i = 0; i < o->in->query_count; i++) {
        const bw_region region = {.kind = BW_REGION_BOX, .box = o->in->queries[i]};
        bw_scene_report report = {0};
        bw_result result = bw_scene_query(o->scene, &region, &output, &report, NULL);
        bench_require(result == BW_OK, bw_result_string(result));
        found += report.found_count;
    }
    return found;
}
