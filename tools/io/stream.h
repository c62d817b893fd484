/* Frames one after the other: positions of all vertices of a model at one time after another, as a file is
 * read or played. A film of any length passes through the memory of one frame. */
#ifndef TOOL_IO_STREAM_H
#define TOOL_IO_STREAM_H

#include "io/sampler.h"

typedef struct stream {
    uint32_t frame_count; /* 0: nothing moves, and next and close are NULL */
    double *times;    /* seconds, ascending; of what is played one may stand twice: before and after a jump */
    bool jumps;       /* it is played */
    bw_scalar scalar; /* of the frames */
    char *clip;       /* the name of what is played; may be empty */
    uint32_t at;      /* the frame that comes next */
    /* The next frame: three numbers for each vertex of the model. */
    bool (*next)(void *self, const model *model, uint32_t frame, void *out, fault *why);
    void (*close)(void *self);
    void *self;
} stream;

/* The next frame. A fault names the frame, the vertex and the number that is not finite or out of range. */
bool stream_next(stream *stream, const model *model, void *out, fault *why);
/* Whether the times ascend; where there may be jumps, one may stand twice, not three times. */
bool stream_times_ascend(const stream *stream, const model *model, fault *why);
/* Also where not everything was read. */
void stream_close(stream *stream);

/* The frames of a sampler, as animation_desc wants them; the stream closes the sampler, also where this
 * fails. */
bool stream_of_sampler(sampler *sampler, const animation_desc *desc, const model *model, stream *out,
                       fault *why);
/* Opens and plays a file in this process. */
bool stream_open(sampler_open_fn *open, const char *file, const animation_desc *desc, model *out,
                 stream *frames, fault *why);

#endif
