#include "options.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void options_help(void)
{
    fputs("usage: boxwood-bench BENCH... [options]\n"
          "       boxwood-bench all [options]\n"
          "       boxwood-bench --list\n"
          "\n"
          "Measures Boxwood, and with --peers other libraries beside it: every implementation does the same "
          "work in\n"
          "the same run, in turn; the time of an operation is the median of at least five samples.\n"
          "\n"
          "  --list         name the benches, and what each measures\n"
          "  --json         one JSON object a line, instead of a table\n"
          "  --peers        measure FCL, Bullet, ODE, Embree and CGAL too (needs a build with "
          "-DBOXWOOD_PEERS=ON)\n"
          "  --quick        small input and short samples: shows that a bench works, not how fast we are\n"
          "  --sizes LIST   elements to measure with, e.g. 20k,200k,1m (up to 16)\n"
          "  --repeats N    samples of each implementation (5 or more; default 5)\n"
          "  --case TEXT    only cases whose name contains TEXT\n"
          "  --impl LIST    only these implementations, e.g. boxwood,embree-* (* ends a prefix)\n"
          "  --cpu-time     the thread's processor time instead of wall time, for single-threaded "
          "implementations:\n"
          "                 steadier on a machine that others use\n"
          "  --version, --help\n"
          "\n"
          "Exit status: 0 all measured; 1 exact implementations disagree on what they found; 2 error.\n"
          "\n"
          "Examples:\n"
          "  boxwood-bench refit                                   how fast a deforming mesh is refitted\n"
          "  boxwood-bench build refit --sizes 20k,200k --peers    beside the other libraries\n"
          "  boxwood-bench rigid-all --case needles --json         one case, for a program to read\n"
          "  boxwood-bench all --peers --json > results.jsonl      everything\n",
          stdout);
}

static bool parse_number(const char *text, size_t length, uint32_t *out)
{
    char digits[16];
    if (length == 0 || length >= sizeof digits)
        return false;
    memcpy(digits, text, length);
    digits[length] = '\0';
    uint32_t scale = 1;
    const int last = tolower((unsigned char)digits[length - 1]);
    if (last == 'k' || last == 'm') {
        scale = last == 'k' ? 1000u : 1000000u;
        digits[length - 1] = '\0';
    }
    if (!isdigit((unsigned char)digits[0]))
        return false;
    char *end;
    const unsigned long value = strtoul(digits, &end, 10);
    if (*end != '\0' || value == 0 || value > UINT32_MAX / scale)
        return false;
    *out = (uint32_t)value * scale;
    return true;
}

static bool parse_sizes(const char *text, options *out)
{
    out->size_count = 0;
    for (;;) {
        const size_t length = strcspn(text, ",");
        if (out->size_count == OPTIONS_MAX_SIZES)
            return false;
        if (!parse_number(text, length, &out->sizes[out->size_count++]))
            return false;
        if (text[length] == '\0')
            return true;
        text += length + 1;
    }
}

static options_action wrong(const char *what, const char *argument)
{
    fprintf(stderr, "boxwood-bench: %s: %s (see boxwood-bench --help)\n", argument, what);
    return OPTIONS_ERROR;
}

static options_action parse_value(const char *option, const char *value, options *out)
{
    if (value == NULL)
        return wrong("a value must follow", option);
    if (strcmp(option, "--sizes") == 0 && !parse_sizes(value, out))
        return wrong("not a list of up to 16 sizes such as 20k,200k,1m", value);
    if (strcmp(option, "--repeats") == 0 &&
        (!parse_number(value, strlen(value), &out->repeats) || out->repeats < OPTIONS_MIN_REPEATS))
        return wrong("repeats must be 5 or more", value);
    if (strcmp(option, "--case") == 0)
        out->only_case = value;
    if (strcmp(option, "--impl") == 0)
        out->only_impl = value;
    return OPTIONS_RUN;
}

static bool takes_value(const char *option)
{
    static const char *const names[] = {"--sizes", "--repeats", "--case", "--impl"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(option, names[i]) == 0)
            return true;
    return false;
}

options_action options_parse(int argc, char **argv, options *out)
{
    *out = (options){.repeats = OPTIONS_MIN_REPEATS};
    size_t names = 0;
    options_action action = OPTIONS_RUN;
    for (int i = 1; i < argc; i++) {
        const char *argument = argv[i];
        if (argument[0] != '-') {
            argv[names++] = argv[i];
        } else if (takes_value(argument)) {
            if (parse_value(argument, i + 1 < argc ? argv[i + 1] : NULL, out) == OPTIONS_ERROR)
                return OPTIONS_ERROR;
            i++;
        } else if (strcmp(argument, "--json") == 0) {
            out->json = true;
        } else if (strcmp(argument, "--peers") == 0) {
            out->peers = true;
        } else if (strcmp(argument, "--quick") == 0) {
            out->quick = true;
        } else if (strcmp(argument, "--cpu-time") == 0) {
            out->cpu_time = true;
        } else if (strcmp(argument, "--list") == 0) {
            action = OPTIONS_LIST;
        } else if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
            action = OPTIONS_HELP;
        } else if (strcmp(argument, "--version") == 0) {
            action = OPTIONS_VERSION;
        } else {
            return wrong("no such option", argument);
        }
    }
    out->names = (const char **)argv;
    out->name_count = names;
    return action;
}
