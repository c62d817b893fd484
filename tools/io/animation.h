/* A file's geometry over time: where every vertex is at some times, linear in between.
 *
 * What is read, by its name:
 *   FILE            an animated file (glTF; FBX, COLLADA, ... by assimp): moving nodes, skins, morph
 *                   targets; or a file that stands still
 *   MESH@CACHE      a mesh and its baked motion: a .pc2 or .mdd cache with as many points as MESH has
 * vertices NAME####.obj    a file a frame, of any format: the # are the digits of the frame's number, filled
 * up with zeros; from the lowest number there is to the highest, none missing scene:NAME      a built-in
 * scene; tablecloth and dress move
 */
#ifndef TOOL_IO_ANIMATION_H
#define TOOL_IO_ANIMATION_H

#include "io/model.h"

#include <boxwood/motion.h>

typedef struct animation_desc {
    const char *clip; /* which animation of a file: its name, or its number from 1; NULL: the first */
    double fps;       /* frames a second in what counts in frames, as sequences and PC2 caches do; 0: 24 */
    double rate; /* rotations and skins bend the path of a vertex: it is sampled at every key, and in between
                    at least so often a second; 0: 60 */
    bool even;   /* sampled only at equal steps of 1 / rate instead, the last at or after the end */
} animation_desc;

enum { ANIMATION_FPS = 24, ANIMATION_RATE = 60 };

/* Reads a file and its motion into out->film; a film without frames: it stands still. The model is flat (no
 * places), and its positions are those of the first frame. Faults name the frame at fault: one that is
 * missing, has another count of vertices or other faces, or a number that is not finite. */
bool animation_read(const char *file, const animation_desc *desc, model *out, fault *why);

/* The motion of a model that moves: a view of its film. */
bw_motion animation_motion(const model *model);

#endif
