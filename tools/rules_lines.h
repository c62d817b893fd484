/* What rules are made of, between those who read and those who judge (rules.c, rules_judge.c). */
#ifndef TOOL_RULES_LINES_H
#define TOOL_RULES_LINES_H

#include "rules.h"

typedef enum rule_kind { RULE_SET, RULE_BETWEEN, RULE_IGNORE, RULE_ALLOW, RULE_TOUCH, RULE_KINDS } rule_kind;

typedef struct rule_line {
    rule_kind kind;
    char *where;  /* "rules.txt:7", "--between" */
    char **words; /* after the first */
    size_t word_count;
    double depth; /* of touch */
} rule_line;

/* A part is of side 0 or 1 of a line. */
typedef struct rule_side {
    uint32_t part, line, side;
} rule_side;

struct rules {
    rule_line *lines;
    size_t line_count, line_capacity;
    /* After rules_resolve: the sides of part i are first[i] to first[i + 1], by line, then side. */
    uint32_t part_count;
    size_t *first;
    rule_side *sides;
    size_t side_count, side_capacity;
    bool between; /* there is such a line */
};

/* The line of a set; NULL: there is none of that name. */
const rule_line *rules_set(const rules *rules, const char *name);

#endif
