/* A line on the terminal while work is long: what is being done and for how many seconds. Nothing is shown
 * unless stderr is a terminal, and nothing for work of less than half a second. */
#ifndef TOOL_PROGRESS_H
#define TOOL_PROGRESS_H

#include <stdint.h>

/* Names the present step; the line appears and its seconds advance by themselves from now on. */
void progress_step(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The step consists of that many equal pieces: the line shows what part of them is done. 0: it does not. */
void progress_total(uint64_t pieces);
/* Some of them are done. Any thread may say so. */
void progress_done(uint64_t pieces);
/* So many more were found: the line shows how many there are. Any thread may say so. */
void progress_found(uint64_t count);
/* Clears the line. Call it before printing anything else; allowed when no step is under way. */
void progress_end(void);

#endif
