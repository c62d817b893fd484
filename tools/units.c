/* Which unit and up axis several files share, and what brings each there. */
#include "units.h"

#include "printable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *units_name(double unit, char buffer[32])
{
    static const struct {
        double metres;
        const char *name;
    } known[] = {{1, "metres"},         {0.01, "centimetres"}, {0.001, "millimetres"},
                 {1e-6, "micrometres"}, {0.0254, "inches"},    {0.3048, "feet"},
                 {0.9144, "yards"},     {1000, "kilometres"},  {1609.344, "miles"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (unit == known[i].metres)
            return known[i].name;
    snprintf(buffer, 32, "units of %g m", unit);
    return buffer;
}

const char *units_axis(model_up up)
{
    return up == MODEL_UP_X ? "x" : up == MODEL_UP_Y ? "y" : up == MODEL_UP_Z ? "z" : "";
}

void units_json(double unit, model_up up, json_writer *j)
{
    if (unit > 0)
        jw_number(j, "unit", unit);
    if (up != MODEL_UP_UNKNOWN)
        jw_string(j, "up", units_axis(up));
}

bw_transform units_to_z_up(model_up up)
{
    if (up == MODEL_UP_Y)
        return (bw_transform){{{1, 0, 0, 0}, {0, 0, -1, 0}, {0, 1, 0, 0}}};
    if (up == MODEL_UP_X)
        return (bw_transform){{{0, -1, 0, 0}, {0, 0, -1, 0}, {1, 0, 0, 0}}};
    return bw_transform_identity();
}

/* What the files say of one matter: of each file a number, 0: nothing. */
typedef struct statement {
    double *of; /* by file; < 0: takes no part */
    int count;
    bool wished;         /* an option says it of some */
    double common;       /* what all that say it say; 0: nobody does */
    bool differ, silent; /* two say different things; someone says nothing */
} statement;

static void sum_up(statement *s)
{
    for (int i = 0; i < s->count; i++) {
        if (s->of[i] < 0)
            continue;
        s->silent |= s->of[i] == 0;
        s->differ |= s->of[i] > 0 && s->common > 0 && s->of[i] != s->common;
        if (s->of[i] > 0)
            s->common = s->of[i];
    }
}

static void describe(const model *const *models, const statement *s, bool axes, bool silent, char *out,
                     size_t size)
{
    int shown = 0, left = 0;
    char name[32];
    *out = 0;
    for (int i = 0; i < s->count; i++) {
        if (s->of[i] < 0 || (s->of[i] == 0) != silent)
            continue;
        if (shown == 6 || strlen(out) + 300 > size) {
            left++;
            continue;
        }
        snprintf(out + strlen(out), size - strlen(out), "%s%.200s", shown++ > 0 ? ", " : "",
                 printable(models[i]->file));
        if (!silent)
            snprintf(out + strlen(out), size - strlen(out), " (%s)",
                     axes ? units_axis((model_up)s->of[i]) : units_name(s->of[i], name));
    }
    if (left > 0)
        snprintf(out + strlen(out), size - strlen(out), " and %d more", left);
}

/* changed: they are brought to metres, or to z up. */
static void tell(const model *const *models, const statement *s, bool axes, bool changed)
{
    char files[2048], name[32];
    if (s->differ) {
        describe(models, s, axes, false, files, sizeof files);
        warn(axes ? "different axes point up: %s: all are turned to z up"
                  : "different units: %s: all are brought to metres",
             files);
    }
    if (!s->silent || s->common == 0)
        return;
    describe(models, s, axes, true, files, sizeof files);
    if (axes)
        warn("no up axis is stated by %s: taken as %s up like the others; --up FILE=AXIS says otherwise",
             files, changed ? "z" : units_axis((model_up)s->common));
    else
        warn("no unit is stated by %s: taken as %s; --scale FILE=METRES says otherwise", files,
             changed ? "metres" : units_name(s->common, name));
}

void units_decide(const model *const *models, int count, const unit_wish *wish, units *out)
{
    statement unit = {.of = tool_alloc((size_t)count, sizeof(double)), .count = count}, up = unit;
    up.of = tool_alloc((size_t)count, sizeof *up.of);
    for (int i = 0; i < count; i++) {
        bool scaled = wish && wish->scale[i] > 0, turned = wish && wish->up[i] != MODEL_UP_UNKNOWN;
        unit.of[i] = !models[i] ? -1 : scaled ? wish->scale[i] : models[i]->unit;
        up.of[i] = !models[i] ? -1 : (double)(turned ? wish->up[i] : models[i]->up);
        unit.wished |= scaled;
        up.wished |= turned;
    }
    sum_up(&unit);
    sum_up(&up);
    const bool scale = unit.differ || unit.wished, turn = up.differ || up.wished;
    tell(models, &unit, false, scale);
    tell(models, &up, true, turn);
    *out = (units){.maps = tool_alloc((size_t)count, sizeof *out->maps),
                   .moved = tool_alloc((size_t)count, sizeof *out->moved),
                   .unit = scale ? 1 : unit.common,
                   .up = turn ? MODEL_UP_Z : (model_up)up.common};
    for (int i = 0; i < count; i++) {
        double factor = scale && unit.of[i] > 0 ? unit.of[i] : 1;
        bool turns = turn && up.of[i] > 0 && up.of[i] != (double)MODEL_UP_Z;
        out->maps[i] = units_to_z_up(turns ? (model_up)up.of[i] : MODEL_UP_Z);
        for (int k = 0; k < 9; k++)
            out->maps[i].m[k / 3][k % 3] *= factor;
        out->moved[i] = factor != 1 || turns;
    }
    free(unit.of);
    free(up.of);
}

void units_free(units *u)
{
    free(u->maps);
    free(u->moved);
}
