/* What went wrong, in words that name the place; and memory that is either there or ends the program. */
#ifndef TOOL_FAULT_H
#define TOOL_FAULT_H

#include <stdbool.h>
#include <stddef.h>

/* Exit codes of every command. */
enum { EXIT_APART = 0, EXIT_CONTACT = 1, EXIT_FAULT = 2 };

typedef struct fault {
    char text[4096 + 512]; /* a path and a sentence */
} fault;

/* Writes the text and returns false, so that a failing function can end with it. */
bool fault_set(fault *why, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Both clear a progress line first and print "boxwood: " and the text, made printable, as a line to stderr.
 * complain returns EXIT_FAULT. */
int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Room for count elements of the given size (realloc for a NULL or a former block). Where there is none the
 * program ends with EXIT_FAULT: nothing it could still say would be the answer. */
void *tool_resize(void *block, size_t count, size_t size) __attribute__((returns_nonnull));
void *tool_alloc(size_t count, size_t size) __attribute__((returns_nonnull));
char *tool_copy(const char *text) __attribute__((returns_nonnull));

/* Makes room for one more element in an array that doubles; returns the array. */
void *tool_grow(void *block, size_t count, size_t *capacity, size_t size) __attribute__((returns_nonnull));

#endif
