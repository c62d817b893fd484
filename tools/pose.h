/* Poses as people write them on a command line. */
#ifndef TOOL_POSE_H
#define TOOL_POSE_H

#include "fault.h"

#include <boxwood/math.h>

/* Twelve numbers, the rows of a 3x4 matrix, separated by commas or spaces; or words separated by spaces, that
 * act one after the other from left to right: s=F or s=X,Y,Z       scale rx=DEG ry=DEG rz=DEG turn about an
 * axis of the coordinates r=X,Y,Z,DEG          turn about the axis X,Y,Z t=X,Y,Z              move Turns by
 * multiples of 90 degrees about the coordinate axes are exact. option is named in the fault. */
bool pose_parse(const char *text, const char *option, bw_transform *out, fault *why);

/* The syntax, for the help of commands that take poses. */
#define POSE_HELP                                                                                            \
    "A POSE is either twelve numbers, the rows of a 3x4 matrix, or words that act one\n"                     \
    "after the other from left to right:\n"                                                                  \
    "  s=F  s=X,Y,Z          scale by F, or by X, Y, Z along the axes\n"                                     \
    "  rx=DEG ry=DEG rz=DEG  turn about the x, y or z axis, in degrees\n"                                    \
    "  r=X,Y,Z,DEG           turn about the axis X,Y,Z through the origin\n"                                 \
    "  t=X,Y,Z               move"

#endif
