/* What a file is: its content decides, its name where the content does not tell. */
#ifndef TOOL_IO_FORMAT_H
#define TOOL_IO_FORMAT_H

#include "fault.h"

#include <stdint.h>

typedef enum file_format {
    FORMAT_NONE = 0, /* by name: there is no extension; by content: it does not tell */
    FORMAT_OBJ,
    FORMAT_PLY,
    FORMAT_STL,
    FORMAT_OFF,
    FORMAT_GLTF,  /* both forms */
    FORMAT_QUAKE, /* MDL, MD2, MD3 */
    FORMAT_STORE, /* a part store (store/format.h) */
    FORMAT_OTHER  /* by name: an extension of something else */
} file_format;

/* The beginning of a file. */
typedef struct file_head {
    const char *data; /* size bytes and a zero */
    size_t size;
    uint64_t file_size; /* of the whole */
} file_head;

enum { FORMAT_HEAD = 1 << 16 }; /* bytes of a head that are enough */

/* ".obj" of "a/b.obj" and of "a/b.obj.gz"; length 0: there is none. Not ended by a zero. */
const char *format_extension(const char *file, size_t *length);
file_format format_by_name(const char *file);
/* *sure: no file of another format begins like that; otherwise it is likely where no name says more. */
file_format format_by_content(const file_head *head, bool *sure);
/* Both together. *misnamed: the content is something else than the name says. A fault for text that is not
 * UTF-8 or ASCII where one of our own text readers would take it. */
bool format_decide(const char *file, const file_head *head, file_format *out, bool *misnamed, fault *why);
/* OBJ, PLY, STL, OFF, QUAKE: readers of our own take it from memory (read_bytes). */
bool format_is_own(file_format format);
/* Bytes of a UTF-8 byte-order mark at the beginning: 3 or 0. Binary STL has none. */
size_t format_mark(const file_head *head);

#endif
