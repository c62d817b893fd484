#include "io/film.h"

#include <stdlib.h>

void film_reserve(model *m, uint32_t frame_count, bw_scalar scalar, const char *clip)
{
    model_film *film = &m->film;
    size_t size = scalar == BW_F32 ? sizeof(float) : sizeof(double);
    *film = (model_film){.scalar = scalar};
    film->clip = tool_copy(clip);
    film->times = tool_alloc(frame_count, sizeof *film->times);
    film->frames = tool_alloc(frame_count, sizeof *film->frames);
    for (; film->frame_count < frame_count; film->frame_count++)
        film->frames[film->frame_count] = tool_alloc(3 * (size_t)m->vertex_count, size);
}

void film_free(model_film *film)
{
    for (uint32_t i = 0; i < film->frame_count; i++)
        free(film->frames[i]);
    free(film->frames);
    free(film->times);
    free(film->clip);
    *film = (model_film){.frame_count = 0};
}

void film_put(model_film *film, uint32_t frame, size_t number, double value)
{
    if (film->scalar == BW_F32)
        ((float *)film->frames[frame])[number] = (float)value;
    else
        ((double *)film->frames[frame])[number] = value;
}
