/* Files in one space. Coordinates are the files' own, unless
 *   the files state different units, or --scale is given: then all are brought to metres;
 *   the files state different up axes, or --up is given: then all are turned to z up.
 * A file that does not say is taken to be as the others are; where those are changed, to be in metres, or z
 * up, already. Where files that say meet files that do not, or files that differ, a warning names them. */
#ifndef TOOL_UNITS_H
#define TOOL_UNITS_H

#include "json.h"
#include "per_file.h"

/* What brings each file into the common space. */
typedef struct units {
    bw_transform *maps; /* by file */
    bool *moved;        /* by file: its map is not the identity */
    double unit;        /* metres to a unit of the common space; 0: nobody says */
    model_up up;        /* of it */
} units;

/* models[i] may be NULL: that file takes no part. wish may be NULL. */
void units_decide(const model *const *models, int count, const unit_wish *wish, units *out);
void units_free(units *units);

/* Turns x, y or z up to z up, as COLLADA's three axes stand for one another; unknown: the identity. */
bw_transform units_to_z_up(model_up up);
/* "metres", "millimetres", "0.7 metres"; "x", "y", "z". buffer: for the former. */
const char *units_name(double unit, char buffer[32]);
const char *units_axis(model_up up);
/* The keys "unit" (metres) and "up", each where it is known. */
void units_json(double unit, model_up up, json_writer *j);

#endif
