/* Names of parts: the path of names that leads to a node, and no two parts of a model called the same. */
#ifndef TOOL_IO_NAMES_H
#define TOOL_IO_NAMES_H

#include "io/model.h"

enum { NAMES_LONGEST = 1000 };

/* "above/name" in a block of its own. above may be NULL or empty: the name alone. A name that is NULL or
 * empty becomes "node INDEX". A path longer than NAMES_LONGEST bytes keeps its end, with ".../" in front. */
char *names_join(const char *above, const char *name, uint32_t index);
/* Of the places of a model, or of its parts where it has no places: the first of a name keeps it, the others
 * are called "NAME (2)", "NAME (3)", ..., none like a name that is there already. Empty ones become
 * "part NUMBER", counted from 0. */
void names_unique(model *model);

#endif
