#include "kinetic_stage.h"

#include "runner.h"

static void require(bw_result result)
{
    bench_require(result == BW_OK, bw_result_string(result));
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
    for (uint32_t i = 0; i < s->movers; i++)
        bws_film_free(&s->films[i]);
}

double kinetic_stage_time(const kinetic_stage *s, uint32_t frame)
{
    double t = s->end * (frame + 1) / s->frames;
    return t < s->end ? t : s->end;
}
