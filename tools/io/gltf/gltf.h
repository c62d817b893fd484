/* glTF 2.0, text and binary: opened once, gives its geometry at rest, and every vertex at any time of
 * a clip. Follows the specification; what a file says wrongly is a fault that names the file, the place in
 * its JSON ("accessors[3].byteOffset") and the value. docs/decisions/0015-a-gltf-reader-of-our-own.md */
#ifndef TOOL_IO_GLTF_GLTF_H
#define TOOL_IO_GLTF_GLTF_H

#include "io/sampler.h"
#include "io/text.h"

typedef struct gltf gltf;

typedef struct gltf_desc {
    const char *file;  /* what it is called in faults; external buffers are looked for beside it */
    const void *bytes; /* the whole file */
    size_t size;
    bool alone;          /* no external buffers are opened */
    uint64_t most_bytes; /* of decoded numbers; 0: GLTF_MOST_BYTES. A file of a few bytes can ask for any */
} gltf_desc;

#define GLTF_MOST_BYTES (UINT64_C(1) << 36)

/* Reads the scene: nodes, meshes, skins. The bytes are the caller's and may go afterwards. */
bool gltf_open_bytes(const gltf_desc *desc, gltf **out, fault *why);
bool gltf_open(const char *file, gltf **out, fault *why);
void gltf_close(gltf *gltf);

/* The scene at rest, with its clips where they are read: one part per mesh, and a place for each node that
 * holds it; skinned and morphed nodes have a part of their own, whose vertices are where skin and weights put
 * them. Ready for model_flatten. */
bool gltf_model(const gltf *gltf, model *out, fault *why);
/* Vertices of the flat model, in the order of gltf_positions. */
uint32_t gltf_vertex_count(const gltf *gltf);

typedef struct gltf_clip_info {
    const char *name;          /* may be empty */
    double begin, end;         /* seconds: the first and the last key */
    uint32_t channels;         /* that are played */
    uint32_t strange_channels; /* that are not: they animate by an extension, or what is not in the scene */
    uint64_t keys;             /* of all channels */
    bool bends; /* between two neighbouring key times some vertex may leave the straight line, or run along it
                   at an uneven speed: rotations, cubic splines, scales below scales */
    bool jumps; /* STEP channels */
} gltf_clip_info;

/* How many animations the file has. They are counted here and read by gltf_read_clips, so that a fault in an
 * animation does not hinder who wants the rest pose. */
uint32_t gltf_clip_count(const gltf *gltf);
bool gltf_read_clips(gltf *gltf, fault *why);
/* The rest is for after gltf_read_clips. */
gltf_clip_info gltf_clip(const gltf *gltf, uint32_t clip);
/* The key times of all channels that are played, ascending, each once, in seconds; free() gives them back. */
double *gltf_clip_keys(const gltf *gltf, uint32_t clip, size_t *count);
/* Those of them at which a STEP channel jumps to another value. */
double *gltf_clip_jumps(const gltf *gltf, uint32_t clip, size_t *count);
/* Where every vertex of the flat model is at that time of a clip; before its first key and after its last a
 * channel keeps their value. clip BW_NONE: at rest. A STEP channel holds its value up to the next key: at
 * that time it has the new one, and the old one with `before`. out: x, y, z of gltf_vertex_count vertices. */
void gltf_positions(const gltf *gltf, uint32_t clip, double time, bool before, double *out);

/* A glTF file in memory as commands read files (io/readers.h). An animation that cannot be read is a note. */
bool read_gltf(const text *text, model *out, fault *why);
/* The same flat and in motion: a sampler_open_fn. */
bool sample_gltf(const char *file, const animation_desc *desc, model *out, sampler *sampler, fault *why);

#endif
