/* The readers of single formats. Each fills *out or sets the fault. */
#ifndef TOOL_IO_READERS_H
#define TOOL_IO_READERS_H

#include "io/animation.h"
#include "io/format.h"
#include "io/text.h"

/* Wavefront OBJ: v, f, o and g; p and l are counted as left out; colours, normals, texture coordinates and
 * materials do not matter here. */
bool read_obj(text *text, model *out, fault *why);
/* PLY, ASCII and binary of both byte orders: the elements vertex, face and tristrips; others are skipped. */
bool read_ply(text *text, model *out, fault *why);
/* STL, ASCII and binary. */
bool read_stl(text *text, model *out, fault *why);
/* Whether the size is what the head of a binary STL file asks for. */
bool stl_is_binary(const file_head *head);
/* OFF of the Geomview family, ASCII, three coordinates a vertex. */
bool read_off(text *text, model *out, fault *why);
/* Whatever assimp reads, in a process of its own. */
bool read_assimp(const char *file, model *out, fault *why);
/* The same made flat and with its motion, if it has any. */
bool open_assimp(const char *file, const animation_desc *desc, model *out, stream *frames, fault *why);
/* A file per frame; the name has # for digits. */
bool open_sequence(const char *pattern, const animation_desc *desc, model *out, stream *frames, fault *why);
/* A file in memory, of one of the formats that readers of our own take from there, a UTF-8 byte-order mark
 * skipped. */
bool read_bytes(text *text, file_format format, model *out, fault *why);
/* Whether the name of a file ends as those of formats that this build reads. */
bool format_is_read(const char *file);
/* What a regular file is (io/format.h); FORMAT_OTHER also where it cannot be read. */
file_format format_of_file(const char *file);
/* "NAME[:SIZE]": one of the built-in scenes. file is what it is called afterwards. */
bool read_scene(const char *file, const char *scene, model *out, fault *why);
/* The same in motion, where the scene moves. */
bool open_scene(const char *file, const char *scene, model *out, stream *frames, fault *why);

#endif
