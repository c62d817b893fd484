/* The root and the objects of a 3MF or AMF file, read tag by tag. */
#include "io/xml_package.h"

#include "fault.h"

#include <minizip/unzip.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A tag that is longer is none of those looked for. */
enum { LONGEST_TAG = 4096, BLOCK = 1 << 16 };

typedef struct scanner {
    xml_package *package;
    char tag[LONGEST_TAG + 1]; /* without its brackets */
    size_t length;
    bool inside;
} scanner;

/* Writes a character for each of the five entities of XML. */
static void decode(char *text)
{
    static const struct {
        const char *entity;
        char character;
    } known[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
    char *out = text;
    while (*text) {
        size_t i = 0;
        while (i < sizeof known / sizeof *known &&
               strncmp(text, known[i].entity, strlen(known[i].entity)) != 0)
            i++;
        if (i < sizeof known / sizeof *known) {
            *out++ = known[i].character;
            text += strlen(known[i].entity);
        } else {
            *out++ = *text++;
        }
    }
    *out = 0;
}

/* The value of an attribute of a tag, a copy; NULL: it has none of that name. */
static char *attribute(const char *tag, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = tag; (at = strstr(at, name)); at += length) {
        const char *after = at + length + strspn(at + length, " \t\r\n");
        if (at == tag || !strchr(" \t\r\n", at[-1]) || *after != '=')
            continue;
        after += 1 + strspn(after + 1, " \t\r\n");
        const char *end = *after == '"' || *after == '\'' ? strchr(after + 1, *after) : NULL;
        if (!end)
            return NULL;
        char *value = tool_copy(after + 1);
        value[end - after - 1] = 0;
        decode(value);
        return value;
    }
    return NULL;
}

static bool is_tag(const char *tag, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(tag, name, length) == 0 && (tag[length] == 0 || strchr(" \t\r\n/", tag[length]));
}

static void read_unit(const char *tag, xml_package *out)
{
    static const struct {
        const char *name;
        double metres;
    } units[] = {{"micron", 1e-6}, {"millimeter", 1e-3}, {"centimeter", 1e-2}, {"inch", 0.0254},
                 {"foot", 0.3048}, {"feet", 0.3048},     {"meter", 1}};
    char *unit = attribute(tag, "unit");
    if (!unit)
        return;
    out->unit = 0;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(unit, units[i].name) == 0)
            out->unit = units[i].metres;
    free(unit);
}

static void read_object(const char *tag, xml_package *out)
{
    xml_object object = {attribute(tag, "id"), attribute(tag, "name")};
    if (object.id && object.name && *object.id && *object.name) {
        out->objects = tool_grow(out->objects, out->count, &out->capacity, sizeof *out->objects);
        out->objects[out->count++] = object;
        return;
    }
    free(object.id);
    free(object.name);
}

static void scan(scanner *s, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == '<') {
            s->inside = true;
            s->length = 0;
        } else if (bytes[i] == '>' && s->inside) {
            s->inside = false;
            s->tag[s->length] = 0;
            if (s->length == LONGEST_TAG)
                continue;
            if (is_tag(s->tag, "model") || is_tag(s->tag, "amf"))
                read_unit(s->tag, s->package);
            else if (is_tag(s->tag, "object"))
                read_object(s->tag, s->package);
        } else if (s->inside && s->length < LONGEST_TAG) {
            s->tag[s->length++] = bytes[i];
        }
    }
}

/* The entries with models: of 3MF every .model in 3D, of AMF the only one. */
static void read_archive(unzFile zip, scanner *s)
{
    char name[512] = "", *block = tool_alloc(BLOCK, 1);
    for (int at = unzGoToFirstFile(zip); at == UNZ_OK; at = unzGoToNextFile(zip)) {
        if (unzGetCurrentFileInfo64(zip, NULL, name, sizeof name, NULL, 0, NULL, 0) != UNZ_OK)
            break;
        const char *dot = strrchr(name, '.');
        if (!dot || (strcmp(dot, ".amf") != 0 && !(strcmp(dot, ".model") == 0 && strstr(name, "3D/"))) ||
            unzOpenCurrentFile(zip) != UNZ_OK)
            continue;
        for (int got; (got = unzReadCurrentFile(zip, block, BLOCK)) > 0;)
            scan(s, block, (size_t)got);
        unzCloseCurrentFile(zip);
        s->inside = false;
    }
    free(block);
}

static int compare_ids(const void *a, const void *b)
{
    return strcmp(((const xml_object *)a)->id, ((const xml_object *)b)->id);
}

xml_package xml_package_read(const char *file)
{
    xml_package out = {.unit = 1e-3};
    scanner *s = tool_alloc(1, sizeof *s);
    *s = (scanner){.package = &out};
    unzFile zip = unzOpen64(file);
    FILE *in = zip ? NULL : fopen(file, "rb");
    if (zip) {
        read_archive(zip, s);
        unzClose(zip);
    } else if (in) {
        char block[4096];
        for (size_t got; (got = fread(block, 1, sizeof block, in)) > 0;)
            scan(s, block, got);
        fclose(in);
    }
    free(s);
    if (out.count > 0)
        qsort(out.objects, out.count, sizeof *out.objects, compare_ids);
    return out;
}

void xml_package_free(xml_package *package)
{
    for (size_t i = 0; i < package->count; i++) {
        free(package->objects[i].id);
        free(package->objects[i].name);
    }
    free(package->objects);
}

const char *xml_package_name(const xml_package *package, const char *id)
{
    const xml_object wanted = {(char *)(uintptr_t)id, NULL};
    const xml_object *found =
        package->count > 0 ? bsearch(&wanted, package->objects, package->count, sizeof wanted, compare_ids)
                           : NULL;
    return found ? found->name : NULL;
}
