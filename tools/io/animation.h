/* A file's geometry over time: where every vertex is at some times, linear in between.
 *
 * What is read, by its name:
 *   FILE            an animated file (glTF; FBX, COLLADA, ... by assimp): moving nodes, skins, morph
 *                   targets; or a file that stands still
 *   MESH@CACHE      a mesh and its baked motion: a .pc2 or .mdd cache with as many points as MESH has
 * vertices NAME####.obj    a file per frame, of any format: the # are the digits of the frame's number,
 * filled up with zeros; from the lowest number there is to the highest, none missing scene:NAME      a
 * built-in scene; tablecloth and dress move
 */
#ifndef TOOL_IO_ANIMATION_H
#define TOOL_IO_ANIMATION_H

#include "io/stream.h"

/* Opens a file and its motion. The model is flat (no places); it stands still where the stream has no frames,
 * and otherwise every frame says where its vertices are. Faults, here or later from the stream, name the
 * frame at fault: one that is missing, has another count of vertices or other faces, or a number that is not
 * finite. */
bool animation_open(const char *file, const animation_desc *desc, model *out, stream *frames, fault *why);

#endif
