/* Values of options taken apart into the file they name and the rest. */
#include "per_file.h"

#include "number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What follows the longest name of a file and the mark that a value begins with; NULL: it names none. *file:
 * its name. */
static const char *rest_of(const args *given, int files, const char *value, char mark, const char **file)
{
    const char *rest = NULL;
    size_t longest = 0;
    for (int i = 0; i < files; i++) {
        size_t length = strlen(given->names[i]);
        if (length < longest || strncmp(value, given->names[i], length) != 0 || value[length] != mark)
            continue;
        longest = length;
        rest = value + length + 1;
        *file = given->names[i];
    }
    return rest;
}

static bool names_no_file(const args *given, int files, const char *option, const char *value, char mark,
                          const char *what, fault *why)
{
    char known[1024] = "";
    for (int i = 0; i < files && strlen(known) + 200 < sizeof known; i++)
        snprintf(known + strlen(known), sizeof known - strlen(known), " %.190s", given->names[i]);
    return fault_set(why, "--%s %s: does not begin with a file and \"%c\": FILE%c%s, where FILE is one of:%s",
                     option, value, mark, mark, what, known);
}

bool clip_wish_read(const args *given, int files, clip_wish *out, fault *why)
{
    *out = (clip_wish){.names = tool_alloc((size_t)files, sizeof *out->names)};
    for (int i = 0; i < files; i++)
        out->names[i] = NULL;
    const char *value, *file = NULL;
    for (int k = 0; (value = args_each(given, "clip", k)); k++) {
        const char *name = rest_of(given, files, value, ':', &file);
        if (!name && out->any)
            return fault_set(why, "--clip %s and --clip %s: which file? --clip FILE:NAME", out->any, value);
        if (!name)
            out->any = value;
        for (int i = 0; i < files && name; i++)
            if (strcmp(given->names[i], file) == 0)
                out->names[i] = name;
    }
    return true;
}

const char *clip_wish_of(const clip_wish *wish, int file)
{
    return wish->names[file] ? wish->names[file] : wish->any;
}

bool clip_wish_met(const clip_wish *wish, const args *given, int files, const uint32_t *clips, fault *why)
{
    const char *user = NULL;
    for (int i = 0; i < files; i++) {
        if (wish->names[i] && clips[i] == 0)
            return fault_set(why, "--clip %s:%s: %s has no animations to choose from", given->names[i],
                             wish->names[i], given->names[i]);
        if (wish->names[i] || clips[i] == 0)
            continue;
        if (wish->any && user)
            return fault_set(why,
                             "--clip %s: of which file? %s and %s both have animations: --clip FILE:NAME",
                             wish->any, user, given->names[i]);
        user = given->names[i];
    }
    if (wish->any && !user)
        return files == 1 ? fault_set(why, "--clip %s: %s has no animations to choose from", wish->any,
                                      given->names[0])
                          : fault_set(why, "--clip %s: no file has animations to choose from", wish->any);
    return true;
}

void clip_wish_free(clip_wish *wish)
{
    free(wish->names);
}

static bool read_scales(const args *given, int files, unit_wish *out, fault *why)
{
    const char *value, *file = NULL;
    for (int k = 0; (value = args_each(given, "scale", k)); k++) {
        const char *rest = rest_of(given, files, value, '=', &file);
        double metres;
        if (!rest)
            return names_no_file(given, files, "scale", value, '=', "0.001", why);
        if (!number_read(rest, &metres) || !(metres >= 1e-12 && metres <= 1e12))
            return fault_set(why, "--scale %s: %s is not a number of metres from 1e-12 to 1e12", value, rest);
        for (int i = 0; i < files; i++)
            if (strcmp(given->names[i], file) == 0)
                out->scale[i] = metres;
    }
    return true;
}

static bool read_ups(const args *given, int files, unit_wish *out, fault *why)
{
    const char *value, *file = NULL;
    for (int k = 0; (value = args_each(given, "up", k)); k++) {
        const char *rest = rest_of(given, files, value, '=', &file);
        if (!rest)
            return names_no_file(given, files, "up", value, '=', "y", why);
        if (strlen(rest) != 1 || !strchr("xyz", *rest))
            return fault_set(why, "--up %s: %s is not x, y or z", value, *rest ? rest : "nothing");
        for (int i = 0; i < files; i++)
            if (strcmp(given->names[i], file) == 0)
                out->up[i] = (model_up)(MODEL_UP_X + (*rest - 'x'));
    }
    return true;
}

bool unit_wish_read(const args *given, int files, unit_wish *out, fault *why)
{
    *out = (unit_wish){tool_alloc((size_t)files, sizeof *out->scale),
                       tool_alloc((size_t)files, sizeof *out->up)};
    for (int i = 0; i < files; i++) {
        out->scale[i] = 0;
        out->up[i] = MODEL_UP_UNKNOWN;
    }
    return read_scales(given, files, out, why) && read_ups(given, files, out, why);
}

void unit_wish_free(unit_wish *wish)
{
    free(wish->scale);
    free(wish->up);
}
