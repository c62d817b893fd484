/* Options: parsed by the table that --help prints. */
#include "options.h"

#include "number.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const option_spec help_option = {"help", NULL, "print this text and stop"};

static void print_option(const option_spec *option)
{
    char head[64];
    snprintf(head, sizeof head, "%s--%s%s%s", strcmp(option->name, "output") == 0 ? "-o, " : "", option->name,
             option->value ? " " : "", option->value ? option->value : "");
    printf("  %-18s", head);
    if (strlen(head) > 17)
        printf("\n  %-18s", "");
    for (const char *c = option->help; *c; c++) {
        putchar(*c);
        if (*c == '\n')
            printf("  %-18s", "");
    }
    putchar('\n');
}

void command_help(const command *it)
{
    printf("usage: boxwood %s %s\n\n%s\n\noptions:\n", it->name, it->usage, it->about);
    for (const option_spec *option = it->options; option->name; option++)
        print_option(option);
    print_option(&help_option);
    printf("\n%s", it->examples);
}

/* The option whose name is the first `length` bytes of text, or -1. */
static int find(const command *it, const char *text, size_t length)
{
    for (int i = 0; it->options[i].name; i++)
        if (strlen(it->options[i].name) == length && memcmp(it->options[i].name, text, length) == 0)
            return i;
    return -1;
}

/* The short name of the one option that has one. */
static bool is_output(const char *text)
{
    return strcmp(text, "-o") == 0;
}

/* Takes argv[*at], an option, and its values if they are the next arguments. */
static int take_option(args *given, int argc, char **argv, int *at)
{
    const char *text = is_output(argv[*at]) ? "output" : argv[*at] + 2, *equals = strchr(text, '=');
    const char *second = NULL;
    size_t length = equals ? (size_t)(equals - text) : strlen(text);
    int option = find(given->command, text, length);
    if (option < 0)
        return complain("%s has no option --%.*s; boxwood %s --help lists them", given->command->name,
                        (int)length, text, given->command->name);
    const char *wanted = given->command->options[option].value;
    bool two = wanted && strchr(wanted, ' ');
    if (!wanted) {
        if (equals)
            return complain("option --%.*s takes no value", (int)length, text);
        given->values[option] = "";
    } else if (two) {
        if (equals || *at + 2 >= argc)
            return complain("option --%.*s needs two values: --%.*s %s", (int)length, text, (int)length, text,
                            wanted);
        given->values[option] = argv[++*at];
        second = argv[++*at];
    } else if (equals) {
        given->values[option] = equals + 1;
    } else if (*at + 1 < argc) {
        given->values[option] = argv[++*at];
    } else {
        return complain("option --%.*s needs a value: %s", (int)length, text, wanted);
    }
    if (wanted)
        given->all[given->all_count++] = (args_option){option, given->values[option], second};
    return 0;
}

static bool wants_help(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

int args_read(const command *it, int argc, char **argv, args *out)
{
    *out = (args){.command = it,
                  .names = tool_alloc((size_t)argc, sizeof *out->names),
                  .all = tool_alloc((size_t)argc, sizeof *out->all)};
    int result = 0;
    bool options = true;
    for (int i = 0; i < argc && result == 0; i++) {
        if (options && strcmp(argv[i], "--") == 0)
            options = false;
        else if (options && (strncmp(argv[i], "--", 2) == 0 || is_output(argv[i])))
            result = take_option(out, argc, argv, &i);
        else if (options && argv[i][0] == '-' && argv[i][1] != 0)
            result = complain("options are written with two dashes: %s (a file of that name: ./%s)", argv[i],
                              argv[i]);
        else
            out->names[out->count++] = argv[i];
    }
    if (result == 0 && (out->count < it->least || (it->most >= 0 && out->count > it->most)))
        result = complain("usage: boxwood %s %s", it->name, it->usage);
    return result;
}

void args_free(args *given)
{
    free(given->names);
    free(given->all);
}

int command_run(const command *it, int argc, char **argv)
{
    if (wants_help(argc, argv)) {
        command_help(it);
        return 0;
    }
    args given;
    int result = args_read(it, argc, argv, &given);
    if (result == 0)
        result = it->run(&given);
    args_free(&given);
    return result;
}

const char *args_value(const args *given, const char *name)
{
    int option = find(given->command, name, strlen(name));
    assert(option >= 0 && option < ARGS_OPTIONS);
    return given->values[option];
}

const args_option *args_each_pair(const args *given, const char *name, int number)
{
    int option = find(given->command, name, strlen(name));
    assert(option >= 0 && option < ARGS_OPTIONS);
    for (int i = 0; i < given->all_count; i++)
        if (given->all[i].option == option && number-- == 0)
            return &given->all[i];
    return NULL;
}

const char *args_each(const args *given, const char *name, int number)
{
    const args_option *option = args_each_pair(given, name, number);
    return option ? option->value : NULL;
}

bool args_given(const args *given, const char *name)
{
    return args_value(given, name) != NULL;
}

bool args_number(const args *given, const char *name, double low, double high, const char *what, double *out,
                 fault *why)
{
    const char *text = args_value(given, name);
    if (!text)
        return true;
    double value;
    if (!number_read(text, &value) || !(value >= low && value <= high))
        return fault_set(why, "--%s %s: not %s", name, text, what);
    *out = value;
    return true;
}

bool args_count(const args *given, const char *name, uint64_t low, uint64_t high, uint64_t *out, fault *why)
{
    const char *text = args_value(given, name);
    if (!text)
        return true;
    uint64_t value;
    if (!number_count(text, high, &value) || value < low)
        return fault_set(why, "--%s %s: not a whole number from %" PRIu64 " to %" PRIu64, name, text, low,
                         high);
    *out = value;
    return true;
}
