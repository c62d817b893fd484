/* What assimp drops of 3MF and AMF files: their unit, and of 3MF the names of objects. */
#ifndef TOOL_IO_XML_PACKAGE_H
#define TOOL_IO_XML_PACKAGE_H

#include <stddef.h>

typedef struct xml_object {
    char *id, *name; /* neither is empty */
} xml_object;

typedef struct xml_package {
    double unit; /* metres to a unit; both formats are in millimetres where they do not say. 0: one that
                    neither has */
    xml_object *objects; /* in the order of their identifiers */
    size_t count, capacity;
} xml_package;

/* The file may be XML, or a ZIP archive with such a file. */
xml_package xml_package_read(const char *file);
void xml_package_free(xml_package *package);
/* NULL: none has that identifier and a name. */
const char *xml_package_name(const xml_package *package, const char *id);

#endif
