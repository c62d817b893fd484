/* Clashes as the content of part files. */
#ifndef TOOL_CLASH_RECORDS_H
#define TOOL_CLASH_RECORDS_H

#include "clash/clash.h"
#include "shard/part_file.h"

void clash_encode(part_bytes *to, const clash *clash);
/* Reads one clash, which must be given to clash_free; *at moves on. False: the bytes are none. */
bool clash_decode(const part_bytes *from, size_t *at, uint32_t part_count, clash *out);
/* All clashes of a frame, frame->records of them; NULL: the frame is damaged. */
clash *clash_decode_frame(const part_frame *frame, const part_bytes *content, uint32_t part_count);

#endif
