/* Which pairs of parts count: sets of parts, what is compared with what, what is left out, what may touch.
 * From options and from files of lines (docs/tool/rules.md):
 *
 *   set NAME PATTERN...      a name for parts
 *   between A B              only pairs of a part of A and one of B count; several such lines: any of them
 *   ignore A                 these parts are left out
 *   allow A B                whatever these do to each other does not count
 *   touch A B [DEPTH]        these may touch, and be in each other by DEPTH
 *
 * A and B are names of sets or patterns of the shell. Words are separated by spaces; in "quotes" they may
 * hold some, and \" and \\; # begins a comment. */
#ifndef TOOL_RULES_H
#define TOOL_RULES_H

#include "fault.h"

#include <stdint.h>

typedef struct rules rules;

/* A part as rules see it: a pattern is compared with its name, with the last word of its path, with the file
 * as it was given, with the file without folders, and with FILE:NAME in both ways. */
typedef struct rules_part {
    const char *file, *name; /* the name may be empty */
} rules_part;

rules *rules_create(void);
void rules_free(rules *rules);
/* Adds the lines of a file, or of bytes that hold one. A fault names file, line and word. */
bool rules_read(rules *rules, const char *file, fault *why);
bool rules_read_bytes(rules *rules, const char *file, const char *bytes, size_t size, fault *why);
/* Adds a line that an option stands for: "between" or "ignore", with the words that it was given. */
bool rules_option(rules *rules, const char *option, const char *const *words, size_t count, fault *why);

/* Finds the parts of every pattern. A pattern that matches none is a fault. Call it once, when all lines are
 * there; parts need not stay. */
bool rules_resolve(rules *rules, const rules_part *parts, uint32_t count, fault *why);

typedef enum rules_verdict {
    RULES_COUNT,   /* a clash of the pair counts */
    RULES_TOUCH,   /* it does where they are deeper in each other than *depth */
    RULES_ALLOWED, /* it does not */
    RULES_ASIDE    /* the pair is not looked at: ignored, or not between what is compared */
} rules_verdict;

/* After rules_resolve; parts by number. *depth is written for RULES_TOUCH only: the largest of all lines that
 * say so. */
rules_verdict rules_judge(const rules *rules, uint32_t a, uint32_t b, double *depth);
/* Whether a part takes part in any pair at all. */
bool rules_uses(const rules *rules, uint32_t part);
/* There is a line at all. */
bool rules_any(const rules *rules);

#endif
