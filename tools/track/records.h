/* What happens in a piece of time, and how deep, as the content of part files. */
#ifndef TOOL_TRACK_RECORDS_H
#define TOOL_TRACK_RECORDS_H

#include "shard/part_file.h"
#include "track/known.h"

/* Of all records of this build together. */
uint32_t track_record_bytes(void);
void track_encode(part_bytes *to, const track_events *events, const track_known *measured);
/* Fills events, whose list is to be freed, and adds to measured. False: the bytes are none of that piece of the track; what was
 * filled in and added until then stays to be freed. */
bool track_decode(const part_bytes *from, const track *t, uint32_t piece, track_events *events,
                  track_known *measured);

#endif
