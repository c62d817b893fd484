#include "kinetic_stage.h"

#include "runner.h"

#include <stdlib.h>

static void require(bw_result result)
{
    bench_require(result == BW_OK, bw_result_string(result));
}

/* Lagrange's parabola through three places of every vertex. */
static void curve(kinetic_stage *s, uint32_t i)
{
    const uint32_t vertices = s->motions[i].vertex_count;
    const double half = 0.5 * s->end;
    float *at[3];
    for (int k = 0; k < 3; k++) {
        at[k] = bench_alloc(3 * (size_t)vertices, sizeof(float));
        require(bw_motion_sample(&s->motions[i], half * k, at[k], NULL));
    }
    s->plans[i] = bench_alloc(vertices, sizeof *s->plans[i]);
    for (uint32_t v = 0; v < vertices; v++) {
        double c[3][3];
        for (uint32_t axis = 0; axis < 3; axis++) {
            double p = (double)at[0][3 * (size_t)v + axis], q = (double)at[1][3 * (size_t)v + axis],
                   r = (double)at[2][3 * (size_t)v + axis];
            c[0][axis] = p;
            c[1][axis] = (4 * q - 3 * p - r) / (2 * half);
            c[2][axis] = (p - 2 * q + r) / (2 * half * half);
        }
        s->plans[i][v] = (bw_plan){
            .c = {{c[0][0], c[0][1], c[0][2]}, {c[1][0], c[1][1], c[1][2]}, {c[2][0], c[2][1], c[2][2]}}};
    }
    for (int k = 0; k < 3; k++)
        free(at[k]);
    s->motions[i] = (bw_motion){.kind = BW_MOTION_PLANS,
                                .vertex_count = vertices,
                                .scalar = s->motions[i].scalar,
                                .plans = s->plans[i],
                                .begin = 0,
                                .end = s->end};
}

void kinetic_stage_make(kinetic_stage *s, const kinetic_stage_desc *d)
{
    *s = (kinetic_stage){.movers = d->dress ? 2 : 1, .frames = d->segments * d->between};
    bws_film_desc desc = {.triangles = d->triangles, .keyframes = d->segments + 1};
    require((d->dress ? bws_dress : bws_tablecloth)(&desc, &s->films[0]));
    desc.triangles = d->other;
    if (d->dress)
        require(bws_dress_body(&desc, &s->films[1]));
    for (uint32_t i = 0; i < s->movers; i++) {
        s->meshes[i] = bws_view(&s->films[i].mesh);
        s->motions[i] = bws_film_motion(&s->films[i]);
    }
    s->end = s->films[0].times[s->films[0].frame_count - 1];
    for (uint32_t i = 0; d->curved && i < s->movers; i++)
        curve(s, i);
    if (!d->dress) {
        require(bws_table(d->other, BW_F32, &s->table));
        s->meshes[1] = bws_view(&s->table);
        s->table_times[1] = s->end;
        s->table_frames[0] = s->table_frames[1] = s->table.positions;
        s->motions[1] = (bw_motion){.kind = BW_MOTION_KEYFRAMES,
                                    .vertex_count = s->table.vertex_count,
                                    .frame_count = 2,
                                    .times = s->table_times,
                                    .frames = s->table_frames};
    }
    for (int i = 0; i < 2; i++)
        s->moving[i] = (bw_moving){&s->meshes[i], &s->motions[i]};
}

void kinetic_stage_free(kinetic_stage *s)
{
    bws_mesh_free(&s->table);
    for (uint32_t i = 0; i < s->movers; i++) {
        bws_film_free(&s->films[i]);
        free(s->plans[i]);
    }
}

double kinetic_stage_time(const kinetic_stage *s, uint32_t frame)
{
    double t = s->end * (frame + 1) / s->frames;
    return t < s->end ? t : s->end;
}
