/* The unit attribute of a 3MF or AMF file, which assimp drops. */
#ifndef TOOL_IO_UNIT_ATTRIBUTE_H
#define TOOL_IO_UNIT_ATTRIBUTE_H

/* Metres to a unit of the file, which may be XML or a ZIP archive with such a file. Both formats are in
 * millimetres where they do not say; 0: a unit that neither has. */
double unit_attribute(const char *file);

#endif
