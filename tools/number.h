/* Numbers as people and files write them: decimal only. Hexadecimal, "infinity", "nan" and commas for points,
 * some of which the C library would take, are no numbers. */
#ifndef TOOL_NUMBER_H
#define TOOL_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number that text begins with: a sign or none, digits with a point or without, an exponent or none. *end
 * is what follows. False: there is none, or it goes on in a way that only the C library knows (0x10). Too
 * large ones are infinite. */
bool number_begins(const char *text, const char **end, double *out);
/* The whole text is a finite number. */
bool number_read(const char *text, double *out);
/* The whole text is digits, and at most `most`. */
bool number_count(const char *text, uint64_t most, uint64_t *out);

/* "512M", "2G", "1000000": bytes; K, M and G are powers of 1024. */
bool number_bytes(const char *text, size_t *out);

/* The shortest decimal that reads back to the same double, with 15 digits at least where they tell it: as "%.15g" writes it, or
 * "%.16g", or "%.17g". */
const char *number_text(double value, char buffer[32]);

#endif
