/* Rules from options: each stands for a line of a file of rules. */
#include "rules_options.h"

bool rules_of_args(const args *given, rules **out, fault *why)
{
    rules *r = rules_create();
    const char *value;
    const args_option *pair;
    bool fine = true;
    for (int i = 0; fine && (value = args_each(given, "rules", i)); i++)
        fine = rules_read(r, value, why);
    for (int i = 0; fine && (pair = args_each_pair(given, "between", i)); i++)
        fine = rules_option(r, "between", (const char *const[]){pair->value, pair->second}, 2, why);
    for (int i = 0; fine && (value = args_each(given, "ignore", i)); i++)
        fine = rules_option(r, "ignore", &value, 1, why);
    *out = r;
    return fine;
}
