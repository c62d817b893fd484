/* Meshes of files, for the bench of budgeted queries. Each is false where there is no such file; one that is
 * damaged ends the bench. */
#ifndef BENCH_ANYTIME_FILES_H
#define BENCH_ANYTIME_FILES_H

#include "scenes/scenes.h"

bool anytime_read_obj(const char *path, bws_mesh *out);
bool anytime_read_3ds(const char *path, bws_mesh *out); /* its first mesh */
/* The first frame of "rod-twist" or "cloth-funnel" (scenes/ccd_data.h). */
bool anytime_read_scene(const char *name, bws_mesh *out);

#endif
