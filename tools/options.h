/* Commands, their options and their help: one table a command describes what is parsed and what --help
 * prints. */
#ifndef TOOL_OPTIONS_H
#define TOOL_OPTIONS_H

#include "fault.h"

#include <stdint.h>

typedef struct option_spec {
    const char *name;  /* without the dashes; NULL ends the table */
    const char *value; /* what --help calls its value; two words: it has two; NULL: a switch */
    const char *help;  /* lines after the first are separated by \n */
} option_spec;

typedef struct args args;

typedef struct command {
    const char *name, *summary;
    const char *usage;          /* what follows "boxwood NAME" */
    const char *about;          /* paragraphs between usage and options */
    const option_spec *options; /* besides --help; "output" may also be written -o */
    const char *examples;       /* and exit codes: everything after the options */
    int least, most;            /* how many arguments; most < 0: any number */
    int (*run)(const args *given);
} command;

enum { ARGS_OPTIONS = 32 };

/* An option as it was given; it may be given again. */
typedef struct args_option {
    int option;                 /* its place in the table */
    const char *value, *second; /* second: NULL where it has one value */
} args_option;

struct args {
    const command *command;
    const char *values[ARGS_OPTIONS]; /* by the option's place in the table; a switch that is given: "" */
    args_option *all;                 /* every option with a value, in their order */
    int all_count;
    const char **names; /* the arguments that are no options */
    int count;
};

void command_help(const command *it);
/* Parses argv[0 .. argc-1] and runs the command; --help anywhere before "--" prints the help instead. */
int command_run(const command *it, int argc, char **argv);

/* Parses them alone: 0, or the exit code of who was complained to. The arguments borrow argv; give them to args_free either way. */
int args_read(const command *it, int argc, char **argv, args *out);
void args_free(args *given);

/* The value of an option that the command's table names; NULL when not given. */
const char *args_value(const args *given, const char *name);
bool args_given(const args *given, const char *name);
/* The value with that number from 0 of an option that may be given several times; NULL: so many there are
 * not. */
const char *args_each(const args *given, const char *name, int number);
/* The same of one with two values: NULL, or the option as it was given. */
const args_option *args_each_pair(const args *given, const char *name, int number);
/* A decimal number in [low, high]; out keeps its value when the option is not given. The fault says that it
 * is not `what`. */
bool args_number(const args *given, const char *name, double low, double high, const char *what, double *out,
                 fault *why);
/* A whole number in [low, high]; out keeps its value when the option is not given. */
bool args_count(const args *given, const char *name, uint64_t low, uint64_t high, uint64_t *out, fault *why);

#endif
