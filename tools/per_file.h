/* Options that name the file they belong to: --scale FILE=0.001, --up FILE=y, --clip FILE:NAME. */
#ifndef TOOL_PER_FILE_H
#define TOOL_PER_FILE_H

#include "io/model.h"
#include "options.h"

/* Which animation of which file. */
typedef struct clip_wish {
    const char **names; /* by file; NULL: not said */
    const char *any;    /* given without a file: for the only one that has animations; NULL: not given */
} clip_wish;

/* The first `files` of the arguments are files. */
bool clip_wish_read(const args *given, int files, clip_wish *out, fault *why);
/* The clip for a file. */
const char *clip_wish_of(const clip_wish *wish, int file);
/* Whether what was wished is there, after all files are open: clips[i] is how many file i has. */
bool clip_wish_met(const clip_wish *wish, const args *given, int files, const uint32_t *clips, fault *why);
void clip_wish_free(clip_wish *wish);

/* What is said of units and axes; see units.h. */
typedef struct unit_wish {
    double *scale; /* by file, metres to a unit; 0: not said */
    model_up *up;  /* by file */
} unit_wish;

bool unit_wish_read(const args *given, int files, unit_wish *out, fault *why);
void unit_wish_free(unit_wish *wish);

#define SCALE_OPTION                                                                                         \
    {                                                                                                        \
        "scale", "FILE=M", "a unit of FILE is M metres, whatever it says; all files are brought to metres"   \
    }
#define UP_OPTION                                                                                            \
    {                                                                                                        \
        "up", "FILE=AXIS", "x, y or z points up in FILE, whatever it says; all files are turned to z up"     \
    }
#define UNITS_HELP                                                                                           \
    "Files that state different units are brought to metres, and with different up axes to z up;\n"          \
    "otherwise coordinates are the files' own."

#endif
