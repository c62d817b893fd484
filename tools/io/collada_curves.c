/* Counts the names of interpolations in the arrays of names of a COLLADA file. */
#include "io/collada_curves.h"

#include "io/text.h"

#include <string.h>

/* The words between here and the next tag. */
static const char *count_words(const char *at, collada_curves *out)
{
    static const char *const others[] = {"BEZIER", "HERMITE", "CARDINAL", "BSPLINE"};
    const char *end = at + strcspn(at, "<");
    while (at < end) {
        size_t length = strcspn(at, " \t\r\n<");
        out->linear += length == 6 && strncmp(at, "LINEAR", 6) == 0;
        out->step += length == 4 && strncmp(at, "STEP", 4) == 0;
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            out->other += length == strlen(others[i]) && strncmp(at, others[i], length) == 0;
        at += length;
        at += strspn(at, " \t\r\n");
    }
    return end;
}

collada_curves collada_curves_of(const char *file)
{
    collada_curves out = {0, 0, 0};
    text whole;
    fault why;
    if (!text_open(file, &whole, &why))
        return out;
    /* Joints have arrays of names, too, but not these. */
    if (strstr(whole.data, "<COLLADA"))
        for (const char *at = whole.data; (at = strstr(at, "<Name_array"));) {
            at += strcspn(at, ">");
            at = count_words(*at ? at + 1 : at, &out);
        }
    text_close(&whole);
    return out;
}
