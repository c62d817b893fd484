/* What boxwood view shows beside the parts: boxes of trees by level, defects, edges that are open or shared by
 * more than two triangles, and where surfaces meet themselves. */
#ifndef TOOL_VIEW_LAYERS_H
#define TOOL_VIEW_LAYERS_H

#include "report/report.h"

/* Looks at every part of the report as it stands at the beginning, vertices at one place taken as one, and
 * adds the layers. What there is too much of is left out with a note. False: no memory. */
bool view_layers(report *report, fault *why);

#endif
