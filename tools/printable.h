/* Names from files as a terminal may show them: what a stranger wrote must not move the cursor, hide lines or
 * break a format of lines. */
#ifndef TOOL_PRINTABLE_H
#define TOOL_PRINTABLE_H

#include <stddef.h>

/* The length of the UTF-8 sequence at s, which ends with a zero (RFC 3629: no overlong forms, no surrogates),
 * or 0. */
size_t utf8_length(const char *s);

/* The text with control characters (below 32, 127, U+0080 to U+009F), the marks that turn the direction of
 * writing, and bytes that are not UTF-8 written as \xNN, \uNNNN or \n, \r, \t. The text itself where there is
 * none of these, otherwise a copy that stays valid for the next 15 such copies. One thread at a time. */
const char *printable(const char *text);
/* The same into a buffer, cut to fit and ended by a zero. */
void printable_to(char *out, size_t size, const char *text);

#endif
