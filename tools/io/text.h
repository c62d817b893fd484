/* A file in memory, read word by word with the line at hand. */
#ifndef TOOL_IO_TEXT_H
#define TOOL_IO_TEXT_H

#include "fault.h"

#include <stdint.h>

typedef struct text {
    const char *file;
    char *data; /* size bytes and a zero */
    size_t size;
    const char *at, *end;
    uint32_t line; /* of `at`, from 1 */
} text;

/* Reads a whole file, or the first `most` bytes of it; of one compressed by gzip, of what it holds. text_close
 * gives the memory back. */
bool text_open(const char *file, text *out, fault *why);
bool text_open_part(const char *file, size_t most, text *out, fault *why);
void text_close(text *text);
/* Whether bytes are the beginning of a gzip file. */
bool text_is_packed(const char *data, size_t size);

/* Skips spaces, and a backslash before the end of a line with that end. True if something follows on this
 * line. */
bool text_more(text *text);
/* To the beginning of the next line. */
void text_next_line(text *text);
/* Skips spaces and line ends. False at the end of the file. */
bool text_more_lines(text *text);
/* The next word on this line: its start and length; length 0 at the end of the line. */
const char *text_word(text *text, size_t *length);
/* The rest of the line without spaces at its ends, copied and cut to fit. */
void text_rest(text *text, char *out, size_t size);
/* A decimal number (number.h) that is a whole word, or nan or inf as printf writes them: these are numbers
 * of the file, and validation names the vertex that has one. Nothing is read where there is none. */
bool text_number(text *text, double *out);
bool text_vec3(text *text, double out[3]);

/* "file:line: " and the sentence. */
bool text_fault(const text *text, fault *why, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Up to 24 bytes of the present word, made printable. */
const char *text_show(text *text, char buffer[32]);

#endif
