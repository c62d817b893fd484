/* Clashes that are too many for memory, as the findings of a report: encoded, sorted beyond memory, and decoded one by one. */
#ifndef TOOL_CLASH_STREAM_H
#define TOOL_CLASH_STREAM_H

#include "clash/records.h"
#include "shard/sorter.h"

struct clash_stream {
    const assembly *assembly;
    bool by_depth; /* otherwise by parts */
    bool keep;     /* in memory what finds no room on the disk: it would be lost */
    record_sorter *sorter;
    part_bytes encoded;
    report_finding finding; /* that was given out last */
    bool given;
    report_stream report; /* for the report, after the last is added */
};

enum { CLASH_STREAM_MEMORY = 1 << 28 }; /* for findings, where nobody says; of a run at most */

void clash_stream_open(clash_stream *out, const assembly *assembly, bool by_depth, bool keep, size_t memory);
/* Of a clash of a store; false: there is no room on the disk, and `keep` is not set. One thread at a time. */
bool clash_stream_add(clash_stream *stream, const clash *clash, fault *why);
void clash_stream_close(clash_stream *stream);

#endif
