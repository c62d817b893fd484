/* The frames of a model in motion: one after the other as a stream, or held all together. */
#ifndef TOOL_IO_FILM_H
#define TOOL_IO_FILM_H

#include "io/animation.h"
#include "io/sampler.h"

/* Room for that many frames of the model's vertices; times and positions are the caller's to fill. */
void film_reserve(model *model, uint32_t frame_count, bw_scalar scalar, const char *clip);
void film_free(model_film *film);
/* Puts one number of a frame: double, or rounded to float. */
void film_put(model_film *film, uint32_t frame, size_t number, double value);
/* The positions of the first frame become the model's. A fault for the first number that is not finite or out
 * of range, and for times that do not ascend. On failure the model is given back. */
bool film_finish(model *model, fault *why);

#endif
