/* Looks into the head of the XML of a 3MF or AMF file. */
#include "io/unit_attribute.h"

#include <minizip/unzip.h>
#include <stdio.h>
#include <string.h>

/* The root element stands at the beginning, after a declaration and comments. */
enum { HEAD = 1 << 16 };

/* The head of the entry with the model: of 3MF the first .model in 3D, of AMF the only one. */
static size_t read_entry(unzFile zip, char *out)
{
    char name[512] = "";
    for (int at = unzGoToFirstFile(zip); at == UNZ_OK; at = unzGoToNextFile(zip)) {
        if (unzGetCurrentFileInfo64(zip, NULL, name, sizeof name, NULL, 0, NULL, 0) != UNZ_OK)
            return 0;
        const char *dot = strrchr(name, '.');
        if (dot && (strcmp(dot, ".amf") == 0 || (strcmp(dot, ".model") == 0 && strstr(name, "3D/"))))
            break;
    }
    if (unzOpenCurrentFile(zip) != UNZ_OK)
        return 0;
    size_t size = 0;
    int got;
    while (size < HEAD && (got = unzReadCurrentFile(zip, out + size, (unsigned)(HEAD - size))) > 0)
        size += (size_t)got;
    unzCloseCurrentFile(zip);
    return size;
}

static size_t read_head(const char *file, char *out)
{
    unzFile zip = unzOpen64(file);
    if (zip) {
        size_t size = read_entry(zip, out);
        unzClose(zip);
        return size;
    }
    FILE *in = fopen(file, "rb");
    size_t size = in ? fread(out, 1, HEAD, in) : 0;
    if (in)
        fclose(in);
    return size;
}

double unit_attribute(const char *file)
{
    static const struct {
        const char *name;
        double metres;
    } units[] = {{"micron", 1e-6}, {"millimeter", 1e-3}, {"centimeter", 1e-2}, {"inch", 0.0254},
                 {"foot", 0.3048}, {"feet", 0.3048},     {"meter", 1}};
    static char head[HEAD + 1];
    head[read_head(file, head)] = 0;
    char *model = strstr(head, "<model"), *root = model ? model : strstr(head, "<amf");
    char *end = root ? strchr(root, '>') : NULL;
    if (!end)
        return 1e-3;
    *end = 0;
    const char *at = root;
    while ((at = strstr(at, "unit")) && at[-1] != ' ' && at[-1] != '\t' && at[-1] != '\n' && at[-1] != '\r')
        at++;
    if (!at)
        return 1e-3;
    at += strcspn(at, "\"'");
    for (size_t i = 0; *at && i < sizeof units / sizeof *units; i++) {
        size_t size = strlen(units[i].name);
        if (strncmp(at + 1, units[i].name, size) == 0 && at[size + 1] == *at)
            return units[i].metres;
    }
    return 0;
}
