/* Numbers for people: each returns the buffer it is given. */
#ifndef TOOL_TABLE_H
#define TOOL_TABLE_H

#include <stdint.h>

typedef struct cell {
    char text[32];
} cell;

/* 1,234,567 */
const char *count_cell(cell *out, uint64_t value);
/* 12.3 kB, 4.56 MB */
const char *bytes_cell(cell *out, double bytes);
/* 870 ns, 12.3 us, 4.56 ms, 7.89 s */
const char *time_cell(cell *out, double seconds);
/* "" for 1, "s" otherwise */
const char *plural(uint64_t count);

#endif
