/* The options of commands that take rules. */
#ifndef TOOL_RULES_OPTIONS_H
#define TOOL_RULES_OPTIONS_H

#include "options.h"
#include "rules.h"

#define RULES_OPTIONS                                                                                        \
    {"between", "A B",                                                                                       \
     "compare only parts of A with parts of B: files, patterns of the shell for\n"                           \
     "names (\"*/bolt*\"), or sets of --rules; given again: these, too"},                                    \
        {"ignore", "A", "leave these parts out; may be given again"},                                        \
    {                                                                                                        \
        "rules", "FILE",                                                                                     \
            "sets, what is compared, what is left out, pairs that may touch and pairs\n"                     \
            "that are allowed, a line each; may be given again"                                              \
    }

/* The rules that were given; there may be none. Give them to rules_free, also where this fails. */
bool rules_of_args(const args *given, rules **out, fault *why);

#endif
